use crate::Ask;

/// A case that programs of a dialect are known to get wrong: a question, and what is expected
/// besides a plain answer in time. See [`Dialect::trials`](crate::Dialect::trials).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Trial {
    /// The case in a few words, such as `the same file for input and output`.
    pub case: &'static str,
    /// The question.
    pub ask: Ask,
    /// What is expected.
    pub expect: Expect,
    /// Whether the contest does not ask for it, so that failing is worth a remark and no more.
    pub is_advice: bool,
}

/// What a program is expected to do in a [`Trial`].
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
        /// What then stands in the file it writes; `None` if there is to be no such file.
        output: Option<String>,
    },
}

impl Trial {
    /// A case the contest asks for.
    pub fn new(case: &'static str, ask: Ask, expect: Expect) -> Self {
        Trial {
            case,
            ask,
            expect,
            is_advice: false,
        }
    }
}
