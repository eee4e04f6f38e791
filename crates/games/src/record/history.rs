use std::time::Duration;

use floe_rules::Player;
use thiserror::Error;

use super::line::{End, Event, GIVEN_UP, PlayedMove};
use crate::error::MoveError;
use crate::face::AnyPosition;
use crate::fault::Fault;
use crate::play::Play;

/// A game with the turns that led to where it stands.
///
/// It is made from the events of a record, or from moves and faults as they happen. A
/// [`Back`](Event::Back) takes back as many moves as it says, and every fault after the first of
/// them.
///
/// ```
/// use floe_games::GameHistory;
/// use floe_games::record::{Back, Event, PlayedMove};
/// let mut history = GameHistory::new(floe_games::find("gamma")?.start("4x4", 1)?);
/// let made = |seat, mv: &str| Event::Move(PlayedMove { seat, mv: mv.into(), ..Default::default() });
/// history.apply(made(1, "a1"))?;
/// history.apply(made(2, "d4"))?;
/// history.apply(Event::Back(Back { moves: 1 }))?;
/// assert_eq!(history.turns().len(), 1);
/// assert_eq!(history.play().turn().unwrap().number(), 2);
/// // An impossible event changes nothing.
/// let error = history.apply(made(1, "b2")).unwrap_err();
/// assert_eq!(error.to_string(), "b2 by seat 1, and it is the turn of seat 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct GameHistory {
    start: Box<dyn AnyPosition>,
    play: Play,
    turns: Vec<Turn>,
    /// Number of turns that are moves.
    moves: usize,
    /// Earlier stages of the game with their numbers of turns, latest last. Made when turns are
    /// undone, at half the way, three quarters and so on: undoing n turns one by one costs n log n
    /// moves and log n stages. Also made during play, if requested.
    frames: Vec<(usize, Play)>,
    /// Stages to make during play.
    stages: usize,
    /// Number of turns between two stored stages.
    spacing: usize,
}

/// The turns between two stages of a game, at first.
const SPACING: usize = 8;

/// A turn that was not undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The player of the move or the fault. At the start of a game, a fault may belong to a player
    /// who is not to move.
    pub player: Player,
    /// A move or a fault.
    pub event: Event,
}

impl Turn {
    /// The move; `None` for a pass, and for a fault.
    pub fn mv(&self) -> Option<&str> {
        match &self.event {
            Event::Move(made) if made.mv != GIVEN_UP => Some(&made.mv),
            Event::Move(_) | Event::Fault(_) | Event::Back(_) => None,
        }
    }

    /// The fault, if the turn was one.
    pub fn fault(&self) -> Option<&Fault> {
        match &self.event {
            Event::Fault(fault) => Some(fault),
            Event::Move(_) | Event::Back(_) => None,
        }
    }

    /// Whether records count the turn as a move: a pass is one, a fault is not.
    pub fn is_move(&self) -> bool {
        matches!(self.event, Event::Move(_))
    }

    /// The turn's text in a list of moves.
    pub fn text(&self) -> &str {
        match &self.event {
            Event::Move(made) if made.mv == GIVEN_UP => "(gave up)",
            Event::Move(made) => &made.mv,
            Event::Fault(fault) => fault.kind.name(),
            Event::Back(_) => "",
        }
    }

    /// Wall time the player used.
    pub fn time(&self) -> Duration {
        Duration::from_micros(match &self.event {
            Event::Move(made) => made.wall_us,
            Event::Fault(fault) => fault.wall_us,
            Event::Back(_) => 0,
        })
    }

    /// The player's remark on the move.
    pub fn note(&self) -> &str {
        match &self.event {
            Event::Move(made) => &made.note,
            Event::Fault(_) | Event::Back(_) => "",
        }
    }
}

