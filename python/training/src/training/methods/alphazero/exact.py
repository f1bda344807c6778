"""Exact values of small boards under perfect play, to measure the learned play.

All boards that games from the empty board can reach are found, one sum of tiles after the other,
since a placement adds 2 or 4 to the sum and a slide keeps it. Then the values follow, the largest
sum first. 2x2 and 3x2 take seconds; larger boards are for ``lab solve``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray
from versus2048.jax.game import Game

from training.methods.alphazero.position import Position, actions, legal, play

MOST_CELLS = 6
"""Of a board that is solved, also by evaluations."""
_BATCH = 1024
_DEFENDER, _ATTACKER = 0, 1
_UNKNOWN = -1
_FAR = 1 << 30
_Numbers = NDArray[np.int64]


@partial(
    jax.tree_util.register_dataclass,
    data_fields=["values", "deciding"],
    meta_fields=["game", "base"],
)
@dataclass(frozen=True)
class Solution:
    """The further points under perfect play of all reachable boards, for both sides to move."""

    game: Game
    base: int
    """One more than the largest exponent; a board's code has the exponents as digits."""
    values: tuple[Array, Array]
    """By code, int32: where the defender is to move, and where the attacker is."""
    deciding: Position
    """All positions with a legal move that loses points, without the points so far."""

    def further(self, position: Position) -> Array:
        """Return the further points of positions, int32 of shape (n,)."""
        code = _codes(position.board, self.base)
        defender, attacker = self.values
        return jnp.where(position.attacker, attacker[code], defender[code])

    def moves(self, position: Position) -> tuple[Array, Array]:
        """Return the further points after each move, its own included, and which are legal.

        Shapes (n, actions); points of illegal moves mean nothing.
        """

        def after(action: Array) -> Array:
            following, _ = play(
                self.game, position, jnp.broadcast_to(action, position.points.shape)
            )
            return following.points - position.points + self.further(following)

        allowed = legal(self.game, position)
        return jax.lax.map(after, jnp.arange(allowed.shape[1])).T, allowed


def solve(game: Game) -> Solution:
    """Solve a board of up to six cells for two players."""
    if game.cells > MOST_CELLS or game.rules == "solo":
        raise ValueError(f"{game.rules} {game.size}: want gpcc2015 or gpcc2016, up to 3x2")
    base = game.cells + 1 + game.fours
    values = [np.full(base**game.cells, _UNKNOWN, np.int32) for _ in range(2)]
    deciding: tuple[list[_Numbers], list[_Numbers]] = ([], [])
    for layer in reversed(_layers(game, base)):
        worth = layer.gain + values[1 - layer.side][layer.after]
        if layer.side == _ATTACKER:
            best = np.where(layer.legal, worth, _FAR).min(1)
        else:
            best = np.where(layer.legal, worth, 0).max(1)
        ended = ~layer.legal.any(1)
        values[layer.side][layer.codes] = np.where(ended, 0, best)
        matters = (layer.legal & (worth != best[:, None])).any(1)
        deciding[layer.side].append(layer.codes[matters])
    return Solution(
        game,
        base,
        (jnp.asarray(values[_DEFENDER]), jnp.asarray(values[_ATTACKER])),
        _joined(game, base, *(np.concatenate(codes) for codes in deciding)),
    )


def _joined(game: Game, base: int, defender: _Numbers, attacker: _Numbers) -> Position:
    """Return positions of both roles, by the codes of their boards."""
    board = _boards(game, base, np.concatenate([defender, attacker]))
    attacks = np.arange(len(board)) >= len(defender)
    return Position(jnp.asarray(board), jnp.asarray(attacks), jnp.zeros(len(board), jnp.int32))


class _Layer(NamedTuple):
    """All boards of one sum of tiles with one role to move, and the results of its moves."""

    side: int
    codes: _Numbers
    after: _Numbers
    gain: _Numbers
    legal: NDArray[np.bool_]


def _layers(game: Game, base: int) -> list[_Layer]:
    """Return the reachable boards, each layer before the layers that its moves lead to."""
    waiting = {(0, _ATTACKER): [np.zeros(1, np.int64)]}
    layers = []
    while waiting:
        total, side = min(waiting)
        codes = np.unique(np.concatenate(waiting.pop((total, side))))
        layer = _Layer(side, codes, *_moves(game, base, side, codes))
        layers.append(layer)
        following = np.unique(layer.after[layer.legal])
        tiles = _boards(game, base, following).astype(np.int64)
        sums = np.where(tiles > 0, 1 << tiles, 0).sum((1, 2))
        for each in np.unique(sums):
            waiting.setdefault((int(each), 1 - side), []).append(following[sums == each])
    return layers


def _moves(
    game: Game, base: int, side: int, codes: _Numbers
) -> tuple[_Numbers, _Numbers, NDArray[np.bool_]]:
    """Return the codes after each move, the gains and which are legal, shapes (n, actions)."""
    parts = []
    for first in range(0, len(codes), _BATCH):
        some = codes[first : first + _BATCH]
        board = np.zeros((_BATCH, game.height, game.width), np.int8)
        board[: len(some)] = _boards(game, base, some)
        parts.append([np.asarray(x)[: len(some)] for x in _move_all(game, base, side, board)])
    after, gain, allowed = (np.concatenate(part) for part in zip(*parts, strict=True))
    return after, gain, allowed


@partial(jax.jit, static_argnums=(0, 1))
def _move_all(game: Game, base: int, side: int, board: Array) -> tuple[Array, Array, Array]:
    """Compute _moves for one batch of boards."""
    n = len(board)
    position = Position(board, jnp.full(n, side, bool), jnp.zeros(n, jnp.int32))

    def after(action: Array) -> tuple[Array, Array]:
        following, _ = play(game, position, jnp.broadcast_to(action, n))
        return _codes(following.board, base), following.points

    code, gain = jax.vmap(after, out_axes=1)(jnp.arange(actions(game)))
    return code, gain, legal(game, position)


def _codes(board: Array, base: int) -> Array:
    """Return the codes of boards (n, height, width)."""
    digits = board.reshape(len(board), -1).astype(jnp.int32)
    return digits @ jnp.asarray(base ** np.arange(digits.shape[1]), jnp.int32)


def _boards(game: Game, base: int, codes: _Numbers) -> NDArray[np.int8]:
    """Return the boards of codes (n,)."""
    digits = codes[:, None] // base ** np.arange(game.cells) % base
    return digits.reshape(-1, game.height, game.width).astype(np.int8)
