"""Networks that training has written, computed by NumPy: opponents without the program ``bot``.

The files are those of ``docs/NETWORKS.md``. They play as the bots ``td``, ``dqn``, ``cnn``, ``ppo``
and ``muzero`` do; of ``az`` the policy alone plays, in both roles, without a search.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from versus2048 import muzero
from versus2048 import rules as batch
from versus2048.rules import Boards
from versus2048.state import State

Numbers = NDArray[np.float32]
_METHODS = ("td", "dqn", "cnn", "ppo", "az", "muzero")
_EPSILON = 1e-5
_LEAST = np.float32(-1e30)


class Network:
    """A network from a file. A faulty file is a ValueError."""

    def __init__(self, path: str | Path) -> None:
        try:
            about, self._tensors = _read(Path(path).read_bytes())
            self.method, self.size, self.rules = about["method"], about["size"], about["rules"]
            structure = json.loads(about["network"])
            self._planes, self._side = structure["planes"], structure["side"]
            self._functions, self._value = structure["functions"], structure["value"]
        except OSError as error:
            raise ValueError(f"{path}: {error.strerror}") from None
        except (ValueError, LookupError, TypeError, AttributeError, struct.error) as error:
            raise ValueError(f"{path}: no network of this program: {error}") from None
        if self.method not in _METHODS:
            raise ValueError(f"{path}: method {self.method}: want {', '.join(_METHODS)}")

    def compute(self, name: str, x: NDArray[Any], attacker: bool | NDArray[Any] = False) -> Numbers:
        """Return the outputs of a function, shape (n, outputs).

        x is boards (n, rows, columns) or, in a learned model, numbers (n, inputs).
        """
        function = self._functions[name]
        if function["from"] == "board":
            x = self._encode(x, attacker)
        elif isinstance(function["from"], str):
            x = self.compute(function["from"], x, attacker)
        return self._apply(name, function["layers"], x)

    def points(self, name: str, x: NDArray[Any], attacker: bool | NDArray[Any] = False) -> Numbers:
        """Return the points that a value function gives: shape (n,)."""
        output, value = self.compute(name, x, attacker), self._value
        number = output[:, 0]
        if value["bins"]:
            weights = np.exp(output - output.max(-1, keepdims=True))
            support = np.linspace(value["low"], value["high"], value["bins"], dtype=np.float32)
            number = (weights @ support) / weights.sum(-1)
        return np.asarray(_INVERSE[value["transform"]](value["scale"] * number))

    def act(self, state: State, random: Callable[[], float]) -> int:
        """Return the action that the network plays; of equal ones the first."""
        if f"{state.width}x{state.height}" != self.size:
            raise ValueError(
                f"a network for {self.size}: the board is {state.width}x{state.height}"
            )
        board = batch.from_tiles([state.position().board])
        actions = np.flatnonzero(batch.legal(board, state.side, state.rules)[0])
        if self.method == "az":
            logits = self.compute("policy", board, state.attacks)[0]
            if state.attacks:  # a 2 and a 4 for each cell; the actions are all 2s, then all 4s
                logits = logits[4:].reshape(-1, 2).T.ravel()
            return int(actions[logits[actions].argmax()])
        if not state.attacks:
            if self.method == "muzero":
                return muzero.best_slide(self, board, actions.tolist())
            return int(self._slides(board)[0].argmax())
        placed = batch.place_each(np.repeat(board, len(actions), 0), actions, state.rules)
        return int(actions[self._hopes(placed).argmin()])

    def _slides(self, boards: Boards) -> Numbers:
        """Return how good each slide is, shape (n, 4), very low for one that is illegal."""
        after, points, legal = batch.slides(boards)
        flat = after.reshape(-1, *after.shape[2:])
        if self.method == "td":
            good = points + self.points("value", flat).reshape(points.shape)
        elif self.method == "ppo" and "preference" in self._functions:
            good = self.compute("preference", flat)[:, 0].reshape(points.shape)
        else:
            good = self.compute("q" if self.method == "dqn" else "policy", boards).T
        return np.where(legal, good, _LEAST).T.astype(np.float32)

    def _hopes(self, boards: Boards) -> NDArray[np.float64]:
        """Return the points that the network expects for the defender to move, 0 after a mate."""
        return np.where(batch.over(boards), 0, self._expected(boards)).astype(np.float64)

    def _expected(self, boards: Boards) -> NDArray[Any]:
        if self.method == "muzero":
            return self.points("value", self.compute("representation", boards))
        slides = self._slides(boards)
        if self.method == "cnn":  # how sure it is, in place of points
            return np.asarray(1 / np.exp(slides - slides.max(-1, keepdims=True)).sum(-1))
        if self.method == "ppo":
            after, points, _ = batch.slides(boards)
            chosen, n = slides.argmax(-1), np.arange(len(boards))
            return np.asarray(points[chosen, n] + self.points("value", after[chosen, n]))
        return np.asarray(slides.max(-1))

    def _encode(self, boards: Boards, attacker: bool | NDArray[Any]) -> Numbers:
        largest = np.minimum(boards, self._planes - 1)
        planes = np.asarray(largest[..., None] == np.arange(self._planes), np.float32)
        if not self._side:
            return planes
        side = np.broadcast_to(np.asarray(attacker, np.float32)[..., None, None], boards.shape)
        return np.concatenate([planes, side[..., None]], -1)

    def _apply(self, name: str, layers: list[dict[str, Any]], x: Numbers) -> Numbers:
        for i, layer in enumerate(layers):
            x = self._layer(f"{name}.{i}", layer, x)
        return x

    def _layer(self, name: str, layer: dict[str, Any], x: Numbers) -> Numbers:
        kind = layer["kind"]
        if kind == "relu":
            return np.maximum(x, 0)
        if kind == "tanh":
            return np.tanh(x)
        if kind == "residual":
            return x + self._apply(name, layer["layers"], x)
        if kind == "symmetries":
            images = np.stack(batch.images(x), 1)
            y = self._apply(name, layer["layers"], images.reshape(-1, *x.shape[1:]))
            return y.reshape(len(x), -1, y.shape[-1])
        if kind == "canonical":
            return self._apply(name, layer["layers"], _greatest(x))
        weight, bias = self._tensors[f"{name}.weight"], self._tensors[f"{name}.bias"]
        if kind == "dense":
            return np.asarray(x.reshape(len(x), -1) @ weight + bias)
        if kind == "norm":
            centred = x - x.mean(-1, keepdims=True)
            deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + np.float32(_EPSILON))
            return np.asarray(centred / deviation * weight + bias)
        if kind == "conv":
            return _convolved(x, weight, layer["padding"]) + bias
        raise ValueError(f"layer {name}: its kind is {kind}")


def _from_sqrt(y: Numbers) -> Numbers:
    c = np.abs(y) + np.float32(1.001)
    root = 2 * c / (1 + np.sqrt(1 + np.float32(0.004) * c))
    return np.asarray(np.sign(y) * (root * root - 1))


_INVERSE: dict[str, Callable[[Numbers], Numbers]] = {
    "none": lambda y: y,
    "log": lambda y: np.sign(y) * np.expm1(np.abs(y)),
    "sqrt": _from_sqrt,
}


def _convolved(x: Numbers, weight: Numbers, padding: str) -> Numbers:
    """Add up the products of each cell of the kernel."""
    height, width = weight.shape[:2]
    if padding != "none":
        around = padding == "around"
        pads = [(k // 2, k // 2) if around else (0, k - 1) for k in (height, width)]
        x = np.pad(x, [(0, 0), *pads, (0, 0)])
    rows, columns = x.shape[1] - height + 1, x.shape[2] - width + 1
    parts = [
        x[:, i : i + rows, j : j + columns] @ weight[i, j]
        for i in range(height)
        for j in range(width)
    ]
    return np.asarray(sum(parts[1:], parts[0]))


def _greatest(x: Numbers) -> Numbers:
    """Return of each board the image that is the greatest, row by row."""
    images = np.stack(batch.images(x), 1)
    planes = images.argmax(-1).reshape(*images.shape[:2], -1)
    keys = planes @ 32 ** np.arange(planes.shape[-1] - 1, -1, -1, dtype=object)
    return np.asarray(images[np.arange(len(x)), keys.argmax(-1)])


def _read(content: bytes) -> tuple[dict[str, str], dict[str, Numbers]]:
    """Read the texts and the tensors of a file of safetensors."""
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    about, data = header.pop("__metadata__"), content[8 + length :]
    kinds: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
    tensors = {
        name: np.frombuffer(data[slice(*t["data_offsets"])], kinds[t["dtype"]])
        .reshape(t["shape"])
        .astype(np.float32)
        for name, t in header.items()
    }
    counted = sorted(about.keys() - {"checksum"}) if about["format"][-1] != "1" else []
    texts = "".join(f"{key}\0{about[key]}\0" for key in counted)
    if hashlib.sha256(texts.encode() + data).hexdigest() != about["checksum"]:
        raise ValueError("the checksum is wrong: the file is damaged")
    return about, tensors
