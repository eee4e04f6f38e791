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
    /// The word for the dialect in tournament files.
    fn name(&self) -> &'static str;

    /// The input for the program of the player to move.
    fn request(&self, position: &P, name: Option<&str>) -> Request;

    /// The move the program's answer stands for. The answer may be a whole board, which is then
    /// compared with the position; line and column speak of `text`.
    fn answer(
        &self,
        position: &P,
        name: Option<&str>,
        text: &str,
    ) -> Result<Answer<P::Move>, DialectError>;

    /// The answer of a correct program that makes this legal move.
    fn reply(&self, position: &P, name: Option<&str>, mv: P::Move) -> String;

    /// The ways to ask a program that joins at this position for its name, the contest's own
    /// first; none if the dialect need not know it before the first move.
    fn introductions(&self, _position: &P) -> Vec<Request> {
        Vec::new()
    }

    /// The name in a program's answer to its [introduction](Dialect::introductions).
    fn introduced(&self, _text: &str) -> Result<String, ParseError> {
        Err(ParseError::new(1, 1, "programs have no names here"))
    }

    /// The cases programs of this dialect are known to get wrong, for one that goes by this name.
    /// Plain moves on boards of all sizes are tried anyway.
    fn trials(&self, _name: Option<&str>) -> Vec<ConformanceCase> {
        Vec::new()
    }

    /// The calls without a move that the contest's own master makes before this position's turn,
    /// once a game each; for seats that want them.
    fn extra_calls(&self, _position: &P, _name: Option<&str>) -> Vec<ConformanceCase> {
        Vec::new()
    }

    /// The slips without which an answer that is wrong here would be right, each tried against
    /// the rules; none if no simple one explains it.
    fn slips(&self, _position: &P, _name: Option<&str>, _text: &str) -> Vec<Slip> {
        Vec::new()
    }

    /// The square that stands at this line and column of an answer, both from 1, if one does.
    fn square_at(&self, _position: &P, _line: u32, _column: u32) -> Option<Square> {
        None
    }

    /// The meaning the contest gives to this exit code, which is not 0, if it gives one.
    fn exit(&self, _code: i32) -> Option<&'static str> {
        None
    }
}

/// An answer that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer<M> {
    /// The move it stands for.
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

/// Of which sort an [`DialectError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Sort {
    /// It is not written as the dialect wants it.
    Unreadable,
    /// It can be read, and what it does is against the rules.
    Illegal,
    /// It changes something that is not for the mover to change.
    Tampered,
}

impl DialectError {
    /// An objection to a move.
    pub fn illegal(error: ParseError) -> Self {
        let sort = Sort::Illegal;
        DialectError { sort, error }
    }

    /// An objection to a change beside the move.
    pub fn tampered(error: ParseError) -> Self {
        let sort = Sort::Tampered;
        DialectError { sort, error }
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
