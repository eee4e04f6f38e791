//! Slips: simple mistakes that explain a wrong answer.

use super::{Board, Colour, FloodPosition, letter};
use crate::Slip;

/// Whether a text is a right answer in a position.
pub(super) type IsRight<'a> = &'a dyn Fn(&FloodPosition, &str) -> bool;

/// The slips that would explain this wrong answer.
pub(super) fn slips(position: &FloodPosition, text: &str, is_answer: IsRight<'_>) -> Vec<Slip> {
    let other = letter(position.mover().next(2));
    let board = position.to_board();
    let (width, height) = (board.width() as usize, board.height() as usize);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let body = lines.get(1..).unwrap_or_default();
    let is_right = |position: &FloodPosition, rows: &[String]| {
        let mover = letter(position.mover().next(2));
        let text = format!("{mover}\n{}\n", rows.join("\n"));
        is_answer(position, &text)
    };
    let owned = |rows: &[&str]| -> Vec<String> { rows.iter().map(|&row| row.to_owned()).collect() };
    let mut found = Vec::new();
    let mut note = |slip, is_so: bool| {
        if is_so {
            found.push(slip);
        }
    };
    let mut windows = lines.windows(height + 1);
    note(
        Slip::ExtraText,
        lines.len() > height + 1
            && windows.any(|part| is_answer(position, &format!("{}\n", part.join("\n")))),
    );
    note(
        Slip::SameLetter,
        !lines.first().is_some_and(|head| head.chars().eq([other]))
            && is_right(position, &owned(body)),
    );
    note(Slip::NoFirstLine, is_right(position, &owned(&lines)));
    let bare: Vec<String> = body
        .iter()
        .map(|row| row.split_whitespace().collect())
        .collect();
    note(
        Slip::Blanks,
        bare != owned(body) && is_right(position, &bare),
    );
    note(
        Slip::SwappedAxes,
        width > 1 && height > 1 && is_right(position, &transposed(body)),
    );
    let upside_down: Vec<String> = owned(body).into_iter().rev().collect();
    let flipped = Board::new(board.width(), turned(&board));
    let flipped = flipped
        .ok()
        .and_then(|board| FloodPosition::after(&board, position.moves_made()));
    note(
        Slip::RowsFromTop,
        height > 1
            && (is_right(position, &upside_down)
                || flipped.is_some_and(|flipped| is_right(&flipped, &upside_down))),
    );
    let others = FloodPosition::after(&board, position.moves_made() + 1);
    note(
        Slip::OtherPlayer,
        others.is_some_and(|others| is_right(&others, &owned(body))),
    );
    found
}

/// The colours with the last row first.
fn turned(board: &Board) -> Vec<Colour> {
    let rows = board.squares().chunks(board.width() as usize).rev();
    rows.flatten().copied().collect()
}

/// The rows and columns exchanged; empty if the rows differ in length.
fn transposed(rows: &[&str]) -> Vec<String> {
    let rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != width) {
        return Vec::new();
    }
    (0..width)
        .map(|column| rows.iter().map(|row| row[column]).collect())
        .collect()
}
