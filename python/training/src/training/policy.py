"""A network that names slides, as a player of solo games: alone, or by the votes of all symmetries.

Kondo and Matsuzaki 2020 call this 1-board and 8-board play. ``python -m training.policy FILE``
plays games with a network of the method ``cnn`` and prints its scores.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray
from versus2048.jax.game import Played, take

from training import data
from training.config import LARGEST_COUNT, LARGEST_SEED
from training.layers import Params
from training.machine import DeviceError, computing
from training.network import Description, Network, NetworkError, load

FUNCTION = "policy"
"""The network's function: of a board before a slide, to four logits for N, S, W, E."""
_CONFIDENCE = 1.959964  # the normal distribution's quantile of 97.5 %
_FEWEST = 128  # games that are played to their end together
_AT_ONCE = 1000


def vote(logits: Array, legal: Array, images: NDArray[np.int32]) -> Array:
    """Return the slides (n,) that most images of each board name; of a tie, the surest.

    logits (n, images, 4) are a policy's for each image, in the image's own directions; legal (n, 4)
    says which slides change the board; images (images, 4) where slides go, as
    ``Game.symmetric_slides``. Each image votes for its most probable legal slide; ties are broken
    by the sums of the probabilities of the legal slides.
    """
    to_board = jnp.asarray(np.argsort(images, axis=1))
    masked = jnp.where(legal[:, to_board], logits, -jnp.inf)
    votes = jnp.take_along_axis(to_board[None], masked.argmax(-1)[..., None], -1)
    counts = jax.nn.one_hot(votes[..., 0], 4).sum(1)
    policy = jnp.take_along_axis(jax.nn.softmax(masked), jnp.asarray(images)[None], -1)
    # The sums are at most the number of images: divided, they cannot outweigh a vote.
    total = counts + policy.sum(1) / (len(images) + 1)
    return jnp.where(legal, total, -jnp.inf).argmax(-1)


def choose(
    description: Description, params: Params, board: Array, legal: Array, all_: bool
) -> Array:
    """Return a policy's slides (n,) for boards (n, height, width): of each board, or by all images.

    A board without a legal slide gets any number.
    """
    game = description.game
    images = game.symmetries(board) if all_ else board[:, None]
    logits = description.apply_boards(params, FUNCTION, images)
    return vote(logits, legal, game.symmetric_slides[: images.shape[1]])


@partial(jax.jit, static_argnums=(0, 4))
def _agreeing(
    description: Description, params: Params, board: Array, slide: Array, all_: bool
) -> Array:
    """Count the boards with this slide as the policy's choice."""
    legal = description.game.slide(board).legal
    return jnp.sum(choose(description, params, board, legal, all_) == slide)


