"""The learning methods: one module each, and the table of their names.

A method is a class made from its configuration. Its state, a pytree of arrays, has everything that
it has learned so far, and everything that decides its next steps, such as the key of its random
choices. The loop of training.run saves states and continues them exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol, TypeVar, cast

from jax import Array

from training.config import Config, ConfigError
from training.network import Description, Network

S = TypeVar("S")

METHODS: Mapping[str, str] = {
    "az": "training.methods.alphazero.AlphaZero",
    "cnn": "training.methods.cnn.CNN",
    "dqn": "training.methods.dqn.DQN",
    "muzero": "training.methods.muzero.MuZero",
    "ppo": "training.methods.ppo.PPO",
    "td": "training.methods.td.TD",
}
"""By the name in a run's file: the module and its class."""


@dataclass(frozen=True)
class Progress:
    """How far a run has come, from its beginning."""

    steps: int
    """Updates of the parameters. A run's ``steps`` ends it."""
    games: int = 0
    """Games that were played to their end."""
    positions: int = 0
    """Boards that were played, or learned from."""
    metrics: Mapping[str, float] = field(default_factory=dict)
    """For curves: losses, which have "loss" in their names, mean scores of games."""


class Method(Protocol[S]):
    """A way to learn to play.

    S is a pytree of arrays of JAX and NumPy: all of it is saved and restored bit by bit, so that it
    must hold everything that changes: parameters, the optimiser's state, games in progress, a
    buffer of positions, counters and the PRNG key (``jax.random.key``).
    """

    @property
    def description(self) -> Description:
        """The structure of its network, before anything is learned."""

    def start(self, key: Array) -> S:
        """Return the state before the first step."""

    def advance(self, state: S) -> tuple[S, Progress]:
        """Learn for a chunk of at most a few seconds.

        The result depends on the state alone. The state that is given may be used up (donated).
        """

    def evaluate(self, state: S, key: Array) -> dict[str, float]:
        """Measure the learned play, such as score (the mean) and share (of the optimum)."""

    def network(self, state: S) -> Network:
        """Return the network to play with.

        Its recipe has only facts that the settings do not tell and that do not change during a run:
        a checkpoint with another recipe is refused.
        """


def build(config: Config, methods: Mapping[str, str] = METHODS) -> Method[object]:
    """Make the method of a run. ConfigError if its settings are wrong."""
    if config.method not in methods:
        raise ConfigError(f"[run] method = {config.method!r}: want one of {', '.join(methods)}")
    module, name = methods[config.method].rsplit(".", 1)
    try:
        method = cast(Method[object], getattr(import_module(module), name)(config))
        method.description.check_playable(config.run.half)
        return method
    except ConfigError:
        raise
    except ValueError as error:  # such a network cannot be, or the arena would refuse it
        raise ConfigError(f"[network] {error}") from None
