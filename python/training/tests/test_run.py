import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from tiny import METHODS, Tiny
from training import command, curve, network, run
from training.methods import Progress

HERE = Path(__file__).parent
SOURCES = [str(HERE.parent / "src"), str(HERE.parents[1] / "src")]
FILE = """
[run]
method = "tiny"
rules = "solo"
size = "2x2"
steps = 12
evaluate = 4
checkpoint = "0s"

[tiny]
hang = 7
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(FILE)
    return path


def main(*arguments):
    return command.main([str(a) for a in arguments], METHODS)


def process(*arguments, **environment):
    """Start the command line in a process of its own."""
    paths = {"PYTHONPATH": os.pathsep.join([*SOURCES, str(HERE)])}
    return subprocess.Popen(
        [sys.executable, HERE / "tiny.py", *map(str, arguments)],
        env=os.environ | paths | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def content(folder):
    """Return the final weights and the curve without its times."""
    rows = curve.read(folder / "curve.csv")
    for row in rows:
        del row["seconds"], row["processor"]
    return network.load(folder / "final.safetensors"), rows


def assert_same(one, other):
    (network_one, rows_one), (network_other, rows_other) = content(one), content(other)
    assert rows_one == rows_other
    assert network_one.params.keys() == network_other.params.keys()
    for name, tensor in network_one.params.items():
        assert np.array_equal(tensor, network_other.params[name])


def test_a_killed_run_goes_on_exactly(file, tmp_path):
    """kill -9 in the middle of a chunk, then resume: the weights and curve of an unbroken run."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main("run", file, "--out", whole, "--seed", 3) == 0
    running = process("run", file, "--out", killed, "--seed", 3, TINY_HANGS="1")
    assert running.stdout.readline() == "hanging\n"
    running.send_signal(signal.SIGKILL)
    running.communicate()
    assert running.returncode == -signal.SIGKILL
    assert not (killed / "final.safetensors").exists()
    (killed / "checkpoint.safetensors.part").write_bytes(b"half of a checkpoint")
    assert main("resume", killed) == 0
    assert_same(whole, killed)
    recipe = network.load(killed / "final.safetensors").recipe
    assert recipe["command"] == f"python -m training run {file} --out killed --set=run.seed=3"
    assert (recipe["seed"], recipe["steps"], recipe["games"]) == (3, 12, 24)
    assert "hang = 7" in recipe["config"]
    assert recipe["versions"].keys() == {"python", "jax"}


def test_ctrl_c_finishes_the_chunk(file, tmp_path):
    """Ctrl-C, then resume: the chunk counts, the command to go on is printed, the end the same."""
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    assert main("run", file, "--out", whole) == 0
    running = process("run", file, "--out", stopped, TINY_HANGS="1")
    assert running.stdout.readline() == "hanging\n"
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate()  # the end of its input ends the chunk
    assert running.returncode == 130
    assert errors.splitlines()[-1] == f"stopped; to go on: python -m training resume {stopped}"
    assert main("resume", stopped) == 0
    assert_same(whole, stopped)


@pytest.mark.parametrize(
    ("program", "arguments"),
    [("training", ["run", "FILE", "--out", "a"]), ("training.policy", ["none.safetensors"]),
     ("training.vectors", ["."]), ("training.speed", []),
     ("training.data", [".", "--player", "teacher", "--out", "t"])],
)  # fmt: skip
def test_no_device_is_one_line(program, arguments, file, tmp_path):
    """JAX_PLATFORMS names a GPU where there is none."""
    done = subprocess.run(
        [sys.executable, "-m", program, *(str(file) if a == "FILE" else a for a in arguments)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(SOURCES), "JAX_PLATFORMS": "cuda"},
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert re.fullmatch(r".*training.*: JAX_PLATFORMS=cuda: .+\n", done.stderr)


def test_only_one_process_learns_in_a_folder(file, tmp_path, capsys):
    running = process("run", file, "--out", tmp_path / "a", TINY_HANGS="1")
    assert running.stdout.readline() == "hanging\n"
    assert main("resume", tmp_path / "a") == 2
    assert capsys.readouterr().err.endswith("a: another process is learning there\n")
    running.kill()
    running.communicate()


def test_seeds_and_settings_change_a_run(file, tmp_path):
    for name, arguments in {"a": [], "b": ["--set", "run.seed=2"], "c": ["--seed", 2]}.items():
        assert main("run", file, "--out", tmp_path / name, *arguments) == 0
    assert_same(tmp_path / "b", tmp_path / "c")
    weights = [network.load(tmp_path / n / "final.safetensors").params for n in "ab"]
    assert not np.array_equal(weights[0]["value.0.weight"], weights[1]["value.0.weight"])
    assert (tmp_path / "a/run.toml").read_text() == FILE
    assert "seed = 2" in (tmp_path / "b/run.toml").read_text()
    # What is written is read again, and a run of it is the same run.
    assert main("run", tmp_path / "b/run.toml", "--out", tmp_path / "d") == 0
    assert_same(tmp_path / "b", tmp_path / "d")


def test_the_folder_of_a_run(file, tmp_path, capsys):
    folder = tmp_path / "a"
    assert main("run", file, "--out", folder, "--set", "run.half=true") == 0
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "run.toml",
        "checkpoint.safetensors",
        "curve.csv",
        "curve.svg",
        "weights",
        "final.safetensors",
    }
    rows = curve.read(folder / "curve.csv")
    assert [row["steps"] for row in rows] == [0, 4, 8, 12]
    assert [row["positions"] for row in rows] == [0, 64, 128, 192]
    assert "loss" not in rows[0]
    assert rows[1]["loss"] > 0
    assert rows[3]["seconds"] > rows[1]["seconds"] > 0
    out, errors = capsys.readouterr()
    assert out == f"{folder / 'final.safetensors'}\n"
    assert "tiny solo 2x2  12 steps" in errors.splitlines()[-1]
    assert main("resume", folder) == 0
    assert "the run is over, after 12 steps" in capsys.readouterr().out
    assert main("run", file, "--out", folder) == 2
    assert "has a run already" in capsys.readouterr().err


