//! Long work that Ctrl-C can stop.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Interval between checks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Works in its own thread without the interpreter's lock. If a signal's handler raises, this sets
/// `stop`, waits for the work, and raises the exception.
pub(crate) fn until_done<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (done, is_done) = channel::<()>();
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                // Dropped when the work ends, in every way.
                let _done = done;
                work()
            });
            let worker = worker.map_err(|error| {
                PyRuntimeError::new_err(format!("cannot start a thread: {error}"))
            })?;
            let mut interrupt = None;
            while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(LOOK) {
                if interrupt.is_none()
                    && let Err(error) = Python::attach(signals)
                {
                    stop.store(true, Ordering::Relaxed);
                    interrupt = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            match interrupt {
                Some(error) => Err(error),
                None => Ok(result),
            }
        })
    })
}

/// Runs the handlers of pending signals.
fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
