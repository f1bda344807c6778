"""The two-player game versus 2048: an attacker places tiles, a defender slides.

A bot is a function from a turn to a move, and one call that plays with it::

    import versus2048

    def choose(turn):
        return turn.position.moves()[0]

    versus2048.run(choose)

The modules:

- :mod:`versus2048.position`: one position, as a value; the notation of moves.
- :mod:`versus2048.rules`: the rules for many boards at once, in NumPy.
- :mod:`versus2048.versus2048_v0`: the PettingZoo environment.
- :mod:`versus2048.views`: Gymnasium environments of one role; :mod:`versus2048.vector`: many at
  once.
- :mod:`versus2048.jax`: many games at once in JAX.
- :mod:`versus2048.policy`: the score of a policy, and the policy as a bot.
- :mod:`versus2048.optimum`: the expected score of perfect play, on small boards.
- :mod:`versus2048.opponents`, :mod:`versus2048.engine`: opponents for the other role;
  :mod:`versus2048.baselines`: the same for many games.
- :mod:`versus2048.bot`, :mod:`versus2048.stdio`, :mod:`versus2048.client`: bots for an arena.
- :func:`versus2048.load_games`: recorded games as arrays and tables (:mod:`versus2048.games`).
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from versus2048.bot import RESIGN, Answer, RootMove, Turn, run
from versus2048.position import IllegalMoveError, Position
from versus2048.registration import register

if TYPE_CHECKING:
    from versus2048.data import load_games

__all__ = [
    "RESIGN",
    "Answer",
    "IllegalMoveError",
    "Position",
    "RootMove",
    "Turn",
    "load_games",
    "run",
]
__version__ = "1.0.0"

with suppress(ImportError):  # without Gymnasium there is nothing to register
    register()


def __getattr__(name: str) -> Any:
    """Import load_games once it is asked for: PyArrow is slow to load, or is not there."""
    if name == "load_games":
        from versus2048.data import load_games

        return load_games
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
