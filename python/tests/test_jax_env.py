"""The environment in JAX against perft, recorded games and the rules in NumPy."""

import subprocess
import sys
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from test_jax_game import GAMES, SIZES, board, perft_table
from versus2048 import rules as batch
from versus2048.jax import Env, auto_reset
from versus2048.jax.env import ATTACKER, DEFENDER, ILLEGAL_REWARD
from versus2048.position import action_of

CHUNK = 512


@cache
def stepping(env):
    """Return the steps of many games, and the first states of these."""
    init = jax.jit(lambda key: jax.vmap(env.init)(jax.random.split(key, CHUNK)))
    return jax.jit(jax.vmap(env.step)), init(jax.random.key(0))


def chunks(states, actions):
    """Yield states and actions in parts of one length, with the number that count."""
    count = len(actions)
    for i in range(0, count, CHUNK):
        part = np.arange(i, i + CHUNK) % count
        yield (
            jax.tree.map(lambda x, part=part: x[part], states),
            actions[part],
            min(CHUNK, count - i),
        )


def played(env, states, actions):
    """Return the states after actions, as arrays of NumPy."""
    step, _ = stepping(env)
    keys = jax.random.split(jax.random.key(1), CHUNK)
    parts = [
        jax.tree.map(lambda x, n=n: np.asarray(x)[:n], step(part, chosen, keys))
        for part, chosen, n in chunks(states, actions)
    ]
    return jax.tree.map(lambda *x: np.concatenate(x), *parts)


def state_of(env, boards, side):
    """Return states with these boards."""
    _, first = stepping(env)
    first = jax.tree.map(lambda x: np.asarray(x)[np.zeros(len(boards), int)], first)
    attacks = side == "A"
    masks = np.zeros_like(first.legal_action_mask)
    legal = batch.legal(boards.astype(np.uint8), "attacker" if attacks else "defender", env.rules)
    masks[:, : legal.shape[1]] = legal
    return first._replace(
        board=boards, attacks=np.full(len(boards), attacks), legal_action_mask=masks,
        current_player=np.full(len(boards), ATTACKER if attacks else DEFENDER, np.int32),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "text", "side", "counts"), [row for row in perft_table() if row[0] != "solo"]
)
def test_perft(rules, text, side, counts):
    start = board(text)[None]
    env = Env(rules, f"{start.shape[2]}x{start.shape[1]}", observations=False)
    states, got = state_of(env, start, side), []
    for _ in counts.split():
        legal = states.legal_action_mask & ~states.terminated[:, None]
        parent, actions = np.nonzero(legal)
        got.append(len(actions))
        if len(got) < len(counts.split()) and sum(got) < 30_000:
            states = played(env, jax.tree.map(lambda x, p=parent: x[p], states), actions)
        else:
            break
    assert got == list(map(int, counts.split()))[: len(got)]
    assert len(got) >= min(3, len(counts.split()))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rules", ["gpcc2015", "gpcc2016"])
def test_recorded_games(rules, size):
    """The arena's games, ply by ply: boards, scores, rewards, masks and the end."""
    env = Env(rules, size, observations=False)
    plies = [ply for ply in GAMES if (ply["rules"], ply["size"]) == (rules, size)]
    width, height = env.game.width, env.game.height
    boards = np.stack([np.frombuffer(p["board"], np.int8) for p in plies])
    boards = boards.reshape(-1, height, width)
    actions = np.array([action_of(p["move"], (width, height)) for p in plies])
    attacks = np.array([p["side"] == "attacker" for p in plies])
    states = jax.tree.map(
        lambda a, b: np.where(attacks.reshape(-1, *[1] * (a.ndim - 1)), a, b),
        state_of(env, boards, "A"), state_of(env, boards, "D"),
    )  # fmt: skip
    states = states._replace(score=np.array([p["score"] for p in plies], np.int32))
    after = played(env, states, actions)
    for i, ply in enumerate(plies):
        assert after.score[i] == ply["score"] + ply["gained"]
        assert after.rewards[i].tolist() == [-ply["gained"], ply["gained"]]
        last = i + 1 == len(plies) or plies[i + 1]["game"] != ply["game"]
        assert after.terminated[i] == last
        if last:
            assert after.legal_action_mask[i].all()
            assert after.score[i] == ply["final"]
        else:
            assert (after.board[i] == boards[i + 1]).all()
            assert after.attacks[i] == attacks[i + 1]
            assert after.current_player[i] == (ATTACKER if attacks[i + 1] else DEFENDER)
            side = "attacker" if attacks[i + 1] else "defender"
            legal = batch.legal(boards[i + 1][None].astype(np.uint8), side, rules)[0]
            assert (
                np.flatnonzero(after.legal_action_mask[i]).tolist()
                == np.flatnonzero(legal).tolist()
            )


