//! One game as it is played in the terminal.
//!
//! [`GameHistory`] has the turns, and knows whose turn it is, what a fault costs and how the game
//! ended. A session adds the seats, the clocks, and what can be done again after a take-back.

mod clock;

use std::time::Duration;

use floe_arena::seat::Seat;
use floe_games::record::{Event, GIVEN_UP, PlayedMove};
use floe_games::{
    AnyGame, AnyPosition, Fault, GameHistory, LeadScale, MoveError, Play, Reason, TimeControl, Turn,
};
use floe_rules::{Outcome, Player};

use crate::seat::PlayerSeat;
use crate::texts::t;

/// The origin of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// From a setup and a seed.
    Setup {
        /// The setup's text.
        setup: String,
        /// The seed of the board.
        seed: u64,
    },
    /// With an opening of these moves.
    Opening(Vec<String>),
    /// From a given position.
    Position,
}

/// Undone turns, for a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TakenBack {
    /// The undone turns.
    pub undone: Vec<Turn>,
    /// Number of moves to undo.
    pub moves: usize,
    /// Turns to write again after the undone ones.
    pub standing: Vec<Turn>,
    /// Whether all moves are undone: the game starts again.
    pub is_whole: bool,
}

/// A game with its seats, clocks and undone turns.
#[derive(Debug, Clone)]
pub struct Session {
    history: GameHistory,
    /// The weight of a lead.
    scale: LeadScale,
    origin: Origin,
    seats: Vec<PlayerSeat>,
    /// Undone turns; the next to redo is the last.
    undone: Vec<Turn>,
    time_control: TimeControl,
    /// The players' names, if they differ from their seat specs.
    names: Vec<String>,
}

impl Session {
    /// A game from this position; missing seats repeat the last given one.
    pub fn new(
        start: Box<dyn AnyPosition>,
        origin: Origin,
        seats: impl IntoIterator<Item = impl Into<PlayerSeat>>,
    ) -> Self {
        Session::of(GameHistory::new(start), origin, seats)
    }

    /// A game with these turns; missing seats repeat the last given one.
    pub(crate) fn of(
        history: GameHistory,
        origin: Origin,
        seats: impl IntoIterator<Item = impl Into<PlayerSeat>>,
    ) -> Self {
        let players = history.start().players() as usize;
        let mut seats: Vec<PlayerSeat> = seats.into_iter().map(Into::into).collect();
        let last = seats.last().cloned().unwrap_or(Seat::Human.into());
        seats.resize(players, last);
        Session {
            scale: LeadScale::of(history.start()),
            history,
            origin,
            seats,
            undone: Vec::new(),
            time_control: TimeControl::Unlimited,
            names: Vec::new(),
        }
    }

