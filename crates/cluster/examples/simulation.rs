//! The figures of docs/scale.md, with a server and workers of its own on this machine. All of them, each
//! with what is wanted; the exit code is 1 if one is missed:
//!
//!     cargo run --release -p floe-cluster --example simulation -- all
//!
//! Or one by one:
//!
//!     cargo run --release -p floe-cluster --example simulation -- many 1000 60000 800
//!     cargo run --release -p floe-cluster --example simulation -- cost 2000
//!     cargo run --release -p floe-cluster --example simulation -- ratio 400
//!     cargo run --release -p floe-cluster --example simulation -- start
//!
//! `many WORKERS GAMES MS` has so many simulated workers, which sleep so long for every unit instead of
//! thinking. `cost GAMES` plays tiny games here and on a worker. `ratio GAMES` plays games that think at
//! one table on one core, and on two workers of one core each. `start` starts a worker and waits for its
//! first game. They need a machine that does nothing else, with two cores at least.
#![allow(clippy::print_stdout)] // it is a program

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::PublishMessage;
use floe_arena::Boards;
use floe_arena::journal::Journal;
use floe_arena::load::Reading;
use floe_arena::runner::{CorePool, NamedSeat, PlaysGames, Runner};
use floe_arena::schedule::Schedule;
use floe_arena::seat::{Sandbox, Seat};
use floe_cluster::link::{Address, Link};
use floe_cluster::wire::{
    self, Announcement, Batch, GameOutcome, GameResult, HeldBatch, PROTOCOL, UnitResult, job_hash,
    level_consumer, result_subject, units, worker_subject,
};
use floe_cluster::worker::{self, ANNOUNCED_EVERY, Ending, MEASURED_EVERY, WorkerOptions};
use floe_cluster::{Organiser, OrganiserOptions};
use futures_util::StreamExt as _;

type Answer<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Something that was measured.
struct Figure {
    what: &'static str,
    wanted: String,
    measured: String,
    is_met: bool,
}

impl Figure {
    fn at_least(what: &'static str, wanted: f64, measured: f64) -> Figure {
        Figure {
            what,
            wanted: format!("at least {wanted}"),
            measured: format!("{measured:.2}"),
            is_met: measured >= wanted,
        }
    }

    fn at_most(what: &'static str, wanted: f64, measured: f64) -> Figure {
        Figure {
            what,
            wanted: format!("at most {wanted}"),
            measured: format!("{measured:.2}"),
            is_met: measured <= wanted,
        }
    }
}

