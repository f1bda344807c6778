import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import jax
import pytest

from training import config, duration
from training.config import ConfigError
from training.methods import METHODS, build, cnn

RUNS = sorted((Path(__file__).parents[1] / "runs").rglob("*.toml"))
TEXT = """
[run]
method = "td"
rules = "solo"
size = "3x2"

[td]
rate = 1
hidden = [64, 32]
"""


@dataclass(frozen=True)
class Table:
    rate: float
    hidden: tuple[int, ...] = ()
    critic: Literal["state", "afterstate"] = "state"
    every: int | str = "5s"
    clip: float = 1.0
    on: bool = False

    def __post_init__(self):
        if self.rate < 0:
            raise ValueError("rate: want 0 or more")


def table(**values):
    return config.read_table("td", values, Table)


def test_tables():
    parsed = config.parse(TEXT)
    assert parsed.method == "td"
    assert (parsed.game.width, parsed.game.height) == (3, 2)
    assert parsed.run.seed == 1
    assert parsed.text == TEXT
    read = parsed.table("td", Table)
    assert read == Table(1.0, (64, 32))
    assert isinstance(read.rate, float)
    assert table(rate=0.5, every=7, clip=2, on=True, critic="afterstate").clip == 2.0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, r"\[td\] rate: missing"),
        ({"rate": 1, "rats": 2}, r"\[td\] rats: unknown; known are rate, hidden, critic"),
        ({"rate": "1"}, r"\[td\] rate = '1': want a number"),
        ({"rate": True}, r"\[td\] rate = True: want a number"),
        ({"rate": 1, "hidden": 64}, r"\[td\] hidden = 64: want a list"),
        ({"rate": 1, "hidden": [6.5]}, r"\[td\] hidden = 6.5: want a whole number"),
        ({"rate": 1, "critic": "x"}, r"\[td\] critic = 'x': want one of state, afterstate"),
        ({"rate": 1, "every": 1.5}, r"\[td\] every = 1.5: want a whole number or a text$"),
        ({"rate": 1, "on": 1}, r"\[td\] on = 1: want true or false"),
        ({"rate": -1}, r"\[td\] rate: want 0 or more"),
    ],
)
def test_wrong_tables(values, message):
    with pytest.raises(ConfigError, match=message):
        table(**values)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("run = ", "no TOML"),
        ("", r"the table \[run\] is missing"),
        ("run = 3", r"the table \[run\] is missing"),
        (TEXT + "[ppo]", r"ppo: unknown; known are \[run\], \[network\] and \[td\]"),
        ("x = 1\n" + TEXT, "x: unknown"),
        (TEXT.replace("solo", "duo"), r"\[run\] rules 'duo': want gpcc2015, gpcc2016, solo"),
        (TEXT.replace('"3x2"', "3"), r"\[run\] size = 3: want a text"),
    ],
)
def test_wrong_files(text, message, tmp_path):
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as error:
        config.load(path)
    assert str(error.value).startswith(f"{path}: ")


def test_settings_are_written_and_read_again():
    name = 'a "quick" one \U0001f600 \x7f\n'
    settings = ["td.rate=0.5", f"run.name={name}", "td.hidden=[8]", "network.planes=9"]
    changed = config.parse(TEXT, settings)
    assert changed.table("td", Table) == Table(0.5, (8,))
    assert changed.run.name == name
    again = config.parse(changed.text)
    assert again.run == changed.run
    assert again.tables == changed.tables


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("seed=-1", "seed = -1: want 0 to 4294967295"),
        ("seed=4294967297", "seed = 4294967297: want 0 to 4294967295"),
        ("seed=9223372036854775808", "seed = 9223372036854775808: want 0 to 4294967295"),
        ("steps=-1", "steps = -1: want 0 or more"),
        ("steps=1000000000000", "steps = 1000000000000: want 0 to 2147483647"),
        ("evaluate=-5", "evaluate = -5: want a time, or 0 or more steps"),
    ],
)
def test_wrong_numbers_of_a_run(setting, message):
    with pytest.raises(ConfigError, match=rf"^\[run\] {message}$"):
        config.parse(TEXT, [f"run.{setting}"])


def test_numbers_that_are_not_finite_are_written_and_read_again():
    settings = ["td.rate=inf", "td.clip=-inf", "td.hidden=[nan, [1, inf]]"]
    changed = config.parse(TEXT, settings)
    assert "rate = inf\nhidden = [nan, [1, inf]]\nclip = -inf\n" in changed.text
    assert config.parse(changed.text).tables["td"]["clip"] == -math.inf


