import jax
import jax.numpy as jnp
import numpy as np
import pytest
from versus2048.jax.game import Game

from training.methods.alphazero import window
from training.methods.alphazero.position import Position, actions, legal, play, symmetric_actions
from training.methods.alphazero.window import Row

GAME = Game.of("gpcc2016", "3x2")
SQUARE = Game.of("gpcc2016", "2x2")


def rows(further, gain, ended=(), explored=()) -> Row:
    """Return rows of one game; ended and explored are the plies where that is so."""
    k = len(gain)
    at = np.arange(k)
    position = Position(
        jnp.zeros((k, 1, 2, 3), jnp.int8), jnp.ones((k, 1), bool), jnp.zeros((k, 1), jnp.int32)
    )
    return Row(
        position=position,
        policy=jnp.zeros((k, 1, actions(GAME)), jnp.float16),
        further=jnp.asarray(further, jnp.float32)[:, None],
        gain=jnp.asarray(gain, jnp.int32)[:, None],
        ended=jnp.asarray(np.isin(at, ended))[:, None],
        explored=jnp.asarray(np.isin(at, explored))[:, None],
    )


@pytest.mark.parametrize(
    ("trace", "cut", "ended", "explored", "want"),
    [
        # What was scored up to the end, and then a new game that goes on: its newest row knows Q.
        (1.0, True, [2], [], [20, 20, 16, 12, 5]),
        (1.0, False, [2], [1], [20, 20, 16, 12, 5]),
        # Only Q of the next position.
        (0.0, True, [2], [], [9, 34, 16, 12, 5]),
        (0.5, True, [2], [], [(9 + 27) / 2, 27, 16, 12, 5]),
        # Behind ply 1 nothing is known of perfect play.
        (1.0, True, [2], [1], [9, 9, 16, 12, 5]),
        (1.0, True, [2], [2], [34, 34, 30, 12, 5]),
        # The newest row's game has ended.
        (1.0, True, [4], [], [20 + 0 + 8, 28, 24, 8, 1]),
    ],
)
def test_targets(trace, cut, ended, explored, want):
    row = rows([7, 9, 30, 11, 5], [0, 4, 16, 7, 1], ended, explored)
    assert window.targets(row, trace, cut)[:, 0].tolist() == want


def test_the_oldest_rows_go():
    known = window.empty(GAME, 4, 1)
    known = window.add(known, rows([1, 2], [0, 0]), 1.0, True)
    assert known.filled == 2 and known.row.further[:, 0].tolist() == [0, 0, 1, 2]
    known = window.add(known, rows([3, 4], [0, 0]), 1.0, True)
    known = window.add(known, rows([5, 6], [0, 0]), 1.0, True)
    assert known.filled == 4 and known.row.further[:, 0].tolist() == [3, 4, 5, 6]


def test_a_game_that_ends_later_tells_of_earlier_rows():
    known = window.add(window.empty(GAME, 4, 1), rows([30, 30], [4, 0]), 1.0, True)
    assert known.target[2:, 0].tolist() == [34, 30]
    known = window.add(known, rows([9, 9], [8, 0], ended=[1]), 1.0, True)
    assert known.target[:, 0].tolist() == [12, 8, 8, 0]


def test_only_filled_rows_are_drawn():
    known = window.add(window.empty(GAME, 8, 1), rows([3, 4], [0, 0]), 0.0, True)
    sample = window.draw(GAME, known, jax.random.key(1), 200)
    assert set(sample.target.tolist()) == {4.0}


@pytest.mark.parametrize("game", [GAME, SQUARE], ids=lambda game: game.size)
def test_symmetric_moves_lead_to_symmetric_boards(game):
    board = jnp.arange(game.cells, dtype=jnp.int8).reshape(1, game.height, game.width) // 2
    for attacker in (False, True):
        position = Position(board, jnp.array([attacker]), jnp.array([0]))
        for action in np.flatnonzero(legal(game, position)[0]):
            after, _ = play(game, position, jnp.array([action]))
            for i, image in enumerate(game.symmetries(board)[0]):
                moved = symmetric_actions(game)[i, action]
                turned = position._replace(board=image[None])
                reached, _ = play(game, turned, jnp.array([moved]))
                assert (reached.board == game.symmetries(after.board)[:, i]).all()
                assert (reached.points == after.points).all()


def test_policies_turn_with_their_boards():
    board = jnp.array([[[1, 2, 0], [0, 3, 0]]], jnp.int8)
    position = Position(board, jnp.array([True]), jnp.array([0]))
    policy = jnp.zeros((1, 1, actions(GAME)), jnp.float16).at[..., 4 + 2 * 2].set(1)  # 2 at 3,1
    new = rows([0.0], [0])._replace(
        position=jax.tree.map(lambda x: x[None], position), policy=policy
    )
    known = window.add(window.empty(GAME, 1, 1), new, 1.0, True)
    sample = window.draw(GAME, known, jax.random.key(2), 64)
    seen = set()
    for turned, shares in zip(sample.position.board, sample.policy, strict=True):
        cell = (int(jnp.argmax(shares)) - 4) // 2
        corner = [0, 2, 3, 5].index(cell)
        first = int(turned.reshape(-1)[[2, 0, 5, 3][corner]])
        assert int(turned.reshape(-1)[cell]) == 0 and first == 1  # the 2 is at the row's other end
        seen.add(cell)
    assert seen == {0, 2, 3, 5}
