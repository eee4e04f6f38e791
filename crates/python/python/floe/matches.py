"""Matches with the arena's statistics."""

from __future__ import annotations

import os
import shutil
from typing import NamedTuple

from ._native import Engine, Error, Record, Standing, play_match


class Match(NamedTuple):
    """What a match came to; printed, it is a table."""

    standings: list[Standing]
    """What each seat did, in the order in which they were given."""
    elo: tuple[float, float, float] | None
    """Elo of the first of two above the second, with the ends of its 95 % interval; None where the
    games say nothing about it."""
    better: float | None
    """The chance that the first of two is the better one."""
    records: list[Record]
    """The games."""

    def __str__(self):
        width = max(len(standing.name) for standing in self.standings)
        lines = [f"{'seat':{width}}  games    W    D    L    score   margin"]
        for one in self.standings:
            score = "-" if one.score is None else f"{one.score:.1%}"
            margin = "-" if one.margin is None else f"{one.margin:+.2f}"
            lines.append(
                f"{one.name:{width}}  {one.games:5}  {one.wins:3}  {one.draws:3}  {one.losses:3}  "
                f"{score:>7}  {margin:>7}"
            )
            lines += [f"{'':{width}}  {kind}: {count}" for kind, count in one.faults.items()]
        if self.elo is not None:
            value, low, high = self.elo
            first, second = (standing.name for standing in self.standings)
            lines.append(f"{first} is {value:+.0f} Elo ({low:+.0f} to {high:+.0f}) above {second}")
        return "\n".join(lines)


def play(game, seats, boards=10, setup="", seed=1, time=None, concurrency=1, records=None):
    """Plays a match: every board in every rotation of the seats.

    A seat is a function of a position that answers with a move (text or number), an engine, or text
    as in `floe match`: `"floe:hard"`, `"./bot"`, `"line:python3 bot.py"`. A pair of a name and a seat
    gives it a name. Programs run in the sandbox of the command `floe`, which must be on the PATH or be
    named by the environment variable FLOE.

    `time` is every seat's time limit for a move, in seconds; by default engines and programs have the
    contest's limit and functions an hour. `records` is a file that the games are added to.
    `concurrency` is how many games are played at once; where functions play it is 1.

    An answer that is no legal move loses the game, as in every match; an exception of a function
    ends the match and is raised here, and so does Ctrl-C.

    >>> import floe
    >>> def first(position):
    ...     return position.moves()[0]
    >>> match = floe.play("flood", [first, "greedy"], boards=2, setup="6x6")
    >>> match.standings[0].name, match.standings[0].games, len(match.records)
    ('first', 4, 4)
    """
    if isinstance(seats, str) or len(seats) < 2:
        raise Error("a match needs two seats or more")
    if not 1 <= boards <= 1 << 32:
        raise Error(f"boards is 1 to {1 << 32}, not {boards}")
    if not 1 <= concurrency <= 1024:
        raise Error(f"concurrency is 1 to 1024, not {concurrency}")
    named, taken = [], set()
    for seat in seats:
        name, who = seat if isinstance(seat, tuple) else (_name(seat), seat)
        wanted, copy = name, 2
        while name in taken:
            name, copy = f"{wanted} ({copy})", copy + 1
        taken.add(name)
        named.append((name, who.spec if isinstance(who, Engine) else who))
    helper = os.environ.get("FLOE") or shutil.which("floe")
    return Match(**play_match({
        "game": game, "seats": named, "boards": boards, "setup": setup, "seed": seed, "time": time,
        "concurrency": concurrency, "records": records, "helper": helper,
    }))


def _name(seat):
    if isinstance(seat, str):
        return seat
    if isinstance(seat, Engine):
        return seat.spec
    return getattr(seat, "__name__", type(seat).__name__)
