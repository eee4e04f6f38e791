//! Games of a league that an engine looks at, position by position.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use floe_arena::store::Store;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::league::{broken_game_of, with_league};
use crate::{Browser, Place};

const GAME: &str = "/league/cup/game/1";
const API: &str = "/api/v1/leagues/cup/games/1/evaluation";
const SEATS: [(&str, &str); 2] = [("<b>good", "greedy"), ("broken", "line:/bin/cat")];

/// Somebody who has the only engine think until they are gone.
async fn hold_engine(place: &Arc<Place>) -> JoinHandle<()> {
    let place = Arc::clone(place);
    let mut browser = Browser::default();
    browser.get(&place, "/").await;
    tokio::spawn(async move {
        let ask = json!({ "game": "gamma", "setup": "12x12", "ms": 5000 });
        loop {
            browser.post(&place, "/api/v1/thoughts", &ask).await;
        }
    })
}

/// Waits until nothing more will come.
async fn until_over(place: &Place, browser: &mut Browser, path: &str) -> Value {
    let mut worths = Vec::new();
    loop {
        let path = format!("{path}?done={}", worths.len());
        let answer = browser.get(place, &path).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        let mut told = answer.json();
        worths.extend(told["worths"].as_array().unwrap().clone());
        assert_eq!(told["done"], worths.len());
        if told["is_over"] == true {
            told["worths"] = json!(worths);
            return told;
        }
    }
}

#[tokio::test]
async fn a_game_is_evaluated_for_somebody_without_a_script() {
    let place = Arc::new(with_league());
    let mut browser = Browser::default();
    let page = browser.get(&place, GAME).await.text;
    let form = format!("<form method=\"post\" action=\"{GAME}/evaluation\">");
    assert!(page.contains(&form), "{page}");
    assert!(!page.contains("http-equiv=\"refresh\""), "{page}");
    assert_eq!(browser.get(&place, API).await.status, StatusCode::NOT_FOUND);

    let holder = hold_engine(&place).await;
    let answer = browser
        .form(&place, &format!("{GAME}/evaluation"), "")
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    assert_eq!(answer.headers[header::LOCATION], "../1");
    let page = browser.get(&place, GAME).await.text;
    assert!(page.contains("of 5 positions are evaluated"), "{page}");
    let again = "<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>";
    assert!(page.contains(again), "{page}");
    holder.abort();

    let told = until_over(&place, &mut browser, API).await;
    assert_eq!(told["worths"].as_array().unwrap().len(), 5, "{told}");
    let page = browser.get(&place, GAME).await.text;
    assert!(!page.contains("http-equiv=\"refresh\""), "{page}");
    let label = "aria-label=\"Who was ahead, move by move";
    assert!(page.contains(label), "{page}");
    assert!(page.contains("<path class=\"worth\" d=\"M4.0 "), "{page}");
    assert!(page.contains("<th scope=\"col\">Ahead then</th>"), "{page}");
    assert!(page.contains("<td>the start</td>"), "{page}");
    assert!(
        page.contains("Turning points") || page.contains("No blunders"),
        "{page}"
    );
    assert!(!page.contains("<b>good"), "{page}");
}

#[tokio::test]
async fn everybody_gets_the_same_evaluation() {
    let place = with_league();
    let (mut one, mut other) = (Browser::default(), Browser::default());
    let begun = one.post(&place, API, &json!({})).await;
    assert_eq!(begun.status, StatusCode::OK, "{}", begun.text);
    let first = until_over(&place, &mut one, API).await;
    // It is known at once to whoever asks, also by a game that went the same way.
    for path in [API, "/api/v1/leagues/cup/games/3/evaluation"] {
        let told = other.post(&place, path, &json!({})).await.json();
        assert_eq!(told, first, "{path}");
    }
    let signs = first["turns"].as_array().unwrap();
    assert_eq!(signs.len(), 4, "{first}");
    // The last is a fault, by which no move lost anything.
    assert_eq!(signs[3], Value::Null);
    assert!(first["worths"][0]["line"][0].is_string(), "{first}");
    let end = &first["worths"][4];
    assert_eq!(end["proven"], true, "{first}");
}

#[tokio::test]
async fn strangers_have_a_share_of_the_evaluations() {
    let place = Arc::new(with_league());
    let mut store = Store::open(&place.folder().join("cup.jsonl")).unwrap();
    for (id, moves) in [
        (7, ["a2", "b2", "c3"]),
        (8, ["a3", "b2", "c3"]),
        (9, ["a4", "b2", "c3"]),
    ] {
        store.add(&broken_game_of(id, SEATS, &moves)).unwrap();
    }
    drop(store);
    let path = |id: u32| format!("/api/v1/leagues/cup/games/{id}/evaluation");
    let holder = hold_engine(&place).await;
    let (mut greedy, mut modest) = (Browser::default(), Browser::default());
    for browser in [&mut greedy, &mut modest] {
        browser.get(&place, "/").await;
    }
    for id in [1, 7, 9] {
        let begun = greedy.post(&place, &path(id), &json!({})).await;
        assert_eq!(begun.status, StatusCode::OK, "{}", begun.text);
    }
    let refused = greedy.post(&place, &path(8), &json!({})).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers.contains_key(header::RETRY_AFTER));
    assert!(refused.text.contains("for you already"), "{}", refused.text);
    // As a page, too.
    let refused = greedy
        .form(&place, "/league/cup/game/8/evaluation", "")
        .await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.text.contains("<h1>"), "{}", refused.text);
    // Those that are under way cost nothing more, and others have a share of their own.
    for id in [7, 1] {
        let begun = greedy.post(&place, &path(id), &json!({})).await;
        assert_eq!(begun.status, StatusCode::OK, "{}", begun.text);
    }
    for id in [7, 8] {
        let begun = modest.post(&place, &path(id), &json!({})).await;
        assert_eq!(begun.status, StatusCode::OK, "{}", begun.text);
    }
    holder.abort();
    until_over(&place, &mut greedy, &path(7)).await;
    until_over(&place, &mut greedy, &path(1)).await;
    let begun = greedy.post(&place, &path(8), &json!({})).await;
    assert_eq!(begun.status, StatusCode::OK, "{}", begun.text);
}
