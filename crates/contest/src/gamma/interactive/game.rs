//! The state of the game on the screen: the turn, the cursor and the keys.

use floe_rules::Player;
use floe_rules::gamma::{Board, Refusal};

use super::super::session::draw;
use super::{Decoder, Key};

/// An interactive game.
///
/// ```
/// use floe_contest::gamma::interactive::InteractiveGame;
/// use floe_rules::gamma::Board;
///
/// let mut table = InteractiveGame::new(Board::new(3, 2, 2, 1)?);
/// assert_eq!(table.status(), "PLAYER 1 0 6");
/// table.byte(b' ');
/// assert_eq!(table.status(), "PLAYER 2 0 5 G");
/// table.byte(0x04);
/// assert!(table.is_over());
/// assert_eq!(table.final_board().unwrap(), b"...\n1..\n");
/// # Ok::<(), floe_rules::gamma::NewError>(())
/// ```
#[derive(Debug)]
pub struct InteractiveGame {
    board: Board,
    turn: Option<Player>,
    column: u32,
    row: u32,
    note: String,
    decoder: Decoder,
}

impl InteractiveGame {
    /// A game before its first move: player 1 is to move, the cursor at the bottom-left.
    pub fn new(board: Board) -> Self {
        InteractiveGame {
            board,
            turn: Some(Player::new(0)),
            column: 0,
            row: 0,
            note: String::new(),
            decoder: Decoder::default(),
        }
    }

    /// The next byte of the keyboard; costs O(1), or the cost of its key's action.
    pub fn byte(&mut self, byte: u8) {
        if let Some(key) = self.decoder.key(byte) {
            self.press(key);
        }
    }

    /// Whether the game has ended; keys then do nothing.
    pub fn is_over(&self) -> bool {
        self.turn.is_none()
    }

    /// The player to move; `None` once the game has ended.
    pub fn turn(&self) -> Option<Player> {
        self.turn
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The column and the row of the cursor, from the bottom-left field.
    pub fn cursor(&self) -> (u32, u32) {
        (self.column, self.row)
    }

    /// The note of the last key: why it did nothing, or which players were skipped.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The line under the board: the number of the player to move, fields held, fields the player
    /// could take, and `G` while a golden move is possible.
    pub fn status(&mut self) -> String {
        let Some(player) = self.turn else {
            return "the game is over".to_owned();
        };
        let busy = self.board.busy_fields(player);
        let free = self.board.free_fields(player);
        let golden = if self.board.golden_possible(player) {
            " G"
        } else {
            ""
        };
        format!("PLAYER {player} {busy} {free}{golden}")
    }

    /// The areas of the player to move, and the limit; empty once the game has ended.
    pub fn areas_used(&self) -> String {
        let limit = self.board.areas();
        self.turn.map_or(String::new(), |player| {
            let used = self.board.area_count(player);
            format!("{used} of {limit} {}", areas(limit))
        })
    }

    /// The winner, in words.
    pub fn winner(&self) -> String {
        let mut best = 0;
        let mut winners = Vec::new();
        // A player without fields has not won, so most of the four billion possible players are
        // never visited.
        for player in Player::all(self.board.players()) {
            let busy = self.board.busy_fields(player);
            if busy > best {
                best = busy;
                winners.clear();
            }
            if busy == best && busy > 0 {
                winners.push(player);
            }
        }
        let fields = if best == 1 { "field" } else { "fields" };
        match winners.as_slice() {
            [] => "no player holds a field".to_owned(),
            [player] => format!("player {player} wins with {best} {fields}"),
            [first @ .., last] if first.len() < 9 => {
                let first: Vec<String> = first.iter().map(Player::to_string).collect();
                let first = first.join(", ");
                format!("players {first} and {last} share the win with {best} {fields} each")
            }
            many => format!(
                "{} players share the win with {best} {fields} each",
                many.len()
            ),
        }
    }

    /// The final board; `None` if there is not enough memory for its text.
    pub fn final_board(&self) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        draw(&mut text, &self.board)?;
        Some(text)
    }

    /// Handles a key. Everything but a move costs O(1); finding the next player costs one query of
    /// the board per player.
    pub fn press(&mut self, key: Key) {
        let Some(player) = self.turn else { return };
        self.note.clear();
        match key {
            Key::Up => self.row = (self.row + 1).min(self.board.height() - 1),
            Key::Down => self.row = self.row.saturating_sub(1),
            Key::Right => self.column = (self.column + 1).min(self.board.width() - 1),
            Key::Left => self.column = self.column.saturating_sub(1),
            Key::Take => {
                let made = self.board.take(player, self.column, self.row);
                self.follow(player, made);
            }
            Key::Golden => {
                let made = self.board.take_golden(player, self.column, self.row);
                self.follow(player, made);
            }
            Key::GiveUp => {
                self.note = format!("player {player} passes");
                self.pass_on(player);
            }
            Key::End => self.turn = None,
        }
    }

