//! The text of a position.
//!
//! ```text
//! gamma 5 4 2 3          width, height, players, areas
//! turn 2 golden 1 2      the player to move, and who still has the golden move; if players were
//!                        taken out of the game, `out` and their numbers follow
//! .....                  the board from the top row down
//! ..2..
//! .11..
//! 1....
//! ```

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::{Board, GammaPosition, NewError, SEATS};
use crate::text::{TextLine, Word, lines, quoted};
use crate::{ParseError, Player, Position, Report};

const HEAD: &str = "line 1 is `gamma WIDTH HEIGHT PLAYERS AREAS`, such as `gamma 10 10 2 3`";
const TURN: &str = "line 2 is `turn PLAYER golden PLAYERS…`, such as `turn 1 golden 1 2`";
/// A text with more errors than this is not what it was taken for.
const MOST_ERRORS: usize = 100;

pub(super) fn write(position: &GammaPosition) -> String {
    let board = position.board();
    let mut text = format!(
        "gamma {} {} {} {}\nturn ",
        board.width(),
        board.height(),
        board.players(),
        board.areas()
    );
    match position.turn() {
        Some(player) => text.push_str(&player.to_string()),
        None => text.push('-'),
    }
    text.push_str(" golden");
    for player in Player::all(board.players()).filter(|&player| board.has_golden(player)) {
        let _ = write!(text, " {player}");
    }
    if !position.out().is_empty() {
        text.push_str(" out");
    }
    for player in position.out() {
        let _ = write!(text, " {player}");
    }
    text.push('\n');
    let mut fields = vec![0; board.text_size().unwrap_or(0)];
    board.write_text(&mut fields);
    text.push_str(&String::from_utf8_lossy(&fields));
    text
}

pub(super) fn parse(text: &str, report: &mut Report) -> Option<GammaPosition> {
    let mut reader = Reader {
        report: Report::new(),
    };
    let position = reader.read(text);
    report.errors.append(&mut reader.report.errors);
    position
}

/// The four numbers of line 1.
#[derive(Clone, Copy)]
struct Size {
    width: u32,
    height: u32,
    players: u32,
    areas: u32,
}

/// Line 2, with the word that names the turn.
struct Turn<'a> {
    word: Word<'a>,
    player: Option<Player>,
    golden: HashSet<Player>,
    out: HashSet<Player>,
}

struct Reader {
    report: Report,
}

impl Reader {
    fn read(&mut self, text: &str) -> Option<GammaPosition> {
        let mut lines = lines(text);
        let Some(first) = lines.next() else {
            self.report
                .error(ParseError::new(1, 1, "the text is empty").with_help(HEAD));
            return None;
        };
        let size = self.note(read_size(first))?;
        let turn = match lines.next() {
            Some(line) => self.read_turn(line, size),
            None => {
                let error = ParseError::new(2, 1, "the turn is missing").with_help(TURN);
                self.report.error(error);
                None
            }
        };
        let owners = self.read_fields(lines, size);
        // The text is as long as the board now, so that no few words can ask for much memory.
        self.assemble(first, size, &turn?, &owners?)
    }

    /// The value, or its error noted.
    fn note<T>(&mut self, result: Result<T, ParseError>) -> Option<T> {
        result.map_err(|error| self.report.error(error)).ok()
    }