    /// The game being played.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.start().game()
    }

    /// The game now.
    pub fn play(&self) -> &Play {
        self.history.play()
    }

    /// The position now.
    pub fn position(&self) -> &dyn AnyPosition {
        self.play().position()
    }

    /// The player to move; `None` once the game is over.
    pub(crate) fn turn(&self) -> Option<Player> {
        self.play().turn()
    }

    /// The result and its reason, once the game is over.
    pub(crate) fn result(&self) -> Option<(Outcome, Reason)> {
        self.play().outcome().zip(self.play().reason())
    }

    /// The weight of a lead in this game, the same from first to last turn.
    pub(crate) fn scale(&self) -> LeadScale {
        self.scale
    }

    pub(crate) fn start(&self) -> &dyn AnyPosition {
        self.history.start()
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn seats(&self) -> &[PlayerSeat] {
        &self.seats
    }

    /// All turns, in order.
    pub fn turns(&self) -> &[Turn] {
        self.history.turns()
    }

    #[cfg(test)]
    pub(crate) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// The player to move, and their seat.
    pub(crate) fn mover(&self) -> Option<(Player, &PlayerSeat)> {
        let player = self.turn()?;
        Some((player, &self.seats[player.index()]))
    }

    pub(crate) fn has_humans(&self) -> bool {
        self.seats.iter().any(PlayerSeat::is_human)
    }

    /// Makes a move; what was taken back before cannot be done again then.
    pub(crate) fn make(
        &mut self,
        notation: &str,
        time: Duration,
        note: String,
    ) -> Result<(), MoveError> {
        self.history.make(PlayedMove {
            mv: notation.to_owned(),
            wall_us: microseconds(time),
            note,
            ..PlayedMove::default()
        })?;
        self.undone.clear();
        Ok(())
    }

    /// Gives up the turn; `false` where the rules do not allow it.
    pub(crate) fn give_up(&mut self, time: Duration) -> bool {
        let Some(mover) = self.turn() else {
            return false;
        };
        self.happens(Event::Move(PlayedMove {
            seat: mover.number(),
            mv: GIVEN_UP.to_owned(),
            wall_us: microseconds(time),
            ..PlayedMove::default()
        }))
    }

    /// Puts a player out of the game for a fault. Nothing is done, and `false`, where the game is
    /// over, or the player is out or none of the game's.
    pub(crate) fn put_out(&mut self, fault: Fault) -> bool {
        self.happens(Event::Fault(Box::new(fault)))
    }

    /// Applies an event if it is possible. What was taken back before cannot be done again then.
    pub(crate) fn happens(&mut self, event: Event) -> bool {
        let is_done = self.history.apply(event).is_ok();
        if is_done {
            self.undone.clear();
        }
        is_done
    }

    /// Puts another player into a seat.
    pub(crate) fn seat(&mut self, index: usize, seat: PlayerSeat) {
        self.seats[index] = seat;
    }

    /// Calls the players by these names.
    pub(crate) fn rename(&mut self, names: impl Iterator<Item = String>) {
        self.names = names.collect();
    }

    /// Takes back a fault that was the last thing to happen, alone, so that the program is asked
    /// again; otherwise to the last turn of a human, or by one turn where there are none.
    pub(crate) fn take_back(&mut self) -> TakenBack {
        let is_mine = |turn: &Turn| self.seats[turn.player.index()].is_human();
        let is_fault = self.turns().last().is_some_and(|turn| !turn.is_move());
        let to = match self.has_humans() && !is_fault {
            true => self.turns().iter().rposition(is_mine),
            false => self.turns().len().checked_sub(1),
        };
        let Some(to) = to else {
            return TakenBack::default();
        };
        let undone = self.history.take_back_to(to);
        self.undone.extend(undone.iter().rev().cloned());
        // A record takes back moves, and the faults after them. Where a fault is the first to go,
        // so does the move before it, which is made again, and whatever came between the two.
        let mut back = TakenBack {
            moves: undone.iter().filter(|turn| turn.is_move()).count(),
            undone,
            ..TakenBack::default()
        };
        if back.undone.first().is_some_and(|turn| !turn.is_move()) {
            let before = self.turns().iter().rposition(Turn::is_move);
            back.moves += usize::from(before.is_some());
            back.is_whole = before.is_none();
            back.standing = self.turns()[before.unwrap_or(0)..].to_vec();
        }
        back
    }

    /// Does again what was taken back, up to the next turn of a human. Gives the turns.
    pub(crate) fn redo(&mut self) -> Vec<Turn> {
        let mut again = Vec::new();
        while let Some(turn) = self.undone.pop() {
            if self.history.apply(turn.event.clone()).is_err() {
                self.undone.clear();
                break;
            }
            again.push(turn);
            let is_mine = |(_, seat): (Player, &PlayerSeat)| seat.is_human();
            if !self.has_humans() || self.mover().is_some_and(is_mine) {
                break;
            }
        }
        again
    }

    /// The game after the first `turns` turns.
    pub(crate) fn play_at(&self, turns: usize) -> Play {
        self.history.play_at(turns)
    }

    /// Plays one turn of the game, counted from zero, where there is one.
    pub fn play_turn(&self, play: &mut Play, turn: usize) {
        if let Some(turn) = self.turns().get(turn) {
            // A turn that stands can be made again.
            let _ = play.repeat(&turn.event);
        }
    }

    /// The same game from the start, with all players one seat further.
    pub fn rematch(&self) -> Session {
        let mut seats = self.seats.clone();
        seats.rotate_right(1);
        let mut rematch = Session::new(self.start().clone_position(), self.origin.clone(), seats);
        rematch.time_control = self.time_control;
        rematch
    }

    /// The same game after its first turns, to be played differently. If no person plays, one takes
    /// the seat of the player to move.
    pub(crate) fn branch(&self, turns: usize) -> Session {
        let mut branch = self.clone();
        branch.history.take_back_to(turns);
        branch.undone.clear();
        branch.names.clear();
        if let (Some(turn), false) = (branch.turn(), branch.has_humans()) {
            branch.seats[turn.index()] = Seat::Human.into();
        }
        branch
    }

    /// Whether a player is the only person in the game.
    pub(crate) fn is_you(&self, player: Player) -> bool {
        let humans = self.seats.iter().filter(|seat| seat.is_human()).count();
        let has_name = self.given_name(player).is_some();
        humans == 1 && self.seats[player.index()].is_human() && !has_name
    }

    /// The first person in the game, or the first player.
    pub(crate) fn own_player(&self) -> Player {
        let human = self.seats.iter().position(PlayerSeat::is_human);
        Player::new(human.unwrap_or(0) as u32)
    }

    /// A name that differs from the seat spec.
    fn given_name(&self, player: Player) -> Option<&String> {
        let seat = self.seats[player.index()].to_string();
        let name = self.names.get(player.index())?;
        (*name != seat).then_some(name)
    }

    /// The name of a player for people, which no other player of the game has.
    pub(crate) fn name(&self, player: Player) -> String {
        let own = |player: Player| {
            let seat = &self.seats[player.index()];
            match self.given_name(player) {
                Some(name) => name.clone(),
                None if seat.is_program() => called(&seat.to_string()).to_owned(),
                None => seat.to_string(),
            }
        };
        if self.is_you(player) {
            return t!("you");
        }
        let number = player.number();
        if self.given_name(player).is_none() && self.seats[player.index()].is_human() {
            return t!("player {number}", number);
        }
        let name = own(player);
        let players = Player::all(self.seats.len() as u32);
        let is_shared = players.filter(|one| own(*one) == name).count() > 1;
        match is_shared {
            true => format!("{name} ({number})"),
            false => name,
        }
    }
}

