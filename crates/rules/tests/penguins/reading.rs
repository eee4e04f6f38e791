//! State files: what is read, what is refused and where, what is written.

use floe_rules::penguins::{Known, Penguins, PenguinsPosition, Phase, State};
use floe_rules::{Game, Player, Position, Report};
use proptest::prelude::*;

/// Errors as `line:column: cause`, in the order of the text.
fn errors(text: &str) -> Vec<String> {
    let mut report = Report::new();
    let read = Penguins::parse(text, &mut report);
    assert_eq!(read.is_none(), !report.errors.is_empty(), "{text:?}");
    report.errors.sort_by_key(|e| (e.line, e.column));
    report.errors.iter().map(ToString::to_string).collect()
}

fn read(text: &str) -> PenguinsPosition {
    Penguins::read(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn every_cause_has_its_place() {
    for (text, wanted) in [
        // The size.
        ("", "1:1: the board size is missing"),
        ("\n1 1\n10\n", "1:1: the board size is missing"),
        ("2\n", "1:2: the number of columns is missing"),
        ("x 2\n", "1:1: `x` is not a positive number of rows"),
        ("2 0\n", "1:3: `0` is not a positive number of columns"),
        ("2 -1\n", "1:3: `-1` is not a positive number of columns"),
        ("+1 1\n10\n", "1:1: `+1` is not a positive number of rows"),
        ("201 2\n", "1:1: a board has at most 200 rows"),
        (
            "2 99999999999999999999\n",
            "1:3: a board has at most 200 columns",
        ),
        ("1 1 1\n10\n", "1:5: text after the board size: `1`"),
        ("1 1 colour=1\n10\n", "1:5: unknown setting `colour=1`"),
        ("1 1 players=0\n10\n", "1:5: `players=0` cannot be"),
        ("1 1 players=10\n10\n", "1:5: `players=10` cannot be"),
        ("1 1 penguins=0\n10\n", "1:5: `penguins=0` cannot be"),
        ("1 1 turn=x\n10\n", "1:5: `turn=x` cannot be"),
        ("1 1 phase=x\n10\n", "1:5: `phase=x` cannot be"),
        ("1 1 turn=1 turn=1\n10\n", "1:12: `turn=1` is given twice"),
        ("1 1 turn=3\n10\n", "1:5: there is no player 3"),
        ("1 2 turn=1\n02 10\na 1 0\nb 2 1\n", ""),
        (
            "1 2 penguins=1 turn=2\n02 10\na 1 0\nb 2 1\n",
            "1:16: player 2 has no move",
        ),
        ("1 1 turn=-\n10\n", "1:5: the game is not over"),
        (
            "1 1 phase=placement\n20\n",
            "1:5: no player can place a penguin any more",
        ),
        (
            "1 1 players=1\n10\nb 2 1\n",
            "1:5: 1 players, but player 2 has a line",
        ),
        // Rows.
        ("2 2\n10 10\n", "3:1: row 2 of 2 is missing"),
        ("3 2\n10 10\n\n\n", "3:1: rows 2 to 3 of 3 are missing"),
        ("2 2\n10 10\nabc 1 3\n", "3:1: row 2 of 2 is missing"),
        ("3 1\n10\n\n10\n", "3:1: row 2 of 3 is missing"),
        ("1 3\n10 20\n", "2:6: too few fields: 2 instead of 3"),
        (
            "1 2\n10 20 30 10  \n",
            "2:7: too many fields: 4 instead of 2",
        ),
        // Fields.
        ("1 2\n10 1\n", "2:4: `1` is not two digits"),
        ("1 2\n10 100\n", "2:4: `100` is not two digits"),
        ("1 2\n10 x0\n", "2:4: `x0` is not two digits"),
        ("1 2\n10 ¼1\n", "2:4: `¼1` is not two digits"),
        ("1 2\n10 40\n", "2:4: 4 fish are more than a floe holds"),
        // Players' lines.
        (
            "1 1\n10\nabc 1\n",
            "3:6: a player's line without three parts",
        ),
        ("1 1\n10\nabc\n", "3:4: a player's line without three parts"),
        (
            "1 1\n10\nJan Kot 1 5\n",
            "3:11: a player's line with more than three parts",
        ),
        (
            "1 1\n10\nabc 0 5\n",
            "3:5: the player number `0` is not 1 to 9",
        ),
        (
            "1 1\n10\nabc 10 5\n",
            "3:5: the player number `10` is not 1 to 9",
        ),
        (
            "1 1\n10\nabc one 5\n",
            "3:5: the player number `one` is not 1 to 9",
        ),
        (
            "1 1\n10\nabc 1 5\ndef 1 5\n",
            "4:5: the player number 1 is given twice",
        ),
        (
            "1 1\n10\nabc 1 5\nabc 2 5\n",
            "4:1: the ID `abc` is given twice",
        ),
        (
            "1 1\n10\nabc 1 five\n",
            "3:7: the score `five` is not a number",
        ),
        ("1 1\n10\nabc 1 -5\n", "3:7: the score `-5` is not a number"),
        (
            "1 1\n10\nabc 1 1000000000\n",
            "3:7: a score has at most nine digits",
        ),
        // Penguins.
        (
            "1 3\n10 02 02\nabc 1 5\n",
            "2:4: player 2, whose penguin this is, has no line",
        ),
        (
            "2 2 penguins=2\n01 01\n10 01\nabc 1 5\n",
            "3:4: player 1 has more penguins than penguins=2",
        ),
        (
            "1 1\n10\na 1 0\nb 2 0\nc 3 0\nd 4 0\ne 5 0\nf 6 0\ng 7 0\nh 8 0\ni 9 0\nj 1 0\n",
            "12:1: a tenth player: at most nine can play",
        ),
        // The end.
        (
            "1 2\n10 20\n10 20\n",
            "3:1: text after the end: the board has 1 rows",
        ),
        ("1 1\n10\nabc 1 5\n\n x\n", "5:2: text after the end"),
        ("1 1\n10\n\nabc 1 5\n", "4:1: text after the end"),
    ] {
        let wanted: Vec<_> = Some(wanted).filter(|w| !w.is_empty()).into_iter().collect();
        assert_eq!(errors(text), wanted, "{text:?}");
    }
}

#[test]
fn all_errors_are_reported() {
    let text = "3 3\n10 4x 20 30\n1 20\n90 00 00\nabc 11 x\n a b\n\nend\n";
    insta::assert_snapshot!(errors(text).join("\n"), @r"
    2:4: `4x` is not two digits
    2:10: too many fields: 4 instead of 3
    3:1: `1` is not two digits
    3:5: too few fields: 2 instead of 3
    4:1: 9 fish are more than a floe holds
    5:5: the player number `11` is not 1 to 9
    5:8: the score `x` is not a number
    6:5: a player's line without three parts
    8:1: text after the end
    ");
    assert_eq!(errors("0 0 x\n").len(), 3);
}

#[test]
fn columns_count_characters() {
    assert_eq!(
        errors("1 1\n10\nżółw 1 pięć\n"),
        ["3:8: the score `pięć` is not a number"]
    );
}

#[test]
fn reading_is_lenient_where_the_contest_is() {
    let plain = "2 2\n10 20\n01 02\none 1 3\ntwo 2 4\n";
    let wanted = read(plain);
    for text in [
        plain.replace('\n', "\r\n"),
        plain.trim_end().to_owned(),
        plain.replace('\n', "   \n"),
        plain.replace('\n', " \t\r\n"),
        format!("{plain}\n  \n\r\n"),
        plain.replace("10 20", "10  20"),
    ] {
        assert_eq!(read(&text), wanted, "{text:?}");
        assert_eq!(Penguins::write(&read(&text)), plain, "{text:?}");
    }
}

#[test]
fn penguins_that_stand_on_fish_are_remarked_and_played() {
    let mut report = Report::new();
    let text = "1 3\n21 10 32\none 1 3\ntwo 2 4\n";
    let mut position = Penguins::parse(text, &mut report).unwrap();
    let remarks: Vec<_> = report.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        remarks,
        [
            "2:1: player 1's penguin stands on 2 fish",
            "2:7: player 2's penguin stands on 3 fish"
        ]
    );
    assert!(report.errors.is_empty());
    position.play("a1-b1".parse().unwrap()).unwrap();
    assert_eq!(position.scores(), [4, 4]);
    assert_eq!(
        Penguins::board(&position),
        "1 3\n00 01 02\none 1 4\ntwo 2 4\n"
    );
}

#[test]
fn a_bare_file_tells_what_it_can() {
    let fresh = read("2 2\n10 10\n10 20\n");
    assert_eq!((fresh.players(), fresh.penguins_each()), (2, 3));
    assert_eq!(
        (fresh.phase(), fresh.turn()),
        (Phase::Placement, Some(Player::new(0)))
    );
    // Three players; the first with the fewest penguins places.
    let placing = read("2 3\n01 03 01\n02 10 20\na 1 2\nb 2 1\nc 3 1\n");
    assert_eq!((placing.players(), placing.penguins_each()), (3, 2));
    assert_eq!(
        (placing.phase(), placing.turn()),
        (Phase::Placement, Some(Player::new(1)))
    );
    // Everybody has as many: they move.
    let moving = read("2 3\n01 02 10\n00 00 20\na 1 2\nb 2 1\n");
    assert_eq!(
        (moving.phase(), moving.turn()),
        (Phase::Movement, Some(Player::new(1)))
    );
    // Nobody can place: they move.
    let short = read("1 3\n01 20 00\na 1 2\nb 2 1\n");
    assert_eq!(
        (short.phase(), short.turn()),
        (Phase::Movement, Some(Player::new(0)))
    );
}

#[test]
fn what_a_bare_file_does_not_tell_is_written_on_line_1() {
    for (text, head) in [
        ("1 3 players=2 penguins=3 turn=1\n10 20 10\n", "1 3"),
        (
            "1 3 players=3 penguins=3 turn=1\n10 20 10\n",
            "1 3 players=3 penguins=3 turn=1",
        ),
        (
            "1 2 players=2\n10 01\na 1 1\n",
            "1 2 players=2 penguins=1 turn=2",
        ),
        (
            "1 3 penguins=2\n10 10 01\na 1 1\n",
            "1 3 players=1 penguins=2 turn=1",
        ),
        ("1 2 turn=-\n20 00\n", "1 2"),
        ("1 4\n01 10 00 02\na 1 1\nb 2 1\n", "1 4"),
        (
            "1 5 turn=2\n01 10 20 10 02\na 1 1\nb 2 1\n",
            "1 5 players=2 penguins=1 turn=2",
        ),
        (
            "1 3 phase=movement\n01 10 20\na 1 1\nb 2 1\n",
            "1 3 players=2 penguins=1 phase=movement turn=1",
        ),
    ] {
        let position = read(text);
        let written = Penguins::write(&position);
        assert_eq!(written.lines().next(), Some(head), "{text:?}");
        assert_eq!(read(&written), position, "{written}");
        let board = Penguins::board(&position);
        assert_eq!(board.lines().next().unwrap().split(' ').count(), 2);
        assert_eq!(board.lines().nth(1), written.lines().nth(1));
    }
}

#[test]
fn a_score_stops_at_nine_digits() {
    let mut position = read("1 2\n01 30\na 1 999999998\n");
    position.play("a1-b1".parse().unwrap()).unwrap();
    assert_eq!(position.scores(), [999_999_999]);
    assert_eq!(read(&Penguins::write(&position)), position);
}

#[test]
fn a_state_keeps_other_players_lines_to_the_letter() {
    let text = "1 4\r\n10 31 20 02  \r\n\"it's\"  1\t007 \r\nb 2 1";
    let mut state = State::read(text).unwrap();
    assert_eq!(state.player("b"), Some(Player::new(1)));
    assert_eq!(state.penguins(Player::new(0)), 1);
    assert_eq!(state.join("floe"), Ok(Player::new(2)));
    state.play(Player::new(2), "a1".parse().unwrap());
    state.play(Player::new(1), "d1-c1".parse().unwrap());
    assert_eq!(
        state.to_string(),
        "1 4\n03 31 02 00\n\"it's\"  1\t007 \nb 2 3\nfloe 3 1\n"
    );
}

#[test]
fn a_newcomer_takes_the_lowest_free_number() {
    let mut state = State::read("1 1\n10\na 3 0\nb 1 0\n").unwrap();
    assert_eq!(state.join("c"), Ok(Player::new(1)));
    for id in ["d", "e", "f", "g", "h", "i"] {
        state.join(id).unwrap();
    }
    let error = state.join("j").unwrap_err();
    assert_eq!(error.to_string(), "12:1: `j` would be a tenth player");
}

#[test]
fn what_is_known_besides_goes_before_what_is_inferred() {
    let state = State::read("1 5\n01 10 20 10 02\na 1 1\nb 2 1\n").unwrap();
    let known = Known {
        penguins: Some(2),
        phase: Some(Phase::Placement),
        turn: Some(Player::new(1)),
    };
    let position = state.position_given(known, &mut Report::new()).unwrap();
    assert_eq!(
        (position.phase(), position.turn()),
        (Phase::Placement, Some(Player::new(1)))
    );
    let moving = Known {
        phase: Some(Phase::Movement),
        ..known
    };
    let position = state.position_given(moving, &mut Report::new()).unwrap();
    assert_eq!(
        (position.phase(), position.turn()),
        (Phase::Movement, Some(Player::new(1)))
    );
}

/// Text that is nearly a state file.
fn nearly() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => prop::sample::select(vec!["10", "20", "30", "00", "01", "02", "13", "1", "2", "3", "4"]),
        2 => prop::sample::select(vec!["a", "b", "players=2", "penguins=1", "turn=1", "turn=-",
            "phase=movement", "phase=placement", "penguins=4000000000", "x=", "=", "ż", "\u{a0}"]),
    ];
    let gap = prop::sample::select(vec![" ", " ", " ", "\n", "\n", "  ", "\r\n", "\t", "\r"]);
    prop::collection::vec((word, gap), 0..30)
        .prop_map(|words| words.into_iter().map(|(w, g)| format!("{w}{g}")).collect())
}

