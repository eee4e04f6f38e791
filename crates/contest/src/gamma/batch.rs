//! The batch language: lines of bytes in, commands out.
//!
//! A command is a letter at the very start of a line, then decimal numbers, each with white space
//! (blank, tab, VT, FF, CR) before it, then perhaps more white space. A number has digits only, any
//! number of leading zeros, and is at most 4294967295. Empty lines and lines that start with `#`
//! are skipped; every other line is wrong.
//!
//! The [`Reader`] takes bytes as they come and keeps the few numbers it has read, not the line. So
//! a line may be of any length and be cut anywhere, and costs no memory. Lines in the common form
//! take a fast path.

mod fast_path;
#[cfg(test)]
mod tests;

/// A well-formed command. Whether it makes sense on the board is not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// `B`: start a game.
    Batch(Sizes),
    /// `I`: start an interactive game.
    Interactive(Sizes),
    /// `m`: take a free field.
    Move(Taking),
    /// `g`: take another player's field.
    Golden(Taking),
    /// `b`: the fields a player holds.
    Busy {
        /// The player's number.
        player: u32,
    },
    /// `f`: the fields a player could take.
    Free {
        /// The player's number.
        player: u32,
    },
    /// `q`: whether a player could make a golden move.
    GoldenPossible {
        /// The player's number.
        player: u32,
    },
    /// `p`: the board.
    Print,
}

/// The numbers a game starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Players.
    pub players: u32,
    /// The most areas a player may have.
    pub areas: u32,
}

/// A player and the field taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taking {
    /// The player's number.
    pub player: u32,
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

/// The content of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchLine {
    /// A command.
    Command(Command),
    /// Nothing: the line is empty or a comment.
    Nothing,
    /// The line is wrong.
    Wrong,
}

/// Where in a line the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before its first byte.
    Start,
    /// After the letter or white space.
    Gap {
        /// White space has been read, so a number may begin.
        open: bool,
    },
    /// In a number, of which this much has been read.
    Number { value: u32 },
    /// In a comment.
    Comment,
    /// After something wrong.
    Wrong,
}

/// A reader of lines that arrive in pieces.
///
/// ```
/// use floe_contest::gamma::batch::{Command, BatchLine, Reader, Taking};
///
/// let mut reader = Reader::new();
/// assert_eq!(reader.line(b"m 1 0"), None);
/// let (line, rest) = reader.line(b"7 5\nb 1\n").unwrap();
/// let taking = Taking { player: 1, x: 7, y: 5 };
/// assert_eq!(line, BatchLine::Command(Command::Move(taking)));
/// assert_eq!(rest, b"b 1\n");
/// ```
#[derive(Debug, Clone)]
pub struct Reader {
    place: Place,
    letter: u8,
    numbers: [u32; 4],
    count: usize,
}

impl Default for Reader {
    fn default() -> Self {
        Reader::new()
    }
}

impl Reader {
    /// A reader at the start of a line.
    pub const fn new() -> Self {
        Reader {
            place: Place::Start,
            letter: 0,
            numbers: [0; 4],
            count: 0,
        }
    }

