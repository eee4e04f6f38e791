use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use super::{Format, Plan, Tournament};
use crate::schedule::DecidedBy;
use crate::scoreboard::{EntrantTotals, Scoreboard, different_remark};
use crate::store::{Filter, MoveTimes, Store, StoreError};
use floe_games::AnyGame;
use floe_rating::Estimate;

/// The standings of a tournament or match: all results, with error margins.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Results {
    /// The contest's name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The tournament format: see [`Format::name`]; `None` if only the games are known.
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
    /// The place, from 1; equal entrants share a place.
    pub place: u64,
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

impl Results {
    pub(super) fn of(tournament: &Tournament) -> Results {
        let description = tournament.description();
        let scoreboard = tournament.scoreboard();
        let plan = &tournament.plan;
        let anchor = description.anchor.as_ref();
        let number = anchor.and_then(|name| scoreboard.names().iter().position(|n| n == name));
        let mut results = Results::counted(scoreboard, number);
        results.name.clone_from(&description.name);
        description.game.name().clone_into(&mut results.game);
        // In a knockout, places come from the bracket.
        results.margins_part_equals = description.game.margins_part_equals()
            && !matches!(description.format, Format::Knockout);
        results.format = Some(description.format.name().name());
        results.length = plan.length();
        results.anchor = anchor.cloned();
        for (row, entrant) in results.rows.iter_mut().zip(&description.entrants) {
            row.seat = entrant.seat.to_string();
        }
        let mut keys: Vec<Vec<i64>> = vec![Vec::new(); results.rows.len()];
        match description.format {
            Format::RoundRobin | Format::Gauntlet { .. } => {
                results.is_finished = results.length.is_some_and(|length| results.games >= length);
                keys = results.by_strength();
            }
            Format::Swiss { .. } => results.add_swiss(tournament, plan, &mut keys),
            Format::Knockout => results.add_knockout(tournament, plan, &mut keys),
        }
        results.sort(scoreboard, &keys);
        results
    }

    /// The standings of a store without a description.
    pub fn from_store(store: &Store, name: &str) -> Result<Results, StoreError> {
        let names = store.entrants().iter().map(|entrant| entrant.name.clone());
        let mut scoreboard = Scoreboard::new(names, store.table().unwrap_or(2));
        store.each(&Filter::default(), |game| {
            let seats: Vec<usize> = game.seats.iter().map(|part| part.entrant).collect();
            scoreboard.add(&game, &seats);
        })?;
        let game = store.played().unwrap_or_default();
        let mut results = Results::from_scoreboard(&scoreboard, name, game);
        for row in &mut results.rows {
            let mut entrants = store.entrants().iter();
            if let Some(entrant) = entrants.find(|entrant| entrant.name == row.name) {
                row.seat.clone_from(&entrant.seat);
            }
        }
        Ok(results)
    }

    /// The standings of a scoreboard: all entrants by rating.
    pub fn from_scoreboard(scoreboard: &Scoreboard, name: &str, game: &str) -> Results {
        let mut results = Results::counted(scoreboard, None);
        name.clone_into(&mut results.name);
        game.clone_into(&mut results.game);
        results.margins_part_equals =
            floe_games::find(game).is_ok_and(AnyGame::margins_part_equals);
        let keys = results.by_strength();
        results.sort(scoreboard, &keys);
        results
    }

    /// The rows in the order of the entrants, not placed yet.
    fn counted(scoreboard: &Scoreboard, anchor: Option<usize>) -> Results {
        let ratings = scoreboard.ratings(anchor);
        let worth = 2.0 * (scoreboard.seats().max(2) - 1) as f64;
        let played = ratings.ratings.iter().filter(|rating| rating.games > 0);
        let mut groups: Vec<usize> = played.map(|rating| rating.group).collect();
        groups.sort_unstable();
        groups.dedup();
        let rows = scoreboard
            .names()
            .iter()
            .zip(scoreboard.totals())
            .zip(&ratings.ratings);
        let rows = rows.map(|((name, line), rating)| Row {
            place: 0,
            name: name.clone(),
            seat: String::new(),
            elo: rating.elo.ok().map(Estimate::rounded),
            points: line.half_points as f64 / worth,
            games: line.games,
            different: line.different,
            score: line.score(),
            wins: line.wins,
            draws: line.draws,
            losses: line.losses(),
            margin: Margin::of(line),
            buchholz: None,
            sonneborn_berger: None,
            byes: None,
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
        });
        Results {
            name: String::new(),
            game: String::new(),
            format: None,
            table: scoreboard.seats(),
            games: scoreboard.games(),
            different: scoreboard.different(),
            length: None,
            is_finished: false,
            anchor: None,
            first_move: ratings.first_move.map(Estimate::rounded),
            draw_rate: ratings.draw_rate,
            margins_part_equals: false,
            is_split: groups.len() > 1,
            rows: rows.collect(),
            meetings: Vec::new(),
            bouts: Vec::new(),
        }
    }

