import json
import os
import struct
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from safetensors import numpy as safetensors
from versus2048.jax.game import Game

from training.layers import Initial
from training.nested import apply_layers, greatest_image, layer_of
from training.network import Description, Function, Network, NetworkError, load, mlp, save
from training.value import Value

GAME = Game("solo", 3, 3)
LAYERS = [
    {"kind": "conv", "kernel": [2, 2], "in": 6, "out": 4, "padding": "after"},
    {"kind": "relu"},
    {"kind": "conv", "kernel": [3, 3], "in": 4, "out": 4, "padding": "around"},
    {"kind": "norm", "channels": 4},
    {
        "kind": "residual",
        "layers": [
            {"kind": "conv", "kernel": [1, 1], "in": 4, "out": 4, "padding": "none"},
            {"kind": "tanh"},
        ],
    },
    {"kind": "conv", "kernel": [3, 2], "in": 4, "out": 2, "padding": "none"},
]
RELU = {"kind": "relu"}
TRIVIAL = {"from": 1, "layers": [RELU]}
SYMMETRIC = [{"kind": "symmetries", "layers": LAYERS}, {"kind": "dense", "in": 32, "out": 4}]
JSON = {
    "planes": 5,
    "side": True,
    "functions": {
        "trunk": {"from": "board", "layers": LAYERS},
        "policy": {"from": "trunk", "layers": [{"kind": "dense", "in": 4, "out": 22}]},
        "value": {"from": "trunk", "layers": [{"kind": "dense", "in": 4, "out": 7}]},
        "wide": {"from": "board", "layers": SYMMETRIC},
        "dynamics": {"from": 10, "layers": [{"kind": "dense", "in": 10, "out": 3}]},
    },
    "value": {"transform": "sqrt", "scale": 2.0, "bins": 7, "low": -1.0, "high": 20.0},
}
ALL = Description.from_json(GAME, JSON)
PARAMS = ALL.init(jax.random.key(1))


def canonical(inputs):
    return {"kind": "canonical", "layers": [{"kind": "dense", "in": inputs, "out": 3}]}


def boards(n, seed=1):
    return jnp.asarray(np.random.default_rng(seed).integers(0, 7, (n, 3, 3), np.int8))


def test_json_there_and_back():
    assert json.loads(json.dumps(ALL.to_json())) == JSON
    assert hash(Description.from_json(GAME, ALL.to_json())) == hash(ALL)


def test_shapes():
    assert [ALL.shape(name) for name, _ in ALL.functions] == [(1, 2, 2), (22,), (7,), (4,), (3,)]
    params = PARAMS
    assert params["trunk.4.0.weight"].shape == (1, 1, 4, 4)
    assert params["wide.0.2.bias"].shape == (4,)
    many, one, pairs = boards(6), boards(6)[0], boards(6).reshape(2, 3, 3, 3)
    for name, board, shape in (
        ("policy", many, (6, 22)),
        ("policy", one, (22,)),
        ("wide", pairs, (2, 3, 4)),
    ):
        assert jax.eval_shape(partial(ALL.apply_boards, params, name), board).shape == shape
    assert ALL.apply(params, "dynamics", jnp.ones((6, 10))).shape == (6, 3)


def test_functions_of_others():
    value = jax.jit(lambda b, a: ALL.apply_boards(PARAMS, "value", b, a))(boards(6), True)
    trunk = jax.jit(lambda b, a: ALL.apply_boards(PARAMS, "trunk", b, a))(boards(6), True)
    assert np.allclose(ALL.apply_alone(PARAMS, "value", trunk), value, atol=1e-6)
    other = jax.jit(lambda b, a: ALL.apply_boards(PARAMS, "value", b, a))(boards(6), False)
    assert abs(np.asarray(value - other)).max() > 1e-3  # the side's plane counts


