"""A Python function as a program of the line protocol."""

from __future__ import annotations

import sys

from ._native import read


def run_bot(choose, name=None, *, input=None, output=None):
    """Plays games with a function, as a program that `floe match` and leagues can start.

    `choose` is given a `floe.Position` and answers with a move, as text or as a number. If it takes
    a second argument, that is the time for the move in seconds.

    The whole of a bot, `bot.py`, which plays in `floe match gamma "line:python3 bot.py" greedy`::

        import floe
        floe.run_bot(lambda position: position.moves()[0])

    What the function prints goes to standard error.

    >>> import floe, io
    >>> asked = "floe 1 flood seat=1 seats=2\\nposition\\nJ 0\\n@#\\n+@\\n.\\ngo 1000\\nend 3 1\\n"
    >>> said = io.StringIO()
    >>> floe.run_bot(lambda position: position.moves()[-1], "Mimi", input=io.StringIO(asked), output=said)
    >>> print(said.getvalue().strip())
    ok Mimi
    move *
    """
    lines = sys.stdin if input is None else input
    out = sys.stdout if output is None else output
    takes_time = _takes_two(choose)
    stdout = sys.stdout
    if output is None:
        sys.stdout = sys.stderr

    def say(line):
        print(line, file=out, flush=True)

    game, text = None, None
    try:
        for line in lines:
            line = line.rstrip("\r\n")
            word = line.split(" ", 1)[0]
            # A position ends with the dot right before `go`: a row may be a dot too.
            if text is not None and not (word == "go" and text[-1:] == ["."]):
                text.append(line)
            elif word == "floe":
                game = line.split()[2]
                say("ok" if name is None else f"ok {name}")
            elif word == "position":
                text = []
            elif word == "go":
                position = read(game, "\n".join(text[:-1]) + "\n")
                text = None
                seconds = int(line.split()[1]) / 1000
                move = choose(position, seconds) if takes_time else choose(position)
                say(f"move {move if isinstance(move, str) else position.move(int(move))}")
            elif word == "end":
                return
    finally:
        sys.stdout = stdout


def _takes_two(choose):
    import inspect

    try:
        inspect.signature(choose).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # a function of C without a signature
        return False
    return True
