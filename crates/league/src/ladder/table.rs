//! The standings of a ladder.

use std::collections::{BTreeMap, HashMap};

use floe_arena::scoreboard::Scoreboard;
use floe_arena::standings::{Row, Standings};
use floe_arena::store::{Filter, GameSummary, Store, StoreError};
use floe_games::record::Entrant;

use crate::description::{Description, RemoteRating};
use crate::folder::{League, LeagueError};
use crate::state::LeagueState;
use crate::versions::{Version, VersionId, VersionState};

/// The first unit number of games with remote programs, beyond all of the ladder's.
const REMOTE_UNITS: u64 = 1 << 40;

/// The games with remote programs, read-only, if there are any and the league rates them in the
/// ladder.
pub(super) fn remote_store(league: &League) -> Result<Option<Store>, StoreError> {
    let records = league.remote_file();
    let is_rated = league.description().remote.rated == RemoteRating::Ladder;
    match is_rated && records.exists() {
        true => Store::open_read_only(&records).map(Some),
        false => Ok(None),
    }
}

/// The standings of a ladder, and all its versions.
///
/// Ratings are joint ratings of all versions, so that a new version inherits nothing but good
/// opponents; an entrant's place is that of its current version.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderTable {
    /// The entrants by their current version, best first.
    pub standings: Standings,
    /// All versions, entrants by name, oldest version first.
    pub versions: Vec<LadderVersion>,
}

/// A version and its results.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderVersion {
    /// The version.
    pub id: VersionId,
    /// The place among the current versions, from 1; equal versions share a place. `None` before
    /// the first game.
    pub place: Option<u64>,
    /// The version's state.
    pub state: VersionState,
    /// Whether this is the entrant's current version.
    pub is_current: bool,
    /// The entrant's current version, which has not played yet: until it has, this version stands
    /// for it in the standings.
    pub stands_for: Option<VersionId>,
    /// Whether the version is a remote program.
    pub is_remote: bool,
    /// The author's short description, if any.
    pub word: Option<String>,
    /// Its results.
    pub results: Row,
}

impl LadderTable {
    /// Opens the table of a league read-only; another process may be playing.
    pub fn open_read_only(league: &League) -> Result<LadderTable, LeagueError> {
        let records = league.ladder_file();
        let refused = |error: StoreError| LeagueError::Refused(error.to_string());
        let mut counted = Counted::new(league.description().table);
        league.look(|standing| counted.enter_all(standing))?;
        if records.exists() {
            let store = Store::open_read_only(&records).map_err(refused)?;
            counted.add_all(&store).map_err(refused)?;
        }
        counted.add_remote(league)?;
        league.look(|standing| counted.table(league.description(), standing))
    }

    /// The versions in the standings, in their order.
    pub fn current(&self) -> impl Iterator<Item = &LadderVersion> {
        let of_row = |row: &Row| {
            let mut versions = self.versions.iter();
            versions.find(|version| version.results.entrant == row.entrant)
        };
        self.standings.rows.iter().filter_map(of_row)
    }
}

/// Games counted by version.
#[derive(Debug, Clone)]
pub(super) struct Counted {
    scoreboard: Scoreboard,
    ids: Vec<VersionId>,
    numbers: HashMap<VersionId, usize>,
    /// The numbers of the store's entrants.
    of_store: Vec<usize>,
    games: u64,
}

impl Counted {
    pub(super) fn new(table: usize) -> Self {
        Counted {
            scoreboard: Scoreboard::new([], table),
            ids: Vec::new(),
            numbers: HashMap::new(),
            of_store: Vec::new(),
            games: 0,
        }
    }

    /// Versions by number, in the order in which they were accepted.
    pub(super) fn ids(&self) -> &[VersionId] {
        &self.ids
    }

    /// Number of counted games.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// The number of a version; `enter` adds a new one.
    pub(super) fn enter(&mut self, id: &VersionId, enter: impl FnOnce() -> usize) -> usize {
        if let Some(&number) = self.numbers.get(id) {
            return number;
        }
        let number = self.scoreboard.enter(id.to_string());
        let alike = enter();
        debug_assert_eq!(number, alike, "versions are numbered alike everywhere");
        self.ids.push(id.clone());
        self.numbers.insert(id.clone(), number);
        number
    }

    pub(super) fn enter_all(&mut self, standing: &LeagueState) {
        for version in entered(standing) {
            let next = self.ids.len();
            self.enter(&version.id, || next);
        }
    }

    fn add_all(&mut self, store: &Store) -> Result<(), StoreError> {
        store.each(&Filter::default(), |game| {
            self.add_of(store.entrants(), &game);
        })
    }

    /// Counts a game of a store with these entrants.
    pub(super) fn add_of(&mut self, entrants: &[Entrant], game: &GameSummary) {
        let mut next = self.ids.len();
        let seats = self.seats(entrants, game, || {
            next += 1;
            next - 1
        });
        self.add(game, &seats);
    }

