"""The limits of players/neural, so that no run learns a network that the arena would refuse.

docs/NETWORKS.md lists them. Here are the limits of a network's file, and of the memory that its
outputs take for a board; other modules have those of descriptions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from training.layers import Conv, Dense, Layer, Shape
from training.nested import Canonical, Residual, Symmetries

MOST_BYTES = 64 << 20
"""Of a file."""
MOST_HEADER = 1 << 20
"""Bytes of a file's header."""
MOST_TENSORS = 4096
MOST_BOARD_BYTES = 16 << 20
"""That the outputs of all layers take for a board."""
_LANES = 16
"""The channels of a cell are padded to a multiple of as many."""


def check_tensors(shapes: Mapping[str, Sequence[int]], half: bool) -> None:
    """Look at a network's tensors. ValueError if their file would be too large."""
    if len(shapes) > MOST_TENSORS:
        raise ValueError(f"{len(shapes)} tensors: want at most {MOST_TENSORS}, fewer layers")
    need = (2 if half else 4) * sum(map(math.prod, shapes.values()))
    most = MOST_BYTES - MOST_HEADER - 8  # with its length, a header of any kind has room
    if need > most:
        wanted = "fewer weights" if half else "fewer weights, or [run] half = true"
        raise ValueError(f"weights of {need:,} bytes: want at most {most:,}; {wanted}")


def check_room(need: int) -> None:
    """Look at the bytes that a network takes for a board. ValueError if they are too many."""
    if need > MOST_BOARD_BYTES:
        wanted = f"want at most {MOST_BOARD_BYTES:,}; fewer or smaller layers"
        raise ValueError(f"its layers take {need:,} bytes for a board: {wanted}")


@dataclass
class Room:
    """The memory that functions take for one board, as players/neural/layer.go lays it out."""

    images: int
    """The symmetries of the board."""
    numbers: int = 0
    """Of 32 bits, in all outputs."""
    rows: int = 0
    """Pairs of a cell of a linear layer's input and one of its output."""
    picks: int = 0
    """The same of a layer that sees the board; all of these share their memory."""

    def bytes(self, cells: int) -> int:
        """Return how much that is on a board with so many cells."""
        return 4 * self.numbers + 8 * (self.rows + self.picks) + 16 * cells

    def add(self, layers: tuple[Layer, ...], source: Shape, output: Shape, board: bool) -> None:
        """Count a function; board says whether it sees the board."""
        if not board:
            self.numbers += _padded(source)
        self._list(layers, source, board, 1)
        self.numbers += math.prod(output)

    def _list(self, layers: tuple[Layer, ...], shape: Shape, board: bool, images: int) -> None:
        """Count layers that follow each other, of so many images of a board."""
        if not isinstance(layers[0], Conv | Dense | Symmetries | Canonical):
            # They would change their input: a shared input is copied, a board is written out.
            if board or not isinstance(layers[0], Residual):
                self.numbers += images * _padded(shape)
            board = False
        for i, layer in enumerate(layers):
            match layer:
                case Residual():
                    self._list(layer.layers, shape, False, images)
                case Symmetries():
                    self._list(layer.layers, shape, True, self.images)
                case Canonical():
                    self._list(layer.layers, shape, True, images)
                case Conv() | Dense():
                    self._linear(layer, shape, board and i == 0, images)
            shape = layer.shape(shape)

    def _linear(self, layer: Conv | Dense, shape: Shape, board: bool, images: int) -> None:
        """Count a layer of products: a matrix for each cell of its filter."""
        self.numbers += images * _padded(layer.shape(shape))
        reached = [1] * math.prod(shape[:-1])  # each cell of a dense layer's input, once
        if isinstance(layer, Conv):
            reached = layer.reached(shape)
        self.rows += images * sum(reached)
        if board:
            self.picks = max(self.picks, 2 * images * max(reached))


def _padded(shape: Shape) -> int:
    """Return how many numbers data of a shape take in memory."""
    return math.prod(shape[:-1]) * -(-shape[-1] // _LANES) * _LANES
