//! The terminal: taken over at the start, and given back on every way out.
//!
//! A panic of the thread that draws gives the terminal back before anything is printed; one of an
//! engine's thread is its thinker's business and prints nothing. Ctrl-Z gives it back and stops, as
//! it does everywhere; `fg` restores the screen.

use std::io::{self, Stdout};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Once};
use std::time::Duration;
use std::{panic, thread};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyModifiers,
};
use ratatui::crossterm::style::force_color_output;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};

use crate::app::App;
use crate::draw;
use crate::draw::spots::Spots;
use crate::error::TerminalError;
use crate::input::Input;
use crate::recorder::SharedRecorder;

/// Interval between checks of the clock and the signals.
const TICK: Duration = Duration::from_millis(250);
/// Interval between checks of the reports while an engine thinks.
const GLANCE: Duration = Duration::from_millis(15);

/// Time limit of an orderly end after the terminal has closed.
#[cfg(unix)]
const FAREWELL: Duration = Duration::from_millis(500);

/// Whether Floe has taken over the terminal.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether a full screen is active, so that nothing else may write to the terminal.
pub fn has_screen() -> bool {
    IS_TAKEN.load(Ordering::SeqCst)
}

/// The terminal while Floe uses it. Dropping this restores it.
struct Tty {
    /// Never dropped: dropping shows the cursor, which restoring does too, and on a closed terminal
    /// it panics.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl Tty {
    fn take() -> io::Result<Self> {
        give_back_on_panic();
        // The theme decides about colours; it has already read the environment.
        force_color_output(true);
        take_over()?;
        Terminal::new(CrosstermBackend::new(io::stdout()))
            .map(|terminal| Tty {
                terminal: ManuallyDrop::new(terminal),
            })
            .inspect_err(|_| give_back())
    }

    /// Takes over the terminal again after another process used it, and redraws it completely.
    #[cfg(unix)]
    fn take_again(&mut self) -> io::Result<()> {
        // Another process may have changed the terminal's settings: read them again.
        give_back();
        take_over()?;
        self.terminal.clear()
    }
}

fn take_over() -> io::Result<()> {
    enable_raw_mode()?;
    IS_TAKEN.store(true, Ordering::SeqCst);
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        cursor::Hide
    )
    .inspect_err(|_| give_back())
}

impl Drop for Tty {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal; does nothing the second time.
fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        // If the terminal is closed, there is nothing to restore.
        let _ = execute!(
            io::stdout(),
            DisableMouseCapture,
            LeaveAlternateScreen,
            cursor::Show
        );
        let _ = disable_raw_mode();
    }
}

fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() == Some("engine") {
                return;
            }
            give_back();
            before(info);
        }));
    });
}

/// Runs until the user quits.
///
/// The thread that draws waits for keys itself: on a busy machine every thread that a key has to
/// pass through costs milliseconds.
pub(crate) fn run(
    app: &mut App,
    inbox: Sender<Input>,
    inputs: &Receiver<Input>,
) -> Result<(), TerminalError> {
    watch_terminal(inbox.clone(), app.recorder()).map_err(cannot("watch the terminal"))?;
    watch_signals(inbox, app.recorder()).map_err(cannot("listen for signals"))?;
    let sleep = Sleep::new().map_err(cannot("listen for signals"))?;
    let mut tty = Tty::take().map_err(cannot("use the terminal"))?;
    draw_now(&mut tty, app)?;
    loop {
        let wait = if app.is_busy() { GLANCE } else { TICK };
        let mut is_stale = false;
        let mut has_more = event::poll(wait).unwrap_or(true);
        while has_more {
            match event::read() {
                Ok(Event::Key(key)) if Sleep::is_asked_for(&key) => {
                    app.fall_asleep();
                    sleep.now();
                }
                Ok(Event::Key(key)) => app.input(Input::Key(key)),
                Ok(Event::Mouse(mouse)) => app.input(Input::Mouse(mouse)),
                Ok(_) => {}
                // The terminal has closed.
                Err(_) => return Ok(()),
            }
            is_stale = true;
            // Take in all waiting events before the next picture.
            has_more = event::poll(Duration::ZERO).unwrap_or(true);
        }
        for input in inputs.try_iter() {
            app.input(input);
            is_stale = true;
        }
        if app.has_left {
            return Ok(());
        }
        if sleep.is_over() {
            sleep.take_again(&mut tty)?;
            app.wake();
            is_stale = true;
        }
        is_stale |= app.tick();
        if is_stale {
            draw_now(&mut tty, app)?;
        }
    }
}

/// The error for something the terminal cannot do.
fn cannot(action: &'static str) -> impl Fn(io::Error) -> TerminalError {
    move |cause| TerminalError::Screen { action, cause }
}

fn draw_now(tty: &mut Tty, app: &mut App) -> io::Result<()> {
    // The size may have changed since the last event.
    tty.terminal.autoresize()?;
    let size = tty.terminal.size()?;
    app.resize((size.width, size.height));
    let mut spots = Spots::default();
    tty.terminal
        .draw(|frame| spots = draw::draw(frame, &app.stage, app.skin()))?;
    app.offer(spots);
    Ok(())
}

