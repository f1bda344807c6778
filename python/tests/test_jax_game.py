import re
import tomllib
from functools import partial
from itertools import product
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from pyarrow import parquet

from versus2048.jax.game import SLIDES, Game, take

ROOT = Path(__file__).parents[2]
GAMES = parquet.read_table(ROOT / "python/tests/data/games.parquet").to_pylist()
SIZES = [f"{width}x{height}" for width, height in product((2, 3, 4), repeat=2)]
CHUNK = 4096


def board(text):
    """Return the board of a text with tiles, such as 2,0/4,8."""
    tiles = np.array([[int(t) for t in row.split(",")] for row in text.split("/")])
    return np.where(tiles > 0, np.log2(np.maximum(tiles, 1)), 0).astype(np.int8)


def perft_table():
    """Read the numbers of docs/PROTOCOL.md, "Test your rules"; solo has those of gpcc2016."""
    page = (ROOT / "docs/PROTOCOL.md").read_text()
    table = page[page.index("### Test your rules") :]
    rows = re.findall(r"^\| `(gpcc\d+)` \| `(\S+) ([AD])` \| ([\d ]+) \|", table, re.M)
    assert len(rows) > 10
    solo = [("solo", *row[1:]) for row in rows if row[0] == "gpcc2016"]
    return [*rows, *solo]


@partial(jax.jit, static_argnums=0)
def slide_chunk(game, boards):
    return game.slide(boards)


def slides(boards):
    """Slide any number of boards, in chunks of one shape so that each size compiles once."""
    game = Game("solo", boards.shape[2], boards.shape[1])
    parts = []
    for i in range(0, len(boards), CHUNK):
        part = boards[i : i + CHUNK]
        full = np.zeros((CHUNK, *boards.shape[1:]), np.int8)
        full[: len(part)] = part
        parts.append([np.asarray(x)[: len(part)] for x in slide_chunk(game, full)])
    return [np.concatenate(x) for x in zip(*parts, strict=True)]


def placements(game, boards):
    """Return all boards after a placement."""
    which, cells = np.nonzero(boards.reshape(len(boards), -1) == 0)
    out = []
    for exponent in (1, 2) if game.fours else (1,):
        placed = boards[which].reshape(len(which), -1)
        placed[np.arange(len(which)), cells] = exponent
        out.append(placed.reshape(-1, game.height, game.width))
    return np.concatenate(out)


@pytest.mark.parametrize(("rules", "text", "side", "counts"), perft_table())
def test_perft(rules, text, side, counts):
    boards = board(text)[None]
    game = Game(rules, boards.shape[2], boards.shape[1])
    got = []
    for _ in counts.split():
        if side == "A":
            boards = placements(game, boards)
        elif len(boards):
            after, _, legal = slides(boards)
            boards = after[legal]
        got.append(len(boards))
        side = "D" if side == "A" else "A"
    assert got == list(map(int, counts.split()))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rules", ["gpcc2015", "gpcc2016", "solo"])
def test_recorded_games(rules, size):
    """Every ply of the arena's games leads to the next board, with the same points."""
    plies = [ply for ply in GAMES if (ply["rules"], ply["size"]) == (rules, size)]
    game = Game.of(rules, size)
    boards = np.stack([np.frombuffer(p["board"], np.int8) for p in plies])
    boards = boards.reshape(-1, game.height, game.width)
    after, gain, legal = slides(boards)
    assert len({p["game"] for p in plies}) == 2
    for i, ply in enumerate(plies):
        if ply["side"] == "defender":
            slide = SLIDES.index(ply["move"])
            assert legal[i, slide]
            assert gain[i, slide] == ply["gained"]
            reached = after[i, slide]
        else:
            x, y, *four = (int(n) for n in ply["move"].strip("()").split(","))
            cell = (y - 1) * game.width + x - 1
            assert boards[i].flat[cell] == 0
            reached = boards[i].copy()
            reached.flat[cell] = 2 if four else 1
        if i + 1 < len(plies) and plies[i + 1]["game"] == ply["game"]:
            assert (reached == boards[i + 1]).all()
            assert plies[i + 1]["score"] == ply["score"] + ply["gained"]
        else:
            assert not slides(reached[None])[2].any()
            assert ply["score"] + ply["gained"] == ply["final"]
            assert 1 << int(reached.max()) == ply["largest"]


