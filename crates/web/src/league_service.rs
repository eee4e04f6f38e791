//! The league of the folder: submissions are judged in threads of their own, one for each core, and
//! publish events to readers who may see them.

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

/// How often the journal is looked at for what other processes wrote.
const LOOK: Duration = Duration::from_millis(500);
/// How long the machine may rest after trouble.
const REST: Duration = Duration::from_secs(2);
/// Versions whose events stay in memory; for older ones, only the log is left.
const AT_HAND: usize = 64;

/// How many archives are kept whose authors are asked which file is the program.
const ASKED: usize = 8;

/// The league of the folder, with the events of versions that are judged.
pub(crate) struct LeagueService {
    league: League,
    told: Mutex<BTreeMap<VersionId, Telling>>,
    /// Counts events.
    changes: watch::Sender<u64>,
    bell: Arc<Bell>,
    /// Who judges, if it is done here.
    seat: Mutex<Option<Arc<Judge>>>,
    /// Archives whose authors are asked which file is the program, the newest last: a name, whose they
    /// are, and what was sent.
    asked: Mutex<VecDeque<(String, String, Submission)>>,
    remotes: Remotes,
    sandbox_level: u8,
    /// Counts messages to remote programs.
    remote_news: watch::Sender<u64>,
}

/// Rung when something was sent.
#[derive(Default)]
struct Bell {
    /// How often it was rung.
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

    /// Waits until it is rung once more than so often.
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
        let level = league.description().sandbox;
        let workshop = BuildSandbox::find(helper, level).map_err(io::Error::other)?;
        let remote_news = watch::Sender::new(0);
        let ring = remote_news.clone();
        let ring = move || ring.send_modify(|count| *count += 1);
        let office = Arc::new(LeagueService {
            remotes: Remotes::new(&league, workshop.sandbox(), ring),
            sandbox_level: workshop.layers().level(),
            remote_news,
            league,
            told: Mutex::default(),
            changes: watch::Sender::new(0),
            bell: Arc::default(),
            seat: Mutex::default(),
            asked: Mutex::default(),
        });
        for _ in 0..judges() {
            let (here, bell) = (Arc::downgrade(&office), Arc::clone(&office.bell));
            let (judge, workshop) = (thread::Builder::new(), workshop.clone());
            let judge = judge.name("judge".to_owned());
            judge.spawn(move || work(&here, &bell, &workshop))?;
        }
        Ok(Some(office))
    }

    pub(crate) fn league(&self) -> &League {
        &self.league
    }

    /// The remote programs.
    pub(crate) fn remotes(&self) -> &Remotes {
        &self.remotes
    }

    /// Changes whenever there is news for one of them.
    pub(crate) fn remote_news(&self) -> watch::Receiver<u64> {
        self.remote_news.subscribe()
    }

    /// Who judges here; `None` if another process does.
    fn judge(&self, workshop: &BuildSandbox) -> Result<Option<Arc<Judge>>, JudgeError> {
        let mut seat = self.seat.lock();
        if seat.is_none() {
            *seat = Judge::take_seat(&self.league, workshop)?.map(Arc::new);
        }
        Ok(seat.clone())
    }

    /// Where a version stands in the queue; `None` if it does not wait.
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

    /// The versions that are judged here now.
    pub(crate) fn under_way(&self) -> BTreeSet<VersionId> {
        let judge = self.seat.lock().clone();
        judge.map_or_else(BTreeSet::new, |judge| judge.under_way())
    }

    /// What is done with a version that is judged.
    pub(crate) fn step_of(&self, id: &VersionId) -> Option<String> {
        self.told.lock().get(id)?.step().map(str::to_owned)
    }

    /// How strong the sandbox is in which programs are judged.
    pub(crate) fn sandbox_level(&self) -> u8 {
        self.sandbox_level
    }

    /// Keeps an archive until its author says which file is the program, or others come; the name to
    /// ask for it by.
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

    /// An archive that is kept under this name for this entrant.
    pub(crate) fn take_asked(&self, name: &str, entrant: &str) -> Option<Submission> {
        let mut asked = self.asked.lock();
        let is_it = |(known, whose, _): &(String, String, Submission)| {
            !name.is_empty() && known == name && whose == entrant
        };
        let at = asked.iter().position(is_it)?;
        asked.remove(at).map(|(_, _, submission)| submission)
    }

    /// Says that something was sent.
    pub(crate) fn ring(&self) {
        self.bell.ring();
    }

    /// Changes with every event.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn tell(&self, id: &VersionId, progress: JudgeEvent) {
        let mut told = self.told.lock();
        if !told.contains_key(id) && told.len() >= AT_HAND {
            let over = told.iter().find(|(_, telling)| telling.is_over());
            match over.map(|(id, _)| id.clone()) {
                Some(over) => told.remove(&over),
                None => told.pop_first().map(|(_, telling)| telling),
            };
        }
        told.entry(id.clone()).or_default().add(progress);
        drop(told);
        self.changes.send_modify(|count| *count += 1);
    }

    /// The events of a version after the first `seen`, and the number of the first of them. Events that
    /// are not in memory come from the journal. The last event of a judged version is its verdict.
    pub(crate) fn told_after(&self, version: &Version, seen: usize) -> (usize, Vec<JudgeEvent>) {
        let told = self.told.lock();
        // Where another process came to the verdict, the journal has it.
        let is_whole = |telling: &&Telling| version.verdict.is_none() || telling.is_over();
        if let Some(telling) = told.get(&version.id).filter(is_whole) {
            return telling.after(seen);
        }
        drop(told);
        if version.verdict.is_none() {
            return (seen, Vec::new());
        }
        let mut lines = self.league.told(version).unwrap_or_default();
        // A reader may have seen more than the journal stores, and still needs the verdict.
        let from = seen.min(lines.len().saturating_sub(1));
        (from, lines.split_off(from))
    }
}

/// Judges as long as the office is there.
fn work(here: &Weak<LeagueService>, bell: &Bell, workshop: &BuildSandbox) {
    while let Some(office) = here.upgrade() {
        let rung = bell.count();
        let judged = office.judge(workshop).and_then(|judge| match judge {
            Some(judge) => judge.judge_next(&mut |id, progress| office.tell(id, progress)),
            // Another process judges: there is time.
            None => Ok(None),
        });
        // The versions in the queue have moved up.
        if matches!(judged, Ok(Some(_))) {
            office.changes.send_modify(|count| *count += 1);
        }
        drop(office);
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
