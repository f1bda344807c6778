"""Checkpoints: the state of a run as one file, which is complete at any time.

A checkpoint is a safetensors file with an array for each leaf of the state, named by its place in
the pytree. It is written under another name first, so that after a ``kill -9`` or a power failure
there is the old one or the new one.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from training import tensors

S = TypeVar("S")

FORMAT = "versus2048 training checkpoint 1"


class CheckpointError(ValueError):
    """A file that is no checkpoint of this run: one line that says which, and why."""


def save(path: Path, state: object, notes: Mapping[str, Any]) -> None:
    """Write the arrays of a state, and notes that JSON can hold. TypeError for other leaves."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(state)
    arrays = {jax.tree_util.keystr(place): _array(place, leaf) for place, leaf in leaves}
    metadata = {"format": FORMAT, "notes": json.dumps(notes)}
    write_atomically(path, tensors.render(arrays, metadata))


def load(path: Path, like: S) -> tuple[S, dict[str, Any]]:
    """Read a state of the structure, shapes and types of another one, and the notes.

    CheckpointError if the file is damaged, or was written with other settings.
    """
    try:
        arrays, notes = _parse(path.read_bytes())
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        wanted = "bring back a copy of it, or begin a new run"
        raise CheckpointError(f"{path}: no checkpoint: {error}; {wanted}") from None
    leaves, structure = jax.tree_util.tree_flatten_with_path(like)
    names = [jax.tree_util.keystr(place) for place, _ in leaves]
    if set(names) != set(arrays):
        wrong = sorted(set(names) ^ set(arrays))[0]
        raise CheckpointError(f"{path}: it is of other settings: {wrong} differs")
    restored = [
        _restored(path, n, leaf, arrays[n]) for n, (_, leaf) in zip(names, leaves, strict=True)
    ]
    return jax.tree_util.tree_unflatten(structure, restored), notes


def _parse(content: bytes) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays of a checkpoint, and its notes. ValueError if it is damaged."""
    arrays, about, data = tensors.parse(content, [FORMAT], ["notes"])
    unknown = about.keys() - {"format", "notes", "checksum"}
    if unknown:  # such as a damaged name of the checksum
        raise ValueError(f"its metadata has {sorted(unknown)[0]!r:.80}, which is unknown")
    right = tensors.checksum(about, data)
    if about.get("checksum", right) != right:  # earlier versions wrote none
        raise ValueError("the checksum is wrong: the file is damaged")
    return arrays, tensors.value_of(about, "notes")


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file such that its name stands for the old content or for all of the new one."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    if sys.platform != "win32":  # which opens no folders
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def _array(place: Any, leaf: object) -> NDArray[Any]:
    """Return a leaf as NumPy has it, a key as its data."""
    if not isinstance(leaf, Array | np.ndarray | np.generic):
        name = jax.tree_util.keystr(place)
        raise TypeError(f"state{name} is a {type(leaf).__name__}; a state has only arrays")
    if isinstance(leaf, Array) and _is_key(leaf):
        return np.asarray(jax.random.key_data(leaf))
    return np.ascontiguousarray(leaf).reshape(np.shape(leaf))


def _restored(path: Path, name: str, like: Any, saved: NDArray[Any]) -> Any:
    """Return a saved array as the leaf that it was."""
    wanted = _array((), like)
    if wanted.shape != saved.shape or wanted.dtype != saved.dtype:
        raise CheckpointError(
            f"{path}: it is of other settings: {name} is {saved.dtype}{list(saved.shape)}, "
            f"want {wanted.dtype}{list(wanted.shape)}"
        )
    if isinstance(like, Array) and _is_key(like):
        return jax.random.wrap_key_data(jnp.asarray(saved), impl=jax.random.key_impl(like))
    if isinstance(like, Array):
        return jnp.asarray(saved)
    return saved if isinstance(like, np.ndarray) else saved[()]


def _is_key(leaf: Array) -> bool:
    """Tell whether an array is a key of jax.random.key."""
    return bool(jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key))
