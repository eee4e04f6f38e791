//! Letting people in, and not.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::json;

use crate::{Browser, Place};

#[tokio::test]
async fn figures_are_the_organisers() {
    let place = Place::new();
    let mut visitor = Browser::default();
    assert_eq!(
        visitor.get(&place, "/metrics").await.status,
        StatusCode::FORBIDDEN
    );
    let wrong = format!("/enter/{}", "0".repeat(32));
    assert_eq!(
        visitor.get(&place, &wrong).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        visitor.get(&place, "/metrics").await.status,
        StatusCode::FORBIDDEN
    );
    let mut organiser = Browser::default();
    let entered = organiser
        .get(&place, &format!("/enter/{}", place.token))
        .await;
    assert_eq!(entered.status, StatusCode::SEE_OTHER);
    let figures = organiser.get(&place, "/metrics").await;
    assert!(
        figures.text.contains("floe_requests_total"),
        "{}",
        figures.text
    );
}

#[tokio::test]
async fn cookies_are_hard_to_steal_and_tokens_are_kept_nowhere() {
    let place = Place::new();
    let mut player = Browser::default();
    let answer = player.get(&place, "/").await;
    let cookie = answer.headers["set-cookie"].to_str().unwrap().to_owned();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    let token = cookie.split(['=', ';']).nth(1).unwrap();
    player
        .begin(&place, "gamma", "opponent=here&clock=none")
        .await;
    for entry in std::fs::read_dir(place.folder().join("games")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains(token) && !text.contains(&place.token));
    }
}

#[tokio::test]
async fn another_site_changes_nothing() {
    let place = Place::new();
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("origin", "https://elsewhere.example"),
    ] {
        let request = Request::post("/play/gamma")
            .header("host", "floe.example")
            .header(name, value)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from("opponent=here&clock=none"));
        let answer = place.send(request.unwrap()).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{name}");
    }
}

#[tokio::test]
async fn browsers_are_told_what_to_refuse() {
    let place = Place::new();
    let mut browser = Browser::default();
    for page in ["/", "/nothing", "/assets/floe.css", "/api/openapi.json"] {
        let headers = browser.get(&place, page).await.headers;
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("unsafe"),
            "{page}"
        );
        assert_eq!(headers["x-content-type-options"], "nosniff");
    }
}

#[tokio::test]
async fn whoever_asks_too_often_is_told_to_wait() {
    let place = Place::new();
    let mut busy = Browser::default();
    busy.get(&place, "/").await;
    let body = json!({ "game": "none" });
    let mut refused = None;
    while refused.is_none() {
        let answer = busy.post(&place, "/api/v1/positions", &body).await;
        refused = (answer.status == StatusCode::TOO_MANY_REQUESTS).then_some(answer);
    }
    assert_eq!(refused.unwrap().headers["retry-after"], "1");
    // Others at the same address go on, until the address asks too much.
    let mut modest = Browser::default();
    let answer = modest.post(&place, "/api/v1/positions", &body).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let mut answer = modest.get(&place, "/health").await;
    while answer.status == StatusCode::OK {
        answer = modest.get(&place, "/health").await;
    }
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn large_bodies_are_refused() {
    let place = Place::new();
    let mut browser = Browser::default();
    let body = json!({ "game": "gamma", "position": "x".repeat(300_000) });
    let answer = browser.post(&place, "/api/v1/positions", &body).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}
