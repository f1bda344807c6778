"""The search of the bot ``muzero``, in the model of the game that its network has learned.

It is that of Stochastic MuZero (Antonoglou et al. 2022), as package ``players/puct`` has it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from versus2048.rules import Boards

if TYPE_CHECKING:
    from versus2048.networks import Network, Numbers

SIMULATIONS = 16
"""The states that a search visits, as many as in training."""
_BASE, _INIT = 19652, 1.25  # how soon the weight of priors grows, and from where


class _Node:
    """A state of the model, with the slides from it, or the codes of what chance may do.

    The model does not know which slides are legal: that is given where it is known, at the root.
    """

    def __init__(
        self,
        network: Network,
        state: Numbers,
        score: float = 0.0,
        chance: bool = False,
        legal: Sequence[int] | slice = slice(None),
    ) -> None:
        self.state, self.chance = state, chance
        policy, value = ("chance", "afterstate_value") if chance else ("policy", "value")
        gained = float(network.points("reward", state)[0]) if chance else 0.0
        self.score = score + gained  # of the slides from the root on, as the model expects it
        self.promise = self.score + float(network.points(value, state)[0])
        logits = network.compute(policy, state)[0]
        self.priors, self.visits, self.totals = np.zeros((3, len(logits)))
        weights = np.exp(logits[legal] - logits[legal].max())
        self.priors[legal] = weights / weights.sum()
        self.children: dict[int, _Node] = {}

    def values(self) -> NDArray[np.float64]:
        """Return the mean promise of each choice, 0 before its first visit."""
        return np.asarray(self.totals / np.maximum(self.visits, 1))

    def followed(self) -> int:
        """Return the choice that the search follows."""
        if self.chance:  # the one that came up least for its probability
            return int((self.priors / (self.visits + 1)).argmax())
        visits = 1 + self.visits.sum()
        tried, values = self.visits > 0, self.values()
        known = [*values[tried], (self.promise + self.totals.sum()) / visits]
        low, span = min(known), max(known) - min(known)
        scaled = np.where(tried, (values - low) / span, 0.0) if span > 1e-9 else 0.0
        weight = (_INIT + math.log((1 + visits + _BASE) / _BASE)) * math.sqrt(visits)
        return int((scaled + weight * self.priors / (1 + self.visits)).argmax())


def best_slide(network: Network, board: Boards, legal: list[int]) -> int:
    """Return the legal slide that the search prefers, of a board of shape (1, rows, columns)."""
    root = _Node(network, network.compute("representation", board), legal=legal)
    for _ in range(SIMULATIONS):
        _simulate(network, root)
    values = root.values()
    return max(legal, key=lambda slide: (root.visits[slide], values[slide], root.priors[slide]))


def _simulate(network: Network, node: _Node) -> float:
    """Go from a node to a new one; return the promise of the new one."""
    choice = node.followed()
    if choice in node.children:
        promise = _simulate(network, node.children[choice])
    else:
        child = node.children[choice] = _after(network, node, choice)
        promise = child.promise
    node.visits[choice] += 1
    node.totals[choice] += promise
    return promise


def _after(network: Network, node: _Node, choice: int) -> _Node:
    chosen = np.eye(1, len(node.priors), choice, np.float32)
    function = "dynamics" if node.chance else "afterstate"
    state = network.compute(function, np.concatenate([node.state, chosen], -1))
    return _Node(network, state, node.score, not node.chance)
