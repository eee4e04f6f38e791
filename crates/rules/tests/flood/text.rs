use floe_rules::flood::{Flood, J, S, Setup, Style};
use floe_rules::{Game, Position, Report};
use proptest::prelude::*;

#[test]
fn the_contests_file_is_read_and_written_as_it_is() {
    let text = "J\n.#+#.*.@.@\n@.+*@.+*#+\n#@@*.+*.*+\n";
    let position = Flood::read(text).unwrap();
    assert_eq!((position.turn(), position.moves_made()), (Some(J), 0));
    assert_eq!(Flood::write(&position), text);
    assert_eq!(Flood::board(&position), text);
    let text = text.replace('J', "S");
    let position = Flood::read(&text).unwrap();
    assert_eq!((position.turn(), position.moves_made()), (Some(S), 1));
    assert_eq!(Flood::write(&position), text);
}

#[test]
fn the_number_of_moves_may_stand_after_the_letter() {
    for (text, made, written) in [
        ("J 36\n@#+\n", 36, "J 36\n@#+\n"),
        ("S 149\n@#+\n", 149, "S 149\n@#+\n"),
        ("J 150\n@#+\n", 150, "J 150\n@#+\n"),
        ("J 0\n@#+\n", 0, "J\n@#+\n"),
        ("S 1\n@#+\n", 1, "S\n@#+\n"),
    ] {
        let position = Flood::read(text).unwrap();
        assert_eq!(position.moves_made(), made);
        assert_eq!(Flood::write(&position), written);
        assert_eq!(Flood::board(&position), format!("{}\n@#+\n", &text[..1]));
    }
}

#[test]
fn line_endings_and_blank_lines_at_the_end_do_not_matter() {
    let position = Flood::read("J\n@#\n+.\n").unwrap();
    for text in [
        "J\n@#\n+.",
        "J\r\n@#\r\n+.\r\n",
        "J\r\n@#\r\n+.",
        "J\n@#\n+.\r",
        "J\n@#\n+.\n\n",
        "J\r\n@#\r\n+.\r\n\r\n  \r\n",
        "J \n@#\n+.\n",
    ] {
        assert_eq!(Flood::read(text).as_ref(), Ok(&position), "{text:?}");
    }
}

#[test]
fn wrong_text_is_refused_with_its_place_and_cause() {
    let cases = [
        ("", 1, 1, "the text is empty"),
        ("\n@#\n", 1, 1, "expected `J` or `S`, not a blank line"),
        ("X\n@#\n", 1, 1, "expected `J` or `S`, not `X`"),
        ("j\n@#\n", 1, 1, "expected `J` or `S`, not `j`"),
        ("@#\n+.\n", 1, 1, "expected `J` or `S`, not `@#`"),
        ("  JS\n@#\n", 1, 3, "expected `J` or `S`, not `JS`"),
        ("J x\n@#\n", 1, 3, "`x` is not a number of moves"),
        ("J -2\n@#\n", 1, 3, "`-2` is not a number of moves"),
        ("J +2\n@#\n", 1, 3, "`+2` is not a number of moves"),
        (
            "J 99999999999\n@#\n",
            1,
            3,
            "`99999999999` is not a number of moves",
        ),
        ("J 152\n@#\n", 1, 3, "a game has at most 150 moves, not 152"),
        ("J 35\n@#\n", 1, 3, "after 35 moves S is to move, not J"),
        ("S 0\n@#\n", 1, 3, "after 0 moves J is to move, not S"),
        ("J 2 3\n@#\n", 1, 5, "text after the number of moves"),
        ("J", 2, 1, "there is no board"),
        ("J\n", 2, 1, "there is no board"),
        ("J\n\n\n", 2, 1, "there is no board"),
        ("J\n\n@#\n", 2, 1, "there is no board"),
        ("J\n@#+\n@#\n", 3, 3, "the row is 2 long, the first one 3"),
        (
            "J\n@#+\n@#+.*\n",
            3,
            4,
            "the row is 5 long, the first one 3",
        ),
        ("J\n@#+\n@x#\n", 3, 2, "`x` is no colour"),
        ("J\n@#+\n@żó\n", 3, 2, "`żó` are no colours"),
        ("J\n@ #\n+*.\n", 2, 2, "` ` is no colour"),
        ("J\n@#+ \n+*.\n", 2, 4, "` ` is no colour"),
        ("J\n@#+\n\n+*.\n", 4, 1, "text after the end of the board"),
        ("J\n@#+\n\n  fin\n", 4, 3, "text after the end of the board"),
        ("J\n@\n", 2, 1, "a board of one square has no two corners"),
        (
            "J\n+@\n@.\n",
            3,
            1,
            "the bottom-left and the top-right corner are both `@`",
        ),
        (
            "J\n@+@\n",
            2,
            1,
            "the bottom-left and the top-right corner are both `@`",
        ),
        ("J\r@#\r", 1, 3, "`@#` is not a number of moves"),
    ];
    for (text, line, column, cause) in cases {
        let error = Flood::read(text).expect_err(text);
        let found = (error.line, error.column, error.cause.as_ref());
        assert_eq!(found, (line, column, cause), "{text:?}");
    }
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let mut report = Report::new();
    assert_eq!(Flood::parse("x\n@?#\n@#\n@#+*\n", &mut report), None);
    let found: Vec<_> = report
        .errors
        .iter()
        .map(|e| (e.line, e.column, e.width))
        .collect();
    assert_eq!(found, [(1, 1, 1), (2, 2, 1), (3, 3, 1), (4, 4, 1)]);
    // But not a million times.
    let text = format!("J\n{}\n", "?@".repeat(100_000));
    assert_eq!(Flood::parse(&text, &mut report), None);
    assert!(report.errors.len() < 200);
}

