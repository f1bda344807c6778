"""TD afterstate: the value of boards after a slide, learned by self-play.

Szubert and Jaskowski 2014 learn V(s') += rate (R + V(s'') - V(s')), with s' the board after a
slide, R the points of the next slide and s'' the board after it; a network tells V as in Matsuzaki
2021. Here many games are played in lockstep for some turns, by the network as it is; then all of
their boards are learned from once, in batches. As the targets come from values that the players
have computed anyway, a turn costs four evaluations to play and one to learn, and there is neither a
memory of older turns nor a second network (Gallici et al. 2024 do so with Q-learning).

In a game for two, V(s') is the worth of the worst placement: min over placements, then max over
slides, of R + V(s''), as the n-tuple networks of this project learn it. Both sides are greedy, but
for some noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from versus2048.jax.game import Game, Slides, take

from training.config import MOST_EVALUATED, Config, check_range
from training.layers import Params
from training.methods import Progress
from training.methods.learner import Learned, Learner
from training.methods.perceptron import Perceptron
from training.network import Network

_FUNCTION = "value"


@dataclass(frozen=True)
class Table:
    """The table [td]."""

    games: int = 512
    """Games played in lockstep."""
    turns: int = 16
    """Turns of each game in a round, before its boards are learned from."""
    batch: int = 512
    """Boards that one update of the parameters learns from; divides games * turns."""
    rounds: int = 10
    """Rounds between two looks at the clock."""
    rate: float = 1e-3
    """Adam's learning rate. It falls to a fiftieth by a cosine if the run has a number of steps."""
    trace: float = 0.7
    """The lambda of lambda-returns: 0 learns from the next board's value, 1 from games."""
    noise: float = 0.0
    """The share of random slides, and of random placements in games for two."""
    average: float = 0.998
    """How much an update keeps of the averaged parameters, the result of a run."""
    evaluation: int = 1000
    """Games that an evaluation plays; in games for two it is always one."""

    def __post_init__(self) -> None:
        check_range(self, ["games", "turns", "batch", "rounds"], 1)
        check_range(self, ["evaluation"], 1, MOST_EVALUATED)
        check_range(self, ["rate"], 0, 1, above=True)
        check_range(self, ["trace", "noise", "average"], 0, 1)
        if self.games * self.turns % self.batch:
            raise ValueError(f"batch = {self.batch}: want a divisor of games * turns")


class State(NamedTuple):
    """The learned parameters of a run, and the games that it is playing."""

    learned: Learned
    after: Array
    """The boards of the games after their latest slides, shape (games, height, width)."""
    score: Array
    """The points of these games so far, int32 of shape (games,)."""
    finished: Array
    """How many games ended, int32."""
    key: Array


class Turn(NamedTuple):
    """The continuation of boards after a slide: a placement and the next slide.

    Arrays of shape (...), boards of shape (..., height, width).
    """

    after: Array
    """The boards after the next slide."""
    gain: Array
    """The points of that slide; 0 where the game is over."""
    value: Array
    """The network's value of ``after``; 0 where the game is over."""
    target: Array
    """The points to come by the network, with the best moves: the target of V."""
    over: Array
    """Whether no slide was legal."""
    best: Array
    """Whether the best moves were played, as ``target`` supposes."""


