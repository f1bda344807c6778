from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from versus2048.jax.game import Game

from training.methods.alphazero.exact import Solution, solve
from training.methods.alphazero.position import (
    Position,
    actions,
    legal,
    most_points,
    play,
    start,
)
from training.methods.alphazero.search import Found, Settings, search

GAMES = [Game.of(rules, "2x2") for rules in ("gpcc2015", "gpcc2016")]


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: game.rules)
def solution(request) -> Solution:
    return solve(request.param)


def exact(solution: Solution):
    """Return an evaluation with equal priors and exact values."""

    def evaluate(position: Position) -> tuple[jax.Array, jax.Array]:
        n = len(position.points)
        further = solution.further(position).astype(jnp.float32)
        return jnp.zeros((n, actions(solution.game))), further

    return evaluate


def ignorant(solution: Solution):
    """Return an evaluation that knows nothing at all."""

    def evaluate(position: Position) -> tuple[jax.Array, jax.Array]:
        n = len(position.points)
        return jnp.zeros((n, actions(solution.game))), jnp.zeros(n)

    return evaluate


@cache
def compiled(game: Game, evaluate, settings: Settings):
    """Return a search that is compiled once for all tests."""

    @jax.jit
    def searched(solution: Solution, key: jax.Array, roots: Position) -> Found:
        return search(game, evaluate(solution), settings, key, roots)

    return searched


def run(solution: Solution, evaluate, settings: Settings, roots: Position, seed: int = 0) -> Found:
    return compiled(solution.game, evaluate, settings)(solution, jax.random.key(seed), roots)


def loss(solution: Solution, roots: Position, found: Found) -> np.ndarray:
    """Return what the most visited moves lose, in points."""
    worth, _ = solution.moves(roots)
    chosen = jnp.take_along_axis(worth, found.visits.argmax(-1)[:, None], -1)[:, 0]
    return np.abs(np.asarray(chosen - solution.further(roots)))


def test_exact_values_make_it_play_well(solution):
    # Not perfectly: Q is a mean over all that was tried below a move, bad moves among it.
    roots = solution.deciding
    found = run(solution, exact, Settings(simulations=100), roots)
    lost = loss(solution, roots, found)
    assert (lost == 0).mean() > 0.95 and lost.max() <= 4
    assert (found.visits.sum(-1) == 100).all()


def test_many_simulations_find_out_by_themselves(solution):
    roots = jax.tree.map(lambda x: x[::16], solution.deciding)
    few = run(solution, ignorant, Settings(simulations=4), roots)
    many = run(solution, ignorant, Settings(simulations=400), roots)
    assert loss(solution, roots, many).mean() < 0.2 * loss(solution, roots, few).mean()


def test_noise_comes_from_the_key_and_visits_legal_moves_only(solution):
    roots = solution.deciding
    noisy = Settings(simulations=8, noise=0.5)
    first, again, other = (run(solution, ignorant, noisy, roots, seed) for seed in (1, 1, 2))
    assert (first.visits == again.visits).all()
    assert (first.visits != other.visits).any()
    assert not np.asarray(first.visits)[~np.asarray(legal(solution.game, roots))].any()


def test_a_mate_counts_as_what_was_scored():
    # The attacker's 2 in the last cell mates; its 4 next to a 4 does not, and gives 8 points.
    game = Game.of("gpcc2016", "2x2")
    board = jnp.array([[[3, 2], [2, 0]]], jnp.int8)
    roots = Position(board, jnp.array([True]), jnp.array([40]))
    found = run(solve(game), ignorant, Settings(simulations=32, transform="none"), roots)
    two = 4 + 2 * 3
    assert int(found.visits[0].argmax()) == two
    assert float(found.value[0]) == pytest.approx(40, abs=8)


@pytest.mark.parametrize("further", [0.0, 100.3])
@pytest.mark.parametrize("attacker", [True, False])
def test_equal_values_make_no_move_better(further, attacker):
    """Neither side prefers what it has tried, though means of equal values differ by rounding."""
    game = Game.of("gpcc2015", "3x3")
    board = jnp.zeros((1, 3, 3), jnp.int8).at[0, 1, 1].set(0 if attacker else 1)
    roots = Position(board, jnp.array([attacker]), jnp.array([7]))
    moves = int(legal(game, roots).sum())

    def evaluate(position: Position) -> tuple[jax.Array, jax.Array]:
        n = len(position.points)
        return jnp.zeros((n, actions(game))), 7 + further - position.points

    settings = Settings(simulations=4 * moves)
    found = jax.jit(lambda roots: search(game, evaluate, settings, jax.random.key(1), roots))(roots)
    assert np.asarray(found.visits)[np.asarray(legal(game, roots))].tolist() == [4] * moves


def test_moves_keep_to_the_rules():
    game = Game.of("gpcc2015", "3x2")
    position = start(game, 1)
    assert np.flatnonzero(legal(game, position)[0]).tolist() == [4, 6, 8, 10, 12, 14]
    position, moves = play(game, position, jnp.array([4]))
    assert np.asarray(position.board).tolist() == [[[1, 0, 0], [0, 0, 0]]]
    assert np.flatnonzero(moves[0]).tolist() == [1, 3]  # S and E
    position, _ = play(game, position, jnp.array([3]))
    position, _ = play(game, position, jnp.array([4 + 2 * 1]))
    position, moves = play(game, position, jnp.array([3]))
    assert np.asarray(position.board).tolist() == [[[0, 0, 2], [0, 0, 0]]]
    assert position.points.tolist() == [4] and position.attacker.tolist() == [True]
    assert np.flatnonzero(moves[0]).tolist() == [4, 6, 10, 12, 14]


@pytest.mark.parametrize(
    ("rules", "size", "optimum"),
    [("gpcc2015", "2x2", 68), ("gpcc2016", "2x2", 8), ("gpcc2016", "3x2", 40)],
)
def test_solved_as_by_the_arena(rules, size, optimum):
    game = Game.of(rules, size)
    assert solve(game).further(start(game, 1)).tolist() == [optimum]


@pytest.mark.parametrize(
    ("rules", "most"),
    [("gpcc2015", [68, 516, 3076, 7172]), ("gpcc2016", [180, 1260, 7140, 16352])],
)
def test_the_most_that_a_board_can_hold(rules, most):
    sizes = ["2x2", "3x2", "4x2", "3x3"]
    assert [most_points(Game.of(rules, size)) for size in sizes] == most