@pytest.mark.parametrize(
    "env",
    [Env("solo", "2x2"), Env("solo", "3x2"), Env("solo", "4x4"), Env("gpcc2016", "2x2"),
     Env("gpcc2015", "2x3", "defender"), Env("gpcc2016", "2x2", "attacker"),
     Env("gpcc2015", "3x3", "attacker")],
    ids=lambda e: f"{e.rules} {e.size} {e.role}",
)  # fmt: skip
def test_games_that_begin_anew(env):
    """Random games: rewards are differences of scores, masks and observations those of boards."""
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(auto_reset(env)))
    state = init(jax.random.split(jax.random.key(0), 64))
    ends = 0
    for turn in range(120):
        boards = np.asarray(state.board).astype(np.uint8)
        attacks = np.asarray(state.attacks)
        mask = np.asarray(state.legal_action_mask)
        assert mask.any(1).all()
        for side, which in (("attacker", attacks), ("defender", ~attacks)):
            legal = batch.legal(boards[which], side, env.rules)
            n = min(mask.shape[1], legal.shape[1])
            assert (mask[which][:, :n] == legal[:, :n]).all()
            assert not mask[which][:, n:].any()
        seen = np.asarray(state.observation)
        assert seen.shape[1:] == env.observation_shape
        assert (seen[..., :17] == batch.planes(boards).transpose(0, 2, 3, 1)).all()
        if env.num_players == 2:
            assert (seen[..., 17] == attacks[:, None, None]).all()
        actions = batch.draw(mask, np.random.default_rng(turn))
        before, state = state, step(state, actions, jax.random.split(jax.random.key(turn), 64))
        over = np.asarray(state.terminated)
        sign = -1 if env.num_players == 2 or env.role == "attacker" else 1
        gained = sign * np.asarray(state.rewards)[:, 0]
        assert (gained[~over] == np.asarray(state.score - before.score)[~over]).all()
        assert (np.asarray(state.board)[over] > 0).sum() == over.sum() * (
            env.rules == "solo" or env.role == "defender"
        )
        assert not np.asarray(state.score)[over].any()
        ends += over.sum()
    assert ends > (0 if env.size == "4x4" else 20)


def test_chance_in_the_solo_game():
    env = Env("solo", "2x2")
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), 30_000))
    first = np.asarray(state.board).reshape(-1, 4)
    assert ((first > 0).sum(1) == 1).all()
    assert np.allclose((first > 0).mean(0), 1 / 4, atol=0.02)
    assert abs((first == 2).sum() / len(first) - 0.1) < 0.01
    where = first.argmax(1) < 2  # a tile in the upper row slides down
    after = jax.jit(jax.vmap(env.step))(state, jnp.where(where, 1, 0),
                                        jax.random.split(jax.random.key(1), 30_000))  # fmt: skip
    second = np.asarray(after.board).reshape(-1, 4)
    assert ((second > 0).sum(1) == 2).all()
    upper = second[where][:, :2].max(1)
    assert abs((upper > 0).mean() - 2 / 3) < 0.02
    assert abs((upper == 2).sum() / (upper > 0).sum() - 0.1) < 0.01
    reset = jax.jit(jax.vmap(auto_reset(env)))
    lost = state._replace(legal_action_mask=np.zeros((30_000, 4), bool))
    begun = reset(lost, jnp.zeros(30_000, int), jax.random.split(jax.random.key(2), 30_000))
    boards = np.asarray(begun.board).reshape(-1, 4)
    assert np.asarray(begun.terminated).all()
    assert np.allclose((boards > 0).mean(0), 1 / 4, atol=0.02)
    assert abs((boards == 2).sum() / len(boards) - 0.1) < 0.01


