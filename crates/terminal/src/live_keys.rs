//! Keys pressed while other work prints to the same terminal, such as the live table of a match.
//!
//! The terminal keeps its lines, colours and signals. Only echo and waiting for Enter are off, and
//! only while the process is in the foreground: a background process that reads or changes its
//! terminal would be stopped.

/// Reads keys until it is dropped; then the terminal has its settings back.
pub struct LiveKeys {
    #[cfg(unix)]
    reader: unix::Reader,
}

impl LiveKeys {
    /// Calls `act` with every pressed key, from a thread of its own. `None` if standard input is no
    /// terminal, or the system has none of this kind.
    #[cfg(unix)]
    pub fn listen(act: impl FnMut(char) + Send + 'static) -> Option<Self> {
        let reader = unix::Reader::start(act)?;
        Some(LiveKeys { reader })
    }

    /// There is no such terminal here.
    #[cfg(not(unix))]
    pub fn listen(_: impl FnMut(char) + Send + 'static) -> Option<Self> {
        None
    }
}

#[cfg(unix)]
impl Drop for LiveKeys {
    fn drop(&mut self) {
        self.reader.stop();
    }
}

#[cfg(unix)]
mod unix {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Signal, getpgrp, kill_current_process_group};
    use rustix::stdio::stdin;
    use rustix::termios::{
        LocalModes, OptionalActions, SpecialCodeIndex, Termios, isatty, tcgetattr, tcgetpgrp,
        tcsetattr,
    };

    /// Interval between checks whether the work is over, or the process is in the foreground.
    const LOOK: Duration = Duration::from_millis(100);
    /// This thread can run a little longer after the signal that stops the process, and must not
    /// change the terminal then. The time passes while the process is stopped.
    const STOPPING: Duration = Duration::from_millis(500);
    /// Ctrl-Z, which arrives as a key here.
    const SUSPEND: u8 = 0x1a;

    pub(super) struct Reader {
        is_over: Arc<AtomicBool>,
        thread: Option<JoinHandle<()>>,
    }

    impl Reader {
        pub(super) fn start(act: impl FnMut(char) + Send + 'static) -> Option<Self> {
            if !isatty(stdin()) {
                return None;
            }
            let is_over = Arc::new(AtomicBool::new(false));
            let flag = Arc::clone(&is_over);
            let thread = thread::Builder::new().name("live keys".to_owned());
            let thread = thread.spawn(move || read(&flag, act)).ok()?;
            Some(Reader {
                is_over,
                thread: Some(thread),
            })
        }

        pub(super) fn stop(&mut self) {
            self.is_over.store(true, Ordering::Relaxed);
            if let Some(thread) = self.thread.take() {
                let _ = thread.join();
            }
        }
    }

    /// The terminal without echo, and its settings before that.
    #[derive(Default)]
    struct Quiet(Option<Termios>);

    impl Quiet {
        /// Whether keys can be read now.
        fn begin(&mut self) -> bool {
            if !is_in_foreground() {
                return false;
            }
            if self.0.is_none()
                && let Ok(before) = tcgetattr(stdin())
            {
                let mut quiet = before.clone();
                quiet.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
                quiet.special_codes[SpecialCodeIndex::VMIN] = 1;
                quiet.special_codes[SpecialCodeIndex::VTIME] = 0;
                // A stopped process must not leave the shell without echo.
                quiet.special_codes[SpecialCodeIndex::VSUSP] = 0;
                if tcsetattr(stdin(), OptionalActions::Now, &quiet).is_ok() {
                    self.0 = Some(before);
                }
            }
            self.0.is_some()
        }

        fn end(&mut self) {
            if let Some(before) = self.0.take()
                && is_in_foreground()
            {
                let _ = tcsetattr(stdin(), OptionalActions::Now, &before);
            }
        }
    }

    impl Drop for Quiet {
        fn drop(&mut self) {
            self.end();
        }
    }

    fn is_in_foreground() -> bool {
        tcgetpgrp(stdin()).is_ok_and(|group| group == getpgrp())
    }

    fn read(is_over: &AtomicBool, mut act: impl FnMut(char)) {
        let mut quiet = Quiet::default();
        let look = LOOK.try_into().unwrap_or_default();
        while !is_over.load(Ordering::Relaxed) {
            if !quiet.begin() {
                thread::sleep(LOOK);
                continue;
            }
            let input = stdin();
            let mut fds = [PollFd::new(&input, PollFlags::IN)];
            if !matches!(poll(&mut fds, Some(&look)), Ok(1)) || !is_in_foreground() {
                continue;
            }
            let mut bytes = [0; 16];
            let Ok(count @ 1..) = rustix::io::read(input, &mut bytes) else {
                return; // the terminal has closed
            };
            for &byte in &bytes[..count] {
                if byte == SUSPEND {
                    quiet.end();
                    let _ = kill_current_process_group(Signal::TSTP);
                    thread::sleep(STOPPING);
                } else if byte.is_ascii_graphic() {
                    act(char::from(byte));
                }
            }
        }
    }
}
