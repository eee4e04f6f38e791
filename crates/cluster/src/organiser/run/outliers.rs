//! Workers whose games come out otherwise than those of all others, by more than chance: over all
//! pairings, and over faults.
//!
//! For each pairing, the games of one worker are compared with all games. If the worker is honest, its
//! results are a random part of them, and their probability is known exactly (the hypergeometric
//! distribution), however few they are. The comparison divides the probability under another assumption,
//! that any result is as likely as any other, by that. For honest workers such a ratio is 1 on average,
//! and so is the product over all pairings: it exceeds 10¹⁰ with a probability of at most 10⁻¹⁰. A test
//! that is right only for many games, such as Pearson's, blames the worker that gets a rare result.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use floe_games::record::Record;

/// The evidence, as a log-likelihood ratio, from which chance is ruled out: 10¹⁰. With a thousand
/// workers examined a thousand times, an honest one is named once in ten thousand contests.
const PROOF: f64 = 23.03;
/// The most evidence against any other worker while one is named. If games depend on each other, as
/// on boards that are always drawn, there is evidence against all.
const DOUBT: f64 = PROOF / 2.0;
/// Least number of games of a pairing, by the worker and by all others, for a comparison.
const LEAST_GAMES: u64 = 5;
/// Interval between examinations, in games, or in games per worker if that is more. An examination
/// takes time for every worker.
const EVERY: u64 = 50;
const EVERY_OF_EACH: u64 = 4;

/// Number of games by result: one entrant ahead, level, behind; or without and with a fault.
type Ends = [u64; 3];

/// The kind of game to compare.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Compared {
    /// The results of a pairing, by the names of its entrants.
    Results(String),
    /// The faults of an entrant.
    Faults(String),
}

/// The games of all workers, by kind.
///
/// There may be thousands of workers and hundreds of pairings, so a worker's games of a kind are three
/// numbers without a name.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The numbers of the workers.
    workers: BTreeMap<String, usize>,
    /// By kind, then by the number of the worker; workers beyond the end have no such games.
    ends: BTreeMap<Compared, Vec<Ends>>,
    games: u64,
    /// Number of games at the next check.
    next: u64,
}

/// The conclusion from all workers' games.
#[derive(Debug, PartialEq)]
pub(super) enum Outliers {
    /// No worker stands out.
    None,
    /// This worker's results differ from those of all others.
    One(String),
    /// These workers differ, and it is not known who is right.
    Either(BTreeSet<String>),
}

impl Tally {
    /// Counts a game.
    pub(super) fn add(&mut self, worker: &str, record: &Record) {
        let Some(end) = &record.end else { return };
        let number = self.number(worker);
        let mut note = |what: Compared, end: usize| {
            ends_of(&mut self.ends, what, number)[end] += 1;
        };
        let seats = &record.opening.seats;
        let mut places: Vec<(&str, u32)> = seats
            .iter()
            .zip(&end.places)
            .map(|(seat, &place)| (seat.name.as_str(), place))
            .collect();
        // By name and not by seat: all rotations of a board are one pairing, so a board that
        // favours the first seat is no evidence.
        places.sort_by_key(|&(name, _)| name);
        let best = places.iter().skip(1).map(|&(_, place)| place).min();
        if let (Some(&(_, first)), Some(best)) = (places.first(), best) {
            let names: Vec<&str> = places.iter().map(|&(name, _)| name).collect();
            let end = match first.cmp(&best) {
                Ordering::Less => 0,
                Ordering::Equal => 1,
                Ordering::Greater => 2,
            };
            note(Compared::Results(format!("{names:?}")), end);
        }
        for (number, seat) in seats.iter().enumerate() {
            let has_fault = record
                .faults()
                .any(|fault| fault.seat as usize == number + 1);
            note(Compared::Faults(seat.name.clone()), usize::from(has_fault));
        }
        self.games += 1;
    }