/// Being stopped and resumed.
///
/// However the process was stopped, the screen is drawn again as soon as it resumes.
struct Sleep {
    has_woken: Arc<AtomicBool>,
}

#[cfg(unix)]
impl Sleep {
    fn new() -> io::Result<Self> {
        let has_woken = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&has_woken);
        signal_hook::flag::register(signal_hook::consts::SIGCONT, flag)?;
        Ok(Sleep { has_woken })
    }

    /// Whether this is the key that suspends programs.
    fn is_asked_for(key: &KeyEvent) -> bool {
        key.code == KeyCode::Char('z') && key.modifiers == KeyModifiers::CONTROL
    }

    /// Restores the terminal and stops the whole process group, as the terminal itself would;
    /// returns when the process is resumed.
    fn now(&self) {
        give_back();
        self.has_woken.store(false, Ordering::SeqCst);
        let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
        // The signal may reach another thread first, so this thread may run on for a moment. If no
        // process could resume this one, the system does not stop it, and the game continues.
        for _ in 0..20 {
            if self.has_woken.load(Ordering::SeqCst) {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.has_woken.store(true, Ordering::SeqCst);
    }

    fn is_over(&self) -> bool {
        self.has_woken.swap(false, Ordering::SeqCst)
    }

    fn take_again(&self, tty: &mut Tty) -> Result<(), TerminalError> {
        tty.take_again().map_err(cannot("use the terminal"))
    }
}

#[cfg(not(unix))]
impl Sleep {
    fn new() -> io::Result<Self> {
        Ok(Sleep {
            has_woken: Arc::default(),
        })
    }

    fn is_asked_for(_: &KeyEvent) -> bool {
        false
    }

    fn now(&self) {}

    fn is_over(&self) -> bool {
        self.has_woken.load(Ordering::SeqCst)
    }

    fn take_again(&self, _: &mut Tty) -> Result<(), TerminalError> {
        Ok(())
    }
}

/// Turns every signal that ends the program into an input, so that the program ends in an orderly
/// way.
#[cfg(unix)]
fn watch_signals(inbox: Sender<Input>, recorder: SharedRecorder) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    let watch = move || {
        for signal in signals.forever() {
            if inbox.send(Input::Leave).is_err() {
                return;
            }
            if signal == SIGHUP {
                leave_without_terminal(&recorder);
            }
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(watch)?;
    Ok(())
}

/// The same when the terminal closes without a signal: the shell may have been started with that
/// signal ignored, as by `nohup`.
#[cfg(unix)]
fn watch_terminal(inbox: Sender<Input>, recorder: SharedRecorder) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    let watch = move || {
        let screen = io::stdout();
        loop {
            // No event is requested: poll still reports a closed terminal.
            let mut fds = [PollFd::new(&screen, PollFlags::empty())];
            match poll(&mut fds, None) {
                Ok(_) if fds[0].revents().contains(PollFlags::HUP) => break,
                Ok(_) => return,
                Err(error) if error == rustix::io::Errno::INTR => {}
                Err(_) => return,
            }
        }
        if inbox.send(Input::Leave).is_ok() {
            leave_without_terminal(&recorder);
        }
    };
    thread::Builder::new()
        .name("terminal".to_owned())
        .spawn(watch)?;
    Ok(())
}

/// Ends the program after a moment, unless it ends by itself: waiting for keys of a closed terminal
/// may never end. Nothing is lost: games are saved as they are played.
#[cfg(unix)]
fn leave_without_terminal(recorder: &SharedRecorder) -> ! {
    thread::sleep(FAREWELL);
    let _ = recorder.close();
    std::process::exit(128 + signal_hook::consts::SIGHUP);
}

#[cfg(not(unix))]
fn watch_terminal(_: Sender<Input>, _: SharedRecorder) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn watch_signals(_: Sender<Input>, _: SharedRecorder) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
#[path = "../../floe/tests/tmux/mod.rs"]
mod tmux;

#[cfg(all(test, unix))]
mod tests {
    use super::tmux::Terminal;
    use super::*;

    /// Takes the terminal and panics at the first key: for the test below, in a terminal of its
    /// own.
    #[test]
    #[ignore = "breaks down on purpose"]
    fn breaks_down() {
        let mut tty = Tty::take().unwrap();
        let draw = |frame: &mut ratatui::Frame<'_>| {
            frame.render_widget("press a key", frame.area());
        };
        tty.terminal.draw(draw).unwrap();
        while !matches!(event::read().unwrap(), Event::Key(_)) {}
        panic!("the screen broke down");
    }

    #[test]
    fn a_panic_gives_the_terminal_back_and_is_seen() {
        let Some(terminal) = Terminal::open() else {
            return;
        };
        let before = terminal.settings("before");
        let tests = std::env::current_exe().unwrap();
        let name = format!(
            "{}::breaks_down",
            module_path!().split_once("::").unwrap().1
        );
        terminal.shell(&format!(
            "clear; {} --ignored --exact --nocapture {name}",
            tests.display()
        ));
        terminal.see("press a key");
        terminal.see_taken(true);
        terminal.press(&["x"]);
        // Its words are on the screen that stays.
        terminal.see("the screen broke down");
        terminal.see("ready>");
        terminal.see_taken(false);
        assert_eq!(terminal.settings("after"), before);
    }
}
