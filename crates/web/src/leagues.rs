//! The tournaments of a folder: running or finished, here or in another process.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use floe_arena::store::{Filter, GameSummary, Store};
use floe_arena::tournament::{Description, Results, Tournament};
use floe_games::record::Record;

/// The descriptions in a folder and what is known of their results.
pub(crate) struct Leagues {
    folder: PathBuf,
    /// What was last made of each, with the state of its files then.
    known: Mutex<HashMap<String, (Stamp, Arc<League>)>>,
}

/// A tournament and its table.
pub(crate) struct League {
    /// The name in addresses: that of its file.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) game: &'static str,
    pub(crate) game_title: &'static str,
    pub(crate) records: PathBuf,
    /// Nothing before the first game.
    pub(crate) results: Option<Results>,
}

/// What tells whether files have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp([Option<(u64, Option<SystemTime>)>; 2]);

impl Stamp {
    fn of(description: &Path, records: &Path) -> Self {
        Stamp([stamp(description), stamp(records)])
    }
}

/// A list of games that pages show.
pub(crate) struct GameList {
    pub(crate) games: Vec<GameSummary>,
    pub(crate) names: Vec<String>,
}

impl Leagues {
    pub(crate) fn new(folder: &Path) -> Self {
        Leagues {
            folder: folder.to_owned(),
            known: Mutex::default(),
        }
    }

    /// The names of all tournaments there are. Reads the folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "toml"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        names.sort_unstable();
        names
    }

    /// All tournaments that can be read.
    pub(crate) fn all(&self) -> Vec<Arc<League>> {
        let names = self.names().into_iter();
        names.filter_map(|name| self.find(&name)).collect()
    }

    /// The tournament of this name with its newest results; nothing if there is none that can be
    /// read. Costs a look at two files unless they have changed.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<League>> {
        // Only names that are in the folder: an address is not a path.
        if !self.names().iter().any(|known| known == name) {
            return None;
        }
        let file = self.folder.join(format!("{name}.toml"));
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((then, league)) = known.get(name)
            && *then == Stamp::of(&file, &league.records)
        {
            return Some(Arc::clone(league));
        }
        drop(known);
        // Reading a description hashes the programs it names.
        let description = Description::load(&file).ok()?;
        let stamp = Stamp::of(&file, &description.records);
        let league = Arc::new(League {
            name: name.to_owned(),
            title: description.name.clone(),
            game: description.game.name(),
            game_title: description.game.title(),
            records: description.records.clone(),
            results: (description.records.exists())
                .then(|| Tournament::look(description))
                .and_then(|tournament| match tournament {
                    Ok(tournament) => Some(tournament.results()),
                    Err(error) => {
                        tracing::warn!(name, %error, "cannot read the results");
                        None
                    }
                }),
        });
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(name.to_owned(), (stamp, Arc::clone(&league)));
        Some(league)
    }
}

impl League {
    /// The games that pass, by their numbers.
    pub(crate) fn games(&self, of: Option<&str>, faulty: bool, most: u64) -> Option<GameList> {
        let store = Store::look(&self.records).ok()?;
        let names: Vec<String> = (store.entrants().iter())
            .map(|entrant| entrant.name.clone())
            .collect();
        let entrants = match of {
            Some(name) => vec![names.iter().position(|known| known == name)?],
            None => Vec::new(),
        };
        let filter = Filter {
            entrants,
            faulty,
            most: Some(most),
            ..Filter::default()
        };
        let mut games = Vec::new();
        store.each(&filter, |game| games.push(game)).ok()?;
        Some(GameList { games, names })
    }

    /// The record of a game.
    pub(crate) fn record(&self, number: u64) -> Option<Record> {
        let store = Store::look(&self.records).ok()?;
        let game = store.game(number).ok()??;
        store.record(&game).ok()?
    }
}

fn stamp(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let data = fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()))
}
