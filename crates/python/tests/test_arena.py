"""Engines, records, matches and bots; and the examples in docstrings and in docs/python.md."""

import contextlib
import doctest
import importlib
import io
import json
import os
import pkgutil
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import floe

ROOT = Path(__file__).resolve().parents[3]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Engines(unittest.TestCase):
    def test_a_thought(self):
        position = floe.start("gamma", "3x2,areas=1")
        thought = floe.engine("floe").think(position, time=20)
        self.assertTrue(thought.proven)
        self.assertIn(thought.move, position.moves())
        self.assertEqual(thought.line[0], thought.move)
        self.assertEqual(thought.lead, thought.scores[0] - thought.scores[1])
        ranked = floe.engine("alphabeta").rank(position, top=3, depth=3)
        self.assertEqual(len({one.move for one in ranked}), 3)
        self.assertRaises(floe.Error, floe.engine("floe").think, floe.read("flood", "J\n@#\n@#\n"))

    def test_one_engine_plays_every_game(self):
        engine = floe.engine("floe:nodes=100")
        for game in floe.games():
            position = floe.start(game.name, "5x5")
            self.assertIn(engine.think(position).move, position.moves())

    def test_seats(self):
        engine = floe.engine("floe")
        self.assertIs(engine.seated(1), engine)
        self.assertEqual(floe.engine("random").seated(3).spec, "random:seed=3")
        self.assertEqual(floe.engine("random:seed=1").seated(3).spec, "random:seed=1")


class Matches(unittest.TestCase):
    def test_functions_engines_and_records(self):
        def last(position):
            return position.legal_actions()[-1]

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "games.jsonl"
            seats = [last, ("mine", floe.engine("greedy")), "random"]
            match = floe.play("gamma", seats, boards=2, setup="4x4", records=file)
            self.assertEqual([one.name for one in match.standings], ["last", "mine", "random"])
            self.assertEqual([one.games for one in match.standings], [6, 6, 6])
            self.assertEqual((match.elo, match.better), (None, None))
            self.assertIn("mine", str(match))
            read = floe.read_records(file)
            self.assertEqual([one.moves for one in sorted(read, key=lambda one: int(one.id))],
                             [one.moves for one in match.records])
            for record in read:
                record.verify()
                self.assertTrue(record.position().is_over)
                self.assertEqual(record.position(0), floe.start("gamma", "4x4,players=3", record.seed))
            copy = Path(folder) / "copy.jsonl"
            floe.append_records(copy, read[:1])
            floe.append_records(copy, read[1:])
            self.assertEqual([one.text() for one in floe.read_records(copy)], [one.text() for one in read])
            file.write_text(file.read_text()[:-300])
            self.assertFalse(floe.read_records(file)[-1].is_finished)
            file.write_text("{}\n")
            with self.assertRaisesRegex(floe.Error, "games.jsonl:1"):
                floe.read_records(file)

    def test_engines_alone_play_at_once_and_the_same(self):
        def games(concurrency):
            seats = ["greedy", "random"]
            match = floe.play("penguins", seats, boards=10, setup="6x6,penguins=2", concurrency=concurrency)
            return [record.moves for record in match.records], match

        alone, match = games(1)
        together, _ = games(3)
        self.assertEqual(alone, together)
        self.assertGreater(match.standings[0].score, 0.5)
        value, low, high = match.elo
        self.assertTrue(low <= value <= high)

    def test_a_function_that_is_slow(self):
        import time

        def slow(position):
            time.sleep(0.3)
            return position.moves()[0]

        match = floe.play("flood", [slow, "random"], boards=1, setup="4x4", time=0.05)
        self.assertEqual(match.standings[0].faults, {"timeout": 2})

    @unittest.skipUnless(os.environ.get("FLOE"), "FLOE does not name the command")
    def test_a_bot_plays_in_a_match(self):
        with tempfile.TemporaryDirectory() as folder:
            # As docs/python.md says: in the sandbox a program finds what lies beside it.
            shutil.copytree(Path(floe.__file__).parent, Path(folder) / "bot" / "floe")
            (Path(folder) / "bot" / "bot.py").write_text(
                "import floe\n"
                "def choose(position):\n"
                "    print('this goes to standard error')\n"
                "    return position.moves()[0]\n"
                "floe.run_bot(choose, 'Mimi')\n"
            )
            seat = "line:dir=bot python3 bot/bot.py"
            command = [os.environ["FLOE"], "match", "gamma", seat, "random", "--setup", "4x4", "--pairs", "1",
                       "--json", "--start", "60s", "--time", "60s"]
            told = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            self.assertEqual(told.returncode, 0, told.stderr)
            entrant = json.loads(told.stdout)["seats"][0]
            self.assertEqual((entrant["games"], entrant["faults"]), (2, {}), told.stdout)

            # And the same seat in a match from Python.
            before = os.getcwd()
            os.chdir(folder)
            try:
                match = floe.play("gamma", [seat, "random"], boards=1, setup="4x4", time=60)
            finally:
                os.chdir(before)
            self.assertEqual((match.standings[0].games, match.standings[0].faults), (2, {}))


