//! The choice of the next meeting: the most informative one.
//!
//! A meeting informs by how much it narrows the ratings of its versions: much if they are uncertain
//! and about equally strong, little if the winner is known beforehand, and less if the same two
//! have met again and again. The chooser takes the best of a few candidates: the most uncertain
//! versions, each with its nearest neighbours by rating. A version that has waited twice as long as
//! the others do comes first, so none starves.
//!
//! A meeting that repeats another in all its games moves no rating (module `queue`). Nothing here
//! replays a game, reads a clock or uses randomness. Everything follows from the meetings so far in
//! their order, so that it is the same again after a kill. A choice costs some dozens of looks and
//! a few steps down a tree, among ten versions or ten thousand.

use std::collections::{BTreeSet, HashMap};

use super::skill::Skill;

/// Number of the most uncertain versions to consider.
const FIRSTS: usize = 4;
/// Number of neighbours to consider, on either side of each.
const REACH: usize = 12;
/// If two versions' meetings with each other exceed this share of one's meetings, their next
/// meeting is worth half.
const SHARE_OF_ONE_PAIR: f64 = 1.0 / 8.0;
/// Longest wait, as a multiple of the mean wait.
const PATIENCE: u64 = 2;

/// A matchup: a board, played in every rotation of the seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matchup {
    /// The matchup's number, from 0.
    pub unit: u64,
    /// The number of the board.
    pub board: u64,
    /// The versions, in the order of the first game.
    pub seats: Vec<usize>,
}

/// The points of each version against each in a meeting (1 for a win in a game, ½ for a draw), by
/// the places of the two in [`Matchup::seats`].
pub(crate) type Points<'a> = dyn Fn(usize, usize) -> f64 + 'a;

/// Chooses who meets next: see the module.
///
/// ```
/// use floe_league::ladder::Matchmaker;
/// let mut chooser = Matchmaker::new(2, false);
/// let versions: Vec<usize> = (0..3).map(|_| chooser.enter()).collect();
/// let first = chooser.choose().unwrap();
/// let second = chooser.choose().unwrap();
/// assert_ne!(first.seats, second.seats); // the third was waiting
/// ```
#[derive(Debug, Clone)]
pub struct Matchmaker {
    table: usize,
    /// Whether there are so few boards that they repeat.
    has_few_boards: bool,
    versions: Vec<Version>,
    met: HashMap<(u32, u32), u32>,
    units: u64,
    /// The playing versions: by uncertainty, by rating, by waiting time. In the first, the number
    /// is inverted, so that among equals the last is the oldest.
    by_variance: BTreeSet<(u64, usize)>,
    by_mean: BTreeSet<(u64, usize)>,
    by_wait: BTreeSet<(u64, usize)>,
    looks: u64,
}

#[derive(Debug, Clone, Copy)]
struct Version {
    skill: Skill,
    /// Meetings, with those under way.
    units: u32,
    /// The version's last meeting. A version without one comes first anyway, as the most uncertain.
    last: Option<u64>,
    plays: bool,
}

/// An integer with the same order as the float.
fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    match value.is_sign_negative() {
        true => !bits,
        false => bits | 1 << 63,
    }
}

impl Matchmaker {
    /// An empty chooser, with `table` seats per game.
    pub fn new(table: usize, has_few_boards: bool) -> Self {
        Matchmaker {
            table: table.max(2),
            has_few_boards,
            versions: Vec::new(),
            met: HashMap::new(),
            units: 0,
            by_variance: BTreeSet::new(),
            by_mean: BTreeSet::new(),
            by_wait: BTreeSet::new(),
            looks: 0,
        }
    }

    /// Adds a version without results; returns its number, counted from 0.
    pub fn enter(&mut self) -> usize {
        let version = self.versions.len();
        self.versions.push(Version {
            skill: Skill::NEW,
            units: 0,
            last: None,
            plays: false,
        });
        self.set_playing(version, true);
        version
    }

