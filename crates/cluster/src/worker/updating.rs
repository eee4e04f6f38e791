//! Taking the organiser's binary in place of this one.
//!
//! An offer is checked before anything is fetched: the signature, the kind of machine, and that the
//! binary is neither this one nor one that this worker was updated from. A refused offer is reported
//! once, and nothing is fetched for it again. Once the new binary is there and has answered
//! `--version`, the worker takes no more batches, and its caller starts the binary.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::{News, Worker};
use crate::error::ClusterError;
use crate::update::{self, Refusal, UpdateKey};
use crate::wire::{Offer, sha256};

/// A binary to start in place of this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The binary's file.
    pub path: PathBuf,
    /// All binaries that this worker was updated from, this one included.
    pub left: Vec<String>,
}

/// A worker's state of updates.
#[derive(Debug)]
pub(super) struct Updating {
    key: UpdateKey,
    /// The folder for binaries.
    folder: PathBuf,
    /// Binaries that this worker was updated from.
    left: Vec<String>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The SHA-256 of the running binary, computed when first needed.
    own: Option<String>,
    /// Whether an offer is being checked.
    is_busy: bool,
    /// Offers that were decided already.
    settled: HashSet<Offer>,
    /// The last failure to fetch a binary.
    failure: Option<String>,
    /// The binary to start next.
    ready: Option<Update>,
}

/// The reason why an offer is refused.
enum Not {
    /// The binary is running already.
    Needed,
    /// The offer is refused for good.
    Refused(Refusal),
    /// The offer may succeed later.
    Failed(String),
}

impl From<Refusal> for Not {
    fn from(refusal: Refusal) -> Not {
        Not::Refused(refusal)
    }
}

impl From<ClusterError> for Not {
    fn from(error: ClusterError) -> Not {
        Not::Failed(error.to_string())
    }
}

impl Updating {
    pub(super) fn new(
        key: &Path,
        folder: &Path,
        left: &[String],
    ) -> Result<Updating, ClusterError> {
        Ok(Updating {
            key: UpdateKey::read(key)?,
            folder: folder.to_owned(),
            left: left.to_vec(),
            state: Mutex::default(),
        })
    }

    /// The binary to start once no game is in progress.
    pub(super) fn ready(&self) -> Option<Update> {
        self.state.lock().ready.clone()
    }

    /// Whether an offer needs to be checked; if so, no other offer is checked until this one is
    /// done.
    fn begins(&self, offer: &Offer) -> bool {
        let mut state = self.state.lock();
        let is_open = state.ready.is_none() && !state.settled.contains(offer);
        is_open && !std::mem::replace(&mut state.is_busy, true)
    }

    /// The SHA-256 of the running binary.
    fn own(&self) -> Result<String, Not> {
        if let Some(own) = self.state.lock().own.clone() {
            return Ok(own);
        }
        let binary = update::own_binary();
        let own = sha256(&binary.map_err(|e| Not::Failed(format!("the running binary: {e}")))?);
        self.state.lock().own = Some(own.clone());
        Ok(own)
    }

    /// Checks everything about an offer but its bytes, and finds its path; nothing is fetched for
    /// an offer that fails here. Also lists all earlier binaries.
    fn check(&self, offer: &Offer) -> Result<Update, Not> {
        self.key.check(offer)?;
        let own = self.own()?;
        if offer.sha256 == own {
            return Err(Not::Needed);
        }
        if self.left.contains(&offer.sha256) {
            return Err(Refusal::Left.into());
        }
        let mut left = self.left.clone();
        left.push(own);
        Ok(Update {
            path: update::place(&self.folder, offer),
            left,
        })
    }
}

/// Checks the bytes of an offered binary, writes them, and starts them once to see that they work.
fn store(path: &Path, offer: &Offer, binary: &[u8]) -> Result<(), Not> {
    if sha256(binary) != offer.sha256 {
        return Err(Refusal::Bytes.into());
    }
    let failed = |e: std::io::Error| Not::Failed(format!("{}: {e}", path.display()));
    if path.exists() && !update::is_there(path, offer) {
        std::fs::remove_file(path).map_err(failed)?;
    }
    update::write(path, binary).map_err(failed)
}

