"""The parts of Stochastic MuZero, against numbers worked out by hand."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import pytest
from versus2048.jax.game import Game

from training.methods.muzero import search, selfplay, unroll
from training.methods.muzero.model import Model, Shape, quantise
from training.methods.muzero.selfplay import Turn
from training.methods.replay import replay

GAME = Game("solo", 2, 2)
SHAPE = Shape(state=8, hidden=16, head=8, codes=5, transform="none", bins=11, low=0.0, high=100.0)
MODEL = Model(GAME, SHAPE)
WEIGHTS = unroll.Weights(value=1.0, chance=1.0, commitment=0.25, consistency=1.0)


@pytest.fixture(scope="module")
def params() -> dict[str, jax.Array]:
    return MODEL.init(jax.random.key(1))


def column(*numbers: float) -> jax.Array:
    """One game, a number for each of its slides."""
    return jnp.array(numbers)[:, None]


def turns(length: int, count: int, over: jax.Array | None = None) -> Turn:
    """Turns of random boards."""
    board, following = jax.random.randint(jax.random.key(2), (2, length, count, 2, 2), 0, 4)
    number = jnp.ones((length, count))
    return Turn(
        board=board.astype(jnp.int8),
        slide=jnp.ones((length, count), jnp.int8),
        gain=4 * number,
        policy=jnp.full((length, count, 4), 0.25),
        further=30 * number,
        following=following.astype(jnp.int8),
        over=jnp.zeros((length, count), bool) if over is None else over,
    )


def test_two_hot_by_hand() -> None:
    """The bins stand for 0, 10, ... 100 points."""
    value = MODEL.value
    weights = value.two_hot(value.target(jnp.array([0.0, 20.0, 33.0, 500.0])))
    want = np.zeros((4, 11))
    want[0, 0] = want[1, 2] = want[3, 10] = 1
    want[2, 3:5] = 0.7, 0.3
    np.testing.assert_allclose(weights, want, atol=1e-6)


GAIN = column(4, 8, 16, 2)
VALUE = column(100, 50, 30, 20)
LAST = jnp.array([10.0])


@pytest.mark.parametrize(
    ("trace", "over", "want"),
    [
        # One slide's points, and the search's value of the next board.
        (0.0, (0, 0, 0, 0), (54, 38, 36, 12)),
        # All points up to the last board, and its value.
        (1.0, (0, 0, 0, 0), (40, 36, 28, 12)),
        # 2 + 10; 16 + (20 + 12) / 2; 8 + (30 + 32) / 2; 4 + (50 + 39) / 2.
        (0.5, (0, 0, 0, 0), (48.5, 39, 32, 12)),
        # The game ended with the second slide: 8; 4 + (50 + 8) / 2. Another one began.
        (0.5, (0, 1, 0, 0), (33, 8, 32, 12)),
        # 2; 16 + (20 + 2) / 2; 8 + (30 + 27) / 2; 4 + (50 + 36.5) / 2.
        (0.5, (0, 0, 0, 1), (47.25, 36.5, 27, 2)),
    ],
)
def test_returns_by_hand(trace: float, over: tuple[int, ...], want: tuple[float, ...]) -> None:
    got = selfplay.returns(GAIN, VALUE, column(*over) > 0, LAST, trace)
    np.testing.assert_allclose(got[:, 0], want)


def test_a_window_ends_with_its_game() -> None:
    over = jnp.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]]) > 0
    np.testing.assert_array_equal(unroll.lived(over), [[1, 1, 1], [1, 0, 1], [0, 0, 1]])


def test_codes_are_one_hot(params: dict[str, jax.Array]) -> None:
    seen = turns(3, 50)
    encoded = MODEL.encode(params, seen.board, seen.slide, seen.following)
    code = quantise(encoded)
    np.testing.assert_allclose(encoded.sum(-1), 1, rtol=1e-5)
    np.testing.assert_array_equal(np.sort(code, axis=-1), np.tile([0, 0, 0, 0, 1], (3, 50, 1)))
    np.testing.assert_array_equal(code.argmax(-1), encoded.argmax(-1))
    assert len(np.unique(code.argmax(-1))) > 1


def test_the_encoder_learns_through_its_codes() -> None:
    """The straight-through estimator: the slope is that of the numbers themselves."""
    numbers = jnp.array([0.2, 0.5, 0.3])
    slope = jax.grad(lambda x: quantise(x) @ jnp.array([3.0, 1.0, 2.0]))(numbers)
    np.testing.assert_array_equal(slope, [3, 1, 2])


def test_windows_are_turns_that_follow_each_other() -> None:
    """Also where the memory's ring begins anew; each turn is told apart by its gain."""
    one = jax.tree.map(lambda x: x[0], turns(1, 3))
    memory = replay(one, 6)
    for begin in (0, 4, 8):
        row = turns(4, 3)
        number = 10 * (begin + jnp.arange(4.0))[:, None] + jnp.arange(3)
        memory = memory.add(row._replace(gain=number))
    # There is room for the turns 6 to 11.
    drawn = np.asarray(unroll.windows(memory, jax.random.key(4), 500, 3).gain)
    assert drawn.shape == (3, 500)
    assert (np.diff(drawn, axis=0) == 10).all()
    assert set(drawn[0]) == {10 * turn + game for turn in range(6, 10) for game in range(3)}


