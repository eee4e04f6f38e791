//! Games of people and engines.

use axum::http::StatusCode;
use serde_json::json;

use crate::{Browser, Place};

#[tokio::test]
async fn two_people_play_by_a_link_and_nobody_else_moves() {
    let place = Place::new();
    let (mut host, mut guest, mut stranger) =
        (Browser::default(), Browser::default(), Browser::default());
    let form = "opponent=link&side=first&clock=none&size=5x5&name=Ann";
    let id = host.begin(&place, "gamma", form).await;
    let sit = format!("/api/v1/games/{id}/sit");
    let answer = guest.post(&place, &sit, &json!({ "name": "Bob" })).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let late = stranger.post(&place, &sit, &json!({})).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    let names = host.game(&place, &id).await["seats"].clone();
    assert_eq!(
        (&names[0]["name"], &names[1]["name"]),
        (&json!("Ann"), &json!("Bob"))
    );
    let path = format!("/api/v1/games/{id}/name");
    let another = json!({ "name": "Anna\u{202e}" });
    let foreign = stranger.post(&place, &path, &another).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    let named = host.post(&place, &path, &another).await;
    assert_eq!(named.status, StatusCode::OK, "{}", named.text);
    assert_eq!(guest.game(&place, &id).await["seats"][0]["name"], "Anna");
    // Out of turn, and from outside.
    assert_eq!(
        guest.move_first(&place, &id).await.status,
        StatusCode::CONFLICT
    );
    assert_eq!(
        stranger.move_first(&place, &id).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(host.move_first(&place, &id).await.status, StatusCode::OK);
    assert_eq!(
        host.move_first(&place, &id).await.status,
        StatusCode::CONFLICT
    );
    assert_eq!(guest.move_first(&place, &id).await.status, StatusCode::OK);
    // A page that is not up to date changes nothing.
    let stale = json!({ "ply": 0, "move": "c3" });
    let answer = host
        .post(&place, &format!("/api/v1/games/{id}/move"), &stale)
        .await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert_eq!(host.game(&place, &id).await["state"]["ply"], 2);
}

#[tokio::test]
async fn an_engine_answers_and_a_move_is_taken_back() {
    let place = Place::new();
    let mut player = Browser::default();
    let form = "opponent=floe%3Aeasy&side=first&clock=none&size=6x6";
    let id = player.begin(&place, "gamma", form).await;
    assert_eq!(player.move_first(&place, &id).await.status, StatusCode::OK);
    until(&place, &mut player, &id, |ply| ply == 2).await;
    let body = json!({ "ply": 2 });
    let answer = player
        .post(&place, &format!("/api/v1/games/{id}/take-back"), &body)
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(answer.json()["state"]["ply"], 0);
    let answer = player
        .post(
            &place,
            &format!("/api/v1/games/{id}/take-back"),
            &json!({ "ply": 0 }),
        )
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_game_goes_on_where_a_killed_server_left_it() {
    let mut place = Place::new();
    let mut player = Browser::default();
    let form = "opponent=here&side=first&clock=none&size=3x3";
    let id = player.begin(&place, "gamma", form).await;
    loop {
        let before = player.game(&place, &id).await["state"].clone();
        place = place.restarted();
        let after = player.game(&place, &id).await["state"].clone();
        // Clocks count the time a position was looked at, which ends with the server.
        assert_eq!(before["picture"], after["picture"]);
        assert_eq!(before["version"], after["version"]);
        assert_eq!(before["moves"], after["moves"]);
        if !after["over"].is_null() {
            break;
        }
        assert_eq!(player.move_first(&place, &id).await.status, StatusCode::OK);
    }
    // The record is whole: what `floe verify` asks of it.
    let path = place.folder().join(format!("games/{id}.jsonl"));
    let records: Vec<_> = floe_arena::journal::read_file(&path).unwrap().collect();
    let record = records[0].as_ref().unwrap();
    assert!(record.end.is_some());
    record.verify().unwrap();
    let again = player
        .post(&place, &format!("/api/v1/games/{id}/rematch"), &json!({}))
        .await;
    let next = again.json()["rematch"].as_str().unwrap().to_owned();
    assert_eq!(player.game(&place, &next).await["state"]["ply"], 0);
    let mine = player.get(&place, "/my").await;
    assert!(mine.text.contains(&id) && mine.text.contains(&next));
}

#[tokio::test]
async fn resigning_ends_a_game_as_a_fault_does() {
    let place = Place::new();
    let mut player = Browser::default();
    let form = "opponent=floe%3Aeasy&side=first&clock=none&size=6x6";
    let id = player.begin(&place, "gamma", form).await;
    let answer = player
        .post(&place, &format!("/api/v1/games/{id}/resign"), &json!({}))
        .await;
    let over = answer.json()["state"]["over"].clone();
    assert_eq!(over["places"], json!([2, 1]));
    assert_eq!(
        over["words"].as_str().unwrap().split(',').next(),
        Some("floe · easy wins")
    );
    let body = json!({ "ply": 1, "move": "a1" });
    let late = player
        .post(&place, &format!("/api/v1/games/{id}/move"), &body)
        .await;
    assert_eq!(late.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn resigning_on_a_page_that_is_not_up_to_date_changes_nothing() {
    let place = Place::new();
    let mut player = Browser::default();
    let form = "opponent=here&clock=none&size=4x4";
    let id = player.begin(&place, "gamma", form).await;
    player.move_first(&place, &id).await;
    let path = format!("/api/v1/games/{id}/resign");
    let stale = player.post(&place, &path, &json!({ "ply": 0 })).await;
    assert_eq!(stale.status, StatusCode::CONFLICT, "{}", stale.text);
    assert!(player.game(&place, &id).await["state"]["over"].is_null());
    let meant = player.post(&place, &path, &json!({ "ply": 1 })).await;
    assert_eq!(meant.status, StatusCode::OK, "{}", meant.text);
    assert!(!player.game(&place, &id).await["state"]["over"].is_null());
}

#[tokio::test]
async fn a_seat_that_is_kept_for_a_friend_is_not_shown_to_strangers() {
    let place = Place::new();
    let (mut host, mut friend) = (Browser::default(), Browser::default());
    let form = "opponent=link&side=first&clock=none&size=4x4&public=on";
    let id = host.begin(&place, "gamma", form).await;
    let tables = |answer: crate::Answer| answer.json()["tables"].as_array().unwrap().len();
    assert_eq!(tables(friend.get(&place, "/api/v1/tables").await), 0);
    assert!(!friend.get(&place, "/").await.text.contains(&id));
    friend
        .post(&place, &format!("/api/v1/games/{id}/sit"), &json!({}))
        .await;
    assert_eq!(tables(friend.get(&place, "/api/v1/tables").await), 1);
    assert!(friend.get(&place, "/").await.text.contains(&id));
}

#[tokio::test]
async fn games_with_the_newest_moves_are_shown_and_abandoned_ones_are_not() {
    let place = Place::new();
    let mut player = Browser::default();
    let form = "opponent=here&clock=none&size=4x4&public=on";
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(player.begin(&place, "gamma", form).await);
    }
    player.move_first(&place, &ids[0]).await;
    let tables = player.get(&place, "/api/v1/tables").await.json();
    assert_eq!(tables["tables"][0]["table"]["id"], json!(ids[0]));
    // Nobody has moved for an hour, which the server learns from the file.
    let place = place.restarted();
    let record = place.folder().join(format!("games/{}.jsonl", ids[0]));
    let record = std::fs::File::options().append(true).open(record).unwrap();
    let hour = std::time::Duration::from_secs(3600);
    record
        .set_modified(std::time::SystemTime::now() - hour)
        .unwrap();
    player.game(&place, &ids[0]).await;
    let shown = |answer: crate::Answer, id: &str| answer.text.contains(id);
    let tables = player.get(&place, "/api/v1/tables").await;
    assert!(!shown(tables, &ids[0]));
    player.move_first(&place, &ids[0]).await;
    let tables = player.get(&place, "/api/v1/tables").await;
    assert!(shown(tables, &ids[0]));
}

#[tokio::test]
async fn public_games_that_ended_are_on_the_front_page_after_a_restart_too() {
    let place = Place::new();
    let mut player = Browser::default();
    let list = |answer: crate::Answer| answer.json()["games"].as_array().unwrap().len();
    assert_eq!(list(player.get(&place, "/api/v1/finished").await), 0);
    let form = "opponent=here&clock=none&size=4x4&name=Ann";
    let own = player.begin(&place, "gamma", form).await;
    let public = player
        .begin(&place, "gamma", &format!("{form}&public=on"))
        .await;
    for id in [&own, &public] {
        let path = format!("/api/v1/games/{id}/resign");
        player.post(&place, &path, &json!({})).await;
    }
    while list(player.get(&place, "/api/v1/finished").await) == 0 {
        tokio::task::yield_now().await;
    }
    let front = player.get(&place, "/").await.text;
    assert!(
        front.contains("Finished lately") && front.contains("Ann #2 wins, 0 : 0"),
        "{front}"
    );
    assert!(front.contains(&public) && !front.contains(&own));
    let place = place.restarted();
    let front = player.get(&place, "/").await.text;
    assert!(front.contains(&public) && !front.contains(&own));
}

#[tokio::test]
async fn whoever_was_away_gets_exactly_what_they_missed() {
    use http_body_util::BodyExt;
    let place = Place::new();
    let mut player = Browser::default();
    let form = "opponent=here&side=first&clock=none&size=4x4";
    let id = player.begin(&place, "gamma", form).await;
    for _ in 0..4 {
        player.move_first(&place, &id).await;
    }
    let request = axum::http::Request::get(format!("/live?game={id}"))
        .header("last-event-id", format!("{id}-1"))
        .body(axum::body::Body::empty());
    let mut body = place.send(request.unwrap()).await.into_body();
    let mut text = String::new();
    while text.matches("event: change").count() < 3 {
        let frame = body.frame().await.unwrap().unwrap();
        text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
    }
    let versions: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("id: "))
        .collect();
    let expected = [2, 3, 4].map(|version| format!("{id}-{version}"));
    assert_eq!(versions, expected);
}

#[tokio::test]
async fn an_answer_has_what_changed_since_the_version_that_a_page_has() {
    let place = Place::new();
    let mut player = Browser::default();
    let form = "opponent=here&clock=10s&size=4x4";
    let id = player.begin(&place, "gamma", form).await;
    let path = format!("/api/v1/games/{id}");
    let body = json!({ "ply": 0, "version": 0, "move": "b2" });
    let answer = player.post(&place, &format!("{path}/move"), &body).await;
    let change = &answer.json()["changes"][0];
    assert_eq!(change["made"][0]["text"], "b2");
    assert_eq!(
        change["picture"]["fields"][0],
        json!([["1", ".", 1, 0], [9, 1]])
    );
    assert_eq!(
        (&change["from"], &change["version"]),
        (&json!(0), &json!(1))
    );
    // A version that is the newest changes nothing, and one that never was is answered whole.
    let newest = player.get(&place, &format!("{path}?version=1")).await;
    assert_eq!(newest.json()["changes"], json!([]));
    for query in ["", "?version=9"] {
        let whole = player.get(&place, &format!("{path}{query}")).await.json();
        assert_eq!(whole["state"]["ply"], 1, "{query}");
    }
}

#[tokio::test]
async fn an_earlier_position_is_what_is_different_unless_it_was_undone() {
    let place = Place::new();
    let mut player = Browser::default();
    let form = "opponent=here&clock=none&size=4x4";
    let id = player.begin(&place, "gamma", form).await;
    for _ in 0..3 {
        player.move_first(&place, &id).await;
    }
    let path = format!("/api/v1/games/{id}");
    let ply = async |player: &mut Browser, query: &str| {
        player
            .get(&place, &format!("{path}/ply?{query}"))
            .await
            .json()
    };
    let first = ply(&mut player, "ply=1&from=3&version=3").await;
    assert_eq!((&first["ply"], &first["turn"]), (&json!(1), &json!(2)));
    assert_eq!(first["last"]["gain"], 1);
    assert_eq!(first["change"]["fields"].as_array().unwrap().len(), 1);
    assert!(first["picture"].is_null());
    let whole = ply(&mut player, "ply=1").await;
    assert_eq!(whole["picture"]["width"], 4);
    // Another line: what a page has of version 3 is not of this game any more.
    let back = json!({ "ply": 3 });
    player
        .post(&place, &format!("{path}/take-back"), &back)
        .await;
    let other = ply(&mut player, "ply=1&from=3&version=3").await;
    assert!(other["change"].is_null() && other["picture"]["width"] == 4);
    let newer = ply(&mut player, "ply=1&from=2&version=4").await;
    assert!(newer["picture"].is_null());
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_runs_out_ends_the_game() {
    let place = Place::new();
    let mut player = Browser::default();
    let form = "opponent=here&side=first&clock=1&size=4x4";
    let id = player.begin(&place, "gamma", form).await;
    let mut over = json!(null);
    for _ in 0..10_000 {
        over = player.game(&place, &id).await["state"]["over"].clone();
        if !over.is_null() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(over["places"], json!([2, 1]));
}

#[tokio::test]
async fn a_position_is_shown_with_its_moves_and_a_wrong_one_with_its_place() {
    let place = Place::new();
    let mut browser = Browser::default();
    for game in floe_games::games() {
        let start = game.start(&game.default_setup(), 3).unwrap();
        let body =
            json!({ "game": game.name(), "position": start.write(), "moves": [start.moves()[0]] });
        let answer = browser
            .post(&place, "/api/v1/positions", &body)
            .await
            .json();
        assert!(
            answer["moves"]
                .as_array()
                .is_some_and(|moves| !moves.is_empty())
        );
        let body = json!({ "game": game.name(), "position": "?", "moves": [] });
        let answer = browser.post(&place, "/api/v1/positions", &body).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.json()["place"]["line"].is_number());
        let body = json!({ "game": game.name(), "position": start.write(), "ms": 5, "top": 2 });
        let answer = browser.post(&place, "/api/v1/thoughts", &body).await.json();
        assert!(!answer["lines"].as_array().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_turn_that_was_given_up_is_one_where_the_rules_have_it() {
    let place = Place::new();
    let mut browser = Browser::default();
    let at = |game: &str, moves: &[&str]| json!({ "game": game, "moves": moves, "ms": 1 });
    let line = json!({ "game": "gamma", "setup": "4x4", "moves": ["a1", "-"], "ms": 5 });
    let shown = browser.post(&place, "/api/v1/positions", &line).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.text);
    let shown = shown.json();
    assert_eq!((&shown["turn"], &shown["last"]), (&json!(1), &json!(null)));
    assert_eq!(shown["can_give_up"], true);
    let thoughts = browser.post(&place, "/api/v1/thoughts", &line).await.json();
    assert!(thoughts["lines"][0]["move"].is_string(), "{thoughts}");
    let mut game = line.clone();
    game["worths"] = json!([{ "scores": [9, 7], "best": "b2" }, { "scores": [9, 7], "best": "c3" },
                            { "scores": [12, 4], "best": "b2" }]);
    let review = browser.post(&place, "/api/v1/reviews", &game).await.json();
    assert_eq!(review["turns"][1]["loss"], 6, "{review}");
    for name in ["penguins", "flood"] {
        for path in ["positions", "thoughts"] {
            let path = format!("/api/v1/{path}");
            let refused = browser.post(&place, &path, &at(name, &["-"])).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
            let told = refused.json();
            assert_eq!(told["error"], "move 1 (-): this game has no passing");
            assert_eq!(told["place"]["move"], 0);
        }
        let start = at(name, &[]);
        let shown = browser.post(&place, "/api/v1/positions", &start).await;
        assert_eq!(shown.json()["can_give_up"], false, "{name}");
    }
}

#[tokio::test]
async fn a_position_is_painted_field_by_field_and_what_is_wrong_is_said_with_its_place() {
    let place = Place::new();
    let mut browser = Browser::default();
    for game in floe_games::games() {
        let start = game.start(&game.default_setup(), 3).unwrap();
        let at = json!({ "game": game.name(), "position": start.write() });
        let shown = browser.post(&place, "/api/v1/positions", &at).await.json();
        let brushes = shown["brushes"].as_array().unwrap();
        let is_on_field = |brush: &&serde_json::Value| brush["is_on_field"] == true;
        let brush = &brushes.iter().rfind(is_on_field).unwrap()["word"];
        let body = json!({ "game": game.name(), "position": start.write(), "brush": brush, "square": "b2" });
        let painted = browser.post(&place, "/api/v1/paint", &body).await;
        assert_eq!(painted.status, StatusCode::OK, "{}", painted.text);
        let text = painted.json()["text"].clone();
        assert_ne!(text, start.write());
        let at = json!({ "game": game.name(), "position": text });
        let read = browser.post(&place, "/api/v1/positions", &at).await;
        assert!(read.status == StatusCode::OK || read.json()["place"]["line"].is_number());
        for (square, brush) in [
            ("z99", brush.clone()),
            ("??", brush.clone()),
            ("b2", json!("<b>")),
        ] {
            let body =
                json!({ "game": game.name(), "position": text, "brush": brush, "square": square });
            let refused = browser.post(&place, "/api/v1/paint", &body).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{square}");
            assert!(refused.json()["place"]["line"].is_number());
        }
    }
}

/// Waits for a game to have come so far.
pub(crate) async fn until(
    place: &Place,
    browser: &mut Browser,
    id: &str,
    is_there: impl Fn(u64) -> bool,
) {
    loop {
        let ply = browser.game(place, id).await["state"]["ply"]
            .as_u64()
            .unwrap();
        if is_there(ply) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn ones_games_are_listed_whoever_sat_down_when() {
    let place = Place::new();
    let (mut host, mut guest) = (Browser::default(), Browser::default());
    let form = "opponent=link&clock=none&size=4x4";
    let first = host.begin(&place, "gamma", form).await;
    // From now on who sits where is remembered.
    assert!(host.get(&place, "/my").await.text.contains(&first));
    assert!(!guest.get(&place, "/my").await.text.contains(&first));
    let second = host.begin(&place, "gamma", form).await;
    for id in [&first, &second] {
        let path = format!("/api/v1/games/{id}/sit");
        let answer = guest
            .post(&place, &path, &serde_json::json!({ "name": "Bo" }))
            .await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    }
    let place = place.restarted();
    for _ in 0..2 {
        for browser in [&mut host, &mut guest] {
            let page = browser.get(&place, "/my").await.text;
            assert!(page.contains(&first) && page.contains(&second), "{page}");
        }
    }
}
