"""Recorded games as tables: of an export, a database, or Parquet files.

All three give the same tables, which ``docs/PARQUET.md`` describes: ``games``, ``plies`` and
``searches``, joined by ``game`` and ``ply``. The games of an export and of a database are replayed,
and refused if their record is wrong.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from versus2048 import database
from versus2048.recorded import Recorded, Rows, rows_of
from versus2048.scores import Event
from versus2048.tables import Game, Standings

_TIME = pa.timestamp("us", tz="UTC")


def _must(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)


def _list_of(kind: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("element", kind, nullable=False))


GAMES = pa.schema(
    [_must("game", pa.int64()), _must("event", pa.string())]
    + [_must(name, pa.int32()) for name in ("match", "round", "nth", "leg")]
    + [_must(name, pa.string()) for name in ("first", "second", "attacker", "defender")]
    + [_must(name, pa.int64()) for name in ("attacker_seed", "defender_seed")]
    + [_must(name, pa.string()) for name in ("rules", "size", "start")]
    + [_must("started", _TIME), pa.field("finished", _TIME), _must("ending", pa.string())]
    + [pa.field("winner", pa.string()), _must("detail", pa.string())]
    + [_must(name, pa.int32()) for name in ("plies", "score", "largest_tile")]
    + [_must("scored", pa.bool_())]
)
"""A row for each game."""
PLIES = pa.schema(
    [_must("game", pa.int64()), _must("ply", pa.int32())]
    + [_must(name, pa.string()) for name in ("side", "player")]
    + [_must("board", pa.binary()), _must("score", pa.int32()), _must("move", pa.string())]
    + [_must("gained", pa.int32()), pa.field("time_us", pa.int64()), pa.field("lag_us", pa.int64())]
    + [_must("stall_us", pa.int64()), _must("away_us", pa.int64())]
)
"""A row for each move, with the position in which it was played."""
ROOT_MOVE = pa.struct(
    [_must("move", pa.string()), _must("value", pa.float64())]
    + [
        pa.field("visits", pa.int64()),
        pa.field("mate", pa.int32()),
        pa.field("prior", pa.float64()),
    ]
)
SEARCHES = pa.schema(
    [_must("game", pa.int64()), _must("ply", pa.int32())]
    + [pa.field("playouts", pa.int64()), pa.field("nodes", pa.int64())]
    + [_must("expanded", _list_of(pa.int64()))]
    + [pa.field("time_us", pa.int64()), pa.field("cpu_us", pa.int64())]
    + [pa.field("source", pa.string())]
    + [_must("pv", _list_of(pa.string())), _must("moves", _list_of(ROOT_MOVE))]
)
"""A row for each report on a search."""

_GAMES_AT_ONCE = 256


@dataclass(frozen=True)
class Tables:
    """The games of one or several events."""

    games: pa.Table
    plies: pa.Table
    searches: pa.Table

    def game(self, number: int) -> Game:
        """Return a game with its moves and positions; a notebook shows its last board."""
        return Game.of(self, number)

    def standings(self) -> Standings:
        """Return the mean scores of the bots; a notebook shows them as a table."""
        return Standings.of(self)

    def _repr_html_(self) -> str:
        counts = (
            f"{len(self.games):,} games, {len(self.plies):,} plies, {len(self.searches):,} searches"
        )
        return f"<p>{counts}</p>{self.standings()._repr_html_()}"

    def write(self, folder: str | Path) -> None:
        """Write games.parquet, plies.parquet and searches.parquet, replacing existing files."""
        Path(folder).mkdir(exist_ok=True)
        for name in ("games", "plies", "searches"):
            path = Path(folder) / f"{name}.parquet"
            pq.write_table(getattr(self, name), path, compression="zstd")


def read(path: str | Path, event: int | None = None) -> Tables:
    """Read an export, a database or a folder of Parquet files.

    The event's number selects one event of a database; None stands for all of them.
    """
    path = Path(path)
    if not path.is_dir():
        with path.open("rb") as file:
            if file.read(16) == database.MAGIC:
                return read_database(path, event)
    if event is not None:
        raise ValueError(f"{path}: event {event}: only of a database can one event be read")
    return read_parquet(path) if path.is_dir() else read_export(path)


def read_parquet(folder: str | Path) -> Tables:
    """Read the files of ``arena export --format parquet`` or :meth:`Tables.write`.

    Columns that a later version has added are left out; files of an earlier one lack ``scored``.
    """
    files = (("games", GAMES), ("plies", PLIES), ("searches", SEARCHES))
    return Tables(
        *(_read_table(Path(folder) / f"{name}.parquet", schema) for name, schema in files)
    )


def _read_table(path: Path, schema: pa.Schema) -> pa.Table:
    there = pq.read_schema(path).names
    if "scored" in schema.names and "scored" not in there:
        schema = schema.remove(schema.get_field_index("scored"))
    return pq.read_table(path, columns=schema.names).cast(schema)


def read_export(path: str | Path) -> Tables:
    """Read the lines of JSON of ``arena export``, compressed or not.

    Games are numbered from 1 in the order of the file, which has no numbers of games. Games of
    voided matches are left out. A damaged or truncated file is a ValueError.
    """
    with _opened(Path(path)) as file:
        try:
            _check(file)
            file.seek(0)
            return _tables(_exported(file))
        except (ValueError, EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{path}: {error}") from error


def read_database(path: str | Path, event: int | None = None) -> Tables:
    """Read the database of an arena, which may be playing, or one event of it."""
    try:
        return _tables(database.games(Path(path), event))
    except sqlite3.DatabaseError as error:
        raise ValueError(f"{path}: {error}") from error


def boards(plies: pa.Table, columns: int, rows: int) -> NDArray[np.uint8]:
    """Return the boards of plies, shape (n, rows, columns), for :mod:`versus2048.rules`."""
    joined = b"".join(plies["board"].to_pylist())
    return np.frombuffer(joined, np.uint8).reshape(plies.num_rows, rows, columns)


def _opened(path: Path) -> IO[bytes]:
    """Open a file, and decompress it if it is compressed."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return cast(IO[bytes], gzip.open(path)) if packed else path.open("rb")


