"""The games of a teacher: boards, and the slides of a strong player on them.

``arena export --format parquet`` writes the games of a tournament; this module reads the slides of
one of its players and keeps them in a small file for ``training.methods.cnn``:

    python -m training.data GAMES --player teacher --out FILE.safetensors
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from jax import Array
from numpy.typing import NDArray
from versus2048.jax.game import SLIDES, Game

from training import tensors
from training.checkpoint import write_atomically
from training.machine import DeviceError, computing

FORMAT = "versus2048 teacher 1"
LARGEST = 15
"""The largest exponent of a packed board: as in the engine, a 65536 looks like a 32768."""
_ARRAYS = ("boards", "slides", "games")
_KEYS = ("rules", "size", "recipe", "checksum")
_BITS = 4
_AT_ONCE = 1 << 16


class DataError(ValueError):
    """A file or folder that has no positions of a teacher: one line that says which, and why."""


@dataclass(frozen=True)
class Positions:
    """Positions of whole games, one after the other: arrays of shape (n,)."""

    game: Game
    boards: NDArray[np.uint64]
    """Packed, see pack."""
    slides: NDArray[np.uint8]
    """By the teacher: 0 to 3 for N, S, W, E."""
    games: NDArray[np.uint32]
    """The number of the game that each is from."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    """Where they come from: the player, its event, the number of games in which it slid."""
    checksum: str = ""
    """Of the file that they were read from, "" if of none."""

    def __len__(self) -> int:
        return len(self.boards)

    def where(self, chosen: NDArray[Any]) -> Positions:
        """Return some of the positions: a mask, or indices."""
        boards, slides, games = self.boards[chosen], self.slides[chosen], self.games[chosen]
        return replace(self, boards=boards, slides=slides, games=games)

    def split(self, share: float) -> tuple[Positions, Positions]:
        """Return the first games, and the last ones: that share of them, at least one.

        Boards of one game resemble each other, so that a game is never in both. ValueError if there
        are fewer than two games.
        """
        games = np.unique(self.games)
        if len(games) < 2:
            raise ValueError(f"games of a teacher: {len(games)}, want 2 or more")
        last = min(max(round(share * len(games)), 1), len(games) - 1)
        held = self.games >= games[-last]
        return self.where(~held), self.where(held)


def pack(boards: NDArray[np.integer[Any]]) -> NDArray[np.uint64]:
    """Pack boards (..., height, width): cell y * width + x has 4 bits, the first one the lowest."""
    cells = np.minimum(boards, LARGEST).reshape(*boards.shape[:-2], -1).astype(np.uint64)
    shifts = _BITS * np.arange(cells.shape[-1], dtype=np.uint64)
    packed: NDArray[np.uint64] = np.bitwise_or.reduce(cells << shifts, axis=-1)
    return packed


def unpack(game: Game, packed: NDArray[np.uint64]) -> NDArray[np.int8]:
    """Return the boards (..., height, width) of packed ones."""
    shifts = _BITS * np.arange(game.cells, dtype=np.uint64)
    cells = packed[..., None] >> shifts & np.uint64(LARGEST)
    return cells.astype(np.int8).reshape(*packed.shape, game.height, game.width)


def read_games(folder: Path, player: str) -> Positions:
    """Read the slides of a player from a folder of ``arena export --format parquet``.

    DataError if the files are damaged, are no such tables, have no slide of that player, or an
    illegal one.
    """
    try:
        games = pq.read_table(folder / "games.parquet", columns=["rules", "size", "event"])
        wanted = [("side", "=", "defender"), ("player", "=", player)]
        columns = ["game", "board", "move"]
        plies = pq.read_table(folder / "plies.parquet", columns=columns, filters=wanted)
        return _from_tables(games, plies, player)
    except (OSError, ValueError, pa.ArrowException) as error:
        reason = str(error).partition("\n")[0]
        raise DataError(f"{folder}: no games of a teacher: {reason}") from None


def _from_tables(games: pa.Table, plies: pa.Table, player: str) -> Positions:
    """Turn tables into positions; ValueError unless they are games of one kind by the player."""
    kinds = games.group_by(["rules", "size", "event"]).aggregate([]).to_pylist()
    if len(kinds) != 1:
        raise ValueError(f"they have {len(kinds)} kinds of games, want one")
    if not len(plies):
        raise ValueError(f"no slide of a player with the name {player}")
    game = Game.of(kinds[0]["rules"], kinds[0]["size"])
    lengths = set(pc.binary_length(plies["board"]).unique().to_pylist())
    if lengths != {game.cells}:
        raise ValueError(f"boards of {sorted(lengths)} bytes, want {game.cells}")
    cells = np.frombuffer(b"".join(plies["board"].to_pylist()), np.uint8)
    slides = pc.index_in(plies["move"], value_set=pa.array(list(SLIDES)))
    if slides.null_count:
        raise ValueError("moves of the defender that are not N, S, W or E")
    played = len(plies["game"].unique())  # which are not all games: others may have slid in some
    recipe = {"player": player, "event": kinds[0]["event"], "games": played}
    positions = Positions(
        game,
        pack(cells.reshape(-1, game.height, game.width)),
        slides.to_numpy().astype(np.uint8),
        plies["game"].to_numpy().astype(np.uint32),
        recipe,
    )
    _check_legal(positions)
    return positions


def _check_legal(positions: Positions) -> None:
    """Slide every board as the teacher did; ValueError if it does not change."""
    legal = jax.jit(lambda boards: positions.game.slide(boards).legal)
    for begin in range(0, len(positions), _AT_ONCE):
        boards = np.zeros(_AT_ONCE, np.uint64)  # always as many, so that JAX compiles once
        slides = positions.slides[begin : begin + _AT_ONCE]
        boards[: len(slides)] = positions.boards[begin : begin + _AT_ONCE]
        possible = np.asarray(legal(unpack(positions.game, boards)))
        illegal = np.flatnonzero(~possible[np.arange(len(slides)), slides])
        if len(illegal):
            slide, at = SLIDES[slides[illegal[0]]], begin + int(illegal[0])
            game = positions.games[at]
            raise ValueError(f"{slide} is no legal slide, position {at}, game {game}")


def save(path: Path, positions: Positions) -> None:
    """Write positions as safetensors."""
    arrays = {name: np.ascontiguousarray(getattr(positions, name)) for name in _ARRAYS}
    about = {
        "format": FORMAT,
        "rules": positions.game.rules,
        "size": positions.game.size,
        "recipe": json.dumps(dict(positions.recipe)),
    }
    about["checksum"] = _checksum(about, arrays)
    write_atomically(path, tensors.render_as_it_is(arrays, about))


def load(path: Path) -> Positions:
    """Read positions. DataError if the file is damaged, or is something else."""
    try:
        arrays, about, _ = tensors.parse(path.read_bytes(), [FORMAT], _KEYS)
        return _parse(about, arrays)
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise DataError(f"{path}: no positions of a teacher: {error}") from None


def _parse(about: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> Positions:
    """Read positions from a file's contents. ValueError if they are something else."""
    if arrays.keys() != set(_ARRAYS):
        raise ValueError(f"tensors {', '.join(sorted(arrays)):.80}: want {', '.join(_ARRAYS)}")
    if about.get("checksum") != _checksum(about, arrays):
        raise ValueError("the checksum is wrong: the file is damaged")
    boards, slides, games = (arrays[name] for name in _ARRAYS)
    kinds = [array.dtype.name for array in (boards, slides, games)]
    if kinds != ["uint64", "uint8", "uint32"]:
        raise ValueError(f"arrays of {', '.join(kinds)}, want uint64, uint8, uint32")
    if not boards.shape == slides.shape == games.shape == (boards.size,):
        raise ValueError("its arrays have different lengths")
    if slides.max(initial=0) > 3:
        raise ValueError(f"a slide {slides.max()}, want 0 to 3")
    game = Game.of(about["rules"], about["size"])
    recipe = tensors.value_of(about, "recipe")
    return Positions(game, boards, slides, games, recipe, about["checksum"])


