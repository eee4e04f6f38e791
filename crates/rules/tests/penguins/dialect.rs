//! The contest's dialect: what programs are asked, and which answers are understood.

use floe_rules::penguins::{Move, Penguins, PenguinsPosition};
use floe_rules::{Answer, Argument, Dialect, DialectError, Game, Position, Sort};

fn contest() -> &'static dyn Dialect<PenguinsPosition> {
    Penguins::dialects()[0]
}

fn read(position: &PenguinsPosition, text: &str) -> Result<Move, DialectError> {
    contest()
        .answer(position, None, text)
        .map(|answer| answer.mv)
}

fn words(position: &PenguinsPosition) -> Vec<String> {
    let argument = |a: Argument| match a {
        Argument::Word(word) => word,
        Argument::Input | Argument::InPlace => "<in>".into(),
        Argument::Output => "<out>".into(),
    };
    contest()
        .request(position, None)
        .arguments
        .into_iter()
        .map(argument)
        .collect()
}

#[test]
fn programs_are_asked_on_the_command_line_and_in_a_file() {
    assert_eq!(contest().name(), "contest");
    let mut position = Penguins::read("1 4 penguins=2\n10 10 10 10\n").unwrap();
    assert_eq!(
        words(&position),
        ["phase=placement", "penguins=2", "<in>", "<out>"]
    );
    let ask = contest().request(&position, None);
    assert_eq!(ask.file.unwrap(), "1 4\n10 10 10 10\n");
    assert_eq!(ask.input, "");
    for mv in ["a1", "c1", "b1", "d1"] {
        position.play(mv.parse().unwrap()).unwrap();
    }
    assert_eq!(words(&position), ["phase=movement", "<in>", "<out>"]);
    let named = position.with_ids(&["Ala", "Ola"]).unwrap();
    let file = contest().request(&named, None).file.unwrap();
    assert_eq!(file, "1 4\n01 01 02 02\nAla 1 2\nOla 2 2\n");
    assert!(
        contest()
            .answer(&position, None, &file)
            .unwrap_err()
            .cause
            .contains("over")
    );
}

const BEFORE: &str = "3 4\n10 20 01 30\n02 10 10 00\n10 20 30 02\nyou 1 3\nme 2 14\n";

#[test]
fn a_movement_is_found_by_comparing_boards() {
    let mut position =
        Penguins::read(&BEFORE.replace("3 4\n", "3 4 turn=2 phase=movement\n")).unwrap();
    position = position.with_ids(&["you", "me"]).unwrap();
    let asked = contest().request(&position, None).file.unwrap();
    assert_eq!(asked, BEFORE);
    let good = "3 4\n10 20 01 30\n00 10 02 00\n10 20 30 02\nyou 1 3\nme 2 15\n";
    assert_eq!(read(&position, good), Ok("a2-c2".parse().unwrap()));
    assert_eq!(
        read(&position, &good.replace('\n', " \r\n")),
        Ok("a2-c2".parse().unwrap())
    );
    for (from, to, wanted) in [
        (good, BEFORE, "2:1: no move was made, and player 2 can move"),
        (good, "", "1:1: the board size is missing"),
        (
            "3 4\n",
            "4 3\n",
            "1:1: expected the board size `3 4`, not `4 3`",
        ),
        (
            "3 4\n",
            "3 4 turn=1\n",
            "1:1: expected the board size `3 4`, not `3 4 turn=1`",
        ),
        (
            good,
            "1 1\n10\nyou 1 3\nme 2 15\n",
            "1:1: expected the board size `3 4`, not `1 1`",
        ),
        (
            "10 02 00",
            "10 22 00",
            "3:7: expected `02` after a2-c2, not `22`",
        ),
        (
            "00 10 02",
            "10 10 02",
            "3:1: expected `00` after a2-c2, not `10`",
        ),
        (
            "00 10 02",
            "00 00 02",
            "3:4: expected `10` after a2-c2, not `00`",
        ),
        (
            "00 10 02",
            "00 02 02",
            "3:7: a second penguin of player 2 came here",
        ),
        ("00 10 02", "00 10 10", "3:1: player 2's penguin is gone"),
        (
            "00 10 02",
            "02 10 02",
            "3:7: player 2 has a new penguin while penguins move",
        ),
        (
            "10 20 30 02",
            "10 20 30 00",
            "4:10: a second penguin of player 2 is gone",
        ),
        (
            "00 10 02 00",
            "00 10 10 02",
            "3:10: d2 is water, not a floe",
        ),
        (
            "20 01 30",
            "20 02 30",
            "3:7: a second penguin of player 2 came here",
        ),
        ("me 2 15", "me 2 14", "6:6: the score is 15 now, not 14"),
        ("you 1 3", "you 1 2", "5:7: player 1's score stays 3"),
        (
            "you 1 3",
            "You 1 3",
            "5:1: expected `you 1 3`, not `You 1 3`",
        ),
        (
            "you 1 3",
            "you  1 3",
            "5:1: expected `you 1 3`, not `you  1 3`",
        ),
        (
            "you 1 3\nme 2 15",
            "me 2 15\nyou 1 3",
            "5:1: expected `you 1 3`, not `me 2 15`",
        ),
        (
            "me 2 15\n",
            "me 2 15\nmore 3 0\n",
            "7:1: a new line: `more 3 0`",
        ),
    ] {
        assert!(good.contains(from));
        let answer = good.replacen(from, to, 1);
        let error = read(&position, &answer).unwrap_err();
        assert_eq!(error.to_string(), wanted, "{answer}");
    }
}

