"""Opponents for the other role in an environment: small bots, networks, or any program."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from random import Random
from typing import Protocol

import numpy as np

from versus2048.position import Position, Side, move_of
from versus2048.state import State

Chooser = Callable[[Position, np.random.Generator], str]
"""Returns a legal move of a position that is not over; the generator makes random choices."""


class Opponent(Protocol):
    """A player of one role, for one game at a time."""

    def new_game(self, position: Position, role: Side, seed: int) -> None:
        """Begin a game at a position; all random choices of the game follow from the seed."""

    def choose(self, position: Position, last: str | None) -> str:
        """Return a legal move. The other side's last move is None if it has not moved yet."""

    def close(self) -> None:
        """End the processes that the opponent has started."""


class Function:
    """An opponent that is a function of the position."""

    def __init__(self, chooser: Chooser) -> None:
        self._chooser = chooser
        self._rng = np.random.default_rng(0)

    def new_game(self, position: Position, role: Side, seed: int) -> None:
        """Begin a game."""
        self._rng = np.random.default_rng(seed)

    def choose(self, position: Position, last: str | None) -> str:
        """Return a legal move."""
        return self._chooser(position, self._rng)

    def close(self) -> None:
        """Do nothing."""


Actor = Callable[[State, Callable[[], float]], int]
"""Returns a legal action of a state; the function draws numbers from 0 to 1."""


class BuiltIn:
    """An opponent that looks at an environment's state itself, which is quick."""

    def __init__(self, actor: Actor) -> None:
        self._actor = actor
        self._random = Random(0)

    def new_game(self, position: Position, role: Side, seed: int) -> None:
        """Begin a game."""
        self._random = Random(seed)

    def act(self, state: State) -> int:
        """Return a legal action, without changing the state."""
        return self._actor(state, self._random.random)

    def choose(self, position: Position, last: str | None) -> str:
        """Return a legal move."""
        return _move(self._actor, position, self._random.random)

    def close(self) -> None:
        """Do nothing."""


def uniform(position: Position, rng: np.random.Generator) -> str:
    """Draw uniformly from the legal moves: the bot ``random``."""
    return _move(act_uniformly, position, rng.random)


def greedy(position: Position, rng: np.random.Generator) -> str:
    """Look one slide ahead at the score; equal moves are drawn: the bot ``greedy``.

    The defender takes the slide with the highest score. The attacker takes the placement that
    leaves the best slide the lowest score; a mate counts as the lowest.
    """
    return _move(act_greedily, position, rng.random)


def expectimax(position: Position, rng: np.random.Generator) -> str:
    """Look two slides ahead, with chance between them; equal moves are drawn.

    A position is worth its score and its empty cells. The attacker takes the placement that leaves
    the defender the least by this measure.
    """
    return _move(act_by_expectimax, position, rng.random)


def chance(position: Position, rng: np.random.Generator) -> str:
    """Place as the solo game does: an empty cell, a 2 in nine cases of ten."""
    return _move(act_by_chance, position, rng.random)


def _move(actor: Actor, position: Position, random: Callable[[], float]) -> str:
    return move_of(actor(State(position), random), position.side, position.size)


def act_uniformly(state: State, random: Callable[[], float]) -> int:
    """Draw an action as :func:`uniform` does."""
    if state.attacks:
        empty = state.empty
        four, n = divmod(int(random() * empty * state.tiles), empty)
        return _placement(state, n, four)
    actions = state.actions()
    return actions[int(random() * len(actions))]


def act_by_chance(state: State, random: Callable[[], float]) -> int:
    """Draw a placement as :func:`chance` does."""
    return _placement(state, int(random() * state.empty), random() < 0.1)


def _placement(state: State, n: int, four: int) -> int:
    return four * state.width * state.height + state.nth_empty(n)


def act_greedily(state: State, random: Callable[[], float]) -> int:
    """Choose an action as :func:`greedy` does."""
    if not state.attacks:
        return _best(state.actions(), state.points, random)
    return _best(state.actions(), lambda action: -_most_points(_after(state, action)), random)


def act_by_expectimax(state: State, random: Callable[[], float]) -> int:
    """Choose an action as :func:`expectimax` does."""
    if not state.attacks:
        return _best(state.actions(), lambda action: _expected(_after(state, action)), random)
    return _best(state.actions(), lambda action: -_slid_value(_after(state, action)), random)


def _best(actions: list[int], value: Callable[[int], float], random: Callable[[], float]) -> int:
    """Return an action of the highest value, drawn from all of these."""
    values = [value(action) for action in actions]
    most = max(values)
    best = [action for action, v in zip(actions, values, strict=True) if v == most]
    return best[int(random() * len(best))]


def _after(state: State, action: int) -> State:
    after = state.copy()
    after.play(action)
    return after


def _most_points(state: State) -> int:
    """Return the points of the best slide, -1 if the defender is mated."""
    return max(map(state.points, state.actions()), default=-1)


def _expected(state: State) -> float:
    """Return the expected value of a position in which chance places a tile."""
    actions = state.actions()
    values = [_slid_value(_after(state, action)) for action in actions]
    empty, twos, fours = state.empty, values[: state.empty], values[state.empty :]
    return (9 * sum(twos) + sum(fours)) / (10 * empty) if fours else sum(twos) / empty


CELL = 16
"""The points that an empty cell is worth to expectimax."""


def _slid_value(state: State) -> float:
    """Return the value of a position after its best slide, its score alone if there is none."""
    values = [after.score + CELL * after.empty
              for after in (_after(state, slide) for slide in state.actions())]  # fmt: skip
    return max(values, default=state.score)


BUILT_IN: dict[str, Actor] = {
    "random": act_uniformly,
    "greedy": act_greedily,
    "expectimax": act_by_expectimax,
    "chance": act_by_chance,
}


def make(opponent: str | Chooser | Opponent) -> Opponent:
    """Return the opponent for a name, or for a function of a position and a generator.

    ``random``, ``greedy``, ``expectimax`` and ``chance`` are built in. ``network:FILE`` is a
    trained network (:mod:`versus2048.networks`, :mod:`versus2048.ntuples`). ``exec:COMMAND`` is any
    program that speaks the line protocol, such as ``exec:bot stdio evminimax``.
    """
    if not isinstance(opponent, str):
        return Function(opponent) if callable(opponent) else opponent
    if opponent.startswith("exec:"):
        from versus2048.engine import Engine

        try:
            command = shlex.split(opponent.removeprefix("exec:"))
        except ValueError as error:
            raise ValueError(f"opponent {opponent!r}: {error}") from error
        return Engine(command)
    if opponent.startswith("network:"):
        from versus2048.ntuples import open_network

        return BuiltIn(open_network(opponent.removeprefix("network:")).act)
    if opponent not in BUILT_IN:
        names = ", ".join(BUILT_IN)
        raise ValueError(f"opponent {opponent!r}: want {names}, network:FILE or exec:COMMAND")
    return BuiltIn(BUILT_IN[opponent])
