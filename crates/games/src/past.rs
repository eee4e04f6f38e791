use floe_rules::Player;
use thiserror::Error;

use crate::error::MoveError;
use crate::face::AnyPosition;
use crate::play::Play;
use crate::record::Event;
use crate::record::GIVEN_UP;

/// A game with the turns that stand, made from the events of its record as they happen.
///
/// A [`Back`](Event::Back) takes back so many moves, and every fault after the first of them.
///
/// ```
/// use floe_games::Past;
/// use floe_games::record::{Back, Event, PlayedMove};
/// let mut past = Past::new(floe_games::find("gamma")?.start("4x4", 1)?);
/// let made = |seat, mv: &str| Event::Move(PlayedMove { seat, mv: mv.into(), ..Default::default() });
/// past.apply(&made(1, "a1"))?;
/// past.apply(&made(2, "d4"))?;
/// past.apply(&Event::Back(Back { moves: 1 }))?;
/// assert_eq!(past.turns().len(), 1);
/// assert_eq!(past.play().turn().unwrap().number(), 2);
/// // What cannot be changes nothing.
/// let error = past.apply(&made(1, "b2")).unwrap_err();
/// assert_eq!(error.to_string(), "b2 by seat 1, and it is the turn of seat 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Past {
    start: Box<dyn AnyPosition>,
    play: Play,
    turns: Vec<Turn>,
}

/// A turn that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Who made the move, or whose fault it was.
    pub player: Player,
    /// A move or a fault.
    pub event: Event,
}

/// Why an event of a record cannot have happened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EventError {
    /// A move of somebody who is not to move.
    #[error("{mv} by seat {seat}, and it is {}", whose(*.turn))]
    NotTheirTurn {
        /// The move.
        mv: String,
        /// The seat it is said to be of, from 1.
        seat: u32,
        /// Who is to move.
        turn: Option<Player>,
    },
    /// A move the rules do not allow.
    #[error("{mv}: {cause}")]
    Move {
        /// The move.
        mv: String,
        /// Why not.
        cause: MoveError,
    },
    /// A turn given up in a game where it cannot be.
    #[error("the turn cannot be given up")]
    NoGivingUp,
    /// More moves taken back than were made.
    #[error("more moves taken back than made")]
    TooFarBack,
    /// A fault after the end.
    #[error("a fault of seat {0}, and the game is over")]
    FaultAfterEnd(u32),
    /// A fault of somebody who is out.
    #[error("a fault of seat {0}, who is out of the game")]
    FaultWhenOut(u32),
    /// A fault of nobody.
    #[error("there is no seat {0}")]
    NoSuchSeat(u32),
}

fn whose(turn: Option<Player>) -> String {
    match turn {
        None => "nobody's turn".to_owned(),
        Some(player) => format!("the turn of seat {player}"),
    }
}

impl Past {
    /// A game that starts at this position.
    pub fn new(start: Box<dyn AnyPosition>) -> Self {
        Past {
            play: Play::new(start.clone()),
            start,
            turns: Vec::new(),
        }
    }

    /// Where it started.
    pub fn start(&self) -> &dyn AnyPosition {
        &*self.start
    }

    /// The game as it stands.
    pub fn play(&self) -> &Play {
        &self.play
    }

    /// The turns that stand, in order.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Lets an event happen; one that cannot be changes nothing. Costs the move, or for a
    /// [`Back`](Event::Back) all moves that are left.
    pub fn apply(&mut self, event: &Event) -> Result<(), EventError> {
        let Event::Back(back) = event else {
            let player = self.play.repeat(event)?;
            self.turns.push(Turn {
                player,
                event: event.clone(),
            });
            return Ok(());
        };
        let Some(last) = (back.moves as usize).checked_sub(1) else {
            return Ok(());
        };
        let is_move = |turn: &Turn| matches!(turn.event, Event::Move(_));
        let mut made = (self.turns.iter().enumerate().rev()).filter(|(_, turn)| is_move(turn));
        let (left, _) = made.nth(last).ok_or(EventError::TooFarBack)?;
        let mut play = Play::new(self.start.clone());
        for turn in &self.turns[..left] {
            play.repeat(&turn.event)?;
        }
        self.turns.truncate(left);
        self.play = play;
        Ok(())
    }
}

impl Play {
    /// Does what an event of a record did, and says whose turn or fault it was. One that cannot
    /// have happened changes nothing. A play has no past, so that it takes nothing back: that is
    /// [`EventError::TooFarBack`].
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
    use crate::record::{Back, PlayedMove};
    use crate::{Fault, FaultKind};

    #[test]
    fn a_fault_before_what_is_taken_back_stands() {
        let start = crate::find("gamma").unwrap().start("5x5,players=3", 1);
        let mut past = Past::new(start.unwrap());
        let fault = Fault::new(Player::new(0), FaultKind::Crash, "gone");
        past.apply(&Event::Fault(Box::new(fault))).unwrap();
        for _ in 0..3 {
            let seat = past.play().turn().unwrap().number();
            let mv = past.play().position().moves()[0].clone();
            let made = PlayedMove {
                seat,
                mv,
                ..PlayedMove::default()
            };
            past.apply(&Event::Move(made)).unwrap();
        }
        past.apply(&Event::Back(Back { moves: 2 })).unwrap();
        assert_eq!(past.turns().len(), 2);
        assert_eq!(past.play().out(), [Player::new(0)]);
        let error = past.apply(&Event::Back(Back { moves: 2 })).unwrap_err();
        assert!(matches!(error, EventError::TooFarBack));
        assert_eq!(past.turns().len(), 2, "nothing has changed");
    }
}
