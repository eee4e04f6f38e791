"""Steps per CPU second, random play, one core: Floe beside PettingZoo and OpenSpiel in one run."""
import random, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
import floe

def rate(work, seconds=3.0):
    work(0.3)
    start, steps = time.process_time(), 0
    while time.process_time() - start < seconds:
        steps += work(0.2)
    return steps / (time.process_time() - start)

def aec(env):
    env.reset(seed=1)
    def work(budget):
        end, steps = time.process_time() + budget, 0
        while time.process_time() < end:
            env.reset()
            for agent in env.agent_iter():
                observation, _, over, cut, _ = env.last()
                if over or cut:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(random.random() * len(legal))]))
                steps += 1
        return steps
    return work

def raw(env, legal):
    def work(budget):
        end, steps = time.process_time() + budget, 0
        while time.process_time() < end:
            turn = env.reset()
            while turn >= 0:
                actions = legal(env)
                turn = env.step(actions[int(random.random() * len(actions))])
                steps += 1
        return steps
    return work

def spiel(game, full):
    def work(budget):
        end, steps = time.process_time() + budget, 0
        while time.process_time() < end:
            state = game.new_initial_state()
            while not state.is_terminal():
                if full:
                    state.observation_tensor(); state.legal_actions_mask()
                actions = state.legal_actions()
                state.apply_action(actions[int(random.random() * len(actions))])
                steps += 1
        return steps
    return work

def vec(envs):
    out = np.zeros(len(envs), np.int64)
    def work(budget):
        end, steps = time.process_time() + budget, 0
        while time.process_time() < end:
            for _ in range(10):
                envs.step(envs.sample(out))
            steps += 10 * len(envs)
        return steps
    return work

rows = []
def show(name, work):
    print(f"{name:58} {rate(work):12,.0f}", flush=True)

try:
    from pettingzoo.classic import connect_four_v3, tictactoe_v3
    show("PettingZoo connect_four, wrapped", aec(connect_four_v3.env()))
    show("PettingZoo connect_four, raw", aec(connect_four_v3.raw_env()))
    show("PettingZoo tic-tac-toe, wrapped", aec(tictactoe_v3.env()))
except Exception as error:
    print("PettingZoo classic:", error)
for game, setup in [("penguins", "8x8,penguins=2"), ("gamma", "8x8"), ("flood", "10x10")]:
    show(f"floe.env {game} {setup}", aec(floe.env(game, setup, seed=1)))
try:
    import pyspiel
    show("OpenSpiel connect_four, bare", spiel(pyspiel.load_game("connect_four"), False))
    show("OpenSpiel connect_four, observation and mask", spiel(pyspiel.load_game("connect_four"), True))
except ImportError as error:
    print("OpenSpiel:", error)
for game, setup in [("penguins", "8x8,penguins=2"), ("gamma", "8x8"), ("flood", "10x10")]:
    show(f"floe.raw_env {game} {setup}, legal_actions", raw(floe.raw_env(game, setup, seed=1), lambda env: env.legal_actions()))
    sampled = lambda env: (env.sample(),)
    show(f"floe.raw_env {game} {setup}, sample", raw(floe.raw_env(game, setup, seed=1), sampled))
for game, setup in [("penguins", "8x8,penguins=2"), ("gamma", "8x8"), ("flood", "10x10")]:
    for n in (64, 1024):
        show(f"floe.vec_env {game} {setup}, n={n}", vec(floe.vec_env(game, n, setup, seed=1)))