class Bots(unittest.TestCase):
    def test_what_it_says(self):
        position = floe.start("penguins", "5x5,penguins=1", 3)
        asked = f"floe 1 penguins seat=1 seats=2\nposition\n{position.text()}.\ngo 1500\n" * 2 + "end 1 2\n"
        times, out = [], io.StringIO()

        def choose(position, seconds):
            times.append(seconds)
            return position.legal_actions()[0]

        floe.run_bot(choose, input=io.StringIO(asked), output=out)
        self.assertEqual(out.getvalue(), f"ok\nmove {position.moves()[0]}\n" * 2)
        self.assertEqual(times, [1.5, 1.5])

    def test_a_row_that_is_a_dot(self):
        position = floe.read("flood", "J 0\n#\n.\n@\n")
        asked = "floe 1 flood seat=1 seats=2\r\nposition\r\nJ 0\r\n#\r\n.\r\n@\r\n.\r\ngo 100\r\n"
        out = io.StringIO()
        floe.run_bot(lambda given: given.moves()[0] if given == position else "no", input=io.StringIO(asked), output=out)
        self.assertEqual(out.getvalue(), f"ok\nmove {position.moves()[0]}\n")


class Tables(unittest.TestCase):
    def test_columns(self):
        match = floe.play("flood", ["greedy", "random"], boards=2, setup="5x5")
        games, moves = floe.games_table(match.records), floe.moves_table(match.records)
        self.assertEqual(len(games["seat"]), 8)
        self.assertEqual(games["moves"].sum(), len(moves["move"]))
        self.assertEqual({len(column) for column in floe.games_table([]).values()}, {0})
        for library, frame in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")):
            try:
                made = getattr(importlib.import_module(library), frame)(games)
            except ImportError:
                continue
            self.assertEqual(made.shape, (8, 11))


class OpenSpiel(unittest.TestCase):
    def test_random_games(self):
        try:
            import pyspiel
        except ImportError:
            self.skipTest("OpenSpiel is not installed")
        importlib.import_module("floe.open_spiel")
        for game in floe.games():
            loaded = pyspiel.load_game("floe", {"game": game.name, "setup": "4x4", "seed": 3})
            with contextlib.redirect_stdout(io.StringIO()):
                pyspiel.random_sim_test(loaded, num_sims=2, serialize=False, verbose=False)


def load_tests(loader, tests, pattern):
    for module in ["floe", "floe._native"] + [
        f"floe.{module.name}" for module in pkgutil.iter_modules(floe.__path__) if module.name != "_native"
    ]:
        try:
            found = importlib.import_module(module)
        except ImportError:
            if module != "floe.open_spiel":  # an extra that few have
                raise
            continue
        tests.addTests(doctest.DocTestSuite(found, optionflags=FLAGS))
    page = ROOT / "docs" / "python.md"
    tests.addTests(doctest.DocFileSuite(str(page), module_relative=False, optionflags=FLAGS))
    return tests


if __name__ == "__main__":
    unittest.main()
