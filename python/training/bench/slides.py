#!/usr/bin/env python3
"""Measure how many slides a second the game makes, in games of random slides that begin anew.

    PYTHONPATH=src:../src python bench/slides.py

Compilation is left out. Processor time adds up all cores: on a GPU the clock counts.
"""

import time
from functools import partial

import jax
import jax.numpy as jnp
from jax import Array
from versus2048.jax.game import Game, take

TURNS = 200


@partial(jax.jit, static_argnums=0)
def play(game: Game, key: Array, board: Array) -> tuple[Array, Array]:
    """Play some turns of each game; return the boards and the number of slides."""

    def turn(board: Array, key: Array) -> tuple[Array, Array]:
        drawn, placed, began = jax.random.split(key, 3)
        options = game.slide(board)
        random = jax.random.uniform(drawn, options.legal.shape)
        slide = jnp.argmax(jnp.where(options.legal, random, -1), -1)
        legal = take(options.legal, slide)
        after = game.spawn(placed, take(options.after, slide))
        begun = game.start(began, board.shape[:1])
        return jnp.where(legal[:, None, None], after, begun), legal.sum()

    board, slides = jax.lax.scan(turn, board, jax.random.split(key, TURNS))
    return board, slides.sum()


def measure(size: str, games: int) -> None:
    """Print the rates of so many games at once."""
    game = Game.of("solo", size)
    board = game.start(jax.random.key(0), (games,))
    jax.block_until_ready(play(game, jax.random.key(1), board))
    began, used = time.perf_counter(), time.process_time()
    _, slides = jax.block_until_ready(play(game, jax.random.key(2), board))
    million = int(slides) / 1e6
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    print(f"| {size} | {games:,} | {million / seconds:.1f} | {million / processor:.1f} |")


print(f"On {jax.devices()[0].device_kind}, million slides a second:\n")
print("| size | games at once | by the clock | of processor time |")
print("|---|---:|---:|---:|")
for size, games in (("2x2", 4096), ("3x3", 1024), ("3x3", 4096), ("4x4", 4096), ("4x4", 65536)):
    measure(size, games)
