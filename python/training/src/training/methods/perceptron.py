"""The networks of td and dqn: perceptrons that see a board's planes and tell values."""

from __future__ import annotations

from dataclasses import dataclass

from jax import Array
from versus2048.jax.game import Game

from training.config import check_range
from training.layers import Activation, Dense, Initial, Layer, Params
from training.network import Description, Function, canonical, check_planes
from training.value import Transform, Value


@dataclass(frozen=True)
class Perceptron:
    """The table [network]: layers with ReLU between a board's planes and values.

    Points are learned as they are unless ``transform`` says otherwise: the mean of transformed
    points is not the transformed mean, so that a transformed value is no expected score, and a
    player that maximises it avoids risks that are worth taking.
    """

    hidden: tuple[int, ...] = (128, 128)
    """The numbers of units of the hidden layers."""
    planes: int = 0
    """The planes of a board; 0: one for every tile that it can hold, and one for empty cells."""
    canonical: bool = False
    """Whether it sees one of the symmetric boards, always the same: its values are symmetric."""
    transform: Transform = "none"
    scale: float = 100.0
    """How many (transformed) points an output of 1 is worth: about a standard deviation."""
    bins: int = 0
    low: float = 0.0
    high: float = 0.0
    last: float = 0.1
    """The last layer begins with weights that are smaller by this factor: with values near 0."""

    def __post_init__(self) -> None:
        if not self.hidden or min(self.hidden) < 1:
            raise ValueError(f"hidden = {list(self.hidden)}: want one or more numbers from 1")
        check_range(self, ["last"], 0, 1)
        check_planes(self.planes, free=True)
        self.value  # noqa: B018 # an error if it is wrong

    @property
    def value(self) -> Value:
        """How outputs become points."""
        return Value(self.transform, self.scale, self.bins, self.low, self.high)

    def describe(self, game: Game, function: str, values: int) -> Description:
        """Return the network with one function of boards that tells so many values."""
        planes = self.planes or game.distinct_planes
        layers: list[Layer] = []
        inputs = game.cells * planes
        for units in self.hidden:
            layers += [Dense(inputs, units), Activation("relu")]
            inputs = units
        layers.append(Dense(inputs, values * self.value.outputs))
        seen = canonical(tuple(layers)) if self.canonical else tuple(layers)
        functions = ((function, Function("board", seen)),)
        return Description(game, planes, functions, value=self.value)

    def draw(self, key: Array, description: Description) -> Params:
        """Draw the parameters that learning begins with."""
        return description.init(key, Initial(last=self.last))
