"""Environments without an interface around them: one game, or many at once."""

from __future__ import annotations

import os

from ._native import Error, RawEnv, VecEnv, sizes


def raw_env(game, setup="", seed=0, reward="win"):
    """One game under way, as fast as Python can step it.

    `reward` is `"win"` (from -1 to 1) or `"margin"` (what a seat scored above its best
    opponent); both come when the game is over. The arrays `observation`, `action_mask` and `rewards` are
    written into by every step: copy what you want to keep.

    >>> import floe
    >>> raw = floe.raw_env("flood", setup="6x6", seed=3)
    >>> raw.observation.shape, raw.action_mask.tolist(), raw.turn
    ((10, 6, 6), [1, 1, 0, 1, 0], 0)
    >>> raw.step(raw.legal_actions()[0])
    1
    """
    # Not at the top: a bot that needs no arrays needs no numpy.
    import numpy as np

    actions, shape, players = sizes(game, setup, seed)
    return RawEnv(
        game, setup, seed, reward,
        np.zeros(shape, np.uint8), np.zeros(actions, np.int8), np.zeros(players, np.float32),
    )


def vec_env(game, n, setup="", seed=0, reward="win", threads=1, dtype="uint8", *,
            observations=None, action_masks=None, rewards=None, turns=None, dones=None):
    """`n` games at once, stepped without the interpreter's lock.

    Game `i` starts with the board of the seed `seed + i`, and a game that ends is replaced by the one
    `n` seeds further on. The games are the same whatever the number of `threads`; 0 is one for every
    core.

    The arrays may be your own; what is left out is made:

    =============== ============================= =======================
    `observations`  (n, planes, rows, columns)    uint8, or float32
    `action_masks`  (n, actions)                  int8
    `rewards`       (n, seats)                    float32
    `turns`         (n,)                          int32
    `dones`         (n,)                          bool
    =============== ============================= =======================

    >>> import floe, numpy as np
    >>> seen = np.zeros((2, 10, 5, 5), np.float32)
    >>> envs = floe.vec_env("flood", 2, setup="5x5", seed=1, observations=seen)
    >>> envs.step(np.array([mask.argmax() for mask in envs.action_masks]))
    >>> envs.observations is seen, envs.turns.tolist()
    (True, [1, 1])
    """
    import numpy as np

    if isinstance(n, bool) or not isinstance(n, (int, np.integer)):
        raise TypeError(f"n is a whole number, not {n!r}")
    if not 1 <= n <= 1 << 20:
        raise Error(f"n is 1 to {1 << 20}, not {n}")
    if threads == 0:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    kind = np.dtype(dtype)
    if kind not in (np.dtype(np.uint8), np.dtype(np.float32)):
        raise Error(f"dtype is uint8 or float32, not {kind}")
    actions, shape, players = sizes(game, setup, seed)

    def array(given, shape, kind):
        return np.zeros(shape, kind) if given is None else given

    return VecEnv(game, setup, seed, reward, threads, {
        "observations": array(observations, (n, *shape), kind),
        "action_masks": array(action_masks, (n, actions), np.int8),
        "rewards": array(rewards, (n, players), np.float32),
        "turns": array(turns, (n,), np.int32),
        "dones": array(dones, (n,), np.bool_),
    })


def rendered(position, mode):
    """The picture of a position in a render mode; `human` prints it."""
    if mode == "svg":
        return position.svg()
    text = position.board()
    if mode == "ansi":
        return text
    print(text)
    return None


RENDER_MODES = ["human", "ansi", "svg"]


def check_render_mode(mode):
    if mode is not None and mode not in RENDER_MODES:
        raise Error(f"render_mode is one of {', '.join(RENDER_MODES)}, not {mode!r}")
