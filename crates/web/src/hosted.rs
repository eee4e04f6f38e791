//! The games people play on the pages, and the tasks that run them.

mod act;
mod finished;
mod guests;
mod lent;
mod progress;
mod standing;
mod table;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use floe_games::AnyPosition;
use parking_lot::Mutex;
use tokio::sync::watch;

pub(crate) use act::ActError;
pub(crate) use finished::FinishedGame;
pub(crate) use guests::{Guests, SeatHolder};
pub(crate) use lent::Onlooker;
pub(crate) use standing::Standing;
pub(crate) use table::{NextStep, OpenGame, Table};

use self::finished::Finished;
use crate::client::Client;
use crate::engine_pool::{EngineJob, EnginePool};
use crate::token::{TokenHash, fresh_id};

/// Most waiting games shown.
const OPEN: usize = 12;
/// Thinking time of an engine whose spec sets no limit.
const USUAL: Duration = Duration::from_secs(1);
/// Games beyond this number leave memory when no client watches them; they stay in their files.
const IN_MEMORY: usize = 1000;
/// Idle time before eviction.
const IDLE: Duration = Duration::from_secs(60);
/// Most games read from their files at the same time.
const LOADERS: usize = 16;
/// How long a player's browser may think for an engine before the server does.
const LENT: Duration = Duration::from_secs(10);
/// Pause before an engine that found the queue full asks again.
const RETRY: Duration = Duration::from_millis(250);

/// All games of people. Clones share them.
#[derive(Clone)]
pub(crate) struct HostedGames(Arc<Shared>);

struct Shared {
    folder: PathBuf,
    engines: EnginePool,
    tables: Mutex<HashMap<String, Arc<Table>>>,
    /// The IDs of the games in which people hold seats; `None` before the first request.
    seated: Mutex<Option<HashMap<TokenHash, HashSet<String>>>>,
    /// Held while a game is read from its file, so that each game is loaded once: one lock for all
    /// IDs with the same hash.
    loading: [Mutex<()>; LOADERS],
    /// The recently finished games; `None` before the first request.
    finished: Mutex<Option<Finished>>,
    /// Changes when the public games do.
    listing: watch::Sender<u64>,
}

impl HostedGames {
    /// Opens the games in a folder, which is created if missing.
    pub(crate) fn open(
        folder: &Path,
        engines: EnginePool,
        listing: watch::Sender<u64>,
    ) -> io::Result<HostedGames> {
        fs::create_dir_all(folder)?;
        Ok(HostedGames(Arc::new(Shared {
            folder: folder.to_owned(),
            engines,
            tables: Mutex::default(),
            seated: Mutex::default(),
            loading: Default::default(),
            finished: Mutex::default(),
            listing,
        })))
    }

    /// Begins a game; its engines' time is charged to this client.
    pub(crate) fn begin(
        &self,
        start: Box<dyn AnyPosition>,
        origin: Option<(String, u64)>,
        guests: Guests,
        client: Client,
    ) -> io::Result<Arc<Table>> {
        let id = fresh_id().map_err(io::Error::other)?;
        let table = Arc::new(Table::begin(&self.0.folder, id, start, origin, guests)?);
        self.note_guests(&table);
        self.keep(&table, Some(client));
        Ok(table)
    }

