use super::{PenguinsPosition, Phase};
use crate::{
    Cell, Drawing, Emblem, Ink, Numbering, Player, Position, Prospect, SeatView, Shade, Shape, View,
};

const FISH: Emblem = Emblem {
    wide: "><>",
    narrow: Some('∝'),
    word: "fish",
    drawing: &[
        shape(
            Ink::Thing,
            "M2 12C6 6.4 13 6 17 12C13 18 6 17.6 2 12ZM16 12L22.2 7.4Q20.6 12 22.2 16.6Z",
        ),
        shape(
            Ink::Light,
            "M6 10.7a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0Z",
        ),
    ],
};
const PENGUIN: Emblem = Emblem {
    wide: "(o>",
    narrow: None,
    word: "penguin",
    drawing: &[
        shape(
            Ink::Owner,
            "M12 1.5C16.4 1.5 18.2 5.4 18.2 10C20.6 14.6 19.9 22 12 22S3.4 14.6 5.8 10C5.8 5.4 7.6 1.5 12 1.5Z",
        ),
        shape(
            Ink::Light,
            "M12 8.4C15.3 8.4 16.7 12.3 16.3 15.9C15.9 19.6 14.1 20.7 12 20.7S8.1 19.6 7.7 15.9C7.3 12.3 8.7 8.4 12 8.4Z\
             M8.4 6a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0ZM12.4 6a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0Z",
        ),
        shape(
            Ink::Dark,
            "M9.7 6.2a.75 .75 0 1 0 1.5 0a.75 .75 0 1 0-1.5 0ZM12.8 6.2a.75 .75 0 1 0 1.5 0a.75 .75 0 1 0-1.5 0Z",
        ),
        shape(
            Ink::Bright,
            "M10.3 7.9L12 10.5L13.7 7.9ZM7.2 22q2.2-2.4 4.4 0zM12.4 22q2.2-2.4 4.4 0z",
        ),
    ],
};

const fn shape(ink: Ink, path: &'static str) -> Shape {
    Shape { ink, path }
}

/// Fish as digits, penguins as their players' letters, water blank.
pub(super) fn view(position: &PenguinsPosition) -> View {
    let shape = position.shape();
    let mut cells = vec![
        Cell {
            owner: None,
            glyph: ' ',
            shade: Shade::Void,
            prospect: Prospect::Open,
        };
        shape.fields()
    ];
    let place = |spot: super::Spot| {
        let from_top = shape.rows() as usize - 1 - usize::from(spot.row);
        from_top * shape.columns() as usize + usize::from(spot.column)
    };
    for index in position.free() {
        let spot = shape.spot(index);
        let fish = position.fish(spot);
        let cell = &mut cells[place(spot)];
        cell.glyph = char::from(b'0' + fish);
        cell.shade = Shade::Level(fish);
    }
    for player in Player::all(position.players()) {
        for &spot in position.penguins(player) {
            cells[place(spot)] = Cell {
                owner: Some(player),
                glyph: char::from(b'A' + player.index() as u8),
                shade: Shade::Plain,
                prospect: Prospect::Open,
            };
        }
    }
    View {
        width: shape.columns(),
        height: shape.rows(),
        cells,
        phase: match position.turn() {
            Some(_) => position.phase().to_string(),
            None => "over".to_owned(),
        },
        seats: Player::all(position.players())
            .map(|p| seat(position, p))
            .collect(),
        notes: vec![format!(
            "{} fish left on the ice",
            position.fish_on(position.free())
        )],
        task: match (position.turn(), position.phase()) {
            (None, _) => "",
            (_, Phase::Placement) => "put a penguin on a floe with one fish",
            (_, Phase::Movement) => "slide a penguin along a row or a column",
        }
        .to_owned(),
        drawing: Drawing {
            is_outlined: false,
            numbering: Some(Numbering::TopLeft),
            level: Some(FISH),
            piece: Some(PENGUIN),
        },
    }
}

fn seat(position: &PenguinsPosition, player: Player) -> SeatView {
    let penguins = position.penguins(player);
    let all = penguins.len();
    let note = match position.phase() {
        Phase::Placement => format!("{all} of {} penguins placed", position.penguins_each()),
        Phase::Movement => match penguins.iter().filter(|&&p| position.can_move(p)).count() {
            _ if all == 0 => "no penguins".to_owned(),
            0 => "blocked".to_owned(),
            mobile => format!("{mobile} of {all} penguins can move"),
        },
    };
    SeatView {
        name: position.id(player).to_owned(),
        score: position.score(player),
        note,
    }
}
