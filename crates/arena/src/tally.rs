//! What a match has come to: wins and losses by pairs, faults, and time.

use std::collections::{BTreeMap, HashMap};

use crate::schedule::Pairing;
use floe_games::FaultKind;
use floe_games::record::{End, Event, Record};
use floe_rating::{Ending, Pentanomial, Rankings};

/// One entrant's line of a match.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    /// Games that count: those of whole units.
    pub games: u64,
    /// Games in which they came first alone.
    pub wins: u64,
    /// Games in which they shared the first place.
    pub draws: u64,
    /// The sum of what they scored above the best of the others.
    pub margin: i64,
    /// Moves made, in all games.
    pub moves: u64,
    /// Wall time of those moves, in microseconds.
    pub wall_us: u64,
    /// The longest of them.
    pub slowest_us: u64,
    /// Answers that came in the margin after the limit.
    pub strikes: u64,
    /// Faults by kind, in all games.
    pub faults: BTreeMap<FaultKind, u64>,
}

impl Line {
    /// Games in which somebody else came first.
    pub fn losses(&self) -> u64 {
        self.games - self.wins - self.draws
    }

    /// The share of points: a win is one, a shared first place half.
    pub fn score(&self) -> Option<f64> {
        (self.games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / self.games as f64)
    }

    /// Milliseconds a move on average.
    pub fn ms_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.wall_us as f64 / 1000.0 / self.moves as f64)
    }
}

/// The state of a match. Only whole units (a board, in every order of the seats) count as results;
/// faults and times count at once.
#[derive(Debug, Clone)]
pub struct Tally {
    lines: Vec<Line>,
    pairs: Pentanomial,
    rankings: Rankings,
    seats: usize,
    units: u64,
    /// Units that are not whole yet.
    open: HashMap<u64, Vec<(Pairing, End)>>,
}

impl Tally {
    /// A match of so many entrants, so many at a table.
    pub fn new(entrants: usize, seats: usize) -> Self {
        Tally {
            lines: vec![Line::default(); entrants],
            pairs: Pentanomial::default(),
            rankings: Rankings::new(entrants),
            seats,
            units: 0,
            open: HashMap::new(),
        }
    }

    /// Adds a game; whether it made a unit whole. A record without an end is no game.
    pub fn add(&mut self, pairing: Pairing, record: &Record) -> bool {
        for event in &record.events {
            let (seat, line) = match event {
                Event::Move(made) => (made.seat, Ok(made)),
                Event::Fault(fault) => (fault.seat, Err(fault.kind)),
                Event::Back(_) => continue,
            };
            let entrant = pairing.seats.get(seat.wrapping_sub(1) as usize);
            let Some(found) = entrant.and_then(|&entrant| self.lines.get_mut(entrant)) else {
                continue;
            };
            match line {
                Ok(made) => {
                    found.moves += 1;
                    found.wall_us += made.wall_us;
                    found.slowest_us = found.slowest_us.max(made.wall_us);
                    found.strikes += u64::from(made.strike);
                }
                Err(kind) => *found.faults.entry(kind).or_default() += 1,
            }
        }
        let seats = pairing.seats.len();
        let whole = |end: &&End| end.scores.len() == seats && end.places.len() == seats;
        let Some(end) = record.end.as_ref().filter(whole) else {
            return false;
        };
        let unit = pairing.unit;
        let games = self.open.entry(unit).or_default();
        if games
            .iter()
            .any(|(other, _)| other.number == pairing.number)
        {
            return false;
        }
        games.push((pairing, end.clone()));
        if games.len() < self.seats {
            return false;
        }
        let games = self.open.remove(&unit).unwrap_or_default();
        self.count(&games);
        true
    }

    fn count(&mut self, games: &[(Pairing, End)]) {
        self.units += 1;
        let mut endings = Vec::new();
        let mut ranked = Vec::new();
        for (pairing, End { scores, places, .. }) in games {
            let shared = places.iter().filter(|&&place| place == 1).count() > 1;
            for (seat, &entrant) in pairing.seats.iter().enumerate() {
                let line = &mut self.lines[entrant];
                line.games += 1;
                match (places[seat], shared) {
                    (1, false) => line.wins += 1,
                    (1, true) => line.draws += 1,
                    _ => {}
                }
                let others = (0..scores.len()).filter(|&other| other != seat);
                let best = others.map(|other| scores[other]).max().unwrap_or(0);
                line.margin += scores[seat] - best;
            }
            // The pair is told from the side of the first entrant.
            if let [one, other] = pairing.seats[..] {
                let first = usize::from(one > other);
                endings.push(match (places[first], places[1 - first]) {
                    (a, b) if a < b => Ending::Win,
                    (a, b) if a > b => Ending::Loss,
                    _ => Ending::Draw,
                });
            }
            let seats = pairing.seats.iter().copied();
            ranked.push(seats.zip(places.iter().copied()).collect());
        }
        if let [one, other] = endings[..] {
            self.pairs.add(one, other);
        }
        let games: Vec<&[(usize, u32)]> = ranked.iter().map(|game: &Vec<_>| &game[..]).collect();
        // Places come from records and seats from the schedule: both are known.
        let _ = self.rankings.add_unit(&games);
    }

    /// The entrants' lines.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// With two at a table: the pairs, from the side of the first of the two.
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// All games as rankings, for tables of three and more.
    pub fn rankings(&self) -> &Rankings {
        &self.rankings
    }

    /// Whole units so far.
    pub fn units(&self) -> u64 {
        self.units
    }
}
