use std::fmt;

/// A seat at the table, counted from zero; prints from one.
///
/// ```
/// use floe_rules::Player;
/// let second = Player::new(1);
/// assert_eq!(second.to_string(), "2");
/// assert_eq!(Player::from_number(2), Some(second));
/// assert_eq!(Player::from_number(0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(u32);

impl Player {
    /// The player in the seat with this index.
    pub const fn new(index: u32) -> Self {
        Player(index)
    }

    /// The player with this number, counted from one.
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => None,
            n => Some(Player(n - 1)),
        }
    }

    /// The seat, from zero: for indexing.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The player's number, counted from one.
    pub const fn number(self) -> u32 {
        self.0 + 1
    }

    /// Every player in a game with this many seats.
    pub fn all(players: u32) -> impl DoubleEndedIterator<Item = Player> + Clone {
        (0..players).map(Player)
    }

    /// The next player around a table with this many seats.
    pub const fn next(self, players: u32) -> Player {
        if self.0 + 1 >= players {
            Player(0)
        } else {
            Player(self.0 + 1)
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.number())
    }
}
