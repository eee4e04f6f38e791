//! An animated move: pieces slide, floods spread, and opponents' moves flash.
//!
//! The position is already the new one; for a moment some of its fields are drawn as they were. Any
//! key ends that moment, and nothing ever waits for it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use floe_rules::{Cell, Square};

use crate::scene::Scene;

/// Length of the animation.
const LENGTH: Duration = Duration::from_millis(250);

/// The animation of one move.
#[derive(Debug, Clone)]
pub(crate) struct Motion {
    began: Instant,
    /// The changed fields as they were, in order of change.
    before: Vec<(Square, Cell)>,
    /// The fields that a piece passes, and its look.
    path: Vec<Square>,
    piece: Option<Cell>,
    /// Whether an opponent made the move, which then flashes.
    pub(crate) is_others: bool,
}

impl Motion {
    /// From one position to the next, by a move that names these squares in order. Costs a
    /// comparison of every field.
    pub(crate) fn new(before: &Scene, after: &Scene, named: &[Square], is_others: bool) -> Self {
        let origin = named.first().copied();
        let changed = before.squares().filter_map(|square| {
            let was = *before.cell(square)?;
            (after.cell(square) != Some(&was)).then_some((square, was))
        });
        let mut changed: Vec<(Square, Cell)> = changed.collect();
        // A flood starts at its owner's territory.
        let start = origin.or_else(|| nearest_owned(before, after, &changed));
        if let Some(start) = start {
            changed.sort_by_key(|(square, _)| distance(*square, start));
        }
        let (path, piece) = match *named {
            [from, to] => (line(from, to), before.cell(from).copied()),
            _ => (Vec::new(), None),
        };
        Motion {
            began: Instant::now(),
            before: changed,
            path,
            piece,
            is_others,
        }
    }

    /// The progress of the animation, from 0 to 1.
    pub(crate) fn progress(&self) -> f64 {
        (self.began.elapsed().as_secs_f64() / LENGTH.as_secs_f64()).min(1.0)
    }

    /// The fields to draw at this progress, in place of the new position.
    pub(crate) fn cells(&self, progress: f64) -> HashMap<Square, Cell> {
        let done = |count: usize| ((count as f64 * progress) as usize).min(count);
        if let (Some(piece), [from, .., to]) = (self.piece, &self.path[..]) {
            let mut cells: HashMap<Square, Cell> = self.before.iter().copied().collect();
            // A sliding piece has left, and has not arrived yet.
            cells.remove(from);
            let here = self.path[done(self.path.len() - 1)];
            if here != *to {
                cells.insert(here, piece);
            }
            return cells;
        }
        self.before[done(self.before.len())..]
            .iter()
            .copied()
            .collect()
    }
}

fn distance(a: Square, b: Square) -> u32 {
    a.column.abs_diff(b.column) + a.row.abs_diff(b.row)
}

/// A field of the gaining player, nearest to one of the gained fields.
fn nearest_owned(before: &Scene, after: &Scene, changed: &[(Square, Cell)]) -> Option<Square> {
    let gained = changed.iter().find(|(square, was)| {
        let now = after.cell(*square).and_then(|cell| cell.owner);
        now.is_some() && now != was.owner
    });
    let (near, _) = gained?;
    let owner = after.cell(*near)?.owner;
    let is_own = |square: &Square| before.cell(*square).is_some_and(|cell| cell.owner == owner);
    before
        .squares()
        .filter(is_own)
        .min_by_key(|square| distance(*square, *near))
}

/// The squares of a straight line, including both ends; only both ends if it is not straight.
fn line(from: Square, to: Square) -> Vec<Square> {
    let steps = from
        .column
        .abs_diff(to.column)
        .max(from.row.abs_diff(to.row));
    let is_straight = from.column == to.column || from.row == to.row;
    if !is_straight || steps == 0 {
        return vec![from, to];
    }
    let between = |a: u32, b: u32, step: u32| match a < b {
        true => a + step.min(b - a),
        false => a - step.min(a - b),
    };
    (0..=steps)
        .map(|step| {
            Square::new(
                between(from.column, to.column, step),
                between(from.row, to.row, step),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::played;
    use super::*;

    #[test]
    fn a_piece_slides_over_the_squares_between() {
        let session = played("penguins", "6x5,penguins=2", "human", 4);
        let before = Scene::new(session.position());
        let moves = session.position().choices();
        let slide = moves
            .iter()
            .max_by_key(|choice| distance(choice.from.unwrap(), choice.to.unwrap()));
        let slide = slide.unwrap();
        let (from, to) = (slide.from.unwrap(), slide.to.unwrap());
        assert!(distance(from, to) > 1);
        let mut after = session.position().clone_position();
        after.play(&slide.notation).unwrap();
        let after = Scene::new(&*after);
        let motion = Motion::new(&before, &after, &[from, to], true);
        let piece = before.cell(from).copied();
        assert_eq!(motion.cells(0.0).get(&from).copied(), piece);
        let halfway = motion.cells(0.5);
        let seen: Vec<&Square> = (halfway.iter())
            .filter(|(_, cell)| Some(**cell) == piece)
            .map(|(square, _)| square)
            .collect();
        assert_eq!(seen.len(), 1);
        assert!(*seen[0] != from && *seen[0] != to);
        assert!(motion.cells(1.0).values().all(|cell| Some(*cell) != piece));
    }

    #[test]
    fn a_flood_spreads_and_ends_as_it_is() {
        let session = played("flood", "8x6", "human", 6);
        let before = Scene::new(session.position());
        let choices = session.position().choices();
        let widest = choices.iter().max_by_key(|choice| choice.gain).unwrap();
        let mut after = session.position().clone_position();
        after.play(&widest.notation).unwrap();
        let motion = Motion::new(&before, &Scene::new(&*after), &[], false);
        let all = motion.cells(0.0).len();
        assert!(all > 1);
        assert!((1..all).contains(&motion.cells(0.5).len()));
        assert!(motion.cells(1.0).is_empty());
    }
}
