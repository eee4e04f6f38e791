"""Records as columns that pandas, polars and Arrow read at once."""

from __future__ import annotations


def games_table(records):
    """A row for every seat of every game, as a dictionary of columns.

    `pandas.DataFrame(table)`, `polars.DataFrame(table)` and `pyarrow.table(table)` take it as it is.
    Games that were interrupted have place 0.

    >>> import floe
    >>> match = floe.play("gamma", ["greedy", "random:seed=1"], boards=1, setup="4x4")
    >>> table = floe.games_table(match.records)
    >>> list(table)
    ['game', 'id', 'setup', 'seed', 'seat', 'name', 'score', 'place', 'moves', 'seconds', 'fault']
    >>> table["name"].tolist()
    ['greedy', 'random:seed=1', 'random:seed=1', 'greedy']
    """
    rows = []
    for record in records:
        turns = record.turns
        faults = {fault.seat: fault.kind for fault in reversed(record.faults)}
        for seat, name in enumerate(record.seats):
            mine = [turn.time for turn in turns if turn.seat == seat]
            rows.append((
                record.game, record.id, record.setup or "", -1 if record.seed is None else record.seed,
                seat, name, record.scores[seat] if record.is_finished else 0,
                record.places[seat] if record.is_finished else 0, len(mine), sum(mine),
                faults.get(seat, ""),
            ))
    return _columns(rows, game=str, id=str, setup=str, seed=int, seat=int, name=str, score=int, place=int,
                    moves=int, seconds=float, fault=str)


def moves_table(records):
    """A row for every move that stands, as a dictionary of columns.

    >>> import floe
    >>> record = floe.Record(floe.start("gamma", "3x1,areas=1"), ["b1", "a1"])
    >>> floe.moves_table([record])["move"].tolist()
    ['b1', 'a1']
    """
    rows = [
        (record.game, record.id, number, turn.seat, record.seats[turn.seat], turn.move, turn.time, turn.note)
        for record in records
        for number, turn in enumerate(record.turns)
    ]
    return _columns(rows, game=str, id=str, number=int, seat=int, name=str, move=str, seconds=float,
                    note=str)


def _columns(rows, **kinds):
    import numpy as np

    kinds_of_numpy = {str: object, int: np.int64, float: np.float64}
    columns = zip(*rows) if rows else ((),) * len(kinds)
    return {
        name: np.array(column, dtype=kinds_of_numpy[kind])
        for (name, kind), column in zip(kinds.items(), columns)
    }
