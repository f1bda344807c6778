#!/usr/bin/env python3
"""Learn to defend against random with PPO on versus2048.jax, in JAX alone.

    pip install './python[jax,env]'
    jax_ppo.py learn jax.npz [--size 3x3] [--updates 200]
    jax_ppo.py play jax.npz
    arena event run --size 3x3 --bot greedy --bot 'jax=exec:python3 jax_ppo.py play jax.npz'

It prints the mean score of random moves, while it learns the mean points a step (a defender that
learns loses later, and merges larger tiles), then the mean scores of the policy and perfect play.
``play`` is the policy as a bot over stdin and stdout; greedy plays its other role.
"""

import argparse
import math
import sys
from functools import partial
from typing import Any

import gymnasium
import numpy as np

try:
    import jax
    import jax.numpy as jnp
except ModuleNotFoundError:
    sys.exit("jax_ppo.py needs JAX: pip install jax")

import versus2048
from versus2048 import policy, rules
from versus2048.jax import Env, State, auto_reset
from versus2048.optimum import optimum
from versus2048.policy import Policy

GAMES, TURNS, EPOCHS, BATCHES = 128, 32, 4, 8
RATE, DISCOUNT, TRACE, CLIP = 1e-3, 0.99, 0.95, 0.2
SCALE = 1 / 32  # of points, so that values are near 1


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


def played(env: Env, parameters: list[Any], state: State, key: Any) -> tuple[State, Any]:
    """Play some turns; return the states, actions, their logarithms, rewards, ends and values."""
    step = jax.vmap(auto_reset(env))

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
    policy, value = network(parameters, state)
    ratio = jnp.exp(jnp.take_along_axis(policy, action[:, None], 1)[:, 0] - before)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage)
    entropy = -jnp.sum(jnp.exp(policy) * jnp.maximum(policy, -1e3), -1)
    return jnp.mean(0.5 * (value - target) ** 2 - gain - 0.01 * entropy)


def advantages(reward: Any, over: Any, value: Any, last: Any) -> Any:
    """Return the generalised advantage estimates (Schulman et al. 2016)."""

    def back(later: tuple[Any, Any], turn: tuple[Any, Any, Any]) -> Any:
        (further, after), (reward, over, value) = later, turn
        surprise = reward * SCALE + jnp.where(over, 0, DISCOUNT * after) - value
        estimate = surprise + jnp.where(over, 0, DISCOUNT * TRACE * further)
        return (estimate, value), estimate

    start = jnp.zeros_like(last), last
    return jax.lax.scan(back, start, (reward, over, value), reverse=True)[1]


@partial(jax.jit, static_argnums=0)
def update(env: Env, parameters: list[Any], moments: Any, state: State, key: Any) -> Any:
    """Play, then learn from these turns; return what changes, and the mean points a step."""
    key, shuffled = jax.random.split(key)
    state, (seen, action, before, reward, over, value) = played(env, parameters, state, key)
    advantage = advantages(reward, over, value, network(parameters, state)[1])
    turns = (seen, action, before, advantage, advantage + value)
    turns = jax.tree.map(lambda x: x.reshape(GAMES * TURNS, *x.shape[2:]), turns)

    def improve(learner: Any, part: Any) -> Any:
        parameters, moments = learner
        slope = jax.grad(loss)(parameters, jax.tree.map(lambda x: x[part], turns))
        moments = jax.tree.map(lambda m, g: (0.9 * m[0] + 0.1 * g, 0.99 * m[1] + 0.01 * g * g),
                               moments, slope, is_leaf=lambda m: isinstance(m, tuple))  # fmt: skip
        parameters = jax.tree.map(lambda p, m: p - RATE * m[0] / (jnp.sqrt(m[1]) + 1e-6),
                                  parameters, moments)  # fmt: skip
        return (parameters, moments), None

    orders = [jax.random.permutation(k, GAMES * TURNS) for k in jax.random.split(shuffled, EPOCHS)]
    parts = jnp.concatenate(orders).reshape(EPOCHS * BATCHES, -1)
    (parameters, moments), _ = jax.lax.scan(improve, (parameters, moments), parts)
    return parameters, moments, state, reward.mean()


def learn(env: Env, updates: int, seed: int) -> list[Any]:
    """Return the parameters that have learned, and print how it goes."""
    keys = jax.random.split(jax.random.key(seed), updates + 4)
    planes = math.prod(env.observation_shape)
    parameters = [dense(keys[0], planes, 128), dense(keys[1], 128, 128), dense(keys[2], 128, 5)]
    moments = jax.tree.map(lambda p: (jnp.zeros_like(p), jnp.zeros_like(p)), parameters)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(keys[3], GAMES))
    every, points = max(1, updates // 10), []
    for n, key in enumerate(keys[4:], start=1):
        parameters, moments, state, mean = update(env, parameters, moments, state, key)
        points.append(float(mean))
        if n % every == 0:
            few = points[-every:]
            print(
                f"{n * GAMES * TURNS:,} steps: {sum(few) / len(few):.2f} points a step", flush=True
            )
    return parameters


def predict(parameters: list[Any]) -> Policy:
    """Return the likeliest slides as a policy, of one game or of many."""
    weights = [{name: np.asarray(array) for name, array in layer.items()} for layer in parameters]

    def best(seen: Any, mask: Any) -> Any:
        x = np.moveaxis(seen["observation"], -3, -1).reshape(*mask.shape[:-1], -1)
        for layer in weights:
            x = np.maximum(x, 0) @ layer["weight"] + layer["bias"]
        return np.where(mask, x[..., :4], -np.inf).argmax(-1)

    return best


def save(file: str, parameters: list[Any]) -> None:
    """Write the parameters in NumPy's format."""
    with open(file, "wb") as out:
        np.savez(out, **{f"{name}{n}": array for n, layer in enumerate(parameters)
                         for name, array in layer.items()})  # fmt: skip


def load(file: str) -> list[Any]:
    """Return parameters that were saved."""
    saved = np.load(file)
    return [{name: saved[f"{name}{n}"] for name in ("weight", "bias")} for n in range(3)]


def main() -> None:
    """Learn a policy, save it and print its score; or play with one."""
    parser = argparse.ArgumentParser(description="PPO for the defender of versus 2048 in JAX")
    parser.add_argument("task", choices=["learn", "play"])
    parser.add_argument("file", help="of the policy")
    parser.add_argument("--size", default="3x3")
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.task == "play":
        chosen = policy.bot(predict(load(args.file)), role="defender")
        versus2048.run(chosen, name="jax", plays={"size": [args.size], "rules": ["gpcc2015"]})
        return

    many = gymnasium.make_vec("versus2048/Defender-v0", 100, "vector_entry_point",
                              opponent="random", size=args.size)  # fmt: skip
    rng = np.random.default_rng(args.seed)
    print("random:", policy.score(lambda _, masks: rules.draw(masks, rng), many), flush=True)
    parameters = learn(Env("gpcc2015", args.size, role="defender"), args.updates, args.seed)
    save(args.file, parameters)
    print("learned:", policy.score(predict(parameters), many))
    if args.size in ("2x2", "2x3", "3x2", "3x3"):
        print(f"optimum: {optimum('defender', 'random', size=args.size):,.1f}")


if __name__ == "__main__":
    main()