    /// Sets whether a version is chosen. Its rating stays.
    pub fn set_playing(&mut self, version: usize, plays: bool) {
        if self.versions[version].plays == plays {
            return;
        }
        if plays {
            self.versions[version].plays = true;
            self.list(version);
        } else {
            self.unlist(version);
            self.versions[version].plays = false;
        }
    }

    /// Whether a version is chosen.
    pub fn is_playing(&self, version: usize) -> bool {
        self.versions[version].plays
    }

    /// Number of versions that can be chosen.
    pub fn playing(&self) -> usize {
        self.by_mean.len()
    }

    /// Number of a version's meetings, including those in progress.
    pub fn meetings_of(&self, version: usize) -> u32 {
        self.versions[version].units
    }

    /// Number of candidates examined so far: the cost of choosing.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// The estimate of a version's strength, in Elo.
    #[cfg(test)]
    pub(super) fn mean(&self, version: usize) -> f64 {
        self.versions[version].skill.mean
    }

    /// The next meeting, which counts as under way from now on; nothing while there are fewer
    /// versions than seats.
    pub fn choose(&mut self) -> Option<Matchup> {
        if self.by_mean.len() < self.table {
            return None;
        }
        let mean = (self.by_mean.len() / self.table).max(1) as u64;
        let longest = self.by_wait.first();
        let starving = longest.filter(|(last, _)| self.units - last >= PATIENCE * mean);
        let firsts: Vec<usize> = match starving {
            Some(&(_, version)) => vec![version],
            None => {
                let least_known = self.by_variance.iter().rev().take(FIRSTS);
                least_known.map(|&(_, turned)| !turned).collect()
            }
        };
        let mut best: Option<(f64, Vec<usize>)> = None;
        for first in firsts {
            let (worth, seats) = self.table_of(first);
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, seats));
            }
        }
        let (_, mut seats) = best?;
        // Rotations keep the cyclic order of the seats: over time every order has its turn.
        let others = &mut seats[1..];
        let turns = others.len() as u64;
        others.rotate_left((self.units % turns) as usize);
        if (self.units / turns) % 2 == 1 {
            others.reverse();
        }
        Some(self.begin(&seats))
    }

    /// Counts a meeting as under way that was chosen before, in its order.
    pub fn begin(&mut self, seats: &[usize]) -> Matchup {
        let unit = self.units;
        let board = match self.has_few_boards {
            false => unit,
            // The same two go through all boards; others begin with another one.
            true => {
                let so_far = self.times_met(seats[0], seats[1]);
                u64::from(so_far) + seats.iter().sum::<usize>() as u64
            }
        };
        let skills: Vec<Skill> = seats.iter().map(|&at| self.versions[at].skill).collect();
        for (at, &version) in seats.iter().enumerate() {
            let information = self.information(&skills, at);
            let units = self.units;
            self.change(version, |version| {
                version.skill.variance = version.skill.variance_with(information);
                version.units += 1;
                version.last = Some(units);
            });
            for &other in &seats[..at] {
                *self.met.entry(pair(version, other)).or_default() += 1;
            }
        }
        self.units += 1;
        Matchup {
            unit,
            board,
            seats: seats.to_vec(),
        }
    }

    /// Takes in the result of a meeting, in the order of their numbers.
    pub(crate) fn finish(&mut self, seats: &[usize], points: &Points<'_>) {
        let skills: Vec<Skill> = seats.iter().map(|&at| self.versions[at].skill).collect();
        for (at, &version) in seats.iter().enumerate() {
            let mut pull = 0.0;
            for other in (0..seats.len()).filter(|&other| other != at) {
                let games = seats.len() as f64;
                let part = skills[at].pull(skills[other], points(at, other), games);
                pull += part * self.pair_weight();
            }
            self.change(version, |version| version.skill.mean += pull);
        }
    }

    /// The best opponents for a version, and how informative they are.
    fn table_of(&mut self, first: usize) -> (f64, Vec<usize>) {
        let mean = (ordered(self.versions[first].skill.mean), first);
        let below = self.by_mean.range(..mean).rev().take(REACH.max(self.table));
        let above = self.by_mean.range(mean..).skip(1);
        let above = above.take(REACH.max(self.table));
        let near = below.chain(above).map(|&(_, other)| other);
        let mut near: Vec<(f64, usize)> = near
            .map(|other| (self.worth(first, other), other))
            .collect();
        self.looks += near.len() as u64;
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        near.truncate(self.table - 1);
        let worth = near.iter().map(|(worth, _)| worth).sum();
        let others = near.into_iter().map(|(_, other)| other);
        (worth, std::iter::once(first).chain(others).collect())
    }

    /// By how much a meeting of two makes both ratings surer.
    fn worth(&self, one: usize, other: usize) -> f64 {
        let (a, b) = (&self.versions[one], &self.versions[other]);
        let games = self.table as f64;
        let surer = |one: Skill, other: Skill| {
            one.variance - one.variance_with(one.information(other, games))
        };
        let met = f64::from(self.times_met(one, other));
        let share = met / f64::from(a.units.min(b.units) + 1);
        let fresh = 1.0 / (1.0 + share / SHARE_OF_ONE_PAIR);
        fresh * (surer(a.skill, b.skill) + surer(b.skill, a.skill))
    }

    fn information(&self, skills: &[Skill], at: usize) -> f64 {
        let games = skills.len() as f64;
        let others = (0..skills.len()).filter(|&other| other != at);
        let all: f64 = others
            .map(|other| skills[at].information(skills[other], games))
            .sum();
        all * self.pair_weight()
    }

    /// Pairs of one table of many are not independent.
    fn pair_weight(&self) -> f64 {
        2.0 / self.table as f64
    }

    fn times_met(&self, one: usize, other: usize) -> u32 {
        self.met.get(&pair(one, other)).copied().unwrap_or(0)
    }

    fn change(&mut self, version: usize, change: impl FnOnce(&mut Version)) {
        let plays = self.versions[version].plays;
        if plays {
            self.unlist(version);
        }
        change(&mut self.versions[version]);
        if plays {
            self.list(version);
        }
    }

    fn list(&mut self, version: usize) {
        let Version { skill, last, .. } = self.versions[version];
        self.by_variance.insert((ordered(skill.variance), !version));
        self.by_mean.insert((ordered(skill.mean), version));
        if let Some(last) = last {
            self.by_wait.insert((last, version));
        }
    }

    fn unlist(&mut self, version: usize) {
        let Version { skill, last, .. } = self.versions[version];
        self.by_variance
            .remove(&(ordered(skill.variance), !version));
        self.by_mean.remove(&(ordered(skill.mean), version));
        if let Some(last) = last {
            self.by_wait.remove(&(last, version));
        }
    }
}

