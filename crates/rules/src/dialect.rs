use std::fmt;
use std::ops::Deref;

use crate::{ConformanceCase, ParseError, Position, Request, Slip, Square};

/// How to ask one family of bot programs for a move, and how to read the answer.
///
/// Pure text: the caller owns processes, files and clocks. In some dialects a program chooses its
/// own name in its first answer; the caller stores that name and passes it as `name` in every later
/// call.
///
/// ```
/// use floe_rules::{Game, flood::Flood};
/// let position = Flood::read("J\n#+@\n@*#\n.*+\n")?;
/// let contest = Flood::dialects()[0];
/// assert_eq!(contest.name(), "contest");
/// assert_eq!(contest.request(&position, None).input, "J\n#+@\n@*#\n.*+\n");
/// let answer = contest.reply(&position, None, "*".parse()?);
/// assert_eq!(contest.answer(&position, None, &answer)?.mv, "*".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Dialect<P: Position>: Sync {
    /// The dialect's name in tournament files.
    fn name(&self) -> &'static str;

    /// The input for the program of the player to move.
    fn request(&self, position: &P, name: Option<&str>) -> Request;

    /// The move in a program's answer. The answer may be a whole board, which is then compared with
    /// the position; line and column refer to `text`.
    fn answer(
        &self,
        position: &P,
        name: Option<&str>,
        text: &str,
    ) -> Result<Answer<P::Move>, DialectError>;

    /// The answer of a correct program that makes this legal move.
    fn reply(&self, position: &P, name: Option<&str>, mv: P::Move) -> String;

    /// The questions for the name of a program that joins at this position, the contest's own
    /// first; empty if the dialect does not need the name before the first move.
    fn introductions(&self, _position: &P) -> Vec<Request> {
        Vec::new()
    }

    /// The name in a program's answer to its [introduction](Dialect::introductions).
    fn introduced(&self, _text: &str) -> Result<String, ParseError> {
        Err(ParseError::new(1, 1, "programs have no names here"))
    }

    /// Cases that programs of this dialect often get wrong, for a program with this name. Plain
    /// moves on boards of all sizes are tested separately.
    fn trials(&self, _name: Option<&str>) -> Vec<ConformanceCase> {
        Vec::new()
    }

    /// The calls without a move that the contest's own referee makes before this turn, once per
    /// game each; for seats that request them.
    fn extra_calls(&self, _position: &P, _name: Option<&str>) -> Vec<ConformanceCase> {
        Vec::new()
    }

    /// The slips that would explain this wrong answer, each checked against the rules; empty if no
    /// simple slip explains it.
    fn slips(&self, _position: &P, _name: Option<&str>, _text: &str) -> Vec<Slip> {
        Vec::new()
    }

    /// The square at this line and column of an answer, both from 1, if there is one.
    fn square_at(&self, _position: &P, _line: u32, _column: u32) -> Option<Square> {
        None
    }

    /// The contest's meaning of this nonzero exit code, if it has one.
    fn exit(&self, _code: i32) -> Option<&'static str> {
        None
    }
}

/// A readable answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer<M> {
    /// The move in the answer.
    pub mv: M,
    /// The program's own name, if the answer states one.
    pub name: Option<String>,
}

impl<M> Answer<M> {
    /// A move from a program without a name.
    pub fn plain(mv: M) -> Self {
        Answer { mv, name: None }
    }
}

/// What is wrong with an answer, which kind of error it is, and where.
///
/// ```
/// use floe_rules::{DialectError, ParseError, Sort};
/// let objection = DialectError::from(ParseError::new(2, 5, "not a number"));
/// assert_eq!(objection.sort, Sort::Unreadable);
/// assert_eq!(objection.to_string(), "2:5: not a number");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DialectError {
    /// The sort.
    pub sort: Sort,
    /// The place and the reason.
    pub error: ParseError,
}

/// The kind of a [`DialectError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Sort {
    /// The answer does not follow the dialect.
    Unreadable,
    /// The answer is readable but against the rules.
    Illegal,
    /// The answer changes something that the player must not change.
    Tampered,
}

impl DialectError {
    /// An objection to a move.
    pub fn illegal(error: ParseError) -> Self {
        let sort = Sort::Illegal;
        DialectError { sort, error }
    }

    /// An error about a change other than the move.
    pub fn tampered(error: ParseError) -> Self {
        let sort = Sort::Tampered;
        DialectError { sort, error }
    }

    /// Where no program is judged, nothing is read.
    pub(crate) fn unread() -> Self {
        DialectError::illegal(ParseError::new(1, 1, "programs are not judged here"))
    }
}

impl From<ParseError> for DialectError {
    fn from(error: ParseError) -> Self {
        let sort = Sort::Unreadable;
        DialectError { sort, error }
    }
}

impl Deref for DialectError {
    type Target = ParseError;

    fn deref(&self) -> &ParseError {
        &self.error
    }
}

impl fmt::Display for DialectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for DialectError {}
