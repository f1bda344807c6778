"""Networks: functions of boards and vectors, described by JSON and kept in safetensors files.

Go plays the same files. docs/NETWORKS.md is the contract between both: the layers, the names of the
tensors, the metadata.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray
from versus2048.jax.game import Game

from training import tensors as files
from training.checkpoint import write_atomically
from training.layers import Dense, Initial, Layer, Params, check_counts
from training.limits import MOST_BYTES, Room, check_room, check_tensors
from training.nested import (
    MOST_CHANNELS,
    Canonical,
    apply_layers,
    check_layers,
    init_layers,
    layer_of,
    shape_of,
)
from training.value import Value

FORMAT = "versus2048 network 2"
_FIRST = "versus2048 network 1"  # its checksum is of the tensors' data alone
MOST_PLANES = 18
_MOST_FUNCTIONS = 32
_HALF_OVERFLOW = 65520  # would become infinite in 16 bits
_KEYS = ("method", "rules", "size", "network", "recipe", "checksum")
_HE = Initial()


class NetworkError(ValueError):
    """A file that is no network: one line that says which, and why."""


@dataclass(frozen=True)
class Function:
    """Layers, and where their input comes from.

    ``source`` is "board", the name of another function, or a number of floats from the caller.
    """

    source: str | int
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.source, str):
            check_counts(self.source)
            if self.source > MOST_CHANNELS:
                raise ValueError(f"from {self.source} numbers: want at most {MOST_CHANNELS}")
        check_layers(self.layers, first=self.source == "board")


@dataclass(frozen=True)
class Description:
    """The structure of a network; hashable, so that it can be static under ``jit``."""

    game: Game
    planes: int
    functions: tuple[tuple[str, Function], ...]
    side: bool = False
    value: Value = field(default_factory=Value)

    def __post_init__(self) -> None:
        check_planes(self.planes)
        if type(self.side) is not bool:
            raise ValueError(f"side {self.side!r}: want true or false")
        if not 1 <= len(self.functions) <= _MOST_FUNCTIONS:
            raise ValueError(f"{len(self.functions)} functions: want 1 to {_MOST_FUNCTIONS}")
        for name, _ in self.functions:
            if name == "board" or not re.fullmatch("[a-z_]{1,40}", name):
                raise ValueError(f"function {name!r}: want up to 40 of a to z and _, not board")

    def function(self, name: str) -> Function:
        """Return a function by its name."""
        for known, function in self.functions:
            if known == name:
                return function
        names = ", ".join(known for known, _ in self.functions)
        raise ValueError(f"function {name!r}: the network has {names}")

    def source_shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a function's input for one position."""
        source = self.function(name).source
        if source == "board":
            return (self.game.height, self.game.width, self.planes + self.side)
        if isinstance(source, int):
            return (source,)
        return self.shape(source)

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a function's output for one position."""
        shape = self.source_shape(name)
        for i, layer in enumerate(self.function(name).layers):
            try:
                shape = shape_of((layer,), shape)
            except ValueError as error:
                raise ValueError(f"layer {name}.{i}: {error}") from None
        return shape

    def init(self, key: Array, initial: Initial = _HE) -> Params:
        """Draw parameters: tensors by their names, such as policy.0.weight."""
        params: Params = jax.jit(self._draw, static_argnums=1)(key, initial)
        return params

    def _draw(self, key: Array, initial: Initial) -> Params:
        """Draw parameters as init does, which compiles it."""
        params: Params = {}
        for name, function in self.functions:
            key, drawn = jax.random.split(key)
            self.shape(name)  # an error if the layers do not fit
            params |= init_layers(drawn, name, function.layers, initial)
            last = f"{name}.{len(function.layers) - 1}.weight"
            if isinstance(function.layers[-1], Dense):
                params[last] = initial.last * params[last]
        return params

    def apply(self, params: Params, name: str, x: Array) -> Array:
        """Compute a function, and the functions that it is computed from.

        x is the input of the first of them: planes (..., height, width, planes) or floats (..., n).
        Two functions of one trunk share its computation under ``jit``.
        """
        source = self.function(name).source
        if isinstance(source, str) and source != "board":
            x = self.apply(params, source, x)
        return self.apply_alone(params, name, x)

    def apply_alone(self, params: Params, name: str, x: Array) -> Array:
        """Compute one function from its own source, such as a trunk's output."""
        batch = x.shape[: x.ndim - len(self.source_shape(name))]
        y = apply_layers(
            params, name, self.function(name).layers, x.reshape(-1, *x.shape[len(batch) :])
        )
        return y.reshape(*batch, *y.shape[1:])

    def apply_boards(
        self, params: Params, name: str, board: Array, attacker: Array | bool = False
    ) -> Array:
        """Compute a function of boards (..., height, width); attacker fills the side's plane."""
        return self.apply(params, name, self.encode(board, attacker))

    def encode(self, board: Array, attacker: Array | bool = False) -> Array:
        """Return the planes of boards (..., height, width), the side's among them if there is."""
        return self.game.planes(board, self.planes, attacker if self.side else None)

    def to_json(self) -> dict[str, Any]:
        """Return the description as docs/NETWORKS.md has it."""
        functions = {
            name: {"from": f.source, "layers": [layer.to_json() for layer in f.layers]}
            for name, f in self.functions
        }
        value = self.value.to_json()
        return {
            "planes": self.planes,
            "side": self.side,
            "functions": functions,
            "value": value,
        }

    @classmethod
    def from_json(cls, game: Game, data: Mapping[str, Any]) -> Description:
        """Read the output of to_json. ValueError if it is wrong, or the layers do not fit."""
        try:
            _check_keys("description", data, {"planes", "side", "functions", "value"})
            _check_keys("value", data["value"], set(Value().to_json()))
            functions = tuple(_function_of(name, f) for name, f in data["functions"].items())
            value = Value(**data["value"])
            description = cls(game, data["planes"], functions, data["side"], value)
        except (TypeError, AttributeError) as error:
            raise ValueError(f"description: {error}") from None
        for name, _ in functions:
            description.check_order(name)
        description.check_room()
        return description

    def check_playable(self, half: bool) -> None:
        """Check the arena's limits for a file. ValueError if it is too large."""
        self.check_room()
        needed = jax.eval_shape(self.init, jax.random.key(0))
        check_tensors({name: tensor.shape for name, tensor in needed.items()}, half)

    def check_room(self) -> None:
        """Look at the shapes of all functions. ValueError if they do not fit or are too large."""
        room = Room(len(self.game.symmetric_slides))
        for name, f in self.functions:
            room.add(f.layers, self.source_shape(name), self.shape(name), f.source == "board")
        check_room(room.bytes(self.game.cells))

    def check_order(self, name: str) -> None:
        """Follow the sources of a function. ValueError if they lead back to it."""
        seen = {name}
        source = self.function(name).source
        while isinstance(source, str) and source != "board":
            if source in seen:
                raise ValueError(f"function {name!r}: functions are computed from each other")
            seen.add(source)
            source = self.function(source).source


