"""Games in lockstep by the search, and the further points that their boards turned out to have."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from versus2048.jax.game import Game, take

from training.layers import Params
from training.methods.muzero.search import Search


class Games(NamedTuple):
    """Games in progress."""

    board: Array
    """Before a slide, shape (games, height, width)."""
    score: Array
    """So far, float32 of shape (games,)."""


class Turn(NamedTuple):
    """The remembered data of turns, shape (...) and each field's own."""

    board: Array
    """Before the slide."""
    slide: Array
    """The number of the slide that was played, int8."""
    gain: Array
    """Its points."""
    policy: Array
    """The slides' shares of the search's visits, (..., 4)."""
    further: Array
    """The lambda-return: the points still to come before the slide."""
    following: Array
    """The board after chance's placement."""
    over: Array
    """Whether the defender is mated on that."""


class Played(NamedTuple):
    """The results of some turns of all games."""

    turns: Turn
    """Of shape (turns, games)."""
    points: Array
    """The sum of the scores of the games that ended."""
    ended: Array
    """The number of these games, int32."""


def play(
    game: Game, search: Search, params: Params, games: Games, key: Array, turns: int, trace: float
) -> tuple[Games, Played]:
    """Play turns of all games; a game that is over is followed by a new one."""

    def turn(games: Games, key: Array) -> tuple[Games, tuple[Turn, Array]]:
        searched, placed, begun = jax.random.split(key, 3)
        options = game.slide(games.board)
        found = search(params, searched, games.board, options.legal)
        following = game.spawn(placed, take(options.after, found.slide))
        over = ~game.slide(following).legal.any(-1)
        gain = take(options.gain, found.slide).astype(jnp.float32)
        score = games.score + gain
        slide = found.slide.astype(jnp.int8)
        # The search's value stands in the place of further until all turns are played.
        seen = Turn(games.board, slide, gain, found.policy, found.value, following, over)
        new = game.start(begun, over.shape)
        following = jnp.where(over[:, None, None], new, following)
        return Games(following, jnp.where(over, 0.0, score)), (seen, jnp.where(over, score, 0.0))

    games, (seen, points) = jax.lax.scan(turn, games, jax.random.split(key, turns))
    told = search.model.predict(params, search.model.represent(params, games.board))
    last = search.model.value.points(told.value)
    further = returns(seen.gain, seen.further, seen.over, last, trace)
    return games, Played(seen._replace(further=further), points.sum(), seen.over.sum())


def returns(gain: Array, value: Array, over: Array, last: Array, trace: float) -> Array:
    """Return the lambda-returns of boards before slides: the points still to come.

    G = gain + (1 - trace) V' + trace G', where V' is the search's value of the next board, and
    both are 0 where the game is over. Shape (turns, games); last, the value of the boards behind
    the last turns, is of shape (games,). No points are discounted.
    """
    following = jnp.concatenate([value[1:], last[None]])

    def back(later: Array, turn: tuple[Array, Array, Array]) -> tuple[Array, Array]:
        gain, following, over = turn
        further = (1 - trace) * following + trace * later
        total = gain + jnp.where(over, 0.0, further)
        return total, total

    _, totals = jax.lax.scan(back, last, (gain, following, over), reverse=True)
    return totals
