"""Floe's games in OpenSpiel, as the game `floe`.

    >>> import floe.open_spiel, pyspiel
    >>> game = pyspiel.load_game("floe(game=gamma,setup=3x3)")
    >>> state = game.new_initial_state()
    >>> state.apply_action(state.legal_actions()[0])
    >>> state.current_player(), game.observation_tensor_shape()
    (1, [8, 3, 3])

Importing this module makes the game known. Setups with commas or equals signs are given in a dictionary, since
OpenSpiel reads those signs itself: `load_game("floe", {"game": "penguins", "setup": "5x5,penguins=1", "seed": 7})`.
Every state of a game object starts on the board of its seed.
"""

from __future__ import annotations

import numpy as np
import pyspiel

from ._native import Position, read, start

_GAME_TYPE = pyspiel.GameType(
    short_name="floe",
    long_name="Games of Floe",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=255,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "penguins", "setup": "", "seed": 0},
)

_LONGEST = 100_000


class FloeGame(pyspiel.Game):
    """A game on the board of a setup and a seed."""

    def __init__(self, params=None):
        params = params or {}
        name, setup = params.get("game", "penguins"), params.get("setup", "")
        self.start = start(name, setup, params.get("seed", 0))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.actions,
            max_chance_outcomes=0,
            num_players=self.start.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(_GAME_TYPE, info, params)

    def new_initial_state(self, state=None):
        return FloeState(self, self.start if state is None else read(state["game"], state["text"]))

    def make_py_observer(self, iig_obs_type=None, params=None):
        return _Observer(self.start)


class FloeState(pyspiel.State):
    """A position of a game."""

    def __init__(self, game, position: Position):
        super().__init__(game)
        self.position = position

    def current_player(self):
        turn = self.position.turn
        return pyspiel.PlayerId.TERMINAL if turn is None else turn

    def _legal_actions(self, player):
        return sorted(self.position.legal_actions())

    def _apply_action(self, action):
        self.position = self.position.play(action)

    def _action_to_string(self, player, action):
        return self.position.move(action)

    def is_terminal(self):
        return self.position.is_over

    def returns(self):
        places = self.position.places
        others = max(self.position.players - 1, 1)
        if places is None:
            return [0.0] * self.position.players
        return [sum((other > place) - (other < place) for other in places) / others for place in places]

    def __str__(self):
        return self.position.board()


class _Observer:
    """What a player sees, as planes."""

    def __init__(self, start):
        shape = start.observe(0).shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state, player):
        self.dict["observation"][:] = state.position.observe(player)

    def string_from(self, state, player):
        return state.position.board()


pyspiel.register_game(_GAME_TYPE, FloeGame)
