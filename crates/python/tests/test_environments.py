"""The environments keep what their interfaces promise, for every game there is."""

import contextlib
import io
import pickle
import unittest
import warnings

import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import floe

SETUPS = {
    "penguins": ["5x5,penguins=2", "6x4,players=4,penguins=1", "4x4,players=1,penguins=1"],
    "gamma": ["4x3", "4x4,players=3,areas=1", "3x1,players=1"],
    "flood": ["5x5", "2x6,style=fair"],
}


def every_setup():
    """Every game there is, also one that nobody thought of here."""
    for game in floe.games():
        for setup in SETUPS.get(game.name, [""]):
            yield game.name, setup


@contextlib.contextmanager
def quietly():
    # The tests of these libraries print what they do, and warn of dictionaries as observations.
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


class PettingZoo(unittest.TestCase):
    def test_api(self):
        for game, setup in every_setup():
            with self.subTest(game=game, setup=setup), quietly():
                api_test(floe.env(game, setup, seed=3), num_cycles=100)

    def test_seeds(self):
        for game, setup in every_setup():
            with self.subTest(game=game, setup=setup), quietly():
                seed_test(lambda: floe.env(game, setup), num_cycles=30)

    def test_pictures(self):
        tests = {"svg": lambda text: text.startswith("<svg"), "ansi": lambda text: "\n" in text}
        for game in floe.games():
            with self.subTest(game=game.name), quietly():
                render_test(
                    lambda render_mode=None: floe.env(game.name, "5x5", render_mode=render_mode), tests
                )

    def test_agents_move_when_the_rules_say(self):
        # Blocked penguins are skipped, and golden moves bring players back.
        for game, setup in every_setup():
            env = floe.env(game, setup, seed=11)
            for _ in range(5):
                env.reset()
                position = env.position
                for agent in env.agent_iter():
                    observation, reward, is_over, _, _ = env.last()
                    self.assertEqual(is_over, position.is_over)
                    if is_over:
                        env.step(None)
                        continue
                    self.assertEqual(agent, f"player_{position.turn}")
                    np.testing.assert_array_equal(observation["observation"], position.observe())
                    np.testing.assert_array_equal(observation["action_mask"], position.mask())
                    action = int(np.flatnonzero(observation["action_mask"])[-1])
                    env.step(action)
                    position = position.play(action)
                self.assertTrue(position.is_over)

    def test_rewards(self):
        for reward in ("win", "margin"):
            env = floe.env("gamma", "4x4,players=3,areas=1", seed=1, reward=reward)
            env.reset(seed=1)
            rewards = {}
            for agent in env.agent_iter():
                observation, rewards[agent], is_over, _, _ = env.last()
                env.step(None if is_over else int(observation["action_mask"].argmax()))
            scores, places = env.position.scores, env.position.places
            for seat, score in enumerate(scores):
                others = [other for at, other in enumerate(scores) if at != seat]
                ahead = sum(place < places[seat] for place in places)
                behind = sum(place > places[seat] for place in places)
                wanted = score - max(others) if reward == "margin" else (behind - ahead) / 2
                self.assertEqual(rewards[f"player_{seat}"], wanted)

    def test_wrong_actions_change_nothing(self):
        env = floe.env("flood", "5x5", seed=1)
        env.reset()
        before = env.position
        for action in (99, -1, 2**64, "x", None, 1.5, [1]):
            with self.assertRaises((ValueError, TypeError, OverflowError)):
                env.step(action)
            self.assertEqual(env.position, before)
        reasons = []
        for taken in np.flatnonzero(env.observe("player_0")["action_mask"] == 0):
            with self.assertRaises(floe.IllegalMove) as raised:
                env.step(int(taken))
            reasons.append(str(raised.exception))
            self.assertEqual(env.position, before)
        # Each player's colour is taken, for a reason of its own.
        self.assertEqual(len(reasons), 2)
        self.assertRegex("\n".join(sorted(reasons, key=len)), r"""\Aaction \d \((.)\): `\1` is the opponent's colour
action \d \((.)\): the player to move has `\2` already\Z""")


class Gymnasium(unittest.TestCase):
    def test_check_env(self):
        for game, setup in every_setup():
            for opponent in ("greedy", "random", "floe:nodes=20", lambda position: position.moves()[0]):
                with self.subTest(game=game, setup=setup, opponent=opponent), quietly():
                    check_env(floe.gym_env(game, setup, opponent=opponent), skip_render_check=True)

    def test_a_game_against_an_engine(self):
        env = floe.gym_env("penguins", "5x5,penguins=1", opponent="greedy", seed=5)
        seats = set()
        for _ in range(6):
            _, info = env.reset()
            seats.add(env.seat)
            is_over = False
            while not is_over:
                self.assertEqual(env.position.turn, env.seat)
                action = int(np.flatnonzero(info["action_mask"])[0])
                _, reward, is_over, _, info = env.step(action)
            scores = env.position.scores
            self.assertEqual(reward, np.sign(scores[env.seat] - scores[1 - env.seat]))
            with self.assertRaisesRegex(floe.Error, "reset"):
                env.step(0)
        self.assertEqual(seats, {0, 1})

    def test_illegal_actions_lose_or_raise(self):
        env = floe.gym_env("flood", "5x5", seat=0, seed=1)
        _, info = env.reset()
        illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
        _, reward, is_over, _, info = env.step(illegal)
        self.assertEqual((reward, is_over, info["illegal"]), (-1.0, True, illegal))
        env = floe.gym_env("flood", "5x5", seat=0, seed=1, illegal="raise")
        env.reset()
        self.assertRaises(floe.IllegalMove, env.step, illegal)
        env.step(int(env.action_masks().argmax()))

    def test_wrong_wishes(self):
        for wish in ({"opponent": "stockfish"}, {"seat": 2}, {"illegal": "shrug"}, {"render_mode": "3d"}):
            with self.assertRaises(floe.Error):
                floe.gym_env("flood", "5x5", **wish)
        with self.assertRaises(floe.Error):
            floe.env("flood", "5x5", render_mode="3d")


