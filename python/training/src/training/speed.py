"""How fast JAX computes the networks of BenchmarkRun in players/neural, for comparison.

python -m training.speed

Rates are by processor time, so that other programs count little. One thread is enough for networks
this small: XLA_FLAGS=--xla_cpu_multi_thread_eigen=false.
"""

from __future__ import annotations

import sys
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from versus2048.jax.game import Game

from training.machine import DeviceError, computing
from training.nested import layer_of
from training.network import Description, Function, mlp

_REPEATS = {1: 2000, 8: 250, 64: 32}
"""How often a batch of that many boards is computed; a large network a tenth of that."""


def networks() -> dict[str, tuple[Description, int]]:
    """Return the networks, and the divisors of their repeats."""
    layers = []
    for channels in (16, 222, 222, 222, 222):
        conv = {"kind": "conv", "kernel": [2, 2], "in": channels, "out": 222, "padding": "after"}
        layers += [layer_of(conv), layer_of({"kind": "relu"})]
    layers.append(layer_of({"kind": "dense", "in": 16 * 222, "out": 4}))
    small = (("value", Function("board", mlp(1, 256, 2, 108))),)
    large = (("policy", Function("board", tuple(layers))),)
    return {
        "perceptron": (Description(Game.of("solo", "3x3"), 12, small), 1),
        "kondo": (Description(Game.of("solo", "4x4"), 16, large), 10),
    }


def main() -> None:
    """Measure, and print a line for each network and batch."""
    for name, (description, slower) in networks().items():
        game = description.game
        params = description.init(jax.random.key(0))
        compute = jax.jit(partial(description.apply_boards, params, description.functions[0][0]))
        for batch, repeats in _REPEATS.items():
            shape = (batch, game.height, game.width)
            boards = jnp.asarray(np.random.default_rng(0).integers(0, 11, shape), jnp.int8)
            compute(boards).block_until_ready()
            count = repeats // slower
            began = time.process_time()
            for _ in range(count):
                compute(boards).block_until_ready()
            took = time.process_time() - began
            print(f"{name}, batches of {batch}: {batch * count / took:,.0f} boards a second")


if __name__ == "__main__":
    try:
        with computing():
            main()
    except DeviceError as error:
        sys.exit(f"python -m training.speed: {error}")