@pytest.mark.parametrize(
    ("before", "after", "points"),
    [  # the table of docs/PROTOCOL.md, "Slides and merges"
        ("0,2,0,4", "2,4,0,0", 0),
        ("0,2,0,2", "4,0,0,0", 4),
        ("2,2,2,0", "4,2,0,0", 4),
        ("2,2,2,2", "4,4,0,0", 8),
        ("4,2,2,0", "4,4,0,0", 4),
        ("4,4,8,0", "8,8,0,0", 8),
        ("2,4,2,4", "2,4,2,4", 0),
        ("65536,65536,0,0", "65536,65536,0,0", 0),
        ("32768,32768,65536,0", "65536,65536,0,0", 65536),
    ],
)
def test_slide(before, after, points):
    start, end = board(f"{before}/0,0,0,0"), board(f"{after}/0,0,0,0")
    mirror, turn = np.fliplr, np.transpose
    for slide, change in (
        ("W", lambda b: b),
        ("E", mirror),
        ("N", turn),
        ("S", lambda b: np.flipud(turn(b))),
    ):
        d = SLIDES.index(slide)
        slid, gain, legal = slides(change(start)[None])
        assert (slid[0, d] == change(end)).all()
        assert gain[0, d] == points
        assert legal[0, d] == (before != after)


def random_boards(game, n, seed=1):
    return np.random.default_rng(seed).integers(0, 4, (n, game.height, game.width), np.int8)


@pytest.mark.parametrize("size", ["2x2", "3x2", "2x3", "4x3", "3x3"])
def test_symmetries_keep_the_rules(size):
    """Slides and cells of a symmetric board are the images of those of the board."""
    game = Game.of("solo", size)
    boards = random_boards(game, 200)
    images, slid = jax.tree.map(np.asarray, images_and_slides(game, boards))
    count = 8 if game.width == game.height else 4
    assert images.shape == (200, count, game.height, game.width)
    assert (images[:, 0] == boards).all()
    for i, (cells, turned) in enumerate(
        zip(game.symmetric_cells, game.symmetric_slides, strict=True)
    ):
        assert (images[:, i].reshape(200, -1)[:, cells] == boards.reshape(200, -1)).all()
        after = slid.after[:, i].reshape(200, 4, -1)[:, turned][:, :, cells]
        assert (after == slid.after[:, 0].reshape(200, 4, -1)).all()
        assert (slid.gain[:, i, turned] == slid.gain[:, 0]).all()
        assert (slid.legal[:, i, turned] == slid.legal[:, 0]).all()


@partial(jax.jit, static_argnums=0)
def images_and_slides(game, boards):
    images = game.symmetries(boards)
    return images, game.slide(images)


def test_symmetries_are_different():
    game = Game("solo", 3, 3)
    images = np.asarray(game.symmetries(jnp.asarray(np.arange(9).reshape(3, 3))))
    assert len({image.tobytes() for image in images}) == 8
    # The order of rules.Size.Symmetries in Go: bit 0 the diagonal, then bit 1 left and right, then
    # bit 2 top and bottom.
    assert images[1].tolist() == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]
    assert images[3].tolist() == [[6, 3, 0], [7, 4, 1], [8, 5, 2]]
    assert images[4].tolist() == [[6, 7, 8], [3, 4, 5], [0, 1, 2]]


def test_chance():
    game = Game("solo", 2, 2)
    boards = jnp.broadcast_to(jnp.asarray(board("4,0/0,0")), (30_000, 2, 2))
    placed = np.asarray(game.spawn(jax.random.key(1), boards)).reshape(-1, 4)
    assert (placed[:, 0] == 2).all()
    new = placed[:, 1:]
    assert ((new > 0).sum(1) == 1).all()
    assert np.allclose((new > 0).mean(0), 1 / 3, atol=0.02)
    assert abs((new == 2).sum() / len(new) - 0.1) < 0.01


def test_chance_leaves_full_boards():
    full = jnp.asarray(board("2,4/8,16"))
    assert (Game("solo", 2, 2).spawn(jax.random.key(1), full) == full).all()


def test_start_has_one_tile():
    boards = np.asarray(Game("solo", 3, 2).start(jax.random.key(1), (5, 7)))
    assert boards.shape == (5, 7, 2, 3)
    assert ((boards > 0).sum((2, 3)) == 1).all()


