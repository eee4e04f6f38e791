//! Workers whose games come out otherwise than those of all others: a test of Pearson's, over all
//! pairings and over faults.

use std::collections::{BTreeMap, BTreeSet};

use floe_games::record::Record;

/// The probability below which chance is ruled out: with a thousand workers that are looked at a
/// thousand times, an honest one is named once in ten thousand contests.
const CHANCE: f64 = 1e-10;
/// A worker needs so many games of a pairing, and all others so many, to be compared in it.
const LEAST_GAMES: u64 = 5;
/// How often it is looked at: after as many games, or after as many for each worker if that is more. A look
/// takes time for every worker.
const EVERY: u64 = 50;
const EVERY_OF_EACH: u64 = 4;

/// How often a game ended in each way: the first seat ahead, level, behind; and as many with a fault.
type Ends = [u64; 3];

/// The games of all workers, by what is compared.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// By pairing or program, then by worker.
    ends: BTreeMap<String, BTreeMap<String, Ends>>,
    games: u64,
    /// Games at the next look.
    next: u64,
}

/// What the games of workers show.
#[derive(Debug, PartialEq)]
pub(super) enum Outliers {
    /// Nothing.
    None,
    /// This worker's come out otherwise than those of all others.
    One(String),
    /// These differ, and nobody can say who is right.
    Either(BTreeSet<String>),
}

impl Tally {
    /// Counts a game.
    pub(super) fn add(&mut self, worker: &str, record: &Record) {
        let Some(end) = &record.end else { return };
        let mut note = |what: String, end: usize| {
            let workers = self.ends.entry(what).or_default();
            workers.entry(worker.to_owned()).or_default()[end] += 1;
        };
        let seats = &record.opening.seats;
        let first = end.places.first().copied().unwrap_or(0);
        let best = end.places.iter().skip(1).min().copied().unwrap_or(0);
        let place = match first.cmp(&best) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        };
        let names: Vec<&str> = seats.iter().map(|seat| seat.name.as_str()).collect();
        note(format!("{names:?}"), place);
        for (number, seat) in seats.iter().enumerate() {
            let has_fault = record
                .faults()
                .any(|fault| fault.seat as usize == number + 1);
            note(seat.name.clone(), usize::from(has_fault));
        }
        self.games += 1;
    }

    /// Forgets a worker's games.
    pub(super) fn forget(&mut self, worker: &str) {
        for workers in self.ends.values_mut() {
            workers.remove(worker);
        }
    }

    /// Looks who differs, now and then.
    pub(super) fn look(&mut self) -> Outliers {
        if self.games < self.next {
            return Outliers::None;
        }
        let every = EVERY.max(EVERY_OF_EACH * self.workers().len() as u64);
        self.next = (self.games / every + 1) * every;
        self.outliers()
    }

    fn workers(&self) -> BTreeSet<&String> {
        self.ends.values().flat_map(|ends| ends.keys()).collect()
    }

    fn outliers(&self) -> Outliers {
        let workers = self.workers();
        let totals: Vec<Ends> = self.ends.values().map(total).collect();
        let differ =
            |worker: &str, without: Option<&str>| self.chance(&totals, worker, without) < CHANCE;
        let mut named = workers.iter().filter(|worker| differ(worker, None));
        let suspects: Vec<&String> = named.by_ref().copied().collect();
        // Whose absence leaves all others in agreement.
        let alone: BTreeSet<String> = suspects
            .iter()
            .filter(|suspect| {
                let others = workers.iter().filter(|worker| worker != suspect);
                !others.clone().any(|other| differ(other, Some(suspect)))
            })
            .map(|suspect| (*suspect).clone())
            .collect();
        match alone.len() {
            0 => Outliers::None,
            1 => alone
                .into_iter()
                .next()
                .map_or(Outliers::None, Outliers::One),
            _ => Outliers::Either(alone),
        }
    }

    /// The probability that a worker's games differ so much from those of all others by chance, if those
    /// of one are left out. There may be thousands of workers: `totals` has the sums of all.
    fn chance(&self, totals: &[Ends], worker: &str, without: Option<&str>) -> f64 {
        let (mut sum, mut tables) = (0.0, 0);
        for (workers, total) in self.ends.values().zip(totals) {
            let of = |name: &str| workers.get(name).copied().unwrap_or_default();
            let (own, left_out) = (of(worker), without.map(of).unwrap_or_default());
            let mut rest = *total;
            for (at, n) in rest.iter_mut().enumerate() {
                *n -= own[at] + left_out[at];
            }
            if own.iter().sum::<u64>() >= LEAST_GAMES && rest.iter().sum::<u64>() >= LEAST_GAMES {
                sum += chi_squared(own, rest);
                tables += 1;
            }
        }
        tail(sum, tables)
    }
}

