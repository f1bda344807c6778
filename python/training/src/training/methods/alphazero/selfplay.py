"""Self-play: many games in lockstep, each move by a search.

So that all of the game is seen, a game begins with up to ``opening`` random plies, from the empty
board or, in a share of ``restart``, from a position of an earlier game. After them moves are drawn
by N^(1/temperature) for ``temperature_plies``; then the move with the most visits is played. With
noise at the root that still varies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from versus2048.jax.game import Game

from training.methods.alphazero.position import Position, legal, play, start
from training.methods.alphazero.search import Evaluate, Settings, search
from training.methods.alphazero.window import Row
from training.value import inverse


@dataclass(frozen=True)
class Opening:
    """How games begin, and how their moves are drawn."""

    random: int = 8
    """Random plies at the beginning, at most; each number is equally likely."""
    restart: float = 0.25
    """The share of games that begin in a position of an earlier game, 0 to 1."""
    temperature: float = 1.0
    """More than 0: moves are drawn by N^(1/temperature)."""
    temperature_plies: int = 8
    """For so many plies after the random ones."""


class Games(NamedTuple):
    """Games that are being played, arrays (n, ...)."""

    position: Position
    random: Array
    """How many random plies are left; negative: minus the plies since then. int32."""
    finished: Array
    """How many games have ended, int32 of shape ()."""
    scores: Array
    """The sum of their scores, int32 of shape ()."""


def begin(game: Game, opening: Opening, key: Array, n: int) -> Games:
    """Return n games that begin on empty boards."""
    finished, scores = jnp.zeros((), jnp.int32), jnp.zeros((), jnp.int32)
    return Games(start(game, n), _random_plies(opening, key, n), finished, scores)


def play_ply(
    game: Game,
    evaluate: Evaluate,
    settings: Settings,
    opening: Opening,
    earlier: Position,
    games: Games,
    key: Array,
) -> tuple[Games, Row]:
    """Search and play a move in each game; return the next positions and the row to learn from.

    A game that ends is followed by a new one, which may begin in its place of earlier, positions
    with legal moves (n, ...).
    """
    searching, moving, following = jax.random.split(key, 3)
    position = games.position
    found = search(game, evaluate, settings, searching, position)
    best = jnp.argmax(found.visits, -1)
    action = _draw(game, opening, games, found.visits, moving)
    after, moves = play(game, position, action)
    ended = ~moves.any(-1)
    row = Row(
        position=position,
        policy=(found.visits / found.visits.sum(-1, keepdims=True)).astype(jnp.float16),
        further=jnp.maximum(inverse(settings.transform, found.value) - position.points, 0.0),
        gain=after.points - position.points,
        ended=ended,
        explored=action != best,
    )
    games = Games(
        after,
        games.random - 1,
        games.finished + ended.sum(),
        games.scores + jnp.where(ended, after.points, 0).sum(),
    )
    return _renewed(game, opening, games, ended, earlier, following), row


def _draw(game: Game, opening: Opening, games: Games, visits: Array, key: Array) -> Array:
    """Return the moves to play, shape (n,)."""
    choose, anything = jax.random.split(key)
    logits = jnp.log(visits.astype(jnp.float32)) / opening.temperature
    allowed = jnp.where(legal(game, games.position), 0.0, -jnp.inf)
    drawn = jax.random.categorical(choose, logits)
    random = jax.random.categorical(anything, allowed)
    warm = games.random > -opening.temperature_plies
    action = jnp.where(warm, drawn, jnp.argmax(visits, -1))
    return jnp.where(games.random > 0, random, action)


def _renewed(
    game: Game, opening: Opening, games: Games, ended: Array, earlier: Position, key: Array
) -> Games:
    """Begin new games in place of the ended ones."""
    n = len(ended)
    again, length = jax.random.split(key)
    restarted = jax.random.uniform(again, (n,)) < opening.restart
    position = _where(restarted, earlier, start(game, n))
    random = jnp.where(ended, _random_plies(opening, length, n), games.random)
    return games._replace(position=_where(ended, position, games.position), random=random)


def _random_plies(opening: Opening, key: Array, n: int) -> Array:
    """Draw how many random plies n games begin with."""
    return jax.random.randint(key, (n,), 0, opening.random + 1)


def _where(condition: Array, yes: Position, no: Position) -> Position:
    """Choose between positions by a condition (n,)."""

    def choose(a: Array, b: Array) -> Array:
        return jnp.where(condition.reshape(-1, *[1] * (a.ndim - 1)), a, b)

    chosen: Position = jax.tree.map(choose, yes, no)
    return chosen
