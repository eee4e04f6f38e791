//! The bodies of requests, as the API's description has them.

use serde_json::{Map, Value, json};

use super::positions::{LONGEST, TOP};

/// An object with these fields: `name` for a text, `name:type` for another type, `!` if required.
pub(super) fn object(fields: &str) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields.split_whitespace() {
        let (name, kind) = field.split_once(':').unwrap_or((field, "string"));
        let plain = name.trim_end_matches('!');
        if plain != name {
            required.push(plain);
        }
        properties.insert(plain.to_owned(), json!({ "type": kind }));
    }
    json!({ "type": "object", "required": required, "properties": properties })
}

/// A position of a game, and more fields.
pub(super) fn position(more: &str) -> Value {
    let mut schema = object(&format!("game! position setup seed:integer {more}"));
    schema["properties"]["moves"] = json!({ "type": "array", "items": { "type": "string" },
        "description": "`-` is a pass" });
    schema
}

pub(super) fn thinking() -> Value {
    let mut schema = position("ms:integer top:integer engine explain:boolean");
    let fields = &mut schema["properties"];
    fields["ms"]["maximum"] = json!(1000 * LONGEST.as_secs());
    fields["top"]["maximum"] = json!(TOP);
    fields["engine"]["description"] = json!("`floe`, or a level such as `floe:easy`");
    schema
}

pub(super) fn reviewing() -> Value {
    let mut schema = position("");
    let worth = json!({ "type": ["object", "null"], "properties": {
        "scores": { "type": "array", "items": { "type": "integer" } },
        "best": { "type": ["string", "null"] } } });
    schema["properties"]["worths"] = json!({ "type": "array", "items": worth });
    schema
}

pub(super) fn beginning() -> Value {
    let mut schema = object("game! opponent size position clock name side public:boolean");
    schema["properties"]["side"]["enum"] = json!(["first", "last", "any"]);
    schema["additionalProperties"] = json!({ "type": ["string", "integer"],
        "description": "Words of the game's settings" });
    schema
}

pub(super) fn acting() -> Value {
    let mut schema = object("ply:integer version:integer move name thinks:boolean");
    schema["properties"]["thinks"]["description"] =
        json!("Whether the player's browser thinks for the engines from now on");
    schema
}

pub(super) fn saying() -> Value {
    let mut schema = object("what! game! question:integer move note");
    schema["properties"]["what"]["enum"] = json!(["ready", "move", "failed"]);
    schema
}
