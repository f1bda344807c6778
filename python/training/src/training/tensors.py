"""Safetensors files with texts beside the arrays: networks, checkpoints, games of a teacher.

Any mistake in one is a ValueError of one line, which its readers turn into their own error.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors import numpy as safetensors

Arrays = Mapping[str, NDArray[Any]]
_CHECKSUM = "checksum"
_TYPES = ("BOOL", "U8", "I8", "U16", "I16", "U32", "I32", "U64", "I64", "F16", "F32", "F64")
"""Types that NumPy has, too."""


class Tensors(NamedTuple):
    """The content of a file."""

    arrays: dict[str, NDArray[Any]]
    about: dict[str, str]
    """Its metadata."""
    data: bytes
    """Of all arrays, as they are in the file."""


def parse(content: bytes, formats: Sequence[str], keys: Sequence[str]) -> Tensors:
    """Read the content of a file of one of some formats, the newest one first.

    ValueError if it is damaged or another one, has no text for one of the keys, or types that NumPy
    lacks.
    """
    header, data = _split(content)
    about = header.pop("__metadata__", None) or {}
    for name, entry in header.items():
        kind = entry.get("dtype") if isinstance(entry, dict) else None
        if kind not in _TYPES:
            raise ValueError(f"tensor {name!r:.80} has the type {kind!r:.40}, which is not read")
    try:
        arrays = safetensors.load(content)  # which looks at all the rest
    except SafetensorError as error:
        raise ValueError(" ".join(str(error).split())) from None
    if about.get("format") not in formats:
        raise ValueError(f"format {about.get('format')!r:.80}, want {formats[0]!r}")
    for key in keys:
        if key not in about:
            raise ValueError(f"its metadata has no {key}")
    return Tensors(arrays, about, data)


def _split(content: bytes) -> tuple[dict[str, Any], bytes]:
    """Return a file's header and its data."""
    length = struct.unpack("<Q", content[:8])[0] if len(content) >= 8 else len(content)
    if length > len(content) - 8:
        raise ValueError("it is no safetensors file, or a part of one")
    try:
        header = json.loads(content[8 : 8 + length])
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise ValueError("it is no safetensors file: its header is no JSON")
    return header, content[8 + length :]


def value_of(about: Mapping[str, str], key: str) -> dict[str, Any]:
    """Read a text of the metadata, which is JSON of keys and values. ValueError if it is not."""
    try:
        value = json.loads(about[key])
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{key}: no JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{key} {value!r:.40}: want keys and values")
    return value


def render(arrays: Arrays, about: Mapping[str, str]) -> bytes:
    """Return the content of a file, with a checksum in its metadata."""
    header, data = _split(safetensors.save(dict(arrays)))
    return _joined({**about, _CHECKSUM: checksum(about, data)}, header, data)


def render_as_it_is(arrays: Arrays, about: Mapping[str, str]) -> bytes:
    """Return the content of a file with these texts and no others."""
    return _joined(about, *_split(safetensors.save(dict(arrays))))


def _joined(about: Mapping[str, str], header: Mapping[str, Any], data: bytes) -> bytes:
    """Return the content of a file.

    The same arrays and texts are the same bytes: safetensors itself would shuffle the texts.
    """
    whole = {"__metadata__": about, **header}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # so that the numbers are where processors like them
    return struct.pack("<Q", len(text)) + text + data


def checksum(about: Mapping[str, str], data: bytes) -> str:
    """Return the SHA-256, in hex, of a file's metadata, but for the checksum, and of its data."""
    found = hashlib.sha256()
    for key in sorted(about.keys() - {_CHECKSUM}):
        found.update(f"{key}\0{about[key]}\0".encode())
    found.update(data)
    return found.hexdigest()
