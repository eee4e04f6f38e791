//! Putting a program through its paces before a tournament does.
//!
//! A [`check`] asks a program for moves on boards of odd sizes, for every seat, from the first
//! move to the last, and goes through whatever its dialect is known for: see
//! [`Dialect::trials`](floe_rules::Dialect::trials). It knows no game: a new one is checked on
//! the same sizes as the others, and by the trials of its own dialects if it has any.
//!
//! Every [`Finding`] can be reproduced without Floe, by a command for the shell.

mod contest;
mod line;
mod question;

pub use question::Question;

use std::time::Duration;

use serde::Serialize;

use crate::seat::{Failure, ProgramSeat, Protocol, Sandbox};
use floe_games::record::MoveLimits;
use floe_games::{AnyGame, AnyPosition, Fault};

/// One case, and what came of it.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The case, in a few words.
    pub case: String,
    /// What came of it.
    pub verdict: Verdict,
    /// What was wrong, in a sentence without a full stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// What there is to say about it where nothing was wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How long the program took, in milliseconds.
    pub wall_ms: u64,
    /// What the program was asked.
    #[serde(skip)]
    pub question: Question,
}

/// What came of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As it should be.
    Passed,
    /// Not as it should be, where nobody insists on it.
    Remark,
    /// Not as it should be.
    Failed,
    /// Not tried, since it could not be.
    Skipped,
}

/// Puts a program through its paces. `tell` is told every finding as it is made. The error is
/// trouble of the machine.
///
/// Starts the program some forty times in a contest's dialect and a dozen times in the line
/// protocol.
pub fn check(
    game: &'static dyn AnyGame,
    program: &ProgramSeat,
    sandbox: &Sandbox,
    limits: &MoveLimits,
    tell: &mut dyn FnMut(Finding),
) -> Result<(), String> {
    let scenes = scenes(game);
    match program.protocol {
        Protocol::Line => line::check(program, sandbox, limits, &scenes, tell),
        Protocol::Contest(dialect) => {
            contest::check(program, dialect, sandbox, limits, &scenes, tell)
        }
    }
}

/// A position somebody is to move in, and what it is about.
struct Scene {
    case: String,
    position: Box<dyn AnyPosition>,
}

/// How many boards are drawn in search of one that can be played on.
const SEEDS: u64 = 20;

fn scenes(game: &'static dyn AnyGame) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for setup in game.checkup_setups() {
        let Some((name, start)) = begin(game, setup) else {
            continue;
        };
        let game = playthrough(start);
        let stages = [
            ("first move", 0),
            ("second move", 1),
            ("in the middle", game.len() / 2),
            ("last move", game.len() - 1),
        ];
        let mut last = None;
        for (stage, at) in stages {
            // Short games have fewer stages.
            if at < game.len() && last < Some(at) {
                last = Some(at);
                scenes.push(Scene {
                    case: format!("{name}, {stage}"),
                    position: game[at].clone(),
                });
            }
        }
    }
    scenes
}

/// A board of a setup on which somebody can move, and the setup's name.
fn begin(game: &'static dyn AnyGame, setup: &str) -> Option<(String, Box<dyn AnyPosition>)> {
    let name = match setup {
        "" => game.default_setup(),
        setup => setup.to_owned(),
    };
    let mut boards = (1..=SEEDS).filter_map(|seed| game.start(&name, seed).ok());
    let start = boards.find(|position| position.turn().is_some())?;
    Some((name, start))
}

/// The positions of a game of any moves, up to the last one somebody moves in; at least one.
fn playthrough(start: Box<dyn AnyPosition>) -> Vec<Box<dyn AnyPosition>> {
    let mut positions = vec![start];
    let mut dice: usize = 1;
    loop {
        let mut next = positions[positions.len() - 1].clone();
        let moves = next.moves();
        dice = dice.wrapping_mul(25_173).wrapping_add(13_849) % 65_536;
        let made = moves.get(dice % moves.len().max(1)).map(|mv| next.play(mv));
        if !matches!(made, Some(Ok(()))) || next.turn().is_none() {
            return positions;
        }
        positions.push(next);
    }
}

/// What was found about a case in which a move, or whatever else, was expected.
fn finding(
    case: impl Into<String>,
    question: Question,
    result: Result<Duration, Failure>,
    is_advice: bool,
    limits: &MoveLimits,
) -> Result<Finding, String> {
    let (wall, fault) = match result {
        Ok(wall) => (wall, None),
        Err(Failure::Fault(fault)) => (Duration::from_micros(fault.wall_us), Some(*fault)),
        Err(Failure::Trouble(why)) => return Err(why),
        Err(Failure::Stopped) => return Err("the check was broken off".to_owned()),
    };
    let is_late = wall.as_millis() > u128::from(limits.move_ms);
    let verdict = match &fault {
        Some(_) if !is_advice => Verdict::Failed,
        None if !is_late => Verdict::Passed,
        _ => Verdict::Remark,
    };
    Ok(Finding {
        case: case.into(),
        verdict,
        fault,
        note: None,
        wall_ms: wall.as_millis() as u64,
        question,
    })
}
