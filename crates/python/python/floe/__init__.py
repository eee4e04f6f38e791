"""Grid games as fast environments for learning, with Floe's engines as opponents.

    >>> import floe
    >>> [game.name for game in floe.games()]
    ['penguins', 'gamma', 'flood']
    >>> env = floe.env("penguins", setup="8x8,penguins=2", seed=7)     # PettingZoo
    >>> envs = floe.vec_env("flood", 64, setup="10x10", seed=1)        # many games at once
    >>> match = floe.play("gamma", ["greedy", "random"], boards=2, setup="5x5", seed=1)
    >>> sum(standing.games for standing in match.standings)
    8

See docs/python.md for a walk through.
"""

from __future__ import annotations

from typing import NamedTuple

from ._native import (
    Engine,
    Error,
    Fault,
    IllegalMove,
    InUse,
    Move,
    Position,
    RawEnv,
    Record,
    Standing,
    Thought,
    VecEnv,
    append_records,
    engine,
    game_rows,
    parse_records,
    read,
    read_records,
    start,
)
from .bot import run_bot
from .environments import raw_env, vec_env
from .matches import Match, play
from .tables import games_table, moves_table

__all__ = [
    "Engine", "Error", "Fault", "Game", "IllegalMove", "InUse", "Match", "Move", "Position", "RawEnv",
    "Record", "Standing", "Thought", "VecEnv", "append_records", "engine", "env", "games",
    "games_table", "gym_env", "moves_table", "parse_records", "play", "raw_env", "read",
    "read_records", "run_bot", "start", "vec_env",
]


class Game(NamedTuple):
    """A game there is."""

    name: str
    """The word for it: what `floe.start` and other functions take."""
    title: str
    """The name for people."""
    default_setup: str
    """The setup of a game about which nothing is said."""
    rules: str
    """The rules, a sentence a line."""
    setup_help: str
    """The words a setup may contain, one line each."""


def games() -> list[Game]:
    """All games.

    >>> import floe
    >>> floe.games()[1].default_setup
    '10x10,players=2,areas=3'
    """
    return [Game(*row) for row in game_rows()]


def env(game, setup="", seed=None, reward="win", render_mode=None):
    """A PettingZoo AEC environment: see `floe.pettingzoo.FloeEnv`. Needs the package `pettingzoo`."""
    from .pettingzoo import FloeEnv

    return FloeEnv(game, setup=setup, seed=seed, reward=reward, render_mode=render_mode)


def gym_env(game, setup="", opponent="greedy", seat=None, seed=None, reward="win", illegal="lose",
            render_mode=None):
    """A Gymnasium environment against engines: see `floe.gymnasium.FloeGymEnv`. Needs the package
    `gymnasium`."""
    from .gymnasium import FloeGymEnv

    return FloeGymEnv(game, setup=setup, opponent=opponent, seat=seat, seed=seed, reward=reward,
                      illegal=illegal, render_mode=render_mode)