@pytest.mark.parametrize("value", ["1979-05-27", "07:32:00", "{a = 1}", "[1979-05-27]"])
def test_other_values_are_one_line(value):
    with pytest.raises(ConfigError, match=r"^\[td\] rate = .*: want a text, a number, true, false"):
        config.parse(TEXT, [f"td.rate={value}"])
    with pytest.raises(ConfigError, match=r"^\[td\] rate = "):
        config.parse(TEXT.replace("rate = 1", f"rate = {value}"), ["td.hidden=[8]"])


def test_the_largest_seed():
    largest = config.parse(TEXT, ["run.seed=4294967295"]).run.seed
    last, one = (jax.random.key_data(jax.random.key(seed)) for seed in (largest, 1))
    assert last.tolist() == [0, largest] and one.tolist() == [0, 1]


def test_every_run_file_is_understood():
    assert RUNS
    for path in RUNS:
        parsed = config.load(path)
        assert parsed.method in METHODS
        assert parsed.run.steps or parsed.run.budget
        if parsed.method == "cnn":  # whose teacher's file is not here
            described = cnn.describe(parsed, parsed.table("network", cnn.NetworkTable))
            described.check_playable(parsed.run.half)
            parsed.table("cnn", cnn.Settings)
        else:
            build(parsed)


@pytest.mark.parametrize(
    ("run", "setting", "wanted"),
    [
        ("2x2-ppo", "ppo.trace=5", "0 to 1"),
        ("2x2-ppo", "ppo.clip=-1.0", "more than 0"),
        ("2x2-ppo", "ppo.rate=-1.0", "more than 0, at most 1"),
        ("2x2-ppo", "ppo.entropy=nan", "0 or more"),
        ("2x2-ppo", "ppo.gradient=inf", "a finite number"),
        ("2x2-ppo", f"ppo.games=-{10**400}", "1 or more"),
        ("2x2-ppo", f"ppo.games={10**12}", "1 to 2147483647"),
        ("2x2-td", "td.evaluation=100001", "1 to 100000"),
        ("2x2-td", "td.evaluation=0", "1 to 100000"),
        ("2x2-dqn", "dqn.evaluation=100001", "1 to 100000"),
        ("2x2-ppo", "ppo.evaluation=100001", "1 to 100000"),
        ("2x2-muzero", "muzero.evaluation=100001", "1 to 100000"),
        ("2x2-gpcc2015-az", "az.evaluation_games=100001", "1 to 100000"),
        ("2x2-gpcc2015-az", f"az.simulations={2**31}", "1 to 2147483647"),
        ("2x2-td", "td.rate=nan", "more than 0, at most 1"),
        ("2x2-td", "network.last=nan", "0 to 1"),
        ("2x2-dqn", "dqn.rate=inf", "more than 0, at most 1"),
        ("2x2-muzero", "muzero.rate=0.0", "more than 0, at most 1"),
        ("2x2-muzero", "muzero.value_weight=-1.0", "0 or more"),
        ("2x2-muzero", "muzero.temperature=nan", "0 or more"),
        ("2x2-gpcc2015-az", "az.c_init=-3.0", "0 or more"),
        ("2x2-gpcc2015-az", "az.rate=-1.0", "more than 0, at most 1"),
        ("4x4-cnn-small", "cnn.rate=nan", "more than 0, at most 1"),
        ("4x4-cnn-small", "cnn.deviation=inf", "a finite number"),
        ("4x4-cnn-small", "cnn.games=100001", "0 to 100000"),
    ],
)
def test_numbers_out_of_range_are_one_line(run, setting, wanted):
    table, key = setting.partition("=")[0].split(".")
    path = next(path for path in RUNS if path.stem == run)
    with pytest.raises(ConfigError, match=rf"^\[{table}\] {key} = .*: want {wanted}$"):
        build(config.load(path, [setting]))


@pytest.mark.parametrize(
    ("run", "setting", "layers"),
    [
        ("2x2-ppo", "layers=130", 261),
        ("2x2-gpcc2015-az", "layers=130", 260),
        ("2x2-td", f"hidden={[8] * 130}", 261),
    ],
)
def test_networks_that_cannot_be_are_one_line(run, setting, layers):
    path = next(path for path in RUNS if path.stem == run)
    with pytest.raises(ConfigError, match=rf"^\[network\] {layers} layers: want 1 to 256$"):
        build(config.load(path, [f"network.{setting}"]))


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("20m", 1200), ("1h30m", 5400), ("0.5s", 0.5)]
)
def test_durations(text, seconds):
    assert duration.parse(text) == seconds


@pytest.mark.parametrize("text", ["", "20", "m", "-3s", "2d", "1h x"])
def test_wrong_durations(text):
    with pytest.raises(ValueError, match="want a number and its unit"):
        duration.parse(text)


def test_durations_as_text():
    assert [duration.render(s) for s in (0, 59.6, 90, 3600, 5405)] == [
        "0s",
        "1m",
        "1m30s",
        "1h",
        "1h30m5s",
    ]
