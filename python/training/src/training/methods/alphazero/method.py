"""AlphaZero: the loop of self-play and learning."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array
from versus2048.jax.game import Game

from training.config import MOST_EVALUATED, Config, ConfigError, check_range
from training.layers import Params
from training.methods import Progress
from training.methods.alphazero import evaluation, window
from training.methods.alphazero.exact import MOST_CELLS, Solution, solve
from training.methods.alphazero.position import Position, actions, legal, most_points
from training.methods.alphazero.search import Evaluate, Settings
from training.methods.alphazero.selfplay import Games, Opening, begin, play_ply
from training.network import Description, Function, Network, check_planes, mlp
from training.value import LARGEST, Transform, Value, transform

_COUNTS = ("games", "plies", "updates", "batch", "window", "simulations")


@dataclass(frozen=True)
class NetworkTable:
    """The table [network]: a perceptron for both roles."""

    planes: int
    """Of the boards: one more than the largest exponent that is told apart."""
    hidden: int = 128
    layers: int = 2
    value: Literal["number", "bins"] = "number"
    """The transformed further points as one number, or as a distribution."""
    bins: int = 64
    transform: Transform = "sqrt"
    most: float = 0.0
    """The points that are the number 1, or the last bin; 0 for the most that the board can hold."""

    def __post_init__(self) -> None:
        check_planes(self.planes)
        check_range(self, ["hidden", "layers"], 1)
        check_range(self, ["most"], 0, LARGEST)
        if self.value == "bins" and self.bins < 2:
            raise ValueError(f"bins = {self.bins}: want 2 or more")
        self.coded(1.0)  # an error if it is wrong

    def coded(self, scale: float) -> Value:
        """Return how outputs become points; scale is the transformed points of the number 1."""
        if self.value == "bins":
            return Value(self.transform, scale, self.bins, 0.0, 1.0)
        return Value(self.transform, scale)


@dataclass(frozen=True)
class AlphaZeroTable:
    """The table [az]."""

    games: int = 256
    """Games at once."""
    plies: int = 8
    """Of each game between two times of learning."""
    updates: int = 8
    """Of the weights, at each such time."""
    batch: int = 512
    """Positions of one update."""
    window: int = 512
    """Plies of each game that are kept; a multiple of plies."""
    simulations: int = 32
    c_init: float = 1.25
    noise: float = 0.25
    """The share of Dirichlet noise at the root."""
    concentration: float = 10.0
    """Of that noise: alpha is this number divided by the number of legal moves."""
    opening: int = 8
    """Random plies at the beginning of a game, at most."""
    restart: float = 0.25
    """The share of games that begin in a position of an earlier game."""
    temperature: float = 1.0
    temperature_plies: int = 8
    trace: float = 1.0
    """lambda of the targets: 1 is the final score, as in the paper."""
    cut: bool = True
    """Whether targets end at moves that were not the most visited ones."""
    rate: float = 0.001
    decay: float = 0.0001
    """Of weights (Loshchilov and Hutter 2019)."""
    value_weight: float = 1.0
    """Of the value's loss; the policy's has 1."""
    evaluation_games: int = 16
    evaluation_positions: int = 512
    evaluation_simulations: int = 0
    """Of a move in evaluations; 0 for as many as in self-play, 1 for the policy's own choice."""

    def __post_init__(self) -> None:
        check_range(self, [*_COUNTS, "evaluation_positions"], 1)
        check_range(self, ["evaluation_games"], 1, MOST_EVALUATED)
        check_range(self, ["rate"], 0, 1, above=True)
        check_range(self, ["noise", "restart", "trace"], 0, 1)
        check_range(self, ["concentration", "temperature"], 0, above=True)
        check_range(self, ["opening", "temperature_plies", "evaluation_simulations"], 0)
        check_range(self, ["c_init", "decay", "value_weight"], 0)
        if self.window % self.plies:
            raise ValueError(f"window {self.window}: want a multiple of plies, {self.plies}")


class State(NamedTuple):
    """A run's state."""

    params: Params
    optimiser: Any
    games: Games
    window: window.Window
    key: Array
    steps: Array
    plies: Array