def naive_conv(x, weight, bias, before):
    """Convolve one position by the definition, in float64; before: the zeros above and left."""
    (kh, kw, _, out), (height, width, _) = weight.shape, x.shape
    y = np.zeros((height, width, out))
    for row in range(height):
        for column in range(width):
            y[row, column] = bias
            for i in range(kh):
                for j in range(kw):
                    r, c = row + i - before[0], column + j - before[1]
                    if 0 <= r < height and 0 <= c < width:
                        y[row, column] += x[r, c] @ weight[i, j]
    return y


@pytest.mark.parametrize(
    ("padding", "kernel"), [("after", (2, 2)), ("around", (3, 1)), ("none", (2, 1))]
)
def test_conv(padding, kernel):
    layer = layer_of(
        {"kind": "conv", "kernel": list(kernel), "in": 3, "out": 5, "padding": padding}
    )
    params = layer.init(jax.random.key(1), "f.0", Initial()) | {"f.0.bias": jnp.full(5, 0.5)}
    x = np.random.default_rng(1).normal(size=(2, 3, 4, 3)).astype(np.float32)
    got = np.asarray(layer.apply(params, "f.0", x))
    weight, bias = np.asarray(params["f.0.weight"]), np.asarray(params["f.0.bias"])
    before = [k // 2 if padding == "around" else 0 for k in kernel]
    want = np.stack([naive_conv(one, weight, bias, before) for one in x])
    if padding == "none":
        want = want[:, : 3 - kernel[0] + 1, : 4 - kernel[1] + 1]
    assert got.shape == (2, *layer.shape((3, 4, 3)))
    assert np.allclose(got, want, atol=1e-5)


def test_norm_and_residual():
    norm = layer_of({"kind": "norm", "channels": 4})
    x = np.random.default_rng(1).normal(3, 5, (2, 6, 4)).astype(np.float32)
    params = {"f.0.weight": jnp.full(4, 2.0), "f.0.bias": jnp.full(4, 1.0)}
    y = np.asarray(norm.apply(params, "f.0", x))
    assert np.allclose(y.mean(-1), 1, atol=1e-5)
    assert np.allclose(y.std(-1), 2, atol=1e-3)
    residual = layer_of({"kind": "residual", "layers": [{"kind": "tanh"}]})
    assert np.allclose(residual.apply({}, "f.0", x), x + np.tanh(x), atol=1e-6)


def test_symmetric_layers_see_all_images():
    """The joined outputs of an image are those of the board in another order."""
    layer, _ = ALL.function("wide").layers
    images = ALL.encode(GAME.symmetries(boards(1)[0]))
    joined = jax.jit(lambda x: layer.apply(PARAMS, "wide.0", x))(images)
    pieces = np.asarray(joined).reshape(8, 8, 4)
    alone = jax.jit(lambda x: apply_layers(PARAMS, "wide.0", layer.layers, x))(images)
    assert np.allclose(pieces[0], np.asarray(alone).reshape(8, 4), atol=1e-5)
    order = [np.lexsort(np.round(piece, 3).T) for piece in pieces]
    for piece, at in zip(pieces, order, strict=True):
        assert np.allclose(piece[at], pieces[0][order[0]], atol=1e-5)


@pytest.mark.parametrize("game", [GAME, Game("solo", 3, 2)], ids=lambda game: game.size)
def test_canonical_layers_see_the_greatest_image(game):
    """All images of a board have the same output: that of the greatest, whichever it is."""
    description = Description(
        game, 8, (("f", Function("board", (layer_of(canonical(9 * game.cells)),))),), side=True
    )
    params = description.init(jax.random.key(2))
    board = jnp.asarray(np.random.default_rng(3).integers(0, 5, (50, game.height, game.width)))
    images = np.asarray(game.symmetries(board))
    greatest = jnp.asarray([max(several.tolist()) for several in images])
    shown = greatest_image(description.encode(board, True))
    assert np.array_equal(shown, description.encode(greatest, True))
    told = description.apply_boards(params, "f", jnp.asarray(images))
    assert told.shape == (50, images.shape[1], 3) and len(np.unique(told[:, 0], axis=0)) > 10
    assert np.array_equal(told, np.broadcast_to(told[:, :1], told.shape))


def test_initial_weights():
    layers = mlp(10, 400, 1, 200)
    description = Description(GAME, 5, (("f", Function(200, layers)),))
    he = arrays(description.init(jax.random.key(1)))
    assert abs(he["f.0.weight"].std() / (2 / 200) ** 0.5 - 1) < 0.02
    assert not he["f.0.bias"].any()
    cut = arrays(description.init(jax.random.key(1), Initial("truncated", 0.1)))
    assert abs(cut["f.0.weight"]).max() <= 0.2
    assert abs(cut["f.0.weight"].std() / 0.088 - 1) < 0.02
    small = arrays(description.init(jax.random.key(1), Initial(last=0.01)))
    assert np.allclose(small["f.2.weight"], 0.01 * he["f.2.weight"])
    assert np.array_equal(small["f.0.weight"], he["f.0.weight"])


def test_parameters_have_a_strong_type():
    """An update does not change it, which would compile every method again."""
    assert not any(tensor.weak_type for tensor in PARAMS.values())


def arrays(params):
    return {name: np.asarray(tensor) for name, tensor in params.items()}


@pytest.fixture
def saved(tmp_path):
    """Return a file and its network."""
    made = Network("az", ALL, PARAMS, {"command": "x", "seed": 1})
    save(tmp_path / "a.safetensors", made)
    return tmp_path / "a.safetensors", made


def test_save_and_load(saved):
    path, made = saved
    got = load(path)
    assert (got.method, got.recipe, got.description) == ("az", made.recipe, ALL)
    for name, tensor in made.params.items():
        assert np.array_equal(got.params[name], tensor)
    assert [p.name for p in path.parent.iterdir()] == ["a.safetensors"]


def test_a_network_is_on_the_disk_before_it_has_its_name(saved, tmp_path, monkeypatch):
    synced = []
    path = tmp_path / "b.safetensors"
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.exists()))
    save(path, saved[1])
    assert synced == [False, True]  # the content, then the folder with the name


