//! Reads state files; every error has its place.

use super::state::{Field, Located, PlayerLine, State, Words};
use super::{HIGHEST_SCORE, LONGEST, MOST_PLAYERS, Phase, Shape};
use crate::text::{self, TextLine, Word, quoted};
use crate::{ParseError, Player, Report};

impl State {
    /// Reads a state file and reports all errors; `None` exactly if the report gained an error.
    pub fn parse(text: &str, report: &mut Report) -> Option<State> {
        let errors = report.errors.len();
        let lines: Vec<TextLine<'_>> = text::lines(text).collect();
        let (shape, words) = size(lines.first().copied(), report)?;
        let mut state = State {
            shape,
            fields: Vec::with_capacity(shape.fields()),
            starts: Vec::with_capacity(shape.fields()),
            lines: Vec::new(),
            words,
        };
        let rest = rows(&mut state, &lines[1..], report);
        players(&mut state, rest, report);
        if report.errors.len() == errors {
            penguins(&state, report);
        }
        (report.errors.len() == errors).then_some(state)
    }

    /// Reads a state file, or returns the error at the earliest wrong place.
    pub fn read(text: &str) -> Result<State, ParseError> {
        let mut report = Report::new();
        match State::parse(text, &mut report) {
            Some(state) => Ok(state),
            None => Err(report
                .into_first_error()
                .unwrap_or_else(|| ParseError::new(1, 1, "unreadable"))),
        }
    }
}

/// Line 1: the size, and Floe's own words after it.
fn size(line: Option<TextLine<'_>>, report: &mut Report) -> Option<(Shape, Words)> {
    const HELP: &str = "line 1 gives the numbers of rows and columns, such as `10 8`";
    let errors = report.errors.len();
    let Some(line) = line.filter(|l| !l.is_blank()) else {
        report.error(ParseError::new(1, 1, "the board size is missing").with_help(HELP));
        return None;
    };
    let mut line_words = line.words();
    let mut length = |what: &str| {
        let Some(word) = line_words.next() else {
            let cause = format!("the number of {what} is missing");
            report.error(line.error_at_end(cause).with_help(HELP));
            return None;
        };
        let number = digits(word.text);
        match number {
            Some(1..=LONGEST) => number,
            Some(0) | None => {
                let word_is = quoted(word.text);
                let cause = format!("{word_is} is not a positive number of {what}");
                report.error(word.error(cause).with_help(HELP));
                None
            }
            Some(_) => {
                let cause = format!("a board has at most {LONGEST} {what}");
                report.error(word.error(cause));
                None
            }
        }
    };
    let (rows, columns) = (length("rows"), length("columns"));
    let mut words = Words::default();
    for word in line_words {
        setting(&mut words, word, report);
    }
    if report.errors.len() > errors {
        return None;
    }
    Some((Shape::new(columns?, rows?)?, words))
}

/// One of the words after the size.
fn setting(words: &mut Words, word: Word<'_>, report: &mut Report) {
    const HELP: &str = "only players=, penguins=, phase=, turn= and out= may follow the size";
    let Some((name, value)) = word.text.split_once('=') else {
        let cause = format!("text after the board size: {}", quoted(word.text));
        report.error(word.error(cause).with_help(HELP));
        return;
    };
    fn note<T>(
        into: &mut Option<Located<T>>,
        word: Word<'_>,
        value: Option<T>,
    ) -> Result<(), String> {
        let value = value.ok_or_else(|| format!("{} cannot be", quoted(word.text)))?;
        let (column, width) = (word.column, word.width());
        match into.replace(Located {
            value,
            column,
            width,
        }) {
            Some(_) => Err(format!("{} is given twice", quoted(word.text))),
            None => Ok(()),
        }
    }
    let player = || digits(value).and_then(Player::from_number);
    let noted = match name {
        "players" => {
            let number = digits(value).filter(|n| (1..=MOST_PLAYERS as u32).contains(n));
            note(&mut words.players, word, number)
        }
        "penguins" => note(&mut words.penguins, word, digits(value).filter(|&n| n > 0)),
        "out" => {
            let players: Option<Vec<Player>> = value
                .split(',')
                .map(|number| digits(number).and_then(Player::from_number))
                .collect();
            let rising = |players: &Vec<Player>| players.is_sorted_by(|a, b| a < b);
            note(&mut words.out, word, players.filter(rising))
        }
        "phase" => {
            let phases = [Phase::Placement, Phase::Movement];
            let phase = phases.into_iter().find(|p| p.to_string() == value);
            note(&mut words.phase, word, phase)
        }
        "turn" if value == "-" => note(&mut words.turn, word, Some(None)),
        "turn" => note(&mut words.turn, word, player().map(Some)),
        _ => Err(format!("unknown setting {}", quoted(word.text))),
    };
    if let Err(cause) = noted {
        report.error(word.error(cause).with_help(HELP));
    }
}

