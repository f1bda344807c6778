"""The single layers of networks: their JSON, shapes, parameters and computations.

Data has the shape (n, height, width, channels), (n, numbers), or, if several boards are joined,
(n, cells, channels). The parameters of layer I of a function are named FUNCTION.I.weight and
FUNCTION.I.bias; parameters of layers inside of others are named FUNCTION.I.J.weight.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import jax
import jax.numpy as jnp
from jax import Array

Params = dict[str, Array]
"""Tensors by their names, float32."""
Shape = tuple[int, ...]
"""Of the data of one position, without the batch."""
Padding = Literal["after", "around", "none"]
_LONGEST_KERNEL = 4
_EPSILON = 1e-5


@dataclass(frozen=True)
class Initial:
    """How parameters begin.

    ``he`` draws weights from a normal distribution with variance 2 / inputs (He et al. 2015),
    ``truncated`` from one with the given deviation, cut off at two deviations, as Kondo 2020 does.
    The weights of each function's last layer are multiplied by ``last`` if it is dense: a small one
    begins with values near 0 and even policies. Biases of conv and dense layers begin with 0.
    """

    weights: Literal["he", "truncated"] = "he"
    deviation: float = 0.1
    last: float = 1.0

    def draw(self, key: Array, shape: Shape) -> Array:
        """Draw weights. Their last axis are the outputs."""
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

    def reached(self, shape: Shape) -> list[int]:
        """Return for each cell of the kernel how many cells of the input meet one of the output."""
        before = [k // 2 if self.padding == "around" else 0 for k in self.kernel]
        inputs, outputs = shape[:2], self.shape(shape)[:2]
        height, width = (
            [_met(i, o, cell - first) for cell in range(k)]
            for i, o, first, k in zip(inputs, outputs, before, self.kernel, strict=True)
        )
        return [rows * columns for rows in height for columns in width]

    def init(self, key: Array, name: str, initial: Initial) -> Params:
        """Draw weights (kernel height, kernel width, inputs, outputs) and biases (outputs,)."""
        weight = initial.draw(key, (*self.kernel, self.inputs, self.outputs))
        return {f"{name}.weight": weight, f"{name}.bias": jnp.zeros(self.outputs)}

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


def _met(inputs: int, outputs: int, shift: int) -> int:
    """Return how many of the first places of outputs are places of inputs when they are shifted."""
    return max(0, min(outputs, inputs - shift) - max(0, -shift))


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
        return {f"{name}.weight": weight, f"{name}.bias": jnp.zeros(self.outputs)}

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
        if len(shape) == 2:
            raise ValueError("joined numbers of several boards: want a dense layer before")
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


def check_counts(*counts: object) -> None:
    """Check lengths and numbers of channels, which may be anything in a file.

    ValueError unless all are whole numbers from 1.
    """
    for count in counts:
        if type(count) is not int or count < 1:
            raise ValueError(f"{count!r}: want a whole number, 1 or more")
