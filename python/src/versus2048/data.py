"""Recorded games from files, folders, databases, arenas or records.

The games of exports, databases and records are replayed, and refused if their record is wrong.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import json
import os
import sqlite3
import urllib.request
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, cast

from versus2048 import database
from versus2048.recorded import Recorded
from versus2048.scores import Event

try:
    from versus2048 import tables
    from versus2048.games import Games
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "load_games needs PyArrow: pip install 'versus2048[data]'", name=error.name
    ) from None

Record = dict[str, Any]
_KEYS = {
    "event", "game", "date", "attacker", "defender", "attacker_seed", "defender_seed", "rules",
    "size", "start", "moves", "score", "largest_tile", "winner", "ending", "detail", "times_us",
    "lags_us", "pauses", "searches",
}  # fmt: skip
_DAMAGED = (ValueError, EOFError, gzip.BadGzipFile, zlib.error)
_TIMEOUT_S = 60.0


def load_games(
    source: str | os.PathLike[str] | Iterable[Record], event: int | None = None
) -> Games:
    """Read recorded games. A damaged, cut off or wrong source is a ValueError.

    Games without numbers are numbered from 1. Games of voided matches are left out.

    Args:
        source: what ``arena export`` has written: lines of JSON, or Parquet files (their folder,
            one of them, or a folder of such folders, as the dataset is); an arena's database, also
            while it plays; a file of records, in the JSON form of ``docs/RECORDS.md``; the address
            of a file, such as an arena's ``/events/1/export``; or records themselves.
        event: the number of one event of a database; None stands for all of them.

    """
    if not isinstance(source, (str, os.PathLike)):
        _check_whole("records", event)
        return Games(*tables.collect(_recorded(source)))
    name, path = os.fspath(source), Path(source)
    if path.is_dir():
        _check_whole(name, event)
        return Games(*tables.read_folders(path))
    with _opened(name) as file:
        begin = file.read(len(database.MAGIC))
        file.seek(0)
        if begin == database.MAGIC:
            return _of_database(path, event)
        _check_whole(name, event)
        if begin.startswith(b"PAR1"):
            return Games(*tables.read_folders(path.parent))
        if begin.startswith(b"PK"):
            return _of_archive(name, file)
        packed = begin.startswith(b"\x1f\x8b")
        return _of_lines(name, cast(IO[bytes], gzip.open(file)) if packed else file)


def _check_whole(name: str, event: int | None) -> None:
    """Refuse to read one event of anything but a database."""
    if event is not None:
        raise ValueError(f"{name}: event {event}: only of a database can one event be read")


def _opened(name: str) -> IO[bytes]:
    """Open a file, or the answer of an address."""
    if not name.startswith(("http://", "https://")):
        return Path(name).open("rb")
    try:
        with urllib.request.urlopen(name, timeout=_TIMEOUT_S) as answer:
            return io.BytesIO(answer.read())
    except OSError as error:
        raise ValueError(f"{name}: {error}") from error


def _of_database(path: Path, event: int | None) -> Games:
    try:
        return Games(*tables.collect(database.games(path, event)))
    except sqlite3.DatabaseError as error:
        raise ValueError(f"{path}: {error}") from error


def _of_archive(name: str, file: IO[bytes]) -> Games:
    """Read the ZIP archive of Parquet files that an arena answers with."""
    try:
        with zipfile.ZipFile(file) as archive:
            files = [io.BytesIO(archive.read(f"{table}.parquet")) for table in tables.NAMES]
        return Games(*tables.read(files))
    except (*_DAMAGED, zipfile.BadZipFile, KeyError, OSError, RuntimeError) as error:
        reason = str(error) or "it is cut off"
        raise ValueError(f"{name}: not an export of an arena: {reason}") from error


def _of_lines(name: str, file: IO[bytes]) -> Games:
    """Read an export or records."""
    try:
        exported = b'"header"' in file.readline()
        file.seek(0)
        if exported:
            _check(file)
            file.seek(0)
            return Games(*tables.collect(_exported(file)))
        return Games(*tables.collect(_recorded(_objects(file.read().decode("utf-8-sig")))))
    except _DAMAGED as error:
        raise ValueError(f"{name}: {error}") from error


def _objects(text: str) -> Iterator[Any]:
    """Yield the values of JSON that follow one another, at least one."""
    decoder, text, end = json.JSONDecoder(), text.strip(), 0
    while not end or end < len(text):
        try:
            value, end = decoder.raw_decode(text, end)
        except json.JSONDecodeError as error:
            raise ValueError(f"neither an event of arena export nor records: {error}") from None
        while text[end : end + 1].isspace():
            end += 1
        yield value


def _recorded(records: Iterable[Record]) -> Iterator[Recorded]:
    """Yield games of no event, numbered from 1."""
    for number, record in enumerate(records, start=1):
        where = f"record {number}"
        if not isinstance(record, dict) or not record.keys() <= _KEYS or "moves" not in record:
            raise ValueError(f"{where}: not the record of a game")
        yield Recorded(number, record.get("event", ""), None, {}, record, where)


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
