//! Engines of a game: players and the adviser.

use std::time::{Duration, Instant};

use floe_arena::seat::Seat;
use floe_rules::Player;
use floe_search::{Kind, Spec};

use super::{Message, Overlay, Screen};
use crate::analysis::Analysis;
use crate::input::Purpose;
use crate::seat::{self, PlayerSeat};
use crate::texts::t;
use crate::thinker::{Effort, Mind, Thinker};
use crate::trail::Trail;

/// With engines only, faster moves would be too fast to follow.
const PACE: Duration = Duration::from_millis(300);
/// Time for each earlier position of the graph.
const COURSE: Duration = Duration::from_millis(40);

impl Screen {
    /// Stops all thinking.
    pub(crate) fn stop(&mut self) {
        self.thinkers.engines.values_mut().for_each(Thinker::cancel);
        self.thinkers.adviser.iter_mut().for_each(Thinker::cancel);
        self.thinking = None;
        self.hinting = None;
        self.evaluation.job = None;
        self.analysis.stop();
    }

    /// Stops the clock and the engines' thinking about moves.
    pub(crate) fn fall_asleep(&mut self) {
        self.shown = self.since.elapsed();
        if self.thinking.take().is_some() {
            self.thinkers.engines.values_mut().for_each(Thinker::cancel);
            self.is_asleep = true;
        }
    }

    /// Resumes where [`fall_asleep`](Self::fall_asleep) stopped.
    pub(crate) fn wake(&mut self) {
        let now = Instant::now();
        self.since = now.checked_sub(self.shown).unwrap_or(now);
        if std::mem::take(&mut self.is_asleep) {
            self.think();
        }
    }

    /// Starts the engine to move, and the evaluating one.
    pub(super) fn begin(&mut self) {
        if self.is_over() {
            self.look_back();
            return;
        }
        self.think();
        self.evaluate();
    }

    pub(super) fn think(&mut self) {
        let Some((player, seat)) = self.session.mover() else {
            return;
        };
        if self.is_paused || seat.is_human() {
            return;
        }
        let Some(seat) = self.find_seat(player, &seat.clone()) else {
            return;
        };
        let mind = Mind::Seat(Box::new(seat));
        let (game, inbox) = (self.session.game(), self.thinkers.inbox.clone());
        let thinker = (self.thinkers.engines.entry(player.index()))
            .or_insert_with(|| Thinker::new(game, mind, inbox));
        let pace = if self.session.has_humans() {
            Duration::ZERO
        } else {
            PACE
        };
        let position = self.session.position().clone_position();
        self.thinking = Some(thinker.think(Purpose::Move, position, Effort::Default, pace));
    }

    /// The seat to ask for a player's move. A missing program may have returned; otherwise the game
    /// waits.
    pub(super) fn find_seat(&mut self, player: Player, seat: &PlayerSeat) -> Option<Seat> {
        let word = match seat {
            PlayerSeat::Here(seat) => return Some(seat.clone()),
            PlayerSeat::Gone(word) => word,
        };
        match seat::read(word, self.session.game()) {
            Ok(seat) => {
                self.session.seat(player.index(), seat.clone().into());
                Some(seat)
            }
            Err(error) => {
                self.is_paused = true;
                self.message = Some(Message::Refusal(t!("{error}; p asks again", error)));
                None
            }
        }
    }

    /// Evaluates the position briefly, then longer and longer, until a player moves.
    pub(super) fn evaluate(&mut self) {
        self.evaluation.effort = Duration::from_millis(100);
        self.evaluate_on();
    }

    pub(super) fn evaluate_on(&mut self) {
        if !self.evaluation.is_shown || self.is_over() || !self.is_my_turn() {
            return;
        }
        if self.evaluate_course() {
            return;
        }
        let effort = self.evaluation.effort;
        let position = self.session.position().clone_position();
        let adviser = self.adviser();
        let id = adviser.think(
            Purpose::Evaluation,
            position,
            Effort::For(effort),
            Duration::ZERO,
        );
        self.evaluation.job = Some(id);
    }

    /// Evaluates an earlier unknown position briefly, once the current one is done; returns whether
    /// there is one.
    pub(super) fn evaluate_course(&mut self) -> bool {
        if self.evaluation.thought.is_none() {
            return false;
        }
        let Some(turn) = self.course.iter().rposition(Option::is_none) else {
            return false;
        };
        let position = self.session.play_at(turn).position().clone_position();
        let effort = Effort::For(COURSE);
        let id = (self.adviser()).think(Purpose::Course(turn), position, effort, Duration::ZERO);
        self.evaluation.job = Some(id);
        true
    }

    pub(crate) fn adviser(&mut self) -> &mut Thinker {
        let (game, inbox) = (self.session.game(), self.thinkers.inbox.clone());
        (self.thinkers.adviser)
            .get_or_insert_with(|| Thinker::new(game, Mind::Adviser(Spec::from(Kind::Floe)), inbox))
    }

    /// Evaluates the whole game once more, from its end.
    pub(super) fn look_back(&mut self) {
        self.analysis = Analysis::new(&self.session);
        self.trail = Some(Trail::new(&self.session));
        self.overlay = Some(Overlay::Result);
        self.look_further_back();
    }

    /// Evaluates the next position of the review.
    pub(super) fn look_further_back(&mut self) {
        let (Some(turn), Some(trail)) = (self.analysis.next_position(), &mut self.trail) else {
            return;
        };
        let position = trail.at(&self.session, turn).position().clone_position();
        let effort = Effort::For(self.analysis.effort());
        self.adviser()
            .think(Purpose::Analysis(turn), position, effort, Duration::ZERO);
    }
}
