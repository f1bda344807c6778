"""Planning: the tree search of Stochastic MuZero in the learned model, by mctx.

Slides are chosen as MuZero chooses them, codes by their probability and how often they came up.
Only the slides at the root are known to be legal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import mctx
from jax import Array

from training.layers import Params
from training.methods.muzero.model import Model

_NEVER = -1e9


class Found(NamedTuple):
    """The results of a search, for boards (n, height, width)."""

    slide: Array
    """Drawn by the visits; integers (n,)."""
    policy: Array
    """The slides' shares of the visits, (n, 4)."""
    value: Array
    """The mean further points of the simulations, (n,)."""


@dataclass(frozen=True)
class Search:
    """How to search."""

    model: Model
    simulations: int
    noise: float = 0.0
    """The share of Dirichlet noise in the root's policy."""
    alpha: float = 0.3
    """Of the Dirichlet distribution."""
    temperature: float = 0.0
    """Slides are drawn by visits ** (1 / temperature); 0: the one with the most visits."""

    def __call__(self, params: Params, key: Array, board: Array, legal: Array) -> Found:
        """Search; boards without a legal slide are allowed, but their results are worthless."""
        state = self.model.represent(params, board)
        told = self.model.predict(params, state)
        root = mctx.RootFnOutput(
            prior_logits=told.policy, value=self.model.value.points(told.value), embedding=state
        )
        output = mctx.stochastic_muzero_policy(
            params,
            key,
            root,
            self._decide,
            self._happen,
            num_simulations=self.simulations,
            invalid_actions=~legal,
            dirichlet_fraction=self.noise,
            dirichlet_alpha=self.alpha,
            temperature=self.temperature,
        )
        value = output.search_tree.summary().value
        return Found(output.action, output.action_weights[:, : legal.shape[-1]], value)

    def _decide(
        self, params: Params, _: Array, slide: Array, state: Array
    ) -> tuple[mctx.DecisionRecurrentFnOutput, tuple[Array, Array]]:
        """Slide. For mctx, an afterstate's value has the points of the slide in it.

        The points are counted once, as a reward after chance has moved, and are kept until then.
        """
        after = self.model.slide(params, state, slide)
        told = self.model.expect(params, after)
        gain, further = self.model.value.points(told.reward), self.model.value.points(told.value)
        output = mctx.DecisionRecurrentFnOutput(
            chance_logits=told.chance, afterstate_value=gain + further
        )
        return output, (after, gain)

    def _happen(
        self, params: Params, _: Array, code: Array, afterstate: tuple[Array, Array]
    ) -> tuple[mctx.ChanceRecurrentFnOutput, Array]:
        """Let chance make the move of a code."""
        after, gain = afterstate
        one_hot = jax.nn.one_hot(code, self.model.shape.codes)
        state = self.model.follow(params, after, one_hot)
        told = self.model.predict(params, state)
        output = mctx.ChanceRecurrentFnOutput(
            action_logits=told.policy,
            value=self.model.value.points(told.value),
            reward=gain,
            discount=jnp.ones_like(gain),
        )
        return output, state


def by_policy(model: Model, params: Params, board: Array, legal: Array) -> Array:
    """Return the likeliest legal slides of boards, without a search."""
    policy = model.predict(params, model.represent(params, board)).policy
    return jnp.where(legal, policy, _NEVER).argmax(-1)
