//! The terminal: taken over at the start, and given back on every way out.
//!
//! A panic of the thread that draws gives the terminal back before anything is printed; one
//! of an engine's thread is its worker's business and prints nothing.

use std::io::{self, Stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;
use std::{panic, thread};

use anyhow::{Context, Result};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use ratatui::crossterm::style::force_color_output;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};

use super::app::App;
use super::draw;
use super::draw::spots::Spots;
use super::input::Input;

/// How often the clock and the signals are looked at.
const TICK: Duration = Duration::from_millis(250);
/// How often the reports are looked at while somebody thinks.
const GLANCE: Duration = Duration::from_millis(15);

/// Whether the terminal is ours.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal, as long as it is ours. Dropping it gives it back.
struct Tty {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Tty {
    fn take() -> io::Result<Self> {
        give_back_on_panic();
        // Whether there are colours is the theme's to say; it knows the environment.
        force_color_output(true);
        enable_raw_mode()?;
        IS_TAKEN.store(true, Ordering::SeqCst);
        execute!(
            io::stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            cursor::Hide
        )
        .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())))
        .map(|terminal| Tty { terminal })
        .inspect_err(|_| give_back())
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        give_back();
    }
}

/// Leaves the terminal as it was; does nothing the second time.
fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        // Whoever cannot write to the terminal any more has none to give back.
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

/// Runs until somebody leaves.
///
/// The thread that draws waits for keys itself: on a busy machine every thread that a key has to
/// pass through costs milliseconds.
pub(crate) fn run(app: &mut App, inbox: Sender<Input>, inputs: &Receiver<Input>) -> Result<()> {
    watch_signals(inbox).context("cannot listen to signals")?;
    let mut tty = Tty::take().context("cannot use the terminal")?;
    draw_now(&mut tty, app)?;
    loop {
        let wait = if app.is_busy() { GLANCE } else { TICK };
        let mut is_stale = false;
        let mut has_more = event::poll(wait).unwrap_or(true);
        while has_more {
            match event::read() {
                Ok(Event::Key(key)) => app.input(Input::Key(key)),
                Ok(Event::Mouse(mouse)) => app.input(Input::Mouse(mouse)),
                Ok(_) => {}
                // The terminal is gone.
                Err(_) => return Ok(()),
            }
            is_stale = true;
            // What came meanwhile is taken in before the next picture.
            has_more = event::poll(Duration::ZERO).unwrap_or(true);
        }
        for input in inputs.try_iter() {
            app.input(input);
            is_stale = true;
        }
        if app.has_left {
            return Ok(());
        }
        is_stale |= app.tick();
        if is_stale {
            draw_now(&mut tty, app)?;
        }
    }
}

fn draw_now(tty: &mut Tty, app: &mut App) -> Result<()> {
    // The size may have changed since the last event told one.
    tty.terminal.autoresize()?;
    let size = tty.terminal.size()?;
    app.resize((size.width, size.height));
    let mut spots = Spots::default();
    tty.terminal.draw(|frame| spots = draw::draw(frame, app))?;
    app.offer(spots);
    Ok(())
}

/// Whatever the system sends to end us becomes an input, so that the end is an orderly one.
#[cfg(unix)]
fn watch_signals(inbox: Sender<Input>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    let watch = move || {
        for _ in signals.forever() {
            if inbox.send(Input::Leave).is_err() {
                return;
            }
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(watch)?;
    Ok(())
}

#[cfg(not(unix))]
fn watch_signals(_: Sender<Input>) -> io::Result<()> {
    Ok(())
}