@pytest.mark.parametrize("env", [Env("gpcc2015", "2x2"), Env("gpcc2015", "2x2", "defender")])
def test_illegal_actions_end_the_game(env):
    key = jax.random.key(0)
    init, step = jax.jit(env.init), jax.jit(env.step)
    state = init(key)
    if env.role is None:
        state = step(state, 0, key)  # a 2 in the corner: N and W are illegal
    action = int(np.argmin(np.asarray(state.legal_action_mask)))
    lost = step(state, action, key)
    player = int(state.current_player)
    assert lost.terminated and lost.legal_action_mask.all()
    assert float(lost.rewards[player]) == ILLEGAL_REWARD
    assert (lost.board == state.board).all()
    again = step(lost, 0, key)
    assert again.terminated and not again.rewards.any() and (again.board == state.board).all()


def test_an_opponent_of_ones_own():
    def first(key, state):
        return jnp.argmax(state.legal_action_mask)

    env = Env("gpcc2015", "2x2", role="defender", opponent=first)
    state = env.init(jax.random.key(0))
    assert np.asarray(state.board).tolist() == [[1, 0], [0, 0]]
    state = jax.jit(env.step)(state, 1, jax.random.key(1))
    assert np.asarray(state.board).tolist() == [[1, 0], [1, 0]]
    assert (env.num_actions, Env("gpcc2016", "3x3", "attacker").num_actions) == (4, 18)


def test_one_game_is_the_same_as_one_of_many():
    env = Env("solo", "3x3")
    keys = jax.random.split(jax.random.key(3), 4)
    many, init = jax.jit(jax.vmap(env.init))(keys), jax.jit(env.init)
    for i in range(4):
        one = init(keys[i])
        assert all(
            (a == b[i]).all()
            for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(many), strict=True)
        )


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"rules": "chess"}, "rules 'chess': want gpcc2015, gpcc2016, solo"),
        ({"size": "5x5"}, "size 5x5: want 2x2 to 4x4"),
        ({"role": "both"}, "role 'both': want attacker, defender or None"),
        ({"rules": "solo", "role": "defender"}, "under solo there is one role"),
    ],
)
def test_wrong_settings(settings, why):
    with pytest.raises(ValueError, match=why):
        Env(**settings)


@pytest.mark.parametrize(
    ("lacks", "module", "says"),
    [
        ("jax", "versus2048.jax", "versus2048.jax needs JAX: pip install 'versus2048[jax]'"),
        ("gymnasium", "versus2048.views", "the environments need Gymnasium and PettingZoo: pip "
                                          "install 'versus2048[env]'"),
        ("pettingzoo", "versus2048.views", "the environments need PettingZoo: pip install "
                                           "'versus2048[env]'"),
    ],
)  # fmt: skip
def test_missing_libraries_are_one_sentence(lacks, module, says):
    code = f"import sys; sys.modules[{lacks!r}] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {says}"


def test_an_old_numpy_is_one_sentence():
    code = "import numpy; numpy.__version__ = '1.26.4'; import versus2048.rules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: versus2048 needs NumPy 2, this is 1.26.4: pip install 'numpy>=2'"
    )
