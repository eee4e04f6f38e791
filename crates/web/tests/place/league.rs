//! Leagues: figures, entrants, replays and what can be taken away of them.

use axum::http::StatusCode;
use floe_arena::store::Store;
use floe_games::record::{End, Entrant, Event, Opening, PlayedMove, Record, VERSION};
use floe_games::{Fault, FaultKind, Play, record};

use crate::{Browser, Place};

const SECRET: &str = "the weights are in <script>alert(1)</script>";

/// A game that the second seat's program loses by a fault, having said something.
fn broken_game(id: u64, seats: [(&str, &str); 2]) -> Record {
    broken_game_of(id, seats, &["a1", "b2", "c3"])
}

/// The same with these moves: the seat that is to move after them crashes.
pub(crate) fn broken_game_of(id: u64, seats: [(&str, &str); 2], moves: &[&str]) -> Record {
    broken_game_from(&[], id, seats, moves)
}

/// The same after an opening.
pub(crate) fn broken_game_from(
    opening: &[&str],
    id: u64,
    seats: [(&str, &str); 2],
    moves: &[&str],
) -> Record {
    let start = floe_games::find("gamma").unwrap().start("4x4", 1).unwrap();
    let mut play = Play::new(start);
    for mv in opening {
        play.make(mv).unwrap();
    }
    let start = play.position();
    let mut record = Record::new(Opening {
        floe: VERSION,
        game: "gamma".to_owned(),
        id: id.to_string(),
        pair: Some(id.div_ceil(2)),
        seats: seats
            .map(|(name, seat)| Entrant {
                name: name.to_owned(),
                seat: seat.to_owned(),
                sha256: None,
            })
            .to_vec(),
        start: start.write(),
        setup: Some("4x4".to_owned()),
        seed: Some(1),
        opening: opening.iter().map(|&mv| mv.to_owned()).collect(),
        ..Opening::default()
    });
    for &mv in moves {
        let seat = play.turn().unwrap().number();
        play.make(mv).unwrap();
        record.events.push(Event::Move(PlayedMove {
            seat,
            mv: mv.to_owned(),
            wall_us: 1500 * u64::from(seat),
            note: "depth 3 score +2".to_owned(),
            stderr: SECRET.to_owned(),
            ..PlayedMove::default()
        }));
    }
    let player = play.turn().unwrap();
    play.expel(player);
    let mut fault = Fault::new(player, FaultKind::Crash, "it crashed".to_owned());
    fault.stderr = SECRET.to_owned();
    fault.stdout = SECRET.to_owned();
    record.events.push(Event::Fault(Box::new(fault)));
    let outcome = play.outcome().unwrap();
    record.end = Some(End {
        scores: outcome.scores().to_vec(),
        places: outcome.places().to_vec(),
        reason: play.reason().unwrap(),
    });
    record
}

/// A place with a league in which a program is broken.
pub(crate) fn with_league() -> Place {
    let place = Place::new();
    let text = "game = \"gamma\"\n[boards]\nsetup = \"4x4\"\nseed = 1\ncount = 3\n\
                [entrants]\n\"<b>good\" = \"greedy\"\nbroken = \"line:/bin/cat\"\n";
    std::fs::write(place.folder().join("cup.toml"), text).unwrap();
    let mut store = Store::open(&place.folder().join("cup.jsonl")).unwrap();
    let (good, broken) = (("<b>good", "greedy"), ("broken", "line:/bin/cat"));
    for id in 1..=6 {
        let seats = if id % 2 == 1 {
            [good, broken]
        } else {
            [broken, good]
        };
        store.add(&broken_game(id, seats)).unwrap();
    }
    place
}

#[tokio::test]
async fn figures_are_there_with_their_numbers() {
    let place = with_league();
    let mut browser = Browser::default();
    let page = browser.get(&place, "/league/cup").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    for label in [
        "Ratings over the games played",
        "Faults by kind",
        "Time for a move, by how many took so long",
    ] {
        assert!(
            page.text.contains(&format!("aria-label=\"{label}")),
            "{label}"
        );
    }
    assert_eq!(page.text.matches("<summary>Numbers</summary>").count(), 3);
    // Ratings are drawn beside the numbers.
    assert_eq!(page.text.matches("<svg class=\"whisker\"").count(), 2);
    assert!(!page.text.contains("<b>good"), "{}", page.text);
    let entrant = browser.get(&place, "/league/cup/entrant/broken").await.text;
    assert!(
        entrant.contains("3 × crash") && entrant.contains("not measured"),
        "{entrant}"
    );
    assert!(
        entrant.contains("Rating over time") && entrant.contains("50 %"),
        "{entrant}"
    );
    let replay = browser.get(&place, "/league/cup/game/1").await.text;
    for label in [
        "Scores, move by move",
        "The lead each expected",
        "Time for each move",
    ] {
        assert!(replay.contains(&format!("aria-label=\"{label}")), "{label}");
    }
}

