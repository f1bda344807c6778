"""AlphaZero's tree search for many games at once, in JAX.

Silver et al. 2018, "A general reinforcement learning algorithm that masters chess, shogi, and Go
through self-play": each edge of a tree has the visits N, the sum of values W, their mean Q = W / N
and the network's prior P. A simulation follows

    argmax  Q + c(s) P sqrt(1 + sum N) / (1 + N)
    c(s) = log((2 + sum N + c_base) / c_base) + c_init

to a new position, which the network values, and adds that value to all edges on its path.

Two things differ here, since a game has a final score instead of a winner. A value is T(points so
far + further points) with T the transform of the network's values; the defender prefers large ones
and the attacker small ones. Q is therefore brought to [0, 1] by the smallest and the largest mean
in the tree, as in MuZero (Schrittwieser et al. 2020, appendix B), and reversed for the attacker;
an edge without visits counts as the worst. Positions in which the defender is mated have their
points as value. Equal positions do not share a node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.game import Game
from training.methods.alphazero.position import Position, legal, play
from training.value import Transform, transform

_ROOT = 0
_NONE = -1

Evaluate = Callable[[Position], tuple[Array, Array]]
"""What a network says of positions: logits (n, actions), and the further points (n,)."""


@dataclass(frozen=True)
class Settings:
    """How to search."""

    simulations: int = 32
    """Positions added to a tree, at least 1."""
    c_init: float = 1.25
    c_base: float = 19652.0
    noise: float = 0.0
    """The share of Dirichlet noise in the priors at the root, 0 to 1."""
    concentration: float = 10.0
    """Of that noise: alpha is this number divided by the number of legal moves."""
    transform: Transform = "sqrt"
    """T of the final score."""


class Found(NamedTuple):
    """What a search says of each root."""

    visits: Array
    """Of each move, int32 of shape (n, actions)."""
    value: Array
    """The mean of all values that were found, transformed, float32 of shape (n,)."""


class _Tree(NamedTuple):
    """Trees of one size: arrays (n, nodes) or (n, nodes, actions). Node 0 is the root."""

    position: Position
    parent: Array
    action: Array
    """The move that led to a node."""
    ended: Array
    prior: Array
    """P, or -1 of an illegal move."""
    visits: Array
    total: Array
    child: Array
    """The node behind an edge, or -1."""
    low: Array
    high: Array
    """The bounds of all means so far, shape (n,)."""


class _Edge(NamedTuple):
    """An edge of each tree, arrays (n,)."""

    node: Array
    action: Array


def search(
    game: Game, evaluate: Evaluate, settings: Settings, key: Array, roots: Position
) -> Found:
    """Search from roots, which must have legal moves. Without noise the key has no effect."""
    logits, further = evaluate(roots)
    value = transform(settings.transform, roots.points + further)
    prior = _prior(logits, legal(game, roots))
    prior = _noisy(key, prior, settings) if settings.noise else prior
    tree = _planted(roots, prior, settings.simulations + 1)

    def simulate(node: Array, state: tuple[_Tree, Array]) -> tuple[_Tree, Array]:
        tree, total = state
        edge = _descend(tree, settings)
        tree, leaf, found = _expand(game, evaluate, settings, tree, edge, node)
        return _back_up(tree, leaf, found), total + found

    tree, total = jax.lax.fori_loop(1, settings.simulations + 1, simulate, (tree, value))
    visits = tree.visits[:, _ROOT].astype(jnp.int32)
    return Found(visits, total / (settings.simulations + 1))


def _prior(logits: Array, legal: Array) -> Array:
    """Return P of the legal moves, never 0, and -1 of the others."""
    share = jax.nn.softmax(jnp.where(legal, logits, -jnp.inf))
    return jnp.where(legal, jnp.maximum(jnp.nan_to_num(share), 1e-6), -1.0)


def _noisy(key: Array, prior: Array, settings: Settings) -> Array:
    """Mix Dirichlet noise into priors (n, actions)."""
    legal = prior >= 0
    alpha = settings.concentration / legal.sum(-1, keepdims=True)
    drawn = jnp.where(legal, jax.random.gamma(key, jnp.broadcast_to(alpha, prior.shape)), 0.0)
    noise = drawn / jnp.maximum(drawn.sum(-1, keepdims=True), 1e-12)
    return jnp.where(legal, (1 - settings.noise) * prior + settings.noise * noise, -1.0)


def _planted(roots: Position, prior: Array, nodes: int) -> _Tree:
    """Return trees that have a root alone."""
    n, actions = prior.shape
    position = jax.tree.map(
        lambda x: jnp.zeros((n, nodes, *x.shape[1:]), x.dtype).at[:, _ROOT].set(x), roots
    )
    edges = jnp.zeros((n, nodes, actions), jnp.float32)
    return _Tree(
        position=position,
        parent=jnp.zeros((n, nodes), jnp.int32),
        action=jnp.zeros((n, nodes), jnp.int32),
        ended=jnp.zeros((n, nodes), bool),
        prior=edges.at[:, _ROOT].set(prior),
        visits=edges,
        total=edges,
        child=jnp.full((n, nodes, actions), _NONE, jnp.int32),
        low=jnp.full(n, jnp.inf),
        high=jnp.full(n, -jnp.inf),
    )


def _descend(tree: _Tree, settings: Settings) -> _Edge:
    """Follow the best edges to one that leads to a new position or to the game's end."""
    rows = jnp.arange(len(tree.low))

    def going(state: tuple[_Edge, Array]) -> Array:
        return jnp.any(state[1])

    def down(state: tuple[_Edge, Array]) -> tuple[_Edge, Array]:
        edge, active = state
        child = tree.child[rows, edge.node, edge.action]
        on = active & (child != _NONE) & ~tree.ended[rows, child]
        node = jnp.where(on, child, edge.node)
        return _Edge(node, jnp.where(on, _best(tree, node, settings), edge.action)), on

    root = jnp.full(len(rows), _ROOT)
    first = _Edge(root, _best(tree, root, settings))
    return jax.lax.while_loop(going, down, (first, rows >= 0))[0]


