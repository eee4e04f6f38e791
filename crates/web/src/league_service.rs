//! The league of the folder: submissions are judged in threads, one per core, which publish events
//! to readers who may see them.

mod telling;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::path::Path;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use floe_league::judge::judges;
use floe_league::queue::QueuePlace;
use floe_league::remote::Remotes;
use floe_league::{
    BuildSandbox, Judge, JudgeError, JudgeEvent, League, Submission, Version, VersionId,
};
use parking_lot::{Condvar, Mutex};
use tokio::sync::watch;

use self::telling::Telling;
use crate::token::fresh_id;

/// Interval at which the journal is checked for other processes' entries.
const LOOK: Duration = Duration::from_millis(500);
/// Pause after a machine failure.
const REST: Duration = Duration::from_secs(2);
/// Versions whose events stay in memory; older ones have only the log.
const AT_HAND: usize = 64;

/// Most archives stored while their authors are asked for the program.
const ASKED: usize = 8;

/// The league of the folder, with the events of versions being judged.
pub(crate) struct LeagueService {
    league: League,
    judging: Mutex<BTreeMap<VersionId, Telling>>,
    /// Counts events.
    changes: watch::Sender<u64>,
    bell: Arc<Bell>,
    /// The judge, if this process is the one that judges.
    seat: Mutex<Option<Arc<Judge>>>,
    /// Archives whose authors must choose the program, newest last: a name, the entrant, and the
    /// upload.
    asked: Mutex<VecDeque<(String, String, Submission)>>,
    remotes: Remotes,
    sandbox_level: u8,
    /// Counts messages to remote programs.
    remote_news: watch::Sender<u64>,
}

/// Rung after a submission.
#[derive(Default)]
struct Bell {
    /// Number of rings.
    rung: Mutex<u64>,
    heard: Condvar,
}

impl Bell {
    fn ring(&self) {
        *self.rung.lock() += 1;
        self.heard.notify_all();
    }

    fn count(&self) -> u64 {
        *self.rung.lock()
    }

    /// Waits until there were more rings than `before`.
    fn wait(&self, before: u64, most: Duration) {
        let mut rung = self.rung.lock();
        let is_silent = |rung: &mut u64| *rung == before;
        self.heard.wait_while_for(&mut rung, is_silent, most);
    }
}

impl LeagueService {
    /// Opens a league's folder and starts judging; `None` if the folder is no league's.
    pub(crate) fn open(folder: &Path, helper: &Path) -> io::Result<Option<Arc<LeagueService>>> {
        if !League::is_at(folder) {
            return Ok(None);
        }
        let league = League::open(folder).map_err(io::Error::other)?;
        let build_sandbox = BuildSandbox::of(&league, helper).map_err(io::Error::other)?;
        let remote_news = watch::Sender::new(0);
        let ring = remote_news.clone();
        let ring = move || ring.send_modify(|count| *count += 1);
        let service = Arc::new(LeagueService {
            remotes: Remotes::new(&league, build_sandbox.sandbox(), ring),
            sandbox_level: build_sandbox.layers().level(),
            remote_news,
            league,
            judging: Mutex::default(),
            changes: watch::Sender::new(0),
            bell: Arc::default(),
            seat: Mutex::default(),
            asked: Mutex::default(),
        });
        for _ in 0..judges() {
            let (here, bell) = (Arc::downgrade(&service), Arc::clone(&service.bell));
            let (judge, build_sandbox) = (thread::Builder::new(), build_sandbox.clone());
            let judge = judge.name("judge".to_owned());
            judge.spawn(move || work(&here, &bell, &build_sandbox))?;
        }
        Ok(Some(service))
    }

    pub(crate) fn league(&self) -> &League {
        &self.league
    }

    /// The remote programs.
    pub(crate) fn remotes(&self) -> &Remotes {
        &self.remotes
    }

    /// Changes whenever there is news for a remote program.
    pub(crate) fn remote_news(&self) -> watch::Receiver<u64> {
        self.remote_news.subscribe()
    }

    /// The judge of this process; `None` if another process judges.
    fn judge(&self, build_sandbox: &BuildSandbox) -> Result<Option<Arc<Judge>>, JudgeError> {
        let mut seat = self.seat.lock();
        if seat.is_none() {
            *seat = Judge::take_seat(&self.league, build_sandbox)?.map(Arc::new);
        }
        Ok(seat.clone())
    }

