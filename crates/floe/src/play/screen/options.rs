//! The mover's choices, and what the screen asks about them again and again, found out once.

use std::collections::HashMap;
use std::ops::Deref;

use floe_rules::{Choice, Square};

/// The choices of one position, in the game's order.
///
/// Making it costs a look at every choice; nothing that is asked afterwards does.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    all: Vec<Choice>,
    /// Those that are made by keys.
    keyed: Vec<usize>,
    /// By the square they are played on.
    played_on: HashMap<Square, Vec<usize>>,
    /// By the square of the piece they move.
    moved_from: HashMap<Square, Vec<usize>>,
    special: Option<&'static str>,
    /// How many are played on a square in the usual way.
    plain: usize,
}

impl Options {
    pub(crate) fn new(all: Vec<Choice>) -> Self {
        count_pass();
        let mut options = Options::default();
        for (index, choice) in all.iter().enumerate() {
            match choice.to {
                Some(to) => options.played_on.entry(to).or_default().push(index),
                None => options.keyed.push(index),
            }
            if let Some(from) = choice.from {
                options.moved_from.entry(from).or_default().push(index);
            }
            options.special = options.special.or(choice.special);
            options.plain += usize::from(choice.to.is_some() && choice.special.is_none());
        }
        Options { all, ..options }
    }

    /// Those that are made by keys, in their order.
    pub(crate) fn keyed(&self) -> impl Iterator<Item = &Choice> {
        self.keyed.iter().map(|&index| &self.all[index])
    }

    /// Whether every choice is made by a key.
    pub(crate) fn is_by_keys(&self) -> bool {
        !self.all.is_empty() && self.keyed.len() == self.all.len()
    }

    /// What the special kind of move is called, where one can be made.
    pub(crate) fn special(&self) -> Option<&'static str> {
        self.special
    }

    /// How many are played on a square in the usual way.
    pub(crate) fn plain(&self) -> usize {
        self.plain
    }

    /// Whether pieces are moved.
    pub(crate) fn has_pieces(&self) -> bool {
        !self.moved_from.is_empty()
    }

    /// Whether a piece stands here that can be moved.
    pub(crate) fn can_move(&self, square: Square) -> bool {
        self.moved_from.contains_key(&square)
    }

    /// The choices that pointing at this square means, those of all pieces.
    pub(crate) fn at(&self, square: Square) -> impl Iterator<Item = &Choice> {
        let played = self.played_on.get(&square).map_or(&[][..], Vec::as_slice);
        let keyed = self.keyed().filter(move |choice| choice.is_at(square));
        played.iter().map(|&index| &self.all[index]).chain(keyed)
    }

    /// The squares at which something can be done, with this piece picked up or none; as one
    /// reads them, from the top row to the bottom.
    pub(crate) fn squares(&self, lifted: Option<Square>) -> Vec<Square> {
        let mut squares: Vec<Square> = match lifted.and_then(|from| self.moved_from.get(&from)) {
            Some(moves) => moves.iter().filter_map(|&i| self.all[i].to).collect(),
            None if self.has_pieces() => self.moved_from.keys().copied().collect(),
            None => self.played_on.keys().copied().collect(),
        };
        squares.sort_unstable_by_key(|square| (std::cmp::Reverse(square.row), square.column));
        squares
    }
}

impl Deref for Options {
    type Target = [Choice];

    fn deref(&self) -> &[Choice] {
        &self.all
    }
}

#[cfg(test)]
thread_local! {
    /// How often this thread has looked at all choices or all fields of a position.
    pub(crate) static PASSES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Notes that all choices, or all fields, are looked at.
pub(crate) fn count_pass() {
    #[cfg(test)]
    PASSES.with(|passes| passes.set(passes.get() + 1));
}
