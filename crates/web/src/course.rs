//! A whole game, position by position, for looking back at it.

use std::sync::Arc;

use floe_games::record::{Event, Record, Replay};
use floe_games::{AnyPosition, Past, Play};
use floe_rules::Player;
use serde::Serialize;

use crate::picture::{Pick, Picture, pick};

/// Every position of a game, and what led from each to the next.
#[derive(Serialize)]
pub(crate) struct Course {
    pub(crate) game: &'static str,
    /// The first position, in the game's own text.
    pub(crate) start: String,
    /// The moves of no player that led there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) opening: Vec<String>,
    pub(crate) plies: Vec<Ply>,
}

/// A position, and the turn that led to it.
#[derive(Serialize)]
pub(crate) struct Ply {
    pub(crate) turn: Option<u32>,
    pub(crate) scores: Vec<i64>,
    pub(crate) picture: Picture,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) made: Option<Turn>,
}

/// What somebody did.
#[derive(Serialize)]
pub(crate) struct Turn {
    pub(crate) seat: u32,
    /// The move, or what somebody was put out for.
    pub(crate) text: String,
    pub(crate) ms: u64,
    /// The same in microseconds.
    #[serde(skip)]
    pub(crate) us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last: Option<Pick>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fault: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) note: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) stderr: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) strike: bool,
}

/// The course of a recorded game. Turns that were taken back are left out; what programs wrote to
/// standard error is there only for those who may read it.
pub(crate) fn of_record(record: &Record) -> Result<Course, Arc<str>> {
    let replay = Replay::new(record).map_err(|error| Arc::from(error.to_string()))?;
    let mut past = Past::new(replay.play().position().clone_position());
    let mut course = Course {
        game: past.start().game().name(),
        start: record.opening.start.clone(),
        opening: record.opening.opening.clone(),
        plies: vec![ply(past.play(), None)],
    };
    for event in &record.events {
        let turn = turn(past.play(), event);
        let applied = past.apply(event);
        applied.map_err(|error| Arc::from(error.to_string()))?;
        course.plies.truncate(past.turns().len() + 1);
        if turn.is_some() {
            course.plies.push(ply(past.play(), turn));
        }
    }
    Ok(course)
}

/// Takes out of a record what programs wrote, but for the seats that pass: it is not everybody's to
/// read.
pub(crate) fn keep_logs(record: &mut Record, passes: impl Fn(u32) -> bool) {
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

/// What somebody is about to do; nothing for what takes turns back.
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

/// What a move does to the board, by its notation.
pub(crate) fn last_pick(position: &dyn AnyPosition, mv: &str) -> Option<Pick> {
    let choice = (position.choices().into_iter()).find(|choice| choice.notation == mv)?;
    let view = position.view();
    Some(pick(choice, view.width, view.height))
}
