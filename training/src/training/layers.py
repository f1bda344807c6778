"""The layers of networks: their JSON, their shapes, their parameters, what they compute.

Data has the shape (n, height, width, channels) or (n, numbers). The parameters of layer I of a
function are named FUNCTION.I.weight and FUNCTION.I.bias; those of layers inside of others
FUNCTION.I.J.weight.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import jax
import jax.numpy as jnp
from jax import Array

from training.game import symmetric

Params = dict[str, Array]
"""Tensors by their names, float32."""
Shape = tuple[int, ...]
"""Of the data of one position, without the batch."""
Padding = Literal["after", "around", "none"]
MOST_LAYERS = 256
"""That follow each other."""
_LONGEST_KERNEL = 4
_EPSILON = 1e-5


@dataclass(frozen=True)
class Initial:
    """How parameters begin.

    ``he`` draws weights from a normal distribution with variance 2 / inputs (He et al. 2015),
    ``truncated`` from one with the given deviation, cut off at two deviations, as Kondo 2020 does.
    The weights of each function's last layer are multiplied by ``last`` if it is dense: a small one
    begins with values near 0 and even policies. Biases of conv and dense layers begin with bias.
    """

    weights: Literal["he", "truncated"] = "he"
    deviation: float = 0.1
    bias: float = 0.0
    last: float = 1.0

    def __post_init__(self) -> None:
        if self.weights not in ("he", "truncated"):
            raise ValueError(f"weights {self.weights!r}: want he or truncated")

    def draw(self, key: Array, shape: Shape) -> Array:
        """Draw weights, whose last axis are the outputs."""
        if self.weights == "truncated":
            drawn, deviation = jax.random.truncated_normal(key, -2, 2, shape), self.deviation
        else:
            drawn, deviation = jax.random.normal(key, shape), math.sqrt(2 / math.prod(shape[:-1]))
        return jnp.multiply(deviation, drawn)


class Layer(Protocol):
    """A layer; hashable."""

    def shape(self, shape: Shape) -> Shape:
        """Return the output's shape for the input's. ValueError if the input does not fit."""

    def init(self, key: Array, name: str, initial: Initial) -> Params:
        """Draw the parameters of the layer of that name."""

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Compute the output (n, ...) of x (n, ...)."""

    def to_json(self) -> dict[str, Any]:
        """Return the layer as docs/NETWORKS.md has it."""


