"""Proximal policy optimisation with afterstates.

PPO (Schulman et al. 2017) for the defender against chance, in a form of our own: the board after a
slide is judged, before chance places a tile. Yamashita and Kaneko 2021 applied PPO to 2048 before;
we could not read their paper.

    b  --slide, gain r-->  x (the afterstate)  --chance-->  b'  --slide-->  x' ...

- The actor gives each afterstate x a preference, and slides by the softmax of the legal slides'
  preferences. The gain need not be an input: with F(board) = the sum of (k - 1) 2^k over the tiles
  2^k, a slide gains F(x) - F(b), so that an afterstate tells the gains of the slides apart.
- The critic gives x its value V(x), the further points. The value of b follows from it:
  B(b) = the mean of r + V(x) over the slides, by their probabilities.
- Generalised advantage estimation (Schulman et al. 2016) takes two steps a turn, the slide's
  r + V(x) - B(b) and chance's B(b') - V(x). The slide's is free of the noise of chance, which a
  critic of b can never remove: this is the benefit of the afterstate.

``actor = "state"`` and ``critic = "state"`` look at b: the usual PPO, to compare with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array
from versus2048.jax.game import Slides, take

from training.config import MOST_EVALUATED, Config, ConfigError, check_range
from training.layers import Initial, Params
from training.methods import Progress
from training.methods.objective import NEVER, advantages, clipped, entropy, log_softmax
from training.network import Description, Function, Network, canonical, check_planes, mlp
from training.value import Transform, Value

Seen = Literal["afterstate", "state"]
_METRICS = ("sampled", "actor_loss", "critic_loss", "entropy")


@dataclass(frozen=True)
class Shape:
    """The table [network]: two perceptrons, the actor and the critic, which share nothing."""

    planes: int = 12
    hidden: int = 128
    layers: int = 2
    canonical: bool = False
    """Whether both see one of the symmetric boards, always the same; only with afterstates."""
    transform: Transform = "none"
    scale: float = 100.0
    """Points are scale * the critic's number, in the transformed space."""

    def __post_init__(self) -> None:
        check_planes(self.planes)
        check_range(self, ["hidden"], 1)
        check_range(self, ["layers"], 1 if self.canonical else 0)
        self.value  # noqa: B018 # an error if it is wrong

    @property
    def value(self) -> Value:
        """How the critic's numbers become points."""
        return Value(self.transform, self.scale)


@dataclass(frozen=True)
class Settings:
    """The table [ppo]."""

    actor: Seen = "afterstate"
    """The actor sees the boards after the slides, or the board before."""
    critic: Seen = "afterstate"
    games: int = 256
    """Games that are played side by side."""
    slides: int = 32
    """Slides of each game between two rounds of updates."""
    epochs: int = 4
    """How often a round learns from each slide."""
    batches: int = 8
    """Batches of an epoch; each is one update, a step of the run."""
    rate: float = 1e-3
    """Of Adam; it falls to 0 within ``decay`` steps, as the entropy's weight does."""
    entropy: float = 0.02
    decay: int = 0
    """0: as many as the run's ``steps``; constant if those are 0 too."""
    clip: float = 0.2
    trace: float = 0.8
    """Lambda of the generalised advantage estimation."""
    value_weight: float = 0.5
    gradient: float = 0.5
    """The largest norm of a gradient; a larger one is scaled down to it."""
    evaluation: int = 500
    """Games of an evaluation."""

    def __post_init__(self) -> None:
        check_range(self, ["games", "slides", "epochs", "batches"], 1)
        check_range(self, ["evaluation"], 1, MOST_EVALUATED)
        check_range(self, ["rate"], 0, 1, above=True)
        check_range(self, ["trace"], 0, 1)
        check_range(self, ["clip", "gradient"], 0, above=True)
        check_range(self, ["entropy", "value_weight", "decay"], 0)
        if self.games * self.slides % self.batches:
            raise ValueError(f"batches {self.batches}: want a divisor of games * slides")