    /// The game with this ID, from memory or its file.
    pub(crate) fn find(&self, id: &str) -> io::Result<Option<Arc<Table>>> {
        let is_id = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_id {
            return Ok(None);
        }
        if let Some(table) = self.at_hand(id) {
            return Ok(Some(table));
        }
        let loader = id.bytes().fold(0, |sum, byte| sum + usize::from(byte)) % LOADERS;
        let _loading = self.0.loading[loader].lock();
        // Another request may have loaded the game in the meantime.
        if let Some(table) = self.at_hand(id) {
            return Ok(Some(table));
        }
        let table = match Table::load(&self.0.folder, id) {
            Ok(table) => Arc::new(table),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        self.keep(&table, None);
        Ok(Some(table))
    }

    /// The game with this ID, if it is in memory.
    fn at_hand(&self, id: &str) -> Option<Arc<Table>> {
        self.0.tables.lock().get(id).cloned()
    }

    /// Recently finished public games, newest first. The first request reads files.
    pub(crate) async fn finished(&self) -> io::Result<Vec<FinishedGame>> {
        if let Some(finished) = self.0.finished.lock().as_ref() {
            return Ok(finished.games());
        }
        let hosted = self.clone();
        let read = tokio::task::spawn_blocking(move || {
            let mut finished = hosted.0.finished.lock();
            let finished = match finished.as_mut() {
                Some(finished) => finished,
                None => finished.insert(Finished::read(&hosted.0.folder)?),
            };
            Ok(finished.games())
        });
        read.await.map_err(io::Error::other)?
    }

    /// Public games in progress, latest moves first.
    pub(crate) fn public(&self, most: usize) -> Vec<Arc<Table>> {
        let mut tables: Vec<Arc<Table>> = (self.0.tables.lock().values())
            .filter(|table| table.is_shown())
            .cloned()
            .collect();
        tables.sort_by_cached_key(|table| std::cmp::Reverse(table.last_act()));
        tables.truncate(most);
        tables
    }

    /// Games with free seats that their hosts offer on the front page.
    pub(crate) fn open_games(&self, visitor: &TokenHash) -> Vec<OpenGame> {
        let tables: Vec<Arc<Table>> = self.0.tables.lock().values().cloned().collect();
        let open = tables.iter().filter_map(|table| table.open_game(visitor));
        open.take(OPEN).collect()
    }

    /// Stores the players of a game, after a visitor took a seat.
    pub(crate) fn note_guests(&self, table: &Table) {
        let mut seated = self.0.seated.lock();
        // Before the first request, nothing is cached: the files have it.
        if let Some(seated) = seated.as_mut() {
            note(seated, table.id(), &table.guests());
        }
    }

    /// A visitor's games, newest first. The first request reads the files next to the records.
    pub(crate) fn games_of(&self, visitor: &TokenHash, most: usize) -> io::Result<Vec<Arc<Table>>> {
        let ids: Vec<String> = {
            let mut seated = self.0.seated.lock();
            let seated = match seated.as_mut() {
                Some(seated) => seated,
                None => seated.insert(read_guests(&self.0.folder)?),
            };
            let theirs = seated.get(visitor).into_iter().flatten();
            theirs.cloned().collect()
        };
        let tables = ids.iter().filter_map(|id| self.find(id).ok().flatten());
        let mut found: Vec<Arc<Table>> = tables.collect();
        found.sort_by_key(|table| std::cmp::Reverse(table.began()));
        found.truncate(most);
        Ok(found)
    }

    /// Whether the visitor may have a seat in a game, as far as known without reading a file.
    pub(crate) fn may_play(&self, visitor: &TokenHash) -> bool {
        let seated = self.0.seated.lock();
        (seated.as_ref()).is_none_or(|seated| seated.contains_key(visitor))
    }

    /// Number of games in memory.
    pub(crate) fn count(&self) -> usize {
        self.0.tables.lock().len()
    }

    /// Changes when the public games do.
    pub(crate) fn listing(&self) -> watch::Receiver<u64> {
        self.0.listing.subscribe()
    }

    /// Keeps a game in memory and running. Engine time is charged to the client, or to the first
    /// person in the game.
    fn keep(&self, table: &Arc<Table>, client: Option<Client>) {
        let mut tables = self.0.tables.lock();
        if tables.len() >= IN_MEMORY {
            // A game in use stays in memory, or it would soon be loaded twice.
            let is_needed =
                |table: &Arc<Table>| Arc::strong_count(table) > 1 || !table.is_idle_for(IDLE);
            tables.retain(|_, table| is_needed(table));
        }
        tables.insert(table.id().to_owned(), Arc::clone(table));
        drop(tables);
        self.0.list_anew();
        let driver = Driver {
            table: Arc::downgrade(table),
            hosted: Arc::downgrade(&self.0),
            engines: self.0.engines.clone(),
            for_whom: client,
            was_shown: table.is_shown(),
            was_under_way: !table.is_over(),
        };
        tokio::spawn(driver.drive(table.changes()));
    }
}

impl Shared {
    /// Caches a finished game. Before the first request, the files have it.
    fn note_finished(&self, id: &str) {
        if let Some(finished) = self.finished.lock().as_mut() {
            finished.note(&self.folder, id);
        }
    }

    /// Signals that the list of shown games has changed.
    fn list_anew(&self) {
        self.listing.send_modify(|count| *count += 1);
    }
}

/// Remembers the players of a game.
fn note(seated: &mut HashMap<TokenHash, HashSet<String>>, id: &str, guests: &Guests) {
    for seat in &guests.seats {
        if let SeatHolder::Person { who, .. } = seat {
            seated.entry(who.clone()).or_default().insert(id.to_owned());
        }
    }
}

/// The players of all games, from the files next to the records.
fn read_guests(folder: &Path) -> io::Result<HashMap<TokenHash, HashSet<String>>> {
    let mut seated = HashMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_guests = path.extension().is_some_and(|end| end == "json");
        let id = path.file_stem().and_then(|stem| stem.to_str());
        if let (true, Some(id)) = (is_guests, id)
            && let Ok(guests) = Guests::load(&path)
        {
            note(&mut seated, id, &guests);
        }
    }
    Ok(seated)
}

/// The task that runs a game.
struct Driver {
    table: Weak<Table>,
    hosted: Weak<Shared>,
    engines: EnginePool,
    /// The client charged for its engines; `None` for the first person in the game.
    for_whom: Option<Client>,
    /// Whether the game was in the list of public games.
    was_shown: bool,
    /// Whether the game was in progress at first.
    was_under_way: bool,
}

