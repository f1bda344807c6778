"""The quick state of the environments against positions, and opponents that look at it."""

import copy
import hashlib
import json
import pickle
import struct
import subprocess
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from conftest import program
from test_rules import SIZES
from versus2048 import Position, ntuples, opponents, policy, rules, versus2048_v0
from versus2048.engine import Engine
from versus2048.networks import Network
from versus2048.ntuples import NTupleNetwork
from versus2048.position import move_of
from versus2048.state import State
from versus2048.views import RoleEnv

NEURAL = Path(__file__).parents[2] / "players/neural"
NTUPLE = NEURAL.with_name("ntuple")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ruleset", ["gpcc2015", "gpcc2016", "solo"])
def test_games_agree_with_positions(size, ruleset):
    random = Random(1)
    for _ in range(5):
        position = Position.empty(size, ruleset)
        state = State(position)
        while not position.over:
            assert state.actions() == position.actions()
            before = state.text
            legal = [a for a in range(-1, 33) if state.copy().play(a)]
            assert legal == position.actions()
            assert not state.play(-1)
            assert state.text == before
            action = random.choice(legal)
            assert state.play(np.int64(action))
            position = position.play(move_of(action, position.side, position.size))
            assert state.position() == position == State(position).position()
            assert (state.text, state.largest_tile) == (str(position), position.largest_tile)
            assert state.over == position.over


def test_large_tiles():
    board = ((65536, 65536, 32768, 32768), (0,) * 4)
    state = State(Position(board, "defender"))
    state.play(2)
    assert state.position() == Position(((65536, 65536, 65536, 0), (0,) * 4), "attacker",
                                        score=65536, ply=1)  # fmt: skip
    with pytest.raises(IndexError):
        state.nth_empty(99)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_play_apart(copied):
    env = versus2048_v0.env(size="3x2")
    env.reset(seed=1)
    other = copied(env)
    env.step(1)
    assert (env.position.ply, other.position.ply) == (1, 0)
    other.step(1)
    assert other.position == env.position
    assert all(a is b for a, b in zip(other._state.across, env._state.across, strict=True))


def test_expectimax_beats_greedy():
    def mean(name):
        env = RoleEnv("defender", "random", size="3x3")
        player = opponents.make(name)
        scores = []
        for seed in range(20):
            _, info = env.reset(seed=seed)
            over = False
            while not over:
                _, _, over, _, info = env.step(player.act(State(env.position)))
            scores.append(info["score"])
        return np.mean(scores)

    assert mean("expectimax") > 1.2 * mean("greedy")


def test_expectimax_attacks():
    rng = np.random.default_rng(1)
    # The only placement that mates.
    assert opponents.expectimax(Position.parse("2,4/8,0 A", "gpcc2016"), rng) == "(2,2)"


def vectors(path):
    """Read the tensors of a file of safetensors."""
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header, body = json.loads(content[8 : 8 + length]), content[8 + length :]
    kinds = {"F32": "<f4", "F16": "<f2"}
    return {
        name: np.frombuffer(body[slice(*t["data_offsets"])], kinds[t["dtype"]]).reshape(t["shape"])
        for name, t in header.items()
        if name != "__metadata__"
    }


@pytest.mark.parametrize("method", ["td", "dqn", "cnn", "ppo", "az"])
def test_networks_compute_as_jax_does(method):
    network = Network(NEURAL / f"testdata/{method}.safetensors")
    want = vectors(NEURAL / f"testdata/{method}.vectors.safetensors")
    columns, rows = map(int, network.size.split("x"))
    boards = want.pop("boards").astype(np.uint8).reshape(-1, rows, columns)
    attackers = want.pop("attackers")
    if "points" in want:
        points = network.points("value", boards, attackers)
        assert np.allclose(points, want.pop("points"), rtol=1e-4, atol=1e-4)
    assert want
    for name, output in want.items():
        assert np.allclose(network.compute(name, boards, attackers), output, atol=1e-4)