@dataclass(frozen=True)
class Conv:
    """A convolution with stride 1."""

    kind: ClassVar[str] = "conv"
    kernel: tuple[int, int]
    inputs: int
    outputs: int
    padding: Padding

    def __post_init__(self) -> None:
        check_counts(self.kernel[0], self.kernel[1], self.inputs, self.outputs)
        if max(self.kernel) > _LONGEST_KERNEL:
            raise ValueError(f"kernel {self.kernel}: want up to {_LONGEST_KERNEL} cells a side")
        if self.padding not in ("after", "around", "none"):
            raise ValueError(f"padding {self.padding!r}: want after, around or none")
        if self.padding == "around" and not all(k % 2 for k in self.kernel):
            raise ValueError(f"kernel {self.kernel} with padding around: want odd lengths")

    def shape(self, shape: Shape) -> Shape:
        """Keep height and width, but for padding none."""
        if len(shape) != 3 or shape[-1] != self.inputs:
            raise ValueError(f"data of shape {shape}, want height, width and {self.inputs}")
        lost = [k - 1 if self.padding == "none" else 0 for k in self.kernel]
        height, width = shape[0] - lost[0], shape[1] - lost[1]
        if height < 1 or width < 1:
            raise ValueError(f"data of shape {shape} is smaller than the kernel {self.kernel}")
        return (height, width, self.outputs)

    def init(self, key: Array, name: str, initial: Initial) -> Params:
        """Draw weights (kernel height, kernel width, inputs, outputs) and biases (outputs,)."""
        weight = initial.draw(key, (*self.kernel, self.inputs, self.outputs))
        return {
            f"{name}.weight": weight,
            f"{name}.bias": jnp.full(self.outputs, initial.bias, jnp.float32),
        }

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Convolve."""
        pads = {
            "after": [(0, k - 1) for k in self.kernel],
            "around": [(k // 2, k // 2) for k in self.kernel],
            "none": [(0, 0), (0, 0)],
        }[self.padding]
        numbers = ("NHWC", "HWIO", "NHWC")
        y = jax.lax.conv_general_dilated(
            x, params[f"{name}.weight"], (1, 1), pads, dimension_numbers=numbers
        )
        return y + params[f"{name}.bias"]

    def to_json(self) -> dict[str, Any]:
        """Return the layer as docs/NETWORKS.md has it."""
        return {
            "kind": self.kind,
            "kernel": list(self.kernel),
            "in": self.inputs,
            "out": self.outputs,
            "padding": self.padding,
        }


@dataclass(frozen=True)
class Dense:
    """A fully connected layer; flattens its input."""

    kind: ClassVar[str] = "dense"
    inputs: int
    outputs: int

    def __post_init__(self) -> None:
        check_counts(self.inputs, self.outputs)

    def shape(self, shape: Shape) -> Shape:
        """Return one axis."""
        if math.prod(shape) != self.inputs:
            raise ValueError(f"data of shape {shape}, want {self.inputs} numbers")
        return (self.outputs,)

    def init(self, key: Array, name: str, initial: Initial) -> Params:
        """Draw weights (inputs, outputs) and biases (outputs,)."""
        weight = initial.draw(key, (self.inputs, self.outputs))
        return {
            f"{name}.weight": weight,
            f"{name}.bias": jnp.full(self.outputs, initial.bias, jnp.float32),
        }

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Multiply and add."""
        return x.reshape(len(x), -1) @ params[f"{name}.weight"] + params[f"{name}.bias"]

    def to_json(self) -> dict[str, Any]:
        """Return the layer as docs/NETWORKS.md has it."""
        return {"kind": self.kind, "in": self.inputs, "out": self.outputs}


@dataclass(frozen=True)
class Activation:
    """relu or tanh, of each number."""

    kind: Literal["relu", "tanh"]

    def shape(self, shape: Shape) -> Shape:
        """Return the same."""
        return shape

    def init(self, key: Array, name: str, initial: Initial) -> Params:
        """Return no parameters."""
        return {}

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Compute max(x, 0) or tanh x."""
        return jax.nn.relu(x) if self.kind == "relu" else jnp.tanh(x)

    def to_json(self) -> dict[str, Any]:
        """Return the layer as docs/NETWORKS.md has it."""
        return {"kind": self.kind}


@dataclass(frozen=True)
class Norm:
    """Layer normalisation over the last axis (Ba, Kiros and Hinton 2016)."""

    kind: ClassVar[str] = "norm"
    channels: int

    def __post_init__(self) -> None:
        check_counts(self.channels)

    def shape(self, shape: Shape) -> Shape:
        """Return the same."""
        if shape[-1] != self.channels:
            raise ValueError(f"data of shape {shape}, want {self.channels} channels")
        return shape

    def init(self, key: Array, name: str, initial: Initial) -> Params:
        """Return ones and zeros, shape (channels,)."""
        ones = jnp.ones(self.channels)
        return {f"{name}.weight": ones, f"{name}.bias": jnp.zeros(self.channels)}

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Normalise, scale and shift."""
        centred = x - x.mean(-1, keepdims=True)
        variance = jnp.mean(centred**2, axis=-1, keepdims=True)
        y = centred * jax.lax.rsqrt(variance + _EPSILON)
        return y * params[f"{name}.weight"] + params[f"{name}.bias"]

    def to_json(self) -> dict[str, Any]:
        """Return the layer as docs/NETWORKS.md has it."""
        return {"kind": self.kind, "channels": self.channels}