/// The board; returns the lines after it.
fn rows<'a, 'b>(
    state: &mut State,
    lines: &'b [TextLine<'a>],
    report: &mut Report,
) -> &'b [TextLine<'a>] {
    let wanted = state.shape.rows();
    for row in 0..wanted {
        let rest = lines.get(row as usize..).unwrap_or_default();
        let ended = rest.iter().all(|l| l.is_blank());
        if ended || is_player_line(rest[0]) {
            let (first, number) = (row + 1, row + 2);
            let cause = match wanted - row {
                1 => format!("row {first} of {wanted} is missing"),
                _ => format!("rows {first} to {wanted} of {wanted} are missing"),
            };
            report.error(ParseError::new(number, 1, cause));
            return rest;
        }
        if rest[0].is_blank() {
            let cause = format!("row {} of {wanted} is missing", row + 1);
            report.error(ParseError::new(rest[0].number, 1, cause));
        } else {
            one_row(state, rest[0], report);
        }
    }
    &lines[wanted as usize..]
}

fn one_row(state: &mut State, line: TextLine<'_>, report: &mut Report) {
    let wanted = state.shape.columns() as usize;
    let mut words = line.words();
    let mut found = 0;
    for word in words.by_ref().take(wanted) {
        found += 1;
        match field(word) {
            Ok(field) => {
                if let (Some(player), 1..) = (field.owner, field.fish) {
                    let cause = format!("player {player}'s penguin stands on {} fish", field.fish);
                    let help = "they are not there to collect; write a 0 for them";
                    report.remark(word.error(cause).with_help(help));
                }
                state.fields.push(field);
                state.starts.push(word.column);
            }
            Err(error) => report.error(error),
        }
    }
    if let Some(surplus) = words.next() {
        let more = 1 + words.count();
        let cause = format!("too many fields: {} instead of {wanted}", wanted + more);
        let width = line.end_column() - surplus.column;
        report.error(surplus.error(cause).with_width(width));
    } else if found < wanted {
        let cause = format!("too few fields: {found} instead of {wanted}");
        report.error(line.error_at_end(cause));
    }
}

fn field(word: Word<'_>) -> Result<Field, ParseError> {
    const HELP: &str = "a field is two digits: fish from 0 to 3, then the player from 0 to 9";
    let &[fish @ b'0'..=b'9', owner @ b'0'..=b'9'] = word.text.as_bytes() else {
        let cause = format!("{} is not two digits", quoted(word.text));
        return Err(word.error(cause).with_help(HELP));
    };
    let fish = fish - b'0';
    if fish > 3 {
        let cause = format!("{fish} fish are more than a floe holds");
        return Err(word.error(cause).with_width(1).with_help(HELP));
    }
    Ok(Field {
        fish,
        owner: Player::from_number((owner - b'0').into()),
    })
}

