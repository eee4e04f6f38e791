//! Finals from the organiser's desk: frozen, published, played beside the pages, stopped and gone on with.

use std::fs;
use std::time::Duration;

use axum::http::StatusCode;
use floe_arena::runner::PlaysGames;
use floe_arena::seat::Sandbox;
use floe_arena::standings::csv;
use floe_league::finals::{self, BackgroundFinals};
use floe_league::{Event, League};
use floe_web::Settings;
use tempfile::TempDir;

use crate::sight::submit;
use crate::{Browser, Place};

/// The folder of a league of two engines.
fn league() -> (TempDir, League) {
    let folder = TempDir::new().unwrap();
    let text = "game = 'flood'\nsandbox = 0\n[boards]\nsetup = '4x4'\n[finals]\nboards = 3\n";
    fs::write(folder.path().join("league.toml"), text).unwrap();
    let league = League::open(folder.path()).unwrap();
    submit(&league, "owls", 1);
    submit(&league, "hawks", 1);
    (folder, league)
}

/// Pages beside which finals are played.
fn beside(folder: TempDir, league: &League) -> (Place, BackgroundFinals) {
    let finals = BackgroundFinals::start(league, |tournament| {
        let runner = tournament.runner(Sandbox::none(), 1, None);
        Ok(Box::new(runner) as Box<dyn PlaysGames + Send>)
    });
    let finals = finals.unwrap();
    let mut settings = Settings::new(folder.path());
    settings.finals = Some(finals.trouble());
    (Place::with(folder, settings), finals)
}

async fn organiser(place: &Place) -> Browser {
    let mut browser = Browser::default();
    browser.get(place, &format!("/enter/{}", place.token)).await;
    browser
}

