"""The rules for many boards at once, in NumPy.

A batch of boards is an array of shape (n, rows, columns), uint8, with the exponents of the tiles:
0 for an empty cell, 1 for a 2, 2 for a 4, to 16 for a 65536. All boards of a batch have one size,
2x2 to 4x4. Actions are numbered as in :func:`versus2048.position.move_of`. No function changes its
arguments.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if int(np.__version__.split(".")[0]) < 2:
    raise ImportError(f"versus2048 needs NumPy 2, this is {np.__version__}: pip install 'numpy>=2'")

from versus2048.position import DIRECTIONS, Ruleset, Side

Boards = NDArray[np.uint8]
"""Shape (n, rows, columns), values 0 to 16."""
Flags = NDArray[np.bool_]
Scores = NDArray[np.int32]
"""Points of a slide: 0 to 8 * 65536."""
Actions = NDArray[np.integer]

LARGEST_EXPONENT = 16
PLANES = LARGEST_EXPONENT + 1
"""Of :func:`planes`: empty cells, and one for each tile."""
_BASE = PLANES


def empty(n: int, columns: int = 4, rows: int = 4) -> Boards:
    """Return n empty boards, shape (n, rows, columns)."""
    return np.zeros((n, rows, columns), np.uint8)


def from_tiles(tiles: ArrayLike) -> Boards:
    """Return the exponents of tiles of any shape: 0 or a power of two from 2 to 65536."""
    values = np.asarray(tiles, dtype=np.int64)
    exponents = np.zeros(values.shape, np.uint8)
    for k in range(1, LARGEST_EXPONENT + 1):
        exponents[values == 1 << k] = k
    if not np.array_equal(to_tiles(exponents), values):
        raise ValueError("tiles: want 0 or powers of two from 2 to 65536")
    return exponents


def to_tiles(boards: Boards) -> NDArray[np.int32]:
    """Return the tiles of exponents of any shape: 0, or 2 to 65536."""
    return np.where(boards > 0, np.int32(1) << boards.astype(np.int32), 0).astype(np.int32)


@cache
def line_table(length: int) -> tuple[Boards, Scores]:
    """Return each line of that length after it slid to its first cell, and the points.

    A line's index has its exponents as digits to the base 17, the first cell's the highest.
    Shapes (17**length, length) and (17**length,).
    """
    codes = np.arange(_BASE**length)
    digits = [codes // _BASE ** (length - 1 - i) % _BASE for i in range(length)]
    lines = _packed(np.stack(digits, axis=1).astype(np.uint8))
    points = np.zeros(len(lines), np.int32)
    for i in range(length - 1):
        merge = (lines[:, i] == lines[:, i + 1]) & (lines[:, i] > 0)
        merge &= lines[:, i] < LARGEST_EXPONENT
        lines[merge, i] += 1
        lines[merge, i + 1] = 0
        points[merge] += np.int32(1) << lines[merge, i].astype(np.int32)
    return _packed(lines), points


def _packed(lines: Boards) -> Boards:
    """Move the tiles of each line to its beginning, in their order."""
    order = np.argsort(lines == 0, axis=1, kind="stable")
    return np.take_along_axis(lines, order, axis=1)


def slide(boards: Boards, direction: int) -> tuple[Boards, Scores]:
    """Slide all boards in one direction, 0 to 3 for N, S, W, E.

    Return the boards, shape (n, rows, columns), and the points, shape (n,). A board without a
    legal slide in this direction is unchanged.
    """
    vertical, backwards = DIRECTIONS[direction] in "NS", DIRECTIONS[direction] in "SE"
    lines = boards.transpose(0, 2, 1) if vertical else boards
    if backwards:
        lines = lines[:, :, ::-1]
    after_of, points_of = line_table(lines.shape[2])
    codes = lines[:, :, 0].astype(np.int32)
    for i in range(1, lines.shape[2]):
        codes = codes * _BASE + lines[:, :, i]
    after, points = after_of[codes], points_of[codes].sum(axis=1, dtype=np.int32)
    if backwards:
        after = after[:, :, ::-1]
    return (after.transpose(0, 2, 1) if vertical else after), points


def slides(boards: Boards) -> tuple[Boards, Scores, Flags]:
    """Slide all boards in all directions.

    Return the boards, shape (4, n, rows, columns), the points, shape (4, n), and whether each slide
    is legal, shape (4, n).
    """
    results = [slide(boards, direction) for direction in range(4)]
    after = np.stack([board for board, _ in results])
    return after, np.stack([points for _, points in results]), np.any(after != boards, axis=(2, 3))


def slide_each(boards: Boards, actions: Actions) -> tuple[Boards, Scores]:
    """Slide each board in its own direction, actions of shape (n,) with values 0 to 3.

    Return boards and points as :func:`slide`. An illegal slide is a ValueError.
    """
    after, points = boards.copy(), np.zeros(len(boards), np.int32)
    for direction in range(4):
        chosen = np.flatnonzero(actions == direction)
        after[chosen], points[chosen] = slide(boards[chosen], direction)
    unchanged = (after == boards).all(axis=(1, 2))
    if unchanged.any():
        raise ValueError(f"board {np.flatnonzero(unchanged)[0]}: the slide is illegal")
    return after, points


def place_each(boards: Boards, actions: Actions, rules: Ruleset = "gpcc2015") -> Boards:
    """Place a tile on each board, actions of shape (n,), 0 to 2*cells-1.

    A cell that is not empty, or a 4 under gpcc2015, is a ValueError.
    """
    n, cells = len(boards), boards.shape[1] * boards.shape[2]
    four, cell = np.divmod(np.asarray(actions), cells)
    most = actions_of("attacker", boards.shape[2], boards.shape[1], rules)
    if n and not 0 <= np.min(actions) <= np.max(actions) < most:
        raise ValueError(f"actions {np.min(actions)} to {np.max(actions)}: want 0 to {most - 1}")
    after = boards.reshape(n, cells).copy()
    if after[np.arange(n), cell].any():
        raise ValueError("a tile is placed on a cell that is not empty")
    after[np.arange(n), cell] = 1 + four
    return after.reshape(boards.shape)


def actions_of(side: Side, columns: int, rows: int, rules: Ruleset) -> int:
    """Return the number of actions of a side: 4 slides, or 1 or 2 tiles for each cell."""
    if side == "defender":
        return 4
    return columns * rows * (1 if rules == "gpcc2015" else 2)


def legal(boards: Boards, side: Side, rules: Ruleset = "gpcc2015") -> Flags:
    """Return the legal actions of a side, shape (n, actions_of(...))."""
    if side == "defender":
        return slides(boards)[2].T
    free = _free(boards)
    return free if rules == "gpcc2015" else np.concatenate([free, free], axis=1)


def _free(boards: Boards) -> Flags:
    """Return the empty cells, shape (n, cells)."""
    return np.asarray(boards.reshape(len(boards), boards.shape[1] * boards.shape[2]) == 0)


def over(boards: Boards) -> Flags:
    """Return for each board whether a defender to move is mated, shape (n,)."""
    return np.asarray(~legal(boards, "defender").any(axis=1))


def chance(boards: Boards, rng: np.random.Generator) -> Boards:
    """Place a tile on each board as chance does: an empty cell, a 2 in nine cases of ten.

    Each board needs an empty cell.
    """
    free = _free(boards)
    order = rng.random(free.shape) + free  # the largest is on an empty cell, drawn uniformly
    actions = order.argmax(axis=1) + free.shape[1] * (rng.random(len(boards)) < 0.1)
    return place_each(boards, actions, "solo")


def draw(flags: Flags, rng: np.random.Generator) -> Actions:
    """Draw a legal action of each board uniformly, flags as from :func:`legal`."""
    return np.asarray((rng.random(flags.shape) + flags).argmax(axis=1))


def successors(boards: Boards, side: Side, rules: Ruleset = "gpcc2015") -> Boards:
    """Return all boards after a legal move of that side on any of the boards, shape (m, r, c)."""
    if side == "defender":
        after, _, allowed = slides(boards)
        return after[allowed]
    parent, action = np.nonzero(legal(boards, side, rules))
    return place_each(boards[parent], action, rules)


def perft(boards: Boards, side: Side, rules: Ruleset, plies: int) -> list[int]:
    """Count the sequences of 1, 2, ... plies: ``docs/PROTOCOL.md``, "Test your rules"."""
    counts = []
    for _ in range(plies - 1):
        boards = successors(boards, side, rules)
        counts.append(len(boards))
        side = "attacker" if side == "defender" else "defender"
    return [*counts, int(legal(boards, side, rules).sum())]


def planes(boards: Boards) -> NDArray[np.int8]:
    """Return one-hot planes, shape (n, 17, rows, columns): plane k is 1 where the exponent is k."""
    exponents = np.arange(PLANES, dtype=np.uint8)[:, None, None]
    return np.asarray(boards[:, None] == exponents, np.int8)


def images(x: Any, rows: int = 1, columns: int = 2) -> list[Any]:
    """Return the symmetric images of an array of NumPy or JAX with these axes: eight, or four.

    They are in the order of ``docs/NETWORKS.md``.
    """
    images = []
    for diagonal, mirrored, flipped in symmetries(x.shape[rows] == x.shape[columns]):
        turned = x.swapaxes(rows, columns) if diagonal else x
        order = [slice(None)] * x.ndim
        order[columns] = slice(None, None, -1 if mirrored else None)
        order[rows] = slice(None, None, -1 if flipped else None)
        images.append(turned[tuple(order)])
    return images


def symmetries(square: bool) -> list[tuple[bool, bool, bool]]:
    """Return each symmetry: whether it mirrors about the diagonal, swaps left-right, top-bottom."""
    return [(bool(i & 1), bool(i & 2), bool(i & 4)) for i in range(8) if square or not i & 1]
