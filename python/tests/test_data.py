import contextlib
import datetime
import gzip
import hashlib
import json
import os
import runpy
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from conftest import DATA, EXPORTS
from versus2048 import database, load_games
from versus2048.games import Games
from versus2048.tables import OF_EVENTS
from versus2048.tables import read as read_tables

TABLES = ("games", "plies", "searches")
SMALL = DATA / "gpcc2016-3x2.jsonl.gz"
DATABASE = Path(__file__).parents[2] / "results/testdata/version7.db"
# The game of docs/RECORDS.md, "The JSON form", with a report that says nothing.
RECORD = {
    "attacker": "Ada",
    "defender": "Bob",
    "attacker_seed": 5828972410298560,
    "defender_seed": 2015,
    "rules": "gpcc2016",
    "size": "2x2",
    "start": "0,4/0,0 D 0 1",
    "moves": ["W", "(2,2,4)", "E"],
    "score": 0,
    "largest_tile": 4,
    "winner": "defender",
    "ending": "illegal-move",
    "detail": 'move "Q"',
    "times_us": [1830, 420, 99],
    "lags_us": [110, 0, 15],
    "pauses": [{"ply": 1, "stall_us": 20000000}, {"ply": 3, "away_us": 7400000}],
    "searches": [
        {
            "playouts": 40,
            "nodes": 7,
            "expanded": [1, 2],
            "time_us": 1650,
            "cpu_us": 1640,
            "tokens_read": 812,
            "tokens_written": 9,
            "source": "proof",
            "pv": ["W", "(1,2)"],
            "moves": [
                {"move": "W", "value": 21.5, "visits": 24, "prior": 0.75},
                {"move": "S", "mate": 14},
            ],
        },
        None,
        {},
    ],
}
GAME = {
    "match": 1,
    "round": 1,
    "nth": 1,
    "first": "Bob",
    "second": "Ada",
    "leg": 1,
    "started": "2026-11-21T10:30:00.123456789Z",
    "finished": "2026-11-21T10:30:01Z",
    "record": RECORD,
}
IN_PROGRESS = {name: value for name, value in GAME.items() if name != "finished"} | {
    "match": 2,
    "nth": 2,
    "first": "Ada",
    "second": "Bob",
    "leg": 2,
    "record": {
        name: value
        for name, value in RECORD.items()
        if name not in ("winner", "detail", "pauses", "searches")
    }
    | {"ending": "unfinished", "searches": [None, None, {"nodes": 3}]},
}


def lines_of(*games):
    """Return the lines of an export with these games, and the header of another one."""
    with gzip.open(SMALL, "rt") as file:
        header = json.loads(next(file))
    event = header["header"]["event"]
    event |= {"name": "handmade", "size": "2x2", "rules": "gpcc2016"}
    event["settings"] = {}
    header["header"]["entries"] = [{"name": "Ada", "spec": ""}, {"name": "Bob", "spec": ""}]
    header["header"]["identities"] = []
    lines = [json.dumps(line) + "\n" for line in (header, *({"game": game} for game in games))]
    unfinished = sum(game["record"]["ending"] == "unfinished" for game in games)
    end = {
        "games": len(games),
        "unfinished": unfinished,
        "plies": sum(len(game["record"]["moves"]) for game in games),
        "sha256": hashlib.sha256("".join(lines).encode()).hexdigest(),
    }
    return [*lines, json.dumps({"end": end}, separators=(",", ":")) + "\n"]


@pytest.fixture
def handmade(tmp_path):
    """Return the path of an export with everything that a game can have."""
    path = tmp_path / "handmade.jsonl"
    path.write_text("".join(lines_of(GAME, IN_PROGRESS)))
    return path


