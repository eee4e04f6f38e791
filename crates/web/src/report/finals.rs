//! The finals of a league, below its ladder.

use floe_arena::tournament::{Bout, Results};

/// Finals as the page shows them.
pub(super) struct FinalsPart {
    pub(super) name: String,
    /// Who met whom, and how much of it is played.
    pub(super) about: String,
    pub(super) rows: Vec<FinalsRow>,
    pub(super) bouts: Vec<BoutRow>,
}

pub(super) struct FinalsRow {
    pub(super) place: u64,
    pub(super) name: String,
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
    pub(super) fn of(results: &Results) -> FinalsPart {
        let format = results.format.unwrap_or("games");
        let about = match results.length {
            Some(length) => format!("{format}, {} of {length} games", results.games),
            None => format!("{format}, {} games", results.games),
        };
        let rows = results.rows.iter().map(|row| FinalsRow {
            place: row.place,
            name: row.name.clone(),
            points: number(row.points),
            games: row.games,
            record: format!("{} – {} – {}", row.wins, row.draws, row.losses),
        });
        FinalsPart {
            name: results.name.clone(),
            about,
            rows: rows.collect(),
            bouts: results.bouts.iter().map(BoutRow::of).collect(),
        }
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
