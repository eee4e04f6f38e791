//! The legal moves, and facts the screen needs repeatedly, computed once.

use std::ops::Deref;

use floe_rules::{Choice, Square};

/// The choices of one position, in the game's order.
///
/// Making it costs a look at every choice; nothing that is asked afterwards does.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    all: Vec<Choice>,
    /// Moves by keys.
    keyed: Vec<usize>,
    /// Moves by target square.
    played_on: BySquare,
    /// Moves by the square of their piece.
    moved_from: BySquare,
    special: Option<&'static str>,
    /// Number of plain moves on a square.
    plain: usize,
}

impl Options {
    pub(crate) fn new(all: Vec<Choice>) -> Self {
        count_pass();
        let mut options = Options::default();
        for (index, choice) in all.iter().enumerate() {
            match choice.to {
                Some(to) => options.played_on.0.push((to, index)),
                None => options.keyed.push(index),
            }
            if let Some(from) = choice.from {
                options.moved_from.0.push((from, index));
            }
            options.special = options.special.or(choice.special);
            options.plain += usize::from(choice.to.is_some() && choice.special.is_none());
        }
        options.played_on.sort();
        options.moved_from.sort();
        Options { all, ..options }
    }

    /// The moves by keys, in order.
    pub(crate) fn keyed(&self) -> impl DoubleEndedIterator<Item = &Choice> {
        self.keyed.iter().map(|&index| &self.all[index])
    }

    /// Whether every choice is made by key.
    pub(crate) fn is_by_keys(&self) -> bool {
        !self.all.is_empty() && self.keyed.len() == self.all.len()
    }

    /// The name of the special kind of move, if one is legal.
    pub(crate) fn special(&self) -> Option<&'static str> {
        self.special
    }

    /// Number of plain moves on a square.
    pub(crate) fn plain(&self) -> usize {
        self.plain
    }

    /// Whether pieces are moved.
    pub(crate) fn has_pieces(&self) -> bool {
        !self.moved_from.0.is_empty()
    }

    /// Whether a movable piece stands here.
    pub(crate) fn can_move(&self, square: Square) -> bool {
        self.moved_from.of(square).next().is_some()
    }

    /// The choices at this square, for all pieces.
    pub(crate) fn at(&self, square: Square) -> impl Iterator<Item = &Choice> {
        let played = self.played_on.of(square);
        let keyed = self.keyed().filter(move |choice| choice.is_at(square));
        played.map(|index| &self.all[index]).chain(keyed)
    }

    /// The squares with an action, with this piece or none picked up; in reading order, from the
    /// top row to the bottom.
    pub(crate) fn squares(&self, lifted: Option<Square>) -> Vec<Square> {
        let mut squares: Vec<Square> = match lifted.filter(|&from| self.can_move(from)) {
            Some(from) => {
                let moves = self.moved_from.of(from);
                moves.filter_map(|index| self.all[index].to).collect()
            }
            None if self.has_pieces() => self.moved_from.squares(),
            None => self.played_on.squares(),
        };
        squares.sort_unstable_by_key(|square| (std::cmp::Reverse(square.row), square.column));
        squares
    }
}

/// Indices of choices by square, row by row: a map would take memory for thousands of squares after
/// every move. Games list choices in nearly this order, so sorting is cheap.
#[derive(Debug, Clone, Default)]
struct BySquare(Vec<(Square, usize)>);

impl BySquare {
    fn sort(&mut self) {
        self.0
            .sort_by_key(|&(square, index)| (square.row, square.column, index));
    }

    /// The choices of one square, in the game's order.
    fn of(&self, square: Square) -> impl Iterator<Item = usize> + '_ {
        let is_before = |other: Square| (other.row, other.column) < (square.row, square.column);
        let first = self.0.partition_point(|&(other, _)| is_before(other));
        let rest = self.0[first..].iter();
        let here = rest.take_while(move |&&(other, _)| other == square);
        here.map(|&(_, index)| index)
    }

    /// Every square with a choice, once.
    fn squares(&self) -> Vec<Square> {
        let mut squares: Vec<Square> = self.0.iter().map(|&(square, _)| square).collect();
        squares.dedup();
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
