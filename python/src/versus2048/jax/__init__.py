"""The game in JAX: an environment for many games at once, and the rules behind it.

:mod:`versus2048.jax.env` has the environment, :mod:`versus2048.jax.game` the rules as functions of
boards. Needs ``pip install 'versus2048[jax]'``.
"""

try:
    import jax as _jax  # noqa: F401 -- whether it is there
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "versus2048.jax needs JAX: pip install 'versus2048[jax]'", name=error.name
    ) from None

from versus2048.jax.env import Env, State, auto_reset
from versus2048.jax.game import Game

__all__ = ["Env", "Game", "State", "auto_reset"]