def test_handmade(handmade):
    tables = load_games(handmade)
    first, second = tables.games.to_pylist()
    started = datetime.datetime(2026, 11, 21, 10, 30, 0, 123456, tzinfo=datetime.UTC)
    finished = datetime.datetime(2026, 11, 21, 10, 30, 1, tzinfo=datetime.UTC)
    assert first == {
        "game": 1, "event": "handmade", "match": 1, "round": 1, "nth": 1, "leg": 1,
        "first": "Bob", "second": "Ada", "attacker": "Ada", "defender": "Bob",
        "attacker_seed": 5828972410298560, "defender_seed": 2015, "rules": "gpcc2016",
        "size": "2x2", "start": "0,4/0,0 D 0 1", "started": started, "finished": finished,
        "ending": "illegal-move", "winner": "defender", "detail": 'move "Q"', "plies": 3,
        "score": 0, "largest_tile": 4, "scored": False,
    }  # fmt: skip
    assert [second[name] for name in ("ending", "finished", "winner", "plies")] == [
        "unfinished", None, None, 3,
    ]  # fmt: skip
    plies = tables.plies.to_pylist()
    assert plies[1] == {
        "game": 1, "ply": 1, "side": "attacker", "player": "Ada", "board": bytes([2, 0, 0, 0]),
        "score": 0, "move": "(2,2,4)", "gained": 0, "time_us": 420, "lag_us": 0,
        "stall_us": 20000000, "away_us": 0,
    }  # fmt: skip
    game, other = tables
    assert game.row == first and game.moves == RECORD["moves"]
    assert game.boards.tolist() == [
        [[0, 2], [0, 0]], [[2, 0], [0, 0]], [[2, 0], [0, 2]], [[0, 2], [0, 2]],
    ]  # fmt: skip
    assert game.actions.tolist() == [2, 7, 3] and game.attacks.tolist() == [False, True, False]
    assert game.scores.tolist() == [0, 0, 0, 0]
    np.testing.assert_array_equal(game.values, [21.5, np.nan, np.nan])
    assert [str(p) for p in game.positions][1:3] == ["4,0/0,0 A 0 2", "4,0/0,4 D 0 3"]
    assert tables.game(2).row == other.row == second
    full, empty, third = tables.searches.to_pylist()
    assert full == {
        "game": 1, "ply": 0, "playouts": 40, "nodes": 7, "expanded": [1, 2], "time_us": 1650,
        "cpu_us": 1640, "tokens_read": 812, "tokens_written": 9, "source": "proof",
        "pv": ["W", "(1,2)"], "moves": [
            {"move": "W", "value": 21.5, "visits": 24, "mate": None, "prior": 0.75},
            {"move": "S", "value": 0.0, "visits": None, "mate": 14, "prior": None},
        ],
    }  # fmt: skip
    assert empty == {
        "game": 1, "ply": 2, "playouts": None, "nodes": None, "expanded": [], "time_us": None,
        "cpu_us": None, "tokens_read": None, "tokens_written": None, "source": None,
        "pv": [], "moves": [],
    }  # fmt: skip
    assert (third["game"], third["ply"], third["nodes"]) == (2, 2, 3)


def test_no_games(tmp_path):
    """An event that has not begun has tables with all columns."""
    path = tmp_path / "empty.jsonl"
    path.write_text("".join(lines_of()))
    empty = load_games(path)
    assert (len(empty), list(empty), empty.standings()) == (0, [], [])
    assert empty.games.schema.equals(load_games(SMALL).games.schema)
    empty.write(tmp_path / "empty")
    same(load_games(tmp_path / "empty"), empty)


def same(one, other):
    for name in TABLES:
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.schema.equals(theirs.schema)
        assert mine.to_pylist() == theirs.to_pylist()


@pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.stem)
def test_parquet_of_our_own(path, tmp_path):
    tables = load_games(path)
    assert tables.plies.num_rows == sum(tables.games["plies"].to_pylist())
    tables.write(tmp_path / "games")
    same(load_games(tmp_path / "games"), tables)
    same(load_games(tmp_path / "games/plies.parquet"), tables)
    tables.write(tmp_path / "games")
    assert len(tables) == len(list(tables)) == tables.games.num_rows


