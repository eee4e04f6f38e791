//! The current screen.

use crate::kept::GameList;
use crate::new_game::NewGameForm;
use crate::review::Review;
use crate::screen::Screen;
use crate::tour::Tour;

/// One of the screens, with its state.
pub(crate) enum Stage {
    /// The form for a new game.
    NewGame(Box<NewGameForm>),
    /// The user's stored games.
    Games(Box<GameList>),
    /// A game being played.
    Game(Box<Screen>),
    /// A finished game, turn by turn.
    Review(Box<Review>),
    /// The tour for new players.
    Tour(Box<Tour>),
}