def test_the_budget_ends_a_run(file, tmp_path):
    """A run without steps ends by its budget; a larger one lets it go on."""
    changes = ["--set", "run.steps=0", "--set", "run.evaluate=1000000"]
    folder = tmp_path / "a"
    assert main("run", file, "--out", folder, *changes, "--budget", "0.1s") == 0
    first = network.load(folder / "final.safetensors").recipe
    assert first["seconds"] >= 0.1
    more = first["seconds"] + 0.2  # which are rounded to a tenth
    assert main("resume", folder, "--budget", f"{more:.1f}s") == 0
    second = network.load(folder / "final.safetensors").recipe
    assert second["steps"] > first["steps"]
    assert second["seconds"] >= more - 0.05
    assert f'budget = "{more:.1f}s"' in second["config"]
    # And the command that learns as much again ends with the larger budget.
    again = shlex.split(second["command"])
    assert again == [*shlex.split(first["command"]), f'--set=run.budget="{more:.1f}s"']


def test_a_longer_run_that_is_soon_killed_keeps_its_budget(file, tmp_path):
    """kill -9 before the first checkpoint of a resume: the recipe names the budget of run.toml."""
    folder = tmp_path / "a"
    changes = ["--set", "run.steps=2", "--set", "tiny.hang=3", "--budget", "100s"]
    assert main("run", file, "--out", folder, *changes) == 0
    text = (folder / "run.toml").read_text()
    (folder / "run.toml").write_text(text.replace("steps = 2", "steps = 3"))
    running = process("resume", folder, "--budget", "200s", TINY_HANGS="1")
    assert running.stdout.readline() == "hanging\n"
    running.kill()
    running.communicate()
    assert main("resume", folder) == 0
    recipe = network.load(folder / "final.safetensors").recipe
    assert 'budget = "200s"' in recipe["config"]
    assert shlex.split(recipe["command"])[-1] == '--set=run.budget="200s"'


def cost_a_thousand_seconds(monkeypatch):
    """Let each chunk cost so much time of the cores."""
    clock = iter(range(0, 10**9, 1000))
    monkeypatch.setattr(run.time, "process_time", lambda: float(next(clock)))


def test_an_earlier_end_is_not_taken_for_the_end(file, tmp_path, monkeypatch, capsys):
    """A longer run that was stopped, and is then to end at once, ends with what it has learned."""
    cost_a_thousand_seconds(monkeypatch)
    folder = tmp_path / "a"
    settings = ["--set", 'run.clock="processor"', "--set", "run.steps=0"]
    assert main("run", file, "--out", folder, *settings, "--budget", "2000s") == 0
    advance = Tiny.advance

    def stop_after_five(method, state):
        state, progress = advance(method, state)
        if progress.steps == 5:
            signal.raise_signal(signal.SIGINT)
        return state, progress

    monkeypatch.setattr(Tiny, "advance", stop_after_five)
    assert main("resume", folder, "--budget", "9000s") == 130
    assert network.load(folder / "final.safetensors").recipe["steps"] == 2
    assert main("resume", folder, "--budget", "4000s") == 0
    assert network.load(folder / "final.safetensors").recipe["steps"] == 5
    assert content(folder)[1][-1]["steps"] == 5
    assert "the run is over" not in capsys.readouterr().out
    assert main("resume", folder) == 0
    assert "the run is over, after 5 steps" in capsys.readouterr().out