@pytest.mark.parametrize("name", [path.name for path in EXPORTS] + ["handmade"])
def test_the_arena_writes_the_same(arena, name, tmp_path, handmade):
    """The arena's Parquet files and its database have what we read from its lines of JSON."""
    path, db, folder = (
        handmade if name == "handmade" else DATA / name,
        tmp_path / "a.db",
        tmp_path / "p",
    )
    arena("import", path, "--db", db)
    printed = arena("export", 1, folder, "--format", "parquet", "--db", db)
    tables = load_games(path)
    assert f": {tables.games.num_rows} games" in printed
    same(load_games(folder), tables)
    same(load_games(db), tables)
    same(load_games(db, 1), tables)
    # Whoever reads the files without us sees the same types.
    for table in TABLES:
        assert pq.read_schema(folder / f"{table}.parquet").equals(getattr(tables, table).schema)


# Random, but it fails as the attacker from time to time.
CARELESS = """
import random, sys
asked = 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["v2048"]:
        print("ready", flush=True)
    elif words[:1] == ["go"]:
        asked += 1
        rows = [row.split(",") for row in words[1].split("/")]
        cells = [(x, y) for y, row in enumerate(rows) for x, tile in enumerate(row) if tile == "0"]
        empty = [f"({x + 1},{y + 1})" for x, y in cells]
        moves = empty if words[2] == "A" and asked % 40 else ["N"]
        print("move", random.choice(moves), flush=True)
    elif words[:1] == ["quit"]:
        break
"""


@pytest.mark.parametrize(
    "settings",
    ["", "--early-decision", "--strikes 3", "--strikes 3 --struck-games void"],
)
def test_means_are_those_of_the_arena(arena, settings, tmp_path):
    """The example of docs/PARQUET.md has the means of arena stats, also after faults."""
    db, bot = tmp_path / "a.db", tmp_path / "bot.py"
    bot.write_text(CARELESS)
    careless = f"careless=exec:{sys.executable} {bot}"
    bots = ["--bot", careless, "--bot", "greedy", "--bot", "random", "--size", "3x3"]
    where = ["--db", db, "--matches", 6, "--in-process", "--quiet"]
    arena("event", "run", *bots, *where, *settings.split())
    assert_means(arena, tmp_path)


def test_means_without_a_bot_that_has_left(arena, tmp_path):
    """Where strikes void games, those of a bot that has left the event do not count either."""
    where = ["--db", tmp_path / "b.db", "--matches", 2, "--in-process", "--quiet", "--size", "2x2"]
    bots = ["--bot", "random", "--bot", "greedy", "--bot", "lazy=random"]
    strikes = ["--strikes", 3, "--struck-games", "void"]
    arena("event", "run", *bots, *where, *strikes)
    arena("export", 1, tmp_path / "b.jsonl", "--db", tmp_path / "b.db")
    lines = (tmp_path / "b.jsonl").read_text().splitlines(keepends=True)
    header, end = json.loads(lines[0]), json.loads(lines[-1])
    header["header"]["stays"] = [{"name": "lazy", "from": 1, "to": 6}]
    lines[0] = json.dumps(header, separators=(",", ":")) + "\n"
    end["end"]["sha256"] = hashlib.sha256("".join(lines[:-1]).encode()).hexdigest()
    lines[-1] = json.dumps(end, separators=(",", ":")) + "\n"
    (tmp_path / "left.jsonl").write_text("".join(lines))
    arena("import", tmp_path / "left.jsonl", "--db", tmp_path / "a.db")
    assert_means(arena, tmp_path)


def test_voided_games_are_left_out(arena, tmp_path):
    """A match that was voided is on record, and counts nowhere, also by its numbers of games."""
    where = ["--db", tmp_path / "b.db", "--matches", 2, "--in-process", "--quiet", "--size", "2x2"]
    arena("event", "run", "--bot", "random", "--bot", "greedy", *where)
    arena("export", 1, tmp_path / "b.jsonl", "--db", tmp_path / "b.db")
    lines = (tmp_path / "b.jsonl").read_text().splitlines(keepends=True)
    compact = {"separators": (",", ":")}
    for line in lines[1:3]:
        voided = {"at": "2026-11-21T12:00:00Z", "game": json.loads(line)["game"]}
        lines.insert(1, json.dumps({"voided": voided}, **compact) + "\n")
    end = json.loads(lines[-1])["end"] | {"voided": 2}
    del end["sha256"]  # it comes last
    end["sha256"] = hashlib.sha256("".join(lines[:-1]).encode()).hexdigest()
    lines[-1] = json.dumps({"end": end}, **compact) + "\n"
    (tmp_path / "voided.jsonl").write_text("".join(lines))
    arena("import", tmp_path / "voided.jsonl", "--db", tmp_path / "a.db")
    whole = load_games(tmp_path / "b.jsonl").games
    assert load_games(tmp_path / "voided.jsonl").games.equals(whole)
    assert len(load_games(tmp_path / "a.db").games) == len(whole) == 4


