"""Many games of one role at once, for ``gymnasium.make_vec``, by :mod:`versus2048.rules`."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from versus2048 import rules as batch
from versus2048.baselines import BASELINES
from versus2048.observation import Observer
from versus2048.position import Position, Ruleset, Side
from versus2048.rules import Boards
from versus2048.versus2048_v0 import ATTEMPTS, ILLEGAL_REWARD, check_settings, too_long
from versus2048.views import check_role


class VectorRoleEnv(VectorEnv[Any, Any, Any]):
    """Many games of :class:`versus2048.views.RoleEnv`, in lockstep.

    A game that has ended begins anew with the next step, whose action does not count.

    Args:
        num_envs: the number of games.
        role: attacker or defender.
        opponent: random, greedy, expectimax or, for a defender, chance.
        rules: gpcc2015, gpcc2016 or, for a defender against chance, solo.
        size: columns x rows, 2x2 to 4x4.
        opening_plies: plies drawn at random before each game, from 0.
        illegal_reward: the reward of an illegal action, which ends the game.
        flat: observations are vectors of the planes; ``action_masks()`` has the masks.
        equal_actions: both roles have equally many actions.

    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        role: Side = "defender",
        opponent: str = "greedy",
        rules: Ruleset = "gpcc2015",
        size: str = "4x4",
        opening_plies: int = 0,
        illegal_reward: float = ILLEGAL_REWARD,
        flat: bool = False,
        equal_actions: bool = False,
    ) -> None:
        check_role(role, opponent, rules)
        check_settings(opening_plies, render_mode=None)
        if opponent not in (*BASELINES, "chance"):
            raise ValueError(
                f"opponent {opponent!r} of many games: want {', '.join(BASELINES)} or chance; "
                "others play with vectorization_mode='sync' or 'async'"
            )
        self.num_envs, self.role, self._rules = num_envs, role, rules
        self._opponent, self._illegal_reward = opponent, illegal_reward
        start = Position.empty(size, rules)
        self._start, self._opening_plies = start, opening_plies
        observer = Observer(start, flat, equal_actions)
        self._flat = flat
        self.single_observation_space = observer.observation_space(role)
        self.single_action_space = observer.action_space(role)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.boards = batch.empty(num_envs, *start.size)
        """The boards, exponents as in versus2048.rules."""
        self._mask = np.zeros((num_envs, int(self.single_action_space.n)), np.int8)
        self._score = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games. One seed makes all of them repeatable; of a list the first one does."""
        if options and "position" in options:
            raise ValueError(
                "many games begin at no position: want vectorization_mode='sync' or 'async'"
            )
        super().reset(seed=seed[0] if isinstance(seed, list) else seed, options=options)
        self._begin(np.ones(self.num_envs, bool))
        return self._observed()

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play an action in each game that goes on, and the opponent's answers."""
        actions = np.asarray(actions)
        began = self._over
        legal = self._mask[np.arange(self.num_envs), actions] == 1
        going = np.flatnonzero(legal & ~began)
        before = self._score.copy()
        self._begin(began)
        after = (self._defend if self.role == "defender" else self._attack)(going, actions[going])
        self.boards[going] = after
        gained = (self._score - before) * (1.0 if self.role == "defender" else -1.0)
        gained[began] = 0.0
        gained[~legal & ~began] = self._illegal_reward
        seen, info = self._observed()
        self._over = np.asarray(~legal & ~began) | self._mated
        return seen, gained, self._over.copy(), np.zeros(self.num_envs, bool), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of all games, shape (num_envs, actions)."""
        return self._mask.astype(bool)

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Begin some of the games; openings that end in a mate are drawn anew."""
        waiting, self._over = np.flatnonzero(which), self._over & ~which
        for _ in range(ATTEMPTS):
            if not len(waiting):
                return
            boards, score, alive = self._opened(len(waiting))
            begun = waiting[alive]
            self.boards[begun], self._score[begun] = boards[alive], score[alive]
            waiting = np.delete(waiting, alive)
        raise too_long(self._opening_plies, self._start)

    def _opened(self, n: int) -> tuple[Boards, NDArray[np.int64], NDArray[np.intp]]:
        """Return boards after openings, with their scores, and which of them are not mated."""
        boards, score = batch.empty(n, *self._start.size), np.zeros(n, np.int64)
        alive = np.arange(n)
        answers = self._opening_plies % 2 != (self.role == "defender")
        for ply in range(self._opening_plies + answers):
            if not len(alive):
                break
            bot = "random" if ply < self._opening_plies else self._opponent
            if ply % 2 == 0:
                boards[alive] = self._placed(boards[alive], bot)
                alive = alive[~batch.over(boards[alive])]
            else:
                boards[alive], points = self._slid(boards[alive], bot)
                score[alive] += points
        return boards, score, alive

    def _defend(self, games: NDArray[np.intp], actions: NDArray[Any]) -> Boards:
        after, points = batch.slide_each(self.boards[games], actions)
        self._score[games] += points
        return self._placed(after, self._opponent) if len(games) else after

    def _attack(self, games: NDArray[np.intp], actions: NDArray[Any]) -> Boards:
        after = batch.place_each(self.boards[games], actions, self._rules)
        alive = ~batch.over(after)
        if alive.any():
            after[alive], points = self._slid(after[alive], self._opponent)
            self._score[games[alive]] += points
        return after

    def _placed(self, boards: Boards, bot: str) -> Boards:
        """Return boards after a placement of a bot."""
        if bot == "chance":
            return batch.chance(boards, self.np_random)
        moves = BASELINES[bot](boards, "attacker", self._rules)
        return batch.place_each(boards, batch.draw(moves, self.np_random), self._rules)

    def _slid(self, boards: Boards, bot: str) -> tuple[Boards, batch.Scores]:
        """Return boards after a slide of a bot, and its points."""
        moves = BASELINES[bot](boards, "defender", self._rules)
        return batch.slide_each(boards, batch.draw(moves, self.np_random))

    def _observed(self) -> tuple[Any, dict[str, Any]]:
        """Return observations and facts; note the mates.

        A board without a slide is a mate in both roles: after a slide there is an empty cell.
        """
        legal = batch.legal(self.boards, self.role, self._rules)
        self._mated = batch.over(self.boards) & self.boards.any(axis=(1, 2))
        self._mask = np.zeros_like(self._mask)
        self._mask[:, : legal.shape[1]] = legal & ~self._mated[:, None]
        planes = batch.planes(self.boards)
        info = {"score": self._score.copy(), "_score": np.ones(self.num_envs, bool)}
        if self._flat:
            return planes.reshape(self.num_envs, -1), info
        return {"observation": planes, "action_mask": self._mask.copy()}, info


class VectorSoloEnv(VectorRoleEnv):
    """Many solo games; settings as of :class:`VectorRoleEnv`, without role, opponent and rules."""

    def __init__(self, num_envs: int = 1, **settings: Any) -> None:
        super().__init__(num_envs, role="defender", opponent="chance", rules="solo", **settings)