    /// Also counts games with remote programs, if the league rates them in the ladder. Numbers are
    /// then no longer those of the ladder.
    pub(super) fn add_remote(&mut self, league: &League) -> Result<(), LeagueError> {
        let refused = |error: StoreError| LeagueError::Refused(error.to_string());
        let Some(store) = remote_store(league).map_err(refused)? else {
            return Ok(());
        };
        let counted = store.each(&Filter::default(), |game| {
            self.add_remote_game(store.entrants(), game);
        });
        counted.map_err(refused)
    }

    /// Counts a game with remote programs, from a store with these entrants.
    pub(super) fn add_remote_game(&mut self, entrants: &[Entrant], mut game: GameSummary) {
        let seats = game.seats.iter();
        let ids: Vec<VersionId> = seats.map(|part| id_of(&entrants[part.entrant])).collect();
        let enter = |id: &VersionId| {
            let next = self.ids.len();
            self.enter(id, || next)
        };
        let seats: Vec<usize> = ids.iter().map(enter).collect();
        game.number += REMOTE_UNITS * seats.len() as u64;
        self.add(&game, &seats);
    }

    /// The seats of a game. `enter` adds versions that the journal does not know.
    pub(super) fn seats(
        &mut self,
        entrants: &[Entrant],
        game: &GameSummary,
        mut enter: impl FnMut() -> usize,
    ) -> Vec<usize> {
        while let Some(entrant) = entrants.get(self.of_store.len()) {
            let number = self.enter(&id_of(entrant), &mut enter);
            self.of_store.push(number);
        }
        let seats = game.seats.iter();
        seats.map(|part| self.of_store[part.entrant]).collect()
    }

    pub(super) fn add(&mut self, game: &GameSummary, seats: &[usize]) {
        self.games += 1;
        self.scoreboard.add(game, seats);
    }

    /// The versions that stand for entrants in the table, each with the entrant's newest version if
    /// that has not played yet.
    pub(super) fn shown(&self, standing: &LeagueState) -> BTreeMap<VersionId, Option<VersionId>> {
        let has_played = |id: &VersionId| {
            let number = self.numbers.get(id);
            number.is_some_and(|&number| self.scoreboard.totals()[number].games > 0)
        };
        let mut shown = BTreeMap::new();
        for current in standing.versions.all_playing() {
            let mut before = standing.versions.before(&current.id);
            let before = before.find(|version| has_played(&version.id));
            match before.filter(|_| !has_played(&current.id)) {
                Some(before) => shown.insert(before.id.clone(), Some(current.id.clone())),
                None if self.numbers.contains_key(&current.id) => {
                    shown.insert(current.id.clone(), None)
                }
                None => None,
            };
        }
        shown
    }

    pub(super) fn table(&self, description: &Description, standing: &LeagueState) -> LadderTable {
        let (name, game) = (&description.name, description.game.name());
        let ratings = self.scoreboard.ratings(None);
        let mut standings = Standings::new(name, game, &self.scoreboard, &ratings);
        let all = standings.rows.clone();
        let shown = self.shown(standing);
        (standings.rows).retain(|row| shown.contains_key(&self.ids[row.entrant]));
        let standings = standings.ranked(&self.scoreboard);
        let played = standings.rows.iter().filter(|row| row.elo.is_some());
        let places: HashMap<usize, u64> = played.map(|row| (row.entrant, row.place)).collect();
        let version = |results: Row| {
            let id = &self.ids[results.entrant];
            let version = standing.versions.find(id);
            let is_remote = version.is_some_and(|version| version.is_remote);
            let current = match is_remote {
                true => standing.versions.remote(&id.entrant),
                false => standing.versions.current(&id.entrant),
            };
            LadderVersion {
                id: id.clone(),
                place: places.get(&results.entrant).copied(),
                state: version.map_or(VersionState::Withdrawn, |version| version.state),
                is_current: current.is_some_and(|current| current.id == *id),
                stands_for: shown.get(id).cloned().flatten(),
                is_remote,
                word: version.and_then(|version| version.word.clone()),
                results,
            }
        };
        let mut versions: Vec<LadderVersion> = all.into_iter().map(version).collect();
        versions.sort_by(|a, b| a.id.cmp(&b.id));
        LadderTable {
            standings,
            versions,
        }
    }
}

/// The version an entrant of records is.
fn id_of(entrant: &Entrant) -> VersionId {
    entrant.name.parse().unwrap_or_else(|_| VersionId {
        entrant: entrant.name.clone(),
        number: 1,
    })
}

/// Versions that may play or once might, in order of acceptance.
pub(super) fn entered(standing: &LeagueState) -> Vec<&Version> {
    let accepted = standing.versions.all();
    let mut accepted: Vec<&Version> = accepted.filter(|version| version.seat.is_some()).collect();
    accepted.sort_by_key(|version| version.verdict);
    accepted
}
