"""The learned model: perceptrons from vector to vector, and their outputs for the vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from versus2048.jax.game import Game

from training.config import check_range
from training.layers import Initial, Layer, Norm, Params
from training.network import Description, Function, check_planes, mlp
from training.value import Transform, Value

SLIDES = 4
_ENCODER = "encoder"


@dataclass(frozen=True)
class Shape:
    """The table [network]."""

    state: int = 64
    """Numbers of a state and of an afterstate. They are normalised: mean 0, variance 1."""
    hidden: int = 128
    """Units of the hidden layer between a board or state and the next state."""
    head: int = 64
    """Units of the hidden layer between a state and its outputs."""
    codes: int = 32
    """The number of chance's moves in the model."""
    planes: int = 0
    """The planes of a board; 0: one for every tile that it can hold, and one for empty cells."""
    transform: Transform = "sqrt"
    bins: int = 64
    low: float = 0.0
    high: float = 80.0
    """In the transformed space, as low is."""

    def __post_init__(self) -> None:
        check_range(self, ["state", "hidden", "head"], 1)
        check_range(self, ["codes"], 2, 256)
        check_planes(self.planes, free=True)
        self.value  # noqa: B018 # an error if it is wrong

    @property
    def value(self) -> Value:
        """How outputs become points."""
        return Value(self.transform, 1.0, self.bins, self.low, self.high)


class Prediction(NamedTuple):
    """The outputs for states (..., state) before a slide."""

    policy: Array
    """Logits of the slides, shape (..., 4)."""
    value: Array
    """Outputs for the further points, shape (..., bins)."""


class Expectation(NamedTuple):
    """The outputs for afterstates (..., state)."""

    reward: Array
    """Outputs for the points of the slide before, shape (..., bins)."""
    value: Array
    """Outputs for the further points, without that slide's, shape (..., bins)."""
    chance: Array
    """Logits of the codes, shape (..., codes)."""


class Model:
    """The functions of the network that is saved, and the encoder that only learning needs."""

    def __init__(self, game: Game, shape: Shape) -> None:
        self.game, self.shape = game, shape
        self.description = _describe(game, shape)
        seen = 2 * game.cells * self.description.planes + SLIDES
        layers = mlp(shape.codes, shape.hidden, 1, seen)
        self.encoder = Description(game, 2, ((_ENCODER, Function(seen, layers)),))

    @property
    def value(self) -> Value:
        """How outputs become points."""
        return self.description.value

    def init(self, key: Array) -> Params:
        """Draw the parameters of all functions. All values and policies begin nearly even."""
        first, second = jax.random.split(key)
        params = self.description.init(first, Initial(last=0.1))
        return params | self.encoder.init(second)

    def saved(self, params: Params) -> Params:
        """Return the parameters without the encoder's."""
        return {name: x for name, x in params.items() if not name.startswith(f"{_ENCODER}.")}

    def represent(self, params: Params, board: Array) -> Array:
        """Return the states (..., state) of boards before a slide."""
        return self.description.apply_boards(params, "representation", board)

    def predict(self, params: Params, state: Array) -> Prediction:
        """Rate states."""
        apply = partial(self.description.apply, params)
        return Prediction(apply("policy", state), apply("value", state))

    def slide(self, params: Params, state: Array, slide: Array) -> Array:
        """Return the afterstates of slides (...), integers."""
        return self._go(params, "afterstate", state, jax.nn.one_hot(slide, SLIDES))

    def expect(self, params: Params, after: Array) -> Expectation:
        """Rate afterstates."""
        names = ("reward", "afterstate_value", "chance")
        return Expectation(*(self.description.apply(params, name, after) for name in names))

    def follow(self, params: Params, after: Array, code: Array) -> Array:
        """Return the states behind codes (..., codes), one-hot."""
        return self._go(params, "dynamics", after, code)

    def encode(self, params: Params, board: Array, slide: Array, following: Array) -> Array:
        """Return the encoder's numbers for chance's move: probabilities of codes (..., codes).

        Between the board before a slide and the one after chance's turn. ``quantise`` takes one.
        """
        planes = [self.description.encode(x) for x in (board, following)]
        flat = [x.reshape(*slide.shape, -1) for x in planes]
        seen = jnp.concatenate([*flat, jax.nn.one_hot(slide, SLIDES)], axis=-1)
        return jax.nn.softmax(self.encoder.apply(params, _ENCODER, seen))

    def _go(self, params: Params, name: str, state: Array, choice: Array) -> Array:
        return self.description.apply(params, name, jnp.concatenate([state, choice], axis=-1))


def quantise(encoded: Array) -> Array:
    """Return the code (..., codes) with the largest number, one-hot.

    It has the gradient of the numbers themselves: the straight-through estimator (van den Oord et
    al. 2017), with the fixed codebook of Antonoglou et al. 2022: the code i is the unit vector i.
    """
    code = jax.nn.one_hot(encoded.argmax(-1), encoded.shape[-1])
    # In this order the sum is exactly one-hot.
    return code + (encoded - jax.lax.stop_gradient(encoded))


def _describe(game: Game, shape: Shape) -> Description:
    """Return the functions that docs/NETWORKS.md wants of muzero."""
    planes = shape.planes or game.distinct_planes

    def state_from(inputs: int) -> tuple[Layer, ...]:
        return (*mlp(shape.state, shape.hidden, 1, inputs), Norm(shape.state))

    def told(outputs: int) -> Function:
        return Function(shape.state, mlp(outputs, shape.head, 1, shape.state))

    after, code = shape.state + SLIDES, shape.state + shape.codes
    functions = (
        ("representation", Function("board", state_from(game.cells * planes))),
        ("policy", told(SLIDES)),
        ("value", told(shape.value.outputs)),
        ("afterstate", Function(after, state_from(after))),
        ("chance", told(shape.codes)),
        ("afterstate_value", told(shape.value.outputs)),
        ("dynamics", Function(code, state_from(code))),
        ("reward", told(shape.value.outputs)),
    )
    return Description(game, planes, functions, value=shape.value)
