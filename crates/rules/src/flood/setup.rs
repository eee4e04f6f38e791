use std::fmt;
use std::str::FromStr;

use super::{Board, BoardError, Colour, J, S, board};
use crate::ParseError;
use crate::random::Random;
use crate::setup::{SetupEntry, parts};
use crate::text::quoted;

/// What decides a starting board besides the seed: `20x20,style=uniform`.
///
/// ```
/// use floe_rules::flood::{Setup, Style};
/// let setup: Setup = "10x7,style=fair".parse()?;
/// assert_eq!((setup.width, setup.height, setup.style), (10, 7, Style::Fair));
/// assert_eq!("10x7".parse::<Setup>()?.to_string(), "10x7,style=uniform");
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// How the colours are drawn.
    pub style: Style,
}

/// How the colours of a board are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// Each square on its own, all colours equally likely, except that the corners differ.
    #[default]
    Uniform,
    /// A half turn of the board gives the same board with the two players' colours exchanged: the
    /// sides are equal except for the first move.
    Fair,
}

pub(super) const HELP: &str = "\
WxH            columns and rows (default 20x20)
style=uniform  every square drawn by itself (the default)
style=fair     the same board for both sides, but for the first move";

impl Default for Setup {
    fn default() -> Self {
        Setup {
            width: 20,
            height: 20,
            style: Style::Uniform,
        }
    }
}

impl Setup {
    /// The board of a seed: the same on every platform.
    pub fn board(&self, seed: u64) -> Result<Board, BoardError> {
        Board::check_size(self.width, self.height)?;
        let mut random = Random::seeded(seed);
        let squares = match self.style {
            Style::Uniform => self.uniform(&mut random),
            Style::Fair => self.fair(&mut random),
        };
        Board::new(self.width, squares)
    }

    fn area(&self) -> usize {
        self.width as usize * self.height as usize
    }

    fn uniform(&self, random: &mut Random) -> Vec<Colour> {
        let mut squares: Vec<Colour> = (0..self.area()).map(|_| draw(random, &[])).collect();
        // Drawn again, last: one of the four colours other than the other corner's.
        let [j, s] = [J, S].map(|player| board::corner(self.width, self.height, player));
        squares[j] = draw(random, &[squares[s]]);
        squares
    }

    fn fair(&self, random: &mut Random) -> Vec<Colour> {
        let j = draw(random, &[]);
        let s = draw(random, &[j]);
        let exchanged = |colour| match colour {
            c if c == j => s,
            c if c == s => j,
            c => c,
        };
        // A half turn maps square `i`, counted from the top left, to square `i` from the bottom
        // right.
        let area = self.area();
        let mut squares = vec![j; area];
        for i in 0..area / 2 {
            let colour = draw(random, &[]);
            squares[i] = colour;
            squares[area - 1 - i] = exchanged(colour);
        }
        if area % 2 == 1 {
            // The middle square is its own mirror image, so its colour must be too.
            squares[area / 2] = draw(random, &[j, s]);
        }
        let corners = [J, S].map(|player| board::corner(self.width, self.height, player));
        squares[corners[0]] = j;
        squares[corners[1]] = s;
        squares
    }
}

/// One of the colours that are not in `without`, all equally likely.
fn draw(random: &mut Random, without: &[Colour]) -> Colour {
    let mut skip = random.index(Colour::ALL.len() - without.len());
    for colour in Colour::ALL {
        if without.contains(&colour) {
            continue;
        }
        if skip == 0 {
            return colour;
        }
        skip -= 1;
    }
    unreachable!("as many colours are left as were counted")
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Style::Uniform => "uniform",
            Style::Fair => "fair",
        })
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{},style={}", self.width, self.height, self.style)
    }
}

