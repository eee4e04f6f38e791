//! Who sees what of a league: its ladder, its finals, their games, what programs wrote, and what is
//! played now.

use std::fs;

use axum::http::StatusCode;
use floe_arena::journal::read_file;
use floe_arena::live::{Broadcast, LiveEvent, LiveSocket, socket_path};
use floe_arena::seat::Sandbox;
use floe_arena::store::index_path;
use floe_arena::tournament::Format;
use floe_games::record::{Event as RecordEvent, Record, RecordLine};
use floe_league::finals;
use floe_league::invitation::Invite;
use floe_league::ladder::{Ladder, LadderRunner};
use floe_league::people::read_list;
use floe_league::{Event, League};
use tempfile::TempDir;

use crate::{Browser, Place};

/// A league that shows everybody so much, with a ladder and finals that have been played; Ada is of
/// owls and Alan of hawks.
struct Shown {
    place: Place,
    league: League,
    tokens: Vec<String>,
}

fn league(public: &str) -> Shown {
    let folder = TempDir::new().unwrap();
    let text = format!(
        "game = 'flood'\nsandbox = 0\npublic = '{public}'\n[boards]\nsetup = '4x4'\n[finals]\nboards = 1\n"
    );
    fs::write(folder.path().join("league.toml"), text).unwrap();
    let league = League::open(folder.path()).unwrap();
    let guests = read_list("Ada,owls\nAlan,hawks\n").unwrap();
    let invited = league.invite(&guests, Invite::New).unwrap();
    for entrant in ["owls", "hawks"] {
        submit(&league, entrant, 1);
    }
    let mut ladder = Ladder::open(&league).unwrap();
    let runner = LadderRunner {
        games: Some(6),
        ..LadderRunner::new(Sandbox::none(), 1)
    };
    runner
        .run(&mut ladder, &Default::default(), |_| {})
        .unwrap();
    drop(ladder);
    let freeze = finals::freeze(&league, Format::RoundRobin, None).unwrap();
    let mut tournament = finals::open(&league, &freeze).unwrap();
    let runner = tournament.runner(Sandbox::none(), 1, None);
    let played = tournament.run(&runner, &Default::default(), |_, _| {});
    played.unwrap();
    drop(tournament);
    for file in [league.ladder_file(), league.finals_file(1)] {
        let_them_talk(&file);
    }
    fs::copy(league.finals_file(1), league.remote_file()).unwrap();
    Shown {
        tokens: (invited.iter())
            .map(|invitation| invitation.token.text().to_owned())
            .collect(),
        place: Place::at(folder),
        league,
    }
}

/// Lets an engine in as if somebody had sent it.
pub(crate) fn submit(league: &League, entrant: &str, number: u32) {
    let version = format!("{entrant}#{number}");
    let hash = format!("{number:0>32}{:0>32}", entrant.len());
    let events = [
        serde_json::json!({ "event": "submitted", "version": version, "by": entrant,
            "file": "bot", "sha256": hash, "bytes": 1 }),
        serde_json::json!({ "event": "judged", "version": version, "verdict": "accepted",
            "seat": "greedy" }),
    ];
    let events = events.map(|event| serde_json::from_value::<Event>(event).unwrap());
    // At once, so that whoever judges here finds nothing to judge.
    league.change(|_| Ok((events.into(), ()))).unwrap();
}

/// Has everybody say something with every move.
fn let_them_talk(file: &std::path::Path) {
    let records = read_file(file).unwrap().map(Result::unwrap);
    let mut text = Vec::new();
    for mut record in records.collect::<Vec<Record>>() {
        for event in &mut record.events {
            if let RecordEvent::Move(made) = event {
                let name = &record.opening.seats[made.seat as usize - 1].name;
                made.stderr = format!("the secret of {name}");
            }
        }
        record.write(&mut text).unwrap();
    }
    let _ = fs::remove_file(index_path(file));
    fs::write(file, text).unwrap();
}

impl Shown {
    /// The public, Ada of owls, Alan of hawks, and the organiser.
    async fn everybody(&self) -> [Browser; 4] {
        let place = &self.place;
        let mut all: [Browser; 4] = Default::default();
        let doors = [
            format!("/join/{}", self.tokens[0]),
            format!("/join/{}", self.tokens[1]),
            format!("/enter/{}", place.token),
        ];
        for (browser, door) in all[1..].iter_mut().zip(doors) {
            let entered = browser.get(place, &door).await;
            assert_eq!(entered.status, StatusCode::SEE_OTHER, "{}", entered.text);
        }
        all
    }

