"""Memory that a computation asks for in vain: one line instead of JAX's own error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import jax


@contextmanager
def enough_memory() -> Iterator[None]:
    """Make a MemoryError, with what to do, of JAX's error when the memory is too small."""
    try:
        yield
    except jax.errors.JaxRuntimeError as error:
        if "RESOURCE_EXHAUSTED" not in str(error):
            raise
        asked = re.search(r"allocating (\d+) bytes", str(error))
        need = f" for {int(asked[1]):,} bytes at once" if asked else ""
        raise MemoryError(
            f"not enough memory{need}: want smaller numbers, such as fewer games"
        ) from None
