//! A session in the batch language: bytes in, results and errors out.
//!
//! Nothing here touches a stream. The caller feeds a [`Session`] the bytes that arrive, and writes
//! out [`Session::output`] and [`Session::errors`] before waiting for more, so that a person who
//! types line by line is answered at once.

use floe_rules::Player;
use floe_rules::gamma::{Board, Refusal};
use thiserror::Error;

use super::batch::{BatchLine, Command, Reader, Sizes, Taking};

/// [`Session::feed`] returns after about this many bytes of output.
pub const BLOCK: usize = 64 * 1024;

/// The longest line, not counting comments and blanks, which may be of any length.
pub const MOST_LINE: usize = 16 << 20;
/// Some editors write a byte order mark before the first line.
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// The reason why a session must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Critical {
    /// There is not enough memory to make a move or to draw the board.
    #[error("line {line}: out of memory; use a smaller board or more memory")]
    Memory {
        /// The line of the command, from 1.
        line: u64,
    },
    /// The line does not end.
    #[error(
        "line {line} does not end: a line may have {MOST_LINE} bytes besides comments and blanks"
    )]
    EndlessLine {
        /// The line, from 1.
        line: u64,
    },
}

/// A run of the batch program.
///
/// ```
/// use floe_contest::gamma::session::Session;
///
/// let mut session = Session::new();
/// session.feed(b"B 2 1 1 1\nm 1 0 0\nm 1 5 5\nm one\np\n")?;
/// session.end();
/// assert_eq!(session.output, b"OK 1\n1\n0\n1.\n");
/// assert_eq!(session.errors, b"ERROR 4\n");
/// # Ok::<(), floe_contest::gamma::session::Critical>(())
/// ```
#[derive(Debug, Default)]
pub struct Session {
    /// Results, in order; the caller writes and clears them.
    pub output: Vec<u8>,
    /// Errors, in order, likewise.
    pub errors: Vec<u8>,
    reader: Reader,
    lines: u64,
    /// Bytes so far of an unfinished line, not counting comments and blanks.
    unfinished: usize,
    /// State of a byte order mark at the start of the input.
    order_mark: OrderMark,
    /// Carriage returns found before the first newline.
    returns: Returns,
    board: Option<Board>,
    /// The board of an interactive game that was requested and not started yet.
    interactive: Option<Board>,
}

/// The start of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OrderMark {
    /// This many bytes of a byte order mark have been read.
    Read(usize),
    /// The first line has begun.
    Past,
}

impl Default for OrderMark {
    fn default() -> Self {
        OrderMark::Read(0)
    }
}

/// State of the check for a first line with several carriage returns inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Returns {
    /// No carriage return so far.
    #[default]
    None,
    /// One carriage return, with only blanks after it.
    Last,
    /// A carriage return with text after it.
    Between,
}

impl Session {
    /// A session before its first line.
    pub fn new() -> Self {
        Session::default()
    }

