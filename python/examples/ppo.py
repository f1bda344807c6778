#!/usr/bin/env python3
"""Learn one role with PPO in one file, as CleanRL has its methods: PyTorch and Gymnasium.

    pip install torch './python[env]'
    ppo.py learn ppo.pt [--env Defender] [--opponent random] [--size 3x3] [--steps 1000000]
    ppo.py play ppo.pt
    arena event run --size 3x3 --bot greedy --bot 'torch=exec:python3 ppo.py play ppo.pt'

It prints the mean scores of random moves, of the agent while it learns and then, and of perfect
play. ``play`` is the policy as a bot over stdin and stdout; greedy plays its other role.
"""

import argparse
import sys
import time
from typing import Any

import gymnasium
import numpy as np

try:
    import torch
except ModuleNotFoundError:
    sys.exit("ppo.py needs PyTorch: pip install torch")
from torch import Tensor, nn

import versus2048
from versus2048 import policy, rules
from versus2048.optimum import optimum
from versus2048.policy import Policy

GAMES, TURNS, EPOCHS, BATCHES = 128, 64, 4, 8
RATE, DISCOUNT, TRACE, CLIP, ENTROPY = 1e-3, 0.998, 0.95, 0.2, 0.01


class Agent(nn.Module):
    """A perceptron with the logits of all actions and the value of a position."""

    def __init__(self, planes: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(planes, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.policy, self.value = nn.Linear(256, actions), nn.Linear(256, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithms of the policy, and the values."""
        x = self.body(seen.float())
        logits = self.policy(x).masked_fill(~legal, -1e9)
        return logits.log_softmax(-1), self.value(x).squeeze(-1)

    def best(self, seen: Any, mask: Any) -> Any:
        """Return the likeliest action, of one game or of many."""
        with torch.no_grad():
            return self(torch.as_tensor(seen), torch.as_tensor(mask))[0].argmax(-1).numpy()


def play_turns(agent: Agent, envs: Any, seen: Any, ended: Any, scale: float) -> Any:
    """Play some turns; return what was seen and done in each, and where it ends."""
    turns, scores = [], []
    for _ in range(TURNS):
        now, legal = torch.as_tensor(seen), torch.as_tensor(envs.unwrapped.action_masks())
        with torch.no_grad():
            logs, value = agent(now, legal)
        action = torch.multinomial(logs.exp(), 1)
        seen, reward, over, _, info = envs.step(action.squeeze(1).numpy())
        turns.append((now, legal, action, logs.gather(1, action).squeeze(1), value,
                      torch.as_tensor(reward / scale).float(), torch.as_tensor(over),
                      torch.as_tensor(~ended)))  # fmt: skip
        scores += info["score"][over].tolist()
        ended = over
    return [torch.stack(kind) for kind in zip(*turns, strict=True)], seen, ended, scores


def advantages(reward: Tensor, value: Tensor, over: Tensor, last: Tensor) -> Tensor:
    """Return the generalised advantage estimates (Schulman et al. 2016)."""
    estimates, later, after = torch.zeros_like(value), torch.zeros_like(last), last
    for turn in reversed(range(len(reward))):
        goes_on = (~over[turn]).float()
        surprise = reward[turn] + DISCOUNT * goes_on * after - value[turn]
        later = estimates[turn] = surprise + DISCOUNT * TRACE * goes_on * later
        after = value[turn]
    return estimates


def improve(agent: Agent, optimizer: Any, batch: list[Tensor]) -> None:
    """Learn from turns: observations, legal actions, actions and their consequences."""
    for _ in range(EPOCHS):
        for part in torch.randperm(len(batch[0])).chunk(BATCHES):
            seen, legal, action, before, gain, target = (kind[part] for kind in batch)
            logs, value = agent(seen, legal)
            ratio = (logs.gather(1, action).squeeze(1) - before).exp()
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            clipped = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            entropy = -(logs.exp() * logs).sum(-1)
            loss = (0.5 * (value - target) ** 2 - clipped - ENTROPY * entropy).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def learn(envs: Any, steps: int, seed: int) -> Agent:
    """Play and learn in turn, print the progress, and return the agent.

    Rewards are divided by the mean score of random moves, so that values are alike on all boards.
    """
    by_chance = policy.score(random_policy(seed), envs, seed=seed)
    print(f"random: {by_chance}", flush=True)
    torch.manual_seed(seed)
    agent = Agent(envs.single_observation_space.shape[0], int(envs.single_action_space.n))
    optimizer = torch.optim.Adam(agent.parameters(), RATE, eps=1e-5)
    seen, ended, recent = envs.reset(seed=seed)[0], np.zeros(GAMES, bool), []
    updates, began = -(-steps // (GAMES * TURNS)), time.monotonic()
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = RATE * (1 - update / updates)
        turns, seen, ended, scores = play_turns(agent, envs, seen, ended, by_chance.mean)
        now, legal, action, logs, value, reward, over, counts = turns
        with torch.no_grad():
            last = agent(torch.as_tensor(seen), torch.as_tensor(envs.unwrapped.action_masks()))[1]
        gain = advantages(reward, value, over, last)
        learned = (now, legal, action, logs, gain, gain + value)
        improve(agent, optimizer, [kind[counts] for kind in learned])
        recent = (recent + scores)[-500:]
        if (update + 1) % max(1, updates // 20) == 0 and recent:
            done, seconds = (update + 1) * GAMES * TURNS, time.monotonic() - began
            print(f"{done:,} steps, {done / seconds:,.0f} a second: "
                  f"mean score {np.mean(recent):,.1f}", flush=True)  # fmt: skip
    return agent


def random_policy(seed: int) -> Policy:
    """Return the policy that draws one of the legal actions."""
    rng = np.random.default_rng(seed)
    return lambda _, masks: rules.draw(masks, rng)


def environments(name: str, opponent: str, size: str) -> Any:
    """Return many games at once; the opponent of solo games is chance."""
    settings = {} if name == "Solo" else {"opponent": opponent}
    return gymnasium.make_vec(f"versus2048/{name}-v0", GAMES, "vector_entry_point", size=size,
                              flat=True, **settings)  # fmt: skip


def play(file: str) -> None:
    """Play with a saved policy over stdin and stdout; greedy plays the other role."""
    saved = torch.load(file)
    agent = Agent(*saved["shape"])
    agent.load_state_dict(saved["agent"])
    chosen = policy.bot(agent.best, flat=True, role=saved["role"])
    versus2048.run(chosen, name="torch", plays=saved["plays"])


def main() -> None:
    """Learn a policy, save it and print its score; or play with one."""
    parser = argparse.ArgumentParser(description="PPO for one role of versus 2048")
    parser.add_argument("task", choices=["learn", "play"])
    parser.add_argument("file", help="of the policy")
    parser.add_argument("--env", default="Defender", choices=["Defender", "Attacker", "Solo"])
    parser.add_argument("--opponent", default="random", choices=["random", "greedy", "expectimax"])
    parser.add_argument("--size", default="3x3")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)  # more threads wait for one another in networks as small as this
    if args.task == "play":
        return play(args.file)

    envs = environments(args.env, args.opponent, args.size)
    role, ruleset = envs.unwrapped.role, "solo" if args.env == "Solo" else "gpcc2015"
    agent = learn(envs, args.steps, args.seed)
    torch.save({
        "shape": (agent.body[0].in_features, agent.policy.out_features),
        "agent": agent.state_dict(),
        "role": role,
        "plays": {"size": [args.size], "rules": [ruleset]},
    }, args.file)  # fmt: skip
    print(f"learned: {policy.score(agent.best, envs, seed=args.seed + 1)}", flush=True)
    if args.size in ("2x2", "2x3", "3x2", "3x3"):
        opponent = "chance" if args.env == "Solo" else args.opponent
        print(f"optimum: {optimum(role, opponent, ruleset, args.size):,.1f}")
    return None


if __name__ == "__main__":
    main()
