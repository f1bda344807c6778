"""Gymnasium environments: one role of the game against an opponent, and the solo game.

Importing this module registers ``versus2048/Defender-v0``, ``versus2048/Attacker-v0`` and
``versus2048/Solo-v0``. Observations and actions are the same as in
:mod:`versus2048.versus2048_v0`.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from versus2048 import opponents
from versus2048.observation import Observation, action_space, observation_space, observe
from versus2048.opponents import Chooser, Opponent
from versus2048.position import SIDES, IllegalMoveError, Position, Ruleset, Side, move_of
from versus2048.versus2048_v0 import (
    ATTEMPTS,
    ILLEGAL_REWARD,
    check_settings,
    opening,
    render,
    too_long,
)


class RoleEnv(gymnasium.Env[Any, Any]):
    """One role of the game, against an opponent that answers within the step.

    The reward of a step is the score of the slides in it, negative for an attacker. An illegal
    action ends the episode with the reward ``illegal_reward``. ``info`` has ``position`` (text),
    ``score``, ``ply`` and ``largest_tile``.

    Args:
        role: attacker or defender.
        opponent: random, greedy, ``exec:COMMAND``, a function, or an Opponent; see
            :func:`versus2048.opponents.make`. Under gpcc2016 a defender may also play chance.
        rules: gpcc2015, gpcc2016 or, for a defender against chance, solo.
        size: columns x rows, 2x2 to 4x4.
        opening_plies: plies drawn at random from the seed before the game, from 0.
        illegal_reward: the reward of an illegal action.
        render_mode: None, ansi (text) or rgb_array (pixels, shape (64*rows, 64*columns, 3)).

    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        role: Side = "defender",
        opponent: str | Chooser | Opponent = "greedy",
        rules: Ruleset = "gpcc2015",
        size: str = "4x4",
        opening_plies: int = 0,
        illegal_reward: float = ILLEGAL_REWARD,
        render_mode: str | None = None,
    ) -> None:
        _check(role, opponent, rules)
        check_settings(opening_plies, render_mode)
        self.role: Side = role
        self.render_mode = render_mode
        self.position = Position.empty(size, rules)
        self.observation_space = observation_space(self.position, role)
        self.action_space = action_space(self.position, role)
        self._start, self._opening_plies = self.position, opening_plies
        self._illegal_reward = illegal_reward
        self._opponent = opponents.make(opponent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game. The option ``position`` is text to start from, without an opening."""
        super().reset(seed=seed)
        for _ in range(ATTEMPTS):
            self.position = self._first_position(options)
            other: Side = "attacker" if self.role == "defender" else "defender"
            self._opponent.new_game(self.position, other, int(self.np_random.integers(1 << 53)))
            self._reply(None)
            if not self.position.over:  # as after an attacker's first move on a nearly full board
                return observe(self.position, self.role), self._info()
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

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's answer."""
        before = self.position
        if not self._legal(int(action)):
            return observe(before, self.role), self._illegal_reward, True, False, self._info()
        move = move_of(action, before.side, before.size)
        self.position = before.play(move)
        self._reply(move)
        gained = float(self.position.score - before.score)
        reward = gained if self.role == "defender" else -gained
        seen = observe(self.position, self.role)
        return seen, reward, self.position.over, False, self._info()

    def _legal(self, action: int) -> bool:
        return action in self.position.actions()

    def _reply(self, last: str | None) -> None:
        """Let the opponent play if it is to move."""
        if self.position.side != self.role and not self.position.over:
            move = self._opponent.choose(self.position, last)
            try:
                self.position = self.position.play(move)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"the opponent's {error}") from error

    def _info(self) -> dict[str, Any]:
        p = self.position
        facts = {"score": p.score, "ply": p.ply, "largest_tile": p.largest_tile}
        return {"position": str(p), **facts}

    def render(self) -> str | np.ndarray | None:
        """Draw the position in the render mode; None without one."""
        return render(self.position, self.render_mode)

    def close(self) -> None:
        """End the opponent."""
        self._opponent.close()


def _check(role: Side, opponent: str | Chooser | Opponent, rules: Ruleset) -> None:
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


def register() -> None:
    """Register the environments with Gymnasium, once."""
    views: tuple[tuple[str, Any, dict[str, Any]], ...] = (
        ("Defender", RoleEnv, {"role": "defender"}),
        ("Attacker", RoleEnv, {"role": "attacker"}),
        ("Solo", SoloEnv, {}),
    )
    for name, entry, settings in views:
        if f"versus2048/{name}-v0" not in gymnasium.registry:
            gymnasium.register(f"versus2048/{name}-v0", entry_point=entry, kwargs=settings)


register()
