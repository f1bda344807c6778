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
an edge without visits counts as the worst. While all means are equal, all edges count as the worst:
no move is better than another because it was tried. Positions with the defender mated have their
points as value. Equal positions do not share a node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from versus2048.jax.game import Game

from training.methods.alphazero.position import Position, legal, play
from training.value import Transform, transform

_ROOT = 0
_NONE = -1
_ROUNDING = 1e-6
"""How much means of equal values may differ, as a share of them: some last bits of a float32."""

Evaluate = Callable[[Position], tuple[Array, Array]]
"""A network's outputs for positions: logits (n, actions), and the further points (n,)."""


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
    """The result of a search for each root."""

    visits: Array
    """The visits of each move, int32 of shape (n, actions)."""
    value: Array
    """The mean of all values that were found, transformed, float32 of shape (n,)."""


class _Tree(NamedTuple):
    """Trees of one size: arrays (n, nodes) or (n, nodes, actions). Node 0 is the root.

    A node has the N and W of the edge that leads to it, so that a simulation changes small arrays.
    """

    position: Position
    ended: Array
    prior: Array
    """P of a node's moves, or -1 of an illegal one."""
    child: Array
    """The node behind a move, or -1."""
    visits: Array
    total: Array
    low: Array
    high: Array
    """The bounds of all means so far, shape (n,)."""


class _Path(NamedTuple):
    """The way of a simulation in each tree: its nodes, and the move behind the last of them."""

    node: Array
    """The last one, shape (n,)."""
    action: Array
    nodes: Array
    """All of them, bool of shape (n, nodes)."""


def search(
    game: Game, evaluate: Evaluate, settings: Settings, key: Array, roots: Position
) -> Found:
    """Search from roots, which must have legal moves. Without noise the key has no effect."""
    logits, further = evaluate(roots)
    value = transform(settings.transform, roots.points + further)
    prior = _prior(logits, legal(game, roots))
    prior = _noisy(key, prior, settings) if settings.noise else prior
    tree = _planted(roots, prior, value, settings.simulations + 1)

    def simulate(new: Array, tree: _Tree) -> _Tree:
        path = _descend(tree, settings)
        return _grow(game, evaluate, settings, tree, path, new)

    tree = jax.lax.fori_loop(1, settings.simulations + 1, simulate, tree)
    children = tree.child[:, _ROOT]
    visits = jnp.where(children == _NONE, 0, _of(tree.visits, children)).astype(jnp.int32)
    return Found(visits, tree.total[:, _ROOT] / tree.visits[:, _ROOT])


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


def _planted(roots: Position, prior: Array, value: Array, nodes: int) -> _Tree:
    """Return trees that have a root alone, with its value as a first visit."""
    n, actions = prior.shape

    def empty(x: Array) -> Array:
        return jnp.zeros((n, nodes, *x.shape[1:]), x.dtype).at[:, _ROOT].set(x)

    return _Tree(
        position=jax.tree.map(empty, roots),
        ended=jnp.zeros((n, nodes), bool),
        prior=empty(prior),
        child=jnp.full((n, nodes, actions), _NONE, jnp.int32),
        visits=empty(jnp.ones(n)),
        total=empty(value),
        low=value,
        high=value,
    )


def _descend(tree: _Tree, settings: Settings) -> _Path:
    """Follow the best moves to one that leads to a new position or to the game's end."""
    numbers = jnp.arange(tree.visits.shape[1])

    def going(state: tuple[_Path, Array]) -> Array:
        return jnp.any(state[1])

    def down(state: tuple[_Path, Array]) -> tuple[_Path, Array]:
        path, active = state
        child = _of(_of(tree.child, path.node), path.action)
        on = active & (child != _NONE) & ~_of(tree.ended, child)
        node = jnp.where(on, child, path.node)
        action = jnp.where(on, _best(tree, node, settings), path.action)
        return _Path(node, action, path.nodes | (numbers == node[:, None])), on

    root = jnp.full(len(tree.low), _ROOT)
    nodes = jnp.broadcast_to(numbers == _ROOT, tree.visits.shape)
    first = _Path(root, _best(tree, root, settings), nodes)
    return jax.lax.while_loop(going, down, (first, root == _ROOT))[0]


def _best(tree: _Tree, node: Array, settings: Settings) -> Array:
    """Return the move of each node that the formula above prefers, the first among equal ones."""
    prior, child = _of(tree.prior, node), _of(tree.child, node)
    visits = jnp.where(child == _NONE, 0.0, _of(tree.visits, child))
    mean = _of(tree.total, child) / jnp.maximum(visits, 1)
    span = tree.high - tree.low
    share = (mean - tree.low[:, None]) / jnp.maximum(span, 1e-9)[:, None]
    attacker = _of(tree.position.attacker, node)[:, None]
    differ = span > _ROUNDING * jnp.maximum(jnp.abs(tree.low), jnp.abs(tree.high))
    known = (visits > 0) & differ[:, None]
    quality = jnp.where(known, jnp.where(attacker, 1 - share, share), 0.0)
    parent = _of(tree.visits, node)[:, None]
    c = jnp.log((1 + parent + settings.c_base) / settings.c_base) + settings.c_init
    score = quality + c * prior * jnp.sqrt(parent) / (1 + visits)
    return jnp.argmax(jnp.where(prior >= 0, score, -jnp.inf), axis=-1)


def _grow(
    game: Game, evaluate: Evaluate, settings: Settings, tree: _Tree, path: _Path, new: Array
) -> _Tree:
    """Add the ends of paths as node new of each tree, and their values to all nodes on the paths.

    A game's end may be there already; then node new has no visit.
    """
    before = jax.tree.map(lambda x: _of(x, path.node), tree.position)
    position, moves = play(game, before, path.action)
    ended = ~moves.any(-1)
    logits, further = evaluate(position)
    value = transform(settings.transform, position.points + jnp.where(ended, 0.0, further))
    known = _of(_of(tree.child, path.node), path.action)
    leaf = jnp.where(known == _NONE, new, known)
    tree = tree._replace(
        position=jax.tree.map(lambda x, y: x.at[:, new].set(y), tree.position, position),
        ended=tree.ended.at[:, new].set(ended),
        prior=tree.prior.at[:, new].set(_prior(logits, moves)),
        child=tree.child.at[jnp.arange(len(leaf)), path.node, path.action].set(
            leaf, mode="promise_in_bounds", unique_indices=True
        ),
    )
    nodes = path.nodes | (jnp.arange(tree.visits.shape[1]) == leaf[:, None])
    return _back_up(tree, nodes, value)


def _back_up(tree: _Tree, nodes: Array, value: Array) -> _Tree:
    """Add values (n,) to nodes, bool of shape (n, nodes)."""
    visits = tree.visits + nodes
    total = tree.total + jnp.where(nodes, value[:, None], 0.0)
    mean = total / jnp.maximum(visits, 1)
    return tree._replace(
        visits=visits,
        total=total,
        low=jnp.minimum(tree.low, jnp.where(nodes, mean, jnp.inf).min(-1)),
        high=jnp.maximum(tree.high, jnp.where(nodes, mean, -jnp.inf).max(-1)),
    )


def _of(options: Array, index: Array) -> Array:
    """Return the entries of axis 1 that index, of shape (n,) or (n, k), names in each row."""
    rows = jnp.arange(len(index)).reshape(-1, *[1] * (index.ndim - 1))
    return options.at[rows, index].get(mode="promise_in_bounds", wrap_negative_indices=True)