def assert_means(arena, folder):
    """Assert that the first event of a.db has the same means by the arena and by each reader."""
    db = folder / "a.db"
    arena("export", 1, folder / "games", "--format", "parquet", "--db", db)
    arena("export", 1, folder / "a.jsonl", "--db", db)
    roles = json.loads(arena("stats", "--json", "--db", db))["roles"]
    want = {
        role["name"]: (role["games"], role["mean_score"])
        for role in roles
        if role["role"] == "defender" and role["games"]
    }
    for path in ("games", "a.jsonl", "a.db"):
        games = load_games(folder / path).games.to_pandas()
        assert not games.scored.all()
        scores = games[games.scored].groupby("defender").score
        got = {name: (len(numbers), pytest.approx(numbers.mean())) for name, numbers in scores}
        assert want == got


def test_several_events(arena, tmp_path):
    db = tmp_path / "a.db"
    for path in EXPORTS:
        arena("import", path, "--db", db)
    every = load_games(db)
    parts = [load_games(db, event) for event in range(1, len(EXPORTS) + 1)]
    for name in TABLES:
        rows = [row for part in parts for row in getattr(part, name).to_pylist()]
        assert getattr(every, name).to_pylist() == rows
    numbers = every.games["game"].to_pylist()
    assert numbers == sorted(set(numbers))
    for wrong in (0, 9):
        with pytest.raises(ValueError, match=f"there is no event {wrong}"):
            load_games(db, wrong)


def test_only_a_database_has_several_events(tmp_path):
    load_games(SMALL).write(tmp_path)
    for source in (SMALL, tmp_path, [{"moves": []}]):
        with pytest.raises(ValueError, match="event 1: only of a database"):
            load_games(source, event=1)
    with pytest.raises(FileNotFoundError):
        load_games(tmp_path / "none.db", event=1)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_texts_of_other_systems(mark, end, tmp_path):
    path = tmp_path / "event.jsonl"
    path.write_bytes(mark + gzip.decompress(SMALL.read_bytes()).replace(b"\n", end))
    same(load_games(path), load_games(SMALL))


@pytest.mark.parametrize("indent", [None, 2])
def test_records(indent, handmade, tmp_path):
    """Records have the same plies as in an event; their games know of no match."""
    typed = {"moves": ["(1,1)", "E", "(1,1)", "W"]}  # by hand
    records = [RECORD | {"game": "17", "date": "2026-11-21", "event": "spring"}, typed]
    path = tmp_path / "records.json"
    path.write_text("\n".join(json.dumps(record, indent=indent) for record in records))
    loaded = load_games(path)
    same(loaded, load_games(records))
    first, second = loaded
    assert first.row == {
        name: "spring" if name == "event" else value
        for name, value in load_games(handmade).game(1).row.items()
        if name not in OF_EVENTS
    }
    assert first.boards.tolist() == load_games(handmade).game(1).boards.tolist()
    facts = ("rules", "size", "ending", "plies", "score")
    assert [second.row[name] for name in facts] == ["gpcc2015", "4x4", "unfinished", 4, 4]
    loaded.write(tmp_path / "written")
    same(load_games(tmp_path / "written"), loaded)
    assert loaded.standings() == []


def test_standings_are_those_of_the_arena(arena, tmp_path):
    """Also where bots fail: by points, then by the margin of the scores."""
    db, bot = tmp_path / "a.db", tmp_path / "bot.py"
    bot.write_text(CARELESS)
    bots = ["--bot", f"careless=exec:{sys.executable} {bot}", "--bot", "greedy", "--bot", "random"]
    where = ["--db", db, "--matches", 6, "--in-process", "--quiet", "--size", "3x3"]
    arena("event", "run", *bots, *where)
    places = json.loads(arena("event", "status", "1", "--json", "--db", db))["standings"]["places"]
    got = [(s.bot, s.matches, s.points, s.margin) for s in load_games(db).standings()]
    assert got == [(p["name"], p["played"], *p["values"]) for p in places]


