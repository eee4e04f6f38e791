use super::GammaPosition;
use crate::{Cell, Drawing, Numbering, Player, Position, Prospect, SeatView, Shade, View};

pub(super) fn view(position: &GammaPosition) -> View {
    let board = position.board();
    let mut cells = Vec::with_capacity(board.width() as usize * board.height() as usize);
    for y in (0..board.height()).rev() {
        for x in 0..board.width() {
            let owner = board.owner(x, y);
            cells.push(Cell {
                owner,
                glyph: owner.map_or('.', glyph),
                shade: Shade::Plain,
                prospect: Prospect::Open,
            });
        }
    }
    let seats = Player::all(board.players()).map(|player| {
        let golden = if board.has_golden(player) {
            ", golden move left"
        } else {
            ""
        };
        SeatView {
            name: String::new(),
            score: position.score(player),
            note: format!(
                "{} of {} areas{golden}",
                board.area_count(player),
                board.areas()
            ),
        }
    });
    View {
        width: board.width(),
        height: board.height(),
        cells,
        phase: if position.turn().is_some() {
            "play"
        } else {
            "over"
        }
        .to_owned(),
        seats: seats.collect(),
        notes: vec![match board.free() {
            1 => "1 field is free".to_owned(),
            free => format!("{free} fields are free"),
        }],
        task: match position.turn() {
            Some(mover) => task(position, mover),
            None => String::new(),
        },
        drawing: Drawing {
            is_outlined: true,
            numbering: Some(Numbering::BottomLeft),
            ..Drawing::default()
        },
    }
}

/// What the player to move can still do.
fn task(position: &GammaPosition, mover: Player) -> String {
    let board = position.board();
    let mut may_take = false;
    board.each_take(mover, |_, _| may_take = true);
    match (may_take, board.area_count(mover) < board.areas()) {
        (false, _) => "only the golden move is left: take another player's field",
        (true, true) => "take a free field, anywhere",
        (true, false) => "take a free field beside your own, as you have all your areas",
    }
    .to_owned()
}

/// A player's number in one character: digits, then letters, then the same again.
fn glyph(player: Player) -> char {
    const GLYPHS: &[u8] = b"123456789abcdefghijklmnopqrstuvwxyz";
    char::from(GLYPHS[player.index() % GLYPHS.len()])
}
