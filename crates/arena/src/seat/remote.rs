//! A remote seat: played by a person in a browser, or by a program elsewhere.
//!
//! The two ends are connected by channels. The [`RemoteSeat`] belongs to the game and keeps the
//! clock, which runs from the moment a request is sent; the holder of the [`RemotePlayer`] answers
//! from any thread. A late answer, an illegal one, or a closed channel are the same faults as in
//! any other seat.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use floe_games::record::MoveLimits;
use floe_games::{AnyPosition, Fault, FaultKind};
use floe_rules::Player;
use parking_lot::Mutex;

use super::program::too_late;
use super::{Failure, SeatDriver, TimedMove, TurnContext};

/// Interval at which a waiting driver checks whether the game was cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// A message to a remote player.
#[derive(Debug, Clone)]
pub enum RemoteRequest {
    /// A game begins.
    Sit {
        /// The seat.
        player: Player,
        /// The starting position.
        position: Box<dyn AnyPosition>,
        /// The limits.
        limits: MoveLimits,
    },
    /// It is the player's turn: an answer with this number is awaited.
    Decide {
        /// The number of the question, from 1 in every game.
        question: u64,
        /// The position.
        position: Box<dyn AnyPosition>,
        /// Time limit of the answer from now on, without a strike.
        time: Duration,
    },
    /// The game is over, or the player is disqualified.
    Leave {
        /// The scores.
        scores: Vec<i64>,
    },
}

/// An answer of a remote player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemoteAnswer {
    /// The number of the question; an answer to an older one is ignored.
    pub question: u64,
    /// The move, in the game's notation.
    pub mv: String,
    /// The player's remark; may be empty.
    pub note: String,
}

/// The seat's end in the game. Clones are the same seat, which plays one game at a time.
#[derive(Clone)]
pub struct RemoteSeat {
    word: String,
    channels: Arc<Mutex<Channels>>,
}

/// The end outside.
#[derive(Debug)]
pub struct RemotePlayer {
    /// Requests to the player.
    pub requests: Receiver<RemoteRequest>,
    /// The channel for answers.
    pub answers: Sender<RemoteAnswer>,
}

struct Channels {
    requests: Sender<RemoteRequest>,
    answers: Receiver<RemoteAnswer>,
}

/// A seat to be filled from outside, and the end that fills it. `word` is what records call it,
/// such as `human`.
///
/// ```
/// use floe_arena::seat::{RemoteAnswer, RemoteRequest, Seat, remote_seat};
/// let (seat, player) = remote_seat("human");
/// std::thread::spawn(move || {
///     for request in player.requests {
///         if let RemoteRequest::Decide { question, position, .. } = request {
///             let mv = position.moves().swap_remove(0);
///             let _ = player.answers.send(RemoteAnswer { question, mv, ..Default::default() });
///         }
///     }
/// });
/// assert_eq!(Seat::Remote(seat).to_string(), "human");
/// ```
pub fn remote_seat(word: impl Into<String>) -> (RemoteSeat, RemotePlayer) {
    let (requests, asked) = channel();
    let (answers, answered) = channel();
    let seat = RemoteSeat {
        word: word.into(),
        channels: Arc::new(Mutex::new(Channels {
            requests,
            answers: answered,
        })),
    };
    let player = RemotePlayer {
        requests: asked,
        answers,
    };
    (seat, player)
}

impl RemoteSeat {
    /// The player's name in records.
    pub fn word(&self) -> &str {
        &self.word
    }

    pub(super) fn driver(&self) -> RemoteDriver {
        RemoteDriver {
            channels: Arc::clone(&self.channels),
            questions: 0,
        }
    }
}

impl fmt::Debug for RemoteSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RemoteSeat({})", self.word)
    }
}

/// The driver of a remote seat during one game.
pub(super) struct RemoteDriver {
    channels: Arc<Mutex<Channels>>,
    questions: u64,
}

fn gone(player: Player) -> Failure {
    Fault::new(player, FaultKind::SilentExit, "they left the game").into()
}

impl SeatDriver for RemoteDriver {
    fn sit(&mut self, at: &TurnContext<'_>) -> Result<(), Failure> {
        let request = RemoteRequest::Sit {
            player: at.player,
            position: at.position.clone_position(),
            limits: at.limits.clone(),
        };
        let sent = self.channels.lock().requests.send(request);
        sent.map_err(|_| gone(at.player))
    }

    fn decide(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure> {
        self.questions += 1;
        let question = self.questions;
        let channels = self.channels.lock();
        let request = RemoteRequest::Decide {
            question,
            position: at.position.clone_position(),
            time: Duration::from_millis(at.limits.move_ms),
        };
        let began = Instant::now();
        if channels.requests.send(request).is_err() {
            return Err(gone(at.player));
        }
        let allowed = at.limits.move_ms.saturating_add(at.limits.margin_ms);
        let allowed = Duration::from_millis(allowed);
        loop {
            if at.stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            let left = allowed.saturating_sub(began.elapsed());
            match channels.answers.recv_timeout(left.min(LOOK)) {
                Ok(answer) if answer.question == question => {
                    return Ok(TimedMove {
                        mv: answer.mv,
                        wall: began.elapsed(),
                        note: answer.note,
                        is_timed: true,
                        ..TimedMove::default()
                    });
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone(at.player)),
                Err(RecvTimeoutError::Timeout) if began.elapsed() < allowed => {}
                Err(RecvTimeoutError::Timeout) => {
                    let message = too_late(began.elapsed(), None, at.limits);
                    let mut fault = Fault::new(at.player, FaultKind::Timeout, message);
                    fault.wall_us = began.elapsed().as_micros() as u64;
                    return Err(fault.into());
                }
            }
        }
    }

    fn leave(&mut self, scores: &[i64]) -> String {
        let scores = scores.to_vec();
        // A player who has disconnected needs no farewell.
        let _ = self
            .channels
            .lock()
            .requests
            .send(RemoteRequest::Leave { scores });
        String::new()
    }
}
