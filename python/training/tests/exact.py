"""All positions of a small solo game: the value of perfect play, and of any other."""

from collections.abc import Callable, Iterator

import jax
import numpy as np
from numpy.typing import NDArray
from versus2048.jax.game import Game

Boards = NDArray[np.int8]


class Exact:
    """The positions that can be reached from the empty board, by the game's own functions.

    For some thousands of positions: 2x2, at most 3x2.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._slide = jax.jit(game.slide)
        self.after: list[Boards] = [np.asarray(game.empty())]
        """The boards after a slide, which the numbers below count; first the empty one."""
        self.boards: list[Boards] = []
        """The boards before a slide."""
        self.chances: list[list[tuple[float, int]]] = []
        """Of each board after a slide: the probabilities of the next boards."""
        self.slides: list[dict[int, tuple[int, int]]] = []
        """Of each board before a slide: by a legal slide the points, and the next board."""
        self._explore()
        sums = [int((2 ** after.astype(int))[after > 0].sum()) for after in self.after]
        self._latest_first = np.argsort(sums)[::-1]

    def perfect(self) -> NDArray[np.float64]:
        """Return the values of the boards after a slide."""
        return self._values(
            lambda board, values: max(gain + values[j] for gain, j in self.slides[board].values())
        )

    def of(self, choose: Callable[[Boards], NDArray[np.int32]]) -> NDArray[np.float64]:
        """Return the values if slides are chosen so: from boards (n, ...) to numbers (n,)."""
        chosen = choose(np.stack(self.boards))

        def value(board: int, values: NDArray[np.float64]) -> float:
            gain, j = self.slides[board][int(chosen[board])]
            return gain + float(values[j])

        return self._values(value)

    def _values(self, best: Callable[[int, NDArray[np.float64]], float]) -> NDArray[np.float64]:
        values = np.zeros(len(self.after))
        for i in self._latest_first:
            values[i] = sum(p * best(b, values) for p, b in self.chances[i] if self.slides[b])
        return values

    def _explore(self) -> None:
        after = {self.after[0].tobytes(): 0}
        boards: dict[bytes, int] = {}
        for start in self.after:  # it grows
            following = []
            for probability, board in self._placements(start):
                number = boards.setdefault(board.tobytes(), len(boards))
                following.append((probability, number))
                if number == len(self.boards):
                    self.boards.append(board)
                    self.slides.append(self._slides(board, after))
            self.chances.append(following)

    def _placements(self, after: Boards) -> Iterator[tuple[float, Boards]]:
        cells = np.argwhere(after == 0)
        for y, x in cells:
            for exponent, probability in ((1, 0.9), (2, 0.1)):
                board = after.copy()
                board[y, x] = exponent
                yield probability / len(cells), board

    def _slides(self, board: Boards, after: dict[bytes, int]) -> dict[int, tuple[int, int]]:
        boards, gains, legal = (np.asarray(a) for a in self._slide(board))
        found = {}
        for slide in np.flatnonzero(legal):
            number = after.setdefault(boards[slide].tobytes(), len(after))
            if number == len(self.after):
                self.after.append(boards[slide])
            found[int(slide)] = (int(gains[slide]), number)
        return found
