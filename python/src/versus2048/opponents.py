"""Opponents for the other role in an environment: small bots of our own, or any program."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Protocol

import numpy as np

from versus2048.position import Position, Side

Chooser = Callable[[Position, np.random.Generator], str]
"""Returns a legal move of a position that is not over; its random choices are of the generator."""


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


def uniform(position: Position, rng: np.random.Generator) -> str:
    """Draw uniformly from the legal moves: the bot ``random``."""
    moves = position.moves()
    return moves[rng.integers(len(moves))]


def greedy(position: Position, rng: np.random.Generator) -> str:
    """Look one slide ahead at the score; equal moves are drawn: the bot ``greedy``.

    The defender takes the slide with the highest score. The attacker takes the placement that
    leaves the best slide the lowest score; a mate counts as the lowest.
    """
    moves = position.moves()
    drawn: list[str] = [moves[i] for i in rng.permutation(len(moves))]
    if position.side == "defender":
        return max(drawn, key=lambda move: position.play(move).score)
    return min(drawn, key=lambda move: _best_slide(position.play(move)))


def _best_slide(position: Position) -> int:
    """Return the score after the best slide, -1 if the defender is mated."""
    return max((position.play(move).score for move in position.moves()), default=-1)


def chance(position: Position, rng: np.random.Generator) -> str:
    """Place as the solo game does: an empty cell, a 2 in nine cases of ten."""
    cells = [move for move in position.moves() if move.count(",") == 1]
    cell = cells[rng.integers(len(cells))]
    return cell if rng.random() >= 0.1 else cell[:-1] + ",4)"


BUILT_IN: dict[str, Chooser] = {"random": uniform, "greedy": greedy, "chance": chance}


def make(opponent: str | Chooser | Opponent) -> Opponent:
    """Return the opponent that is named.

    ``random`` and ``greedy`` are built in. ``exec:COMMAND`` is any program that speaks the line
    protocol, such as ``exec:bot stdio evminimax`` or ``exec:python3 mine.py``. A function of a
    position and a generator is an opponent as well.
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
    if opponent not in BUILT_IN:
        raise ValueError(f"opponent {opponent!r}: want {', '.join(BUILT_IN)} or exec:COMMAND")
    return Function(BUILT_IN[opponent])