/// A state file in which a few things have been changed.
fn changed() -> impl Strategy<Value = String> {
    let base =
        "3 4 players=3 penguins=2\n10 20 01 30\n02 10 11 00\n10 20 30 02\na 1 3\nbc 2 14\nd 3 0\n";
    let places = prop::collection::vec((0..base.len(), any::<char>(), 0u8..4), 0..4);
    places.prop_map(move |changes| {
        let mut text: Vec<char> = base.chars().collect();
        for (at, c, how) in changes {
            let at = at.min(text.len().saturating_sub(1));
            match how {
                0 => text[at] = c,
                1 => text[at] = char::from(b'0' + (c as u32 % 10) as u8),
                2 => text.insert(at, ' '),
                _ => drop(text.remove(at)),
            }
        }
        text.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in prop_oneof![any::<String>(), nearly(), changed()]) {
        let mut report = Report::new();
        match Penguins::parse(&text, &mut report) {
            None => prop_assert!(!report.errors.is_empty()),
            Some(position) => {
                prop_assert!(report.errors.is_empty());
                let written = Penguins::write(&position);
                prop_assert_eq!(Penguins::read(&written), Ok(position.clone()));
                prop_assert_eq!(Penguins::write(&Penguins::read(&written).unwrap()), written);
                prop_assert_eq!(position.turn().is_none(), position.legal_moves().is_empty());
            }
        }
        for error in report.errors.iter().chain(&report.remarks) {
            prop_assert!(error.line >= 1 && error.column >= 1 && error.width >= 1);
            prop_assert!(!error.cause.is_empty());
        }
        for dialect in Penguins::dialects() {
            let position = Penguins::read("1 5\n01 10 20 10 02\na 1 1\nb 2 1\n").unwrap();
            let _ = dialect.answer(&position, None, &text);
        }
        let _ = text.parse::<floe_rules::penguins::Move>();
        let _ = text.parse::<floe_rules::penguins::Setup>();
    }
}
