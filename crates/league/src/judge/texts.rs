//! What is told about a version that is judged: causes, commands to type, and the log.

use std::fmt::Write as _;
use std::path::Path;

use floe_arena::checkup::{Cause, CheckReport};
use floe_arena::seat::Protocol;
use floe_games::AnyGame;

use crate::build::visible;
use crate::description::{Description, Gate};
use crate::recipe::Plan;
use crate::versions::Version;

/// All there is to say about a cause, its command last.
pub(super) fn told(cause: &Cause) -> String {
    let mark = if cause.is_failure { "failed" } else { "remark" };
    let mut text = format!("{mark}: {}", visible(&cause.headline()));
    for (name, part) in cause.details() {
        for (at, line) in part.lines().enumerate() {
            let head = if at == 0 { name } else { "" };
            let _ = write!(text, "\n    {head:9}{}", visible(line));
        }
    }
    text
}

/// Why a version is refused, and how its author sees the same.
pub(super) fn refusal(report: &CheckReport, command: &str) -> String {
    let mut why = visible(&report.headline());
    let advice = report.failures().next().map(|cause| &cause.advice);
    if let Some(advice) = advice.filter(|advice| !advice.is_empty()) {
        let _ = write!(why, ". To do: {}", visible(advice));
    }
    format!("{why}. Repeat it at home: {command}")
}

/// A command that asks again, for somebody who stands in the folder of their program: nobody needs
/// to know where it lies here.
pub(super) fn at_home(command: &str, built: &Path) -> String {
    let place = format!("{}/", built.display());
    command.replace(&place, "\"$OLDPWD\"/")
}

/// Whether a line of a build tells of modules that are missing, or which ones there are.
pub(super) fn is_about_modules(line: &str) -> bool {
    line.ends_with(" is not installed here") || line.starts_with("installed besides Python's own")
}

/// A command as people type it, without where our compilers live.
pub(super) fn shown(command: &[String]) -> String {
    // Scripts of our own are of no use to whoever reads along.
    let word = |word: &String| match word.contains('\n') {
        true => "…".to_owned(),
        false => word.clone(),
    };
    let mut words: Vec<String> = command.iter().map(word).collect();
    if let Some(first) = words.first_mut() {
        *first = first.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if command.first().is_some_and(|first| first.starts_with("./")) {
        words[0].clone_from(&command[0]);
    }
    shell_words::join(words)
}

/// The word that starts the program, as its author would write it at home.
pub(super) fn plain_word(plan: &Plan, version: &Version) -> String {
    match &version.protocol {
        Some(protocol) if !plan.run.starts_with(&format!("{protocol}:")) => {
            format!("{protocol}:{}", plan.run)
        }
        _ => plan.run.clone(),
    }
}

/// The command that repeats the checkup: with the league's board and limits, where these are not the
/// contest's own.
pub(super) fn command_at_home(word: &str, description: &Description) -> String {
    let (game, limits) = (description.game, &description.limits);
    let mut command = format!(
        "floe check program {} {}",
        game.name(),
        shell_words::quote(word)
    );
    if let Some(setup) = description.boards.setup() {
        command += &format!(" --setup {}", shell_words::quote(setup));
    }
    let usual = game.contest_limits();
    for (option, ours, theirs, unit) in [
        ("time", limits.move_ms, usual.move_ms, "ms"),
        ("margin", limits.margin_ms, usual.margin_ms, "ms"),
        ("start", limits.start_ms, usual.start_ms, "ms"),
        ("memory", limits.memory_mib, usual.memory_mib, "MiB"),
    ] {
        if ours != theirs {
            command += &format!(" --{option} {ours}{unit}");
        }
    }
    if description.submitting.gate == Gate::Contest {
        command += " --strict";
    }
    if let Some(mib) = limits.address_space_mib {
        command += &format!(" --address-space {mib}MiB");
    }
    command
}

/// The seat's word: what starts the program, which may read its whole folder.
pub(super) fn seat_word(plan: &Plan, version: &Version, game: &dyn AnyGame) -> String {
    let word = plain_word(plan, version);
    let (_, command) = Protocol::of(&word, game);
    let protocol = word.strip_suffix(command).unwrap_or_default();
    format!("{protocol}dir=. {command}")
}

/// What is kept of everything that was told.
pub(super) struct Log {
    pub(super) text: String,
    most: usize,
    is_full: bool,
}

impl Log {
    pub(super) fn new(most: usize) -> Self {
        Log {
            text: String::new(),
            most,
            is_full: false,
        }
    }

    pub(super) fn add(&mut self, line: &str) {
        if self.text.len() + line.len() > self.most {
            if !self.is_full {
                self.text.push_str("[more was said, and is not kept]\n");
            }
            self.is_full = true;
            return;
        }
        self.conclude(line);
    }

    /// Adds the last words, which always find room.
    pub(super) fn conclude(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}
