//! Calls in the harness's syntax, and the answers by the rules.

use crate::Player;
use crate::gamma::{Board, NewError, Refusal};

/// From this many fields or players on a library may say that there is no memory.
const MAY_REFUSE_FIELDS: u64 = 1 << 26;
const MAY_REFUSE_PLAYERS: u32 = 1 << 20;
/// With more players libraries draw the board in different ways.
const MOST_DRAWN: u32 = 9;

/// A call of the library, or an order to the harness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    New {
        width: u32,
        height: u32,
        players: u32,
        areas: u32,
    },
    Delete,
    /// A function with its numbers.
    On {
        function: Function,
        numbers: [u32; 3],
        /// With NULL in place of the game.
        is_null: bool,
    },
    /// `gamma_move` on every field of a rectangle.
    Rectangle {
        player: u32,
        from: (u32, u32),
        to: (u32, u32),
    },
    /// The allocation with this number fails; 0 for none.
    Fail(u32),
    /// Blocks that the library has allocated and not freed.
    Live,
}

/// A function that takes a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Move,
    Golden,
    Busy,
    Free,
    Possible,
    Board,
    DeleteNull,
}

impl Call {
    /// The call of a line.
    pub(super) fn read(line: &str) -> Option<Call> {
        let (is_null, line) = match line.strip_prefix('0') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let mut words = line.split_ascii_whitespace();
        let word = words.next()?;
        let numbers: Vec<u32> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
        let on = |function, count: usize| {
            (numbers.len() == count).then(|| {
                let mut all = [0; 3];
                all[..count].copy_from_slice(&numbers);
                Call::On {
                    function,
                    numbers: all,
                    is_null,
                }
            })
        };
        match (word, &numbers[..]) {
            ("new", &[width, height, players, areas]) => Some(Call::New {
                width,
                height,
                players,
                areas,
            }),
            ("del", []) if is_null => on(Function::DeleteNull, 0),
            ("del", []) => Some(Call::Delete),
            ("m", _) => on(Function::Move, 3),
            ("g", _) => on(Function::Golden, 3),
            ("b", _) => on(Function::Busy, 1),
            ("f", _) => on(Function::Free, 1),
            ("q", _) => on(Function::Possible, 1),
            ("p", _) => on(Function::Board, 0),
            ("r", &[player, x, y, u, v]) => Some(Call::Rectangle {
                player,
                from: (x, y),
                to: (u, v),
            }),
            ("fail", &[number]) => Some(Call::Fail(number)),
            ("live", []) => Some(Call::Live),
            _ => None,
        }
    }

    /// The line of the call.
    pub(super) fn write(self) -> String {
        match self {
            Call::New {
                width,
                height,
                players,
                areas,
            } => format!("new {width} {height} {players} {areas}"),
            Call::Delete => "del".to_owned(),
            Call::On {
                function,
                numbers: [a, b, c],
                is_null,
            } => {
                let null = if is_null { "0" } else { "" };
                match function {
                    Function::Move => format!("{null}m {a} {b} {c}"),
                    Function::Golden => format!("{null}g {a} {b} {c}"),
                    Function::Busy => format!("{null}b {a}"),
                    Function::Free => format!("{null}f {a}"),
                    Function::Possible => format!("{null}q {a}"),
                    Function::Board => format!("{null}p"),
                    Function::DeleteNull => "0del".to_owned(),
                }
            }
            Call::Rectangle {
                player,
                from: (x, y),
                to: (u, v),
            } => format!("r {player} {x} {y} {u} {v}"),
            Call::Fail(number) => format!("fail {number}"),
            Call::Live => "live".to_owned(),
        }
    }
}

/// The game as the rules have it.
#[derive(Debug, Default)]
pub(super) struct Reference {
    pub(super) board: Option<Board>,
    /// Whether an allocation has been made to fail, so that calls may fail too.
    may_fail: bool,
}

impl Reference {
    /// The answer of a library that never lacks memory.
    pub(super) fn answer(&mut self, call: Call) -> String {
        self.hold(call, None).err().unwrap_or_default()
    }

