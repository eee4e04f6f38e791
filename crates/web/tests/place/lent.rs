//! Engines' moves that a player's browser thinks of.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use floe_games::record::{Event, Record};
use http_body_util::BodyExt;
use serde_json::{Value, json};

use crate::{Answer, Browser, Place};

/// Longer than the server waits for a browser.
const LONG: Duration = Duration::from_secs(60);
/// The engine begins.
const FORM: &str = "opponent=floe%3Ahard&side=last&clock=none&size=4x4&public=on&thinks=on";

async fn act(browser: &mut Browser, place: &Place, id: &str, act: &str, body: Value) -> Answer {
    let path = format!("/api/v1/games/{id}/{act}");
    browser.post(place, &path, &body).await
}

/// The first move of whoever is to move.
async fn first_move(browser: &mut Browser, place: &Place, id: &str, ply: usize) -> Value {
    let path = format!("/api/v1/games/{id}/moves?ply={ply}");
    browser.get(place, &path).await.json()["moves"][0]["move"].clone()
}

/// Waits until so many turns were made.
async fn reached(browser: &mut Browser, place: &Place, id: &str, ply: usize) -> Value {
    loop {
        let game = browser.game(place, id).await;
        if game["state"]["ply"] == ply {
            return game;
        }
        tokio::task::yield_now().await;
    }
}

fn record(place: &Place, id: &str) -> Record {
    let path = place.folder().join(format!("games/{id}.jsonl"));
    let mut records = floe_arena::journal::read_file(&path).unwrap();
    records.next().unwrap().unwrap()
}

fn notes(record: &Record) -> Vec<String> {
    let note = |event: &Event| match event {
        Event::Move(made) => Some(made.note.clone()),
        _ => None,
    };
    record.events.iter().filter_map(note).collect()
}

#[tokio::test]
async fn a_browser_thinks_for_its_opponent_and_the_server_judges() {
    tokio::time::pause();
    let place = Place::new();
    let (mut player, mut stranger) = (Browser::default(), Browser::default());
    let id = player.begin(&place, "gamma", FORM).await;
    let lent = player.game(&place, &id).await["lent"].clone();
    assert_eq!(
        (&lent["ply"], &lent["engine"]),
        (&json!(0), &json!("floe:hard"))
    );
    assert!(lent["position"].as_str().unwrap().starts_with("gamma 4 4"));
    assert!(stranger.game(&place, &id).await["lent"].is_null());
    let mv = first_move(&mut player, &place, &id, 0).await;
    let said = json!({ "ply": 0, "move": mv, "thinks": true });
    let answer = act(&mut stranger, &place, &id, "answer", said.clone()).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    let wrong = json!({ "ply": 0, "move": "z9", "thinks": true });
    let answer = act(&mut player, &place, &id, "answer", wrong).await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        answer.text
    );
    let answer = act(&mut player, &place, &id, "answer", said.clone()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(answer.json()["state"]["ply"], 1);
    assert!(answer.json()["lent"].is_null(), "it is the player's turn");
    // The same once more is late, and a player's own turn is not for an engine.
    let answer = act(&mut player, &place, &id, "answer", said).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let mv = first_move(&mut player, &place, &id, 1).await;
    let said = json!({ "ply": 1, "move": mv, "thinks": true });
    let answer = act(&mut player, &place, &id, "answer", said.clone()).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let answer = act(&mut player, &place, &id, "move", said).await;
    assert_eq!(answer.json()["lent"]["ply"], 2, "{}", answer.text);
    // A game with such moves is in no list of finished games.
    let answer = act(
        &mut player,
        &place,
        &id,
        "resign",
        json!({ "thinks": true }),
    )
    .await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let made = record(&place, &id);
    assert_eq!(notes(&made), ["thought in the player's browser", ""]);
    made.verify().unwrap();
    let place = place.restarted();
    let finished = player.get(&place, "/api/v1/finished").await.json();
    assert_eq!(finished["games"], json!([]));
}

#[tokio::test]
async fn the_server_thinks_where_no_answer_comes() {
    tokio::time::pause();
    let place = Place::new();
    let mut player = Browser::default();
    let id = player.begin(&place, "gamma", FORM).await;
    tokio::task::yield_now().await;
    assert_eq!(player.game(&place, &id).await["state"]["ply"], 0);
    tokio::time::advance(LONG).await;
    reached(&mut player, &place, &id, 1).await;
    assert!(notes(&record(&place, &id))[0].starts_with("depth "));
    // A browser that says nothing of thinking is not waited for.
    let mv = first_move(&mut player, &place, &id, 1).await;
    let answer = act(
        &mut player,
        &place,
        &id,
        "move",
        json!({ "ply": 1, "move": mv }),
    )
    .await;
    assert!(answer.json()["lent"].is_null());
    reached(&mut player, &place, &id, 3).await;
}

#[tokio::test]
async fn the_server_thinks_where_somebody_looks_on_or_a_clock_runs() {
    tokio::time::pause();
    let place = Place::new();
    let (mut player, stranger) = (Browser::default(), Browser::default());
    let id = player.begin(&place, "gamma", FORM).await;
    assert!(!player.game(&place, &id).await["lent"].is_null());
    // The player's own page is no onlooker.
    let follow = |browser: &Browser, id: &str| {
        let path = format!("/live?game={id}");
        browser
            .request(axum::http::Method::GET, &path)
            .body(Body::empty())
    };
    let own: Request<Body> = follow(&player, &id).unwrap();
    let mut own = place.send(own).await.into_body();
    own.frame().await.unwrap().unwrap();
    assert!(!player.game(&place, &id).await["lent"].is_null());
    let looks_on = follow(&stranger, &id).unwrap();
    let stream = place.send(looks_on).await;
    reached(&mut player, &place, &id, 1).await;
    drop(stream);
    let mv = first_move(&mut player, &place, &id, 1).await;
    let said = json!({ "ply": 1, "move": mv, "thinks": true });
    let answer = act(&mut player, &place, &id, "move", said).await;
    assert_eq!(answer.json()["lent"]["ply"], 2, "{}", answer.text);
    let clock = FORM.replace("clock=none", "clock=30s");
    let timed = player.begin(&place, "gamma", &clock).await;
    assert!(player.game(&place, &timed).await["lent"].is_null());
    reached(&mut player, &place, &timed, 1).await;
}

#[tokio::test]
async fn two_people_are_asked_for_no_thought() {
    let place = Place::new();
    let (mut host, mut guest) = (Browser::default(), Browser::default());
    let form = "opponent=link&side=first&clock=none&size=4x4&thinks=on";
    let id = host.begin(&place, "gamma", form).await;
    act(&mut guest, &place, &id, "sit", json!({ "thinks": true })).await;
    let mv = first_move(&mut host, &place, &id, 0).await;
    let said = json!({ "ply": 0, "move": mv, "thinks": true });
    let answer = act(&mut host, &place, &id, "move", said).await;
    assert!(answer.json()["lent"].is_null());
    let mv = first_move(&mut host, &place, &id, 1).await;
    let said = json!({ "ply": 1, "move": mv, "thinks": true });
    let answer = act(&mut host, &place, &id, "answer", said).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.text);
}
