//! The machines of a cluster, as the organiser's page shows them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use anyhow::Result;
use floe_cluster::PRIORITY;
use floe_cluster::link::Address;
use floe_cluster::monitor::{Monitor, Seen};
use floe_cluster::status::shares;
use floe_cluster::wire::{Announcement, PROTOCOL, RunNews, WorkerTally};
use floe_web::{ContestShare, MachineSource, Machines, WorkerLine, WorkerSpeed, WorkerState};

/// Silence in seconds after which the page marks a worker.
const SILENT: u64 = 20;

/// The name of a priority.
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
        out: run.out as u64,
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
    let scale = Scale::of(seen, &runs);
    let workers = seen.workers.values().map(|(worker, when)| {
        let name = worker.name.as_str();
        let tally = tallies.get(name).copied().unwrap_or_default();
        let banned = banned.get(name).map(|why| (*why).to_owned());
        line(worker, when.elapsed().as_secs(), tally, banned, &scale)
    });
    Machines {
        server: server.to_owned(),
        problem: (seen.lost.as_ref())
            .map(|_| "The server cannot be reached; this data is old.".to_owned()),
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
    scale: &Scale,
) -> WorkerLine {
    let (state, now) = state(worker, silent_s);
    WorkerLine {
        name: worker.name.clone(),
        cores: worker.cores,
        sandbox: worker.sandbox,
        speed: scale.speed(worker),
        games_an_hour: an_hour(worker.games, worker.up_s),
        faults: tally.faults,
        refused: tally.refused,
        silent_s,
        version: worker.floe.clone(),
        banned,
        state,
        now,
    }
}

/// What a worker does, and the same in words.
fn state(worker: &Announcement, silent_s: u64) -> (WorkerState, String) {
    let ours = env!("CARGO_PKG_VERSION");
    if worker.protocol != PROTOCOL || worker.floe != ours {
        let theirs = &worker.floe;
        let words = format!("has floe {theirs}, and the organiser {ours}: update it");
        return (WorkerState::Outdated, words);
    }
    if silent_s > SILENT {
        let words = "has sent no message for a while".to_owned();
        return (WorkerState::Silent, words);
    }
    if let Some(trouble) = &worker.trouble {
        return (WorkerState::Trouble, trouble.clone());
    }
    let state = match (worker.playing.len(), worker.is_leaving) {
        (_, true) => WorkerState::Leaving,
        (0, false) => WorkerState::Waiting,
        (_, false) => WorkerState::Playing,
    };
    let words = match worker.playing.len() {
        0 => "plays no game".to_owned(),
        1 => "plays 1 game".to_owned(),
        games => format!("plays {games} games"),
    };
    (state, words)
}

/// What speeds of workers are compared with.
struct Scale {
    /// The game they are speeds of.
    game: Option<String>,
    /// Positions in a second of the reference machine, if a contest names one; else of the fastest worker.
    full: u64,
    has_reference: bool,
}

impl Scale {
    fn of(seen: &Seen, runs: &[RunNews]) -> Scale {
        let named = runs.iter().find(|run| run.reference.is_some());
        let game = named.or(runs.first()).map(|run| run.game.clone());
        let mut scale = Scale {
            game,
            full: 0,
            has_reference: named.is_some(),
        };
        let workers = seen.workers.values();
        let fastest = workers.filter_map(|(worker, _)| scale.positions(worker));
        let fastest = fastest.max();
        let reference = named.and_then(|run| run.reference);
        scale.full = reference.or(fastest).unwrap_or(0).max(1);
        scale
    }

    /// The positions that a worker looks at in a second.
    fn positions(&self, worker: &Announcement) -> Option<u64> {
        let speed = self.game.as_ref().and_then(|game| worker.speeds.of(game));
        let first = worker.speeds.games.first();
        speed.or(first.map(|one| one.nodes_per_second))
    }

    fn speed(&self, worker: &Announcement) -> WorkerSpeed {
        let Some(positions) = self.positions(worker) else {
            return WorkerSpeed {
                text: "unknown".to_owned(),
                ..WorkerSpeed::default()
            };
        };
        let ratio = positions as f64 / self.full as f64;
        WorkerSpeed {
            text: match self.has_reference {
                true => format!("{ratio:.2}×"),
                false => format!("{} k/s", positions / 1000),
            },
            percent: (ratio * 100.0).round() as u32,
            has_reference: self.has_reference,
        }
    }
}

fn an_hour(games: u64, seconds: u64) -> u64 {
    games * 3600 / seconds.max(1)
}