/// The reason why an event of a record is impossible.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EventError {
    /// The player of the move is not to move.
    #[error("{mv} by seat {seat}, and it is {}", whose(*.turn))]
    NotTheirTurn {
        /// The move.
        mv: String,
        /// The seat in the record, from 1.
        seat: u32,
        /// The player to move.
        turn: Option<Player>,
    },
    /// A move the rules do not allow.
    #[error("{mv}: {cause}")]
    Move {
        /// The move.
        mv: String,
        /// The cause.
        cause: MoveError,
    },
    /// A pass in a game that does not allow it.
    #[error("this game has no passing")]
    NoGivingUp,
    /// More moves are undone than were made.
    #[error("more moves are undone than were made")]
    TooFarBack,
    /// A fault after the end.
    #[error("a fault of seat {0}, and the game is over")]
    FaultAfterEnd(u32),
    /// A fault of a disqualified player.
    #[error("a fault of seat {0}, which was already disqualified")]
    FaultWhenOut(u32),
    /// The fault names a seat that does not exist.
    #[error("there is no seat {0}")]
    NoSuchSeat(u32),
}

fn whose(turn: Option<Player>) -> String {
    match turn {
        None => "no player's turn".to_owned(),
        Some(player) => format!("the turn of seat {player}"),
    }
}

impl GameHistory {
    /// A game that starts at this position.
    pub fn new(start: Box<dyn AnyPosition>) -> Self {
        GameHistory {
            play: Play::new(start.clone()),
            start,
            turns: Vec::new(),
            moves: 0,
            frames: Vec::new(),
            stages: 0,
            spacing: SPACING,
        }
    }

    /// The same game with up to this many stages in memory: reaching any earlier one costs a small
    /// part of its moves. Each stage takes as much memory as a position.
    #[must_use]
    pub fn with_stages(mut self, most: usize) -> Self {
        self.stages = most;
        self
    }

    /// The start position.
    pub fn start(&self) -> &dyn AnyPosition {
        &*self.start
    }

    /// The game now.
    pub fn play(&self) -> &Play {
        &self.play
    }

    /// The turns, in order, without undone ones.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Number of turns that are moves.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Number of a player's turns, and their wall time.
    pub fn used(&self, player: Player) -> (u32, Duration) {
        let own = self.turns.iter().filter(|turn| turn.player == player);
        own.fold((0, Duration::ZERO), |(turns, used), turn| {
            (turns + 1, used + turn.time())
        })
    }

    /// Makes the move of the player to move; an illegal move changes nothing. The seat is filled
    /// in.
    pub fn make(&mut self, mut made: PlayedMove) -> Result<(), MoveError> {
        let mover = self.play.turn();
        self.play.make(&made.mv)?;
        if let Some(player) = mover {
            made.seat = player.number();
            self.push(player, Event::Move(made));
        }
        Ok(())
    }

    /// Applies an event of a record; an impossible one changes nothing. Costs the move; a
    /// [`Back`](Event::Back) costs the moves from an earlier stage.
    pub fn apply(&mut self, event: Event) -> Result<(), EventError> {
        let Event::Back(back) = event else {
            let player = self.play.repeat(&event)?;
            self.push(player, event);
            return Ok(());
        };
        let Some(last) = (back.moves as usize).checked_sub(1) else {
            return Ok(());
        };
        let made = self.turns.iter().enumerate().rev();
        let mut made = made.filter(|(_, turn)| turn.is_move());
        let (left, _) = made.nth(last).ok_or(EventError::TooFarBack)?;
        self.take_back_to(left);
        Ok(())
    }

    fn push(&mut self, player: Player, event: Event) {
        self.moves += usize::from(matches!(event, Event::Move(_)));
        self.turns.push(Turn { player, event });
        self.keep_stage();
    }

    /// Stores the current game as a stage, if enough turns have passed since the last one. If there
    /// are too many stages, every second one is dropped.
    fn keep_stage(&mut self) {
        let last = self.frames.last().map_or(0, |(at, _)| *at);
        if self.stages == 0 || self.turns.len() < last + self.spacing {
            return;
        }
        if self.frames.len() >= self.stages {
            let mut is_odd = true;
            self.frames.retain(|_| {
                is_odd = !is_odd;
                is_odd
            });
            self.spacing *= 2;
        }
        self.frames.push((self.turns.len(), self.play.clone()));
    }

