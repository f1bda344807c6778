import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "python/training/README.md").read_text()


def commands(heading):
    """Return the commands of a section of the README."""
    section = PAGE[PAGE.index(f"\n## {heading}\n") + 4 :].partition("\n## ")[0]
    text = re.sub(r"\\\n\s+", "", section)
    return [shlex.split(line, comments=True) for line in text.splitlines() if line[:4] == "    "]


def test_two_commands_lead_to_a_tournament(tmp_path):
    """Learn for some seconds and play against perfect, by the README's own commands."""
    arena, lab = os.environ.get("VERSUS2048_ARENA"), os.environ.get("VERSUS2048_LAB")
    if arena is None or lab is None:
        pytest.skip("set VERSUS2048_ARENA and VERSUS2048_LAB to the programs: go build ./cmd/...")
    solve, (learn, play) = commands("Install")[-1], commands("From a clone to a tournament")
    assert learn[:3] == ["python", "-m", "training"]
    assert solve[:3] == ["go", "run", "./cmd/lab"]
    assert play[:3] == ["go", "run", "./cmd/arena"]
    (tmp_path / "python").symlink_to(ROOT / "python")
    paths = {"PYTHONPATH": f"{ROOT}/python/training/src{os.pathsep}{ROOT}/python/src"}
    for command in ([lab, *solve[3:]], [sys.executable, *learn[1:]], [arena, *play[3:]]):
        done = subprocess.run(
            command, cwd=tmp_path, env=os.environ | paths, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
    standings = done.stdout
    assert "perfect" in standings
    assert "td" in standings


@pytest.mark.parametrize("path", re.findall(r"\]\((?!https?:|#)([^)#]+)", PAGE))
def test_links(path):
    assert (ROOT / "python/training" / path).exists()
