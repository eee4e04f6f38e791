//! Moves by keys: which key makes which move, and whose gain is shown.

use floe_rules::{Choice, Player, Shade, Square};

use super::{Marks, Screen};

/// A key, and its move now.
pub(crate) struct KeyedChoice<'a> {
    pub(crate) key: char,
    /// The move's notation.
    pub(crate) notation: String,
    /// The move, if it is legal now.
    pub(crate) choice: Option<&'a Choice>,
    /// The player whose territory has this colour.
    pub(crate) owner: Option<Player>,
}

impl Screen {
    /// The moves by keys. Every colour has its own key, the same in the whole game; other moves
    /// have keys in order.
    pub(crate) fn keyed_choices(&self) -> Vec<KeyedChoice<'_>> {
        if self.choices.keyed().next().is_none() {
            return Vec::new();
        }
        let keys = '1'..='9';
        if !self.view.has_hues {
            let one = |(key, choice): (char, &'_ Choice)| (key, choice.notation.clone());
            let named: Vec<_> = keys.zip(self.choices.keyed()).map(one).collect();
            return self.keyed_by(named);
        }
        self.keyed_by(keys.zip(self.colours.iter().cloned()).collect())
    }

    fn keyed_by(&self, named: Vec<(char, String)>) -> Vec<KeyedChoice<'_>> {
        let one = |(key, notation): (char, String)| {
            let is_same = |choice: &&Choice| choice.notation == notation;
            let choice = self.choices.keyed().find(is_same);
            let owner = match choice {
                Some(_) => None,
                None => self.holder(&notation),
            };
            KeyedChoice {
                key,
                choice,
                owner,
                notation,
            }
        };
        named.into_iter().map(one).collect()
    }

    /// The player whose territory has this colour.
    fn holder(&self, notation: &str) -> Option<Player> {
        let has_it = |square: &&Square| {
            let cell = self.view.cell(**square);
            cell.is_some_and(|cell| cell.glyph.to_string() == notation)
        };
        let home = self.homes.keys().find(has_it)?;
        self.view.cell(*home)?.owner
    }

    /// The move whose gain is being shown.
    pub(crate) fn previewed(&self) -> Option<&Choice> {
        let notation = self.preview.as_ref()?;
        self.choices.keyed().find(|one| one.notation == *notation)
    }

    /// Shows the gain of the largest move.
    pub(super) fn choose_preview(&mut self) {
        if self.view.has_hues {
            let named = self.choices.keyed().map(|choice| choice.notation.clone());
            let new: Vec<String> = named.filter(|name| !self.colours.contains(name)).collect();
            self.colours.extend(new);
        }
        let most = self.choices.keyed().rev().max_by_key(|one| one.takes.len());
        self.preview = most.map(|choice| choice.notation.clone());
    }

    /// Shows the gain of the next or previous move.
    pub(super) fn turn_preview(&mut self, forward: bool) {
        let keyed = self.keyed_choices();
        let names = keyed.iter().filter_map(|one| Some(&one.choice?.notation));
        let names: Vec<&String> = names.collect();
        let now = names
            .iter()
            .position(|name| Some(*name) == self.preview.as_ref());
        let step = if forward { 1 } else { names.len() - 1 };
        let next = now.map_or(0, |now| (now + step) % names.len());
        self.preview = names.get(next).map(|name| (*name).clone());
    }

    /// The start squares and colours of a game of colours.
    pub(super) fn find_homes(&mut self) {
        if !self.view.has_hues {
            return;
        }
        let start = self.session.start().view();
        let mut hues: Vec<(u8, char)> = Vec::new();
        for row in 0..start.height {
            for column in 0..start.width {
                let square = Square::new(column, row);
                let Some(cell) = start.cell(square) else {
                    continue;
                };
                if let Shade::Hue(hue) = cell.shade {
                    hues.push((hue, cell.glyph));
                }
                let Some(owner) = cell.owner else { continue };
                let name = &start.seats[owner.index()].name;
                let letter = name.chars().next().filter(|_| name.chars().count() == 1);
                let is_first = self.homes.keys().all(|home| {
                    let cell = start.cell(*home);
                    cell.is_some_and(|cell| cell.owner != Some(owner))
                });
                let letter = letter.unwrap_or_else(|| crate::draw::signs::seat(owner, false));
                if is_first {
                    self.homes.insert(square, letter);
                }
            }
        }
        hues.sort_unstable();
        hues.dedup();
        self.colours = hues.iter().map(|(_, glyph)| glyph.to_string()).collect();
    }

    /// Finds out why some free squares cannot be taken, if others can.
    pub(super) fn explain_others(&mut self) {
        self.why_not = None;
        let some = self.choices.plain();
        let is_mixed = some > 0 && some < self.view.free && !self.choices.has_pieces();
        if !is_mixed || self.view.drawing.level.is_some() || self.marks == Marks::None {
            return;
        }
        let is_other = |square: &Square| {
            let cell = self.view.cell(*square);
            let is_free =
                |cell: &floe_rules::Cell| cell.owner.is_none() && cell.shade != Shade::Void;
            cell.is_some_and(is_free) && self.choices.at(*square).next().is_none()
        };
        let other = self.view.squares().find(is_other);
        self.why_not = other.map(|at| self.session.position().refusal(None, at, false));
    }

    /// Finds the pieces of the player at the keyboard.
    pub(super) fn find_pieces(&mut self) {
        self.pieces.clear();
        if self.view.drawing.piece.is_none() {
            return;
        }
        let own = self.session.own_player();
        let is_own = |square: &Square| {
            let cell = self.view.cell(*square);
            cell.is_some_and(|cell| cell.owner == Some(own))
        };
        self.pieces = self.view.squares().filter(is_own).collect();
    }

    /// The squares of the pieces of the player at the keyboard.
    pub(crate) fn own_pieces(&self) -> &[Square] {
        &self.pieces
    }
}
