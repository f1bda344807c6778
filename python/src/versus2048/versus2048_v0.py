"""The PettingZoo environment (AEC): agents "attacker" and "defender" in turn.

Observations are dictionaries: ``observation``, int8 of shape (17, rows, columns), has a plane for
empty cells and one for each tile from 2 to 65536; ``action_mask``, int8, is 1 for the legal
actions of the agent to move, and 0 for the other agent.

The defender's actions 0 to 3 are N, S, W, E. The attacker's place a 2 on a cell, row by row from
the top left, and under gpcc2016 the same number of actions more place 4s.

The reward of a slide is its score for the defender, and minus its score for the attacker: from the
empty board the defender's rewards add up to the score of the game.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from gymnasium import spaces

try:
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "the environments need PettingZoo: pip install 'versus2048[env]'", name=error.name
    ) from None
from pettingzoo.utils.env_logger import EnvLogger

from versus2048 import drawing, opponents
from versus2048.observation import Observer, Seen
from versus2048.position import SIDES, IllegalMoveError, Position, Ruleset, Side, move_of
from versus2048.state import State

ILLEGAL_REWARD = -100_000.0
"""The reward of an illegal move, which ends the game: an attacker must not save points by one."""
ATTEMPTS = 1000
"""Draws of an opening before an error says that it is too long for its board."""


def env(**settings: Any) -> AECEnv:
    """Return the environment; settings as of :class:`raw_env`.

    An illegal move ends the game with the reward :data:`ILLEGAL_REWARD`; an action that the agent
    does not have is an AssertionError. PettingZoo's wrappers do the same, at ten times the cost.
    """
    return _Checked(**settings)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 -- PettingZoo's name for it
    """The environment; an illegal move is an IllegalMoveError.

    Args:
        rules: gpcc2015 (2s only) or gpcc2016 (the attacker chooses 2 or 4).
        size: columns x rows, 2x2 to 4x4.
        opening_plies: plies drawn at random from the seed before the agents play, from 0.
        max_plies: the game is truncated after that many plies of the agents; None for no limit.
        render_mode: None, ansi (text), human (text on the terminal after each ply) or rgb_array
            (pixels, shape (64*rows, 64*columns, 3)).
        flat: observations are vectors of the planes, and the mask is in the agent's ``infos``.
        equal_actions: both agents have as many actions; those that one lacks are illegal.

    """

    metadata = {  # noqa: RUF012 -- as PettingZoo has it
        "name": "versus2048_v0",
        "render_modes": list(drawing.MODES),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        rules: Ruleset = "gpcc2015",
        size: str = "4x4",
        opening_plies: int = 0,
        max_plies: int | None = None,
        render_mode: str | None = None,
        flat: bool = False,
        equal_actions: bool = False,
    ) -> None:
        super().__init__()
        if rules not in ("gpcc2015", "gpcc2016"):
            raise ValueError(f"rules {rules!r}: want gpcc2015 or gpcc2016; for solo: views.SoloEnv")
        if max_plies is not None and max_plies < 1:
            raise ValueError(f"max_plies {max_plies}: want 1 or more, or None")
        check_settings(opening_plies, render_mode)
        self.render_mode = render_mode
        self.possible_agents: list[Side] = ["attacker", "defender"]
        self._start, self._opening_plies = Position.empty(size, rules), opening_plies
        self._most_plies = math.inf if max_plies is None else max_plies
        self._state = State(self._start)
        self._observer = Observer(self._start, flat, equal_actions)
        self._actions = {a: self._observer.action_space(a) for a in SIDES}
        self._observations = {a: self._observer.observation_space(a) for a in SIDES}
        self._rng = np.random.default_rng()

    @property
    def position(self) -> Position:
        """The position, as a value."""
        return self._state.position()

    def observation_space(self, agent: Side) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self._observations[agent]

    def action_space(self, agent: Side) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self._actions[agent]

    def observe(self, agent: Side) -> Seen:
        """Return the observation of an agent; the mask has no action if it is not its turn."""
        return self._observer.see(self._state, agent)

    def action_masks(self) -> np.ndarray:
        """Return the legal actions of the agent to move, bool of shape (actions,)."""
        return self._observer.mask(self._state, self._state.side).astype(bool)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The option ``position`` is text to start from, without an opening."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        if options and "position" in options:
            position = Position.parse(options["position"], self._start.rules)
            if position.size != self._start.size or position.over:
                raise ValueError(f"position {position}: want {self._start.size_text}, no mate")
        else:
            position = opening(self._start, self._opening_plies, self._rng)
        self._state = State(position)
        self._last_ply = position.ply + self._most_plies
        self.agents = self.possible_agents[:]
        self.agent_selection = position.side
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._inform()

    def step(self, action: int | None) -> None:
        """Play the action of the agent to move; None once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self._state
        before = state.score
        if action is None or not state.play(int(action)):
            self._refuse(agent, action)
            return
        sums = self._cumulative_rewards
        sums[agent] = 0.0
        if state.attacks:
            gained = float(state.score - before)
            self.rewards = {"attacker": -gained, "defender": gained}
            sums["attacker"] -= gained
            sums["defender"] = gained
            self.agent_selection = "attacker"
        else:
            self.rewards = {"attacker": 0.0, "defender": 0.0}
            self.agent_selection = "defender"
        if not (state.attacks or state.legal):
            self.terminations = {"attacker": True, "defender": True}
        elif state.ply >= self._last_ply:
            self.truncations = {"attacker": True, "defender": True}
        self._inform()

    def _refuse(self, agent: Side, action: int | None) -> None:
        """Say that an action is illegal."""
        move = action if action is None else move_of(int(action), agent, self._start.size)
        raise IllegalMoveError(f"move {move!r} in {self._state.text}: it is not legal")

    def _inform(self) -> None:
        score, ply = self._state.score, self._state.ply
        self.infos: dict[Side, dict[str, Any]] = {
            "attacker": {"score": score, "ply": ply},
            "defender": {"score": score, "ply": ply},
        }
        if self._observer.flat:
            for side in SIDES:
                self.infos[side]["action_mask"] = self._observer.mask(self._state, side)
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | np.ndarray | None:
        """Draw the position in the render mode; None without one."""
        return drawing.render(self.position, self.render_mode)

    def close(self) -> None:
        """Do nothing: the environment holds nothing open."""


