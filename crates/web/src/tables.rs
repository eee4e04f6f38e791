//! Every table at which a game is played now: of people here, and of matches and tournaments that
//! other processes of this machine play in the folder.

mod far;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use data_encoding::HEXLOWER;
use floe_arena::live::{LiveEvent, LiveReader};
use parking_lot::Mutex;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::sync::watch;

pub(crate) use far::ExternalGame;

use crate::feed::Update;
use crate::hosted::{HostedGames, Table};

/// Interval between looks through the folder while there are watchers.
const LOOK: Duration = Duration::from_secs(1);
/// How many processes are listened to at once.
const SOURCES: usize = 16;
/// How many of their games are known at once.
const GAMES: usize = 64;
/// How many tables a page shows.
pub(crate) const SHOWN: usize = 12;

/// The games that other processes play. Clones are the same.
#[derive(Clone)]
pub(crate) struct ExternalGames(Arc<Shared>);

struct Shared {
    folder: PathBuf,
    games: Mutex<BTreeMap<String, Arc<ExternalGame>>>,
    /// The sockets that are listened to.
    sources: Mutex<HashSet<PathBuf>>,
    /// Changes when a game begins or ends.
    listing: watch::Sender<u64>,
}

/// A table, as lists show it.
#[derive(Serialize)]
pub(crate) struct TableEntry {
    pub(crate) id: String,
    pub(crate) href: String,
    pub(crate) title: &'static str,
    pub(crate) players: Vec<String>,
    /// The match or tournament it is of: the name of its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) of: Option<String>,
    /// The moves of the opening, where there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) opening: Vec<String>,
}

/// A game under way, wherever it is played.
pub(crate) enum LiveGame {
    Here(Arc<Table>),
    Far(Arc<ExternalGame>),
}

impl LiveGame {
    pub(crate) fn entry(&self) -> TableEntry {
        match self {
            LiveGame::Here(table) => TableEntry {
                id: table.id().to_owned(),
                href: format!("/game/{}", table.id()),
                title: table.game().title(),
                players: (table.labels(None).into_iter())
                    .map(|label| label.name)
                    .collect(),
                of: None,
                opening: Vec::new(),
            },
            LiveGame::Far(game) => TableEntry {
                id: game.id().to_owned(),
                href: format!("/live/{}", game.id()),
                title: game.title(),
                players: game.names().to_vec(),
                of: Some(game.source().to_owned()),
                opening: game.opening().to_vec(),
            },
        }
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        match self {
            LiveGame::Here(table) => table.changes(),
            LiveGame::Far(game) => game.changes(),
        }
    }

    /// What has changed after a version, and how long the turn has lasted; the whole state for a
    /// client that names no version or one that is too old.
    pub(crate) fn updates(&self, version: Option<usize>) -> (Vec<Update>, Option<u64>) {
        match self {
            LiveGame::Here(table) => table.updates(version),
            LiveGame::Far(game) => (game.updates(version), None),
        }
    }

    pub(crate) fn state(&self) -> Update {
        match self {
            LiveGame::Here(table) => table.state(),
            LiveGame::Far(game) => game.state(),
        }
    }
}

/// The public games, people's first, and those of sockets whose names pass; or those of one match
/// or tournament.
pub(crate) fn under_way(
    hall: &HostedGames,
    far: &ExternalGames,
    of: Option<&str>,
    passes: impl Fn(&str) -> bool,
) -> Vec<LiveGame> {
    let mut games: Vec<LiveGame> = match of {
        None => {
            let here = hall.public(SHOWN / 2);
            here.into_iter().map(LiveGame::Here).collect()
        }
        Some(_) => Vec::new(),
    };
    let far = far.under_way(of).into_iter();
    games.extend(far.filter(|game| passes(game.source())).map(LiveGame::Far));
    games.truncate(SHOWN);
    games
}

