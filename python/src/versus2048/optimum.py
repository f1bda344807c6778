"""The expected score of perfect play against a built-in opponent, on a small board.

An opponent that does not learn makes the game of one role a Markov decision process. It is solved
here by the sum of tiles, which a placement increases and a slide does not. Boards that are equal by
a symmetry count once, since the opponents prefer no direction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from versus2048 import rules as batch
from versus2048.baselines import BASELINES
from versus2048.position import RULES, Ruleset, Side, parse_size
from versus2048.rules import Boards

Keys = NDArray[np.int64]
"""Numbers of boards, one for all that are equal by a symmetry."""
Values = NDArray[np.float64]
Places = NDArray[np.intp]

PERFECT = "perfect"
MOST_CELLS = 9


def optimum(
    role: Side = "defender",
    opponent: str = "random",
    rules: Ruleset = "gpcc2015",
    size: str = "3x2",
) -> float:
    """Return the expected score of a game from the empty board in which ``role`` plays perfectly.

    Up to 6 cells take seconds, 3x3 minutes.

    Args:
        role: attacker, which wants a low score, or defender, which wants a high one.
        opponent: random, greedy or expectimax; chance for a defender; or perfect.
        rules: gpcc2015, gpcc2016 or solo.
        size: columns x rows, up to 9 cells.

    """
    policies: dict[Side, str] = {"attacker": opponent, "defender": opponent}
    policies[role] = PERFECT
    return value(policies["attacker"], policies["defender"], rules, size)


def value(attacker: str, defender: str, rules: Ruleset = "gpcc2015", size: str = "3x2") -> float:
    """Return the expected score of a game between bots, which are named as in :func:`optimum`."""
    for side, name in (("attacker", attacker), ("defender", defender)):
        names = (*BASELINES, PERFECT, *(("chance",) if side == "attacker" else ()))
        if name not in names:
            raise ValueError(f"{side} {name!r}: want {', '.join(names)}")
    if rules not in RULES:
        raise ValueError(f"rules {rules!r}: want {', '.join(RULES)}")
    if attacker == "chance" and rules == "gpcc2015":
        raise ValueError("attacker 'chance' places 4s: want rules gpcc2016 or solo")
    columns, rows = parse_size(size)
    if columns * rows > MOST_CELLS:
        raise ValueError(f"size {size}: want at most {MOST_CELLS} cells")
    return _Process({"attacker": attacker, "defender": defender}, rules, columns, rows).solve()


class _Process:
    """The game of two bots. Layers are boards with one sum of tiles and the attacker to move."""

    def __init__(self, bots: dict[Side, str], rules: Ruleset, columns: int, rows: int) -> None:
        self._bots, self._rules = bots, rules
        self._board = (rows, columns)
        cells = np.arange(rows * columns).reshape(rows, columns)
        turned = [np.rot90(cells, quarters) for quarters in range(4)]
        images = [image for board in turned for image in (board, board[:, ::-1])]
        self._digits = np.int64(batch.PLANES) ** np.arange(cells.size, dtype=np.int64)
        same = [image.reshape(-1) for image in images if image.shape == cells.shape]
        self._images = np.stack([self._digits[image] for image in same], axis=1)

    def solve(self) -> float:
        """Return the value of the empty board."""
        solved: dict[int, tuple[Keys, Values]] = {}
        for total, keys in sorted(self._layers().items(), reverse=True):
            solved[total] = keys, self._values(keys, total, solved)
            solved.pop(total + 6, None)  # a placement is a 2 or a 4
        return float(solved[0][1][0])

    def _layers(self) -> dict[int, Keys]:
        """Return all layers by their sums."""
        layers = {0: np.zeros(1, np.int64)}
        waiting = {0}
        while waiting:
            waiting.remove(total := min(waiting))
            for tile, (_, _, placed, _) in self._placements(layers[total]).items():
                weights, _, after = self._slides(placed)
                if len(reached := np.unique(after[weights > 0])):
                    waiting.add(total + tile)
                    layers[total + tile] = np.union1d(layers.get(total + tile, reached), reached)
        return layers

    def _values(self, keys: Keys, total: int, solved: dict[int, tuple[Keys, Values]]) -> Values:
        """Return the values of a layer from those of later ones."""
        weights = self._weights(self._boards(keys), "attacker")
        values = np.zeros(weights.shape)
        for tile, (parent, action, placed, index) in self._placements(keys).items():
            likely, points, after = self._slides(placed)
            later, known = solved.get(total + tile, (np.zeros(1, np.int64), np.zeros(1)))
            found = np.minimum(np.searchsorted(later, after), len(later) - 1)
            best = self._expected(likely, points + known[found], "defender")
            values[parent, action] = best[index]
        return self._expected(weights, values, "attacker")

    def _placements(self, keys: Keys) -> dict[int, tuple[Places, Places, Boards, Places]]:
        """Return the placements of each tile in a layer.

        Boards, actions, the different boards after them, and which of these each placement makes.
        """
        boards = self._boards(keys)
        parent, action = np.nonzero(self._weights(boards, "attacker"))
        after = self._keys(batch.place_each(boards[parent], action, self._rules))
        placements = {}
        for tile in (2, 4):
            its = action // boards[0].size == tile // 2 - 1
            placed, index = np.unique(after[its], return_inverse=True)
            if len(placed):
                placements[tile] = parent[its], action[its], self._boards(placed), index
        return placements

    def _slides(self, boards: Boards) -> tuple[Values, Values, Keys]:
        """Return the weights, the points and the boards after each slide: shape (n, 4)."""
        after, points, _ = batch.slides(boards)
        keys = self._keys(after.reshape(-1, *self._board)).reshape(points.shape)
        return self._weights(boards, "defender"), points.T.astype(float), keys.T

    def _weights(self, boards: Boards, side: Side) -> Values:
        """Return how likely each move is, shape (n, actions): 1 under perfect play."""
        legal, bot = batch.legal(boards, side, self._rules), self._bots[side]
        if bot == PERFECT:
            return legal.astype(float)
        if bot == "chance":
            cells = legal.shape[1] // 2
            tiles = np.where(np.arange(legal.shape[1]) < cells, 0.9, 0.1)
            return np.asarray(legal * tiles * 2 / legal.sum(axis=1, keepdims=True))
        chosen = BASELINES[bot](boards, side, self._rules) & legal  # a mate has none
        return np.asarray(chosen / np.maximum(chosen.sum(axis=1, keepdims=True), 1))

    def _expected(self, weights: Values, values: Values, side: Side) -> Values:
        """Return the value of a side's choice: a mate is worth 0."""
        if self._bots[side] != PERFECT:
            return np.asarray((weights * values).sum(axis=1))
        if side == "attacker":
            return np.asarray(np.where(weights > 0, values, np.inf).min(axis=1))
        best = np.where(weights > 0, values, -np.inf).max(axis=1)
        return np.where(np.isneginf(best), 0, best)

    def _keys(self, boards: Boards) -> Keys:
        cells = boards.reshape(len(boards), len(self._digits)).astype(np.int64)
        return np.asarray((cells @ self._images).min(axis=1))

    def _boards(self, keys: Keys) -> Boards:
        cells = keys[:, None] // self._digits % batch.PLANES
        return cells.astype(np.uint8).reshape(len(keys), *self._board)
