//! The standings of a tournament: places by its format.

use super::{Format, Tournament};
use crate::standings::{KnockoutResult, Standings};

impl Tournament {
    /// The table, with intervals. Takes some milliseconds.
    pub fn standings(&self) -> Standings {
        let (description, scoreboard) = (self.description(), self.scoreboard());
        let anchor = description.anchor.as_ref();
        let number = anchor.and_then(|name| scoreboard.names().iter().position(|n| n == name));
        let (name, game) = (&description.name, description.game.name());
        let ratings = scoreboard.ratings(number);
        let mut standings = Standings::new(name, game, scoreboard, &ratings);
        // In a knockout, places come from the bracket.
        standings.margins_part_equals &= !matches!(description.format, Format::Knockout);
        standings.format = Some(description.format.name().name());
        standings.length = self.plan.length();
        standings.anchor = anchor.cloned();
        for (row, entrant) in standings.rows.iter_mut().zip(&description.entrants) {
            row.seat = entrant.seat.to_string();
        }
        let keys = match description.format {
            Format::RoundRobin | Format::Gauntlet { .. } => {
                let games = standings.games;
                standings.is_finished = standings.length.is_some_and(|length| games >= length);
                standings.by_strength()
            }
            Format::Swiss { .. } => self.add_swiss(&mut standings),
            Format::Knockout => self.add_knockout(&mut standings),
        };
        standings.ranked_by(scoreboard, keys)
    }

    fn add_swiss(&self, standings: &mut Standings) -> Vec<Vec<i64>> {
        let mut is_finished = true;
        let scores = (self.plan).rounds(&self.units, |_, is_whole| is_finished &= is_whole);
        let Some(scores) = scores else {
            return vec![Vec::new(); standings.rows.len()];
        };
        standings.is_finished = is_finished;
        let mut keys = Vec::new();
        for row in &mut standings.rows {
            let (points, buchholz, berger) = (
                scores.half_points(row.entrant),
                scores.buchholz(row.entrant),
                scores.sonneborn_berger(row.entrant),
            );
            row.points = points as f64 / 2.0;
            row.buchholz = Some(buchholz as f64 / 2.0);
            row.sonneborn_berger = Some(berger as f64 / 4.0);
            row.byes = Some(scores.byes(row.entrant));
            keys.push([points, buchholz, berger].map(|key| -(key as i64)).to_vec());
        }
        // Last, because opponents differ and a bye has no margin.
        for (key, row) in keys.iter_mut().zip(&standings.rows) {
            key.push(standings.margin_key(row));
        }
        keys
    }

    fn add_knockout(&self, standings: &mut Standings) -> Vec<Vec<i64>> {
        let Some(knockout) = self.plan.knockout(&self.units) else {
            return vec![Vec::new(); standings.rows.len()];
        };
        standings.is_finished = knockout.champion().is_some();
        let name = |seat: usize| standings.rows[seat].name.clone();
        let bouts = knockout.matches().map(|bout| KnockoutResult {
            round: bout.round + 1,
            seats: bout.seats.map(|seat| seat.map(name)),
            points: bout.half_points.map(|half| half as f64 / 2.0),
            winner: bout.winner.map(name),
            decision: bout.decision,
        });
        standings.bouts = bouts.collect();
        let places = knockout.places().into_iter();
        // Entrants still in the knockout come before all who were knocked out.
        let key = |place: Option<u64>| vec![place.map_or(0, |place| place as i64)];
        places.map(key).collect()
    }
}
