//! Every game in progress: of people on this server, and of matches and tournaments that other
//! processes play in the folder.

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
/// Most processes to follow.
const SOURCES: usize = 16;
/// Most games known of one process.
const GAMES: usize = 64;
/// Most games per page.
pub(crate) const SHOWN: usize = 12;

/// The games of other processes. Clones share them.
#[derive(Clone)]
pub(crate) struct ExternalGames(Arc<Shared>);

struct Shared {
    folder: PathBuf,
    games: Mutex<BTreeMap<String, Arc<ExternalGame>>>,
    /// The sockets being followed.
    sources: Mutex<HashSet<PathBuf>>,
    /// Changes when a game begins or ends.
    listing: watch::Sender<u64>,
}

/// A game in a list.
#[derive(Serialize)]
pub(crate) struct TableEntry {
    pub(crate) id: String,
    pub(crate) href: String,
    pub(crate) title: &'static str,
    pub(crate) players: Vec<String>,
    /// The match or tournament of the game: the name of its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) of: Option<String>,
    /// The moves of the opening, if there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) opening: Vec<String>,
}

/// A game in progress, of this process or another one.
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

    /// The changes after a version, and the time of the current turn; the whole state for a client
    /// without a version, or with one that is too old.
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

/// The public games, people's first, and those of sockets whose names `passes` accepts; or those
/// of one match or tournament.
pub(crate) fn under_way(
    hosted: &HostedGames,
    far: &ExternalGames,
    of: Option<&str>,
    passes: impl Fn(&str) -> bool,
) -> Vec<LiveGame> {
    let mut games: Vec<LiveGame> = match of {
        None => {
            let here = hosted.public(SHOWN / 2);
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

    /// Follows every process that plays in the folder now and was not followed yet.
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

    /// Follows the process at this socket, if there is one.
    pub(crate) fn listen(&self, path: PathBuf) {
        let mut sources = self.0.sources.lock();
        if sources.len() >= SOURCES || sources.contains(&path) {
            return;
        }
        // A socket without a process refuses the connection.
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

    /// The game with this ID.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<ExternalGame>> {
        self.0.games.lock().get(id).cloned()
    }

    /// The games in progress, of one match or tournament or of all, in the order they began.
    fn under_way(&self, of: Option<&str>) -> Vec<Arc<ExternalGame>> {
        let mut games: Vec<Arc<ExternalGame>> = (self.0.games.lock().values())
            .filter(|game| !game.is_over() && of.is_none_or(|of| of == game.source()))
            .cloned()
            .collect();
        games.sort_by_key(|game| game.began());
        games
    }
}

/// A process being followed.
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

    /// The name of a game in addresses: the same while it is played.
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
                    // An impossible record is skipped silently, since the page only shows games.
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

    /// Removes the games of this process.
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

/// Removes finished games first, and then the oldest.
fn make_room(games: &mut BTreeMap<String, Arc<ExternalGame>>) {
    while games.len() >= GAMES {
        let first = (games.iter())
            .min_by_key(|(_, game)| (!game.is_over(), game.began()))
            .map(|(id, _)| id.clone());
        let Some(first) = first else { return };
        games.remove(&first);
    }
}
