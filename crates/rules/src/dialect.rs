use crate::{ParseError, Position};

/// How one family of bot programs is asked for a move and how its answer is read.
///
/// Pure text: whoever runs the program owns processes, files and clocks.
pub trait Dialect<P: Position>: Sync {
    /// The word for the dialect in tournament files.
    fn name(&self) -> &'static str;

    /// What the program of the player to move is given.
    fn ask(&self, position: &P) -> Ask;

    /// The move the program's answer stands for. The answer may be a whole board, which is then
    /// compared with the position; line and column speak of `text`.
    fn answer(&self, position: &P, text: &str) -> Result<P::Move, ParseError>;
}

/// One question to a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ask {
    /// The command line after the program's name.
    pub arguments: Vec<Argument>,
    /// What it reads on standard input.
    pub input: String,
    /// What stands in the file named by [`Argument::Input`], if there is one. The answer is then
    /// read from the file named by [`Argument::Output`], otherwise from standard output.
    pub file: Option<String>,
}

/// One word of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// The word itself.
    Word(String),
    /// The path of the file with the position.
    Input,
    /// The path of the file the program writes.
    Output,
}
