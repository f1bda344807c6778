import jax
import jax.numpy as jnp
import numpy as np

from training.methods.replay import replay


def test_the_latest_entries_are_kept() -> None:
    memory = replay({"number": jnp.int32(0), "board": jnp.zeros((2, 2), jnp.int8)}, 5)
    for numbers in ([1, 2], [3, 4], [5, 6], [7, 8]):
        boards = jnp.array(numbers, jnp.int8)[:, None, None] * jnp.ones((2, 2), jnp.int8)
        memory = memory.add({"number": jnp.array(numbers, jnp.int32), "board": boards})
    assert memory.capacity == 5 and int(memory.size) == 5 and int(memory.place) == 3
    np.testing.assert_array_equal(sorted(np.asarray(memory.entries["number"])), [4, 5, 6, 7, 8])
    drawn = memory.sample(jax.random.key(1), 1000)
    np.testing.assert_array_equal(drawn["board"][:, 1, 1], drawn["number"])
    counts = np.bincount(np.asarray(drawn["number"]))[4:]
    assert counts.min() > 140 and counts.max() < 260


def test_what_was_never_added_is_not_drawn() -> None:
    memory = replay(jnp.int32(0), 100).add(jnp.array([7, 8, 9], jnp.int32))
    assert set(np.asarray(memory.sample(jax.random.key(1), 500))) == {7, 8, 9}
