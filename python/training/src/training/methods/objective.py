"""The formulas of PPO: probabilities of slides, the clipped objective, and advantages."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import Array

NEVER = -1e9
"""The preference of an illegal slide: its probability is exactly 0 in float32."""


def log_softmax(preference: Array, legal: Array) -> Array:
    """Return the logarithms of the slides' probabilities, shape (..., 4)."""
    return jax.nn.log_softmax(jnp.where(legal, preference, NEVER))


def entropy(log_policy: Array, legal: Array) -> Array:
    """Return the entropy of slides (..., 4) in nats: shape (...)."""
    return -jnp.sum(jnp.where(legal, jnp.exp(log_policy) * log_policy, 0.0), axis=-1)


def clipped(ratio: Array, advantage: Array, clip: float) -> Array:
    """Return PPO's objective (Schulman et al. 2017, equation 7) of each slide, to be maximised."""
    bounded = jnp.clip(ratio, 1 - clip, 1 + clip)
    return jnp.minimum(ratio * advantage, bounded * advantage)


def advantages(
    gain: Array, value: Array, baseline: Array, over: Array, last: Array, trace: float
) -> tuple[Array, Array]:
    """Estimate the advantages of slides, and the further points after them, in points.

    All but last have the shape (slides, games). A slide's advantage is its own difference, gain +
    value - baseline, and trace times the sum of chance's difference and the next advantage: A = d +
    trace * (B' - V + A'). The further points are B' + A'; B' and A' are 0 where the game is over.
    Last is B of the boards behind the last slides, shape (games,). No points are discounted.
    """

    def back(later: Array, turn: tuple[Array, ...]) -> tuple[Array, tuple[Array, Array]]:
        gain, value, baseline, over = turn
        further = jnp.where(over, 0.0, later)
        advantage = gain + value - baseline + trace * (further - value)
        return baseline + advantage, (advantage, further)

    _, estimates = jax.lax.scan(back, last, (gain, value, baseline, over), reverse=True)
    return estimates
