"""Gymnasium environments: one role of the game against an opponent, and the solo game.

Their names are ``versus2048/Defender-v0``, ``versus2048/Attacker-v0`` and ``versus2048/Solo-v0``.
Observations and actions are the same as in :mod:`versus2048.versus2048_v0`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from versus2048 import drawing, opponents
from versus2048.observation import Env, Observer, Seen
from versus2048.opponents import BuiltIn, Chooser, Opponent
from versus2048.position import SIDES, IllegalMoveError, Position, Ruleset, Side, action_of, move_of
from versus2048.registration import register
from versus2048.state import State
from versus2048.versus2048_v0 import (
    ATTEMPTS,
    ILLEGAL_REWARD,
    check_settings,
    opening,
    too_long,
)


class RoleEnv(Env[Any, Any]):
    """One role of the game, against an opponent that answers within the step.

    The reward of a step is the score of the slides in it, negative for an attacker. An illegal
    action ends the episode with the reward ``illegal_reward``. ``info`` has ``position`` (text),
    ``score``, ``ply`` and ``largest_tile``.

    Args:
        role: attacker or defender.
        opponent: random, greedy, expectimax, ``network:FILE``, ``exec:COMMAND``, a function, or an
            Opponent; see :func:`versus2048.opponents.make`. Chance also plays against a defender
            under gpcc2016.
        rules: gpcc2015, gpcc2016 or, for a defender against chance, solo.
        size: columns x rows, 2x2 to 4x4.
        opening_plies: plies drawn at random from the seed before the game, from 0.
        illegal_reward: the reward of an illegal action.
        render_mode: None, ansi (text), human (text on the terminal after each step) or rgb_array
            (pixels, shape (64*rows, 64*columns, 3)).
        flat: observations are vectors of the planes, and ``info`` has the ``action_mask``.
        equal_actions: both roles have equally many actions; those that one lacks are illegal.

    """

    metadata = {"render_modes": list(drawing.MODES), "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        role: Side = "defender",
        opponent: str | Chooser | Opponent = "greedy",
        rules: Ruleset = "gpcc2015",
        size: str = "4x4",
        opening_plies: int = 0,
        illegal_reward: float = ILLEGAL_REWARD,
        render_mode: str | None = None,
        flat: bool = False,
        equal_actions: bool = False,
    ) -> None:
        check_role(role, opponent, rules)
        check_settings(opening_plies, render_mode)
        self.role: Side = role
        self._attacks = role == "attacker"
        self.render_mode = render_mode
        self._start, self._opening_plies = Position.empty(size, rules), opening_plies
        self._state = State(self._start)
        self._observer = Observer(self._start, flat, equal_actions)
        self.observation_space = self._observer.observation_space(role)
        self.action_space = self._observer.action_space(role)
        self._illegal_reward = illegal_reward
        self._opponent = opponents.make(opponent)
        self._act = self._opponent.act if isinstance(self._opponent, BuiltIn) else None

    @property
    def position(self) -> Position:
        """The position, as a value."""
        return self._state.position()

    def action_masks(self) -> np.ndarray:
        """Return the legal actions, bool of shape (actions,), as sb3-contrib's MaskablePPO asks."""
        return self._observer.mask(self._state, self.role).astype(bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin a game. The option ``position`` is text to start from, without an opening."""
        super().reset(seed=seed)
        other: Side = "attacker" if self.role == "defender" else "defender"
        for _ in range(ATTEMPTS):
            position = self._first_position(options)
            self._state = State(position)
            self._opponent.new_game(position, other, int(self.np_random.integers(1 << 53)))
            self._reply(None)
            if not self._state.over:  # as after an attacker's first move on a nearly full board
                return self._observe(), self._inform()
        raise too_long(self._opening_plies, self._start)

    def _first_position(self, options: dict[str, Any] | None) -> Position:
        if not options or "position" not in options:
            return opening(self._start, self._opening_plies, self.np_random)
        position = Position.parse(options["position"], self._start.rules)
        if position.size != self._start.size or position.side != self.role or position.over:
            raise ValueError(
                f"position {position}: want size {self._start.size_text}, "
                f"the {self.role} to move, no mate"
            )
        return position

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's answer."""
        state = self._state
        before = state.score
        if not state.play(action := int(action)):
            return self._observe(), self._illegal_reward, True, False, self._inform()
        self._reply(action)
        gained = float(state.score - before)
        reward = gained if self.role == "defender" else -gained
        return self._observe(), reward, state.over, False, self._inform()

    def _reply(self, last: int | None) -> None:
        """Let the opponent play if it is to move."""
        state = self._state
        if state.attacks == self._attacks or state.over:
            return
        if self._act is not None:
            state.play(self._act(state))
            return
        position = state.position()
        move = None if last is None else move_of(last, self.role, position.size)
        try:
            self._state.play(_action(position, self._opponent.choose(position, move)))
        except IllegalMoveError as error:
            raise IllegalMoveError(f"the opponent's {error}") from error

    def _observe(self) -> Seen:
        return self._observer.see(self._state, self.role)

    def _inform(self) -> dict[str, Any]:
        """Return the facts of the position."""
        state = self._state
        info = {
            "position": state.text,
            "score": state.score,
            "ply": state.ply,
            "largest_tile": state.largest_tile,
        }
        if self._observer.flat:
            info["action_mask"] = self._observer.mask(state, self.role)
        if self.render_mode == "human":
            self.render()
        return info

    def render(self) -> str | np.ndarray | None:
        """Draw the position in the render mode; None without one."""
        return drawing.render(self.position, self.render_mode)

    def close(self) -> None:
        """End the opponent."""
        self._opponent.close()


def _action(position: Position, move: str) -> int:
    """Return the action of a move; one that is illegal is an IllegalMoveError."""
    position.play(move)
    return action_of(move, position.size)


def check_role(role: Side, opponent: str | Chooser | Opponent, rules: Ruleset) -> None:
    """Refuse a role, an opponent and rules that cannot play together."""
    if role not in SIDES:
        raise ValueError(f"role {role!r}: want {' or '.join(SIDES)}")
    if rules == "solo" and (role, opponent) != ("defender", "chance"):
        raise ValueError("under solo the role is defender and the opponent chance: see SoloEnv")
    if opponent == "chance" and (role == "attacker" or rules == "gpcc2015"):
        raise ValueError(
            "opponent 'chance' attacks, and places 4s: want the role defender, under gpcc2016"
        )


class SoloEnv(RoleEnv):
    """The solo game: chance places a 2 (nine times in ten) or a 4 on an empty cell.

    Settings as of :class:`RoleEnv`, without role, opponent and rules. It begins with one tile,
    whereas the well-known 2048 begins with two.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(role="defender", opponent="chance", rules="solo", **settings)


register()
