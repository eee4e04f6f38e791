//! The schemas of docs/json.md, held against what commands print.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The commands of docs/json.md with their schemas.
pub(crate) fn described() -> BTreeMap<String, Option<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    let text = fs::read_to_string(path).unwrap();
    let sections = text.split("\n### `floe ").skip(1);
    let section = |section: &str| {
        let (name, rest) = section.split_once('`').unwrap();
        let schema = rest.split_once("```json\n").map(|(_, rest)| {
            let (schema, _) = rest.split_once("\n```").unwrap();
            serde_json::from_str(schema).unwrap_or_else(|error| panic!("{name}: {error}"))
        });
        (name.to_owned(), schema)
    };
    sections.map(section).collect()
}

/// What is wrong with a value; knows the words that docs/json.md uses.
pub(crate) fn check(schema: &Value, value: &Value) -> Result<(), String> {
    // Where nothing is known.
    if value.is_null() {
        return Ok(());
    }
    for (word, says) in schema.as_object().ok_or("a schema is an object")? {
        match word.as_str() {
            "type" => {
                let one = std::slice::from_ref(says);
                let types = says.as_array().map_or(one, Vec::as_slice);
                let fits = |name: &Value| match name.as_str().unwrap_or_default() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    other => panic!("unknown type {other}"),
                };
                if !types.iter().any(fits) {
                    return Err(format!("{value} is no {says}"));
                }
            }
            "required" => {
                for key in says.as_array().into_iter().flatten() {
                    let key = key.as_str().unwrap_or_default();
                    if value.is_object() && value.get(key).is_none() {
                        return Err(format!("no {key} in {value}"));
                    }
                }
            }
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    let says = says.get(key).ok_or(format!("{key} is not described"))?;
                    check(says, inner).map_err(|error| format!("{key}: {error}"))?;
                }
            }
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    check(says, item)?;
                }
            }
            "additionalProperties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    check(says, inner).map_err(|error| format!("{key}: {error}"))?;
                }
            }
            other => panic!("unknown word {other}"),
        }
    }
    Ok(())
}

/// Holds all that a command printed against its schema.
pub(crate) fn check_lines(name: &str, text: &str, is_one: bool) {
    let described = described();
    let schema = described.get(name).and_then(Option::as_ref);
    let schema = schema.unwrap_or_else(|| panic!("docs/json.md has no schema of {name}"));
    let lines: Vec<&str> = text.lines().collect();
    assert!(!lines.is_empty() && text.ends_with('\n'), "{name}: {text}");
    assert!(!is_one || lines.len() == 1, "{name}: {text}");
    for line in lines {
        let value: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(value.is_object(), "{name}: {line}");
        check(schema, &value).unwrap_or_else(|error| panic!("{name}: {error}\n{line}"));
    }
}
