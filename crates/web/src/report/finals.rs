//! The finals of a league, below its ladder.

use floe_arena::tournament::Bout;
use floe_league::finals::Freeze;
use floe_league::time;

use super::ReportedFinals;
use crate::pages::league::{CrossLine, Line, cross, likely_places};
use crate::plots::{self, Figure};

/// Finals as the page shows them.
pub(super) struct FinalsPart {
    pub(super) name: String,
    /// Who met whom, and how much of it is played.
    pub(super) about: String,
    /// Who won, in a sentence.
    pub(super) headline: String,
    /// When they were played.
    pub(super) date: String,
    pub(super) ratings: Figure,
    pub(super) cross: Vec<CrossLine>,
    pub(super) freeze: Freeze,
    pub(super) rows: Vec<FinalsRow>,
    pub(super) bouts: Vec<BoutRow>,
}

pub(super) struct FinalsRow {
    pub(super) place: u64,
    /// Places it may have in truth.
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
            headline: headline(finals),
            date: finals.played.map_or_else(String::new, date),
            ratings: plots::ratings(&results.rows),
            cross: cross(results),
            freeze: finals.freeze.clone(),
            rows: rows.collect(),
            bouts: results.bouts.iter().map(BoutRow::of).collect(),
        }
    }
}

/// Who won, and who came next, once everything is played.
fn headline(finals: &ReportedFinals) -> String {
    let results = &finals.results;
    let named = |place: u64| -> Vec<&str> {
        let rows = results.rows.iter().filter(|row| row.place == place);
        rows.map(|row| row.name.as_str()).collect()
    };
    if !results.is_finished {
        return String::new();
    }
    match (
        named(1).as_slice(),
        named(2).as_slice(),
        named(3).as_slice(),
    ) {
        ([first], [second], [third]) => format!("{first} wins, ahead of {second} and {third}."),
        ([first], [second], _) => format!("{first} wins, ahead of {second}."),
        ([first], ..) => format!("{first} wins."),
        (firsts, ..) => format!("{} share the first place.", firsts.join(" and ")),
    }
}

/// From when to when something was played.
fn date((first, last): (u64, u64)) -> String {
    let (first, last) = (time::write(first), time::write(last));
    let day = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    match day(&first) == day(&last) {
        true => day(&first),
        false => format!("{} to {}", day(&first), day(&last)),
    }
}

impl BoutRow {
    fn of(bout: &Bout) -> BoutRow {
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
