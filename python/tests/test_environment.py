import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from versus2048 import IllegalMoveError, Position, versus2048_v0
from versus2048.position import action_of, move_of

SETTINGS = [
    {},
    {"rules": "gpcc2016", "size": "3x2"},
    {"size": "2x2", "opening_plies": 3},
    {"opening_plies": 5, "max_plies": 20},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("make", [versus2048_v0.env, versus2048_v0.raw_env])
def test_api(make, settings, capsys):
    api_test(make(**settings), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_seeds(settings):
    seed_test(lambda: versus2048_v0.env(**settings), num_cycles=50)


def play(env, seed):
    """Play random legal actions to the end; return the sums of the rewards and the actions."""
    rng = np.random.default_rng(seed)
    sums, moves = {"attacker": 0.0, "defender": 0.0}, []
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        sums[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        position = env.unwrapped.position
        legal = np.flatnonzero(seen["action_mask"])
        assert [move_of(a, agent, position.size) for a in legal] == position.moves()
        assert env.observation_space(agent).contains(seen)
        action = rng.choice(legal)
        moves.append(move_of(action, agent, position.size))
        env.step(action)
    return sums, moves


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_rewards_sum_up_to_the_score(settings):
    env = versus2048_v0.env(**settings)
    for seed in range(3):
        sums, moves = play(env, seed)
        end = env.unwrapped.position
        env.reset(seed=seed)
        start = env.unwrapped.position
        assert sums == {"defender": end.score - start.score, "attacker": start.score - end.score}
        for move in moves:
            start = start.play(move)
        assert start == end
        assert end.over or len(moves) == settings.get("max_plies")


def test_openings_follow_from_the_seed():
    env = versus2048_v0.raw_env(size="2x2", opening_plies=7)
    texts = []
    for seed in [*range(20), 0]:
        env.reset(seed=seed)
        assert env.position.ply == 7
        assert env.agent_selection == "defender"
        assert not env.position.over
        texts.append(str(env.position))
    assert texts[0] == texts[-1]
    assert len(set(texts)) > 5
    env.reset()
    env.reset()  # without a seed the generator goes on


def test_openings_longer_than_games():
    with pytest.raises(ValueError, match="opening_plies 40: 1000 games on 2x2 ended before"):
        versus2048_v0.raw_env(size="2x2", opening_plies=40).reset(seed=1)
    with pytest.raises(ValueError, match="opening_plies -1: want 0 or more"):
        versus2048_v0.raw_env(opening_plies=-1)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"max_plies": 0}, "max_plies 0: want 1 or more, or None"),
        ({"render_mode": "humans"}, "render_mode 'humans': want ansi, human, rgb_array or None"),
        ({"rules": "gpcc2017"}, "rules 'gpcc2017': want gpcc2015 or gpcc2016"),
    ],
)
def test_wrong_settings(settings, why):
    with pytest.raises(ValueError, match=why):
        versus2048_v0.env(**settings)


def test_a_wrong_start_changes_nothing():
    env = versus2048_v0.raw_env()
    env.reset(seed=1)
    before = env.position
    with pytest.raises(ValueError, match="want 4x4, no mate"):
        env.reset(options={"position": "2,0/0,0 D"})
    assert env.position == before


def test_observation():
    env = versus2048_v0.raw_env(size="3x2")
    env.reset(options={"position": "2,0,4/65536,0,2 D"})
    seen = env.observe("defender")
    assert seen["action_mask"].tolist() == [0, 0, 1, 1]
    assert env.observe("attacker")["action_mask"].tolist() == [0] * 6
    assert [tuple(at) for at in np.argwhere(seen["observation"])] == [
        (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 2), (2, 0, 2), (16, 1, 0),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="want 3x2, no mate"):
        env.reset(options={"position": "2,0/0,0 D"})


def test_illegal_actions(caplog):
    env = versus2048_v0.raw_env()
    env.reset(options={"position": "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 D"})
    with pytest.raises(IllegalMoveError):
        env.step(action_of("W", (4, 4)))
    checked = versus2048_v0.env()
    checked.reset(options={"position": "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 D"})
    checked.step(action_of("W", (4, 4)))
    assert "Illegal move" in caplog.text
    assert checked.terminations == {"attacker": True, "defender": True}
    assert checked.rewards == {"attacker": 0, "defender": versus2048_v0.ILLEGAL_REWARD}


@pytest.mark.parametrize(("side", "actions"), [("D", [-1, 4]), ("A", [-1, 32])])
@pytest.mark.parametrize("rules", ["gpcc2015", "gpcc2016"])
def test_actions_that_no_agent_has(rules, side, actions):
    env = versus2048_v0.raw_env(rules=rules)
    env.reset(options={"position": f"0,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0 {side}"})
    before = env.position
    for action in actions:
        with pytest.raises(IllegalMoveError):
            env.step(action)
    assert env.position == before


def test_solo_has_one_agent():
    with pytest.raises(ValueError, match="SoloEnv"):
        versus2048_v0.env(rules="solo")


def test_rendering():
    position = "2,4,8,16/0,64,128,256/512,1024,2048,4096/8192,16384,32768,65536 D 1834884 4"
    env = versus2048_v0.raw_env(render_mode="ansi")
    env.reset(options={"position": position})
    assert env.render() == (
        "     2     4     8    16\n"
        "     .    64   128   256\n"
        "   512  1024  2048  4096\n"
        "  8192 16384 32768 65536\n"
        "defender to move, score 1834884, ply 4"
    )
    env = versus2048_v0.raw_env(render_mode="rgb_array", size="3x2")
    env.reset(options={"position": "2,4,8/0,64,128 D"})
    pixels = env.render()
    assert (pixels.shape, pixels.dtype) == ((128, 192, 3), np.uint8)
    cells = [pixels[y : y + 64, x : x + 64].tobytes() for y in (0, 64) for x in (0, 64, 128)]
    assert len(set(cells)) == 6
    env = versus2048_v0.raw_env()
    env.reset()
    assert env.render() is None
    assert env.position == Position.empty()
