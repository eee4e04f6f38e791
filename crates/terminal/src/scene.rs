//! A position as it is drawn, with what is asked of the whole board found out once.

use std::ops::Deref;

use floe_games::AnyPosition;
use floe_rules::{Cell, Player, Prospect, Shade, Square, View};

use crate::board::glyphs_are_shared;
use crate::screen::count_pass;

/// A position as drawn.
///
/// Making it costs a look at every field; drawing a part of it costs that part.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    view: View,
    /// Whether a field's character shows its owner.
    pub(crate) tells_owners: bool,
    /// Whether contested fields look different.
    pub(crate) shows_prospects: bool,
    /// Fields that a player could take.
    pub(crate) free: usize,
    /// The characters of each player's pieces, if there are any.
    glyphs: Vec<Option<char>>,
}

impl Scene {
    pub(crate) fn new(position: &dyn AnyPosition) -> Self {
        Self::of(position.view())
    }

    pub(crate) fn of(view: View) -> Self {
        count_pass();
        let is_free = |cell: &&Cell| cell.owner.is_none() && cell.shade != Shade::Void;
        let is_promised = |cell: &Cell| matches!(cell.prospect, Prospect::Promised(_));
        let mut glyphs = vec![None; view.seats.len()];
        for cell in &view.cells {
            let seat = cell.owner.and_then(|owner| glyphs.get_mut(owner.index()));
            if let Some(glyph) = seat {
                glyph.get_or_insert(cell.glyph);
            }
        }
        Scene {
            tells_owners: !glyphs_are_shared(&view),
            shows_prospects: view.cells.iter().any(is_promised),
            free: view.cells.iter().filter(is_free).count(),
            glyphs,
            view,
        }
    }

    /// The character of a player's pieces, if it is not the player's number.
    pub(crate) fn piece(&self, player: Player) -> Option<char> {
        let glyph = self.glyphs.get(player.index()).copied().flatten()?;
        let is_telling = self.view.drawing.piece.is_some() && !glyph.is_ascii_digit();
        is_telling.then_some(glyph)
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
