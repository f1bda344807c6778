"""What the arena refuses is refused before a run: the numbers of Go, and what the arena says."""

import os
import re
import subprocess
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from versus2048.jax.game import Game

from training import config, layers, limits, nested, network, value
from training.config import ConfigError
from training.layers import Conv
from training.methods import build
from training.nested import layer_of
from training.network import Description, Function, Network

ROOT = Path(__file__).parents[3]
RELU = {"kind": "relu"}
KEPT = {"kind": "residual", "layers": [RELU]}  # no weights, but a copy of its input


def dense(inputs, outputs):
    return {"kind": "dense", "in": inputs, "out": outputs}


def conv(kernel, inputs, outputs, padding="after"):
    return {"kind": "conv", "kernel": kernel, "in": inputs, "out": outputs, "padding": padding}


def around(depth):
    layer = RELU
    for _ in range(depth):
        layer = {"kind": "residual", "layers": [layer]}
    return layer


def described(game, **functions):
    """Return a network of td with functions given as (source, layers)."""
    made = tuple(
        (name, Function(source, tuple(map(layer_of, listed))))
        for name, (source, listed) in functions.items()
    )
    return Description(game, 12, made, value=value.Value("none", 1.0))


def test_the_same_numbers_as_in_go():
    text = "".join((ROOT / f"players/neural/{n}.go").read_text() for n in ("shape", "safetensors"))
    found = dict(re.findall(r"^\t(most\w+)\s*= ([\d <]+)", text, re.M))
    shifts = {name: [int(n) for n in number.split("<<")] for name, number in found.items()}
    assert {name: n[0] << n[1] if n[1:] else n[0] for name, n in shifts.items()} == {
        "mostFunctions": network._MOST_FUNCTIONS,
        "mostLayers": nested.MOST_LAYERS,
        "mostNesting": nested.MOST_NESTING,
        "mostPlanes": network.MOST_PLANES,
        "mostChannels": nested.MOST_CHANNELS,
        "mostNumbers": nested.MOST_NUMBERS,
        "mostKernel": layers._LONGEST_KERNEL,
        "mostBoardBytes": limits.MOST_BOARD_BYTES,
        "mostBytes": limits.MOST_BYTES,
        "mostHeader": limits.MOST_HEADER,
        "mostTensors": limits.MOST_TENSORS,
    }


@pytest.mark.parametrize(
    ("run", "setting", "message"),
    [
        (
            "2x2-td",
            "hidden=[20000]",
            r"layer value.0: its output is \(20000,\): want at most 1",
        ),
        ("2x2-td", "hidden=[4096,4096,16]", "weights of 67,.* bytes: want at most 66,060,280; few"),
        ("2x2-ppo", "hidden=20000", r"layer preference.0: its output is \(20000,\): want"),
        ("2x2-dqn", "hidden=[16385]", r"layer q.0: its output is \(16385,\): want"),
        ("2x2-gpcc2015-az", "hidden=8000", "weights of .* bytes: want at most 66,060,280"),
        ("2x2-muzero", "state=16384", "from 16388 numbers: want at most 16384"),
    ],
)
def test_a_run_of_a_network_that_is_too_large(run, setting, message):
    path = ROOT / f"python/training/runs/{run}.toml"
    with pytest.raises(ConfigError, match=rf"^\[network\] {message}"):
        build(config.load(path, [f"network.{setting}"]))


def test_half_as_many_bytes_for_a_weight():
    settings = ["network.hidden=[4096,4096,16]", "run.half=true"]
    build(config.load(ROOT / "python/training/runs/2x2-td.toml", settings))


def test_nesting():
    described(Game("solo", 2, 2), value=(1, [around(4)]))
    with pytest.raises(ValueError, match="layers nested 5 times: want at most 4"):
        described(Game("solo", 2, 2), value=(1, [around(5)]))


def test_too_many_tensors():
    with pytest.raises(ValueError, match="4097 tensors: want at most 4096"):
        limits.check_tensors({str(i): (1,) for i in range(4097)}, half=True)