    /// A version's place in the queue; `None` if it does not wait.
    pub(crate) fn queue_place(&self, id: &VersionId) -> Option<QueuePlace> {
        let seat = self.seat.lock();
        let judge = seat.clone();
        drop(seat);
        let place = match judge {
            Some(judge) => judge.queue_place(id),
            None => self.league.look(|standing| {
                let under_way = BTreeSet::new();
                standing.queue_place(id, &under_way, judges())
            }),
        };
        place.ok().flatten()
    }

    /// The versions being judged by this process.
    pub(crate) fn under_way(&self) -> BTreeSet<VersionId> {
        let judge = self.seat.lock().clone();
        judge.map_or_else(BTreeSet::new, |judge| judge.under_way())
    }

    /// The current step of judging a version.
    pub(crate) fn step_of(&self, id: &VersionId) -> Option<String> {
        self.judging.lock().get(id)?.step().map(str::to_owned)
    }

    /// The level of the sandbox for judged programs.
    pub(crate) fn sandbox_level(&self) -> u8 {
        self.sandbox_level
    }

    /// Stores an archive until its author chooses the program, or newer archives replace it;
    /// returns its name.
    pub(crate) fn keep_asked(&self, entrant: String, submission: Submission) -> String {
        let name = fresh_id().unwrap_or_default();
        let mut asked = self.asked.lock();
        asked.retain(|(_, whose, _)| *whose != entrant);
        if asked.len() >= ASKED {
            asked.pop_front();
        }
        asked.push_back((name.clone(), entrant, submission));
        name
    }

    /// Takes the stored archive of this name, if it is this entrant's.
    pub(crate) fn take_asked(&self, name: &str, entrant: &str) -> Option<Submission> {
        let mut asked = self.asked.lock();
        let is_it = |(known, whose, _): &(String, String, Submission)| {
            !name.is_empty() && known == name && whose == entrant
        };
        let at = asked.iter().position(is_it)?;
        asked.remove(at).map(|(_, _, submission)| submission)
    }

    /// Wakes the judge after a submission.
    pub(crate) fn ring(&self) {
        self.bell.ring();
    }

    /// Changes with every event.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn tell(&self, id: &VersionId, progress: JudgeEvent) {
        let mut judging = self.judging.lock();
        if !judging.contains_key(id) && judging.len() >= AT_HAND {
            let over = judging.iter().find(|(_, telling)| telling.is_over());
            match over.map(|(id, _)| id.clone()) {
                Some(over) => judging.remove(&over),
                None => judging.pop_first().map(|(_, telling)| telling),
            };
        }
        judging.entry(id.clone()).or_default().add(progress);
        drop(judging);
        self.changes.send_modify(|count| *count += 1);
    }

    /// The events of a version after the first `seen`, and the number of the first of them. Events that
    /// are not in memory come from the journal. The last event of a judged version is its verdict.
    pub(crate) fn events_after(&self, version: &Version, seen: usize) -> (usize, Vec<JudgeEvent>) {
        let judging = self.judging.lock();
        // If another process gave the verdict, only the journal has it.
        let is_whole = |telling: &&Telling| version.verdict.is_none() || telling.is_over();
        if let Some(telling) = judging.get(&version.id).filter(is_whole) {
            return telling.after(seen);
        }
        drop(judging);
        if version.verdict.is_none() {
            return (seen, Vec::new());
        }
        let mut lines = self.league.judge_events(version).unwrap_or_default();
        // A reader may have seen more than the journal stores, and still needs the verdict.
        let from = seen.min(lines.len().saturating_sub(1));
        (from, lines.split_off(from))
    }
}

/// Judges as long as the service exists.
fn work(here: &Weak<LeagueService>, bell: &Bell, build_sandbox: &BuildSandbox) {
    while let Some(service) = here.upgrade() {
        let rung = bell.count();
        let judged = service.judge(build_sandbox).and_then(|judge| match judge {
            Some(judge) => judge.judge_next(&mut |id, progress| service.tell(id, progress)),
            // Another process judges.
            None => Ok(None),
        });
        // The versions in the queue have moved up.
        if matches!(judged, Ok(Some(_))) {
            service.changes.send_modify(|count| *count += 1);
        }
        drop(service);
        match judged {
            Ok(Some(_)) => {}
            Ok(None) => bell.wait(rung, LOOK),
            Err(error) => {
                tracing::error!(%error, "a version could not be judged; it stays in the queue");
                bell.wait(rung, REST);
            }
        }
    }
}
