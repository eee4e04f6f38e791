//! A game's state for pages, whether this server or another process plays it.

use std::time::Duration;

use crate::record::Event;
use crate::{
    AnyPosition, EventError, FaultKind, GameHistory, LeadScale, Play, Turn, distinct_names,
};
use floe_rules::{Choice, Player};
use serde::Serialize;

use super::change::{Drawn, Looks, PictureChange};
use super::choices::{PickGroup, grouped};
use super::picture::{Pick, Picture, pick};
use super::timeline::choice_of;

/// Stored stages per game, for earlier positions.
const STAGES: usize = 16;

/// A game with its turns, as sent to watchers: first whole, then as changes. It stores few
/// positions, however many turns there are.
#[derive(Debug)]
pub struct GameState {
    history: GameHistory,
    looks: Looks,
    /// The starting position as drawn, to show how far the game has come.
    first: Drawn,
    /// The position after the last change, and how many of the turns before it are still valid.
    sent: Drawn,
    kept: usize,
    /// The position before the last move, if nothing was undone since.
    before: Option<Box<dyn AnyPosition>>,
    scale: LeadScale,
}

/// Time a seat has used, and has left.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ClockState {
    /// Time used so far, in milliseconds.
    pub used_ms: u64,
    /// Time left, in milliseconds, if the game has a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u64>,
}

/// The state a page gets.
#[derive(Serialize)]
struct State<'a> {
    version: usize,
    /// Time of the current turn, in milliseconds, if the game has a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_ms: Option<u64>,
    picture: Picture,
    moves: Vec<MoveEntry<'a>>,
    last: Option<Pick>,
    #[serde(flatten)]
    standing: Standing,
}

/// The difference from an earlier state to a later one.
#[derive(Serialize)]
struct Change<'a> {
    /// The version of the earlier state.
    from: usize,
    version: usize,
    /// Number of earlier turns that were not undone.
    kept: usize,
    /// The turns since.
    made: Vec<MoveEntry<'a>>,
    picture: PictureChange,
    last: Option<PickGroup>,
    #[serde(flatten)]
    standing: Standing,
}

/// The short parts of a state.
#[derive(Serialize)]
struct Standing {
    ply: usize,
    turn: Option<u32>,
    scores: Vec<i64>,
    clocks: Vec<ClockState>,
    can_give_up: bool,
    /// How interesting the position is, from 0 to 1.
    interest: f64,
    over: Option<Over>,
}

/// An earlier position of the game.
#[derive(Serialize)]
struct EarlierPly {
    ply: usize,
    turn: Option<u32>,
    scores: Vec<i64>,
    last: Option<PickGroup>,
    /// The board, for a page without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Picture>,
    /// The difference to the board on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<PictureChange>,
}

#[derive(Serialize)]
struct MoveEntry<'a> {
    seat: u32,
    text: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    fault: bool,
    ms: u64,
}

#[derive(Serialize)]
struct Over {
    places: Vec<u32>,
    words: String,
}

impl GameState {
    /// A game that begins here.
    pub fn new(start: Box<dyn AnyPosition>) -> GameState {
        let mut looks = Looks::default();
        let first = looks.draw(start.view());
        GameState {
            looks,
            sent: first.clone(),
            first,
            kept: 0,
            before: None,
            scale: LeadScale::of(&*start),
            history: GameHistory::new(start).with_stages(STAGES),
        }
    }

    /// The first position.
    pub fn start(&self) -> &dyn AnyPosition {
        self.history.start()
    }

    /// The game now.
    pub fn play(&self) -> &Play {
        self.history.play()
    }

    /// The turns, without undone ones.
    pub fn turns(&self) -> &[Turn] {
        self.history.turns()
    }

    /// Applies an event, if it is possible.
    pub fn apply(&mut self, event: Event) -> Result<(), EventError> {
        let before = match &event {
            Event::Move(_) => Some(self.play().position().clone_position()),
            Event::Back(_) | Event::Fault(_) => None,
        };
        self.history.apply(event)?;
        self.before = before;
        self.kept = self.kept.min(self.turns().len());
        Ok(())
    }

    /// Number of a player's moves, and the time used.
    pub fn used(&self, player: Player) -> (u32, Duration) {
        self.history.used(player)
    }

    /// Whether a player's time ran out.
    pub fn is_out_of_time(&self, player: Player) -> bool {
        let faults = self.turns().iter().filter_map(Turn::fault);
        let mut own = faults.filter(|fault| fault.seat == player.number());
        own.any(|fault| fault.kind == FaultKind::Timeout)
    }

    /// The whole state for a page, as JSON without line breaks.
    pub fn state(
        &mut self,
        version: usize,
        turn_ms: Option<u64>,
        clocks: Vec<ClockState>,
        names: &[String],
    ) -> String {
        let view = self.play().position().view();
        let last = self
            .last_choice()
            .map(|choice| pick(choice, view.width, view.height));
        let drawn = self.looks.draw(view.clone());
        let state = State {
            version,
            turn_ms,
            picture: view.into(),
            moves: entries(self.turns()),
            last,
            standing: self.standing(&drawn, clocks, names),
        };
        serde_json::to_string(&state).unwrap_or_default()
    }

    /// The events since the last change, which ended at version `from`; as JSON without line
    /// breaks.
    pub fn change(
        &mut self,
        from: usize,
        version: usize,
        clocks: Vec<ClockState>,
        names: &[String],
    ) -> String {
        let view = self.play().position().view();
        let last = self.last_choice();
        let last = last.and_then(|choice| grouped(&[choice], view.width, view.height).pop());
        let drawn = self.looks.draw(view);
        let change = Change {
            from,
            version,
            kept: self.kept,
            made: entries(&self.turns()[self.kept..]),
            picture: self.looks.change(&self.sent, &drawn),
            last,
            standing: self.standing(&drawn, clocks, names),
        };
        let change = serde_json::to_string(&change).unwrap_or_default();
        self.skip_change(drawn);
        change
    }

