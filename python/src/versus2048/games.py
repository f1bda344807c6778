"""Recorded games: all of them as tables, each one as arrays; notebooks show both as pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from versus2048 import rules as batch
from versus2048 import tables
from versus2048.drawing import as_svg
from versus2048.position import Position, action_of
from versus2048.standings import Standings


@dataclass(frozen=True)
class Game:
    """A recorded game. The arrays have an entry for each ply; boards and scores have one more."""

    row: dict[str, Any]
    """Its row of the table of games."""
    _plies: pa.Table
    _searches: pa.Table

    @cached_property
    def moves(self) -> list[str]:
        """The moves in their notation."""
        return self._plies["move"].to_pylist()  # type: ignore[no-any-return]

    @cached_property
    def actions(self) -> NDArray[np.int64]:
        """The moves as actions of the environments."""
        size = self._size
        return np.array([action_of(move, size) for move in self.moves], np.int64)

    @cached_property
    def attacks(self) -> NDArray[np.bool_]:
        """Whether the attacker moved."""
        return np.array([side == "attacker" for side in self._plies["side"].to_pylist()], np.bool_)

    @cached_property
    def boards(self) -> NDArray[np.uint8]:
        """The boards from the first to the last one, exponents of shape (plies + 1, rows, columns).

        They are those of :mod:`versus2048.rules`.
        """
        columns, rows = self._size
        joined = b"".join(self._plies["board"].to_pylist())
        before = np.frombuffer(joined, np.uint8).reshape(-1, rows, columns)
        if not len(before):
            return batch.from_tiles([self._start.board])
        board, action = before[-1:], self.actions[-1:]
        if self.attacks[-1]:
            last = batch.place_each(board, action, self.row["rules"])
        else:
            last, _ = batch.slide_each(board, action)
        return np.concatenate([before, last])

    @cached_property
    def scores(self) -> NDArray[np.int32]:
        """The defender's scores on these boards; their differences are the defender's rewards."""
        return np.array([*self._plies["score"].to_pylist(), self.row["score"]], np.int32)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """What the searches of the players expected of the moves played; NaN without a report."""
        values = np.full(len(self.moves), np.nan)
        for report in self._searches.select(["ply", "moves"]).to_pylist():
            played = self.moves[report["ply"]]
            values[report["ply"]] = next(
                (move["value"] for move in report["moves"] if move["move"] == played), np.nan
            )
        return values

    @cached_property
    def positions(self) -> list[Position]:
        """The positions as values, one more than moves."""
        positions = [self._start]
        for move in self.moves:
            positions.append(positions[-1].play(move))
        return positions

    @property
    def _start(self) -> Position:
        return Position.parse(self.row["start"], self.row["rules"])

    @property
    def _size(self) -> tuple[int, int]:
        return self._start.size

    def _repr_html_(self) -> str:
        row = self.row
        facts = (
            f"game {row['game']} of {row['event']}: {row['attacker']} attacks, {row['defender']} "
            f"defends, {row['rules']}, {row['size']}; score {row['score']} in {row['plies']} plies"
            f", {row['ending']}"
        )
        board = as_svg(self.positions[-1])
        return f"<figure>{board}<figcaption>{escape(facts)}</figcaption></figure>"


@dataclass(frozen=True)
class Games:
    """The games of one or several events, or of records: an iterable of :class:`Game`.

    The Arrow tables ``games``, ``plies`` and ``searches`` have all of them (``docs/PARQUET.md``).
    """

    games: pa.Table
    plies: pa.Table
    searches: pa.Table

    def __len__(self) -> int:
        return len(self.games)

    def __iter__(self) -> Iterator[Game]:
        for rows in self.games.to_batches(max_chunksize=256):
            for row in rows.to_pylist():
                yield Game(
                    row, self._of(self._plies, row["game"]), self._of(self._reports, row["game"])
                )

    def game(self, number: int) -> Game:
        """Return the game of that number. ValueError if there is none."""
        rows = self.games.filter(pc.equal(self.games["game"], number)).to_pylist()
        if not rows:
            raise ValueError(f"game {number}: there is none in these tables")
        return Game(rows[0], self._of(self._plies, number), self._of(self._reports, number))

    def standings(self) -> Standings:
        """Return the standings of the bots by their matches; a notebook shows them as a table."""
        return Standings.of(self.games.to_pylist())

    def write(self, folder: str | Path) -> None:
        """Write games.parquet, plies.parquet and searches.parquet, replacing existing files."""
        tables.write((self.games, self.plies, self.searches), Path(folder))

    def _repr_html_(self) -> str:
        counts = (
            f"{len(self.games):,} games, {len(self.plies):,} plies, {len(self.searches):,} searches"
        )
        return f"<p>{counts}</p>{self.standings()._repr_html_()}"

    @cached_property
    def _plies(self) -> tuple[pa.Table, NDArray[np.int64]]:
        return _numbered(self.plies)

    @cached_property
    def _reports(self) -> tuple[pa.Table, NDArray[np.int64]]:
        return _numbered(self.searches)

    @staticmethod
    def _of(numbered: tuple[pa.Table, NDArray[np.int64]], game: int) -> pa.Table:
        table, numbers = numbered
        first, end = np.searchsorted(numbers, [game, game + 1])
        return table.slice(first, end - first)


def _numbered(table: pa.Table) -> tuple[pa.Table, NDArray[np.int64]]:
    """Return the rows in the order of games and plies, and the number of the game of each."""
    numbers = table["game"].to_numpy()
    if (numbers[1:] < numbers[:-1]).any():
        table = table.sort_by([("game", "ascending"), ("ply", "ascending")])
        numbers = table["game"].to_numpy()
    return table, numbers
