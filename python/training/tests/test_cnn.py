import jax
import numpy as np
import pytest

from test_data import TEACHER
from training import checkpoint, command, config, data, network, policy
from training.config import ConfigError
from training.layers import Conv
from training.methods.cnn import CNN, spread
from training.nested import Symmetries

RUN = """
[run]
method = "cnn"
rules = "solo"
size = "2x2"
steps = 500

[network]
layers = 2
channels = 24
planes = 8

[cnn]
teacher = "{teacher}"
batch = 100
rate = 0.003
held = 0.25
chunk = 100
games = 250
"""


@pytest.fixture(scope="module")
def teacher(tmp_path_factory):
    path = tmp_path_factory.mktemp("teacher") / "2x2.safetensors"
    data.save(path, data.read_games(TEACHER, "teacher"))
    return path


def method(teacher, *settings):
    return CNN(config.parse(RUN.format(teacher=teacher), settings))


def learn(made, state, chunks):
    for _ in range(chunks):
        state, progress = made.advance(state)
    return state, progress


@pytest.mark.parametrize("proposal", ["network.symmetries=false", "network.symmetries=true"])
def test_learns_perfect_play_of_2x2(teacher, proposal):
    made = method(teacher, proposal)
    state = made.start(jax.random.key(1))
    before = made.evaluate(state, jax.random.key(2))
    state, progress = learn(made, state, 5)
    after = made.evaluate(state, jax.random.key(2))
    assert progress.steps == 500 and progress.positions == 50_000
    assert before["agreement"] < 0.7
    assert after["agreement"] >= 0.95
    # Of equally good slides the teacher takes the first one, which votes do not learn.
    assert after["agreement_all"] >= 0.75
    # The mean of 250 games has a standard error of about 2.5 % of the optimum.
    assert after["score"] >= 0.9 * made.description.game.optimum
    assert after["score_all"] >= 0.8 * made.description.game.optimum


def test_a_state_that_was_stored_goes_on_the_same(teacher, tmp_path):
    made = method(teacher, "cnn.chunk=3")
    state, _ = learn(made, made.start(jax.random.key(1)), 1)
    checkpoint.save(tmp_path / "state", state, {})
    straight, _ = learn(made, state, 2)
    other = method(teacher, "cnn.chunk=3")
    restored, _ = checkpoint.load(tmp_path / "state", other.start(jax.random.key(2)))
    again, progress = learn(other, restored, 2)
    assert progress.steps == 9
    for name, tensor in straight.params.items():
        assert np.array_equal(tensor, again.params[name]), name


@pytest.mark.parametrize("most", [1, 2, 700, 999, 1000, 5000])
def test_what_is_compared_is_spread_over_all_held_games(most):
    chosen = spread(1000, most)
    assert len(chosen) == min(most, 1000)
    assert chosen[0] == 0 and (most == 1 or chosen[-1] == 999)
    gaps = np.diff(chosen)
    assert most == 1 or (gaps.min() >= 1 and gaps.max() - gaps.min() <= 1)


def test_the_last_held_games_are_compared(teacher, monkeypatch):
    compared = []

    def keep(description, params, positions, all_):
        compared.append(positions)
        return 0.0

    monkeypatch.setattr(policy, "agreement", keep)
    _, held = data.load(teacher).split(0.25)
    made = method(teacher, "cnn.games=0", f"cnn.compare={2 * len(held) // 3}")
    made.evaluate(made.start(jax.random.key(1)), jax.random.key(2))
    assert set(compared[0].games) == set(held.games)


def test_the_recipe_names_the_teacher(teacher, tmp_path):
    """A run can be repeated only with the same games, which its settings name by a path."""
    file, out = tmp_path / "run.toml", tmp_path / "out"
    file.write_text(RUN.format(teacher=teacher))
    few = ["--set", "run.steps=2", "--set", "cnn.chunk=1", "--set", "cnn.games=0"]
    assert command.main(["run", str(file), "--out", str(out), *few]) == 0
    recipe = network.load(out / "final.safetensors").recipe
    assert recipe["teacher"] == data.load(teacher).checksum
    assert recipe["steps"] == 2 and "command" in recipe


def test_a_run_does_not_go_on_with_another_teacher(teacher, tmp_path, capsys):
    file, out, other = tmp_path / "run.toml", tmp_path / "out", tmp_path / "teacher.safetensors"
    other.write_bytes(teacher.read_bytes())
    few = "steps = 2\nevaluate = 1000"
    file.write_text(RUN.format(teacher=other).replace("steps = 500", few) + "compare = 10\n")
    small = ["--set", "cnn.chunk=1", "--set", "cnn.games=0"]
    assert command.main(["run", str(file), "--out", str(out), *small]) == 0
    positions = data.load(teacher)
    data.save(other, positions.where(positions.games < positions.games.max()))
    capsys.readouterr()
    assert command.main(["resume", str(out)]) == 2
    errors = capsys.readouterr().err
    path = out / "checkpoint.safetensors"
    assert errors.startswith(f"training: {path}: it is of another teacher: {positions.checksum}")
    assert errors.count("\n") == 1
    # A checkpoint of an earlier version does not say which teacher it is of.
    state, notes = checkpoint.load(path, method(other).start(jax.random.key(1)))
    del notes["recipe"]
    checkpoint.save(path, state, notes)
    assert command.main(["resume", str(out)]) == 0


def test_the_networks_of_kondo(teacher):
    # Proposal 1 with 5 layers of 222 channels has about 818,000 parameters; here the board is 2x2,
    # so that the dense layer has 4 * 222 inputs instead of 16 * 222.
    made = method(teacher, "network.layers=5", "network.channels=222", "network.planes=16")
    layers = made.description.function("policy").layers
    assert [layer.kind for layer in layers] == ["conv", "relu"] * 5 + ["dense"]
    assert all(c.padding == "after" and c.kernel == (2, 2) for c in layers if isinstance(c, Conv))
    shapes = jax.eval_shape(made.start, jax.random.key(1)).params
    dense = 222 * 4 * 4 + 4
    assert sum(w.size for w in shapes.values()) == 4 * 16 * 222 + 4 * 4 * 222**2 + 5 * 222 + dense
    kernel = np.asarray(method(teacher).start(jax.random.key(1)).params["policy.2.weight"])
    assert abs(kernel).max() <= 0.2  # cut off at two deviations of 0.1
    assert kernel.std() == pytest.approx(0.088, abs=0.005)
    joined = method(teacher, "network.symmetries=true").description.function("policy").layers
    assert isinstance(joined[0], Symmetries) and joined[1].inputs == 8 * 4 * 24


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ("cnn.teacher=none.safetensors", "none.safetensors: No such file"),
        ("run.size=3x2", r"2x2.safetensors is of solo 2x2"),
        ("run.rules=gpcc2015", "cnn learns solo only"),
        ("network.layers=0", "layers = 0: want 1 or more"),
        ("network.planes=1", "planes = 1: want 2 to 18"),
        ("cnn.held=1.0", "held = 1.0"),
        ("cnn.batch=0", "batch = 0"),
        ("cnn.games=-1", "games = -1"),
    ],
)
def test_wrong_settings(teacher, setting, error):
    with pytest.raises(ConfigError, match=error) as found:
        method(teacher, setting)
    assert "\n" not in str(found.value)
