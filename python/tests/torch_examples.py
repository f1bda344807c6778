"""The examples that learn with PyTorch, which the step ``examples`` installs."""

import subprocess
import sys

import pytest

from learning import EXAMPLES, learns_and_plays


def test_sb3_contrib(tmp_path, arena):
    learns_and_plays("maskable_ppo.py", tmp_path, arena, "--steps", "20000")


def test_pytorch(tmp_path, arena):
    learns_and_plays("ppo.py", tmp_path, arena, "--steps", "50000")


@pytest.mark.parametrize("role", ["Attacker", "Solo"])
def test_other_roles(role, tmp_path):
    """An attacker learns to keep the score low; chance plays solo."""
    command = [sys.executable, EXAMPLES / "ppo.py", "learn", tmp_path / "policy.pt"]
    settings = ["--env", role, "--opponent", "greedy", "--size", "2x2", "--steps", "50000"]
    done = subprocess.run([*command, *settings], capture_output=True, text=True)
    words = done.stdout.replace(":", " ").split()
    random, learned, optimum = (
        float(words[words.index(name) + 1]) for name in ("random", "learned", "optimum")
    )
    assert abs(learned - optimum) < abs(random - optimum) / 2, done.stderr
