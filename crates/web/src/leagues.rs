//! The tournaments of a folder: running or finished, here or in another process.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use floe_arena::history::History;
use floe_arena::store::{Filter, GameSummary, Store};
use floe_arena::tournament::{Description, Results, Tournament, TournamentError};
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
    /// How its ratings came about; kept from one look to the next, so that a look costs the games
    /// since the last.
    pub(crate) history: Option<History>,
    /// When its file of records was made, where the system says.
    made: Option<SystemTime>,
}

/// What tells whether files have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp([Option<(u64, Option<SystemTime>)>; 2]);

impl Stamp {
    fn of(description: &Path, records: &Path) -> Self {
        Stamp([stamp(description), stamp(records)])
    }

    /// Whether the description is as it was, and the records at least as long.
    fn grew_to(&self, now: &Stamp) -> bool {
        let length = |stamp: &Stamp| stamp.0[1].map_or(0, |(length, _)| length);
        self.0[0] == now.0[0] && length(self) <= length(now)
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

    /// Where they are described.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
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
        let before = known.get(name).cloned();
        drop(known);
        if let Some((then, league)) = &before
            && *then == Stamp::of(&file, &league.records)
        {
            return Some(Arc::clone(league));
        }
        // Reading a description hashes the programs it names.
        let description = Description::load(&file).ok()?;
        let stamp = Stamp::of(&file, &description.records);
        let mut league = League {
            name: name.to_owned(),
            title: description.name.clone(),
            game: description.game.name(),
            game_title: description.game.title(),
            records: description.records.clone(),
            results: None,
            history: None,
            made: made(&description.records),
        };
        if description.records.exists() {
            // A history goes on if its file does.
            let history = before.and_then(|(then, before)| {
                let goes_on = then.grew_to(&stamp) && before.made == league.made;
                before.history.clone().filter(|_| goes_on)
            });
            match look(description, history) {
                Ok((results, history)) => {
                    league.results = Some(results);
                    league.history = Some(history);
                }
                Err(error) => tracing::warn!(name, %error, "cannot read the results"),
            }
        }
        let league = Arc::new(league);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(name.to_owned(), (stamp, Arc::clone(&league)));
        Some(league)
    }
}

impl League {
    /// What addresses of this league begin with.
    pub(crate) fn address(&self) -> String {
        // A name is escaped as templates do it, byte by byte.
        let escaped = |byte: u8| match byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        };
        format!(
            "/league/{}",
            self.name.bytes().map(escaped).collect::<String>()
        )
    }

    /// The file of records, as it is typed in the folder of the league.
    pub(crate) fn records_word(&self, folder: &Path) -> String {
        let path = self.records.strip_prefix(folder).unwrap_or(&self.records);
        shell_words::quote(&path.to_string_lossy()).into_owned()
    }

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

    /// The record of a game, by its number as people count.
    pub(crate) fn record(&self, id: u64) -> Option<Record> {
        let store = Store::look(&self.records).ok()?;
        let game = store.game(id.checked_sub(1)?).ok()??;
        store.record(&game).ok()?
    }
}

/// The table of a tournament, and its history, which may be known in part.
fn look(
    description: Description,
    history: Option<History>,
) -> Result<(Results, History), TournamentError> {
    let names = description.entrants.iter();
    let names: Vec<String> = names.map(|entrant| entrant.name.clone()).collect();
    let mut history = history.unwrap_or_else(|| History::new(names, description.table));
    let tournament = Tournament::look(description)?;
    history.catch_up(tournament.store())?;
    Ok((tournament.results(), history))
}

/// When a file was made, where the system says: one that was replaced is another.
fn made(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.created().ok()
}

fn stamp(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let data = fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()))
}