    fn ladder(&self) -> String {
        format!("/league/{}", self.league.description().name)
    }
}

#[tokio::test]
async fn who_sees_what_of_a_league() {
    // What everybody sees; then for the public, Ada, Alan and the organiser: whether they see
    // standings and games, and what owls and hawks wrote.
    let (yes, no) = (true, false);
    let table = [
        ("nothing", [no, yes, yes, yes], [no, yes, yes, yes], no),
        ("standings", [yes; 4], [no, yes, yes, yes], no),
        ("games", [yes; 4], [yes; 4], no),
        ("logs", [yes; 4], [yes; 4], yes),
    ];
    for (public, standings, games, logs) in table {
        let shown = league(public);
        let place = &shown.place;
        // Somebody plays the ladder at the moment.
        let broadcast = Broadcast::default();
        let socket = socket_path(&shown.league.ladder_file());
        let _socket = LiveSocket::open(&socket, &broadcast).unwrap();
        let mut records = read_file(&shown.league.ladder_file()).unwrap();
        let opening = records.next().unwrap().unwrap().opening;
        broadcast.publish(|| LiveEvent::Line {
            game: "99".to_owned(),
            line: RecordLine::Game(Box::new(opening)),
        });
        let mut all = shown.everybody().await;
        let tables = "/api/v1/tables";
        while !all[3].get(place, tables).await.text.contains("owls#1") {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        let live = all[3].get(place, tables).await.json();
        let live = live["tables"][0]["table"]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        for (at, browser) in all.iter_mut().enumerate() {
            let who = format!("{public}, {}", ["public", "Ada", "Alan", "organiser"][at]);
            let others = ["/league/finals-1", "/league/remote"].map(str::to_owned);
            for base in [shown.ladder()].into_iter().chain(others) {
                let api = base.replace("/league/", "/api/v1/leagues/");
                for path in [
                    base.clone(),
                    format!("{base}/projector"),
                    format!("{base}/entrant/owls%231"),
                    format!("{base}/standings.csv"),
                    api.clone(),
                ] {
                    let answer = browser.get(place, &path).await;
                    let found = answer.status == StatusCode::OK;
                    assert_eq!(found, standings[at], "{who}: {path}\n{}", answer.text);
                    if !path.ends_with("projector") && found {
                        assert!(answer.text.contains("owls#1"), "{who}: {path}");
                    }
                }
                let list = browser.get(place, "/leagues").await.text;
                let link = format!("href=\"{base}\"");
                assert_eq!(list.contains(&link), standings[at], "{who}: {link}");
                for path in [
                    format!("{base}/games"),
                    format!("{base}/game/1"),
                    format!("{base}/game/1/position/1"),
                    format!("{base}/game/1/record"),
                    format!("{api}/games/1"),
                ] {
                    let answer = browser.get(place, &path).await;
                    let found = answer.status == StatusCode::OK;
                    assert_eq!(found, games[at], "{who}: {path}\n{}", answer.text);
                    let refusal = match standings[at] {
                        true => StatusCode::FORBIDDEN,
                        false => StatusCode::NOT_FOUND,
                    };
                    assert!(found || answer.status == refusal, "{who}: {path}");
                    // What was written is read by its own people, the organiser, and everybody if
                    // the league says so.
                    for (entrant, own) in [("owls", 1), ("hawks", 2)] {
                        let reads = answer.text.contains(&format!("the secret of {entrant}#1"));
                        let has_logs = path.contains("/game/1") || path.contains("/games/1");
                        let may = has_logs
                            && !path.contains("position")
                            && games[at]
                            && (logs || at == 3 || at == own);
                        assert_eq!(reads, may, "{who}: {path}, {entrant}");
                    }
                }
                for path in [
                    format!("{base}/game/1/evaluation"),
                    format!("{api}/games/1/evaluation"),
                ] {
                    let status = browser.form(place, &path, "").await.status;
                    let begun = [StatusCode::OK, StatusCode::SEE_OTHER].contains(&status);
                    assert_eq!(begun, games[at], "{who}: {path}, {status}");
                }
            }
            let told = browser.get(place, tables).await.text;
            assert_eq!(told.contains("owls#1"), games[at], "{who}: {tables}");
            let page = browser.get(place, &format!("/live/{live}")).await;
            assert_eq!(
                page.status == StatusCode::OK,
                games[at],
                "{who}: the live page"
            );
            let front = browser.get(place, "/").await.text;
            assert_eq!(front.contains(&live), games[at], "{who}: the front page");
            if !games[at] {
                // A stream that is refused ends at once.
                let stream = browser.get(place, &format!("/live?game={live}")).await;
                assert_eq!(stream.status, StatusCode::NOT_FOUND, "{who}: the stream");
            }
        }
    }
}

#[tokio::test]
async fn a_new_version_is_shown_by_the_one_before_until_it_has_played() {
    let shown = league("games");
    let mut browser = Browser::default();
    let page = browser.get(&shown.place, &shown.ladder()).await.text;
    assert!(
        page.contains(">6 games<") || page.contains(", 6 games"),
        "{page}"
    );
    assert!(page.contains("entrant/owls%231\""), "{page}");
    assert!(page.contains("href=\"/league/finals-1\""), "{page}");
    submit(&shown.league, "owls", 2);
    let page = browser.get(&shown.place, &shown.ladder()).await.text;
    assert!(page.contains("entrant/owls%231\""), "{page}");
    assert!(page.contains("owls#2 has not played yet"), "{page}");
    assert!(!page.contains("entrant/owls%232\""), "{page}");
    // The page of the one shown leads to its games.
    let page = format!("{}/entrant/owls%231", shown.ladder());
    let page = browser.get(&shown.place, &page).await.text;
    assert!(page.contains("games?of=owls%231\">All games</a>"), "{page}");
}

/// Has the games of the finals, and their like, played by a program of Ada's from home.
fn play_from_home(league: &League, rounds: u64) {
    let records = read_file(&league.finals_file(1)).unwrap();
    let records: Vec<Record> = records.map(Result::unwrap).collect();
    let mut text = Vec::new();
    for number in 0..rounds * records.len() as u64 {
        let mut record = records[number as usize % records.len()].clone();
        record.opening.id = (number + 1).to_string();
        record.opening.pair = Some(number / 2 + 1);
        for seat in &mut record.opening.seats {
            if seat.name == "owls#1" {
                (seat.name, seat.seat) = ("owls#2".to_owned(), "remote".to_owned());
            }
        }
        record.write(&mut text).unwrap();
    }
    fs::write(league.remote_file(), text).unwrap();
}

#[tokio::test]
async fn games_from_home_have_a_table_of_their_own() {
    let shown = league("games");
    let event = serde_json::json!({ "event": "connected", "version": "owls#2", "by": "Ada",
        "word": "a secret machine" });
    let event: Event = serde_json::from_value(event).unwrap();
    shown.league.record(event).unwrap();
    play_from_home(&shown.league, 1);
    let mut browser = Browser::default();
    let page = browser.get(&shown.place, &shown.ladder()).await.text;
    let (standings, home) = page.split_once("Remote programs").unwrap();
    assert!(standings.contains("/entrant/owls%231\""), "{standings}");
    assert!(!standings.contains("owls%232"), "{standings}");
    for said in [
        "2 games",
        "rated apart",
        "href=\"/league/remote/entrant/owls%232\">owls#2</a> <small>remote</small>",
        "href=\"/league/remote/entrant/hawks%231\">hawks#1</a></td>",
        "href=\"/league/remote/games\"",
    ] {
        assert!(home.contains(said), "{said}: {home}");
    }
    // Their games open as all others do.
    for path in [
        "/league/remote",
        "/league/remote/games?of=owls%232",
        "/league/remote/game/2",
        "/league/remote/entrant/owls%232",
        "/league/remote/standings.csv",
        "/api/v1/leagues/remote",
    ] {
        let answer = browser.get(&shown.place, path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
        assert!(answer.text.contains("owls#2"), "{path}: {}", answer.text);
    }
    let list = browser.get(&shown.place, "/leagues").await.text;
    assert!(list.contains(": remote games</a>"), "{list}");
    // What is played there shows on the ladder's page, of which nothing else has changed.
    play_from_home(&shown.league, 3);
    let page = browser.get(&shown.place, &shown.ladder()).await.text;
    let (_, home) = page.split_once("Remote programs").unwrap();
    assert!(home.contains("6 games"), "{home}");
}
