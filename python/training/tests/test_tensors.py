"""Files that are damaged, or of other programs: each reader has one line for whatever is wrong."""

import json
import struct

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from safetensors import numpy as safetensors

from training import checkpoint, data, network, tensors
from training.checkpoint import CheckpointError

STATE = {"key": jax.random.key(1), "weights": jnp.arange(6.0), "steps": np.int64(3)}
NOTES = {"seconds": 1.5, "command": "python -m training"}
READERS = {
    checkpoint.FORMAT: (lambda path: checkpoint.load(path, STATE), CheckpointError),
    network.FORMAT: (network.load, network.NetworkError),
    data.FORMAT: (data.load, data.DataError),
}


def file_of(header, content=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + content


def typed(kind, size, about=None):
    entry = {"dtype": kind, "shape": [1], "data_offsets": [0, size]}
    return file_of({"__metadata__": about or {}, "x": entry}, bytes(size))


@pytest.mark.parametrize("format_", READERS)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            lambda about: typed("BF16", 2, about),
            "tensor 'x' has the type 'BF16', which is not",
        ),
        (lambda about: typed("F8_E4M3", 1, about), "tensor 'x' has the type 'F8_E4M3'"),
        (lambda about: typed(["F32"], 4, about), r"tensor 'x' has the type \['F32'\]"),
        (lambda about: typed("F32", 8, about), "[Tt]ensor"),
        (lambda about: typed("F32", 4, about), "its metadata has no "),
        (lambda _: typed("F32", 4), "format None, want 'versus2048 "),
        (lambda _: file_of({"__metadata__": None}), "format None, want 'versus2048 "),
        (lambda _: file_of({"__metadata__": {"format": 1}}), "."),
        (lambda _: file_of({"__metadata__": 3}), "."),
        (lambda _: file_of([1]), "its header is no JSON"),
        (lambda _: file_of(b"[" * 100_000), "its header is no JSON"),
        (lambda _: file_of(b"\xff\xff"), "its header is no JSON"),
        (lambda _: struct.pack("<Q", 1 << 63), "or a part of one"),
        (lambda _: b"1234", "or a part of one"),
    ],
)
def test_foreign_files_are_one_line(format_, content, message, tmp_path):
    path = tmp_path / "x.safetensors"
    path.write_bytes(content({"format": format_}))
    read, error = READERS[format_]
    with pytest.raises(error, match=message) as found:
        read(path)
    assert str(found.value).startswith(f"{path}: no ")
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("text", ["{", "[]", "[" * 100_000, "3", ""])
def test_a_text_that_is_no_json_is_one_line(text, tmp_path):
    path = tmp_path / "x.safetensors"
    path.write_bytes(safetensors.save({}, {"format": checkpoint.FORMAT, "notes": text}))
    with pytest.raises(CheckpointError, match=r"no checkpoint: notes.*; bring back a copy of it"):
        checkpoint.load(path, STATE)


def test_a_checkpoint_notices_bit_rot(tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    checkpoint.save(path, STATE, NOTES)
    assert checkpoint.load(path, STATE)[1] == NOTES
    whole = path.read_bytes()
    for at in range(len(whole)):  # of each byte one bit, and of neighbours others
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        path.write_bytes(damaged)
        with pytest.raises(CheckpointError):
            checkpoint.load(path, STATE)


def test_a_checkpoint_without_a_checksum(tmp_path):
    """Earlier versions wrote none."""
    path = tmp_path / "checkpoint.safetensors"
    checkpoint.save(path, STATE, NOTES)
    found = tensors.parse(path.read_bytes(), [checkpoint.FORMAT], [])
    del found.about["checksum"]
    path.write_bytes(safetensors.save(found.arrays, found.about))
    state, notes = checkpoint.load(path, STATE)
    assert notes == NOTES and np.array_equal(state["weights"], STATE["weights"])


def test_the_same_content_is_the_same_bytes():
    """In each process: safetensors shuffles texts, another way each time."""
    texts = {"format": "x"} | {name: name for name in "hgfedcba"} | {"name": "Jaśkowski"}
    written = tensors.render({"y": np.zeros(3), "x": np.ones(2, np.int8)}, texts)
    read = tensors.parse(written, ["x"], ["name"])
    assert list(read.about) == [*texts, "checksum"]
    assert read.about["name"] == "Jaśkowski"
    assert read.arrays["y"].tolist() == [0, 0, 0] and read.arrays["x"].tolist() == [1, 1]
    assert read.about["checksum"] == tensors.checksum(read.about, read.data)
    assert (len(written) - len(read.data)) % 8 == 0
