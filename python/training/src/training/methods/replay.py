"""A memory of turns, to learn from in another order (Lin 1992, Mnih et al. 2015)."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
from jax import Array

E = TypeVar("E")


class Replay(NamedTuple, Generic[E]):
    """A ring with the latest entries; a pytree, so that it can be a part of a run's state."""

    entries: E
    """A pytree of arrays, whose first axis counts the entries that there is room for."""
    place: Array
    """Where the next entry goes, int32."""
    size: Array
    """How many entries there are, int32."""

    @property
    def capacity(self) -> int:
        """How many entries there is room for."""
        return int(jax.tree.leaves(self.entries)[0].shape[0])

    def add(self, entries: E) -> Replay[E]:
        """Remember entries, at most the capacity, in the place of the oldest ones."""
        count = jax.tree.leaves(entries)[0].shape[0]
        places = (self.place + jnp.arange(count)) % self.capacity
        kept = jax.tree.map(lambda old, new: old.at[places].set(new), self.entries, entries)
        size = jnp.minimum(self.size + count, self.capacity)
        return Replay(kept, (self.place + count) % self.capacity, size)

    def sample(self, key: Array, count: int) -> E:
        """Draw entries uniformly, with repetitions; there must be one at least."""
        places = jax.random.randint(key, (count,), 0, self.size)
        drawn: E = jax.tree.map(lambda array: array[places], self.entries)
        return drawn


def replay(entry: E, capacity: int) -> Replay[E]:
    """Return an empty memory for entries of the shapes and types of this one."""
    entries: E = jax.tree.map(lambda a: jnp.zeros((capacity, *a.shape), a.dtype), entry)
    return Replay(entries, jnp.int32(0), jnp.int32(0))
