use super::{PenguinsPosition, Phase};
use crate::{Cell, Drawing, Emblem, Numbering, Player, Position, Prospect, SeatView, Shade, View};

const FISH: Emblem = Emblem {
    wide: "><>",
    narrow: Some('∝'),
    word: "fish",
};
const PENGUIN: Emblem = Emblem {
    wide: "(o>",
    narrow: None,
    word: "penguin",
};

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
