use std::fmt;
use std::str::FromStr;

use crate::ParseError;
use crate::setup::{SetupEntry, parts};
use crate::text::quoted;

/// The parameters of a starting position: `10x10,players=2,areas=3`. Gamma's boards start empty, so
/// the seed changes nothing.
///
/// ```
/// use floe_rules::gamma::Setup;
/// let setup: Setup = "15x15,players=3".parse()?;
/// assert_eq!(setup.to_string(), "15x15,players=3,areas=3");
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Seats at the table.
    pub players: u32,
    /// The most areas a player may have.
    pub areas: u32,
}

pub(super) const HELP: &str = "\
WxH        columns and rows (default 10x10)
players=N  how many play (default 2)
areas=N    the most areas a player may have (default 3)";

impl Default for Setup {
    fn default() -> Self {
        Setup {
            width: 10,
            height: 10,
            players: 2,
            areas: 3,
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup {
            width,
            height,
            players,
            areas,
        } = self;
        write!(f, "{width}x{height},players={players},areas={areas}")
    }
}

impl FromStr for Setup {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut setup = Setup::default();
        let mut given: Vec<&str> = Vec::new();
        for part in parts(text) {
            let part = part?;
            let word = match part.entry {
                SetupEntry::Size(width, height) => {
                    (setup.width, setup.height) = (width, height);
                    "size"
                }
                SetupEntry::Pair("players", value) => {
                    setup.players = part.number(value)?;
                    "players"
                }
                SetupEntry::Pair("areas", value) => {
                    setup.areas = part.number(value)?;
                    "areas"
                }
                SetupEntry::Pair(..) => {
                    return Err(part.unknown("Gamma knows WxH, players=N and areas=N"));
                }
            };
            if given.contains(&word) {
                return Err(part.error(format!("{} is given twice", quoted(word))));
            }
            given.push(word);
        }
        Ok(setup)
    }
}