    /// The number of a worker.
    fn number(&mut self, worker: &str) -> usize {
        if let Some(&number) = self.workers.get(worker) {
            return number;
        }
        let number = self.workers.len();
        self.workers.insert(worker.to_owned(), number);
        number
    }

    /// Forgets a worker's games.
    pub(super) fn forget(&mut self, worker: &str) {
        let Some(&number) = self.workers.get(worker) else {
            return;
        };
        for ends in self.ends.values_mut() {
            if let Some(ends) = ends.get_mut(number) {
                *ends = Ends::default();
            }
        }
    }

    /// Looks for workers that differ, at intervals.
    pub(super) fn look(&mut self) -> Outliers {
        if self.games < self.next {
            return Outliers::None;
        }
        let every = EVERY.max(EVERY_OF_EACH * self.workers.len() as u64);
        self.next = (self.games / every + 1) * every;
        self.outliers()
    }

    fn outliers(&self) -> Outliers {
        let totals: Vec<Ends> = self.ends.values().map(|ends| total(ends)).collect();
        let evidence = |worker, without| self.evidence(&totals, worker, without);
        let suspects = self.workers.iter();
        let suspects = suspects.filter(|&(_, &worker)| evidence(worker, None) > PROOF);
        // The workers without whom all others agree.
        let alone: BTreeSet<String> = suspects
            .filter(|&(_, &suspect)| {
                let mut others = self.workers.values().filter(|&&worker| worker != suspect);
                !others.any(|&other| evidence(other, Some(suspect)) > DOUBT)
            })
            .map(|(name, _)| name.clone())
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

    /// The evidence that a worker's games are not a random part of all games, without one worker's
    /// games. There may be thousands of workers: `totals` has the sums of all.
    fn evidence(&self, totals: &[Ends], worker: usize, without: Option<usize>) -> f64 {
        // Results and faults depend on each other, so their evidence must not be added.
        let (mut results, mut faults) = (0.0, 0.0);
        for ((what, ends), total) in self.ends.iter().zip(totals) {
            let of = |worker: usize| ends.get(worker).copied().unwrap_or_default();
            let (own, left_out) = (of(worker), without.map(of).unwrap_or_default());
            let mut all = *total;
            all.iter_mut().zip(left_out).for_each(|(n, out)| *n -= out);
            let (of_own, of_all) = (own.iter().sum::<u64>(), all.iter().sum::<u64>());
            if of_own >= LEAST_GAMES && of_all - of_own >= LEAST_GAMES {
                match what {
                    Compared::Results(_) => results += ratio(own, all),
                    Compared::Faults(_) => faults += ratio(own, all),
                }
            }
        }
        // The mean of the two ratios is 1 on average too; it is at least half of the larger.
        f64::max(results, faults) - std::f64::consts::LN_2
    }
}

/// A worker's games of this kind.
fn ends_of(ends: &mut BTreeMap<Compared, Vec<Ends>>, what: Compared, worker: usize) -> &mut Ends {
    let ends = ends.entry(what).or_default();
    if ends.len() <= worker {
        ends.resize(worker + 1, Ends::default());
    }
    &mut ends[worker]
}

/// The sums of all workers.
fn total(workers: &[Ends]) -> Ends {
    let mut total = Ends::default();
    for ends in workers {
        total.iter_mut().zip(ends).for_each(|(sum, n)| *sum += n);
    }
    total
}

/// The log-probability of a worker's results if all distributions are equally likely, minus that of
/// a random part of all games.
fn ratio(own: Ends, all: Ends) -> f64 {
    let count = |ends: Ends| ends.iter().sum::<u64>();
    let columns = all.iter().filter(|&&n| n > 0).count() as u64;
    let ways: f64 = all.iter().zip(own).map(|(&n, k)| ln_choose(n, k)).sum();
    let as_part = ways - ln_choose(count(all), count(own));
    // As many results as ways to distribute the games over the columns.
    let as_any = -ln_choose(count(own) + columns - 1, columns - 1);
    as_any - as_part
}

/// The logarithm of the number of ways to choose `k` of `n`.
fn ln_choose(n: u64, k: u64) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n.saturating_sub(k))
}

