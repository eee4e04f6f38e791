//! The inputs that every program is held against.

use crate::assignment::{Input, InputLine};
use crate::random::Random;

pub(super) const GROUPS: &[&str] = &[
    "commands",
    "wrong lines",
    "numbers",
    "white space",
    "before the game",
    "end of input",
    "random input",
];

/// A line that must be refused.
fn wrong(text: impl AsRef<[u8]>) -> InputLine {
    InputLine::Wrong(text.as_ref().to_vec())
}

fn skipped(text: impl AsRef<[u8]>) -> InputLine {
    InputLine::Skipped(text.as_ref().to_vec())
}

/// A command in plain form, which is nearly a call; `B` starts a game.
fn call(text: &str) -> InputLine {
    written(text, text)
}

/// A command in any form, with the plain one.
fn written(text: impl AsRef<[u8]>, plain: &str) -> InputLine {
    let call = match plain.strip_prefix('B') {
        Some(numbers) => format!("new{numbers}"),
        None => plain.to_owned(),
    };
    InputLine::Call {
        text: text.as_ref().to_vec(),
        call,
    }
}

fn input(group: &'static str, name: &str, lines: Vec<InputLine>) -> Input {
    Input {
        group,
        name: name.to_owned(),
        lines,
        is_torn: false,
    }
}

/// A line in the middle of a game.
fn in_game(group: &'static str, name: &str, line: InputLine) -> Input {
    let lines = vec![
        call("B 4 3 2 2"),
        call("m 1 1 1"),
        line,
        call("b 1"),
        call("p"),
    ];
    input(group, name, lines)
}

pub(super) fn all() -> Vec<Input> {
    let mut all = commands();
    all.extend(wrong_lines());
    all.extend(numbers());
    all.extend(white_space());
    all.extend(before_the_game());
    all.extend(ends());
    all.extend((0..20).map(random_input));
    all
}

fn commands() -> Vec<Input> {
    let lines = |text: &str| text.split("; ").map(call).collect();
    vec![
        input("commands", "nothing", Vec::new()),
        input("commands", "a game and no more", lines("B 3 3 2 2")),
        input(
            "commands",
            "m",
            lines("B 3 3 2 1; m 1 0 0; m 1 0 0; m 2 0 0; m 1 2 2; m 1 0 1; p"),
        ),
        input(
            "commands",
            "g",
            lines("B 3 3 2 2; m 1 0 0; g 2 0 0; g 2 0 0; g 1 0 0; p"),
        ),
        input("commands", "b", lines("B 3 3 2 2; b 1; m 1 0 0; b 1; b 2")),
        input("commands", "f", lines("B 3 3 2 1; f 1; m 1 0 0; f 1; f 2")),
        input("commands", "q", lines("B 3 3 2 2; q 1; m 2 0 0; q 1; q 2")),
        input("commands", "p", lines("B 5 2 9 2; p; m 9 4 1; m 1 0 0; p")),
        input(
            "commands",
            "players and fields that do not exist",
            lines(
                "B 3 3 2 2; m 0 0 0; m 3 0 0; m 1 3 0; m 1 0 3; g 9 9 9; b 0; b 3; f 0; f 3; q 0; q 3; p",
            ),
        ),
        input(
            "commands",
            "comments and empty lines",
            vec![
                skipped("# before"),
                skipped(""),
                call("B 2 2 2 2"),
                skipped("#"),
                skipped("#m 1 0 0"),
                skipped(""),
                call("m 1 0 0"),
                skipped("# p"),
                call("p"),
            ],
        ),
    ]
}

fn wrong_lines() -> Vec<Input> {
    let texts: &[&[u8]] = &[
        b"x",
        b"m",
        b"m 1",
        b"m 1 0",
        b"m 1 0 0 0",
        b"b",
        b"b 1 1",
        b"f",
        b"q",
        b"q 1 2",
        b"g 1 0",
        b"p 1",
        b"pp",
        b"m1 0 0",
        b"M 1 0 0",
        b"P",
        b"mm 1 0 0",
        b"m 1 0 0 # why",
        b"m,1,0,0",
        b"B",
        b"\x00",
        b"b \x001",
        b"b 1\xff",
        b"m 1 0 O",
        b"b one",
        b";",
        b"I 2 2",
        b"B 2 2 2",
    ];
    let shown = |text: &[u8]| text.escape_ascii().to_string();
    let each = texts
        .iter()
        .map(|text| in_game("wrong lines", &shown(text), wrong(text)));
    let again = [
        call("B 2 2 2 2"),
        call("B 2 2 2 2"),
        wrong("I 2 2 2 2"),
        call("m 1 0 0"),
    ];
    each.chain([input("wrong lines", "a second game", again.to_vec())])
        .collect()
}