def test_a_damaged_network_at_the_end_is_written_anew(file, tmp_path):
    whole, damaged = tmp_path / "whole", tmp_path / "damaged"
    for folder in (whole, damaged):
        assert main("run", file, "--out", folder) == 0
    damage(damaged / "final.safetensors", lambda content: content[:-1])
    assert main("resume", damaged) == 0
    assert_same(whole, damaged)


def test_the_budget_counts_processor_time(file, tmp_path, monkeypatch):
    """A chunk that costs a thousand seconds of the cores ends a run that counts these."""
    cost_a_thousand_seconds(monkeypatch)
    steps = {}
    for name in ("wall", "processor"):
        chosen = ["--set", f'run.clock="{name}"', "--set", "run.steps=3", "--budget", "100s"]
        assert main("run", file, "--out", tmp_path / name, *chosen) == 0
        recipe = network.load(tmp_path / name / "final.safetensors").recipe
        steps[name] = recipe["steps"]
        assert recipe["processor"] == 1000 * recipe["steps"]
    assert steps == {"wall": 3, "processor": 1}


def test_snapshots_are_spaced_by_doubling():
    times = [14, 15, 29.9, 30, 59, 61, 130]
    assert [run.last_snapshot(t) for t in times] == [0, 15, 15, 30, 30, 60, 120]
    assert run.Folder(Path("a")).snapshot(15) == Path("a/weights/00015s.safetensors")


def test_a_snapshot_is_written_when_its_time_comes(file, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "FIRST_SNAPSHOT", 1e-4)
    assert main("run", file, "--out", tmp_path / "a") == 0
    written = list((tmp_path / "a/weights").iterdir())
    assert written
    assert 0 < network.load(written[0]).recipe["steps"] <= 12


def test_metrics_are_means_over_the_chunks_that_have_them():
    meter = run.Meter("")
    for metrics in ({"loss": 1.0}, {"loss": 3.0, "played": 10.0}):
        meter.add(Progress(1, metrics=metrics), 0.0, 0.0)
    assert meter.take_metrics() == {"loss": 2.0, "played": 10.0}
    assert meter.take_metrics() == {}


def test_a_checkpoint_of_an_earlier_version():
    meter = run.Meter.of({"command": "", "sums": {"loss": 6.0}, "chunks": 3})
    assert meter.take_metrics() == {"loss": 2.0}


@pytest.mark.parametrize("name", ["loss", "actor_loss"])
def test_a_loss_that_is_no_number_stops_the_run(name, file, tmp_path, capsys):
    folder = tmp_path / "a"
    settings = ["--set", "tiny.diverge=6", "--set", f"tiny.loss={name}"]
    assert main("run", file, "--out", folder, *settings) == 1
    errors = capsys.readouterr().err
    assert f"training: {name} is nan after 6 steps: the learning has diverged; begin anew" in errors
    assert errors.endswith(" or another seed, as resume would end here again\n")
    assert not (folder / "final.safetensors").exists()


def test_too_little_memory_is_one_line(file, tmp_path, monkeypatch, capsys):
    """Of any machine: the arrays would have a million million bytes and more."""
    monkeypatch.setattr(Tiny, "advance", lambda *_: jnp.zeros((2**31, 2**20)))
    assert main("run", file, "--out", tmp_path / "a") == 1
    errors = capsys.readouterr().err
    assert errors.splitlines()[-1] == (
        "training: not enough memory for 9,007,199,254,740,992 bytes at once: "
        "want smaller numbers, such as fewer games"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["walk"], "invalid choice: 'walk'"),
        (["run"], "the following arguments are required: FILE.toml, --out"),
        (["run", "{file}"], "the following arguments are required: --out"),
        (["run", "{file}", "--out", "{out}", "--seed", "x"], "--seed: invalid int value: 'x'"),
        (["run", "{dir}/none.toml", "--out", "{out}"], "none.toml: No such file or directory"),
        (["run", "{file}", "--out", "{out}", "--set", "steps=1"], "want TABLE.KEY=VALUE"),
        (["run", "{file}", "--out", "{out}", "--set", "run.stepz=1"], "[run] stepz: unknown"),
        (["run", "{file}", "--out", "{out}", "--set", "tiny.rat=1"], "[tiny] rat: unknown"),
        (["run", "{file}", "--out", "{out}", "--set", "cnn.rate=1"], "cnn: unknown; known are"),
        (["run", "{file}", "--out", "{out}", "--set", "run.method=x"], "tiny: unknown; known"),
        (["run", "{file}", "--out", "{out}", "--set", "run.size=9x9"], "[run] size 9x9: want"),
        (["run", "{file}", "--out", "{out}", "--set", "run.steps=0"], "neither steps nor"),
        (["run", "{file}", "--out", "{out}", "--budget", "0m0s"], "budget = '0m0s': want more"),
        (
            ["run", "{file}", "--out", "{out}", "--set", "run.evaluate=1.5"],
            "a text or a whole",
        ),
        (["run", "{file}", "--out", "{out}", "--budget", "soon"], "duration 'soon': want"),
        (["run", "{file}", "--out", "{out}", "--set", "tiny.rate=fast"], "'fast': want a number"),
        (["resume", "{dir}"], "run.toml: No such file or directory"),
        (["plot", "{dir}", "--out", "x.svg"], "run.toml: No such file or directory"),
        (["plot", "{dir}", "--out", "x.txt"], "want a name that ends in .svg, .png or .pdf"),
    ],
)
def test_wrong_input_is_one_line(arguments, message, file, tmp_path, capsys):
    names = {"file": file, "dir": tmp_path, "out": tmp_path / "out"}
    assert main(*(a.format(**names) for a in arguments)) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("training: ")
    assert message in errors
    assert errors.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_an_unknown_method_is_one_line(tmp_path, capsys):
    path = tmp_path / "x.toml"
    path.write_text('[run]\nmethod = "luck"\nrules = "solo"\nsize = "2x2"\nsteps = 1\n')
    assert main("run", path, "--out", tmp_path / "out") == 2
    assert "method = 'luck': want one of tiny" in capsys.readouterr().err


