//! The difference between two positions of a game, as drawn.

use std::collections::BTreeMap;

use floe_rules::{Cell, Player, Prospect, SeatView, View};
use serde::Serialize;

use super::field_set::FieldSet;
use super::picture::shade;

/// From this many fields on, a change from one look to another is sent as one entry.
const MANY: u32 = 8;

/// A field's look: its glyph, its shade, the number of its owner, and that of the only player who
/// may still get it, as in a [`Picture`](super::Picture).
type Look = (char, char, u32, u32);

/// The difference to a later [`Picture`](super::Picture) of a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PictureChange {
    /// Looks that changed on all their fields: the old and the new look.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    turned: Vec<(Look, Look)>,
    /// The other changed fields, by their new look.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<(Look, FieldSet)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seats: Option<Vec<SeatView>>,
}

/// The looks of a game's fields so far, each with a number.
#[derive(Debug, Clone, Default)]
pub(super) struct Looks(Vec<Cell>);

/// A drawn position in few bytes: the number of each field's look, and the texts.
#[derive(Debug, Clone)]
pub(super) struct Drawn {
    fields: Vec<u32>,
    phase: String,
    task: String,
    notes: Vec<String>,
    seats: Vec<SeatView>,
}

impl Looks {
    /// A position by numbers of looks; new looks get new numbers.
    pub(super) fn draw(&mut self, view: View) -> Drawn {
        Drawn {
            fields: view.cells.iter().map(|cell| self.number(*cell)).collect(),
            phase: view.phase,
            task: view.task,
            notes: view.notes,
            seats: view.seats,
        }
    }

    fn number(&mut self, mut cell: Cell) -> u32 {
        // Pages draw both alike.
        if cell.prospect == Prospect::Contested {
            cell.prospect = Prospect::Open;
        }
        let known = self.0.iter().position(|known| *known == cell);
        let number = known.unwrap_or_else(|| {
            self.0.push(cell);
            self.0.len() - 1
        });
        number as u32
    }

    /// The difference between two drawn positions.
    pub(super) fn change(&self, before: &Drawn, after: &Drawn) -> PictureChange {
        let turned = self.turned(before, after);
        let mut fields: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (place, (old, new)) in before.fields.iter().zip(&after.fields).enumerate() {
            if old != new && turned[*old as usize].is_none() {
                fields.entry(*new).or_default().push(place as u32);
            }
        }
        let turned = (turned.into_iter().enumerate())
            .filter_map(|(old, new)| Some((self.look(old as u32), self.look(new?))));
        PictureChange {
            turned: turned.collect(),
            fields: (fields.into_iter())
                .map(|(look, places)| (self.look(look), FieldSet::new(places)))
                .collect(),
            phase: other(&before.phase, &after.phase),
            task: other(&before.task, &after.task),
            notes: other(&before.notes, &after.notes),
            seats: other(&before.seats, &after.seats),
        }
    }

    /// Looks whose fields all got the same new look, if those fields are many.
    fn turned(&self, before: &Drawn, after: &Drawn) -> Vec<Option<u32>> {
        let mut counts = vec![0; self.0.len()];
        let mut targets: Vec<Option<u32>> = vec![None; self.0.len()];
        let mut is_split = vec![false; self.0.len()];
        for (old, new) in before.fields.iter().zip(&after.fields) {
            let at = *old as usize;
            counts[at] += 1;
            is_split[at] |= *targets[at].get_or_insert(*new) != *new;
        }
        for (at, target) in targets.iter_mut().enumerate() {
            if is_split[at] || counts[at] < MANY || *target == Some(at as u32) {
                *target = None;
            }
        }
        targets
    }

    /// Number of fields whose owner or ground has changed.
    pub(super) fn count_changed(&self, before: &Drawn, after: &Drawn) -> usize {
        let ground = |number: u32| {
            let cell = &self.0[number as usize];
            (cell.owner, cell.shade)
        };
        (before.fields.iter().zip(&after.fields))
            .filter(|(old, new)| old != new && ground(**old) != ground(**new))
            .count()
    }

    fn look(&self, number: u32) -> Look {
        let cell = &self.0[number as usize];
        let promised = match cell.prospect {
            Prospect::Promised(player) => player.number(),
            Prospect::Open | Prospect::Contested => 0,
        };
        let owner = cell.owner.map_or(0, Player::number);
        (cell.glyph, shade(cell.shade), owner, promised)
    }
}

impl Drawn {
    /// Number of fields on the board.
    pub(super) fn count(&self) -> usize {
        self.fields.len()
    }
}

/// The later of two values, if different.
fn other<T: PartialEq + Clone>(before: &T, after: &T) -> Option<T> {
    (before != after).then(|| after.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn change(first: &str, second: &str) -> serde_json::Value {
        let game = crate::find("flood").unwrap();
        let mut looks = Looks::default();
        let [before, after] =
            [first, second].map(|text| looks.draw(game.read(text).unwrap().view()));
        let change = serde_json::to_value(looks.change(&before, &after)).unwrap();
        assert_eq!(looks.change(&after, &after).fields, []);
        change
    }

    #[test]
    fn a_territory_that_changes_colour_is_one_entry_and_what_it_takes_is_runs() {
        let change = change("S\n####\n@@@+\n@@@.\n@@@*\n", "S\n####\n...+\n....\n...*\n");
        assert_eq!(
            change["turned"],
            json!([[["@", "A", 1, 0], [".", "D", 1, 0]]])
        );
        // The last one is sealed off: only the first player may still get it.
        assert_eq!(
            change["fields"],
            json!([[[".", "D", 1, 0], [11, 1]], [["*", "E", 0, 1], [15, 1]]])
        );
        assert_eq!(change["phase"], json!(null));
    }
}
