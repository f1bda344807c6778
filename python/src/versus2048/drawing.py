"""Boards as text and as pictures, for the render modes of the environments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from versus2048.position import Position

MODES = ("ansi", "human", "rgb_array")
"""The render modes of environments."""
CELL = 64
"""Pixels of a cell, with its border."""
_BORDER = 4
_EMPTY, _FRAME = (205, 193, 180), (187, 173, 160)

# 3 columns x 5 rows of bits for each digit, from the top left.
_DIGITS = {
    "0": "111101101101111",
    "1": "010110010010111",
    "2": "111001111100111",
    "3": "111001111001111",
    "4": "101101111001001",
    "5": "111100111001111",
    "6": "111100111101111",
    "7": "111001010010010",
    "8": "111101111101111",
    "9": "111101111001111",
}


def render(position: Position, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Draw a position in a render mode; ``human`` prints it, and returns None."""
    if mode == "human":
        print(as_text(position), end="\n\n")
    if mode == "ansi":
        return as_text(position)
    return as_pixels(position) if mode == "rgb_array" else None


def as_text(position: Position) -> str:
    """Draw a position with its side to move, score and ply as lines of text."""
    width = max(4, *(len(str(tile)) for row in position.board for tile in row))
    lines = ["".join(f"{tile or '.':>{width + 1}}" for tile in row) for row in position.board]
    return "\n".join([*lines, f"{position.side} to move, score {position.score}, "
                      f"ply {position.ply}"])  # fmt: skip


def as_pixels(position: Position) -> NDArray[np.uint8]:
    """Draw a board: an array of shape (64*rows, 64*columns, 3) with values 0 to 255."""
    columns, rows = position.size
    picture = np.empty((CELL * rows, CELL * columns, 3), np.uint8)
    picture[:] = _FRAME
    for y, row in enumerate(position.board):
        for x, tile in enumerate(row):
            cell = picture[y * CELL : (y + 1) * CELL, x * CELL : (x + 1) * CELL]
            _draw_tile(cell[_BORDER:-_BORDER, _BORDER:-_BORDER], tile)
    return picture


def as_svg(position: Position) -> str:
    """Draw a board as SVG, for pages and notebooks."""
    columns, rows = position.size
    width, height = CELL * columns, CELL * rows
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="sans-serif" font-weight="bold" '
        f'text-anchor="middle"><title>{position}</title>'
        f'<rect width="{width}" height="{height}" fill="rgb{_FRAME}"/>'
    ]
    side = CELL - 2 * _BORDER
    for y, row in enumerate(position.board):
        for x, tile in enumerate(row):
            left, top = CELL * x + _BORDER, CELL * y + _BORDER
            parts.append(
                f'<rect x="{left}" y="{top}" width="{side}" height="{side}" rx="4" '
                f'fill="rgb{_colour(tile)}"/>'
            )
            if tile:
                size = min(26, 82 // len(str(tile)))
                parts.append(
                    f'<text x="{left + side // 2}" y="{top + side // 2 + size // 3}" '
                    f'font-size="{size}" fill="rgb{_ink(tile)}">{tile}</text>'
                )
    return "".join(parts) + "</svg>"


def _colour(tile: int) -> tuple[int, int, int]:
    """Return the colour of a tile: from light sand to dark red."""
    k = tile.bit_length() - 1
    return (238 - 6 * k, max(30, 236 - 13 * k), max(20, 226 - 18 * k)) if tile else _EMPTY


def _ink(tile: int) -> tuple[int, int, int]:
    return (119, 110, 101) if tile < 8 else (249, 246, 242)


def _draw_tile(cell: NDArray[np.uint8], tile: int) -> None:
    """Fill a cell with the colour and the number of its tile."""
    cell[:] = _colour(tile)
    if not tile:
        return
    text = str(tile)
    bits = np.zeros((5, 4 * len(text) - 1), bool)
    for i, digit in enumerate(text):
        bits[:, 4 * i : 4 * i + 3] = np.array(list(_DIGITS[digit])).reshape(5, 3) == "1"
    scale = min(6, (cell.shape[1] - 4) // bits.shape[1])
    number = np.kron(bits, np.ones((scale, scale), bool))
    top, left = ((cell.shape[i] - number.shape[i]) // 2 for i in range(2))
    cell[top : top + number.shape[0], left : left + number.shape[1]][number] = _ink(tile)
