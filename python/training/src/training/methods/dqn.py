"""DQN: the value of each slide of a board, learned from a memory of turns (Mnih et al. 2015).

The baseline of learning without the rules: Q(s, a) is learned for the board before the slide, from
Q(s, a) = R + max over a' of Q(s', a') with s' the next board, after chance has placed a tile.
An older copy of the network tells the right side; with ``double`` the network itself chooses a'
there (van Hasselt, Guez and Silver 2016). The network sees neither where a slide leads nor which
slides are legal; illegal ones are left out. Solo only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from versus2048.jax.game import Played, Slides, take

from training.config import MOST_EVALUATED, Config, ConfigError, check_range
from training.layers import Params
from training.methods import Progress
from training.methods.learner import Learned, Learner
from training.methods.perceptron import Perceptron
from training.methods.replay import Replay, replay
from training.methods.td import measured, stray
from training.network import Network

_FUNCTION = "q"


@dataclass(frozen=True)
class Table:
    """The table [dqn]."""

    games: int = 128
    """Games played in lockstep; after each turn of all of them there is one update."""
    batch: int = 256
    """Remembered turns that an update learns from."""
    memory: int = 131072
    """How many turns are remembered."""
    chunk: int = 500
    """Updates between two looks at the clock."""
    rate: float = 1e-3
    """Adam's learning rate. It falls to a fiftieth by a cosine if the run has a number of steps."""
    target: int = 500
    """Updates from one copy of the network to the next."""
    double: bool = True
    noise: float = 0.02
    """The share of random slides after the first updates; it falls to this from 1 in a line."""
    exploring: int = 5000
    """How many updates these are."""
    average: float = 0.998
    """How much an update keeps of the averaged parameters, the result of a run."""
    evaluation: int = 1000
    """Games that an evaluation plays."""

    def __post_init__(self) -> None:
        counts = ["games", "batch", "memory", "chunk", "target", "exploring"]
        check_range(self, counts, 1)
        check_range(self, ["evaluation"], 1, MOST_EVALUATED)
        check_range(self, ["rate"], 0, 1, above=True)
        check_range(self, ["noise", "average"], 0, 1)
        if self.memory < self.games:
            raise ValueError(f"memory = {self.memory}: want room for {self.games} games' turns")


class Transition(NamedTuple):
    """A turn as it is remembered; boards as (..., height, width), numbers as (...)."""

    board: Array
    slide: Array
    gain: Array
    following: Array
    """The board on which the next slide is chosen; without a legal one the game is over."""


class State(NamedTuple):
    """The learned parameters and the memory of a run, and the games that it is playing."""

    learned: Learned
    target: Params
    memory: Replay[Transition]
    board: Array
    """The boards of the games before their next slides, shape (games, height, width)."""
    score: Array
    """The points of these games so far, int32 of shape (games,)."""
    finished: Array
    """How many games ended, int32."""
    key: Array


