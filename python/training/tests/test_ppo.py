"""PPO: its estimates and its loss against numbers worked out by hand, and whether it learns."""

from __future__ import annotations

import math
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from training import config
from training.config import ConfigError
from training.methods import ppo
from training.methods.objective import advantages, clipped, entropy, log_softmax

RUN = """
[run]
method = "ppo"
rules = "solo"
size = "2x2"
seed = 1

[network]
hidden = 64
scale = 30.0

[ppo]
games = 128
slides = 16
epochs = 4
batches = 4
decay = 640
"""


@cache
def learner(*settings: str) -> ppo.PPO:
    return ppo.PPO(config.parse(RUN, settings))


def column(*numbers: float) -> jax.Array:
    """One game, a number for each of its slides."""
    return jnp.array(numbers)[:, None]


GAIN = column(4, 8, 4)
VALUE = column(10, 6, 2)
BASELINE = column(12, 11, 5)
OVER = column(0, 0, 1) > 0
LAST = jnp.array([100.0])


@pytest.mark.parametrize(
    ("trace", "advantage", "further"),
    [
        # The slides' own differences: 4 + 10 - 12, 8 + 6 - 11, 4 + 2 - 5.
        (0.0, [2, 3, 1], [14, 6, 0]),
        # 1 - 0.5 * 2 = 0; 3 + 0.5 * (5 - 6) = 2.5; 2 + 0.5 * (13.5 - 10) = 3.75.
        (0.5, [3.75, 2.5, 0], [13.5, 5, 0]),
        # What was scored, less the baseline: 16 - 12, 12 - 11, 4 - 5.
        (1.0, [4, 1, -1], [12, 4, 0]),
    ],
)
def test_advantages_by_hand(trace: float, advantage: list[float], further: list[float]) -> None:
    got = advantages(GAIN, VALUE, BASELINE, OVER, LAST, trace)
    np.testing.assert_allclose(got[0][:, 0], advantage, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(got[1][:, 0], further, rtol=1e-6, atol=1e-6)


def test_a_game_that_goes_on_is_worth_what_the_critic_says() -> None:
    advantage, further = advantages(
        column(4), column(2), column(5), column(0) > 0, jnp.array([3.0]), 0.5
    )
    assert further[0, 0] == 3
    assert advantage[0, 0] == 1 + 0.5 * (3 - 2)


def test_without_afterstates_the_advantages_are_the_usual_ones() -> None:
    """With V(x) = B(b'): A = r + B(b') - B(b) + lambda A', as Schulman et al. have it."""
    key = jax.random.split(jax.random.key(1), 4)
    gain, baseline = jax.random.uniform(key[0], (2, 20, 3))
    over = jax.random.uniform(key[1], (20, 3)) < 0.2
    last = jax.random.uniform(key[2], (3,))
    following = jnp.where(over, 0, jnp.concatenate([baseline[1:], last[None]]))
    got, _ = advantages(gain, following, baseline, over, last, 0.7)
    want = jnp.zeros(3)
    for t in reversed(range(20)):
        want = gain[t] + following[t] - baseline[t] + jnp.where(over[t], 0, 0.7 * want)
        np.testing.assert_allclose(got[t], want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("ratio", "advantage", "objective", "slope"),
    [
        (1.0, 2.0, 2.0, 2.0),
        (1.1, 2.0, 2.2, 2.0),
        (1.5, 2.0, 2.4, 0.0),  # more probable already: nothing more to gain
        (0.5, 2.0, 1.0, 2.0),
        (1.5, -2.0, -3.0, -2.0),
        (0.5, -2.0, -1.6, 0.0),
    ],
)
def test_clipped_objective_by_hand(
    ratio: float, advantage: float, objective: float, slope: float
) -> None:
    got, change = jax.value_and_grad(clipped)(ratio, jnp.array(advantage), 0.2)
    assert got == pytest.approx(objective)
    assert change == pytest.approx(slope)


def test_entropy_is_of_the_legal_slides() -> None:
    legal = jnp.array([[True, False, True, False], [False, True, False, False]])
    log_policy = log_softmax(jnp.array([[1.0, 50.0, 1.0, 2.0], [0.0, -9.0, 3.0, 4.0]]), legal)
    np.testing.assert_allclose(entropy(log_policy, legal), [math.log(2), 0], atol=1e-6)
    slope = jax.grad(lambda x: entropy(log_softmax(x, legal), legal).sum())
    assert np.isfinite(slope(jnp.zeros((2, 4)))).all()


@pytest.mark.parametrize("actor", ["afterstate", "state"])
def test_illegal_slides_have_no_probability(actor: str) -> None:
    method = learner(*[] if actor == "afterstate" else ["ppo.actor=state", "ppo.critic=state"])
    params = jax.tree.map(lambda x: 100 * x, method.start(jax.random.key(2)).params)
    board = jax.random.randint(jax.random.key(3), (1000, 2, 2), 0, 4).astype(jnp.int8)
    options = method.game.slide(board)
    chances = jnp.exp(method.log_policy(params, board, options.after, options.legal))
    playable = options.legal.any(-1)
    assert not playable.all()
    assert (chances[playable][~options.legal[playable]] == 0).all()
    np.testing.assert_allclose(chances[playable].sum(-1), 1, rtol=1e-5)


def test_a_round_plays_legal_slides_and_counts_games() -> None:
    method = learner()
    state = method.start(jax.random.key(4))
    board, score, turns, _ = jax.jit(method.play)(
        state.params, state.board, state.score, jax.random.key(5)
    )
    played = np.asarray(turns.slide)[..., None]
    assert np.take_along_axis(np.asarray(turns.legal), played, -1).all()
    assert turns.over.any()
    assert method.game.slide(board).legal.any(-1).all()
    # A finished game has the points of its slides, and a new one begins with none.
    total = np.zeros(128)
    for gain, over, points in zip(turns.gain, turns.over, turns.score, strict=True):
        total += np.asarray(gain)
        np.testing.assert_array_equal(total, points)
        total[np.asarray(over)] = 0
    np.testing.assert_array_equal(total, score)


def test_no_score_is_told_before_a_game_has_ended() -> None:
    method = learner("ppo.slides=1")
    state, progress = method.advance(method.start(jax.random.key(1)))
    assert progress.games == 0
    assert "sampled" not in progress.metrics
    while not progress.games:
        state, progress = method.advance(state)
    assert "sampled" in progress.metrics


@pytest.mark.parametrize(
    "settings", [(), ("ppo.actor=state", "ppo.critic=state"), ("network.canonical=true",)]
)
def test_learns_2x2(settings: tuple[str, ...]) -> None:
    """Perfect slides make 66.96 points on average; at first it makes a third of them."""
    method = learner(*settings)
    state = method.start(jax.random.key(1))
    before = method.evaluate(state, jax.random.key(2))
    for _ in range(40):
        state, progress = method.advance(state)
    after = method.evaluate(state, jax.random.key(2))
    assert progress.steps == 640
    assert progress.positions == 40 * 128 * 16
    assert before["share"] < 0.6
    assert after["share"] > 0.9, after


def test_canonical_networks_tell_the_same_of_symmetric_boards() -> None:
    method = learner("network.canonical=true")
    images = method.game.symmetries(jnp.asarray([[0, 1], [2, 3]]))
    params = method.start(jax.random.key(1)).params
    for function in ("preference", "value"):
        told = method.description.apply_boards(params, function, images)
        assert len(told) == 8 and len(np.unique(told)) == 1
    with pytest.raises(ConfigError, match="slides turn with the board"):
        learner("network.canonical=true", "ppo.actor=state")


def test_more_slides_than_an_int32_holds_are_counted() -> None:
    """16 updates follow 128 * 16 slides; after 2^25 of them there were 2^32."""
    method = learner()
    state = method.start(jax.random.key(1))
    _, progress = method.advance(state._replace(steps=jnp.int32(2**25)))
    assert progress.positions == 2**32 + 128 * 16


def test_the_same_seed_learns_the_same() -> None:
    method = learner()
    first, again = (method.advance(method.start(jax.random.key(7)))[0] for _ in range(2))
    for name, tensor in first.params.items():
        np.testing.assert_array_equal(tensor, again.params[name])


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("run.rules=gpcc2015", "solo only"),
        ("ppo.batches=3", "want a divisor"),
        ("ppo.games=0", "want 1 or more"),
        ("ppo.critic=both", "want one of afterstate, state"),
        ("ppo.decay=-1", "decay = -1: want 0 or more"),
        ("ppo.gradient=0", "gradient = 0.0: want more than 0"),
        ("network.scale=0", r"\[network\] scale 0.0: want more than 0"),
        ("network.hidden=0", r"\[network\] hidden = 0: want 1 or more"),
        ("network.canonical=true,network.layers=0", r"\[network\] layers = 0: want 1 or more"),
        ("network.layers=-1", r"\[network\] layers = -1: want 0 or more"),
        ("network.planes=0", r"\[network\] planes = 0: want 2 to 18"),
        ("network.planes=20", r"\[network\] planes = 20: want 2 to 18"),
    ],
)
def test_wrong_settings(setting: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        learner(*setting.split(","))
