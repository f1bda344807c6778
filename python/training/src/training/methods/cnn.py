"""A convolutional network that learns to slide as a teacher does (Kondo and Matsuzaki 2020).

Proposal 1 gives one board to convolutions of 2x2, each with ReLU, and a dense layer to the four
slides. Proposal 2 gives all symmetric boards to the same convolutions and joins them in the dense
layer. The loss is the cross-entropy against the teacher's slides, the optimiser Adam.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array
from numpy.typing import NDArray

from training import data, policy
from training.config import MOST_EVALUATED, Config, ConfigError, check_range
from training.layers import Activation, Conv, Dense, Initial, Layer, Params
from training.methods import Progress
from training.nested import Symmetries
from training.network import Description, Function, Network, check_planes


@dataclass(frozen=True)
class NetworkTable:
    """The table [network]."""

    layers: int = 3
    """Convolutions."""
    channels: int = 100
    """Of each of them."""
    symmetries: bool = False
    """Whether the network sees all symmetric boards: proposal 2."""
    planes: int = 16

    def __post_init__(self) -> None:
        check_range(self, ["layers", "channels"], 1)
        check_planes(self.planes)


@dataclass(frozen=True)
class Settings:
    """The table [cnn]; the defaults are Kondo's."""

    teacher: str
    """A file by ``python -m training.data``, from the folder in which the run is started."""
    batch: int = 1000
    rate: float = 0.001
    """Of Adam."""
    deviation: float = 0.1
    """Of the truncated normal distribution that weights begin with."""
    held: float = 0.02
    """The share of the teacher's games, the last ones, that are only measured."""
    chunk: int = 10
    """Updates between two looks at the clock."""
    games: int = 0
    """Solo games played at each evaluation, with one board and with all; 0 for none."""
    compare: int = 5000
    """Of the held positions, how many are compared with the teacher at each evaluation."""

    def __post_init__(self) -> None:
        check_range(self, ["batch", "chunk", "compare"], 1)
        check_range(self, ["rate"], 0, 1, above=True)
        check_range(self, ["deviation"], 0, above=True)
        if not 0 < self.held < 1:
            raise ValueError(f"held = {self.held}: want more than 0 and less than 1")
        check_range(self, ["games"], 0, MOST_EVALUATED)


class State(NamedTuple):
    """The learned parameters, and everything that decides the next steps."""

    params: Params
    optimiser: Any
    key: Array
    steps: Array
    """int32; batches are drawn from the key and this number."""


def describe(config: Config, table: NetworkTable) -> Description:
    """Return the network: convolutions, and a dense layer to the logits of N, S, W, E."""
    layers: list[Layer] = []
    inputs = table.planes
    for _ in range(table.layers):
        layers += [Conv((2, 2), inputs, table.channels, "after"), Activation("relu")]
        inputs = table.channels
    numbers = config.game.cells * table.channels
    if table.symmetries:
        layers = [Symmetries(tuple(layers))]
        numbers *= len(config.game.symmetric_slides)
    function = Function("board", (*layers, Dense(numbers, 4)))
    return Description(config.game, table.planes, ((policy.FUNCTION, function),))


class CNN:
    """The method of a run. Reads the teacher's positions, which its states do not hold."""

    def __init__(self, config: Config) -> None:
        if config.game.rules != "solo":
            raise ConfigError(f"[run] rules = {config.game.rules!r}: cnn learns solo only")
        self.settings = config.table("cnn", Settings)
        self.description = describe(config, config.table("network", NetworkTable))
        training, held = _teacher(config, self.settings)
        self._checksum = training.checksum
        self._boards, self._slides = data.on_device(training)
        # The same at each evaluation.
        self._held = held.where(spread(len(held), self.settings.compare))
        self._optimiser = optax.adam(self.settings.rate)
        self._update = jax.jit(partial(self._step), donate_argnums=0)

    def start(self, key: Array) -> State:
        """Draw the parameters."""
        key, drawn = jax.random.split(key)
        initial = Initial("truncated", self.settings.deviation)
        params = self.description.init(drawn, initial)
        return State(params, self._optimiser.init(params), key, jnp.zeros((), jnp.int32))

    def advance(self, state: State) -> tuple[State, Progress]:
        """Learn from some batches."""
        losses = []
        for _ in range(self.settings.chunk):
            state, loss = self._update(state, self._boards, self._slides)
            losses.append(loss)
        steps = int(state.steps)
        metrics = {"loss": float(jnp.mean(jnp.stack(losses)))}
        return state, Progress(steps, positions=steps * self.settings.batch, metrics=metrics)

    def _step(self, state: State, boards: Array, slides: Array) -> tuple[State, Array]:
        """Learn from one batch, drawn with replacement from all of the teacher's positions."""
        key = jax.random.fold_in(state.key, state.steps)
        rows = jax.random.randint(key, (self.settings.batch,), 0, len(boards))

        def loss(params: Params) -> Array:
            logits = self.description.apply_boards(params, policy.FUNCTION, boards[rows])
            errors = optax.softmax_cross_entropy_with_integer_labels(logits, slides[rows])
            return jnp.mean(errors)

        value, gradient = jax.value_and_grad(loss)(state.params)
        change, optimiser = self._optimiser.update(gradient, state.optimiser)
        params = optax.apply_updates(state.params, change)
        return State(params, optimiser, state.key, state.steps + 1), value

    def evaluate(self, state: State, key: Array) -> dict[str, float]:
        """Compare with the teacher in games that were not learned from, and play some games.

        agreement and score are for one board, agreement_all and score_all for the votes of all
        symmetric boards.
        """
        found = {}
        for name, all_ in (("", False), ("_all", True)):
            share = policy.agreement(self.description, state.params, self._held, all_)
            found[f"agreement{name}"] = share
            if self.settings.games:
                played = policy.play(self.description, state.params, key, self.settings.games, all_)
                found[f"score{name}"] = policy.summary(played)["score"]
        return found

    def network(self, state: State) -> Network:
        """Return the policy, and which teacher's file it was learned from."""
        recipe = {"teacher": self._checksum}
        return Network("cnn", self.description, state.params, recipe)


def spread(count: int, most: int) -> NDArray[np.int64]:
    """Return at most that many of the indices below count, evenly from the first to the last."""
    return np.linspace(0, count - 1, min(count, most)).astype(np.int64)


def _teacher(config: Config, settings: Settings) -> tuple[data.Positions, data.Positions]:
    """Read the positions to learn from, and the held ones. ConfigError if they do not fit."""
    try:
        positions = data.load(Path(settings.teacher))
        training, held = positions.split(settings.held)
    except ValueError as error:
        raise ConfigError(f"[cnn] teacher: {error}") from None
    if positions.game != config.game:
        found = f"{positions.game.rules} {positions.game.size}"
        raise ConfigError(f"[cnn] teacher: {settings.teacher} is of {found}")
    return training, held
