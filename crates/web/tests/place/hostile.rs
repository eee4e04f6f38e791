//! Hostile texts, names and addresses.

use axum::http::StatusCode;
use serde_json::json;

use crate::{Browser, Place};

const TEXTS: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "'; DROP TABLE games; --",
    "../../../../etc/passwd",
    "\u{202e}\u{2028}\u{0}\u{7}\u{1b}[31m",
    "{{7*7}}${7*7}",
    "%00%ff%c0%ae",
];

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[tokio::test]
async fn no_name_becomes_a_script() {
    let place = Place::new();
    for text in TEXTS {
        let mut browser = Browser::default();
        let form = format!(
            "opponent=here&clock=none&public=on&size=4x4&name={}",
            encoded(text)
        );
        let id = browser.begin(&place, "gamma", &form).await;
        for page in [format!("/game/{id}"), "/".to_owned(), "/my".to_owned()] {
            let answer = browser.get(&place, &page).await;
            assert_eq!(answer.status, StatusCode::OK);
            assert!(!answer.text.contains("<script>alert"), "{page}: {text}");
            assert!(!answer.text.contains("<img src=x"), "{page}: {text}");
            assert!(
                !answer.text.contains(['\u{202e}', '\u{1b}']),
                "{page}: {text:?}"
            );
        }
    }
}

#[tokio::test]
async fn every_field_takes_any_text_without_breaking() {
    let place = Place::new();
    let mut browser = Browser::default();
    for text in TEXTS {
        let text_encoded = encoded(text);
        for field in [
            "opponent", "side", "size", "players", "clock", "position", "name",
        ] {
            let form = format!("{field}={text_encoded}");
            let answer = browser.form(&place, "/play/gamma", &form).await;
            assert!(
                answer.status.as_u16() < 500,
                "{field}={text}: {}",
                answer.status
            );
            assert!(!answer.text.contains("<script>alert"), "{field}={text}");
        }
        for page in [
            "/play/",
            "/game/",
            "/analysis/",
            "/learn/",
            "/league/",
            "/enter/",
            "/assets/",
        ] {
            let answer = browser.get(&place, &format!("{page}{text_encoded}")).await;
            assert!(
                answer.status.is_client_error(),
                "{page}{text}: {}",
                answer.status
            );
            assert!(!answer.text.contains("<script>alert"), "{page}{text}");
        }
        let query = format!("/analysis/gamma?position={text_encoded}&moves={text_encoded}");
        let answer = browser.get(&place, &query).await;
        assert!(answer.status.as_u16() < 500 && !answer.text.contains("<script>alert"));
        for path in ["positions", "thoughts"] {
            let body = json!({ "game": text, "position": text, "moves": [text], "setup": text });
            let answer = browser
                .post(&place, &format!("/api/v1/{path}"), &body)
                .await;
            assert!(answer.status.is_client_error(), "{path}: {}", answer.status);
        }
    }
}

#[tokio::test]
async fn boards_too_large_for_a_page_are_refused_before_they_are_made() {
    let place = Place::new();
    let mut browser = Browser::default();
    for size in [
        "100000x100000",
        "4000000000x4000000000",
        "201x201",
        "0x0",
        "x",
        "-1x5",
    ] {
        for game in floe_games::games() {
            let form = format!("opponent=here&clock=none&size={size}");
            let answer = browser
                .form(&place, &format!("/play/{}", game.name()), &form)
                .await;
            assert_eq!(answer.status, StatusCode::OK, "{size}");
            assert!(
                answer.text.contains("role=\"alert\""),
                "{} {size}",
                game.name()
            );
        }
    }
}

/// Words that ask for much, wherever they stand.
#[tokio::test]
async fn a_setup_that_asks_for_much_is_refused_whoever_reads_it() {
    let place = Place::new();
    let mut browser = Browser::default();
    let fields = "a board on a page has at most 40000 fields";
    let players = "a game on a page has at most 9 players";
    for (setup, limit) in [
        ("30000x30000", fields),
        ("players=2,30000x30000", fields),
        ("players=2,areas=3, 201x200 ", fields),
        ("4x4,players=65535", players),
        ("players=10,4x4", players),
    ] {
        for path in ["positions", "thoughts", "reviews"] {
            let body = json!({ "game": "gamma", "setup": setup, "worths": [] });
            let path = format!("/api/v1/{path}");
            let answer = browser.post(&place, &path, &body).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}");
            assert_eq!(answer.json()["error"], limit, "{path} {setup}");
        }
        let form = format!("opponent=here&clock=none&size={}", encoded(setup));
        let answer = browser.form(&place, "/play/gamma", &form).await;
        assert!(answer.text.contains(limit), "{setup}: {}", answer.text);
    }
    let largest = json!({ "game": "gamma", "setup": "players=9,200x200" });
    let answer = browser.post(&place, "/api/v1/positions", &largest).await;
    assert_eq!(answer.status, StatusCode::OK);
}