#[test]
fn a_placement_is_found_by_comparing_boards() {
    let position = Penguins::read("1 4 players=2 penguins=2\n10 20 10 01\nyou 1 1\n").unwrap();
    let asked = contest().request(&position, None).file.unwrap();
    assert_eq!(asked, "1 4\n10 20 10 01\nyou 1 1\n");
    let good = "1 4\n10 20 02 01\nyou 1 1\nfloeB 2 1\n";
    assert_eq!(read(&position, good), Ok("c1".parse().unwrap()));
    for (from, to, wanted) in [
        (
            "20 02",
            "02 10",
            "2:4: b1 holds 2 fish, and penguins are placed where there is exactly one",
        ),
        ("20 02", "20 12", "2:7: expected `02` after c1, not `12`"),
        (
            "10 20 02",
            "02 20 02",
            "2:7: a second penguin of player 2 came here",
        ),
        (
            "20 02 01",
            "20 10 02",
            "2:10: a penguin of player 1 stands on d1",
        ),
        (
            "20 02",
            "20 10",
            "2:1: no move was made, and player 2 can move",
        ),
        ("20 02", "20 00", "2:7: expected `10` here, not `00`"),
        (
            "floeB 2 1\n",
            "",
            "2:7: player 2, whose penguin this is, has no line",
        ),
        (
            "you 1 1\n",
            "",
            "2:10: player 1, whose penguin this is, has no line",
        ),
    ] {
        assert!(good.contains(from));
        let answer = good.replacen(from, to, 1);
        let error = read(&position, &answer).unwrap_err();
        assert_eq!(error.to_string(), wanted, "{answer}");
    }
    let gone = Penguins::read("1 4 penguins=2 turn=1\n10 20 10 01\nyou 1 1\nother 2 0\n").unwrap();
    let error = read(&gone, "1 4\n01 20 10 00\nyou 1 2\nother 2 0\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "2:10: player 1's penguin is gone while penguins are placed"
    );
    let error = read(&gone, "1 4\n01 20 10 01\nyou 1 2\n").unwrap_err();
    assert_eq!(error.to_string(), "4:1: the line `other 2 0` is missing");
}

