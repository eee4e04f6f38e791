//! Everything pages show, as JSON.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::league::with_league;
use crate::{Browser, Place};

/// Addresses that the description offers for reading, with something in their braces.
fn readable(description: &Value, words: &[(&str, &str)]) -> Vec<String> {
    let paths = description["paths"].as_object().unwrap().iter();
    let paths = paths.filter(|(path, about)| {
        // What is sent to a league is tried where there is one.
        let of_league = ["submissions", "remote", "desk"];
        !about["get"].is_null() && !of_league.iter().any(|word| path.contains(word))
    });
    paths
        .map(|(path, _)| {
            let mut path = path.clone();
            for (word, value) in words {
                path = path.replace(&format!("{{{word}}}"), value);
            }
            path
        })
        .collect()
}

#[tokio::test]
async fn everything_that_is_described_is_there() {
    let place = with_league();
    let mut browser = Browser::default();
    // Whoever is new has no games; the cookie comes with the first answer.
    let mine = browser.get(&place, "/api/v1/my").await.json();
    assert_eq!(mine, json!({ "games": [] }));
    let begun = browser
        .post(
            &place,
            "/api/v1/games",
            &json!({ "game": "gamma", "size": "4x4", "areas": 2 }),
        )
        .await;
    assert_eq!(begun.status, StatusCode::OK, "{}", begun.text);
    let id = begun.json()["id"].as_str().unwrap().to_owned();
    let mine = browser.get(&place, "/api/v1/my").await.json();
    assert_eq!(mine["games"][0]["id"], id.as_str());
    let description = browser.get(&place, "/api/openapi.json").await.json();
    let words = [
        ("id", id.as_str()),
        ("game", "gamma"),
        ("name", "cup"),
        ("entrant", "broken"),
        ("number", "1"),
    ];
    let evaluation = "/api/v1/leagues/cup/games/1/evaluation";
    let asked = browser.post(&place, evaluation, &json!({})).await;
    assert_eq!(asked.status, StatusCode::OK, "{}", asked.text);
    let mut seen = 0;
    for path in readable(&description, &words) {
        let is_of_ply = ["/moves", "/choices", "/ply"]
            .iter()
            .any(|end| path.ends_with(end));
        let path = match is_of_ply {
            true => format!("{path}?ply=0"),
            false => path,
        };
        let answer = browser.get(&place, &path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
        assert!(answer.json().is_object(), "{path}");
        seen += 1;
    }
    assert!(seen > 12, "{seen}");
}

#[tokio::test]
async fn games_and_entrants_are_told_as_their_pages_tell_them() {
    let place = with_league();
    let mut browser = Browser::default();
    let games = |answer: &Value| -> Vec<String> {
        let games = answer["games"].as_array().unwrap().iter();
        games
            .map(|game| game["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let base = "/api/v1/leagues/cup";
    let all = browser.get(&place, &format!("{base}/games")).await.json();
    assert_eq!(games(&all), ["1", "2", "3", "4", "5", "6"]);
    assert_eq!(all["games"][0]["seats"][1]["fault"], "crash: it crashed");
    let some = format!("{base}/games?of=broken&result=lost&from=5");
    let some = browser.get(&place, &some).await.json();
    assert_eq!(games(&some)[0], "5");
    assert_eq!(some["before"], 5);
    let wrong = browser
        .get(&place, &format!("{base}/games?result=eaten"))
        .await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert_eq!(wrong.json()["error"], "There is no such result");
    let broken = browser
        .get(&place, &format!("{base}/entrants/broken"))
        .await
        .json();
    assert_eq!(broken["row"]["games"], 6);
    assert_eq!(broken["meetings"][0]["against"], "<b>good");
    assert_eq!(broken["games"].as_array().unwrap().len(), 6);
    assert!(!broken["ratings"].as_array().unwrap().is_empty());
    let nobody = browser
        .get(&place, &format!("{base}/entrants/nobody"))
        .await;
    assert_eq!(nobody.status, StatusCode::NOT_FOUND);
    assert!(nobody.json()["error"].is_string());
}

#[tokio::test]
async fn a_game_is_begun_in_the_words_of_the_form() {
    let place = Place::new();
    let mut browser = Browser::default();
    let rules = browser.get(&place, "/api/v1/rules").await.json();
    for game in rules["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let about = browser
            .get(&place, &format!("/api/v1/rules/{name}"))
            .await
            .json();
        // What is usual can be said.
        let mut said = json!({ "game": name, "size": about["size"], "opponent": "here" });
        for setting in about["settings"].as_array().unwrap() {
            said[setting["word"].as_str().unwrap()] = setting["usual"].clone();
        }
        let begun = browser.post(&place, "/api/v1/games", &said).await;
        assert_eq!(begun.status, StatusCode::OK, "{said}: {}", begun.text);
        assert_eq!(begun.json()["game"], name);
    }
    let wrong = [
        json!({ "game": "chess" }),
        json!({ "game": "gamma", "size": "0x0" }),
        json!({ "game": "gamma", "opponent": "sh:reboot" }),
        json!({ "game": "gamma", "clock": "soon" }),
    ];
    for said in wrong {
        let refused = browser.post(&place, "/api/v1/games", &said).await;
        assert!(refused.status.is_client_error(), "{said}: {}", refused.text);
        assert!(
            refused.json()["error"].is_string(),
            "{said}: {}",
            refused.text
        );
    }
}
