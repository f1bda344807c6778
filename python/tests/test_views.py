import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from versus2048 import IllegalMoveError, Position, opponents, views
from versus2048.position import action_of

BOT = "import versus2048; versus2048.run(lambda turn: turn.position.moves()[0])"
EXEC = f"exec:{sys.executable} -c '{BOT}'"
IDS = ["versus2048/Defender-v0", "versus2048/Attacker-v0", "versus2048/Solo-v0"]


@pytest.mark.filterwarnings("ignore::UserWarning:gymnasium.core")
@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("settings", [{}, {"size": "3x2", "opening_plies": 4}], ids=str)
def test_gymnasium_checks(name, settings):
    check_env(gymnasium.make(name, render_mode="rgb_array", **settings).unwrapped)


def test_registered_once():
    views.register()
    assert set(IDS) <= set(gymnasium.registry)


def play(env, seed=1):
    """Play random legal actions to the end; return the sum of the rewards and the last info."""
    rng = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        assert env.observation_space.contains(seen)
        assert Position.parse(info["position"], env.position.rules) == env.position
        seen, reward, over, truncated, info = env.step(
            rng.choice(np.flatnonzero(seen["action_mask"]))
        )
        assert not truncated
        total += reward
    return total, info


@pytest.mark.parametrize("opponent", ["random", "greedy", opponents.uniform, EXEC])
@pytest.mark.parametrize("role", ["attacker", "defender"])
@pytest.mark.parametrize("rules", ["gpcc2015", "gpcc2016"])
def test_games(role, opponent, rules):
    env = views.RoleEnv(role, opponent, rules, "3x2")
    total, info = play(env)
    assert env.position.over
    assert total == (info["score"] if role == "defender" else -info["score"])
    assert play(env) == (total, info)
    env.close()


def test_solo():
    env = views.SoloEnv(size="3x3")
    totals = [play(env, seed)[0] for seed in range(5)]
    assert len(set(totals)) > 1
    with pytest.raises(ValueError, match="under solo"):
        views.RoleEnv("attacker", "random", "solo")


@pytest.mark.parametrize("role", ["attacker", "defender"])
def test_illegal_action_ends_the_episode(role):
    env = views.RoleEnv(role, "random", illegal_reward=-7)
    env.reset(seed=1, options={"position": f"2,0,0,0/{'0,0,0,0/' * 2}0,0,0,0 {role[0].upper()}"})
    before = env.position
    seen, reward, terminated, _, info = env.step(
        0 if role == "attacker" else action_of("W", (4, 4))
    )
    assert (reward, terminated, info["position"]) == (-7, True, str(before))
    assert seen["action_mask"].sum() == (15 if role == "attacker" else 2)


def test_start_position():
    env = views.RoleEnv("defender", "random", size="2x2")
    for text in ("2,4/4,2 D", "2,0/0,0 A", "2,0,0/0,0,0 D"):
        with pytest.raises(ValueError, match="the defender to move, no mate"):
            env.reset(options={"position": text})


def test_greedy():
    rng = np.random.default_rng(1)
    assert opponents.greedy(Position.parse("2,2,0/0,4,4 D"), rng) in "WE"
    assert opponents.greedy(Position.parse("8,8,2/0,0,2 D"), rng) in "WE"
    # The only placement after which no slide scores.
    assert opponents.greedy(Position.parse("2,4/8,0 A", "gpcc2016"), rng) == "(2,2)"


def test_chance():
    """Chance finds the only cell, whatever its row, and places a 4 in one case of ten."""
    rng = np.random.default_rng(1)
    position = Position.parse("2,4/2,4/2,4/4,0 A", "solo")
    moves = [opponents.chance(position, rng) for _ in range(3000)]
    assert set(moves) == {"(2,4)", "(2,4,4)"}
    assert abs(moves.count("(2,4,4)") / len(moves) - 0.1) < 0.02


def test_chance_attacks_under_gpcc2016():
    env = views.RoleEnv("defender", "chance", "gpcc2016", "3x2")
    assert len({play(env, seed)[0] for seed in range(5)}) > 1


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"role": "defendor"}, "role 'defendor': want attacker or defender"),
        ({"rules": "gpcc2017"}, "rules 'gpcc2017': want gpcc2015, gpcc2016, solo"),
        ({"opponent": "chance"}, "want the role defender, under gpcc2016"),
        ({"opponent": "chance", "role": "attacker", "rules": "gpcc2016"}, "want the role defender"),
        ({"opening_plies": -1}, "opening_plies -1: want 0 or more"),
        ({"render_mode": "humans"}, "render_mode 'humans': want ansi, human, rgb_array or None"),
    ],
)
def test_wrong_settings(settings, why):
    with pytest.raises(ValueError, match=why):
        views.RoleEnv(**settings)


def test_openings_after_which_the_opponent_mates(monkeypatch):
    monkeypatch.setattr(views, "ATTEMPTS", 20)
    monkeypatch.setattr(views, "opening", lambda *_: Position.parse("2,4/8,0 A"))
    with pytest.raises(ValueError, match=r"opening_plies 5: .* ended before; want fewer"):
        views.RoleEnv("defender", "greedy", size="2x2", opening_plies=5).reset()


@pytest.mark.parametrize("move", ["N", "Q", None])
def test_an_illegal_move_of_the_opponent(move):
    with pytest.raises(IllegalMoveError, match=f"the opponent's move {move!r}"):
        views.RoleEnv("defender", lambda *_: move).reset(seed=1)


def test_unknown_opponent():
    with pytest.raises(ValueError, match='opponent "exec:\'bot": No closing quotation'):
        opponents.make("exec:'bot")
    with pytest.raises(
        ValueError, match="want random, greedy, expectimax, chance, network:FILE or exec"
    ):
        opponents.make("stockfish")
