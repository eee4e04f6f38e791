//! Marks of squares: possible moves, changes of the last move, and animated pieces.

use std::collections::{HashMap, HashSet};

use floe_rules::{Cell, Choice, Shade, Square};

use super::{Marks, Screen, squares_in};
use crate::draw::board::{Decoration, Mark};
use crate::draw::window::Window;
use crate::motion::Motion;
use crate::scene::Scene;

impl Screen {
    /// Everything drawn on the board besides its squares.
    pub(crate) fn decoration(&self, window: &Window) -> Decoration {
        let squares = || window.squares(&self.view);
        let has_cursor = !self.choices.is_by_keys() || self.has_pointed;
        let mut marks = self.marked(squares());
        // For a move from one square to another, marks the square it left.
        if self.last.len() == 2 && !self.is_flashing() {
            let is_owned = |square: &Square| {
                let cell = self.view.cell(*square);
                cell.is_some_and(|cell| cell.owner.is_some())
            };
            marks.retain(|square, mark| *mark != Mark::Last || !is_owned(square));
        }
        Decoration {
            marks,
            cursor: Some(self.cursor).filter(|_| has_cursor),
            moving: self.moving(),
            is_flashing: self.is_flashing(),
            dimmed: self.dimmed(squares()),
            homes: self.homes.clone(),
            stars: self.stars(),
        }
    }

    /// The free squares that the player to move cannot use, if there are others.
    fn dimmed(&self, squares: impl Iterator<Item = Square>) -> HashSet<Square> {
        let some = self.choices.plain();
        let is_mixed = some > 0 && some < self.view.free;
        if !is_mixed || self.choices.has_pieces() || self.marks != Marks::Moves {
            return HashSet::new();
        }
        let is_dimmed = |square: &Square| {
            let cell = self.view.cell(*square);
            let is_free = |cell: &Cell| cell.owner.is_none() && cell.shade != Shade::Void;
            let can_take = |choice: &Choice| choice.special.is_none();
            cell.is_some_and(is_free) && !self.choices.at(*square).any(can_take)
        };
        squares.filter(is_dimmed).collect()
    }

    /// The squares that a special move took and its player still owns. Games write such moves with
    /// `!` at the end.
    fn stars(&self) -> HashSet<Square> {
        if self.session.game().special_move().is_none() {
            return HashSet::new();
        }
        let special = (self.session.turns().iter()).filter(|turn| turn.text().ends_with('!'));
        let square = |turn: &floe_games::Turn| {
            let square = squares_in(turn.text()).pop()?;
            let cell = self.view.cell(square)?;
            (cell.owner == Some(turn.player)).then_some(square)
        };
        special.filter_map(square).collect()
    }

    /// The current marks of these squares.
    pub(crate) fn marked(&self, squares: impl Iterator<Item = Square>) -> HashMap<Square, Mark> {
        let is_hint = |choice: &&Choice| Some(&choice.notation) == self.hint.as_ref();
        let hint = match self.hint {
            Some(_) => self.choices.iter().find(is_hint),
            None => None,
        };
        let hinted = |square: Square| {
            hint.is_some_and(|choice| choice.from == Some(square) || choice.takes.contains(&square))
        };
        let preview = self.previewed().filter(|_| hint.is_none());
        let gained: HashSet<Square> = preview.map_or_else(HashSet::new, |choice| {
            choice.takes.iter().copied().collect()
        });
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
            } else if gained.contains(&square) {
                Some(Mark::Gain)
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
            // If every free square is a legal move, marks show nothing; if squares have their own
            // ground, the unusable ones are drawn faintly instead.
            Marks::Moves => {
                let is_everywhere = self.choices.plain() == self.view.free;
                choice.special.is_none() && !is_everywhere && self.view.drawing.level.is_none()
            }
        }
    }

    /// The animation of the last move, if it was made just now from a position that looked like
    /// this.
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

    /// The fields to draw instead of the position during an animation.
    pub(crate) fn moving(&self) -> HashMap<Square, Cell> {
        let motion = self.motion.as_ref();
        motion.map_or_else(HashMap::new, |motion| motion.cells(motion.progress()))
    }

    /// Whether the last move flashes now.
    pub(crate) fn is_flashing(&self) -> bool {
        self.motion.as_ref().is_some_and(|motion| motion.is_others)
    }

    /// The squares that the last move names, or else those that changed owner since `before`.
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
