//! The interactive game on a terminal: its modes, the screen, signals, and the wait for keys.
//!
//! Keys come from standard input, whatever it is; from the terminal if standard input was only
//! there for the first line. The screen is standard output; where that is no terminal nothing is
//! drawn, and the game is played blind to its end, if any keys come. Ctrl-C ends the game as
//! Ctrl-D does, with the final board, and then the program by its signal. It and Ctrl-Z stay the terminal's own, so
//! that everything that may end or stop the program is a signal, and there is one way to leave.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, StdinLock, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::panic;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{Attribute, Color, Print, SetAttribute, SetForegroundColor};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{execute, queue};
use floe_contest::gamma::interactive::{InteractiveGame, Picture, Style, View, needed};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize,
    tcsetattr,
};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::low_level::{emulate_default_handler, pipe};

/// Bytes read at a time: at least as many as standard input's own buffer holds, so that nothing
/// stays in that buffer.
const BLOCK: usize = 64 * 1024;

/// The reason why the game cannot be played here, for the user.
pub(crate) fn refusal(table: &InteractiveGame) -> Option<String> {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        let why = "the interactive game needs a terminal on standard output";
        return io::stdin().is_terminal().then(|| why.to_owned());
    }
    let (columns, rows) = size(stdout.as_fd()).ok()?;
    let (least_columns, least_rows) = needed(table);
    (columns < least_columns || rows < least_rows).then(|| {
        format!(
            "the terminal has {columns} columns and {rows} rows; \
             the interactive game needs {least_columns} and {least_rows}"
        )
    })
}

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By the rules, by a key, or at the end of the input.
    Normally,
    /// By Ctrl-C: the program ends by that signal after its last output.
    Interrupted,
}

/// Ends the program as Ctrl-C does.
pub(crate) fn end_interrupted() -> io::Result<()> {
    emulate_default_handler(SIGINT)
}

/// Plays to the end: first the keys in these bytes, then those from `input`.
pub(crate) fn play(
    table: &mut InteractiveGame,
    first: &[u8],
    input: StdinLock<'_>,
) -> io::Result<Ended> {
    if io::stdout().is_terminal() {
        return on_screen(table, first, input);
    }
    let mut input = input;
    let mut block = vec![0; BLOCK];
    feed(table, first);
    while !table.is_over() {
        match input.read(&mut block) {
            Ok(0) => break,
            Ok(length) => feed(table, &block[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Ended::Normally)
}

/// Plays these bytes, up to the end of the game.
fn feed(table: &mut InteractiveGame, bytes: &[u8]) {
    for &byte in bytes {
        if table.is_over() {
            return;
        }
        table.byte(byte);
    }
}

fn size(terminal: BorrowedFd<'_>) -> io::Result<(u16, u16)> {
    let size = tcgetwinsize(terminal)?;
    // A terminal that does not report its size counts as 80 by 24.
    Ok(match (size.ws_col, size.ws_row) {
        (0, _) | (_, 0) => (80, 24),
        known => known,
    })
}

/// The source of keys.
enum Keys<'a> {
    Input(StdinLock<'a>),
    Terminal(File),
}

impl Keys<'_> {
    fn fd(&self) -> BorrowedFd<'_> {
        match self {
            Keys::Input(input) => input.as_fd(),
            Keys::Terminal(file) => file.as_fd(),
        }
    }

    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        match self {
            Keys::Input(input) => input.read(block),
            Keys::Terminal(file) => file.read(block),
        }
    }
}

