//! Errors as exceptions. All of them are also `ValueError`s, since they come from the caller's
//! arguments.

use std::fmt::Display;

use floe_games::MoveError;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    floe,
    Error,
    PyValueError,
    "What was given cannot be used: the message says what is wrong and where."
);
create_exception!(
    floe,
    IllegalMove,
    Error,
    "A move that the rules forbid here, or that no number stands for."
);
create_exception!(
    floe,
    InUse,
    Error,
    "Another thread uses this object at the moment."
);

/// An error in an argument.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    Error::new_err(error.to_string())
}

/// The error for an impossible move, with the given text or number.
pub(crate) fn illegal(given: impl Display, error: &MoveError) -> PyErr {
    let message = format!("{given}: {error}");
    match error {
        MoveError::Unreadable(_) => Error::new_err(message),
        _ => IllegalMove::new_err(message),
    }
}

/// The error if two threads use the same object.
pub(crate) fn in_use(what: &str) -> PyErr {
    InUse::new_err(format!(
        "this {what} is in use by another thread; give every thread its own"
    ))
}
