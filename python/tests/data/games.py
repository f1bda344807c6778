"""Make games.parquet: a match of random and greedy under each rules and size, from the arena.

python python/tests/data/games.py ARENA (the program that `go build ./cmd/arena` makes)
"""

import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

import pyarrow
from pyarrow import parquet

COLUMNS = ["rules", "size", "game", "side", "board", "score", "move", "gained", "final", "largest"]


def export(arena: str, rules: str, size: str, folder: Path) -> pyarrow.Table:
    """Play a match and return its plies, each with the result of its game."""
    database = folder / "games.db"
    bots = ["--bot", "random", "--bot", "greedy", "--matches", "1", "--in-process", "--db"]
    play = [arena, "event", "run", "--rules", rules, "--size", size, *bots, str(database)]
    subprocess.run(play, check=True, capture_output=True)
    write = [arena, "export", "1", str(folder), "--format", "parquet", "--db", str(database)]
    subprocess.run(write, check=True, capture_output=True)
    plies = parquet.read_table(folder / "plies.parquet")
    results = {g["game"]: g for g in parquet.read_table(folder / "games.parquet").to_pylist()}
    games = [results[game] for game in plies["game"].to_pylist()]
    for name in ("rules", "size"):
        plies = plies.append_column(name, pyarrow.array([game[name] for game in games]))
    for name, column in (("final", "score"), ("largest", "largest_tile")):
        plies = plies.append_column(name, pyarrow.array([game[column] for game in games]))
    return plies.select(COLUMNS)


def main(arena: str) -> None:
    """Write the file beside this one."""
    tables = []
    sizes = [f"{width}x{height}" for width, height in product((2, 3, 4), repeat=2)]
    for rules, size in product(("gpcc2015", "gpcc2016", "solo"), sizes):
        with tempfile.TemporaryDirectory() as folder:
            tables.append(export(arena, rules, size, Path(folder)))
    plies = pyarrow.concat_tables(tables).replace_schema_metadata(None)
    parquet.write_table(plies, Path(__file__).with_suffix(".parquet"), compression="zstd")


main(sys.argv[1])