def test_place_and_empty_cells():
    game = Game("gpcc2016", 3, 2)
    boards = jnp.asarray(np.stack([board("2,0,0/0,0,4"), board("0,0,0/0,0,0")]))
    placed = game.place(boards, jnp.array([1, 5]), jnp.array([2, 1]))
    assert (np.asarray(placed[0]) == board("2,4,0/0,0,4")).all()
    assert (np.asarray(placed[1]) == board("0,0,0/0,0,2")).all()
    one = game.place(boards[0], 3, 1)
    assert (np.asarray(one) == board("2,0,0/2,0,4")).all()
    assert game.empty_cells(boards)[0].tolist() == [False, True, True, True, True, False]


@pytest.mark.parametrize(
    ("rules", "size", "planes"),
    [("gpcc2015", "2x2", 5), ("gpcc2016", "2x2", 6), ("solo", "3x2", 8), ("solo", "4x4", 17)],
)
def test_planes_that_tell_all_boards_apart(rules, size, planes):
    assert Game.of(rules, size).distinct_planes == planes


def test_planes():
    game = Game("gpcc2015", 2, 2)
    planes = np.asarray(game.planes(jnp.asarray(board("4,0/1024,16")), 5))
    assert planes.shape == (2, 2, 5)
    assert planes.argmax(-1).tolist() == [[2, 0], [4, 4]]
    assert (planes.sum(-1) == 1).all()
    boards = jnp.zeros((3, 2, 2), jnp.int8)
    sided = game.planes(boards, 5, jnp.array([True, False, True]))
    assert sided.shape == (3, 2, 2, 6)
    assert np.asarray(sided[..., 5]).mean((1, 2)).tolist() == [1, 0, 1]


def test_play_follows_the_player():
    """On 2x2 the expected score of uniformly drawn slides, by value iteration on all boards."""
    game = Game("solo", 2, 2)

    def draw(key, boards, options):
        return jnp.argmax(
            jnp.where(options.legal, jax.random.uniform(key, (len(boards), 4)), -1), 1
        )

    played = jax.jit(lambda key: game.play(key, draw, 20_000))(jax.random.key(3))
    scores = np.asarray(played.score)
    error = scores.std() / len(scores) ** 0.5
    assert abs(scores.mean() - expected_score(game)) < 4 * error
    assert (np.asarray(played.largest) >= 2).all()
    assert (np.asarray(played.slides) > 0).all()


def expected_score(game):
    """Return the expected score of uniformly drawn slides from the start, by recursion."""
    known = {}

    def before_slide(b):
        if b.tobytes() not in known:
            after, gain, legal = (np.asarray(x) for x in slide_one(game, b))
            values = [gain[d] + after_slide(after[d]) for d in np.flatnonzero(legal)]
            known[b.tobytes()] = np.mean(values) if values else 0.0
        return known[b.tobytes()]

    def after_slide(b):
        boards = placements(game, b[None])
        half = len(boards) // 2
        twos, fours = boards[:half], boards[half:]
        pairs = zip(twos, fours, strict=True)
        return np.mean([0.9 * before_slide(t) + 0.1 * before_slide(f) for t, f in pairs])

    return after_slide(np.asarray(game.empty()))


@partial(jax.jit, static_argnums=0)
def slide_one(game, b):
    return game.slide(b)


def test_take():
    options = jnp.arange(24).reshape(2, 4, 3)
    assert take(options, jnp.array([1, 3])).tolist() == [[3, 4, 5], [21, 22, 23]]
    assert take(options[..., 0], jnp.array([1, 3])).tolist() == [3, 21]


def test_optima_are_those_of_the_claims():
    """The ledger of claims has what `lab solve` found from the empty board."""
    found = 0
    for claim in (ROOT / "lab/claims/ledger").glob("*.toml"):
        match = re.fullmatch(r"(\dx\d)-(?:(gpcc\d+)-value|(solo)-empty)", claim.stem)
        if match and (known := Game.of(match[2] or match[3], match[1]).optimum) is not None:
            assert known == round(tomllib.loads(claim.read_text())["figure"]["value"], 4)
            found += 1
    assert found == 12
    assert Game.of("solo", "2x3").optimum == Game.of("solo", "3x2").optimum
    assert Game.of("solo", "4x4").optimum is None


@pytest.mark.parametrize(
    ("rules", "size", "message"),
    [
        ("chess", "3x3", "rules 'chess': want gpcc2015, gpcc2016, solo"),
        ("solo", "5x3", "size 5x3: want 2x2 to 4x4"),
        ("solo", "3", "size '3': want WIDTHxHEIGHT"),
    ],
)
def test_wrong_games(rules, size, message):
    with pytest.raises(ValueError, match=message):
        Game.of(rules, size)
