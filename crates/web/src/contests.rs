//! The contests of a folder: tournaments that are described there, and, in a league's folder, the ladder,
//! the finals and the games of remote programs; running or finished, here or in another process.
//!
//! Of each there is one standing, which follows its records: opening reads them all, and from then
//! on a look costs what was added since. One request at a time brings it up to date; others get it
//! as it was, or wait for the first one.

mod following;
mod listing;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Weak};

use axum::body::Bytes;
use floe_arena::history::RatingCurves;
use floe_arena::standings::Standings;
use floe_arena::store::Store;
use floe_games::record::Record;
use floe_league::description::Public;
use floe_league::finals::Freeze;
use parking_lot::Mutex as StdMutex;
use tokio::sync::Mutex;

pub(crate) use self::listing::{Faults, GameList, GameResult, Listed};

use self::following::{ContestFiles, Following};
use self::listing::list;

/// Name of a league's games with remote programs, in addresses.
const REMOTE: &str = "remote";

/// The contests of a folder and what is known of their results.
pub(crate) struct Contests {
    folder: PathBuf,
    /// The league that the folder is.
    own: Option<floe_league::League>,
    known: StdMutex<HashMap<String, Arc<Place>>>,
    work: Arc<Work>,
}

/// What was done since the start.
#[derive(Default)]
pub(crate) struct Work {
    /// Contests whose games were read from the first on.
    pub(crate) opened: AtomicU64,
    /// Tables that were made.
    pub(crate) tables: AtomicU64,
}

/// One contest of the folder.
struct Place {
    /// Locked while it is brought up to date or its games are read.
    following: Arc<Mutex<Following>>,
    newest: StdMutex<Option<Arc<Contest>>>,
    /// What is wrong with its description, and where.
    mistake: StdMutex<Option<String>>,
}

/// A contest and its table, as they are at some moment.
pub(crate) struct Contest {
    /// The name in addresses.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) game: &'static str,
    pub(crate) game_title: &'static str,
    pub(crate) records: PathBuf,
    /// Nothing before the first game.
    pub(crate) results: Option<Standings>,
    /// Of a ladder, newest versions that have not played yet, by the version that stands for them.
    pub(crate) unplayed: BTreeMap<String, String>,
    /// Why its games cannot be read.
    pub(crate) unreadable: Option<String>,
    /// How its ratings came about.
    pub(crate) history: Option<RatingCurves>,
    /// The part of it that is public.
    pub(crate) shown: Public,
    /// Whether a file describes it, by which it can be resumed.
    pub(crate) is_described: bool,
    /// Whether its entrants are versions that were sent to the league.
    pub(crate) is_own: bool,
    /// Whether it is the ladder of the league that the folder is.
    pub(crate) is_ladder: bool,
    /// Who plays and what was drawn, if it is finals.
    pub(crate) freeze: Option<Freeze>,
    /// The names of its finals, if it is a ladder.
    pub(crate) finals: Vec<String>,
    /// Pages that were made of it, packed, by what they show.
    pages: StdMutex<HashMap<String, Bytes>>,
    place: Weak<Mutex<Following>>,
}

impl Contests {
    pub(crate) fn new(folder: &Path, own: Option<floe_league::League>) -> Self {
        Contests {
            folder: folder.to_owned(),
            own,
            known: StdMutex::default(),
            work: Arc::default(),
        }
    }

    /// What was done since the start.
    pub(crate) fn work(&self) -> &Work {
        &self.work
    }