def check_planes(planes: object, free: bool = False) -> None:
    """Look at the number of a board's planes. ValueError unless the arena plays with as many.

    With free it may be 0: the game says how many.
    """
    if free and planes == 0:
        return
    if type(planes) is not int or not 2 <= planes <= MOST_PLANES:
        raise ValueError(f"planes = {planes!r}: want {'0, or ' if free else ''}2 to {MOST_PLANES}")


def _function_of(name: str, data: Mapping[str, Any]) -> tuple[str, Function]:
    """Read a function from its JSON. ValueError if it is wrong."""
    _check_keys(f"function {name!r}", data, {"from", "layers"})
    return name, Function(data["from"], tuple(map(layer_of, data["layers"])))


def _check_keys(where: str, data: object, keys: set[str]) -> None:
    """Compare the keys of a part of a description with the required ones."""
    if not isinstance(data, dict):
        raise ValueError(f"{where}: want keys and values")
    for key in sorted(keys ^ data.keys()):
        raise ValueError(f"{where}: {key!r} is {'missing' if key in keys else 'unknown'}")


def mlp(outputs: int, hidden: int, layers: int, inputs: int) -> tuple[Layer, ...]:
    """Return the layers of a perceptron: ``layers`` hidden ones with ReLU, then the outputs."""
    made: list[Layer] = []
    for _ in range(layers):
        made += [
            layer_of({"kind": "dense", "in": inputs, "out": hidden}),
            layer_of({"kind": "relu"}),
        ]
        inputs = hidden
    if outputs:
        made.append(layer_of({"kind": "dense", "in": inputs, "out": outputs}))
    return tuple(made)


