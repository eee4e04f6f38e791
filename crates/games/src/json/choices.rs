//! The moves of a position in few bytes, for boards of any size.

use std::collections::BTreeMap;

use floe_rules::{Choice, Square, View};
use serde::Serialize;

use super::field_set::FieldSet;
use crate::AnyPosition;

/// Moves that differ only in the field they are played on; fields are counted row by row from the
/// top-left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PickGroup {
    /// The notation of a move that forms its own group.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    notation: Option<String>,
    /// The notation of each move, with `<` for the start square and `>` for the target square.
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u32>,
    /// The field of each move; `None` for a move without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<FieldSet>,
    #[serde(skip_serializing_if = "Option::is_none")]
    special: Option<&'static str>,
    /// The fields a move takes, if these are not the one it is played on.
    #[serde(skip_serializing_if = "Option::is_none")]
    takes: Option<FieldSet>,
    /// Other fields that select the move when a person points at them.
    #[serde(skip_serializing_if = "Option::is_none")]
    also: Option<FieldSet>,
    gain: i64,
}

/// The legal moves of a position, grouped.
pub fn pick_groups(position: &dyn AnyPosition, view: &View) -> Vec<PickGroup> {
    grouped(&position.choices(), view.width, view.height)
}

/// Choices on a board of this size, in groups, ordered by each group's first choice.
pub(super) fn grouped(choices: &[Choice], width: u32, height: u32) -> Vec<PickGroup> {
    let place = |square: Square| (height - 1 - square.row) * width + square.column;
    let places = |squares: &[Square]| squares.iter().copied().map(place).collect();
    let mut groups: Vec<PickGroup> = Vec::new();
    let mut targets: Vec<Vec<u32>> = Vec::new();
    let mut known = BTreeMap::new();
    for choice in choices {
        let is_plain = |to: &Square| choice.takes == [*to] && choice.also.is_empty();
        let pattern = choice.to.filter(is_plain).and_then(|_| pattern(choice));
        let is_alone = pattern.is_none();
        let key = (pattern.clone(), choice.from, choice.special, choice.gain);
        let group = match known.get(&key) {
            Some(group) if !is_alone => *group,
            _ => {
                groups.push(PickGroup {
                    notation: is_alone.then(|| choice.notation.clone()),
                    pattern,
                    from: choice.from.map(place),
                    to: None,
                    special: choice.special,
                    takes: is_alone.then(|| FieldSet::new(places(&choice.takes))),
                    also: (!choice.also.is_empty()).then(|| FieldSet::new(places(&choice.also))),
                    gain: choice.gain,
                });
                targets.push(Vec::new());
                if !is_alone {
                    known.insert(key, groups.len() - 1);
                }
                groups.len() - 1
            }
        };
        targets[group].extend(choice.to.map(place));
    }
    for (group, targets) in groups.iter_mut().zip(targets) {
        group.to = (!targets.is_empty()).then(|| FieldSet::new(targets));
    }
    groups
}

/// A choice's notation without its squares, if nothing else differs.
fn pattern(choice: &Choice) -> Option<String> {
    let from = choice.from.map(|square| square.to_string());
    let to = choice.to.map(|square| square.to_string())?;
    let notation = choice.notation.as_str();
    let (head, rest) = match from.as_deref().and_then(|from| notation.strip_prefix(from)) {
        Some(rest) => ("<", rest),
        None => ("", notation),
    };
    let pattern = format!("{head}{}", rest.replacen(&to, ">", 1));
    (spelt(&pattern, from.as_deref().unwrap_or_default(), &to) == notation).then_some(pattern)
}

/// The notation that a page makes from a pattern.
fn spelt(pattern: &str, from: &str, to: &str) -> String {
    pattern.replacen('<', from, 1).replacen('>', to, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn groups(choices: &[Choice]) -> Value {
        serde_json::to_value(grouped(choices, 4, 4)).unwrap()
    }

    #[test]
    fn moves_that_differ_in_their_field_are_one_group() {
        let at = |column, row| Square::new(column, row);
        let placed = |column| {
            Choice::new(at(column, 3).to_string())
                .to(at(column, 3))
                .gaining(1)
        };
        let slid = |row| {
            let text = format!("{}-{}", at(3, 0), at(3, row));
            Choice::new(text).from(at(3, 0)).to(at(3, row)).gaining(2)
        };
        let groups_of_moves = groups(&[
            placed(0),
            placed(1),
            placed(2),
            slid(1),
            slid(3),
            Choice::new("#"),
        ]);
        assert_eq!(
            groups_of_moves,
            json!([
                { "pattern": ">", "to": [0, 3], "gain": 1 },
                { "pattern": "<->", "from": 15, "to": [3, 1, 7, 1], "gain": 2 },
                { "move": "#", "takes": [], "gain": 0 },
            ])
        );
        let golden = Choice::new("a1!").to(at(0, 0));
        assert_eq!(groups(&[golden])[0]["pattern"], ">!");
    }

    #[test]
    fn a_move_meant_by_several_fields_names_them() {
        let column = (1..4).map(|row| Square::new(2, row));
        let dropped = Choice::new("c").to(Square::new(2, 0)).or_at(column);
        assert_eq!(
            groups(&[dropped]),
            json!([{
                "move": "c", "to": [14, 1], "takes": [14, 1], "also": [2, 1, 3, 1, 3, 1], "gain": 0
            }])
        );
    }

    #[test]
    fn a_notation_that_squares_do_not_explain_stays_as_it_is() {
        let odd = Choice::new("pass>").to(Square::new(0, 0));
        assert_eq!(groups(&[odd])[0]["move"], "pass>");
    }
}