/// A program by its file alone: folders, interpreter and dialect would be all there is room for.
fn called(word: &str) -> &str {
    let has_folder = |part: &&str| part.contains('/');
    let mut parts = word.split_whitespace();
    let file = (parts.clone().find(has_folder)).or(parts.next_back());
    let name = file.and_then(|file| file.rsplit(['/', ':']).next());
    name.filter(|name| !name.is_empty()).unwrap_or(word)
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A random number, short enough to be read out.
pub fn random_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let hasher = std::collections::hash_map::RandomState::new().build_hasher();
    hasher.finish() % 1_000_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(seats: &str) -> Session {
        let game = floe_games::find("gamma").unwrap();
        let start = game.start("4x4", 0).unwrap();
        let seats = super::super::seat::read_all(seats, game).unwrap();
        Session::new(start, Origin::Position, seats)
    }

    fn play(session: &mut Session, moves: &str) {
        for mv in moves.split_whitespace() {
            session
                .make(mv, Duration::from_secs(1), String::new())
                .unwrap();
        }
    }

    #[test]
    fn undo_goes_to_your_own_last_turn_and_redo_comes_back() {
        let mut session = session("human,greedy");
        assert!(session.take_back().undone.is_empty());
        play(&mut session, "a1 d4 a2 d3");
        let before = session.position().write();
        assert_eq!(session.take_back().moves, 2);
        assert_eq!(session.turns().len(), 2);
        assert!(session.mover().unwrap().1.is_human());
        assert_eq!(session.take_back().moves, 2);
        assert!(session.take_back().undone.is_empty());
        assert_eq!(session.redo().len(), 2);
        assert_eq!(session.redo().len(), 2);
        assert_eq!(session.position().write(), before);
        assert!(!session.can_redo());
    }

    #[test]
    fn while_an_engine_thinks_undo_takes_back_your_move() {
        let mut session = session("human,greedy");
        play(&mut session, "a1 d4 a2");
        assert_eq!(session.take_back().moves, 1);
        assert_eq!(session.turns().len(), 2);
    }

    #[test]
    fn an_engine_that_opened_keeps_its_move() {
        let mut session = session("greedy,human");
        play(&mut session, "a1");
        assert!(session.take_back().undone.is_empty());
        play(&mut session, "d4 b1");
        assert_eq!(session.take_back().moves, 2);
        assert_eq!(session.turns().len(), 1);
    }

    #[test]
    fn between_two_people_undo_takes_back_one_move() {
        let mut session = session("human,human");
        play(&mut session, "a1 d4");
        assert_eq!(session.take_back().moves, 1);
        assert_eq!(session.turns().len(), 1);
    }

    #[test]
    fn another_move_forgets_what_was_taken_back() {
        let mut session = session("human,human");
        play(&mut session, "a1 d4");
        session.take_back();
        play(&mut session, "c3");
        assert!(!session.can_redo());
        assert!(session.redo().is_empty());
    }

    #[test]
    fn a_turn_given_up_can_be_taken_back_too() {
        let mut session = session("human");
        assert!(session.give_up(Duration::ZERO));
        assert_eq!(session.turn(), Some(Player::new(1)));
        play(&mut session, "a1");
        session.take_back();
        session.take_back();
        assert_eq!(session.turn(), Some(Player::new(0)));
        assert_eq!(session.redo().len(), 1);
        assert_eq!(session.turn(), Some(Player::new(1)));
    }

    #[test]
    fn programs_are_called_by_their_files() {
        for (word, name) in [
            ("./bot", "bot"),
            ("line:./bots/mimi", "mimi"),
            ("python3 /somewhere/else/penguins.py", "penguins.py"),
            ("python3 ./bot.py --fast", "bot.py"),
            ("line:bot", "bot"),
            ("bot", "bot"),
            ("strange/", "strange/"),
        ] {
            assert_eq!(called(word), name);
        }
    }

    #[test]
    fn a_rematch_changes_sides_on_the_same_board() {
        let mut session = session("human,greedy");
        play(&mut session, "a1");
        let rematch = session.rematch();
        assert!(!rematch.seats()[0].is_human() && rematch.seats()[1].is_human());
        assert_eq!(rematch.position().write(), session.start().write());
    }
}
