from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from versus2048.jax.game import Game

from exact import Exact
from training.config import ConfigError, parse
from training.methods.td import TD, Turn, placements, returns, stray

BASE = """
[run]
method = "td"
rules = "{rules}"
size = "2x2"
steps = {steps}
[network]
hidden = [64]
scale = 50.0
[td]
games = 128
batch = 128
rate = 0.003
average = 0.995
rounds = 20
"""


def made(rules: str = "solo", steps: int = 100, *settings: str) -> TD:
    return TD(parse(BASE.format(rules=rules, steps=steps), settings))


def learned(method: TD, steps: int, seed: int) -> Any:
    state, progress = method.advance(method.start(jax.random.key(seed)))
    while progress.steps < steps:
        state, progress = method.advance(state)
    assert progress.steps == int(state.learned.updates)
    assert progress.positions == progress.steps * method.table.batch
    return state


def turns(target: list[float], value: list[float], over: list[bool], best: list[bool]) -> Turn:
    """Turns of one game; only what returns looks at differs from 0."""
    columns = [jnp.array(x)[:, None] for x in (value, target, over, best)]
    nothing = jnp.zeros_like(columns[0])
    return Turn(nothing, nothing, columns[0], columns[1], columns[2], columns[3])


NO, YES = False, True


@pytest.mark.parametrize(
    ("trace", "over", "best", "want"),
    [
        # Targets 14, 26, 38 are gains 4, 6, 8 and values 10, 20, 30.
        (0.0, [NO, NO, NO], [YES, YES, YES], [14.0, 26.0, 38.0]),
        (1.0, [NO, NO, NO], [YES, YES, YES], [48.0, 44.0, 38.0]),
        (0.5, [NO, NO, NO], [YES, YES, YES], [26.5, 35.0, 38.0]),
        # Behind the first turn something else than the best was played.
        (0.5, [NO, NO, NO], [YES, NO, YES], [22.0, 26.0, 38.0]),
        # The game ended with the second turn, and another one began.
        (0.5, [NO, YES, NO], [YES, YES, YES], [22.0, 26.0, 38.0]),
    ],
)
def test_returns(trace: float, over: list[bool], best: list[bool], want: list[float]) -> None:
    got = returns(turns([14.0, 26.0, 38.0], [10.0, 20.0, 30.0], over, best), trace)
    np.testing.assert_allclose(got[:, 0], want)


@pytest.mark.parametrize(("rules", "tiles"), [("gpcc2015", [1]), ("gpcc2016", [1, 2])])
def test_placements(rules: str, tiles: list[int]) -> None:
    after = jnp.array([[[0, 3], [0, 0]]], jnp.int8)
    board, legal = placements(Game.of(rules, "2x2"), after)
    want = [[t, 3, 0, 0] for t in tiles] + [[0, 3, t, 0] for t in tiles]
    want += [[0, 3, 0, t] for t in tiles]
    np.testing.assert_array_equal(board[legal].reshape(-1, 4), want)
    assert legal.shape == (1, 4 * len(tiles))


def test_a_turn_for_two_is_the_worst_placement_and_the_best_slide() -> None:
    """With values of 0, what is left to the defender is what the next slide scores."""
    method = made("gpcc2016")
    params = jax.tree.map(jnp.zeros_like, method.start(jax.random.key(1)).learned.params)
    # On 2 2 / 4 . a 2 leaves a slide of 4 points, a 4 one of 12; on 2 4 / 8 . a 2 ends the game.
    after = jnp.array([[[1, 1], [2, 0]], [[1, 2], [3, 0]]], jnp.int8)
    turn = jax.jit(method.turn, static_argnums=3)(params, jax.random.key(2), after, 0.0)
    np.testing.assert_array_equal(turn.target, [4, 0])
    np.testing.assert_array_equal(turn.gain, [4, 0])
    np.testing.assert_array_equal(turn.over, [False, True])
    np.testing.assert_array_equal(turn.best, [True, True])


def test_noise_leaves_the_targets() -> None:
    """Whatever is played, the target is what the best moves are worth."""
    method = made("gpcc2015")
    params = method.start(jax.random.key(1)).learned.params
    after = jnp.tile(jnp.array([[0, 3], [0, 2]], jnp.int8), (200, 1, 1))
    play = jax.jit(method.turn, static_argnums=3)
    quiet = play(params, jax.random.key(2), after, 0.0)
    noisy = play(params, jax.random.key(2), after, 0.5)
    np.testing.assert_allclose(quiet.target, noisy.target, rtol=1e-5)
    assert quiet.best.all() and 0.2 < noisy.best.mean() < 0.9
    played = noisy.best & ~noisy.over
    np.testing.assert_allclose((noisy.gain + noisy.value)[played], noisy.target[played], rtol=1e-5)


