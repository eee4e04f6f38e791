//! A schedule that resumes although entrants joined or left.
//!
//! The numbers of games follow from the number of entrants, so the numbers of older games mean
//! something else now. The games keep them: their players and boards identify them. Units of the
//! schedule that were not played yet get the numbers after the last.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::Boards;
use crate::schedule::{Pairing, Schedule};
use crate::store::{Filter, GameSummary, Store, StoreError};

/// The stored units of a changed schedule, and their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct ScheduleRepair {
    /// By players (in the order of their numbers) and board: the unit's number, and the seats of
    /// its first game.
    units: HashMap<(Vec<usize>, u64), (u64, Vec<usize>)>,
    /// Numbers of the stored games.
    games: HashSet<u64>,
    /// The first free unit number.
    next: u64,
}

/// The reason why games of another schedule cannot count.
pub(super) enum RepairError {
    /// A game's board is no longer part of the tournament.
    Board(u64),
    Store(StoreError),
}

impl ScheduleRepair {
    /// Finds a schedule's units in a store, by reading one record of each. `seats` maps seats to
    /// entrants; `None` for former entrants.
    pub(super) fn find(
        store: &Store,
        seats: impl Fn(&GameSummary) -> Option<Vec<usize>>,
        schedule: &Schedule,
        boards: &Boards,
    ) -> Result<ScheduleRepair, RepairError> {
        let table = schedule.table() as u64;
        let mut mended = ScheduleRepair::default();
        let mut firsts: BTreeMap<u64, GameSummary> = BTreeMap::new();
        let each = store.each(&Filter::default(), |game| {
            mended.games.insert(game.number);
            mended.next = mended.next.max(game.number / table + 1);
            firsts.entry(game.number / table).or_insert(game);
        });
        each.map_err(RepairError::Store)?;
        // A board is drawn only after one unit on every earlier board.
        let starts = starts(boards, schedule.boards().min(mended.next));
        for (unit, game) in firsts {
            let Some(mut order) = seats(&game) else {
                continue;
            };
            let record = store.record(&game).map_err(RepairError::Store)?;
            let start = record.map_or(String::new(), |record| record.opening.start);
            order.rotate_right((game.number % table) as usize);
            let mut who = order.clone();
            who.sort_unstable();
            let known = starts.get(&start).ok_or(RepairError::Board(game.number))?;
            let is_free = |board: &&u64| !mended.units.contains_key(&(who.clone(), **board));
            // A unit that is stored more often than needed still counts.
            if let Some(&board) = known.iter().find(is_free) {
                mended.units.insert((who, board), (unit, order));
            }
        }
        Ok(mended)
    }

    /// The missing games of the schedule, with their numbers in this store.
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
