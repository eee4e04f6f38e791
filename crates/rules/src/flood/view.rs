use super::{End, FloodPosition, J, MOST_MOVES, Reach, S, letter};
use crate::{Cell, Drawing, Player, Position, Prospect, SeatView, Shade, View};

/// The view that screens draw.
pub(super) fn view(position: &FloodPosition) -> View {
    let graph = position.graph();
    let reach = [J, S].map(|player| {
        let mut reach = Reach::default();
        position.reach_into(player, &mut reach);
        reach
    });
    let prospect = |component, owner: Option<Player>| match reach
        .each_ref()
        .map(|r| r.components().contains(component))
    {
        _ if owner.is_some() => Prospect::Open,
        [true, true] => Prospect::Contested,
        [true, false] => Prospect::Promised(J),
        [false, true] => Prospect::Promised(S),
        [false, false] => Prospect::Open,
    };
    let cells = graph.squares().iter().map(|&component| {
        let colour = position.component_colour(component);
        let owner = position.owner(component);
        Cell {
            owner,
            glyph: colour.glyph(),
            shade: Shade::Hue(colour.index() as u8),
            prospect: prospect(component, owner),
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
        task: match position.turn() {
            Some(_) => "choose a colour: your flood takes it and joins all it touches".to_owned(),
            None => String::new(),
        },
        drawing: Drawing {
            is_outlined: true,
            ..Drawing::default()
        },
    }
}
