//! The text of a position: the page's example, the exact inverse, and every cause of an error.

use floe_rules::gamma::{Gamma, Setup};
use floe_rules::random::Random;
use floe_rules::{Game, Position, Report};
use proptest::prelude::*;

const EXAMPLE: &str = "\
gamma 5 4 2 3
turn 2 golden 1 2
.....
..2..
.11..
1....
";

#[test]
fn the_example_is_read_and_written_back() {
    let position = Gamma::read(EXAMPLE).unwrap();
    assert_eq!(Gamma::write(&position), EXAMPLE);
    assert_eq!(position.scores(), [3, 1]);
    assert_eq!(position.turn().unwrap().number(), 2);
}

#[test]
fn reading_is_lenient_about_line_ends_and_blanks() {
    let expected = Gamma::read(EXAMPLE).unwrap();
    for text in [
        EXAMPLE.replace('\n', "\r\n"),
        EXAMPLE.trim_end().to_owned(),
        format!("{EXAMPLE}\n \n"),
        EXAMPLE.replace("golden 1 2", "golden  2   1 "),
        EXAMPLE.replace('\n', "  \n"),
        format!("{}\r", EXAMPLE.trim_end()),
    ] {
        assert_eq!(Gamma::read(&text).as_ref(), Ok(&expected), "{text:?}");
    }
}

#[test]
fn ten_players_and_more_are_read_by_words() {
    let text = "gamma 3 2 12 1\nturn 3 golden 1 2 3 4 5 6 7 8 9 10 11 12\n .  1 12\n .  .  .\n";
    let position = Gamma::read(text).unwrap();
    assert_eq!(Gamma::write(&position), text);
    assert_eq!(
        Gamma::read(&text.replace(" .  1 12", ". 1\t12")).as_ref(),
        Ok(&position)
    );
}

#[test]
fn every_error_says_where_and_why() {
    for (text, line, column, cause) in [
        ("", 1, 1, "the text is empty"),
        ("delta 1 1 1 1", 1, 1, "expected `gamma`, not `delta`"),
        ("gamma 5", 1, 8, "the height is missing"),
        ("gamma 5 0 1 1", 1, 9, "`0` is not a positive number"),
        ("gamma 5 -1 1 1", 1, 9, "`-1` is not a positive number"),
        (
            "gamma 5 99999999999 1 1",
            1,
            9,
            "`99999999999` is not a positive number",
        ),
        (
            "gamma 1 1 70000 1",
            1,
            11,
            "70000 is too many players, the most is 65535",
        ),
        ("gamma 1 1 1 1 1", 1, 15, "text after the four numbers"),
        ("gamma 1 1 1 1", 2, 1, "the turn is missing"),
        (
            "gamma 1 1 1 1\nmove 1\n.",
            2,
            1,
            "expected `turn`, not `move`",
        ),
        (
            "gamma 1 1 1 1\nturn\n.",
            2,
            5,
            "the player to move is missing",
        ),
        (
            "gamma 1 1 1 1\nturn 2 golden\n.",
            2,
            6,
            "there is no player 2 among 1",
        ),
        (
            "gamma 1 1 1 1\nturn x golden\n.",
            2,
            6,
            "`x` is not a player",
        ),
        ("gamma 1 1 1 1\nturn 1\n.", 2, 7, "expected `golden`"),
        (
            "gamma 1 1 1 1\nturn 1 gold 1\n.",
            2,
            8,
            "expected `golden`, not `gold`",
        ),
        (
            "gamma 1 1 1 1\nturn 1 golden 1 1\n.",
            2,
            17,
            "player 1 is named twice",
        ),
        (
            "gamma 1 1 1 1\nturn 1 golden 0\n.",
            2,
            15,
            "`0` is not a player",
        ),
        (
            "gamma 2 2 1 1\nturn 1 golden 1\n..",
            4,
            1,
            "row 2 of 2 is missing",
        ),
        (
            "gamma 2 1 1 1\nturn 1 golden 1\n.",
            3,
            2,
            "the row has 1 fields instead of 2",
        ),
        (
            "gamma 2 1 1 1\nturn 1 golden 1\n...",
            3,
            4,
            "the row has 3 fields instead of 2",
        ),
        (
            "gamma 2 1 1 1\nturn 1 golden 1\n.x",
            3,
            2,
            "`x` is not a player",
        ),
        (
            "gamma 2 1 1 1\nturn 1 golden 1\n.2",
            3,
            2,
            "there is no player 2 among 1",
        ),
        (
            "gamma 2 1 1 1\nturn 1 golden 1\n..\n\nx",
            5,
            1,
            "text after the end of the board",
        ),
        (
            "gamma 3 1 2 1\nturn 1 golden 1\n2.2",
            3,
            3,
            "player 2 has 2 areas, the limit is 1",
        ),
        (
            "gamma 2 1 2 1\nturn 1 golden 2\n12",
            2,
            6,
            "player 1 cannot move",
        ),
        (
            "gamma 2 1 2 1\nturn - golden 2\n12",
            2,
            6,
            "the game is not over",
        ),
    ] {
        let error = Gamma::read(text).unwrap_err();
        assert_eq!(
            (error.line, error.column, error.cause.as_ref()),
            (line, column, cause),
            "{text:?}"
        );
    }
}

