//! The local program during one game.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use floe_league::remote::Reply;

use super::client::Heard;

/// Time limit to exit after the game is over.
const GOODBYE: Duration = Duration::from_millis(500);
const LOOK: Duration = Duration::from_millis(10);

/// A line-protocol program, started for one game; dropping this kills it.
pub(super) struct HomeProgram {
    /// The program's number among all that were started.
    pub(super) number: u64,
    pub(super) game: String,
    child: Child,
    input: Option<ChildStdin>,
    question: Option<u64>,
    has_greeted: bool,
    note: String,
}

impl HomeProgram {
    /// Starts the program and greets it. Its lines arrive as [`Heard::Line`].
    pub(super) fn start(
        words: &[String],
        number: u64,
        game: &str,
        greeting: &str,
        tell: impl Fn(Heard) -> bool + Send + 'static,
    ) -> Result<HomeProgram> {
        let Some((program, words)) = words.split_first() else {
            bail!("the program is missing; name it after `--`");
        };
        let mut command = Command::new(program);
        command.args(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let started = command.spawn();
        let mut child = started.with_context(|| format!("cannot start {program}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let output = output.context("a program without an output")?;
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                let program = number;
                if !tell(Heard::Line { program, line }) {
                    return;
                }
            }
            tell(Heard::Ended { program: number });
        });
        let mut program = HomeProgram {
            number,
            game: game.to_owned(),
            child,
            input,
            question: None,
            has_greeted: false,
            note: String::new(),
        };
        program.give(greeting);
        Ok(program)
    }

    /// Sends it lines; a program that does not read them exits, or exceeds its time.
    fn give(&mut self, lines: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(lines.as_bytes());
            let _ = input.flush();
        }
    }

    pub(super) fn ask(&mut self, question: u64, lines: &str) {
        self.question = Some(question);
        self.note.clear();
        self.give(lines);
    }

    /// The message for a line of the program. A line that is not a move is sent as one: the league
    /// decides about it.
    pub(super) fn reply(&mut self, line: &str) -> Option<Reply> {
        let (line, game) = (line.trim_end(), self.game.clone());
        if !self.has_greeted {
            self.has_greeted = true;
            let is_ok = line == "ok" || line.starts_with("ok ");
            return Some(match is_ok {
                true => Reply::Ready { game },
                false => Reply::Failed { game },
            });
        }
        if let Some(note) = line.strip_prefix("info") {
            note.trim().clone_into(&mut self.note);
            return None;
        }
        Some(Reply::Move {
            game,
            question: self.question.take()?,
            mv: line.strip_prefix("move ").unwrap_or(line).trim().to_owned(),
            note: std::mem::take(&mut self.note),
        })
    }

    /// Sends the program the end of the game, and gives it a moment to exit.
    pub(super) fn finish(mut self, scores: &[i64]) {
        let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
        self.give(&format!("end {}\n", scores.join(" ")));
        self.input = None;
        let until = Instant::now() + GOODBYE;
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(LOOK);
        }
    }
}

impl Drop for HomeProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_program_become_what_the_league_is_told() {
        let words = ["cat".to_owned()];
        let mut program = HomeProgram::start(&words, 1, "7", "", |_| true).unwrap();
        let game = || "7".to_owned();
        assert_eq!(
            program.reply("ok Mimi"),
            Some(Reply::Ready { game: game() })
        );
        assert_eq!(program.reply("move c4"), None);
        program.ask(3, "");
        assert_eq!(program.reply("info depth 9"), None);
        let moved = Reply::Move {
            game: game(),
            question: 3,
            mv: "c4".to_owned(),
            note: "depth 9".to_owned(),
        };
        assert_eq!(program.reply("move c4\r"), Some(moved));
        assert_eq!(program.reply("move c4"), None);
    }
}