class _Checked(raw_env):
    def _refuse(self, agent: Side, action: int | None) -> None:
        """End the game."""
        assert self.action_space(agent).contains(action), f"action {action} is not in action space"
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0) | {agent: ILLEGAL_REWARD}
        self._accumulate_rewards()
        self._deads_step_first()


def check_settings(opening_plies: int, render_mode: str | None) -> None:
    """Refuse settings that no environment has."""
    if opening_plies < 0:
        raise ValueError(f"opening_plies {opening_plies}: want 0 or more")
    if render_mode not in (None, *drawing.MODES):
        raise ValueError(f"render_mode {render_mode!r}: want {', '.join(drawing.MODES)} or None")


def opening(start: Position, plies: int, rng: np.random.Generator) -> Position:
    """Return a position after random plies; a line that ends in a mate is drawn anew.

    ValueError if ATTEMPTS lines do.
    """
    for _ in range(ATTEMPTS):
        position = _drawn(start, plies, rng)
        if not position.over:
            return position
    raise too_long(plies, start)


def _drawn(start: Position, plies: int, rng: np.random.Generator) -> Position:
    """Return the position after random plies, or the mate before."""
    state = State(start)
    for _ in range(plies):
        state.play(opponents.act_uniformly(state, rng.random))
        if state.over:
            break
    return state.position()


def too_long(plies: int, start: Position) -> ValueError:
    """Return the error for openings that all end in a mate."""
    return ValueError(
        f"opening_plies {plies}: {ATTEMPTS} games on {start.size_text} ended before; want fewer"
    )