impl ExternalGames {
    /// The tables of a folder; `listing` changes when a game begins or ends.
    pub(crate) fn new(folder: &Path, listing: watch::Sender<u64>) -> Self {
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            games: Mutex::default(),
            sources: Mutex::default(),
            listing,
        });
        let watching = Arc::downgrade(&shared);
        let look = move || {
            loop {
                thread::sleep(LOOK);
                let Some(shared) = watching.upgrade() else {
                    return;
                };
                if shared.listing.receiver_count() > 0 {
                    ExternalGames(shared).look();
                }
            }
        };
        let thread = thread::Builder::new().name("tables".to_owned());
        if let Err(error) = thread.spawn(look) {
            tracing::warn!(%error, "games of other processes are found late");
        }
        ExternalGames(shared)
    }

    /// Listens to every process that plays in the folder now and was not listened to yet.
    pub(crate) fn look(&self) {
        let Ok(entries) = fs::read_dir(&self.0.folder) else {
            return;
        };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.extension().is_some_and(|end| end == "live") {
                self.listen(path);
            }
        }
    }

    /// Listens to the process at this socket, if there is one.
    pub(crate) fn listen(&self, path: PathBuf) {
        let mut sources = self.0.sources.lock();
        if sources.len() >= SOURCES || sources.contains(&path) {
            return;
        }
        // One that was left behind is refused.
        let Ok(events) = LiveReader::connect(&path) else {
            return;
        };
        let source = ContestFiles {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into(),
            path: path.clone(),
            shared: Arc::downgrade(&self.0),
        };
        let thread = thread::Builder::new().name("far tables".to_owned());
        if thread.spawn(move || source.follow(events)).is_ok() {
            sources.insert(path);
        }
    }

    /// The game of this id.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<ExternalGame>> {
        self.0.games.lock().get(id).cloned()
    }

    /// The games that are played now, of one match or tournament or of all, in the order they
    /// began.
    fn under_way(&self, of: Option<&str>) -> Vec<Arc<ExternalGame>> {
        let mut games: Vec<Arc<ExternalGame>> = (self.0.games.lock().values())
            .filter(|game| !game.is_over() && of.is_none_or(|of| of == game.source()))
            .cloned()
            .collect();
        games.sort_by_key(|game| game.began());
        games
    }
}

/// A process that is listened to.
struct ContestFiles {
    name: String,
    path: PathBuf,
    shared: Weak<Shared>,
}

impl ContestFiles {
    fn follow(&self, events: LiveReader) {
        for event in events {
            let Some(shared) = self.shared.upgrade() else {
                return;
            };
            self.take(&shared, event);
        }
        let Some(shared) = self.shared.upgrade() else {
            return;
        };
        self.forget(&shared);
        shared.sources.lock().remove(&self.path);
    }

    /// The name of a game in addresses: the same as long as it is played.
    fn id(&self, game: &str) -> String {
        let mut hasher = Sha256::new();
        hasher.update(self.path.as_os_str().as_encoded_bytes());
        hasher.update([0]);
        hasher.update(game);
        HEXLOWER.encode(&hasher.finalize()[..8])
    }

    fn take(&self, shared: &Shared, event: LiveEvent) {
        match event {
            LiveEvent::Line { game, line } => {
                let id = self.id(&game);
                let known = shared.games.lock().get(&id).cloned();
                let is_listed = match known.filter(|known| known.take(&line)) {
                    Some(known) => known.is_over(),
                    // Nothing is said of what cannot be: it is for eyes.
                    None => match ExternalGame::begin(id.clone(), &self.name, line) {
                        Some(begun) => {
                            let mut games = shared.games.lock();
                            make_room(&mut games);
                            games.insert(id, Arc::new(begun));
                            true
                        }
                        None => shared.games.lock().remove(&id).is_some(),
                    },
                };
                if is_listed {
                    shared.listing.send_modify(|count| *count += 1);
                }
            }
            LiveEvent::Abandoned { game, .. } => {
                if let Some(game) = shared.games.lock().remove(&self.id(&game)) {
                    game.break_off();
                    shared.listing.send_modify(|count| *count += 1);
                }
            }
            LiveEvent::Missed { .. } => self.forget(shared),
            LiveEvent::Progress { .. } => {}
        }
    }

    /// Forgets the games of this process.
    fn forget(&self, shared: &Shared) {
        shared.games.lock().retain(|_, game| {
            let is_other = game.source() != self.name;
            if !is_other {
                game.break_off();
            }
            is_other
        });
        shared.listing.send_modify(|count| *count += 1);
    }
}

/// Games that are over go first, and then the oldest.
fn make_room(games: &mut BTreeMap<String, Arc<ExternalGame>>) {
    while games.len() >= GAMES {
        let first = (games.iter())
            .min_by_key(|(_, game)| (!game.is_over(), game.began()))
            .map(|(id, _)| id.clone());
        let Some(first) = first else { return };
        games.remove(&first);
    }
}
