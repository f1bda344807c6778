"""The window of positions from self-play that a network learns from.

All games are played in lockstep, one ply a row: the window is a ring of rows, each with the
positions of all games at one time. The rows after a position thus have its game's continuation. The
target of its value is the lambda-return

    G = (points of the move) + (1 - lambda) Q' + lambda G'

with Q' the search's value of the next position, and 0 where the game ended. lambda = 1 is
AlphaZero's: the final score. G is Q itself in the newest row, since its game goes on, and where the
move was not the most visited one, since the play after it tells nothing about perfect play.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from versus2048.jax.game import Game

from training.methods.alphazero.position import Position, actions, start, symmetric_actions


class Row(NamedTuple):
    """The data of positions in a window; arrays (n, ...), or with axes before n."""

    position: Position
    policy: Array
    """The shares of the search's visits, float16 (n, actions)."""
    further: Array
    """The points from here on as the search found them, float32 (n,)."""
    gain: Array
    """The points of the move that was played, int32 (n,)."""
    ended: Array
    """Whether that move ended the game, bool (n,)."""
    explored: Array
    """Whether it was not the most visited one, bool (n,)."""


class Window(NamedTuple):
    """A ring of rows, arrays (rows, n, ...), the oldest first; unfilled ones are at the front."""

    row: Row
    target: Array
    """G, float32 (rows, n)."""
    filled: Array
    """The number of filled rows, int32."""


class Sample(NamedTuple):
    """Positions to learn from, arrays (n, ...)."""

    position: Position
    policy: Array
    target: Array


def empty(game: Game, rows: int, n: int) -> Window:
    """Return a window without positions."""
    position = jax.tree.map(lambda x: jnp.broadcast_to(x, (rows, *x.shape)).copy(), start(game, n))
    row = Row(
        position=position,
        policy=jnp.zeros((rows, n, actions(game)), jnp.float16),
        further=jnp.zeros((rows, n)),
        gain=jnp.zeros((rows, n), jnp.int32),
        ended=jnp.zeros((rows, n), bool),
        explored=jnp.zeros((rows, n), bool),
    )
    return Window(row, jnp.zeros((rows, n)), jnp.zeros((), jnp.int32))


def add(window: Window, new: Row, trace: float, cut: bool) -> Window:
    """Add rows (k, n, ...), drop the oldest ones, and compute all targets again.

    trace is lambda. Without cut, explored moves are followed like others.
    """
    rows, k = len(window.target), len(new.gain)
    row: Row = jax.tree.map(lambda old, x: jnp.concatenate([old[k:], x]), window.row, new)
    filled = jnp.minimum(window.filled + k, rows)
    return Window(row, targets(row, trace, cut), filled)


def targets(row: Row, trace: float, cut: bool) -> Array:
    """Return G of rows (k, n), the oldest first."""
    stop = row.explored & cut
    # The newest row's games go on; nothing is known of them but Q.
    stop = stop.at[-1].set(stop[-1] | ~row.ended[-1])

    def back(following: tuple[Array, Array], now: Row) -> tuple[tuple[Array, Array], Array]:
        known, found = following
        mixed = now.gain + (1 - trace) * found + trace * known
        played = jnp.where(now.ended, now.gain, mixed)
        target = jnp.where(now.explored, now.further, played)
        return (target, now.further), target

    newest = row.further[-1]
    return jax.lax.scan(back, (newest, newest), row._replace(explored=stop), reverse=True)[1]


def draw(game: Game, window: Window, key: Array, n: int) -> Sample:
    """Draw n positions uniformly, each in one of its symmetric forms. Some row must be filled."""
    place, turn = jax.random.split(key)
    time, slot = _places(window, place, n)
    position: Position = jax.tree.map(lambda x: x[time, slot], window.row.position)
    image = jax.random.randint(turn, (n,), 0, len(symmetric_actions(game)))
    return Sample(
        _turned(game, position, image),
        _moved(game, window.row.policy[time, slot].astype(jnp.float32), image),
        window.target[time, slot],
    )


def draw_positions(window: Window, key: Array, n: int) -> Position:
    """Draw n positions uniformly."""
    time, slot = _places(window, key, n)
    position: Position = jax.tree.map(lambda x: x[time, slot], window.row.position)
    return position


def _places(window: Window, key: Array, n: int) -> tuple[Array, Array]:
    """Draw n filled places of the window."""
    rows, slots = window.target.shape
    drawn = jax.random.uniform(key, (2, n))
    time = rows - 1 - (drawn[0] * window.filled).astype(jnp.int32)
    return jnp.maximum(time, 0), (drawn[1] * slots).astype(jnp.int32)


def _turned(game: Game, position: Position, image: Array) -> Position:
    """Return one symmetric form of each position."""
    images = game.symmetries(position.board)
    return position._replace(board=jnp.take_along_axis(images, image[:, None, None, None], 1)[:, 0])


def _moved(game: Game, policy: Array, image: Array) -> Array:
    """Return the policies (n, actions) of symmetric forms."""
    to = jnp.asarray(symmetric_actions(game))[image]
    rows = jnp.arange(len(policy))[:, None]
    return jnp.zeros_like(policy).at[rows, to].set(policy)
