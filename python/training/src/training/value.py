"""How the output of a network becomes points, and how a network learns points.

Final scores span four orders of magnitude, from 8 on 2x2 to 70,000 on 4x4. A network may therefore
learn transformed values, as one number or as a distribution over evenly spaced bins.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

Transform = Literal["none", "sqrt", "log"]
_SQRT_SLOPE = 0.001
_MOST_BINS = 4096
LARGEST = 1e9
"""The largest scale, and the bound of bins."""


def transform(kind: Transform, points: Array) -> Array:
    """Return T(points): none; sqrt (Schrittwieser et al. 2020, appendix F); log.

    sqrt is sign(x) (sqrt(|x| + 1) - 1) + 0.001 x, log is sign(x) log(1 + |x|).
    """
    if kind == "sqrt":
        return jnp.sign(points) * (jnp.sqrt(jnp.abs(points) + 1) - 1) + _SQRT_SLOPE * points
    if kind == "log":
        return jnp.sign(points) * jnp.log1p(jnp.abs(points))
    return points


def inverse(kind: Transform, value: Array) -> Array:
    """Return the points x with T(x) = value."""
    if kind == "sqrt":
        e = _SQRT_SLOPE
        # e r^2 + r - (|value| + 1 + e) = 0 with r = sqrt(x + 1), solved without cancellation.
        c = jnp.abs(value) + 1 + e
        root = 2 * c / (1 + jnp.sqrt(1 + 4 * e * c))
        return jnp.sign(value) * (root * root - 1)
    if kind == "log":
        return jnp.sign(value) * jnp.expm1(jnp.abs(value))
    return value


@dataclass(frozen=True)
class Value:
    """The meaning of a value's output y.

    With bins = 0, points = T^-1(scale * y), and y is one number. With bins = n, y are n logits, and
    scale * (the mean of n evenly spaced numbers from low to high under their softmax) takes the
    place of scale * y.
    """

    transform: Transform = "sqrt"
    scale: float = 1.0
    bins: int = 0
    low: float = 0.0
    high: float = 0.0

    def __post_init__(self) -> None:
        if self.transform not in get_args(Transform):
            raise ValueError(f"transform {self.transform!r}: want {', '.join(get_args(Transform))}")
        for name in ("scale", "low", "high"):  # in a file they may be anything
            number = getattr(self, name)
            if type(number) not in (int, float) or not abs(number) < math.inf:
                raise ValueError(f"{name} {number!r}: want a finite number")
        if not 0 < self.scale <= LARGEST:
            raise ValueError(f"scale {self.scale}: want more than 0, at most {LARGEST:g}")
        if type(self.bins) is not int or not (self.bins == 0 or 2 <= self.bins <= _MOST_BINS):
            raise ValueError(f"bins {self.bins!r}: want 0, or 2 to {_MOST_BINS}")
        if self.bins and not -LARGEST <= self.low < self.high <= LARGEST:
            bounds = f"bins {self.bins} from {self.low} to {self.high}"
            raise ValueError(f"{bounds}: want the lower number first, both within {LARGEST:g}")

    @property
    def outputs(self) -> int:
        """How many numbers make a value: 1, or the bins."""
        return self.bins or 1

    @property
    def support(self) -> Array:
        """The numbers that the bins stand for, shape (bins,)."""
        return jnp.asarray(np.linspace(self.low, self.high, self.bins, dtype=np.float32))

    def number(self, output: Array) -> Array:
        """Return the transformed, scaled value of outputs (..., outputs): shape (...)."""
        if not self.bins:
            return output[..., 0]
        return jax.nn.softmax(output) @ self.support

    def points(self, output: Array) -> Array:
        """Return the points of outputs (..., outputs): shape (...)."""
        return inverse(self.transform, self.scale * self.number(output))

    def target(self, points: Array) -> Array:
        """Return the target for number() for points, of any shape; without the bins' bounds."""
        return transform(self.transform, jnp.asarray(points, jnp.float32)) / self.scale

    def two_hot(self, number: Array) -> Array:
        """Return weights (..., bins) of the two bins next to numbers (...), with these means.

        Numbers beyond the bins count as the first or the last one.
        """
        place = (number - self.low) / (self.high - self.low) * (self.bins - 1)
        place = jnp.clip(place, 0, self.bins - 1)[..., None]
        return jnp.maximum(0.0, 1 - jnp.abs(place - jnp.arange(self.bins)))

    def loss(self, output: Array, points: Array) -> Array:
        """Return the losses, shape (...), of outputs (..., outputs) for points (...).

        Half the squared error of the number, or the cross-entropy with its two-hot weights.
        """
        target = jax.lax.stop_gradient(self.target(points))
        if not self.bins:
            return 0.5 * (output[..., 0] - target) ** 2
        return -jnp.sum(self.two_hot(target) * jax.nn.log_softmax(output), axis=-1)

    def to_json(self) -> dict[str, Any]:
        """Return the fields, as a network's description has them."""
        return asdict(self)
