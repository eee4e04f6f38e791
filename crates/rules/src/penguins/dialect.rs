use super::ids::is_id;
use super::slips::slips;
use super::state::State;
use super::trials::trials;
use super::{Move, PenguinsPosition, Phase};
use crate::text::{chars, quoted};
use crate::{
    Answer, Argument, ConformanceCase, Dialect, DialectError, Expect, JUDGES_PROGRAMS, ParseError,
    Player, Position, Request, Slip, Square,
};

/// The contest's way: `phase=movement in.txt out.txt`, or `phase=placement penguins=N in.txt
/// out.txt`, and a whole state file as the answer.
///
/// A program finds its own number in the file under its ID. With its first placement it appends
/// the line itself, as on a fresh board of the contest, and is known by that ID from then on; one
/// that joins later is asked for it by `name`, or by `id` if it does not know that word. The others go by their IDs in the position, unless
/// one is the program's own: two copies of a program can play each other.
///
/// An answer must be the state after exactly one legal move of the player to move, with the
/// fish counted in that player's line and nothing else changed. White space at the ends of lines
/// is all that is overlooked.
#[derive(Debug, Clone, Copy)]
pub struct ContestDialect;

impl Dialect<PenguinsPosition> for ContestDialect {
    fn name(&self) -> &'static str {
        "contest"
    }

    fn request(&self, position: &PenguinsPosition, name: Option<&str>) -> Request {
        let mut arguments = vec![Argument::Word(format!("phase={}", position.phase()))];
        if position.phase() == Phase::Placement {
            let penguins = format!("penguins={}", position.penguins_each());
            arguments.push(Argument::Word(penguins));
        }
        arguments.extend([Argument::Input, Argument::Output]);
        let state = match position.turn() {
            Some(mover) => State::shown(position, mover, name),
            None => State::of(position),
        };
        Request {
            arguments,
            input: String::new(),
            file: Some(state.to_string()),
        }
    }

    fn answer(
        &self,
        position: &PenguinsPosition,
        name: Option<&str>,
        text: &str,
    ) -> Result<Answer<Move>, DialectError> {
        if !JUDGES_PROGRAMS {
            return Err(DialectError::unread());
        }
        let mover = position
            .turn()
            .ok_or_else(|| ParseError::new(1, 1, "the game is over"))?;
        let mut expected = State::shown(position, mover, name);
        check_size(&expected, text)?;
        let answer = State::read(text)?;
        let mv = find_move(position, mover, &expected, &answer)?;
        position.check(mv).map_err(|illegal| {
            let at = answer.place(mv.to());
            DialectError::illegal(wrong_field(&answer, at, illegal.to_string()))
        })?;
        let own = match expected.lines.iter().any(|line| line.player == mover) {
            true => None,
            false => Some(join(&mut expected, &answer, mover)?),
        };
        expected.play(mover, mv);
        for (at, (want, have)) in expected.fields.iter().zip(&answer.fields).enumerate() {
            if want != have {
                let cause = format!("expected `{want}` after {mv}, not `{have}`");
                return Err(DialectError::tampered(wrong_field(&answer, at, cause)));
            }
        }
        check_lines(&expected, &answer, mover).map_err(DialectError::tampered)?;
        Ok(Answer { mv, name: own })
    }

    fn reply(&self, position: &PenguinsPosition, name: Option<&str>, mv: Move) -> String {
        let Some(mover) = position.turn() else {
            return State::of(position).to_string();
        };
        let mut state = State::shown(position, mover, name);
        if state.lines.iter().all(|line| line.player != mover) {
            state.append(position.id(mover), mover);
        }
        state.play(mover, mv);
        state.to_string()
    }

    /// `name`, and its older form `id`.
    fn introductions(&self, position: &PenguinsPosition) -> Vec<Request> {
        let Some(mover) = position.turn() else {
            return Vec::new();
        };
        let shown = State::shown(position, mover, None);
        let joins = shown.lines.iter().all(|line| line.player != mover);
        let ask = |word: &str| Request {
            arguments: vec![Argument::Word(word.into())],
            ..Request::default()
        };
        match joins {
            true => Vec::new(),
            false => vec![ask("name"), ask("id")],
        }
    }

    fn introduced(&self, text: &str) -> Result<String, ParseError> {
        let line = text.lines().next().unwrap_or_default();
        let name = line.trim();
        if is_id(name) {
            return Ok(name.to_owned());
        }
        let cause = match name {
            "" => "expected the program's ID, not an empty line".into(),
            _ => format!("{} cannot be an ID", quoted(name)),
        };
        let error = ParseError::new(1, 1, cause).with_width(chars(line));
        Err(error.with_help("an ID has no white space and no quotation marks"))
    }

    fn slips(&self, position: &PenguinsPosition, name: Option<&str>, text: &str) -> Vec<Slip> {
        if !JUDGES_PROGRAMS {
            return Vec::new();
        }
        let is_right = |text: &str| self.answer(position, name, text).is_ok();
        slips(position, name, text, &is_right)
    }

    /// Fields have three columns of the text each.
    fn square_at(&self, position: &PenguinsPosition, line: u32, column: u32) -> Option<Square> {
        let (rows, columns) = (position.shape().rows(), position.shape().columns());
        let row = (rows + 1).checked_sub(line).filter(|&row| row < rows)?;
        let column = (column.checked_sub(1)? / 3 < columns).then_some((column - 1) / 3)?;
        Some(Square::new(column, row))
    }

    fn trials(&self, name: Option<&str>) -> Vec<ConformanceCase> {
        if !JUDGES_PROGRAMS {
            return Vec::new();
        }
        name.map_or(Vec::new(), trials)
    }

    /// The contest's referee asks for placements until no program has one left, so it asks every
    /// program once more after its last.
    fn extra_calls(&self, position: &PenguinsPosition, name: Option<&str>) -> Vec<ConformanceCase> {
        if !JUDGES_PROGRAMS || position.phase() != Phase::Movement {
            return Vec::new();
        }
        let mut ask = self.request(position, name);
        ask.arguments.splice(
            ..1,
            [
                Argument::Word("phase=placement".into()),
                Argument::Word(format!("penguins={}", position.penguins_each())),
            ],
        );
        let expect = Expect::Exit {
            code: 1,
            output: ask.file.clone(),
        };
        vec![ConformanceCase::new(
            "placement, asked once more",
            ask,
            expect,
        )]
    }

    fn exit(&self, code: i32) -> Option<&'static str> {
        match code {
            1 => Some("it says that there is nothing to do, and there is"),
            2 => Some("it says that the state file is wrong"),
            3 => Some("it says that something went wrong inside it"),
            _ => None,
        }
    }
}

