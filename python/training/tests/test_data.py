"""Reading what a teacher played.

tests/data/teacher has 120 games of solo 2x2, half of them by the bot perfect:

    lab solve --rules solo --size 2x2 --table 2x2.table
    arena event run --rules solo --size 2x2 --bot teacher=perfect:table=2x2.table \
        --bot random --matches 60 --time-per-move 0 --in-process --db teacher.db
    arena export 1 teacher --format parquet --db teacher.db
"""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from safetensors import numpy as safetensors
from safetensors import safe_open
from versus2048.jax.game import SLIDES, Game

from training import data

TEACHER = Path(__file__).parent / "data/teacher"


@pytest.fixture(scope="module")
def positions():
    return data.read_games(TEACHER, "teacher")


@pytest.fixture
def games(tmp_path):
    """Return a copy of the teacher's games, to be changed."""
    return Path(shutil.copytree(TEACHER, tmp_path / "games"))


def change(folder, table, change):
    path = folder / f"{table}.parquet"
    rows = parquet.read_table(path).to_pylist()
    change(rows)
    parquet.write_table(pa.Table.from_pylist(rows), path)


def test_pack():
    game = Game("solo", 4, 2)
    boards = np.array([[[1, 0, 0, 2], [3, 0, 15, 16]]], np.int8)
    assert [hex(b) for b in data.pack(boards)] == ["0xff032001"]
    assert np.array_equal(data.unpack(game, data.pack(boards)), np.minimum(boards, 15))


def test_pack_4x4():
    boards = np.random.default_rng(1).integers(0, 16, (1000, 4, 4), np.int8)
    assert np.array_equal(data.unpack(Game("solo", 4, 4), data.pack(boards)), boards)


def test_read(positions):
    assert positions.game == Game("solo", 2, 2)
    assert positions.recipe["games"] == 60  # the other bot slid in the other ones
    rows = parquet.read_table(TEACHER / "plies.parquet").to_pylist()
    rows = [r for r in rows if r["player"] == "teacher" and r["side"] == "defender"]
    assert len(positions) == len(rows) > 500
    boards = data.unpack(positions.game, positions.boards)
    for i, row in enumerate(rows):
        assert boards[i].tobytes() == row["board"]
        assert SLIDES[positions.slides[i]] == row["move"]
        assert positions.games[i] == row["game"]


def test_split(positions):
    training, held = positions.split(0.2)
    assert len(training) + len(held) == len(positions)
    assert not set(training.games) & set(held.games)
    assert len(set(held.games)) == 12
    assert min(held.games) > max(training.games)
    _, held = positions.split(0.0001)
    assert len(set(held.games)) == 1
    with pytest.raises(ValueError, match="games of a teacher: 1, want 2 or more"):
        held.split(0.5)


def test_file(positions, tmp_path):
    data.save(tmp_path / "t.safetensors", positions)
    read = data.load(tmp_path / "t.safetensors")
    assert read.game == positions.game and read.recipe == positions.recipe
    with safe_open(tmp_path / "t.safetensors", "numpy") as file:
        checksum = file.metadata()["checksum"]
    assert len(checksum) == 64
    assert read.checksum == checksum
    assert {part.checksum for part in read.split(0.5)} == {checksum}
    for name in ("boards", "slides", "games"):
        one, two = getattr(read, name), getattr(positions, name)
        assert one.dtype == two.dtype and np.array_equal(one, two)
    assert [f.name for f in tmp_path.iterdir()] == ["t.safetensors"]


def test_the_same_positions_are_the_same_bytes(positions, tmp_path):
    """Each time: safetensors itself would shuffle the texts."""
    path = tmp_path / "t.safetensors"
    written = set()
    for _ in range(10):
        data.save(path, positions)
        written.add(path.read_bytes())
    data.save(path, data.load(path))
    assert written == {path.read_bytes()}


def test_a_file_is_on_the_disk_before_it_has_its_name(positions, tmp_path, monkeypatch):
    synced = []
    path = tmp_path / "t.safetensors"
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.exists()))
    data.save(path, positions)
    assert synced == [False, True]  # the content, then the folder with the name


def test_every_damage_of_a_file_is_one_line(positions, tmp_path):
    path = tmp_path / "t.safetensors"
    data.save(path, positions)
    content = path.read_bytes()
    damaged = [content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :] for at in range(800)]
    damaged += [content[:length] for length in range(0, len(content), 97)]
    damaged += [content + b"more", content[:-1] + bytes([content[-1] ^ 1])]
    for wrong in damaged:
        path.write_bytes(wrong)
        with pytest.raises(data.DataError, match=f"^{path}: no positions of a teacher: ") as found:
            data.load(path)
        assert "\n" not in str(found.value)


def test_wrong_files(positions, tmp_path):
    path = tmp_path / "t.safetensors"
    with pytest.raises(data.DataError, match=r"t\.safetensors: No such file"):
        data.load(path)
    path.write_text("no tensors at all")
    with pytest.raises(data.DataError, match="no positions of a teacher"):
        data.load(path)
    path.write_bytes(safetensors.save({"boards": positions.boards}))
    with pytest.raises(data.DataError, match="format None, want"):
        data.load(path)
    data.save(path, replace(positions, slides=positions.slides[1:]))
    with pytest.raises(data.DataError, match="different lengths"):
        data.load(path)
    data.save(path, replace(positions, slides=positions.slides + np.uint8(4)))
    with pytest.raises(data.DataError, match="a slide 7, want 0 to 3"):
        data.load(path)
    data.save(path, replace(positions, games=positions.games.astype(np.int64)))
    with pytest.raises(data.DataError, match="arrays of uint64, uint8, int64"):
        data.load(path)


def test_wrong_games(games, tmp_path):
    def refused(match, player="teacher", folder=games):
        with pytest.raises(data.DataError, match=match) as found:
            data.read_games(folder, player)
        assert "\n" not in str(found.value)

    refused("no slide of a player with the name nobody", "nobody")
    refused("games", folder=tmp_path / "none")
    content = (games / "plies.parquet").read_bytes()
    (games / "plies.parquet").write_bytes(content[:-100])
    refused("no games of a teacher")


@pytest.mark.parametrize(
    ("table", "column", "value", "error"),
    [
        ("plies", "move", "X", "not N, S, W or E"),
        ("plies", "board", bytes(4), "no legal slide"),
        ("plies", "board", bytes(9), r"boards of \[4, 9\] bytes, want 4"),
        ("games", "size", "3x2", "2 kinds of games, want one"),
    ],
)
def test_wrong_rows(games, table, column, value, error):
    def damage(rows):
        at = next(i for i, r in enumerate(rows) if r.get("player", "teacher") == "teacher")
        rows[at][column] = value

    change(games, table, damage)
    with pytest.raises(data.DataError, match=error):
        data.read_games(games, "teacher")


def test_command(tmp_path, capsys):
    out = tmp_path / "t.safetensors"
    assert data.main([str(TEACHER), "--player", "teacher", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"820 positions of 60 games: {out}\n"
    assert len(data.load(out)) == 820
    assert data.main([str(tmp_path), "--player", "teacher", "--out", str(out)]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith("python -m training.data: ") and errors.count("\n") == 1
