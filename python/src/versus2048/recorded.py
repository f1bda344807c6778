"""One recorded game as rows of the tables; it is replayed and checked on the way."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from typing import Any

from versus2048.position import Position, Side
from versus2048.scores import Event

Row = dict[str, Any]
Rows = tuple[list[Row], list[Row], list[Row]]
"""The rows of games, plies and searches."""

_FORFEITS = ("illegal-move", "time", "disconnect", "resigned")


@dataclass(frozen=True)
class Recorded:
    """A game with its record, in the JSON form of ``docs/RECORDS.md``."""

    number: int
    event: str
    of: Event | None
    place: dict[str, Any]
    """Its match, round, nth, leg, first, second, started and finished (None while in progress).

    Nothing if it is of no event.
    """
    record: dict[str, Any]
    where: str
    """Where it stands, for errors."""


def rows_of(game: Recorded) -> Rows:
    """Return the game's rows. A record that is wrong is a ValueError."""
    try:
        return _replayed(game)
    except ValueError as error:
        raise ValueError(f"{game.where}: {error}") from error
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{game.where}: not the record of a game: {error!r}") from error


def _replayed(game: Recorded) -> Rows:
    record: dict[str, Any] = {"rules": "gpcc2015", "moves": []} | game.record
    start = Position.empty(record.get("size", "4x4"), record["rules"])
    if "start" in record:
        start = Position.parse(record["start"], record["rules"])
    if record.setdefault("size", start.size_text) != start.size_text:
        raise ValueError(f"size {record['size']!r}: the start is {start.size_text}")
    _check_lengths(record)
    game = replace(game, record=record)
    plies, last = _plies(game, start)
    record.setdefault("ending", "mate" if last.over else "unfinished")
    row = _game(game, start, last)
    _check_result(record, row, last)
    searches = [
        _search(game.number, ply, report)
        for ply, report in enumerate(record.get("searches") or [])
        if report is not None
    ]
    return [row], plies, searches


def _check_lengths(record: dict[str, Any]) -> None:
    """Refuse lists that do not have one entry for each move."""
    moves = len(record["moves"])
    for name in ("times_us", "lags_us", "searches"):
        entries = record.get(name)
        if entries is not None and len(entries) != moves:
            raise ValueError(f"{name}: {len(entries)} entries for {moves} moves: want one per move")


def _check_result(record: dict[str, Any], row: Row, last: Position) -> None:
    """Refuse an ending, or results, that do not follow from the moves."""
    for name in ("score", "largest_tile", "winner"):
        if record.get(name, row[name]) != row[name]:
            raise ValueError(f"{name} {record[name]}, the moves give {row[name]}")
    ending = record["ending"]
    if ending != "unfinished" and (ending == "mate") != last.over:
        mated = "is mated" if last.over else "is not mated"
        raise ValueError(f"ending {ending!r}: the defender {mated} in {last}")


def _game(game: Recorded, start: Position, last: Position) -> Row:
    record = game.record
    winner: Side | None = None
    if record["ending"] in _FORFEITS:
        winner = "attacker" if last.side == "defender" else "defender"
    return {
        "game": game.number,
        "event": game.event,
        **(_place(game.place) if game.of else {}),
        "attacker": record.get("attacker", ""),
        "defender": record.get("defender", ""),
        "attacker_seed": record.get("attacker_seed", 0),
        "defender_seed": record.get("defender_seed", 0),
        "rules": record["rules"],
        "size": record["size"],
        "start": str(start),
        "ending": record["ending"],
        "winner": winner,
        "detail": record.get("detail", ""),
        "plies": len(record["moves"]),
        "score": last.score,
        "largest_tile": last.largest_tile,
    }


def _place(place: dict[str, Any]) -> Row:
    finished = place.get("finished")
    return {
        **{name: place[name] for name in ("match", "round", "nth", "leg", "first", "second")},
        "started": parse_time(place["started"]),
        "finished": parse_time(finished) if finished else None,
    }


def _plies(game: Recorded, start: Position) -> tuple[list[Row], Position]:
    record = game.record
    times, lags = record.get("times_us"), record.get("lags_us")
    pauses = {pause["ply"]: pause for pause in record.get("pauses") or []}
    rows, position = [], start
    for ply, move in enumerate(record["moves"]):
        after = position.play(move)
        pause = pauses.get(ply, {})
        rows.append(
            {
                "game": game.number,
                "ply": ply,
                "side": position.side,
                "player": record.get(position.side, ""),
                "board": exponents(position),
                "score": position.score,
                "move": move,
                "gained": after.score - position.score,
                "time_us": times[ply] if times else None,
                "lag_us": lags[ply] if lags else None,
                "stall_us": pause.get("stall_us", 0),
                "away_us": pause.get("away_us", 0),
            }
        )
        position = after
    return rows, position


def _search(game: int, ply: int, report: dict[str, Any]) -> Row:
    """Return the row of a report; missing and zero values are unknown."""
    facts = ("playouts", "nodes", "time_us", "cpu_us", "tokens_read", "tokens_written", "source")
    return {
        "game": game,
        "ply": ply,
        **{name: report.get(name) or None for name in facts},
        "expanded": report.get("expanded", []),
        "pv": report.get("pv", []),
        "moves": [
            {
                "move": m["move"],
                "value": float(m.get("value", 0)),
                "visits": m.get("visits") or None,
                "mate": m.get("mate") or None,
                "prior": m.get("prior") or None,
            }
            for m in report.get("moves", [])
        ],
    }


def exponents(position: Position) -> bytes:
    """Return a byte for each cell, row by row: 0 if it is empty, k for the tile 2^k."""
    return bytes(max(tile.bit_length() - 1, 0) for row in position.board for tile in row)


def parse_time(text: str) -> datetime.datetime:
    """Read a time of day in UTC by RFC 3339, with up to nine decimals; keep microseconds."""
    second, _, fraction = text.removesuffix("Z").partition(".")
    return datetime.datetime.fromisoformat(second).replace(
        microsecond=int(f"{fraction:0<6}"[:6]), tzinfo=datetime.UTC
    )
