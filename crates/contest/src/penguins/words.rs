//! The reasons why a move is refused, for the person at the keyboard.

use floe_rules::Position;
use floe_rules::penguins::{Illegal, Move, PenguinsPosition};

use super::{Place, letter, place};

/// The field an answer names, or why the answer is no field.
pub(super) fn on_board(position: &PenguinsPosition, numbers: &[u32]) -> Result<Place, String> {
    let shape = position.shape();
    let (right, bottom) = (shape.columns() - 1, shape.rows() - 1);
    let [x, y] = *numbers else {
        return Err(format!(
            "Type two numbers: x (column, 0-{right} from the left), then y (row, 0-{bottom} from \
             the top)."
        ));
    };
    let place = Place { x, y };
    if place.spot(shape).is_some() {
        return Ok(place);
    }
    let mut why = format!(
        "{place} is off the board: x (the column) is 0-{right}, y (the row) is 0-{bottom}."
    );
    if x == right + 1 || y == bottom + 1 {
        why += " Both count from 0.";
    } else if place.swapped().spot(shape).is_some() {
        why += " The column comes first.";
    }
    Err(why)
}

/// The reason why the player may not make this move, with a hint if the numbers were typed in the
/// wrong order.
pub(super) fn refusal(position: &PenguinsPosition, mv: Move, illegal: Illegal) -> String {
    let mut why = reason(position, illegal);
    let shape = position.shape();
    let swap = |spot| place(shape, spot).swapped().spot(shape);
    let target = swap(mv.to());
    let meant = match mv {
        Move::Place { .. } => target.map(|to| Move::Place { to }),
        Move::Slide { from, .. } => target.map(|to| Move::Slide { from, to }),
    };
    if let (Some(meant), Some(to)) = (meant, target)
        && position.check(meant).is_ok()
    {
        let to = place(shape, to);
        why += &format!(" Did you mean {to}? x (the column) comes first.");
    }
    why
}

fn reason(position: &PenguinsPosition, illegal: Illegal) -> String {
    let at = |spot| place(position.shape(), spot);
    let name = |player: floe_rules::Player| letter(player.index());
    match illegal {
        Illegal::Water { at: to } => format!("{} is water.", at(to)),
        Illegal::Occupied { at: to, owner } => {
            format!("A penguin of {} stands on {}.", name(owner), at(to))
        }
        Illegal::NotOneFish { at: to, fish } => format!(
            "{} holds {fish} fish; penguins are placed where there is exactly 1.",
            at(to)
        ),
        Illegal::NoPenguin { at: from } => format!("No penguin stands on {}.", at(from)),
        Illegal::NotYours { at: from, owner } => {
            format!("The penguin on {} is {}'s.", at(from), name(owner))
        }
        Illegal::SameSquare { at: from } => {
            format!("The penguin stands on {} already.", at(from))
        }
        Illegal::NotInLine { from, to } => format!(
            "{} is neither in the row nor in the column of {}.",
            at(to),
            at(from)
        ),
        Illegal::WaterBetween { at: between } => {
            format!("There is water on the way, at {}.", at(between))
        }
        Illegal::PenguinBetween { at: between, owner } => format!(
            "A penguin of {} is in the way, on {}.",
            name(owner),
            at(between)
        ),
        Illegal::OffBoard { .. }
        | Illegal::GameOver
        | Illegal::StillPlacing
        | Illegal::AlreadyMoving => format!("This move is refused: {illegal}."),
    }
}

#[cfg(test)]
mod tests {
    use floe_rules::Game as _;
    use floe_rules::penguins::{Penguins, Spot};

    use super::*;

    fn slide(position: &PenguinsPosition, from: (u32, u32), to: (u32, u32)) -> String {
        let spot = |(x, y)| Place { x, y }.spot(position.shape()).unwrap();
        let mv = Move::Slide {
            from: spot(from),
            to: spot(to),
        };
        refusal(position, mv, position.check(mv).unwrap_err())
    }

    #[test]
    fn every_wrong_slide_has_its_words() {
        let text = "4 5 players=2 penguins=2 turn=1 phase=movement\n10 00 20 01 30\n10 00 20 10 02\n10 10 10 01 10\n00 00 00 10 10\n\
                    a 1 2\nb 2 1\n";
        let position = Penguins::read(text).unwrap();
        for (from, to, words) in [
            ((0, 0), (0, 1), "No penguin stands on 0 0."),
            ((4, 1), (4, 2), "The penguin on 4 1 is B's."),
            ((3, 0), (3, 0), "The penguin stands on 3 0 already."),
            (
                (3, 0),
                (4, 2),
                "4 2 is neither in the row nor in the column of 3 0.",
            ),
            ((3, 0), (1, 0), "1 0 is water."),
            ((3, 0), (0, 0), "There is water on the way, at 1 0."),
            ((3, 0), (3, 2), "A penguin of A stands on 3 2."),
            ((3, 0), (3, 3), "A penguin of A is in the way, on 3 2."),
            (
                (3, 2),
                (0, 3),
                "0 3 is neither in the row nor in the column of 3 2.",
            ),
            (
                (3, 0),
                (2, 3),
                "2 3 is neither in the row nor in the column of 3 0.",
            ),
            (
                (3, 2),
                (2, 4 - 1),
                "2 3 is neither in the row nor in the column of 3 2.",
            ),
        ] {
            assert_eq!(slide(&position, from, to), words);
        }
        assert_eq!(
            slide(&position, (3, 2), (2, 0)),
            "2 0 is neither in the row nor in the column of 3 2. \
             Did you mean 0 2? x (the column) comes first."
        );
        assert_eq!(
            slide(&position, (3, 0), (1, 3)),
            "1 3 is neither in the row nor in the column of 3 0. \
             Did you mean 3 1? x (the column) comes first."
        );
    }

    #[test]
    fn placing_beside_the_rules() {
        let position = Penguins::read("2 3 players=2 penguins=2\n10 20 01\n00 10 10\na 1 1\n");
        let position = position.unwrap();
        let to = |column, row| {
            let mv = Move::Place {
                to: Spot::new(column, row),
            };
            refusal(&position, mv, position.check(mv).unwrap_err())
        };
        assert_eq!(
            to(1, 1),
            "1 0 holds 2 fish; penguins are placed where there is exactly 1."
        );
        assert_eq!(to(2, 1), "A penguin of A stands on 2 0.");
        assert_eq!(to(0, 0), "0 1 is water.");
    }

    #[test]
    fn fields_off_the_board() {
        let position = Penguins::read("2 4\n10 20 01 10\n00 10 10 10\na 1 1\n").unwrap();
        for (numbers, words) in [
            (
                &[4, 1][..],
                "4 1 is off the board: x (the column) is 0-3, y (the row) is 0-1. Both count from 0.",
            ),
            (
                &[1, 3],
                "1 3 is off the board: x (the column) is 0-3, y (the row) is 0-1. The column comes first.",
            ),
            (
                &[9, 9],
                "9 9 is off the board: x (the column) is 0-3, y (the row) is 0-1.",
            ),
            (
                &[1],
                "Type two numbers: x (column, 0-3 from the left), then y (row, 0-1 from the top).",
            ),
            (
                &[u32::MAX, u32::MAX],
                "4294967295 4294967295 is off the board: x (the column) is 0-3, y (the row) is 0-1.",
            ),
        ] {
            assert_eq!(on_board(&position, numbers).unwrap_err(), words);
        }
    }
}