/// Whatever is read is written so that it is read again; whatever is not has a reason.
fn check(text: &str) -> Result<(), TestCaseError> {
    let mut report = Report::new();
    let Some(position) = Flood::parse(text, &mut report) else {
        prop_assert!(!report.errors.is_empty());
        prop_assert!(report.errors.iter().all(|e| e.line >= 1 && e.column >= 1));
        return Ok(());
    };
    prop_assert_eq!(report, Report::new());
    let written = Flood::write(&position);
    let again = Flood::read(&written);
    prop_assert_eq!(again.as_ref(), Ok(&position));
    prop_assert_eq!(Flood::write(&position), written);
    for dialect in Flood::dialects() {
        prop_assert!(dialect.answer(&position, None, text).is_err());
    }
    Ok(())
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        check(&text)?;
        let position = Flood::read("J\n@#\n+.\n").unwrap();
        for dialect in Flood::dialects() {
            prop_assert!(dialect.answer(&position, None, &text).is_err());
        }
    }

    #[test]
    fn text_that_is_almost_a_board_never_panics(text in "[JS]( [0-9]{1,4})?(\r?\n[@#+.*x ]{1,4}){0,4}[\r\n ]*") {
        check(&text)?;
    }

    #[test]
    fn boards_of_one_width_are_read(text in "[JS](\n[@#+.*]{3}){1,4}\n?") {
        check(&text)?;
    }

    #[test]
    fn setups_round_trip(width in 1u32..200, height in 2u32..200, is_fair in any::<bool>()) {
        let style = if is_fair { Style::Fair } else { Style::Uniform };
        let setup = Setup { width, height, style };
        prop_assert_eq!(setup.to_string().parse(), Ok(setup));
    }

    #[test]
    fn arbitrary_setups_never_panic(text in "[0-9x,=a-z ]{0,20}") {
        if let Ok(setup) = text.parse::<Setup>() {
            prop_assert_eq!(setup.to_string().parse(), Ok(setup));
        }
    }

    #[test]
    fn every_start_round_trips(width in 1u32..30, height in 2u32..30, seed in any::<u64>()) {
        for style in [Style::Fair, Style::Uniform] {
            let position = Flood::start(&Setup { width, height, style }, seed).unwrap();
            prop_assert_eq!(Flood::read(&Flood::write(&position)), Ok(position));
        }
    }
}
