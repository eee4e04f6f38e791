//! Standings: the ranked rows of any contest, for tables, files and pages.

mod export;

use std::collections::BTreeMap;

use serde::Serialize;

pub use self::export::{csv, csv_line, json, markdown};

use crate::schedule::DecidedBy;
use crate::scoreboard::{EntrantTotals, Ratings, Scoreboard, different_remark};
use crate::store::{Filter, MoveTimes, Store, StoreError};
use floe_games::AnyGame;
use floe_rating::Estimate;

/// The standings of a match, tournament or ladder: all results, with error margins.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Standings {
    /// The contest's name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The tournament format: see [`Format::name`](crate::tournament::Format::name); `None` if only the
    /// games are known.
    pub format: Option<&'static str>,
    /// Seats at a table.
    pub table: usize,
    /// Games that count: those in whole units.
    pub games: u64,
    /// Games that repeat no earlier game move by move. Repeats count once in ratings.
    pub different: u64,
    /// Number of games in all, if known.
    pub length: Option<u64>,
    /// Whether every game is played.
    pub is_finished: bool,
    /// The entrant whose rating is 0; the mean if `None`.
    pub anchor: Option<String>,
    /// The advantage of the first move in Elo, in games for two.
    pub first_move: Option<Estimate>,
    /// The draw rate between equals, in games for two.
    pub draw_rate: Option<f64>,
    /// Whether the contest breaks ties on points by the sum of margins.
    pub margins_part_equals: bool,
    /// Whether some entrants never met, directly or through others, so that their ratings compare
    /// badly.
    pub is_split: bool,
    /// All entrants, best first.
    pub rows: Vec<Row>,
    /// The head-to-head results, in the order of the rows; `None` for pairs that never met.
    pub meetings: Vec<Vec<Option<HeadToHead>>>,
    /// The matches of a knockout, round after round.
    pub bouts: Vec<KnockoutResult>,
}

/// One entrant's row.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Row {
    /// The place, from 1; equal entrants share a place. 0 before rows are ranked.
    pub place: u64,
    /// The entrant's number in the scoreboard.
    #[serde(skip)]
    pub entrant: usize,
    /// The entrant's name.
    pub name: String,
    /// The entrant's seat argument.
    pub seat: String,
    /// Elo above the anchor; `None` before the entrant has played.
    pub elo: Option<Estimate>,
    /// Points: for two seats, 1 for a win and ½ for a draw; for more seats, the share of opponents
    /// placed behind in each game. Includes points of byes.
    pub points: f64,
    /// Games.
    pub games: u64,
    /// Games that count and repeat no earlier game.
    pub different: u64,
    /// Points of games by games, from 0 to 1.
    pub score: Option<f64>,
    /// Games won alone.
    pub wins: u64,
    /// Games with a shared first place.
    pub draws: u64,
    /// Games that an opponent won.
    pub losses: u64,
    /// The mean score minus the best opponent's; `None` before the first game.
    pub margin: Option<Margin>,
    /// The sum of the opponents' points, in a swiss tournament.
    pub buchholz: Option<f64>,
    /// Points won times the opponent's points, in a swiss tournament.
    pub sonneborn_berger: Option<f64>,
    /// Rounds without an opponent, in a swiss tournament.
    pub byes: Option<u64>,
    /// Number of moves.
    pub moves: u64,
    /// Milliseconds a move on average.
    pub ms_per_move: Option<f64>,
    /// The longest move, in milliseconds.
    pub slowest_ms: f64,
    /// Histogram of move times, for drawing; too long for a table.
    #[serde(skip)]
    pub times: MoveTimes,
    /// Peak memory, in KiB; 0 if not measured.
    pub peak_kib: u64,
    /// Answers in the grace period after the limit.
    pub strikes: u64,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
}

/// A margin of victory or defeat: an entrant's score minus the best opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Margin {
    /// The sum over all games.
    pub sum: i64,
    /// The mean per game.
    pub mean: f64,
    /// The 95 % interval of the mean, once there is more than one unit.
    pub interval: Option<Estimate>,
}

impl Margin {
    fn of(totals: &EntrantTotals) -> Option<Margin> {
        let (mean, interval) = totals.mean_margin()?;
        Some(Margin {
            sum: totals.margin,
            // Adding 0 makes a negative zero positive.
            mean: (mean * 100.0).round() / 100.0 + 0.0,
            interval: interval.map(Estimate::rounded),
        })
    }
}

/// One entrant's head-to-head result.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HeadToHead {
    /// Games in which both played.
    pub games: u64,
    /// 1 for every game in which the first entrant was placed better, ½ if level.
    pub points: f64,
}

/// One match of a knockout.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnockoutResult {
    /// The round, from 1.
    pub round: u32,
    /// The players; `None` for a bye or a seat not known yet.
    pub seats: [Option<String>; 2],
    /// The points of both sides.
    pub points: [f64; 2],
    /// The winner, once known.
    pub winner: Option<String>,
    /// How the match was decided, once known: points, margins, the coin, or a bye.
    pub decision: Option<DecidedBy>,
}

