use super::{End, J, MOST_MOVES, Position, S, letter};
use crate::{Cell, Position as _, SeatView, Shade, View};

/// What a screen shows.
pub(super) fn view(position: &Position) -> View {
    let graph = position.graph();
    let cells = graph.squares().iter().map(|&component| {
        let colour = position.component_colour(component);
        Cell {
            owner: position.owner(component),
            glyph: colour.glyph(),
            shade: Shade::Hue(colour.index() as u8),
        }
    });
    let scores = position.scores();
    let seats = [J, S]
        .into_iter()
        .zip(&scores)
        .map(|(player, &score)| SeatView {
            name: letter(player).to_string(),
            score,
            note: format!("colour {}", position.colour(player)),
        });
    let contested = i64::from(graph.area()) - scores.iter().sum::<i64>();
    let phase = match position.end() {
        None => "flooding",
        Some(End::TwoColours) => "over, two colours left",
        Some(End::MoveCap) => "over, last move made",
    };
    View {
        width: graph.width(),
        height: graph.height(),
        cells: cells.collect(),
        phase: phase.to_owned(),
        seats: seats.collect(),
        notes: vec![
            format!("{} of {MOST_MOVES} moves made", position.moves_made()),
            match contested {
                1 => "1 square is contested".to_owned(),
                n => format!("{n} squares are contested"),
            },
        ],
    }
}