async fn wait_for(desk: &mut Browser, place: &Place, text: &str) -> String {
    for _ in 0..6000 {
        let page = desk.get(place, "/desk").await.text;
        if page.contains(text) {
            return page;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the desk never said {text}");
}

const FREEZE: &str = "format=round-robin&boards=&rounds=&challenger=&number=1";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finals_are_frozen_published_and_played_from_the_desk() {
    let (folder, league) = league();
    let (place, finals) = beside(folder, &league);
    let mut desk = organiser(&place).await;
    let page = desk.get(&place, "/desk").await.text;
    assert!(page.contains("Freeze 2 versions"), "{page}");
    for (form, why) in [
        ("format=round-robin&rounds=3&number=1", "only a swiss"),
        ("format=swiss&rounds=three&number=1", "rounds are a number"),
        ("format=none&number=1", "no such format"),
        (
            "format=gauntlet&challenger=cats&number=1",
            "has no current version",
        ),
    ] {
        let refused = desk.form(&place, "/desk/freeze", form).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{form}");
        assert!(refused.text.contains(why), "{form}: {}", refused.text);
    }
    let (_, address) = page.split_once("href=\"/league/").unwrap();
    let address = format!("/league/{}", address.split_once('"').unwrap().0);
    let ladder = desk.get(&place, &address).await;
    assert_eq!(ladder.status, StatusCode::OK, "{address}");
    assert!(!ladder.text.contains("finals-1"), "{}", ladder.text);
    let none = desk.form(&place, "/desk/play", "").await;
    assert!(none.text.contains("there are no finals"), "{}", none.text);
    let frozen = desk.form(&place, "/desk/freeze", FREEZE).await;
    assert_eq!(frozen.status, StatusCode::SEE_OTHER, "{}", frozen.text);
    // A double click draws nothing again.
    let twice = desk.form(&place, "/desk/freeze", FREEZE).await;
    assert_eq!(twice.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(twice.text.contains("frozen already"), "{}", twice.text);
    let freeze = league.look(|standing| standing.finals.clone()).unwrap();
    let [freeze] = &freeze[..] else {
        panic!("{freeze:?}")
    };
    assert_eq!((freeze.boards, freeze.versions.len()), (3, 2));
    // Everybody sees at once what was drawn, and from what.
    let ladder = desk.get(&place, &address).await.text;
    assert!(ladder.contains("finals-1"), "{ladder}");
    for path in ["/desk", "/league/finals-1"] {
        let page = match path {
            "/desk" => desk.get(&place, path).await.text,
            _ => Browser::default().get(&place, path).await.text,
        };
        for published in [&freeze.seed.to_string(), &freeze.lot] {
            assert!(page.contains(published.as_str()), "{path}: {page}");
        }
        for one in &freeze.versions {
            assert!(page.contains(&one.version.to_string()), "{path}: {page}");
            assert!(page.contains(&one.sha256), "{path}: {page}");
        }
    }
    assert!(!league.finals_file(1).exists(), "nothing is played yet");
    let played = desk.form(&place, "/desk/play", "").await;
    assert_eq!(played.status, StatusCode::SEE_OTHER, "{}", played.text);
    let page = wait_for(&mut desk, &place, "All games are played.").await;
    assert!(page.contains("6 of 6 games"), "{page}");
    drop(finals);
    assert_eq!(finals::check(&league, freeze).unwrap(), [""; 0]);
    let table = desk.get(&place, "/league/finals-1/standings.csv").await;
    assert_eq!(table.headers["content-type"], "text/csv; charset=utf-8");
    assert_eq!(table.text, csv(&finals::results(&league, freeze).unwrap()));
    assert!(page.contains("Freeze finals 2"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finals_that_are_played_are_stopped_and_gone_on_with() {
    let (folder, league) = league();
    let (place, finals) = beside(folder, &league);
    let mut desk = organiser(&place).await;
    desk.form(&place, "/desk/freeze", FREEZE).await;
    let freeze = league.look(|standing| standing.finals[0].clone()).unwrap();
    // Somebody else holds the games: the organiser reads why nothing goes on.
    let other = finals::open(&league, &freeze).unwrap();
    desk.form(&place, "/desk/play", "").await;
    let page = wait_for(&mut desk, &place, "They wait").await;
    assert!(page.contains("another floe is playing"), "{page}");
    assert!(page.contains("Stop finals 1"), "{page}");
    assert!(!page.contains("Freeze finals 2"), "{page}");
    let form = FREEZE.replace("number=1", "number=2");
    let refused = desk.form(&place, "/desk/freeze", &form).await;
    assert!(refused.text.contains("being played"), "{}", refused.text);
    desk.form(&place, "/desk/stop", "").await;
    let page = wait_for(&mut desk, &place, "No process plays them").await;
    assert!(page.contains("Play finals 1"), "{page}");
    drop(other);
    desk.form(&place, "/desk/play", "").await;
    wait_for(&mut desk, &place, "All games are played.").await;
    drop(finals);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_pages_play_nothing_the_desk_names_the_command() {
    let (folder, league) = league();
    let place = Place::at(folder);
    let mut desk = organiser(&place).await;
    desk.form(&place, "/desk/freeze", FREEZE).await;
    let page = desk.get(&place, "/desk").await.text;
    let command = format!("floe league final {}", league.folder().display());
    assert!(page.contains(&command), "{page}");
    assert!(!page.contains("Play finals 1"), "{page}");
    let refused = desk.form(&place, "/desk/play", "").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    // Whoever plays by that command is seen here.
    let freeze = league.look(|standing| standing.finals[0].clone()).unwrap();
    let playing = finals::open(&league, &freeze).unwrap();
    league
        .record(Event::FinalsUnderWay { is_so: true })
        .unwrap();
    let page = desk.get(&place, "/desk").await.text;
    assert!(page.contains("Another process plays them"), "{page}");
    // One that was killed is not waited for.
    drop(playing);
    let page = desk.get(&place, "/desk").await.text;
    assert!(page.contains(&command), "{page}");
}