    fn follow(&mut self, player: Player, made: Result<(), Refusal>) {
        match made {
            Ok(()) => self.pass_on(player),
            Err(refusal) => self.note = self.reason(player, refusal),
        }
    }

    /// The reason why a field was refused, for the person at the keyboard.
    fn reason(&self, player: Player, refusal: Refusal) -> String {
        let limit = self.board.areas();
        let owner = self.board.owner(self.column, self.row);
        match (refusal, owner) {
            (Refusal::Occupied, Some(owner)) if owner == player => "it is yours already".into(),
            (Refusal::Occupied, Some(owner)) if self.board.has_golden(player) => {
                format!("player {owner} holds it: only the golden move (G) takes it")
            }
            (Refusal::Occupied, Some(owner)) => format!("player {owner} holds it"),
            (Refusal::TooManyAreas, _) => {
                format!("you would have more than {limit} {}", areas(limit))
            }
            (Refusal::VictimSplits, Some(owner)) => {
                format!(
                    "player {owner} would have more than {limit} {}",
                    areas(limit)
                )
            }
            (Refusal::Free, _) => "it is free: space takes it".into(),
            (Refusal::Own, _) => "it is yours already".into(),
            (Refusal::GoldenUsed, _) => "your golden move is used up".into(),
            (other, _) => other.to_string(),
        }
    }

    /// Passes the turn to the next player after `player` who can move; `player` comes last.
    fn pass_on(&mut self, player: Player) {
        let players = self.board.players();
        let mut next = player;
        let mut passed = 0_u32;
        self.turn = None;
        for _ in 0..players {
            next = next.next(players);
            if self.board.free_fields(next) > 0 || self.board.golden_possible(next) {
                self.turn = Some(next);
                break;
            }
            passed += 1;
        }
        if self.turn.is_none() || passed == 0 {
            return;
        }
        if !self.note.is_empty() {
            self.note += "; ";
        }
        self.note += &match passed {
            1 => format!("player {} is skipped", player.next(players)),
            _ => format!("{passed} players are skipped"),
        };
    }
}

fn areas(limit: u32) -> &'static str {
    if limit == 1 { "area" } else { "areas" }
}

#[cfg(test)]
mod tests {
    use floe_rules::gamma::{GammaPosition, Move};
    use floe_rules::{Position, Square};
    use proptest::prelude::*;

    use super::*;

    const UP: &[u8] = b"\x1b[A";
    const DOWN: &[u8] = b"\x1b[B";
    const RIGHT: &[u8] = b"\x1b[C";
    const LEFT: &[u8] = b"\x1b[D";

    fn table(width: u32, height: u32, players: u32, areas: u32) -> InteractiveGame {
        InteractiveGame::new(Board::new(width, height, players, areas).unwrap())
    }

    fn type_in(table: &mut InteractiveGame, parts: &[&[u8]]) {
        for &byte in parts.iter().copied().flatten() {
            table.byte(byte);
        }
    }

    fn text(table: &InteractiveGame) -> String {
        String::from_utf8(table.final_board().unwrap()).unwrap()
    }

    #[test]
    fn the_cursor_starts_at_the_bottom_left_and_walls_are_rigid() {
        let mut table = table(3, 2, 1, 1);
        assert_eq!(table.cursor(), (0, 0));
        type_in(&mut table, &[LEFT, DOWN]);
        assert_eq!(table.cursor(), (0, 0));
        type_in(&mut table, &[UP, UP, UP, RIGHT, RIGHT, RIGHT, RIGHT]);
        assert_eq!(table.cursor(), (2, 1));
        type_in(&mut table, &[LEFT, DOWN]);
        assert_eq!(table.cursor(), (1, 0));
        assert_eq!(table.status(), "PLAYER 1 0 6");
    }

    #[test]
    fn a_game_to_its_end_with_golden_moves() {
        let mut table = table(2, 1, 2, 1);
        type_in(&mut table, &[b" ", RIGHT, b" "]);
        assert_eq!(table.status(), "PLAYER 1 1 0 G");
        type_in(&mut table, &[b"G"]);
        assert_eq!(table.status(), "PLAYER 2 0 0 G");
        type_in(&mut table, &[b"g"]);
        assert!(table.is_over(), "{}", table.status());
        assert_eq!(text(&table), "12\n");
        type_in(&mut table, &[b" g", LEFT]);
        assert_eq!(table.cursor(), (1, 0), "keys do nothing any more");
    }

