//! A schedule that resumes although entrants joined or left.
//!
//! The numbers of games follow from the number of entrants, so the numbers of older games mean
//! something else now. The games keep them: their players and boards identify them. Units of the
//! schedule that were not played yet get the numbers after the last.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::Boards;
use crate::schedule::{Pairing, Schedule};
use crate::store::{Filter, GameSummary, Store, StoreError};

/// Which units of a schedule are there, under which numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct ScheduleRepair {
    /// By who meets (in the order of their numbers) and the board: the unit's number, and who sits
    /// where in its first game.
    units: HashMap<(Vec<usize>, u64), (u64, Vec<usize>)>,
    /// The numbers of the games that are there.
    games: HashSet<u64>,
    /// The first number of a unit that is free.
    next: u64,
}

/// The reason why games of another schedule cannot count.
pub(super) enum Misfit {
    /// A game is on a board that is not played any more.
    Board(u64),
    Store(StoreError),
}

impl ScheduleRepair {
    /// Finds a schedule's units in a store, by reading a record of each. `seats` maps seats to
    /// entrants; `None` if one of them is no entrant any more.
    pub(super) fn find(
        store: &Store,
        seats: impl Fn(&GameSummary) -> Option<Vec<usize>>,
        schedule: &Schedule,
        boards: &Boards,
    ) -> Result<ScheduleRepair, Misfit> {
        let table = schedule.table() as u64;
        let mut mended = ScheduleRepair::default();
        let mut firsts: BTreeMap<u64, GameSummary> = BTreeMap::new();
        let each = store.each(&Filter::default(), |game| {
            mended.games.insert(game.number);
            mended.next = mended.next.max(game.number / table + 1);
            firsts.entry(game.number / table).or_insert(game);
        });
        each.map_err(Misfit::Store)?;
        // A board comes only after one unit of every board before it.
        let starts = starts(boards, schedule.boards().min(mended.next));
        for (unit, game) in firsts {
            let Some(mut order) = seats(&game) else {
                continue;
            };
            let record = store.record(&game).map_err(Misfit::Store)?;
            let start = record.map_or(String::new(), |record| record.opening.start);
            order.rotate_right((game.number % table) as usize);
            let mut who = order.clone();
            who.sort_unstable();
            let known = starts.get(&start).ok_or(Misfit::Board(game.number))?;
            let is_free = |board: &&u64| !mended.units.contains_key(&(who.clone(), **board));
            // One that is there more often than it is wanted counts all the same.
            if let Some(&board) = known.iter().find(is_free) {
                mended.units.insert((who, board), (unit, order));
            }
        }
        Ok(mended)
    }

    /// The games of the schedule that are not there, with the numbers they have here.
    pub(super) fn missing(self, schedule: &Schedule) -> impl Iterator<Item = Pairing> + Send {
        let table = schedule.table() as u64;
        let ScheduleRepair {
            units,
            games,
            mut next,
        } = self;
        let mut new = next;
        schedule.pairings().filter_map(move |mut pairing| {
            let turn = pairing.number % table;
            let mut who = pairing.seats.clone();
            who.sort_unstable();
            match units.get(&(who, pairing.board)) {
                Some((unit, order)) => {
                    pairing.unit = *unit;
                    pairing.seats.clone_from(order);
                    pairing.seats.rotate_left(turn as usize);
                }
                None => {
                    if turn == 0 {
                        (new, next) = (next, next + 1);
                    }
                    pairing.unit = new;
                }
            }
            pairing.number = pairing.unit * table + turn;
            (!games.contains(&pairing.number)).then_some(pairing)
        })
    }
}

/// The numbers of the first `count` boards, by the text of their positions.
fn starts(boards: &Boards, count: u64) -> HashMap<String, Vec<u64>> {
    let mut starts: HashMap<String, Vec<u64>> = HashMap::new();
    let different = boards.count().unwrap_or(count).min(count);
    for board in 0..different {
        if let Ok((_, opening)) = boards.open(board) {
            let same = (board..count).step_by(different as usize);
            starts.entry(opening.start).or_default().extend(same);
        }
    }
    starts
}
