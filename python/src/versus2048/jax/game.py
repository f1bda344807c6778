"""The game as functions of JAX, for many boards at once.

A board is an array of shape (..., height, width), int8, with the exponents of the tiles: 0 for an
empty cell, 1 for a 2, 2 for a 4, to 16 for a 65536. All leading axes are a batch. Rows are counted
from the top, columns from the left. Slides are numbered 0 to 3 for N, S, W, E. Every function can
be used under ``jit`` and ``vmap``; a :class:`Game` is static there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, NamedTuple, get_args

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike
from numpy.typing import NDArray

from versus2048.rules import images, line_table, symmetries

Rules = Literal["gpcc2015", "gpcc2016", "solo"]

SLIDES = "NSWE"
"""The order of the slides."""
LARGEST_EXPONENT = 16
"""The exponent of 65536; two of these tiles do not merge."""
_BASE = LARGEST_EXPONENT + 1
_BITS = 5  # of an exponent in a packed line

_OPTIMA: dict[tuple[str, str], float] = {
    ("gpcc2015", "2x2"): 68,
    ("gpcc2015", "3x2"): 516,
    ("gpcc2015", "4x2"): 3076,
    ("gpcc2015", "3x3"): 7172,
    ("gpcc2016", "2x2"): 8,
    ("gpcc2016", "3x2"): 40,
    ("gpcc2016", "4x2"): 112,
    ("gpcc2016", "3x3"): 164,
    ("solo", "2x2"): 66.9641,
    ("solo", "3x2"): 480.2584,
    ("solo", "4x2"): 2641.8730,
    ("solo", "3x3"): 5468.4868,
}


class Slides(NamedTuple):
    """The four slides of boards: of shape (..., 4, height, width) and (..., 4).

    An illegal slide leaves the board as it is and gains nothing.
    """

    after: Array
    """The boards after each slide, int8."""
    gain: Array
    """The points of each slide, int32."""
    legal: Array
    """Whether a slide changes the board, bool."""


Choose = Callable[[Array, Array, Slides], Array]
"""A player of solo games: from a key, boards (n, height, width) and their slides to the numbers of
the slides to play, integers of shape (n,). Only legal ones count; boards without any may be among
them."""


class Played(NamedTuple):
    """Games that were played to their ends: arrays of shape (n,)."""

    score: Array
    """The points of all slides, int32."""
    slides: Array
    """The number of slides, int32."""
    largest: Array
    """The exponent of the largest tile, int8."""


@dataclass(frozen=True)
class Game:
    """Rules and a size, from 2x2 to 4x4."""

    rules: Rules
    width: int
    height: int

    def __post_init__(self) -> None:
        if self.rules not in get_args(Rules):
            raise ValueError(f"rules {self.rules!r}: want {', '.join(get_args(Rules))}")
        if not (2 <= self.width <= 4 and 2 <= self.height <= 4):
            raise ValueError(f"size {self.size}: want 2x2 to 4x4 (width x height)")

    @classmethod
    def of(cls, rules: str, size: str) -> Game:
        """Return the game of rules and a size as texts, such as solo and 3x2 (width x height)."""
        found = re.fullmatch(r"(\d)x(\d)", size)
        if found is None:
            raise ValueError(f"size {size!r}: want WIDTHxHEIGHT, such as 3x2")
        return cls(rules, int(found[1]), int(found[2]))  # type: ignore[arg-type]

    @property
    def size(self) -> str:
        """The size as text: 3x2 has three columns and two rows."""
        return f"{self.width}x{self.height}"

    @property
    def cells(self) -> int:
        """The number of cells; a cell's number is y * width + x."""
        return self.width * self.height

    @property
    def fours(self) -> bool:
        """Whether a 4 may be placed as well as a 2."""
        return self.rules != "gpcc2015"

    @property
    def distinct_planes(self) -> int:
        """How many planes tell all of its boards apart.

        With 2s alone the largest tile of n cells is 2^n, with 4s it is 2^(n+1).
        """
        return min(self.cells + 1 + self.fours, LARGEST_EXPONENT + 1)

    @property
    def optimum(self) -> float | None:
        """The (expected) score of perfect play from the empty board; None if it is not known.

        By ``lab solve --rules RULES --size SIZE``; a test compares with the ledger of claims.
        """
        flat = f"{max(self.width, self.height)}x{min(self.width, self.height)}"
        return _OPTIMA.get((self.rules, flat))

    def empty(self) -> Array:
        """Return the empty board, shape (height, width)."""
        return jnp.zeros((self.height, self.width), jnp.int8)

    def slide(self, board: Array) -> Slides:
        """Slide boards in all four directions."""
        columns = jnp.swapaxes(board, -1, -2)
        (north, north_gain), (south, south_gain) = _slide_lines(columns)
        (west, west_gain), (east, east_gain) = _slide_lines(board)
        north, south = jnp.swapaxes(north, -1, -2), jnp.swapaxes(south, -1, -2)
        after = jnp.stack([north, south, west, east], axis=-3)
        gain = jnp.stack([north_gain, south_gain, west_gain, east_gain], axis=-1)
        return Slides(after, gain, jnp.any(after != board[..., None, :, :], axis=(-1, -2)))

    def slide_by(self, board: Array, slide: Array) -> tuple[Array, Array]:
        """Slide each board in its own direction, integers of the batch's shape.

        Return the boards and the points. An illegal slide leaves the board and gains nothing.
        """
        if self.width != self.height:
            slides = self.slide(board)
            return take(slides.after, slide), take(slides.gain, slide)
        vertical = (slide < 2)[..., None, None]
        lines = jnp.where(vertical, jnp.swapaxes(board, -1, -2), board)
        first, last, points, _ = (jnp.asarray(table) for table in _line_tables(self.width))
        code = _codes(lines)
        packed = _looked_up(
            jnp.stack([first, last]).reshape(-1), code + slide[..., None] % 2 * len(first)
        )
        after = _unpacked(packed, self.width)
        after = jnp.where(vertical, jnp.swapaxes(after, -1, -2), after)
        return after, _looked_up(points, code).sum(-1)

    def legal_slides(self, board: Array) -> Array:
        """Return which slides change boards, bool of shape (..., 4)."""
        lines = (jnp.swapaxes(board, -1, -2), board)
        ways = []
        for each in lines:
            found = _looked_up(jnp.asarray(_line_tables(each.shape[-1])[3]), _codes(each))
            ways += [jnp.any(found & 1, -1), jnp.any(found & 2, -1)]
        return jnp.stack(ways, -1)

    def place(self, board: Array, cell: ArrayLike, exponent: ArrayLike) -> Array:
        """Put tiles on cells, empty or not: integers of the batch's shape, or one."""
        at = jnp.arange(self.cells).reshape(self.height, self.width)
        cell, exponent = jnp.asarray(cell), jnp.asarray(exponent, jnp.int8)
        return jnp.where(at == cell[..., None, None], exponent[..., None, None], board)

    def empty_cells(self, board: Array) -> Array:
        """Return which cells are empty, bool of shape (..., cells)."""
        return (board == 0).reshape(*board.shape[:-2], self.cells)

    def spawn(self, key: Array, board: Array) -> Array:
        """Let chance place tiles: a 2 (90 %) or a 4 (10 %) on an empty cell drawn uniformly.

        One key serves the whole batch. A full board stays as it is.
        """
        drawn = jax.random.uniform(key, (2, *board.shape[:-2]))
        return self.spawn_at(board, drawn[0], drawn[1] < 0.1)

    def spawn_at(self, board: Array, place: Array, four: Array) -> Array:
        """Place tiles as spawn does, by places from 0 to 1 among the empty cells in their order."""
        free = self.empty_cells(board)
        count = free.sum(-1)
        nth = jnp.minimum((place * count).astype(jnp.int32), count - 1)
        chosen = nth_of(free, nth).reshape(board.shape)
        tile = jnp.where(four, 2, 1).astype(jnp.int8)
        return jnp.where(chosen, tile[..., None, None], board)

    def start(self, key: Array, shape: tuple[int, ...] = ()) -> Array:
        """Return boards with a first tile placed by chance, shape (*shape, height, width).

        This project's solo games begin so: the defender slides a board with one tile.
        """
        return self.spawn(key, jnp.broadcast_to(self.empty(), (*shape, self.height, self.width)))

    def planes(self, board: Array, planes: int, side: Array | bool | None = None) -> Array:
        """Encode boards as float32 of shape (..., height, width, planes), one more with side.

        Plane k is 1 where the tile is 2^k, plane 0 where the cell is empty; larger tiles share the
        last plane. A side, bool of the batch's shape, adds a plane that is 1 everywhere if the
        attacker is to move.
        """
        encoded = jax.nn.one_hot(jnp.minimum(board, planes - 1), planes)
        if side is None:
            return encoded
        attacker = jnp.broadcast_to(jnp.asarray(side)[..., None, None], board.shape)
        return jnp.concatenate([encoded, attacker[..., None].astype(jnp.float32)], axis=-1)

    def symmetries(self, board: Array) -> Array:
        """Return all symmetric boards, shape (..., s, height, width); see symmetric."""
        return symmetric(board, (-2, -1))

    @cached_property
    def symmetric_cells(self) -> NDArray[np.int32]:
        """Where cells go, shape (s, cells): cell c of a board is cell [i, c] of its image i."""
        numbers = np.arange(self.cells, dtype=np.int32).reshape(self.height, self.width)
        cells = np.stack(images(numbers, 0, 1)).reshape(-1, self.cells)
        return np.argsort(cells, axis=1).astype(np.int32)

    @cached_property
    def symmetric_slides(self) -> NDArray[np.int32]:
        """Where slides go, shape (s, 4): slide d of a board is slide [i, d] of its image i."""
        steps = [(0, -1), (0, 1), (-1, 0), (1, 0)]  # N, S, W, E as (x, y)
        rows = []
        for diagonal, mirrored, flipped in symmetries(self.width == self.height):
            turned = [step[::-1] if diagonal else step for step in steps]
            turned = [(-x if mirrored else x, -y if flipped else y) for x, y in turned]
            rows.append([steps.index(step) for step in turned])
        return np.array(rows, np.int32)

    def play(self, key: Array, choose: Choose, games: int) -> Played:
        """Play solo games in lockstep, from their start to their end."""
        key, first = jax.random.split(key)
        none = jnp.zeros(games, jnp.int32)
        State = tuple[Array, Array, Array, Array, Array]  # noqa: N806 # a type

        def going(state: State) -> Array:
            return jnp.any(state[-1])

        def turn(state: State) -> State:
            key, board, score, slides, _ = state
            key, chosen, placed = jax.random.split(key, 3)
            options = self.slide(board)
            slide = choose(chosen, board, options)
            legal = take(options.legal, slide)
            board = jnp.where(
                legal[:, None, None], self.spawn(placed, take(options.after, slide)), board
            )
            return key, board, score + take(options.gain, slide), slides + legal, legal

        begin = (key, self.start(first, (games,)), none, none, jnp.ones(games, bool))
        _, board, score, slides, _ = jax.lax.while_loop(going, turn, begin)
        return Played(score, slides, board.max((-1, -2)))