class AlphaZero:
    """AlphaZero for the game for two, one network for both roles."""

    def __init__(self, config: Config) -> None:
        self.game = config.game
        if self.game.rules == "solo":
            raise ConfigError("[run] rules: az wants gpcc2015 or gpcc2016, a game for two")
        self.table = table = config.table("az", AlphaZeroTable)
        self.description = _describe(self.game, config.table("network", NetworkTable))
        self.optimiser = optax.adamw(table.rate, weight_decay=table.decay)
        self.playing = Settings(
            table.simulations,
            table.c_init,
            noise=table.noise,
            concentration=table.concentration,
            transform=self.description.value.transform,
        )
        self.opening = Opening(
            table.opening, table.restart, table.temperature, table.temperature_plies
        )
        self._play = jax.jit(self._played)
        self._keep = jax.jit(window.add, static_argnums=(2, 3), donate_argnums=0)
        self._learn = jax.jit(self._learned, donate_argnums=(0, 1))
        self._measure = jax.jit(self._measured)

    def start(self, key: Array) -> State:
        """Return a new network, and games on empty boards."""
        key, weights, first = jax.random.split(key, 3)
        # Constants may be weakly typed; learned parameters are not, and would be compiled again.
        params = jax.tree.map(lambda x: jnp.asarray(x, x.dtype), self.description.init(weights))
        return State(
            params,
            self.optimiser.init(params),
            begin(self.game, self.opening, first, self.table.games),
            window.empty(self.game, self.table.window, self.table.games),
            key,
            jnp.zeros((), jnp.int32),
            jnp.zeros((), jnp.int32),
        )

    def advance(self, state: State) -> tuple[State, Progress]:
        """Play plies, then update the weights."""
        table, before = self.table, state.games
        key, playing, learning = jax.random.split(state.key, 3)
        games, rows = self._play(state.params, before, state.window, playing)
        known = self._keep(state.window, rows, table.trace, table.cut)
        params, optimiser, losses = self._learn(state.params, state.optimiser, known, learning)
        steps, plies = state.steps + table.updates, state.plies + table.plies
        state = State(params, optimiser, games, known, key, steps, plies)
        metrics = {name: float(loss) for name, loss in losses.items()}
        ended = int(games.finished - before.finished)
        if ended:
            metrics["selfplay"] = int(games.scores - before.scores) / ended
        positions = int(plies) * table.games
        return state, Progress(int(steps), int(games.finished), positions, metrics)

    def evaluate(self, state: State, key: Array) -> dict[str, float]:
        """Measure the network against perfect play on up to six cells, else against random moves.

        Against random moves, defender and attacker are the mean points of these roles' games.

        share: the points as defender against a perfect attacker, divided by the points of perfect
        play, from the empty board and random openings. conceded: the same as attacker, 1 at best.
        optimal and loss: the share of optimal moves and the mean loss in points where the choice
        matters, with a search; policy_optimal and policy_loss without one.
        """
        solution = self.solution if self.game.cells <= MOST_CELLS else None
        measured = self._measure(state.params, key, solution)
        return {name: float(value) for name, value in measured.items()}

    def network(self, state: State) -> Network:
        """Return the network to play with."""
        return Network("az", self.description, state.params)

    @cached_property
    def solution(self) -> Solution:
        """The exact values of the board."""
        return solve(self.game)

    def _evaluator(self, params: Params) -> Evaluate:
        """Return the network as the search wants it."""

        def evaluate(position: Position) -> tuple[Array, Array]:
            planes = self.description.encode(position.board, position.attacker)
            trunk = self.description.apply(params, "trunk", planes)
            logits = self.description.apply_alone(params, "policy", trunk)
            value = self.description.apply_alone(params, "value", trunk)
            return logits, jnp.maximum(self.description.value.points(value), 0.0)

        return evaluate

    def _played(
        self, params: Params, games: Games, known: window.Window, key: Array
    ) -> tuple[Games, window.Row]:
        """Play plies of all games."""
        evaluate = self._evaluator(params)

        def ply(games: Games, key: Array) -> tuple[Games, window.Row]:
            playing, drawing = jax.random.split(key)
            earlier = window.draw_positions(known, drawing, self.table.games)
            return play_ply(
                self.game, evaluate, self.playing, self.opening, earlier, games, playing
            )

        played: tuple[Games, window.Row] = jax.lax.scan(
            ply, games, jax.random.split(key, self.table.plies)
        )
        return played

    def _learned(
        self, params: Params, optimiser: Any, known: window.Window, key: Array
    ) -> tuple[Params, Any, dict[str, Array]]:
        """Update the weights; return them, the optimiser's state and the mean losses."""
        (params, optimiser), losses = jax.lax.scan(
            partial(self._update, known),
            (params, optimiser),
            jax.random.split(key, self.table.updates),
        )
        return params, optimiser, jax.tree.map(jnp.mean, losses)

    def _update(
        self, known: window.Window, learned: tuple[Params, Any], key: Array
    ) -> tuple[tuple[Params, Any], dict[str, Array]]:
        """Update the weights once."""
        params, optimiser = learned
        sample = window.draw(self.game, known, key, self.table.batch)
        gradient, losses = jax.grad(self._loss, has_aux=True)(params, sample)
        change, optimiser = self.optimiser.update(gradient, optimiser, params)
        return (optax.apply_updates(params, change), optimiser), losses

    def _loss(self, params: Params, sample: window.Sample) -> tuple[Array, dict[str, Array]]:
        """Return the loss of the policy's cross-entropy and the value's loss, and both."""
        position = sample.position
        planes = self.description.encode(position.board, position.attacker)
        trunk = self.description.apply(params, "trunk", planes)
        logits = self.description.apply_alone(params, "policy", trunk)
        value = self.description.apply_alone(params, "value", trunk)
        allowed = legal(self.game, position)
        shares = jax.nn.log_softmax(jnp.where(allowed, logits, -1e9))
        policy = -jnp.sum(jnp.where(allowed, sample.policy * shares, 0.0), -1).mean()
        worth = self.description.value.loss(value, sample.target).mean()
        return policy + self.table.value_weight * worth, {
            "loss_policy": policy,
            "loss_value": worth,
        }

    def _measured(self, params: Params, key: Array, solution: Solution | None) -> dict[str, Array]:
        """Compute evaluate in JAX."""
        table, game = self.table, self.game
        evaluate = self._evaluator(params)
        simulations = table.evaluation_simulations or table.simulations
        settings = Settings(simulations, table.c_init, transform=self.description.value.transform)
        player = evaluation.searching(game, evaluate, settings)
        opened, playing, drawn, moving = jax.random.split(key, 4)
        begun = evaluation.openings(game, opened, table.evaluation_games, table.opening)
        if solution is None:
            made, conceded = evaluation.matches(
                game, player, evaluation.random(game), begun, playing
            )
            return {"defender": made.mean(), "attacker": conceded.mean()}
        best = solution.further(begun).sum()
        other = evaluation.perfect(solution)
        made, conceded = evaluation.matches(game, player, other, begun, playing)
        every = solution.deciding
        which = jax.random.randint(drawn, (table.evaluation_positions,), 0, len(every.points))
        chosen: Position = jax.tree.map(lambda x: x[which], every)
        lost = evaluation.losses(solution, player, chosen, moving)
        bare = evaluation.losses(solution, evaluation.intuitive(game, evaluate), chosen, moving)
        return {
            "share": made.sum() / best,
            "conceded": conceded.sum() / best,
            "optimal": (lost == 0).mean(),
            "loss": lost.mean(),
            "policy_optimal": (bare == 0).mean(),
            "policy_loss": bare.mean(),
        }


def _describe(game: Game, table: NetworkTable) -> Description:
    """Return the network's description."""
    scale = float(transform(table.transform, jnp.float32(table.most or most_points(game))))
    value = table.coded(scale)
    inputs = game.cells * (table.planes + 1)
    functions = (
        ("trunk", Function("board", mlp(0, table.hidden, table.layers, inputs))),
        ("policy", Function("trunk", mlp(actions(game), table.hidden, 0, table.hidden))),
        ("value", Function("trunk", mlp(value.outputs, table.hidden, 0, table.hidden))),
    )
    return Description(game, table.planes, functions, True, value)