def agreement(
    description: Description, params: Params, positions: data.Positions, all_: bool
) -> float:
    """Return the share of a teacher's positions with the same slide by a policy."""
    boards, slides = data.on_device(positions)
    agreed = 0
    for begin in range(0, len(positions), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        agreed += int(_agreeing(description, params, boards[part], slides[part], all_))
    return agreed / len(positions)


class _Games(NamedTuple):
    """Solo games in progress: the fields of Played, with boards, and which games go on."""

    key: Array
    board: Array
    score: Array
    slides: Array
    going: Array

    def only(self, rows: Array) -> _Games:
        return _Games(self.key, *(field[rows] for field in self[1:]))


@partial(jax.jit, static_argnums=(0, 3))
def _play_until(
    description: Description, params: Params, games: _Games, all_: bool, few: Array
) -> _Games:
    """Play on, until no more than a few games go on."""
    game = description.game

    def turn(games: _Games) -> _Games:
        key, placed = jax.random.split(games.key)
        options = game.slide(games.board)
        slide = choose(description, params, games.board, options.legal, all_)
        going = take(options.legal, slide)
        after = game.spawn(placed, take(options.after, slide))
        board = jnp.where(going[:, None, None], after, games.board)
        score = games.score + take(options.gain, slide)
        return _Games(key, board, score, games.slides + going, going)

    return jax.lax.while_loop(lambda games: games.going.sum() > few, turn, games)


def play(description: Description, params: Params, key: Array, games: int, all_: bool) -> Played:
    """Play solo games to their ends, in the order of their beginnings.

    They are played in lockstep. Whenever half of them have ended, the network goes on with the
    other half, so that little is computed for games that are over. The result depends on the key
    and the number of games.
    """
    key, first = jax.random.split(key)
    none = jnp.zeros(games, jnp.int32)
    state = _Games(key, description.game.start(first, (games,)), none, none, jnp.ones(games, bool))
    number = np.arange(games)
    ended = [np.zeros(games, np.int32) for _ in range(3)]
    while len(number):
        few = len(number) // 2 if len(number) > _FEWEST else 0
        state = _play_until(description, params, state, all_, jnp.asarray(few))
        found = (state.score, state.slides, state.board.max((-1, -2)))
        for column, values in zip(ended, found, strict=True):
            column[number] = values
        rows = np.argsort(~np.asarray(state.going), kind="stable")[:few]
        state, number = state.only(jnp.asarray(rows)), number[rows]
    score, slides, largest = map(jnp.asarray, ended)
    return Played(score, slides, largest)


def summary(played: Played) -> dict[str, Any]:
    """Summarise games: scores and the share of games with a 2048, with intervals of 95 %.

    score_error is half the mean's interval (of the normal distribution), None of a single game;
    with_2048_low and with_2048_high are the share's interval (Wilson's).
    """
    scores = np.asarray(played.score, np.float64)
    error = None
    if len(scores) > 1:
        error = float(_CONFIDENCE * scores.std(ddof=1) / len(scores) ** 0.5)
    share = float(np.mean(np.asarray(played.largest) >= 11))
    low, high = _wilson(share, len(scores))
    return {
        "games": len(scores),
        "score": float(scores.mean()),
        "score_error": error,
        "highest": float(scores.max()),
        "with_2048": share,
        "with_2048_low": low,
        "with_2048_high": high,
        "slides": float(np.mean(np.asarray(played.slides))),
    }


def _wilson(share: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927)."""
    z = _CONFIDENCE**2 / games
    middle = (share + z / 2) / (1 + z)
    half = (z * (share * (1 - share) + z / 4)) ** 0.5 / (1 + z)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def measure(network: Network, games: int, seed: int, all_: bool) -> dict[str, Any]:
    """Play games with a network and summarise them. ValueError if it is no policy for solo."""
    description = network.description
    if network.method != "cnn" or description.game.rules != "solo":
        kind = f"{network.method}, {description.game.rules}"
        raise ValueError(f"a network of {kind}: want cnn, solo")
    played = play(description, network.params, jax.random.key(seed), games, all_)
    return {"boards": "all" if all_ else "1", "seed": seed, **summary(played)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command ``python -m training.policy``; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m training.policy",
        description="Play solo games with networks of cnn; a line of JSON for each.",
    )
    parser.add_argument(
        "network", type=Path, nargs="+", help="a network, such as final.safetensors"
    )
    parser.add_argument("--games", type=int, default=1000, help="how many games, 1 or more")
    parser.add_argument("--boards", choices=("1", "all"), default="1", help="the boards that vote")
    parser.add_argument("--seed", type=int, default=1, help="of the tiles that chance places")
    options = parser.parse_args(arguments)
    if not 1 <= options.games <= LARGEST_COUNT:
        parser.exit(2, f"{parser.prog}: --games {options.games}: want 1 to {LARGEST_COUNT}\n")
    if not 0 <= options.seed <= LARGEST_SEED:
        parser.exit(2, f"{parser.prog}: --seed {options.seed}: want 0 to {LARGEST_SEED}\n")
    for path in options.network:
        try:
            with computing():
                found = measure(load(path), options.games, options.seed, options.boards == "all")
        except (DeviceError, MemoryError, ValueError) as error:
            where = "" if isinstance(error, NetworkError) else f"{path}: "  # which names it
            print(f"{parser.prog}: {where}{error}", file=sys.stderr)
            return 1 if isinstance(error, DeviceError | MemoryError) else 2
        print(json.dumps({"network": str(path), **found}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
