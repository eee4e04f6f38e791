//! The figures of docs/scale.md, with a server and workers of its own on this machine. All of them, each
//! with what is wanted; the exit code is 1 if one is missed:
//!
//!     cargo run --release -p floe-tools --bin simulation -- all
//!
//! Or one by one:
//!
//!     cargo run --release -p floe-tools --bin simulation -- ceiling 500 10
//!     cargo run --release -p floe-tools --bin simulation -- memory 500 1000000
//!     cargo run --release -p floe-tools --bin simulation -- cost 2000
//!     cargo run --release -p floe-tools --bin simulation -- ratio 400
//!     cargo run --release -p floe-tools --bin simulation -- start
//!
//! `ceiling WORKERS SECONDS` plays a tournament of Flood Wars on 8x8 boards with simulated workers, which
//! sleep instead of thinking, and doubles the load until the games come slower than the workers could play
//! them. Each load is measured for SECONDS, once all workers have games. `memory WORKERS GAMES` plays one long tournament and compares the organiser's
//! memory after 10,000 games and at the end. Both write records and index and keep the standings, as
//! `floe tournament` does. `cost GAMES` plays tiny games here and on a worker. `ratio GAMES` plays games
//! that think at one table on one core, and on two workers of one core each. `start` starts a worker and
//! waits for its first game. They need a machine that does nothing else, with two cores at least; only
//! the organiser's processor time for each game is the same on a busy one.
#![allow(clippy::print_stdout)] // it is a program

mod ceiling;
mod figure;
mod processes;
mod workers;

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use floe_arena::Boards;
use floe_arena::journal::RecordWriter;
use floe_arena::load::Reading;
use floe_arena::runner::{CorePool, NamedSeat, PlaysGames, Runner};
use floe_arena::schedule::Schedule;
use floe_arena::seat::{Sandbox, Seat};
use floe_cluster::link::Address;
use floe_cluster::{Organiser, OrganiserOptions};

use self::figure::Figure;
use self::processes::{part, server};

