"""Floe's games in Gymnasium's interface: one agent against engines."""

from __future__ import annotations

import gymnasium
import numpy as np
from gymnasium import spaces

from ._native import Engine, Error, IllegalMove
from .environments import RENDER_MODES, check_render_mode, raw_env, rendered


class FloeGymEnv(gymnasium.Env):
    """A game against engines; every step is the agent's move and the answers to it.

    `opponent` is an engine as in `floe match` (`"greedy"`, `"floe:easy"`, `"floe:nodes=1k"`), or any
    function of a position that answers with a move; it fills all other seats. `seat` is the agent's,
    from 0; without one, the agent has another seat every game. The mask of legal moves is in
    `info["action_mask"]`, and `action_masks()` gives it to libraries that ask for it.

    An action that is not legal loses the game with the lowest reward there is; with `illegal="raise"`
    it raises `floe.IllegalMove` instead, and changes nothing.

    >>> import floe
    >>> env = floe.gym_env("flood", setup="6x6", opponent="random:seed=1", seat=0, seed=1)
    >>> observation, info = env.reset()
    >>> is_over = False
    >>> while not is_over:
    ...     action = info["action_mask"].argmax()
    ...     observation, reward, is_over, _, info = env.step(action)
    >>> reward in (-1.0, 0.0, 1.0)
    True
    """

    metadata = {"render_modes": RENDER_MODES}

    def __init__(self, game, setup="", opponent="greedy", seat=None, seed=None, reward="win",
                 illegal="lose", render_mode=None):
        if illegal not in ("lose", "raise"):
            raise Error(f'illegal is "lose" or "raise", not {illegal!r}')
        check_render_mode(render_mode)
        self._engine = None if callable(opponent) else _engine(opponent)
        self._opponent = opponent
        self._first_seed = seed
        self._raw = raw_env(game, setup=setup, seed=0 if seed is None else seed, reward=reward)
        if seat is not None and not 0 <= seat < self._raw.players:
            raise Error(f"there is no seat {seat}; seats are 0 to {self._raw.players - 1}")
        self._seat, self._illegal = seat, illegal
        self._games = 0
        self._is_over = True
        self.seat = seat or 0
        self.render_mode = render_mode
        raw = self._raw
        self.observation_space = spaces.Box(0, 255, raw.observation.shape, np.uint8)
        self.action_space = spaces.Discrete(len(raw.action_mask))
        self._lost = -1.0 if reward == "win" else -float(raw.observation[0].size)

    @property
    def position(self):
        """The position that stands now, a `floe.Position`."""
        return self._raw.position()

    def action_masks(self):
        """1 for every legal move."""
        return self._raw.action_mask.astype(bool)

    def reset(self, *, seed=None, options=None):
        if seed is None and self._first_seed is not None:
            seed, self._first_seed = self._first_seed, None
        super().reset(seed=seed)
        if seed is not None:
            self._games = 0
        self.seat = self._games % self._raw.players if self._seat is None else self._seat
        self._games += 1
        # On a few boards the game is over before it is the agent's turn.
        for _ in range(1000):
            seed = int(self.np_random.integers(1 << 63))
            self._raw.reset(seed)
            if self._engine is not None:
                engine = self._engine.seated(seed)
                self._opponent = lambda position: engine.think(position).move
            if self._answer():
                break
        else:
            raise Error("the agent never has a move on these boards")
        self._is_over = False
        return self._seen(), self._info()

    def step(self, action):
        if self._is_over:
            raise Error("the game is over; reset starts another")
        try:
            self._raw.step(int(action))
        except IllegalMove:
            if self._illegal == "raise":
                raise
            self._is_over = True
            info = self._info()
            info["illegal"] = int(action)
            return self._seen(), self._lost, True, False, info
        is_mine = self._answer()
        self._is_over = not is_mine
        reward = 0.0 if is_mine else float(self._raw.rewards[self.seat])
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, not is_mine, False, self._info()

    def _answer(self):
        """Lets the opponents move until it is the agent's turn; False if the game ends first."""
        raw = self._raw
        while raw.turn not in (-1, self.seat):
            position = raw.position()
            move = self._opponent(position)
            raw.step(move if isinstance(move, int) else position.action(move))
        return raw.turn == self.seat

    def _seen(self):
        return self._raw.observe(self.seat)

    def _info(self):
        return {"action_mask": self._raw.action_mask.copy(), "scores": self._raw.scores}

    def render(self):
        return rendered(self.position, self.render_mode)


def _engine(opponent):
    return opponent if isinstance(opponent, Engine) else Engine(opponent)