def _best(tree: _Tree, node: Array, settings: Settings) -> Array:
    """Return the move of each node that the formula above prefers, the first among equal ones."""
    rows = jnp.arange(len(node))
    visits, prior = tree.visits[rows, node], tree.prior[rows, node]
    mean = tree.total[rows, node] / jnp.maximum(visits, 1)
    share = (mean - tree.low[:, None]) / jnp.maximum(tree.high - tree.low, 1e-9)[:, None]
    attacker = tree.position.attacker[rows, node][:, None]
    quality = jnp.where(visits > 0, jnp.where(attacker, 1 - share, share), 0.0)
    parent = 1 + visits.sum(-1, keepdims=True)
    c = jnp.log((1 + parent + settings.c_base) / settings.c_base) + settings.c_init
    score = quality + c * prior * jnp.sqrt(parent) / (1 + visits)
    return jnp.argmax(jnp.where(prior >= 0, score, -jnp.inf), axis=-1)


def _expand(
    game: Game, evaluate: Evaluate, settings: Settings, tree: _Tree, edge: _Edge, new: Array
) -> tuple[_Tree, Array, Array]:
    """Add what edges lead to as node new of each tree, unless it is there; return it and its value.

    Only a game's end can be there. It is written again as it was.
    """
    rows = jnp.arange(len(edge.node))
    before = jax.tree.map(lambda x: x[rows, edge.node], tree.position)
    position, moves = play(game, before, edge.action)
    ended = ~moves.any(-1)
    logits, further = evaluate(position)
    value = transform(settings.transform, position.points + jnp.where(ended, 0.0, further))
    known = tree.child[rows, edge.node, edge.action]
    leaf = jnp.where(known == _NONE, new, known)
    tree = tree._replace(
        position=jax.tree.map(lambda x, y: x.at[rows, leaf].set(y), tree.position, position),
        parent=tree.parent.at[rows, leaf].set(edge.node),
        action=tree.action.at[rows, leaf].set(edge.action),
        ended=tree.ended.at[rows, leaf].set(ended),
        prior=tree.prior.at[rows, leaf].set(_prior(logits, moves)),
        child=tree.child.at[rows, edge.node, edge.action].set(leaf),
    )
    return tree, leaf, value


def _back_up(tree: _Tree, leaf: Array, value: Array) -> _Tree:
    """Add values (n,) to all edges from leaves to roots."""
    rows = jnp.arange(len(leaf))

    def going(state: tuple[_Tree, Array]) -> Array:
        return jnp.any(state[1] != _ROOT)

    def up(state: tuple[_Tree, Array]) -> tuple[_Tree, Array]:
        tree, node = state
        below = node != _ROOT
        parent, action = tree.parent[rows, node], tree.action[rows, node]
        visits = tree.visits[rows, parent, action] + below
        total = tree.total[rows, parent, action] + jnp.where(below, value, 0.0)
        mean = total / jnp.maximum(visits, 1)
        tree = tree._replace(
            visits=tree.visits.at[rows, parent, action].set(visits),
            total=tree.total.at[rows, parent, action].set(total),
            low=jnp.where(below, jnp.minimum(tree.low, mean), tree.low),
            high=jnp.where(below, jnp.maximum(tree.high, mean), tree.high),
        )
        return tree, jnp.where(below, parent, node)

    return jax.lax.while_loop(going, up, (tree, leaf))[0]
