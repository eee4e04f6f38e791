"""Trains a small network by playing against itself, with numpy alone: a few minutes on one core.

    python3 examples/learn/train.py --out net.npz
    python3 examples/learn/train.py --game penguins --setup 5x5,penguins=1 --out net.npz

Actor-critic with clipped steps (PPO): 256 games at once, both seats played by the network, rewarded
for winning. Every now and then it plays a match against `greedy`; examples/learn/bot.py plays with
what is saved.
"""

import argparse
import time

import numpy as np

import floe
from network import Network, policy


def collect(envs, net, steps, dice):
    """Plays so many steps of all games, and gives what is known of games that ended on the way:
    observations, masks, actions, their probability then, and how the game ended for who acted."""
    seen, masks, actions, chances, turns, dones, rewards = ([] for _ in range(7))
    all_games = np.arange(len(envs))
    for _ in range(steps):
        probabilities, _ = net.forward(envs.observations, envs.action_masks)
        # One draw for each game from its probabilities.
        drawn = probabilities.cumsum(axis=1) > dice.random((len(envs), 1))
        action = np.where(drawn.any(axis=1), drawn.argmax(axis=1), probabilities.argmax(axis=1))
        seen.append(envs.observations.copy())
        masks.append(envs.action_masks.copy())
        turns.append(envs.turns.copy())
        actions.append(action)
        chances.append(probabilities[all_games, action])
        envs.step(action)
        dones.append(envs.dones.copy())
        rewards.append(envs.rewards.copy())
    returns = np.zeros((steps, len(envs)), np.float32)
    is_known = np.zeros((steps, len(envs)), bool)
    result, has_result = np.zeros_like(envs.rewards), np.zeros(len(envs), bool)
    for step in reversed(range(steps)):
        result = np.where(dones[step][:, None], rewards[step], result)
        has_result |= dones[step]
        returns[step], is_known[step] = result[all_games, turns[step]], has_result
    return [np.stack(column)[is_known] for column in (seen, masks, actions, chances, returns)]


def learn(net, batch, dice, epochs=3, size=1024):
    """Takes steps along the gradient, in small parts of what was collected."""
    for _ in range(epochs):
        order = dice.permutation(len(batch[0]))
        for first in range(0, len(order), size):
            net.improve(*(column[order[first:first + size]] for column in batch))


def match(net, game, setup, boards, seed, against="greedy"):
    """How the network, which plays its best move, does against an engine."""
    return floe.play(game, [("net", policy(net)), against], boards=boards, setup=setup, seed=seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", default="gamma")
    parser.add_argument("--setup", default="5x5")
    parser.add_argument("--rounds", type=int, default=150, help="of 256 games, 32 steps each")
    parser.add_argument("--hidden", type=int, default=128, help="size of the hidden layers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="net.npz")
    options = parser.parse_args()

    dice = np.random.default_rng(options.seed)
    envs = floe.vec_env(options.game, 256, options.setup, seed=options.seed << 32)
    net = Network(envs.observations[0].size, envs.action_masks.shape[1], options.hidden, dice)
    start, steps = time.monotonic(), 0
    for number in range(1, options.rounds + 1):
        batch = collect(envs, net, 32, dice)
        steps += 32 * len(envs)
        learn(net, batch, dice)
        if number % 25 == 0 or number == options.rounds:
            score = match(net, options.game, options.setup, 50, seed=1).standings[0].score
            print(f"{number:4} rounds, {steps:9,} steps, {time.monotonic() - start:5.0f} s: "
                  f"{score:.1%} against greedy", flush=True)
    net.save(options.out)
    print(match(net, options.game, options.setup, 200, seed=1_000_000))


if __name__ == "__main__":
    main()