impl Worker {
    /// Checks an offer in the background.
    pub(super) fn consider(self: &Arc<Self>, offer: Offer) {
        let begins = |updating: &Updating| updating.begins(&offer);
        if !self.updating.as_ref().is_some_and(begins) {
            return;
        }
        let worker = Arc::clone(self);
        tokio::spawn(async move {
            if let Some(updating) = &worker.updating {
                let taken = worker.take_update(&offer).await;
                worker.conclude(updating, offer, taken);
                worker.announce().await;
            }
        });
    }

    async fn take_update(self: &Arc<Self>, offer: &Offer) -> Result<Update, Not> {
        let checked = self.beside(offer, Updating::check);
        let update = checked.await?;
        let path = update.path.clone();
        let is_there = {
            let path = path.clone();
            self.beside(offer, move |_, offer| Ok(update::is_there(&path, offer)))
        };
        if !is_there.await? {
            let binary = update::fetch(&self.link, offer).await?;
            let path = path.clone();
            let stored = self.beside(offer, move |_, offer| store(&path, offer, &binary));
            stored.await?;
        }
        let started = self.beside(offer, move |_, offer| {
            Ok(update::check_start(&path, &offer.version)?)
        });
        started.await?;
        Ok(update)
    }

    /// Reads, writes and starts files without holding up the worker's messages.
    async fn beside<T: Send + 'static>(
        self: &Arc<Self>,
        offer: &Offer,
        work: impl FnOnce(&Updating, &Offer) -> Result<T, Not> + Send + 'static,
    ) -> Result<T, Not> {
        let (worker, offer) = (Arc::clone(self), offer.clone());
        let working = tokio::task::spawn_blocking(move || match &worker.updating {
            Some(updating) => work(updating, &offer),
            None => Err(Not::Needed),
        });
        let done = working.await;
        done.unwrap_or_else(|error| Err(Not::Failed(error.to_string())))
    }

    /// Stores the outcome of an offer, and reports it once.
    fn conclude(&self, updating: &Updating, offer: Offer, taken: Result<Update, Not>) {
        let version = offer.version.clone();
        let mut state = updating.state.lock();
        state.is_busy = false;
        let news = match taken {
            Ok(update) => {
                state.ready = Some(update);
                Some(News::Updates { version })
            }
            Err(Not::Needed) => {
                state.settled.insert(offer);
                None
            }
            Err(Not::Refused(refusal)) => {
                state.settled.insert(offer);
                let cause = refusal.to_string();
                Some(News::NotUpdated { version, cause })
            }
            Err(Not::Failed(cause)) => {
                let is_new = state.failure.as_ref() != Some(&cause);
                state.failure = Some(cause.clone());
                is_new.then_some(News::NotUpdated { version, cause })
            }
        };
        drop(state);
        if let Some(news) = news {
            self.tell(news);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{self, ConfigOptions, read_key};

    #[test]
    fn a_binary_that_was_left_is_not_taken_again() {
        let home = tempfile::tempdir().unwrap();
        let written = config::write(&ConfigOptions::new(&home.path().join("cluster")));
        let written = written.unwrap();
        let key = read_key(&written.organiser).unwrap();
        let offer = |bytes: &[u8]| update::sign(&key, "1.2.3", &update::machine(), bytes).unwrap();
        let left = [sha256(b"before")];
        let updating = Updating::new(&written.updates, home.path(), &left).unwrap();
        let checked = updating.check(&offer(b"before"));
        assert!(matches!(checked, Err(Not::Refused(Refusal::Left))));
        let own = update::own_binary().unwrap();
        let checked = updating.check(&offer(&own));
        assert!(matches!(checked, Err(Not::Needed)));
        let Ok(taken) = updating.check(&offer(b"new")) else {
            panic!("it is neither");
        };
        assert_eq!(taken.left, [sha256(b"before"), sha256(&own)]);
    }
}
