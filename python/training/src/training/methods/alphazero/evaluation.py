"""Tests of a network: games against other players, and its moves against exact values."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import Array
from versus2048.jax.game import Game

from training.methods.alphazero.exact import Solution
from training.methods.alphazero.position import Position, legal, play, start
from training.methods.alphazero.search import Evaluate, Settings, search

Player = Callable[[Array, Position], Array]
"""Chooses legal moves (n,) in positions, from a key. Positions without moves may be among them."""


def searching(game: Game, evaluate: Evaluate, settings: Settings) -> Player:
    """Return the player of the most visited moves."""

    def choose(key: Array, position: Position) -> Array:
        return jnp.argmax(search(game, evaluate, settings, key, position).visits, -1)

    return choose


def intuitive(game: Game, evaluate: Evaluate) -> Player:
    """Return the player of the moves with the largest prior, without a search."""

    def choose(key: Array, position: Position) -> Array:
        logits, _ = evaluate(position)
        return jnp.argmax(jnp.where(legal(game, position), logits, -jnp.inf), -1)

    return choose


def perfect(solution: Solution) -> Player:
    """Return a perfect player, which draws among equally good moves."""

    def choose(key: Array, position: Position) -> Array:
        worth, allowed = solution.moves(position)
        sign = jnp.where(position.attacker, -1, 1)[:, None]
        draw = jax.random.uniform(key, worth.shape, maxval=0.5)
        return jnp.argmax(jnp.where(allowed, sign * worth + draw, -jnp.inf), -1)

    return choose


def random(game: Game) -> Player:
    """Return the player of random moves."""

    def choose(key: Array, position: Position) -> Array:
        return jax.random.categorical(key, jnp.where(legal(game, position), 0.0, -jnp.inf))

    return choose


def openings(game: Game, key: Array, n: int, plies: int) -> Position:
    """Return positions after 0 to plies random plies, in turn: the first is the empty board."""
    length = jnp.arange(n) % (plies + 1)

    def ply(i: Array, position: Position) -> Position:
        moves = legal(game, position)
        action = random(game)(jax.random.fold_in(key, i), position)
        after, _ = play(game, position, action)
        on = (i < length) & moves.any(-1)
        return _keep(on, after, position)

    opened: Position = jax.lax.fori_loop(0, plies, ply, start(game, n))
    return opened._replace(points=jnp.zeros(n, jnp.int32))


def matches(
    game: Game, player: Player, opponent: Player, begin: Position, key: Array
) -> tuple[Array, Array]:
    """Play each opening twice to the end, with the roles swapped.

    Returns the points from the opening on, int32 (n,): the player's and the opponent's.
    """
    n = len(begin.points)
    both: Position = jax.tree.map(lambda x: jnp.concatenate([x, x]), begin)
    attacks = jnp.arange(2 * n) >= n

    def going(state: tuple[Position, Array, Array]) -> Array:
        return jnp.any(state[2])

    def ply(state: tuple[Position, Array, Array]) -> tuple[Position, Array, Array]:
        position, key, _ = state
        key, first, second = jax.random.split(key, 3)
        mine = position.attacker == attacks
        action = jnp.where(mine, player(first, position), opponent(second, position))
        on = legal(game, position).any(-1)
        after, _ = play(game, position, action)
        return _keep(on, after, position), key, on

    begun = (both, key, jnp.ones(2 * n, bool))
    points = jax.lax.while_loop(going, ply, begun)[0].points - both.points
    return points[:n], points[n:]


def losses(solution: Solution, player: Player, positions: Position, key: Array) -> Array:
    """Return the losses by a player's moves in positions, in points, int32 (n,)."""
    worth, _ = solution.moves(positions)
    chosen = jnp.take_along_axis(worth, player(key, positions)[:, None], -1)[:, 0]
    return jnp.abs(chosen - solution.further(positions))


def _keep(on: Array, after: Position, before: Position) -> Position:
    """Return after where on (n,), else before."""
    return Position(
        jnp.where(on[:, None, None], after.board, before.board),
        jnp.where(on, after.attacker, before.attacker),
        jnp.where(on, after.points, before.points),
    )