    /// Reads up to the end of the line, and returns its content and the bytes after it; `None` if
    /// the bytes end before the line does, which then continues in the next call. O(bytes read).
    #[inline]
    pub fn line<'a>(&mut self, bytes: &'a [u8]) -> Option<(BatchLine, &'a [u8])> {
        if let Some((command, rest)) = self.fast_line(bytes) {
            return Some((BatchLine::Command(command), rest));
        }
        self.any_line(bytes)
    }

    /// The short cut: a command in the form that programs write, if the reader is at the start of
    /// a line and such a command lies whole in the bytes. Otherwise `None`, which says nothing of
    /// the line.
    #[inline]
    pub(super) fn fast_line<'a>(&self, bytes: &'a [u8]) -> Option<(Command, &'a [u8])> {
        if self.place != Place::Start {
            return None;
        }
        let (command, length) = fast_path::read(bytes)?;
        Some((command, bytes.get(length..)?))
    }

    /// Reads a line of any form.
    pub(super) fn any_line<'a>(&mut self, bytes: &'a [u8]) -> Option<(BatchLine, &'a [u8])> {
        let mut at = 0;
        let mut place = self.place;
        let line = loop {
            let Some(&byte) = bytes.get(at) else {
                self.place = place;
                return None;
            };
            place = match place {
                Place::Start => match byte {
                    b'\n' => break BatchLine::Nothing,
                    b'#' => Place::Comment,
                    _ if wanted(byte).is_some() => {
                        self.letter = byte;
                        self.count = 0;
                        Place::Gap { open: false }
                    }
                    _ => Place::Wrong,
                },
                Place::Gap { open } => match byte {
                    b'\n' => break self.command(),
                    _ if is_blank(byte) => Place::Gap { open: true },
                    b'0'..=b'9' if open && self.count < self.numbers.len() => Place::Number {
                        value: u32::from(byte - b'0'),
                    },
                    _ => Place::Wrong,
                },
                Place::Number { mut value } => {
                    let mut fits = true;
                    while let Some(digit) = digit(bytes.get(at)) {
                        match value
                            .checked_mul(10)
                            .and_then(|tens| tens.checked_add(digit))
                        {
                            Some(more) => value = more,
                            None => fits = false,
                        }
                        at += 1;
                    }
                    match bytes.get(at) {
                        _ if !fits => {
                            place = Place::Wrong;
                            continue;
                        }
                        None => {
                            self.place = Place::Number { value };
                            return None;
                        }
                        Some(&byte) => {
                            self.numbers[self.count] = value;
                            self.count += 1;
                            match byte {
                                b'\n' => break self.command(),
                                _ if is_blank(byte) => Place::Gap { open: true },
                                _ => Place::Wrong,
                            }
                        }
                    }
                }
                Place::Comment | Place::Wrong => {
                    let Some(length) = bytes[at..].iter().position(|&byte| byte == b'\n') else {
                        self.place = place;
                        return None;
                    };
                    at += length;
                    break if place == Place::Wrong {
                        BatchLine::Wrong
                    } else {
                        BatchLine::Nothing
                    };
                }
            };
            at += 1;
        };
        self.place = Place::Start;
        Some((line, &bytes[at + 1..]))
    }

    /// How many of the bytes of an unfinished line, the last that were read, count towards its
    /// length: none of a comment, and no blanks.
    pub(super) fn weigh(&self, bytes: &[u8]) -> usize {
        match self.place {
            Place::Comment => 0,
            _ => bytes.iter().filter(|&&byte| !is_blank(byte)).count(),
        }
    }

    /// The content of the bytes after the last newline at the end of the input: a command is wrong,
    /// even if it is readable.
    pub fn end(self) -> BatchLine {
        match self.place {
            Place::Start | Place::Comment => BatchLine::Nothing,
            _ => BatchLine::Wrong,
        }
    }

    #[inline]
    fn command(&self) -> BatchLine {
        if wanted(self.letter) != Some(self.count) {
            return BatchLine::Wrong;
        }
        let [first, second, third, fourth] = self.numbers;
        let sizes = Sizes {
            width: first,
            height: second,
            players: third,
            areas: fourth,
        };
        let taking = Taking {
            player: first,
            x: second,
            y: third,
        };
        BatchLine::Command(match self.letter {
            b'm' => Command::Move(taking),
            b'g' => Command::Golden(taking),
            b'b' => Command::Busy { player: first },
            b'f' => Command::Free { player: first },
            b'q' => Command::GoldenPossible { player: first },
            b'p' => Command::Print,
            b'B' => Command::Batch(sizes),
            b'I' => Command::Interactive(sizes),
            _ => return BatchLine::Wrong,
        })
    }
}

/// How many numbers follow a letter; `None` if no command has this letter.
#[inline]
const fn wanted(letter: u8) -> Option<usize> {
    match letter {
        b'm' | b'g' => Some(3),
        b'b' | b'f' | b'q' => Some(1),
        b'p' => Some(0),
        b'B' | b'I' => Some(4),
        _ => None,
    }
}

#[inline]
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | b'\r')
}

#[inline]
fn digit(byte: Option<&u8>) -> Option<u32> {
    let value = byte?.wrapping_sub(b'0');
    (value < 10).then_some(u32::from(value))
}