def test_stray() -> None:
    legal = jnp.tile(jnp.array([False, True, True, False]), (1000, 1))
    best = jnp.ones(1000, int)
    np.testing.assert_array_equal(stray(jax.random.key(1), best, legal, 0.0), best)
    moves = np.asarray(stray(jax.random.key(1), best, legal, 0.5))
    assert set(moves) == {1, 2} and 180 < (moves == 2).sum() < 320


def test_updates_bring_values_to_their_goals() -> None:
    method = made(steps=0)
    learned = method.start(jax.random.key(1)).learned
    boards = jnp.array([[[1, 2], [3, 0]], [[0, 0], [0, 1]]], jnp.int8)
    goals = jnp.array([100.0, 20.0])
    update = jax.jit(
        lambda at: method.learner.update(at, lambda params: method.loss(params, boards, goals))
    )
    for _ in range(300):
        learned, lost = update(learned)
    np.testing.assert_allclose(method.values(learned.params, boards), goals, atol=1)
    np.testing.assert_allclose(method.values(learned.averaged, boards), goals, atol=3)
    assert float(lost) < 1e-4


@pytest.mark.parametrize("more", [(), ("network.canonical=true", "td.noise=0.1")])
def test_solo_is_learned(more: tuple[str, ...]) -> None:
    """The exact value of what the network plays on 2x2, not a mean of games."""
    method = made("solo", 2400, "td.rate=0.01", "td.trace=0.4", *more)
    state = learned(method, 2400, seed=1)
    game, params = method.game, state.learned.averaged
    exact = Exact(game)

    def choose(boards: Any) -> Any:
        options = game.slide(boards)
        worth = options.gain + method.values(params, options.after)
        return np.asarray(jnp.where(options.legal, worth, -jnp.inf).argmax(-1))

    perfect = exact.perfect()
    assert perfect[0] == pytest.approx(game.optimum, abs=1e-4)
    assert exact.of(choose)[0] >= 0.99 * perfect[0]
    assert abs(float(method.values(params, game.empty())) - perfect[0]) < 1
    met = [board.tobytes() for board in np.asarray(state.after)]
    value = dict(zip((board.tobytes() for board in exact.after), perfect, strict=True))
    told = method.values(params, state.after)
    assert np.abs(told - np.array([value[board] for board in met])).mean() < 2
    measured = method.evaluate(state, jax.random.key(3))
    assert abs(measured["score"] - exact.of(choose)[0]) < 4 * measured["error"]
    assert measured["share"] == pytest.approx(measured["score"] / game.optimum)


@pytest.mark.parametrize("rules", ["gpcc2015", "gpcc2016"])
def test_games_for_two_are_learned(rules: str) -> None:
    method = made(rules, 1200, "td.noise=0.1")
    state = learned(method, 1200, seed=1)
    assert method.evaluate(state, jax.random.key(3)) == {"score": method.game.optimum, "share": 1.0}
    empty = float(method.values(state.learned.averaged, method.game.empty()))
    assert empty == pytest.approx(method.game.optimum, rel=0.1)


def test_runs_repeat() -> None:
    """The same seed learns the same; another one does not."""
    method = made("solo", 40, "td.rounds=2")
    states = [learned(method, 40, seed) for seed in (1, 1, 2)]
    first, again, other = ([np.asarray(x) for x in jax.tree.leaves(s.learned)] for s in states)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(first, other, strict=True))


def test_a_network_of_bins_learns_too() -> None:
    method = made("solo", 400, "network.bins=21", "network.high=4.0")
    state = learned(method, 400, seed=1)
    assert method.network(state).description.value.bins == 21
    empty = float(method.values(state.learned.averaged, method.game.empty()))
    assert empty == pytest.approx(67, rel=0.2)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("td.games=0", "[td] games = 0: want 1 or more"),
        ("td.batch=1000", "[td] batch = 1000: want a divisor of games * turns"),
        ("td.trace=1.5", "[td] trace = 1.5: want 0 to 1"),
        ("td.depth=2", "[td] depth: unknown"),
        ("network.hidden=[]", "[network] hidden = []: want one or more numbers from 1"),
        ("network.planes=1", "[network] planes = 1: want 0, or 2 to 18"),
        ("network.planes=19", "[network] planes = 19: want 0, or 2 to 18"),
        ("network.scale=0", "[network] scale 0.0: want more than 0"),
    ],
)
def test_wrong_settings(setting: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        made("solo", 100, setting)
    assert str(error.value).startswith(message)
