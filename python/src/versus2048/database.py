"""The games of an arena's database, as ``docs/DATABASE.md`` describes it."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from versus2048.position import DIRECTIONS
from versus2048.recorded import Recorded
from versus2048.scores import Event

MAGIC = b"SQLite format 3\x00"
"""The beginning of every database."""
_APPLICATION = 842019896

_QUERY = """
SELECT games.id, events.id AS event_id, events.name AS event, settings, number AS match, round, nth,
  leg, first, second, started, finished, attacker, defender, attacker_seed, defender_seed, rules,
  size, start, ending, detail, turns, games.times, games.searches, games.pauses, score, largest_tile
FROM games JOIN matches ON matches.id = match JOIN events ON events.id = event
WHERE ? IS NULL OR events.id = ?
ORDER BY games.id
"""
# An arena makes only tables and indexes. Reading a view would execute its content.
_STAYS = "SELECT name, ifnull(last_match, -1) FROM stays WHERE event = ? ORDER BY first_match"
_ADDED = """
SELECT type, name FROM sqlite_master
WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL TABLE%'
"""
# SQLite's errors if it cannot write files beside a database; the last one also means a full disk.
_WITHOUT_FILES = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE,
}
_PLACE = ("match", "round", "nth", "leg", "first", "second", "started", "finished")
_DAMAGED = (ValueError, LookupError, TypeError, EOFError, gzip.BadGzipFile, zlib.error)
_SAME = ("attacker", "defender", "attacker_seed", "defender_seed", "rules", "size", "detail")


class _NeedsFilesError(sqlite3.OperationalError):
    """SQLite cannot write the files that it needs beside a database."""


def games(path: Path, event: int | None) -> Iterator[Recorded]:
    """Yield the games of an event, or of all events, in the order of their numbers."""
    with contextlib.ExitStack() as stack:
        db = _open(path.resolve(strict=True), stack)
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA trusted_schema = OFF")
        if db.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            raise ValueError(f"{path}: not a database of an arena")
        db.execute("BEGIN")  # one snapshot for all
        if added := db.execute(_ADDED).fetchone():
            raise ValueError(f"{path}: the {added['type']} {added['name']!r} is not the arena's")
        if (
            event is not None
            and not db.execute("SELECT 1 FROM events WHERE id = ?", [event]).fetchone()
        ):
            raise ValueError(f"{path}: there is no event {event}")
        events: dict[int, Event] = {}
        for row in db.execute(_QUERY, [event, event]):
            where = f"{path}, game {row['id']}"
            try:
                if row["event_id"] not in events:
                    stays = db.execute(_STAYS, [row["event_id"]]).fetchall()
                    events[row["event_id"]] = Event(json.loads(row["settings"]), stays)
                record = _record(db, row)
            except _DAMAGED as error:
                raise ValueError(f"{where}: it is damaged: {error!r}") from error
            place = {name: row[name] for name in _PLACE}
            yield Recorded(row["id"], row["event"], events[row["event_id"]], place, record, where)


def _open(path: Path, stack: contextlib.ExitStack) -> sqlite3.Connection:
    """Open a database for reading, also where nothing can be written; leave no files beside it.

    A connection that may write keeps SQLite's locks, and removes SQLite's files when it is closed.
    """
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        with contextlib.suppress(_NeedsFilesError):
            return _connect(path, "mode=rw", stack)
    log = path.with_name(path.name + "-wal")
    if not log.exists() or log.stat().st_size == 0:
        # No program has it open, so that it needs no locks.
        stack.enter_context(_unchanged(path))
        return _connect(path, "mode=ro&immutable=1", stack)
    if path.with_name(path.name + "-shm").exists():
        with contextlib.suppress(_NeedsFilesError):
            return _connect(path, "mode=ro", stack)
    # SQLite would have to make an index of the log beside the database.
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="versus2048-")))
    with _unchanged(path, log):
        for file in (path, log):
            shutil.copyfile(file, folder / file.name)
    return _connect(folder / path.name, "mode=rw", stack)


def _connect(path: Path, options: str, stack: contextlib.ExitStack) -> sqlite3.Connection:
    """Connect for queries and make the first one."""
    db = sqlite3.connect(f"{path.as_uri()}?{options}", uri=True)
    try:
        db.execute("PRAGMA query_only = ON")
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        db.close()
        if {error.sqlite_errorcode, error.sqlite_errorcode & 0xFF} & _WITHOUT_FILES:
            raise _NeedsFilesError(str(error)) from error
        raise
    stack.callback(db.close)
    return db


@contextlib.contextmanager
def _unchanged(*paths: Path) -> Iterator[None]:
    """Refuse files that have been written to meanwhile."""
    before = [_state(path) for path in paths]
    yield
    for path, state in zip(paths, before, strict=True):
        if _state(path) != state:
            raise ValueError(f"{path}: it was written to while it was read: try again")


def _state(path: Path) -> tuple[int, ...]:
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _record(db: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    """Return the record of a game."""
    record = {name: row[name] for name in _SAME}
    if row["start"]:
        record["start"] = row["start"]
    return record | (_finished(row) if row["ending"] else _journalled(db, row["id"]))


def _finished(row: sqlite3.Row) -> dict[str, Any]:
    """Return the part of the record that a finished game has in its row."""
    times, packed = list(_numbers(row["times"])), row["searches"]
    return {
        "ending": row["ending"],
        "moves": list(_turns(row["turns"], " D " in row["start"])),
        "times_us": times[0::2],
        "lags_us": times[1::2],
        "searches": json.loads(gzip.decompress(packed)) if packed else None,
        "pauses": json.loads(row["pauses"]) if row["pauses"] else None,
        "score": row["score"],
        "largest_tile": row["largest_tile"],
    }


def _journalled(db: sqlite3.Connection, game: int) -> dict[str, Any]:
    """Return the part of the record that a game in progress has in the journal."""
    times: list[int] = []
    moves: list[str] = []
    searches: list[Any] = []
    pauses: list[Any] = []
    for chunk in db.execute(
        "SELECT moves, times, searches, pauses FROM journal WHERE game = ? ORDER BY ply", [game]
    ):
        played = [_move(code) for code in chunk["moves"]]
        moves += played
        times += _numbers(chunk["times"])
        searches += json.loads(chunk["searches"] or "null") or [None] * len(played)
        pauses += json.loads(chunk["pauses"] or "[]")
    return {
        "ending": "unfinished",
        "moves": moves,
        "times_us": times[0::2],
        "lags_us": times[1::2],
        "searches": searches,
        "pauses": pauses,
    }


def _move(code: int) -> str:
    """Return the move of a byte: 0 to 31 for placements, 32 to 35 for slides."""
    if code >= 32:
        return DIRECTIONS[code - 32]
    x, y = code % 4 + 1, code % 16 // 4 + 1
    return f"({x},{y},4)" if code & 16 else f"({x},{y})"


def _turns(turns: bytes, defender_first: bool) -> Iterator[str]:
    """Yield the moves of packed turns."""
    for i, turn in enumerate(turns):
        slide_alone = defender_first and i == 0
        if not slide_alone:
            yield _move(turn & 31)
        if slide_alone or turn < 128:
            yield DIRECTIONS[turn >> 5 & 3]


def _numbers(packed: bytes) -> Iterator[int]:
    """Yield the numbers of varints."""
    value = shift = 0
    for byte in packed:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0
