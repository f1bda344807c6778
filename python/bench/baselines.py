#!/usr/bin/env python3
"""Measure the scores of the baselines in each environment, beside the exact optimum.

    pip install 'versus2048[env]'
    baselines.py [--games 1000] [--steps 0] [--sizes 3x2 3x3 4x4]

A column is a policy of the agent: random, greedy, expectimax, and with ``--steps`` and PyTorch the
one of examples/ppo.py after so many steps, up to 6 cells. Mean scores have their 95 % interval;
seeds are fixed. Optima on 3x3 take minutes.
"""

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import gymnasium

import versus2048  # noqa: F401 -- registers the environments
from versus2048 import policy
from versus2048.baselines import BASELINES
from versus2048.optimum import MOST_CELLS, optimum

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))


def environments(sizes: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the name of an environment, its opponent and its size."""
    for size in sizes:
        for name in ("Defender", "Attacker"):
            for opponent in BASELINES if size == "3x2" else ("random", "greedy"):
                yield name, opponent, size
        if size != "3x3":  # lab solve has that optimum in seconds
            yield "Solo", "chance", size


def learned(name: str, opponent: str, size: str, games: int, steps: int) -> str:
    """Let PPO learn; return its score."""
    import ppo
    import torch

    torch.set_num_threads(1)
    envs = ppo.environments(name, opponent, size)
    with contextlib.redirect_stdout(sys.stderr):
        agent = ppo.learn(envs, steps, seed=1)
    return str(policy.score(agent.best, envs, games, seed=2))


def row(name: str, opponent: str, size: str, games: int, steps: int) -> list[str]:
    """Return the cells of a row: the environment, the scores, the optimum."""
    settings = {"size": size} if name == "Solo" else {"size": size, "opponent": opponent}
    envs = gymnasium.make_vec(f"versus2048/{name}-v0", min(games, 250), "vector_entry_point",
                              **settings)  # fmt: skip
    role, rules = envs.unwrapped.role, "solo" if name == "Solo" else "gpcc2015"
    scores = [str(policy.score(policy.baseline(bot, role, rules), envs, games))
              for bot in BASELINES]  # fmt: skip
    cells = int(size[0]) * int(size[2])
    if steps:
        scores.append(learned(name, opponent, size, games, steps) if cells <= 6 else "")
    known = cells <= MOST_CELLS
    best = f"{optimum(role, opponent, rules, size):,.1f}" if known else "not known"
    return [f"`{name}-v0`", size, opponent, *scores, best]


def main() -> None:
    """Print the table, row by row."""
    parser = argparse.ArgumentParser(description="scores of the baselines, as Markdown")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=0, help="of PPO; 0 leaves it out")
    parser.add_argument("--sizes", nargs="+", default=["3x2", "3x3", "4x4"])
    args = parser.parse_args()
    bots = [*BASELINES, *(["PPO"] if args.steps else [])]
    head = ["environment", "size", "opponent", *bots, "optimum"]
    print(f"| {' | '.join(head)} |\n|---|---|---|{'---:|' * (len(bots) + 1)}")
    for name, opponent, size in environments(args.sizes):
        cells = row(name, opponent, size, args.games, args.steps)
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
