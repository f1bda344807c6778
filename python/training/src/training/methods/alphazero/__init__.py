"""AlphaZero (Silver et al. 2018) for the game for two: self-play by a tree search, learned from.

One network serves both roles: a plane marks the side to move. The value of a position is the
further points, which the defender wants large and the attacker small.

- position: moves under one numbering for both roles
- search: PUCT for many games at once
- selfplay: games in lockstep, their openings, temperature and noise
- window: the positions to learn from, their targets and symmetric forms
- method: the loop
- exact, evaluation: the learned play against perfect play
"""

from training.methods.alphazero.method import AlphaZero

__all__ = ["AlphaZero"]
