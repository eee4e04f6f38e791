//! The current screen.

use crate::kept::GameList;
use crate::new_game::NewGameForm;
use crate::puzzles::{PuzzleRound, Stand};
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
    /// Puzzles.
    Puzzles(Box<PuzzleRound>),
}

impl Stage {
    /// The board that the user plays on, if one can be clicked.
    pub(crate) fn board(&mut self) -> Option<&mut Screen> {
        match self {
            Stage::Game(screen) => Some(screen),
            Stage::Puzzles(round) if round.state == Stand::Open => Some(&mut round.board),
            _ => None,
        }
    }
}
