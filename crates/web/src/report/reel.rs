//! Every position of a game in few bytes: the first whole, each later one as the difference from
//! the one before; compressed, as text for a page.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use floe_games::record::Record;
use serde_json::{Map, Value, json};

use floe_games::json::Timeline;

/// A game for the script of a report.
pub(super) fn packed(record: &Record, course: &Timeline) -> Result<String, String> {
    let names: Vec<&str> = (record.opening.seats.iter())
        .map(|seat| seat.name.as_str())
        .collect();
    let mut plies = Vec::new();
    let mut before = Value::Null;
    for ply in &course.plies {
        let mut value = serde_json::to_value(ply).map_err(|error| error.to_string())?;
        let picture = value["picture"].take();
        value["picture"] = difference(&before, &picture);
        plies.push(value);
        before = picture;
    }
    let end = record
        .end
        .as_ref()
        .map(|end| json!({ "scores": end.scores }));
    let reel = json!({ "names": names, "plies": plies, "end": end });
    let packed = || {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(reel.to_string().as_bytes())?;
        packer.finish()
    };
    let bytes = packed().map_err(|error: std::io::Error| error.to_string())?;
    Ok(STANDARD.encode(bytes))
}

/// The changed parts of a picture, by name. For a part with one entry per field (a text or a list),
/// only the changed fields, as `at` and `to`.
fn difference(before: &Value, after: &Value) -> Value {
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        return after.clone();
    };
    let mut changed = Map::new();
    for (name, value) in new {
        match old.get(name) {
            Some(known) if known == value => {}
            known => {
                let fields = known.and_then(|known| fields(known, value));
                changed.insert(name.clone(), fields.unwrap_or_else(|| value.clone()));
            }
        }
    }
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        changed.insert(name.clone(), Value::Null);
    }
    Value::Object(changed)
}

/// The changed fields, if both boards have the same size.
fn fields(before: &Value, after: &Value) -> Option<Value> {
    match (before, after) {
        (Value::String(old), Value::String(new)) if new.chars().count() == old.chars().count() => {
            let changed =
                || (old.chars().zip(new.chars()).enumerate()).filter(|(_, (a, b))| a != b);
            let at: Vec<usize> = changed().map(|(at, _)| at).collect();
            let to: String = changed().map(|(_, (_, to))| to).collect();
            Some(json!({ "at": at, "to": to }))
        }
        (Value::Array(old), Value::Array(new))
            if new.len() == old.len() && new.iter().all(Value::is_number) =>
        {
            let changed = || (old.iter().zip(new).enumerate()).filter(|(_, (a, b))| a != b);
            let at: Vec<usize> = changed().map(|(at, _)| at).collect();
            let to: Vec<&Value> = changed().map(|(_, (_, to))| to).collect();
            Some(json!({ "at": at, "to": to }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_told() {
        let before = json!({ "glyphs": "..1", "owners": [0, 0, 1], "phase": "a", "promised": [1] });
        let after = json!({ "glyphs": ".21", "owners": [0, 2, 1], "phase": "longer" });
        let told = json!({
            "glyphs": { "at": [1], "to": "2" },
            "owners": { "at": [1], "to": [2] },
            "phase": "longer",
            "promised": null,
        });
        assert_eq!(difference(&before, &after), told);
        assert_eq!(difference(&after, &after), json!({}));
        assert_eq!(difference(&Value::Null, &after), after);
    }
}