fn on_screen(table: &mut InteractiveGame, first: &[u8], input: StdinLock<'_>) -> io::Result<Ended> {
    let mut signals = Signals::new()?;
    let mut keys = Keys::Input(input);
    let mut is_typed = keys.fd().is_terminal();
    let stdout = io::stdout();
    let terminal = if is_typed { keys.fd() } else { stdout.as_fd() };
    let mut held = Held::take(terminal)?;
    // If a pipe has brought a key, all keys come through pipes.
    let only_lines = |bytes: &[u8]| bytes.iter().all(|b| matches!(b, b'\n' | b'\r'));
    let mut may_turn = !is_typed && only_lines(first);
    let mut screen = Screen::default();
    let mut block = vec![0; BLOCK];
    feed(table, first);
    while !table.is_over() {
        screen.show(table)?;
        if !signals.wait(keys.fd())? {
            match signals.take() {
                Some(Signal::Deadly(SIGINT)) => {
                    held.release();
                    signals.let_be();
                    return Ok(Ended::Interrupted);
                }
                Some(Signal::Deadly(number)) => {
                    held.release();
                    signals.let_be();
                    emulate_default_handler(number)?;
                }
                Some(Signal::Stop) => {
                    held.release();
                    emulate_default_handler(SIGTSTP)?;
                    held.hold()?;
                    screen.forget();
                }
                Some(Signal::Continue) => {
                    held.hold()?;
                    screen.forget();
                }
                None => {}
            }
            continue;
        }
        match keys.read(&mut block) {
            Ok(0) if may_turn => {
                may_turn = false;
                let Ok(terminal) = File::open("/dev/tty") else {
                    break;
                };
                keys = Keys::Terminal(terminal);
                is_typed = true;
            }
            Ok(0) => break,
            Ok(length) => {
                may_turn = may_turn && only_lines(&block[..length]);
                feed(table, &block[..length]);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // A closed terminal gives an error.
            Err(_) if is_typed => break,
            Err(error) => return Err(error),
        }
    }
    held.release();
    signals.let_be();
    Ok(Ended::Normally)
}

/// The screen and what it shows.
#[derive(Default)]
struct Screen {
    view: View,
    shown: Option<Picture>,
}

impl Screen {
    /// Another program may have written on the screen.
    fn forget(&mut self) {
        self.shown = None;
    }

    fn show(&mut self, table: &mut InteractiveGame) -> io::Result<()> {
        let stdout = io::stdout();
        let (columns, rows) = size(stdout.as_fd())?;
        let picture = Picture::new(table, &mut self.view, columns, rows);
        let is_same_size =
            (self.shown.as_ref()).is_some_and(|shown| shown.size() == picture.size());
        let changes = picture.changes(self.shown.as_ref());
        if is_same_size && changes.is_empty() {
            return Ok(());
        }
        let mut out = Vec::new();
        queue!(out, BeginSynchronizedUpdate)?;
        if !is_same_size {
            queue!(out, Clear(ClearType::All))?;
        }
        let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        for (x, y, text, style) in changes {
            // A screen just cleared is blank.
            if is_same_size || style != Style::default() || !text.trim().is_empty() {
                queue!(out, MoveTo(x, y))?;
                dress(&mut out, style, colours)?;
                queue!(out, Print(text), SetAttribute(Attribute::Reset))?;
            }
        }
        queue!(out, EndSynchronizedUpdate)?;
        let mut stdout = stdout.lock();
        stdout.write_all(&out)?;
        stdout.flush()?;
        self.shown = Some(picture);
        Ok(())
    }
}

/// Colours for dark and light backgrounds; further players start again.
const COLOURS: [Color; 9] = [
    Color::DarkRed,
    Color::DarkGreen,
    Color::DarkYellow,
    Color::DarkBlue,
    Color::DarkMagenta,
    Color::DarkCyan,
    Color::AnsiValue(208),
    Color::AnsiValue(99),
    Color::AnsiValue(137),
];

fn dress(out: &mut Vec<u8>, style: Style, colours: bool) -> io::Result<()> {
    if let Some(player) = style.player.filter(|_| colours) {
        let colour = COLOURS[player.index() % COLOURS.len()];
        queue!(out, SetForegroundColor(colour))?;
    }
    if style.stands_out {
        queue!(
            out,
            SetAttribute(Attribute::Bold),
            SetAttribute(Attribute::Underlined)
        )?;
    }
    if style.faint {
        queue!(out, SetAttribute(Attribute::Dim))?;
    }
    if style.inverted {
        queue!(out, SetAttribute(Attribute::Reverse))?;
    }
    Ok(())
}

/// The terminal during the game: unbuffered keys without echo, on the alternate screen.
struct Held {
    terminal: OwnedFd,
    before: Termios,
}

/// The data that restores the terminal; static, because a panic handler has no access to the game.
static HELD: Mutex<Option<(OwnedFd, Termios)>> = Mutex::new(None);

impl Held {
    fn take(terminal: BorrowedFd<'_>) -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let previous = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                release();
                previous(info);
            }));
        });
        let mut held = Held {
            terminal: terminal.try_clone_to_owned()?,
            before: tcgetattr(terminal)?,
        };
        held.hold()?;
        Ok(held)
    }

    fn hold(&mut self) -> io::Result<()> {
        let mut modes = self.before.clone();
        modes.local_modes -=
            LocalModes::ICANON | LocalModes::ECHO | LocalModes::ECHONL | LocalModes::IEXTEN;
        modes.input_modes -= InputModes::IXON | InputModes::ICRNL | InputModes::INLCR;
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        let back = (self.terminal.try_clone()?, self.before.clone());
        *HELD.lock().unwrap_or_else(PoisonError::into_inner) = Some(back);
        // Keys typed ahead stay for the next reader.
        tcsetattr(&self.terminal, OptionalActions::Now, &modes)?;
        execute!(io::stdout(), EnterAlternateScreen, Hide)
    }

    fn release(&self) {
        release();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        release();
    }
}

