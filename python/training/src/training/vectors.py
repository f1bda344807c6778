"""Networks with random weights and JAX's results with them, for the tests of players/neural.

    python -m training.vectors players/neural/testdata

For each network it writes NAME.safetensors, a network as training saves it, and
NAME.vectors.safetensors with tensors of float16 or float32: ``boards`` (1,000, cells), exponents
row by row, ``attackers`` (1,000), 1 where the attacker is to move, ``FUNCTION`` (1,000, outputs)
and ``points`` (1,000), those of the function value if there is one. Together they try every layer,
every method, both types of numbers, and boards that are square or not.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import safetensors.numpy
from jax import Array
from numpy.random import Generator
from versus2048.jax.game import Game

from training.layers import Params
from training.machine import DeviceError, computing
from training.nested import layer_of
from training.network import Description, Function, Network, save
from training.value import Value

POSITIONS = 1000
_LATENT, _CODES = 8, 4
_RELU: dict[str, Any] = {"kind": "relu"}
_TANH: dict[str, Any] = {"kind": "tanh"}


def _conv(height: int, width: int, inputs: int, outputs: int, padding: str) -> dict[str, Any]:
    kernel = [height, width]
    return {"kind": "conv", "kernel": kernel, "in": inputs, "out": outputs, "padding": padding}


def _dense(inputs: int, outputs: int) -> dict[str, Any]:
    return {"kind": "dense", "in": inputs, "out": outputs}


def _norm(channels: int) -> dict[str, Any]:
    return {"kind": "norm", "channels": channels}


def _function(source: str | int, *layers: Mapping[str, Any]) -> Function:
    return Function(source, tuple(layer_of(layer) for layer in layers))


def _networks() -> dict[str, tuple[str, bool, Description]]:
    """Return the networks by name: their method, whether they have 16 bits, and their structure."""
    eight = {"kind": "symmetries", "layers": [_conv(2, 2, 16, 24, "after"), _RELU]}
    four = {"kind": "symmetries", "layers": [_dense(12 * 12, 24), _TANH]}
    one = {"kind": "canonical", "layers": [_dense(72, 40), _norm(40), _RELU]}
    block = [_conv(3, 3, 16, 16, "around"), _norm(16), _RELU, _conv(3, 3, 16, 16, "around")]
    residual = {"kind": "residual", "layers": block}
    first = {"kind": "residual", "layers": [_RELU, _conv(1, 1, 12, 12, "none")]}
    return {
        "cnn": ("cnn", True, Description(
            Game.of("solo", "4x4"), 16,
            (("policy", _function("board", eight, _dense(8 * 16 * 24, 4))),),
        )),
        "az": ("az", False, Description(
            Game.of("gpcc2016", "3x3"), 12,
            (
                ("trunk", _function("board", _conv(3, 3, 13, 16, "around"), _RELU, residual)),
                ("policy", _function("trunk", _norm(16), _dense(9 * 16, 22))),
                ("value", _function("trunk", _RELU, _conv(2, 2, 16, 5, "none"), _dense(20, 1))),
            ),
            side=True, value=Value("sqrt", 20.0),
        )),
        "td": ("td", False, Description(
            Game.of("solo", "3x2"), 12,
            (("value", _function("board", one, _dense(40, 9))),),
            value=Value("log", 2.0, 9, 0.0, 4.0),
        )),
        "dqn": ("dqn", True, Description(
            Game.of("solo", "2x3"), 10,
            (("q", _function("board", _conv(2, 1, 10, 17, "none"), _TANH, _dense(68, 4))),),
            value=Value("none", 100.0),
        )),
        "ppo": ("ppo", False, Description(
            Game.of("solo", "4x3"), 12,
            (
                ("preference", _function("board", four, _dense(4 * 24, 1))),
                ("value", _function("board", first, _dense(144, 1))),
            ),
            value=Value("sqrt", 5.0),
        )),
        "muzero": ("muzero", False, Description(
            Game.of("solo", "3x3"), 12,
            (
                ("representation", _function("board", _dense(108, _LATENT), _TANH)),
                ("policy", _function(_LATENT, _dense(_LATENT, 4))),
                ("value", _function(_LATENT, _dense(_LATENT, 20), _RELU, _dense(20, 1))),
                ("afterstate", _function(_LATENT + 4, _dense(_LATENT + 4, _LATENT))),
                ("chance", _function(_LATENT, _dense(_LATENT, _CODES))),
                ("afterstate_value", _function(_LATENT, _dense(_LATENT, 1))),
                ("dynamics", _function(_LATENT + _CODES, _dense(_LATENT + _CODES, _LATENT))),
                ("reward", _function(_LATENT, _dense(_LATENT, 1))),
            ),
            value=Value("sqrt", 3.0),
        )),
    }  # fmt: skip


def _weights(description: Description, half: bool, random: Generator) -> Params:
    """Draw weights and biases of float32, which 16 bits hold if half, in the order of the names."""
    params: Params = {}
    shapes = jax.eval_shape(description.init, jax.random.key(0))
    for name, tensor in sorted(shapes.items()):
        inputs = float(np.prod(tensor.shape[:-1])) if tensor.ndim > 1 else 4.0
        drawn = random.normal(0, inputs**-0.5, tensor.shape)
        params[name] = jnp.asarray(drawn.astype(np.float16 if half else np.float32), jnp.float32)
    return params


def _one_hot(numbers: int) -> Array:
    """Return for each position another choice of a number, in turn: shape (1,000, numbers)."""
    return jnp.eye(numbers)[jnp.arange(POSITIONS) % numbers]


def _outputs(network: Network, boards: Array, attackers: Array) -> dict[str, Array]:
    """Compute all functions. In a learned model they go on from each other's outputs."""
    description, params = network.description, network.params
    if network.method != "muzero":
        return {
            name: description.apply_boards(params, name, boards, attackers)
            for name, _ in description.functions
            if name != "trunk"
        }
    out = {"representation": description.apply_boards(params, "representation", boards)}
    latent = out["representation"]
    inputs = {"policy": latent, "value": latent}
    inputs["afterstate"] = jnp.concatenate([latent, _one_hot(4)], -1)
    out["afterstate"] = description.apply(params, "afterstate", inputs["afterstate"])
    after = out["afterstate"]
    inputs |= {"chance": after, "afterstate_value": after, "reward": after}
    inputs["dynamics"] = jnp.concatenate([after, _one_hot(_CODES)], -1)
    return out | {name: description.apply(params, name, x) for name, x in inputs.items()}


