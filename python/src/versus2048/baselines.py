"""The bots random, greedy and expectimax for many boards at once: baselines, and opponents.

Each is a function from boards, a side and rules to the moves among which it draws, bool of shape
(n, actions). :mod:`versus2048.opponents` has the same bots for one game.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from versus2048 import rules as batch
from versus2048.opponents import CELL
from versus2048.position import Ruleset, Side
from versus2048.rules import Boards, Flags

Moves = Callable[[Boards, Side, Ruleset], Flags]
"""Returns the moves that a bot may play; every board needs a legal one."""
Values = NDArray[np.float64]


def greedy(boards: Boards, side: Side, rules: Ruleset) -> Flags:
    """Return the moves of the bot ``greedy``: most points, or fewest for the best answer."""
    if side == "defender":
        _, points, legal = batch.slides(boards)
        return _best(np.where(legal, points, -np.inf).T)
    return _best(_placed(boards, rules, lambda after: -_slid(after, 0, -1)))


def expectimax(boards: Boards, side: Side, rules: Ruleset) -> Flags:
    """Return the moves of the bot ``expectimax``, which looks two slides ahead."""
    if side == "attacker":
        return _best(_placed(boards, rules, lambda after: -_slid(after, CELL, 0)))
    after, points, legal = batch.slides(boards)
    values = np.full(legal.shape, -np.inf)
    values[legal] = points[legal] + _expected(after[legal], rules)
    return _best(values.T)


BASELINES: dict[str, Moves] = {"random": batch.legal, "greedy": greedy, "expectimax": expectimax}


def _best(values: Values) -> Flags:
    return np.asarray(values == values.max(axis=1, keepdims=True))


def _placed(boards: Boards, rules: Ruleset, value: Callable[[Boards], Values]) -> Values:
    """Return the values of the boards after each placement, minus infinity for an illegal one."""
    legal = batch.legal(boards, "attacker", rules)
    parent, action = np.nonzero(legal)
    values = np.full(legal.shape, -np.inf)
    values[parent, action] = value(batch.place_each(boards[parent], action, rules))
    return values


def _slid(boards: Boards, cell: int, mate: float) -> Values:
    """Return the best slide's points plus ``cell`` for each empty cell after it, or ``mate``."""
    after, points, legal = batch.slides(boards)
    empty = (after == 0).sum(axis=(2, 3))
    best = np.where(legal, points + cell * empty, -np.inf).max(axis=0)
    return np.asarray(np.where(legal.any(axis=0), best, mate))


def _expected(boards: Boards, rules: Ruleset) -> Values:
    """Return the expected values of boards on which chance places a tile."""
    values = _placed(boards, rules, lambda after: _slid(after, CELL, 0))
    values[np.isneginf(values)] = 0
    cells = boards.shape[1] * boards.shape[2]
    empty = (boards == 0).sum(axis=(1, 2))
    twos, fours = values[:, :cells].sum(axis=1), values[:, cells:].sum(axis=1)
    return np.asarray(twos / empty if rules == "gpcc2015" else (9 * twos + fours) / (10 * empty))
