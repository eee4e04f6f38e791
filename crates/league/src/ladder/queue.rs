//! The meetings under way, so that what is chosen does not depend on who plays faster.
//!
//! Games are played at several tables and end in any order. If the next meeting were chosen from
//! whatever is known at that moment, a kill would change all that follows. So the meeting of number
//! `u` is chosen when those up to `u - ahead` are over, from their results and from no other: up to
//! `ahead` meetings are under way at once, and the choices are a function of the results by number
//! and of who may play. After a kill the games that are there are taken in in their order, and what
//! was chosen but not played is chosen again, alike.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use floe_arena::schedule::Pairing;
use floe_arena::scoreboard::unit_key;
use floe_games::FaultKind;

use super::matchmaker::{Matchmaker, Matchup};
use crate::description::SuspensionRule;

/// A suspended version, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspension {
    /// The version's number.
    pub version: usize,
    /// Games in which the version had a fault.
    pub faults: u32,
    /// Games the version played.
    pub games: u32,
    /// The version's faults in these games, by kind.
    pub kinds: BTreeMap<FaultKind, u32>,
}

/// The result of a game, by seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameResult {
    /// The places, from 1.
    pub places: Vec<u32>,
    /// The disqualifying faults, if any.
    pub faults: Vec<Option<FaultKind>>,
    /// Equal for games with the same moves: see
    /// [`GameSummary::fingerprint`](floe_arena::store::GameSummary::fingerprint).
    pub fingerprint: u64,
}

/// The meetings in progress, and the matchmaker.
#[derive(Debug, Clone)]
pub struct Queue {
    chooser: Matchmaker,
    table: usize,
    ahead: usize,
    rule: SuspensionRule,
    /// The meetings from `first` on.
    slots: VecDeque<Slot>,
    first: u64,
    /// Games of meetings that were not chosen yet: from records while these are read, and later if
    /// games before them were removed.
    later: BTreeMap<u64, Vec<(u64, Vec<usize>, GameResult)>>,
    /// Voided meetings that were not chosen yet.
    void: BTreeSet<u64>,
    tallies: Vec<Tally>,
    suspended: Vec<Suspension>,
    /// Keys of the meetings that counted: a repeat adds no information.
    seen: HashSet<u64>,
}

#[derive(Debug, Clone)]
struct Slot {
    meeting: Matchup,
    games: Vec<GameState>,
    /// The meeting can never be complete.
    is_void: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum GameState {
    Open,
    UnderWay,
    Played(GameResult),
}

#[derive(Debug, Clone, Default)]
struct Tally {
    games: u32,
    faults: u32,
    kinds: BTreeMap<FaultKind, u32>,
    is_forgiven: bool,
}

impl Slot {
    fn is_settled(&self) -> bool {
        let played = |game: &GameState| matches!(game, GameState::Played(_));
        self.is_void || self.games.iter().all(played)
    }

    /// Equal for meetings whose games are all the same.
    fn key(&self) -> u64 {
        let games = self.games.iter().enumerate();
        let games: Vec<(u64, Vec<usize>)> = games
            .filter_map(|(turn, game)| match game {
                GameState::Played(result) => Some((result.fingerprint, self.pairing(turn).seats)),
                _ => None,
            })
            .collect();
        unit_key(
            games
                .iter()
                .map(|(fingerprint, seats)| (*fingerprint, seats)),
        )
    }

    /// The meeting's game in this rotation.
    fn pairing(&self, turn: usize) -> Pairing {
        let Matchup { unit, board, seats } = &self.meeting;
        let mut seats = seats.clone();
        seats.rotate_left(turn);
        Pairing {
            number: unit * seats.len() as u64 + turn as u64,
            unit: *unit,
            board: *board,
            seats,
        }
    }
}

impl Queue {
    /// An empty queue. At most `ahead` meetings are in progress.
    pub fn new(table: usize, has_few_boards: bool, ahead: usize, rule: SuspensionRule) -> Self {
        Queue {
            chooser: Matchmaker::new(table, has_few_boards),
            table: table.max(2),
            ahead: ahead.max(1),
            rule,
            slots: VecDeque::new(),
            first: 0,
            later: BTreeMap::new(),
            void: BTreeSet::new(),
            tallies: Vec::new(),
            suspended: Vec::new(),
            seen: HashSet::new(),
        }
    }

