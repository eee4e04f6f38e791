use crate::Request;

/// A case that programs of a dialect often get wrong: a question, and the expectations beyond a
/// plain answer in time. See [`Dialect::trials`](crate::Dialect::trials).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConformanceCase {
    /// A short description of the case, such as `the same file for input and output`.
    pub case: &'static str,
    /// The question.
    pub ask: Request,
    /// The expected behaviour.
    pub expect: Expect,
    /// When a program meets the case.
    pub occasion: Occasion,
    /// Whether the contest does not demand it, so that a failure is only a warning.
    pub is_advice: bool,
}

/// When a program meets the case of a [`ConformanceCase`], the likeliest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Occasion {
    /// In games under any referee: the case depends only on the moves played.
    Play,
    /// With another referee of the contest that writes files or calls programs in its own way.
    Elsewhere,
    /// In the contest's tests of wrong arguments and files; in no game.
    WrongInput,
}

/// The behaviour a [`ConformanceCase`] expects of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Expect {
    /// A legal move in this position, given in the game's own text.
    Move(String),
    /// The program must end with an exit code.
    Exit {
        /// The code.
        code: i32,
        /// Contents of the file that the program must write; `None` if it must write none.
        output: Option<String>,
    },
}

impl ConformanceCase {
    /// A case that the contest demands, met [elsewhere](Occasion::Elsewhere), unless the program
    /// must refuse something.
    pub fn new(case: &'static str, ask: Request, expect: Expect) -> Self {
        let occasion = match expect {
            Expect::Exit { output: None, .. } => Occasion::WrongInput,
            _ => Occasion::Elsewhere,
        };
        ConformanceCase {
            case,
            ask,
            expect,
            occasion,
            is_advice: false,
        }
    }
    /// The same case, met in games under any referee.
    #[must_use]
    pub fn in_play(mut self) -> Self {
        self.occasion = Occasion::Play;
        self
    }
}
