//! What is wrong, and what the first line of the report says.

/// The program that a row changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// Gamma, in the line protocol.
    Line,
    /// The same, started as an executable file.
    Script,
    /// Flood Wars, in the contest's dialect.
    Flood,
    /// Penguins, in the contest's dialect.
    Penguins,
}

impl Base {
    pub(super) const fn source(self) -> &'static str {
        match self {
            Base::Line | Base::Script => include_str!("line.py"),
            Base::Flood => include_str!("flood.py"),
            Base::Penguins => include_str!("penguins.py"),
        }
    }
}

/// A program with one thing wrong.
pub(super) struct Row {
    /// What is wrong.
    pub(super) wrong: &'static str,
    pub(super) base: Base,
    pub(super) setup: &'static str,
    /// The part of the base that is replaced, and by what.
    change: (&'static str, &'static str),
    /// What the first line says.
    pub(super) says: &'static str,
    pub(super) is_about_time: bool,
}

impl Row {
    pub(super) fn source(&self) -> String {
        let (old, new) = self.change;
        let base = self.base.source();
        assert!(base.contains(old), "{}: {old}", self.wrong);
        base.replacen(old, new, 1)
    }
}

const fn row(
    wrong: &'static str,
    (base, setup): (Base, &'static str),
    (old, new): (&'static str, &'static str),
    says: &'static str,
) -> Row {
    Row {
        wrong,
        base,
        setup,
        change: (old, new),
        says,
        is_about_time: false,
    }
}

const fn slow(
    wrong: &'static str,
    table: (Base, &'static str),
    change: (&'static str, &'static str),
    says: &'static str,
) -> Row {
    Row {
        is_about_time: true,
        ..row(wrong, table, change, says)
    }
}

const LINE: (Base, &str) = (Base::Line, "4x3,areas=12");
const SCRIPT: (Base, &str) = (Base::Script, "4x3,areas=12");
const FLOOD: (Base, &str) = (Base::Flood, "4x3");
const PENGUINS: (Base, &str) = (Base::Penguins, "5x4,penguins=1");

const START: &str = "import os, sys, time\n";
const OK: &str = "        say(\"ok Base\")\n";
const GO: &str = "        c, row, mark = answer(rows, seat)\n";
const MOVE: &str = "say(\"move \" + name(c, row, len(rows)) + mark)";
const NAME: &str = "return chr(ord(\"a\") + c) + str(row)";
const LAST: &str = "for row in rows:\n    print(\"\".join(row))\n";
const CHOSEN: &str = "move = chosen(me[1])\n";

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // Talking.
    slow("never flushes", LINE, ("flush=True", "flush=False"), "flush after each line"),
    slow("reads to the end of input", LINE, ("def read():\n    return sys.stdin.readline()", "from io import StringIO\nall = None\ndef read():\n    global all\n    all = all or StringIO(sys.stdin.read())\n    return all.readline()"), "it reads to the end of its input"),
    slow("reads a line too many before a move", LINE, (GO, "        read()\n        c, row, mark = answer(rows, seat)\n"), "it waits for more input than it is sent"),
    slow("reads a line too many before `ok`", LINE, (OK, "        read()\n        say(\"ok Base\")\n"), "it waits for more input than it is sent"),
    row("debugging output before `ok`", LINE, (OK, "        say(\"starting up\")\n        say(\"ok Base\")\n"), "debugging output belongs on standard error"),
    row("debugging output before a move", LINE, (GO, "        say(\"thinking\")\n        c, row, mark = answer(rows, seat)\n"), "debugging output belongs on standard error"),
    row("answers the greeting with its name alone", LINE, ("ok Base", "Base"), "it answered the greeting with `Base`"),
    row("answers the greeting with a move", LINE, ("ok Base", "move a1"), "it answered the greeting with `move a1`"),
    row("says nothing but `ok` in other words", LINE, ("ok Base", "OK"), "it answered the greeting with `OK`"),
    row("leaves out the word `move`", LINE, ("\"move \" + name", "\"\" + name"), "without `move` before it"),
    row("answers with an empty line", LINE, (MOVE, "say(\"\")"), "it answered ``"),
    row("answers with what is not text", LINE, (MOVE, "sys.stdout.buffer.write(b\"move \\xff\\n\"); sys.stdout.flush()"), "not text in UTF-8"),
    row("answers with a NUL byte", LINE, (MOVE, "say(\"move a\\0\")"), "NUL byte"),
    row("moves twice", LINE, (MOVE, "say(\"move \" + name(c, row, len(rows)) + mark); say(\"move a1\")"), "unexpected output before `go`"),
    row("writes without end", LINE, (GO, "        sys.stdout.write(\"x\" * (3 << 20)); sys.stdout.flush()\n"), "wrote more than it may"),
    // Starting and ending.
    row("a script without `#!`", SCRIPT, (START, START), "a script without `#!`"),
    row("`#!` and a carriage return", SCRIPT, (START, "#!/usr/bin/python3\r\nimport os, sys, time\n"), "ends as on Windows"),
    row("an interpreter that is not there", SCRIPT, (START, "#!/opt/python9/bin/python\nimport os, sys, time\n"), "its interpreter `/opt/python9/bin/python` is not on this machine"),
    row("does not compile", LINE, (START, "import os, sys, time\nif True print(1)\n"), "SyntaxError"),
    row("a module that is not there", LINE, (START, "import os, sys, time\nimport numpyy\n"), "No module named 'numpyy'"),
    row("a file that is not there", LINE, (START, "import os, sys, time\nopen(\"weights.txt\")\n"), "weights.txt"),
    row("ends at once", LINE, (START, "import os, sys, time\nsys.exit(0)\n"), "it ended without an answer"),
    row("ends after its first move", LINE, ("        made += 1\n", "        break\n"), "it ended before the game was over, after 1 move"),
    row("ends with an exit code", LINE, (GO, "        sys.exit(7)\n"), "exit code 7"),
    row("closes its output", LINE, (GO, "        os.close(1); time.sleep(8)\n"), "it closed its standard output"),
    row("an exception at its third move", LINE, (GO, "        c, row, mark = answer(rows, seat)\n        [1, 2][made]\n"), "IndexError: list index out of range"),
    row("a division by zero", LINE, (GO, "        1 // 0\n"), "ZeroDivisionError"),
    row("aborts at its third move", LINE, (GO, "        c, row, mark = answer(rows, seat)\n        made < 2 or os.abort()\n"), "signal 6 (abort)"),
    row("a wrong memory access", LINE, (GO, "        os.kill(os.getpid(), 11)\n"), "segmentation fault"),
    row("takes all memory", LINE, (GO, "        hoard = b\"x\" * (300 << 20)\n        c, row, mark = answer(rows, seat)\n"), "MiB of memory"),
    // Time.
    slow("sleeps", LINE, (GO, "        time.sleep(60)\n"), "ms of CPU time"),
    slow("computes without end", LINE, (GO, "        while True: pass\n"), "no answer after"),
    // Moves.
    row("counts rows from the top", LINE, (NAME, "return chr(ord(\"a\") + c) + str(height + 1 - row)"), "counts rows from the top"),
    row("exchanges x and y", (Base::Line, "4x6,areas=24"), (NAME, "return chr(ord(\"a\") + row - 1) + str(c + 1)"), "exchanges x and y"),
    row("counts rows from 0", LINE, (NAME, "return chr(ord(\"a\") + c) + str(row - 1)"), "counts rows from 0"),
    row("begins with column b", LINE, (NAME, "return chr(ord(\"b\") + c) + str(row)"), "one column too far to the right"),
    row("capital letters", LINE, (NAME, "return chr(ord(\"A\") + c) + str(row)"), "capital letters"),
    row("letters past z", (Base::Line, "28x1,areas=28"), ("return free[len(free) // 2]", "return free[-1]"), "after column `z`"),
    row("numbers for columns", LINE, (NAME, "return f\"{c} {row - 1}\""), "writes columns as numbers"),
    row("the same field every time", LINE, (NAME, "return \"a1\""), "the field is taken"),
    row("off the board", LINE, (NAME, "return \"j9\""), "not on the board"),
    row("a golden move on a free field", LINE, (GO, "        c, row, mark = answer(rows, seat)\n        mark = \"!\"\n"), "the field is free"),
    // Flood Wars.
    row("chooses the opponent's colour", FLOOD, ("if c not in (own, theirs)", "if c == theirs"), "the colour of"),
    row("repeats the letter", FLOOD, ("\"S\" if me == \"J\" else \"J\"", "me"), "repeats the letter it was given"),
    row("leaves out the letter", FLOOD, ("print(\"S\" if me == \"J\" else \"J\")\n", ""), "leaves out the first line"),
    row("debugging output before the board", FLOOD, ("print(\"S\"", "print(\"best:\", colour)\nprint(\"S\""), "writes more than its answer"),
    row("blanks between the squares", FLOOD, ("\"\".join(row)", "\" \".join(row)"), "blanks between the characters"),
    row("plays from the top-left corner", (Base::Flood, "5x5"), ("home, away = (height - 1, 0), (0, width - 1)", "home, away = (0, 0), (height - 1, width - 1)"), "counts rows from the top"),
    row("writes columns for rows", FLOOD, (LAST, "for row in zip(*rows):\n    print(\"\".join(row))\n"), "exchanges x and y"),
    row("leaves out a row", FLOOD, (LAST, "for row in rows[1:]:\n    print(\"\".join(row))\n"), "the answer ends after 2 of 3 rows"),
    row("ends lines with two carriage returns", FLOOD, (LAST, "for row in rows:\n    print(\"\".join(row), end=\"\\r\\r\\n\")\n"), "with a newline alone (CRLF)"),
    row("ends lines with carriage returns alone", FLOOD, (LAST, "for row in rows:\n    print(\"\".join(row), end=\"\\r\")\n"), "with a newline alone (CRLF)"),
    row("writes a file", FLOOD, (LAST, "open(\"log.txt\", \"w\")\nfor row in rows:\n    print(\"\".join(row))\n"), "a file it was not asked for: `log.txt`"),
    row("says nothing", FLOOD, ("lines = ", "sys.exit(0)\nlines = "), "it ended without an answer"),
    // Penguins.
    row("does not count its fish", PENGUINS, ("me[2] = str(int(me[2]) + int(board[end[0]][end[1]][0]))", "pass"), "the score is"),
    row("writes the rows upside down", PENGUINS, ("rows = [\" \".join(row) for row in board]", "rows = [\" \".join(row) for row in board[::-1]]"), "counts rows from the top"),
    row("leaves no water behind", PENGUINS, ("board[start[0]][start[1]] = \"00\"", "pass"), "has a new penguin while penguins move"),
    row("moves another's penguin", PENGUINS, (CHOSEN, "move = chosen(me[1] if phase == \"placement\" else str(3 - int(me[1])))\nif phase != \"placement\": me = [p for p in players if p[0] != \"mini\"][0]\n"), "makes the other player's move"),
    row("stands there as another player", PENGUINS, ("board[end[0]][end[1]] = \"0\" + me[1]", "board[end[0]][end[1]] = \"0\" + str(3 - int(me[1]))"), "writes another player's number for its own"),
    row("joins under a number that is taken", PENGUINS, ("str(n) for n in range(1, 10) if str(n) not in used", "str(n) for n in range(1, 10)"), "writes another player's number for its own"),
    row("writes to standard output", PENGUINS, ("open(target, \"w\")", "sys.stdout"), "out.txt"),
];
