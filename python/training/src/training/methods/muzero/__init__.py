"""Stochastic MuZero (Antonoglou et al. 2022) for the defender of a solo game.

It learns a model of the game and plans with it. The rules are used only to play, never within the
search: there, boards are vectors of numbers, and a move of chance is one of some codes.

    board --representation--> s --slide: afterstate--> a --code: dynamics--> s' --slide--> ...

- model: the functions of the network, and the encoder that tells which code chance has played
- search: slides by mctx.stochastic_muzero_policy, for many games at once
- selfplay: games in lockstep, and the turns to learn from
- unroll: the windows of turns that are learned from, and their loss
- method: the loop
"""

from training.methods.muzero.method import MuZero

__all__ = ["MuZero"]
