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
mod recorded;

pub use question::{Question, asked};
pub use recorded::{asked_at, called_at};

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

/// A board to try a program on, and what it is called.
pub type NamedBoard = (String, Box<dyn AnyPosition>);

/// Puts a program through its paces. `tell` is told every finding as it is made. The error is
/// trouble of the machine.
///
/// It plays on these boards, each with its name, and on those every program of the game is tried
/// on. Starts the program some sixty times in a contest's dialect and a dozen times in the line
/// protocol.
pub fn check(
    game: &'static dyn AnyGame,
    program: &ProgramSeat,
    sandbox: &Sandbox,
    limits: &MoveLimits,
    boards: Vec<NamedBoard>,
    tell: &mut dyn FnMut(Finding),
) -> Result<(), String> {
    let scenes = scenes(game, boards);
    match program.protocol {
        Protocol::Line => line::check(program, sandbox, limits, &scenes, tell),
        Protocol::Contest(dialect) => {
            contest::check(program, dialect, sandbox, limits, &scenes, tell)
        }
    }
}

/// From this share of the time for a move on, in percent, an answer is remarked on.
const CLOSE: u128 = 95;

/// A position somebody is to move in, and what it is about.
struct Scene {
    case: String,
    position: Box<dyn AnyPosition>,
}

/// How many boards are drawn in search of one that can be played on.
const SEEDS: u64 = 20;

fn scenes(game: &'static dyn AnyGame, boards: Vec<(String, Box<dyn AnyPosition>)>) -> Vec<Scene> {
    let mut scenes = Vec::new();
    let usual = game.checkup_setups().iter();
    let usual = usual.filter_map(|setup| begin(game, setup));
    let can_be_played = |(_, start): &NamedBoard| start.turn().is_some();
    for (name, start) in boards.into_iter().filter(can_be_played).chain(usual) {
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
fn begin(game: &'static dyn AnyGame, setup: &str) -> Option<NamedBoard> {
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
    // On a busier machine, or a slower one, that is too late.
    let is_close = wall.as_millis() * 100 > u128::from(limits.move_ms) * CLOSE;
    let verdict = match &fault {
        Some(_) if !is_advice => Verdict::Failed,
        None if !is_close => Verdict::Passed,
        _ => Verdict::Remark,
    };
    let note = (fault.is_none() && is_close).then(|| {
        let (took, has) = (wall.as_millis(), limits.move_ms);
        match took > u128::from(has) {
            true => format!("it took {took} ms of {has}, within the margin, which costs a strike"),
            false => format!("it took {took} ms of {has}: more than {CLOSE} % of its time"),
        }
    });
    Ok(Finding {
        case: case.into(),
        verdict,
        fault,
        note,
        wall_ms: wall.as_millis() as u64,
        question,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_nearly_took_too_long_is_remarked_on() {
        let limits = MoveLimits::default();
        let found = |ms| {
            let result = Ok(Duration::from_millis(ms));
            let found = finding("a case", Question::default(), result, false, &limits).unwrap();
            (found.verdict, found.note.unwrap_or_default())
        };
        assert_eq!(found(950), (Verdict::Passed, String::new()));
        let note = "it took 951 ms of 1000: more than 95 % of its time";
        assert_eq!(found(951), (Verdict::Remark, note.to_owned()));
        let note = "it took 1001 ms of 1000, within the margin, which costs a strike";
        assert_eq!(found(1001), (Verdict::Remark, note.to_owned()));
    }
}
