//! What serde writes of thoughts and specs, and reads again.

use std::fmt::Debug;

use floe_rules::flood::Flood;
use floe_rules::gamma::Gamma;
use floe_rules::penguins::Penguins;
use floe_rules::{Game, Position};
use floe_search::{FLOOD, GAMMA, Kind, Level, Limits, PENGUINS, Roster, Spec, Thought};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn round<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Value {
    let text = serde_json::to_string(value).expect("it can be written");
    assert_eq!(&serde_json::from_str::<T>(&text).expect(&text), value);
    serde_json::from_str(&text).expect("it is JSON")
}

fn think<G: Game>(roster: &Roster<G::Position>) -> String
where
    <G::Position as Position>::Move: Serialize + DeserializeOwned,
{
    let position = G::start(&"5x5".parse().ok().unwrap(), 2).expect("a start");
    let mut engine = roster.engine(&Spec::from(Kind::Floe));
    let thought: Thought<_> = engine.think(&position, &Limits::nodes(2000));
    let value = round(&thought);
    let fields = value.as_object().expect("an object");
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    for name in ["best", "scores", "depth", "nodes", "line", "proven"] {
        assert!(names.contains(&name), "{name} of {names:?}");
    }
    assert_eq!(names.len(), 6);
    assert_eq!(value["best"], json!(thought.best.to_string()));
    assert_eq!(value["scores"].as_array().unwrap().len(), 2);
    assert!(
        value["line"]
            .as_array()
            .unwrap()
            .iter()
            .all(Value::is_string)
    );
    serde_json::to_string_pretty(&thought).expect("it can be written")
}

#[test]
fn thoughts_of_every_game() {
    think::<Gamma>(&GAMMA);
    think::<Penguins>(&PENGUINS);
    insta::assert_snapshot!(think::<Flood>(&FLOOD));
}

#[test]
fn specs_are_their_text() {
    for text in ["floe", "floe:hard", "mcts:nodes=10k,seed=3"] {
        let spec: Spec = text.parse().unwrap();
        assert_eq!(round(&spec), json!(text));
    }
    for kind in Kind::ALL {
        assert_eq!(round(&kind), json!(kind.name()));
    }
    for level in Level::ALL {
        assert_eq!(round(&level), json!(level.name()));
    }
    assert!(serde_json::from_str::<Spec>("\"floe:harder\"").is_err());
    assert!(serde_json::from_str::<Level>("\"harder\"").is_err());
}
