//! Pages that read.

use axum::http::StatusCode;

use crate::{Browser, Place};

#[tokio::test]
async fn every_page_answers_and_says_what_it_is() {
    let place = Place::new();
    let mut browser = Browser::default();
    let mut pages = vec![
        "/".to_owned(),
        "/leagues".to_owned(),
        "/learn".to_owned(),
        "/about".to_owned(),
        "/my".to_owned(),
    ];
    for game in floe_games::games() {
        for page in ["play", "analysis", "learn", "puzzles"] {
            pages.push(format!("/{page}/{}", game.name()));
        }
        pages.push(format!("/learn/{}/first", game.name()));
        pages.push(format!("/learn/{}/program", game.name()));
    }
    for page in pages {
        let answer = browser.get(&place, &page).await;
        assert_eq!(answer.status, StatusCode::OK, "{page}");
        assert!(answer.text.contains("<title>"), "{page}");
        assert!(answer.text.contains("<h1"), "{page} has no heading");
        // Nothing that a strict policy would refuse.
        assert!(!answer.text.contains("<script>"), "{page}");
        assert!(!answer.text.contains(" style=\""), "{page}");
        assert!(!answer.text.contains("onclick"), "{page}");
    }
}

#[tokio::test]
async fn starters_are_offered_where_a_game_is_learnt() {
    let place = Place::new();
    let mut browser = Browser::default();
    let bots = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    let mut taken = std::collections::BTreeSet::new();
    for game in floe_games::games() {
        let page = browser
            .get(&place, &format!("/learn/{}/program", game.name()))
            .await;
        for link in page.text.split("href=\"/starters/").skip(1) {
            let (file, _) = link.split_once('"').unwrap();
            let answer = browser.get(&place, &format!("/starters/{file}")).await;
            assert_eq!(answer.status, StatusCode::OK, "{file}");
            assert_eq!(
                answer.text,
                std::fs::read_to_string(bots.join(file)).unwrap()
            );
            let kept = answer.headers["content-disposition"].to_str().unwrap();
            assert_eq!(kept, format!("attachment; filename=\"{file}\""));
            taken.insert(file.to_owned());
        }
    }
    let there = std::fs::read_dir(bots).unwrap().count();
    assert_eq!(taken.len(), there - 1, "all but the README: {taken:?}");
}

#[tokio::test]
async fn what_is_not_there_is_a_page_too() {
    let place = Place::new();
    let mut browser = Browser::default();
    for page in [
        "/nothing",
        "/game/abcdefghijkmnpqr",
        "/game/../../etc/passwd",
        "/play/chess",
        "/league/none",
        "/league/..%2f..%2fetc",
        "/learn/chess",
        "/learn/chess/first",
        "/learn/chess/program",
        "/puzzles/chess",
        "/assets/none.js",
        "/assets/..%2fCargo.toml",
        "/starters/README.md",
        "/starters/..%2fleague.toml",
    ] {
        let answer = browser.get(&place, page).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{page}");
        assert!(
            answer.text.contains("There is no such") || answer.text.contains("known"),
            "{page}: {}",
            answer.text
        );
    }
}

