"""Learning to play 2048: the game, networks and learning methods, as JAX."""
