"""What libraries around the environments expect of them."""

import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, render_test

from versus2048 import Position, load_games, rules, versus2048_v0
from versus2048.vector import VectorRoleEnv
from versus2048.views import RoleEnv

SMALL = Path(__file__).parent / "data/gpcc2016-3x2.jsonl.gz"
GAMES = [
    {"role": "defender", "opponent": "random"},
    {"role": "defender", "opponent": "greedy", "rules": "gpcc2016", "size": "3x2"},
    {"role": "defender", "opponent": "chance", "rules": "solo", "size": "2x3"},
    {"role": "attacker", "opponent": "random", "size": "2x2"},
    {"role": "attacker", "opponent": "greedy", "rules": "gpcc2016", "size": "3x3"},
]


def test_render(capsys):
    render_test(versus2048_v0.env)
    assert "attacker to move, score 0, ply 0" in capsys.readouterr().out


def test_human_rendering_of_one_role(capsys):
    env = RoleEnv(opponent="random", size="2x2", render_mode="human")
    env.reset(seed=1)
    env.step(int(np.argmax(env.action_masks())))
    assert env.render() is None
    assert capsys.readouterr().out.count("to move") == 3


@pytest.mark.parametrize("rules_", ["gpcc2015", "gpcc2016"])
@pytest.mark.parametrize("size", ["2x2", "4x3"])
def test_equal_actions_and_vectors(rules_, size, capsys):
    """Both agents have one space of each kind, and the masks are facts."""
    env = versus2048_v0.env(rules=rules_, size=size, flat=True, equal_actions=True)
    api_test(env, num_cycles=100)
    env.reset(seed=1)
    assert env.action_space("attacker") == env.action_space("defender")
    assert env.observation_space("attacker") == env.observation_space("defender")
    columns, rows = env.position.size
    for agent in env.agent_iter(30):
        seen, _, over, _, info = env.last()
        planes = rules.planes(rules.from_tiles([env.position.board]))
        assert seen.tolist() == planes.reshape(-1).tolist()
        assert seen.shape == env.observation_space(agent).shape == (17 * columns * rows,)
        if over:
            break
        legal = np.flatnonzero(info["action_mask"]).tolist()
        assert legal == env.position.actions() == np.flatnonzero(env.action_masks()).tolist()
        other = "attacker" if agent == "defender" else "defender"
        assert not env.infos[other]["action_mask"].any()
        env.step(np.asarray(legal[-1]))  # as libraries predict it


def test_masks_of_one_role():
    for role in ("defender", "attacker"):
        env = RoleEnv(role, "random", size="3x2", flat=True, equal_actions=True)
        seen, info = env.reset(seed=1)
        assert env.observation_space.contains(seen)
        assert env.action_masks().dtype == bool
        assert np.flatnonzero(env.action_masks()).tolist() == env.position.actions()
        assert (info["action_mask"] == env.action_masks()).all()
        assert env.action_space.n == 6


def test_observations_stay_as_they_are():
    env = RoleEnv(opponent="random")
    seen, _ = env.reset(seed=1)
    kept = {name: array.copy() for name, array in seen.items()}
    for _ in range(5):
        after = env.step(int(np.argmax(env.action_masks())))[0]
        after["observation"][:] = 0  # the environment does not read it
    assert all((seen[name] == kept[name]).all() for name in seen)


@pytest.mark.parametrize("settings", GAMES, ids=str)
def test_many_games_at_once(settings):
    """Rewards are the scores; a game that has ended begins with the next step."""
    env = VectorRoleEnv(20, **settings)
    rng = np.random.default_rng(1)
    seen, info = env.reset(seed=1)
    sums, sign = np.zeros(20), 1 if settings["role"] == "defender" else -1
    began, ends = np.zeros(20, bool), 0
    for _ in range(150):
        assert env.observation_space.contains(seen)
        assert (sums == sign * info["score"]).all()
        for i in range(3):
            tiles = tuple(map(tuple, rules.to_tiles(env.boards[i]).tolist()))
            position = Position(tiles, settings["role"], env._rules)
            legal = [] if began[i] else position.actions()
            assert np.flatnonzero(env.action_masks()[i]).tolist() == legal
        masks = env.action_masks()
        seen, rewards, over, truncated, info = env.step(rules.draw(masks, rng))
        assert not rewards[began].any()
        sums = np.where(began, 0, sums + rewards)
        began, ends = over, ends + over.sum()
        assert not truncated.any()
    assert ends > 0
    env.reset(seed=1)
    seen, *_ = env.step(np.argmax(env.action_masks(), axis=1))
    env.reset(seed=1)
    again, *_ = env.step(np.argmax(env.action_masks(), axis=1))
    assert (seen["observation"] == again["observation"]).all()