def nth_of(flags: Array, n: Array) -> Array:
    """Return which flag is the nth one that is set, from 0; the flags are on the last axis.

    A sum over a triangle, since JAX's sums along an axis are slow on processors.
    """
    lower = np.tri(flags.shape[-1], dtype=np.float32)
    counts = flags.astype(jnp.float32) @ lower.T
    return flags & (counts == n[..., None] + 1)


def take(options: Array, index: Array) -> Array:
    """Return entries of the first axis behind the batch, by an index of the batch's shape.

    With options (n, 4, height, width) and index (n,): shape (n, height, width).
    """
    at = index.reshape(*index.shape, *[1] * (options.ndim - index.ndim))
    return jnp.take_along_axis(options, at, axis=index.ndim).squeeze(index.ndim)


def symmetric(x: Array, axes: tuple[int, int]) -> Array:
    """Return the symmetric images of x with axes (rows, columns), on a new axis before rows.

    Eight images if both axes have one length, else four. Image i is mirrored about the diagonal
    from the top left corner if i has bit 0, then left and right are swapped if it has bit 1, then
    top and bottom if it has bit 2; the four of other boards have no bit 0. The order is the same as
    in rules.Size.Symmetries.
    """
    rows, columns = (axis % x.ndim for axis in axes)
    return jnp.stack(images(x, rows, columns), axis=rows)


