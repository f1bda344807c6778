#!/usr/bin/env python3
"""Compare steps a second with other packages' 2048, all alike and in one run, on one thread.

    pip install gymnasium-2048 open_spiel pgx jumanji 'versus2048[env,jax]'
    compare.py [SECONDS]

In each of seven rounds every row is measured once, for about that many seconds of processor time
(1 by default), so that other work slows all of them. The rate is the median of the rounds. The
ratio to the first row, which is ours and plays solo as the other packages do, is the geometric mean
of the rounds, with its 95 % interval by Student's t of the logarithms.

One game: games of random legal actions, drawn beforehand. Many games: JAX, 4,096 games for 100
steps, compiled before; games that end begin anew. A package that is not installed is left out.
"""

import contextlib
import importlib.metadata
import importlib.util
import math
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"

import numpy as np

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
ROUNDS, STUDENT = 7, 2.447  # the quantile of 97.5 % for as many rounds, less one
GAMES, MANY, STEPS = 10, 4096, 100
PACKAGES = ("numpy", "jax", "gymnasium-2048", "open_spiel", "pgx", "jumanji")

Work = Callable[[], tuple[int, float]]
"""Returns how many steps it made, and the seconds of the processor that they took."""


@dataclass
class Row:
    """A row of the table, and its rate in each round."""

    name: str
    work: Work
    rates: list[float] = field(default_factory=list)

    def measure(self) -> None:
        """Measure another round."""
        steps = seconds = 0.0
        while seconds < SECONDS:
            more, took = self.work()
            steps, seconds = steps + more, seconds + took
        self.rates.append(steps / seconds)

    def text(self, ours: "Row") -> str:
        """Return the row, with its ratio to another one."""
        rate = f"{statistics.median(self.rates):,.0f}"
        logs = [math.log(a / b) for a, b in zip(self.rates, ours.rates, strict=True)]
        mean, half = statistics.mean(logs), STUDENT * statistics.stdev(logs) / ROUNDS**0.5
        low, middle, high = (math.exp(mean + d) for d in (-half, 0.0, half))
        return f"| {self.name} | {rate} | {middle:.2f} [{low:.2f}, {high:.2f}] |"


def timed(games: list[Any], begin: Callable[[int], Any], play: Callable[[Any, Any], None]) -> Any:
    """Return work that plays games anew; their beginnings are not measured."""

    def work() -> tuple[int, float]:
        steps, seconds = 0, 0.0
        for seed, actions in enumerate(games):
            state = begin(seed)
            began = time.process_time()
            play(state, actions)
            seconds += time.process_time() - began
            steps += len(actions)
        return steps, seconds

    return work


def gymnasium_env(name: str, legal: Callable[[Any, Any], list[int]], **settings: Any) -> Any:
    """Return work for an environment of Gymnasium; legal lists the actions to draw from."""
    import gymnasium

    env = gymnasium.make(name, disable_env_checker=True, **settings)
    draw, games = random.Random(1), []
    for seed in range(GAMES):
        seen, _ = env.reset(seed=seed)
        actions, over = [], False
        while not over:
            actions.append(draw.choice(legal(env, seen)))
            seen, _, over, _, _ = env.step(actions[-1])
        games.append(actions)

    def play(_: object, actions: list[int]) -> None:
        step = env.step
        for action in actions:
            step(action)

    return timed(games, lambda seed: env.reset(seed=seed), play)


def pettingzoo_env(observe: bool) -> Any:
    """Return work for our environment of two agents; last() makes the observation."""
    from versus2048 import versus2048_v0

    env, draw, games = versus2048_v0.env(), random.Random(1), []
    for seed in range(GAMES):
        env.reset(seed=seed)
        actions: list[int] = []
        while not env.last()[2]:
            actions.append(draw.choice(env.position.actions()))
            env.step(actions[-1])
        games.append(actions)

    def play(_: object, actions: list[int]) -> None:
        step, last = env.step, env.last
        for action in actions:
            step(action)
            last(observe)

    return timed(games, lambda seed: env.reset(seed=seed), play)


def open_spiel_game(observe: bool) -> Any:
    """Return work for OpenSpiel; a step is a slide, and the placement that chance answers."""
    import pyspiel

    game, draw, games = pyspiel.load_game("2048"), random.Random(1), []
    for _ in range(GAMES):
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                action = draw.choices(outcomes, weights)[0]
            else:
                action = draw.choice(state.legal_actions())
            actions.append(action)
            state.apply_action(action)
        games.append(actions)

    def work() -> tuple[int, float]:
        steps, seconds = 0, 0.0
        for actions in games:
            state = game.new_initial_state()
            state.apply_action(actions[0])
            state.apply_action(actions[1])
            began = time.process_time()
            for i in range(2, len(actions) - 1, 2):
                state.apply_action(actions[i])
                state.apply_action(actions[i + 1])
                if observe:
                    np.asarray(state.observation_tensor(0), np.float32)
                    state.legal_actions()
                steps += 1
            seconds += time.process_time() - began
        return steps, seconds

    return work


