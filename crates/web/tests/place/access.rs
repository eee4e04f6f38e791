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
            .header("host", "127.0.0.1:4860")
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
            policy.contains("default-src 'none'") && !policy.contains("'unsafe"),
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
    let refused = refused.unwrap();
    assert_eq!(refused.headers["retry-after"], "1");
    assert_eq!(refused.json()["error"], "Too many requests from here");
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

/// Throwing cookies away makes nobody new; a hall full of browsers behind one address goes on.
#[tokio::test]
async fn whoever_shows_no_cookie_shares_with_all_at_their_address() {
    let place = Place::behind_proxy();
    let body = json!({ "game": "none" }).to_string();
    let post = |address: &str, browser: &Browser| {
        let request = browser.request(axum::http::Method::POST, "/api/v1/positions");
        let request = request.header("x-forwarded-for", address);
        let request = request.header("content-type", "application/json");
        place.send(request.body(Body::from(body.clone())).unwrap())
    };
    let mut hall = Vec::new();
    for _ in 0..30 {
        let mut browser = Browser::default();
        browser.get(&place, "/about").await;
        hall.push(browser);
    }
    // On a slow machine one or another of the later ones is let through again.
    let mut refused = 0;
    for _ in 0..1000 {
        let stranger = post("192.0.2.1", &Browser::default()).await.status();
        refused += u32::from(stranger == StatusCode::TOO_MANY_REQUESTS);
        if refused == 20 {
            break;
        }
    }
    assert_eq!(refused, 20);
    for browser in &hall {
        for _ in 0..10 {
            let answer = post("192.0.2.1", browser).await;
            assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        }
    }
    let elsewhere = post("192.0.2.2", &Browser::default()).await;
    assert_eq!(elsewhere.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

/// Questions wait in one short line for all who show no cookie, and so do those of games they begin.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_shows_no_cookie_does_not_fill_the_engines_queue() {
    let place = std::sync::Arc::new(Place::new());
    let ask = json!({ "game": "gamma", "setup": "12x12", "ms": 5000 });
    let mut asked = tokio::task::JoinSet::new();
    for _ in 0..30 {
        let (place, ask) = (std::sync::Arc::clone(&place), ask.clone());
        asked.spawn(async move {
            let mut stranger = Browser::default();
            stranger.post(&place, "/api/v1/thoughts", &ask).await.status
        });
    }
    // One is thought about and eight wait; the others are told so at once.
    for _ in 0..21 {
        let refused = asked.join_next().await.unwrap().unwrap();
        assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS);
    }
    for _ in 0..20 {
        let form = "opponent=floe%3Amax&side=last&clock=none&size=12x12";
        Browser::default().begin(&place, "gamma", form).await;
    }
    let mut organiser = Browser::default();
    organiser
        .get(&place, &format!("/enter/{}", place.token))
        .await;
    let figures = organiser.get(&place, "/metrics").await.text;
    let waiting = figures
        .lines()
        .find(|line| line.starts_with("floe_questions_waiting "));
    let waiting: usize = waiting.unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    assert!(waiting <= 8, "{figures}");
}

#[tokio::test]
async fn large_bodies_are_refused() {
    let place = Place::new();
    let mut browser = Browser::default();
    let body = json!({ "game": "gamma", "position": "x".repeat(300_000) });
    let answer = browser.post(&place, "/api/v1/positions", &body).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}
