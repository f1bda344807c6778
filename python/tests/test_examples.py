"""The examples that learn, and the table of baselines; torch_examples.py has those with PyTorch."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from learning import EXAMPLES, learns_and_plays

PYTHON = Path(__file__).parents[1]


def test_learning_on_jax(tmp_path, arena):
    learns_and_plays("jax_ppo.py", tmp_path, arena, "--updates", "10")


@pytest.mark.parametrize(
    ("script", "absent"),
    [("ppo.py", "torch"), ("maskable_ppo.py", "sb3_contrib"), ("jax_ppo.py", "jax")],
)
def test_an_example_without_its_library_is_one_sentence(script, absent):
    hide = f"import runpy, sys; sys.modules[{absent!r}] = None; runpy.run_path({script!r})"
    done = subprocess.run(
        [sys.executable, "-c", hide], cwd=EXAMPLES, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert re.fullmatch(rf"{script} needs \S+: pip install \S+\n", done.stderr)


def test_baselines():
    """docs/experiments/baselines.md has the rows that the command prints, with the same optima."""
    command = [sys.executable, PYTHON / "bench/baselines.py", "--games", "10", "--sizes", "3x2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    page = (PYTHON.parent / "docs/experiments/baselines.md").read_text().splitlines()
    rows = done.stdout.splitlines()[2:]
    assert len(rows) == 7
    for row in rows:
        cells = row.split("|")
        assert any(line.startswith("|".join(cells[:4])) and line.endswith(f"|{cells[-2]}|")
                   for line in page), row  # fmt: skip