def write(folder: Path) -> None:
    """Write all networks and their vectors into a folder."""
    for seed, (name, (method, half, description)) in enumerate(_networks().items()):
        random = np.random.default_rng(seed)
        game = description.game
        network = Network(method, description, _weights(description, half, random), _RECIPE)
        save(folder / f"{name}.safetensors", network, half)
        shape = (POSITIONS, game.height, game.width)
        boards = random.integers(0, 14, shape) * random.integers(0, 2, shape)
        attackers = random.integers(0, 2, POSITIONS) if description.side else np.zeros(POSITIONS)
        outputs = _outputs(network, jnp.asarray(boards, jnp.int8), jnp.asarray(attackers, bool))
        tensors = {name: np.asarray(x, np.float32) for name, x in outputs.items()}
        if "value" in outputs:
            points = description.value.points(outputs["value"])
            tensors["points"] = np.asarray(points, np.float32)
        tensors["boards"] = boards.reshape(POSITIONS, -1).astype(np.float16)
        tensors["attackers"] = attackers.astype(np.float16)
        safetensors.numpy.save_file(tensors, folder / f"{name}.vectors.safetensors")


_RECIPE: dict[str, Any] = {
    "command": "python -m training.vectors players/neural/testdata",
    "config": "", "seed": 0, "steps": 0, "games": 0, "seconds": 0.0, "versions": {},
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command ``python -m training.vectors``; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m training.vectors",
        description="Write networks with random weights, and JAX's results with them.",
    )
    parser.add_argument("folder", type=Path, help="such as players/neural/testdata")
    folder = parser.parse_args(arguments).folder
    if not folder.is_dir():
        parser.exit(2, f"{parser.prog}: {folder}: want a folder\n")
    try:
        with computing():
            write(folder)
    except DeviceError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
