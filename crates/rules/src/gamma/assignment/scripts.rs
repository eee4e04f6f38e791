//! The scripts that every library is held against.
//!
//! Those written by hand come first, each about one thing; random games find what they miss; large
//! boards, overflow and failing memory come last.

use super::calls::{Call, Function, Reference};
use crate::assignment::Script;
use crate::random::Random;

pub(super) const GROUPS: &[&str] = &[
    "parameters",
    "moves",
    "golden moves",
    "free fields",
    "golden possible",
    "board",
    "random games",
    "large boards",
    "memory",
];

/// Cases written by hand: group, name, calls separated by semicolons.
const CASES: &[(&str, &str, &str)] = &[
    ("parameters", "gamma_new, width 0", "new 0 1 1 1"),
    ("parameters", "gamma_new, height 0", "new 1 0 1 1"),
    ("parameters", "gamma_new, no players", "new 1 1 0 1"),
    ("parameters", "gamma_new, no areas", "new 1 1 1 0"),
    (
        "parameters",
        "gamma_new, the smallest game",
        "new 1 1 1 1; m 1 0 0; b 1; f 1; q 1",
    ),
    ("parameters", "gamma_delete(NULL)", "0del"),
    ("parameters", "gamma_move on NULL", "0m 1 0 0"),
    ("parameters", "gamma_golden_move on NULL", "0g 1 0 0"),
    ("parameters", "gamma_busy_fields of NULL", "0b 1"),
    ("parameters", "gamma_free_fields of NULL", "0f 1"),
    ("parameters", "gamma_golden_possible of NULL", "0q 1"),
    ("parameters", "gamma_board of NULL", "0p"),
    (
        "parameters",
        "player 0",
        "new 3 3 2 2; m 0 0 0; b 0; f 0; q 0; p",
    ),
    (
        "parameters",
        "player 0, golden move",
        "new 3 3 2 2; m 1 0 0; g 0 0 0; q 0; b 1; p",
    ),
    (
        "parameters",
        "a player too many",
        "new 3 3 2 2; m 3 0 0; b 3; f 3; q 3; p",
    ),
    (
        "parameters",
        "a player too many, golden move",
        "new 3 3 2 2; m 1 0 0; g 3 0 0; q 3; b 1",
    ),
    (
        "parameters",
        "player 4294967295",
        "new 3 3 2 2; m 4294967295 0 0; b 4294967295; f 4294967295; q 4294967295",
    ),
    (
        "parameters",
        "x = width",
        "new 3 4 2 2; m 1 3 0; m 1 3 3; b 1; p",
    ),
    (
        "parameters",
        "y = height",
        "new 4 3 2 2; m 1 0 3; m 1 3 3; b 1; p",
    ),
    (
        "parameters",
        "x and y exchanged",
        "new 4 2 2 2; m 1 3 1; m 1 1 3; m 1 3 0; b 1; p",
    ),
    (
        "parameters",
        "x = 4294967295",
        "new 3 3 2 2; m 1 4294967295 0; m 1 0 4294967295; m 1 4294967295 4294967295; b 1",
    ),
    (
        "parameters",
        "golden move off the board",
        "new 3 3 2 2; m 1 2 2; g 2 3 2; g 2 2 3; g 2 4294967295 0; q 2; b 1",
    ),
    (
        "moves",
        "a field is taken once",
        "new 3 3 2 2; m 1 1 1; m 1 1 1; m 2 1 1; b 1; b 2",
    ),
    (
        "moves",
        "a first area",
        "new 3 3 2 1; m 1 1 1; m 1 1 2; m 1 0 0; b 1",
    ),
    (
        "moves",
        "the limit of areas",
        "new 5 5 2 2; m 1 0 0; m 1 2 2; m 1 4 4; m 1 4 0; b 1",
    ),
    (
        "moves",
        "corners do not join",
        "new 3 3 2 1; m 1 0 0; m 1 1 1; b 1",
    ),
    (
        "moves",
        "the ends of rows do not join",
        "new 3 3 1 1; m 1 2 0; m 1 0 1; b 1",
    ),
    (
        "moves",
        "two areas become one",
        "new 5 1 1 2; m 1 0 0; m 1 2 0; m 1 4 0; m 1 1 0; m 1 4 0; b 1",
    ),
    (
        "moves",
        "four areas become one",
        "new 3 3 2 4; m 1 1 0; m 1 0 1; m 1 2 1; m 1 1 2; m 1 1 1; m 1 0 0; f 1; b 1",
    ),
    (
        "moves",
        "an area that meets itself counts once",
        "new 3 3 1 2; m 1 0 0; m 1 1 0; m 1 0 1; m 1 1 1; m 1 2 2; f 1; b 1",
    ),
    (
        "moves",
        "players have areas of their own",
        "new 3 3 3 1; m 1 0 0; m 2 2 0; m 3 0 2; m 1 2 2; m 2 2 2; b 2",
    ),
    (
        "moves",
        "a column",
        "new 1 6 2 1; m 1 0 2; m 1 0 4; m 1 0 3; m 2 0 5; m 1 0 4; b 1; p",
    ),
    (
        "golden moves",
        "once a game",
        "new 3 3 2 3; m 1 0 0; m 1 2 2; g 2 0 0; g 2 2 2; b 1; b 2",
    ),
    (
        "golden moves",
        "on a free field",
        "new 3 3 2 2; g 1 0 0; b 1; m 2 1 1; g 1 1 1; b 1",
    ),
    (
        "golden moves",
        "on an own field",
        "new 3 3 2 2; m 1 0 0; g 1 0 0; b 1; m 2 1 1; g 1 1 1; b 1",
    ),
    (
        "golden moves",
        "a refused golden move is not used up",
        "new 5 1 2 1; m 1 0 0; m 1 1 0; m 1 2 0; g 2 1 0; q 2; g 2 2 0; b 2",
    ),
    (
        "golden moves",
        "the limit of the player who takes it",
        "new 5 5 2 1; m 1 0 0; m 2 4 4; g 1 4 4; b 1; b 2; q 1",
    ),
    (
        "golden moves",
        "the limit of the player who loses it",
        "new 3 1 2 1; m 1 0 0; m 1 1 0; m 1 2 0; g 2 1 0; b 1; b 2",
    ),
    (
        "golden moves",
        "a split in two",
        "new 5 3 2 2; m 1 0 0; m 1 1 0; m 1 2 0; g 2 1 0; m 1 4 2; b 1; f 1",
    ),
    (
        "golden moves",
        "a split in four",
        "new 3 3 2 4; m 1 1 1; m 1 0 1; m 1 2 1; m 1 1 0; m 1 1 2; g 2 1 1; m 1 0 0; b 1",
    ),
    (
        "golden moves",
        "a split in four is too many",
        "new 3 3 2 3; m 1 1 1; m 1 0 1; m 1 2 1; m 1 1 0; m 1 1 2; g 2 1 1; b 1; b 2",
    ),
    (
        "golden moves",
        "a ring is not split",
        "new 3 3 2 1; r 1 0 0 2 0; r 1 0 1 0 2; m 1 1 2; m 1 2 2; m 1 2 1; g 2 1 0; b 1; b 2",
    ),
    (
        "golden moves",
        "areas are free after the last field",
        "new 3 1 2 1; m 1 0 0; g 2 0 0; m 1 2 0; b 1; b 2",
    ),
    (
        "golden moves",
        "the field joins the areas of the player who takes it",
        "new 3 1 2 2; m 1 0 0; m 2 1 0; m 1 2 0; g 1 1 0; b 1; b 2; q 2",
    ),
    (
        "golden moves",
        "after joining there is room for an area",
        "new 5 1 2 2; m 1 0 0; m 2 1 0; m 1 2 0; g 1 1 0; m 1 4 0; b 1",
    ),
    (
        "golden moves",
        "a piece is an area of its own",
        "new 5 3 2 2; r 1 0 0 2 0; g 2 1 0; m 1 0 1; m 1 2 1; m 1 1 1; m 1 4 2; b 1",
    ),
    (
        "golden moves",
        "the field changes its owner",
        "new 3 3 3 2; m 1 1 1; g 2 1 1; m 2 1 2; g 3 1 1; b 1; b 2; b 3",
    ),
    (
        "golden moves",
        "the taken field joins its new owner's area",
        "new 3 3 2 1; m 1 0 0; m 2 1 0; g 1 1 0; m 1 2 0; m 1 2 2; b 1; f 1",
    ),
    ("free fields", "an empty board", "new 4 3 2 1; f 1; f 2"),
    (
        "free fields",
        "below the limit",
        "new 3 3 2 2; m 1 0 0; f 1; f 2",
    ),
    (
        "free fields",
        "at the limit",
        "new 3 3 2 1; m 1 0 0; f 1; f 2",
    ),
    (
        "free fields",
        "a field beside two of one's own counts once",
        "new 3 3 2 1; m 1 0 0; m 1 1 0; m 1 1 1; f 1",
    ),
    (
        "free fields",
        "another's move",
        "new 3 3 2 1; m 1 1 1; f 1; m 2 1 2; f 1; f 2",
    ),
    (
        "free fields",
        "after a split",
        "new 5 3 2 2; r 1 0 0 2 0; f 1; g 2 1 0; f 1; f 2",
    ),
    (
        "free fields",
        "after a golden move at the limit",
        "new 5 1 3 1; m 1 0 0; m 1 1 0; m 1 2 0; f 1; g 2 2 0; f 1; f 2",
    ),
    (
        "free fields",
        "after areas have joined",
        "new 5 1 1 2; m 1 0 0; m 1 2 0; f 1; m 1 1 0; f 1",
    ),
    (
        "free fields",
        "at the edges",
        "new 3 3 1 1; m 1 0 1; f 1; m 1 2 1; f 1",
    ),
    (
        "free fields",
        "none left",
        "new 2 1 2 1; m 1 0 0; m 2 1 0; f 1; f 2",
    ),
    (
        "free fields",
        "after the golden move took the last field",
        "new 3 1 2 1; m 1 0 0; f 1; g 2 0 0; f 1; f 2",
    ),
    (
        "golden possible",
        "an empty board",
        "new 3 3 2 2; q 1; m 1 0 0; q 1; q 2",
    ),
    (
        "golden possible",
        "used",
        "new 3 3 2 2; m 1 0 0; m 1 0 1; q 2; g 2 0 0; q 2; q 1",
    ),
    (
        "golden possible",
        "at the limit and far away",
        "new 5 1 2 1; m 1 0 0; m 2 4 0; q 1; q 2",
    ),
    (
        "golden possible",
        "at the limit and beside",
        "new 5 1 2 1; m 1 0 0; m 2 1 0; q 1; q 2",
    ),
    (
        "golden possible",
        "only fields that split",
        "new 5 2 2 1; r 1 0 0 4 0; m 2 2 1; q 2; q 1",
    ),
    (
        "golden possible",
        "a victim below the limit is split",
        "new 5 2 2 2; r 1 0 0 4 0; m 2 2 1; m 2 0 1; q 2; g 2 2 0; q 2; b 1",
    ),
    (
        "golden possible",
        "with nothing but one's own",
        "new 2 2 2 1; r 1 0 0 1 1; q 1; q 2",
    ),
    ("board", "one field", "new 1 1 1 1; p; m 1 0 0; p"),
    (
        "board",
        "the row y = 0 comes last",
        "new 3 2 2 2; m 1 0 0; m 2 2 1; p",
    ),
    (
        "board",
        "a row",
        "new 6 1 3 2; m 1 0 0; m 2 5 0; m 3 3 0; p",
    ),
    ("board", "a column", "new 1 4 3 2; m 1 0 0; m 2 0 3; p"),
    (
        "board",
        "nine players",
        "new 3 3 9 1; m 9 0 0; m 8 1 0; m 7 2 0; m 1 2 2; p",
    ),
    (
        "board",
        "after a golden move",
        "new 2 2 2 2; m 1 0 0; g 2 0 0; p",
    ),
    (
        "board",
        "ten players are drawn somehow",
        "new 2 2 10 2; m 10 0 0; p",
    ),
    (
        "large boards",
        "4294967295 x 4294967295",
        "new 4294967295 4294967295 1 1; m 1 0 0; b 1; del",
    ),
    (
        "large boards",
        "65536 x 65536",
        "new 65536 65536 2 2; m 1 65535 65535; m 1 0 0; b 1; f 2; q 2",
    ),
    (
        "large boards",
        "2 x 2147483648",
        "new 2 2147483648 2 2; m 1 1 2147483647; b 1; f 2",
    ),
    (
        "large boards",
        "65537 x 65537",
        "new 65537 65537 2 2; m 1 65536 65536; m 2 0 1; b 1; f 2",
    ),
    (
        "large boards",
        "4294967295 players",
        "new 3 3 4294967295 1; m 4294967295 0 0; b 4294967295; q 1",
    ),
    (
        "large boards",
        "4294967295 areas",
        "new 3 3 2 4294967295; m 1 0 0; m 1 2 2; f 1; g 2 0 0; b 1",
    ),
    (
        "large boards",
        "more areas than fields",
        "new 2 2 1 100; m 1 0 0; m 1 1 1; f 1",
    ),
    (
        "large boards",
        "a row of 100,000",
        "new 100000 1 2 2; r 1 0 0 99999 0; g 2 50000 0; b 1; f 1; q 1",
    ),
    (
        "large boards",
        "a column of 100,000",
        "new 1 100000 2 2; r 1 0 0 0 99999; g 2 0 50000; b 1; f 1; q 1",
    ),
    (
        "large boards",
        "an area of a million fields",
        "new 1000 1000 2 1; r 1 0 0 999 998; g 2 500 500; q 2; b 1; f 1",
    ),
    (
        "large boards",
        "a million fields and 500,000 areas",
        "new 1000 1000 2 500000; r 1 0 0 999 499; f 1; b 1; g 2 3 3; f 2",
    ),
    ("memory", "nothing is left", "new 5 5 3 3; del; live"),
    (
        "memory",
        "nothing is left after moves",
        "new 5 5 3 3; m 1 0 0; m 2 1 1; g 1 1 1; f 1; q 2; p; del; live",
    ),
    (
        "memory",
        "nothing is left after a refused game",
        "new 0 5 3 3; live",
    ),
    (
        "memory",
        "nothing is left after a split",
        "new 5 5 3 3; r 1 0 0 4 0; g 2 2 0; q 3; b 1; del; live",
    ),
];