class DQN:
    """DQN, with a copy of the network for targets and, if wanted, double learning."""

    def __init__(self, config: Config) -> None:
        """Read the tables [network] and [dqn]. ConfigError for settings that dqn cannot learn."""
        self.game = config.game
        if self.game.rules != "solo":
            raise ConfigError(f"dqn learns solo, not {self.game.rules}: use td or az")
        self.perceptron = config.table("network", Perceptron)
        if self.perceptron.bins:
            raise ConfigError("[network] bins: dqn tells one number a slide; leave them out")
        if self.perceptron.canonical:
            raise ConfigError("[network] canonical: dqn tells slides, which turn with the board")
        self.table = config.table("dqn", Table)
        self.description = self.perceptron.describe(self.game, _FUNCTION, 4)
        self.learner = Learner(self.table.rate, config.run.steps, self.table.average)

    def start(self, key: Array) -> State:
        """Begin all games, with nothing in memory."""
        key, drawn, begin = jax.random.split(key, 3)
        learned = self.learner.start(self.perceptron.draw(drawn, self.description))
        number, none = jnp.int32(0), jnp.zeros(self.table.games, jnp.int32)
        entry = Transition(self.game.empty(), number, number, self.game.empty())
        return State(
            learned,
            jax.tree.map(jnp.copy, learned.params),
            replay(entry, self.table.memory),
            self.game.start(begin, (self.table.games,)),
            none,
            number,
            key,
        )

    def advance(self, state: State) -> tuple[State, Progress]:
        """Play turns, each with an update."""
        before = int(state.finished)
        state, (loss, points) = self._chunk(state)
        updates, games = int(state.learned.updates), int(state.finished)
        metrics = {"loss": float(loss.mean())}
        if games > before:
            metrics["played"] = float(points.sum()) / (games - before)
        return state, Progress(updates, games, updates * self.table.games, metrics)

    def evaluate(self, state: State, key: Array) -> dict[str, float]:
        """Play by the averaged parameters without noise: the mean score and its standard error."""
        played = self._play(state.learned.averaged, key, self.table.evaluation)
        return measured(self.game, played.score)

    def network(self, state: State) -> Network:
        """Return the averaged parameters, as the function q of boards before a slide."""
        return Network("dqn", self.description, state.learned.averaged)

    def values(self, params: Params, board: Array) -> Array:
        """Return the points from each slide on: (..., 4) of boards (..., height, width)."""
        output = self.description.apply_boards(params, _FUNCTION, board)
        return self.description.value.points(output[..., None])

    def goals(self, params: Params, target: Params, seen: Transition) -> Array:
        """Return the targets for Q of the played slides, shape (n,)."""
        legal = self.game.slide(seen.following).legal
        later = self.values(target, seen.following)
        chooser = self.values(params, seen.following) if self.table.double else later
        best = jnp.where(legal, chooser, -jnp.inf).argmax(-1)
        return seen.gain + jnp.where(legal.any(-1), take(later, best), 0)

    def loss(self, params: Params, target: Params, seen: Transition) -> Array:
        """Return how far the values of the slides that were played are from their goals."""
        goals = jax.lax.stop_gradient(self.goals(params, target, seen))
        output = self.description.apply_boards(params, _FUNCTION, seen.board)
        return self.description.value.loss(take(output, seen.slide)[:, None], goals).mean()

    @partial(jax.jit, static_argnums=0, donate_argnums=1)
    def _chunk(self, state: State) -> tuple[State, tuple[Array, Array]]:
        """Play and learn. Return the losses, and the points of the games that ended."""
        return jax.lax.scan(lambda s, _: self._step(s), state, length=self.table.chunk)

    def _step(self, state: State) -> tuple[State, tuple[Array, Array]]:
        """Play a turn of each game, then learn from a batch of the memory."""
        key, play, draw = jax.random.split(state.key, 3)
        seen, board, score, over = self._turn(state, play)
        memory = state.memory.add(seen)
        batch = memory.sample(draw, self.table.batch)
        learned, lost = self.learner.update(
            state.learned, lambda params: self.loss(params, state.target, batch)
        )
        renew = learned.updates % self.table.target == 0
        target = jax.tree.map(
            lambda old, new: jnp.where(renew, new, old), state.target, learned.params
        )
        ended = jnp.where(over, score, 0).sum()
        score, finished = jnp.where(over, 0, score), state.finished + over.sum()
        return State(learned, target, memory, board, score, finished, key), (lost, ended)

    def _turn(self, state: State, key: Array) -> tuple[Transition, Array, Array, Array]:
        """Play a turn. Return it, the boards to go on with, the scores, and which games ended."""
        wander, place, begin = jax.random.split(key, 3)
        options = self.game.slide(state.board)
        best = self._best(state.learned.params, state.board, options)
        slide = stray(wander, best, options.legal, self._noise(state.learned.updates))
        gain = take(options.gain, slide)
        following = self.game.spawn(place, take(options.after, slide))
        over = ~self.game.slide(following).legal.any(-1)
        fresh = self.game.start(begin, over.shape)
        board = jnp.where(over[:, None, None], fresh, following)
        return Transition(state.board, slide, gain, following), board, state.score + gain, over

    def _best(self, params: Params, board: Array, options: Slides) -> Array:
        """Return the numbers of the legal slides of the highest value, int32."""
        return jnp.where(options.legal, self.values(params, board), -jnp.inf).argmax(-1)

    def _noise(self, updates: Array) -> Array:
        """Return the share of random slides."""
        return jnp.maximum(self.table.noise, 1 - updates / self.table.exploring)

    @partial(jax.jit, static_argnums=(0, 3))
    def _play(self, params: Params, key: Array, games: int) -> Played:
        """Play games to their ends."""
        return self.game.play(key, lambda _, b, options: self._best(params, b, options), games)
