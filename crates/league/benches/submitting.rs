//! What people wait for: `cargo bench -p floe-league --bench submitting`.
//!
//! From a submission of a C program to the first message and to the verdict; two hundred submissions;
//! and from the end of a ladder's game to the table that everybody sees, with few games and with many.
//!
//! `cargo bench -p floe-league --bench submitting -- rush 30` has so many C starters sent within a
//! second to a league whose ladder runs, and `-- slow 30` as many that use their whole second for
//! each move: when they get their verdicts.

#![allow(clippy::print_stdout, missing_docs)]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use floe_arena::runner::{CorePool, default_concurrency};
use floe_arena::seat::Sandbox;
use floe_arena::store::Followed;
use floe_league::event::Judgement;
use floe_league::invitation::Invite;
use floe_league::judge::judges;
use floe_league::ladder::{BackgroundLadder, Ladder, LadderRunner, LadderTable, LadderWatch};
use floe_league::people::Guest;
use floe_league::{BuildSandbox, Event, Judge, JudgeEvent, League, Submission, VersionState};

fn main() {
    // Asked by `cargo test --benches` it only has to start.
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--test") {
        return;
    }
    let mut words = words
        .iter()
        .map(String::as_str)
        .filter(|word| !word.starts_with('-'));
    if let (Some(what @ ("rush" | "slow")), count) = (words.next(), words.next()) {
        let count = count.and_then(|count| count.parse().ok()).unwrap_or(30);
        return rush(count, what == "slow");
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
    league_of(folder, text, people)
}

fn league_of(folder: &Path, text: &str, people: usize) -> (League, Vec<Guest>) {
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
    let supervisor = Path::new(env!("CARGO_BIN_EXE_floe-league-supervisor"));
    let build_sandbox = BuildSandbox::find(supervisor, 0).expect("a build sandbox");
    let judge = Judge::take_seat(&league, &build_sandbox).expect("the lock");
    let judge = judge.expect("nobody else judges");
    let began = Instant::now();
    send(&league, &guests[0], "flood.c", &starter(0, false));
    tell("a C program: it is taken", began.elapsed(), 200);
    let mut first = None;
    let judged = judge.judge_next(&mut |_, progress| {
        first.get_or_insert_with(|| began.elapsed());
        if let JudgeEvent::Verdict(verdict, text) = progress {
            assert_eq!(verdict, Judgement::Accepted, "{text}");
        }
    });
    let all = began.elapsed();
    judged.expect("it is judged");
    tell("a C program: the first message", first.unwrap_or(all), 200);
    tell("a C program: the verdict", all, 10_000);
}

/// The C starter of Flood Wars, another one for every number; one that is slow computes for 0.9 s
/// before it answers.
fn starter(number: usize, is_slow: bool) -> Vec<u8> {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    let source = fs::read_to_string(bots.join("flood.c")).expect("the starter");
    let main = "int main(void) {\n";
    let wait = "    while (clock() < CLOCKS_PER_SEC * 9 / 10) continue;\n";
    let source = match is_slow {
        true => source.replacen(main, &format!("#include <time.h>\n{main}{wait}"), 1),
        false => source,
    };
    format!("{source}/* {number} */\n").into_bytes()
}

/// So many people who send a program within a second, while the ladder plays.
fn rush(count: usize, is_slow: bool) {
    const PLAYING: usize = 4;
    let folder = tempfile::tempdir().expect("a folder");
    let text = "game = 'flood'\nsandbox = 0\n";
    let (league, guests) = league_of(folder.path(), text, count + PLAYING);
    let supervisor = Path::new(env!("CARGO_BIN_EXE_floe-league-supervisor"));
    let build_sandbox = BuildSandbox::find(supervisor, 0).expect("a build sandbox");
    let judge = Judge::take_seat(&league, &build_sandbox).expect("the lock");
    let judge = judge.expect("nobody else judges");
    let (playing, rushing) = guests.split_at(PLAYING);
    for (number, guest) in playing.iter().enumerate() {
        send(&league, guest, "flood.c", &starter(number, false));
        judge.judge_next(&mut |_, _| {}).expect("it is judged");
    }
    let sandbox = Sandbox::find(supervisor, 0, 2).expect("a sandbox");
    let runner = LadderRunner {
        cores: Some(CorePool::machine()),
        ..LadderRunner::new(sandbox, default_concurrency(2))
    };
    let ladder = BackgroundLadder::start(&league, runner).expect("a ladder");
    let games = || {
        LadderTable::open_read_only(&league)
            .expect("the table")
            .standings
            .games
    };
    while games() < 4 {
        std::thread::sleep(Duration::from_millis(100));
    }
    let (before, began) = (games(), Instant::now());
    std::thread::scope(|scope| {
        for (number, guest) in rushing.iter().enumerate() {
            let league = &league;
            scope.spawn(move || {
                send(
                    league,
                    guest,
                    "flood.c",
                    &starter(PLAYING + number, is_slow),
                );
            });
        }
    });
    let sent = began.elapsed();
    let verdicts = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..judges() {
            scope.spawn(|| {
                let mut hear = |_: &_, progress| {
                    if let JudgeEvent::Verdict(verdict, text) = progress {
                        if verdict == Judgement::Refused {
                            println!("refused: {text}");
                        }
                        verdicts.lock().expect("no panic").push(began.elapsed());
                    }
                };
                while judge
                    .judge_next(&mut hear)
                    .expect("they are judged")
                    .is_some()
                {}
            });
        }
    });
    let played = games() - before;
    drop(ladder);
    let mut verdicts = verdicts.into_inner().expect("no panic");
    verdicts.sort();
    let budgets = if is_slow {
        [900_000; 3]
    } else {
        [3_000, 15_000, 30_000]
    };
    let what = |which: &str| format!("{} programs: {which} verdict", verdicts.len());
    println!("what                                                    ms     budget ms");
    tell(&format!("{count} programs: all are sent"), sent, 1_000);
    let times = [
        verdicts[0],
        verdicts[verdicts.len() / 2],
        verdicts[verdicts.len() - 1],
    ];
    for (which, (time, budget)) in ["first", "median", "last"]
        .iter()
        .zip(times.iter().zip(budgets))
    {
        tell(&what(which), *time, budget);
    }
    println!(
        "{} judges; the ladder played {played} games meanwhile",
        judges()
    );
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
    let mut watch = LadderWatch::open(&league).expect("games");
    let (ends, began) = (Arc::new(Mutex::new(Vec::new())), Instant::now());
    let is_over = Arc::new(AtomicBool::new(false));
    let seen = std::thread::spawn({
        let (ends, is_over) = (Arc::clone(&ends), Arc::clone(&is_over));
        move || {
            let mut longest = Duration::ZERO;
            while !is_over.load(Ordering::Relaxed) {
                if watch.follow().expect("the records") == Followed::Same {
                    std::thread::sleep(Duration::from_millis(10));
                    continue;
                }
                let table = watch.table().expect("the table");
                let counted = table.standings.games.saturating_sub(games) as usize;
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