@pytest.mark.parametrize(
    ("file", "ruleset", "least"),
    [("td-solo-3x2", "solo", 380), ("az-gpcc2015-3x2", "gpcc2015", 380),
     ("ppo-solo-2x2", "solo", 50), ("dqn-solo-2x2", "solo", 50), ("muzero-solo-3x2", "solo", 380)],
)  # fmt: skip
def test_networks_of_the_program_play(file, ruleset, least):
    """They make as much against chance, or a random attacker, as the best can, or nearly."""
    path = NEURAL / f"weights/{file}.safetensors"
    network = Network(path)
    other = "chance" if ruleset == "solo" else "random"
    env = RoleEnv("defender", other, ruleset, network.size)
    scores = []
    for seed in range(10):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, info = env.step(network.act(State(env.position), None))
        scores.append(info["score"])
    assert np.mean(scores) > least
    if ruleset != "solo":
        attacked = RoleEnv("defender", f"network:{path}", ruleset, network.size)
        attacked.reset(seed=1)
        while not attacked.position.over:
            attacked.step(network.act(State(attacked.position), None))


@pytest.mark.parametrize("method", ["td", "dqn", "cnn", "ppo"])
def test_networks_that_know_slides_attack(method):
    network = Network(NEURAL / f"testdata/{method}.safetensors")
    columns, rows = map(int, network.size.split("x"))
    tiles = ((2, 4, 8, 16)[:columns],) + ((0, 0, 2, 4)[:columns],) * (rows - 1)
    position = Position(tiles, "attacker", "gpcc2016")
    assert network.act(State(position), None) in position.actions()
    boards = rules.from_tiles([tiles])
    assert network._hopes(boards).shape == (1,)


def test_models_compute_as_jax_does():
    network = Network(NEURAL / "testdata/muzero.safetensors")
    want = vectors(NEURAL / "testdata/muzero.vectors.safetensors")
    boards = want["boards"].astype(np.uint8).reshape(-1, 3, 3)

    def chosen(states, n):
        return np.concatenate([states, np.eye(n, dtype=np.float32)[np.arange(len(states)) % n]], -1)

    state, after = want["representation"], want["afterstate"]
    of = {"representation": boards, "policy": state, "value": state, "afterstate": chosen(state, 4),
          "chance": after, "afterstate_value": after, "reward": after,
          "dynamics": chosen(after, want["chance"].shape[1])}  # fmt: skip
    assert {*of} == {*want} - {"boards", "attackers", "points"}
    for name, x in of.items():
        assert np.allclose(network.compute(name, x), want[name], atol=1e-4)
    assert np.allclose(network.points("value", state), want["points"], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("role", ["defender", "attacker"])
@pytest.mark.parametrize(
    "file",
    ["weights/az-gpcc2015-3x2", "weights/az-gpcc2016-3x2", "weights/dqn-solo-3x2",
     "weights/muzero-solo-3x2", "weights/ppo-solo-3x2", "weights/td-solo-3x2",
     "testdata/cnn", "testdata/muzero"],
)  # fmt: skip
def test_networks_play_as_the_bots_do(file, role):
    """But for moves that differ by no more than rounding; az does with its policy alone."""
    path = NEURAL / f"{file}.safetensors"
    network = Network(path)
    options = ",simulations=1" if network.method == "az" else ""
    engine = Engine([program("bot"), "stdio", f"{network.method}:weights={path}{options}"])
    moves = same = 0
    try:
        for seed in range(3):
            position, random = Position.empty(network.size, network.rules), Random(seed)
            engine.new_game(position, role, 1)
            while not position.over and position.ply < 100:
                move = random.choice(position.moves())
                if position.side == role:
                    move = move_of(network.act(State(position), None), role, position.size)
                    same += engine.choose(position, None) == move
                    moves += 1
                position = position.play(move)
    finally:
        engine.close()
    assert moves > 20
    assert same > 0.9 * moves


def test_a_mate_counts_as_no_more_points():
    """This network expects less than that of another placement."""
    network = Network(NEURAL / "weights/td-solo-3x2.safetensors")
    position = Position.parse("4,16,8/8,2,0 A", "solo")
    assert not any(position.play("(3,2,4)").moves())
    assert move_of(network.act(State(position), None), "attacker", (3, 2)) == "(3,2)"


@pytest.mark.parametrize("name", ["v1", "v1-gpcc2016", "v1-solo"])
def test_n_tuple_networks_play_as_the_bot_does(name):
    """Those that come with the program, in both roles, on boards of all stages of games."""
    network = NTupleNetwork(NTUPLE / f"{name}.ntuple")
    engine = Engine([program("bot"), "stdio", f"ntuple:weights={name}"])
    try:
        for role in ("defender", "attacker"):
            position = Position.empty("4x4")
            engine.new_game(position, role, 1)
            random = Random(1)
            while position.ply < 400 and not position.over:
                move = random.choice(position.moves())
                if position.side == role:
                    move = move_of(network.act(State(position), None), role, (4, 4))
                    assert engine.choose(position, None) == move
                position = position.play(move)
            assert position.ply > 50
    finally:
        engine.close()


@pytest.mark.parametrize("form", [[], ["--mapped"]])
def test_n_tuple_networks_with_stages_play_as_the_bot_does(form, tmp_path):
    path = tmp_path / "staged.ntuple"
    command = "train ntuple --rules solo --size 3x3 --structure lines --games 300 --stages 8,32"
    subprocess.run([program("lab"), *command.split(), *form, "--out", path], check=True)
    network = NTupleNetwork(path)
    engine = Engine([program("bot"), "stdio", f"ntuple:weights={path}"])
    largest = 0
    try:
        random = Random(1)
        for game in range(10):
            position = Position.empty("3x3", "solo")
            engine.new_game(position, "defender", 1)
            while not position.over:
                move = random.choice(position.moves())
                if position.side == "defender":
                    move = move_of(network.act(State(position), None), "defender", (3, 3))
                    assert engine.choose(position, None) == move, game
                position = position.play(move)
            largest = max(largest, *map(max, position.board))
        assert largest >= 32  # all stages
    finally:
        engine.close()


def test_files_that_are_no_n_tuple_network(tmp_path):
    good = (NTUPLE / "v1.ntuple").read_bytes()
    for content in (good[:-1], good[:1000] + b"?" + good[1001:]):
        path = tmp_path / "a.ntuple"
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"a.ntuple: no network of this program: the checksum"):
            opponents.make(f"network:{path}")
    with pytest.raises(ValueError, match="a network for 4x4: the board is 3x3"):
        RoleEnv("defender", f"network:{NTUPLE}/v1.ntuple", size="3x3").reset()


