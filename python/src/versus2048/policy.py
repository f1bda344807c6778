"""Policies in an environment: their scores, the baselines, and a policy as a bot for an arena.

A policy is a function from observations and masks to actions. Masks are bool, true for the legal
actions. In :func:`score` both are of many games, in :func:`bot` of one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from versus2048 import rules as batch
from versus2048.baselines import BASELINES
from versus2048.bot import Turn
from versus2048.observation import Observer
from versus2048.opponents import Chooser, greedy
from versus2048.position import IllegalMoveError, Ruleset, Side, move_of
from versus2048.state import State

Policy = Callable[[Any, Any], Any]


class Score(NamedTuple):
    """The mean score of complete games."""

    mean: float
    margin: float
    """Half of the 95 % interval, by the normal distribution."""
    games: int

    def __str__(self) -> str:
        return f"{self.mean:,.1f} \u00b1 {self.margin:,.1f}"


def score(policy: Policy, envs: Any, games: int = 1000, seed: int = 1) -> Score:
    """Play with a policy and return its mean score, which is the defender's in both roles.

    Every environment plays equally many games, so that long ones count as short ones do.

    Args:
        policy: from the observations of all games and masks (num_envs, actions) to actions. Games
            that have just ended have no legal action; theirs does not count.
        envs: a vector environment, such as ``gymnasium.make_vec`` makes.
        games: at least that many.
        seed: of the environments' random choices.

    """
    scores: list[list[int]] = [[] for _ in range(envs.num_envs)]
    each = -(-games // envs.num_envs)
    ended = np.zeros(envs.num_envs, bool)
    seen, _ = envs.reset(seed=seed)
    while min(map(len, scores)) < each:
        masks = _masks(envs)
        actions = np.asarray(policy(seen, masks))
        legal = masks[np.arange(len(masks)), actions]
        if not (legal | ended).all():
            raise IllegalMoveError(f"action {actions[~(legal | ended)][0]} is illegal")
        seen, _, ended, _, info = envs.step(actions)
        for i in np.flatnonzero(ended):
            scores[i].append(int(info["score"][i]))
    counted = np.array([its[:each] for its in scores])
    margin = 1.96 * counted.std(ddof=1) / counted.size**0.5 if counted.size > 1 else np.inf
    return Score(float(counted.mean()), float(margin), counted.size)


def baseline(bot: str, role: Side, rules: Ruleset = "gpcc2015", seed: int = 1) -> Policy:
    """Return the bot random, greedy or expectimax as a policy of many games.

    It is for environments without ``flat`` and ``equal_actions``. The seed is of the draws among
    equal moves.
    """
    rng, moves = np.random.default_rng(seed), BASELINES[bot]

    def choose(seen: Any, masks: Any) -> Any:
        boards = seen["observation"].argmax(axis=1).astype(np.uint8)
        return batch.draw(moves(boards, role, rules) & masks, rng)

    return choose


def _masks(envs: Any) -> Any:
    """Return the legal actions of our own vector environment, or of one that holds many."""
    ours = getattr(envs.unwrapped, "action_masks", None)
    return ours() if ours else np.stack(envs.call("action_masks"))


def bot(
    predict: Policy,
    flat: bool = False,
    equal_actions: bool = False,
    role: Side | None = None,
    other: Chooser = greedy,
) -> Callable[[Turn], str]:
    """Return a bot that plays the actions of a policy.

    Args:
        predict: from an observation and a mask, bool of shape (actions,), to an action.
        flat: as in the environment in which it learned.
        equal_actions: as in the environment in which it learned.
        role: in which it learned; None for both. In an event a bot plays both.
        other: plays the other role; see :mod:`versus2048.opponents`.

    """

    def choose(turn: Turn) -> str:
        position, side = turn.position, turn.position.side
        if side != (role or side):
            return other(position, np.random.default_rng((turn.seed, position.ply)))
        state, observer = State(position), Observer(position, flat, equal_actions)
        mask = observer.mask(state, side).astype(bool)
        return move_of(int(predict(observer.see(state, side), mask)), side, position.size)

    return choose
