//! The standings of a ladder.

use std::collections::{BTreeMap, HashMap};

use floe_arena::scoreboard::Scoreboard;
use floe_arena::store::{Filter, GameSummary, Store, StoreError};
use floe_games::FaultKind;
use floe_games::record::Entrant;
use floe_rating::{Estimate, WarmStart};
use serde::Serialize;

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

/// The standings of a ladder.
///
/// Ratings are joint ratings of all versions, so that a new version inherits nothing but good
/// opponents; an entrant's place is that of its current version.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LadderTable {
    /// The league's name.
    pub league: String,
    /// The game.
    pub game: String,
    /// Games that count: those in whole units.
    pub games: u64,
    /// Games that count and repeat no earlier game move by move. Repeats count once in ratings.
    pub different: u64,
    /// The advantage of the first move in Elo, in games for two.
    pub first_move: Option<Estimate>,
    /// The draw rate between equals, in games for two.
    pub draw_rate: Option<f64>,
    /// Entrants by their current version, best first.
    pub standings: Vec<LadderRow>,
    /// All versions, entrants by name, oldest version first.
    pub history: Vec<LadderRow>,
}

/// The results of one version.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LadderRow {
    /// The place among the current versions, from 1; equal versions share a place. `None` before
    /// the first game.
    pub place: Option<u64>,
    /// The entrant.
    pub entrant: String,
    /// The number of the version.
    pub version: u32,
    /// The version's state.
    pub state: VersionState,
    /// Whether this is the entrant's current version.
    pub is_current: bool,
    /// The entrant's current version, which has not played yet: until it has, this version stands
    /// for it in the standings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stands_for: Option<u32>,
    /// Whether the version is a remote program.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_remote: bool,
    /// Elo above the mean; `None` before the version has played.
    pub elo: Option<Estimate>,
    /// Games that count.
    pub games: u64,
    /// Games that count and repeat no earlier game.
    pub different: u64,
    /// Games won alone.
    pub wins: u64,
    /// Games with a shared first place.
    pub draws: u64,
    /// Games that an opponent won.
    pub losses: u64,
    /// The share of points, from 0 to 1.
    pub score: Option<f64>,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// The author's short description, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
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
        let warm = &mut WarmStart::default();
        league.look(|standing| counted.table(league.description(), standing, warm))
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

    /// The results of all versions.
    pub(super) fn scoreboard(&self) -> &Scoreboard {
        &self.scoreboard
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

    pub(super) fn table(
        &self,
        description: &Description,
        standing: &LeagueState,
        warm: &mut WarmStart,
    ) -> LadderTable {
        let ratings = self.scoreboard.ratings_from(None, warm);
        let shown = self.shown(standing);
        let row = |number: usize| {
            let id = &self.ids[number];
            let totals = &self.scoreboard.totals()[number];
            let version = standing.versions.find(id);
            let is_remote = version.is_some_and(|version| version.is_remote);
            let current = match is_remote {
                true => standing.versions.remote(&id.entrant),
                false => standing.versions.current(&id.entrant),
            };
            let faults = totals.faults.iter();
            LadderRow {
                place: None,
                entrant: id.entrant.clone(),
                version: id.number,
                state: version.map_or(VersionState::Withdrawn, |version| version.state),
                is_current: current.is_some_and(|current| current.id == *id),
                stands_for: shown
                    .get(id)
                    .and_then(|newest| Some(newest.as_ref()?.number)),
                is_remote,
                elo: ratings.ratings[number].elo.ok().map(Estimate::rounded),
                games: totals.games,
                different: totals.different,
                wins: totals.wins,
                draws: totals.draws,
                losses: totals.losses(),
                score: totals.score(),
                faults: faults
                    .map(|(kind, &count)| (FaultKind::name(*kind), count))
                    .collect(),
                word: version.and_then(|version| version.word.clone()),
            }
        };
        let mut history: Vec<LadderRow> = (0..self.ids.len()).map(row).collect();
        let is_shown = |row: &LadderRow| {
            let id = VersionId {
                entrant: row.entrant.clone(),
                number: row.version,
            };
            shown.contains_key(&id)
        };
        let mut standings: Vec<LadderRow> =
            (history.iter().filter(|row| is_shown(row)).cloned()).collect();
        rank(&mut standings);
        let places = standings
            .iter()
            .map(|row| ((row.entrant.as_str(), row.version), row.place));
        let places: HashMap<(&str, u32), Option<u64>> = places.collect();
        for row in &mut history {
            let place = places.get(&(row.entrant.as_str(), row.version));
            row.place = place.copied().flatten();
        }
        history.sort_by(|a, b| (&a.entrant, a.version).cmp(&(&b.entrant, b.version)));
        LadderTable {
            league: description.name.clone(),
            game: description.game.name().to_owned(),
            games: self.scoreboard.games(),
            different: self.scoreboard.different(),
            first_move: ratings.first_move.map(Estimate::rounded),
            draw_rate: ratings.draw_rate,
            standings,
            history,
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

/// Sorts the rows, best first, and assigns places; versions without games come last.
fn rank(rows: &mut [LadderRow]) {
    let elo = |row: &LadderRow| row.elo.map_or(f64::NEG_INFINITY, |elo| elo.value);
    rows.sort_by(|a, b| {
        let by_elo = elo(b).total_cmp(&elo(a));
        by_elo.then_with(|| a.entrant.cmp(&b.entrant))
    });
    for at in 0..rows.len() {
        let is_level = at > 0 && elo(&rows[at - 1]) == elo(&rows[at]);
        rows[at].place = match (rows[at].elo, is_level) {
            (None, _) => None,
            (_, true) => rows[at - 1].place,
            (_, false) => Some(at as u64 + 1),
        };
    }
}

/// Versions that may play or once might, in order of acceptance.
pub(super) fn entered(standing: &LeagueState) -> Vec<&Version> {
    let accepted = standing.versions.all();
    let mut accepted: Vec<&Version> = accepted.filter(|version| version.seat.is_some()).collect();
    accepted.sort_by_key(|version| version.verdict);
    accepted
}
