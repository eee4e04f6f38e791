use std::fmt;
use std::str::FromStr;

use super::{DEFAULT_PENGUINS, LONGEST, MOST_PLAYERS};
use crate::ParseError;
use crate::setup::{SetupEntry, SetupPart, parts};

pub(super) const HELP: &str = "\
10x8: columns and rows, 1 to 200 each (10x10; an island's is drawn, 14 to 20 each)
players=N: 1 to 9 (2)
penguins=N: how many each player has (3)
style=uniform or style=island: floes anywhere, or one landmass like the contest's boards (uniform)
water=N: percent of the fields (25; 33 for an island)
weights=A:B:C: how often floes have 1, 2 and 3 fish (5:3:2; 48:35:17 for an island)";

const WORDS: &str = "a setup knows a size, players=, penguins=, style=, water= and weights=";

/// The parameters of a board besides the seed.
///
/// ```
/// use floe_rules::penguins::Setup;
/// let setup: Setup = "8x6,players=3,water=10".parse()?;
/// assert_eq!(setup.to_string(), "8x6,players=3,penguins=3,water=10");
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// What kind of board, and how large.
    pub style: Style,
    /// Number of players, 1 to 9.
    pub players: u32,
    /// Penguins per player, at least 1.
    pub penguins: u32,
    /// Water, in percent of the fields.
    pub water: u32,
    /// Relative frequencies of floes with 1, 2 and 3 fish.
    pub weights: [u32; 3],
}

/// A kind of board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Water and floes anywhere.
    Uniform {
        /// Columns, then rows.
        size: (u32, u32),
    },
    /// One landmass with a rounded coast, like the contest's own boards.
    Island {
        /// Columns, then rows; if missing, each is drawn from 14 to 20.
        size: Option<(u32, u32)>,
    },
}

impl Style {
    /// The style's share of water and weights of fish.
    fn default_fish(self) -> (u32, [u32; 3]) {
        match self {
            Style::Uniform { .. } => (25, [5, 3, 2]),
            Style::Island { .. } => (33, [48, 35, 17]),
        }
    }
}

impl Default for Setup {
    /// `10x10,players=2,penguins=3`
    fn default() -> Self {
        let style = Style::Uniform { size: (10, 10) };
        let (water, weights) = style.default_fish();
        Setup {
            style,
            players: 2,
            penguins: DEFAULT_PENGUINS,
            water,
            weights,
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Style::Uniform { size } | Style::Island { size: Some(size) }) = self.style else {
            return self.write_rest(f);
        };
        write!(f, "{}x{},", size.0, size.1)?;
        self.write_rest(f)
    }
}

impl Setup {
    fn write_rest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "players={},penguins={}", self.players, self.penguins)?;
        if let Style::Island { .. } = self.style {
            f.write_str(",style=island")?;
        }
        let (water, weights) = self.style.default_fish();
        if self.water != water {
            write!(f, ",water={}", self.water)?;
        }
        if self.weights != weights {
            let [one, two, three] = self.weights;
            write!(f, ",weights={one}:{two}:{three}")?;
        }
        Ok(())
    }
}

impl FromStr for Setup {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (mut size, mut players, mut penguins) = (None, None, None);
        let (mut island, mut water, mut weights) = (None, None, None);
        for part in parts(text) {
            let part = part?;
            match part.entry {
                SetupEntry::Size(columns, rows) => {
                    if !(1..=LONGEST).contains(&columns) || !(1..=LONGEST).contains(&rows) {
                        return Err(part.error("a board is 1 to 200 columns by 1 to 200 rows"));
                    }
                    once(&part, &mut size, (columns, rows))?;
                }
                SetupEntry::Pair("players", value) => {
                    let most = MOST_PLAYERS as u32;
                    once(&part, &mut players, between(&part, value, 1, most)?)?;
                }
                SetupEntry::Pair("penguins", value) => {
                    let most = LONGEST * LONGEST;
                    once(&part, &mut penguins, between(&part, value, 1, most)?)?;
                }
                SetupEntry::Pair("style", "uniform") => once(&part, &mut island, false)?,
                SetupEntry::Pair("style", "island") => once(&part, &mut island, true)?,
                SetupEntry::Pair("style", _) => {
                    return Err(part.error("the style is `uniform` or `island`"));
                }
                SetupEntry::Pair("water", value) => {
                    once(&part, &mut water, between(&part, value, 0, 100)?)?;
                }
                SetupEntry::Pair("weights", value) => {
                    once(&part, &mut weights, read_weights(&part, value)?)?;
                }
                SetupEntry::Pair(..) => return Err(part.unknown(WORDS)),
            }
        }
        let style = match island {
            Some(true) => Style::Island { size },
            _ => Style::Uniform {
                size: size.unwrap_or((10, 10)),
            },
        };
        let default = style.default_fish();
        Ok(Setup {
            style,
            players: players.unwrap_or(2),
            penguins: penguins.unwrap_or(DEFAULT_PENGUINS),
            water: water.unwrap_or(default.0),
            weights: weights.unwrap_or(default.1),
        })
    }
}

fn once<T>(part: &SetupPart<'_>, into: &mut Option<T>, value: T) -> Result<(), ParseError> {
    match into.replace(value) {
        Some(_) => Err(part.error("this is given twice")),
        None => Ok(()),
    }
}

fn between(part: &SetupPart<'_>, value: &str, least: u32, most: u32) -> Result<u32, ParseError> {
    let number: u32 = part.number(value)?;
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    Err(part.error(format!("{number} is not from {least} to {most}")))
}

fn read_weights(part: &SetupPart<'_>, value: &str) -> Result<[u32; 3], ParseError> {
    let mut weights = [0; 3];
    let mut values = value.split(':');
    for weight in &mut weights {
        let value = values
            .next()
            .ok_or_else(|| part.error("three weights are needed, such as 5:3:2"))?;
        *weight = between(part, value, 0, 1_000_000)?;
    }
    if values.next().is_some() {
        return Err(part.error("three weights are enough, such as 5:3:2"));
    }
    if weights == [0; 3] {
        return Err(part.error("at least one weight must be above 0"));
    }
    Ok(weights)
}