/// Copies the line that a program gave itself with its first placement to the expected state.
fn join(expected: &mut State, answer: &State, mover: Player) -> Result<String, DialectError> {
    let at = expected.lines.len();
    let line = answer.line_of(at);
    let found = answer.lines.iter().find(|line| line.player == mover);
    let Some(own) = found else {
        let help = format!("append a line `ID {mover} 1` at the end");
        let error = ParseError::new(line, 1, format!("player {mover} has no line"));
        return Err(error.with_help(help).into());
    };
    expected.append(&own.id, mover);
    Ok(own.id.clone())
}

/// Line 1 must be unchanged. Checked first, since with another size nothing else fits either.
fn check_size(expected: &State, text: &str) -> Result<(), ParseError> {
    let head = text.lines().next().unwrap_or_default().trim();
    let size = format!("{} {}", expected.shape.rows(), expected.shape.columns());
    if head.is_empty() || head.split_whitespace().eq(size.split(' ')) {
        return Ok(());
    }
    let cause = format!("expected the board size `{size}`, not {}", quoted(head));
    Err(ParseError::new(1, 1, cause).with_width(chars(head)))
}

/// The move that explains how the player's penguins changed.
fn find_move(
    position: &PenguinsPosition,
    mover: Player,
    before: &State,
    after: &State,
) -> Result<Move, DialectError> {
    let penguins = |now: &State, then: &State| {
        let mine = |state: &State, spot| state.field(spot).owner == Some(mover);
        let spots: Vec<_> = position
            .shape()
            .spots()
            .filter(|&spot| mine(now, spot) && !mine(then, spot))
            .collect();
        // In text order: the top row first.
        let rows = spots.chunk_by(|a, b| a.row == b.row).rev();
        rows.flatten().copied().collect::<Vec<_>>()
    };
    let (gone, come) = (penguins(before, after), penguins(after, before));
    let wrong = |spot, cause: String| {
        let error = wrong_field(after, after.place(spot), cause);
        Err(DialectError::illegal(error))
    };
    match (position.phase(), &gone[..], &come[..]) {
        (Phase::Placement, [], &[to]) => Ok(Move::Place { to }),
        (Phase::Movement, &[from], &[to]) => Ok(Move::Slide { from, to }),
        (_, [], []) => {
            match (0..before.fields.len()).find(|&i| before.fields[i] != after.fields[i]) {
                Some(at) => {
                    let (want, have) = (before.fields[at], after.fields[at]);
                    let cause = format!("expected `{want}` here, not `{have}`");
                    Err(DialectError::tampered(wrong_field(after, at, cause)))
                }
                None => {
                    let cause = format!("no move was made, and player {mover} can move");
                    Err(DialectError::illegal(ParseError::new(2, 1, cause)))
                }
            }
        }
        (Phase::Placement, &[from, ..], _) => {
            let cause = format!("player {mover}'s penguin is gone while penguins are placed");
            wrong(from, cause)
        }
        (Phase::Movement, [], &[to, ..]) => {
            let cause = format!("player {mover} has a new penguin while penguins move");
            wrong(to, cause)
        }
        (_, _, &[_, second, ..]) => wrong(
            second,
            format!("a second penguin of player {mover} came here"),
        ),
        (_, &[from], []) => wrong(from, format!("player {mover}'s penguin is gone")),
        (_, &[_, second, ..], _) => wrong(
            second,
            format!("a second penguin of player {mover} is gone"),
        ),
    }
}

