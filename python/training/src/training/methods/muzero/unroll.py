"""Learning: the model goes on by itself from a board, and is compared with the game.

The loss of Antonoglou et al. 2022, equations 5 to 7, with cross-entropies of two-hot values. One
term is not theirs: ``consistency`` draws a state that the model has come to towards the
representation of the board that was there (Ye et al. 2021, EfficientZero). Without it the codes and
the dynamics learn from nothing but values and policies.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from training.layers import Params
from training.methods.muzero.model import Model, quantise
from training.methods.muzero.selfplay import Turn
from training.methods.replay import Replay


class Weights(NamedTuple):
    """How much the parts of the loss count; a policy's loss counts 1."""

    value: float
    """Of the values before and after slides, and of rewards."""
    chance: float
    commitment: float
    """Of the squared distance between the encoder's numbers and the code."""
    consistency: float


def windows(memory: Replay[Turn], key: Array, count: int, length: int) -> Turn:
    """Draw windows of turns of a game that follow each other: shape (length, count).

    The memory's entries are turns of all games, oldest first from its place on once it is full; it
    must have length of them. A window may go on into the next game: see ``lived``.
    """
    rows, columns = jax.random.split(key)
    begin = jax.random.randint(rows, (count,), 0, memory.size - length + 1)
    oldest = memory.place - memory.size
    row = (oldest + begin + jnp.arange(length)[:, None]) % memory.capacity
    games = memory.entries.slide.shape[1]
    game = jax.random.randint(columns, (count,), 0, games)
    drawn: Turn = jax.tree.map(lambda x: x[row, game], memory.entries)
    return drawn


def lived(over: Array) -> Array:
    """Return which turns are still of the game that a window begins with, for over (k, n)."""
    ended = jnp.cumsum(over, axis=0) > 0
    return jnp.concatenate([jnp.ones_like(ended[:1]), ~ended[:-1]])


def loss(model: Model, params: Params, turns: Turn, weights: Weights) -> Array:
    """Return the mean loss of windows (k + 1, n), unrolled for k slides.

    The first board counts as much as the k that follow together. A state where the game is over is
    worth 0 points; later states are not learned.
    """
    steps = len(turns.slide) - 1
    live = lived(turns.over).astype(jnp.float32)
    before = jax.tree.map(lambda x: x[:-1], turns)
    encoded = model.encode(params, before.board, before.slide, before.following)
    seen = jax.lax.stop_gradient(model.represent(params, before.following))
    state = model.represent(params, turns.board[0])
    first = jax.tree.map(lambda x: x[0], turns)
    start = _judge(model, params, state, first, live[0], live[0], weights)

    def step(state: Array, now: _Step) -> tuple[Array, Array]:
        state, lost = _slide(model, params, state, now, weights)
        lost += _judge(model, params, state, now.next, now.live, now.next_live, weights)
        return 0.5 * state + 0.5 * jax.lax.stop_gradient(state), lost

    after = jax.tree.map(lambda x: x[1:], turns)
    _, lost = jax.lax.scan(step, state, _Step(before, after, encoded, seen, live[:-1], live[1:]))
    return start.mean() + lost.mean(-1).sum() / steps


class _Step(NamedTuple):
    """The data that a step of the model is compared with."""

    turn: Turn
    next: Turn
    encoded: Array
    seen: Array
    live: Array
    """Whether the slide was still of the game, 1 or 0."""
    next_live: Array


def _judge(
    model: Model,
    params: Params,
    state: Array,
    turn: Turn,
    reached: Array,
    live: Array,
    weights: Weights,
) -> Array:
    """Return the losses of policy and value at states: reached, maybe to find the game over."""
    told = model.predict(params, state)
    policy = -jnp.sum(turn.policy * jax.nn.log_softmax(told.policy), axis=-1)
    value = model.value.loss(told.value, live * turn.further)
    return live * policy + weights.value * reached * value


def _slide(
    model: Model, params: Params, state: Array, now: _Step, weights: Weights
) -> tuple[Array, Array]:
    """Repeat the slide and chance's move: the next states, and the losses on the way."""
    after = model.slide(params, state, now.turn.slide)
    told = model.expect(params, after)
    code = quantise(now.encoded)
    happened = jax.lax.stop_gradient(code)
    value = model.value.loss(told.reward, now.turn.gain)
    value += model.value.loss(told.value, now.turn.further - now.turn.gain)
    lost = weights.value * value + weights.chance * optax.softmax_cross_entropy(
        told.chance, happened
    )
    lost += weights.commitment * jnp.sum((now.encoded - happened) ** 2, axis=-1)
    state = model.follow(params, after, code)
    lost += weights.consistency * jnp.mean((state - now.seen) ** 2, axis=-1)
    return state, now.live * lost
