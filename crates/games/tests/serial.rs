//! What serde makes of records and errors: the shapes that pages and other machines rely on.

mod recorded;

use floe_games::record::{Record, read};
use floe_games::{MoveError, ThinkError, find, games};
use recorded::game;
use serde_json::{Value, json, to_value};

#[test]
fn a_record_is_one_value_that_reads_back() {
    for game in games() {
        let record = recorded::game(game.name(), "6x6", 2);
        let value = to_value(&record).unwrap();
        let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["end", "events", "opening"]);
        let again: Record = serde_json::from_value(value).unwrap();
        assert_eq!(again, record);
        again.verify().unwrap();
    }
}

#[test]
fn the_events_of_a_record_are_the_lines_of_its_file() {
    let record = game("flood", "4x4", 1);
    let lines: Vec<Value> = record.lines().map(|line| to_value(line).unwrap()).collect();
    let value = to_value(&record).unwrap();
    let events = value["events"].as_array().unwrap();
    assert_eq!(events[..], lines[1..lines.len() - 1]);
}

#[test]
fn errors_say_what_they_are_and_why() {
    let game = find("gamma").unwrap();
    let mut position = game.start("3x3", 1).unwrap();
    position.play("a1").unwrap();
    let illegal: MoveError = position.play("a1").unwrap_err();
    let words = illegal.to_string();
    assert_eq!(to_value(&illegal).unwrap(), json!({"illegal": words}));
    let unreadable = to_value(position.play("?").unwrap_err()).unwrap();
    assert_eq!(unreadable["unreadable"]["line"], 1);
    assert_eq!(to_value(ThinkError::Over).unwrap(), json!("over"));
    let unknown = to_value(find("chess").unwrap_err()).unwrap();
    assert_eq!(
        (&unknown["what"], &unknown["name"]),
        (&json!("game"), &json!("chess"))
    );
    let start = to_value(game.start("nonsense", 1).unwrap_err()).unwrap();
    assert_eq!(start["unreadable"]["column"], 1);
    let torn = read("{}\n".as_bytes()).next().unwrap().unwrap_err();
    assert_eq!(to_value(&torn).unwrap()["line"]["line"], 1);
    let mut record = recorded::game("flood", "4x4", 1);
    record.end.as_mut().unwrap().scores[0] += 1;
    let mismatch = to_value(record.verify().unwrap_err()).unwrap();
    assert_eq!(mismatch["place"], "end");
}
