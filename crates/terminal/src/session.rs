//! One game as it is played: the position, who sits there, what was done and taken back.
//!
//! Whose turn it is, what a fault costs and how the game ended is [`Play`]'s to say; a session
//! adds the past, the seats and the clocks.

mod clock;

use std::time::Duration;

use floe_arena::seat::Seat;
use floe_games::{AnyGame, AnyPosition, Fault, MoveError, Play, Reason, Scale, TimeControl};
use floe_rules::{Outcome, Player};

use crate::seat::PlayerSeat;

/// Where a game started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// From a setup and a seed.
    Setup {
        /// The setup's text.
        setup: String,
        /// The seed of its board.
        seed: u64,
    },
    /// After an opening of these moves.
    Opening(Vec<String>),
    /// From a position somebody gave.
    Position,
}

/// What was done in one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    Move(String),
    /// The turn was given up.
    GiveUp,
    /// The player was put out for a fault.
    Out(Box<Fault>),
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Who did it. For a fault, whose it was: at the start of a game that may be somebody who is
    /// not to move.
    pub mover: Player,
    pub act: Act,
    pub time: Duration,
    /// What the mover said about it.
    pub note: String,
}

impl Step {
    /// The turn as the list of moves shows it.
    pub fn text(&self) -> &str {
        match &self.act {
            Act::Move(notation) => notation,
            Act::GiveUp => "(gave up)",
            Act::Out(fault) => fault.kind.name(),
        }
    }

    /// The fault, if the turn was one.
    pub fn fault(&self) -> Option<&Fault> {
        match &self.act {
            Act::Out(fault) => Some(fault),
            Act::Move(_) | Act::GiveUp => None,
        }
    }

    /// Whether records count it as a move.
    fn is_move(&self) -> bool {
        self.fault().is_none()
    }
}

/// What was taken back, as a record has to have it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TakenBack {
    /// The turns that do not stand any more.
    pub undone: Vec<Step>,
    /// How many moves to take back.
    pub moves: usize,
    /// What to write once more after that, because it stands.
    pub standing: Vec<Step>,
    /// Whether no move comes before this: the game begins anew.
    pub is_whole: bool,
}

/// A game with its past, and its future if some of it was taken back.
#[derive(Debug, Clone)]
pub struct Session {
    start: Box<dyn AnyPosition>,
    /// How much a lead weighs here.
    scale: Scale,
    play: Play,
    origin: Origin,
    seats: Vec<PlayerSeat>,
    steps: Vec<Step>,
    /// What was taken back, the next one last.
    undone: Vec<Step>,
    clocks: Vec<Duration>,
    time_control: TimeControl,
    /// What the players are called, where that is not who they are.
    names: Vec<String>,
}

impl Session {
    /// A game from this position; missing seats are filled with the last one given.
    pub fn new(
        start: Box<dyn AnyPosition>,
        origin: Origin,
        seats: impl IntoIterator<Item = impl Into<PlayerSeat>>,
    ) -> Self {
        let players = start.players() as usize;
        let mut seats: Vec<PlayerSeat> = seats.into_iter().map(Into::into).collect();
        let last = seats.last().cloned().unwrap_or(Seat::Human.into());
        seats.resize(players, last);
        Session {
            play: Play::new(start.clone()),
            scale: Scale::of(&*start),
            start,
            origin,
            seats,
            steps: Vec::new(),
            undone: Vec::new(),
            clocks: vec![Duration::ZERO; players],
            time_control: TimeControl::Unlimited,
            names: Vec::new(),
        }
    }