/// Whatever refuses a request, pages and scripts can read it.
#[tokio::test]
async fn what_the_router_refuses_is_a_page_or_json() {
    let place = Place::new();
    let mut browser = Browser::default();
    for (path, status) in [
        ("/league/cup/game/x", StatusCode::BAD_REQUEST),
        ("/league/cup/games?from=x", StatusCode::BAD_REQUEST),
        (
            "/api/v1/games/abcdefghijkmnpqr/moves?ply=x",
            StatusCode::BAD_REQUEST,
        ),
        ("/api/v1/leagues/cup/games/x", StatusCode::BAD_REQUEST),
        ("/api/v1/positions", StatusCode::METHOD_NOT_ALLOWED),
        ("/api/v1/nothing", StatusCode::NOT_FOUND),
    ] {
        let answer = browser.get(&place, path).await;
        assert_eq!(answer.status, status, "{path}");
        is_readable(path, &answer);
    }
    let large = format!("name={}", "x".repeat(300_000));
    for (path, body, status) in [
        ("/", "", StatusCode::METHOD_NOT_ALLOWED),
        ("/play/gamma", "name=%ff%f", StatusCode::OK),
        ("/play/gamma", large.as_str(), StatusCode::PAYLOAD_TOO_LARGE),
        (
            "/api/v1/positions",
            "game=gamma",
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
    ] {
        let answer = browser.form(&place, path, body).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.text);
        is_readable(path, &answer);
    }
    let body = serde_json::json!({ "game": 7 });
    let answer = browser.post(&place, "/api/v1/positions", &body).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.json()["help"].as_str().unwrap().contains("game"),
        "{}",
        answer.text
    );
    let allowed = browser.get(&place, "/api/v1/positions").await.headers["allow"].clone();
    assert_eq!(allowed, "POST");
}