def test_half_precision(saved):
    path, made = saved
    large = path.stat().st_size
    save(path, made, half=True)
    assert path.stat().st_size < 0.75 * large
    got = load(path)
    for name, tensor in made.params.items():
        assert got.params[name].dtype == jnp.float32
        assert np.allclose(got.params[name], tensor, rtol=1e-3, atol=1e-6)


def with_weight(weight):
    """Return a network that has a weight among others."""
    changed = PARAMS["policy.0.weight"].at[0, 0].set(weight)
    return Network("az", ALL, {**PARAMS, "policy.0.weight": changed})


def test_half_precision_rounds_to_even(tmp_path):
    path = tmp_path / "a.safetensors"
    for weight, want in [(2049, 2048), (2051, 2052), (65519, 65504), (-65519, -65504), (2e-8, 0)]:
        save(path, with_weight(weight), half=True)
        assert load(path).params["policy.0.weight"].ravel()[0] == want


@pytest.mark.parametrize("weight", [65520, -1e9])
def test_numbers_that_half_precision_does_not_hold(tmp_path, weight):
    path = tmp_path / "a.safetensors"
    with pytest.raises(NetworkError, match=r"a\.safetensors: tensor policy\.0\.weight has numbers"):
        save(path, with_weight(weight), half=True)
    assert not path.exists()
    save(path, with_weight(weight))
    assert load(path).params["policy.0.weight"].ravel()[0] == weight


def rewrite(path, tensors=None, **changes):
    """Write the file again with other tensors or metadata, and its checksum unless it is given."""
    content = path.read_bytes()
    length = struct.unpack("<Q", content[:8])[0]
    metadata = json.loads(content[8 : 8 + length])["__metadata__"] | changes
    metadata = {k: v for k, v in metadata.items() if v is not None}
    tensors = tensors or safetensors.load(content)
    if "checksum" not in changes:
        metadata["checksum"] = checksum_of(tensors, metadata)
    path.write_bytes(safetensors.save(tensors, metadata))


