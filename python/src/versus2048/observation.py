"""The observations and the actions of agents, in all environments."""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np

try:
    from gymnasium import Env as Env
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "the environments need Gymnasium and PettingZoo: pip install 'versus2048[env]'",
        name=error.name,
    ) from None
from numpy.typing import NDArray

from versus2048.position import Position, Side
from versus2048.rules import PLANES, actions_of
from versus2048.state import State


class Observation(TypedDict):
    """The observation of an agent."""

    observation: NDArray[np.int8]
    """Shape (17, rows, columns): 1 where a cell is empty (plane 0) or has the tile 2^k (plane k)"""
    action_mask: NDArray[np.int8]
    """Shape (actions,): 1 for the legal actions; all 0 for the agent that is not to move."""


Seen = Observation | NDArray[np.int8]
"""The observation, or the flat planes alone, shape (17*rows*columns,)."""

_BYTE, _array = np.dtype(np.int8), np.ndarray
_joined = bytearray().join
"""Joins bytes to a new array of bytes."""


class Observer:
    """What the agents of one environment see, and how many actions they have.

    Args:
        position: any position of the environment's rules and size.
        flat: whether observations are the planes alone, as a vector.
        equal_actions: both agents have equally many actions; those that one lacks are illegal.

    """

    def __init__(self, position: Position, flat: bool, equal_actions: bool) -> None:
        columns, rows = position.size
        self.flat = flat
        self._shape = (PLANES, rows, columns)
        self._strides = (columns, PLANES * columns, 1)  # a Line has its planes together
        placements = actions_of("attacker", columns, rows, position.rules)
        self._cells = columns * rows
        self._tiles = placements // self._cells
        least = max(4, placements) if equal_actions else 0
        self._actions: dict[Side, int] = {
            "attacker": max(least, placements),
            "defender": max(least, 4),
        }
        self._more = bytes(self._actions["attacker"] - placements)  # that the defender has
        self._repeated = self._tiles > 1 or bool(self._more)
        self._nothing = {side: np.zeros(n, _BYTE) for side, n in self._actions.items()}
        slides = np.arange(16)[:, None] >> np.arange(self._actions["defender"]) & 1
        self._slides: list[NDArray[np.int8]] = list(slides.astype(_BYTE))  # by State.legal

    def action_space(self, side: Side) -> spaces.Discrete[Any]:
        """Return the actions of a side: 4, or one or two for each cell."""
        return spaces.Discrete(self._actions[side])

    def observation_space(self, side: Side) -> spaces.Space[Any]:
        """Return the space of a side's observations."""
        if self.flat:
            return spaces.Box(0, 1, (int(np.prod(self._shape)),), np.int8)
        return spaces.Dict(
            {
                "observation": spaces.Box(0, 1, self._shape, np.int8),
                "action_mask": spaces.Box(0, 1, (self._actions[side],), np.int8),
            }
        )

    def see(self, state: State, side: Side) -> Seen:
        """Return the observation of a side: new arrays each time."""
        a, b, c, d = state.across
        cells = _joined((a.planes, b.planes, c.planes, d.planes))
        planes = _array(self._shape, _BYTE, cells, 0, self._strides)
        if self.flat:
            return planes.reshape(-1)
        return {"observation": planes, "action_mask": self.mask(state, side)}

    def mask(self, state: State, side: Side) -> NDArray[np.int8]:
        """Return the legal actions of a side, none if it is not to move."""
        if state.attacks != (side == "attacker"):
            return self._nothing[side].copy()
        if not state.attacks:
            return self._slides[state.legal].copy()
        a, b, c, d = state.across
        free = _joined((a.free, b.free, c.free, d.free))
        if self._repeated:
            free = free[: self._cells] * self._tiles + self._more
        return _array(self._actions["attacker"], _BYTE, free)