    /// Best first by rating; entrants without games come last.
    fn by_strength(&self) -> Vec<Vec<i64>> {
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
    fn margin_key(&self, row: &Row) -> i64 {
        match row.margin {
            Some(margin) if self.margins_part_equals => -margin.sum,
            _ => 0,
        }
    }

    fn add_swiss(&mut self, tournament: &Tournament, plan: &Plan, keys: &mut [Vec<i64>]) {
        let mut is_finished = true;
        let standings = plan.rounds(&tournament.units, |_, is_whole| is_finished &= is_whole);
        let Some(standings) = standings else { return };
        self.is_finished = is_finished;
        for (entrant, row) in self.rows.iter_mut().enumerate() {
            let (points, buchholz, berger) = (
                standings.half_points(entrant),
                standings.buchholz(entrant),
                standings.sonneborn_berger(entrant),
            );
            row.points = points as f64 / 2.0;
            row.buchholz = Some(buchholz as f64 / 2.0);
            row.sonneborn_berger = Some(berger as f64 / 4.0);
            row.byes = Some(standings.byes(entrant));
            keys[entrant] = [points, buchholz, berger].map(|key| -(key as i64)).to_vec();
        }
        // Last, because opponents differ and a bye has no margin.
        for (key, row) in keys.iter_mut().zip(&self.rows) {
            key.push(self.margin_key(row));
        }
    }

    fn add_knockout(&mut self, tournament: &Tournament, plan: &Plan, keys: &mut [Vec<i64>]) {
        let Some(knockout) = plan.knockout(&tournament.units) else {
            return;
        };
        self.is_finished = knockout.champion().is_some();
        let name = |seat: usize| self.rows[seat].name.clone();
        let bouts = knockout.matches().map(|bout| KnockoutResult {
            round: bout.round + 1,
            seats: bout.seats.map(|seat| seat.map(name)),
            points: bout.half_points.map(|half| half as f64 / 2.0),
            winner: bout.winner.map(name),
            decision: bout.decision,
        });
        self.bouts = bouts.collect();
        for (key, place) in keys.iter_mut().zip(knockout.places()) {
            // Entrants still in the knockout come before all who were knocked out.
            *key = vec![place.map_or(0, |place| place as i64)];
        }
    }

    /// Puts the rows in the order of the keys, the smaller the better.
    fn sort(&mut self, scoreboard: &Scoreboard, keys: &[Vec<i64>]) {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by(|&a, &b| {
            let by_name = || self.rows[a].name.cmp(&self.rows[b].name);
            keys[a].cmp(&keys[b]).then_with(by_name)
        });
        let mut rows = Vec::with_capacity(order.len());
        for (at, &entrant) in order.iter().enumerate() {
            let mut row = self.rows[entrant].clone();
            let is_level = at > 0 && keys[order[at - 1]].cmp(&keys[entrant]) == Ordering::Equal;
            row.place = match rows.last() {
                Some(Row { place, .. }) if is_level => *place,
                _ => at as u64 + 1,
            };
            rows.push(row);
        }
        self.rows = rows;
        let meeting = |one: usize, other: usize| {
            let (games, half_points) = scoreboard.met(one, other);
            (games > 0).then(|| HeadToHead {
                games,
                points: half_points as f64 / 2.0,
            })
        };
        self.meetings = order
            .iter()
            .map(|&one| order.iter().map(|&other| meeting(one, other)).collect())
            .collect();
    }

    /// The number of games in words: `12 of 40 games, 10 different`.
    pub fn progress(&self) -> String {
        let games = match self.length {
            Some(length) => format!("{} of {length} games", self.games),
            None => format!("{} games", self.games),
        };
        games + &different_remark(self.games, self.different)
    }

    /// Removes rows; the remaining rows get new places.
    pub fn keep(&mut self, keep: impl Fn(&Row) -> bool) {
        let kept: Vec<usize> = (0..self.rows.len())
            .filter(|&at| keep(&self.rows[at]))
            .collect();
        let mut rows: Vec<Row> = Vec::with_capacity(kept.len());
        let mut place_before = None;
        for (at, &old) in kept.iter().enumerate() {
            let mut row = self.rows[old].clone();
            let is_level = place_before == Some(row.place);
            place_before = Some(row.place);
            row.place = match rows.last() {
                Some(Row { place, .. }) if is_level => *place,
                _ => at as u64 + 1,
            };
            rows.push(row);
        }
        let meetings = (kept.iter()).map(|&one| {
            kept.iter()
                .map(|&other| self.meetings[one][other])
                .collect()
        });
        self.meetings = meetings.collect();
        self.rows = rows;
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

    fn table(margins_part_equals: bool) -> Vec<(u64, String, i64)> {
        let scoreboard = level();
        let mut results = Results::counted(&scoreboard, None);
        results.margins_part_equals = margins_part_equals;
        let keys = results.by_strength();
        results.sort(&scoreboard, &keys);
        let sum = |row: &Row| row.margin.map_or(0, |margin| margin.sum);
        let rows = results.rows.iter();
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
    fn those_who_stay_have_places_among_themselves() {
        let scoreboard = level();
        let mut results = Results::counted(&scoreboard, None);
        results.margins_part_equals = true;
        let keys = results.by_strength();
        results.sort(&scoreboard, &keys);
        results.keep(|row| row.name != "calm");
        let rows = results
            .rows
            .iter()
            .map(|row| (row.place, row.name.as_str()));
        assert_eq!(rows.collect::<Vec<_>>(), [(1, "mild"), (2, "wild")]);
        assert_eq!((results.meetings.len(), results.meetings[0].len()), (2, 2));
        assert_eq!(results.meetings[0][1].unwrap().points, 0.0);
    }

    #[test]
    fn mean_margins_have_intervals_over_boards() {
        let scoreboard = level();
        let results = Results::counted(&scoreboard, None);
        let margin = results.rows[0].margin.unwrap();
        assert_eq!((margin.sum, margin.mean), (24, 3.0));
        // Boards brought 9, -4, 11 and -4 a game.
        let interval = margin.interval.unwrap();
        assert_eq!(format!("{:.1}", interval.margin()), "12.9");
    }
}
