#!/usr/bin/env python3
"""Learn to defend with PPO on versus2048.jax, without other libraries.

    pip install './python[jax]'
    python3 jax_ppo.py [UPDATES]

A perceptron sees the planes of a 3x3 board; the opponent is random. It prints the mean points a
step before and after: a defender that learns loses later, and merges larger tiles.
"""

import sys
from typing import Any

import jax
import jax.numpy as jnp

from versus2048.jax import Env, State, auto_reset

GAMES, TURNS, EPOCHS, RATE, DISCOUNT, CLIP = 128, 32, 4, 1e-3, 0.97, 0.2
SCALE = 1 / 32  # of points, so that values are near 1
env = Env("gpcc2015", "3x3", role="defender")
step = jax.vmap(auto_reset(env))


def dense(key: Any, inputs: int, outputs: int) -> dict[str, Any]:
    """Return the parameters of a layer."""
    drawn = jax.random.normal(key, (inputs, outputs)) * (2 / inputs) ** 0.5
    return {"weight": drawn, "bias": jnp.zeros(outputs)}


def network(parameters: list[Any], state: State) -> tuple[Any, Any]:
    """Return the logarithms of the policy, and the values."""
    x = state.observation.reshape(len(state.score), -1).astype(jnp.float32)
    *hidden, last = parameters
    for layer in hidden:
        x = jax.nn.relu(x @ layer["weight"] + layer["bias"])
    out = x @ last["weight"] * 0.1 + last["bias"]
    logits = jnp.where(state.legal_action_mask, out[:, :4], -1e9)
    return jax.nn.log_softmax(logits), out[:, 4]


def played(parameters: list[Any], state: State, key: Any) -> tuple[State, Any]:
    """Play some turns; return the states, actions, their logarithms, rewards, ends and values."""

    def turn(state: State, key: Any) -> tuple[State, Any]:
        drawn, placed = jax.random.split(key)
        policy, value = network(parameters, state)
        action = jax.random.categorical(drawn, policy)
        chosen = jnp.take_along_axis(policy, action[:, None], 1)[:, 0]
        after = step(state, action, jax.random.split(placed, GAMES))
        return after, (state, action, chosen, after.rewards[:, 0], after.terminated, value)

    return jax.lax.scan(turn, state, jax.random.split(key, TURNS))


def loss(parameters: list[Any], batch: Any) -> Any:
    """Return PPO's loss (Schulman et al. 2017)."""
    state, action, before, advantage, target = batch
    policy, value = jax.vmap(lambda s: network(parameters, s))(state)
    ratio = jnp.exp(jnp.take_along_axis(policy, action[..., None], -1)[..., 0] - before)
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage)
    entropy = -jnp.sum(jnp.exp(policy) * jnp.maximum(policy, -1e3), -1)
    return jnp.mean(0.5 * (value - target) ** 2 - gain - 0.01 * entropy)


@jax.jit
def update(parameters: list[Any], moments: Any, state: State, key: Any) -> Any:
    """Play, then learn from these turns; return what changes, and the mean points a step."""
    state, (seen, action, before, reward, over, value) = played(parameters, state, key)

    def back(after: Any, turn: Any) -> Any:
        reward, over = turn
        total = reward * SCALE + DISCOUNT * jnp.where(over, 0, after)
        return total, total

    _, last = network(parameters, state)
    _, target = jax.lax.scan(back, last, (reward, over), reverse=True)
    advantage = target - value
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    for _ in range(EPOCHS):
        slope = jax.grad(loss)(parameters, (seen, action, before, advantage, target))
        moments = jax.tree.map(lambda m, g: (0.9 * m[0] + 0.1 * g, 0.99 * m[1] + 0.01 * g * g),
                               moments, slope, is_leaf=lambda m: isinstance(m, tuple))  # fmt: skip
        parameters = jax.tree.map(lambda p, m: p - RATE * m[0] / (jnp.sqrt(m[1]) + 1e-6),
                                  parameters, moments)  # fmt: skip
    return parameters, moments, state, reward.mean()


updates = int(sys.argv[1]) if len(sys.argv) > 1 else 200
keys = jax.random.split(jax.random.key(1), updates + 4)
planes = env.observation_shape[0] * env.observation_shape[1] * env.observation_shape[2]
parameters = [dense(keys[0], planes, 64), dense(keys[1], 64, 64), dense(keys[2], 64, 5)]
moments = jax.tree.map(lambda p: (jnp.zeros_like(p), jnp.zeros_like(p)), parameters)
state = jax.vmap(env.init)(jax.random.split(keys[3], GAMES))
points = []
for key in keys[4:]:
    parameters, moments, state, mean = update(parameters, moments, state, key)
    points.append(float(mean))
few = max(1, updates // 10)
print(f"points a step: {sum(points[:few]) / few:.2f} at first, {sum(points[-few:]) / few:.2f} last")
