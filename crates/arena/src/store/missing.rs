//! Numbers of games missing from a file of records.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;

use floe_games::record::Opening;

/// Most ranges of numbers to name.
const NAMED: usize = 20;

/// The numbers of the games in a file, counted from 0.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    whole: BTreeSet<u64>,
    damaged: HashSet<u64>,
    /// The players of each unit, as a digest, and the unit's number of games.
    units: BTreeMap<u64, u64>,
    table: u64,
}

impl Numbers {
    /// Adds a game; `false` if its number was already present.
    pub(super) fn add(&mut self, number: u64, opening: &Opening) -> bool {
        let mut names: Vec<&str> = opening.seats.iter().map(|seat| &*seat.name).collect();
        names.sort_unstable();
        let mut digest = DefaultHasher::new();
        names.hash(&mut digest);
        self.table = names.len().max(1) as u64;
        self.units.insert(number / self.table, digest.finish());
        self.whole.insert(number)
    }

    /// Adds the number of an unreadable game, which is reported elsewhere.
    pub(super) fn add_damaged(&mut self, number: u64) {
        self.damaged.insert(number);
    }

    /// A sentence with the missing games: indexed ones, and those below the largest number.
    pub(super) fn missing(&self, indexed: &HashSet<u64>) -> Option<String> {
        let lost = indexed.iter().filter(|&number| !self.has(*number));
        let mut missing: BTreeSet<u64> = lost.copied().collect();
        let is_knockout = self.is_knockout();
        let is_spare = |number: u64| is_knockout && self.is_between_matches(number);
        let mut next = 0;
        for &number in &self.whole {
            let gap = next..number;
            // No file is long enough to lack this many games one by one.
            if gap.end - gap.start <= 1 << 20 {
                missing.extend(gap.filter(|&n| !self.has(n) && !is_spare(n)));
            }
            next = number + 1;
        }
        sentence(&ranges(&missing))
    }

    fn has(&self, number: u64) -> bool {
        self.whole.contains(&number) || self.damaged.contains(&number)
    }

    /// Whether a number lies between the units of different players: a knockout reserves some
    /// numbers for extra games that were not needed.
    fn is_between_matches(&self, number: u64) -> bool {
        let unit = number / self.table;
        let before = self.units.range(..=unit).next_back();
        let after = self.units.range(unit + 1..).next();
        match (before, after) {
            (Some((&last, one)), Some((_, other))) => last < unit && one != other,
            // A seat without an opponent in the first round plays no match.
            (None, Some(_)) => true,
            _ => false,
        }
    }

    /// Whether the units could be those of a knockout: without gaps inside a match, and with equal
    /// space for each match.
    fn is_knockout(&self) -> bool {
        let mut starts = Vec::new();
        let mut longest = 1;
        let mut run: Option<(u64, u64, u64)> = None;
        for (&unit, &who) in &self.units {
            run = match run {
                Some((start, last, same)) if same == who && last + 1 == unit => {
                    longest = longest.max(unit - start + 1);
                    Some((start, unit, who))
                }
                _ => {
                    starts.push(unit);
                    Some((unit, unit, who))
                }
            };
        }
        let room = starts.iter().fold(0, |all, &start| greatest(all, start));
        room > 1 && longest <= room
    }
}

/// The greatest common divisor.
fn greatest(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

fn ranges(numbers: &BTreeSet<u64>) -> Vec<RangeInclusive<u64>> {
    let mut ranges: Vec<RangeInclusive<u64>> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end() + 1 == number => *last = *last.start()..=number,
            _ => ranges.push(number..=number),
        }
    }
    ranges
}

fn sentence(ranges: &[RangeInclusive<u64>]) -> Option<String> {
    let mut text = String::new();
    for (place, range) in ranges.iter().take(NAMED).enumerate() {
        let (first, last) = (range.start() + 1, range.end() + 1);
        let gap = if place > 0 { ", " } else { "" };
        let _ = match last - first {
            0 => write!(text, "{gap}{first}"),
            1 => write!(text, "{gap}{first}, {last}"),
            _ => write!(text, "{gap}{first} to {last}"),
        };
    }
    if ranges.len() > NAMED {
        text.push_str(" and more");
    }
    let is_one = matches!(ranges, [one] if one.start() == one.end());
    let (noun, verb, they) = match is_one {
        true => ("game", "is", "it was"),
        false => ("games", "are", "they were"),
    };
    let why = "cut out of the file, or never finished; a tournament plays what is missing";
    (!ranges.is_empty()).then(|| format!("{noun} {text} {verb} missing: {they} {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use floe_games::record::Entrant;

    fn numbers(games: &[(u64, [&str; 2])]) -> Numbers {
        let mut numbers = Numbers::default();
        for (number, names) in games {
            let seats = names.map(|name| Entrant {
                name: name.to_owned(),
                ..Entrant::default()
            });
            let opening = Opening {
                seats: seats.to_vec(),
                ..Opening::default()
            };
            assert!(numbers.add(*number, &opening));
        }
        numbers
    }

    #[test]
    fn missing_games_are_named_as_ranges() {
        let all = [0, 1, 2, 3, 5, 6, 9, 14].map(|number| (number, ["a", "b"]));
        let mut some = numbers(&all);
        some.add_damaged(8);
        let said = some.missing(&HashSet::from([3, 20])).unwrap();
        assert!(
            said.starts_with("games 5, 8, 11 to 14, 21 are missing"),
            "{said}"
        );
        let one = numbers(&all[..5]).missing(&HashSet::new()).unwrap();
        assert!(one.starts_with("game 5 is missing: it was"), "{one}");
        assert_eq!(numbers(&all[..4]).missing(&HashSet::new()), None);
    }

    #[test]
    fn a_knockout_has_numbers_to_spare() {
        // Matches of up to two units of two games, of which the first and third needed one.
        let (one, two, last) = (["a", "b"], ["c", "d"], ["a", "c"]);
        let games = [
            (0, one),
            (1, one),
            (4, two),
            (5, two),
            (6, two),
            (7, two),
            (8, last),
            (9, last),
        ];
        assert_eq!(numbers(&games).missing(&HashSet::new()), None);
        assert_eq!(numbers(&games[2..]).missing(&HashSet::new()), None, "a bye");
        let cut: Vec<_> = games.iter().copied().filter(|game| game.0 != 5).collect();
        let said = numbers(&cut).missing(&HashSet::new()).unwrap();
        assert!(said.starts_with("game 6 is missing"), "{said}");
        // In a round robin there are none.
        let games = [(0, one), (1, one), (2, two), (3, two), (6, last), (7, last)];
        let said = numbers(&games).missing(&HashSet::new()).unwrap();
        assert!(said.starts_with("games 5, 6 are missing"), "{said}");
    }
}