    /// Adds a version; returns its number.
    pub fn enter(&mut self) -> usize {
        self.tallies.push(Tally::default());
        self.chooser.enter()
    }

    /// Sets whether a version may be chosen from now on.
    pub fn set_playing(&mut self, version: usize, plays: bool) {
        self.chooser.set_playing(version, plays);
    }

    /// Protects a version from suspension, whatever its faults.
    pub fn forgive(&mut self, version: usize) {
        self.tallies[version].is_forgiven = true;
    }

    /// The matchmaker.
    pub fn chooser(&self) -> &Matchmaker {
        &self.chooser
    }

    /// Most games in progress.
    pub fn most_games(&self) -> usize {
        self.ahead * self.table
    }

    /// Versions that were suspended since the last call.
    pub fn take_suspended(&mut self) -> Vec<Suspension> {
        std::mem::take(&mut self.suspended)
    }

    /// The next game, which is in progress from now on; `None` if results must come first, or there
    /// are too few versions.
    pub fn next_game(&mut self) -> Option<Pairing> {
        loop {
            for slot in self.slots.iter_mut().filter(|slot| !slot.is_void) {
                let open = slot.games.iter().position(|game| *game == GameState::Open);
                if let Some(turn) = open {
                    slot.games[turn] = GameState::UnderWay;
                    return Some(slot.pairing(turn));
                }
            }
            if !self.advance() {
                return None;
            }
        }
    }

    /// Counts a played game.
    pub fn finish(&mut self, number: u64, result: GameResult) {
        let (unit, turn) = self.place(number);
        if let Some(slot) = self.slot(unit) {
            slot.games[turn] = GameState::Played(result);
        }
    }

    /// A game in progress was cancelled and must be played again.
    pub fn give_back(&mut self, number: u64) {
        let (unit, turn) = self.place(number);
        if let Some(slot) = self.slot(unit)
            && slot.games[turn] == GameState::UnderWay
        {
            slot.games[turn] = GameState::Open;
        }
    }

    /// Voids a meeting that cannot or shall not be played; also one that is chosen only later,
    /// while earlier voids are read.
    pub fn give_up(&mut self, unit: u64) {
        if unit >= self.next_unit() {
            self.void.insert(unit);
        } else if let Some(slot) = self.slot(unit) {
            slot.is_void = true;
        }
    }

    /// Adds an earlier game, in order of number, after the voided meetings; `finish_reading` ends
    /// this. Games may be missing anywhere: they are played next, and a meeting without games is
    /// chosen again.
    pub fn read(&mut self, number: u64, seats: &[usize], result: GameResult) {
        let (unit, turn) = self.place(number);
        while self.next_unit() < unit && self.advance() {}
        let games = self.later.entry(unit).or_default();
        games.push((turn as u64, seats.to_vec(), result));
    }

    /// Ends the reading of stored games; later meetings are chosen.
    pub fn finish_reading(&mut self) {
        while self.later.keys().next_back() >= Some(&self.next_unit()) && self.advance() {}
    }

    /// The number of the next meeting.
    pub fn next_unit(&self) -> u64 {
        self.first + self.slots.len() as u64
    }

    fn place(&self, number: u64) -> (u64, usize) {
        let table = self.table as u64;
        (number / table, (number % table) as usize)
    }

    fn slot(&mut self, unit: u64) -> Option<&mut Slot> {
        let at = unit.checked_sub(self.first)?;
        self.slots.get_mut(at as usize)
    }

