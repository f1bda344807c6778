"""Recorded games: all of them as tables, each one as arrays; notebooks show both as pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
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
        size = self._start.size
        return np.array([_action(move, size) for move in self.moves], np.int64)

    @cached_property
    def attacks(self) -> NDArray[np.bool_]:
        """Whether the attacker moved."""
        return _numbers(pc.equal(self._plies["side"], "attacker"))

    @cached_property
    def boards(self) -> NDArray[np.uint8]:
        """The boards from the first to the last one, exponents of shape (plies + 1, rows, columns).

        They are those of :mod:`versus2048.rules`.
        """
        before, last = self._plies["board"].combine_chunks(), batch.from_tiles([self._start.board])
        if not len(before):
            return last
        _, places, cells = before.buffers()
        starts = np.frombuffer(places, np.int32)[before.offset :]
        boards = np.frombuffer(cells, np.uint8)[starts[0] : starts[len(before)]]
        boards = boards.reshape(-1, *last.shape[1:])
        board, action = boards[-1:], self.actions[-1:]
        if self.attacks[-1]:
            last = batch.place_each(board, action, self.row["rules"])
        else:
            last, _ = batch.slide_each(board, action)
        return np.concatenate([boards, last])

    @cached_property
    def scores(self) -> NDArray[np.int32]:
        """The defender's scores on these boards; their differences are the defender's rewards."""
        return np.append(_numbers(self._plies["score"]), np.int32(self.row["score"]))

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The values that the players' searches gave to the moves played; NaN without a report."""
        values = np.full(len(self.moves), np.nan)
        lists = self._searches["moves"].combine_chunks()
        ply = np.repeat(_numbers(self._searches["ply"]), _numbers(pc.list_value_length(lists)))
        moves = lists.flatten()
        played = pa.array(self.moves, pa.string()).take(pa.array(ply))
        same = _numbers(pc.equal(pc.struct_field(moves, "move"), played))
        values[ply[same]] = _numbers(pc.struct_field(moves, "value"))[same]
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


_action = lru_cache(action_of)


def _numbers(array: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    return np.asarray(array.to_numpy(zero_copy_only=False))


def _numbered(table: pa.Table) -> tuple[pa.Table, NDArray[np.int64]]:
    """Return the rows in the order of games and plies, and the number of the game of each."""
    numbers = table["game"].to_numpy()
    if (numbers[1:] < numbers[:-1]).any():
        table = table.sort_by([("game", "ascending"), ("ply", "ascending")])
        numbers = table["game"].to_numpy()
    return table, numbers