def test_folders_of_tables(tmp_path):
    """The dataset has a folder for each split; games of the same number are not mixed."""
    tables = load_games(SMALL)
    tables.write(tmp_path / "test")
    half = len(tables) // 2
    for name, rows in (("a", slice(0, half)), ("b", slice(half, None))):
        games = tables.games.to_pylist()[rows]
        numbers = {game["game"] for game in games}
        part = [
            table.filter([number in numbers for number in table["game"].to_pylist()])
            for table in (tables.games, tables.plies, tables.searches)
        ]
        Games(*part).write(tmp_path / "parts" / name)
    same(load_games(tmp_path / "parts"), tables)
    tables.write(tmp_path / "parts/c")
    with pytest.raises(ValueError, match="its folders have games of the same number"):
        load_games(tmp_path / "parts")
    (tmp_path / "parts/c/none").mkdir()
    with pytest.raises(ValueError, match=r"there is no games\.parquet in it"):
        load_games(tmp_path / "parts/c/none")


def test_an_archive_of_something_else(tmp_path):
    path = tmp_path / "other.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other", "")
    with pytest.raises(
        ValueError, match=r"other\.zip: not an export of an arena: .*games\.parquet"
    ):
        load_games(path)


def test_columns_of_a_later_version(tmp_path):
    """docs/PARQUET.md promises that only columns are added."""
    tables = load_games(SMALL)
    tables.write(tmp_path)
    added = tables.plies.append_column("later", tables.plies["score"])
    pq.write_table(added, tmp_path / "plies.parquet")
    same(load_games(tmp_path), tables)


def test_tables_of_an_earlier_version(tmp_path):
    """The tables of an earlier version have no column scored."""
    tables = load_games(SMALL)
    tables.write(tmp_path)
    pq.write_table(tables.games.drop_columns("scored"), tmp_path / "games.parquet")
    read = load_games(tmp_path)
    assert read.games.equals(tables.games.drop_columns("scored"))
    assert read.plies.equals(tables.plies)


WITHOUT_PLIES = RECORD | {"moves": [], "times_us": [], "lags_us": [], "searches": []}
WITHOUT_PLIES |= {"winner": "attacker"}


def damaged(change):
    """Return the handmade lines after a change to the first game's record."""
    record = json.loads(json.dumps(RECORD))
    change(record)
    return lines_of(GAME | {"record": record})


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "neither an event of arena export nor records"),
        (lines_of(GAME)[:-1], "cut off"),
        (lines_of(GAME)[1:-1], "record 1: not the record of a game"),
        (['{"moves": [], "type": "other"}\n'], "record 1: not the record of a game"),
        (["[1]"], "record 1: not the record of a game"),
        (["[Size 4x4] 1. (1,1) S"], "neither an event of arena export nor records"),
        (['{"header": {"format": "other"}}\n'], "not an event exported"),
        (lines_of(GAME)[:1] + lines_of(GAME, GAME)[2:], "checksum differs"),
        (damaged(lambda r: r["moves"].__setitem__(0, "N")), "line 2: move 'N' in"),
        (damaged(lambda r: r.update(score=8)), "line 2: score 8, the moves give 0"),
        (damaged(lambda r: r.update(largest_tile=8)), "line 2: largest_tile 8"),
        (damaged(lambda r: r.update(winner="attacker")), "line 2: winner attacker, the moves give"),
        (damaged(lambda r: r.update(ending="mate", winner=None)), "the defender is not mated in"),
        (
            damaged(lambda r: r.update(WITHOUT_PLIES, start="4,2/2,4 D 0 1")),
            "the defender is mated in",
        ),
        (damaged(lambda r: r.update(times_us=[])), "line 2: times_us: 0 entries for 3 moves"),
        (damaged(lambda r: r.update(lags_us=[1, 2])), "line 2: lags_us: 2 entries for 3 moves"),
        (damaged(lambda r: r.update(searches=[None])), "line 2: searches: 1 entries for 3 moves"),
        (damaged(lambda r: r.update(rules="gpcc1999")), "line 2: rules 'gpcc1999': want gpcc2015"),
        (damaged(lambda r: r.update(size="9x9")), "line 2: size '9x9'"),
        (damaged(lambda r: r.update(size="3x3")), "line 2: size '3x3': the start is 2x2"),
        (damaged(lambda r: r.pop("rules")), "line 2: position .*: score 0: want 4"),
        (damaged(lambda r: r.update(times_us=1)), "line 2: not the record of a game: TypeError"),
    ],
)
def test_damage(lines, why, tmp_path):
    path = tmp_path / "damaged.jsonl"
    path.write_text("".join(lines))
    with pytest.raises(ValueError, match=why):
        load_games(path)


