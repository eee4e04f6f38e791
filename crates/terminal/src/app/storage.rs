//! Writing to disk: every turn of the game, copies of its record, positions.

use std::fs::OpenOptions;
use std::io::{self, Write};

use floe_games::AnyPosition;

use super::{App, Stage};
use crate::home::set_home;
use crate::recorder::{self, GameRecorder};
use crate::screen::Message;
use crate::texts::t;

impl App {
    /// Writes the last turn down.
    pub(super) fn keep_turn(&mut self) {
        let Stage::Game(screen) = &self.stage else {
            return;
        };
        if let Some(step) = screen.session.turns().last().cloned() {
            self.keep(|recorder| recorder.turn(&step));
        }
    }

    /// Writes to the record; if that fails, the game continues unsaved.
    pub(super) fn keep(&mut self, write: impl FnOnce(&mut GameRecorder) -> io::Result<()>) {
        let Stage::Game(screen) = &self.stage else {
            return;
        };
        if let Err(error) = self.recorder.write(screen.session.play().end(), write) {
            self.say_lost(&error);
        }
    }

    pub(super) fn say_lost(&mut self, error: &io::Error) {
        if let Stage::Game(screen) = &mut self.stage {
            screen.is_saved = false;
        }
        let text = t!(
            "The game is not saved: {error}; {how}",
            error,
            how = set_home()
        );
        self.say(Message::Refusal(text));
    }

    pub(super) fn save(&mut self, path: &str) {
        let Stage::Game(screen) = &self.stage else {
            return;
        };
        let message = match recorder::save(&screen.session, path.as_ref()) {
            Ok(()) => Message::News(t!("Saved: floe replay {path}", path)),
            Err(error) => Message::Refusal(format!("{path}: {error}")),
        };
        self.say(message);
    }

    pub(super) fn export(&mut self, path: &str) {
        let Stage::Game(screen) = &self.stage else {
            return;
        };
        let message = match write_position(screen.session.position(), path) {
            Ok(text) => Message::News(text),
            Err(text) => Message::Refusal(text),
        };
        self.say(message);
    }

    /// Writes the position shown by a review to a file named by the game and the turn.
    pub(super) fn export_reviewed(&mut self) {
        let Stage::Review(review) = &mut self.stage else {
            return;
        };
        let position = review.play.position();
        let path = format!("{}-{}.txt", position.game().name(), review.at);
        review.reply = Some(match write_position(position, &path) {
            Ok(text) => (text, true),
            Err(text) => (text, false),
        });
    }
}

/// Writes a position to a new file; the error, and the success, in a sentence.
fn write_position(position: &dyn AnyPosition, path: &str) -> Result<String, String> {
    let game = position.game().name();
    // Never overwrites an existing file.
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    match file.and_then(|mut file| file.write_all(position.write().as_bytes())) {
        Ok(()) => Ok(t!("Exported: floe show {game} {path}", game, path)),
        Err(error) => Err(format!("{path}: {error}")),
    }
}