/// Allocations that are made to fail, one after the other.
const ALLOCATIONS: u32 = 12;
const RANDOM_GAMES: u64 = 60;
const RANDOM_MOVES: u32 = 60;

pub(super) fn all() -> Vec<Script> {
    let mut scripts: Vec<Script> = CASES.iter().map(|case| by_hand(*case)).collect();
    for number in 1..=ALLOCATIONS {
        scripts.extend(failing(number));
    }
    scripts.extend((0..RANDOM_GAMES).map(random_game));
    let place = |script: &Script| GROUPS.iter().position(|group| *group == script.group);
    scripts.sort_by_key(place);
    scripts
}

fn by_hand((group, name, calls): (&'static str, &str, &str)) -> Script {
    Script {
        group,
        name: name.to_owned(),
        calls: calls.split("; ").map(str::to_owned).collect(),
        is_written: true,
        is_small: group != "large boards",
    }
}

/// The same few calls with one allocation that fails, in each of the functions.
fn failing(number: u32) -> Vec<Script> {
    let script = |name: &str, calls: String| {
        let name = format!("{name}, allocation {number} fails");
        by_hand(("memory", &name, &calls))
    };
    vec![
        script(
            "gamma_new",
            format!("fail {number}; new 5 5 3 3; fail 0; m 1 0 0; b 1; del; live"),
        ),
        script(
            "gamma_move",
            format!("new 5 5 3 3; fail {number}; m 1 0 0; fail 0; b 1; f 1; p; del; live"),
        ),
        script(
            "gamma_golden_move",
            format!(
                "new 5 1 3 3; r 1 0 0 4 0; fail {number}; g 2 2 0; fail 0; b 1; b 2; p; del; live"
            ),
        ),
        script(
            "gamma_golden_possible",
            format!(
                "new 5 2 3 1; r 1 0 0 4 0; m 2 2 1; fail {number}; q 2; fail 0; q 2; del; live"
            ),
        ),
        script(
            "gamma_board",
            format!("new 5 5 3 3; m 1 0 0; fail {number}; p; fail 0; p; del; live"),
        ),
    ]
}

/// A game of random moves, with queries in between.
fn random_game(seed: u64) -> Script {
    let mut random = Random::seeded(seed);
    let mut below = |bound: u32| random.below(u64::from(bound)) as u32;
    let (width, height) = match seed % 6 {
        0 => (1 + below(12), 1),
        1 => (1, 1 + below(12)),
        2 => (2, 2 + below(5)),
        _ => (2 + below(6), 2 + below(6)),
    };
    let (players, areas) = (1 + below(4), 1 + below(4));
    let mut calls = vec![Call::New {
        width,
        height,
        players,
        areas,
    }];
    let mut reference = Reference::default();
    reference.answer(calls[0]);
    for _ in 0..RANDOM_MOVES {
        let on = |function, numbers| Call::On {
            function,
            numbers,
            is_null: false,
        };
        let player = 1 + below(players);
        let field = [player, below(width), below(height)];
        let is_golden = below(4) == 0;
        let function = if is_golden {
            Function::Golden
        } else {
            Function::Move
        };
        calls.push(on(function, field));
        let asked = 1 + below(players);
        for function in [Function::Busy, Function::Free, Function::Possible] {
            if below(3) == 0 {
                calls.push(on(function, [asked, 0, 0]));
            }
        }
    }
    for player in 1..=players {
        for function in [Function::Busy, Function::Free, Function::Possible] {
            calls.push(Call::On {
                function,
                numbers: [player, 0, 0],
                is_null: false,
            });
        }
    }
    calls.push(Call::On {
        function: Function::Board,
        numbers: [0; 3],
        is_null: false,
    });
    Script {
        group: "random games",
        name: format!("{width}x{height}, {players} players, {areas} areas, seed {seed}"),
        calls: calls.into_iter().map(Call::write).collect(),
        is_written: false,
        is_small: true,
    }
}
