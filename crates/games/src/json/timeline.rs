use std::sync::Arc;

use crate::record::{Event, Mismatch, Record, Replay};
use crate::{AnyPosition, Play};
use floe_rules::{Choice, Player};
use serde::Serialize;

use super::picture::{Pick, Picture, pick};

/// Every position of a game, and the changes between them.
#[derive(Debug, Clone, Serialize)]
pub struct Timeline {
    /// The game's name.
    pub game: &'static str,
    /// The first position, in the game's own text.
    pub start: String,
    /// The opening moves, which no player chose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// The positions; only the first has no turn before it.
    pub plies: Vec<Ply>,
}

/// A position, and the turn that led to it.
#[derive(Debug, Clone, Serialize)]
pub struct Ply {
    /// The number of the player to move; none at the end.
    pub turn: Option<u32>,
    /// Every seat's score.
    pub scores: Vec<i64>,
    /// The board.
    pub picture: Picture,
    /// The turn that led to the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<Turn>,
}

/// One turn.
#[derive(Debug, Clone, Serialize)]
pub struct Turn {
    /// The number of the player.
    pub seat: u32,
    /// The move, or the kind of the fault.
    pub text: String,
    /// Wall time, in milliseconds.
    pub ms: u64,
    /// The time in microseconds.
    #[serde(skip)]
    pub us: u64,
    /// The squares the move changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Pick>,
    /// The fault, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The player's remark on its move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The program's standard error.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// Whether the answer came within the grace period.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub strike: bool,
}

/// The course of a recorded game. Undone turns are left out; standard error of programs is included
/// only for readers who may see it.
pub fn of_record(record: &Record) -> Result<Timeline, Arc<str>> {
    let wrong = |error: Mismatch| Arc::from(error.to_string());
    let mut replay = Replay::new(record).map_err(wrong)?;
    let mut course = Timeline {
        game: replay.play().position().game().name(),
        start: record.opening.start.clone(),
        opening: record.opening.opening.clone(),
        plies: vec![ply(replay.play(), None)],
    };
    for event in &record.events {
        let turn = turn(replay.play(), event);
        replay.step().map_err(wrong)?;
        course.plies.truncate(replay.history().turns().len() + 1);
        if turn.is_some() {
            course.plies.push(ply(replay.play(), turn));
        }
    }
    Ok(course)
}

/// Removes programs' standard error from a record, except for these seats: it is not public.
pub fn keep_logs(record: &mut Record, passes: impl Fn(u32) -> bool) {
    for event in &mut record.events {
        match event {
            Event::Move(made) if !passes(made.seat) => made.stderr.clear(),
            Event::Fault(fault) if !passes(fault.seat) => {
                fault.stderr.clear();
                fault.stdout.clear();
            }
            Event::Move(_) | Event::Fault(_) | Event::Back(_) => {}
        }
    }
}

/// The turn of an event; `None` for an undo.
fn turn(play: &Play, event: &Event) -> Option<Turn> {
    Some(match event {
        Event::Back(_) => return None,
        Event::Move(made) => Turn {
            seat: made.seat,
            text: made.mv.clone(),
            ms: made.wall_us / 1000,
            us: made.wall_us,
            last: last_pick(play.position(), &made.mv),
            fault: None,
            note: made.note.clone(),
            stderr: made.stderr.clone(),
            strike: made.strike,
        },
        Event::Fault(fault) => Turn {
            seat: fault.seat,
            text: fault.kind.name().to_owned(),
            ms: fault.wall_us / 1000,
            us: fault.wall_us,
            last: None,
            fault: Some(fault.message.clone()),
            note: String::new(),
            stderr: fault.stderr.clone(),
            strike: false,
        },
    })
}

fn ply(play: &Play, made: Option<Turn>) -> Ply {
    Ply {
        turn: play.turn().map(Player::number),
        scores: play.scores(),
        picture: play.position().view().into(),
        made,
    }
}

/// The squares a move changes, by its notation.
pub fn last_pick(position: &dyn AnyPosition, mv: &str) -> Option<Pick> {
    let choice = choice_of(position, mv)?;
    let view = position.view();
    Some(pick(choice, view.width, view.height))
}

/// The choice that a notation names.
pub(super) fn choice_of(position: &dyn AnyPosition, mv: &str) -> Option<Choice> {
    (position.choices().into_iter()).find(|choice| choice.notation == mv)
}
