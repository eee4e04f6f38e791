//! Long work that Ctrl-C ends.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Interval between checks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Works in a thread of its own without the interpreter's lock. If a signal's handler raises
/// first, `stop` is set, the work is waited for, and the exception raised.
pub(crate) fn until_done<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (done, is_done) = channel::<()>();
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                // Dropped when the work is over, however it ends.
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

/// Runs the handlers of signals that came.
fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
