"""Whatever comes from Python, the answer is an exception: no panic, and nothing that ends Python."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import floe

EXPECTED = (ValueError, TypeError, OverflowError, OSError, MemoryError)

NUMBERS = [-1, 2**31, 2**63, 2**64, 2**200, 1.5, float("nan"), float("inf"), "7", None, b"7", [], {}, object()]
TEXTS = ["", "chess", "\0", "\ud800", "penguins ", "x" * 10_000, 7, None, b"gamma", ["gamma"]]
SETUPS = ["0x0", "99999999999x1", "100000x100000", "5x5,players=0", "5x5,players=65535", "x", "\0", "5x5," * 1000,
          "style=island", "200x200,players=9", "1x1"]


class Hostile(unittest.TestCase):
    def attempt(self, work, *arguments, **named):
        """Either it works, or it raises what it should."""
        try:
            return work(*arguments, **named)
        except EXPECTED as error:
            self.assertTrue(str(error).strip(), (work, arguments, named))
            return None

    def test_wrong_words(self):
        for text in TEXTS:
            for work in (floe.start, floe.raw_env, lambda game: floe.vec_env(game, 2), floe.env, floe.gym_env,
                         lambda game: floe.read(game, "J\n@#\n"), floe.engine, floe.parse_records):
                self.attempt(work, text)
            self.attempt(floe.read, "gamma", text)
            self.attempt(floe.start, "gamma", text)
            self.attempt(floe.start("flood", "4x4").play, text)
            self.attempt(floe.raw_env, "flood", "4x4", reward=text)
            self.attempt(floe.Record, floe.start("flood", "4x4"), [text])
            self.attempt(floe.play, "flood", [text, "random"], boards=1, setup="3x3")

    def test_wrong_setups(self):
        for game in floe.games():
            for setup in SETUPS:
                position = self.attempt(floe.start, game.name, setup)
                if position is not None:
                    self.attempt(position.moves)
                    self.attempt(position.board)
                for work in (floe.raw_env, floe.env, lambda game, setup: floe.vec_env(game, 2, setup)):
                    self.attempt(work, game.name, setup)
        with self.assertRaisesRegex(floe.Error, "boards differ in size"):
            floe.raw_env("penguins", "style=island")

    def test_wrong_numbers(self):
        position = floe.start("penguins", "5x5")
        raw = floe.raw_env("penguins", "5x5")
        envs = floe.vec_env("penguins", 2, "5x5")
        engine = floe.engine("floe")
        for number in NUMBERS:
            for work in (position.play, position.move, position.observe, position.action, raw.step, raw.reset,
                         raw.observe, raw.move, envs.step, envs.reset, envs.position, envs.sample,
                         lambda seed: floe.start("penguins", "5x5", seed),
                         lambda n: floe.vec_env("flood", n, "4x4") if not isinstance(n, int) or n < 9 else None,
                         lambda n: floe.vec_env("flood", 2, "4x4", threads=n),
                         lambda n: floe.vec_env("flood", 2, "4x4", dtype=n),
                         lambda n: floe.play("flood", ["random", "random"], boards=n, setup="3x3")
                         if n not in (2**31,) else None,
                         lambda n: floe.play("flood", ["random", "random"], boards=1, setup="3x3", time=n)):
                self.attempt(work, number)
            self.attempt(engine.think, number)
            if number is not None:
                self.attempt(engine.think, position, depth=1, time=number)
            self.attempt(engine.rank, position, number, 0.01)
        self.assertRaises(floe.Error, engine.think, position, time=-1)
        self.assertRaises(floe.Error, engine.think, position, time=float("nan"))

    def test_wrong_arrays(self):
        right = {
            "observations": np.zeros((2, 10, 4, 4), np.uint8), "action_masks": np.zeros((2, 5), np.int8),
            "rewards": np.zeros((2, 2), np.float32), "turns": np.zeros(2, np.int32), "dones": np.zeros(2, np.bool_),
        }
        floe.vec_env("flood", 2, "4x4", **right)
        for name, array in right.items():
            read_only = array.copy()
            read_only.flags.writeable = False
            wrong = [array[:1], array.astype(np.float64), array.astype(object), read_only, array.tolist(),
                     np.zeros((*array.shape, 2), array.dtype)[..., 0], "x", 7, array.T[::-1]]
            for other in wrong:
                with self.subTest(name=name, other=other), self.assertRaises((ValueError, TypeError)):
                    floe.vec_env("flood", 2, "4x4", **{**right, name: other})
        same = np.zeros(1000, np.uint8)
        with self.assertRaises((ValueError, TypeError)):
            floe.vec_env("flood", 2, "4x4", observations=same[:320].reshape(2, 10, 4, 4),
                         action_masks=same[:10].view(np.int8).reshape(2, 5))

    def test_arrays_that_change_their_minds(self):
        raw = floe.raw_env("flood", "4x4")
        raw.observation.flags.writeable = False
        self.assertRaises(ValueError, raw.step, raw.legal_actions()[0])
        raw = floe.raw_env("flood", "4x4")
        raw.action_mask[:] = 7
        self.assertIn(raw.sample(), range(5))
        envs = floe.vec_env("flood", 2, "4x4")
        envs.action_masks[:] = -1
        envs.step(envs.sample())
        # What numpy still allows to be changed in place.
        for change in (lambda array: array.resize((1,), refcheck=False),
                       lambda array: setattr(array, "shape", (array.size,)),
                       lambda array: setattr(array, "dtype", np.uint16)):
            for pick in (lambda raw: raw.observation, lambda raw: raw.action_mask, lambda raw: raw.rewards):
                raw = floe.raw_env("flood", "4x4")
                self.attempt(change, pick(raw))
                while not raw.is_over:
                    try:
                        raw.step(raw.position().legal_actions()[0])
                    except EXPECTED:
                        break

    def test_wrong_actions(self):
        envs = floe.vec_env("flood", 2, "4x4")
        for actions in (None, 1, [0, 1], np.zeros(2), np.zeros(3, np.int64), np.zeros((2, 1), np.int64),
                        np.zeros(4, np.int64)[::2], np.array(["a", "b"]), np.zeros(2, np.int32), np.zeros(0, np.int64)):
            with self.subTest(actions=actions), self.assertRaises((ValueError, TypeError)):
                envs.step(actions)

    def test_wrong_answers_of_functions(self):
        for answer in (None, 1.5, [], object(), b"a1", -1):
            with self.subTest(answer=answer), self.assertRaises((TypeError, ValueError, OverflowError)):
                floe.play("gamma", [lambda _: answer, "random"], boards=1, setup="3x3")
        for answer in ("z9", "", "\0", "no move", 10**6):
            match = floe.play("gamma", [lambda _: answer, "random"], boards=1, setup="3x3")
            self.assertEqual(match.standings[0].losses, 2)
            self.assertEqual(sum(match.standings[0].faults.values()), 2)

        class Trouble(Exception):
            pass

        def fails(_):
            raise Trouble("mine")

        with self.assertRaisesRegex(Trouble, "mine"):
            floe.play("gamma", [fails, "random"], boards=1, setup="3x3")
        self.assertRaises(floe.Error, floe.play, "gamma", ["human", "random"])
        self.assertRaises(floe.Error, floe.play, "gamma", ["greedy"])
        self.assertRaises(TypeError, floe.play, "gamma", [7, "random"], setup="3x3")
        with self.assertRaisesRegex(floe.Error, "for 3 and 2 seats"):
            floe.play("gamma", ["greedy", "random"], setup="3x3,players=3")
        with self.assertRaises(OSError):
            floe.play("gamma", ["greedy", "random"], boards=1, setup="3x3", records="/nowhere/games.jsonl")

    def test_two_threads(self):
        envs = floe.vec_env("penguins", 512, "8x8", threads=2)
        failed = []

        def step():
            for _ in range(40):
                try:
                    envs.step(envs.sample())
                except (floe.InUse, floe.IllegalMove):
                    pass  # the other thread steps, or has stepped between sample and step
                except BaseException as error:
                    failed.append(error)

        threads = [threading.Thread(target=step) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])

    def test_an_engine_thinks_for_one_at_a_time(self):
        engine, position = floe.engine("floe"), floe.start("gamma", "10x10")
        seen, refused = [], []

        def think():
            while not seen:
                try:
                    seen.append(engine.think(position, time=2))
                except floe.InUse as error:
                    refused.append(error)

        thread = threading.Thread(target=think)
        thread.start()
        while not refused and thread.is_alive():
            try:
                engine.think(position, nodes=1)
            except floe.InUse as error:
                refused.append(error)
        thread.join()
        self.assertEqual(len(seen), 1)
        self.assertIn("give every thread its own", str(refused[0]))


INTERRUPTED = {
    "think": "floe.engine('floe').think(floe.start('gamma', '12x12'), time=600)",
    "rank": "floe.engine('mcts').rank(floe.start('flood', '20x20'), 5, time=600)",
    "match": "floe.play('gamma', ['floe:time=300s', 'floe:time=300s'], setup='12x12')",
    "function": "floe.play('gamma', [lambda p: p.moves()[0], 'floe:time=300s'], setup='12x12')",
}


@unittest.skipIf(os.name == "nt", "Windows sends Ctrl-C in another way")
class Interrupts(unittest.TestCase):
    def test_ctrl_c_ends_long_work(self):
        for name, work in INTERRUPTED.items():
            with self.subTest(name):
                # A shell's background work ignores Ctrl-C, and hands that on.
                program = (
                    "import floe, signal, sys\n"
                    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                    "try:\n"
                    "    print('ready', flush=True)\n"
                    f"    {work}\n"
                    "except KeyboardInterrupt: sys.exit(7)\n"
                )
                child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
                try:
                    self.assertEqual(child.stdout.readline(), b"ready\n")
                    time.sleep(0.2)  # within the thought, or just before it: both must end
                    child.send_signal(signal.SIGINT)
                    self.assertEqual(child.wait(timeout=120), 7)
                finally:
                    child.kill()
                    child.wait()
                    child.stdout.close()


if __name__ == "__main__":
    unittest.main()