class TD:
    """TD afterstate with a network."""

    def __init__(self, config: Config) -> None:
        """Read the tables [network] and [td]."""
        self.game = config.game
        self.perceptron = config.table("network", Perceptron)
        self.table = config.table("td", Table)
        self.description = self.perceptron.describe(self.game, _FUNCTION, 1)
        self.learner = Learner(self.table.rate, config.run.steps, self.table.average)

    def start(self, key: Array) -> State:
        """Begin all games with the empty board."""
        key, drawn = jax.random.split(key)
        learned = self.learner.start(self.perceptron.draw(drawn, self.description))
        after = self._empty(self.table.games)
        score = jnp.zeros(self.table.games, jnp.int32)
        return State(learned, after, score, jnp.int32(0), key)

    def advance(self, state: State) -> tuple[State, Progress]:
        """Play and learn some rounds."""
        before = int(state.finished)
        state, (loss, points) = self._rounds(state)
        updates, games = int(state.learned.updates), int(state.finished)
        metrics = {"loss": float(loss.mean())}
        if games > before:
            metrics["played"] = float(points.sum()) / (games - before)
        return state, Progress(updates, games, updates * self.table.batch, metrics)

    def evaluate(self, state: State, key: Array) -> dict[str, float]:
        """Play by the averaged parameters without noise: the mean score and its standard error.

        In games for two, the network plays one game against itself: its score says only how far
        both sides are from the optimum together.
        """
        games = self.table.evaluation if self.game.rules == "solo" else 1
        return measured(self.game, self._scores(state.learned.averaged, key, games))

    def network(self, state: State) -> Network:
        """Return the averaged parameters, as the function value of boards after a slide."""
        return Network("td", self.description, state.learned.averaged)

    def values(self, params: Params, after: Array) -> Array:
        """Return the points that boards after a slide, (..., height, width), are worth: (...)."""
        output = self.description.apply_boards(params, _FUNCTION, after)
        return self.description.value.points(output)

    def loss(self, params: Params, after: Array, goals: Array) -> Array:
        """Return how far the values of boards (n, height, width) are from their goals (n,)."""
        output = self.description.apply_boards(params, _FUNCTION, after)
        return self.description.value.loss(output, goals).mean()

    def turn(self, params: Params, key: Array, after: Array, noise: float) -> Turn:
        """Play one turn on boards after a slide, shape (n, height, width)."""
        place, wander = jax.random.split(key)
        if self.game.rules == "solo":
            board = self.game.spawn(place, after)
            options, worth = self._worth(params, board)
            target, placed = best_of(worth), jnp.ones(len(board), bool)
        else:
            options, worth, target, placed = self._attack(params, place, after, noise)
        best = worth.argmax(-1)
        played = stray(wander, best, options.legal, noise) if noise else best
        over = ~options.legal.any(-1)
        gain = take(options.gain, played)
        value = jnp.where(over, 0, take(worth, played) - gain)
        after, best_played = take(options.after, played), placed & (played == best)
        return Turn(after, gain, value, target, over, best_played)

    def _worth(self, params: Params, board: Array) -> tuple[Slides, Array]:
        """Return the slides of boards, and the worth of each: (..., 4), -inf where illegal."""
        options = self.game.slide(board)
        worth = options.gain + self.values(params, options.after)
        return options, jnp.where(options.legal, worth, -jnp.inf)

    def _attack(
        self, params: Params, key: Array, after: Array, noise: float
    ) -> tuple[Slides, Array, Array, Array]:
        """Place the tile that leaves the defender least, or a random one.

        Return the slides behind it and their worth, the worth of the best placement, and whether it
        is the one that was played.
        """
        board, free = placements(self.game, after)
        options, worth = self._worth(params, board)
        left = jnp.where(free, best_of(worth), jnp.inf)
        best = left.argmin(-1)
        played = stray(key, best, free, noise) if noise else best
        options = Slides(*(take(array, played) for array in options))
        return options, take(worth, played), left.min(-1), played == best

    def _empty(self, games: int) -> Array:
        return jnp.broadcast_to(self.game.empty(), (games, self.game.height, self.game.width))

    @partial(jax.jit, static_argnums=0, donate_argnums=1)
    def _rounds(self, state: State) -> tuple[State, tuple[Array, Array]]:
        """Play and learn rounds. Return their losses, and the points of the games that ended."""
        return jax.lax.scan(lambda s, _: self._round(s), state, length=self.table.rounds)

    def _round(self, state: State) -> tuple[State, tuple[Array, Array]]:
        """Play some turns, then learn from all of their boards once, in another order."""
        key, play, order = jax.random.split(state.key, 3)
        games, (boards, turns, points) = self._play(state, play)
        boards = boards.reshape(-1, *boards.shape[2:])
        goals = returns(turns, self.table.trace).reshape(-1)

        def learn(learned: Learned, batch: Array) -> tuple[Learned, Array]:
            return self.learner.update(
                learned, lambda params: self.loss(params, boards[batch], goals[batch])
            )

        batches = jax.random.permutation(order, goals.size).reshape(-1, self.table.batch)
        learned, losses = jax.lax.scan(learn, state.learned, batches)
        finished = state.finished + turns.over.sum()
        return State(learned, *games, finished, key), (losses.mean(), points.sum())

    def _play(
        self, state: State, key: Array
    ) -> tuple[tuple[Array, Array], tuple[Array, Turn, Array]]:
        """Play turns of all games. A game that is over begins again.

        Return the games' boards and scores after them; and of shape (turns, games, ...) the boards
        before the turns, the turns, and the scores of the games that ended there, else 0.
        """

        def turn(
            games: tuple[Array, Array], key: Array
        ) -> tuple[tuple[Array, Array], tuple[Array, Turn, Array]]:
            after, score = games
            played = self.turn(state.learned.params, key, after, self.table.noise)
            score = score + played.gain
            following = jnp.where(played.over[:, None, None], self.game.empty(), played.after)
            points = jnp.where(played.over, score, 0)
            return (following, score - points), (after, played, points)

        keys = jax.random.split(key, self.table.turns)
        return jax.lax.scan(turn, (state.after, state.score), keys)

    @partial(jax.jit, static_argnums=(0, 3))
    def _scores(self, params: Params, key: Array, games: int) -> Array:
        """Play games from the empty board to their ends; return their scores."""

        def going(playing: tuple[Array, Array, Array, Array]) -> Array:
            return ~playing[2].all()

        def turn(playing: tuple[Array, Array, Array, Array]) -> tuple[Array, Array, Array, Array]:
            after, score, over, key = playing
            key, now = jax.random.split(key)
            turn = self.turn(params, now, after, noise=0.0)
            over = over | turn.over
            return turn.after, score + jnp.where(over, 0, turn.gain), over, key

        begin = (self._empty(games), jnp.zeros(games, jnp.int32), jnp.zeros(games, bool), key)
        return jax.lax.while_loop(going, turn, begin)[1]