def _checksum(about: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the SHA-256, in hex, of all that a file says."""
    text = {key: value for key, value in about.items() if key != "checksum"}
    found = hashlib.sha256(json.dumps(text, sort_keys=True).encode())
    for name in sorted(arrays):
        found.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        found.update(arrays[name].tobytes())
    return found.hexdigest()


def on_device(positions: Positions) -> tuple[Array, Array]:
    """Return boards (n, height, width), int8, and slides (n,), int32, where JAX computes."""
    boards = unpack(positions.game, positions.boards)
    return jax.device_put(boards), jax.device_put(positions.slides.astype(np.int32))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command ``python -m training.data``; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m training.data", description="Keep a teacher's slides, to learn from them."
    )
    parser.add_argument("games", type=Path, help="a folder by arena export --format parquet")
    parser.add_argument("--player", required=True, help="the teacher's name in these games")
    parser.add_argument("--out", type=Path, required=True, help="write the positions to this file")
    options = parser.parse_args(arguments)
    try:
        with computing():
            positions = read_games(options.games, options.player)
        save(options.out, positions)
    except (DataError, DeviceError, MemoryError, OSError) as error:
        print(f"python -m training.data: {error}", file=sys.stderr)
        return 1
    games = len(np.unique(positions.games))
    print(f"{len(positions):,} positions of {games:,} games: {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
