use std::collections::BTreeMap;

use super::{Description, Format, TournamentError, Unit};
use crate::schedule::{
    Knockout, KnockoutMatch, KnockoutRules, Pairing, Schedule, Swiss, SwissScores, UnitResult,
};
use crate::store::GameSummary;

/// The games to play: a function of the whole units.
#[derive(Debug, Clone)]
pub(super) enum Plan {
    Fixed(Schedule),
    Swiss {
        swiss: Swiss,
        entrants: usize,
        rounds: u64,
        boards: u64,
    },
    Knockout {
        /// The round, from 0, after which each entrant leaves.
        leaves: Vec<Option<u32>>,
        rules: KnockoutRules,
    },
}

/// Games that can be played now.
#[derive(Debug)]
pub(super) enum Stage {
    /// A whole schedule, of which some games may be finished.
    All(Schedule),
    /// A list of games, of which some may be finished.
    Games(Vec<Pairing>),
}

/// The half points of a unit: two games of two.
const UNIT: u64 = 4;

impl Plan {
    pub(super) fn new(description: &Description) -> Result<Plan, TournamentError> {
        let entrants = description.entrants.len();
        let (table, boards, seed) = (description.table, description.count, description.seed);
        Ok(match description.format {
            Format::RoundRobin => {
                Plan::Fixed(Schedule::round_robin(entrants, table, boards, seed)?)
            }
            Format::Gauntlet { challengers } => Plan::Fixed(Schedule::gauntlet(
                entrants,
                challengers,
                table,
                boards,
                seed,
            )?),
            Format::Swiss { rounds } => Plan::Swiss {
                swiss: Swiss::with_stays(description.stays.clone(), boards, seed),
                entrants,
                rounds,
                boards,
            },
            Format::Knockout => {
                let rules = KnockoutRules {
                    units: boards,
                    extra: description.extra,
                    margins_part_equals: description.game.margins_part_equals(),
                    seed,
                };
                let round = |leaves: u64| u32::try_from(leaves).unwrap_or(u32::MAX);
                let stays = description.stays.iter();
                let leaves: Vec<_> = stays.map(|stay| stay.leaves.map(round)).collect();
                Knockout::with_leavers(leaves.clone(), rules)?;
                Plan::Knockout { leaves, rules }
            }
        })
    }

    /// Number of games, unless it depends on results.
    pub(super) fn length(&self) -> Option<u64> {
        match self {
            Plan::Fixed(schedule) => Some(schedule.len()),
            Plan::Swiss { swiss, rounds, .. } => Some(swiss.units_before(*rounds) * 2),
            Plan::Knockout { .. } => None,
        }
    }

    /// The schedule, if it is fixed beforehand.
    pub(super) fn schedule(&self) -> Option<&Schedule> {
        match self {
            Plan::Fixed(schedule) => Some(schedule),
            _ => None,
        }
    }

    /// Whether the games depend on results.
    pub(super) fn needs_results(&self) -> bool {
        !matches!(self, Plan::Fixed(_))
    }

    /// The board of the game with this number.
    pub(super) fn board(&self, number: u64) -> u64 {
        match self {
            Plan::Fixed(schedule) => schedule.pairing(number).map_or(0, |pairing| pairing.board),
            Plan::Swiss {
                swiss,
                rounds,
                boards,
                ..
            } => {
                let unit = number / 2;
                let (mut least, mut most) = (0, *rounds);
                while most - least > 1 {
                    let middle = least.midpoint(most);
                    match swiss.units_before(middle) <= unit {
                        true => least = middle,
                        false => most = middle,
                    }
                }
                let within = unit - swiss.units_before(least);
                let tables = swiss.present(least).count() as u64 / 2;
                least * boards + within / tables.max(1)
            }
            Plan::Knockout { leaves, rules } => {
                let per_match = rules.units + rules.extra;
                let (slot, unit) = (number / 2 / per_match, number / 2 % per_match);
                let mut in_round = leaves.len().next_power_of_two() as u64 / 2;
                let (mut first, mut round) = (0, 0);
                while slot >= first + in_round && in_round > 1 {
                    first += in_round;
                    in_round /= 2;
                    round += 1;
                }
                round * per_match + unit
            }
        }
    }

