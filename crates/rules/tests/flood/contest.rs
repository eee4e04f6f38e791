use floe_rules::flood::{Colour, Flood, FloodPosition, Move};
use floe_rules::{Answer, Dialect, Game, Position, Request};

const ASKED: &str = "\
J
.#+#.*.@.@
@.+*@.+*#+
**#++@**#@
#@#@.@@+@#
++@++@#.@.
**##*@*#++
#@@*.+*.*+
";

const ANSWERED: &str = "\
S
.#+#.*.@.@
@.+*@.+*#+
**#++@**#@
#@#@.@@+@#
++@++@#.@.
**##*@*#++
*@@*.+*.*+
";

fn dialect(name: &str) -> &'static dyn Dialect<FloodPosition> {
    let mut all = Flood::dialects().iter();
    *all.find(|dialect| dialect.name() == name).unwrap()
}

#[test]
fn the_contests_own_dialect_comes_first() {
    let names: Vec<_> = Flood::dialects().iter().map(|d| d.name()).collect();
    assert_eq!(names, ["contest", "strict"]);
}

#[test]
fn the_contests_example_is_asked_and_answered() {
    let position = Flood::read(ASKED).unwrap();
    for name in ["contest", "strict"] {
        let dialect = dialect(name);
        let asked = Request {
            input: ASKED.to_owned(),
            ..Request::default()
        };
        assert_eq!(dialect.request(&position, None), asked);
        assert_eq!(
            dialect.answer(&position, None, ANSWERED),
            Ok(Answer::plain(Move(Colour::Star)))
        );
    }
    let mut after = position.clone();
    after.play(Move(Colour::Star)).unwrap();
    assert_eq!(Flood::board(&after), ANSWERED);
    assert_eq!(dialect("contest").request(&after, None).input, ANSWERED);
}

#[test]
fn the_move_number_is_not_told() {
    let position = Flood::read(&ASKED.replacen('J', "J 36", 1)).unwrap();
    assert_eq!(dialect("contest").request(&position, None).input, ASKED);
    assert_eq!(
        dialect("strict").answer(&position, None, ANSWERED),
        Ok(Answer::plain(Move(Colour::Star)))
    );
}

#[test]
fn ends_of_lines_matter_in_strict_mode_alone() {
    let position = Flood::read(ASKED).unwrap();
    let cut = ANSWERED.trim_end();
    for (text, line, column, cause) in [
        (
            cut.to_owned(),
            8,
            11,
            "the last line does not end in a newline",
        ),
        (
            format!("{cut}\r"),
            8,
            11,
            "the line ends in a carriage return",
        ),
        (
            ANSWERED.replace('\n', "\r\n"),
            1,
            2,
            "the line ends in a carriage return",
        ),
        (
            format!("{cut}\r\n"),
            8,
            11,
            "the line ends in a carriage return",
        ),
    ] {
        assert_eq!(
            dialect("contest").answer(&position, None, &text),
            Ok(Answer::plain(Move(Colour::Star)))
        );
        let error = dialect("strict")
            .answer(&position, None, &text)
            .unwrap_err();
        assert_eq!(
            (error.line, error.column, error.cause.as_ref()),
            (line, column, cause)
        );
    }
}

