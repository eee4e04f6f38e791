//! A position as drawn, with facts about the whole board computed once.

use std::ops::Deref;

use floe_games::AnyPosition;
use floe_rules::{Cell, Shade, Square, View};

use crate::screen::count_pass;

/// A position as drawn.
///
/// Making it costs a look at every field; drawing a part of it costs that part.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    view: View,
    /// Whether colours are the ground of the fields.
    pub(crate) has_hues: bool,
    /// Number of fields that a player could take.
    pub(crate) free: usize,
}

impl Scene {
    pub(crate) fn new(position: &dyn AnyPosition) -> Self {
        Self::of(position.view())
    }

    pub(crate) fn of(view: View) -> Self {
        count_pass();
        let is_free = |cell: &&Cell| cell.owner.is_none() && cell.shade != Shade::Void;
        let is_hue = |cell: &Cell| matches!(cell.shade, Shade::Hue(_));
        Scene {
            has_hues: view.cells.first().is_some_and(is_hue),
            free: view.cells.iter().filter(is_free).count(),
            view,
        }
    }

    /// All squares, from the bottom left.
    pub(crate) fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let (width, height) = (self.view.width, self.view.height);
        (0..height).flat_map(move |row| (0..width).map(move |column| Square::new(column, row)))
    }
}

impl Deref for Scene {
    type Target = View;

    fn deref(&self) -> &View {
        &self.view
    }
}