    /// Chooses one more meeting, or takes it from the records; returns whether that was possible.
    fn advance(&mut self) -> bool {
        if self.slots.len() >= self.ahead {
            match self.slots.pop_front() {
                Some(slot) if slot.is_settled() => self.settle(&slot),
                Some(slot) => {
                    self.slots.push_front(slot);
                    return false;
                }
                None => return false,
            }
        }
        let unit = self.next_unit();
        let played = self.later.remove(&unit).unwrap_or_default();
        let meeting = match played.first() {
            Some((turn, seats, _)) => {
                let mut seats = seats.clone();
                seats.rotate_right(*turn as usize % self.table);
                Some(self.chooser.begin(&seats))
            }
            None => self.chooser.choose(),
        };
        let Some(meeting) = meeting else {
            return false;
        };
        let mut games = vec![GameState::Open; self.table];
        for (turn, _, result) in played {
            games[turn as usize] = GameState::Played(result);
        }
        self.slots.push_back(Slot {
            is_void: self.void.remove(&meeting.unit),
            meeting,
            games,
        });
        true
    }

    /// Counts a complete meeting.
    fn settle(&mut self, slot: &Slot) {
        self.first += 1;
        let seats = &slot.meeting.seats;
        let table = seats.len();
        let mut points = vec![0.0; table * table];
        for (turn, game) in slot.games.iter().enumerate() {
            let GameState::Played(result) = game else {
                continue;
            };
            // The version at a place of this game sat `turn` places further on in the first game.
            let in_first = |place: usize| (place + turn) % table;
            for (one, &mine) in result.places.iter().enumerate() {
                for (other, theirs) in result.places.iter().enumerate() {
                    let worth = match mine.cmp(theirs) {
                        std::cmp::Ordering::Less => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Greater => 0.0,
                    };
                    points[in_first(one) * table + in_first(other)] += worth;
                }
                let tally = &mut self.tallies[seats[in_first(one)]];
                tally.games += 1;
                if let Some(kind) = result.faults.get(one).copied().flatten() {
                    tally.faults += 1;
                    *tally.kinds.entry(kind).or_default() += 1;
                }
            }
        }
        // The expected information of a repeat stays counted: otherwise two versions that only
        // repeat their games would stay uncertain, and be chosen for ever.
        if !slot.is_void && self.seen.insert(slot.key()) {
            let points = |one: usize, other: usize| points[one * table + other];
            self.chooser.finish(seats, &points);
        }
        for &version in seats {
            let Tally {
                games,
                faults,
                kinds,
                is_forgiven,
            } = &self.tallies[version];
            let (games, faults) = (*games, *faults);
            let is_bad = f64::from(faults) > self.rule.share * f64::from(games);
            let is_due = games >= self.rule.least && is_bad && !is_forgiven;
            if is_due && self.chooser.is_playing(version) {
                self.chooser.set_playing(version, false);
                self.suspended.push(Suspension {
                    version,
                    faults,
                    games,
                    kinds: kinds.clone(),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rating of a version that wins `meetings` meetings, if games have these fingerprints.
    fn mean_after(meetings: u64, fingerprint: fn(&Pairing) -> u64) -> f64 {
        let mut queue = Queue::new(2, false, 1, SuspensionRule::default());
        let (winner, _) = (queue.enter(), queue.enter());
        for _ in 0..2 * meetings {
            let game = queue.next_game().unwrap();
            let places = if game.seats[0] == winner {
                [1, 2]
            } else {
                [2, 1]
            };
            let result = GameResult {
                places: places.to_vec(),
                faults: vec![None; 2],
                fingerprint: fingerprint(&game),
            };
            queue.finish(game.number, result);
        }
        // The last meeting counts when the next one is chosen.
        queue.next_game();
        queue.chooser.mean(winner)
    }

    #[test]
    fn a_meeting_that_repeats_another_moves_no_rating() {
        let once = mean_after(1, |game| game.number);
        assert_eq!(mean_after(20, |game| game.seats[0] as u64), once);
        // One game of a meeting that went another way makes it a new one.
        let half = |game: &Pairing| match game.seats[0] {
            0 => game.number,
            _ => 1,
        };
        let fresh = mean_after(20, |game| game.number);
        assert!(once > 0.0 && fresh > once, "{once} {fresh}");
        assert_eq!(mean_after(20, half), fresh);
    }
}
