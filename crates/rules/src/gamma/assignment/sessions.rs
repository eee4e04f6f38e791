//! Games in a terminal that every program is held against.
//!
//! Programs draw as they like. What the course fixes is checked alone: what keys do, the line that says
//! whose turn it is, and what stays on the screen at the end.

use crate::Player;
use crate::assignment::{Key, Session, Shown};
use crate::gamma::Board;

pub(super) const GROUPS: &[&str] = &["terminal turns", "terminal keys", "terminal end"];

const TURNS: &str = GROUPS[0];
const KEYS: &str = GROUPS[1];
const END: &str = GROUPS[2];

const fn key(name: &'static str, bytes: &'static [u8]) -> Key {
    Key { name, bytes }
}

pub(super) const CTRL_D: Key = key("Ctrl-D", b"\x04");
const UP: Key = key("Up", b"\x1b[A");
const DOWN: Key = key("Down", b"\x1b[B");
const RIGHT: Key = key("Right", b"\x1b[C");
const LEFT: Key = key("Left", b"\x1b[D");
const SPACE: Key = key("Space", b" ");

/// The keys by the letters that sessions are written in; a dash is a key without meaning.
fn keys(text: &str) -> Vec<Key> {
    let read = |letter: char| match letter {
        'u' => UP,
        'd' => DOWN,
        'r' => RIGHT,
        'l' => LEFT,
        's' => SPACE,
        'g' => key("g", b"g"),
        'G' => key("G", b"G"),
        'c' => key("c", b"c"),
        'C' => key("C", b"C"),
        _ => key("x", b"x"),
    };
    text.chars().map(read).collect()
}

fn session(group: &'static str, name: &str, numbers: &str, typed: &str) -> Session {
    let sizes: Vec<usize> = numbers.split(' ').flat_map(str::parse).collect();
    // The course does not say where the cursor begins: to the bottom-left field first.
    let home = "l".repeat(sizes[0] - 1) + &"d".repeat(sizes[1] - 1);
    Session {
        group,
        name: name.to_owned(),
        first_line: format!("I {numbers}"),
        keys: match typed {
            "" => Vec::new(),
            typed => keys(&(home + typed)),
        },
    }
}

/// All sessions.
pub(super) fn all() -> Vec<Session> {
    let passed_over = "a player who cannot move is skipped";
    vec![
        session(TURNS, "a move passes the turn on", "4 3 2 2", "s"),
        session(TURNS, "three players take turns", "4 3 3 2", "srsrsrs"),
        session(TURNS, "a field that is taken", "4 3 2 2", "ssc"),
        session(TURNS, "one area too many", "4 3 2 1", "srsrrsc"),
        session(TURNS, "a golden move", "4 3 2 2", "sg"),
        session(TURNS, "a golden move on a free field", "4 3 2 2", "srgc"),
        session(TURNS, "a second golden move", "4 3 2 2", "sgrsgc"),
        session(TURNS, passed_over, "4 1 3 1", "srsrslggrrs"),
        session(KEYS, "G and g", "4 3 2 2", "sGg"),
        session(KEYS, "C passes", "4 3 3 2", "C"),
        session(KEYS, "c passes", "4 3 3 2", "sc"),
        session(KEYS, "the right and the upper wall", "3 2 2 3", "rrrruus"),
        session(KEYS, "the left and the lower wall", "3 2 2 3", "ruldllddds"),
        session(KEYS, "every arrow", "5 4 2 9", "rrusrdslslus"),
        session(KEYS, "keys without a meaning", "4 3 2 2", "-r--s"),
        session(END, "Ctrl-D at once", "4 3 2 2", ""),
        session(END, "Ctrl-D in a game", "5 3 3 2", "srsusls"),
        session(END, "the last field ends the game", "1 1 1 1", "s"),
        session(END, "no move and no golden move left", "2 1 2 1", "srsgg"),
    ]
}

/// A game as the program must play it.
struct Game {
    board: Board,
    turn: Option<Player>,
    at: (u32, u32),
}

