//! Texts about a judged version: causes, commands to type, and the log.

use std::fmt::Write as _;
use std::path::Path;

use floe_arena::conformance::{Cause, CheckReport};
use floe_arena::seat::Protocol;
use floe_games::AnyGame;

use crate::build::visible;
use crate::description::{Description, Gate};
use crate::recipe::Plan;
use crate::versions::Version;

/// The full text about a cause, with its command last.
pub(super) fn cause_text(cause: &Cause) -> String {
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

/// The reason why a version is refused, and the command that shows it to its author.
pub(super) fn refusal(report: &CheckReport, command: &str) -> String {
    let mut why = visible(&report.headline());
    let advice = report.failures().next().map(|cause| &cause.advice);
    if let Some(advice) = advice.filter(|advice| !advice.is_empty()) {
        let _ = write!(why, ". To do: {}", visible(advice));
    }
    format!("{why}. Repeat it on your machine: {command}")
}

/// A command that repeats a case in the program's folder: its author does not need this machine's
/// path.
pub(super) fn at_home(command: &str, built: &Path) -> String {
    let place = format!("{}/", built.display());
    command.replace(&place, "\"$OLDPWD\"/")
}

/// Whether a line of a build names missing or available modules.
pub(super) fn is_about_modules(line: &str) -> bool {
    line.ends_with(" is not installed here") || line.starts_with("installed besides Python's own")
}

/// A command as a user types it, without this machine's compiler paths.
pub(super) fn shown(command: &[String]) -> String {
    // Our own scripts would only confuse the reader.
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

/// The command that starts the program on its author's machine.
pub(super) fn plain_word(plan: &Plan, version: &Version) -> String {
    match &version.protocol {
        Some(protocol) if !plan.run.starts_with(&format!("{protocol}:")) => {
            format!("{protocol}:{}", plan.run)
        }
        _ => plan.run.clone(),
    }
}

/// The command that repeats the conformance check, with the league's board and limits if they
/// differ from the contest's.
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
    let default = game.contest_limits();
    for (option, ours, theirs, unit) in [
        ("time", limits.move_ms, default.move_ms, "ms"),
        ("margin", limits.margin_ms, default.margin_ms, "ms"),
        ("start", limits.start_ms, default.start_ms, "ms"),
        ("memory", limits.memory_mib, default.memory_mib, "MiB"),
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

/// The seat argument that starts the program, with read access to its folder.
pub(super) fn seat_word(plan: &Plan, version: &Version, game: &dyn AnyGame) -> String {
    let word = plain_word(plan, version);
    let (_, command) = Protocol::of(&word, game);
    let protocol = word.strip_suffix(command).unwrap_or_default();
    format!("{protocol}dir=. {command}")
}

/// The stored part of all events.
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
                self.text.push_str("[more output was dropped]\n");
            }
            self.is_full = true;
            return;
        }
        self.conclude(line);
    }

    /// Adds the last line, for which space is reserved.
    pub(super) fn conclude(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}
