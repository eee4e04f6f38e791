//! What students of a course hand in, and how it is checked against the rules.
//!
//! A course may ask for a C library with a given header, and for a program that reads commands. An
//! [`Assignment`] says, as pure text, what to call them with and what the answers must be. The caller compiles the library with the [harness](Assignment::harness), runs its scripts, and passes the answers back to be judged.

/// Calls of a library, one after the other, and what they are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// Which checks it belongs to: one of [`Assignment::groups`].
    pub group: &'static str,
    /// The case in a few words.
    pub name: String,
    /// The calls, in the harness's language.
    pub calls: Vec<String>,
    /// Whether the script was written for one purpose; the others are random.
    pub is_written: bool,
    /// Whether it is small enough to run again under slow memory checkers.
    pub is_small: bool,
}

/// An answer that is not what the rules say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The call, counted from 0.
    pub call: usize,
    /// What it should have been.
    pub expected: String,
}

/// A line of a program's input, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputLine {
    /// A line that calls for this.
    Call {
        /// As it stands in the input.
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

/// Input of a program, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Which checks it belongs to: one of [`Assignment::input_groups`].
    pub group: &'static str,
    /// The case in a few words.
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

/// What a program must print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// On standard output.
    pub output: Vec<u8>,
    /// On standard error.
    pub errors: Vec<u8>,
}

/// A game in a terminal: what is typed, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Which checks it belongs to: one of [`Assignment::session_groups`].
    pub group: &'static str,
    /// The case in a few words.
    pub name: String,
    /// The line that begins the game, without its end.
    pub first_line: String,
    /// The keys that are typed then, one after the other.
    pub keys: Vec<Key>,
}

/// A key of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// What people call it.
    pub name: &'static str,
    /// What the terminal sends.
    pub bytes: &'static [u8],
}

/// What a game in a terminal must show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The words of a line that is on the screen before the first key, and before which keys are not
    /// typed: a word, three numbers, and `G` in some.
    pub first_prompt: String,
    /// The same after the last key; `None` if the game is over then and the program ends by itself.
    pub prompt: Option<String>,
    /// The lines of the final board, which stay on the screen, one below the other.
    pub board: Vec<String>,
    /// Words of which each list must be in a line of its own below the board, in this order.
    pub sums: Vec<[String; 2]>,
}

/// The assignment of a course.
pub trait Assignment: Sync {
    /// The header that the library comes with.
    fn header(&self) -> &'static str;

    /// What the program is called.
    fn program(&self) -> &'static str;

    /// A C program that calls the library by scripts; its first lines say how.
    ///
    /// It takes `HAS_HEADER` where the library's own header is to be used, `LIBRARY` for the path of
    /// a shared library, and `COUNTS_MEMORY` where it may stand between the library and the
    /// allocator.
    fn harness(&self) -> &'static str;

    /// The groups of checks on a library, in the order in which they are reported.
    fn groups(&self) -> &'static [&'static str];

    /// The scripts that every library is held against, the same every time.
    fn scripts(&self) -> Vec<Script>;

    /// The first answer that is not what the rules say; `answers` may end early.
    fn judge(&self, calls: &[String], answers: &[String]) -> Option<WrongAnswer>;

    /// Scripts that are simpler than this one and might fail like it: other sizes and numbers, not
    /// fewer calls.
    fn simpler(&self, calls: &[String]) -> Vec<Vec<String>>;

    /// A C program that shows an answer to be wrong, given what the library answered.
    fn c_program(&self, calls: &[String], wrong: &WrongAnswer, got: &str) -> String;

    /// The same as input of the program, where its language can say it.
    fn input_of(&self, calls: &[String]) -> Option<String>;

    /// The board before the last call, drawn; empty where there is none worth drawing.
    fn picture(&self, calls: &[String]) -> String;

    /// The groups of checks on a program.
    fn input_groups(&self) -> &'static [&'static str];

    /// The inputs that every program is held against, the same every time.
    fn inputs(&self) -> Vec<Input>;

    /// What a program must print.
    fn printed(&self, input: &Input) -> Printed;

    /// The groups of checks on the program's game in a terminal; none if it has no such game.
    fn session_groups(&self) -> &'static [&'static str];

    /// The games that every program is held against, the same every time.
    fn sessions(&self) -> Vec<Session>;

    /// The key that ends a game at once.
    fn end_key(&self) -> Key;

    /// What a program must show; `None` if keys of the session are left over after the game.
    fn shown(&self, session: &Session) -> Option<Shown>;
}
