use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::cause::{self, Cause};
use super::{Finding, Part, Verdict};
use crate::seat::Protocol;

/// The result of a conformance check, each cause once: leagues store and show it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckReport {
    /// Whether the program ended every game without a fault.
    pub plays: bool,
    /// Whether the program met all demands of the contest; `None` if that was not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_the_letter: Option<bool>,
    /// Whether the contest's exact form counts.
    #[serde(default)]
    pub is_strict: bool,
    /// The games.
    #[serde(default)]
    pub games: Vec<CheckedGame>,
    /// Questions of the second part.
    #[serde(default)]
    pub cases: u32,
    /// Errors and oddities: first the failures, then those likeliest to cost games.
    #[serde(default)]
    pub causes: Vec<Cause>,
    /// Parts that were not tried; each sentence gives a reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The slowest answer, in milliseconds.
    #[serde(default)]
    pub slowest_ms: u64,
}

/// A whole game of a conformance check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedGame {
    /// Board, seat and opponents.
    pub case: String,
    /// The program's seat, from 1; `None` if it played all seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u32>,
    /// Number of moves.
    pub moves: u32,
    /// The scores by seat; empty if the game was not finished.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<i64>,
    /// The program's slowest answer, in milliseconds.
    pub slowest_ms: u64,
    /// Whether the program had a fault.
    pub is_faulty: bool,
}

impl CheckedGame {
    /// The result in a few words.
    pub fn result(&self) -> String {
        let moves = floe_rules::text::count(self.moves, "move");
        let slowest = self.slowest_ms;
        if self.is_faulty {
            return format!("a fault after {moves}");
        }
        let scores: Vec<String> = self.scores.iter().map(ToString::to_string).collect();
        let scores = scores.join(" : ");
        format!("{scores}, {moves}, slowest answer {slowest} ms")
    }
}

impl CheckReport {
    /// The first part in a sentence without a full stop.
    pub fn playing(&self) -> String {
        let games = floe_rules::text::count(self.games.len() as u32, "game");
        match self.plays {
            true => format!("plays: yes, {games} without a fault"),
            false => {
                let faulty = self.games.iter().filter(|game| game.is_faulty).count();
                format!("plays: no, a fault in {faulty} of {games}")
            }
        }
    }

    /// The second part in a sentence without a full stop.
    pub fn letter(&self) -> String {
        let counts = match self.is_strict {
            true => "",
            false => " (errors here do not count)",
        };
        let cases = floe_rules::text::count(self.cases, "case");
        match self.to_the_letter {
            None => "to the letter: not checked".to_owned(),
            Some(true) => format!("to the letter: yes, {cases}"),
            Some(false) => format!("to the letter: no, of {cases}{counts}"),
        }
    }

    /// Whether this report admits the program.
    pub fn is_passed(&self) -> bool {
        self.plays && !(self.is_strict && self.to_the_letter == Some(false))
    }

    /// The causes that disqualify the program, the most important first.
    pub fn failures(&self) -> impl Iterator<Item = &Cause> {
        self.causes.iter().filter(|cause| cause.is_failure)
    }

    /// The remarks that do not disqualify the program.
    pub fn remarks(&self) -> impl Iterator<Item = &Cause> {
        self.causes.iter().filter(|cause| !cause.is_failure)
    }

    /// The report in one sentence, without a full stop: the faults, if there are any.
    pub fn headline(&self) -> String {
        let first = self.failures().next();
        match (self.is_passed(), first) {
            (false, Some(cause)) => cause.headline(),
            (false, None) => "it does not play".to_owned(),
            (true, _) => {
                let games = floe_rules::text::count(self.games.len() as u32, "game");
                let mut line = format!("it plays: {games} without a fault");
                match self.remarks().count() as u32 {
                    0 => {}
                    more => {
                        let _ = write!(line, ", {}", floe_rules::text::count(more, "remark"));
                    }
                }
                line
            }
        }
    }
}

pub(super) fn of(
    findings: Vec<Finding>,
    mut left_out: Vec<String>,
    games: Vec<CheckedGame>,
    plays: bool,
    is_strict: bool,
    protocol: Protocol,
) -> CheckReport {
    let letter = || findings.iter().filter(|one| one.part == Part::Letter);
    let asked = || letter().filter(|one| one.verdict != Verdict::Skipped);
    let is_right = |one: &Finding| one.fault.is_none();
    let cases = asked().count() as u32;
    let to_the_letter = (cases > 0).then(|| asked().all(is_right));
    let skipped = letter().filter(|one| one.verdict == Verdict::Skipped);
    left_out.extend(skipped.map(|one| one.case.clone()));
    CheckReport {
        plays,
        to_the_letter,
        is_strict,
        cases,
        slowest_ms: findings.iter().map(|one| one.wall_ms).max().unwrap_or(0),
        causes: cause::of(findings, protocol),
        games,
        left_out,
    }
}