def described(change):
    """Return the network's JSON after a change."""
    data = json.loads(json.dumps(JSON))
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "versus2048 network 3"}, "format 'versus2048 network 3', want"),
        ({"checksum": "00"}, "the checksum is wrong: the file is damaged"),
        ({"recipe": None}, "its metadata has no recipe"),
        ({"rules": "go"}, "rules 'go': want gpcc2015"),
        ({"size": "7x7"}, "size 7x7: want 2x2 to 4x4"),
        ({"size": "2x2"}, "layer trunk"),
        ({"network": "{"}, "no network of this program"),
        ({"network": "[]"}, "description: want keys and values"),
        ({"network": "{}"}, "description: 'functions' is missing"),
        ({"network": "[" * 100_000}, "recursion"),
        ({"recipe": "[]"}, r"recipe \[\]: want keys and values"),
        ({"network": described(lambda d: d.update(colours=3))}, "description: 'colours' is unkn"),
        (
            {"network": described(lambda d: d["functions"]["trunk"].update({"form": "board"}))},
            "function 'trunk': 'form' is unknown",
        ),
        ({"network": described(lambda d: d["value"].update(mean=0))}, "value: 'mean' is unknown"),
        ({"network": described(lambda d: d["value"].pop("scale"))}, "value: 'scale' is missing"),
        ({"network": described(lambda d: d.update(planes=19))}, "planes = 19: want 2 to 18"),
        (
            {"network": described(lambda d: d["functions"].update(board=TRIVIAL))},
            "function 'board': want up to 40 of a to z",
        ),
        (
            {
                "network": described(
                    lambda d: d["functions"]["policy"]["layers"][0].update({"in": 5})
                )
            },
            r"layer policy.0: data of shape \(1, 2, 2\), want 5 numbers",
        ),
        (
            {"network": described(lambda d: d["functions"]["value"].update({"from": "x"}))},
            "function 'x': the network has trunk, policy",
        ),
        (
            {"network": described(lambda d: d["functions"]["trunk"].update({"from": "value"}))},
            "functions are computed from each other",
        ),
        (
            {
                "network": described(
                    lambda d: d["functions"]["trunk"]["layers"].append({"kind": "lstm"})
                )
            },
            "layer of kind 'lstm': unknown",
        ),
        (
            {"network": described(lambda d: d["functions"]["value"].update({"layers": []}))},
            "0 layers: want 1 to 256",
        ),
        (
            {"network": described(lambda d: d["functions"].pop("dynamics"))},
            "tensor dynamics.0.bias is unknown",
        ),
        (
            {
                "network": described(
                    lambda d: d["functions"]["trunk"].update({"layers": [RELU] * 257})
                )
            },
            "257 layers: want 1 to 256",
        ),
        (
            {
                "network": described(
                    lambda d: d["functions"].update({"f" + "x" * i: TRIVIAL for i in range(28)})
                )
            },
            "33 functions: want 1 to 32",
        ),
        (
            {
                "network": described(
                    lambda d: d["functions"]["wide"]["layers"].insert(0, {"kind": "tanh"})
                )
            },
            "symmetries is only the first layer",
        ),
        (
            {
                "network": described(
                    lambda d: d["functions"]["trunk"]["layers"][0].update({"kernel": [5, 1]})
                )
            },
            r"kernel \(5, 1\): want up to 4 cells a side",
        ),
        (
            {"network": described(lambda d: d["value"].update({"transform": "cube"}))},
            "transform 'cube': want none, sqrt, log",
        ),
    ],
)
def test_damaged_metadata(saved, changes, message):
    path, _ = saved
    rewrite(path, **changes)
    with pytest.raises(NetworkError, match=message) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def places(data, path=()):
    """Return the paths to all values of JSON."""
    inner = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in inner:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