    fn read_turn<'a>(&mut self, line: TextLine<'a>, size: Size) -> Option<Turn<'a>> {
        let before = self.report.errors.len();
        let mut words = line.words();
        self.note(expect(words.next(), "turn", line, TURN))?;
        let Some(word) = words.next() else {
            self.report.error(
                line.error_at_end("the player to move is missing")
                    .with_help(TURN),
            );
            return None;
        };
        let player = match word.text {
            "-" => None,
            _ => Some(self.note(read_player(word, size.players))?),
        };
        self.note(expect(words.next(), "golden", line, TURN))?;
        let (mut golden, mut out) = (HashSet::new(), HashSet::new());
        let mut named = &mut golden;
        let mut after_out = false;
        for word in words {
            if self.report.errors.len() >= MOST_ERRORS {
                break;
            }
            if word.text == "out" && !after_out {
                after_out = true;
                named = &mut out;
                continue;
            }
            let Some(player) = self.note(read_player(word, size.players)) else {
                continue;
            };
            if !named.insert(player) {
                self.report
                    .error(word.error(format!("player {player} is named twice")));
            }
        }
        (self.report.errors.len() == before).then_some(Turn {
            word,
            player,
            golden,
            out,
        })
    }

    /// The owners of all fields with their places in the text, from the top-left.
    fn read_fields<'a>(
        &mut self,
        lines: impl Iterator<Item = TextLine<'a>>,
        size: Size,
    ) -> Option<Vec<(Option<Player>, u32, u32)>> {
        let before = self.report.errors.len();
        let mut owners = Vec::new();
        let mut rows = 0;
        let mut last = 2;
        for line in lines {
            if self.report.errors.len() >= MOST_ERRORS {
                break;
            }
            if rows < size.height {
                rows += 1;
                last = line.number;
                self.read_row(line, size, &mut owners);
            } else if let Some(word) = line.words().next() {
                let error = word.error("text after the end of the board");
                self.report
                    .error(error.with_help(format!("the board has {} rows", size.height)));
                break;
            }
        }
        if rows < size.height && self.report.errors.len() < MOST_ERRORS {
            let missing = format!("row {} of {} is missing", rows + 1, size.height);
            self.report.error(ParseError::new(last + 1, 1, missing));
        }
        (self.report.errors.len() == before).then_some(owners)
    }

    fn read_row(
        &mut self,
        line: TextLine<'_>,
        size: Size,
        owners: &mut Vec<(Option<Player>, u32, u32)>,
    ) {
        let mut count = 0u32;
        let mut letter = [0; 4];
        let mut take = |reader: &mut Self, word: Word<'_>| {
            count = count.saturating_add(1);
            let owner = match word.text {
                "." => None,
                _ => match read_player(word, size.players) {
                    Ok(player) => Some(player),
                    Err(error) => {
                        if reader.report.errors.len() < MOST_ERRORS {
                            reader.report.error(error.with_help(format!(
                                "a field is `.` or a player from 1 to {}",
                                size.players
                            )));
                        }
                        None
                    }
                },
            };
            if count <= size.width {
                owners.push((owner, line.number, word.column));
            }
        };
        if size.players <= 9 {
            let line_end = line.text.trim_end();
            for (column, field) in (1..).zip(line_end.chars()) {
                let text = &*field.encode_utf8(&mut letter);
                take(
                    self,
                    Word {
                        line: line.number,
                        column,
                        text,
                    },
                );
            }
        } else {
            for word in line.words() {
                take(self, word);
            }
        }
        if count != size.width {
            let cause = format!("the row has {count} fields instead of {}", size.width);
            self.report.error(line.error_at_end(cause));
        }
    }

    fn assemble(
        &mut self,
        head: TextLine<'_>,
        size: Size,
        turn: &Turn<'_>,
        owners: &[(Option<Player>, u32, u32)],
    ) -> Option<GammaPosition> {
        let Size {
            width,
            height,
            players,
            areas,
        } = size;
        let fail = |error: String| ParseError::new(head.number, 1, error);
        let board = Board::new(width, height, players, areas);
        let mut board = self.note(board.map_err(|error: NewError| fail(error.to_string())))?;
        let place = |i: usize| {
            let (x, down) = (i % width as usize, i / width as usize);
            (x as u32, height - 1 - down as u32)
        };
        for (i, &(owner, line, column)) in owners.iter().enumerate() {
            let Some(owner) = owner else { continue };
            let (x, y) = place(i);
            let placed = board.place(owner, x, y);
            self.note(placed.map_err(|e| ParseError::new(line, column, e.to_string())))?;
        }
        for player in Player::all(players).filter(|player| !turn.golden.contains(player)) {
            self.note(board.spend_golden(player).map_err(|e| fail(e.to_string())))?;
        }
        let before = self.report.errors.len();
        let mut seen = HashSet::new();
        let mut counts: HashMap<Player, u32> = HashMap::new();
        for (i, &(owner, line, column)) in owners.iter().enumerate() {
            let Some(owner) = owner else { continue };
            let (x, y) = place(i);
            if board.area_count(owner) > areas && seen.insert(board.area_at(x, y)) {
                let count = counts.entry(owner).or_default();
                *count += 1;
                if u64::from(*count) == u64::from(areas) + 1 {
                    let has = board.area_count(owner);
                    let cause = format!("player {owner} has {has} areas, the limit is {areas}");
                    self.report.error(ParseError::new(line, column, cause));
                }
            }
        }
        if self.report.errors.len() > before {
            return None;
        }
        let mut out: Vec<Player> = turn.out.iter().copied().collect();
        out.sort_unstable();
        GammaPosition::with_turn(board, turn.player, out)
            .map_err(|next| self.report.error(wrong_turn(turn.word, turn.player, next)))
            .ok()
    }
}

fn wrong_turn(word: Word<'_>, said: Option<Player>, next: Option<Player>) -> ParseError {
    let cause = match said {
        Some(player) => format!("player {player} cannot move"),
        None => "the game is not over".to_owned(),
    };
    word.error(cause).with_help(match next {
        Some(player) => format!("the next who can move is player {player}"),
        None => "no player can move: write `turn -`".to_owned(),
    })
}

fn read_size(line: TextLine<'_>) -> Result<Size, ParseError> {
    let mut words = line.words();
    expect(words.next(), "gamma", line, HEAD)?;
    let mut number = |what: &str, most: u32| {
        let Some(word) = words.next() else {
            return Err(line
                .error_at_end(format!("the {what} is missing"))
                .with_help(HEAD));
        };
        match read_number(word.text) {
            Some(n) if n > 0 && n <= most => Ok(n),
            Some(n) if n > most => {
                Err(word.error(format!("{n} is too many {what}, the most is {most}")))
            }
            _ => Err(word
                .error(format!("{} is not a positive number", quoted(word.text)))
                .with_help(HEAD)),
        }
    };
    let size = Size {
        width: number("width", u32::MAX)?,
        height: number("height", u32::MAX)?,
        players: number("players", *SEATS.end())?,
        areas: number("areas", u32::MAX)?,
    };
    match words.next() {
        Some(word) => Err(word.error("text after the four numbers").with_help(HEAD)),
        None => Ok(size),
    }
}

fn read_number(text: &str) -> Option<u32> {
    text.bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

fn read_player(word: Word<'_>, players: u32) -> Result<Player, ParseError> {
    match read_number(word.text) {
        Some(n) if n > players => {
            Err(word.error(format!("there is no player {n} among {players}")))
        }
        Some(n) if n > 0 => Ok(Player::new(n - 1)),
        _ => Err(word.error(format!("{} is not a player", quoted(word.text)))),
    }
}

fn expect(
    word: Option<Word<'_>>,
    expected: &'static str,
    line: TextLine<'_>,
    help: &'static str,
) -> Result<(), ParseError> {
    match word {
        Some(word) if word.text == expected => Ok(()),
        Some(word) => {
            let cause = format!("expected `{expected}`, not {}", quoted(word.text));
            Err(word.error(cause).with_help(help))
        }
        None => Err(line
            .error_at_end(format!("expected `{expected}`"))
            .with_help(help)),
    }
}
