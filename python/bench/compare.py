#!/usr/bin/env python3
"""Compare steps a second with other packages' 2048, all alike and in one run, on one thread.

    pip install gymnasium-2048 open_spiel pgx jumanji 'versus2048[env,jax]'
    compare.py [SECONDS]

By processor time, the best of three rounds of about that many seconds each (1 by default). One
game: the steps, each with its observation, of games whose random legal actions were drawn
beforehand. Many games: JAX, 4,096 games for 100 steps, compiled before, games that end begin anew.
A package that is not installed is left out.
"""

import importlib.util
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"

import numpy as np

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
GAMES, MANY, STEPS = 10, 4096, 100


def measure(what: str, work: Callable[[], tuple[int, float]]) -> None:
    """Call work, which returns steps and the seconds that they took, and print the best rate."""
    work()
    rates = []
    for _ in range(3):
        steps = seconds = 0.0
        while seconds < SECONDS:
            more, took = work()
            steps, seconds = steps + more, seconds + took
        rates.append(steps / seconds)
    print(f"| {what} | {max(rates):,.0f} |", flush=True)


def timed(games: list[Any], begin: Callable[[int], Any], play: Callable[[Any, Any], None]) -> Any:
    """Return work that plays games anew: what begins one is not measured."""

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


def pettingzoo_env() -> Any:
    """Return work for our environment of two agents."""
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
            last()

    return timed(games, lambda seed: env.reset(seed=seed), play)


def open_spiel_game() -> Any:
    """Return work for OpenSpiel; a step is a slide, and the placement that chance answers."""
    import pyspiel

    game, draw, games = pyspiel.load_game("2048"), random.Random(1), []
    for _ in range(GAMES):
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            chance = state.is_chance_node()
            if chance:
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                action = draw.choices(outcomes, weights)[0]
            else:
                action = draw.choice(state.legal_actions())
            actions.append((action, chance))
            state.apply_action(action)
        games.append([a for a, chance in actions])

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


def pgx_env() -> Any:
    """Return work for pgx."""
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("2048")
    step = auto_reset(env.step, env.init)
    return many(env.init, step, lambda state: state.legal_action_mask, 4)


def jumanji_env() -> Any:
    """Return work for Jumanji, whose states have their own keys."""
    import jumanji
    from jumanji.wrappers import AutoResetWrapper

    env = AutoResetWrapper(jumanji.make("Game2048-v1"))
    return many(
        env.reset, lambda s, a, _: env.step(s[0], a), lambda s: s[1].observation.action_mask, 4
    )


def rows() -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """Yield what is measured: the package that it needs, its name, and what makes the work."""

    def masked(_: object, seen: Any) -> list[int]:
        return np.flatnonzero(seen["action_mask"]).tolist()

    def slides(env: Any, _: object) -> list[int]:
        board = env.unwrapped.board
        return [a for a in range(4) if env.unwrapped.apply_action(board, a)[2]]

    def one(name: str, legal: Any, **settings: Any) -> Callable[[], Any]:
        return lambda: gymnasium_env(name, legal, **settings)

    yield ("gymnasium", "one game: `Defender-v0` against random",
           one("versus2048/Defender-v0", masked, opponent="random"))  # fmt: skip
    yield "gymnasium", "one game: `Solo-v0`", one("versus2048/Solo-v0", masked)
    yield "pettingzoo", "one game: PettingZoo `env()`, plies", pettingzoo_env
    yield ("gymnasium_2048", "one game: gymnasium-2048",
           one("gymnasium_2048:gymnasium_2048/TwentyFortyEight-v0", slides))  # fmt: skip
    yield "pyspiel", "one game: OpenSpiel", open_spiel_game
    yield "jax", "many games: `versus2048.jax`, solo", lambda: ours(rules="solo")
    yield ("jax", "many games: `versus2048.jax`, solo, without observations",
           lambda: ours(rules="solo", observations=False))  # fmt: skip
    yield "jax", "many games: `versus2048.jax`, two players, plies", lambda: ours(rules="gpcc2015")
    yield ("jax", "many games: `versus2048.jax`, defender against random",
           lambda: ours(rules="gpcc2015", role="defender"))  # fmt: skip
    yield "pgx", "many games: pgx", pgx_env
    yield "jumanji", "many games: Jumanji", jumanji_env


import versus2048  # noqa: E402, F401 -- registers the environments

print("| steps | a second |\n|---|---:|")
for package, name, make in rows():
    if importlib.util.find_spec(package):
        measure(name, make())