type Answer<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Answer<ExitCode> {
    floe_sandbox::helper_main();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let figures = match words.as_slice() {
        ["all"] => {
            let mut figures = ceiling::ceiling(500, 10.0)?;
            figures.extend(ceiling::memory(500, 1_000_000)?);
            figures.extend(cost(2000)?);
            figures.extend(ratio(400)?);
            figures.extend(start()?);
            figures
        }
        ["ceiling", workers, seconds] => ceiling::ceiling(workers.parse()?, seconds.parse()?)?,
        ["memory", workers, games] => ceiling::memory(workers.parse()?, games.parse()?)?,
        ["cost", games] => cost(games.parse()?)?,
        ["ratio", games] => ratio(games.parse()?)?,
        ["start"] => start()?,
        // The parts of it that are processes of their own.
        ["sleepers", url, workers, ms] => {
            workers::sleepers(url, workers.parse()?, ms.parse()?)?;
            Vec::new()
        }
        ["worker", url, name, core] => {
            workers::real_worker(url, name, core.parse()?)?;
            Vec::new()
        }
        _ => {
            return Err(
                "all, ceiling WORKERS SECONDS, memory WORKERS GAMES, cost GAMES, ratio GAMES or start"
                    .into(),
            );
        }
    };
    println!();
    for figure in &figures {
        let word = if figure.is_met { "met   " } else { "missed" };
        let Figure {
            what,
            wanted,
            measured,
            ..
        } = figure;
        println!("{word}  {what}: {measured} (wanted: {wanted})");
    }
    Ok(match figures.iter().all(|figure| figure.is_met) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn runner(setup: &str, words: [&str; 2], cores: Option<CorePool>) -> Answer<Runner> {
    let game = floe_games::find("flood")?;
    let mut entrants = Vec::new();
    for word in words {
        let seat = Seat::read(word, game, ".".as_ref())?;
        entrants.push(NamedSeat {
            name: word.to_owned(),
            seat,
            limits: None,
        });
    }
    Ok(Runner {
        entrants,
        boards: Boards::made(game, setup, 1)?,
        limits: game.contest_limits(),
        sandbox: Sandbox::none(),
        tables: 1,
        cores,
        live: Default::default(),
        meter: Reading::now,
    })
}

/// Plays so many games and writes them to a file, as a tournament does. Gives the seconds and the bytes
/// of the records.
fn play(players: &dyn PlaysGames, games: u64) -> Answer<(f64, u64)> {
    let folder = tempfile::tempdir()?;
    let mut journal = RecordWriter::open(&folder.path().join("games.jsonl"))?;
    let schedule = Schedule::round_robin(2, 2, games.div_ceil(2), 0)?;
    let begin = Instant::now();
    let mut played = 0;
    let mut failed = None;
    players.play_pairings(
        &mut schedule.pairings(),
        &Arc::default(),
        &mut |_, record| {
            played += 1;
            match journal.append(&record) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        },
    )?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    assert_eq!(played, schedule.len());
    Ok((begin.elapsed().as_secs_f64(), journal.end()))
}

fn organiser(url: &str, runner: Runner, workers: usize) -> Answer<Organiser> {
    let address = Address {
        url: url.to_owned(),
        key: None,
    };
    let organiser = Organiser::connect(runner, OrganiserOptions::new(address))?;
    while organiser.status().workers < workers {
        thread::sleep(Duration::from_millis(50));
    }
    Ok(organiser)
}

/// Tells the bytes that went by for every game, and gives them.
fn tell_traffic(organiser: &Organiser, games: u64, records: u64) -> u64 {
    let (read, written) = organiser.traffic();
    println!(
        "  {} bytes in and {} out a game at the organiser; its record has {}",
        read / games,
        written / games,
        records / games
    );
    (read + written) / games
}

fn cost(games: u64) -> Answer<Vec<Figure>> {
    let words = ["greedy", "random"];
    let (here, _) = play(&runner("4x4", words, Some(CorePool::of(vec![0])))?, games)?;
    let folder = tempfile::tempdir()?;
    let (_server, url) = server(folder.path())?;
    let _worker = part(&["worker", &url, "one", "0"], Stdio::piped())?;
    let organiser = organiser(&url, runner("4x4", words, None)?, 1)?;
    let (there, bytes) = play(&organiser, games)?;
    let each = |seconds: f64| seconds * 1000.0 / games as f64;
    println!(
        "a game: {:.3} ms here, {:.3} ms on a worker of this machine",
        each(here),
        each(there)
    );
    let wire = tell_traffic(&organiser, games, bytes);
    let beside = wire.saturating_sub(bytes / games);
    Ok(vec![
        Figure::at_most("ms a game costs more", 3.0, each(there) - each(here)),
        Figure::at_most("bytes beside its record", 2048.0, beside as f64),
    ])
}

fn ratio(games: u64) -> Answer<Vec<Figure>> {
    let words = ["floe:nodes=20k", "floe:nodes=10k"];
    let (here, _) = play(&runner("12x12", words, Some(CorePool::of(vec![0])))?, games)?;
    let folder = tempfile::tempdir()?;
    let (_server, url) = server(folder.path())?;
    let _one = part(&["worker", &url, "one", "0"], Stdio::piped())?;
    let _two = part(&["worker", &url, "two", "1"], Stdio::piped())?;
    let organiser = organiser(&url, runner("12x12", words, None)?, 2)?;
    let (there, _) = play(&organiser, games)?;
    println!(
        "{games} games: {here:.1} s at one table here, {there:.1} s on two workers of one core"
    );
    Ok(vec![Figure::at_least(
        "times the games of one table, on two workers of one core",
        1.9,
        here / there,
    )])
}

fn start() -> Answer<Vec<Figure>> {
    let folder = tempfile::tempdir()?;
    let (_server, url) = server(folder.path())?;
    let address = Address {
        url: url.clone(),
        key: None,
    };
    let runner = runner("4x4", ["greedy", "random"], None)?;
    let organiser = Organiser::connect(runner, OrganiserOptions::new(address))?;
    let schedule = Schedule::round_robin(2, 2, 1, 0)?;
    let began = Instant::now();
    let mut worker = part(&["worker", &url, "one", "0"], Stdio::piped())?;
    let lines = worker.0.stderr.take().ok_or("no lines")?;
    thread::spawn(move || {
        for line in BufReader::new(lines).lines().map_while(Result::ok) {
            println!("{:>6} ms  {line}", began.elapsed().as_millis());
        }
    });
    let mut first = None;
    organiser.play_pairings(
        &mut schedule.pairings(),
        &Arc::default(),
        &mut |_, record| {
            let ms = began.elapsed().as_millis();
            println!("{ms:>6} ms  game {} is here", record.opening.id);
            first.get_or_insert(ms as f64);
            ControlFlow::Continue(())
        },
    )?;
    Ok(vec![Figure::at_most(
        "ms from a worker's start to its first game",
        1000.0,
        first.unwrap_or(f64::INFINITY),
    )])
}