def damage(path, how):
    content = path.read_bytes()
    path.write_bytes(how(content))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (lambda content: content[:100], "no checkpoint"),
        (lambda content: content[:-1], "no checkpoint"),
        (lambda content: b"", "no checkpoint"),
        (
            lambda content: content.replace(b"checkpoint 1", b"checkpoint 2"),
            "want 'versus2048",
        ),
    ],
)
def test_a_damaged_checkpoint_is_one_line(how, message, file, tmp_path, capsys):
    folder = tmp_path / "a"
    assert main("run", file, "--out", folder) == 0
    (folder / "final.safetensors").unlink()
    damage(folder / "checkpoint.safetensors", how)
    capsys.readouterr()
    assert main("resume", folder) == 2
    errors = capsys.readouterr().err
    assert f"{folder / 'checkpoint.safetensors'}: " in errors
    assert message in errors
    assert errors.count("\n") == 1


def test_a_checkpoint_of_other_settings_is_one_line(file, tmp_path, capsys):
    folder = tmp_path / "a"
    assert main("run", file, "--out", folder) == 0
    capsys.readouterr()
    settings = (folder / "run.toml").read_text()
    (folder / "run.toml").write_text(settings.replace("hang = 7", "hidden = 9"))
    assert main("resume", folder) == 2
    assert "it is of other settings" in capsys.readouterr().err


def test_a_stopped_run_without_checkpoint_begins_again(file, tmp_path):
    folder = tmp_path / "a run"
    folder.mkdir()
    (folder / "run.toml").write_text(FILE)
    assert main("resume", folder) == 0
    made, rows = content(folder)
    assert rows[-1]["steps"] == 12
    # The recipe's command is a whole one: where there is no such folder yet, it learns the same.
    command = shlex.split(made.recipe["command"])
    assert command == [
        *("python", "-m", "training", "run", str(folder / "run.toml")),
        *("--out", "a run"),
    ]


def test_the_recipe_names_the_folder_that_a_run_was_in(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main("run", file, "--out", ".", "--set", "run.steps=1") == 0
    command = network.load(Path("final.safetensors")).recipe["command"]
    assert shlex.split(command)[-3:] == ["--out", tmp_path.name, "--set=run.steps=1"]


@pytest.mark.parametrize("column", ["steps", "seconds"])
def test_a_curve_without_its_columns_is_one_line(column, file, tmp_path, capsys):
    folder = tmp_path / "a"
    assert main("run", file, "--out", folder) == 0
    text = (folder / "curve.csv").read_text()
    (folder / "curve.csv").write_text(text.replace(column, "x", 1))
    capsys.readouterr()
    assert main("resume", folder) == 2
    want = f"training: {folder / 'curve.csv'}: it is no curve: a row without {column}\n"
    assert capsys.readouterr().err == want


def test_a_curve_without_processor_time_goes_on(file, tmp_path):
    """As earlier versions wrote it."""
    folder = tmp_path / "a"
    settings = ["--set", "run.steps=2", "--set", 'run.evaluate="1h"']
    assert main("run", file, "--out", folder, *settings, "--set", 'run.clock="processor"') == 0
    text = (folder / "curve.csv").read_text()
    (folder / "curve.csv").write_text(text.replace("processor", "x", 1))
    settings_file = folder / "run.toml"
    settings_file.write_text(settings_file.read_text().replace("steps = 2", "steps = 3"))
    assert main("resume", folder) == 0
