//! The games of remote programs, and which one is next.

use std::collections::{BTreeMap, HashMap, VecDeque};

use floe_arena::store::{Filter, GameSummary, Store, StoreError};
use floe_games::record::Record;

use crate::state::LeagueState;
use crate::versions::VersionId;

/// A game to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlannedGame {
    /// The game's number among all games of the file, from 0.
    pub(super) number: u64,
    /// The game's unit.
    pub(super) unit: u64,
    /// The versions by seat.
    pub(super) seats: Vec<VersionId>,
}

/// The file of games, and its missing games.
#[derive(Debug)]
pub(super) struct Book {
    store: Store,
    table: usize,
    next_unit: u64,
    /// Number of units between a remote version and another version.
    met: HashMap<(VersionId, VersionId), u64>,
    /// Games of incomplete units, by remote version.
    open: HashMap<VersionId, VecDeque<PlannedGame>>,
    /// Games in progress, by number, with their remote versions.
    under_way: HashMap<u64, (VersionId, PlannedGame)>,
    /// Failed games by remote version, which wait for the next connection.
    put_off: HashMap<VersionId, Vec<PlannedGame>>,
}

impl Book {
    /// Takes in the stored games. `standing` knows the remote versions.
    pub(super) fn new(
        store: Store,
        table: usize,
        standing: &LeagueState,
    ) -> Result<Book, StoreError> {
        let mut units: BTreeMap<u64, (Vec<VersionId>, Vec<u64>)> = BTreeMap::new();
        store.each(&Filter::default(), |game| {
            let names = game.seats.iter();
            let names = names.map(|part| store.entrants()[part.entrant].name.parse().ok());
            let Some(mut seats) = names.collect::<Option<Vec<VersionId>>>() else {
                return;
            };
            let turn = game.number % seats.len().max(1) as u64;
            seats.rotate_right(turn as usize);
            let unit = units.entry(game.unit()).or_insert((seats, Vec::new()));
            unit.1.push(turn);
        })?;
        let mut book = Book {
            store,
            table,
            next_unit: units.last_key_value().map_or(0, |(unit, _)| unit + 1),
            met: HashMap::new(),
            open: HashMap::new(),
            under_way: HashMap::new(),
            put_off: HashMap::new(),
        };
        for (unit, (seats, played)) in units {
            let is_remote = |id: &&VersionId| {
                let version = standing.versions.find(id);
                version.is_some_and(|version| version.is_remote)
            };
            let Some(remote) = seats.iter().find(is_remote).cloned() else {
                continue;
            };
            book.note(&remote, &seats);
            let games = book.games(unit, &seats);
            let is_missing = |game: &PlannedGame| !played.contains(&(game.number % table as u64));
            let missing = games.into_iter().filter(is_missing);
            book.open.entry(remote).or_default().extend(missing);
        }
        Ok(book)
    }

    fn note(&mut self, remote: &VersionId, seats: &[VersionId]) {
        for other in seats.iter().filter(|seat| *seat != remote) {
            *self.met.entry((remote.clone(), other.clone())).or_default() += 1;
        }
    }

    /// The games of a unit: every rotation.
    fn games(&self, unit: u64, seats: &[VersionId]) -> Vec<PlannedGame> {
        let game = |turn: usize| {
            let mut seats = seats.to_vec();
            seats.rotate_left(turn);
            PlannedGame {
                number: unit * self.table as u64 + turn as u64,
                unit,
                seats,
            }
        };
        (0..self.table).map(game).collect()
    }

    /// The next game of a remote version: the rest of a unit, or a game against the opponents it
    /// has met least. `None` if there are too few opponents.
    pub(super) fn next(
        &mut self,
        remote: &VersionId,
        standing: &LeagueState,
    ) -> Option<PlannedGame> {
        let game = self.choose(remote, standing)?;
        let noted = (remote.clone(), game.clone());
        self.under_way.insert(game.number, noted);
        Some(game)
    }

    fn choose(&mut self, remote: &VersionId, standing: &LeagueState) -> Option<PlannedGame> {
        let may_play = |id: &VersionId| id == remote || standing.versions.is_accepted(id);
        let open = self.open.entry(remote.clone()).or_default();
        while let Some(game) = open.pop_front() {
            if game.seats.iter().all(may_play) {
                return Some(game);
            }
        }
        let current = standing.versions.all_current();
        let others = current.filter(|version| version.id.entrant != remote.entrant);
        let mut others: Vec<&VersionId> = others.map(|version| &version.id).collect();
        let met = |id: &VersionId| self.met.get(&(remote.clone(), id.clone()));
        others.sort_by_key(|id| met(id).copied().unwrap_or(0));
        let seats = others.into_iter().take(self.table - 1).cloned();
        let seats: Vec<VersionId> = [remote.clone()].into_iter().chain(seats).collect();
        if seats.len() < self.table {
            return None;
        }
        self.note(remote, &seats);
        let games = self.games(self.next_unit, &seats);
        self.next_unit += 1;
        let open = self.open.entry(remote.clone()).or_default();
        open.extend(games);
        open.pop_front()
    }

    /// Puts an unplayed game back: it is next again.
    pub(super) fn put_back(&mut self, number: u64) {
        if let Some((remote, game)) = self.under_way.remove(&number) {
            self.open.entry(remote).or_default().push_front(game);
        }
    }

    /// Sets aside a failed game until its program connects again.
    pub(super) fn put_off(&mut self, number: u64) {
        if let Some((remote, game)) = self.under_way.remove(&number) {
            self.put_off.entry(remote).or_default().push(game);
        }
    }

    /// Reopens the games that waited for this version to reconnect.
    pub(super) fn take_up(&mut self, remote: &VersionId) {
        if let Some(games) = self.put_off.remove(remote) {
            let open = self.open.entry(remote.clone()).or_default();
            open.extend(games);
            open.make_contiguous().sort_by_key(|game| game.number);
        }
    }

    /// Stores a game; it is on the disk when this returns.
    pub(super) fn keep(
        &mut self,
        number: u64,
        record: &Record,
    ) -> Result<Option<GameSummary>, StoreError> {
        let kept = self.store.add(record)?;
        self.store.commit()?;
        self.under_way.remove(&number);
        Ok(kept)
    }
}
