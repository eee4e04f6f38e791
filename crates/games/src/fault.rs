use std::fmt;

use floe_rules::Player;
use serde::{Deserialize, Serialize};

use crate::error::MoveError;

/// The kind of a program's fault.
///
/// ```
/// use floe_games::FaultKind;
/// assert_eq!(FaultKind::IllegalMove.to_string(), "illegal move");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// No answer within the time limit and the grace period.
    Timeout,
    /// A signal ended the program.
    Crash,
    /// The program exited with an exit code that means failure.
    GaveUp,
    /// The answer is readable but against the rules.
    IllegalMove,
    /// The answer is unreadable.
    UnreadableAnswer,
    /// The program exited normally, without an answer.
    SilentExit,
    /// More memory than allowed.
    TooMuchMemory,
    /// More output than allowed.
    TooMuchOutput,
    /// A forbidden action: a network socket, a file elsewhere, too many processes.
    ForbiddenAccess,
    /// The program changed something that belongs to others: their fields or lines, or the
    /// referee's files.
    FileTampering,
    /// A person resigned. Older records call this a silent exit.
    Resigned,
}

impl FaultKind {
    /// Every kind, in the order of tables.
    pub const ALL: [FaultKind; 11] = [
        FaultKind::Timeout,
        FaultKind::Crash,
        FaultKind::GaveUp,
        FaultKind::IllegalMove,
        FaultKind::UnreadableAnswer,
        FaultKind::SilentExit,
        FaultKind::TooMuchMemory,
        FaultKind::TooMuchOutput,
        FaultKind::ForbiddenAccess,
        FaultKind::FileTampering,
        FaultKind::Resigned,
    ];

    /// The kind in words.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::Timeout => "timeout",
            FaultKind::Crash => "crash",
            FaultKind::GaveUp => "gave up",
            FaultKind::IllegalMove => "illegal move",
            FaultKind::UnreadableAnswer => "unreadable answer",
            FaultKind::SilentExit => "silent exit",
            FaultKind::TooMuchMemory => "too much memory",
            FaultKind::TooMuchOutput => "too much output",
            FaultKind::ForbiddenAccess => "forbidden access",
            FaultKind::FileTampering => "file tampering",
            FaultKind::Resigned => "resigned",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A program's fault: the kind, a sentence for its author, and details for finding the cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The seat at fault, from 1.
    pub seat: u32,
    /// The kind.
    pub kind: FaultKind,
    /// The fault, in a sentence without a full stop.
    pub message: String,
    /// Line and column in the answer, from 1, if the fault has a place there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<(u32, u32)>,
    /// The right answer; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub expected: String,
    /// The faulty answer, shortened, if it is text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub answer: String,
    /// The last lines the program wrote to standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The last lines of standard output, if the answer is a file and standard output should be
    /// empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    /// The program's name in the contest's files at that time.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Wall time of the failed move in microseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wall_us: u64,
    /// CPU time of the failed move in microseconds, as far as known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cpu_us: u64,
}

pub(crate) fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Characters stored of a wrong answer.
const LONGEST_ANSWER: usize = 400;

impl Fault {
    /// The fault of answering with a move that cannot be made.
    ///
    /// ```
    /// use floe_games::{Fault, FaultKind};
    /// let position = floe_games::find("gamma")?.start("4x4", 1)?;
    /// let error = position.check("z9").unwrap_err();
    /// let fault = Fault::of_move(position.turn().unwrap(), "z9", &error);
    /// assert_eq!((fault.seat, fault.kind), (1, FaultKind::IllegalMove));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_move(player: Player, mv: &str, error: &MoveError) -> Self {
        let kind = match error {
            MoveError::Unreadable(_) => FaultKind::UnreadableAnswer,
            _ => FaultKind::IllegalMove,
        };
        let quoted = floe_rules::text::quoted(mv);
        let mut fault = Fault::new(player, kind, format!("{quoted}: {error}"));
        fault.answer = mv.chars().take(LONGEST_ANSWER).collect();
        if let MoveError::Unreadable(error) = error {
            fault.at = Some((error.line, error.column));
            fault.expected = error.help.to_string();
        }
        fault
    }

    /// A fault without details.
    pub fn new(player: Player, kind: FaultKind, message: impl Into<String>) -> Self {
        Fault {
            seat: player.number(),
            kind,
            message: message.into(),
            at: None,
            expected: String::new(),
            answer: String::new(),
            stderr: String::new(),
            stdout: String::new(),
            id: String::new(),
            wall_us: 0,
            cpu_us: 0,
        }
    }
}

impl fmt::Display for Fault {
    /// `seat 2: illegal move at 3:7: d2 is water, not a floe`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}: {}", self.seat, self.kind)?;
        if let Some((line, column)) = self.at {
            write!(f, " at {line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}