    /// The games of the current stage, finished or not; `None` once all is over.
    pub(super) fn stage(
        &self,
        units: &BTreeMap<u64, Unit>,
    ) -> Result<Option<Stage>, TournamentError> {
        match self {
            Plan::Fixed(schedule) => Ok(Some(Stage::All(schedule.clone()))),
            Plan::Swiss { .. } => {
                let mut last = None;
                self.rounds(units, |pairings, is_whole| {
                    if !is_whole {
                        last = Some(pairings);
                    }
                });
                Ok(last.map(Stage::Games))
            }
            Plan::Knockout { .. } => {
                let Some(knockout) = self.knockout(units) else {
                    return Ok(None);
                };
                let games = sure(&knockout, self.rules());
                Ok((!games.is_empty()).then_some(Stage::Games(games)))
            }
        }
    }

    fn rules(&self) -> KnockoutRules {
        match self {
            Plan::Knockout { rules, .. } => *rules,
            _ => KnockoutRules::default(),
        }
    }

    /// The drawn rounds of a swiss tournament, each with whether it is complete; and the standings
    /// after everything that is played.
    pub(super) fn rounds(
        &self,
        units: &BTreeMap<u64, Unit>,
        mut visit: impl FnMut(Vec<Pairing>, bool),
    ) -> Option<SwissScores> {
        let Plan::Swiss {
            swiss,
            entrants,
            rounds,
            boards,
        } = self
        else {
            return None;
        };
        let mut standings = SwissScores::new(*entrants);
        for number in 0..*rounds {
            let round = swiss.next_round(number, &standings);
            let pairings: Vec<Pairing> = swiss.pairings(number, &round).collect();
            let mut is_whole = true;
            for pairing in pairings.iter().step_by(2) {
                match units.get(&pairing.unit) {
                    Some(Unit {
                        seats, half_points, ..
                    }) if *seats == pairing.seats => {
                        let half_points = [half_points[0], half_points[1]];
                        standings.add([seats[0], seats[1]], half_points);
                    }
                    _ => is_whole = false,
                }
            }
            if let (true, Some(bye)) = (is_whole, round.bye) {
                standings.add_bye(bye, boards * UNIT);
            }
            if is_whole {
                // A round before a seat joined counts as a draw for the seat.
                for seat in swiss.awaited(number) {
                    standings.add_bye(seat, boards * UNIT / 2);
                }
            }
            visit(pairings, is_whole);
            if !is_whole {
                break;
            }
        }
        Some(standings)
    }

    /// A knockout's bracket with the results so far.
    pub(super) fn knockout(&self, units: &BTreeMap<u64, Unit>) -> Option<Knockout> {
        let Plan::Knockout { leaves, rules } = self else {
            return None;
        };
        let mut knockout = Knockout::with_leavers(leaves.clone(), *rules).ok()?;
        loop {
            let open: Vec<Pairing> = sure(&knockout, *rules).into_iter().step_by(2).collect();
            let mut is_new = false;
            for pairing in open {
                if let Some(unit) = units.get(&pairing.unit)
                    && unit.seats == pairing.seats
                {
                    let result = UnitResult {
                        half_points: [unit.half_points[0], unit.half_points[1]],
                        margin: unit.margins[0],
                    };
                    is_new |= knockout.record(pairing.unit, result).is_ok();
                }
            }
            if !is_new {
                return Some(knockout);
            }
        }
    }

    /// Whether a game of these entrants is in the plan, if that does not depend on results.
    pub(super) fn has(&self, game: &GameSummary, seats: &[usize]) -> bool {
        match self {
            Plan::Fixed(schedule) => {
                let pairing = schedule.pairing(game.number);
                pairing.is_some_and(|pairing| pairing.seats == seats)
            }
            _ => true,
        }
    }

    /// The players of each game, if they depend on results.
    pub(super) fn drawn(&self, units: &BTreeMap<u64, Unit>) -> BTreeMap<u64, Vec<usize>> {
        let mut drawn = BTreeMap::new();
        match self {
            Plan::Fixed(_) => {}
            Plan::Swiss { .. } => {
                self.rounds(units, |pairings, _| {
                    drawn.extend(pairings.into_iter().map(|p| (p.number, p.seats)));
                });
            }
            Plan::Knockout { rules, .. } => {
                let per_match = rules.units + rules.extra;
                let knockout = self.knockout(units);
                for KnockoutMatch { number, seats, .. } in
                    knockout.iter().flat_map(Knockout::matches)
                {
                    let [Some(one), Some(other)] = seats else {
                        continue;
                    };
                    let first = number as u64 * per_match * 2;
                    for game in (first..first + per_match * 2).step_by(2) {
                        drawn.insert(game, vec![one, other]);
                        drawn.insert(game + 1, vec![other, one]);
                    }
                }
            }
        }
        drawn
    }
}

