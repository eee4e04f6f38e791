//! A game's state as pages get it, whether people here play it or another process.

use std::time::Duration;

use crate::record::Event;
use crate::{AnyPosition, EventError, FaultKind, GameHistory, Play, Scale, Turn};
use floe_rules::{Player, View};
use serde::Serialize;

use super::course::last_pick;
use super::picture::{Pick, Picture};

/// A game with its turns, and how each is drawn.
#[derive(Debug)]
pub struct Told {
    history: GameHistory,
    /// The squares each turn changed.
    lasts: Vec<Option<Pick>>,
    /// The starting position as drawn, to show how far the game has come.
    first: View,
    scale: Scale,
}

/// Time a seat has used, and has left.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ClockState {
    /// Used so far, in milliseconds.
    pub used_ms: u64,
    /// Left, in milliseconds, where the game has a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u64>,
}

/// The state a page gets.
#[derive(Serialize)]
struct State<'a> {
    version: usize,
    ply: usize,
    turn: Option<u32>,
    picture: Picture,
    moves: Vec<MoveEntry<'a>>,
    last: Option<&'a Pick>,
    scores: Vec<i64>,
    clocks: Vec<ClockState>,
    can_give_up: bool,
    /// How interesting the position is, from 0 to 1.
    interest: f64,
    over: Option<Over>,
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

impl Told {
    /// A game that begins here.
    pub fn new(start: Box<dyn AnyPosition>) -> Told {
        Told {
            first: start.view(),
            scale: Scale::of(&*start),
            history: GameHistory::new(start),
            lasts: Vec::new(),
        }
    }

    /// The first position.
    pub fn start(&self) -> &dyn AnyPosition {
        self.history.start()
    }

    /// The game as it stands.
    pub fn play(&self) -> &Play {
        self.history.play()
    }

    /// The turns that stand.
    pub fn turns(&self) -> &[Turn] {
        self.history.turns()
    }

    /// Lets an event happen, if it can.
    pub fn apply(&mut self, event: Event) -> Result<(), EventError> {
        let is_back = matches!(event, Event::Back(_));
        let last = match &event {
            Event::Move(made) => last_pick(self.play().position(), &made.mv),
            Event::Back(_) | Event::Fault(_) => None,
        };
        self.history.apply(event)?;
        if !is_back {
            self.lasts.push(last);
        }
        self.lasts.truncate(self.history.turns().len());
        Ok(())
    }

    /// How many moves a player has made, and the time used.
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
    pub fn state(&self, version: usize, clocks: Vec<ClockState>, names: &[String]) -> String {
        let play = self.play();
        let position = play.position();
        let view = position.view();
        let moves = (self.turns().iter())
            .map(|turn| MoveEntry {
                seat: turn.player.number(),
                text: text(turn),
                fault: turn.fault().is_some(),
                ms: milliseconds(turn.time()),
            })
            .collect();
        let state = State {
            version,
            ply: self.turns().len(),
            turn: play.turn().map(Player::number),
            interest: self.interest(&view),
            picture: view.into(),
            moves,
            last: self.lasts.last().and_then(Option::as_ref),
            scores: play.scores(),
            clocks,
            can_give_up: play.turn().is_some() && position.give_up().is_some(),
            over: play.outcome().map(|outcome| Over {
                places: outcome.places().to_vec(),
                words: result_words(names, outcome.scores(), outcome.places()),
            }),
        };
        serde_json::to_string(&state).unwrap_or_default()
    }

    /// How interesting the position is now: a close game more than a decided one, and the more, the
    /// nearer the end.
    fn interest(&self, view: &View) -> f64 {
        if self.play().turn().is_none() {
            return 0.0;
        }
        let shares = self.scale.shares(&self.play().scores());
        let best = shares.iter().copied().fold(0.0, f64::max);
        let even = 1.0 / shares.len().max(1) as f64;
        let closeness = ((1.0 - best) / (1.0 - even).max(0.01)).clamp(0.0, 1.0);
        let fields = view.cells.len().max(1);
        let changed = (view.cells.iter().zip(&self.first.cells))
            .filter(|(now, first)| (now.owner, now.shade) != (first.owner, first.shade))
            .count();
        (closeness + changed as f64 / fields as f64) / 2.0
    }
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
    use crate::record::PlayedMove;

    fn interest(told: &Told) -> f64 {
        told.interest(&told.play().position().view())
    }

    #[test]
    fn a_close_game_near_its_end_is_worth_looking_at_and_one_that_is_over_is_not() {
        for game in crate::games() {
            let start = game.start(&game.default_setup(), 1).unwrap();
            let mut told = Told::new(start);
            let first = interest(&told);
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
                let now = interest(&told);
                assert!((0.0..=1.0).contains(&now), "{} {now}", game.name());
                most = most.max(now);
            }
            assert!(most > first, "{}", game.name());
            assert!(interest(&told) == 0.0);
        }
    }
}
