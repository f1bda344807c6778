"""The machine that JAX computes on, with one line instead of JAX's errors about it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

import jax


class DeviceError(Exception):
    """JAX has nothing to compute on: one line."""


@contextmanager
def computing() -> Iterator[None]:
    """Make one line of JAX's errors: a DeviceError without a device, or a MemoryError."""
    try:
        jax.devices()
    except (AssertionError, RuntimeError) as error:  # the former says nothing
        reason = str(error).partition("\n")[0] or "JAX finds no such device"
        raise DeviceError(
            f"JAX_PLATFORMS={os.environ.get('JAX_PLATFORMS', '')}: {reason}"
        ) from None
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