/// The sums of all workers.
fn total(workers: &BTreeMap<String, Ends>) -> Ends {
    let mut total = Ends::default();
    for ends in workers.values() {
        total.iter_mut().zip(ends).for_each(|(sum, n)| *sum += n);
    }
    total
}

/// Pearson's statistic of two rows that should have the same shares.
fn chi_squared(one: Ends, other: Ends) -> f64 {
    let total = |row: Ends| row.iter().sum::<u64>() as f64;
    let (of_one, of_other) = (total(one), total(other));
    let all = of_one + of_other;
    let mut sum = 0.0;
    for column in 0..one.len() {
        let share = (one[column] + other[column]) as f64 / all;
        for (seen, row) in [(one[column], of_one), (other[column], of_other)] {
            let expected = share * row;
            if expected > 0.0 {
                sum += (seen as f64 - expected).powi(2) / expected;
            }
        }
    }
    sum
}

/// The probability that a chi-squared variable with two degrees of freedom for each table is larger. A
/// table with an empty column has fewer, which makes this the more careful.
fn tail(sum: f64, tables: u32) -> f64 {
    let half = sum / 2.0;
    let (mut term, mut series) = (1.0, 0.0);
    for k in 0..tables {
        series += term;
        term *= half / f64::from(k + 1);
    }
    match tables {
        0 => 1.0,
        _ => (-half).exp() * series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Workers with these ends in each of two pairings.
    fn tally(workers: &[(&str, Ends)]) -> Tally {
        let mut tally = Tally::default();
        for what in ["a b", "b a"] {
            for (name, ends) in workers {
                let of = tally.ends.entry(what.to_owned()).or_default();
                of.insert((*name).to_owned(), *ends);
            }
        }
        tally
    }

    #[test]
    fn probabilities_are_those_of_tables() {
        // From tables of the distribution: 5.991 and 9.488 at 5 %, 13.816 at 0.1 %.
        assert!((tail(5.991, 1) - 0.05).abs() < 1e-4);
        assert!((tail(9.488, 2) - 0.05).abs() < 1e-4);
        assert!((tail(13.816, 1) - 0.001).abs() < 1e-6);
        assert_eq!(tail(0.0, 0), 1.0);
        // (10, 20) against (20, 10): 6.667.
        assert!((chi_squared([10, 20, 0], [20, 10, 0]) - 6.6667).abs() < 1e-3);
        assert_eq!(chi_squared([5, 5, 5], [50, 50, 50]), 0.0);
    }

    #[test]
    fn a_liar_among_three_is_named_and_two_accuse_each_other() {
        let honest = [60, 10, 30];
        let three = tally(&[("one", honest), ("two", [55, 12, 33]), ("liar", [5, 5, 90])]);
        assert_eq!(three.outliers(), Outliers::One("liar".into()));
        let two = tally(&[("one", honest), ("liar", [5, 5, 90])]);
        let both = BTreeSet::from(["one".to_owned(), "liar".to_owned()]);
        assert_eq!(two.outliers(), Outliers::Either(both));
        let fair = tally(&[
            ("one", honest),
            ("two", [50, 15, 35]),
            ("three", [65, 5, 30]),
        ]);
        assert_eq!(fair.outliers(), Outliers::None);
        let mut three = three;
        three.forget("liar");
        assert_eq!(three.outliers(), Outliers::None);
    }

    #[test]
    fn a_look_takes_no_more_time_for_each_game_with_more_workers() {
        let names: Vec<String> = (0..100).map(|n| format!("w{n}")).collect();
        let many: Vec<(&str, Ends)> = names
            .iter()
            .map(|name| (name.as_str(), [9, 0, 0]))
            .collect();
        for (mut tally, every) in [(tally(&many[..2]), 50), (tally(&many), 400)] {
            for games in 0..1000 {
                tally.games = games;
                let due = tally.next;
                let _ = tally.look();
                assert_eq!(games.is_multiple_of(every), tally.next != due, "{games}");
            }
        }
    }

    #[test]
    fn few_games_say_nothing() {
        let few = tally(&[
            ("one", [4, 0, 0]),
            ("two", [0, 0, 400]),
            ("three", [0, 0, 90]),
        ]);
        assert_eq!(few.outliers(), Outliers::None);
    }
}