class Turns(NamedTuple):
    """Played turns with the network's outputs, of shape (slides, games) and each field's own."""

    board: Array
    """Before the slide."""
    after: Array
    """After each of the four slides."""
    legal: Array
    slide: Array
    """The number of the slide that was played."""
    log_policy: Array
    """The logarithm of its probability."""
    gain: Array
    value: Array
    """V of the board after the slide; 0 from a critic of states."""
    baseline: Array
    """B of the board before the slide."""
    over: Array
    """Whether the defender was mated by chance's next tile."""
    score: Array
    """Of the game so far, with this slide."""


class Lesson(NamedTuple):
    """A turn with its targets for learning."""

    turn: Turns
    advantage: Array
    target: Array
    """The further points, for the critic."""


class State(NamedTuple):
    """All that changes."""

    params: Params
    optimiser: optax.OptState
    key: Array
    board: Array
    """Of the games in progress, before a slide: shape (games, height, width)."""
    score: Array
    """Of the games in progress, float32 of shape (games,)."""
    steps: Array
    games: Array
    """Finished ones."""
    positions: Array
    """Not used: as int32 it would overflow. Checkpoints of earlier versions have it."""
    metrics: dict[str, Array]
    """Of the latest round; sampled is the mean score of the games that ended in it."""


class PPO:
    """PPO for the defender of a solo game, with afterstates or without."""

    def __init__(self, config: Config) -> None:
        if config.run.rules != "solo":
            raise ConfigError(f"[run] rules = {config.run.rules!r}: ppo learns solo only")
        self.game = config.game
        self.settings = config.table("ppo", Settings)
        self.decay = self.settings.decay or config.run.steps
        self.description = self._describe(config.table("network", Shape))
        self.optimiser = optax.chain(
            optax.clip_by_global_norm(self.settings.gradient),
            optax.adam(self._falling(self.settings.rate), eps=1e-5),
        )
        self._round = jax.jit(self._play_and_learn, donate_argnums=0)
        self._judge = jax.jit(self._evaluate)

    def start(self, key: Array) -> State:
        """Return the state before the first step."""
        key, weights, boards = jax.random.split(key, 3)
        # A small last layer: all slides are equally likely at first, and all values near 0.
        params = self.description.init(weights, Initial(last=0.01))
        return State(
            params=params,
            optimiser=self.optimiser.init(params),
            key=key,
            board=self.game.start(boards, (self.settings.games,)),
            score=jnp.zeros(self.settings.games),
            **{name: jnp.zeros((), jnp.int32) for name in ("steps", "games", "positions")},
            metrics={name: jnp.zeros(()) for name in _METRICS},
        )

    def advance(self, state: State) -> tuple[State, Progress]:
        """Play ``slides`` slides of each game and learn from them."""
        state = self._round(state)
        metrics = {name: float(metric) for name, metric in state.metrics.items()}
        if not state.games:
            del metrics["sampled"]  # nothing has been scored yet
        settings, steps = self.settings, int(state.steps)
        rounds = steps // (settings.epochs * settings.batches)
        positions = rounds * settings.games * settings.slides
        return state, Progress(steps, int(state.games), positions, metrics)

    def evaluate(self, state: State, key: Array) -> dict[str, float]:
        """Play by the actor's best slide; return score and share.

        With a critic of afterstates also critic_score: by its best slide, gain + V.
        """
        scores = {name: float(score) for name, score in self._judge(state.params, key).items()}
        if self.game.optimum is not None:
            scores["share"] = scores["score"] / self.game.optimum
        return scores

    def network(self, state: State) -> Network:
        """Return preference (of afterstates) or policy (four logits of a state), and value.

        A critic of states is named value, too, although it is one of boards before a slide.
        """
        return Network("ppo", self.description, state.params)

    def log_policy(self, params: Params, board: Array, after: Array, legal: Array) -> Array:
        """Return the logarithms of the slides' probabilities, shape (..., 4)."""
        if self.settings.actor == "afterstate":
            preference = self.description.apply_boards(params, "preference", after)[..., 0]
        else:
            preference = self.description.apply_boards(params, "policy", board)
        return log_softmax(preference, legal)

    def play(
        self, params: Params, board: Array, score: Array, key: Array
    ) -> tuple[Array, Array, Turns, Array]:
        """Play on; games that end are followed by new ones. The last entry is the baseline's."""

        def turn(games: tuple[Array, Array], key: Array) -> tuple[tuple[Array, Array], Turns]:
            board, score = games
            chosen, placed, begun = jax.random.split(key, 3)
            options = self.game.slide(board)
            log_policy, value, baseline = self._think(params, board, options)
            slide = jax.random.categorical(chosen, log_policy)
            following = self.game.spawn(placed, take(options.after, slide))
            over = ~self.game.slide(following).legal.any(-1)
            gain = take(options.gain, slide).astype(jnp.float32)
            turns = Turns(
                board=board,
                after=options.after,
                legal=options.legal,
                slide=slide,
                log_policy=take(log_policy, slide),
                gain=gain,
                value=take(value, slide),
                baseline=baseline,
                over=over,
                score=score + gain,
            )
            new = self.game.start(begun, over.shape)
            following = jnp.where(over[:, None, None], new, following)
            return (following, jnp.where(over, 0.0, turns.score)), turns

        keys = jax.random.split(key, self.settings.slides)
        (board, score), turns = jax.lax.scan(turn, (board, score), keys)
        return board, score, turns, self._think(params, board, self.game.slide(board))[2]

    def _describe(self, shape: Shape) -> Description:
        """Return the actor and the critic."""
        layers = partial(
            mlp, hidden=shape.hidden, layers=shape.layers, inputs=self.game.cells * shape.planes
        )
        afterstate = self.settings.actor == "afterstate"
        if shape.canonical and not afterstate:
            raise ConfigError("[network] canonical: slides turn with the board: want afterstates")
        name, outputs = ("preference", 1) if afterstate else ("policy", 4)
        seen = canonical if shape.canonical else tuple
        actor, critic = (Function("board", seen(layers(n))) for n in (outputs, 1))
        functions = ((name, actor), ("value", critic))
        return Description(self.game, shape.planes, functions, value=shape.value)

    def _falling(self, begin: float) -> optax.Schedule:
        """Return a schedule from begin to 0 within the steps of decay."""
        if not self.decay:
            return optax.constant_schedule(begin)
        return optax.linear_schedule(begin, 0.0, self.decay)

    def _points(self, params: Params, board: Array) -> Array:
        """Return the critic's points of boards."""
        output = self.description.apply_boards(params, "value", board)
        return self.description.value.points(output)

    def _think(self, params: Params, board: Array, options: Slides) -> tuple[Array, Array, Array]:
        """Return log policy (..., 4), the values of the afterstates (..., 4), baseline (...)."""
        log_policy = self.log_policy(params, board, options.after, options.legal)
        if self.settings.critic == "state":
            return log_policy, jnp.zeros_like(log_policy), self._points(params, board)
        value = self._points(params, options.after)
        worth = jnp.where(options.legal, options.gain + value, 0.0)
        return log_policy, value, jnp.sum(jnp.exp(log_policy) * worth, axis=-1)

    def _play_and_learn(self, state: State) -> State:
        """Play a round and learn from it."""
        key, played, learned = jax.random.split(state.key, 3)
        board, score, turns, last = self.play(state.params, state.board, state.score, played)
        params, optimiser, metrics = self._learn(state, self._lessons(turns, last), learned)
        ended = turns.over.sum()
        sampled = jnp.sum(jnp.where(turns.over, turns.score, 0.0)) / jnp.maximum(ended, 1)
        metrics["sampled"] = jnp.where(ended > 0, sampled, state.metrics["sampled"])
        return State(
            params=params,
            optimiser=optimiser,
            key=key,
            board=board,
            score=score,
            steps=state.steps + self.settings.epochs * self.settings.batches,
            games=state.games + ended,
            positions=state.positions,
            metrics=metrics,
        )

    def _lessons(self, turns: Turns, last: Array) -> Lesson:
        """Estimate advantages and targets; return all turns of all games in one row."""
        value = turns.value
        if self.settings.critic == "state":
            # The afterstate's value is only known from the board that chance made of it.
            following = jnp.concatenate([turns.baseline[1:], last[None]])
            value = jnp.where(turns.over, 0.0, following)
        advantage, further = advantages(
            turns.gain, value, turns.baseline, turns.over, last, self.settings.trace
        )
        afterstate = self.settings.critic == "afterstate"
        lesson = Lesson(
            turn=turns,
            advantage=(advantage - advantage.mean()) / (advantage.std() + 1e-6),
            target=further if afterstate else turns.baseline + advantage,
        )
        row: Lesson = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), lesson)
        return row

    def _learn(
        self, state: State, lessons: Lesson, key: Array
    ) -> tuple[Params, optax.OptState, dict[str, Array]]:
        """Go over the lessons ``epochs`` times, in batches drawn anew."""
        weight = self._falling(self.settings.entropy)(state.steps)

        def update(
            learned: tuple[Params, optax.OptState], batch: Array
        ) -> tuple[tuple[Params, optax.OptState], dict[str, Array]]:
            params, optimiser = learned
            lesson = jax.tree.map(lambda x: x[batch], lessons)
            gradient, losses = jax.grad(self._loss, has_aux=True)(params, lesson, weight)
            change, optimiser = self.optimiser.update(gradient, optimiser, params)
            return (optax.apply_updates(params, change), optimiser), losses

        keys = jax.random.split(key, self.settings.epochs)
        count = len(lessons.target)
        orders = jax.vmap(lambda key: jax.random.permutation(key, count))(keys)
        batches = orders.reshape(self.settings.epochs * self.settings.batches, -1)
        learned, losses = jax.lax.scan(update, (state.params, state.optimiser), batches)
        return *learned, jax.tree.map(jnp.mean, losses)

    def _loss(
        self, params: Params, lesson: Lesson, weight: Array
    ) -> tuple[Array, dict[str, Array]]:
        """Return the loss of a batch, and its parts."""
        turn = lesson.turn
        log_policy = self.log_policy(params, turn.board, turn.after, turn.legal)
        ratio = jnp.exp(take(log_policy, turn.slide) - turn.log_policy)
        actor = -clipped(ratio, lesson.advantage, self.settings.clip).mean()
        spread = entropy(log_policy, turn.legal).mean()
        afterstate = self.settings.critic == "afterstate"
        board = take(turn.after, turn.slide) if afterstate else turn.board
        output = self.description.apply_boards(params, "value", board)
        critic = self.description.value.loss(output, lesson.target).mean()
        loss = actor - weight * spread + self.settings.value_weight * critic
        return loss, {"actor_loss": actor, "critic_loss": critic, "entropy": spread}

    def _evaluate(self, params: Params, key: Array) -> dict[str, Array]:
        """Play games by the best slides of the actor, and of a critic of afterstates."""

        def by_actor(_: Array, board: Array, options: Slides) -> Array:
            policy = self.log_policy(params, board, options.after, options.legal)
            return policy.argmax(-1)

        def by_critic(_: Array, board: Array, options: Slides) -> Array:
            worth = options.gain + self._points(params, options.after)
            return jnp.where(options.legal, worth, NEVER).argmax(-1)

        games = self.settings.evaluation
        means = {"score": self.game.play(key, by_actor, games).score.mean()}
        if self.settings.critic == "afterstate":
            means["critic_score"] = self.game.play(key, by_critic, games).score.mean()
        return means