@pytest.mark.parametrize("packed", [True, False])
def test_damage_anywhere(packed, tmp_path):
    """A file that is cut off, or has another byte, is not read; or else the games are the same."""
    path = tmp_path / "damaged.jsonl"
    content = "".join(lines_of(GAME)).encode()
    content = gzip.compress(content, mtime=0) if packed else content
    path.write_bytes(content)
    want = load_games(path)
    for at in range(0, len(content), 7):
        for damage in (b"", bytes([content[at] ^ 1]) + content[at + 1 :]):
            path.write_bytes(content[:at] + damage)
            try:
                got = load_games(path)
            except ValueError as error:
                assert str(error).startswith(f"{path}: ")
            else:
                same(got, want)


@pytest.mark.parametrize("name", TABLES)
def test_damaged_tables(name, tmp_path):
    """PyArrow has an OSError for most damages, and none of its errors names the file."""
    load_games(SMALL).write(tmp_path)
    path = tmp_path / f"{name}.parquet"
    content = path.read_bytes()
    for at in range(4, len(content), 1 + len(content) // 30):
        for damage in (b"", bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :]):
            path.write_bytes(content[:at] + damage)
            try:
                load_games(tmp_path)
            except ValueError as error:
                assert str(error).startswith(f"{path}: ")
    path.unlink()
    with pytest.raises(FileNotFoundError):
        read_tables(tmp_path / f"{table}.parquet" for table in TABLES)