def test_joined_numbers_have_the_channels_of_one_board():
    """As in Go: their number is bounded, and only a dense layer or an activation takes them."""
    wide = {"kind": "symmetries", "layers": [conv([2, 2], 12, 200)]}
    made = described(Game("solo", 4, 4), value=("board", [wide, RELU, dense(25600, 1)]))
    made.check_playable(half=False)
    joined = described(Game("solo", 4, 4), x=("board", [wide, {"kind": "norm", "channels": 200}]))
    with pytest.raises(ValueError, match=r"layer x.1: joined numbers of several boards: want a de"):
        joined.shape("x")
    large = {"kind": "symmetries", "layers": [conv([1, 1], 12, 2049)]}
    with pytest.raises(ValueError, match=r"layer x.0: its output is \(128, 2049\): want at most"):
        described(Game("solo", 4, 4), x=("board", [large])).shape("x")


def test_cells_that_a_kernel_reaches():
    assert Conv((2, 2), 1, 1, "after").reached((2, 3, 1)) == [6, 4, 3, 2]
    assert Conv((3, 1), 1, 1, "around").reached((2, 3, 1)) == [3, 6, 3]
    assert Conv((2, 2), 1, 1, "none").reached((2, 3, 1)) == [2] * 4
    assert Conv((1, 4), 1, 1, "after").reached((2, 3, 1)) == [6, 4, 2, 0]


def rooms():
    """Return networks of all kinds of layers, with enough others that they need too much memory."""
    three, wide = Game("solo", 3, 3), Game("solo", 3, 2)
    many = [KEPT] * 200
    images = [conv([2, 2], 12, 300), *many]
    return {
        "conv": described(
            wide,
            trunk=("board", [RELU, conv([3, 3], 12, 4000, "around"), *many]),
            value=("trunk", [RELU, conv([2, 2], 4000, 5, "none"), dense(10, 1)]),
        ),
        "symmetries": described(
            three, value=("board", [{"kind": "symmetries", "layers": images}, dense(21600, 1)])
        ),
        "canonical": described(
            three,
            other=(20, [KEPT, dense(20, 7), {"kind": "tanh"}]),
            seen=("board", [dense(108, 3)]),
            value=(
                "board",
                [
                    {"kind": "canonical", "layers": [conv([1, 2], 12, 3000), *many]},
                    {"kind": "norm", "channels": 3000},
                    dense(27000, 1),
                ],
            ),
        ),
    }


@pytest.mark.parametrize("name", rooms())
def test_the_arena_counts_the_same_bytes_for_a_board(name, tmp_path, monkeypatch):
    lab = os.environ.get("VERSUS2048_LAB")
    if lab is None:
        pytest.skip("set VERSUS2048_LAB to the program lab: go build ./cmd/lab")
    description = rooms()[name]
    with pytest.raises(ValueError, match=r"its layers take .* bytes for a board: want") as refused:
        description.check_playable(half=True)
    need = int(re.search(r"take ([\d,]+) bytes", str(refused.value))[1].replace(",", ""))
    shapes = jax.eval_shape(description.init, jax.random.key(0))
    params = {name: jnp.asarray(np.zeros(s.shape, np.float32)) for name, s in shapes.items()}
    monkeypatch.setattr(Description, "check_playable", lambda *_: None)
    recipe = {"command": "", "config": "", "seed": 0, "steps": 0, "games": 0, "seconds": 0.0}
    made = Network("td", description, params, recipe | {"versions": {}})
    network.save(tmp_path / "n.safetensors", made, half=True)
    with pytest.raises(network.NetworkError, match=f"take {need:,} bytes for a board"):
        network.load(tmp_path / "n.safetensors")
    said = subprocess.run([lab, "network", tmp_path / "n.safetensors"], capture_output=True)
    assert f"its layers take {need} bytes for a board".encode() in said.stderr
