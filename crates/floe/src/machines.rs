//! The machines of a cluster, as the organiser's page shows them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use floe_cluster::beside::Bans;
use floe_cluster::link::Address;
use floe_cluster::monitor::{Monitor, Seen};
use floe_cluster::status::{drain, shares};
use floe_cluster::wire::{Announcement, PROTOCOL, RunNews, WorkerTally};
use floe_cluster::{ClusterError, PRIORITY, config};
use floe_web::{
    ContestShare, MachineAction, MachineSource, Machines, WorkerLine, WorkerSpeed, WorkerState,
};

use crate::reload::reload_all;

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

/// What the page of machines can change.
#[derive(Clone)]
struct Trust {
    address: Address,
    /// The bans of the contest's folder.
    bans: Bans,
    /// The folder of the organiser's key, which may have the servers' configurations too.
    keys: Option<PathBuf>,
}

impl Trust {
    fn new(address: Address, contest: &Path) -> Trust {
        let keys = address.key.as_ref().and_then(|key| key.parent());
        let here = |folder: &Path| match folder == Path::new("") {
            true => PathBuf::from("."),
            false => folder.to_owned(),
        };
        Trust {
            keys: keys.map(here),
            bans: Bans::of(contest),
            address,
        }
    }

    /// The banned workers, with the reasons.
    fn banned(&self) -> BTreeMap<String, String> {
        let bans = self.bans.read().unwrap_or_default().into_iter();
        bans.map(|(worker, ban)| (worker, ban.reason)).collect()
    }

    /// The workers whose keys can be removed here.
    fn removable(&self) -> BTreeSet<String> {
        let keys = self.keys.as_deref().map(config::keys_of);
        keys.unwrap_or_default()
    }

    /// Does what the organiser wants, and says what was done.
    fn act(&self, worker: &str, action: MachineAction) -> Result<String, ClusterError> {
        match action {
            MachineAction::Ban(reason) => Ok(match self.bans.ban(worker, &reason)? {
                true => format!("{worker} is banned: {reason}."),
                false => format!("{worker} was banned already."),
            }),
            MachineAction::Unban => Ok(match self.bans.unban(worker)? {
                true => format!("{worker} is no longer banned."),
                false => format!("{worker} was not banned."),
            }),
            MachineAction::Drain => Ok(match drain(&self.address, worker)? {
                true => format!("{worker} finishes its games and leaves."),
                false => format!(
                    "{worker} did not confirm yet. If it is there, it leaves after its games."
                ),
            }),
            MachineAction::Remove => {
                let folder = self.keys.clone().unwrap_or_default();
                config::remove(&folder, worker)?;
                let servers = reload_all(&folder).join("; ");
                let servers = anstream::adapter::strip_str(&servers).to_string();
                Ok(format!("The key of {worker} is removed; {servers}."))
            }
        }
    }
}

/// Watches a cluster for the page of machines of a contest's folder.
pub(crate) fn watch(address: Address, contest: &Path) -> Result<MachineSource> {
    let monitor = Monitor::start(&address)?;
    let server = address.url.clone();
    let trust = Trust::new(address, contest);
    let known = trust.clone();
    Ok(MachineSource::new(
        move || machines(&monitor.seen(), &server, &known),
        move |worker, action| trust.act(worker, action).map_err(|error| error.to_string()),
    ))
}

fn machines(seen: &Seen, server: &str, trust: &Trust) -> Machines {
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
    let (own, removable) = (trust.banned(), trust.removable());
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
    // What was said by runs that have ended may be old.
    banned.retain(|worker, _| runs.iter().any(|run| run.banned.contains_key(*worker)));
    banned.extend(
        own.iter()
            .map(|(worker, why)| (worker.as_str(), why.as_str())),
    );
    let scale = Scale::of(seen, &runs);
    let workers = seen.workers.values().map(|(worker, when)| {
        let tally = tallies.get(worker.name.as_str()).copied();
        line(
            worker,
            when.elapsed().as_secs(),
            tally.unwrap_or_default(),
            &scale,
        )
    });
    let mut workers: BTreeMap<String, WorkerLine> =
        workers.map(|line| (line.name.clone(), line)).collect();
    for (name, why) in banned {
        let line = workers
            .entry(name.to_owned())
            .or_insert_with(|| WorkerLine {
                name: name.to_owned(),
                ..WorkerLine::default()
            });
        line.banned = Some(why.to_owned());
    }
    for line in workers.values_mut() {
        line.has_key = removable.contains(&line.name);
    }
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
        workers: workers.into_values().collect(),
    }
}

fn line(worker: &Announcement, silent_s: u64, tally: WorkerTally, scale: &Scale) -> WorkerLine {
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
        banned: None,
        is_known: true,
        has_key: false,
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
