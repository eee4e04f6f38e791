//! The causes that checks of programs found, so that `--only N` can repeat one of them.

use std::path::PathBuf;

use anyhow::{Result, bail};
use floe_arena::conformance::{Cause, CheckReport};
use floe_terminal::Home;
use serde::{Deserialize, Serialize};

use crate::quoting::quoted;
use crate::standing::count;

/// The file with the causes.
const FILE: &str = "checks.json";
/// Checks stored.
const MOST: usize = 20;

/// A check of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct EarlierCheck {
    game: String,
    seat: String,
    folder: PathBuf,
    /// The cases of each cause.
    causes: Vec<Vec<String>>,
}

impl EarlierCheck {
    /// The check of this seat argument in the current folder.
    pub(super) fn new(game: &str, seat: &str) -> Self {
        EarlierCheck {
            game: game.to_owned(),
            seat: seat.to_owned(),
            folder: std::env::current_dir().unwrap_or_default(),
            causes: Vec::new(),
        }
    }

    fn is_of(&self, other: &EarlierCheck) -> bool {
        (&self.game, &self.seat, &self.folder) == (&other.game, &other.seat, &other.folder)
    }

    /// The cases of a cause of the last such check.
    pub(super) fn cases(&self, number: usize, home: &Home) -> Result<Vec<String>> {
        let seat = &self.seat;
        let stored: Vec<EarlierCheck> = home.load(FILE);
        let Some(earlier) = stored.into_iter().find(|one| one.is_of(self)) else {
            bail!(
                "--only: no check of {seat} in this folder is known; check it once without --only"
            );
        };
        let at = number.checked_sub(1);
        match at.and_then(|at| earlier.causes.get(at)) {
            Some(cases) => Ok(cases.clone()),
            None => {
                let causes = count(earlier.causes.len() as u64, "cause");
                bail!("--only {number}: the last check of {seat} found {causes}")
            }
        }
    }

    /// Stores the causes of a report; returns whether `--only` can repeat them.
    pub(super) fn store(mut self, report: &CheckReport, home: &Home) -> bool {
        let cases = |cause: &Cause| cause.cases.clone();
        self.causes = report.failures().map(cases).collect();
        let mut stored: Vec<EarlierCheck> = home.load(FILE);
        stored.retain(|one| !one.is_of(&self));
        stored.insert(0, self);
        stored.truncate(MOST);
        home.store(FILE, &stored).is_ok()
    }
}

/// The command with these arguments, without `--only` and its number.
pub(super) fn whole_check(arguments: impl Iterator<Item = String>) -> String {
    let mut command = "floe".to_owned();
    let mut is_number = false;
    for argument in arguments {
        if std::mem::take(&mut is_number) || argument.starts_with("--only=") {
            continue;
        }
        is_number = argument == "--only";
        if !is_number {
            command.push(' ');
            command.push_str(&quoted(&argument));
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_check_of_a_program_is_found_again() {
        let home = tempfile::tempdir().unwrap();
        let home = Home::at(home.path());
        let error = |number| {
            let check = EarlierCheck::new("flood", "./bot");
            check.cases(number, &home).unwrap_err().to_string()
        };
        assert!(
            error(1).contains("check it once without --only"),
            "{}",
            error(1)
        );
        let cause = |case: &str, is_failure| Cause {
            cases: vec![case.to_owned()],
            is_failure,
            ..Cause::default()
        };
        let report = |case| CheckReport {
            causes: vec![cause("a remark", false), cause(case, true)],
            ..CheckReport::default()
        };
        assert!(EarlierCheck::new("flood", "./bot").store(&report("game 1, move 4"), &home));
        assert!(EarlierCheck::new("flood", "./other").store(&report("game 2"), &home));
        let cases = EarlierCheck::new("flood", "./bot").cases(1, &home).unwrap();
        assert_eq!(cases, ["game 1, move 4"]);
        assert_eq!(error(2), "--only 2: the last check of ./bot found 1 cause");
        assert_eq!(error(0), "--only 0: the last check of ./bot found 1 cause");
        assert!(!EarlierCheck::new("flood", "./bot").store(&report("x"), &Home::default()));
    }

    #[test]
    fn the_command_for_everything_has_the_other_arguments() {
        let whole = |line: &str| whole_check(line.split('|').map(str::to_owned));
        let plain = "floe check program flood 'python3 bot.py' --strict";
        assert_eq!(whole("check|program|flood|python3 bot.py|--strict"), plain);
        assert_eq!(
            whole("check|program|flood|python3 bot.py|--only|2|--strict"),
            plain
        );
        assert_eq!(
            whole("check|program|--only=2|flood|python3 bot.py|--strict"),
            plain
        );
    }
}
