//! Programs whose answers cannot be read, or are not true.

use floe_games::FaultKind;

use super::*;
use crate::support::mark;

#[test]
fn answers_that_cannot_be_read_are_shown_with_their_place() {
    for way in WAYS {
        for (deed, told) in [
            ("nul", "the answer has a NUL byte in it"),
            ("utf8", "the answer is not text in UTF-8"),
        ] {
            let fault = expect(way, deed, patient(), FaultKind::UnreadableAnswer, told);
            assert!(fault.at.is_some(), "{fault:?}");
            last_words(&fault, deed);
        }
    }
    let half = fault(Way::Flood, "half", patient());
    assert_eq!(half.kind, FaultKind::UnreadableAnswer);
    assert!(
        half.expected.contains("4 lines of 4 characters"),
        "{half:?}"
    );
    assert!(half.answer.starts_with("S\n"), "{half:?}");
    let half = fault(Way::Penguins, "half", patient());
    assert_eq!(
        (half.kind, half.at.is_some()),
        (FaultKind::UnreadableAnswer, true)
    );
    let told = "unexpected text after the last of 4 rows";
    let fault = expect(
        Way::Flood,
        "garbage",
        patient(),
        FaultKind::UnreadableAnswer,
        told,
    );
    assert_eq!(fault.at, Some((6, 1)));
    let fault = expect(
        Way::Penguins,
        "garbage",
        patient(),
        FaultKind::UnreadableAnswer,
        "",
    );
    assert_eq!(fault.at.map(|at| at.0), Some(7), "{fault:?}");
    let fault = expect(
        Way::Line,
        "garbage",
        patient(),
        FaultKind::UnreadableAnswer,
        "by the way",
    );
    assert!(fault.at.is_some(), "{fault:?}");
    let told = "unexpected output before `go`";
    expect(
        Way::Line,
        "twice",
        patient(),
        FaultKind::UnreadableAnswer,
        told,
    );
    let told = "it answered the greeting with `hello`";
    let fault = expect(
        Way::Line,
        "rude",
        patient(),
        FaultKind::UnreadableAnswer,
        told,
    );
    assert_eq!(fault.expected, "a line `ok`, or `ok` and its name");
}

#[test]
fn whoever_moves_for_others_or_counts_wrong_is_found_out() {
    for (deed, kind, told) in [
        (
            "seat",
            FaultKind::UnreadableAnswer,
            "player 2, whose penguin this is, has no line",
        ),
        (
            "steal",
            FaultKind::FileTampering,
            "expected `10` here, not `02`",
        ),
        (
            "score",
            FaultKind::FileTampering,
            "the score is 1 now, not 6",
        ),
        ("field", FaultKind::FileTampering, "not `30`"),
        (
            "link",
            FaultKind::FileTampering,
            "out.txt is not a plain, readable file",
        ),
        ("input", FaultKind::FileTampering, "in.txt was changed"),
    ] {
        let fault = expect(Way::Penguins, deed, patient(), kind, told);
        let is_in_the_answer = !["link", "input"].contains(&deed);
        assert_eq!(fault.at.is_some(), is_in_the_answer, "{fault:?}");
        last_words(&fault, deed);
    }
    // Whoever finds a rival's line before the first move sits second.
    let (game, setup) = Way::Penguins.game();
    let words = ["greedy", &Way::Penguins.word("foreign", &mark())];
    let record = referee(game, setup, &words, patient(), sandbox()).unwrap();
    let fault = record.faults().next().unwrap();
    assert_eq!((fault.seat, fault.kind), (2, FaultKind::FileTampering));
    assert_eq!(fault.message, "player 1's score stays 1");

    let told = "expected the letter `S` alone, not `J`";
    expect(
        Way::Flood,
        "seat",
        patient(),
        FaultKind::UnreadableAnswer,
        told,
    );
    let fault = expect(
        Way::Flood,
        "square",
        patient(),
        FaultKind::IllegalMove,
        "expected",
    );
    assert_eq!(fault.at, Some((2, 3)));
    assert!(fault.expected.contains("from the flood"), "{fault:?}");
    let told = "it wrote a file it was not asked for: `notes`";
    expect(
        Way::Flood,
        "here",
        patient(),
        FaultKind::FileTampering,
        told,
    );
    let fault = expect(
        Way::Line,
        "seat",
        patient(),
        FaultKind::IllegalMove,
        "is the opponent's colour",
    );
    assert_eq!(fault.answer.len(), 1);
    last_words(&fault, "seat");
}
