//! The format of records is what `docs/record.schema.json` says. The validator here knows the
//! words of JSON Schema which that file uses and stops at any other.

use std::collections::BTreeSet;
use std::fs;

use floe_arena::journal::read_file;
use floe_games::record::{
    Back, End, Entrant, Interpreter, LineWriter, Machine, MoveLimits, Opening, Overload, OwnLimits,
    PlayedMove, RecordLine, VERSION,
};
use floe_games::{Fault, FaultKind, Reason};
use floe_rules::Player;
use serde_json::{Value, json};

use crate::{small, whole};

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/record.schema.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// What is wrong with a value.
fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let whole = |text: &Value| {
        text.as_i64()
            .or(text.as_u64().map(|n| n.min(i64::MAX as u64) as i64))
    };
    for (word, says) in schema.as_object().ok_or("a schema is an object")? {
        let is_right = match word.as_str() {
            "$schema" | "title" | "description" | "$defs" => true,
            "$ref" => {
                let path = says.as_str().unwrap().strip_prefix('#').unwrap();
                check(root, root.pointer(path).ok_or(path)?, value)?;
                true
            }
            "oneOf" => {
                let all = says
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|one| check(root, one, value));
                let (right, wrong): (Vec<_>, Vec<_>) = all.partition(Result::is_ok);
                if right.len() != 1 {
                    return Err(format!(
                        "{value}: {} of the forms fit: {wrong:?}",
                        right.len()
                    ));
                }
                true
            }
            "type" => match says.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                other => panic!("unknown type {other}"),
            },
            "const" => value == says,
            "enum" => says.as_array().unwrap().contains(value),
            "minimum" => whole(value).is_none_or(|n| n >= says.as_i64().unwrap()),
            "maximum" => whole(value).is_none_or(|n| n <= says.as_i64().unwrap()),
            "minLength" => value
                .as_str()
                .is_none_or(|s| s.chars().count() >= says.as_u64().unwrap() as usize),
            "maxLength" => value
                .as_str()
                .is_none_or(|s| s.chars().count() <= says.as_u64().unwrap() as usize),
            "minItems" => value
                .as_array()
                .is_none_or(|a| a.len() >= says.as_u64().unwrap() as usize),
            "maxItems" => value
                .as_array()
                .is_none_or(|a| a.len() <= says.as_u64().unwrap() as usize),
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    check(root, says, item)?;
                }
                true
            }
            "required" => {
                let has = |key: &Value| value.get(key.as_str().unwrap()).is_some();
                says.as_array().unwrap().iter().all(has)
            }
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    if let Some(says) = says.get(key) {
                        check(root, says, inner).map_err(|e| format!("{key}: {e}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(*says, json!(false));
                let known = schema["properties"].as_object().unwrap();
                value
                    .as_object()
                    .is_none_or(|v| v.keys().all(|key| known.contains_key(key)))
            }
            other => panic!("unknown word {other}"),
        };
        if !is_right {
            return Err(format!("{word}: {value} is not {says}"));
        }
    }
    Ok(())
}

/// A line of each kind with everything in it that can be.
fn full() -> Vec<RecordLine> {
    let mut fault = Fault::new(Player::new(0), FaultKind::Crash, "it ended by signal 11");
    fault.at = Some((1, 2));
    fault.expected = "a move".into();
    fault.answer = "?".into();
    fault.stderr = "oh".into();
    fault.stdout = "eh".into();
    fault.id = "Mimi".into();
    fault.wall_us = 3;
    fault.cpu_us = 3;
    vec![
        RecordLine::Game(Box::new(Opening {
            floe: VERSION,
            game: "flood".into(),
            id: "1".into(),
            pair: Some(1),
            seats: vec![Entrant {
                name: "a".into(),
                seat: "./a".into(),
                sha256: Some("0".repeat(64)),
            }],
            start: "J\n@#\n".into(),
            opening: vec!["@".into()],
            opening_from: Some("S\n@#\n".into()),
            setup: Some("2x1".into()),
            seed: Some(u64::MAX),
            board: Some("a.txt".into()),
            limits: Some(MoveLimits::default()),
            own_limits: vec![OwnLimits {
                seat: 1,
                limits: MoveLimits::default(),
            }],
            sandbox: Some(2),
            clock: Some("5m+3s".into()),
            began: 1,
            interpreters: vec![Interpreter {
                seat: 1,
                name: "Python 3.12".into(),
            }],
            machine: Some(Machine {
                class: "x86_64".into(),
                worker: "one".into(),
                time_percent: Some(125),
                overload: Some(Overload {
                    pressure_percent: 80,
                    steal_percent: 3,
                }),
            }),
        })),
        RecordLine::Move(PlayedMove {
            seat: 1,
            mv: "@".into(),
            wall_us: 1,
            cpu_us: 1,
            peak_kib: 1,
            note: "depth 1".into(),
            strike: true,
            stderr: "ah".into(),
            id: "Mimi".into(),
        }),
        RecordLine::Back(Back { moves: 1 }),
        RecordLine::Fault(Box::new(fault)),
        RecordLine::End(End {
            scores: vec![-3, 4],
            places: vec![2, 1],
            reason: Reason::Forfeit,
        }),
    ]
}

#[test]
fn what_is_written_is_in_the_schema_and_what_is_in_the_schema_is_written() {
    let schema = schema();
    let mut writer = LineWriter::default();
    for line in full() {
        let mut text = Vec::new();
        writer.write(&line, &mut text).unwrap();
        let value: Value = serde_json::from_slice(&text).unwrap();
        check(&schema, &schema, &value).unwrap();
        let form = &schema["$defs"][value["line"].as_str().unwrap()];
        let known: BTreeSet<&String> = form["properties"].as_object().unwrap().keys().collect();
        let written: BTreeSet<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!(known, written);
        for inner in ["limits", "sitting"] {
            let value = if inner == "limits" {
                &value[inner]
            } else {
                &value["seats"][0]
            };
            if let Some(object) = value.as_object() {
                let form = schema["$defs"][inner]["properties"].as_object().unwrap();
                assert_eq!(
                    form.keys().collect::<BTreeSet<_>>(),
                    object.keys().collect()
                );
            }
        }
    }
    let kinds: Vec<Value> = FaultKind::ALL
        .iter()
        .map(|kind| serde_json::to_value(kind).unwrap())
        .collect();
    assert_eq!(
        schema["$defs"]["fault"]["properties"]["kind"]["enum"],
        json!(kinds)
    );
}

#[test]
fn records_of_a_tournament_are_as_the_schema_says() {
    let schema = schema();
    let (folder, results) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    for line in text.lines() {
        check(&schema, &schema, &serde_json::from_str(line).unwrap()).unwrap();
    }
    assert_eq!(read_file(&path).unwrap().count() as u64, results.games);
}

#[test]
fn what_is_no_line_of_a_record_is_refused() {
    let schema = schema();
    for wrong in [
        json!({}),
        json!({"line": "move", "seat": 0, "move": "@"}),
        json!({"line": "move", "seat": 1}),
        json!({"line": "move", "seat": 1, "move": "@", "extra": 1}),
        json!({"line": "end", "scores": [1], "places": [0], "reason": "finished"}),
        json!({"line": "end", "scores": [1], "places": [1], "reason": "tired"}),
        json!({"line": "fault", "seat": 1, "kind": "rude", "message": "x"}),
        json!({"line": "game", "floe": 2, "game": "flood", "id": "1", "seats": [], "start": ""}),
    ] {
        assert!(check(&schema, &schema, &wrong).is_err(), "{wrong}");
    }
}
