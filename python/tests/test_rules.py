import re
from pathlib import Path

import numpy as np
import pytest

from conftest import DATA, EXPORTS
from versus2048 import Position, load_games, rules
from versus2048.position import DIRECTIONS, move_of

PERFT = [
    tuple(field.strip() for field in line.split("|"))
    for line in (DATA / "perft.txt").read_text().splitlines()
    if not line.startswith("#")
]
SIZES = [f"{columns}x{rows}" for columns in (2, 3, 4) for rows in (2, 3, 4)]


def batch(position):
    """Return a batch of one board."""
    return rules.from_tiles([position.board])


def random_positions(size, n, seed=1, largest=17):
    """Return positions with random tiles up to 2^16, the defender to move."""
    columns, rows = Position.empty(size).size
    exponents = np.random.default_rng(seed).integers(0, largest, (n, rows, columns), np.uint8)
    tiles = rules.to_tiles(exponents).tolist()
    return [Position(tuple(map(tuple, t)), "defender", "gpcc2016") for t in tiles], exponents


def test_perft_is_that_of_the_protocol():
    page = (Path(__file__).parents[2] / "docs/PROTOCOL.md").read_text()
    table = page[page.index("### Test your rules") :]
    rows = re.findall(r"^\| `(gpcc\d+)` \| `([^`]+)` \| ([\d ]+) \|", table, re.M)
    assert rows == PERFT


@pytest.mark.parametrize(("ruleset", "text", "counts"), PERFT)
def test_perft(ruleset, text, counts):
    position = Position.parse(text, ruleset)
    want = [int(n) for n in counts.split()]
    assert rules.perft(batch(position), position.side, ruleset, len(want)) == want
    if ruleset == "gpcc2016":  # chance may make the same placements
        assert rules.perft(batch(position), position.side, "solo", len(want)) == want
    if sum(want) < 20_000:
        assert [sequences(position, n) for n in range(1, len(want) + 1)] == want


def sequences(position, plies):
    """Count sequences with the other implementation of the rules."""
    if plies == 1:
        return len(position.moves())
    return sum(sequences(position.play(move), plies - 1) for move in position.moves())


@pytest.mark.parametrize(
    ("before", "after", "score"),
    [  # the table of docs/PROTOCOL.md, "Slides and merges"
        ("0 2 0 4", "2 4 0 0", 0),
        ("0 2 0 2", "4 0 0 0", 4),
        ("2 2 2 0", "4 2 0 0", 4),
        ("2 2 2 2", "4 4 0 0", 8),
        ("4 2 2 0", "4 4 0 0", 4),
        ("4 4 8 0", "8 8 0 0", 8),
        ("2 4 2 4", "2 4 2 4", 0),
        ("65536 65536 0 0", "65536 65536 0 0", 0),
        ("32768 32768 65536 0", "65536 65536 0 0", 65536),
    ],
)
def test_slide(before, after, score):
    tiles = [[int(t) for t in before.split()], [0] * 4]
    slid, points = rules.slide(rules.from_tiles([tiles]), DIRECTIONS.index("W"))
    assert rules.to_tiles(slid)[0, 0].tolist() == [int(t) for t in after.split()]
    assert points.tolist() == [score]
    mirrored, points = rules.slide(rules.from_tiles([[r[::-1] for r in tiles]]), 3)
    assert (mirrored[:, :, ::-1] == slid).all()
    assert points.tolist() == [score]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("largest", [3, 17])
def test_slides_agree_with_positions(size, largest):
    positions, boards = random_positions(size, 300, largest=largest)
    after, points, legal = rules.slides(boards)
    assert (rules.legal(boards, "defender") == legal.T).all()
    assert rules.over(boards).tolist() == [p.over for p in positions]
    for i, position in enumerate(positions):
        for k, direction in enumerate(DIRECTIONS):
            slid = position.slid(direction)
            assert legal[k, i] == (slid is not None)
            if slid is not None:
                assert (batch(slid)[0] == after[k, i]).all()
                assert slid.score == points[k, i]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ruleset", ["gpcc2015", "gpcc2016", "solo"])
def test_placements_agree_with_positions(size, ruleset):
    positions, boards = random_positions(size, 50)
    legal = rules.legal(boards, "attacker", ruleset)
    for position, board, allowed in zip(positions, boards, legal, strict=True):
        position = Position(position.board, "attacker", ruleset)
        actions = np.flatnonzero(allowed)
        assert [move_of(a, "attacker", position.size) for a in actions] == position.moves()
        placed = rules.place_each(np.repeat(board[None], len(actions), 0), actions, ruleset)
        for move, after in zip(position.moves(), placed, strict=True):
            assert (batch(position.play(move))[0] == after).all()


@pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.stem)
def test_recorded_games(path):
    """Every ply of an export leads to the next board, with the points that it gained."""
    for game in load_games(path):
        before, after, actions, placed = (
            game.boards[:-1],
            game.boards[1:],
            game.actions,
            game.attacks,
        )
        slid, gained = rules.slide_each(before[~placed], actions[~placed])
        assert (slid == after[~placed]).all()
        assert (gained == np.diff(game.scores)[~placed]).all()
        tiles = rules.place_each(before[placed], actions[placed], game.row["rules"])
        assert (tiles == after[placed]).all()
        assert rules.over(game.boards[-1:]).all()
        assert rules.to_tiles(game.boards[-1:]).max() == game.row["largest_tile"]


def test_illegal_actions():
    board = rules.from_tiles([[[2, 0], [4, 8]]])
    with pytest.raises(ValueError, match="board 0: the slide is illegal"):
        rules.slide_each(board, np.array([DIRECTIONS.index("W")]))
    with pytest.raises(ValueError, match="not empty"):
        rules.place_each(board, np.array([0]))
    with pytest.raises(ValueError, match="want 0 to 3"):
        rules.place_each(board, np.array([5]))
    with pytest.raises(ValueError, match="powers of two"):
        rules.from_tiles([3])
    assert rules.place_each(board, np.array([5]), "gpcc2016").tolist() == [[[1, 2], [2, 3]]]


def test_chance():
    board = rules.from_tiles([[[2, 0], [0, 0]]])
    placed = rules.chance(np.repeat(board, 30_000, 0), np.random.default_rng(1)).reshape(-1, 4)
    assert (placed[:, 0] == 1).all()
    new = placed[:, 1:]
    assert ((new > 0).sum(axis=1) == 1).all()
    assert np.allclose((new > 0).mean(axis=0), 1 / 3, atol=0.02)
    assert abs((new == 2).sum() / len(new) - 0.1) < 0.01


def test_draw_takes_legal_actions_only():
    flags = np.array([[True, False, True], [False, True, False]] * 500)
    drawn = rules.draw(flags, np.random.default_rng(1))
    assert flags[np.arange(len(flags)), drawn].all()
    assert set(drawn[::2].tolist()) == {0, 2}


def test_planes():
    planes = rules.planes(rules.from_tiles([[[2, 0], [65536, 4]]]))
    assert planes.shape == (1, 17, 2, 2)
    assert (planes.sum(axis=1) == 1).all()
    assert [tuple(at) for at in np.argwhere(planes[0])] == [
        (0, 0, 1),
        (1, 0, 0),
        (2, 1, 1),
        (16, 1, 0),
    ]
