use super::MOST_PLAYERS;
use crate::Player;

/// The players' IDs in the contest's files.
///
/// A player without an ID of their own is called `floeA` to `floeI` by seat: letters only, since
/// some programs refuse anything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ids {
    names: Vec<String>,
    /// A bit for every player with a given ID.
    named: u16,
}

impl Ids {
    /// IDs for `players` players, some of them given.
    pub(super) fn new(players: u32, given: &[(Player, &str)]) -> Self {
        let mut ids = Ids {
            names: vec![String::new(); (players as usize).min(MOST_PLAYERS)],
            named: 0,
        };
        for &(player, name) in given {
            ids.names[player.index()] = name.to_owned();
            ids.named |= 1 << player.index();
        }
        for seat in 0..ids.names.len() {
            if ids.named >> seat & 1 == 0 {
                let letter = char::from(b'A' + seat as u8);
                let mut name = format!("floe{letter}");
                // Another player may already have this name.
                while ids.names.contains(&name) {
                    name.push(letter);
                }
                ids.names[seat] = name;
            }
        }
        ids
    }

    /// The given IDs; `None` if one is invalid.
    pub(super) fn named<S: AsRef<str>>(players: u32, names: &[S]) -> Option<Self> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let distinct = (1..names.len()).all(|i| !names[..i].contains(&names[i]));
        if names.len() != players as usize || !distinct || !names.iter().all(|n| is_id(n)) {
            return None;
        }
        let given: Vec<_> = Player::all(players).zip(names).collect();
        Some(Self::new(players, &given))
    }

    pub(super) fn name(&self, player: Player) -> &str {
        self.names.get(player.index()).map_or("", String::as_str)
    }

    pub(super) fn is_named(&self, player: Player) -> bool {
        self.named >> player.index() & 1 != 0
    }
}

/// Whether a word can be a player's ID: not empty, no white space, no quotation marks.
///
/// ```
/// use floe_rules::penguins::is_id;
/// assert!(is_id("floe"));
/// assert!(!is_id("two words") && !is_id("\"quoted\"") && !is_id(""));
/// ```
pub fn is_id(word: &str) -> bool {
    !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '"' || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_given_a_name_that_is_taken() {
        let ids = Ids::new(3, &[(Player::new(2), "floeA")]);
        assert_eq!(ids.names, ["floeAA", "floeB", "floeA"]);
        assert!(ids.is_named(Player::new(2)) && !ids.is_named(Player::new(0)));
    }
}
