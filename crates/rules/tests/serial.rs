//! What serde writes of every game keeps to one shape, and is read back where it can be.

use std::fmt::Debug;
use std::str::FromStr;

use floe_rules::flood::Flood;
use floe_rules::gamma::Gamma;
use floe_rules::penguins::Penguins;
use floe_rules::{
    Cell, DialectError, Game, Outcome, ParseError, Player, Position, Report, SeatView, SetupError,
    Square,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("it can be written")
}

/// Whether a value comes back as it went out.
fn round<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("it can be written");
    assert_eq!(&serde_json::from_str::<T>(&text).expect(&text), value);
}

/// Every name of a field is in snake_case, at any depth.
fn check_names(value: &Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_plain = |c: char| c.is_ascii_lowercase() || "_-".contains(c);
                assert!(name.chars().all(is_plain), "{name}");
                check_names(value);
            }
        }
        Value::Array(values) => values.iter().for_each(check_names),
        _ => {}
    }
}

/// The names of an object's fields.
fn fields(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    let mut names: Vec<&str> = object.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

fn is_square(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| Square::from_str(text).is_ok())
}

fn check_view(view: &Value, players: u32) {
    let expected = [
        "cells", "drawing", "height", "notes", "phase", "seats", "task", "width",
    ];
    assert_eq!(fields(view), expected);
    let area = view["width"].as_u64().unwrap() * view["height"].as_u64().unwrap();
    let cells = view["cells"].as_array().unwrap();
    assert_eq!(cells.len() as u64, area);
    for cell in cells {
        assert_eq!(fields(cell), ["glyph", "owner", "prospect", "shade"]);
        assert_eq!(cell["glyph"].as_str().unwrap().chars().count(), 1);
        let owner = &cell["owner"];
        assert!(owner.is_null() || (1..=u64::from(players)).contains(&owner.as_u64().unwrap()));
        match &cell["shade"] {
            Value::String(word) => assert!(["void", "plain"].contains(&word.as_str()), "{word}"),
            shade => {
                let [name] = fields(shade)[..] else {
                    panic!("{shade}")
                };
                assert!(["level", "hue"].contains(&name), "{name}");
                assert!(shade[name].is_u64());
            }
        }
        match &cell["prospect"] {
            Value::String(word) => assert!(["open", "contested"].contains(&word.as_str())),
            prospect => assert!(prospect["promised"].is_u64(), "{prospect}"),
        }
    }
    let seats = view["seats"].as_array().unwrap();
    assert_eq!(seats.len(), players as usize);
    for seat in seats {
        assert_eq!(fields(seat), ["name", "note", "score"]);
        assert!(seat["score"].is_i64());
    }
    let drawing = ["is_outlined", "level", "numbering", "piece"];
    assert_eq!(fields(&view["drawing"]), drawing);
}

fn check_choice(choice: &Value) {
    let expected = ["from", "gain", "notation", "special", "takes", "to"];
    assert_eq!(fields(choice), expected);
    assert!(choice["notation"].is_string() && choice["gain"].is_i64());
    assert!(choice["from"].is_null() || is_square(&choice["from"]));
    assert!(choice["to"].is_null() || is_square(&choice["to"]));
    assert!(choice["takes"].as_array().unwrap().iter().all(is_square));
}

/// Plays a game of first moves and checks what is written of each of its positions.
fn play<G: Game>(setup: &str)
where
    G::Setup: Serialize + DeserializeOwned + Debug,
    <G::Position as Position>::Move: Serialize + DeserializeOwned,
{
    let setup: G::Setup = setup.parse().expect("a setup");
    round(&setup);
    assert_eq!(written(&setup), json!(setup.to_string()));
    let mut position = G::start(&setup, 1).expect("a start");
    loop {
        let view = written(&G::view(&position));
        check_names(&view);
        check_view(&view, position.players());
        for cell in &G::view(&position).cells {
            round::<Cell>(cell);
        }
        for seat in &G::view(&position).seats {
            round::<SeatView>(seat);
        }
        let choices = G::choices(&position);
        choices.iter().map(written).for_each(|c| check_choice(&c));
        let Some(&mv) = position.legal_moves().first() else {
            break;
        };
        round(&mv);
        assert_eq!(written(&mv), json!(mv.to_string()));
        position.play(mv).expect("legal");
    }
    let outcome = position.outcome().expect("the game is over");
    round(&outcome);
    assert_eq!(fields(&written(&outcome)), ["places", "scores"]);
}

#[test]
fn every_game_keeps_to_the_schema() {
    play::<Flood>("6x5");
    play::<Gamma>("4x4,players=3");
    play::<Penguins>("6x6,players=3,penguins=2");
}

#[test]
fn a_small_example_of_each() {
    let penguins = Penguins::read("1 3\n10 01 03\na 1 2\nb 3 4\n").expect("a position");
    let mut gamma = Gamma::start(&"2x1,areas=1".parse().unwrap(), 1).unwrap();
    gamma.play("a1".parse().unwrap()).unwrap();
    let example = json!({
        "view": Penguins::view(&penguins),
        "choices": Penguins::choices(&penguins),
        "gamma_choices": Gamma::choices(&gamma),
        "outcome": Outcome::from_scores(vec![3, 7, 3]),
    });
    insta::assert_snapshot!(serde_json::to_string_pretty(&example).unwrap());
}

#[test]
fn errors_are_written_and_read() {
    let error = ParseError::new(2, 5, "not a number").with_help("use digits");
    round(&error);
    round(&DialectError::illegal(error.clone()));
    let mut report = Report::new();
    report.remark(error.clone());
    report.error(error);
    round(&report);
    assert_eq!(written(&report)["errors"][0]["column"], 5);
    for (setup, kind) in [
        ("0x5", "size"),
        ("players=10", "players"),
        ("2x2,players=9", "room"),
        ("water=101", "setting"),
    ] {
        let setup = match setup {
            "water=101" => floe_rules::penguins::Setup {
                water: 101,
                ..Default::default()
            },
            "players=10" => floe_rules::penguins::Setup {
                players: 10,
                ..Default::default()
            },
            "0x5" => floe_rules::penguins::Setup {
                style: floe_rules::penguins::Style::Uniform { size: (0, 5) },
                ..Default::default()
            },
            text => text.parse().unwrap(),
        };
        let error = Penguins::start(&setup, 1).expect_err(kind);
        round(&error);
        assert_eq!(written(&error)["kind"], kind);
    }
    round(&SetupError::new("a game's own words"));
}

#[test]
fn what_makes_no_sense_is_not_read() {
    assert!(serde_json::from_str::<Player>("0").is_err());
    assert_eq!(serde_json::from_str::<Player>("1").unwrap(), Player::new(0));
    assert!(serde_json::from_str::<Square>("\"7d\"").is_err());
    for outcome in [
        r#"{"scores":[1,2],"places":[1]}"#,
        r#"{"scores":[1,2],"places":[0,1]}"#,
        r#"{"scores":[1,2],"places":[1,3]}"#,
    ] {
        assert!(
            serde_json::from_str::<Outcome>(outcome).is_err(),
            "{outcome}"
        );
    }
}
