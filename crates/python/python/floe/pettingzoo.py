"""Floe's games in PettingZoo's AEC interface."""

from __future__ import annotations

import copy

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from .environments import RENDER_MODES, check_render_mode, raw_env, rendered


class FloeEnv(AECEnv):
    """A game for agents that move in turn, `player_0` first in the list of agents.

    An agent is asked when it is to move: players who are skipped, drop out or come back are the
    rules' concern, and the order is whatever `agent_selection` says. An observation is a dictionary
    of `observation` (planes of bytes, as the agent sees the board) and `action_mask`. Rewards come when
    the game is over: see `reward` in `floe.raw_env`. An action that is not legal raises
    `floe.IllegalMove`, and changes nothing.

    `render_mode` is `"ansi"` (text), `"svg"` (a picture) or `"human"` (prints the text).

    >>> import floe
    >>> env = floe.env("gamma", setup="4x4,players=3", seed=1)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     action = None if termination else int(observation["action_mask"].argmax())
    ...     env.step(action)
    >>> env.agents, env.possible_agents
    ([], ['player_0', 'player_1', 'player_2'])
    """

    metadata = {"name": "floe_v0", "render_modes": RENDER_MODES, "is_parallelizable": False}

    def __init__(self, game, setup="", seed=None, reward="win", render_mode=None):
        super().__init__()
        check_render_mode(render_mode)
        self._next_seed = _drawn_seed() if seed is None else seed
        self._raw = raw_env(game, setup=setup, seed=self._next_seed, reward=reward)
        self.render_mode = render_mode
        self.metadata = dict(self.metadata, name=f"floe_{game}_v0")
        self.possible_agents = [f"player_{seat}" for seat in range(self._raw.players)]
        self.agents = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        shape, actions = self._raw.observation.shape, len(self._raw.action_mask)
        space = spaces.Dict({
            "observation": spaces.Box(0, 255, shape, np.uint8),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        })
        # Every agent has spaces of its own, since spaces have seeds.
        self.observation_spaces = {agent: copy.deepcopy(space) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    @property
    def position(self):
        """The position that stands now, a `floe.Position`."""
        return self._raw.position()

    def reset(self, seed=None, options=None):
        if seed is not None:
            self._next_seed = seed
        turn = self._raw.reset(self._next_seed)
        self._next_seed = (self._next_seed + 1) % (1 << 64)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, turn < 0)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._is_over = turn < 0
        self.agent_selection = self.agents[max(turn, 0)]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent):
        seat = self._seats[agent]
        raw = self._raw
        if raw.turn == seat:
            return {"observation": raw.observation.copy(), "action_mask": raw.action_mask.copy()}
        # Only the player to move has moves.
        return {"observation": raw.observe(seat), "action_mask": np.zeros_like(raw.action_mask)}

    def last(self, observe=True):
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action):
        if self._is_over:
            if not self.agents:
                raise ValueError("the game is over and every agent has left; reset starts another")
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{self.agent_selection} is to move, and an action is needed, not None")
        turn = self._raw.step(action)
        # Nothing is rewarded before the end, so there is nothing to collect either.
        if turn < 0:
            self._is_over = True
            self.rewards = dict(zip(self.possible_agents, self._raw.rewards.tolist()))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[turn]
        if self.render_mode == "human":
            self.render()

    def render(self):
        if self.render_mode is None:
            raise ValueError("name a render_mode when you make the environment")
        return rendered(self.position, self.render_mode)

    def close(self):
        pass

    def __str__(self):
        return f"floe.env({self._raw.game!r}, setup={self._raw.setup!r})"


def _drawn_seed():
    return int(np.random.SeedSequence().generate_state(1)[0])