def test_damaged_archives(tmp_path):
    """Flags and a method of compression that a ZIP archive of an arena does not have."""
    load_games(SMALL).write(tmp_path)
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for table in TABLES:
            archive.write(tmp_path / f"{table}.parquet", f"{table}.parquet")
    content = path.read_bytes()
    entry = content.index(b"PK\1\2")  # of games.parquet, in the directory at the end
    for at in (entry + 8, entry + 10, entry + 20, entry + 42, len(content) // 2):
        for bit in range(8):
            path.write_bytes(content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :])
            try:
                load_games(path)
            except ValueError as error:
                assert str(error).startswith(f"{path}: not an export of an arena: ")


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("journal", "moves", b"\xff"),
        ("games", "pauses", b"{"),
        ("games", "searches", b"no gzip"),
        ("events", "settings", "{"),
    ],
)
def test_a_damaged_database(table, column, value, tmp_path):
    path = tmp_path / "damaged.db"
    shutil.copyfile(DATABASE, path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(f"UPDATE {table} SET {column} = ?", [value])
        db.commit()
    with pytest.raises(ValueError, match=rf"^{path}, game \d+: it is damaged: "):
        load_games(path)


@pytest.fixture
def media():
    """Return a folder that every user can enter, in which the test forbids to write."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        media = Path(folder) / "media"
        media.mkdir()
        yield media
        media.chmod(0o755)


@contextlib.contextmanager
def unprivileged():
    """Be a user who may not write everywhere, as root may."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def interrupted(arena, folder, files):
    """Make those files of a database that an arena left which was killed; its log has a name."""
    with tempfile.TemporaryDirectory() as elsewhere:
        db = Path(elsewhere) / "arena.db"
        arena("import", SMALL, "--db", db)
        with contextlib.closing(sqlite3.connect(db, isolation_level=None)) as arena_itself:
            arena_itself.execute("UPDATE events SET name = 'in the log'")
            for suffix in files:
                shutil.copyfile(f"{db}{suffix}", folder / f"arena.db{suffix}")
    return folder / "arena.db"


@pytest.mark.parametrize("files", [[""], ["", "-wal"], ["", "-wal", "-shm"]])
def test_a_database_that_may_only_be_read(arena, files, media):
    """It is read with its log, and nothing is written; see results/reader.go."""
    path = interrupted(arena, media, files)
    before = {file: file.read_bytes() for file in media.iterdir()}
    for file in before:
        file.chmod(0o444)
    media.chmod(0o555)
    with unprivileged():
        events = set(load_games(path).games["event"].to_pylist())
    assert (events == {"in the log"}) == (len(files) > 1)
    assert {file: file.read_bytes() for file in media.iterdir()} == before


@pytest.mark.parametrize("files", [[""], ["", "-wal"], ["", "-wal", "-shm"]])
def test_no_files_are_left_behind(arena, files, tmp_path):
    path = interrupted(arena, tmp_path, files)
    for _ in range(2):
        events = set(load_games(path).games["event"].to_pylist())
        assert (events == {"in the log"}) == (len(files) > 1)
        assert list(tmp_path.iterdir()) == [path]


def test_a_database_that_changes_while_it_is_read(arena, media):
    """It is read without locks where nothing can be written."""
    path = interrupted(arena, media, [""])
    media.chmod(0o555)
    with unprivileged():
        games = database.games(path, None)
        next(games)
    os.utime(path, (0, 0))  # as a write does
    with pytest.raises(ValueError, match="it was written to while it was read: try again"):
        list(games)


def test_a_database_that_lacks_something(tmp_path):
    path = tmp_path / "empty.db"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA application_id = 842019896")
    db.close()
    with pytest.raises(ValueError, match=f"{path}: no such table"):
        load_games(path)


@pytest.mark.parametrize(
    ("statement", "added"),
    [
        ("CREATE VIEW games AS SELECT 1 AS id", "the view 'games'"),
        ("CREATE VIRTUAL TABLE games USING fts5(id)", "the table 'games'"),
    ],
)
def test_a_database_with_a_view(tmp_path, statement, added):
    path = tmp_path / "arena.db"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA application_id = 842019896")
        db.execute(statement)
    db.close()
    with pytest.raises(ValueError, match=f"{path}: {added} is not the arena's"):
        load_games(path)


def test_another_database(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    with pytest.raises(ValueError, match="not a database of an arena"):
        load_games(path)


def test_without_pyarrow():
    """All else works, and load_games says what it needs."""
    code = "import sys; sys.modules['pyarrow'] = None; import versus2048; versus2048.load_games"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    want = "ModuleNotFoundError: load_games needs PyArrow: pip install 'versus2048[data]'"
    assert done.stderr.splitlines()[-1] == want


def test_pandas():
    games = load_games(SMALL).games.to_pandas()
    assert set(games.defender) == {"random", "greedy", "dag:playouts=20"}
    assert games.groupby("defender").score.mean()["random"] > 0


# The other game of its match, in which the defender fails at its second move.
SHORT = {name: RECORD[name][:2] for name in ("moves", "times_us", "lags_us", "searches")}
OTHER = GAME | {"leg": 2, "record": RECORD | SHORT | {"winner": "attacker", "pauses": None}}


@pytest.mark.parametrize("games", [None, [GAME | {"record": WITHOUT_PLIES}, OTHER]])
def test_example(games, tmp_path, monkeypatch, capsys):
    picture = tmp_path / "scores.png"
    path = SMALL
    if games:  # one of which ended before its first ply
        path = tmp_path / "games.jsonl"
        path.write_text("".join(lines_of(*games)))
    script = Path(__file__).parents[1] / "examples/score_by_ply.py"
    monkeypatch.setattr(sys, "argv", [str(script), str(path), str(picture)])
    runpy.run_path(str(script), run_name="__main__")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert ("Bob" if games else "greedy") in capsys.readouterr().out