impl Driver {
    /// The next step of the game, after all watchers got the changes; `None` if it was evicted.
    fn look(&mut self) -> Option<NextStep> {
        let table = self.table.upgrade()?;
        let (duty, is_shown) = (table.duty(), table.is_shown());
        let is_end = self.was_under_way && matches!(duty, NextStep::Done);
        if let Some(hosted) = self.hosted.upgrade() {
            if is_end {
                hosted.note_finished(table.id());
            }
            // A visitor sat down, or the game is over.
            if is_shown != self.was_shown {
                hosted.list_anew();
            }
        }
        self.was_shown = is_shown;
        Some(duty)
    }

    /// Runs the game's engines and clocks until the game ends or is evicted.
    async fn drive(mut self, mut changes: watch::Receiver<u64>) {
        loop {
            changes.mark_unchanged();
            let Some(duty) = self.look() else { return };
            match duty {
                NextStep::Done => return,
                NextStep::Wait => {
                    if changes.changed().await.is_err() {
                        return;
                    }
                }
                NextStep::Watch { version, until } => {
                    let change = tokio::time::timeout_at(until.into(), changes.changed());
                    match change.await {
                        Ok(Ok(())) => {}
                        Ok(Err(_)) => return,
                        Err(_) => {
                            let Some(table) = self.table.upgrade() else {
                                return;
                            };
                            let _ = table.run_out(version);
                        }
                    }
                }
                NextStep::Think {
                    version,
                    position,
                    holder,
                    is_lent,
                    client,
                } => {
                    if is_lent {
                        match tokio::time::timeout(LENT, changes.changed()).await {
                            Ok(Ok(())) => {}
                            Ok(Err(_)) => return,
                            Err(_) => {
                                let Some(table) = self.table.upgrade() else {
                                    return;
                                };
                                table.give_up_helper();
                            }
                        }
                        continue;
                    }
                    let Some(spec) = holder.spec() else { return };
                    let client = self.for_whom.clone().unwrap_or(Client {
                        address: None,
                        who: client,
                    });
                    let question = EngineJob {
                        position,
                        spec,
                        usual: USUAL,
                        top: 1,
                    };
                    let thought = tokio::select! {
                        thought = self.engines.ask(&client, question) => thought,
                        change = changes.changed() => match change {
                            // A move was undone, or a player resigned.
                            Ok(()) => continue,
                            Err(_) => return,
                        },
                    };
                    let best = thought
                        .ok()
                        .and_then(|thoughts| thoughts.into_iter().next());
                    let Some(table) = self.table.upgrade() else {
                        return;
                    };
                    let is_made = best.is_some_and(|thought| {
                        let note = format!("depth {} nodes {}", thought.depth, thought.nodes);
                        table.answer(version, &thought.best, note).is_ok()
                    });
                    drop(table);
                    if !is_made {
                        tokio::time::sleep(RETRY).await;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;
    use crate::token::Token;

    fn hosted(folder: &Path) -> HostedGames {
        let engines = EnginePool::new(1).unwrap();
        HostedGames::open(folder, engines, watch::Sender::new(0)).unwrap()
    }

    fn begin(hosted: &HostedGames) -> String {
        let game = floe_games::games()[0];
        let start = game.start(&game.default_setup(), 1).unwrap();
        let who = Token::fresh().unwrap().hash();
        let person = SeatHolder::Person {
            who: who.clone(),
            name: String::new(),
        };
        let guests = Guests {
            seats: vec![person; start.players() as usize],
            clock: floe_games::TimeControl::Unlimited,
            is_public: false,
            is_open: false,
            has_helper: false,
            rematch: None,
        };
        let client = Client {
            address: None,
            who: Some(who),
        };
        let table = hosted.begin(start, None, guests, client);
        table.unwrap().id().to_owned()
    }

    /// Two tables of one game would write to one file without knowing of each other.
    #[tokio::test]
    async fn a_game_that_many_open_at_once_has_one_table() {
        const READERS: usize = 8;
        let folder = tempfile::tempdir().unwrap();
        let before = hosted(folder.path());
        let ids: Vec<String> = (0..1000).map(|_| begin(&before)).collect();
        drop(before);
        let after = hosted(folder.path());
        let (barrier, runtime) = (Barrier::new(READERS), tokio::runtime::Handle::current());
        let read = || {
            let _entered = runtime.enter();
            let find = |id: &String| {
                barrier.wait();
                after.find(id).unwrap().unwrap()
            };
            ids.iter().map(find).collect::<Vec<Arc<Table>>>()
        };
        let found: Vec<Vec<Arc<Table>>> = thread::scope(|scope| {
            let readers: Vec<_> = (0..READERS).map(|_| scope.spawn(read)).collect();
            let found = readers.into_iter().map(|reader| reader.join().unwrap());
            found.collect()
        });
        for tables in &found[1..] {
            for (table, other) in found[0].iter().zip(tables) {
                assert!(Arc::ptr_eq(table, other), "two tables of {}", table.id());
            }
        }
    }
}