    /// The game that is played.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.start.game()
    }

    /// The game as it stands.
    pub fn play(&self) -> &Play {
        &self.play
    }

    /// The position as it stands.
    pub fn position(&self) -> &dyn AnyPosition {
        self.play.position()
    }

    /// Who is to move; `None` once the game is over.
    pub(crate) fn turn(&self) -> Option<Player> {
        self.play.turn()
    }

    /// The result and why the game is over, once it is.
    pub(crate) fn result(&self) -> Option<(Outcome, Reason)> {
        self.play.outcome().zip(self.play.reason())
    }

    /// How much a lead weighs in this game, from its first turn to its last.
    pub(crate) fn scale(&self) -> Scale {
        self.scale
    }

    pub(crate) fn start(&self) -> &dyn AnyPosition {
        &*self.start
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn seats(&self) -> &[PlayerSeat] {
        &self.seats
    }

    /// All turns, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    #[cfg(test)]
    pub(crate) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Who is to move, and who that is.
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
        let mover = self.turn();
        self.play.make(notation)?;
        self.push(mover, Act::Move(notation.to_owned()), time, note);
        Ok(())
    }

    /// Gives up the turn; `false` where the rules do not allow it.
    pub(crate) fn give_up(&mut self, time: Duration) -> bool {
        let mover = self.turn();
        let is_done = self.play.give_up();
        if is_done {
            self.push(mover, Act::GiveUp, time, String::new());
        }
        is_done
    }

    /// Puts a player out of the game for a fault. Nothing is done, and `false`, where the game is
    /// over, or the player is out or none of the game's.
    pub(crate) fn put_out(&mut self, fault: Fault) -> bool {
        let player = Player::from_number(fault.seat);
        let player = player.filter(|player| player.index() < self.seats.len());
        let is_in = |player: &Player| !self.play.out().contains(player);
        let (Some(player), Some(_)) = (player.filter(is_in), self.turn()) else {
            return false;
        };
        self.play.expel(player);
        let time = Duration::from_micros(fault.wall_us);
        self.push(Some(player), Act::Out(Box::new(fault)), time, String::new());
        true
    }

    /// Takes back so many moves, whosever they were, and every fault after the first of them;
    /// `false`, and nothing done, if there are not so many.
    pub(crate) fn drop_moves(&mut self, moves: usize) -> bool {
        let Some(last) = moves.checked_sub(1) else {
            return true;
        };
        let mut made = (self.steps.iter().enumerate().rev()).filter(|(_, step)| step.is_move());
        let Some((to, _)) = made.nth(last) else {
            return false;
        };
        self.steps.truncate(to);
        self.play = self.play_at(to);
        true
    }

    /// Lets somebody else sit there.
    pub(crate) fn seat(&mut self, index: usize, seat: PlayerSeat) {
        self.seats[index] = seat;
    }

    /// Calls the players by these names.
    pub(crate) fn rename(&mut self, names: impl Iterator<Item = String>) {
        self.names = names.collect();
    }

    fn push(&mut self, mover: Option<Player>, act: Act, time: Duration, note: String) {
        let Some(mover) = mover else { return };
        self.undone.clear();
        self.clocks[mover.index()] += time;
        self.steps.push(Step {
            mover,
            act,
            time,
            note,
        });
    }

    /// Takes back a fault that was the last thing to happen, alone, so that the program is asked
    /// again; otherwise to the last turn of a human, or by one turn where there are none.
    pub(crate) fn take_back(&mut self) -> TakenBack {
        let is_mine = |step: &Step| self.seats[step.mover.index()].is_human();
        let is_fault = self.steps.last().is_some_and(|step| !step.is_move());
        let to = match self.has_humans() && !is_fault {
            true => self.steps.iter().rposition(is_mine),
            false => self.steps.len().checked_sub(1),
        };
        let Some(to) = to else {
            return TakenBack::default();
        };
        let undone: Vec<Step> = self.steps.drain(to..).collect();
        self.undone.extend(undone.iter().rev().cloned());
        self.play = self.play_at(to);
        // A record takes back moves, and the faults after them. Where a fault is the first to go,
        // so does the move before it, which is made again, and whatever came between the two.
        let mut back = TakenBack {
            moves: undone.iter().filter(|step| step.is_move()).count(),
            undone,
            ..TakenBack::default()
        };
        if back.undone.first().is_some_and(|step| !step.is_move()) {
            let before = self.steps.iter().rposition(Step::is_move);
            back.moves += usize::from(before.is_some());
            back.is_whole = before.is_none();
            back.standing = self.steps[before.unwrap_or(0)..].to_vec();
        }
        back
    }

    /// Does again what was taken back, up to the next turn of a human. Gives the turns.
    pub(crate) fn redo(&mut self) -> Vec<Step> {
        let mut again = Vec::new();
        while let Some(step) = self.undone.pop() {
            if !apply(&mut self.play, &step) {
                self.undone.clear();
                break;
            }
            again.push(step.clone());
            self.steps.push(step);
            let is_mine = |(_, seat): (Player, &PlayerSeat)| seat.is_human();
            if !self.has_humans() || self.mover().is_some_and(is_mine) {
                break;
            }
        }
        again
    }

    /// The game after the first `turns` turns. Costs these moves.
    pub(crate) fn play_at(&self, turns: usize) -> Play {
        let mut play = Play::new(self.start.clone());
        for step in self.steps.iter().take(turns) {
            apply(&mut play, step);
        }
        play
    }

    /// Plays one turn of the game, counted from zero, where there is one.
    pub fn play_turn(&self, play: &mut Play, turn: usize) {
        if let Some(step) = self.steps.get(turn) {
            apply(play, step);
        }
    }

    /// The same game from the start, with everybody one seat further.
    pub fn rematch(&self) -> Session {
        let mut seats = self.seats.clone();
        seats.rotate_right(1);
        let mut rematch = Session::new(self.start.clone(), self.origin.clone(), seats);
        rematch.time_control = self.time_control;
        rematch
    }

    /// The name of a player for people.
    pub(crate) fn name(&self, player: Player) -> String {
        let seat = &self.seats[player.index()];
        let humans = self.seats.iter().filter(|seat| seat.is_human()).count();
        match seat {
            seat if (self.names.get(player.index()))
                .is_some_and(|name| *name != seat.to_string()) =>
            {
                self.names[player.index()].clone()
            }
            seat if seat.is_human() && humans == 1 => "you".to_owned(),
            seat if seat.is_program() => called(&seat.to_string()).to_owned(),
            seat => seat.to_string(),
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

fn apply(play: &mut Play, step: &Step) -> bool {
    match &step.act {
        Act::Move(notation) => play.make(notation).is_ok(),
        Act::GiveUp => play.give_up(),
        Act::Out(_) => {
            play.expel(step.mover);
            true
        }
    }
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
        assert_eq!(session.steps().len(), 2);
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
        assert_eq!(session.steps().len(), 2);
    }

    #[test]
    fn an_engine_that_opened_keeps_its_move() {
        let mut session = session("greedy,human");
        play(&mut session, "a1");
        assert!(session.take_back().undone.is_empty());
        play(&mut session, "d4 b1");
        assert_eq!(session.take_back().moves, 2);
        assert_eq!(session.steps().len(), 1);
    }

    #[test]
    fn between_two_people_undo_takes_back_one_move() {
        let mut session = session("human,human");
        play(&mut session, "a1 d4");
        assert_eq!(session.take_back().moves, 1);
        assert_eq!(session.steps().len(), 1);
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