fn numbers() -> Vec<Input> {
    let mut all = vec![
        in_game("numbers", "4294967295", call("b 4294967295")),
        in_game(
            "numbers",
            "leading zeros",
            written("m 0001 00000000000000000002 000", "m 1 2 0"),
        ),
        in_game(
            "numbers",
            "a megabyte of leading zeros",
            written(format!("b {}1", "0".repeat(1 << 20)), "b 1"),
        ),
    ];
    for text in [
        "b 4294967296",
        "b 4294967297",
        "b 18446744073709551617",
        "b 99999999999999999999999",
        "b +1",
        "b -1",
        "b -0",
        "b 0x1",
        "b 1.0",
        "b 1e0",
        "m 1 0 4294967296",
        "b 1,",
    ] {
        all.push(in_game("numbers", text, wrong(text)));
    }
    all
}

fn white_space() -> Vec<Input> {
    let all: [(&str, InputLine); 13] = [
        ("two blanks", written("m  1  2  0", "m 1 2 0")),
        ("tabs", written("m\t1\t2\t0", "m 1 2 0")),
        ("other white space", written("m\x0b1\x0c2\r0", "m 1 2 0")),
        ("a blank at the end", written("m 1 2 0 ", "m 1 2 0")),
        ("p and a blank", written("p ", "p")),
        (
            "a carriage return at the end",
            written("m 1 2 0\r", "m 1 2 0"),
        ),
        ("a blank at the start", wrong(" m 1 2 0")),
        ("a tab at the start", wrong("\tb 1")),
        ("blanks only", wrong("   ")),
        ("a blank before a comment", wrong(" # no")),
        ("a carriage return alone", wrong("\r")),
        (
            "bytes beyond ASCII in a comment",
            skipped(b"# \xff\xfe \x00 z\xc5\x82oty"),
        ),
        ("a blank beyond ASCII", wrong(b"b\xc2\xa01")),
    ];
    all.into_iter()
        .map(|(name, line)| in_game("white space", name, line))
        .collect()
}

fn before_the_game() -> Vec<Input> {
    let commands = ["m 1 0 0", "g 1 0 0", "b 1", "f 1", "q 1", "p"];
    let early: Vec<InputLine> = commands
        .iter()
        .map(|line| call(line))
        .chain([call("B 2 2 2 2"), call("p")])
        .collect();
    let group = "before the game";
    vec![
        input(group, "commands without a game", early),
        input(
            group,
            "games that cannot be",
            vec![
                call("B 0 2 2 2"),
                call("B 2 0 2 2"),
                call("B 2 2 0 2"),
                call("B 2 2 2 0"),
                wrong("B 2 2 2"),
                wrong("B 2 2 2 2 2"),
                wrong("B 4294967296 1 1 1"),
                wrong("B -1 1 1 1"),
                wrong("b 2 2 2 2"),
                call("B 2 2 2 2"),
                call("b 1"),
            ],
        ),
        input(
            group,
            "comments before the game",
            vec![
                skipped("#"),
                skipped(""),
                wrong("hello"),
                call("B 2 2 2 2"),
                call("m 1 1 1"),
                call("p"),
            ],
        ),
    ]
}

fn ends() -> Vec<Input> {
    let torn = |name: &str, lines: Vec<InputLine>| Input {
        is_torn: true,
        ..input("end of input", name, lines)
    };
    vec![
        torn(
            "a command without a newline",
            vec![call("B 2 2 2 2"), call("m 1 0 0"), call("b 1")],
        ),
        torn("p without a newline", vec![call("B 2 2 2 2"), call("p")]),
        torn(
            "a comment without a newline",
            vec![call("B 2 2 2 2"), call("b 1"), skipped("# end")],
        ),
        torn("a game without a newline", vec![call("B 2 2 2 2")]),
        torn(
            "a wrong line without a newline",
            vec![call("B 2 2 2 2"), wrong("x")],
        ),
    ]
}

/// A game with wrong lines among its commands.
fn random_input(seed: u64) -> Input {
    let mut random = Random::seeded(1000 + seed);
    let mut below = |bound: u32| random.below(u64::from(bound)) as u32;
    let (width, height, players, areas) = (1 + below(8), 1 + below(6), 1 + below(9), 1 + below(3));
    let mut lines = vec![call(&format!("B {width} {height} {players} {areas}"))];
    for _ in 0..150 {
        let player = below(players + 2);
        let (x, y) = (below(width + 1), below(height + 1));
        lines.push(match below(12) {
            0..=4 => call(&format!("m {player} {x} {y}")),
            5 | 6 => call(&format!("g {player} {x} {y}")),
            7 => call(&format!("b {player}")),
            8 => call(&format!("f {player}")),
            9 => call(&format!("q {player}")),
            10 => skipped(["", "# comment"][below(2) as usize]),
            _ => wrong(["m 1", "z 1", " b 1", "b 1 2"][below(4) as usize]),
        });
    }
    lines.push(call("p"));
    let name = format!("{width}x{height}, {players} players, {areas} areas, seed {seed}");
    input("random input", &name, lines)
}