/// The logarithm of a factorial, by Stirling's series.
fn ln_factorial(n: u64) -> f64 {
    if n < 16 {
        return (2..=n).map(|k| k as f64).product::<f64>().ln();
    }
    let n = n as f64;
    let series = 1.0 / (12.0 * n) - 1.0 / (360.0 * n.powi(3)) + 1.0 / (1260.0 * n.powi(5));
    n * n.ln() - n + (std::f64::consts::TAU * n).ln() / 2.0 + series
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Workers with these ends in each of two pairings.
    fn tally(workers: &[(&str, Ends)]) -> Tally {
        let mut tally = Tally::default();
        for what in ["a b", "b a"] {
            for (name, ends) in workers {
                let number = tally.number(name);
                let what = Compared::Results(what.to_owned());
                *ends_of(&mut tally.ends, what, number) = *ends;
            }
        }
        tally
    }

    #[test]
    fn ratios_are_those_of_small_tables() {
        // 3 of 5 are ahead; a worker has 2 games, one of which is: 3 · 2 of 10 ways, and 1 of 3 results.
        assert!((ratio([1, 0, 1], [3, 0, 2]).exp() - (1.0 / 3.0) / 0.6).abs() < 1e-12);
        // On average over what an honest worker can get, the ratio is 1.
        let all = [30, 1, 9];
        let (mut sum, mut probability) = (0.0, 0.0);
        for ahead in 0..=7 {
            for level in 0..=(7 - ahead).min(1) {
                let own = [ahead, level, 7 - ahead - level];
                let ways: f64 = all.iter().zip(own).map(|(&n, k)| ln_choose(n, k)).sum();
                let chance = (ways - ln_choose(40, 7)).exp();
                probability += chance;
                sum += chance * ratio(own, all).exp();
            }
        }
        assert!((probability - 1.0).abs() < 1e-9, "{probability}");
        assert!(sum <= 1.0, "{sum}");
        for n in [0, 1, 15, 16, 40] {
            let sum: f64 = (1..=n).map(|k| (k as f64).ln()).sum();
            assert!((ln_factorial(n) - sum).abs() < 1e-9, "{n}");
        }
    }

    #[test]
    fn a_rare_result_is_no_lie() {
        let others = [("two", [5000, 0, 3]), ("three", [5000, 0, 2])];
        for own in [[6, 0, 1], [5, 1, 0], [4, 0, 1], [9, 1, 1]] {
            let unlucky = tally(&[("one", own), others[0], others[1]]);
            assert_eq!(unlucky.outliers(), Outliers::None, "{own:?}");
        }
        let liar = tally(&[("one", [1, 0, 6]), others[0], others[1]]);
        assert_eq!(liar.outliers(), Outliers::One("one".into()));
    }

    /// As many workers and pairings as in a large contest, in which the weaker one rarely wins.
    #[test]
    fn honest_workers_are_not_named_in_a_long_contest() {
        let mut dice = floe_rules::random::Random::seeded(29);
        let mut tally = Tally::default();
        let names: Vec<String> = (0..100).map(|n| format!("w{n}")).collect();
        for _ in 0..60_000 {
            let pairing = dice.index(28);
            let end = match dice.index(1000) {
                0 => 1,
                1 | 2 => 2,
                _ if pairing < 12 => [0, 2][dice.index(2)],
                _ => 0,
            };
            let worker = &names[dice.index(names.len())];
            let what = Compared::Results(pairing.to_string());
            let number = tally.number(worker);
            ends_of(&mut tally.ends, what, number)[end] += 1;
            tally.games += 1;
            assert_eq!(tally.look(), Outliers::None);
        }
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