    /// Plays a call and holds an answer against the rules; the error is what it should have been.
    /// Without an answer that is always the error.
    pub(super) fn hold(&mut self, call: Call, answer: Option<&str>) -> Result<(), String> {
        let expected = match call {
            Call::New { .. } => return self.hold_new(call, answer),
            Call::Delete => {
                self.board = None;
                "ok".to_owned()
            }
            Call::Fail(number) => {
                self.may_fail = number > 0;
                "ok".to_owned()
            }
            Call::Live if self.board.is_some() => return Ok(()),
            Call::Live => "0".to_owned(),
            Call::Rectangle { player, from, to } => self.fill(player, from, to).to_string(),
            Call::On {
                function,
                numbers,
                is_null,
            } => {
                let board = self.board.as_mut().filter(|_| !is_null);
                let Some(board) = board else {
                    return compare(nothing(function), answer);
                };
                if self.may_fail && answer.is_some_and(|answer| answer == without_memory(function))
                {
                    return Ok(());
                }
                if function == Function::Board && board.players() > MOST_DRAWN {
                    return compare_drawn(answer);
                }
                on_board(board, function, numbers)
            }
        };
        compare(&expected, answer)
    }

    fn hold_new(&mut self, call: Call, answer: Option<&str>) -> Result<(), String> {
        let Call::New {
            width,
            height,
            players,
            areas,
        } = call
        else {
            return Ok(());
        };
        self.board = None;
        let is_large = u64::from(width) * u64::from(height) >= MAY_REFUSE_FIELDS
            || players >= MAY_REFUSE_PLAYERS;
        match Board::new(width, height, players, areas) {
            Err(NewError::Zero | NewError::Memory) => compare("null", answer),
            Ok(_) if (is_large || self.may_fail) && answer == Some("null") => Ok(()),
            Ok(board) => {
                self.board = Some(board);
                compare("game", answer)
            }
        }
    }

    fn fill(&mut self, player: u32, from: (u32, u32), to: (u32, u32)) -> u64 {
        let (Some(board), Some(player)) = (self.board.as_mut(), Player::from_number(player)) else {
            return 0;
        };
        let mut made = 0;
        for y in from.1..=to.1 {
            for x in from.0..=to.0 {
                made += u64::from(board.take(player, x, y).is_ok());
            }
        }
        made
    }
}

/// A function's answer to a wrong parameter.
fn nothing(function: Function) -> &'static str {
    match function {
        Function::Board => "null",
        Function::DeleteNull => "ok",
        _ => "0",
    }
}

/// A function's possible answer when memory runs out.
fn without_memory(function: Function) -> &'static str {
    nothing(function)
}

fn compare(expected: &str, answer: Option<&str>) -> Result<(), String> {
    match answer == Some(expected) {
        true => Ok(()),
        false => Err(expected.to_owned()),
    }
}

/// Any drawing will do.
fn compare_drawn(answer: Option<&str>) -> Result<(), String> {
    match answer {
        Some(text) if text != "null" => Ok(()),
        _ => Err("a drawn board".to_owned()),
    }
}

fn on_board(board: &mut Board, function: Function, [first, x, y]: [u32; 3]) -> String {
    let Some(player) =
        Player::from_number(first).or((function == Function::Board).then(|| Player::new(0)))
    else {
        return nothing(function).to_owned();
    };
    let made = |made: Result<(), Refusal>| u8::from(made.is_ok()).to_string();
    match function {
        Function::Move => made(board.take(player, x, y)),
        Function::Golden => made(board.take_golden(player, x, y)),
        Function::Busy => board.busy_fields(player).to_string(),
        Function::Free => board.free_fields(player).to_string(),
        Function::Possible => u8::from(board.golden_possible(player)).to_string(),
        Function::Board => drawn(board),
        Function::DeleteNull => "ok".to_owned(),
    }
}

/// The board with a slash at the end of each row, as the harness prints it.
fn drawn(board: &Board) -> String {
    let mut text = vec![0; board.text_size().unwrap_or(0)];
    board.write_text(&mut text);
    String::from_utf8_lossy(&text).replace('\n', "/")
}
