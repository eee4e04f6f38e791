use crate::Request;

/// A case that programs of a dialect are known to get wrong: a question, and what is expected
/// besides a plain answer in time. See [`Dialect::trials`](crate::Dialect::trials).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConformanceCase {
    /// The case in a few words, such as `the same file for input and output`.
    pub case: &'static str,
    /// The question.
    pub ask: Request,
    /// The expected behaviour.
    pub expect: Expect,
    /// When a program meets it.
    pub occasion: Occasion,
    /// Whether the contest does not demand it, so that a failure is only a warning.
    pub is_advice: bool,
}

/// When a program meets the case of a [`ConformanceCase`], the likeliest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Occasion {
    /// In games under any referee: it depends on the opponents and the moves alone.
    Play,
    /// Where another referee of the contest writes files or calls programs in its own way.
    Elsewhere,
    /// Where the contest tests how a program refuses wrong arguments and files; in no game.
    WrongInput,
}

/// The behaviour a [`ConformanceCase`] expects of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Expect {
    /// A legal move in this position, which is given in the game's own text.
    Move(String),
    /// To end with an exit code.
    Exit {
        /// The code.
        code: i32,
        /// Contents of the file it then writes; `None` if there must be no such file.
        output: Option<String>,
    },
}

impl ConformanceCase {
    /// A case the contest asks for, and meets with this program [elsewhere](Occasion::Elsewhere)
    /// unless the program is to refuse something.
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
