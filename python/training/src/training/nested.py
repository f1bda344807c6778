"""Layers with layers inside, lists of layers, and how layers are read from JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
from jax import Array
from versus2048.jax.game import symmetric

from training.layers import Activation, Conv, Dense, Initial, Layer, Norm, Params, Shape

MOST_LAYERS = 256
"""That follow each other."""
MOST_NESTING = 4
"""Lists of layers within each other, without the outermost one."""
MOST_CHANNELS = 1 << 14
MOST_NUMBERS = 1 << 18
"""Of a layer's output."""


@dataclass(frozen=True)
class Nested:
    """A layer with layers inside, which have all of its parameters."""

    kind: ClassVar[str]
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        check_layers(self.layers, first=False)

    def init(self, key: Array, name: str, initial: Initial) -> Params:
        """Draw the inner layers' parameters."""
        return init_layers(key, name, self.layers, initial)

    def to_json(self) -> dict[str, Any]:
        """Return the layer as docs/NETWORKS.md has it."""
        return {"kind": self.kind, "layers": [layer.to_json() for layer in self.layers]}


class Residual(Nested):
    """x + f(x), with f the inner layers."""

    kind = "residual"

    def shape(self, shape: Shape) -> Shape:
        """Return the same; the inner layers have to keep it."""
        inner = shape_of(self.layers, shape)
        if inner != shape:
            raise ValueError(f"a residual of shape {inner} for data of shape {shape}")
        return shape

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Add the inner layers' output."""
        return x + apply_layers(params, name, self.layers, x)


class Symmetries(Nested):
    """The inner layers of each symmetric board, joined (proposal 2 of Kondo 2020).

    Eight boards if they are square, else four, in the order of versus2048.jax.game.symmetric. The
    first layer of a function of boards.
    """

    kind = "symmetries"

    def shape(self, shape: Shape) -> Shape:
        """Return the joined cells of all images, and their channels."""
        if len(shape) != 3:
            raise ValueError(f"symmetries of data of shape {shape}, want boards")
        images = 8 if shape[0] == shape[1] else 4
        *cells, channels = shape_of(self.layers, shape)
        return (images * math.prod(cells), channels)

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Compute the inner layers of all images at once."""
        images = symmetric(x, (1, 2))
        y = apply_layers(params, name, self.layers, images.reshape(-1, *x.shape[1:]))
        return y.reshape(len(x), -1, y.shape[-1])


class Canonical(Nested):
    """The inner layers of one of the symmetric boards, the same for all of them.

    It is the board with the greatest planes, row by row: in the first cell, if these are equal in
    the second, and so on. The outputs thus do not depend on the board's orientation. This must be
    the first layer of a function of boards.
    """

    kind = "canonical"

    def shape(self, shape: Shape) -> Shape:
        """Return the inner layers' output."""
        if len(shape) != 3:
            raise ValueError(f"canonical of data of shape {shape}, want boards")
        return shape_of(self.layers, shape)

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Compute the inner layers of the greatest image."""
        return apply_layers(params, name, self.layers, greatest_image(x))


def greatest_image(x: Array) -> Array:
    """Return of boards (n, height, width, planes) the image that Canonical shows to its layers."""
    height, width = x.shape[1:3]
    cells = symmetric(jnp.arange(height * width).reshape(height, width), (0, 1))
    cells = cells.reshape(-1, height * width)  # cell c of image i is cell [i, c] of the board
    flat = x.reshape(len(x), height * width, -1)
    planes = flat.argmax(-1)[:, cells]  # (n, images, cells); a side's plane comes after the tiles'
    first = jnp.ones(planes.shape[:2], bool)
    for cell in range(height * width):
        seen = jnp.where(first, planes[..., cell], -1)
        first = seen == seen.max(-1, keepdims=True)
    image = cells[first.argmax(-1)]
    return jnp.take_along_axis(flat, image[..., None], axis=1).reshape(x.shape)


def check_layers(layers: tuple[Layer, ...], first: bool) -> None:
    """Check consecutive layers. first says whether they see the board.

    ValueError if they are too many or none, nested too deep, or if one that looks at symmetric
    boards is not the first.
    """
    if not 1 <= len(layers) <= MOST_LAYERS:
        raise ValueError(f"{len(layers)} layers: want 1 to {MOST_LAYERS}")
    if _nesting(layers) > MOST_NESTING:
        raise ValueError(f"layers nested {_nesting(layers)} times: want at most {MOST_NESTING}")
    for layer in layers[1:] if first else layers:
        if isinstance(layer, Symmetries | Canonical):
            raise ValueError(f"{layer.kind} is only the first layer of a function from the board")


def _nesting(layers: tuple[Layer, ...]) -> int:
    """Return how many lists of layers are within each other, below this one."""
    lists = (x.layers for x in layers if isinstance(x, Nested))
    return max((1 + _nesting(inner) for inner in lists), default=0)


def shape_of(layers: tuple[Layer, ...], shape: Shape) -> Shape:
    """Return the shape of data after these layers, one after the other.

    ValueError if the data does not fit, or if an output is larger than the arena takes.
    """
    for layer in layers:
        shape = layer.shape(shape)
        if shape[-1] > MOST_CHANNELS or math.prod(shape) > MOST_NUMBERS:
            wanted = f"want at most {MOST_CHANNELS} channels and {MOST_NUMBERS} numbers"
            raise ValueError(f"its output is {shape}: {wanted}")
    return shape


def layer_of(data: Mapping[str, Any]) -> Layer:
    """Read a layer from its JSON. ValueError if there is no such layer."""
    fields = dict(data)
    kind = fields.pop("kind", None)
    try:
        match kind:
            case "conv":
                height, width = fields.pop("kernel")
                return Conv((height, width), fields.pop("in"), fields.pop("out"), **fields)
            case "dense":
                return Dense(fields.pop("in"), fields.pop("out"), **fields)
            case "relu" | "tanh":
                return Activation(kind, **fields)
            case "norm":
                return Norm(**fields)
            case Residual.kind | Symmetries.kind | Canonical.kind:
                nested = {layer.kind: layer for layer in (Residual, Symmetries, Canonical)}[kind]
                return nested(tuple(map(layer_of, fields.pop("layers"))), **fields)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"layer {dict(data)}: {error}") from None
    raise ValueError(f"layer of kind {kind!r}: unknown")


def init_layers(key: Array, name: str, layers: tuple[Layer, ...], initial: Initial) -> Params:
    """Draw the parameters of layers, named name.I."""
    params: Params = {}
    for i, layer in enumerate(layers):
        key, drawn = jax.random.split(key)
        params |= layer.init(drawn, f"{name}.{i}", initial)
    return params


def apply_layers(params: Params, name: str, layers: tuple[Layer, ...], x: Array) -> Array:
    """Compute layers one after the other."""
    for i, layer in enumerate(layers):
        x = layer.apply(params, f"{name}.{i}", x)
    return x