    /// Undoes all turns after the first `turns`, and returns them.
    pub fn take_back_to(&mut self, turns: usize) -> Vec<Turn> {
        if turns >= self.turns.len() {
            return Vec::new();
        }
        let undone = self.turns.split_off(turns);
        self.moves -= undone.iter().filter(|turn| turn.is_move()).count();
        while self.frames.last().is_some_and(|(at, _)| *at > turns) {
            self.frames.pop();
        }
        let (mut at, mut play) = self.stage_before(turns);
        while at < turns {
            let half = at + (turns - at).div_ceil(2);
            self.repeat(&mut play, at, half);
            if half < turns {
                self.frames.push((half, play.clone()));
            }
            at = half;
        }
        self.play = play;
        undone
    }

    /// The game after the first `turns` turns. Costs the moves from an earlier stage.
    pub fn play_at(&self, turns: usize) -> Play {
        let turns = turns.min(self.turns.len());
        if turns == self.turns.len() {
            return self.play.clone();
        }
        let (at, mut play) = self.stage_before(turns);
        self.repeat(&mut play, at, turns);
        play
    }

    /// The latest stored stage at or before this many turns, with its number of turns.
    fn stage_before(&self, turns: usize) -> (usize, Play) {
        let frame = self.frames.iter().rev().find(|(at, _)| *at <= turns);
        frame.map_or_else(|| (0, Play::new(self.start.clone())), Clone::clone)
    }

    fn repeat(&self, play: &mut Play, from: usize, to: usize) {
        for turn in &self.turns[from..to] {
            let repeated = play.repeat(&turn.event);
            debug_assert!(repeated.is_ok(), "a turn that stood can be made again");
        }
    }

    /// The program's standard error at this turn, to extend or shorten it.
    pub fn stderr_mut(&mut self, turn: usize) -> Option<&mut String> {
        match &mut self.turns.get_mut(turn)?.event {
            Event::Move(made) => Some(&mut made.stderr),
            Event::Fault(fault) => Some(&mut fault.stderr),
            Event::Back(_) => None,
        }
    }

    /// The game now, without its turns.
    pub fn into_play(self) -> Play {
        self.play
    }

    /// The events of the turns, without undone ones.
    pub fn into_events(self) -> Vec<Event> {
        self.turns.into_iter().map(|turn| turn.event).collect()
    }
}

impl Play {
    /// The end of the game for a record, once the game is over.
    pub fn end(&self) -> Option<End> {
        let (outcome, reason) = self.outcome().zip(self.reason())?;
        Some(End {
            scores: outcome.scores().to_vec(),
            places: outcome.places().to_vec(),
            reason,
        })
    }