def _check(file: IO[bytes]) -> None:
    """Compare an export with the checksum in its last line."""
    digest, last, games = hashlib.sha256(), b"", -2  # the first line is no game, nor is the last
    for line in file:
        text = line.removeprefix(codecs.BOM_UTF8) if games == -2 else line
        if text.endswith(b"\r\n"):  # as other programs write the ends of lines
            text = text[:-2] + b"\n"
        digest.update(last)
        last, games = text, games + 1
    try:
        end = json.loads(last)["end"]
        right = (end["games"] + end.get("voided", 0), end["sha256"]) == (games, digest.hexdigest())
    except (ValueError, LookupError, TypeError):
        raise ValueError("it is cut off, or not an event exported by arena export") from None
    if not right:
        raise ValueError("it is damaged: the checksum differs")


def _exported(file: IO[bytes]) -> Iterator[Recorded]:
    """Read the games of an export: the lines between the first and the last one."""
    header = json.loads(next(file)).get("header", {})
    if header.get("format") != "versus2048 event" or header.get("version") != 1:
        raise ValueError("not an event exported by arena export")
    name, stays = header["event"]["name"], [(s["name"], s["to"]) for s in header.get("stays", [])]
    event = Event(header["event"].get("settings", {}), stays)
    number = 0
    for line, text in enumerate(file, start=2):
        game: dict[str, Any] | None = json.loads(text).get("game")
        if game is not None:
            number += 1
            yield Recorded(number, name, event, game, game["record"], f"line {line}")


def _tables(recorded: Iterator[Recorded]) -> Tables:
    """Collect the rows of games, some games at a time."""
    schemas = (pa.schema(list(GAMES)[:-1]), PLIES, SEARCHES)  # scored comes at the end
    batches: tuple[list[pa.RecordBatch], ...] = ([], [], [])
    rows: Rows = ([], [], [])
    events: set[Event] = set()

    def flush() -> None:
        for schema, batch, part in zip(schemas, batches, rows, strict=True):
            batch.append(pa.RecordBatch.from_pylist(part, schema))
            part.clear()

    for count, game in enumerate(recorded, start=1):
        for part, more in zip(rows, rows_of(game), strict=True):
            part += more
        game.of.add(rows[0][-1])
        events.add(game.of)
        if count % _GAMES_AT_ONCE == 0:
            flush()
    flush()
    tables = [pa.Table.from_batches(b, s) for b, s in zip(batches, schemas, strict=True)]
    scored = {number for event in events for number in event.scored()}
    column = pa.array([number in scored for number in tables[0]["game"].to_pylist()], pa.bool_())
    return Tables(tables[0].append_column(GAMES.field("scored"), column), *tables[1:])
