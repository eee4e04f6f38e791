//! A fault, described for the author of the program.

use std::fmt::Write as _;

use floe_games::Fault;
use floe_rules::text::visible;

use crate::terminal::{ERROR, FAINT};

/// Describes the fault, its place in the answer, and the right answer. `whose` names the program
/// and the game, such as `./bot in game 7`.
pub(crate) fn describe(out: &mut String, fault: &Fault, whose: &str) {
    let _ = write!(
        out,
        "\n{ERROR}{}{ERROR:#} by {}",
        fault.kind,
        visible(whose)
    );
    if let Some((line, column)) = fault.at {
        let _ = write!(out, ", line {line} column {column} of its answer");
    }
    let _ = writeln!(out, ": {}", visible(&fault.message));
    if !fault.expected.is_empty() {
        let _ = writeln!(out, "  = {}", visible(&fault.expected));
    }
}

/// The last lines of a program's output, at most `most`, each under its label.
pub(crate) fn quote(out: &mut String, name: &str, text: &str, most: usize) {
    let text = visible(text);
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines[lines.len().saturating_sub(most)..] {
        let _ = writeln!(out, "  {FAINT}{name}:{FAINT:#} {line}");
    }
}
