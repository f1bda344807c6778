"""Exact optima, the bots for many boards, and scores of policies, each against another way."""

from unittest.mock import patch

import gymnasium
import numpy as np
import pytest

from versus2048 import IllegalMoveError, Position, baselines, opponents, policy, rules
from versus2048.optimum import optimum, value
from versus2048.state import State

SOLVED = [  # of the ledger of claims, by the program lab
    ("gpcc2015", "2x2", 68), ("gpcc2015", "2x3", 516), ("gpcc2016", "2x2", 8),
    ("gpcc2016", "3x2", 40), ("solo", "2x2", 66.9641), ("solo", "3x2", 480.2584),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "size", "score"), SOLVED)
def test_published_optima(ruleset, size, score):
    opponent = "chance" if ruleset == "solo" else "perfect"
    assert optimum("defender", opponent, ruleset, size) == pytest.approx(score, abs=1e-4)


def gain(position, role, opponent, known):
    """Return the optimal gain from a position, by a search that knows no symmetry and no sums."""
    if position.over:
        return 0
    if (key := (position.board, position.side)) not in known:
        after = {move: position.play(move) for move in position.moves()}
        gains = {move: p.score - position.score + gain(p, role, opponent, known)
                 for move, p in after.items()}  # fmt: skip
        if position.side == role:
            known[key] = (max if role == "defender" else min)(gains.values())
        else:
            known[key] = np.mean([gains[move] for move in drawn(opponent, position)])
    return known[key]


def drawn(bot, position):
    """Return the moves among which the bot for one game draws."""
    if bot == "random":
        return position.moves()

    def best(actions, value, _):
        values = [value(action) for action in actions]
        return [action for action, v in zip(actions, values, strict=True) if v == max(values)]

    with patch.object(opponents, "_best", best):
        actions = opponents.BUILT_IN[bot](State(position), None)
    return [opponents.move_of(action, position.side, position.size) for action in actions]


@pytest.mark.parametrize("opponent", list(baselines.BASELINES))
@pytest.mark.parametrize("role", ["attacker", "defender"])
@pytest.mark.parametrize("ruleset", ["gpcc2015", "gpcc2016"])
def test_a_search_finds_the_same_optimum(ruleset, role, opponent):
    exact = gain(Position.empty("2x2", ruleset), role, opponent, {})
    assert optimum(role, opponent, ruleset, "2x2") == pytest.approx(exact)


@pytest.mark.parametrize("ruleset", ["gpcc2015", "gpcc2016"])
@pytest.mark.parametrize("bot", list(baselines.BASELINES))
def test_many_boards_as_one(bot, ruleset):
    """The bots for many boards draw among the moves of those for one game."""
    rng = np.random.default_rng(1)
    for side in ("attacker", "defender"):
        boards = rng.integers(0, 4, (60, 2, 3)).astype(np.uint8)
        boards = boards[rules.legal(boards, side, ruleset).any(axis=1)]
        assert len(boards) > 40
        allowed = baselines.BASELINES[bot](boards, side, ruleset)
        for board, flags in zip(rules.to_tiles(boards), allowed, strict=True):
            position = Position(tuple(map(tuple, board.tolist())), side, ruleset)
            moves = {opponents.move_of(a, side, (3, 2)) for a in np.flatnonzero(flags)}
            assert moves == set(drawn(bot, position))


@pytest.mark.parametrize(("attacker", "defender", "ruleset"), [
    ("random", "greedy", "gpcc2015"), ("greedy", "random", "gpcc2015"),
    ("random", "expectimax", "gpcc2016"), ("expectimax", "greedy", "gpcc2016"),
])  # fmt: skip
def test_games_have_the_exact_mean(attacker, defender, ruleset):
    """Of bots that play each other, in either environment."""
    exact = value(attacker, defender, ruleset, "3x2")
    for role, bot, opponent in (
        ("Defender", defender, attacker), ("Attacker", attacker, defender)
    ):  # fmt: skip
        envs = gymnasium.make_vec(f"versus2048/{role}-v0", 200, "vector_entry_point", size="3x2",
                                  rules=ruleset, opponent=opponent)  # fmt: skip
        chosen = policy.baseline(bot, role.lower(), ruleset)
        sample = policy.score(chosen, envs, games=1000, seed=2)
        assert sample.games == 1000
        assert sample.mean == pytest.approx(exact, abs=2.5 * sample.margin)


def test_scores_of_many_environments_in_one():
    """Gymnasium's own vector of single environments gives the same games."""
    settings = {"size": "2x2", "opponent": "random", "flat": True}
    envs = gymnasium.make_vec("versus2048/Defender-v0", 5, "sync", **settings)
    first = policy.score(lambda _, masks: masks.argmax(axis=1), envs, games=50)
    assert first == policy.score(lambda _, masks: masks.argmax(axis=1), envs, games=50)
    assert 4 < first.mean < 68
    assert str(policy.Score(1234.56, 7.89, 10)) == "1,234.6 ± 7.9"
    with pytest.raises(IllegalMoveError, match="is illegal"):
        policy.score(lambda _, masks: masks.argmin(axis=1), envs)


def test_wrong_settings():
    with pytest.raises(
        ValueError, match="attacker 'mcts': want random, greedy, expectimax, perfec"
    ):
        optimum("defender", "mcts")
    with pytest.raises(ValueError, match="defender 'chance': want"):
        optimum("attacker", "chance")
    with pytest.raises(ValueError, match="rules 'free': want gpcc2015, gpcc2016, solo"):
        optimum(rules="free")
    with pytest.raises(ValueError, match="chance' places 4s: want rules gpcc2016 or solo"):
        optimum("defender", "chance", "gpcc2015")
    with pytest.raises(ValueError, match="size 4x3: want at most 9 cells"):
        optimum(size="4x3")
