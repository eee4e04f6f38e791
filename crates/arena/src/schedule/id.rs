use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What tells a game from all others of its contest: its unit, and which of the unit's games it
/// is. Follows from the schedule alone, so that a game that is played again has the same name and
/// cannot count twice.
///
/// People count from 1: `17.2` is the second game on the board of the seventeenth unit.
///
/// ```
/// use floe_arena::schedule::GameId;
/// let id: GameId = "17.2".parse()?;
/// assert_eq!((id.unit, id.turn), (16, 1));
/// assert_eq!(id.to_string(), "17.2");
/// assert_eq!(id.number(2), 33);
/// # Ok::<(), floe_arena::schedule::GameIdError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The unit, from 0.
    pub unit: u64,
    /// Which of the unit's games, from 0.
    pub turn: u32,
}

/// A word that names no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{} names no game; the second game of unit 17 is 17.2", floe_rules::text::quoted(.0))]
pub struct GameIdError(String);

impl GameId {
    /// The game with this number, where so many sit at a table.
    pub fn of(number: u64, table: usize) -> Self {
        let table = table.max(1) as u64;
        GameId {
            unit: number / table,
            turn: (number % table) as u32,
        }
    }

    /// The number of the game in its schedule, where so many sit at a table.
    pub fn number(self, table: usize) -> u64 {
        self.unit * table as u64 + u64::from(self.turn)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.unit + 1, self.turn + 1)
    }
}

impl FromStr for GameId {
    type Err = GameIdError;

    fn from_str(text: &str) -> Result<Self, GameIdError> {
        let whole = |digits: &str| {
            let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<u64>().ok().filter(|_| is_plain)?.checked_sub(1)
        };
        let read = || {
            let (unit, turn) = text.split_once('.')?;
            let turn = u32::try_from(whole(turn)?).ok()?;
            // Numbers of games must not overflow, whatever a file says.
            let unit = whole(unit).filter(|&unit| unit < 1 << 48)?;
            Some(GameId { unit, turn }).filter(|id| id.turn < 1 << 10)
        };
        read().ok_or_else(|| GameIdError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Schedule;

    #[test]
    fn ids_and_numbers_go_both_ways() {
        let schedule = Schedule::round_robin(5, 3, 2, 1).unwrap();
        for pairing in schedule.pairings() {
            let id = pairing.id();
            assert_eq!(id.number(3), pairing.number);
            assert_eq!(GameId::of(pairing.number, 3), id);
            assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for text in ["", "1", "0.1", "1.0", "1.+2", "a.b", "1.2.3", "99999999999999999999.1", "1.4096"] {
            assert!(text.parse::<GameId>().is_err(), "{text}");
        }
    }
}