#[test]
fn all_errors_are_reported() {
    let mut report = Report::new();
    let text = "gamma 3 2 2 1\nturn 3 golden 1\n.x.\n..\n";
    assert_eq!(Gamma::parse(text, &mut report), None);
    let places: Vec<_> = report.errors.iter().map(|e| (e.line, e.column)).collect();
    assert_eq!(places, [(2, 6), (3, 2), (4, 3)]);
}

#[test]
fn a_small_text_cannot_ask_for_much_memory() {
    for text in [
        "gamma 4294967295 4294967295 1 1\nturn 1 golden 1\n.",
        "gamma 4294967295 1 65535 4294967295\nturn 1 golden 1\n.",
        "gamma 1 4294967295 65535 1\nturn 1 golden 1\n.\n.\n",
    ] {
        assert!(Gamma::read(text).is_err());
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        width in 1u32..7, height in 1u32..7, players in 1u32..13, areas in 1u32..4, seed: u64,
        moves in 0usize..60,
    ) {
        let mut random = Random::seeded(seed);
        let setup = Setup { width, height, players, areas };
        prop_assert_eq!(setup.to_string().parse(), Ok(setup));
        let mut position = Gamma::start(&setup, seed).unwrap();
        for _ in 0..moves {
            let all = position.legal_moves();
            let Some(&mv) = all.get(random.index(all.len().max(1))) else { break };
            prop_assert_eq!(mv.to_string().parse(), Ok(mv));
            position.play(mv).unwrap();
        }
        let read = Gamma::read(&Gamma::write(&position)).unwrap();
        prop_assert_eq!(read.key(), position.key());
        prop_assert_eq!(&read, &position);
    }

    #[test]
    fn no_text_is_too_odd(text in "(gamma [0-9]{1,2} [1-4] [0-9]{1,2} [1-3])?[\n ]?(turn [-1-9]( golden( [1-9]){0,3})?)?\n?[.1-3 \n]{0,40}") {
        let mut report = Report::new();
        let position = Gamma::parse(&text, &mut report);
        prop_assert_eq!(position.is_none(), !report.errors.is_empty());
        if let Some(position) = position {
            let written = Gamma::write(&position);
            let read = Gamma::read(&written).unwrap();
            prop_assert_eq!(&read, &position);
            prop_assert_eq!(Gamma::write(&read), written);
        }
    }

    #[test]
    fn any_text_is_refused_or_read(text: String) {
        refused_or_read(&text);
    }
}

/// Whether a text is read; if so it writes back as itself, and if not the error names a place in
/// the text or just after it, and a cause.
fn refused_or_read(text: &str) -> bool {
    let error = match Gamma::read(text) {
        Ok(position) => {
            let written = Gamma::write(&position);
            assert_eq!(Gamma::read(&written).as_ref(), Ok(&position), "{text:?}");
            return true;
        }
        Err(error) => error,
    };
    assert!(!error.cause.is_empty(), "{text:?}");
    assert!(error.width >= 1, "{text:?}: {error}");
    // A missing line is missed on the line after the last.
    let mut lines: Vec<&str> = text.lines().collect();
    lines.push("");
    let line = lines.get(error.line as usize - 1);
    let line = line.unwrap_or_else(|| panic!("no such line of {text:?}: {error}"));
    let columns = 1..=line.chars().count() as u32 + 1;
    assert!(columns.contains(&error.column), "{text:?}: {error}");
    false
}

#[test]
fn texts_that_are_nearly_right_are_refused_or_read() {
    const OTHERS: &[&str] = &[
        "",
        " ",
        "\n",
        "\r\n",
        ".",
        "0",
        "1",
        "2",
        "3",
        "9",
        "-",
        "ą",
        "x",
        "golden",
        "out 1",
        "1 2",
        "4294967296",
        "\t",
    ];
    let mut random = Random::seeded(9);
    let [mut read, mut refused] = [0; 2];
    for round in 0..4000 {
        let setup: Setup = ["3x2", "4x4,players=3", "5x1,players=12,areas=1"][round % 3]
            .parse()
            .unwrap();
        let mut position = Gamma::start(&setup, 1).unwrap();
        for _ in 0..random.index(12) {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(random.index(moves.len().max(1))) else {
                break;
            };
            position.play(mv).unwrap();
        }
        // One or two characters become something else.
        let mut text: Vec<String> = Gamma::write(&position).chars().map(String::from).collect();
        for _ in 0..1 + random.index(2) {
            let at = random.index(text.len());
            text[at] = OTHERS[random.index(OTHERS.len())].to_owned();
        }
        match refused_or_read(&text.concat()) {
            true => read += 1,
            false => refused += 1,
        }
    }
    assert!(
        read >= 200 && refused >= 200,
        "{read} read, {refused} refused"
    );
}