#[tokio::test]
async fn the_commands_of_a_replay_are_about_that_game() {
    let place = with_league();
    let page = Browser::default()
        .get(&place, "/league/cup/game/2")
        .await
        .text;
    assert!(page.contains("floe replay cup-2.jsonl<"), "{page}");
    assert!(page.contains("floe export cup-2.jsonl --at <span class=\"at\">3</span> --asked"));
    let none = Browser::default().get(&place, "/league/cup/game/0").await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_record_is_taken_away_whole_and_logs_only_by_the_organiser() {
    let place = with_league();
    let mut visitor = Browser::default();
    let mut organiser = Browser::default();
    organiser
        .get(&place, &format!("/enter/{}", place.token))
        .await;
    let path = "/league/cup/game/1/record";
    let answers = [
        visitor.get(&place, path).await,
        organiser.get(&place, path).await,
    ];
    for answer in &answers {
        assert_eq!(answer.status, StatusCode::OK);
        let name = answer.headers["content-disposition"].to_str().unwrap();
        assert_eq!(name, "attachment; filename=\"cup-1.jsonl\"");
        let records: Vec<Record> = record::read(answer.text.as_bytes())
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(records.len(), 1);
        records[0].verify().unwrap();
    }
    assert!(!answers[0].text.contains("weights"), "{}", answers[0].text);
    assert!(answers[1].text.contains("weights"));
}

#[tokio::test]
async fn positions_and_exact_inputs_are_those_of_their_move() {
    let place = with_league();
    let mut browser = Browser::default();
    let position = browser.get(&place, "/league/cup/game/1/position/1").await;
    assert!(position.text.starts_with("gamma 4 4"), "{}", position.text);
    assert!(position.text.ends_with("\n1...\n"), "{}", position.text);
    // The program was to move after the first move, and after the third.
    let asked = browser.get(&place, "/league/cup/game/1/asked/3").await;
    assert_eq!(asked.status, StatusCode::OK, "{}", asked.text);
    assert!(
        asked.text.starts_with("floe 1 gamma seat=2 seats=2\n"),
        "{}",
        asked.text
    );
    assert!(asked.text.ends_with("go 1000\n"), "{}", asked.text);
    for nothing in ["position/4", "asked/0", "asked/4", "position/x"] {
        let answer = browser
            .get(&place, &format!("/league/cup/game/1/{nothing}"))
            .await;
        assert!(
            answer.status.is_client_error(),
            "{nothing}: {}",
            answer.status
        );
    }
}

#[tokio::test]
async fn a_history_goes_on_when_games_are_added() {
    let place = with_league();
    let mut browser = Browser::default();
    let before = browser.get(&place, "/league/cup").await.text;
    assert!(before.contains(">6 games<"), "{before}");
    let mut store = Store::open(&place.folder().join("cup.jsonl")).unwrap();
    let (good, broken) = (("<b>good", "greedy"), ("broken", "line:/bin/cat"));
    for (id, seats) in [(7, [good, broken]), (8, [broken, good])] {
        store.add(&broken_game(id, seats)).unwrap();
    }
    drop(store);
    let after = browser.get(&place, "/league/cup").await.text;
    assert!(after.contains(">8 games<"), "{after}");
}

/// What was done for contests so far: how many were read from the first game on, and how many
/// tables were made.
async fn work(place: &Place) -> (u64, u64) {
    let mut organiser = Browser::default();
    organiser
        .get(place, &format!("/enter/{}", place.token))
        .await;
    let figures = organiser.get(place, "/metrics").await.text;
    let figure = |name: &str| {
        let mut lines = figures.lines();
        let found = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        found.unwrap().parse().unwrap()
    };
    (
        figure("floe_contests_opened_total"),
        figure("floe_tables_made_total"),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_are_read_once_whoever_asks_and_however_often() {
    let place = std::sync::Arc::new(with_league());
    // Many at once, of a league that nobody has seen yet.
    let ask_all = || async {
        let paths = [
            "/league/cup",
            "/league/cup/games",
            "/league/cup/games?of=broken&faulty=1",
            "/league/cup/entrant/broken",
            "/league/cup/game/2",
            "/leagues",
            "/",
        ];
        let asking = paths.map(|path| {
            let place = std::sync::Arc::clone(&place);
            tokio::spawn(async move { Browser::default().get(&place, path).await.status })
        });
        for asked in asking {
            assert_eq!(asked.await.unwrap(), StatusCode::OK);
        }
    };
    ask_all().await;
    assert_eq!(work(&place).await, (1, 1));
    ask_all().await;
    assert_eq!(work(&place).await, (1, 1), "nothing has changed");
    let mut store = Store::open(&place.folder().join("cup.jsonl")).unwrap();
    let (good, broken) = (("<b>good", "greedy"), ("broken", "line:/bin/cat"));
    for (id, seats) in [(7, [good, broken]), (8, [broken, good])] {
        store.add(&broken_game(id, seats)).unwrap();
    }
    store.commit().unwrap();
    ask_all().await;
    assert_eq!(
        work(&place).await,
        (1, 2),
        "one more table, from the new games"
    );
    let page = Browser::default().get(&place, "/league/cup").await.text;
    assert!(page.contains(">8 games<"), "{page}");
}

#[tokio::test]
async fn a_list_of_games_comes_in_parts() {
    let place = with_league();
    let mut store = Store::open(&place.folder().join("cup.jsonl")).unwrap();
    let (good, broken) = (("<b>good", "greedy"), ("broken", "line:/bin/cat"));
    for id in 7..=250 {
        let seats = match id % 2 {
            1 => [good, broken],
            _ => [broken, good],
        };
        store.add(&broken_game(id, seats)).unwrap();
    }
    drop(store);
    let mut browser = Browser::default();
    let base = "/league/cup/games";
    for (query, first, last, has_earlier, has_later) in [
        ("", 1, 100, false, true),
        ("?from=101", 101, 200, true, true),
        ("?from=201", 201, 250, true, false),
        ("?before=101", 1, 100, false, true),
        // It fails in every second game.
        ("?of=broken&faulty=1&before=241", 41, 239, true, true),
    ] {
        let page = browser.get(&place, &format!("{base}{query}")).await.text;
        for (game, is_there) in [
            (first, true),
            (last, true),
            (first - 1, false),
            (last + 1, false),
        ] {
            let link = format!("/league/cup/game/{game}\"");
            assert_eq!(page.contains(&link), is_there, "{query}: game {game}");
        }
        assert_eq!(page.contains(">Earlier<"), has_earlier, "{query}");
        assert_eq!(page.contains(">Later<"), has_later, "{query}");
    }
    // Whoever sits second loses.
    for (query, first, last) in [
        ("?of=broken&against=%3Cb%3Egood", Some(1), 100),
        ("?of=broken&result=lost&from=101", Some(101), 249),
        ("?of=%3Cb%3Egood&result=won&before=251", Some(51), 249),
        ("?of=broken&fault=crash&from=200", Some(201), 249),
        ("?of=broken&result=won", Some(2), 200),
        ("?of=broken&result=drawn&before=200", None, 0),
        ("?of=broken&fault=timeout", None, 0),
        ("?of=%3Cb%3Egood&fault=any", Some(2), 200),
        ("?of=broken&against=nobody", None, 0),
    ] {
        let page = browser.get(&place, &format!("{base}{query}")).await.text;
        let Some(first) = first else {
            assert!(page.contains("There is no such game"), "{query}");
            continue;
        };
        for game in [first, last] {
            let link = format!("/league/cup/game/{game}\"");
            assert!(page.contains(&link), "{query}: game {game}");
        }
    }
    let path = format!("{base}?of=broken&result=lost&fault=any");
    let page = browser.get(&place, &path).await.text;
    let later = "?of=broken&amp;against=&amp;result=lost&amp;fault=any&amp;from=";
    assert!(page.contains(later), "{page}");
    for query in ["?result=odd", "?fault=odd"] {
        let odd = browser.get(&place, &format!("{base}{query}")).await;
        assert_eq!(odd.status, StatusCode::BAD_REQUEST, "{query}");
    }
    let odd = browser.get(&place, &format!("{base}?from=x")).await;
    assert_eq!(odd.status, StatusCode::BAD_REQUEST);
}

/// A match has records and no description: they are replayed like a tournament's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_records_of_a_match_are_replayed() {
    let place = Place::new();
    let text = "game = \"gamma\"\n[boards]\nsetup = \"3x3\"\nseed = 1\ncount = 1\n\
                [entrants]\ngreedy = \"greedy\"\nrandom = \"random\"\n";
    let elsewhere = tempfile::TempDir::new().unwrap();
    let file = elsewhere.path().join("cup.toml");
    std::fs::write(&file, text).unwrap();
    crate::pages::play(floe_arena::tournament::Description::load(&file).unwrap());
    let records = place.folder().join("evening.jsonl");
    std::fs::copy(elsewhere.path().join("cup.jsonl"), &records).unwrap();
    std::fs::write(place.folder().join("notes.jsonl"), "{\"no\":\"games\"}\n").unwrap();
    let mut browser = Browser::default();
    let all = browser.get(&place, "/leagues").await.text;
    assert!(all.contains("href=\"/league/evening\""), "{all}");
    assert!(!all.contains("/league/notes"), "{all}");
    let page = browser.get(&place, "/league/evening").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(page.text.contains("2 games") && page.text.contains("greedy"));
    assert!(!page.text.contains("floe tournament"), "{}", page.text);
    let game = browser.get(&place, "/league/evening/game/1").await;
    assert_eq!(game.status, StatusCode::OK, "{}", game.text);
    assert!(game.text.contains("random"), "{}", game.text);
    let missing = browser.get(&place, "/league/notes").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}