impl KnockoutResult {
    /// Whether an entrant advances without having played.
    pub fn is_bye(&self) -> bool {
        self.decision == Some(DecidedBy::Bye)
    }

    /// The winner, and how the match was decided if not by points; a dash while there is none.
    pub fn verdict(&self) -> String {
        let winner = self.winner.as_deref().unwrap_or("-");
        match self.decision.and_then(DecidedBy::remark) {
            Some(remark) => format!("{winner} ({remark})"),
            None => winner.to_owned(),
        }
    }
}

impl Standings {
    /// The standings of a store without a description.
    pub fn from_store(store: &Store, name: &str) -> Result<Standings, StoreError> {
        let names = store.entrants().iter().map(|entrant| entrant.name.clone());
        let mut scoreboard = Scoreboard::new(names, store.table().unwrap_or(2));
        store.each(&Filter::default(), |game| {
            let seats: Vec<usize> = game.seats.iter().map(|part| part.entrant).collect();
            scoreboard.add(&game, &seats);
        })?;
        let game = store.played().unwrap_or_default();
        let mut standings = Standings::new(name, game, &scoreboard, &scoreboard.ratings(None));
        for (row, entrant) in standings.rows.iter_mut().zip(store.entrants()) {
            row.seat.clone_from(&entrant.seat);
        }
        Ok(standings.ranked(&scoreboard))
    }

    /// The rows of all entrants in the order of the scoreboard, not ranked yet.
    pub fn new(name: &str, game: &str, scoreboard: &Scoreboard, ratings: &Ratings) -> Standings {
        let worth = 2.0 * (scoreboard.seats().max(2) - 1) as f64;
        let played = ratings.ratings.iter().filter(|rating| rating.games > 0);
        let mut groups: Vec<usize> = played.map(|rating| rating.group).collect();
        groups.sort_unstable();
        groups.dedup();
        let rows = scoreboard
            .names()
            .iter()
            .zip(scoreboard.totals())
            .zip(&ratings.ratings)
            .enumerate();
        let rows = rows.map(|(entrant, ((name, line), rating))| Row {
            entrant,
            name: name.clone(),
            elo: rating.elo.ok().map(Estimate::rounded),
            points: line.half_points as f64 / worth,
            games: line.games,
            different: line.different,
            score: line.score(),
            wins: line.wins,
            draws: line.draws,
            losses: line.losses(),
            margin: Margin::of(line),
            moves: line.moves,
            ms_per_move: line.ms_per_move(),
            slowest_ms: line.slowest_us as f64 / 1000.0,
            times: line.times.clone(),
            peak_kib: line.peak_kib,
            strikes: line.strikes,
            faults: line
                .faults
                .iter()
                .map(|(kind, &count)| (kind.name(), count))
                .collect(),
            ..Row::default()
        });
        Standings {
            name: name.to_owned(),
            game: game.to_owned(),
            table: scoreboard.seats(),
            games: scoreboard.games(),
            different: scoreboard.different(),
            first_move: ratings.first_move.map(Estimate::rounded),
            draw_rate: ratings.draw_rate,
            margins_part_equals: floe_games::find(game).is_ok_and(AnyGame::margins_part_equals),
            is_split: groups.len() > 1,
            rows: rows.collect(),
            ..Standings::default()
        }
    }

    /// The same rows, best first by rating; entrants without games come last.
    #[must_use]
    pub fn ranked(self, scoreboard: &Scoreboard) -> Standings {
        let keys = self.by_strength();
        self.ranked_by(scoreboard, keys)
    }

    pub(crate) fn by_strength(&self) -> Vec<Vec<i64>> {
        let key = |row: &Row| {
            // In a complete round-robin, rating and score have the same order; equal scores stay
            // equal.
            let elo = row
                .elo
                .map_or(i64::MAX, |elo| -(elo.value * 10.0).round() as i64);
            let score = -(row.score.unwrap_or(-1.0) * 1e6).round() as i64;
            vec![elo, score, self.margin_key(row)]
        };
        self.rows.iter().map(key).collect()
    }

    /// Breaks ties on points; the smaller the better.
    pub(crate) fn margin_key(&self, row: &Row) -> i64 {
        match row.margin {
            Some(margin) if self.margins_part_equals => -margin.sum,
            _ => 0,
        }
    }