    /// Plays lines from these bytes and returns the unread bytes: none, or some when about
    /// [`BLOCK`] bytes of output have gathered, which the caller must write out and clear before the next call. A line may continue in the next call.
    ///
    /// After a line that asks for the interactive game it stops too: see
    /// [`take_interactive`](Session::take_interactive).
    ///
    /// If memory runs out in a move, the session ends: the board is unchanged, but later results
    /// would no longer be those of the commands.
    pub fn feed<'a>(&mut self, mut bytes: &'a [u8]) -> Result<&'a [u8], Critical> {
        self.refuse_untaken();
        if self.order_mark != OrderMark::Past {
            bytes = self.pass_order_mark(bytes);
        }
        while self.board.is_none() && self.errors.len() < BLOCK {
            let Some((line, rest)) = self.reader.any_line(bytes) else {
                return self.await_end_of_line(bytes);
            };
            bytes = rest;
            self.unfinished = 0;
            self.lines += 1;
            self.follow(line)?;
            if self.interactive.is_some() {
                return Ok(bytes);
            }
        }
        while self.output.len() < BLOCK && self.errors.len() < BLOCK {
            // Both ways to read a line have their own copy of the code after it, so that on the
            // fast path the numbers stay in registers.
            if let Some((command, rest)) = self.reader.fast_line(bytes) {
                bytes = rest;
                self.lines += 1;
                self.obey(command)?;
            } else if let Some((line, rest)) = self.reader.any_line(bytes) {
                bytes = rest;
                self.unfinished = 0;
                self.lines += 1;
                self.follow(line)?;
            } else {
                return self.await_end_of_line(bytes);
            }
        }
        Ok(bytes)
    }

    /// Counts these bytes of an unfinished line.
    #[cold]
    fn await_end_of_line<'a>(&mut self, bytes: &[u8]) -> Result<&'a [u8], Critical> {
        self.unfinished += self.reader.weigh(bytes);
        if self.lines == 0 {
            for &byte in bytes {
                self.returns = match (self.returns, byte) {
                    (Returns::None, b'\r') => Returns::Last,
                    (Returns::Last, b'!'..) => Returns::Between,
                    (returns, _) => returns,
                };
            }
        }
        if self.unfinished > MOST_LINE {
            self.lines += 1;
            self.refuse();
            return Err(Critical::EndlessLine { line: self.lines });
        }
        Ok(&[])
    }

    /// The bytes after the byte order mark, if the input begins with one.
    #[cold]
    fn pass_order_mark<'a>(&mut self, mut bytes: &'a [u8]) -> &'a [u8] {
        while let OrderMark::Read(count) = self.order_mark {
            match bytes.split_first() {
                None => break,
                Some((&byte, rest)) if byte == BYTE_ORDER_MARK[count] => {
                    bytes = rest;
                    self.order_mark = match count {
                        2 => OrderMark::Past,
                        _ => OrderMark::Read(count + 1),
                    };
                }
                Some(_) => self.end_order_mark(),
            }
        }
        bytes
    }

    /// The bytes that began like a byte order mark are not one: they belong to the line.
    fn end_order_mark(&mut self) {
        if let OrderMark::Read(count) = self.order_mark {
            self.order_mark = OrderMark::Past;
            let _ = self.reader.any_line(&BYTE_ORDER_MARK[..count]);
        }
    }

    #[inline(never)]
    fn follow(&mut self, line: BatchLine) -> Result<(), Critical> {
        match line {
            BatchLine::Command(command) => self.obey(command)?,
            BatchLine::Nothing => {}
            BatchLine::Wrong => self.refuse(),
        }
        Ok(())
    }

    /// The board of the interactive game that the last line asked for, if it did. The bytes after
    /// that line are keys then, and the session is over, unless
    /// [`refuse_interactive`](Session::refuse_interactive) takes it up again.
    ///
    /// A caller that continues without taking the board refuses the game.
    pub fn take_interactive(&mut self) -> Option<Board> {
        self.interactive.take()
    }

    /// The interactive game cannot be played: its line was wrong, and the next line may start a
    /// game.
    pub fn refuse_interactive(&mut self, why: &str) {
        self.errors
            .extend_from_slice(format!("gamma: {why}\n").as_bytes());
        self.refuse();
    }

    fn refuse_untaken(&mut self) {
        if self.interactive.take().is_some() {
            self.refuse_interactive("there is no interactive game here");
        }
    }

    /// The input has ended.
    pub fn end(&mut self) {
        self.refuse_untaken();
        self.end_order_mark();
        if std::mem::take(&mut self.reader).end() == BatchLine::Wrong {
            self.lines += 1;
            self.refuse();
            if self.lines == 1 && self.returns == Returns::Between {
                self.errors.extend_from_slice(
                    b"gamma: line 1 has carriage returns and no newline: a line must end in a \
                      newline, alone (Unix) or after a carriage return (Windows)\n",
                );
            }
        }
    }

    #[inline(always)] // see `feed`
    fn obey(&mut self, command: Command) -> Result<(), Critical> {
        let Some(board) = &mut self.board else {
            self.begin(command);
            return Ok(());
        };
        let critical = Critical::Memory { line: self.lines };
        let output = &mut self.output;
        match command {
            Command::Move(Taking { player, x, y }) => {
                let made = Player::from_number(player).map(|player| board.take(player, x, y));
                say(output, is_made(made).ok_or(critical)?);
            }
            Command::Golden(Taking { player, x, y }) => {
                let made =
                    Player::from_number(player).map(|player| board.take_golden(player, x, y));
                say(output, is_made(made).ok_or(critical)?);
            }
            Command::Busy { player } => {
                let player = Player::from_number(player);
                write_number(output, player.map_or(0, |player| board.busy_fields(player)));
            }
            Command::Free { player } => {
                let player = Player::from_number(player);
                write_number(output, player.map_or(0, |player| board.free_fields(player)));
            }
            Command::GoldenPossible { player } => {
                let player = Player::from_number(player);
                say(
                    output,
                    player.is_some_and(|player| board.golden_possible(player)),
                );
            }
            Command::Print => draw(output, board).ok_or(critical)?,
            Command::Batch(_) | Command::Interactive(_) => self.refuse(),
        }
        Ok(())
    }

    /// The first commands, until one of them makes a game.
    #[cold]
    fn begin(&mut self, command: Command) {
        let (Command::Batch(sizes) | Command::Interactive(sizes)) = command else {
            return self.refuse();
        };
        let Sizes {
            width,
            height,
            players,
            areas,
        } = sizes;
        match Board::new(width, height, players, areas) {
            Ok(board) if matches!(command, Command::Interactive(_)) => {
                self.interactive = Some(board);
            }
            Ok(board) => {
                self.board = Some(board);
                self.output.extend_from_slice(b"OK ");
                write_number(&mut self.output, self.lines);
            }
            Err(_) => self.refuse(),
        }
    }

    #[cold]
    fn refuse(&mut self) {
        self.errors.extend_from_slice(b"ERROR ");
        write_number(&mut self.errors, self.lines);
    }
}

/// Whether a move was made; `None` if memory ran out. Player 0 never makes one.
#[inline]
fn is_made(made: Option<Result<(), Refusal>>) -> Option<bool> {
    match made {
        Some(Ok(())) => Some(true),
        Some(Err(Refusal::Memory)) => None,
        Some(Err(_)) | None => Some(false),
    }
}

#[inline]
fn say(output: &mut Vec<u8>, answer: bool) {
    output.extend_from_slice(if answer { b"1\n" } else { b"0\n" });
}

/// Writes a number and a newline.
fn write_number(output: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 21];
    let mut at = digits.len() - 1;
    digits[at] = b'\n';
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    output.extend_from_slice(&digits[at..]);
}

/// Writes the board; `None` if there is not enough memory.
pub(super) fn draw(output: &mut Vec<u8>, board: &Board) -> Option<()> {
    let size = board.text_size()?;
    output.try_reserve(size).ok()?;
    let start = output.len();
    output.resize(start + size, 0);
    board.write_text(&mut output[start..]);
    Some(())
}