def played(game, setup, threads, steps=60, **more):
    """All that a run of random games showed."""
    envs = floe.vec_env(game, 37, setup, seed=9, threads=threads, **more)
    shown = []
    for _ in range(steps):
        envs.step(envs.sample())
        arrays = (envs.observations, envs.action_masks, envs.rewards, envs.turns, envs.dones)
        shown.append([array.copy() for array in arrays])
    return shown, envs


class Vectorised(unittest.TestCase):
    def test_the_same_games_for_any_number_of_threads(self):
        for game, setup in every_setup():
            alone, one = played(game, setup, 1)
            for threads in (2, 5):
                together, many = played(game, setup, threads)
                for before, after in zip(alone, together):
                    for a, b in zip(before, after):
                        np.testing.assert_array_equal(a, b)
                self.assertEqual((one.seeds, one.games_over), (many.seeds, many.games_over))
            self.assertGreater(one.games_over, 0)

    def test_games_are_those_of_single_environments(self):
        for game, setup in every_setup():
            envs = floe.vec_env(game, 5, setup, seed=20, reward="margin")
            singles = [floe.start(game, setup, seed) for seed in envs.seeds]
            self.assertGreaterEqual(min(envs.seeds), 20)
            for _ in range(60):
                actions = envs.sample()
                singles = [one.play(int(action)) for one, action in zip(singles, actions)]
                envs.step(actions)
                for number, one in enumerate(singles):
                    self.assertEqual(envs.dones[number], one.is_over)
                    if one.is_over:
                        scores = one.scores
                        margin = scores[0] - max(scores[1:], default=0)
                        self.assertEqual(envs.rewards[number, 0], margin)
                        one = singles[number] = floe.start(game, setup, envs.seeds[number])
                    else:
                        self.assertFalse(envs.rewards[number].any())
                    self.assertEqual(envs.position(number), one)
                    self.assertEqual(envs.turns[number], one.turn)
                    np.testing.assert_array_equal(envs.observations[number], one.observe())
                    np.testing.assert_array_equal(envs.action_masks[number], one.mask())

    def test_arrays_of_the_caller(self):
        shown, floats = played("gamma", "4x4", 2, dtype=np.float32)
        bytes_shown, _ = played("gamma", "4x4", 2)
        for a, b in zip(shown, bytes_shown):
            np.testing.assert_array_equal(a[0], b[0].astype(np.float32))
        turns = np.zeros(3, np.int32)
        envs = floe.vec_env("flood", 3, "4x4", turns=turns)
        out = np.zeros(3, np.int64)
        self.assertIs(envs.sample(out), out)
        envs.step(out)
        self.assertEqual(turns.tolist(), [1, 1, 1])
        self.assertIs(envs.turns, turns)
        envs.reset(seed=0)
        self.assertEqual(turns.tolist(), [0, 0, 0])

    def test_an_illegal_move_changes_no_game(self):
        envs = floe.vec_env("penguins", 4, "5x5,penguins=1", seed=1)
        before = [envs.position(number) for number in range(4)]
        actions = envs.sample()
        for wrong in (-1, 10**6, int(np.flatnonzero(envs.action_masks[2] == 0)[0])):
            actions[2] = wrong
            with self.assertRaisesRegex(floe.IllegalMove, f"game 2: action {wrong}"):
                envs.step(actions)
            self.assertEqual([envs.position(number) for number in range(4)], before)


class Raw(unittest.TestCase):
    def test_a_game(self):
        for game, setup in every_setup():
            raw = floe.raw_env(game, setup, seed=4, reward="margin")
            position = floe.start(game, setup, 4)
            while not position.is_over:
                self.assertEqual(raw.turn, position.turn)
                self.assertEqual(raw.legal_actions(), sorted(position.legal_actions()))
                np.testing.assert_array_equal(raw.observation, position.observe())
                action = raw.sample()
                self.assertEqual(raw.move(action), position.move(action))
                position = position.play(action)
                turn = raw.step(action)
                self.assertEqual(turn, -1 if position.is_over else position.turn)
            self.assertEqual(raw.scores, position.scores)
            self.assertEqual(raw.position(), position)
            self.assertRaises(floe.IllegalMove, raw.step, 0)
            self.assertRaises(floe.Error, raw.sample)
            raw.reset(4)
            self.assertFalse(raw.rewards.any())
            self.assertEqual(raw.position(), floe.start(game, setup, 4))
            raw.reset()
            self.assertEqual(raw.seed, 5)


class Positions(unittest.TestCase):
    def test_texts_pickles_and_numbers(self):
        for game, setup in every_setup():
            position = floe.start(game, setup, 2)
            for _ in range(6):
                if position.is_over:
                    break
                self.assertEqual(floe.read(game, position.text()), position)
                self.assertEqual(pickle.loads(pickle.dumps(position)), position)
                self.assertEqual(hash(pickle.loads(pickle.dumps(position))), hash(position))
                self.assertEqual(len(position.planes), position.observe().shape[0])
                for move, action in zip(position.moves(), position.legal_actions()):
                    self.assertEqual((position.action(move), position.move(action)), (action, move))
                    self.assertEqual(position.play(move), position.play(action))
                position = position.play(position.moves()[-1])
        self.assertNotEqual(position, "something else")


if __name__ == "__main__":
    unittest.main()
