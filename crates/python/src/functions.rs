//! Python functions in seats: called in the thread that plays the match, so that exceptions and
//! Ctrl-C arrive there.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use floe_arena::seat::{RemoteAnswer, RemoteRequest, Seat, remote_seat};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::position::{Given, Position, bounded};

/// Interval between checks for signals while programs and engines play.
const LOOK: Duration = Duration::from_millis(50);

/// The functions of a match, and their channel for questions.
pub(crate) struct Functions<'py> {
    seated: Vec<Seated<'py>>,
    ask: Sender<Asked>,
    asked: Receiver<Asked>,
}

/// A request to a function, by its number.
struct Asked {
    number: usize,
    request: RemoteRequest,
}

/// A function, and the channel for its answers.
struct Seated<'py> {
    function: Bound<'py, PyAny>,
    answers: Sender<RemoteAnswer>,
}

impl<'py> Functions<'py> {
    /// No functions yet.
    pub(crate) fn new() -> Self {
        let (ask, asked) = channel();
        Functions {
            seated: Vec::new(),
            ask,
            asked,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.seated.is_empty()
    }

    /// A seat for one more function.
    pub(crate) fn seat(&mut self, name: &str, function: Bound<'py, PyAny>) -> PyResult<Seat> {
        if !function.is_callable() {
            let given = function.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "seat {name} is a {given}; a seat is a function of a position, or text such as \
                 \"floe:hard\""
            )));
        }
        let (seat, player) = remote_seat(format!("python:{name}"));
        let (number, ask) = (self.seated.len(), self.ask.clone());
        // Forwards questions until the game or the match has ended.
        let hand_over = move || {
            let mut requests = player.requests.into_iter();
            requests.try_for_each(|request| ask.send(Asked { number, request }))
        };
        let thread = thread::Builder::new().name("questions".to_owned());
        thread.spawn(hand_over)?;
        self.seated.push(Seated {
            function,
            answers: player.answers,
        });
        Ok(Seat::Remote(seat))
    }

    /// Answers questions until the match is over, and checks for signals.
    pub(crate) fn answer(&mut self, py: Python<'py>, is_over: &dyn Fn() -> bool) -> PyResult<()> {
        loop {
            py.check_signals()?;
            let asked = &mut self.asked;
            match py.detach(move || asked.recv_timeout(LOOK)) {
                Ok(Asked {
                    number,
                    request:
                        RemoteRequest::Decide {
                            question, position, ..
                        },
                }) => {
                    let Seated { function, answers } = &self.seated[number];
                    let mv = called(function, Position::new(bounded(position)?))?;
                    // If the game has ended, the answer is not needed.
                    let _ = answers.send(RemoteAnswer {
                        question,
                        mv,
                        note: String::new(),
                    });
                }
                Ok(_) => {}
                // This side holds a sender too, so the channel never disconnects.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    if is_over() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// A function's answer, as text.
fn called(function: &Bound<'_, PyAny>, position: Position) -> PyResult<String> {
    let board = position.inner.clone();
    let answer = function.call1((position,))?;
    let given = answer.extract::<Given>().map_err(|_| {
        let kind = answer
            .get_type()
            .name()
            .map_or("value".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "the function answered with a {kind}; an answer is a move as text, or its number"
        ))
    })?;
    match given {
        Given::Text(text) => Ok(text),
        // A number that stands for no move is an illegal answer.
        Given::Action(action) => Ok(board
            .action_move(action)
            .unwrap_or_else(|| format!("action {action}"))),
    }
}