@dataclass(frozen=True)
class Residual:
    """x + f(x), with f the inner layers."""

    kind: ClassVar[str] = "residual"
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        check_layers(self.layers, first=False)

    def shape(self, shape: Shape) -> Shape:
        """Return the same; the inner layers have to keep it."""
        inner = shape
        for layer in self.layers:
            inner = layer.shape(inner)
        if inner != shape:
            raise ValueError(f"a residual of shape {inner} for data of shape {shape}")
        return shape

    def init(self, key: Array, name: str, initial: Initial) -> Params:
        """Draw the inner layers' parameters."""
        return init_layers(key, name, self.layers, initial)

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Add the inner layers' output."""
        return x + apply_layers(params, name, self.layers, x)

    def to_json(self) -> dict[str, Any]:
        """Return the layer as docs/NETWORKS.md has it."""
        return {"kind": self.kind, "layers": [layer.to_json() for layer in self.layers]}


@dataclass(frozen=True)
class Symmetries:
    """The inner layers of each symmetric board, joined (proposal 2 of Kondo 2020).

    Eight boards if they are square, else four, in the order of training.game.symmetric. The first
    layer of a function of boards.
    """

    kind: ClassVar[str] = "symmetries"
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        check_layers(self.layers, first=False)

    def shape(self, shape: Shape) -> Shape:
        """Return the joined numbers."""
        if len(shape) != 3:
            raise ValueError(f"symmetries of data of shape {shape}, want boards")
        images = 8 if shape[0] == shape[1] else 4
        for layer in self.layers:
            shape = layer.shape(shape)
        return (images * math.prod(shape),)

    def init(self, key: Array, name: str, initial: Initial) -> Params:
        """Draw the inner layers' parameters, which all boards share."""
        return init_layers(key, name, self.layers, initial)

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Compute the inner layers of all images at once."""
        images = symmetric(x, (1, 2))
        y = apply_layers(params, name, self.layers, images.reshape(-1, *x.shape[1:]))
        return y.reshape(len(x), -1)

    def to_json(self) -> dict[str, Any]:
        """Return the layer as docs/NETWORKS.md has it."""
        return {"kind": self.kind, "layers": [layer.to_json() for layer in self.layers]}


@dataclass(frozen=True)
class Canonical:
    """The inner layers of one of the symmetric boards, the same for all of them.

    That is the one whose cells, row by row, have the greatest planes: the first cell, of equal ones
    the second, and so on. What the layers tell does not depend on how a board lies. The first layer
    of a function of boards.
    """

    kind: ClassVar[str] = "canonical"
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        check_layers(self.layers, first=False)

    def shape(self, shape: Shape) -> Shape:
        """Return the inner layers' output."""
        if len(shape) != 3:
            raise ValueError(f"canonical of data of shape {shape}, want boards")
        for layer in self.layers:
            shape = layer.shape(shape)
        return shape

    def init(self, key: Array, name: str, initial: Initial) -> Params:
        """Draw the inner layers' parameters."""
        return init_layers(key, name, self.layers, initial)

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Compute the inner layers of the greatest image."""
        return apply_layers(params, name, self.layers, greatest_image(x))

    def to_json(self) -> dict[str, Any]:
        """Return the layer as docs/NETWORKS.md has it."""
        return {"kind": self.kind, "layers": [layer.to_json() for layer in self.layers]}


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


def check_counts(*counts: object) -> None:
    """Look at lengths and numbers of channels, in which a file can have anything.

    ValueError unless all are whole numbers from 1.
    """
    for count in counts:
        if type(count) is not int or count < 1:
            raise ValueError(f"{count!r}: want a whole number, 1 or more")


def check_layers(layers: tuple[Layer, ...], first: bool) -> None:
    """Look at layers that follow each other; first are those that see the board.

    ValueError if they are too many or none, or if one that looks at symmetric boards comes later
    than first.
    """
    if not 1 <= len(layers) <= MOST_LAYERS:
        raise ValueError(f"{len(layers)} layers: want 1 to {MOST_LAYERS}")
    for layer in layers[1:] if first else layers:
        if isinstance(layer, Symmetries | Canonical):
            raise ValueError(f"{layer.kind} is only the first layer of a function from the board")


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
            case "residual":
                return Residual(tuple(map(layer_of, fields.pop("layers"))), **fields)
            case "symmetries":
                return Symmetries(tuple(map(layer_of, fields.pop("layers"))), **fields)
            case "canonical":
                return Canonical(tuple(map(layer_of, fields.pop("layers"))), **fields)
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