impl Game {
    fn begin(first_line: &str) -> Option<Game> {
        let numbers = first_line.strip_prefix("I ")?.split(' ');
        let numbers: Vec<u32> = numbers.map(str::parse).collect::<Result<_, _>>().ok()?;
        let [width, height, players, areas] = numbers[..] else {
            return None;
        };
        Some(Game {
            board: Board::new(width, height, players, areas).ok()?,
            turn: Some(Player::new(0)),
            at: (0, 0),
        })
    }

    /// Does what a key says; `None` once the game is over.
    fn press(&mut self, key: Key) -> Option<()> {
        let player = self.turn?;
        let (x, y) = self.at;
        let is_done = match key.bytes {
            b"\x1b[A" => {
                self.at.1 = (y + 1).min(self.board.height() - 1);
                false
            }
            b"\x1b[B" => {
                self.at.1 = y.saturating_sub(1);
                false
            }
            b"\x1b[C" => {
                self.at.0 = (x + 1).min(self.board.width() - 1);
                false
            }
            b"\x1b[D" => {
                self.at.0 = x.saturating_sub(1);
                false
            }
            b" " => self.board.take(player, x, y).is_ok(),
            b"g" | b"G" => self.board.take_golden(player, x, y).is_ok(),
            b"c" | b"C" => true,
            _ => false,
        };
        if is_done {
            self.turn = self.after(player);
        }
        Some(())
    }

    /// Whose turn it is after a player's; his own comes last.
    fn after(&mut self, player: Player) -> Option<Player> {
        let players = self.board.players();
        let mut next = player;
        for _ in 0..players {
            next = next.next(players);
            if self.board.free_fields(next) > 0 || self.board.golden_possible(next) {
                return Some(next);
            }
        }
        None
    }

    /// The line that says whose turn it is.
    fn prompt(&mut self) -> Option<String> {
        let player = self.turn?;
        let (busy, free) = (
            self.board.busy_fields(player),
            self.board.free_fields(player),
        );
        let golden = match self.board.golden_possible(player) {
            true => " G",
            false => "",
        };
        Some(format!("PLAYER {} {busy} {free}{golden}", player.number()))
    }
}

pub(super) fn shown(session: &Session) -> Option<Shown> {
    let mut game = Game::begin(&session.first_line)?;
    let first_prompt = game.prompt()?;
    for &key in &session.keys {
        game.press(key)?;
    }
    let mut text = vec![0; game.board.text_size()?];
    game.board.write_text(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let sums = (0..game.board.players()).map(|index| {
        let player = Player::new(index);
        let busy = game.board.busy_fields(player);
        [player.number().to_string(), busy.to_string()]
    });
    Some(Shown {
        sums: sums.collect(),
        board: text.lines().map(str::to_owned).collect(),
        first_prompt,
        prompt: game.prompt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_end_with_their_last_key_and_say_what_they_are_for() {
        let shown_of = |name: &str| {
            let session = all().into_iter().find(|session| session.name == name);
            shown(&session.expect("there is such a session")).expect("it can be played")
        };
        for session in all() {
            assert!(shown(&session).is_some(), "{session:?}");
            assert!(GROUPS.contains(&session.group));
        }
        let prompt = |name| shown_of(name).prompt;
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(prompt("a move passes the turn on"), is("PLAYER 2 0 11 G"));
        assert_eq!(prompt("a field that is taken"), is("PLAYER 1 1 11"));
        assert_eq!(prompt("one area too many"), is("PLAYER 2 1 2 G"));
        assert_eq!(prompt("a golden move"), is("PLAYER 1 0 11 G"));
        assert_eq!(prompt("C passes"), is("PLAYER 2 0 12"));
        assert_eq!(
            prompt("a player who cannot move is skipped"),
            is("PLAYER 3 2 0 G")
        );
        assert_eq!(prompt("the last field ends the game"), None);
        assert_eq!(prompt("no move and no golden move left"), None);
        let walls = shown_of("the right and the upper wall");
        assert_eq!(walls.board, ["..1", "..."]);
        assert_eq!(
            walls.sums,
            [["1", "1"], ["2", "0"]].map(|two| two.map(str::to_owned))
        );
    }
}
