use std::fmt;

use thiserror::Error;

use super::Colour;
use crate::Player;

/// A rectangle of colours whose two corners differ: what a game starts from.
///
/// Squares stand row by row from the top-left one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    width: u32,
    squares: Vec<Colour>,
}

/// The reason why the board is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// No columns or no rows.
    #[error("a board has at least one column and one row")]
    Empty,
    /// The last row is shorter than the others.
    #[error("the last row is not full")]
    Ragged,
    /// Both players would start on the same square.
    #[error("a board of one square has no two corners")]
    OneSquare,
    /// More than [`Board::MOST_SQUARES`].
    #[error("a board has at most {} squares", Board::MOST_SQUARES)]
    TooLarge,
    /// Both players would start with this colour.
    #[error("the bottom-left and the top-right corner are both `{0}`")]
    SameCorners(Colour),
}

impl Board {
    /// Most squares of a board: 2048 x 2048, or any other shape of that size.
    pub const MOST_SQUARES: u32 = 1 << 22;

    /// The board with these squares, `width` in a row.
    pub fn new(width: u32, squares: Vec<Colour>) -> Result<Self, BoardError> {
        if width == 0 || squares.is_empty() {
            return Err(BoardError::Empty);
        }
        if !squares.len().is_multiple_of(width as usize) {
            return Err(BoardError::Ragged);
        }
        let height = u32::try_from(squares.len() / width as usize).unwrap_or(u32::MAX);
        Self::check_size(width, height)?;
        let board = Board { width, squares };
        let [j, s] = [super::J, super::S].map(|player| board.squares[board.corner(player)]);
        if j == s {
            return Err(BoardError::SameCorners(j));
        }
        Ok(board)
    }

    /// Checks a board's numbers of columns and rows.
    pub(super) fn check_size(width: u32, height: u32) -> Result<(), BoardError> {
        match u64::from(width) * u64::from(height) {
            0 => Err(BoardError::Empty),
            1 => Err(BoardError::OneSquare),
            n if n > u64::from(Self::MOST_SQUARES) => Err(BoardError::TooLarge),
            _ => Ok(()),
        }
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.squares.len() as u32 / self.width
    }

    /// The colours, row by row from the top left.
    pub fn squares(&self) -> &[Colour] {
        &self.squares
    }

    /// The index in [`squares`](Board::squares) of the corner a player starts from.
    pub fn corner(&self, player: Player) -> usize {
        corner(self.width, self.height(), player)
    }
}

/// The index of a player's corner among the board's squares, row by row from the top left.
pub(super) fn corner(width: u32, height: u32, player: Player) -> usize {
    if player == super::J {
        (height as usize - 1) * width as usize
    } else {
        width as usize - 1
    }
}

/// The rows as lines, each with its newline.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.squares.chunks(self.width as usize) {
            let line: String = row.iter().map(|c| c.glyph()).collect();
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_boards_with_two_colours_in_the_corners_are_boards() {
        use Colour::{At, Dot};
        assert_eq!(Board::new(0, vec![At]), Err(BoardError::Empty));
        assert_eq!(Board::new(1, vec![]), Err(BoardError::Empty));
        assert_eq!(Board::new(1, vec![At]), Err(BoardError::OneSquare));
        assert_eq!(Board::new(2, vec![At, Dot, At]), Err(BoardError::Ragged));
        assert_eq!(
            Board::new(2, vec![At, Dot, Dot, At]),
            Err(BoardError::SameCorners(Dot))
        );
        let most = Board::MOST_SQUARES as usize;
        assert_eq!(Board::new(1, vec![At; most + 1]), Err(BoardError::TooLarge));
        let board = Board::new(1, vec![At, Dot]).unwrap();
        assert_eq!((board.width(), board.height()), (1, 2));
        assert_eq!(board.to_string(), "@\n.\n");
    }
}
