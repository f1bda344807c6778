from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from exact import Exact
from training.config import ConfigError, parse
from training.methods.dqn import DQN, State, Transition

BASE = """
[run]
method = "dqn"
rules = "{rules}"
size = "2x2"
steps = {steps}
[network]
hidden = [64]
scale = 50.0
[dqn]
games = 64
batch = 256
memory = 4096
chunk = 500
rate = 0.003
target = 200
exploring = 1000
average = 0.995
"""


def made(steps: int = 1000, *settings: str, rules: str = "solo") -> DQN:
    return DQN(parse(BASE.format(rules=rules, steps=steps), settings))


def learned(method: DQN, steps: int, seed: int) -> State:
    state, progress = method.advance(method.start(jax.random.key(seed)))
    while progress.steps < steps:
        state, progress = method.advance(state)
    assert progress.positions == progress.steps * method.table.games
    return state


def biased(method: DQN, values: list[float]) -> dict[str, jax.Array]:
    """Return parameters with which each board's slides are worth these points."""
    params = jax.tree.map(jnp.zeros_like, method.start(jax.random.key(1)).learned.params)
    last = max(name for name in params if name.endswith(".bias"))
    return params | {last: jnp.array(values) / method.perceptron.scale}


@pytest.mark.parametrize(("double", "want"), [("true", 4 + 7.0), ("false", 4 + 30.0)])
def test_goals(double: str, want: float) -> None:
    """Legal slides count alone; with double learning the network chooses, the copy tells."""
    method = made(1000, f"dqn.double={double}")
    network, copy = biased(method, [9.0, 1.0, 2.0, 100.0]), biased(method, [7.0, 30.0, 5.0, 200.0])
    # 2 4 / 2 8 slides N and S only; 2 4 / 8 2 does not slide: the game is over.
    following = jnp.array([[[1, 2], [1, 3]], [[1, 2], [3, 1]]], jnp.int8)
    seen = Transition(following, jnp.zeros(2, int), jnp.array([4, 8]), following)
    np.testing.assert_allclose(jax.jit(method.goals)(network, copy, seen), [want, 8], rtol=1e-6)


def test_noise_falls_to_what_is_asked() -> None:
    noise = made()._noise
    got = [float(noise(jnp.int32(updates))) for updates in (0, 500, 990, 5000)]
    np.testing.assert_allclose(got, [1, 0.5, 0.02, 0.02])


def test_memory_holds_the_turns_played() -> None:
    """Each is a turn of the game: the slide leads to the next board, but for one tile."""
    method = made(1000, "dqn.chunk=20")
    state, _ = method.advance(method.start(jax.random.key(1)))
    seen: Any = jax.tree.map(np.asarray, state.memory.entries)
    assert int(state.memory.size) == 20 * 64
    options = jax.tree.map(np.asarray, jax.jit(method.game.slide)(seen.board))
    for i in range(20 * 64):
        slide = seen.slide[i]
        assert options.legal[i, slide] and options.gain[i, slide] == seen.gain[i]
        changed = seen.following[i] != options.after[i, slide]
        assert changed.sum() == 1 and seen.following[i][changed][0] in (1, 2)
        assert options.after[i, slide][changed] == 0


def test_solo_is_learned() -> None:
    """The exact value of what the network plays on 2x2, not a mean of games."""
    method = made(4000)
    state = learned(method, 4000, seed=1)
    params, exact = state.learned.averaged, Exact(method.game)

    def choose(boards: Any) -> Any:
        return np.asarray(method._best(params, boards, method.game.slide(boards)))

    assert exact.of(choose)[0] >= 0.95 * exact.perfect()[0]
    measured = method.evaluate(state, jax.random.key(3))
    assert abs(measured["score"] - exact.of(choose)[0]) < 4 * measured["error"]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("dqn.games=0", "[dqn] games = 0: want 1 or more"),
        ("dqn.noise=-0.5", "[dqn] noise = -0.5: want 0 to 1"),
        ("dqn.memory=10", "[dqn] memory = 10: want room for 64 games' turns"),
        ("network.bins=9", "[network] bins 9 from 0.0 to 0.0"),
    ],
)
def test_wrong_settings(setting: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        made(1000, setting)
    assert str(error.value).startswith(message)


def test_games_for_two_are_refused() -> None:
    with pytest.raises(ConfigError, match="dqn learns solo, not gpcc2015: use td or az"):
        made(rules="gpcc2015")


def test_bins_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"\[network\] bins: dqn tells one number a slide"):
        made(1000, "network.bins=9", "network.high=4.0")


def test_canonical_boards_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"\[network\] canonical: dqn tells slides, which turn"):
        made(1000, "network.canonical=true")
