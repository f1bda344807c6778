#!/usr/bin/env python3
"""Learn to defend with MaskablePPO of sb3-contrib, and print the mean score before and after.

pip install sb3-contrib './python[env]'
python3 maskable_ppo.py [STEPS]
"""

import sys

import gymnasium
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor

import versus2048  # noqa: F401 -- registers the environments

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
env = Monitor(gymnasium.make("versus2048/Defender-v0", opponent="random", size="3x3", flat=True))
model = MaskablePPO("MlpPolicy", env, n_steps=512, gamma=0.99, seed=1)
print("before:", evaluate_policy(model, env, n_eval_episodes=20)[0])
model.learn(steps)
print("after:", evaluate_policy(model, env, n_eval_episodes=20)[0])
