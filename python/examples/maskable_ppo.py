#!/usr/bin/env python3
"""Learn to defend with MaskablePPO of sb3-contrib.

    pip install sb3-contrib './python[env]'
    maskable_ppo.py learn sb3.zip [--opponent random] [--size 3x3] [--steps 200000]
    maskable_ppo.py play sb3.zip
    arena event run --size 3x3 --bot greedy --bot 'sb3=exec:python3 maskable_ppo.py play sb3.zip'

It prints the mean score of random moves, the library's progress, and the mean scores of the policy
and of perfect play. ``play`` is the policy as a bot over stdin and stdout; greedy plays its other
role.
"""

import argparse
import sys
from typing import Any

import gymnasium
import numpy as np

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.vec_env import VecNormalize
except ModuleNotFoundError as error:
    sys.exit(f"maskable_ppo.py needs {error.name}: pip install sb3-contrib")

import versus2048
from versus2048 import policy, rules
from versus2048.optimum import optimum
from versus2048.policy import Policy

ENV, GAMES, TURNS = "versus2048/Defender-v0", 16, 256


def learn(settings: dict[str, Any], steps: int, seed: int) -> MaskablePPO:
    """Return a model that has learned; the library prints its progress."""
    envs = make_vec_env(ENV, GAMES, seed, env_kwargs=settings)
    envs = VecNormalize(envs, norm_obs=False, gamma=0.998)  # rewards, which grow with the score
    often = max(1, steps // (GAMES * TURNS) // 10)
    model = MaskablePPO("MlpPolicy", envs, n_steps=TURNS, batch_size=512, n_epochs=4, gamma=0.998,
                        learning_rate=1e-3, ent_coef=0.01, seed=seed, verbose=1)  # fmt: skip
    return model.learn(steps, log_interval=often)


def predict(model: MaskablePPO) -> Policy:
    """Return the model as a policy, of one game or of many."""
    return lambda seen, mask: model.predict(seen, action_masks=mask, deterministic=True)[0]


def main() -> None:
    """Learn a policy, save it and print its score; or play with one."""
    parser = argparse.ArgumentParser(description="MaskablePPO for the defender of versus 2048")
    parser.add_argument("task", choices=["learn", "play"])
    parser.add_argument("file", help="of the policy")
    parser.add_argument("--opponent", default="random", choices=["random", "greedy", "expectimax"])
    parser.add_argument("--size", default="3x3")
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)  # more threads wait for one another in networks as small as this
    if args.task == "play":
        chosen = policy.bot(predict(MaskablePPO.load(args.file)), flat=True, role="defender")
        versus2048.run(chosen, name="sb3", plays={"size": [args.size], "rules": ["gpcc2015"]})
        return

    settings = {"opponent": args.opponent, "size": args.size, "flat": True}
    many = gymnasium.make_vec(ENV, 100, "vector_entry_point", **settings)
    rng = np.random.default_rng(args.seed)
    print("random:", policy.score(lambda _, masks: rules.draw(masks, rng), many), flush=True)
    model = learn(settings, args.steps, args.seed)
    model.save(args.file)
    print("learned:", policy.score(predict(model), many))
    if args.size in ("2x2", "2x3", "3x2", "3x3"):
        print(f"optimum: {optimum('defender', args.opponent, size=args.size):,.1f}")


if __name__ == "__main__":
    main()
