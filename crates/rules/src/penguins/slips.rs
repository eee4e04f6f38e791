//! Slips: simple mistakes that explain a wrong answer.

use super::state::{Field, Known, State};
use super::{Move, PenguinsPosition, Phase};
use crate::{Player, Position, Report, Slip};

/// The slips that would explain this wrong answer.
pub(super) fn slips(
    position: &PenguinsPosition,
    name: Option<&str>,
    text: &str,
    is_right: &dyn Fn(&str) -> bool,
) -> Vec<Slip> {
    let shape = position.shape();
    let (rows, columns) = (shape.rows() as usize, shape.columns() as usize);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut found = Vec::new();
    let size = format!("{rows} {columns}");
    let put = |board: &[String], rest: &[&str]| {
        format!("{size}\n{}\n{}\n", board.join("\n"), rest.join("\n"))
    };
    if let (Some(board), Some(rest)) = (lines.get(1..=rows), lines.get(rows + 1..)) {
        let turned: Vec<String> = board.iter().rev().map(|&row| row.to_owned()).collect();
        if rows > 1 && is_right(&put(&turned, rest)) {
            found.push(Slip::RowsFromTop);
        }
    }
    if let (Some(board), Some(rest)) = (lines.get(1..=columns), lines.get(columns + 1..))
        && columns > 1
        && rows > 1
    {
        let fields: Vec<Vec<&str>> = board.iter().map(|row| row.split(' ').collect()).collect();
        let is_whole = fields.iter().all(|row| row.len() == rows);
        let turned = |row: usize| {
            let row: Vec<&str> = fields.iter().map(|fields| fields[row]).collect();
            row.join(" ")
        };
        if is_whole {
            let turned: Vec<String> = (0..rows).map(turned).collect();
            if is_right(&put(&turned, rest)) {
                found.push(Slip::SwappedAxes);
            }
        }
    }
    if is_of_other(position, name, text) {
        found.push(Slip::OtherPlayer);
    }
    let before = position
        .turn()
        .map(|mover| State::shown(position, mover, name).to_string());
    if let (Some(mover), Some(before)) = (position.turn(), before)
        && let before = before.lines().collect::<Vec<_>>()
        && let mut others = Player::all(position.players()).filter(|&other| other != mover)
        && others.any(|other| {
            let meant = renumbered(&lines, &before, rows, name, (other, mover));
            meant.is_some_and(|meant| is_right(&meant))
        })
    {
        found.push(Slip::OtherNumber);
    }
    found
}

/// An answer in which the program's own penguins and line get its own number instead of another
/// player's; `None` if there is none to change. `before` is the program's input.
fn renumbered(
    answer: &[&str],
    before: &[&str],
    rows: usize,
    name: Option<&str>,
    (other, mover): (Player, Player),
) -> Option<String> {
    let mut meant: Vec<String> = answer.iter().map(|&line| line.to_owned()).collect();
    let theirs = |field: &str| field.len() == 2 && field[1..] == other.number().to_string();
    let board = meant.iter_mut().zip(before).skip(1).take(rows);
    for (row, old) in board {
        let new = row
            .split(' ')
            .zip(old.split(' ').chain(std::iter::repeat("")));
        let new = new.map(|(field, old)| match theirs(field) && !theirs(old) {
            true => format!("{}{mover}", &field[..1]),
            false => field.to_owned(),
        });
        *row = new.collect::<Vec<String>>().join(" ");
    }
    for (at, line) in meant.iter_mut().enumerate().skip(rows + 1) {
        let words: Vec<&str> = line.split(' ').collect();
        if let [id, number, score] = words[..] {
            let is_own = name == Some(id) || at >= before.len();
            if is_own && number == other.number().to_string() {
                *line = format!("{id} {mover} {score}");
            }
        }
    }
    let is_changed = meant.iter().zip(answer).any(|(new, old)| new != old);
    is_changed.then(|| meant.join("\n") + "\n")
}

/// Whether the answer has exactly a legal slide of another player.
fn is_of_other(position: &PenguinsPosition, name: Option<&str>, text: &str) -> bool {
    let (Some(mover), Ok(answer)) = (position.turn(), State::read(text)) else {
        return false;
    };
    let before = State::shown(position, mover, name);
    if position.phase() != Phase::Movement || before.fields.len() != answer.fields.len() {
        return false;
    }
    let others = Player::all(position.players()).filter(|&player| player != mover);
    others.into_iter().any(|other| {
        let known = Known {
            penguins: Some(position.penguins_each()),
            phase: Some(Phase::Movement),
            turn: Some(other),
        };
        let as_other = before.position_given(known, &mut Report::new());
        let is_own = |field: Field| field.owner == Some(other);
        let spots = |now: &State, then: &State| -> Vec<_> {
            let all = position.shape().spots();
            let moved = all.filter(|&spot| is_own(now.field(spot)) && !is_own(then.field(spot)));
            moved.collect()
        };
        match (
            &spots(&before, &answer)[..],
            &spots(&answer, &before)[..],
            as_other,
        ) {
            (&[from], &[to], Some(as_other)) => as_other.check(Move::Slide { from, to }).is_ok(),
            _ => false,
        }
    })
}
