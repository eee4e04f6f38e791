//! Playing a program's game in a terminal, and comparing what is on its screen.
//!
//! The program gets a terminal of its own in the sandbox. Each key is typed when the program has read
//! the one before, as people do, so that nothing depends on how fast the machine is. Programs that are
//! right are never waited for by the clock.

use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use floe_rules::assignment::{Key, Session, Shown};
use floe_sandbox::{Launch, Program, ProgramEnd};
use parking_lot::{Condvar, Mutex};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcsetwinsize};

use super::CheckError;

/// The size of the screen.
const ROWS: NonZero<u16> = NonZero::new(40).unwrap();
const COLUMNS: NonZero<u16> = NonZero::new(100).unwrap();
/// Bytes between two examinations of the screen, since a program may draw several pictures at once.
const GLANCE: usize = 8;
/// Interval between checks whether a key has been read.
const TICK: Duration = Duration::from_millis(1);

/// A played game.
pub(super) struct Played {
    pub(super) difference: Option<Difference>,
    pub(super) ms: u64,
    pub(super) kib: u64,
    /// Whether the first prompt never appeared, so that other games need not be tried.
    pub(super) never_began: bool,
}

/// A difference between expected and actual output.
pub(super) struct Difference {
    pub(super) expected: String,
    pub(super) got: String,
}

/// The program's output, as it arrives.
#[derive(Default)]
struct Drawn {
    bytes: Vec<u8>,
    is_over: bool,
}

struct Screen {
    drawn: Mutex<Drawn>,
    changed: Condvar,
}

/// Plays a session with a program. `wall` limits the program's silence.
pub(super) fn play(
    mut launch: Launch,
    session: &Session,
    shown: &Shown,
    end_key: Key,
    wall: Duration,
) -> Result<Played, CheckError> {
    let failed = |what: &'static str| move |error: std::io::Error| format!("{what}: {error}");
    let (master, slave, name) = open().map_err(failed("cannot open a terminal"))?;
    launch.terminal = Some(Arc::new(slave));
    launch.environment.push(("TERM".into(), "xterm".into()));
    let program = Program::start(launch).map_err(|trouble| trouble.to_string())?;
    let screen = Arc::new(Screen {
        drawn: Mutex::default(),
        changed: Condvar::new(),
    });
    let mut typing = std::fs::File::from(master);
    let reading = typing
        .try_clone()
        .map_err(failed("cannot read a terminal"))?;
    let reader = thread::spawn({
        let screen = Arc::clone(&screen);
        move || listen(reading, &screen)
    });
    let deadline = Instant::now() + wall;
    let mut typed = Typist {
        typing: &mut typing,
        name: &name,
        screen: &screen,
        deadline,
    };
    typed.send(session.first_line.as_bytes());
    typed.send(b"\n");
    let has_prompt = screen.wait_for(&shown.first_prompt, deadline);
    let has_begun = has_prompt && typed.wait_for_raw();
    if has_begun {
        typed.all(&session.keys);
    }
    if has_begun && shown.prompt.is_some() {
        typed.all(&[end_key]);
    }
    let report = match has_begun || screen.drawn.lock().is_over {
        true => program.close_and_wait(wall),
        false => program.stop(),
    };
    let report = report.map_err(|trouble| trouble.to_string())?;
    // The program's end of the terminal is closed, which ends the reader.
    drop(typing);
    let _ = reader.join();
    let bytes = std::mem::take(&mut screen.drawn.lock().bytes);
    let difference = match has_begun {
        false => Some(Difference {
            expected: match has_prompt {
                true => "a terminal that gives keys at once (without ICANON)".to_owned(),
                false => format!("a line `{}` before the first key", shown.first_prompt),
            },
            got: match &report.outcome {
                ProgramEnd::Stopped => last_screen(&bytes),
                outcome => format!("the program {outcome}"),
            },
        }),
        true => compare(shown, end_key, &report.outcome, &bytes),
    };
    Ok(Played {
        difference,
        ms: report.cpu.as_millis() as u64,
        kib: report.peak_kib,
        never_began: !has_begun,
    })
}

/// A terminal: our end, the program's end, and its path.
fn open() -> std::io::Result<(OwnedFd, OwnedFd, String)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let name = name.to_string_lossy().into_owned();
    let size = Winsize {
        ws_row: ROWS.get(),
        ws_col: COLUMNS.get(),
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&master, size)?;
    let slave = open_end(&name)?;
    Ok((master, slave, name))
}

fn open_end(name: &str) -> std::io::Result<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(Path::new(name), flags, Mode::empty())?)
}

/// Collects the program's output until the program has closed the terminal.
fn listen(mut terminal: std::fs::File, screen: &Screen) {
    let mut buffer = [0; 4096];
    loop {
        // Reading fails once the program has ended.
        let count = terminal.read(&mut buffer).unwrap_or(0);
        let mut drawn = screen.drawn.lock();
        drawn.bytes.extend_from_slice(&buffer[..count]);
        drawn.is_over = count == 0;
        screen.changed.notify_all();
        if count == 0 {
            return;
        }
    }
}

impl Screen {
    /// Waits until a line with these words is on the screen; false if the program ends first or takes
    /// too long.
    fn wait_for(&self, words: &str, deadline: Instant) -> bool {
        let mut pictures = Pictures::new();
        let mut drawn = self.drawn.lock();
        let mut seen = 0;
        loop {
            if pictures.draw(&drawn.bytes[seen..], words) {
                return true;
            }
            seen = drawn.bytes.len();
            let left = deadline.saturating_duration_since(Instant::now());
            if drawn.is_over || left.is_zero() {
                return false;
            }
            self.changed.wait_for(&mut drawn, left);
        }
    }
}

/// Types keys; each waits until the program has read the key before.
struct Typist<'a> {
    typing: &'a mut std::fs::File,
    name: &'a str,
    screen: &'a Screen,
    deadline: Instant,
}

impl Typist<'_> {
    fn send(&mut self, bytes: &[u8]) {
        // Writing fails if the program has ended, which is reported elsewhere.
        let _ = self.typing.write_all(bytes);
    }

    /// Waits until the program reads key by key; false if it ends first or takes too long.
    fn wait_for_raw(&self) -> bool {
        let is_raw = || {
            let modes = open_end(self.name).and_then(|end| Ok(rustix::termios::tcgetattr(&end)?));
            modes.is_ok_and(|modes| !modes.local_modes.contains(LocalModes::ICANON))
        };
        loop {
            if is_raw() {
                return true;
            }
            if self.screen.drawn.lock().is_over || Instant::now() >= self.deadline {
                return false;
            }
            thread::sleep(TICK);
        }
    }

    /// Types all keys.
    fn all(&mut self, keys: &[Key]) {
        for key in keys {
            self.send(key.bytes);
            while self.waits()
                && !self.screen.drawn.lock().is_over
                && Instant::now() < self.deadline
            {
                thread::sleep(TICK);
            }
        }
    }

    /// Whether a typed key has not been read yet.
    fn waits(&self) -> bool {
        open_end(self.name).is_ok_and(|end| rustix::io::ioctl_fionread(end).unwrap_or(0) > 0)
    }
}

/// The screen as the program draws on it.
struct Pictures {
    parser: vt100::Parser,
}

impl Pictures {
    fn new() -> Self {
        Pictures {
            parser: vt100::Parser::new(ROWS, COLUMNS, 0),
        }
    }

    /// Draws bytes; returns whether a line with these words was on the screen at any time.
    fn draw(&mut self, bytes: &[u8], words: &str) -> bool {
        let mut is_found = false;
        for some in bytes.chunks(GLANCE) {
            self.parser.process(some);
            is_found |= self.lines().iter().any(|line| has_prompt(line, words));
        }
        is_found
    }

    fn lines(&self) -> Vec<String> {
        self.parser.screen().rows(0, COLUMNS.get()).collect()
    }
}

/// Whether a line has these words in order, without another number or G after them.
fn has_prompt(line: &str, words: &str) -> bool {
    let line: Vec<&str> = line.split_whitespace().collect();
    let words: Vec<&str> = words.split(' ').collect();
    let at = line.windows(words.len()).position(|some| some == words);
    let next = at.map(|at| line.get(at + words.len()));
    let is_more = |next: &str| next == "G" || next.starts_with(|c: char| c.is_ascii_digit());
    next.is_some_and(|next| !next.is_some_and(|next| is_more(next)))
}

fn compare(shown: &Shown, end_key: Key, outcome: &ProgramEnd, bytes: &[u8]) -> Option<Difference> {
    if *outcome != ProgramEnd::Exited(0) {
        let after = match shown.prompt {
            Some(_) => format!("after {}", end_key.name),
            None => "at the end of the game".to_owned(),
        };
        return Some(Difference {
            expected: format!("exit code 0 {after}"),
            got: format!("the program {outcome}"),
        });
    }
    if let Some(prompt) = &shown.prompt {
        // Only the output after the last key can decide: programs may draw late.
        let last = last_prompt(bytes, prompt);
        if last.as_ref() != Some(prompt) {
            return Some(Difference {
                expected: format!("a line `{prompt}` after the last key"),
                got: match last {
                    Some(last) => format!("finally `{last}`"),
                    None => last_screen(bytes),
                },
            });
        }
    }
    let mut pictures = Pictures::new();
    pictures.draw(bytes, "");
    let lines = pictures.lines();
    let is_board = |at: usize| {
        let mut rows = shown.board.iter().zip(lines[at..].iter());
        lines.len() - at >= shown.board.len() && rows.all(|(row, line)| line.trim_end() == row)
    };
    let board = (0..lines.len()).rev().find(|&at| is_board(at));
    let Some(board) = board else {
        return Some(Difference {
            expected: format!("the board at the end, {}", shown.board.join(" / ")),
            got: describe_screen(&lines),
        });
    };
    let mut below = lines[board + shown.board.len()..].iter();
    for [player, busy] in &shown.sums {
        let is_sum = |line: &&String| {
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
            let at = words.iter().position(|word| word == player);
            at.is_some_and(|at| words[at + 1..].contains(&&busy[..]))
        };
        if below.find(is_sum).is_none() {
            return Some(Difference {
                expected: format!("a line below the board with player {player} and {busy} fields"),
                got: describe_screen(&lines),
            });
        }
    }
    None
}

/// The last prompt that was on the screen: the first word of `like`, three numbers, and the letter
/// after them, if there is one.
fn last_prompt(bytes: &[u8], like: &str) -> Option<String> {
    let first = like.split(' ').next()?;
    let mut pictures = Pictures::new();
    let mut last = None;
    for some in bytes.chunks(GLANCE) {
        pictures.parser.process(some);
        let lines = pictures.lines();
        let found = lines.iter().find_map(|line| prompt_in(line, first));
        last = found.or(last);
    }
    last
}

/// The prompt in a line that has one.
fn prompt_in(line: &str, first: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| *word == first)?;
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = words.get(at + 1..at + 4)?;
    let golden = words.get(at + 4).filter(|word| **word == "G");
    numbers.iter().all(is_number).then(|| {
        let numbers = numbers.join(" ");
        let golden = golden.map_or(String::new(), |word| format!(" {word}"));
        format!("{first} {numbers}{golden}")
    })
}

/// What is on the screen at the end.
fn last_screen(bytes: &[u8]) -> String {
    let mut pictures = Pictures::new();
    pictures.draw(bytes, "");
    describe_screen(&pictures.lines())
}

fn describe_screen(lines: &[String]) -> String {
    let lines = lines.iter().map(|line| line.trim_end());
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    match lines.is_empty() {
        true => "an empty screen".to_owned(),
        false => format!("a screen with {}", lines.join(" / ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_found_by_their_words() {
        assert!(has_prompt("PLAYER 1 0 12", "PLAYER 1 0 12"));
        assert!(has_prompt("| PLAYER 1  0 12 G |", "PLAYER 1 0 12 G"));
        assert!(has_prompt("PLAYER 1 0 12 take a field", "PLAYER 1 0 12"));
        assert!(!has_prompt("PLAYER 1 0 12 G", "PLAYER 1 0 12"));
        assert!(!has_prompt("PLAYER 1 0 121", "PLAYER 1 0 12"));
        assert!(!has_prompt("PLAYER 1 0 12", "PLAYER 1 0 12 G"));
        let bytes = b"PLAYER 1 0 12\r\x1b[KPLAYER 2 0 11 G take\r\n.1.\r\nPLAYER 1 7\r\n";
        let last = last_prompt(bytes, "PLAYER 1 0 12");
        assert_eq!(last.as_deref(), Some("PLAYER 2 0 11 G"));
        assert_eq!(last_prompt(b"PLAYER 1 7", "PLAYER 1 0 12"), None);
    }
}
