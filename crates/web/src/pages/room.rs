//! The space that a page reserves for what its script draws, so that nothing moves when the script has loaded.

use askama::Template;
use floe_games::AnyPosition;
use floe_rules::{Choice, View};

/// Boards with more fields have no buttons for moves counted: their moves are many.
const MOST_FIELDS: u32 = 10_000;
/// Boards with a longer side do not fit a phone.
const LARGE: u32 = 12;
/// Boards with a longer side do not fit most desktops: their tools and their map are below them.
const VAST: u32 = 31;

/// A board's space.
#[derive(Clone, Copy, Default, Template)]
#[template(path = "room.html")]
pub(crate) struct Room {
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    /// The kind of buttons for moves, as a class; empty if there are none.
    pub(crate) picks: &'static str,
}

impl Room {
    /// The space of a board and of the buttons below it.
    pub(crate) fn of(position: &dyn AnyPosition) -> Room {
        Room::in_view(position, &position.view())
    }

    /// The same, where the view of the position is known.
    pub(crate) fn in_view(position: &dyn AnyPosition, view: &View) -> Room {
        let room = Room::of_view(view);
        match room.columns.saturating_mul(room.rows) <= MOST_FIELDS {
            true => Room {
                picks: picks(position),
                ..room
            },
            false => room,
        }
    }

    /// The space of a board alone.
    pub(crate) fn of_board(position: &dyn AnyPosition) -> Room {
        Room::of_view(&position.view())
    }

    fn of_view(view: &View) -> Room {
        Room {
            columns: view.width,
            rows: view.height,
            picks: "",
        }
    }

    fn side(&self) -> u32 {
        self.columns.max(self.rows)
    }

    pub(crate) fn is_vast(&self) -> bool {
        self.side() > VAST
    }

    /// The classes of the reserved space.
    fn kind(&self) -> &'static str {
        match self.side() {
            side if side > VAST => "room large vast",
            side if side > LARGE => "room large",
            _ => "room",
        }
    }
}

/// The kind of buttons for moves that are not made by pointing at a field.
fn picks(position: &dyn AnyPosition) -> &'static str {
    let choices = position.choices();
    let is_key = |choice: &Choice| choice.to.is_none() && choice.special.is_none();
    if choices.iter().any(is_key) {
        "keys-room"
    } else if choices.iter().any(|choice| choice.special.is_some()) || position.give_up().is_some()
    {
        "picks-room"
    } else {
        ""
    }
}