RIGHT = {("side", True), ("scale", 1.5), ("bins", 0), ("high", 0), ("high", 1.5)}
RIGHT |= {("low", number) for number in (-1, 0, 1.5)}


@pytest.mark.parametrize("wrong", ["x", "", 0, -1, 1.5, True, None, [], [[]], {}, float("nan")])
def test_every_wrong_value_is_a_line(wrong):
    """In the place of any value: none is another error than that of a wrong file."""
    for *path, key in places(JSON):
        data = json.loads(json.dumps(JSON))
        part = data
        for step in path:
            part = part[step]
        part[key] = wrong
        if not isinstance(wrong, list | dict) and (key, wrong) in RIGHT:
            continue
        with pytest.raises(ValueError) as error:
            Description.from_json(GAME, data)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("tensor", "message"),
    [
        (np.zeros((4, 21), np.float32), r"policy.0.weight is \(4, 21\), want \(4, 22\)"),
        (np.zeros((4, 22), np.int32), "policy.0.weight is int32, want float16 or float32"),
        (np.full((4, 22), np.nan, np.float32), "policy.0.weight has numbers that are not finite"),
        (None, "tensor policy.0.weight is missing"),
    ],
)
def test_damaged_tensors(saved, tensor, message):
    path, made = saved
    tensors = {name: np.asarray(t) for name, t in made.params.items()}
    tensors["policy.0.weight"] = tensor
    tensors = {name: t for name, t in tensors.items() if t is not None}
    rewrite(path, tensors)
    with pytest.raises(NetworkError, match=message):
        load(path)


def checksum_of(tensors, metadata):
    """Return the checksum of a file, by its definition in docs/NETWORKS.md."""
    import hashlib

    content = safetensors.save(tensors)
    data = content[8 + struct.unpack("<Q", content[:8])[0] :]
    if metadata["format"] == "versus2048 network 1":
        return hashlib.sha256(data).hexdigest()
    texts = [key + "\0" + metadata[key] + "\0" for key in sorted(metadata) if key != "checksum"]
    return hashlib.sha256("".join(texts).encode() + data).hexdigest()


def test_first_format(saved):
    path, made = saved
    rewrite(path, format="versus2048 network 1")
    assert load(path).method == made.method


@pytest.mark.parametrize(("key", "value"), [("rules", "gpcc2016"), ("recipe", '{"seed": 2}')])
def test_metadata_counts(saved, key, value):
    path, _ = saved
    content = path.read_bytes()
    length = struct.unpack("<Q", content[:8])[0]
    metadata = json.loads(content[8 : 8 + length])["__metadata__"]
    assert metadata[key] != value
    rewrite(path, checksum=metadata["checksum"], **{key: value})
    with pytest.raises(NetworkError, match="the checksum is wrong"):
        load(path)


def test_every_byte_of_the_weights_counts(saved):
    path, _ = saved
    content = bytearray(path.read_bytes())
    for at in (len(content) - 1, len(content) // 2 + 1000, len(content) - 999):
        damaged = bytearray(content)
        damaged[at] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(NetworkError, match="the checksum is wrong"):
            load(path)


@pytest.mark.parametrize("content", [b"", b"not a network", b"\xff" * 100])
def test_other_files(tmp_path, content):
    path = tmp_path / "x.safetensors"
    path.write_bytes(content)
    with pytest.raises(NetworkError, match=r"x\.safetensors: no network of this program"):
        load(path)
    with pytest.raises(NetworkError, match="No such file"):
        load(tmp_path / "none.safetensors")


def test_points(saved):
    _, made = saved
    got = made.points("value", boards(3), attacker=True)
    output = ALL.apply_boards(made.params, "value", boards(3), True)
    assert np.allclose(got, ALL.value.points(output))
    assert Value(**JSON["value"]) == ALL.value
