#!/usr/bin/env python3
"""Measure how many steps a second the environments and the rules make, on one thread.

    steps.py [SECONDS]

Each line is measured for about that many seconds of processor time (1 by default), on games of
random moves on 4x4.
"""

import random
import sys
import time
from collections.abc import Callable

import gymnasium
import numpy as np

from versus2048 import Position, rules, versus2048_v0

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0


def measure(what: str, work: Callable[[], int]) -> None:
    """Call work, which returns the number of its steps, for some time and print the rate."""
    work()
    steps, began = 0, time.process_time()
    while (seconds := time.process_time() - began) < SECONDS:
        steps += work()
    print(f"| {what} | {steps / seconds:,.0f} |")


def aec_game() -> int:
    """Play a game in the PettingZoo environment; return its plies."""
    env = versus2048_v0.env()
    env.reset(seed=1)
    plies = 0
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
        plies += not over
    return plies


def view_game(name: str, **settings: str) -> Callable[[], int]:
    """Return work that plays a game in a Gymnasium environment, and returns its steps."""
    env = gymnasium.make(name, **settings).unwrapped

    def game() -> int:
        seen, _ = env.reset(seed=1)
        steps, over = 0, False
        while not over:
            seen, _, over, _, _ = env.step(env.action_space.sample(seen["action_mask"]))
            steps += 1
        return steps

    return game


def position_games() -> Callable[[], int]:
    """Return work that plays a game of random moves with Position, and returns its plies."""
    rng = random.Random(1)

    def game() -> int:
        position = Position.empty()
        while not position.over:
            position = position.play(rng.choice(position.moves()))
        return position.ply

    return game


def batch_games(n: int) -> Callable[[], int]:
    """Return work that plays n random games at once to their ends, and returns their plies."""
    rng = np.random.default_rng(1)

    def games() -> int:
        boards, plies = rules.empty(n), 0
        while len(boards):
            boards = rules.place_each(boards, rules.draw(rules.legal(boards, "attacker"), rng))
            after, _, legal = rules.slides(boards)
            plies += len(boards)
            alive = legal.any(axis=0)
            actions = rules.draw(legal.T[alive], rng)
            boards = after[:, alive][actions, np.arange(len(actions))]
            plies += len(boards)
        return plies

    return games


def batch_slides(n: int) -> Callable[[], int]:
    """Return work that slides n boards in one direction."""
    boards = np.random.default_rng(1).integers(0, 6, (n, 4, 4), np.uint8)

    def work() -> int:
        rules.slide(boards, 2)
        return n

    return work


print("| steps | a second |\n|---|---|")
measure("PettingZoo `env()`: plies", aec_game)
measure("`Defender-v0` against random: steps of two plies",
        view_game("versus2048/Defender-v0", opponent="random"))  # fmt: skip
measure("`Defender-v0` against greedy: steps of two plies",
        view_game("versus2048/Defender-v0", opponent="greedy"))  # fmt: skip
measure("`Solo-v0`: steps of two plies", view_game("versus2048/Solo-v0"))
measure("`Position`: plies, with the list of legal moves", position_games())
for size in (1, 100, 1_000):
    measure(
        f"`rules`, {size:,} game{'s' * (size > 1)} at once: plies, with masks", batch_games(size)
    )
measure("`rules.slide`, 10,000 boards at once: slides", batch_slides(10_000))