#[test]
fn a_program_joins_with_its_first_placement_under_the_name_it_has() {
    let position =
        Penguins::read("1 6 players=2 penguins=2\n10 20 10 01 10 10\nyou 1 1\n").unwrap();
    let answer = |text: &str| contest().answer(&position, None, text);
    let joined = answer("1 6\n10 20 02 01 10 10\nyou 1 1\nMimi 2 1\n").unwrap();
    let expected = Answer {
        mv: "c1".parse().unwrap(),
        name: Some("Mimi".into()),
    };
    assert_eq!(joined, expected);
    for (text, wanted) in [
        (
            "1 6\n10 20 02 01 10 10\nMimi 2 1\nyou 1 1\n",
            "3:1: expected `you 1 1`, not `Mimi 2 1`",
        ),
        (
            "1 6\n10 20 02 01 10 10\nyou 1 1\nMimi 2 2\n",
            "4:8: the score is 1 now, not 2",
        ),
        (
            "1 6\n10 20 02 01 10 10\nyou 1 1\nyou 2 1\n",
            "4:1: the ID `you` is given twice",
        ),
    ] {
        assert_eq!(answer(text).unwrap_err().to_string(), wanted);
    }
    // From then on it finds itself under that name, and nobody else goes by it.
    let mut later = position.clone();
    for mv in ["c1", "a1"] {
        later.play(mv.parse().unwrap()).unwrap();
    }
    assert_eq!(later.turn(), position.turn());
    let shown = |name| contest().request(&later, Some(name)).file.unwrap();
    assert_eq!(shown("Mimi"), "1 6\n01 20 02 01 10 10\nyou 1 2\nMimi 2 1\n");
    assert_eq!(shown("you"), "1 6\n01 20 02 01 10 10\nyoux 1 2\nyou 2 1\n");
    let mv: Move = later.legal_moves()[0];
    let reply = contest().reply(&later, Some("Mimi"), mv);
    let read = contest().answer(&later, Some("Mimi"), &reply);
    assert_eq!(read, Ok(Answer::plain(mv)));
}

#[test]
fn a_program_that_joins_later_is_asked_for_its_name() {
    let fresh = Penguins::read("1 4 players=2 penguins=2\n10 20 10 01\nyou 1 1\n").unwrap();
    assert_eq!(contest().introductions(&fresh), []);
    let later = Penguins::read("1 4 penguins=2 turn=1\n10 20 10 01\nyou 1 1\no 2 0\n").unwrap();
    let asks = contest().introductions(&later);
    let words = asks.iter().map(|ask| &ask.arguments[..]);
    let word = |word: &str| [Argument::Word(word.into())];
    assert!(words.eq([&word("name")[..], &word("id")]));
    assert_eq!(contest().introduced("Mimi\r\n"), Ok("Mimi".into()));
    for wrong in ["", "\n", "two words\n", "\"quoted\"\n"] {
        assert!(contest().introduced(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn all_seats_before_a_newcomer_have_lines() {
    let mut position = Penguins::read("1 4 players=3 penguins=1\n10 20 10 10\n").unwrap();
    position.play("a1".parse().unwrap()).unwrap();
    assert!(position.retire(position.turn().unwrap()));
    assert_eq!(
        contest().request(&position, None).file.unwrap(),
        "1 4\n01 20 10 10\nfloeA 1 1\nfloeB 2 0\n"
    );
}

#[test]
fn the_sort_of_an_objection_tells_a_slip_from_a_lie() {
    let text = BEFORE.replace("3 4\n", "3 4 turn=2 phase=movement\n");
    let position = Penguins::read(&text).unwrap();
    for (answer, sort) in [
        ("nonsense", Sort::Unreadable),
        (BEFORE, Sort::Illegal),
        // Somebody else's penguin.
        (
            "3 4\n10 20 00 01\n02 10 10 00\n10 20 30 02\nyou 1 6\nme 2 14\n",
            Sort::Tampered,
        ),
        // A foreign field.
        (
            "3 4\n20 20 01 30\n00 10 02 00\n10 20 30 02\nyou 1 3\nme 2 15\n",
            Sort::Tampered,
        ),
        // A score.
        (
            "3 4\n10 20 01 30\n00 10 02 00\n10 20 30 02\nyou 1 3\nme 2 99\n",
            Sort::Tampered,
        ),
    ] {
        assert_eq!(read(&position, answer).unwrap_err().sort, sort, "{answer}");
    }
}
