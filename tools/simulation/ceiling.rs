//! How many games one organiser takes in, and how much memory it needs for them.

use std::fs;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use floe_arena::seat::Sandbox;
use floe_arena::tournament::{Description, Tournament};
use floe_cluster::link::Address;
use floe_cluster::{Organiser, OrganiserOptions};

use crate::Answer;
use crate::figure::Figure;
use crate::processes::{memory as memory_now, part, processor_seconds, server};

/// The first load, in games a second.
const FIRST_LOAD: f64 = 500.0;
/// No machine takes more.
const MOST_LOAD: f64 = 1_000_000.0;
/// The organiser keeps up with a load while games come at this part of it.
const KEEPS_UP: f64 = 0.85;
/// Games a second that one core must take in.
const WANTED: f64 = 2000.0;
/// How often the standings are computed, as by `floe tournament` without a terminal.
const TABLE: Duration = Duration::from_secs(30);
/// After how many games memory is first looked at.
const EARLY: u64 = 10_000;
/// How much more memory the organiser may need at the end, in percent.
const GROWTH: f64 = 10.0;
/// Rotations of a board for two seats.
const GAMES_OF_UNIT: f64 = 2.0;

/// Each load is applied for this many times the seconds that are measured, which are in the middle: at
/// first the workers have no games yet, and at last no more.
const APPLIED: f64 = 2.0;

/// The part of a tournament that is measured.
struct Taken {
    games: u64,
    seconds: f64,
    /// Processor seconds of the organiser and of the server.
    organiser: f64,
    server: f64,
    /// The organiser's memory in MiB after so many games.
    memory: Vec<(u64, f64)>,
}

impl Taken {
    fn per_second(&self) -> f64 {
        self.games as f64 / self.seconds
    }

    /// Microseconds of the organiser's processor for each game.
    fn micros(&self) -> f64 {
        self.organiser * 1e6 / self.games as f64
    }
}

/// A moment of a tournament.
#[derive(Clone, Copy)]
struct Moment {
    games: u64,
    time: Instant,
    /// Processor seconds of the organiser and of the server.
    organiser: f64,
    server: f64,
}

impl Moment {
    fn now(games: u64, server: &str) -> Moment {
        Moment {
            games,
            time: Instant::now(),
            organiser: processor_seconds("self"),
            server: processor_seconds(server),
        }
    }
}

/// Plays a tournament of about this many games, with simulated workers that need `ms` for a unit, and
/// measures it but for this part of the games at the beginning and at the end.
fn play(workers: usize, ms: f64, games: u64, margin: f64) -> Answer<Taken> {
    let folder = tempfile::tempdir()?;
    let (server, url) = server(folder.path())?;
    let _sleepers = part(
        &[
            "sleepers",
            &url,
            &workers.to_string(),
            &format!("{:.0}", ms.max(1.0)),
        ],
        Stdio::inherit(),
    )?;
    let file = folder.path().join("cup.toml");
    // Twelve meetings of eight entrants each, and two games on each board.
    let boards = games.div_ceil(28 * 2).max(1);
    let entrants: String = (1..=4)
        .map(|n| format!("greedy-{n} = \"greedy\"\nrandom-{n} = \"random\"\n"))
        .collect();
    let text = format!(
        "game = \"flood\"\n[boards]\nsetup = \"8x8\"\ncount = {boards}\n[entrants]\n{entrants}"
    );
    fs::write(&file, text)?;
    let mut tournament = Tournament::open(Description::load(&file)?, false)?;
    let options = OrganiserOptions {
        records: Some(tournament.description().records.clone()),
        ..OrganiserOptions::new(Address { url, key: None })
    };
    let runner = tournament.runner(Sandbox::none(), 1, None);
    let organiser = Organiser::connect(runner, options)?;
    while organiser.status().workers < workers {
        thread::sleep(Duration::from_millis(50));
    }
    let id = server.0.id().to_string();
    let length = tournament.length().unwrap_or(games);
    let skipped = (length as f64 * margin) as u64;
    let mut from = Moment::now(0, &id);
    let mut to = from;
    let (mut played, mut look, mut table) = (0, EARLY, Instant::now());
    let mut memory = Vec::new();
    tournament.run(&organiser, &Arc::default(), |tournament, _| {
        played += 1;
        if played == skipped {
            from = Moment::now(played, &id);
        }
        if played == length - skipped {
            to = Moment::now(played, &id);
        }
        if played == look {
            println!("{played:>9} games  {:>6.1} MiB", memory_now());
            memory.push((played, memory_now()));
            look = next_look(look);
        }
        if table.elapsed() > TABLE {
            let _ = tournament.standings();
            table = Instant::now();
        }
    })?;
    let taken = Taken {
        games: to.games - from.games,
        seconds: (to.time - from.time).as_secs_f64(),
        organiser: to.organiser - from.organiser,
        server: to.server - from.server,
        memory,
    };
    if Some(played) != tournament.length() {
        return Err(format!("{played} games came").into());
    }
    Ok(taken)
}

/// Looks at 10,000, 30,000, 100,000 and so on.
fn next_look(games: u64) -> u64 {
    match games.to_string().starts_with('1') {
        true => games * 3,
        false => games / 3 * 10,
    }
}

/// Doubles the load until games come slower than the workers could play them.
pub(crate) fn ceiling(workers: usize, seconds: f64) -> Answer<Vec<Figure>> {
    let mut load = FIRST_LOAD;
    let (mut most, mut cheapest) = (0.0_f64, f64::INFINITY);
    println!("  load  games/s  organiser: \u{b5}s a game, cores  server: cores");
    while load < MOST_LOAD {
        let ms = workers as f64 * GAMES_OF_UNIT * 1000.0 / load;
        let margin = (1.0 - 1.0 / APPLIED) / 2.0;
        let taken = play(workers, ms, (load * seconds * APPLIED) as u64, margin)?;
        println!(
            "{load:>6.0}  {:>7.0}  {:>24.0}  {:>5.2}  {:>13.2}",
            taken.per_second(),
            taken.micros(),
            taken.organiser / taken.seconds,
            taken.server / taken.seconds
        );
        most = most.max(taken.per_second());
        cheapest = cheapest.min(taken.micros());
        if taken.per_second() < load * KEEPS_UP {
            break;
        }
        load *= 2.0;
    }
    println!("  it breaks at {load:.0} games/s; {most:.0} games/s were taken in");
    let figure = "games/s of Flood Wars 8x8 on one core of the organiser";
    Ok(vec![Figure::at_least(figure, WANTED, 1e6 / cheapest)])
}

/// Plays one long tournament, and compares the memory after its first games and at its end.
pub(crate) fn memory(workers: usize, games: u64) -> Answer<Vec<Figure>> {
    // Faster than any organiser, and slow enough that every worker has games.
    let taken = play(workers, workers as f64 / 4.0, games, 0.0)?;
    println!(
        "{} games in {:.0} s, {:.0} \u{b5}s of the organiser for each, {:.0} of the server",
        taken.games,
        taken.seconds,
        taken.micros(),
        taken.server * 1e6 / taken.games as f64
    );
    let (Some(&(_, early)), Some(&(_, late))) = (taken.memory.first(), taken.memory.last()) else {
        return Err(format!("memory is compared from {EARLY} games on").into());
    };
    let growth = (late / early - 1.0) * 100.0;
    let figure = "percent more memory of the organiser than after 10,000 games";
    Ok(vec![Figure::at_most(figure, GROWTH, growth)])
}
