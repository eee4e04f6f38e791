use std::fmt;
use std::str::FromStr;

use crate::{ParseError, Square};

/// One move: `c4` takes a free field, `c4!` takes another player's by the golden move.
///
/// ```
/// use floe_rules::Square;
/// use floe_rules::gamma::Move;
/// let golden: Move = "c4!".parse()?;
/// assert_eq!(golden, Move { to: Square::new(2, 3), golden: true });
/// assert_eq!(golden.to_string(), "c4!");
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The field taken.
    pub to: Square,
    /// Whether this is a golden move.
    pub golden: bool,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.to, if self.golden { "!" } else { "" })
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (to, rest) = Square::read_prefix(text)?;
        match rest {
            "" => Ok(Move { to, golden: false }),
            "!" => Ok(Move { to, golden: true }),
            _ => {
                let column = u32::try_from(text.len() - rest.len() + 1).unwrap_or(u32::MAX);
                Err(ParseError::new(1, column, "text after the square")
                    .with_help("a move is `c4`, or `c4!` for the golden move"))
            }
        }
    }
}