impl FromStr for Setup {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        const KNOWN: &str = "a setup of Flood Wars looks like `20x20,style=fair`";
        let mut size = None;
        let mut style = None;
        for part in parts(text) {
            let part = part?;
            let is_repeated = match part.entry {
                SetupEntry::Size(width, height) => {
                    Board::check_size(width, height).map_err(|e| part.error(e.to_string()))?;
                    size.replace((width, height)).is_some()
                }
                SetupEntry::Pair("style", "uniform") => style.replace(Style::Uniform).is_some(),
                SetupEntry::Pair("style", "fair") => style.replace(Style::Fair).is_some(),
                SetupEntry::Pair("style", other) => {
                    let error = part.error(format!("unknown style {}", quoted(other)));
                    return Err(error.with_help("the styles are uniform and fair"));
                }
                SetupEntry::Pair(..) => return Err(part.unknown(KNOWN)),
            };
            if is_repeated {
                return Err(part.error(format!("{} is given twice", quoted(part.text))));
            }
        }
        let (width, height) = size.unwrap_or((20, 20));
        Ok(Setup {
            width,
            height,
            style: style.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(text: &str) -> Setup {
        text.parse().unwrap()
    }

    #[test]
    fn setups_round_trip_and_defaults_may_be_left_out() {
        assert_eq!(setup(""), Setup::default());
        assert_eq!(setup("20x20"), Setup::default());
        assert_eq!(setup("style=fair").to_string(), "20x20,style=fair");
        for text in [
            "1x2,style=uniform",
            "50x10,style=fair",
            "7x1000,style=uniform",
        ] {
            assert_eq!(setup(text).to_string(), text);
        }
    }

    #[test]
    fn bad_setups_say_where_and_why() {
        for (text, column, cause) in [
            ("0x5", 1, "a board has at least one column and one row"),
            (
                "style=fair,1x1",
                12,
                "a board of one square has no two corners",
            ),
            ("5000x5000", 1, "a board has at most 4194304 squares"),
            (
                "4294967295x4294967295",
                1,
                "a board has at most 4194304 squares",
            ),
            ("5x5,style=odd", 5, "unknown style `odd`"),
            ("5x5,players=2", 5, "unknown setting `players=2`"),
            ("5x5, 6x6", 6, "`6x6` is given twice"),
            ("5", 1, "expected a size or word=value, not `5`"),
        ] {
            let error = text.parse::<Setup>().unwrap_err();
            assert_eq!(
                (error.column, error.cause.as_ref()),
                (column, cause),
                "{text:?}"
            );
        }
        let built = Setup {
            width: 1,
            height: 1,
            style: Style::Fair,
        };
        assert_eq!(built.board(1), Err(BoardError::OneSquare));
    }

    #[test]
    fn the_boards_of_a_few_seeds_are_pinned() {
        let boards: String = [
            ("10x7", 1),
            ("10x7", 2),
            ("7x5,style=fair", 1),
            ("2x3,style=fair", 3),
        ]
        .map(|(text, seed)| format!("{}\n", setup(text).board(seed).unwrap()))
        .concat();
        insta::assert_snapshot!(boards);
    }

    #[test]
    fn every_colour_is_drawn_about_as_often_in_uniform_boards() {
        let mut counts = [0u32; 5];
        let mut corners = [0u32; 5];
        for seed in 0..200 {
            let board = setup("20x20").board(seed).unwrap();
            board.squares().iter().for_each(|c| counts[c.index()] += 1);
            corners[board.squares()[board.corner(J)].index()] += 1;
        }
        assert!(
            counts.iter().all(|n| (15_500..16_500).contains(n)),
            "{counts:?}"
        );
        assert!(corners.iter().all(|n| (20..60).contains(n)), "{corners:?}");
    }

    #[test]
    fn a_half_turn_of_a_fair_board_exchanges_the_players_colours_and_nothing_else() {
        for text in ["20x20", "7x5", "3x3", "1x2", "2x1", "1x7", "9x1", "4x3"] {
            for seed in 0..50 {
                let board = Setup {
                    style: Style::Fair,
                    ..setup(text)
                }
                .board(seed)
                .unwrap();
                let [j, s] = [J, S].map(|p| board.squares()[board.corner(p)]);
                let turned: Vec<Colour> = board.squares().iter().rev().copied().collect();
                for (&a, b) in board.squares().iter().zip(turned) {
                    let expected = if a == j {
                        s
                    } else if a == s {
                        j
                    } else {
                        a
                    };
                    assert_eq!(b, expected, "{text} seed {seed}\n{board}");
                }
            }
        }
    }
}