    /// Everything there is, by its name. Reads the folder.
    fn sources(&self) -> Vec<(String, ContestFiles)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten();
        let paths: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        let ending_in = |wanted: &'static str| {
            let ends = move |path: &&PathBuf| path.extension().is_some_and(|end| end == wanted);
            paths.iter().filter(ends).filter_map(|path| {
                let name = path.file_stem()?.to_str()?.to_owned();
                Some((name, path.clone()))
            })
        };
        let mut sources: Vec<(String, ContestFiles)> = ending_in("toml")
            .map(|(name, path)| (name, ContestFiles::Tournament(path)))
            .collect();
        // Matches have records alone; those of a league are not for all.
        if self.own.is_none() {
            for (name, path) in ending_in("jsonl") {
                if sources.iter().all(|(known, _)| *known != name) {
                    sources.push((name, ContestFiles::Records(path)));
                }
            }
        }
        if let Some(own) = &self.own {
            let description = own.description();
            sources.retain(|(name, _)| name != "league");
            let is_taken = |wanted: &str| sources.iter().any(|(name, _)| name == wanted);
            let name = match is_taken(&description.name) {
                true => "ladder".to_owned(),
                false => description.name.clone(),
            };
            if !is_taken(REMOTE) && own.remote_file().exists() {
                sources.push((REMOTE.to_owned(), ContestFiles::Remote(own.clone())));
            }
            let finals = own.look(|standing| standing.finals.clone());
            for freeze in finals.unwrap_or_default() {
                let source = ContestFiles::Finals(own.clone(), Box::new(freeze));
                sources.push((source.file_name(), source));
            }
            sources.push((name, ContestFiles::Ladder(own.clone())));
        }
        sources.sort_by(|(one, _), (other, _)| one.cmp(other));
        sources
    }

    /// The address of the ladder of the league that the folder is.
    pub(crate) fn ladder_address(&self) -> Option<String> {
        self.ladder_name().map(|name| address_of(&name))
    }

    /// The name of the ladder of the league that the folder is.
    pub(crate) fn ladder_name(&self) -> Option<String> {
        let mut sources = self.sources().into_iter();
        let found = sources.find(|(_, source)| matches!(source, ContestFiles::Ladder(_)));
        found.map(|(name, _)| name)
    }

    /// The contest whose games are published at the socket of this name, as addresses name it.
    pub(crate) fn name_of_socket(&self, socket: &str) -> Option<String> {
        let mut sources = self.sources().into_iter();
        let found = sources.find(|(_, source)| source.file_name() == socket);
        found.map(|(name, _)| name)
    }

    /// The public part of the games that are published at the socket of this name: all of it for a
    /// match of which nothing else is known.
    pub(crate) fn shown_of_socket(&self, socket: &str) -> Public {
        let Some(own) = &self.own else {
            return Public::Games;
        };
        let is_own = ["ladder", REMOTE].contains(&socket) || socket.starts_with("finals-");
        match is_own {
            true => own.description().public,
            false => Public::Games,
        }
    }

    /// All contests that can be read, looked at side by side.
    pub(crate) async fn all(&self) -> Vec<Arc<Contest>> {
        let sources = self.sources().into_iter();
        let newest = sources.map(|(name, source)| self.newest(name, source));
        let newest = futures_util::future::join_all(newest).await;
        newest.into_iter().flatten().collect()
    }

    /// The contest of this name with its newest results; nothing if there is none that can be
    /// read. Costs a look at three files unless they have changed.
    pub(crate) async fn find(&self, name: &str) -> Option<Arc<Contest>> {
        // Only names that are in the folder: an address is not a path.
        let mut sources = self.sources().into_iter();
        let (name, source) = sources.find(|(known, _)| known == name)?;
        self.newest(name, source).await
    }

    /// The games of a league with remote programs, if there are any.
    pub(crate) async fn remote_of(&self, ladder: &Contest) -> Option<Arc<Contest>> {
        match ladder.is_ladder {
            true => self.find(REMOTE).await.filter(|found| found.is_own),
            false => None,
        }
    }

    /// What is wrong with the description of the contest of this name, as it was last read.
    pub(crate) fn mistake(&self, name: &str) -> Option<String> {
        let known = self.known.lock();
        known.get(name)?.mistake.lock().clone()
    }

    async fn newest(&self, name: String, source: ContestFiles) -> Option<Arc<Contest>> {
        let place = {
            let mut known = self.known.lock();
            let place = known.entry(name.clone());
            let make = || Place::new(Following::new(name, source, Arc::clone(&self.work)));
            Arc::clone(place.or_insert_with(|| Arc::new(make())))
        };
        let following = match Arc::clone(&place.following).try_lock_owned() {
            Ok(following) => following,
            // Another request brings it up to date.
            Err(_) => match place.newest() {
                Some(newest) => return Some(newest),
                None => Arc::clone(&place.following).lock_owned().await,
            },
        };
        // Files are read off the threads that answer.
        let looked = tokio::task::spawn_blocking(move || {
            let (mut following, place) = (following, place);
            let found = following.look(&place.following);
            let mistake = following.mistake().map(str::to_owned);
            *place.mistake.lock() = mistake;
            let found = found?;
            let mut newest = place.newest.lock();
            *newest = Some(Arc::clone(&found));
            Some(found)
        });
        match looked.await {
            Ok(found) => found,
            Err(error) => {
                tracing::error!(%error, "no results");
                None
            }
        }
    }
}