/// Restores the terminal, if the game uses it. Failures are ignored.
fn release() {
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((terminal, before)) = held {
        let _ = execute!(
            io::stdout(),
            SetAttribute(Attribute::Reset),
            Show,
            LeaveAlternateScreen
        );
        let _ = tcsetattr(&terminal, OptionalActions::Now, &before);
    }
}

/// A signal with a handler.
enum Signal {
    /// A signal that ends the program.
    Deadly(i32),
    /// A signal that suspends the program.
    Stop,
    /// Resume after a stop.
    Continue,
}

/// Pending signals. None is lost: each leaves its number and a byte in a pipe.
struct Signals {
    deadly: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    go_on: Arc<AtomicBool>,
    are_off: Arc<AtomicBool>,
    wake: UnixStream,
}

impl Signals {
    fn new() -> io::Result<Self> {
        let (wake, write) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        let signals = Signals {
            deadly: Arc::default(),
            stop: Arc::default(),
            go_on: Arc::default(),
            are_off: Arc::default(),
            wake,
        };
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            use signal_hook::flag::{register_conditional_default, register_usize};
            register_conditional_default(signal, Arc::clone(&signals.are_off))?;
            register_usize(signal, Arc::clone(&signals.deadly), signal as usize)?;
        }
        signal_hook::flag::register_conditional_default(SIGTSTP, Arc::clone(&signals.are_off))?;
        signal_hook::flag::register(SIGTSTP, Arc::clone(&signals.stop))?;
        signal_hook::flag::register(SIGCONT, Arc::clone(&signals.go_on))?;
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH] {
            pipe::register(signal, write.try_clone()?)?;
        }
        Ok(signals)
    }

    /// Waits for keys or a signal; returns whether there are keys. Signals come first.
    fn wait(&mut self, keys: BorrowedFd<'_>) -> io::Result<bool> {
        let mut fds = [
            PollFd::from_borrowed_fd(keys, PollFlags::IN),
            PollFd::new(&self.wake, PollFlags::IN),
        ];
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => return Ok(false),
            other => other?,
        };
        if fds[1].revents().is_empty() {
            return Ok(true);
        }
        let mut bytes = [0; 64];
        while matches!(self.wake.read(&mut bytes), Ok(length) if length > 0) {}
        Ok(false)
    }

    fn take(&mut self) -> Option<Signal> {
        let deadly = self.deadly.swap(0, Ordering::SeqCst);
        if deadly > 0 {
            return i32::try_from(deadly).ok().map(Signal::Deadly);
        }
        if self.stop.swap(false, Ordering::SeqCst) {
            self.go_on.store(false, Ordering::SeqCst);
            return Some(Signal::Stop);
        }
        self.go_on
            .swap(false, Ordering::SeqCst)
            .then_some(Signal::Continue)
    }

    /// Restores the signals' default actions.
    fn let_be(&self) {
        self.are_off.store(true, Ordering::SeqCst);
        // A signal that arrived in the meantime was meant for the game, and takes effect now.
        let deadly = self.deadly.swap(0, Ordering::SeqCst);
        if let Ok(number @ 1..) = i32::try_from(deadly) {
            let _ = emulate_default_handler(number);
        }
    }
}
