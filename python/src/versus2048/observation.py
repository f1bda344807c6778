"""The observations and the legal actions of agents, in all environments."""

from __future__ import annotations

from functools import cache
from typing import Any, TypedDict

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from versus2048.position import Position, Side
from versus2048.rules import PLANES, actions_of


class Observation(TypedDict):
    """The observation of an agent."""

    observation: NDArray[np.int8]
    """Shape (17, rows, columns): 1 where a cell is empty (plane 0) or has the tile 2^k (plane k)"""
    action_mask: NDArray[np.int8]
    """Shape (actions,): 1 for the legal actions; all 0 for the agent that is not to move."""


def action_space(position: Position, side: Side) -> spaces.Discrete[Any]:
    """Return the actions of a side: 4, or one or two for each cell."""
    return spaces.Discrete(actions_of(side, *position.size, position.rules))


def observation_space(position: Position, side: Side) -> spaces.Dict:
    """Return the space of a side's observations on boards of the position's size."""
    columns, rows = position.size
    actions = actions_of(side, columns, rows, position.rules)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (PLANES, rows, columns), np.int8),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def observe(position: Position, side: Side) -> Observation:
    """Return the observation of a side in a position."""
    mask = np.zeros(actions_of(side, *position.size, position.rules), np.int8)
    if position.side == side:
        mask[position.actions()] = 1
    return {"observation": _planes(position), "action_mask": mask}


def _planes(position: Position) -> NDArray[np.int8]:
    columns, rows = position.size
    planes = np.zeros((PLANES, rows * columns), np.int8)
    tiles = [tile for row in position.board for tile in row]
    planes[[_EXPONENT[tile] for tile in tiles], _cells(len(tiles))] = 1
    return planes.reshape(PLANES, rows, columns)


_EXPONENT = {0: 0} | {1 << k: k for k in range(1, PLANES)}


@cache
def _cells(n: int) -> NDArray[np.intp]:
    return np.arange(n)