def _slide_lines(lines: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Slide the lines of boards to their first cells, and to their last ones.

    Lines are the last axis. Of both: the boards, and the points of all their lines.
    """
    length = lines.shape[-1]
    first, last, points, _ = (jnp.asarray(table) for table in _line_tables(length))
    code = _codes(lines)
    gain = _looked_up(points, code).sum(-1)
    return (
        (_unpacked(_looked_up(first, code), length), gain),
        (_unpacked(_looked_up(last, code), length), gain),
    )


def _codes(lines: Array) -> Array:
    """Return the codes of lines, the last axis: see _line_tables."""
    digits = _BASE ** np.arange(lines.shape[-1] - 1, -1, -1, dtype=np.int32)
    return jnp.sum(lines.astype(jnp.int32) * digits, axis=-1)


def _looked_up(table: Array, code: Array) -> Array:
    return table.at[code].get(mode="promise_in_bounds")


def _unpacked(packed: Array, length: int) -> Array:
    """Return the cells of packed lines, on a new last axis."""
    shifts = _BITS * np.arange(length, dtype=np.int32)
    return (packed[..., None] >> shifts & (1 << _BITS) - 1).astype(jnp.int8)


@cache
def _line_tables(length: int) -> tuple[NDArray[np.int32], ...]:
    """Return tables by a line's code: slid to its first cell, to its last one, points, ways.

    Codes are those of :func:`versus2048.rules.line_table`. In the tables cell i of a line has the
    bits from 5 * i on. Both slides score the same. Ways are the slides that change the line: 1 for
    the first, 2 for the last.
    """
    slid, points = line_table(length)
    weights = _BASE ** np.arange(length - 1, -1, -1)
    lines = np.arange(_BASE**length)[:, None] // weights % _BASE
    first, last = slid.astype(np.int32), slid[lines[:, ::-1] @ weights, ::-1].astype(np.int32)
    ways = (first != lines).any(1) + 2 * (last != lines).any(1)
    shifts = _BITS * np.arange(length, dtype=np.int32)
    return (first << shifts).sum(1), (last << shifts).sum(1), points, ways.astype(np.int32)