    /// Repeats an event of a record, and returns its player. An impossible event changes nothing. A
    /// play stores no turns, so undoing them is [`EventError::TooFarBack`].
    pub fn repeat(&mut self, event: &Event) -> Result<Player, EventError> {
        match event {
            Event::Move(made) => {
                let turn = self.turn();
                let Some(player) = turn.filter(|player| player.number() == made.seat) else {
                    return Err(EventError::NotTheirTurn {
                        mv: made.mv.clone(),
                        seat: made.seat,
                        turn,
                    });
                };
                if made.mv == GIVEN_UP {
                    let is_done = self.give_up();
                    return is_done.then_some(player).ok_or(EventError::NoGivingUp);
                }
                self.make(&made.mv).map_err(|cause| EventError::Move {
                    mv: made.mv.clone(),
                    cause,
                })?;
                Ok(player)
            }
            Event::Back(_) => Err(EventError::TooFarBack),
            Event::Fault(fault) => {
                let player = Player::from_number(fault.seat);
                let is_there = |player: &Player| player.number() <= self.position().players();
                let player = player.filter(is_there);
                let player = player.ok_or(EventError::NoSuchSeat(fault.seat))?;
                if self.turn().is_none() {
                    return Err(EventError::FaultAfterEnd(fault.seat));
                }
                if self.out().contains(&player) {
                    return Err(EventError::FaultWhenOut(fault.seat));
                }
                self.expel(player);
                Ok(player)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FaultKind;
    use crate::record::Back;

    #[test]
    fn a_fault_before_what_is_taken_back_stands() {
        let start = crate::find("gamma").unwrap().start("5x5,players=3", 1);
        let mut history = GameHistory::new(start.unwrap());
        let fault = Fault::new(Player::new(0), FaultKind::Crash, "gone");
        history.apply(Event::Fault(Box::new(fault))).unwrap();
        for _ in 0..3 {
            let seat = history.play().turn().unwrap().number();
            let mv = history.play().position().moves()[0].clone();
            let made = PlayedMove {
                seat,
                mv,
                ..PlayedMove::default()
            };
            history.apply(Event::Move(made)).unwrap();
        }
        history.apply(Event::Back(Back { moves: 2 })).unwrap();
        assert_eq!(history.turns().len(), 2);
        assert_eq!(history.play().out(), [Player::new(0)]);
        let error = history.apply(Event::Back(Back { moves: 2 })).unwrap_err();
        assert!(matches!(error, EventError::TooFarBack));
        assert_eq!(history.turns().len(), 2, "nothing has changed");
    }

    /// Plays a game to its end with moves from all over the board; `look` sees it after each. The
    /// position before the first move, and after each of them.
    fn play_out(history: &mut GameHistory, look: impl Fn(&GameHistory)) -> Vec<String> {
        let mut texts = vec![history.play().position().write()];
        while history.play().turn().is_some() {
            let moves = history.play().position().moves();
            let mv = moves[texts.len() * 7 % moves.len()].clone();
            let made = PlayedMove {
                mv,
                ..PlayedMove::default()
            };
            history.make(made).unwrap();
            texts.push(history.play().position().write());
            look(history);
        }
        texts
    }

    #[test]
    fn a_long_game_has_few_stages_and_every_one_of_them_is_right() {
        let start = || crate::find("gamma").unwrap().start("16x16", 1).unwrap();
        let mut history = GameHistory::new(start()).with_stages(4);
        let texts = play_out(&mut history, |history| assert!(history.frames.len() <= 4));
        let all = history.turns().len();
        assert!(all > 100 && history.frames.len() >= 2, "{all}");
        for turns in (0..=all).rev().step_by(3) {
            assert_eq!(history.play_at(turns).position().write(), texts[turns]);
        }
        // Earlier stages are no further away than the last of them are from each other.
        let spacing = history.spacing;
        let mut last = 0;
        for (at, _) in &history.frames {
            assert!(at - last <= spacing, "{at} after {last}");
            last = *at;
        }
        assert!(all - last < spacing);
    }

    #[test]
    fn every_stage_is_found_again_however_turns_are_taken_back() {
        for game in crate::games() {
            let mut history = GameHistory::new(game.start(&game.default_setup(), 3).unwrap());
            let texts = play_out(&mut history, |_| ());
            let all = history.turns().len();
            let mut whole = history.clone();
            for step in [1, 2, 5, all / 3 + 1] {
                let mut history = history.clone();
                while !history.turns().is_empty() {
                    let to = history.turns().len().saturating_sub(step);
                    let undone = history.take_back_to(to);
                    assert_eq!(history.play().position().write(), texts[to]);
                    assert_eq!(
                        (history.moves(), undone[0].text()),
                        (to, whole.turns()[to].text())
                    );
                    let early = history.play_at(to / 2);
                    assert_eq!(early.position().write(), texts[to / 2]);
                    assert!(history.frames.len() <= 2 + all.ilog2() as usize * 2);
                }
            }
            assert!(whole.take_back_to(all).is_empty());
            assert_eq!(whole.play().position().write(), texts[all]);
        }
    }
}