def canonical(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """Let layers see the greatest symmetric board; the last is outside, for ``Initial.last``."""
    return (Canonical(layers[:-1]), layers[-1])


@dataclass(frozen=True)
class Network:
    """A network with its parameters, as a file has it."""

    method: str
    description: Description
    params: Params
    recipe: Mapping[str, Any] = field(default_factory=dict)

    def points(self, name: str, board: Array, attacker: Array | bool = False) -> Array:
        """Return the points that a value function gives boards (..., height, width)."""
        output = self.description.apply_boards(self.params, name, board, attacker)
        return self.description.value.points(output)


def save(path: Path, network: Network, half: bool = False) -> None:
    """Write a network, with numbers of 16 bits if half, each the nearest one, of two the even one.

    ValueError if the arena would refuse it, NetworkError if 16 bits do not hold a number.
    """
    network.description.check_playable(half)
    kind = np.float16 if half else np.float32
    for name, tensor in network.params.items():
        if half and (np.abs(np.asarray(tensor)) >= _HALF_OVERFLOW).any():
            wanted = "want less, or [run] half = false"
            raise NetworkError(f"{path}: tensor {name} has numbers from 65,520 on: {wanted}")
    tensors = {n: np.ascontiguousarray(a, dtype=kind) for n, a in network.params.items()}
    game = network.description.game
    metadata = {
        "format": FORMAT,
        "method": network.method,
        "rules": game.rules,
        "size": game.size,
        "network": json.dumps(network.description.to_json()),
        "recipe": json.dumps(dict(network.recipe)),
    }
    write_atomically(path, files.render(tensors, metadata))


def load(path: Path) -> Network:
    """Read a network. NetworkError if the file is damaged, or is something else."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror}") from None
    try:
        return _parse(content)
    except (ValueError, RecursionError) as error:
        raise NetworkError(f"{path}: no network of this program: {error}") from None


def _parse(content: bytes) -> Network:
    """Read a network from a file's content; ValueError if it is damaged."""
    if len(content) > MOST_BYTES:
        raise ValueError(f"it has {len(content)} bytes: want at most {MOST_BYTES}")
    tensors, metadata, data = files.parse(content, (FORMAT, _FIRST), _KEYS)
    counted = metadata if metadata["format"] == FORMAT else {}
    if files.checksum(counted, data) != metadata["checksum"]:
        raise ValueError("the checksum is wrong: the file is damaged")
    game = Game.of(metadata["rules"], metadata["size"])
    description = Description.from_json(game, json.loads(metadata["network"]))
    _check_shapes(description, tensors)
    params = {name: jnp.asarray(tensor, jnp.float32) for name, tensor in tensors.items()}
    recipe = files.value_of(metadata, "recipe")
    return Network(metadata["method"], description, params, recipe)


def _check_shapes(description: Description, tensors: Mapping[str, NDArray[Any]]) -> None:
    """Compare the tensors with the ones that the layers need."""
    needed = jax.eval_shape(description.init, jax.random.key(0))
    if needed.keys() != tensors.keys():
        wrong = sorted(needed.keys() ^ tensors.keys())[0]
        raise ValueError(f"tensor {wrong} is {'missing' if wrong in needed else 'unknown'}")
    for name, tensor in tensors.items():
        if tensor.shape != needed[name].shape:
            raise ValueError(f"tensor {name} is {tensor.shape}, want {needed[name].shape}")
        if tensor.dtype not in (np.float16, np.float32):
            raise ValueError(f"tensor {name} is {tensor.dtype}, want float16 or float32")
        if not np.isfinite(tensor).all():
            raise ValueError(f"tensor {name} has numbers that are not finite")
