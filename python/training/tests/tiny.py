"""A method of milliseconds, for tests of the loop, and a command line that knows it.

It learns the sum of the tiles of random boards. Like real methods, its state has a key of JAX, the
optimiser's state, an array of NumPy and counters.
"""

import os
import sys
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from training.command import main
from training.methods import Progress
from training.network import Description, Function, Network, mlp
from training.value import Value

METHODS = {"tiny": "tiny.Tiny"}
PLANES = 4


@dataclass(frozen=True)
class Table:
    rate: float = 0.01
    hidden: int = 8
    diverge: int = 0
    loss: str = "loss"  # its name
    hang: int = 0  # the step before which a process waits for its end


class State(NamedTuple):
    key: jax.Array
    params: dict[str, jax.Array]
    optimiser: optax.OptState
    memory: np.ndarray
    steps: int | np.ndarray


class Tiny:
    def __init__(self, config):
        self.game = config.game
        self.table = config.table("tiny", Table)
        inputs = self.game.cells * PLANES
        layers = mlp(1, self.table.hidden, 1, inputs)
        functions = (("value", Function("board", layers)),)
        self.description = Description(self.game, PLANES, functions, value=Value("none", 10.0))
        self.optimiser = optax.adam(self.table.rate)

    def start(self, key):
        key, drawn = jax.random.split(key)
        params = self.description.init(drawn)
        return State(key, params, self.optimiser.init(params), np.zeros(3, np.int64), np.int64(0))

    @partial(jax.jit, static_argnums=0)
    def _step(self, key, params, optimiser):
        boards = jax.random.randint(key, (16, self.game.height, self.game.width), 0, PLANES)
        sums = jnp.where(boards > 0, 1 << boards, 0).sum((1, 2)).astype(jnp.float32)

        def loss(params):
            y = self.description.apply_boards(params, "value", boards)
            return self.description.value.loss(y, sums).mean()

        value, gradient = jax.value_and_grad(loss)(params)
        update, optimiser = self.optimiser.update(gradient, optimiser)
        return optax.apply_updates(params, update), optimiser, value

    def advance(self, state):
        if self.table.hang == state.steps + 1 and "TINY_HANGS" in os.environ:
            print("hanging", flush=True)
            sys.stdin.read()
        key, drawn = jax.random.split(state.key)
        params, optimiser, loss = self._step(drawn, state.params, state.optimiser)
        memory = np.roll(state.memory, 1)
        memory[0] += state.steps
        steps = state.steps + 1
        loss = float("nan") if steps == self.table.diverge else float(loss)
        progress = Progress(int(steps), 2 * int(steps), 16 * int(steps), {self.table.loss: loss})
        return State(key, params, optimiser, memory, steps), progress

    def evaluate(self, state, key):
        return {"share": 1 - 1 / (2 + int(state.steps)), "noise": float(jax.random.uniform(key))}

    def network(self, state):
        return Network("tiny", self.description, state.params)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], METHODS))
