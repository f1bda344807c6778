"""An environment whose functions are those of pgx: ``init``, ``step``, states that are pytrees.

::

    import jax
    from versus2048.jax import Env, auto_reset

    env = Env("gpcc2015", "4x4")
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(auto_reset(env)))
    state = init(jax.random.split(jax.random.key(0), 1000))
    state = step(state, actions, jax.random.split(jax.random.key(1), 1000))

All functions are of one game; ``vmap`` makes them functions of many. An :class:`Env` is hashable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from versus2048.jax.game import LARGEST_EXPONENT, Game, nth_of

ATTACKER, DEFENDER = 0, 1
"""The players of the game for two. In the others there is player 0 alone."""
ILLEGAL_REWARD = -100_000.0
"""The reward of an illegal action, which ends the game."""


class State(NamedTuple):
    """A game in progress."""

    board: Array
    """Shape (height, width), int8: exponents, as in :mod:`versus2048.jax.game`."""
    attacks: Array
    """Whether the attacker is to move."""
    score: Array
    """The points of all slides, int32."""
    ply: Array
    """The number of plies, int32."""
    current_player: Array
    """The player to move, int32: 0 for the attacker, 1 for the defender, 0 with one player."""
    rewards: Array
    """Rewards of the last step, float32 of shape (players,): points, negative for an attacker."""
    terminated: Array
    """Whether the game is over."""
    truncated: Array
    """Always false."""
    legal_action_mask: Array
    """Bool of shape (actions,). All are legal in a game that is over, and change nothing."""
    observation: Array
    """Of the player to move: bool, shape (height, width, planes); (0,) without observations."""


Opponent = Callable[[Array, State], Array]
"""Returns a legal action, from a key and a state in which the opponent is to move."""


def random_opponent(key: Array, state: State) -> Array:
    """Draw one of the legal actions."""
    legal = state.legal_action_mask
    nth = (jax.random.uniform(key) * legal.sum()).astype(jnp.int32)
    return nth_of(legal, nth).argmax()


@dataclass(frozen=True)
class Env:
    """The game under rules and on a size, for two players, for one role, or solo.

    Actions are numbered as in the other environments; the game for two has as many for both agents.

    Args:
        rules: gpcc2015, gpcc2016 or solo.
        size: columns x rows, 2x2 to 4x4.
        role: attacker or defender, for a game against ``opponent``, which answers within the step;
            None for the game for two, or solo.
        opponent: plays the other role.
        observations: whether states have observations; without them steps are quicker.

    """

    rules: str = "gpcc2015"
    size: str = "4x4"
    role: Literal["attacker", "defender"] | None = None
    opponent: Opponent = random_opponent
    observations: bool = True

    def __post_init__(self) -> None:
        _ = self.game
        if self.role not in (None, "attacker", "defender"):
            raise ValueError(f"role {self.role!r}: want attacker, defender or None")
        if self.rules == "solo" and self.role is not None:
            raise ValueError(f"role {self.role!r}: under solo there is one role: want None")

    @cached_property
    def game(self) -> Game:
        """The rules as functions of boards."""
        return Game.of(self.rules, self.size)

    @property
    def num_players(self) -> int:
        """Two without a role, else one."""
        return 2 if self.role is None and self.rules != "solo" else 1

    @property
    def num_actions(self) -> int:
        """Four slides, or 1 or 2 tiles for each cell; the larger number of both for two players."""
        if self.rules == "solo" or self.role == "defender":
            return 4
        return self._placements if self.role == "attacker" else max(4, self._placements)

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Height, width and planes: empty, 2 to 65536, and for two whether the attacker moves."""
        planes = LARGEST_EXPONENT + 1 + (self.num_players == 2)
        return self.game.height, self.game.width, planes

    def init(self, key: Array) -> State:
        """Return the first state of a game."""
        if self.role == "defender":
            return self._observed(self._replied(self._begun(None, self._placements), key))
        drawn = jax.random.uniform(key) if self.rules == "solo" else None
        return self._observed(self._begun(drawn, self.num_actions))

    def step(self, state: State, action: Array, key: Array) -> State:
        """Play an action, and the answer of chance or the opponent, unless the game is over."""
        drawn = jax.random.uniform(key) if self.rules == "solo" else None
        return self._observed(self._turn(state, action, key, drawn))

    def observe(self, state: State) -> Array:
        """Return the observation of the player to move."""
        planes = state.board[..., None] == jnp.arange(LARGEST_EXPONENT + 1, dtype=jnp.int8)
        if self.num_players == 1:
            return planes
        side = jnp.broadcast_to(state.attacks, (*state.board.shape, 1))
        return jnp.concatenate([planes, side], axis=-1)

    @property
    def _placements(self) -> int:
        return self.game.cells * (1 + self.game.fours)

    def _observed(self, state: State) -> State:
        return state._replace(observation=self.observe(state)) if self.observations else state

    def _begun(self, drawn: Array | None, actions: int) -> State:
        """Return a first state, its mask with that many actions; a number places a solo tile."""
        solo, board = drawn is not None, self.game.empty()
        mask = self._mask(board, jnp.bool_(True), actions)
        if drawn is not None:
            game, tenths = self.game, drawn * 10
            cell = ((tenths - jnp.floor(tenths)) * game.cells).astype(jnp.int32)
            board = game.place(board, cell, jnp.where(tenths < 1, 2, 1))
            y, x = cell // game.width, cell % game.width
            mask = jnp.stack([y > 0, y < game.height - 1, x > 0, x < game.width - 1])
        return State(
            board=board,
            attacks=jnp.bool_(not solo),
            score=jnp.int32(0),
            ply=jnp.int32(solo),
            current_player=jnp.int32(0),
            rewards=jnp.zeros(self.num_players, jnp.float32),
            terminated=jnp.bool_(False),
            truncated=jnp.bool_(False),
            legal_action_mask=mask,
            observation=jnp.zeros(0, bool),
        )

    def _turn(self, state: State, action: Array, key: Array, drawn: Array | None) -> State:
        """Play an action, and the answer of the opponent if there is one."""
        if self.role is None:
            return self._ply(state, action, drawn, self.num_actions)
        others = self._placements if self.role == "defender" else 4
        return self._replied(self._ply(state, action, None, others), key)

    def _replied(self, state: State, key: Array) -> State:
        reply = self._ply(state, self.opponent(key, state), None, self.num_actions)
        return reply._replace(rewards=reply.rewards + state.rewards)

    def _ply(self, state: State, action: Array, drawn: Array | None, actions: int) -> State:
        """Play an action; a drawn number places chance's tile. The mask has that many actions."""
        game = self.game
        over, legal = state.terminated, state.legal_action_mask[action]
        board, gain = game.slide_by(state.board, jnp.minimum(action, 3))
        if drawn is not None:
            tenths = drawn * 10
            board = game.spawn_at(board, tenths - jnp.floor(tenths), tenths < 1)
            attacks = jnp.bool_(False)
        else:
            four, cell = action // game.cells, action % game.cells
            board = jnp.where(state.attacks, game.place(state.board, cell, 1 + four), board)
            gain, attacks = jnp.where(state.attacks, 0, gain), ~state.attacks
        played = legal & ~over
        board, attacks = (
            jnp.where(played, board, state.board),
            jnp.where(played, attacks, state.attacks),
        )
        gain = jnp.where(played, gain, 0)
        mask = self._mask(board, attacks, actions)
        terminated = over | ~legal | (~attacks & ~mask.any())
        fault = jnp.where(legal | over, 0.0, ILLEGAL_REWARD)
        return state._replace(
            board=board,
            attacks=attacks,
            score=state.score + gain,
            ply=state.ply + played * (1 if drawn is None else 2),
            current_player=jnp.int32(self.num_players == 2) * ~attacks,
            rewards=self._rewards(state, gain.astype(jnp.float32), fault),
            terminated=terminated,
            legal_action_mask=mask | terminated,
        )

    def _rewards(self, state: State, gain: Array, fault: Array) -> Array:
        """Return the rewards of the points of a slide, or of an illegal action."""
        if self.num_players == 1:
            return (fault + (-gain if self.role == "attacker" else gain))[None]
        faults = jnp.where(jnp.arange(2) == state.current_player, fault, 0.0)
        return jnp.stack([-gain, gain]) + faults

    def _mask(self, board: Array, attacks: Array, actions: int) -> Array:
        """Return which of that many actions are legal."""
        slides = self.game.legal_slides(board)
        if self.rules == "solo":
            return slides
        free = self.game.empty_cells(board)
        places = jnp.concatenate([free, free]) if self.game.fours else free
        slides, places = (
            jnp.pad(mask, (0, max(0, actions - len(mask))))[:actions] for mask in (slides, places)
        )
        return jnp.where(attacks, places, slides)


def auto_reset(env: Env) -> Callable[[State, Array, Array], State]:
    """Return a step after which a game that has ended is the first state of the next one.

    Its ``rewards`` and ``terminated`` are those of the last step, as in pgx.
    """

    def step(state: State, action: Array, key: Array) -> State:
        blind = jnp.zeros(0, bool)
        state = state._replace(terminated=jnp.bool_(False), observation=blind)
        if env.rules == "solo":  # one call of the generator for both tiles
            drawn = jax.random.uniform(key, (2,))
            after = env._turn(state, action, key, drawn[0])
            fresh = env._begun(drawn[1], env.num_actions)
        else:
            played, begun = jax.random.split(key)
            after = env._turn(state, action, played, None)
            fresh = env.init(begun)._replace(observation=blind)
        kept = fresh._replace(rewards=after.rewards, terminated=after.terminated)
        after = jax.tree.map(lambda a, b: jnp.where(after.terminated, a, b), kept, after)
        return env._observed(after)

    return step
