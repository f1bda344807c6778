"""Positions of the game for two, and its moves under one numbering for both roles.

The defender's moves are the slides, 0 to 3 for N, S, W, E. The attacker's are the numbers from 4
on: ``4 + 2 * cell`` places a 2, ``5 + 2 * cell`` a 4. All functions take batches.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray
from versus2048.jax.game import Game, take

SLIDES = 4
"""The number of slides, which come before the placements."""


class Position(NamedTuple):
    """Positions of games: boards, the side to move, and the points so far."""

    board: Array
    """Exponents, int8 of shape (n, height, width)."""
    attacker: Array
    """Whether the attacker is to move, bool of shape (n,)."""
    points: Array
    """The defender's score, int32 of shape (n,)."""


def actions(game: Game) -> int:
    """Return the number of numbered moves, of both roles together."""
    return SLIDES + 2 * game.cells


def most_points(game: Game) -> int:
    """Return the most points that a board can hold: tiles of each exponent from the largest down.

    A tile 2^k made of 2s has scored (k - 1) 2^k. Where 4s may be placed, one exponent more is
    possible, with as many 4s as cells. Each placed 4 has scored 4 less than one made of 2s.
    docs/report.md has the same numbers for the boards that are solved.
    """
    cells = game.cells
    if game.fours:
        return int((cells - 1) * 2 ** (cells + 2) + 4 - 4 * cells)
    return int((cells - 2) * 2 ** (cells + 1) + 4)


def start(game: Game, n: int) -> Position:
    """Return n empty boards, the attacker to move."""
    board = jnp.zeros((n, game.height, game.width), jnp.int8)
    return Position(board, jnp.ones(n, bool), jnp.zeros(n, jnp.int32))


def legal(game: Game, position: Position) -> Array:
    """Return which moves are legal, bool of shape (n, actions). A mated defender has none."""
    return _legal(game, position, game.slide(position.board).legal)


def play(game: Game, position: Position, action: Array) -> tuple[Position, Array]:
    """Play legal moves, shape (n,); return the next positions and their legal moves.

    One slide of each board is enough for both: the defender's move, or its next legal moves.
    """
    attacker = position.attacker
    placement = jnp.maximum(action - SLIDES, 0)
    placed = game.place(position.board, placement // 2, 1 + placement % 2)
    slides = game.slide(jnp.where(attacker[:, None, None], placed, position.board))
    direction = jnp.minimum(action, SLIDES - 1)
    board = jnp.where(attacker[:, None, None], placed, take(slides.after, direction))
    gain = jnp.where(attacker, 0, take(slides.gain, direction))
    following = Position(board, ~attacker, position.points + gain)
    return following, _legal(game, following, slides.legal)


def _legal(game: Game, position: Position, slides: Array) -> Array:
    """Return the legal moves where slides says which slides are legal, if the defender moves."""
    free = game.empty_cells(position.board)
    placements = jnp.stack([free, free & game.fours], axis=-1).reshape(len(free), -1)
    attacker = position.attacker[:, None]
    return jnp.concatenate([slides & ~attacker, placements & attacker], axis=-1)


@cache
def symmetric_actions(game: Game) -> NDArray[np.int32]:
    """Where moves go, shape (s, actions): move a of a board is move [i, a] of its image i."""
    with jax.ensure_compile_time_eval():  # its first use may be under jit
        cells = game.symmetric_cells
    placements = SLIDES + 2 * cells[:, :, None] + np.arange(2)
    placements = placements.reshape(len(cells), -1)
    return np.concatenate([game.symmetric_slides, placements], axis=1).astype(np.int32)
