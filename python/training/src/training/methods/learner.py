"""How td, dqn and muzero change the parameters of their networks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from training.layers import Params


class Learned(NamedTuple):
    """The learned parameters, and the state for the next update."""

    params: Params
    averaged: Params
    """Their moving average, which plays better: single updates are noisy."""
    optimiser: optax.OptState
    updates: Array
    """How often the parameters have changed, int32."""


@dataclass(frozen=True)
class Learner:
    """Adam (Kingma and Ba 2015), with a moving average of the parameters."""

    rate: float
    """The learning rate of the first update."""
    steps: int
    """The updates over which the rate falls to a fiftieth by a cosine; 0: it is constant."""
    keep: float
    """How much of the average an update keeps; less in the first ones, to forget the beginning."""

    def start(self, params: Params) -> Learned:
        """Begin with these parameters."""
        averaged = jax.tree.map(jnp.copy, params)
        return Learned(params, averaged, self._adam.init(params), jnp.int32(0))

    def update(self, learned: Learned, loss: Callable[[Params], Array]) -> tuple[Learned, Array]:
        """Change the parameters once so that the loss gets smaller; return the loss before."""
        lost, slope = jax.value_and_grad(loss)(learned.params)
        change, optimiser = self._adam.update(slope, learned.optimiser)
        params: Params = optax.apply_updates(learned.params, change)
        keep = jnp.minimum(self.keep, (1 + learned.updates) / (10 + learned.updates))
        averaged = jax.tree.map(lambda a, b: keep * a + (1 - keep) * b, learned.averaged, params)
        return Learned(params, averaged, optimiser, learned.updates + 1), lost

    @property
    def _adam(self) -> optax.GradientTransformation:
        if not self.steps:
            return optax.adam(self.rate)
        return optax.adam(optax.cosine_decay_schedule(self.rate, self.steps, alpha=0.02))
