"""A policy that learned in an environment, as a bot for :func:`versus2048.run`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from versus2048.bot import Turn
from versus2048.observation import Observer
from versus2048.position import move_of
from versus2048.state import State


def bot(
    predict: Callable[[Any, Any], Any], flat: bool = False, equal_actions: bool = False
) -> Callable[[Turn], str]:
    """Return a bot that plays the actions of a policy.

    Args:
        predict: from an observation and a mask, bool of shape (actions,), to an action.
        flat: as in the environment in which it learned.
        equal_actions: as in the environment in which it learned.

    """

    def choose(turn: Turn) -> str:
        state, side = State(turn.position), turn.position.side
        observer = Observer(turn.position, flat, equal_actions)
        mask = observer.mask(state, side).astype(bool)
        return move_of(int(predict(observer.see(state, side), mask)), side, turn.position.size)

    return choose
