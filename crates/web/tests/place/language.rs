//! Pages in the visitor's language.

use axum::body::Body;
use axum::http::{Method, StatusCode, header};

use crate::{Answer, Browser, Place};

/// A page as a browser that wants these languages gets it.
async fn page(browser: &mut Browser, place: &Place, path: &str, languages: &str) -> Answer {
    let request = browser
        .request(Method::GET, path)
        .header(header::ACCEPT_LANGUAGE, languages)
        .body(Body::empty())
        .unwrap();
    browser.finish(place, request).await
}

#[tokio::test]
async fn a_browser_gets_its_language_and_everybody_else_english() {
    let place = Place::new();
    let browser = &mut Browser::default();
    for (languages, code, text) in [
        ("pl-PL,pl;q=0.9,en;q=0.8", "pl", "Graj teraz"),
        ("ro", "ro", "Joacă acum"),
        ("de,fr;q=0.5", "en", "Play now"),
        ("", "en", "Play now"),
    ] {
        let front = page(browser, &place, "/", languages).await;
        assert!(
            front.text.contains(&format!("<html lang=\"{code}\"")),
            "{languages}"
        );
        assert!(front.text.contains(text), "{languages}");
        let dictionary = format!("/assets/texts-{code}.js");
        assert_eq!(
            front.text.contains(&dictionary),
            code != "en",
            "{languages}"
        );
        let asset = browser.get(&place, &dictionary).await;
        assert_eq!(asset.status == StatusCode::OK, code != "en", "{languages}");
    }
    let missing = page(browser, &place, "/nothing", "pl").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    assert!(
        missing.text.contains("Nie znaleziono: strona"),
        "{}",
        missing.text
    );
    // Programs read English.
    let missing = page(browser, &place, "/api/v1/games/none", "pl").await;
    assert!(
        missing.text.contains("There is no such game"),
        "{}",
        missing.text
    );
}

#[tokio::test]
async fn pages_for_organisers_and_programmers_are_english() {
    let place = Place::new();
    let browser = &mut Browser::default();
    let game = floe_games::games()[0].name();
    for path in ["/leagues", &format!("/learn/{game}/program")] {
        let shown = page(browser, &place, path, "pl").await;
        assert!(shown.text.contains("<html lang=\"en\""), "{path}");
        assert!(shown.text.contains(">My games<"), "{path}");
        assert!(!shown.text.contains("class=\"languages\""), "{path}");
    }
}

#[tokio::test]
async fn a_choice_is_remembered() {
    let place = Place::new();
    let browser = &mut Browser::default();
    for (from, back) in [
        ("http://localhost/learn?step=2", "/learn?step=2"),
        ("http://localhost//elsewhere.example/", "/"),
        ("nothing at all", "/"),
    ] {
        let request = browser
            .request(Method::POST, "/language")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::REFERER, from)
            .body(Body::from("to=ro"))
            .unwrap();
        let answer = browser.finish(&place, request).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        assert_eq!(answer.headers[header::LOCATION], back);
    }
    let front = page(browser, &place, "/", "pl").await;
    assert!(front.text.contains("<html lang=\"ro\""));
    // What is no language changes nothing.
    browser.form(&place, "/language", "to=xx").await;
    let front = page(browser, &place, "/", "pl").await;
    assert!(front.text.contains("<html lang=\"ro\""));
}
