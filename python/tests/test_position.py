import pytest

from versus2048 import IllegalMoveError, Position
from versus2048.position import action_of, move_of, parse_size


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 3), (4, 4)])
def test_actions_and_moves(size):
    for side, actions in (("defender", 4), ("attacker", 2 * size[0] * size[1])):
        moves = [move_of(action, side, size) for action in range(actions)]
        assert len(set(moves)) == actions
        assert [action_of(move, size) for move in moves] == list(range(actions))


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 3), (4, 4)])
def test_other_actions(size):
    for side, actions in (("defender", 4), ("attacker", 2 * size[0] * size[1])):
        for action in (-1, actions):
            with pytest.raises(IllegalMoveError, match=f"want 0 to {actions - 1}"):
                move_of(action, side, size)


def test_notation():
    position = Position.parse("2,0,0/0,0,4 A 0 3", "gpcc2016")
    assert position.size_text == "3x2"
    assert position.play("(3,1,4)").board == ((2, 0, 4), (0, 0, 4))
    assert position.play("(3,1)").play("S").board == ((0, 0, 2), (2, 0, 4))
    assert position.play("(3,1,4)").play("N") == Position(
        ((2, 0, 8), (0, 0, 0)), "attacker", "gpcc2016", 8, 5
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2,0,0,2/0,4,4,0/0,2,2,2/8,8,4,4 D 48 41", "2,0,0,2/0,4,4,0/0,2,2,2/8,8,4,4 D 48 41"),
        ("0,0/0,0 A", "0,0/0,0 A 0 0"),
        ("16,4/0,2 D", "16,4/0,2 D 52 0"),
    ],
)
def test_text(text, written):
    assert str(Position.parse(text)) == written


@pytest.mark.parametrize(
    "text",
    ["", "2,0/0,2", "2,0/0,2 X", "2,0/0 A", "2/0 A", "3,0/0,0 A", "131072,0/0,0 A", "a,0/0,0 A",
     "2,4/8,16 A", "2,0/0,0 A x", "2,0/0,0 A -4", "2,0/0,0 A 0 -1", "1_6,0/0,0 A", "2,,0/0,0 A",
     "\u0662,0/0,0 A", "2,0/0,0 A 0 1 2"],
)  # fmt: skip
def test_bad_text(text):
    with pytest.raises(ValueError, match=f"^position '{text}': "):
        Position.parse(text)


@pytest.mark.parametrize(
    ("text", "rules", "why"),
    [
        ("2,4/8,0 A 19 9", "gpcc2015", "score 19: want 20, the score of these tiles"),
        ("2,4/8,0 A 16 9", "gpcc2015", "score 16: want 20, the score of these tiles"),
        ("2,4/8,0 A 4 9", "gpcc2016", "score 4: want 8 to 20 in steps of 4"),
        ("2,4/8,0 A 24 9", "solo", "score 24: want 8 to 20 in steps of 4"),
        ("2,4/8,0 A 10 9", "solo", "score 10: want 8 to 20 in steps of 4"),
        ("2,4/8,0 A 20 1048577", "gpcc2015", "ply 1048577: want 0 to 1048576"),
    ],
)
def test_impossible_numbers(text, rules, why):
    """What rules.ParsePosition of the arena refuses."""
    with pytest.raises(ValueError, match=f"^position '{text}': {why}"):
        Position.parse(text, rules)


@pytest.mark.parametrize("score", [8, 12, 16, 20])
def test_scores_with_4s(score):
    assert Position.parse(f"2,4/8,0 A {score} 1048576", "gpcc2016").score == score


def test_unknown_rules():
    for make in (lambda: Position.empty(rules="gpcc"), lambda: Position.parse("0,0/0,0 A", "gpcc")):
        with pytest.raises(ValueError, match="rules 'gpcc': want gpcc2015, gpcc2016, solo"):
            make()


@pytest.mark.parametrize(
    ("text", "move", "why"),
    [
        ("2,0/0,0 A", "(1,1)", "not empty"),
        ("2,0/0,0 A", "(2,1,4)", "2s only"),
        ("2,0/0,0 A", "(3,1)", "outside"),
        ("2,0/0,0 A", "N", "the attacker is to move"),
        ("2,0/0,0 D", "(2,1)", "the defender is to move"),
        ("2,0/0,0 D", "W", "changes nothing"),
        ("2,0/0,0 D", "n", "want N, S, W, E"),
        ("2,0/0,0 D", "", "want N, S, W, E"),
        ("2,0/0,0 D", None, "move None: want N, S, W, E"),
        ("2,0/0,0 A", "(1, 2)", "want N, S, W, E"),
    ],
)
def test_illegal_moves(text, move, why):
    with pytest.raises(IllegalMoveError, match=why):
        Position.parse(text).play(move)


def test_over():
    assert Position.parse("2,4/4,2 D").over
    assert not Position.parse("2,4/4,0 A").over
    assert not Position.parse("2,2/4,2 D").over
    assert Position.parse("65536,65536/2,4 D").over


@pytest.mark.parametrize("text", ["1x2", "4x5", "4", "4X4", "04x4"])
def test_bad_size(text):
    with pytest.raises(ValueError, match="size"):
        parse_size(text)
