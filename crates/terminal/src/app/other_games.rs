//! Games other than the current one: saved games, and watched games.

use floe_games::AnyGame;
use floe_games::record::Record;

use super::{App, MOST_GAMES, Stage};
use crate::error::TerminalError;
use crate::kept::KeptGame;
use crate::new_game::NewGameForm;
use crate::puzzles::{PuzzleRound, PuzzleSet, Puzzled};
use crate::recorder;
use crate::review::Review;
use crate::screen::Message;
use crate::session::random_seed;
use crate::texts::t;
use crate::tour::{Tour, Toured};
use crate::watching::Watching;

impl App {
    /// Watches games, starting with this one.
    pub(crate) fn watch(&mut self, record: Record) {
        self.watching = Some(Watching::new());
        self.show_recorded(record, 0);
    }

    /// Shows a watched game; an unreadable one is skipped.
    fn show_recorded(&mut self, record: Record, at: usize) {
        if let Ok(session) = recorder::session(&record) {
            let review = Review::watching(session, record, at);
            self.stage = Stage::Review(Box::new(review));
            self.suit_board();
        }
    }

    /// Shows the next turn of a watched game, or the next game; returns whether the screen changes.
    pub(super) fn watch_on(&mut self) -> bool {
        let (Some(watching), Stage::Review(review)) = (&mut self.watching, &mut self.stage) else {
            return false;
        };
        let shown = review.watched.as_ref();
        if let Some(record) = shown.and_then(|shown| watching.growth_of(shown)) {
            let at = review.at;
            self.show_recorded(record, at);
            return true;
        }
        if !watching.is_time() {
            return false;
        }
        let all = review.session.turns().len();
        if review.at < all {
            review.go(review.at + 1);
            watching.rest(review.at == all);
            return true;
        }
        match watching.next_game() {
            Some(record) => {
                watching.rest(false);
                self.show_recorded(record, 0);
                true
            }
            None => false,
        }
    }

    /// Takes a new player on the tour.
    pub(crate) fn tour(&mut self, game: &'static dyn AnyGame) -> Result<(), TerminalError> {
        let tour = Tour::new(game, self.inbox.clone())?;
        self.stage = Stage::Tour(Box::new(tour));
        Ok(())
    }

    pub(super) fn take_tour(&mut self, toured: Toured) {
        match toured {
            Toured::Nothing => {}
            Toured::Theme => self.next_theme(),
            Toured::Leave => self.choose(),
            Toured::Play(session) => self.play(*session, None),
        }
    }

    /// Lets the user solve puzzles, and nothing else.
    pub(crate) fn only_puzzles(&mut self, set: PuzzleSet) -> Result<(), TerminalError> {
        self.puzzles(set)?;
        if let Stage::Puzzles(round) = &mut self.stage {
            round.is_whole = true;
        }
        Ok(())
    }

    fn is_all_puzzles(&self) -> bool {
        matches!(&self.stage, Stage::Puzzles(round) if round.is_whole)
    }

    /// Lets the user solve puzzles.
    pub(crate) fn puzzles(&mut self, set: PuzzleSet) -> Result<(), TerminalError> {
        let mut round = PuzzleRound::new(set, self.home.clone(), self.inbox.clone())?;
        round.board.has_motion = self.has_motion;
        self.stage = Stage::Puzzles(Box::new(round));
        self.suit_board();
        Ok(())
    }

    pub(super) fn take_puzzled(&mut self, puzzled: Puzzled) {
        match puzzled {
            Puzzled::Nothing => {}
            Puzzled::Theme => self.next_theme(),
            Puzzled::Leave if self.is_all_puzzles() => self.has_left = true,
            Puzzled::Leave => self.choose(),
        }
    }

    /// The form.
    pub(super) fn choose(&mut self) {
        self.close();
        let form = NewGameForm::new(&self.memory, random_seed(), self.size);
        let form = form.offering(&KeptGame::all(&self.home, MOST_GAMES));
        self.stage = Stage::NewGame(Box::new(form));
    }

    /// Resumes the selected game of the list, or reviews it.
    pub(super) fn open_kept(&mut self) {
        let Stage::Games(list) = &mut self.stage else {
            return;
        };
        let Some(game) = list.chosen().cloned() else {
            return;
        };
        let opened = match game.end {
            None => recorder::resume_at(&self.home, &game.file)
                .map(|(session, recorder)| (session, Some(recorder))),
            Some(_) => game.session().map(|session| (session, None)),
        };
        match opened {
            Ok((session, Some(recorder))) => {
                self.play(session, Some(recorder));
                self.say(Message::News(t!("Game resumed.")));
            }
            Ok((session, None)) => {
                let review = Review::new(session, self.inbox.clone());
                let stage = Stage::Review(Box::new(review));
                if let Stage::Games(list) = std::mem::replace(&mut self.stage, stage) {
                    self.list = Some(list);
                }
                self.suit_board();
            }
            Err(error) => list.problem = Some(format!("{error:#}")),
        }
    }
}