    #[test]
    fn wrong_actions_say_why_and_change_nothing() {
        let mut table = table(4, 1, 2, 1);
        type_in(&mut table, &[b"g"]);
        assert_eq!(table.note(), "it is free: space takes it");
        assert_eq!(table.turn(), Player::from_number(1));
        type_in(&mut table, &[b" ", b" "]);
        assert_eq!(
            table.note(),
            "player 1 holds it: only the golden move (G) takes it"
        );
        type_in(&mut table, &[RIGHT, RIGHT, b" ", b" "]);
        assert_eq!(
            table.note(),
            "player 2 holds it: only the golden move (G) takes it"
        );
        assert_eq!(table.status(), "PLAYER 1 1 1");
        type_in(&mut table, &[RIGHT, b" "]);
        assert_eq!(table.note(), "you would have more than 1 area");
        type_in(&mut table, &[LEFT, b"G"]);
        assert_eq!(table.note(), "you would have more than 1 area");
        type_in(&mut table, &[LEFT, b" "]);
        assert_eq!(table.status(), "PLAYER 2 1 1 G");
        assert_eq!(text(&table), "112.\n");
        type_in(&mut table, &[RIGHT, b" "]);
        assert_eq!(table.note(), "it is yours already");
        type_in(&mut table, &[LEFT, b"G"]);
        assert_eq!(text(&table), "122.\n");
        assert_eq!(table.status(), "PLAYER 1 1 0 G");
        type_in(&mut table, &[b"G"]);
        assert_eq!(table.status(), "PLAYER 2 1 1");
        type_in(&mut table, &[b"G"]);
        assert_eq!(table.note(), "your golden move is used up");
        type_in(&mut table, &[b" "]);
        assert_eq!(table.note(), "player 1 holds it");
    }

    #[test]
    fn a_split_victim_is_named() {
        let mut table = table(3, 2, 2, 1);
        // 1 takes the whole bottom row, 2 the field above its middle.
        type_in(&mut table, &[b" ", UP, RIGHT, b" ", DOWN, b" "]);
        type_in(&mut table, &[b"c", RIGHT, b" ", LEFT, b"g"]);
        assert_eq!(text(&table), ".2.\n111\n");
        assert_eq!(table.note(), "player 1 would have more than 1 area");
        assert_eq!(table.turn(), Player::from_number(2));
    }

    #[test]
    fn giving_up_and_passing_over_are_told() {
        let mut table = table(3, 1, 3, 1);
        type_in(&mut table, &[b"c"]);
        assert_eq!(table.note(), "player 1 passes");
        assert_eq!(table.status(), "PLAYER 2 0 3");
        // 2 at the left, 3 in the middle, 1 at the right, and every golden move is made.
        type_in(&mut table, &[b" ", RIGHT, b" ", RIGHT, b" "]);
        assert_eq!(table.status(), "PLAYER 2 1 0 G");
        type_in(&mut table, &[LEFT, b"g"]);
        assert_eq!(table.status(), "PLAYER 3 0 0 G");
        type_in(&mut table, &[b"g"]);
        assert_eq!(text(&table), "231\n");
        assert_eq!(table.status(), "PLAYER 1 1 0 G");
        type_in(&mut table, &[b"g"]);
        assert_eq!(text(&table), "211\n");
        assert!(table.is_over() || table.note().contains("skipped"));
    }

    #[test]
    fn control_d_ends_at_once_and_one_is_enough() {
        let mut table = table(2, 2, 2, 2);
        type_in(&mut table, &[b" ", b"\x04", b" "]);
        assert!(table.is_over());
        assert_eq!(text(&table), "..\n1.\n");
    }

    #[test]
    fn the_largest_numbers_of_players_are_no_trouble() {
        let mut table = table(1, 1, u32::MAX, u32::MAX);
        type_in(&mut table, &[b" "]);
        assert_eq!(table.status(), "PLAYER 2 0 0 G");
        type_in(&mut table, &[b"c"]);
        assert_eq!(table.turn(), Player::from_number(3));
    }

    proptest! {
        /// As long as no player passes, this is the game with turns that the rules know.
        #[test]
        fn turns_go_as_the_rules_say(
            sizes in (1_u32..5, 1_u32..5, 1_u32..5, 1_u32..4),
            keys in proptest::collection::vec(
                proptest::sample::select(
                    &[Key::Up, Key::Down, Key::Left, Key::Right, Key::Take, Key::Take, Key::Golden][..],
                ),
                0..300,
            ),
        ) {
            let (width, height, players, areas) = sizes;
            let mut table = table(width, height, players, areas);
            let mut position = GammaPosition::new(Board::new(width, height, players, areas).unwrap());
            for key in keys {
                let (x, y) = table.cursor();
                let mv = Move { to: Square::new(x, y), golden: key == Key::Golden };
                if matches!(key, Key::Take | Key::Golden) && !table.is_over() {
                    let played = position.play(mv);
                    table.press(key);
                    prop_assert_eq!(played.is_err(), !table.note().is_empty()
                        && !table.note().contains("skipped"));
                } else {
                    table.press(key);
                }
                prop_assert_eq!(table.turn(), position.turn());
                prop_assert_eq!(table.board(), position.board());
            }
        }
    }
}