fn main() -> Answer<ExitCode> {
    floe_sandbox::helper_main();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let figures = match words.as_slice() {
        ["all"] => {
            let mut figures = many("1000", 60_000, "800")?;
            figures.extend(cost(2000)?);
            figures.extend(ratio(400)?);
            figures.extend(start()?);
            figures
        }
        ["many", workers, games, ms] => many(workers, games.parse()?, ms)?,
        ["cost", games] => cost(games.parse()?)?,
        ["ratio", games] => ratio(games.parse()?)?,
        ["start"] => start()?,
        // The parts of it that are processes of their own.
        ["sleepers", url, workers, ms] => {
            sleepers(url, workers.parse()?, ms.parse()?)?;
            Vec::new()
        }
        ["worker", url, name, core] => {
            real_worker(url, name, core.parse()?)?;
            Vec::new()
        }
        _ => return Err("all, many WORKERS GAMES MS, cost GAMES, ratio GAMES or start".into()),
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

/// A process that ends with this value.
struct Ours(Child);

impl Drop for Ours {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn server(folder: &std::path::Path) -> Answer<(Ours, String)> {
    let ports = folder.join("ports");
    fs::create_dir(&ports)?;
    let child = Command::new("nats-server")
        .args(["-a", "127.0.0.1", "-p", "-1", "-js", "-sd"])
        .arg(folder.join("js"))
        .arg("--ports_file_dir")
        .arg(&ports)
        .stderr(File::create(folder.join("log"))?)
        .spawn()?;
    let child = Ours(child);
    loop {
        for file in fs::read_dir(&ports)?.flatten() {
            let text = fs::read_to_string(file.path())?;
            let told: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            if let Some(url) = told["nats"][0].as_str() {
                return Ok((child, url.to_owned()));
            }
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn part(words: &[&str], stderr: Stdio) -> Answer<Ours> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(words).stderr(stderr);
    Ok(Ours(command.spawn()?))
}

/// Processor seconds of a process so far.
fn processor_seconds(id: &str) -> f64 {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or_default();
    let fields: Vec<f64> = after
        .split_whitespace()
        .map(|field| field.parse().unwrap_or(0.0))
        .collect();
    // Ticks of a hundredth of a second in user and system mode.
    fields
        .get(11..13)
        .map_or(0.0, |ticks| ticks.iter().sum::<f64>() / 100.0)
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
    let mut journal = Journal::open(&folder.path().join("games.jsonl"))?;
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
    while organiser.going().workers < workers {
        thread::sleep(Duration::from_millis(50));
    }
    Ok(organiser)
}

fn many(workers: &str, games: u64, ms: &str) -> Answer<Vec<Figure>> {
    let folder = tempfile::tempdir()?;
    let (server, url) = server(folder.path())?;
    let _sleepers = part(&["sleepers", &url, workers, ms], Stdio::inherit())?;
    let organiser = organiser(
        &url,
        runner("4x4", ["greedy", "random"], None)?,
        workers.parse()?,
    )?;
    let id = server.0.id().to_string();
    let before = (processor_seconds("self"), processor_seconds(&id));
    let (seconds, bytes) = play(&organiser, games)?;
    let own = processor_seconds("self") - before.0;
    let servers = processor_seconds(&id) - before.1;
    println!("{workers} simulated workers, {ms} ms a unit: {games} games in {seconds:.1} s");
    println!(
        "  {:.0} games/s taken, returned, judged and written",
        games as f64 / seconds
    );
    println!(
        "  the organiser used {:.2} cores, the server {:.2}",
        own / seconds,
        servers / seconds
    );
    tell_traffic(&organiser, games, bytes);
    Ok(vec![
        Figure::at_least(
            "games/s taken, returned, judged and written",
            2000.0,
            games as f64 / seconds,
        ),
        Figure::at_most("cores of the organiser", 1.0, own / seconds),
    ])
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

fn real_worker(url: &str, name: &str, core: usize) -> Answer<()> {
    let cache = tempfile::tempdir()?;
    let options = WorkerOptions {
        address: Address {
            url: url.to_owned(),
            key: None,
        },
        name: name.to_owned(),
        cores: vec![core],
        cache: cache.path().to_owned(),
        helper: PathBuf::new(),
        measured_every: MEASURED_EVERY,
    };
    worker::run(&options, &Ending::default(), |news| {
        tell_line(&news.to_string());
    })?;
    Ok(())
}

/// A line on standard error, for whoever started us.
fn tell_line(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn sleepers(url: &str, workers: usize, ms: u64) -> Answer<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..workers {
            let address = Address {
                url: url.to_owned(),
                key: None,
            };
            tasks.spawn(async move { sleeper(&address, number, ms).await });
        }
        while let Some(ended) = tasks.join_next().await {
            ended??;
        }
        Ok(())
    })
}

/// A worker that makes any moves at once and sleeps as long as thinking would take.
async fn sleeper(address: &Address, number: usize, ms: u64) -> Answer<()> {
    let link = Link::connect(address).await?;
    let name = format!("sleeper-{number}");
    let announcing = link.clone();
    let announcement = serde_json::to_vec(&Announcement {
        protocol: PROTOCOL,
        name: name.clone(),
        floe: "0".into(),
        cores: 1,
        sandbox: 0,
        class: "asleep".into(),
        speeds: Default::default(),
        games: 0,
        playing: Vec::new(),
        // Never idle: the organiser watches idle workers.
        holds: vec![HeldBatch {
            run: "none".into(),
            key: "none".into(),
        }],
        is_leaving: false,
        trouble: None,
    })?;
    let subject = worker_subject(&name);
    tokio::spawn(async move {
        loop {
            let sent = announcing
                .client
                .publish(subject.clone(), announcement.clone().into());
            let _ = sent.await;
            tokio::time::sleep(ANNOUNCED_EVERY).await;
        }
    });
    // The organiser makes the stream first, and the queues in it afterwards.
    let level = level_consumer(0);
    let queue = loop {
        if let Some(stream) = link.jobs().await?
            && let Ok(queue) = stream.get_consumer::<pull::Config>(&level).await
        {
            break queue;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    loop {
        let asked = queue
            .batch()
            .max_messages(1)
            .expires(Duration::from_secs(30));
        let mut messages = asked.messages().await?;
        let Some(message) = messages.next().await else {
            continue;
        };
        let message = message?;
        let batch: Batch = wire::read(&message.payload)?;
        if batch.not.contains(&name) {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            continue;
        }
        for unit in units(&batch.jobs) {
            let mut games = Vec::new();
            for job in unit {
                let seats = job.find_seats(".".as_ref())?;
                let record = job.play(
                    &seats,
                    &Sandbox::none(),
                    &Arc::default(),
                    &Default::default(),
                )?;
                games.push(GameResult {
                    job: job_hash(job),
                    outcome: GameOutcome::Record(Box::new(record)),
                });
            }
            tokio::time::sleep(Duration::from_millis(ms)).await;
            let result = UnitResult {
                protocol: PROTOCOL,
                worker: name.clone(),
                signature: String::new(),
                session: batch.session.clone(),
                games,
                took_ms: ms,
            };
            let sent = PublishMessage::build()
                .expected_last_subject_sequence(0)
                .payload(wire::write(&result)?.into());
            let subject = result_subject(batch.results, &batch.run, &name, &batch.result_key(unit));
            let _ = link.streams.send_publish(subject, sent).await?.await;
        }
        let _ = message.double_ack().await;
    }
}
