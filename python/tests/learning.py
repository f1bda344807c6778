"""What the tests of the examples that learn share."""

import json
import re
import subprocess
import sys
from pathlib import Path

import versus2048

EXAMPLES = Path(__file__).parents[1] / "examples"
PACKAGES = Path(versus2048.__file__).parents[1]


def learns_and_plays(script, folder, arena, *settings):
    """Let an example learn on 2x2, nearly to the optimum, and play with the policy in an arena.

    There it has the name that the text of the example gives it.
    """
    command, board = [sys.executable, str(EXAMPLES / script)], ["--size", "2x2"]
    policy = str(folder / "policy.zip")
    learn = [*command, "learn", policy, *board, *settings]
    done = subprocess.run(learn, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    scores = dict(re.findall(r"^(random|learned|optimum): ([\d.]+)", done.stdout, re.M))
    assert float(scores["random"]) < 25
    assert 60 < float(scores["learned"]) <= float(scores["optimum"]) == 68
    name = re.search(r"--bot '(\w+)=exec:", (EXAMPLES / script).read_text())[1]
    bot = " ".join(["env", f"PYTHONPATH={PACKAGES}", *command, "play", policy, *board])
    event = arena("event", "run", *board, "--bot", f"{name}=exec:{bot}", "--bot", "random",
                  "--matches", 2, "--db", folder / "arena.db", "--json")  # fmt: skip
    first, second = json.loads(event)["crosstable"]["standings"]
    assert (first["name"], second["name"]) == (name, "random")
    assert first["mean_score"] > 60
