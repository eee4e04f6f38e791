//! What people wait for: `cargo bench -p floe-league --bench submitting`.
//!
//! From a submission of a C program to the first message and to the verdict; two hundred submissions;
//! and from the end of a ladder's game to the table that everybody sees, with few games and with many.

#![allow(clippy::print_stdout, missing_docs)]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use floe_arena::seat::Sandbox;
use floe_league::event::Judgement;
use floe_league::invitation::Invite;
use floe_league::ladder::{Ladder, LadderRunner};
use floe_league::people::Guest;
use floe_league::{Event, Judge, League, Progress, Submission, VersionState, Workshop};

fn main() {
    // Asked by `cargo test --benches` it only has to start.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    println!("what                                                    ms     budget ms");
    judging();
    crowd();
    for games in [1_000, 20_000] {
        standings(games);
    }
}

fn tell(what: &str, time: Duration, budget: u64) {
    let ms = time.as_secs_f64() * 1e3;
    println!("{what:50} {ms:8.1}    {budget:10}");
}

fn league(folder: &Path, people: usize) -> (League, Vec<Guest>) {
    let text = "game = 'flood'\nsandbox = 0\n[boards]\nsetup = '4x4'\n";
    fs::write(folder.join("league.toml"), text).expect("a league is written");
    let league = League::open(folder).expect("a league is opened");
    let guest = |number: usize| Guest {
        name: format!("person {number}"),
        entrant: format!("team {number}"),
    };
    let guests: Vec<Guest> = (0..people).map(guest).collect();
    league.invite(&guests, Invite::New).expect("guests come in");
    (league, guests)
}

fn send(league: &League, guest: &Guest, file: &str, bytes: &[u8]) {
    let by = league.look(|s| s.people.named(&guest.name).cloned());
    let by = by.expect("the journal is read").expect("they are invited");
    let submission = Submission {
        file: file.to_owned(),
        bytes: bytes.to_vec(),
        ..Submission::default()
    };
    league.submit(&by, &submission).expect("it is taken");
}

/// A C program from its submission to its verdict.
fn judging() {
    let folder = tempfile::tempdir().expect("a folder");
    let (league, guests) = league(folder.path(), 1);
    let keeper = Path::new(env!("CARGO_BIN_EXE_floe-league-keeper"));
    let workshop = Workshop::find(keeper, 0).expect("a workshop");
    let judge = Judge::take_seat(&league, &workshop).expect("the lock");
    let judge = judge.expect("nobody else judges");
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    let source = fs::read(bots.join("flood.c")).expect("the starter");
    let began = Instant::now();
    send(&league, &guests[0], "flood.c", &source);
    tell("a C program: it is taken", began.elapsed(), 200);
    let mut first = None;
    let judged = judge.judge_next(&mut |_, progress| {
        first.get_or_insert_with(|| began.elapsed());
        if let Progress::Verdict(verdict, text) = progress {
            assert_eq!(verdict, Judgement::Accepted, "{text}");
        }
    });
    let all = began.elapsed();
    judged.expect("it is judged");
    tell("a C program: the first message", first.unwrap_or(all), 200);
    tell("a C program: the verdict", all, 10_000);
}

/// Two hundred people who submit at once.
fn crowd() {
    let folder = tempfile::tempdir().expect("a folder");
    let (league, guests) = league(folder.path(), 200);
    let began = Instant::now();
    std::thread::scope(|scope| {
        for part in guests.chunks(50) {
            let league = &league;
            scope.spawn(move || {
                for guest in part {
                    send(league, guest, "a.c", guest.name.as_bytes());
                }
            });
        }
    });
    tell(
        "200 people submit: all are in the queue",
        began.elapsed(),
        60_000,
    );
}

/// From the end of a game to a table that counts it.
fn standings(games: u64) {
    const MEASURED: u64 = 5_000;
    let folder = tempfile::tempdir().expect("a folder");
    let (league, guests) = league(folder.path(), 20);
    for guest in &guests {
        send(&league, guest, "bot", guest.name.as_bytes());
    }
    let waiting = league.look(|s| s.waiting.clone()).expect("the journal");
    for version in waiting {
        let judged = Event::Judged {
            version,
            verdict: Judgement::Accepted,
            why: String::new(),
            seat: Some("random".to_owned()),
            log: String::new(),
            took_ms: None,
            report: None,
        };
        league.record(judged).expect("the journal");
    }
    let playing = league.look(|s| {
        let all = s.versions.all();
        all.filter(|one| one.state == VersionState::Accepted)
            .count()
    });
    assert_eq!(playing.expect("the journal"), guests.len());
    let mut ladder = Ladder::open(&league).expect("a ladder");
    let run = |ladder: &mut Ladder, games, watch: &mut dyn FnMut(&Ladder)| {
        let runner = LadderRunner {
            games: Some(games),
            ..LadderRunner::new(Sandbox::none(), 1)
        };
        let stop = Arc::new(AtomicBool::new(false));
        runner.run(ladder, &stop, watch).expect("games are played");
    };
    run(&mut ladder, games, &mut |_| {});
    // The longest that the last game of a table had to wait for it.
    let tables = ladder.tables();
    let (ends, began) = (Arc::new(Mutex::new(Vec::new())), Instant::now());
    let is_over = Arc::new(AtomicBool::new(false));
    let seen = std::thread::spawn({
        let (ends, is_over) = (Arc::clone(&ends), Arc::clone(&is_over));
        move || {
            let (mut longest, mut version) = (Duration::ZERO, 0);
            while !is_over.load(Ordering::Relaxed) {
                let newer = tables.newer_than(version, Duration::from_millis(10));
                let Some((number, table)) = newer else {
                    continue;
                };
                version = number;
                let counted = table.games.saturating_sub(games) as usize;
                let ends: MutexGuard<'_, Vec<Duration>> = ends.lock().expect("no panic");
                if let Some(end) = counted.checked_sub(1).and_then(|last| ends.get(last)) {
                    longest = longest.max(began.elapsed().saturating_sub(*end));
                }
            }
            longest
        }
    });
    run(&mut ladder, MEASURED, &mut |_| {
        let mut ends = ends.lock().expect("no panic");
        ends.push(began.elapsed());
    });
    is_over.store(true, Ordering::Relaxed);
    let longest = seen.join().expect("the reader ends");
    let what = format!("a result to the standings, {games} games, at most");
    tell(&what, longest, 500);
}
