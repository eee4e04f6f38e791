//! Changes of a description since games were played.

use super::{Format, Tournament};
use crate::runner::NamedSeat;
use crate::schedule::Stay;
use crate::store::{GameSummary, StoreError};
use floe_games::record::{Entrant, Record};

/// A change of a description since its games were played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// A sentence about the change.
    pub what: String,
    /// Whether the games keep their places in the schedule, so that it can resume with them.
    pub is_slight: bool,
}

impl Tournament {
    /// The changes since the stored games were played.
    pub fn changes(&self) -> Result<Vec<Change>, StoreError> {
        let description = &self.description;
        let mut changes = Vec::new();
        // If rounds depend on results, changed results would give other rounds.
        let is_mendable = self.plan.schedule().is_some();
        let mut note = |is_slight: bool, what: String| changes.push(Change { what, is_slight });
        if let Some(game) = self
            .store
            .played()
            .filter(|game| *game != description.game.name())
        {
            note(false, format!("they were games of {game}"));
        }
        if let Some(table) = self
            .store
            .table()
            .filter(|table| *table != description.table)
        {
            note(false, format!("each had {table} seats"));
        }
        for (before, &number) in self.store.entrants().iter().zip(&self.numbers) {
            let Some(now) = description.entrants.get(number) else {
                let mut left = format!("{} has played and is no longer an entrant", before.name);
                if !is_mendable {
                    let line = entrant_line(&before.name, &before.seat, "leaves");
                    left.push_str(&format!("; to let it leave with a round, write {line}"));
                }
                note(is_mendable, left);
                continue;
            };
            let Entrant { seat, sha256, .. } = now.seat.entrant("");
            if seat != before.seat {
                note(
                    true,
                    format!("{} was {} and is {seat} now", before.name, before.seat),
                );
            } else if sha256 != before.sha256 {
                note(true, format!("the program of {} has changed", before.name));
            }
        }
        let is_known = |name: &str| {
            let mut before = self.store.entrants().iter();
            before.any(|before| before.name == name)
        };
        for (entrant, stay) in description.entrants.iter().zip(&description.stays) {
            if is_known(&entrant.name) {
                continue;
            }
            if self.mended.is_some() {
                note(true, format!("{} joins", entrant.name));
            } else if !is_mendable && self.seen.misfit.is_some() {
                // Earlier rounds were drawn without this entrant.
                note(false, joins_too_early(entrant, *stay, description.format));
            }
        }
        if let Some(number) = self.seen.lost_board {
            let what = "is on a board that is no longer used";
            note(false, format!("game {} {what}", number + 1));
        }
        if !changes.is_empty() {
            return Ok(changes);
        }
        if let Some(number) = self.seen.misfit {
            let what = match is_mendable {
                true => "format, seed or the order of entrants has changed",
                false => {
                    "format, seed, the order of entrants or the rounds they join or leave with \
                     have changed"
                }
            };
            let what = format!("game {} has other players; {what}", number + 1);
            changes.push(Change {
                what,
                is_slight: self.mended.is_some(),
            });
            return Ok(changes);
        }
        // An entrant may have limits of its own, so one game of each entrant is compared.
        let mut games: Vec<GameSummary> = Vec::new();
        games.extend(self.seen.first.clone());
        games.extend(self.seen.last.clone());
        for &(_, number) in self.seen.last_of.values() {
            if games.iter().all(|game| game.number != number) {
                games.extend(self.store.game(number)?);
            }
        }
        for game in &games {
            if let Some(record) = self.store.record(game)? {
                let new = self.terms_changed(&record, game).into_iter();
                let new: Vec<Change> = new.filter(|change| !changes.contains(change)).collect();
                changes.extend(new);
            }
        }
        Ok(changes)
    }

    /// The changes between a record and the present description.
    fn terms_changed(&self, record: &Record, game: &GameSummary) -> Vec<Change> {
        let mut changes = Vec::new();
        let description = &self.description;
        let own = |name: &str| {
            let mut entrants = description.entrants.iter();
            let entrant = entrants.find(|entrant| entrant.name == name);
            entrant.and_then(|entrant| entrant.limits.as_ref())
        };
        let mut seats = (1..).zip(&record.opening.seats);
        let is_same = seats.all(|(seat, who)| {
            let now = own(&who.name).unwrap_or(&description.limits);
            record.opening.limits_of(seat) == *now
        });
        if !is_same {
            let what = "the limits have changed".to_owned();
            changes.push(Change {
                what,
                is_slight: true,
            });
        }
        let board = self.plan.board(game.number);
        let boards = &description.boards;
        let same = boards.is_of_board(board, &record.opening);
        if !same.unwrap_or(false) {
            let what = match boards.has_openings() && record.opening.opening.is_empty() {
                true => {
                    "boards had no openings; to resume, write openings = \"none\" under [boards]"
                }
                false => "the boards have changed",
            };
            let what = what.to_owned();
            changes.push(Change {
                what,
                is_slight: false,
            });
        }
        changes
    }
}

/// The error of an entrant who had not joined when rounds were drawn.
fn joins_too_early(entrant: &NamedSeat, stay: Stay, format: Format) -> String {
    let name = &entrant.name;
    match format {
        Format::Knockout => {
            format!(
                "{name} joins too late: a knockout takes no entrants once its first round is drawn"
            )
        }
        _ if stay.joins > 0 => {
            let round = stay.joins + 1;
            format!("{name} joins with round {round}, which is drawn already: take a later one")
        }
        _ => {
            let line = entrant_line(name, &entrant.seat.to_string(), "joins");
            format!("{name} joins; to let it join with a round to come, write {line}")
        }
    }
}

/// An entrant's line of a description, with the round in which it joins or leaves.
fn entrant_line(name: &str, seat: &str, word: &str) -> String {
    format!("{name} = {{ seat = {seat:?}, {word} = ROUND }}")
}

pub(super) fn message(changes: &[Change]) -> String {
    let mut text = String::from("the existing games were played under another description:");
    for change in changes.iter().take(10) {
        text.push_str(&format!("\n  {}", change.what));
    }
    if changes.len() > 10 {
        text.push_str(&format!("\n  and {} more", changes.len() - 10));
    }
    text
}