/// The open games of a knockout that will be played whatever the other results. A match may end
/// early, but whether its last boards are played must not depend on which game happens to end
/// first.
fn sure(knockout: &Knockout, rules: KnockoutRules) -> Vec<Pairing> {
    let per_match = rules.units + rules.extra;
    let matches: Vec<KnockoutMatch> = knockout.matches().collect();
    let mut open = knockout.open();
    open.retain(|pairing| {
        let (slot, unit) = (pairing.unit / per_match, pairing.unit % per_match);
        let Some(found) = matches.get(slot as usize) else {
            return false;
        };
        // The half points if one side won all games before this unit.
        let [ours, theirs] = found.half_points;
        let known = (ours + theirs) / UNIT;
        let before = unit.saturating_sub(known) * UNIT;
        let left = rules.units.saturating_sub(unit.max(known)) * UNIT;
        unit >= rules.units || ours.abs_diff(theirs) + before <= left
    });
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Stay;

    #[test]
    fn boards_of_knockouts_are_those_of_their_pairings() {
        let rules = KnockoutRules {
            units: 2,
            extra: 1,
            margins_part_equals: false,
            seed: 3,
        };
        let leaves = vec![None; 5];
        let plan = Plan::Knockout { leaves, rules };
        let mut knockout = Knockout::new(5, rules).unwrap();
        while let Some(pairing) = knockout.open().first() {
            assert_eq!(plan.board(pairing.number), pairing.board, "{pairing:?}");
            let one_wins = pairing.seats[0] < pairing.seats[1];
            let half_points = if one_wins { [4, 0] } else { [0, 4] };
            knockout.record(pairing.unit, half_points).unwrap();
        }
    }

    #[test]
    fn boards_of_swiss_rounds_are_those_of_their_pairings() {
        let stay = |joins, leaves| Stay { joins, leaves };
        let stays = vec![
            stay(0, None),
            stay(0, Some(3)),
            stay(0, Some(1)),
            stay(0, None),
            stay(2, None),
            stay(3, Some(4)),
        ];
        let swiss = Swiss::with_stays(stays.clone(), 2, 5);
        let plan = Plan::Swiss {
            swiss: swiss.clone(),
            entrants: 6,
            rounds: 6,
            boards: 2,
        };
        let mut next = 0;
        for round in 0..6 {
            let drawn = swiss.next_round(round, &SwissScores::new(6));
            for pairing in swiss.pairings(round, &drawn) {
                assert_eq!(pairing.number, next, "round {round}");
                assert_eq!(plan.board(pairing.number), pairing.board, "{pairing:?}");
                let is_here = |&seat: &usize| stays[seat].covers(round);
                assert!(pairing.seats.iter().all(is_here));
                next += 1;
            }
        }
        assert_eq!(plan.length(), Some(next));
    }

    #[test]
    fn only_boards_that_are_needed_in_any_case_are_sure() {
        let rules = KnockoutRules {
            units: 3,
            extra: 2,
            margins_part_equals: false,
            seed: 0,
        };
        let mut knockout = Knockout::new(2, rules).unwrap();
        let units = |knockout: &Knockout| -> Vec<u64> {
            sure(knockout, rules)
                .iter()
                .step_by(2)
                .map(|pairing| pairing.unit)
                .collect()
        };
        assert_eq!(units(&knockout), [0, 1]);
        knockout.record(1, [4, 0]).unwrap();
        assert_eq!(units(&knockout), [0]);
        knockout.record(0, [1, 3]).unwrap();
        assert_eq!(units(&knockout), [2]);
        knockout.record(2, [1, 3]).unwrap();
        assert_eq!(units(&knockout), [3], "even after three: one more");
        knockout.record(3, [2, 2]).unwrap();
        assert_eq!(units(&knockout), [4]);
    }
}