/// Whether a page is at a page's address, and JSON at a script's.
fn is_readable(path: &str, answer: &crate::Answer) {
    let kind = answer.headers["content-type"].to_str().unwrap();
    if path.starts_with("/api/") {
        assert_eq!(kind, "application/json", "{path}");
        let told = answer.json();
        assert!(
            !told["error"].as_str().unwrap().is_empty(),
            "{path}: {told}"
        );
    } else {
        assert!(kind.starts_with("text/html"), "{path}: {kind}");
        assert!(answer.text.contains("<h1"), "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_contest_whose_file_is_wrong_says_so_and_where_to_the_organiser() {
    let place = Place::new();
    let text = "game = \"gamma\"\n[boards]\nsetup = \"5x5\"\ncount = \"many\"\n";
    let file = place.folder().join("cup.toml");
    std::fs::write(&file, text).unwrap();
    let mut browser = Browser::default();
    let mut organiser = Browser::default();
    organiser
        .get(&place, &format!("/enter/{}", place.token))
        .await;
    for (browser, is_told) in [(&mut browser, false), (&mut organiser, true)] {
        let page = browser.get(&place, "/league/cup").await;
        assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(page.text.contains("The file of this contest has a mistake"));
        assert_eq!(page.text.contains("cup.toml:4:"), is_told, "{}", page.text);
    }
    let right = "game = \"gamma\"\n[boards]\nsetup = \"5x5\"\nseed = 1\ncount = 2\n\
                 [entrants]\na = \"greedy\"\nb = \"random\"\n";
    std::fs::write(&file, right).unwrap();
    let page = browser.get(&place, "/league/cup").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
}

#[tokio::test]
async fn a_contest_whose_games_are_damaged_says_so_and_where_to_the_organiser() {
    let place = crate::league::with_league();
    let file = place.folder().join("cup.jsonl");
    let whole = std::fs::read_to_string(&file).unwrap();
    let damaged = whole.replacen("\"end\"", "\"bend\"", 1);
    assert_ne!(damaged, whole);
    std::fs::write(&file, damaged).unwrap();
    let mut organiser = Browser::default();
    organiser
        .get(&place, &format!("/enter/{}", place.token))
        .await;
    let mut browser = Browser::default();
    for path in ["/league/cup", "/api/v1/leagues/cup"] {
        for (browser, is_told) in [(&mut browser, false), (&mut organiser, true)] {
            let page = browser.get(&place, path).await;
            assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
            assert!(page.text.contains("cannot be read"), "{}", page.text);
            assert_eq!(page.text.contains("cup.jsonl:"), is_told, "{}", page.text);
        }
    }
    let list = browser.get(&place, "/leagues").await;
    assert!(
        list.text.contains(">cannot be read</span>"),
        "{}",
        list.text
    );
    std::fs::write(&file, whole).unwrap();
    let page = browser.get(&place, "/league/cup").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(page.text.contains("6 of 6 games"), "{}", page.text);
}

#[tokio::test]
async fn an_asset_is_sent_once() {
    let place = Place::new();
    let mut browser = Browser::default();
    let answer = browser.get(&place, "/assets/board.js").await;
    assert_eq!(answer.status, StatusCode::OK);
    let tag = answer.headers["etag"].clone();
    let request = axum::http::Request::get("/assets/board.js").header("if-none-match", tag);
    let again = place.send(request.body(axum::body::Body::empty()).unwrap());
    assert_eq!(again.await.status(), StatusCode::NOT_MODIFIED);
}

/// `figures.mjs` measures the same in a browser, with headers and moves: 80 KiB at most.
#[tokio::test]
async fn what_a_game_needs_at_first_is_small() {
    let place = Place::new();
    let mut browser = Browser::default();
    let form = "opponent=here&clock=none";
    let id = browser.begin(&place, "penguins", form).await;
    let mut paths = vec![format!("/game/{id}")];
    let mut bytes = 0;
    let mut at = 0;
    while let Some(path) = paths.get(at).cloned() {
        let text = browser.get(&place, &path).await.text;
        let quoted: Vec<&str> = text.split('"').collect();
        for pair in quoted.windows(2) {
            let is_import = pair[0].ends_with("from") || pair[0].ends_with("import");
            let part = match pair[1].strip_prefix("./") {
                Some(name) if is_import => format!("/assets/{name}"),
                _ => pair[1].to_owned(),
            };
            if part.starts_with("/assets/") && !paths.contains(&part) {
                paths.push(part);
            }
        }
        let request = axum::http::Request::get(&path).header("accept-encoding", "gzip");
        let request = request.body(axum::body::Body::empty()).unwrap();
        let answer = place.send(request).await;
        assert_eq!(answer.headers()["content-encoding"], "gzip", "{path}");
        let body = http_body_util::BodyExt::collect(answer.into_body());
        bytes += body.await.unwrap().to_bytes().len();
        at += 1;
    }
    assert!(paths.len() > 20, "{paths:?}");
    assert!(bytes < 60 * 1024, "{bytes} bytes in {paths:?}");
}

#[tokio::test]
async fn a_league_shows_its_table_games_and_replays() {
    let place = Place::new();
    let text = "game = \"gamma\"\n[boards]\nsetup = \"5x5\"\nseed = 1\ncount = 2\n\
                [entrants]\ngreedy = \"greedy\"\n\"<b>odd\" = \"random\"\n";
    let file = place.folder().join("cup.toml");
    std::fs::write(&file, text).unwrap();
    let description = floe_arena::tournament::Description::load(&file).unwrap();
    let mut browser = Browser::default();
    let before = browser.get(&place, "/league/cup").await;
    assert!(before.text.contains("no game is finished yet"));
    play(description);
    let page = browser.get(&place, "/league/cup").await;
    assert!(page.text.contains("4 of 4 games"), "{}", page.text);
    assert!(page.text.contains("&#60;b&#62;odd") && !page.text.contains("<b>odd"));
    let games = browser.get(&place, "/league/cup/games").await;
    assert!(games.text.contains("/league/cup/game/1"));
    let replay = browser.get(&place, "/league/cup/game/1").await;
    assert_eq!(replay.status, StatusCode::OK);
    let entrant = browser.get(&place, "/league/cup/entrant/%3Cb%3Eodd").await;
    assert_eq!(entrant.status, StatusCode::OK, "{}", entrant.text);
    let json = browser
        .get(&place, "/api/v1/leagues/cup/games/1")
        .await
        .json();
    let plies = json["course"]["plies"].as_array().unwrap();
    assert!(plies.len() > 5 && plies[0]["made"].is_null());
    let missing = browser.get(&place, "/league/cup/game/99").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

/// Plays a tournament to its end.
pub(crate) fn play(description: floe_arena::tournament::Description) {
    use floe_arena::seat::Sandbox;
    use floe_arena::tournament::Tournament;
    let mut tournament = Tournament::open(description, false).unwrap();
    let runner = tournament.runner(Sandbox::none(), 1, None);
    tournament
        .run(&runner, &Default::default(), |_, _| {})
        .unwrap();
}
