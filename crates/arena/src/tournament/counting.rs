//! Counts the games of a tournament: stored games, and each new one.

use std::collections::BTreeMap;

use super::plan::Plan;
use super::repair::{RepairError, ScheduleRepair};
use super::{Description, Tournament, TournamentError};
use crate::scoreboard::{Scoreboard, half_points_of};
use crate::store::{Filter, Followed, GameSummary, Store, StoreError};
use floe_games::record::Record;

/// Facts gathered while counting the stored games.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The first and the last game played.
    pub(super) first: Option<GameSummary>,
    pub(super) last: Option<GameSummary>,
    /// The place and number of each entrant's last game, by the store's numbers of entrants.
    pub(super) last_of: BTreeMap<usize, (u64, u64)>,
    /// The number of a game that is not in the plan.
    pub(super) misfit: Option<u64>,
    /// The number of a game whose board is no longer part of the tournament.
    pub(super) lost_board: Option<u64>,
    /// Games of the present entrants.
    pub(super) counted: u64,
}

/// The result of a whole unit of two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// Its players, in the order of its first game.
    pub(super) seats: Vec<usize>,
    pub(super) half_points: Vec<u64>,
    /// Each seat's score minus the opponent's, over its games.
    pub(super) margins: Vec<i64>,
}

impl Tournament {
    /// Counts the stored games.
    pub(super) fn load(&mut self) -> Result<(), StoreError> {
        let Tournament {
            description,
            plan,
            store,
            scoreboard,
            numbers,
            units,
            seen,
            ..
        } = self;
        number_entrants(description, store, numbers);
        if store
            .table()
            .is_some_and(|table| table != description.table)
        {
            return Ok(());
        }
        let is_fixed = !plan.needs_results();
        let take_in = |game: GameSummary| {
            count(&game, numbers, plan, scoreboard, units);
            seen.counted += u64::from(!seats(&game, numbers).contains(&usize::MAX));
            if is_fixed && seen.misfit.is_none() && !plan.has(&game, &seats(&game, numbers)) {
                seen.misfit = Some(game.number);
            }
            let start = game.place.start;
            for part in &game.seats {
                let last = seen.last_of.entry(part.entrant).or_default();
                *last = (*last).max((start, game.number));
            }
            if seen
                .first
                .as_ref()
                .is_none_or(|first| start < first.place.start)
            {
                seen.first = Some(game.clone());
            }
            if seen
                .last
                .as_ref()
                .is_none_or(|last| start > last.place.start)
            {
                seen.last = Some(game);
            }
        };
        match store.is_looked_at() {
            true => store.follow(take_in).map(|_| ())?,
            false => store.each(&Filter::default(), take_in)?,
        }
        if !is_fixed {
            // The plan's games are known only after all results are counted.
            let drawn = plan.drawn(units);
            store.each(&Filter::default(), |game| {
                if drawn.get(&game.number) != Some(&seats(&game, numbers)) {
                    seen.misfit.get_or_insert(game.number);
                }
            })?;
        }
        Ok(())
    }

    /// Adds the games that another process has played since this was opened or last called, and
    /// reads nothing else. For tournaments [opened read-only](Self::open_read_only).
    pub fn follow(&mut self) -> Result<Followed, TournamentError> {
        let mut games = Vec::new();
        let followed = self.store.follow(|game| games.push(game))?;
        let table = self.store.table();
        if table.is_none_or(|table| table == self.description.table) {
            games.iter().for_each(|game| self.count(game));
        }
        Ok(followed)
    }

    /// Matches the stored games with the schedule, if they do not match by number.
    pub(super) fn mend(&mut self) -> Result<(), StoreError> {
        self.mended = None;
        let (Some(schedule), Some(_)) = (self.plan.schedule(), self.seen.misfit) else {
            return Ok(());
        };
        let known = |game: &GameSummary| {
            let seats = seats(game, &self.numbers);
            (!seats.contains(&usize::MAX)).then_some(seats)
        };
        match ScheduleRepair::find(&self.store, known, schedule, &self.description.boards) {
            Ok(mended) => self.mended = Some(mended),
            Err(RepairError::Board(number)) => self.seen.lost_board = Some(number),
            Err(RepairError::Store(error)) => return Err(error),
        }
        Ok(())
    }

    pub(super) fn add(&mut self, record: &Record) -> Result<(), StoreError> {
        if let Some(game) = self.store.add(record)? {
            self.count(&game);
        }
        Ok(())
    }

    /// Counts a newly stored game.
    fn count(&mut self, game: &GameSummary) {
        let Tournament {
            description,
            plan,
            store,
            scoreboard,
            numbers,
            units,
            ..
        } = self;
        if store.entrants().len() > numbers.len() {
            number_entrants(description, store, numbers);
        }
        count(game, numbers, plan, scoreboard, units);
        self.seen.counted += u64::from(!seats(game, numbers).contains(&usize::MAX));
    }
}

/// The index of each stored entrant in the description; past the end if it is not there.
fn number_entrants(description: &Description, store: &Store, numbers: &mut Vec<usize>) {
    let number = |name: &String| {
        let mut entrants = description.entrants.iter();
        entrants
            .position(|entrant| entrant.name == *name)
            .unwrap_or(usize::MAX)
    };
    numbers.clear();
    numbers.extend(store.entrants().iter().map(|entrant| number(&entrant.name)));
}

pub(super) fn seats(game: &GameSummary, numbers: &[usize]) -> Vec<usize> {
    let number = |entrant: usize| numbers.get(entrant).copied().unwrap_or(usize::MAX);
    game.seats.iter().map(|part| number(part.entrant)).collect()
}

fn count(
    game: &GameSummary,
    numbers: &[usize],
    plan: &Plan,
    scoreboard: &mut Scoreboard,
    units: &mut BTreeMap<u64, Unit>,
) {
    let whole = scoreboard.add(game, &seats(game, numbers));
    if let (true, Some(games)) = (plan.needs_results(), whole) {
        // The first game of the unit names the order.
        let Some(seats) = games.first().map(|first| first.seats.clone()) else {
            return;
        };
        let mut half_points = vec![0; seats.len()];
        let mut margins = vec![0; seats.len()];
        for game in &games {
            for (seat, half) in half_points_of(&game.places).into_iter().enumerate() {
                if let Some(at) = (seats.iter()).position(|&entrant| entrant == game.seats[seat]) {
                    half_points[at] += half;
                    margins[at] += game.margins[seat];
                }
            }
        }
        let unit = Unit {
            seats,
            half_points,
            margins,
        };
        units.insert(game.unit(), unit);
    }
}