    /// The same rows in the order of their keys, the smaller the better.
    pub(crate) fn ranked_by(mut self, scoreboard: &Scoreboard, keys: Vec<Vec<i64>>) -> Standings {
        let mut keyed: Vec<(Vec<i64>, Row)> = keys.into_iter().zip(self.rows).collect();
        keyed.sort_by(|(one, a), (other, b)| one.cmp(other).then_with(|| a.name.cmp(&b.name)));
        for at in 0..keyed.len() {
            keyed[at].1.place = match at.checked_sub(1) {
                Some(before) if keyed[before].0 == keyed[at].0 => keyed[before].1.place,
                _ => at as u64 + 1,
            };
        }
        self.rows = keyed.into_iter().map(|(_, row)| row).collect();
        let meeting = |one: &Row, other: &Row| {
            let (games, half_points) = scoreboard.met(one.entrant, other.entrant);
            (games > 0).then(|| HeadToHead {
                games,
                points: half_points as f64 / 2.0,
            })
        };
        let line = |one| self.rows.iter().map(|other| meeting(one, other)).collect();
        self.meetings = self.rows.iter().map(line).collect();
        self
    }

    /// The number of games in words: `12 of 40 games, 10 different`.
    pub fn progress(&self) -> String {
        let games = match self.length {
            Some(length) => format!("{} of {length} games", self.games),
            None => format!("{} games", self.games),
        };
        games + &different_remark(self.games, self.different)
    }

    /// Every kind of fault that occurred, in the order of the tables.
    pub fn fault_kinds(&self) -> Vec<&'static str> {
        let kinds = floe_games::FaultKind::ALL.iter().map(|kind| kind.name());
        kinds
            .filter(|kind| self.rows.iter().any(|row| row.faults.contains_key(kind)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{GameSummary, SeatResult};
    use floe_games::Reason;

    /// Two boards of three who all won as often as they lost, but not by as much.
    fn level() -> Scoreboard {
        let names = ["calm", "wild", "mild"].map(str::to_owned);
        let mut scoreboard = Scoreboard::new(names, 2);
        let units = [
            (0, 1, 9),
            (1, 2, 2),
            (2, 0, 4),
            (0, 1, 11),
            (1, 2, 2),
            (2, 0, 4),
        ];
        for (unit, (winner, loser, margin)) in units.into_iter().enumerate() {
            for (turn, seats) in [[winner, loser], [loser, winner]].into_iter().enumerate() {
                let result = |&seat: &usize| SeatResult {
                    score: if seat == winner { 20 + margin } else { 20 },
                    place: if seat == winner { 1 } else { 2 },
                    ..SeatResult::default()
                };
                let game = GameSummary {
                    number: 2 * unit as u64 + turn as u64,
                    seats: seats.iter().map(result).collect(),
                    reason: Reason::Finished,
                    began: 0,
                    place: 0..0,
                    fingerprint: 2 * unit as u64 + turn as u64,
                    overload: None,
                };
                scoreboard.add(&game, &seats);
            }
        }
        scoreboard
    }

    fn unranked(scoreboard: &Scoreboard, margins_part_equals: bool) -> Standings {
        Standings {
            margins_part_equals,
            ..Standings::new("cup", "none", scoreboard, &scoreboard.ratings(None))
        }
    }

    fn table(margins_part_equals: bool) -> Vec<(u64, String, i64)> {
        let scoreboard = level();
        let standings = unranked(&scoreboard, margins_part_equals).ranked(&scoreboard);
        let sum = |row: &Row| row.margin.map_or(0, |margin| margin.sum);
        let rows = standings.rows.iter();
        rows.map(|row| (row.place, row.name.clone(), sum(row)))
            .collect()
    }

    #[test]
    fn equal_points_are_parted_by_margins_where_the_contest_says_so() {
        let row = |place, name: &str, sum| (place, name.to_owned(), sum);
        assert_eq!(
            table(true),
            [row(1, "calm", 24), row(2, "mild", 8), row(3, "wild", -32)]
        );
        assert_eq!(
            table(false),
            [row(1, "calm", 24), row(1, "mild", 8), row(1, "wild", -32)]
        );
    }

    #[test]
    fn some_of_the_rows_have_places_among_themselves() {
        let scoreboard = level();
        let mut standings = unranked(&scoreboard, true);
        standings.rows.retain(|row| row.name != "calm");
        let standings = standings.ranked(&scoreboard);
        let rows = standings
            .rows
            .iter()
            .map(|row| (row.place, row.name.as_str()));
        assert_eq!(rows.collect::<Vec<_>>(), [(1, "mild"), (2, "wild")]);
        assert_eq!(standings.meetings.len(), 2);
        assert_eq!(standings.meetings[0].len(), 2);
        assert_eq!(standings.meetings[0][1].unwrap().points, 0.0);
    }

    #[test]
    fn mean_margins_have_intervals_over_boards() {
        let standings = unranked(&level(), false);
        let margin = standings.rows[0].margin.unwrap();
        assert_eq!((margin.sum, margin.mean), (24, 3.0));
        // Boards brought 9, -4, 11 and -4 a game.
        let interval = margin.interval.unwrap();
        assert_eq!(format!("{:.1}", interval.margin()), "12.9");
    }
}