def measured(game: Game, scores: Array) -> dict[str, float]:
    """Return the mean of games' scores, its share of the optimum, and its standard error."""
    points = np.asarray(scores, np.float64)
    found = {"score": float(points.mean())}
    if game.optimum is not None:
        found["share"] = found["score"] / game.optimum
    if len(points) > 1:
        found["error"] = float(points.std(ddof=1)) / len(points) ** 0.5
    return found


def returns(turns: Turn, trace: float) -> Array:
    """Return the targets for V of the boards before turns, of shape (turns, games).

    The lambda-return G = (1 - lambda) (R + V(s'')) + lambda (R + G''), with G'' the return of the
    next turn (Sutton and Barto 2018, section 12.1). Where other moves than the best ones were
    played, G is the worth of the best ones, and G'' is cut off (Watkins 1989).
    """

    def back(following: Array, turn: Turn) -> tuple[Array, Array]:
        went_on = turn.best & ~turn.over
        goal = turn.target + trace * jnp.where(went_on, following - turn.value, 0)
        return goal, goal

    _, goals = jax.lax.scan(back, turns.value[-1], turns, reverse=True)
    return goals


def best_of(worth: Array) -> Array:
    """Return the worth of the best of the slides (..., 4); 0 where none is legal."""
    best = worth.max(-1)
    return jnp.where(best == -jnp.inf, 0, best)


def placements(game: Game, after: Array) -> tuple[Array, Array]:
    """Return the boards (..., p, height, width) after each placement, and which are legal (..., p).

    The cells in their order; on each a 2, then a 4 if the rules have them.
    """
    tiles = (1, 2) if game.fours else (1,)
    cells = jnp.repeat(jnp.arange(game.cells), len(tiles))
    board = game.place(after[..., None, :, :], cells, jnp.tile(jnp.array(tiles), game.cells))
    return board, game.empty_cells(after)[..., cells]


def stray(key: Array, best: Array, legal: Array, noise: float | Array) -> Array:
    """Return moves of shape (n,): the best ones, or with a chance of noise any legal one (n, k)."""
    whether, which = jax.random.split(key)
    drawn = jnp.where(legal, jax.random.uniform(which, legal.shape), -1).argmax(-1)
    return jnp.where(jax.random.uniform(whether, best.shape) < noise, drawn, best)