def test_an_illegal_action_among_many():
    env = VectorRoleEnv(2, opponent="random", illegal_reward=-7)
    env.reset(seed=1)
    illegal = int(np.argmin(env.action_masks()[0]))
    legal = int(np.argmax(env.action_masks()[1]))
    _, rewards, over, _, _ = env.step([illegal, legal])
    assert (rewards.tolist(), over.tolist()) == ([-7, 0], [True, False])
    with pytest.raises(ValueError, match="opponent 'exec:bot' of many games: want random, greedy"):
        VectorRoleEnv(2, opponent="exec:bot")
    with pytest.raises(ValueError, match="many games begin at no position"):
        env.reset(options={"position": "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 D"})


def test_many_games_by_name():
    env = gymnasium.make_vec("versus2048/Solo-v0", num_envs=3, size="3x3",
                             vectorization_mode="vector_entry_point")  # fmt: skip
    seen, _ = env.reset(seed=1)
    assert seen["observation"].shape == (3, 17, 3, 3)
    assert type(env.unwrapped).__name__ == "VectorSoloEnv"


@pytest.mark.parametrize("code", ["import versus2048, gymnasium", "import gymnasium, versus2048"])
def test_one_import_is_enough(code):
    code += "\nprint(gymnasium.make('versus2048/Solo-v0').spec.id)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "versus2048/Solo-v0\n", done.stderr


@pytest.mark.parametrize("opponent", ["random", "greedy"])
@pytest.mark.parametrize("role", ["defender", "attacker"])
@pytest.mark.parametrize("plies", [0, 1, 6, 7])
def test_openings_of_many_games(plies, role, opponent):
    """They have as many plies, and one more where the opponent is to move; none is mated."""
    env = VectorRoleEnv(50, role, opponent, size="3x2", opening_plies=plies)
    seen, info = env.reset(seed=1)
    assert env.action_masks().any(axis=1).all()
    answered = plies + (plies % 2 == (role == "attacker"))
    for tiles, score in zip(rules.to_tiles(env.boards), info["score"], strict=True):
        assert tiles.sum() == 2 * ((answered + 1) // 2)
        rows = "/".join(",".join(map(str, row)) for row in tiles)
        assert Position.parse(f"{rows} {role[0].upper()}").score == score
    assert plies < 6 or len(np.unique(env.boards, axis=0)) > 10
    again, _ = env.reset(seed=1)
    assert (again["observation"] == seen["observation"]).all()
    for _ in range(30):  # games end, and others begin
        env.step(env.action_masks().argmax(axis=1))


def test_openings_that_are_too_long():
    with pytest.raises(ValueError, match="opening_plies 300: 1000 games on 2x2 ended before"):
        VectorRoleEnv(2, opponent="random", size="2x2", opening_plies=300).reset(seed=1)
    with pytest.raises(ValueError, match="opening_plies -1"):
        VectorRoleEnv(2, opening_plies=-1)


def test_pictures_for_notebooks():
    svg = Position.parse("2,0/65536,4 D")._repr_svg_()
    assert svg.startswith("<svg") and svg.count("<rect") == 5 and ">65536</text>" in svg
    tables = load_games(SMALL)
    page = tables._repr_html_()
    assert page.count("<tr>") == 1 + len(tables.standings())
    game = tables.game(3)
    assert (len(game.moves) + 1, game.positions[-1].score) == (
        len(game.positions), game.row["score"]
    )  # fmt: skip
    assert "<svg" in game._repr_html_() and f"score {game.row['score']}" in game._repr_html_()
    with pytest.raises(ValueError, match="game 99: there is none"):
        tables.game(99)


def test_standings():
    tables = load_games(SMALL)
    standings = tables.standings()
    games = tables.games.to_pandas().query("scored")
    for s in standings:
        assert s.defends == games[games.defender == s.bot].score.mean()
        assert s.attacks == games[games.attacker == s.bot].score.mean()
    assert sum(s.points for s in standings) == len(games) / 2
    ranks = [(s.points, s.margin) for s in standings]
    assert ranks == sorted(ranks, reverse=True)
