"""The tables of recorded games, in Arrow: their columns, and how they are made and kept.

``docs/PARQUET.md`` describes them: ``games``, ``plies`` and ``searches``, joined by ``game`` and
``ply``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from versus2048.recorded import Recorded, Rows, rows_of
from versus2048.scores import Event

NAMES = ("games", "plies", "searches")
Tables = tuple[pa.Table, pa.Table, pa.Table]
"""The tables of these names."""
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
    + [pa.field("tokens_read", pa.int64()), pa.field("tokens_written", pa.int64())]
    + [pa.field("source", pa.string())]
    + [_must("pv", _list_of(pa.string())), _must("moves", _list_of(ROOT_MOVE))]
)
"""A row for each report on a search."""

SCHEMAS = (GAMES, PLIES, SEARCHES)
OF_EVENTS = ("match", "round", "nth", "leg", "first", "second", "started", "finished", "scored")
"""The columns of games that only games of events have."""
_GAMES_AT_ONCE = 256


def collect(recorded: Iterable[Recorded]) -> Tables:
    """Replay games and return their tables, without the columns :data:`OF_EVENTS` outside one."""
    batches: tuple[list[pa.RecordBatch], ...] = ([], [], [])
    rows: Rows = ([], [], [])
    events: set[Event] = set()
    later = {"scored"}  # columns that come at the end, or not at all

    def flush() -> None:
        for schema, batch, part in zip(SCHEMAS, batches, rows, strict=True):
            batch.append(pa.RecordBatch.from_pylist(part, _without(schema, later)))
            part.clear()

    for count, game in enumerate(recorded, start=1):
        for part, more in zip(rows, rows_of(game), strict=True):
            part += more
        if game.of is None:
            later = set(OF_EVENTS)
        else:
            game.of.add(rows[0][-1])
            events.add(game.of)
        if count % _GAMES_AT_ONCE == 0:
            flush()
    flush()
    games, plies, searches = (pa.Table.from_batches(b) for b in batches)
    if later == {"scored"}:
        scored = {number for event in events for number in event.scored()}
        column = [number in scored for number in games["game"].to_pylist()]
        games = games.append_column(GAMES.field("scored"), pa.array(column, pa.bool_()))
    return games, plies, searches


def read(files: Iterable[Path | IO[bytes]]) -> Tables:
    """Read the three files of ``arena export --format parquet``, or of :func:`write`.

    A damaged one is a ValueError. Columns that a later version has added are left out; an earlier
    one lacks ``scored``.
    """
    games, plies, searches = (
        _read(file, name, schema) for file, name, schema in zip(files, NAMES, SCHEMAS, strict=True)
    )
    return games, plies, searches


def read_folders(path: Path) -> Tables:
    """Read a folder with the three files, or all of its folders that have them."""
    folders = (
        [path]
        if (path / "games.parquet").exists()
        else sorted(file.parent for file in path.glob("*/games.parquet"))
    )
    if not folders:
        raise ValueError(f"{path}: there is no games.parquet in it, or in a folder of it")
    parts = [read(folder / f"{name}.parquet" for name in NAMES) for folder in folders]
    parts.sort(key=lambda part: pc.min(part[0]["game"]).as_py() or 0)
    games, plies, searches = (
        pa.concat_tables(t, promote_options="default") for t in zip(*parts, strict=True)
    )
    if len(pc.unique(games["game"])) < len(games):
        raise ValueError(f"{path}: its folders have games of the same number: read one of them")
    return games, plies, searches


def write(tables: Tables, folder: Path) -> None:
    """Write games.parquet, plies.parquet and searches.parquet, replacing existing files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in zip(NAMES, tables, strict=True):
        pq.write_table(table, folder / f"{name}.parquet", compression="zstd")


def _read(file: Path | IO[bytes], name: str, schema: pa.Schema) -> pa.Table:
    try:
        opened = pq.ParquetFile(file)
        lacking = set(OF_EVENTS) - set(opened.schema_arrow.names)
        there = _without(schema, lacking)
        return opened.read(there.names).cast(there)
    except (OSError, ValueError, pa.ArrowException) as error:
        if isinstance(error, MemoryError) or getattr(error, "errno", None):  # of the system
            raise
        where = file if isinstance(file, Path) else f"{name}.parquet"
        reason = str(error).partition("\n")[0]
        raise ValueError(f"{where}: {reason}") from error


def _without(schema: pa.Schema, names: set[str]) -> pa.Schema:
    return pa.schema([field for field in schema if field.name not in names])