def test_unrolled_losses(params: dict[str, jax.Array]) -> None:
    """Of a game that ends with the first slide, nothing behind its end is learned."""
    over = jnp.zeros((4, 2), bool).at[0].set(True)
    seen = turns(4, 2, over)

    @jax.jit
    def loss(seen: Turn) -> jax.Array:
        return unroll.loss(MODEL, params, seen, WEIGHTS)

    got = loss(seen)
    assert got.shape == () and np.isfinite(got)
    behind = seen._replace(
        gain=seen.gain.at[1:].set(90.0),
        policy=seen.policy.at[1:].set(jnp.array([1.0, 0, 0, 0])),
        further=seen.further.at[1:].set(70.0),
        slide=seen.slide.at[1:].set(3),
    )
    assert loss(behind) == got
    assert loss(seen._replace(gain=seen.gain.at[0].set(8.0))) != got
    assert loss(behind._replace(over=jnp.zeros_like(over))) != got


def test_the_loss_of_one_slide_by_hand(params: dict[str, jax.Array]) -> None:
    """The model told what it says itself: what is left is the entropy of it all."""
    seen = turns(2, 1)
    state = MODEL.represent(params, seen.board[0])
    told = MODEL.predict(params, state)
    after = MODEL.slide(params, state, seen.slide[0])
    expected = MODEL.expect(params, after)
    encoded = MODEL.encode(params, seen.board[0], seen.slide[0], seen.following[0])
    code = quantise(encoded)
    behind = MODEL.follow(params, after, code)
    then = MODEL.predict(params, behind)

    def policy(logits: jax.Array) -> float:
        return float(-0.25 * jax.nn.log_softmax(logits).sum())

    def bin_of(outputs: jax.Array, number: int) -> float:
        return float(-jax.nn.log_softmax(outputs)[0, number])

    want = policy(told.policy) + bin_of(told.value, 3)
    want += policy(then.policy) + bin_of(then.value, 3)
    reward = -jax.nn.log_softmax(expected.reward)[0]
    want += 0.6 * reward[0] + 0.4 * reward[1]  # 4 points
    rest = -jax.nn.log_softmax(expected.value)[0]
    want += 0.4 * rest[2] + 0.6 * rest[3]  # 26 points
    want -= float(jax.nn.log_softmax(expected.chance)[0, code.argmax()])
    want += 0.25 * float(((encoded - code) ** 2).sum())
    seen_state = MODEL.represent(params, seen.following[0])
    want += float(((behind - seen_state) ** 2).mean())
    got = unroll.loss(MODEL, params, seen, WEIGHTS)
    assert float(got) == pytest.approx(float(want), rel=1e-4)


def test_states_are_normalised(params: dict[str, jax.Array]) -> None:
    seen = turns(1, 20)
    state = MODEL.represent(params, seen.board[0])
    after = MODEL.slide(params, state, seen.slide[0])
    behind = MODEL.follow(params, after, jax.nn.one_hot(jnp.arange(20) % 5, 5))
    for x in (state, after, behind):
        assert x.shape == (20, 8)
        np.testing.assert_allclose(x.mean(-1), 0, atol=1e-5)
        np.testing.assert_allclose(x.std(-1), 1, rtol=1e-3)


def test_a_search_visits_legal_slides(params: dict[str, jax.Array]) -> None:
    boards = turns(1, 64).board[0]
    legal = GAME.slide(boards).legal
    found = jax.jit(search.Search(MODEL, 12))(params, jax.random.key(5), boards, legal)
    alive = np.asarray(legal.any(-1))
    assert alive.any() and not alive.all()
    np.testing.assert_allclose(found.policy.sum(-1)[alive], 1, rtol=1e-5)
    assert (np.asarray(found.policy)[alive][~np.asarray(legal)[alive]] == 0).all()
    best = np.take_along_axis(np.asarray(found.policy), np.asarray(found.slide)[:, None], 1)[:, 0]
    np.testing.assert_array_equal(best[alive], np.asarray(found.policy).max(-1)[alive])


def test_a_search_counts_the_points_of_a_slide_once(params: dict[str, jax.Array]) -> None:
    """The values that mctx has: of an afterstate with the slide's points, of the next without."""
    state = MODEL.represent(params, turns(1, 7).board[0])
    one = search.Search(MODEL, 1)
    slide = jnp.arange(7) % 4
    decided, (after, gain) = one._decide(params, jax.random.key(1), slide, state)
    told = MODEL.expect(params, after)
    points = MODEL.value.points
    np.testing.assert_allclose(
        decided.afterstate_value, points(told.reward) + points(told.value), rtol=1e-6
    )
    happened, behind = one._happen(params, jax.random.key(1), slide, (after, gain))
    assert isinstance(happened, mctx.ChanceRecurrentFnOutput)
    np.testing.assert_allclose(happened.reward, points(told.reward), rtol=1e-6)
    np.testing.assert_allclose(happened.value, points(MODEL.predict(params, behind).value))
