"""N-tuple networks that ``lab train ntuple`` has learned, such as those of the bot ``ntuple``.

The value of a board is a sum of weights, which the tiles in small groups of cells select: package
``players/ntuple`` describes networks and their files.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from versus2048 import rules as batch
from versus2048.networks import Network
from versus2048.position import parse_size
from versus2048.rules import Boards
from versus2048.state import State

MAGIC = b"versus 2048 n-tuple network\n\x01"
_CELL = 4  # bits of a cell's content in the number of a weight
_LARGEST = 15  # larger tiles look like this one


class NTupleNetwork:
    """A network from a file. A file of something else, or a damaged one, is a ValueError."""

    def __init__(self, path: str | Path) -> None:
        try:
            header, body = _read(Path(path).read_bytes())
            structure = header["structure"]
            self.size, self.rules = structure["size"], header["recipe"]["rules"]
            self._base, self._scale = header["base"], header["scale"]
            tuples = structure["tuples"]
            ends = np.cumsum([1 << _CELL * len(cells) for cells in tuples])
            stages = structure.get("stages", [])
            self._begins = np.array([tile.bit_length() - 1 for tile in stages], np.int64)
            read = _sparse if header.get("sparse") else _dense
            weights = read(body, (1 + len(stages)) * ends[-1]).reshape(-1, ends[-1])
            if header["packed"]:  # a later stage: its differences from the one before it
                weights = weights.cumsum(0, dtype=np.int16)
            parts = np.split(weights, ends[:-1], axis=1)
            self._places = [
                (part, place)
                for part, cells in zip(parts, tuples, strict=True)
                for place in _places(cells, *parse_size(self.size))
            ]
        except (ValueError, LookupError, TypeError, struct.error, zlib.error) as error:
            raise ValueError(f"{path}: no network of this program: {error}") from None

    def values(self, boards: Boards) -> NDArray[np.float64]:
        """Return the points that the defender is still to make: shape (n,).

        The attacker, or chance, is to move on the boards, of shape (n, rows, columns).
        """
        cells = np.minimum(boards.reshape(len(boards), -1), _LARGEST).astype(np.int64)
        stages = (cells.max(1)[:, None] >= self._begins).sum(1)
        total = np.zeros(len(boards), np.int64)
        for weights, place in self._places:
            shifts = _CELL * np.arange(place.shape[1])
            total += weights[stages, (cells[:, place] << shifts).sum(-1).min(-1)]
        return np.asarray(np.floor(total * self._scale + self._base + 0.5))

    def act(self, state: State, random: Callable[[], float]) -> int:
        """Return the action that the network plays; of equal ones the first."""
        if f"{state.width}x{state.height}" != self.size:
            raise ValueError(
                f"a network for {self.size}: the board is {state.width}x{state.height}"
            )
        board = batch.from_tiles([state.position().board])
        if not state.attacks:
            return int(self._slides(board)[:, 0].argmax())
        actions = np.flatnonzero(batch.legal(board, "attacker", state.rules)[0])
        placed = batch.place_each(np.repeat(board, len(actions), 0), actions, state.rules)
        best = self._slides(placed).max(0)
        return int(actions[np.where(np.isneginf(best), 0.0, best).argmin()])

    def _slides(self, boards: Boards) -> NDArray[np.float64]:
        """Return the points that each slide is worth, shape (4, n); minus infinity if illegal."""
        after, points, legal = batch.slides(boards)
        values = self.values(after.reshape(-1, *after.shape[2:])).reshape(points.shape)
        return np.where(legal, points + values, -np.inf)


def open_network(path: str | Path) -> Network | NTupleNetwork:
    """Open a network of either kind. A faulty file is a ValueError."""
    try:
        with Path(path).open("rb") as file:
            tuples = file.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    return NTupleNetwork(path) if tuples else Network(path)


def _places(cells: list[int], columns: int, rows: int) -> Iterator[NDArray[np.int64]]:
    """Yield where the images of a tuple are: the cells that it reads there, in all its orders.

    The weight is that of the order with the least number. Cells count in rows of four.
    """
    board = np.arange(columns * rows).reshape(rows, columns)
    orders: dict[frozenset[int], list[list[int]]] = {}
    for image in batch.images(board[None]):
        read = [int(image[0, cell // 4, cell % 4]) for cell in cells]
        orders.setdefault(frozenset(read), []).append(read)
    return (np.array(place) for place in orders.values())


def _read(content: bytes) -> tuple[dict[str, Any], bytes]:
    """Read the header and the weights of a file."""
    if not content.startswith(MAGIC):
        raise ValueError("it is not an n-tuple network of version 1")
    (length,) = struct.unpack_from("<I", content, len(MAGIC))
    (checksum,) = struct.unpack("<I", content[-4:])
    if _castagnoli(content[:-4]) != checksum:
        raise ValueError("the checksum is wrong: the file is damaged")
    start = len(MAGIC) + 4
    header, body = json.loads(content[start : start + length]), content[start + length : -4]
    return header, zlib.decompress(body, wbits=-15) if header["packed"] else body


def _dense(text: bytes, length: int) -> NDArray[np.int16]:
    """Return all weights of a text."""
    if len(text) != 2 * length:
        raise ValueError("its weights are incomplete or too many")
    return np.frombuffer(text, "<i2")


def _sparse(text: bytes, length: int) -> NDArray[np.int16]:
    """Return all weights, of a text with the weights that are not 0.

    It has their number, their low bytes, their high bytes, and the distance of each from the one
    before. Numbers have seven bits a byte, the least first; a last byte is below 128.
    """
    numbers = np.frombuffer(text, np.uint8)
    (count,), used = _varints(numbers[:10], 1)
    if len(text) - used < 3 * count:
        raise ValueError("its weights are incomplete")
    low, high, gaps = np.split(numbers[used:], [count, 2 * count])
    steps, used = _varints(gaps, count)
    places = steps.cumsum() - 1
    if used != len(gaps) or (count and (steps.min() < 1 or places[-1] >= length)):
        raise ValueError("its weights have no place")
    weights = np.zeros(length, np.uint16)
    weights[places] = low | high.astype(np.uint16) << 8
    return weights.view(np.int16)


def _varints(text: NDArray[np.uint8], count: int) -> tuple[NDArray[np.int64], int]:
    """Return the first numbers of a text, and how many bytes they have."""
    ends = np.flatnonzero(text < 128)[:count] + 1
    if len(ends) < count:
        raise ValueError("its weights are incomplete")
    used = int(ends[-1]) if count else 0
    starts = np.concatenate([[0], ends])[:count]
    shifts = 7 * (np.arange(used) - np.repeat(starts, ends - starts))
    digits = (text[:used] & 127).astype(np.int64) << shifts
    return np.add.reduceat(digits, starts) if count else digits, used


@cache
def _crc_table() -> list[int]:
    table = list(range(256))
    for _ in range(8):
        table = [number >> 1 ^ (0x82F63B78 if number & 1 else 0) for number in table]
    return table


def _castagnoli(content: bytes) -> int:
    """Return the CRC-32C."""
    table, crc = _crc_table(), 0xFFFFFFFF
    for byte in content:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF
