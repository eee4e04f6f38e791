//! A game line by line: questions and answers in text, at a keyboard or through a pipe.
//!
//! A question is asked again until its answer can be used, and says each time why it cannot;
//! nothing that was answered before is asked again. `?` explains and `quit` ends at any question,
//! and so does the end of the input. Answers that come through a pipe are written out after their
//! questions, so that what is written reads like a game that was typed.

mod answers;
mod seats;

use std::fmt;
use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};

use thiserror::Error;

pub use answers::{number, numbers, range, size};
pub use seats::{Seat, Seats, listed, seed};

/// Width of printed text, which fits the narrowest terminals.
const WIDTH: usize = 79;
/// Longest line that is read, in characters; people type less.
const MOST_TYPED: usize = 1000;
/// Most bytes of a line to wait for: a longer line never ends.
const MOST_BYTES: usize = 1 << 20;

/// Reasons why a dialogue stops before the game is over.
#[derive(Debug, Error)]
pub enum Stop {
    /// There is no more input.
    #[error("the input ended")]
    InputEnded,
    /// The player typed `quit`.
    #[error("the player typed quit")]
    Quit,
    /// Reading or writing fails.
    #[error(transparent)]
    Failed(#[from] io::Error),
}

impl Stop {
    /// Prints a last message, if the output is still open.
    pub fn leave(self, say: impl FnOnce() -> Result<(), Stop>) -> io::Result<()> {
        match self {
            Stop::Failed(error) => Err(error),
            Stop::InputEnded | Stop::Quit => match say() {
                Err(Stop::Failed(error)) => Err(error),
                _ => Ok(()),
            },
        }
    }
}

/// Where answers come from and questions go.
///
/// ```
/// use floe_contest::dialogue::{Dialogue, number};
/// let mut input = &b"many\n12\n3\n"[..];
/// let mut output = Vec::new();
/// let mut dialogue = Dialogue::new(&mut input, &mut output);
/// let players = dialogue.ask("How many play (2-9)?", "People and engines.", |answer| {
///     number(answer, 2..=9)
/// })?;
/// assert_eq!(players, 3);
/// let text = String::from_utf8(output).unwrap();
/// assert!(text.contains("`many` is not a number"), "{text}");
/// # Ok::<(), floe_contest::dialogue::Stop>(())
/// ```
pub struct Dialogue<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// Whether the terminal echoes what is typed.
    is_typed: bool,
    has_colours: bool,
}

impl fmt::Debug for Dialogue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialogue")
            .field("is_typed", &self.is_typed)
            .field("has_colours", &self.has_colours)
            .finish_non_exhaustive()
    }
}

impl<'a> Dialogue<'a> {
    /// Runs a game: questions, play, and a pause before the window closes. If the input ends or a
    /// player quits, prints the scores and stops.
    pub fn play<T>(
        &mut self,
        begin: impl FnOnce(&mut Self) -> Result<T, Stop>,
        go_on: impl FnOnce(&mut T, &mut Self) -> Result<(), Stop>,
        say_standing: impl FnOnce(&T, &mut Self) -> Result<(), Stop>,
    ) -> io::Result<()> {
        let mut table = match begin(self) {
            Ok(table) => table,
            Err(stop) => return stop.leave(|| self.say("\nNo game was started.")),
        };
        if let Err(stop) = go_on(&mut table, self) {
            return stop.leave(|| {
                self.say("\nThe game ends here. The standing:")?;
                say_standing(&table, self)
            });
        }
        self.linger()
    }

    /// A dialogue through pipes, without colours.
    pub fn new(input: &'a mut dyn BufRead, output: &'a mut dyn Write) -> Self {
        Dialogue {
            input,
            output,
            is_typed: false,
            has_colours: false,
        }
    }

    /// A dialogue on standard input and output, which may be terminals.
    pub fn standard(input: &'a mut io::StdinLock<'_>, output: &'a mut io::StdoutLock<'_>) -> Self {
        let is_typed = input.is_terminal();
        let has_colours = output.is_terminal()
            && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Dialogue {
            input,
            output,
            is_typed,
            has_colours,
        }
    }

    /// Whether the output may have colours.
    pub fn has_colours(&self) -> bool {
        self.has_colours
    }

    /// Writes a line, or lines.
    pub fn say(&mut self, text: impl fmt::Display) -> Result<(), Stop> {
        writeln!(self.output, "{text}")?;
        self.output.flush()?;
        Ok(())
    }

    /// Writes text in lines that fit any terminal; shorter lines and indentation stay unchanged.
    pub fn print(&mut self, text: &str) -> Result<(), Stop> {
        self.say(broken(text))
    }

    /// Asks until `read` accepts the answer, which has no blanks at its ends; prints its reasons
    /// for refusing. `help` is the answer to `?`.
    pub fn ask<T>(
        &mut self,
        question: &str,
        help: &str,
        mut read: impl FnMut(&str) -> Result<T, String>,
    ) -> Result<T, Stop> {
        loop {
            write!(self.output, "{question} ")?;
            self.output.flush()?;
            let answer = match self.line() {
                Err(Stop::InputEnded) => {
                    self.say("")?;
                    return Err(Stop::InputEnded);
                }
                answer => answer?,
            };
            if !self.is_typed {
                let shown: String = answer.chars().map(visible).collect();
                self.say(shown)?;
            }
            let answer = answer.trim();
            match answer.to_ascii_lowercase().as_str() {
                "?" | "help" => self.print(&format!("  {help} `quit` ends the game."))?,
                "q" | "quit" | "exit" => return Err(Stop::Quit),
                _ => match read(answer) {
                    Ok(value) => return Ok(value),
                    Err(why) => self.print(&format!("  {why}"))?,
                },
            }
        }
    }

    /// Keeps the last output on the screen until a key is pressed: a window may close with the
    /// program. Through a pipe it does not wait.
    pub fn linger(&mut self) -> io::Result<()> {
        if !self.is_typed {
            return Ok(());
        }
        write!(self.output, "Press Enter to leave. ")?;
        self.output.flush()?;
        match self.line() {
            Err(Stop::Failed(error)) => Err(error),
            Err(Stop::InputEnded | Stop::Quit) => writeln!(self.output),
            Ok(_) => Ok(()),
        }
    }

    /// The next line without its end, or the start of a long line. The last line may have no line
    /// ending.
    fn line(&mut self) -> Result<String, Stop> {
        let mut bytes = Vec::new();
        let mut is_any = false;
        let mut length = 0;
        loop {
            let block = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                block => block?,
            };
            if block.is_empty() {
                if is_any {
                    break;
                }
                return Err(Stop::InputEnded);
            }
            is_any = true;
            let end = block.iter().position(|&b| b == b'\n');
            let text = &block[..end.unwrap_or(block.len())];
            let room = (4 * MOST_TYPED).saturating_sub(bytes.len());
            bytes.extend_from_slice(&text[..text.len().min(room)]);
            let used = end.map_or(block.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
            length += used;
            if length > MOST_BYTES {
                let cause = format!("a line of the input has more than {MOST_BYTES} bytes");
                return Err(io::Error::new(ErrorKind::InvalidData, cause).into());
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        // Some editors begin a file with a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        Ok(text.trim_end().chars().take(MOST_TYPED).collect())
    }
}

/// Lines of at most [`WIDTH`] characters, broken between words; later lines have the indentation of
/// the first.
fn broken(text: &str) -> String {
    let mut lines = Vec::new();
    for whole in text.split('\n') {
        if whole.chars().count() <= WIDTH {
            lines.push(whole.to_owned());
            continue;
        }
        let indent: String = whole.chars().take_while(|&c| c == ' ').collect();
        let mut line = indent.clone();
        for word in whole.split_whitespace() {
            let is_first = line.len() == indent.len();
            if !is_first && line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(std::mem::replace(&mut line, indent.clone()));
            }
            if line.len() > indent.len() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// A visible character in place of a control character.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks for a number from 1 to 9 once; gives the answer and everything that was written.
    fn asked(input: impl AsRef<[u8]>) -> (Result<u32, Stop>, String) {
        let mut input = input.as_ref();
        let mut output = Vec::new();
        let mut dialogue = Dialogue::new(&mut input, &mut output);
        let answer = dialogue.ask("Number?", "One of nine.", |answer| number(answer, 1..=9));
        (answer, String::from_utf8(output).unwrap())
    }

    #[test]
    fn answers_are_shown_and_wrong_ones_explained() {
        let (answer, text) = asked("x\n 10 \n\n?\n\t7\r\n8\n");
        assert_eq!(answer.unwrap(), 7);
        assert_eq!(
            text,
            "Number? x\n  `x` is not a number: type one from 1 to 9.\n\
             Number?  10\n  10 is too large: type a number from 1 to 9.\n\
             Number? \n  Type a number from 1 to 9.\n\
             Number? ?\n  One of nine. `quit` ends the game.\n\
             Number?  7\n"
        );
    }

    #[test]
    fn words_fit_any_terminal_and_short_lines_stay() {
        let words = "seven letters ".repeat(9);
        let text = format!("as  it was\n\n  {words}");
        let wrapped = broken(&text);
        assert!(
            wrapped.lines().all(|line| line.chars().count() <= WIDTH),
            "{wrapped}"
        );
        assert!(
            wrapped.starts_with("as  it was\n\n  seven letters seven"),
            "{wrapped}"
        );
        assert!(
            wrapped
                .lines()
                .skip(2)
                .all(|line| line.starts_with("  s") || line.starts_with("  l"))
        );
        let again: Vec<&str> = wrapped.split_whitespace().skip(3).collect();
        assert_eq!(again, words.split_whitespace().collect::<Vec<_>>());
        let long = "x".repeat(200);
        assert_eq!(broken(&long), long, "a word is never torn");
    }

    #[test]
    fn the_end_of_the_input_ends() {
        assert!(matches!(asked("").0, Err(Stop::InputEnded)));
        assert!(matches!(asked("x\n").0, Err(Stop::InputEnded)));
        assert_eq!(asked("5").0.unwrap(), 5, "the last line needs no newline");
        for word in ["quit\n", "Q\n", " exit "] {
            assert!(matches!(asked(word).0, Err(Stop::Quit)));
        }
    }

    #[test]
    fn any_bytes_are_survived() {
        let mut bytes = vec![b'9'; 1 << 20];
        bytes.extend(b"\n\xff\x1b[2J\0\n3\n");
        let (answer, text) = asked(bytes);
        assert_eq!(answer.unwrap(), 3);
        assert!(!text.contains('\x1b') && text.len() < 10_000, "{text}");
    }
}