def test_sparse_weights():
    text = bytes([3, 1, 2, 255, 0, 1, 255, 1, 2, 0x80 | 2, 1])  # at the places 0, 2 and 132
    weights = ntuples._sparse(text, 133)
    assert {int(place): int(weights[place]) for place in weights.nonzero()[0]} == {
        0: 1,
        2: 258,
        132: -1,
    }
    for wrong in (b"", text[:-1], text + b"\1", text[:7] + b"\0" + text[8:], b"\xff" * 10 + text):
        with pytest.raises(ValueError, match="weights"):
            ntuples._sparse(wrong, 133)
    with pytest.raises(ValueError, match="no place"):
        ntuples._sparse(text, 132)
    assert not ntuples._sparse(b"\0", 5).any()


def test_files_that_are_no_network(tmp_path):
    path = tmp_path / "a.safetensors"
    with pytest.raises(ValueError, match="No such file"):
        opponents.make(f"network:{path}")
    cut_off = (NEURAL / "testdata/td.safetensors").read_bytes()[:-4]
    for content in (b"", b"\0" * 20, cut_off, struct.pack("<Q", 4) + b"null"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"a.safetensors: no network of this program"):
            Network(path)
    path.write_bytes(renamed((NEURAL / "testdata/td.safetensors").read_bytes(), "sarsa"))
    with pytest.raises(ValueError, match="method sarsa: want td, dqn"):
        Network(path)
    with pytest.raises(ValueError, match="a network for 3x2: the board is 4x4"):
        RoleEnv("defender", f"network:{NEURAL}/testdata/td.safetensors").reset()


def renamed(content, method):
    """Return a network of another method, whose checksum is that of the weights alone."""
    (length,) = struct.unpack("<Q", content[:8])
    header, weights = json.loads(content[8 : 8 + length]), content[8 + length :]
    header["__metadata__"] |= {
        "format": "versus2048 network 1",
        "method": method,
        "checksum": hashlib.sha256(weights).hexdigest(),
    }
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + weights


def test_a_policy_is_a_bot():
    """It sees what the environment shows, in both roles."""
    for role, flat in (("defender", True), ("attacker", False)):
        env = RoleEnv(role, "random", size="3x2", flat=flat, equal_actions=True)
        seen, _ = env.reset(seed=1)

        def predict(shown, mask, seen=seen, env=env):
            pairs = [(seen, shown)] if env._observer.flat else [
                (seen[name], shown[name]) for name in seen
            ]  # fmt: skip
            assert all((a == b).all() for a, b in pairs)
            assert (mask == env.action_masks()).all()
            return np.array(mask.argmax())

        choose = policy.bot(predict, flat=flat, equal_actions=True)
        assert choose(SimpleNamespace(position=env.position)) == env.position.moves()[0]