#[test]
fn every_fault_says_where_and_what_was_expected() {
    let position = Flood::read(ASKED).unwrap();
    let form = "a line `S`, then 7 lines of 10 characters";
    let may = "J may choose `+`, `.` or `*`";
    let row = "*@@*.+*.*+\n";
    let changed = |from: &str, to: &str| ANSWERED.replacen(from, to, 1);
    for (text, line, column, cause, help) in [
        (String::new(), 1, 1, "the answer is empty", form),
        ("\n".to_owned(), 1, 1, "the answer is empty", form),
        (
            "*\n".to_owned(),
            1,
            1,
            "expected the letter `S` alone, not `*`",
            form,
        ),
        (
            changed("S", "J"),
            1,
            1,
            "expected the letter `S` alone, not `J`",
            form,
        ),
        (
            changed("S", "S "),
            1,
            1,
            "expected the letter `S` alone, not `S `",
            form,
        ),
        (
            changed("S", "S 1"),
            1,
            1,
            "expected the letter `S` alone, not `S 1`",
            form,
        ),
        (
            format!("\n{ANSWERED}"),
            1,
            1,
            "expected the letter `S` alone, not ``",
            form,
        ),
        (
            "S".to_owned(),
            2,
            1,
            "the answer ends after 0 of 7 rows",
            form,
        ),
        (
            changed(row, ""),
            8,
            1,
            "the answer ends after 6 of 7 rows",
            form,
        ),
        (
            changed(row, "*@@*."),
            8,
            6,
            "the line has 5 characters instead of 10",
            form,
        ),
        (
            changed(".@.@", ".@.@."),
            2,
            11,
            "the line has 11 characters instead of 10",
            form,
        ),
        (
            changed("\n", "\n\n"),
            2,
            1,
            "the line has 0 characters instead of 10",
            form,
        ),
        (
            format!("{ANSWERED}\n"),
            9,
            1,
            "unexpected text after the last of 7 rows",
            form,
        ),
        (
            format!("{ANSWERED}bye\n"),
            9,
            1,
            "unexpected text after the last of 7 rows",
            form,
        ),
        (
            changed("*@.+*#+", "*x.+*#+"),
            3,
            5,
            "`x` is no colour",
            form,
        ),
        (
            changed("*@.+*#+", "*\r.+*#+"),
            3,
            5,
            "`\\r` is no colour",
            form,
        ),
        (
            changed("\n*@@*.", "\n#@@*."),
            8,
            1,
            "J's corner is still `#`, its own colour",
            may,
        ),
        (
            changed("\n*@@*.", "\n@@@*."),
            8,
            1,
            "J's corner is `@`, the colour of S",
            may,
        ),
        (
            changed(".#+#.*.@.@", ".#+#.*.@.#"),
            2,
            10,
            "square j7 is `#`, expected `@`",
            "after J chooses `*`, 1 square differs from the flood",
        ),
        (changed("\n*@@*.", "\n+@@*."), 8, 1, "", ""),
    ] {
        for name in ["contest", "strict"] {
            let answer = dialect(name).answer(&position, None, &text);
            if cause.is_empty() {
                // A colour that gains nothing is as legal as any.
                assert_eq!(answer, Ok(Answer::plain(Move(Colour::Plus))));
                continue;
            }
            let error = answer.expect_err(&text);
            let found = (
                error.line,
                error.column,
                error.cause.as_ref(),
                error.help.as_ref(),
            );
            assert_eq!(found, (line, column, cause, help), "{text:?}");
        }
    }
}

#[test]
fn a_flood_that_stops_short_or_goes_too_far_is_a_fault() {
    let position = Flood::read("S\n#*@\n@**\n++.\n").unwrap();
    let answer = |text| dialect("contest").answer(&position, None, text);
    assert_eq!(
        answer("J\n#**\n***\n++.\n").unwrap_err().cause,
        "square a2 is `*`, expected `@`"
    );
    assert_eq!(
        answer("J\n#**\n@**\n++.\n"),
        Ok(Answer::plain(Move(Colour::Star)))
    );
    let error = answer("J\n#@#\n@##\n++.\n").unwrap_err();
    assert_eq!((error.line, error.column), (2, 2));
    assert_eq!(
        error.help,
        "after S chooses `#`, 3 squares differ from the flood"
    );
    // The territory took the colour, but did not join what it touches.
    let position = Flood::read("S\n#*@\n@*@\n++.\n").unwrap();
    let error = dialect("contest")
        .answer(&position, None, "J\n#**\n@*@\n++.\n")
        .unwrap_err();
    assert_eq!(error.cause, "square c2 is `@`, expected `*`");
}
