"""Stochastic MuZero's loop: play some turns of all games, then learn from remembered ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from versus2048.jax.game import Slides

from training.config import MOST_EVALUATED, Config, ConfigError, check_range
from training.layers import Params
from training.methods import Progress
from training.methods.learner import Learned, Learner
from training.methods.muzero import selfplay
from training.methods.muzero.model import Model, Shape
from training.methods.muzero.search import Search, by_policy
from training.methods.muzero.selfplay import Games, Turn
from training.methods.muzero.unroll import Weights, windows
from training.methods.muzero.unroll import loss as unrolled
from training.methods.replay import Replay, replay
from training.methods.td import measured
from training.network import Network

_COUNTS = ("games", "turns", "memory", "updates", "batch", "unroll", "simulations")
_WEIGHTS = ("value_weight", "chance_weight", "commitment", "consistency")


@dataclass(frozen=True)
class Table:
    """The table [muzero]."""

    games: int = 256
    """Games played in lockstep."""
    turns: int = 16
    """Turns of each game in a round, before there are updates."""
    memory: int = 1024
    """How many turns of each game are remembered."""
    updates: int = 16
    """Updates of the parameters in a round."""
    batch: int = 256
    """Windows of turns that an update learns from."""
    unroll: int = 3
    """Slides of a window after its first board."""
    simulations: int = 16
    """Of each search. Codes of chance are simulations, too."""
    noise: float = 0.3
    """The share of Dirichlet noise in the policy of a search's root."""
    alpha: float = 1.0
    temperature: float = 0.5
    """Slides are drawn by visits ** (1 / temperature)."""
    trace: float = 0.7
    """The lambda of lambda-returns: 0 learns from the next search's value, 1 from games."""
    rate: float = 3e-3
    """Adam's learning rate. It falls to a fiftieth by a cosine if the run has a number of steps."""
    average: float = 0.99
    """How much an update keeps of the averaged parameters, which play and are saved."""
    value_weight: float = 1.0
    chance_weight: float = 1.0
    commitment: float = 0.25
    consistency: float = 1.0
    """The weight of the loss between a state of the model and the next board's representation."""
    evaluation: int = 200
    """Games that an evaluation plays, with the search and again without it."""
    evaluation_simulations: int = 0
    """Of each search in an evaluation; 0: as many as in learning."""

    def __post_init__(self) -> None:
        check_range(self, _COUNTS, 1)
        check_range(self, ["evaluation"], 1, MOST_EVALUATED)
        check_range(self, ["rate"], 0, 1, above=True)
        check_range(self, ["noise", "trace", "average"], 0, 1)
        check_range(self, _WEIGHTS, 0)
        if not self.unroll < self.turns <= self.memory:
            raise ValueError(f"turns = {self.turns}: want more than unroll, at most memory")
        check_range(self, ["alpha"], 0, above=True)
        check_range(self, ["temperature", "evaluation_simulations"], 0)

    @property
    def weights(self) -> Weights:
        """The weights of the parts of the loss."""
        return Weights(self.value_weight, self.chance_weight, self.commitment, self.consistency)


class State(NamedTuple):
    """All that changes."""

    learned: Learned
    games: Games
    memory: Replay[Turn]
    finished: Array
    """How many games ended, int32."""
    positions: Array
    """Not used: as int32 it would overflow. Checkpoints of earlier versions have it."""
    key: Array


class MuZero:
    """Stochastic MuZero for the defender of a solo game."""

    def __init__(self, config: Config) -> None:
        """Read the tables [network] and [muzero]."""
        if config.run.rules != "solo":
            raise ConfigError(f"[run] rules = {config.run.rules!r}: muzero learns solo only")
        self.game = config.game
        self.table = config.table("muzero", Table)
        self.model = Model(self.game, config.table("network", Shape))
        self.description = self.model.description
        self.learner = Learner(self.table.rate, config.run.steps, self.table.average)
        table = self.table
        self.search = Search(
            self.model, table.simulations, table.noise, table.alpha, table.temperature
        )
        self.best = Search(self.model, table.evaluation_simulations or table.simulations)

    def start(self, key: Array) -> State:
        """Begin all games, with an empty memory."""
        key, drawn, begun = jax.random.split(key, 3)
        learned = self.learner.start(self.model.init(drawn))
        count = self.table.games
        games = Games(self.game.start(begun, (count,)), jnp.zeros(count))
        memory = replay(self._nothing(), self.table.memory)
        return State(learned, games, memory, jnp.int32(0), jnp.int32(0), key)

    def advance(self, state: State) -> tuple[State, Progress]:
        """Play a round, and learn from the memory."""
        before = int(state.finished)
        state, (loss, points) = self._round(state)
        updates, games = int(state.learned.updates), int(state.finished)
        metrics = {"loss": float(loss)}
        if games > before:
            metrics["played"] = float(points) / (games - before)
        positions = updates // self.table.updates * self.table.games * self.table.turns
        return state, Progress(updates, games, positions, metrics)

    def evaluate(self, state: State, key: Array) -> dict[str, float]:
        """Play without noise: score, share and error with the search; policy_score without it."""
        searched, alone = self._judge(state.learned.averaged, key)
        found = measured(self.game, searched)
        return found | {"policy_score": float(alone.astype(jnp.float32).mean())}

    def network(self, state: State) -> Network:
        """Return the averaged parameters of the model, without the encoder."""
        return Network("muzero", self.description, self.model.saved(state.learned.averaged))

    def _nothing(self) -> Turn:
        """Return a turn of all games, of zeros."""
        count = self.table.games
        board = jnp.zeros((count, self.game.height, self.game.width), jnp.int8)
        number = jnp.zeros(count)
        slide, over = jnp.zeros(count, jnp.int8), jnp.zeros(count, bool)
        return Turn(board, slide, number, jnp.zeros((count, 4)), number, board, over)

    @partial(jax.jit, static_argnums=0, donate_argnums=1)
    def _round(self, state: State) -> tuple[State, tuple[Array, Array]]:
        """Play and learn. Return the mean loss, and the points of the games that ended."""
        key, played, learnt = jax.random.split(state.key, 3)
        table = self.table
        games, round_ = selfplay.play(
            self.game,
            self.search,
            state.learned.averaged,
            state.games,
            played,
            table.turns,
            table.trace,
        )
        memory = state.memory.add(round_.turns)

        def learn(learned: Learned, key: Array) -> tuple[Learned, Array]:
            turns = windows(memory, key, table.batch, table.unroll + 1)
            return self.learner.update(learned, partial(self._loss, turns))

        learned, losses = jax.lax.scan(
            learn, state.learned, jax.random.split(learnt, table.updates)
        )
        finished = state.finished + round_.ended
        state = State(learned, games, memory, finished, state.positions, key)
        return state, (losses.mean(), round_.points)

    def _loss(self, turns: Turn, params: Params) -> Array:
        return unrolled(self.model, params, turns, self.table.weights)

    @partial(jax.jit, static_argnums=0)
    def _judge(self, params: Params, key: Array) -> tuple[Array, Array]:
        """Play games by the search and by the policy alone; return their scores."""

        def searching(key: Array, board: Array, options: Slides) -> Array:
            return self.best(params, key, board, options.legal).slide

        def alone(_: Array, board: Array, options: Slides) -> Array:
            return by_policy(self.model, params, board, options.legal)

        count = self.table.evaluation
        first, second = (self.game.play(key, choose, count) for choose in (searching, alone))
        return first.score, second.score