fn pair(one: usize, other: usize) -> (u32, u32) {
    (one.min(other) as u32, one.max(other) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Versions whose strengths are known: the stronger wins, the more so the stronger it is.
    struct Known {
        chooser: Matchmaker,
        strengths: Vec<f64>,
    }

    impl Known {
        fn new(table: usize, versions: usize) -> Self {
            let mut chooser = Matchmaker::new(table, false);
            // In no order, from -600 to 600.
            let strengths = (0..versions)
                .map(|v| (v * 7919 % versions) as f64 / versions as f64 * 1200.0 - 600.0)
                .collect();
            (0..versions).for_each(|_| {
                chooser.enter();
            });
            Known { chooser, strengths }
        }

        /// Plays this many meetings, each reported before the next is chosen.
        fn play(&mut self, meetings: usize) -> Vec<Matchup> {
            let each = |_| {
                let meeting = self.chooser.choose().unwrap();
                let (seats, strengths) = (&meeting.seats, &self.strengths);
                self.chooser.finish(seats, &|one, other| {
                    let lead = strengths[seats[one]] - strengths[seats[other]];
                    seats.len() as f64 / (1.0 + 10f64.powf(-lead / 400.0))
                });
                meeting
            };
            (0..meetings).map(each).collect()
        }
    }

    #[test]
    fn the_same_results_lead_to_the_same_choices() {
        let (mut one, mut other) = (Known::new(2, 30), Known::new(2, 30));
        assert_eq!(one.play(500), other.play(500));
    }

    #[test]
    fn a_choice_costs_the_same_among_ten_thousand_as_among_a_hundred() {
        for versions in [100, 1000, 10_000] {
            let mut known = Known::new(2, versions);
            known.play(200);
            assert!(
                known.chooser.looks() <= 200 * (FIRSTS * 2 * REACH) as u64,
                "{versions}: {}",
                known.chooser.looks()
            );
        }
    }

    #[test]
    fn ratings_find_the_strengths_from_few_meetings() {
        let mut known = Known::new(2, 40);
        known.play(40 * 12);
        let mean = |version: usize| known.chooser.mean(version);
        let pairs = (0..40).flat_map(|one| (0..one).map(move |other| (one, other)));
        let agree = |&(one, other): &(usize, usize)| {
            let is_stronger = known.strengths[one] > known.strengths[other];
            is_stronger == (mean(one) > mean(other))
        };
        let agreeing = pairs.filter(agree).count();
        assert!(agreeing >= 40 * 39 / 2 * 95 / 100, "{agreeing}");
    }

    #[test]
    fn nobody_starves_not_even_the_ones_far_above_or_below() {
        for table in [2, 3, 4] {
            let mut known = Known::new(table, 24);
            known.strengths[3] = 3000.0;
            known.strengths[11] = -3000.0;
            known.play(24 * 40);
            let played = |v: usize| f64::from(known.chooser.meetings_of(v));
            let mean = (0..24).map(played).sum::<f64>() / 24.0;
            let least = (0..24).map(played).fold(f64::INFINITY, f64::min);
            assert!(least >= 0.4 * mean, "{table}: {least} of {mean}");
        }
    }

    #[test]
    fn close_ones_meet_and_newcomers_come_first() {
        let mut known = Known::new(2, 40);
        known.play(400);
        let later = known.play(400);
        let distance = |meeting: &Matchup| {
            (known.strengths[meeting.seats[0]] - known.strengths[meeting.seats[1]]).abs()
        };
        let mean = later.iter().map(distance).sum::<f64>() / 400.0;
        assert!(mean < 200.0, "two at random are 400 apart, not {mean}");
        let new = known.chooser.enter();
        known.strengths.push(250.0);
        let next = known.play(10);
        assert!(next[0].seats.contains(&new));
        let meetings = next.iter().filter(|m| m.seats.contains(&new)).count();
        assert!((3..=10).contains(&meetings), "{meetings} of 10");
    }

    #[test]
    fn who_left_is_not_chosen_and_too_few_choose_nobody() {
        let mut chooser = Matchmaker::new(3, false);
        (0..3).for_each(|_| {
            chooser.enter();
        });
        assert_eq!(chooser.choose().unwrap().seats.len(), 3);
        chooser.set_playing(1, false);
        assert_eq!(chooser.choose(), None);
        chooser.enter();
        let seats = chooser.choose().unwrap().seats;
        assert!(!seats.contains(&1), "{seats:?}");
        chooser.set_playing(1, true);
        assert_eq!(chooser.playing(), 4);
    }

    #[test]
    fn few_boards_are_gone_through_by_every_pair() {
        let mut chooser = Matchmaker::new(2, true);
        chooser.enter();
        chooser.enter();
        let boards: Vec<u64> = (0..5).map(|_| chooser.choose().unwrap().board).collect();
        assert_eq!(boards, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn floats_keep_their_order_as_numbers() {
        let values = [-1e9, -2.5, -0.0, 0.0, 1e-9, 3.0, 350.0];
        assert!(values.windows(2).all(|w| ordered(w[0]) <= ordered(w[1])));
    }
}
