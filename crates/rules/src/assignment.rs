//! What students of a course hand in, and how it is checked against the rules.
//!
//! A course may ask for a C library with a given header, and for a program that reads commands. An
//! [`Assignment`] says, as pure text, what to call them with and what the answers must be. The caller compiles the library with the [harness](Assignment::harness), runs its scripts, and passes the answers back to be judged.

/// Calls of a library, in order, with a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The group of checks: one of [`Assignment::groups`].
    pub group: &'static str,
    /// A short description of the case.
    pub name: String,
    /// The calls, in the harness's language.
    pub calls: Vec<String>,
    /// Whether the script was written by hand; the others are random.
    pub is_written: bool,
    /// Whether it is small enough to run again under slow memory checkers.
    pub is_small: bool,
}

/// An answer that contradicts the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The call, counted from 0.
    pub call: usize,
    /// The right answer.
    pub expected: String,
}

/// A line of a program's input, with its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputLine {
    /// A line with this call.
    Call {
        /// The line in the input.
        text: Vec<u8>,
        /// The call in the harness's own syntax.
        call: String,
    },
    /// A line that the program must refuse.
    Wrong(Vec<u8>),
    /// A line that the program must skip.
    Skipped(Vec<u8>),
}

impl InputLine {
    /// The line's bytes, without its end.
    pub fn text(&self) -> &[u8] {
        match self {
            InputLine::Call { text, .. } | InputLine::Wrong(text) | InputLine::Skipped(text) => {
                text
            }
        }
    }
}

/// Input of a program, with a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The group of checks: one of [`Assignment::input_groups`].
    pub group: &'static str,
    /// A short description of the case.
    pub name: String,
    /// The lines.
    pub lines: Vec<InputLine>,
    /// Whether the last line lacks its newline.
    pub is_torn: bool,
}

impl Input {
    /// The bytes of the input.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for line in &self.lines {
            bytes.extend_from_slice(line.text());
            bytes.push(b'\n');
        }
        if self.is_torn {
            bytes.pop();
        }
        bytes
    }
}

/// The output that a program must print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// Standard output.
    pub output: Vec<u8>,
    /// Standard error.
    pub errors: Vec<u8>,
}

/// A game in a terminal: the typed keys, with a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The group of checks: one of [`Assignment::session_groups`].
    pub group: &'static str,
    /// A short description of the case.
    pub name: String,
    /// The line that begins the game, without its line ending.
    pub first_line: String,
    /// The keys typed after it, in order.
    pub keys: Vec<Key>,
}

/// A key of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The key's name.
    pub name: &'static str,
    /// The bytes that a terminal sends.
    pub bytes: &'static [u8],
}

/// The required output of a game in a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The words of the first prompt, before which no keys are typed: a word, three numbers, and in
    /// some games `G`.
    pub first_prompt: String,
    /// The prompt after the last key; `None` if the game is over then and the program ends by
    /// itself.
    pub prompt: Option<String>,
    /// The lines of the final board, which stay on the screen.
    pub board: Vec<String>,
    /// Lists of words; each list must be on a line of its own below the board, in this order.
    pub sums: Vec<[String; 2]>,
}

/// The assignment of a course.
pub trait Assignment: Sync {
    /// The library's header.
    fn header(&self) -> &'static str;

    /// The program's name.
    fn program(&self) -> &'static str;

    /// A C program that calls the library by scripts; its first lines say how.
    ///
    /// It takes `HAS_HEADER` where the library's own header is to be used, `LIBRARY` for the path of
    /// a shared library, and `COUNTS_MEMORY` where it may stand between the library and the
    /// allocator.
    fn harness(&self) -> &'static str;

    /// The groups of checks on a library, in the order of reports.
    fn groups(&self) -> &'static [&'static str];

    /// The scripts for every library, always the same.
    fn scripts(&self) -> Vec<Script>;

    /// The first answer that contradicts the rules; `answers` may end early.
    fn judge(&self, calls: &[String], answers: &[String]) -> Option<WrongAnswer>;

    /// Simpler scripts that might fail in the same way: other sizes and numbers, not fewer calls.
    fn simpler(&self, calls: &[String]) -> Vec<Vec<String>>;

    /// A C program that shows a wrong answer of the library.
    fn c_program(&self, calls: &[String], wrong: &WrongAnswer, got: &str) -> String;

    /// The same calls as input of the program, if its language can express them.
    fn input_of(&self, calls: &[String]) -> Option<String>;

    /// The board before the last call, drawn; empty if a drawing would not help.
    fn picture(&self, calls: &[String]) -> String;

    /// The groups of checks on a program.
    fn input_groups(&self) -> &'static [&'static str];

    /// The inputs for every program, always the same.
    fn inputs(&self) -> Vec<Input>;

    /// The required output of a program.
    fn printed(&self, input: &Input) -> Printed;

    /// The groups of checks on the program's terminal game; empty if it has no such game.
    fn session_groups(&self) -> &'static [&'static str];

    /// The games for every program, always the same.
    fn sessions(&self) -> Vec<Session>;

    /// The key that ends a game at once.
    fn end_key(&self) -> Key;

    /// The required output of a program; `None` if the session has keys left after the game.
    fn shown(&self, session: &Session) -> Option<Shown>;
}