/// What addresses of the contest of this name begin with.
fn address_of(name: &str) -> String {
    // A name is escaped as templates do it, byte by byte.
    let escaped = |byte: u8| match byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    format!("/league/{}", name.bytes().map(escaped).collect::<String>())
}

impl Place {
    fn new(following: Following) -> Place {
        Place {
            following: Arc::new(Mutex::new(following)),
            newest: StdMutex::default(),
            mistake: StdMutex::default(),
        }
    }

    fn newest(&self) -> Option<Arc<Contest>> {
        let newest = self.newest.lock();
        newest.clone()
    }
}

impl Contest {
    /// What addresses of this league begin with.
    pub(crate) fn address(&self) -> String {
        address_of(&self.name)
    }

    /// A page that is the same as long as nothing changes here: made once, and packed with gzip.
    pub(crate) fn page<E>(
        &self,
        what: String,
        make: impl FnOnce() -> Result<Bytes, E>,
    ) -> Result<Bytes, E> {
        let pages = || self.pages.lock();
        if let Some(page) = pages().get(&what) {
            return Ok(page.clone());
        }
        // Concurrent misses render twice rather than block.
        let page = make()?;
        pages().insert(what, page.clone());
        Ok(page)
    }

    /// How much is played, in words.
    pub(crate) fn progress(&self) -> String {
        match &self.results {
            None if self.unreadable.is_some() => "its games cannot be read".to_owned(),
            None => "no game is finished yet".to_owned(),
            Some(results) => results.progress(),
        }
    }

    /// Whether everything is played.
    pub(crate) fn is_finished(&self) -> bool {
        (self.results.as_ref()).is_some_and(|results| results.is_finished)
    }

    /// What the games under way are said to be of: the name of their socket.
    pub(crate) fn socket_name(&self) -> String {
        let stem = self.records.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// The entrant that submitted this version, if it was submitted.
    pub(crate) fn entrant_of<'a>(&self, name: &'a str) -> Option<&'a str> {
        let (entrant, _) = name.rsplit_once('#').filter(|_| self.is_own)?;
        Some(entrant)
    }

    /// Reads from the store, which is open already; nothing before there is a game.
    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Store) -> Option<T> + Send + 'static,
    ) -> Option<T> {
        let following = self.place.upgrade()?.lock_owned().await;
        let read = tokio::task::spawn_blocking(move || read(following.store()?));
        read.await.ok()?
    }

    /// A part of the games that pass, by their numbers. Costs what it shows.
    pub(crate) async fn games(&self, listed: Listed) -> GameList {
        let list = self.read(move |store| list(store, &listed));
        list.await.unwrap_or_default()
    }

    /// The versions of an entrant of the league that have played, in their order.
    pub(crate) async fn versions(&self, entrant: &str) -> Vec<String> {
        let begin = format!("{entrant}#");
        let versions = self.read(move |store| {
            let names = store.entrants().iter().map(|entrant| &entrant.name);
            let versions = names.filter(|name| name.starts_with(&begin));
            Some(versions.cloned().collect())
        });
        versions.await.unwrap_or_default()
    }

    /// The record of a game, by its number as people count.
    pub(crate) async fn record(&self, id: u64) -> Option<Record> {
        self.read(move |store| {
            let game = store.game(id.checked_sub(1)?).ok()??;
            store.record(&game).ok()?
        })
        .await
    }
}
