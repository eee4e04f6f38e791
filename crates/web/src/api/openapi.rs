//! The API's description, for machines.

use axum::response::IntoResponse;
use axum::{Json, http::header};
use serde_json::{Value, json};

/// `GET /api/openapi.json`
pub(crate) async fn description() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-cache")], Json(openapi()))
}

fn answer(about: &str) -> Value {
    json!({ "200": { "description": about, "content": { "application/json": {} } },
            "default": { "description": "The cause, as `error`, and the advice, as `help`" } })
}

fn reads(about: &str, parameters: &[&str]) -> Value {
    let parameters: Vec<Value> = (parameters.iter())
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect();
    json!({ "get": { "summary": about, "parameters": parameters, "responses": answer(about) } })
}

fn openapi() -> Value {
    let text = json!({ "type": "string" });
    let position = json!({ "type": "object", "required": ["game"], "properties": {
        "game": text, "position": text, "setup": text, "seed": { "type": "integer" },
        "moves": { "type": "array", "items": text, "description": "`-` is a pass" } } });
    let mut thinking = position.clone();
    thinking["properties"]["ms"] = json!({ "type": "integer", "maximum": 5000 });
    thinking["properties"]["top"] = json!({ "type": "integer", "maximum": 8 });
    thinking["properties"]["engine"] =
        json!({ "type": "string", "description": "`floe`, or a level such as `floe:easy`" });
    thinking["properties"]["explain"] = json!({ "type": "boolean" });
    let mut pointing = position.clone();
    pointing["properties"]["square"] = text.clone();
    pointing["properties"]["from"] = text.clone();
    pointing["properties"]["special"] = json!({ "type": "boolean" });
    let mut reviewing = position.clone();
    reviewing["properties"]["worths"] = json!({ "type": "array", "items": { "type": ["object", "null"],
        "properties": { "scores": { "type": "array", "items": { "type": "integer" } }, "best": { "type": ["string", "null"] } } } });
    let beginning = json!({ "type": "object", "required": ["game"], "properties": {
        "game": text, "opponent": text, "size": text, "position": text, "clock": text, "name": text,
        "side": { "type": "string", "enum": ["first", "last", "any"] }, "public": { "type": "boolean" } },
        "additionalProperties": { "type": ["string", "integer"], "description": "Words of the game's settings" } });
    let painting = json!({ "type": "object", "required": ["game", "position", "brush"],
        "properties": { "game": text, "position": text, "brush": text, "square": text } });
    let recorded = json!({ "type": "object", "required": ["text"],
        "properties": { "text": text, "index": { "type": "integer" } } });
    let asks = |about: &str, schema: &Value| {
        json!({ "post": { "summary": about, "responses": answer(about), "requestBody": {
            "required": true, "content": { "application/json": { "schema": schema } } } } })
    };
    let act = json!({ "post": {
        "summary": "Do something in a game: move, give-up, take-back, resign, sit, name or rematch; or answer, with the move of an engine that the game's `lent` asks for",
        "parameters": [
            { "name": "id", "in": "path", "required": true, "schema": text },
            { "name": "act", "in": "path", "required": true, "schema": { "type": "string",
              "enum": ["move", "answer", "give-up", "take-back", "resign", "sit", "name", "rematch"] } } ],
        "requestBody": { "required": true, "content": { "application/json": { "schema": {
            "type": "object", "properties": { "ply": { "type": "integer" }, "version": { "type": "integer" }, "move": text, "name": text,
                "thinks": { "type": "boolean", "description": "Whether the player's browser thinks for the engines from now on" } } } } } },
        "responses": answer("The game after the action, or the changes since the given version") } });
    let asked = |about: &str, optional: &[&str], required: &[&str]| {
        let mut read = reads(about, &["id"]);
        let number = |name: &&str, is_required: bool| {
            json!({ "name": name, "in": "query", "required": is_required,
                    "schema": { "type": "integer" } })
        };
        if let Some(parameters) = read["get"]["parameters"].as_array_mut() {
            parameters.extend(optional.iter().map(|name| number(name, false)));
            parameters.extend(required.iter().map(|name| number(name, true)));
        }
        read
    };
    let mut games = reads("The games of a tournament, in parts", &["name"]);
    if let Some(parameters) = games["get"]["parameters"].as_array_mut() {
        let named = |name: &str, schema| json!({ "name": name, "in": "query", "schema": schema });
        let words = ["of", "against", "result", "fault"]
            .map(|name| named(name, json!({ "type": "string" })));
        let numbers = ["from", "before"].map(|name| named(name, json!({ "type": "integer" })));
        parameters.extend(words.into_iter().chain(numbers));
    }
    let about_file = ["file", "word", "protocol"]
        .map(|name| json!({ "name": name, "in": "query", "schema": text }));
    let hello = json!({ "type": "object", "required": ["word"], "properties": { "word": text } });
    let mut remote = reads(
        "Messages to a remote program after a number; waits for the next one",
        &["connection"],
    );
    let named = remote["get"]["parameters"].clone();
    if let Some(parameters) = remote["get"]["parameters"].as_array_mut() {
        parameters.push(json!({ "name": "after", "in": "query", "schema": { "type": "integer" } }));
    }
    remote["post"] = json!({ "summary": "What the program says: ready, move or failed", "parameters": named,
        "requestBody": { "required": true, "content": { "application/json": { "schema": {
            "type": "object", "required": ["what", "game"], "properties": {
                "what": { "type": "string", "enum": ["ready", "move", "failed"] }, "game": text,
                "question": { "type": "integer" }, "move": text, "note": text } } } } },
        "responses": answer("It was taken") });
    remote["delete"] = json!({ "summary": "Disconnect: a game in progress is lost", "parameters": named,
        "responses": answer("It is over") });
    let mut evaluation = reads(
        "An engine's value of every position of a game, after the first `done`: waits for more",
        &["name", "number"],
    );
    let which = evaluation["get"]["parameters"].clone();
    evaluation["post"] = json!({ "summary": "Evaluate a game, once for all clients", "parameters": which,
        "responses": answer("The values so far") });
    if let Some(parameters) = evaluation["get"]["parameters"].as_array_mut() {
        parameters.push(json!({ "name": "done", "in": "query", "schema": { "type": "integer" } }));
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Floe", "version": env!("CARGO_PKG_VERSION") },
        "paths": {
            "/api/v1/about": reads("About this server", &[]),
            "/api/v1/rules": reads("All games", &[]),
            "/api/v1/rules/{game}":
                reads("The rules of a game, and everything its form offers", &["game"]),
            "/api/v1/puzzles/{game}":
                reads("The puzzles of a game, and the puzzle of the day", &["game"]),
            "/api/v1/desk":
                reads("People, versions, the queue and paused activities: for the organiser only", &[]),
            "/api/v1/my": reads("Your own games, by the cookie, newest first", &[]),
            "/api/v1/games": asks("Begin a game, with the fields of the form", &beginning),
            "/api/v1/games/{id}": asked("A game of people now, or the changes since a version",
                                        &["version"], &[]),
            "/api/v1/games/{id}/moves": asked("The moves of the player to move", &[], &["ply"]),
            "/api/v1/games/{id}/choices":
                asked("The same moves, grouped, with sets of fields in few bytes", &[], &["ply"]),
            "/api/v1/games/{id}/ply":
                asked("An earlier position, or its difference from another one of a version",
                      &["from", "version"], &["ply"]),
            "/api/v1/games/{id}/start": reads("The first position of a game, as text", &["id"]),
            "/api/v1/games/{id}/turn": reads("The number of turns of a game, and the player to move", &["id"]),
            "/api/v1/games/{id}/course": reads("Every position of a game so far", &["id"]),
            "/api/v1/games/{id}/{act}": act,
            "/api/v1/positions": asks("A position as drawn, and its moves", &position),
            "/api/v1/courses": asks("A game of a record, position by position; the server stores nothing", &recorded),
            "/api/v1/forms": asks("A position as text: in its own form, and in each dialect", &position),
            "/api/v1/paint": asks("The text of a position with one change painted", &painting),
            "/api/v1/checks": asks("All errors in the text of a position, each with its place", &position),
            "/api/v1/refusals": asks("Why a square cannot be chosen, in words", &pointing),
            "/api/v1/thoughts": asks("An engine's best moves in a position", &thinking),
            "/api/v1/tables": reads("Every game in progress", &[]),
            "/api/v1/finished": reads("Public games that ended recently, newest first", &[]),
            "/api/v1/reviews": asks("The grade of every move of a game, from the values of its positions", &reviewing),
            "/api/v1/submissions": { "get": {
                "summary": "All submissions of your team, newest first",
                "responses": answer("The versions, and which of them plays") }, "post": {
                "summary": "Send a program to the league: its bytes, or a form with a file; the token as a bearer",
                "parameters": about_file,
                "requestBody": { "required": true, "content": { "application/octet-stream": {}, "multipart/form-data": {} } },
                "responses": answer("The number of the version, and the address of its events") } },
            "/api/v1/submissions/{entrant}/{number}":
                reads("A version with its build log and check report", &["entrant", "number"]),
            "/api/v1/submissions/{entrant}/{number}/events":
                reads("Build, checks and verdict of a version, as server-sent events", &["entrant", "number"]),
            "/api/v1/remote": asks("Connect a remote program; the token as a bearer", &hello),
            "/api/v1/remote/{connection}": remote,
            "/api/v1/leagues": reads("All tournaments", &[]),
            "/api/v1/leagues/{name}":
                reads("The standings of a tournament, and the history of its ratings", &["name"]),
            "/api/v1/leagues/{name}/games": games,
            "/api/v1/leagues/{name}/entrants/{entrant}":
                reads("One entrant's results: head-to-head, versions, ratings, last games", &["name", "entrant"]),
            "/api/v1/leagues/{name}/games/{number}":
                reads("A game of a tournament, by its number from 1, position by position", &["name", "number"]),
            "/api/v1/leagues/{name}/games/{number}/evaluation": evaluation,
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_address_is_described() {
        let routes = include_str!("../routes.rs").split('"');
        let routes: BTreeSet<&str> = routes.filter(|text| text.starts_with("/api/v1/")).collect();
        let description = openapi();
        let paths = description["paths"].as_object().unwrap();
        let described: BTreeSet<&str> = paths.keys().map(String::as_str).collect();
        assert_eq!(routes, described);
    }
}