/// The players' lines, up to a blank line; nothing may follow that line.
fn players(state: &mut State, lines: &[TextLine<'_>], report: &mut Report) {
    let end = lines.iter().position(|l| l.is_blank());
    let (lines, rest) = lines.split_at(end.unwrap_or(lines.len()));
    for (i, &line) in lines.iter().enumerate() {
        if line.words().all(|w| field(w).is_ok()) {
            // No player's number has two digits, so this can only be meant as a row.
            let cause = format!(
                "text after the end: the board has {} rows",
                state.shape.rows()
            );
            let first = line.words().next();
            report.error(first.map_or(line.error_at_end(""), |w| w.error(cause)));
        } else if i >= MOST_PLAYERS {
            let cause = "a tenth player: at most nine can play";
            report.error(ParseError::new(line.number, 1, cause).with_width(line.end_column() - 1));
        } else if let Some(line) = player_line(state, line, report) {
            state.lines.push(line);
        }
    }
    if let Some(line) = rest.iter().find(|l| !l.is_blank()) {
        let cause = "text after the end";
        let help = "players' lines follow the board without a blank line";
        let word = line.words().next();
        let error = word.map_or(line.error_at_end(cause), |w| w.error(cause));
        report.error(error.with_help(help));
    }
}

fn player_line(state: &State, line: TextLine<'_>, report: &mut Report) -> Option<PlayerLine> {
    const HELP: &str = "a player's line is an ID without spaces, a number and a score";
    let words: Vec<Word<'_>> = line.words().take(4).collect();
    let &[id, number, score] = &words[..] else {
        let error = match words.get(3) {
            Some(fourth) => fourth.error("a player's line with more than three parts"),
            None => line.error_at_end("a player's line without three parts"),
        };
        report.error(error.with_help(HELP));
        return None;
    };
    let errors = report.errors.len();
    if state.lines.iter().any(|l| l.id == id.text) {
        report.error(id.error(format!("the ID {} is given twice", quoted(id.text))));
    }
    if id.text.contains('"') {
        report.remark(id.error("an ID has no quotation marks"));
    }
    let player = match number.text.as_bytes() {
        &[digit @ b'1'..=b'9'] => Some(Player::new(u32::from(digit - b'1'))),
        _ => {
            let cause = format!("the player number {} is not 1 to 9", quoted(number.text));
            report.error(number.error(cause).with_help(HELP));
            None
        }
    };
    if let Some(player) = player
        && state.lines.iter().any(|l| l.player == player)
    {
        report.error(number.error(format!("the player number {player} is given twice")));
    }
    let fish = digits(score.text);
    match fish {
        Some(0..=HIGHEST_SCORE) => {}
        Some(_) => report.error(score.error("a score has at most nine digits")),
        None => {
            let cause = format!("the score {} is not a number", quoted(score.text));
            report.error(score.error(cause).with_help(HELP));
        }
    }
    if report.errors.len() > errors {
        return None;
    }
    Some(PlayerLine {
        id: id.text.to_owned(),
        player: player?,
        score: fish?,
        text: line.text.to_owned(),
    })
}

/// Every penguin needs a player with a line.
fn penguins(state: &State, report: &mut Report) {
    let mut known = [false; MOST_PLAYERS];
    for line in &state.lines {
        known[line.player.index()] = true;
    }
    for (at, field) in state.fields.iter().enumerate() {
        if let Some(player) = field.owner
            && !known[player.index()]
        {
            // Once is enough.
            known[player.index()] = true;
            let (line, column) = state.locate(at);
            let cause = format!("player {player}, whose penguin this is, has no line");
            report.error(ParseError::new(line, column, cause).with_width(2));
        }
    }
}

/// Whether a line must be a player's, even where a row is expected.
fn is_player_line(line: TextLine<'_>) -> bool {
    let mut words = line.words();
    let (Some(id), Some(number), Some(score), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return false;
    };
    field(id).is_err()
        && matches!(number.text.as_bytes(), [b'1'..=b'9'])
        && digits(score.text).is_some()
}

/// The number in plain digits; one that is too large counts as the largest possible.
fn digits(text: &str) -> Option<u32> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().unwrap_or(u32::MAX))
}