    /// Forgets earlier events: the next change starts here.
    pub fn skip_changes(&mut self) {
        let drawn = self.looks.draw(self.history.play().position().view());
        self.skip_change(drawn);
    }

    fn skip_change(&mut self, drawn: Drawn) {
        self.sent = drawn;
        self.kept = self.turns().len();
    }

    /// The position after this many turns, as JSON: whole, or as the difference from the one after
    /// `from` turns.
    pub fn earlier(&self, ply: usize, from: Option<usize>) -> String {
        let ply = ply.min(self.turns().len());
        let play = self.history.play_at(ply);
        let view = play.position().view();
        let last = self.choice_before(ply);
        let last = last.and_then(|choice| grouped(&[choice], view.width, view.height).pop());
        let mut looks = self.looks.clone();
        let change = from.map(|from| {
            let before = looks.draw(self.history.play_at(from).position().view());
            let after = looks.draw(view.clone());
            looks.change(&before, &after)
        });
        let earlier = EarlierPly {
            ply,
            turn: play.turn().map(Player::number),
            scores: play.scores(),
            last,
            picture: change.is_none().then(|| view.into()),
            change,
        };
        serde_json::to_string(&earlier).unwrap_or_default()
    }

    /// The last move as a choice.
    fn last_choice(&self) -> Option<Choice> {
        match (&self.before, self.turns().last()?.mv()) {
            (Some(before), Some(mv)) => choice_of(&**before, mv),
            _ => self.choice_before(self.turns().len()),
        }
    }

    /// The move before the position after this many turns, as a choice.
    fn choice_before(&self, ply: usize) -> Option<Choice> {
        let before = ply.checked_sub(1)?;
        let mv = self.turns().get(before)?.mv()?;
        choice_of(self.history.play_at(before).position(), mv)
    }

    fn standing(&self, drawn: &Drawn, clocks: Vec<ClockState>, names: &[String]) -> Standing {
        let play = self.play();
        Standing {
            ply: self.turns().len(),
            turn: play.turn().map(Player::number),
            scores: play.scores(),
            clocks,
            can_give_up: play.turn().is_some() && play.position().give_up().is_some(),
            interest: self.interest(drawn),
            over: play.outcome().map(|outcome| Over {
                places: outcome.places().to_vec(),
                words: result_words(names, outcome.scores(), outcome.places()),
            }),
        }
    }

    /// How interesting the position is: a close game more than a decided one, and more so near the
    /// end.
    fn interest(&self, now: &Drawn) -> f64 {
        if self.play().turn().is_none() {
            return 0.0;
        }
        let shares = self.scale.shares(&self.play().scores());
        let best = shares.iter().copied().fold(0.0, f64::max);
        let even = 1.0 / shares.len().max(1) as f64;
        let closeness = ((1.0 - best) / (1.0 - even).max(0.01)).clamp(0.0, 1.0);
        let changed = self.looks.count_changed(&self.first, now);
        (closeness + changed as f64 / now.count().max(1) as f64) / 2.0
    }
}

/// Turns as pages list them.
fn entries(turns: &[Turn]) -> Vec<MoveEntry<'_>> {
    (turns.iter())
        .map(|turn| MoveEntry {
            seat: turn.player.number(),
            text: text(turn),
            fault: turn.fault().is_some(),
            ms: milliseconds(turn.time()),
        })
        .collect()
}

/// The move, or the disqualifying fault.
fn text(turn: &Turn) -> &str {
    match &turn.event {
        Event::Move(made) => &made.mv,
        Event::Fault(fault) => &fault.message,
        Event::Back(_) => "",
    }
}

/// A time in whole milliseconds.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The result in a sentence.
pub fn result_words(names: &[String], scores: &[i64], places: &[u32]) -> String {
    let names = distinct_names(names);
    let mut first = (names.iter().zip(places)).filter(|(_, place)| **place == 1);
    let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
    let scores = scores.join(" : ");
    match (first.next(), first.next()) {
        (Some((winner, _)), None) => format!("{winner} wins, {scores}"),
        _ => format!("A draw, {scores}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_names_one_of_two_equal_engines() {
        let words = |names: [&str; 2]| result_words(&names.map(str::to_owned), &[3, 5], &[2, 1]);
        assert_eq!(
            words(["floe:medium", "floe:medium"]),
            "floe:medium #2 wins, 3 : 5"
        );
        assert_eq!(words(["Ada", "floe:medium"]), "floe:medium wins, 3 : 5");
    }
    use crate::record::PlayedMove;

    fn interest(told: &mut GameState) -> f64 {
        let drawn = told.looks.draw(told.play().position().view());
        told.interest(&drawn)
    }

    #[test]
    fn a_close_game_near_its_end_is_worth_looking_at_and_one_that_is_over_is_not() {
        for game in crate::games() {
            let start = game.start(&game.default_setup(), 1).unwrap();
            let mut told = GameState::new(start);
            let first = interest(&mut told);
            let mut most = first;
            while let Some(player) = told.play().turn() {
                let mv = told.play().position().moves()[0].clone();
                let seat = player.number();
                let made = PlayedMove {
                    seat,
                    mv,
                    ..PlayedMove::default()
                };
                told.apply(Event::Move(made)).unwrap();
                let now = interest(&mut told);
                assert!((0.0..=1.0).contains(&now), "{} {now}", game.name());
                most = most.max(now);
            }
            assert!(most > first, "{}", game.name());
            assert!(interest(&mut told) == 0.0);
        }
    }
}
