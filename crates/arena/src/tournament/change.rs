//! What is not as it was when games were played.

use super::Tournament;
use crate::store::{GameSummary, StoreError};
use floe_games::record::{Entrant, Record};

/// What is not as it was when the games were played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// In words.
    pub what: String,
    /// Whether the games still have their places in the schedule, so that it can go on with them.
    pub is_slight: bool,
}

impl Tournament {
    /// What is not as it was when the games there are were played.
    pub fn changes(&self) -> Result<Vec<Change>, StoreError> {
        let description = &self.description;
        let mut changes = Vec::new();
        // Where rounds depend on results, they would be other rounds.
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
            note(false, format!("{table} sat at a table"));
        }
        for (before, &number) in self.store.entrants().iter().zip(&self.numbers) {
            let Some(now) = description.entrants.get(number) else {
                let left = format!("{} played and is no entrant any more", before.name);
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
                note(
                    true,
                    format!("the program of {} is another one now", before.name),
                );
            }
        }
        if self.mended.is_some() {
            for entrant in &description.entrants {
                let is_same = |before: &Entrant| before.name == entrant.name;
                if !self.store.entrants().iter().any(is_same) {
                    note(true, format!("{} joins", entrant.name));
                }
            }
        }
        if let Some(number) = self.seen.lost_board {
            let what = "is on a board that is not played any more";
            note(false, format!("game {} {what}", number + 1));
        }
        if !changes.is_empty() {
            return Ok(changes);
        }
        if let Some(number) = self.seen.misfit {
            let what = format!(
                "game {} has other players; format, seed or the order of entrants has changed",
                number + 1
            );
            changes.push(Change {
                what,
                is_slight: self.mended.is_some(),
            });
            return Ok(changes);
        }
        // Terms may be one entrant's own, so a game of each is looked at.
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

    /// What a record says that would not be said now.
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
            let what = "the limits are other ones now".to_owned();
            changes.push(Change {
                what,
                is_slight: true,
            });
        }
        let board = self.plan.board(game.number);
        let same = match description.boards.open(board) {
            Ok((_, opening)) => opening.start == record.opening.start,
            Err(_) => false,
        };
        if !same {
            let what = "the boards are other ones now".to_owned();
            changes.push(Change {
                what,
                is_slight: false,
            });
        }
        changes
    }
}

pub(super) fn tell(changes: &[Change]) -> String {
    let mut text = String::from("the games there are were played under another description:");
    for change in changes.iter().take(10) {
        text.push_str(&format!("\n  {}", change.what));
    }
    if changes.len() > 10 {
        text.push_str(&format!("\n  and {} more", changes.len() - 10));
    }
    text
}
