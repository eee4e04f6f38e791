//! Marks of squares: possible moves, changes of the last move, and animated pieces.

use std::collections::{HashMap, HashSet};

use floe_rules::{Cell, Choice, Square};

use super::{Marks, Screen, squares_in};
use crate::draw::board::Mark;
use crate::motion::Motion;
use crate::scene::Scene;

impl Screen {
    /// The marks of these squares now.
    pub(crate) fn marked(&self, squares: impl Iterator<Item = Square>) -> HashMap<Square, Mark> {
        let is_hint = |choice: &&Choice| Some(&choice.notation) == self.hint.as_ref();
        let hint = match self.hint {
            Some(_) => self.choices.iter().find(is_hint),
            None => None,
        };
        let hinted = |square: Square| {
            hint.is_some_and(|choice| choice.from == Some(square) || choice.takes.contains(&square))
        };
        let mark = |square: Square| {
            let is_target = |choice: &Choice| match (choice.from, choice.to) {
                (from @ Some(_), Some(_)) => from == self.lifted,
                (None, Some(_)) => self.is_marked(choice),
                _ => false,
            };
            if self.lifted == Some(square) {
                Some(Mark::Lifted)
            } else if hinted(square) {
                Some(Mark::Hint)
            } else if self.choices.at(square).any(is_target) {
                Some(Mark::Target)
            } else if self.lifted.is_none() && self.choices.can_move(square) {
                Some(Mark::Movable)
            } else {
                self.last.contains(&square).then_some(Mark::Last)
            }
        };
        squares
            .filter_map(|square| Some((square, mark(square)?)))
            .collect()
    }

    fn is_marked(&self, choice: &Choice) -> bool {
        match self.marks {
            Marks::None => false,
            Marks::Special => choice.special.is_some(),
            // Where a move can be made on every free field, marks would say nothing.
            Marks::Moves => choice.special.is_none() && self.choices.plain() != self.view.free,
        }
    }

    /// The last move on its way, if it was made just now from a position that looked like this.
    pub(super) fn motion_from(&self, before: &Scene) -> Option<Motion> {
        let steps = self.session.turns();
        let (Some(step), true) = (steps.last(), self.has_motion) else {
            return None;
        };
        let notation = step.mv()?;
        let is_others = !self.session.seats()[step.player.index()].is_human();
        let is_next = self.seen + 1 == steps.len();
        is_next.then(|| Motion::new(before, &self.view, &squares_in(notation), is_others))
    }

    /// The fields that are drawn in place of the position during an animation.
    pub(crate) fn moving(&self) -> HashMap<Square, Cell> {
        let motion = self.motion.as_ref();
        motion.map_or_else(HashMap::new, |motion| motion.cells(motion.progress()))
    }

    /// Whether the last move flashes now.
    pub(crate) fn is_flashing(&self) -> bool {
        self.motion.as_ref().is_some_and(|motion| motion.is_others)
    }

    /// The squares the last move names, or else those that changed hands by it, where the board
    /// looked like `before` when it was last seen.
    pub(super) fn last_squares(&self, before: Scene) -> HashSet<Square> {
        let steps = self.session.turns();
        let Some(notation) = steps.last().and_then(floe_games::Turn::mv) else {
            return HashSet::new();
        };
        let named = squares_in(notation).into_iter();
        let named: HashSet<Square> = named.filter(|&s| self.view.cell(s).is_some()).collect();
        if !named.is_empty() {
            return named;
        }
        let before = match self.seen + 1 == steps.len() {
            true => before,
            false => Scene::new(self.session.play_at(steps.len() - 1).position()),
        };
        let owner = |view: &Scene, square| view.cell(square).map(|cell| cell.owner);
        let is_new = |square: &Square| owner(&before, *square) != owner(&self.view, *square);
        self.view.squares().filter(is_new).collect()
    }
}
