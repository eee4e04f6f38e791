//! The machines of a cluster, as the organiser's page shows them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use anyhow::Result;
use floe_cluster::PRIORITY;
use floe_cluster::link::Address;
use floe_cluster::monitor::{Monitor, Seen};
use floe_cluster::status::shares;
use floe_cluster::wire::{Announcement, PROTOCOL, RunNews, WorkerTally};
use floe_web::{ContestShare, MachineSource, Machines, WorkerLine};

/// Silence after which the organiser should look at a worker, in seconds.
const SILENT: u64 = 20;

/// A priority, in a word.
pub(crate) fn priority(number: u8) -> &'static str {
    match number.cmp(&PRIORITY) {
        Ordering::Less => "low",
        Ordering::Equal => "normal",
        Ordering::Greater => "high",
    }
}

/// Watches a cluster for the page of machines.
pub(crate) fn watch(address: &Address) -> Result<MachineSource> {
    let monitor = Monitor::start(address)?;
    let server = address.url.clone();
    Ok(MachineSource::new(move || {
        machines(&monitor.seen(), &server)
    }))
}

fn machines(seen: &Seen, server: &str) -> Machines {
    let runs = seen.runs();
    let shares = shares(seen.workers.values().map(|(worker, _)| worker));
    let contests = runs.iter().map(|run| ContestShare {
        name: run.name.clone(),
        priority: priority(run.priority),
        weight: run.weight,
        share: shares.get(&run.run).copied().unwrap_or(0),
        games: run.games,
        games_an_hour: an_hour(run.games, run.seconds),
        out: run.out,
    });
    let mut tallies: BTreeMap<&str, WorkerTally> = BTreeMap::new();
    let mut banned: BTreeMap<&str, &str> = BTreeMap::new();
    for run in seen.all_runs() {
        for (worker, tally) in &run.workers {
            let sum = tallies.entry(worker).or_default();
            sum.games += tally.games;
            sum.faults += tally.faults;
            sum.refused += tally.refused;
        }
        let bans = run.banned.iter();
        banned.extend(bans.map(|(worker, why)| (worker.as_str(), why.as_str())));
    }
    let workers = seen.workers.values().map(|(worker, when)| {
        let name = worker.name.as_str();
        let tally = tallies.get(name).copied().unwrap_or_default();
        let banned = banned.get(name).map(|why| (*why).to_owned());
        line(worker, when.elapsed().as_secs(), tally, banned, &runs)
    });
    Machines {
        server: server.to_owned(),
        problem: (seen.lost.as_ref())
            .map(|_| "The server cannot be reached; what stands here is from before.".to_owned()),
        queue: (
            seen.queues.iter().map(|queue| queue.waiting).sum(),
            seen.queues.iter().map(|queue| queue.taken).sum(),
            seen.results,
        ),
        contests: contests.collect(),
        workers: workers.collect(),
    }
}

fn line(
    worker: &Announcement,
    silent_s: u64,
    tally: WorkerTally,
    banned: Option<String>,
    runs: &[RunNews],
) -> WorkerLine {
    let ours = env!("CARGO_PKG_VERSION");
    let problem = if worker.protocol != PROTOCOL || worker.floe != ours {
        Some(format!(
            "has floe {}, and the organiser {ours}: update it",
            worker.floe
        ))
    } else if silent_s > SILENT {
        Some("has not been heard of for a while".to_owned())
    } else {
        worker.trouble.clone()
    };
    WorkerLine {
        name: worker.name.clone(),
        cores: worker.cores,
        sandbox: worker.sandbox,
        speed: speed(worker, runs),
        games_an_hour: an_hour(worker.games, worker.up_s),
        faults: tally.faults,
        refused: tally.refused,
        silent_s,
        version: worker.floe.clone(),
        banned,
        has_problem: problem.is_some(),
        now: problem.unwrap_or_else(|| match (worker.playing.len(), worker.is_leaving) {
            (0, false) => "waits for games".to_owned(),
            (0, true) => "leaves".to_owned(),
            (1, _) => "plays 1 game".to_owned(),
            (games, _) => format!("plays {games} games"),
        }),
    }
}

/// A worker's speed against the reference of a contest that names one, else in positions a second.
fn speed(worker: &Announcement, runs: &[RunNews]) -> String {
    let with_reference = runs.iter().find_map(|run| {
        let speed = worker.speeds.of(&run.game)?;
        Some((speed, run.reference?))
    });
    if let Some((speed, reference)) = with_reference {
        return format!("{} %", speed * 100 / reference.max(1));
    }
    let game = runs.first().map(|run| run.game.as_str());
    let speed = game.and_then(|game| worker.speeds.of(game));
    let first = worker.speeds.games.first();
    match speed.or(first.map(|one| one.nodes_per_second)) {
        Some(speed) => format!("{} k/s", speed / 1000),
        None => "?".to_owned(),
    }
}

fn an_hour(games: u64, seconds: u64) -> u64 {
    games * 3600 / seconds.max(1)
}
