//! The finals of a league, below its ladder.

use floe_arena::standings::KnockoutResult;
use floe_league::finals::Freeze;

use super::ReportedFinals;
use super::podium::{date, headline};
use crate::pages::league::{CrossLine, Line, cross, likely_places};
use crate::plots::{self, Figure};

/// Finals for the page.
pub(super) struct FinalsPart {
    pub(super) name: String,
    /// The two entrants, and the number of their games.
    pub(super) about: String,
    /// The winner, in a sentence.
    pub(super) headline: String,
    /// The dates of the games.
    pub(super) date: String,
    /// The place of the finals.
    pub(super) place: String,
    pub(super) ratings: Figure,
    pub(super) cross: Vec<CrossLine>,
    pub(super) freeze: Freeze,
    pub(super) rows: Vec<FinalsRow>,
    pub(super) bouts: Vec<BoutRow>,
}

pub(super) struct FinalsRow {
    pub(super) place: u64,
    /// The statistically possible places.
    pub(super) likely: String,
    pub(super) name: String,
    pub(super) elo: String,
    pub(super) points: String,
    pub(super) games: u64,
    pub(super) record: String,
}

/// A match of a knockout.
pub(super) struct BoutRow {
    pub(super) round: u32,
    pub(super) one: String,
    pub(super) other: String,
    pub(super) points: String,
    pub(super) winner: String,
}

impl FinalsPart {
    pub(super) fn of(finals: &ReportedFinals) -> FinalsPart {
        let results = &finals.results;
        let format = results.format.unwrap_or("games");
        let about = format!("{format}, {}", results.progress());
        let rows = results.rows.iter().map(|row| FinalsRow {
            place: row.place,
            likely: likely_places(&results.rows, row),
            name: row.name.clone(),
            elo: Line::of(row, &[]).elo,
            points: number(row.points),
            games: row.games,
            record: format!("{} – {} – {}", row.wins, row.draws, row.losses),
        });
        FinalsPart {
            name: results.name.clone(),
            about,
            headline: match results.is_finished {
                true => headline(&results.rows),
                false => String::new(),
            },
            date: finals.played.map_or_else(String::new, date),
            place: finals.place.clone().unwrap_or_default(),
            ratings: plots::ratings(&results.rows),
            cross: cross(results),
            freeze: finals.freeze.clone(),
            rows: rows.collect(),
            bouts: results.bouts.iter().map(BoutRow::of).collect(),
        }
    }
}

impl BoutRow {
    fn of(bout: &KnockoutResult) -> BoutRow {
        let name = |seat: &Option<String>| seat.clone().unwrap_or_else(|| "–".to_owned());
        let [one, other] = bout.points.map(number);
        BoutRow {
            round: bout.round,
            one: name(&bout.seats[0]),
            other: name(&bout.seats[1]),
            points: match bout.is_bye() {
                true => "bye".to_owned(),
                false => format!("{one} : {other}"),
            },
            winner: bout.verdict(),
        }
    }
}

/// Points: whole, or with as many digits as they need.
fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
