/// One question to a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Request {
    /// The command line after the program's name.
    pub arguments: Vec<Argument>,
    /// The program's standard input.
    pub input: String,
    /// Contents of the file named by [`Argument::Input`], if there is one. The answer is then read
    /// from the file named by [`Argument::Output`], otherwise from standard output.
    pub file: Option<String>,
}

/// One word of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Argument {
    /// The word itself.
    Word(String),
    /// The path of the file with the position.
    Input,
    /// The path of the file the program writes.
    Output,
    /// The path of the file with the position, which the program overwrites.
    InPlace,
}