def many(init: Any, step: Any, mask: Callable[[Any], Any], actions: int) -> Any:
    """Return work for an environment of JAX: step takes a state, an action and a key."""
    import jax
    import jax.numpy as jnp

    @jax.jit
    def run(state: Any, draws: Any, keys: Any) -> Any:
        def turn(state: Any, drawn: Any) -> Any:
            numbers, key = drawn
            action = jnp.argmax(jnp.where(mask(state), numbers, -1), -1)
            return jax.vmap(step)(state, action, key), None

        return jax.lax.scan(turn, state, (draws, keys))[0]

    draws = jax.random.uniform(jax.random.key(1), (STEPS, MANY, actions))
    keys = jax.random.split(jax.random.key(2), (STEPS, MANY))
    state = jax.jit(jax.vmap(init))(jax.random.split(jax.random.key(3), MANY))
    for _ in range(2):  # so that games are in all stages
        state = jax.block_until_ready(run(state, draws, keys))

    def work() -> tuple[int, float]:
        began = time.process_time()
        jax.block_until_ready(run(state, draws, keys))
        return STEPS * MANY, time.process_time() - began

    return work


def ours(**settings: Any) -> Any:
    """Return work for our environment in JAX."""
    from versus2048.jax import Env, auto_reset

    env = Env(**settings)
    return many(env.init, auto_reset(env), lambda s: s.legal_action_mask, env.num_actions)


def pgx_env(observe: bool) -> Any:
    """Return work for pgx; without observations they are not computed."""
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("2048")

    def seen(state: Any) -> Any:
        return state if observe else state.replace(observation=None)

    def init(key: Any) -> Any:
        return seen(env.init(key))

    step = auto_reset(lambda state, action, key: seen(env.step(state, action, key)), init)
    return many(init, step, lambda state: state.legal_action_mask, 4)


def jumanji_env() -> Any:
    """Return work for Jumanji, whose states have their own keys."""
    import jumanji
    from jumanji.wrappers import AutoResetWrapper

    env = AutoResetWrapper(jumanji.make("Game2048-v1"))
    return many(
        env.reset, lambda s, a, _: env.step(s[0], a), lambda s: s[1].observation.action_mask, 4
    )


def one_game() -> Iterator[tuple[str, str, Callable[[], Work]]]:
    """Yield for each row the package that it needs, its name, and the maker of its work.

    The first one is ours, and plays solo.
    """

    def masked(_: object, seen: Any) -> list[int]:
        return np.flatnonzero(seen["action_mask"]).tolist()

    def slides(env: Any, _: object) -> list[int]:
        board = env.unwrapped.board
        return [a for a in range(4) if env.unwrapped.apply_action(board, a)[2]]

    def gym(name: str, legal: Any, **settings: Any) -> Callable[[], Work]:
        return lambda: gymnasium_env(name, legal, **settings)

    yield "gymnasium", "`Solo-v0`", gym("versus2048/Solo-v0", masked)
    yield (
        "gymnasium",
        "`Defender-v0` against random",
        gym("versus2048/Defender-v0", masked, opponent="random"),
    )
    yield "pettingzoo", "PettingZoo `env()`, plies", lambda: pettingzoo_env(True)
    yield (
        "gymnasium_2048",
        "gymnasium-2048",
        gym("gymnasium_2048:gymnasium_2048/TwentyFortyEight-v0", slides),
    )
    yield "pyspiel", "OpenSpiel", lambda: open_spiel_game(True)
    yield (
        "pettingzoo",
        "PettingZoo `env()`, plies, without observations",
        lambda: pettingzoo_env(False),
    )
    yield "pyspiel", "OpenSpiel, without observations", lambda: open_spiel_game(False)


def many_games() -> Iterator[tuple[str, str, Callable[[], Work]]]:
    """Yield the rows of many games."""
    name = "`versus2048.jax`"
    yield "jax", f"{name}, solo", lambda: ours(rules="solo")
    yield "jax", f"{name}, two players, plies", lambda: ours(rules="gpcc2015")
    yield (
        "jax",
        f"{name}, defender against random",
        lambda: ours(rules="gpcc2015", role="defender"),
    )
    yield "pgx", "pgx", lambda: pgx_env(True)
    yield "jumanji", "Jumanji", jumanji_env
    yield (
        "jax",
        f"{name}, solo, without observations",
        lambda: ours(rules="solo", observations=False),
    )
    yield "pgx", "pgx, without observations", lambda: pgx_env(False)


def table(title: str, kinds: Iterator[tuple[str, str, Callable[[], Work]]]) -> None:
    """Measure rows and print them."""
    rows = [Row(name, make()) for package, name, make in kinds if importlib.util.find_spec(package)]
    for row in rows:
        row.work()  # tables and compilation, once
    for i in range(ROUNDS):
        for row in rows[:: -1 if i % 2 else 1]:
            row.measure()
    print(f"\n| {title} | a second | ratio |\n|---|---:|---:|")
    for row in rows:
        print(row.text(rows[0]), flush=True)


def conditions() -> str:
    """Return the machine, its load and the versions."""
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown load"
    there = []
    for name in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            there.append(f"{name} {importlib.metadata.version(name)}")
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, {load}; Python "
        f"{platform.python_version()}, {', '.join(there)}"
    )


import versus2048  # noqa: E402, F401 -- registers the environments

table("one game", one_game())
table("many games", many_games())
print(f"\n{conditions()}")