fn wrong_field(answer: &State, at: usize, cause: String) -> ParseError {
    let (line, column) = answer.locate(at);
    ParseError::new(line, column, cause).with_width(2)
}

/// The player's line has the new score, and the other lines are unchanged.
fn check_lines(expected: &State, answer: &State, mover: Player) -> Result<(), ParseError> {
    for (at, want) in expected.lines.iter().enumerate() {
        let line = answer.line_of(at);
        let Some(have) = answer.lines.get(at) else {
            let cause = format!("the line {} is missing", quoted(&want.text));
            return Err(ParseError::new(line, 1, cause));
        };
        let text = have.text.trim_end();
        if text == want.text {
            continue;
        }
        let same_player = have.id == want.id && have.player == want.player;
        if same_player && have.score != want.score {
            let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            let column = chars(&text[..text.len() - digits]) + 1;
            let cause = match want.player == mover {
                true => format!("the score is {} now, not {}", want.score, have.score),
                false => format!("player {}'s score stays {}", want.player, want.score),
            };
            let error = ParseError::new(line, column, cause);
            return Err(error.with_width(digits as u32));
        }
        let cause = format!("expected {}, not {}", quoted(&want.text), quoted(text));
        let error = ParseError::new(line, 1, cause);
        return Err(error.with_width(chars(text)));
    }
    match answer.lines.get(expected.lines.len()) {
        None => Ok(()),
        Some(surplus) => {
            let line = answer.line_of(expected.lines.len());
            let cause = format!("a new line: {}", quoted(surplus.text.trim_end()));
            Err(ParseError::new(line, 1, cause))
        }
    }
}
