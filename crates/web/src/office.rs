//! The league of the folder: what is sent to it is judged in a thread of its own, and whoever may
//! know follows along.

mod telling;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use floe_league::remote::Remotes;
use floe_league::{Judge, League, Progress, Version, VersionId, Workshop};
use tokio::sync::watch;

use self::telling::Telling;

/// How often the journal is looked at for what other processes wrote.
const LOOK: Duration = Duration::from_millis(500);
/// How long the machine may rest after trouble.
const REST: Duration = Duration::from_secs(2);
/// Of how many versions everything that was told is kept at hand; of the others, the log is.
const AT_HAND: usize = 64;

/// The league of the folder, and what is told about versions that are judged.
pub(crate) struct Office {
    league: League,
    told: Mutex<BTreeMap<VersionId, Telling>>,
    /// Counts whatever is told.
    changes: watch::Sender<u64>,
    bell: Arc<Bell>,
    remotes: Remotes,
    /// Counts whatever is told to programs that play from home.
    remote_news: watch::Sender<u64>,
}

/// Rung when something was sent.
#[derive(Default)]
struct Bell {
    rung: Mutex<bool>,
    heard: Condvar,
}

impl Bell {
    fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.heard.notify_all();
    }

    fn wait(&self, most: Duration) {
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.heard.wait_timeout_while(rung, most, |rung| !*rung);
        let (mut rung, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *rung = false;
    }
}

impl Office {
    /// The office of a folder that is a league's, and somebody in it who judges; nothing if the
    /// folder is none.
    pub(crate) fn open(folder: &Path, helper: &Path) -> io::Result<Option<Arc<Office>>> {
        if !League::is_at(folder) {
            return Ok(None);
        }
        let league = League::open(folder).map_err(io::Error::other)?;
        let level = league.description().sandbox;
        let workshop = Workshop::find(helper, level).map_err(io::Error::other)?;
        let remote_news = watch::Sender::new(0);
        let ring = remote_news.clone();
        let ring = move || ring.send_modify(|count| *count += 1);
        let office = Arc::new(Office {
            remotes: Remotes::new(&league, workshop.sandbox(), ring),
            remote_news,
            league,
            told: Mutex::default(),
            changes: watch::Sender::new(0),
            bell: Arc::default(),
        });
        let (here, bell) = (Arc::downgrade(&office), Arc::clone(&office.bell));
        let judge = thread::Builder::new().name("judge".to_owned());
        judge.spawn(move || work(&here, &bell, &workshop))?;
        Ok(Some(office))
    }

    pub(crate) fn league(&self) -> &League {
        &self.league
    }

    /// Those who play from home.
    pub(crate) fn remotes(&self) -> &Remotes {
        &self.remotes
    }

    /// Changes whenever there is news for one of them.
    pub(crate) fn remote_news(&self) -> watch::Receiver<u64> {
        self.remote_news.subscribe()
    }

    /// Says that something was sent.
    pub(crate) fn ring(&self) {
        self.bell.ring();
    }

    /// Changes whenever something is told.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn tell(&self, id: &VersionId, progress: Progress) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Everything told about a version after the first so many, and how many there are before
    /// that; what is not at hand comes from the journal. The last of a version that is judged is its
    /// verdict.
    pub(crate) fn told_after(&self, version: &Version, seen: usize) -> (usize, Vec<Progress>) {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
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
        // Whoever was told more at the time, which the journal does not keep, still needs the verdict.
        let from = seen.min(lines.len().saturating_sub(1));
        (from, lines.split_off(from))
    }
}

/// Judges as long as the office is there.
fn work(here: &Weak<Office>, bell: &Bell, workshop: &Workshop) {
    let mut seat: Option<Judge> = None;
    while let Some(office) = here.upgrade() {
        let judged = match &seat {
            Some(judge) => judge.judge_next(&mut |id, progress| office.tell(id, progress)),
            None => match Judge::take_seat(&office.league, workshop) {
                Ok(judge) => {
                    seat = judge;
                    // Somebody else judges: there is time.
                    if seat.is_some() {
                        continue;
                    }
                    Ok(None)
                }
                Err(error) => Err(error.into()),
            },
        };
        drop(office);
        match judged {
            Ok(Some(_)) => {}
            Ok(None) => bell.wait(LOOK),
            Err(error) => {
                tracing::error!(%error, "a version could not be judged; it stays in the queue");
                bell.wait(REST);
            }
        }
    }
}
