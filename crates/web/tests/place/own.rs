//! What players see of their own games, and of games that wait for one.

use axum::http::{StatusCode, header};
use serde_json::json;

use crate::{Browser, Place};

#[tokio::test]
async fn a_list_of_own_games_says_how_each_stands() {
    let place = Place::new();
    let mut browser = Browser::default();
    let id = browser
        .begin(&place, "gamma", "opponent=floe:easy&clock=none&size=4x4")
        .await;
    let mine = browser.get(&place, "/api/v1/my").await.json();
    assert_eq!(mine["games"][0]["standing"], "your-turn");
    assert_eq!(mine["games"][0]["against"], "floe · easy");
    let front = browser.get(&place, "/").await.text;
    assert!(
        front.contains(&format!("href=\"/game/{id}\">Continue")),
        "{front}"
    );
    let path = format!("/api/v1/games/{id}/resign");
    browser.post(&place, &path, &json!({ "ply": 0 })).await;
    let mine = browser.get(&place, "/api/v1/my").await.json();
    assert_eq!(mine["games"][0]["standing"], "lost");
    let page = browser.get(&place, "/my").await.text;
    assert!(
        page.contains("<span class=\"pill wrong\">Lost</span>"),
        "{page}"
    );
    // Others are not told to go on with it.
    let front = Browser::default().get(&place, "/").await.text;
    assert!(!front.contains("Continue"), "{front}");
}

#[tokio::test]
async fn a_game_waits_in_the_lobby_only_if_its_host_says_so() {
    let place = Place::new();
    let (mut host, mut guest) = (Browser::default(), Browser::default());
    let form = "opponent=link&clock=none&size=4x4&name=Ann&public=on";
    let hidden = host.begin(&place, "gamma", form).await;
    let open = host
        .begin(&place, "gamma", &format!("{form}&lobby=on"))
        .await;
    let front = guest.get(&place, "/").await.text;
    assert!(front.contains(&format!("/game/{open}")), "{front}");
    assert!(!front.contains(&hidden), "{front}");
    assert!(
        !host
            .get(&place, "/")
            .await
            .text
            .contains("Waiting for a player")
    );
    let path = format!("/api/v1/games/{open}/sit");
    let answer = guest.post(&place, &path, &json!({ "name": "Ben" })).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let front = Browser::default().get(&place, "/").await.text;
    assert!(!front.contains("Waiting for a player"), "{front}");
}

#[tokio::test]
async fn a_glance_says_how_far_a_game_is_and_a_picture_where() {
    let place = Place::new();
    let mut browser = Browser::default();
    let id = browser
        .begin(&place, "gamma", "opponent=link&clock=none&size=4x4")
        .await;
    let turn = browser
        .get(&place, &format!("/api/v1/games/{id}/turn"))
        .await;
    assert_eq!(
        turn.json(),
        json!({ "version": 0, "turn": 1, "is_waiting": true })
    );
    let code = browser.get(&place, &format!("/game/{id}/qr.svg")).await;
    assert_eq!(code.headers[header::CONTENT_TYPE], "image/svg+xml");
    assert!(code.text.contains("<svg"), "{}", code.text);
    let missing = browser.get(&place, "/game/none/qr.svg").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_position_is_told_in_every_form_and_a_record_position_by_position() {
    let place = Place::new();
    let mut browser = Browser::default();
    for game in floe_games::games() {
        let at = json!({ "game": game.name() });
        let forms = browser.post(&place, "/api/v1/forms", &at).await.json();
        let forms = forms["forms"].as_array().unwrap();
        assert_eq!(forms.len(), 1 + game.dialects().len(), "{}", game.name());
        assert!(
            forms
                .iter()
                .all(|form| !form["text"].as_str().unwrap().is_empty())
        );
    }
    let id = browser
        .begin(&place, "gamma", "opponent=here&clock=none&size=4x4")
        .await;
    browser.move_first(&place, &id).await;
    let path = place.folder().join(format!("games/{id}.jsonl"));
    let text = std::fs::read_to_string(path).unwrap();
    let course = browser
        .post(&place, "/api/v1/courses", &json!({ "text": text }))
        .await;
    assert_eq!(course.json()["plies"].as_array().unwrap().len(), 2);
    let wrong = browser
        .post(&place, "/api/v1/courses", &json!({ "text": "{" }))
        .await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST, "{}", wrong.text);
}
