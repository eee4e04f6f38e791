//! Records: written, read, torn, replayed, verified.

mod recorded;

use floe_games::record::{Back, End, Event, PlayedMove, ReadError, Record, RecordLine, read};
use floe_games::{Fault, FaultKind, Reason};
use floe_rules::Player;
use recorded::game;

fn text(records: &[Record]) -> String {
    let lines = records.iter().flat_map(Record::lines);
    let lines = lines.map(|line| serde_json::to_string(&line).unwrap() + "\n");
    lines.collect()
}

#[test]
fn records_come_back_from_their_text() {
    let records: Vec<Record> = floe_games::games()
        .iter()
        .map(|one| game(one.name(), "6x6", 3))
        .collect();
    let again: Vec<Record> = read(text(&records).as_bytes())
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(again, records);
    for record in &again {
        let end = record.verify().unwrap();
        assert!(end.turn().is_none());
        let start = record.at(0).unwrap();
        assert_eq!(start.position().write(), record.opening.start);
    }
}

#[test]
fn a_torn_end_is_an_interrupted_game_and_never_an_error() {
    let record = game("flood", "5x5", 1);
    let whole = text(std::slice::from_ref(&record));
    for cut in 0..whole.len() {
        let read: Vec<Record> = read(&whole.as_bytes()[..cut])
            .collect::<Result<_, _>>()
            .unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        assert!(read.len() <= 1);
        // The last newline is not needed to know that a line is whole.
        let is_whole = cut + 1 == whole.len();
        assert_eq!(read.iter().any(|record| record.end.is_some()), is_whole);
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let good = text(&[game("flood", "4x4", 1)]);
    let mut lines: Vec<&str> = good.lines().collect();
    let fail = |lines: &[&str]| {
        let text = lines.join("\n") + "\n";
        let result: Result<Vec<Record>, ReadError> = read(text.as_bytes()).collect();
        result.unwrap_err().to_string()
    };
    lines[1] = r#"{"line":"move","seat":"one","move":"@"}"#;
    assert!(fail(&lines).starts_with("2:"), "{}", fail(&lines));
    assert_eq!(fail(&lines[1..]), fail(&lines[1..2]));
    lines[1] = r#"{"line":"move","seat":1,"move":"@"}"#;
    assert_eq!(fail(&lines[1..]), "1:1: no `game` line comes before this");
    let old = lines[0].replace(r#""floe":1"#, r#""floe":9"#);
    lines[0] = &old;
    assert!(fail(&lines).contains("version 9"));
}

#[test]
fn a_record_that_breaks_the_rules_is_found_out() {
    let good = game("penguins", "6x6", 2);
    let broken = |change: &dyn Fn(&mut Record)| {
        let mut record = good.clone();
        change(&mut record);
        record.verify().unwrap_err().to_string()
    };
    let why = broken(&|record| {
        record.events.remove(3);
    });
    assert!(why.starts_with("game penguins-2, event "), "{why}");
    let why = broken(&|record| record.end.as_mut().unwrap().scores[0] += 1);
    assert!(why.contains(", end: scores"), "{why}");
    let why = broken(&|record| record.end.as_mut().unwrap().places.reverse());
    assert!(why.contains("by the rules"), "{why}");
    let why = broken(&|record| {
        record.events.pop();
    });
    assert!(why.ends_with("the game is not over"), "{why}");
    let why = broken(&|record| record.opening.game = "chess".into());
    assert!(why.contains("unknown game `chess`"), "{why}");
    let why = broken(&|record| record.opening.start.clear());
    assert!(why.contains("start"), "{why}");
    let why = broken(&|record| record.opening.seats.truncate(1));
    assert!(why.contains("1 names for 2 seats"), "{why}");
    let why = broken(&|record| {
        let fault = Fault::new(Player::new(6), FaultKind::Crash, "x");
        record.events.push(Event::Fault(Box::new(fault)));
    });
    assert!(why.contains("no seat 7"), "{why}");
    let events = good.events.len();
    let why = broken(&|record| {
        let fault = Fault::new(Player::new(1), FaultKind::Timeout, "slept");
        record.events.push(Event::Fault(Box::new(fault)));
    });
    let place = format!("game penguins-2, event {}: ", events + 1);
    assert_eq!(
        why,
        format!("{place}a fault of seat 2, and the game is over")
    );
}

#[test]
fn nobody_is_put_out_twice() {
    let mut record = game("penguins", "6x6,players=3,penguins=1", 4);
    record.events.clear();
    record.end = None;
    for _ in 0..2 {
        let fault = Fault::new(Player::new(0), FaultKind::Timeout, "slept");
        record.events.push(Event::Fault(Box::new(fault)));
    }
    let why = record.verify().unwrap_err();
    assert_eq!(why.line, 2);
    assert!(
        why.cause.contains("which was already disqualified"),
        "{why}"
    );
}

#[test]
fn nothing_comes_after_the_end_but_the_next_game() {
    let one = game("flood", "4x4", 1);
    let two = text(&[one.clone(), one.clone()]);
    assert_eq!(read(two.as_bytes()).count(), 2);
    let fault = Fault::new(Player::new(0), FaultKind::Timeout, "slept");
    let made = PlayedMove {
        seat: 1,
        mv: "@".into(),
        ..PlayedMove::default()
    };
    for stray in [
        RecordLine::Fault(Box::new(fault)),
        RecordLine::Move(made),
        RecordLine::Back(Back { moves: 1 }),
        RecordLine::End(one.end.clone().unwrap()),
    ] {
        let stray = serde_json::to_string(&stray).unwrap();
        let text = text(std::slice::from_ref(&one)) + &stray + "\n" + &two;
        let mut records = read(text.as_bytes());
        assert_eq!(records.next().unwrap().unwrap(), one);
        let why = records.next().unwrap().unwrap_err().to_string();
        let line = one.lines().count() + 1;
        assert!(
            why.starts_with(&format!("{line}:1: this comes after the `end`")),
            "{why}"
        );
    }
}

/// A game in which a program crashes at once.
fn record_with_fault() -> Record {
    let mut record = game("flood", "5x4", 4);
    record.events.clear();
    let fault = Fault::new(Player::new(0), FaultKind::Crash, "segmentation fault");
    record.events.push(Event::Fault(Box::new(fault)));
    record.end = Some(End {
        scores: vec![0, 20],
        places: vec![2, 1],
        reason: Reason::Forfeit,
    });
    record
}

#[test]
fn a_line_is_read_from_text_as_from_a_value() {
    let back = RecordLine::Back(Back { moves: 2 });
    let records = [record_with_fault(), game("gamma", "4x4", 1)];
    let lines = records.iter().flat_map(Record::lines).chain([back]);
    let lines = lines.map(|line| serde_json::to_string(&line).unwrap());
    let lines: Vec<String> = lines.collect();
    for text in &lines {
        let value = serde_json::from_str(text).unwrap();
        let read: RecordLine = serde_json::from_str(text).unwrap();
        assert_eq!(RecordLine::of(&value).unwrap(), read);
    }
    let error = |text: &str| {
        let value = serde_json::from_str(text).unwrap();
        assert!(serde_json::from_str::<RecordLine>(text).is_err(), "{text}");
        RecordLine::of(&value).unwrap_err().to_string()
    };
    let cut = lines[1].replace(r#""seat":1,"#, "");
    assert_eq!(error(&cut), "missing field `seat`");
    assert_eq!(error(r#"{"move":"a1"}"#), "missing field `line`");
    assert!(error(r#"{"line":"pause"}"#).starts_with("unknown variant `pause`"));
    assert!(error("7").ends_with("expected a line of a record"));
    for wrong in [r#"{"line":3}"#, "[]"] {
        error(wrong);
    }
}

#[test]
fn every_record_knows_the_line_it_starts_in() {
    let records = [1, 2, 3].map(|seed| game("gamma", "4x4", seed));
    let text = text(&records);
    let mut read = read(text.as_bytes());
    let mut line = 1;
    for record in &records {
        assert_eq!(&read.next().unwrap().unwrap(), record);
        assert_eq!(read.first_line(), line);
        line += record.lines().count() as u64;
    }
}

#[test]
fn moves_taken_back_are_gone() {
    let mut record = game("gamma", "4x4", 9);
    let Event::Move(second) = record.events[1].clone() else {
        unreachable!()
    };
    let other = PlayedMove {
        mv: record.at(1).unwrap().position().moves()[0].clone(),
        ..second
    };
    record.events.truncate(2);
    record.end = None;
    let before = record.at(1).unwrap().position().write();
    record.events.push(Event::Back(Back { moves: 1 }));
    record.events.push(Event::Move(other.clone()));
    let texts: Vec<_> = record.moves().iter().map(|made| made.mv.clone()).collect();
    assert_eq!(texts[1], other.mv);
    assert_eq!(record.at(1).unwrap().position().write(), before);
    let mut after = record.at(1).unwrap();
    after.make(&other.mv).unwrap();
    let end = record.verify().unwrap();
    assert_eq!(end.position().write(), after.position().write());
    record.events.push(Event::Back(Back { moves: 3 }));
    assert!(record.verify().unwrap_err().to_string().contains("undone"));
}

#[test]
fn a_fault_ends_a_game_of_two_and_not_of_three() {
    for (setup, places, reason) in [
        ("6x6,players=2,penguins=1", vec![2, 1], Reason::Forfeit),
        ("6x6,players=3,penguins=1", vec![], Reason::Finished),
    ] {
        let mut record = game("penguins", setup, 4);
        record.events.clear();
        record.end = None;
        let fault = Fault::new(Player::new(0), FaultKind::Timeout, "slept");
        record.events.push(Event::Fault(Box::new(fault)));
        let mut play = record.verify().unwrap();
        while play.turn().is_some() {
            assert_ne!(play.turn(), Some(Player::new(0)));
            let mv = play.position().moves()[0].clone();
            play.make(&mv).unwrap();
        }
        assert_eq!(play.reason(), Some(reason));
        let outcome = play.outcome().unwrap();
        match places.as_slice() {
            [] => assert_eq!(outcome.places()[0], 3),
            places => assert_eq!(outcome.places(), places),
        }
    }
    let record = record_with_fault();
    record.verify().unwrap();
    let line = record.lines().nth(1).unwrap();
    assert!(matches!(line, RecordLine::Fault(fault) if fault.kind == FaultKind::Crash));
}
