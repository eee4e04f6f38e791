use floe_games::AnyPosition;
use floe_games::record::{Event, Mismatch, Record};
use floe_rules::Request;

use super::asked;
use crate::seat::Protocol;

/// The input of the program to move after `at` moves of a recorded game. The program's name is this
/// one or, if `None`, the record's; `None` if the game was over. Works without the program.
pub fn asked_at(
    record: &Record,
    at: usize,
    name: Option<&str>,
) -> Result<Option<Request>, Mismatch> {
    let play = record.at(at)?;
    let position = play.position();
    let Some(player) = play.turn() else {
        return Ok(None);
    };
    let seat = record.opening.seats.get(player.index());
    let word = seat.map_or("", |entrant| &entrant.seat);
    let known = called_at(record, at, position);
    let name = name.or(known.as_deref());
    let milliseconds = record.opening.limits_of(player.number()).move_ms;
    Ok(asked(word, position, name, milliseconds))
}

/// The name of the program to move after `at` moves, as far as the record states it; `None` also
/// for a program that would have stated its name with its move.
pub fn called_at(record: &Record, at: usize, position: &dyn AnyPosition) -> Option<String> {
    let seat = position.turn()?.number();
    let moves = record.moves();
    let mut before = moves.iter().take(at).rev();
    if let Some(made) = before.find(|made| made.seat == seat && !made.id.is_empty()) {
        return Some(made.id.clone());
    }
    let mut made = 0;
    for event in &record.events {
        match event {
            Event::Move(_) => made += 1,
            Event::Back(back) => made -= (back.moves as usize).min(made),
            Event::Fault(fault) if made == at && fault.seat == seat => {
                return (!fault.id.is_empty()).then(|| fault.id.clone());
            }
            Event::Fault(_) => {}
        }
    }
    // A program that was asked for its name before this move was called with that name.
    let word = &record.opening.seats.get(seat as usize - 1)?.seat;
    let Protocol::Contest(dialect) = Protocol::of(word, position.game()).0 else {
        return None;
    };
    let was_asked = !position.dialect(dialect).ok()?.introductions().is_empty();
    let made = moves
        .get(at)
        .filter(|made| was_asked && !made.id.is_empty());
    made.map(|made| made.id.clone())
}

#[cfg(test)]
mod tests {
    use floe_games::record::{Entrant, MoveLimits, Opening, OwnLimits, VERSION};

    use super::*;

    #[test]
    fn one_with_a_handicap_was_given_its_own_time() {
        let start = floe_games::find("gamma").unwrap().start("4x4", 1).unwrap();
        let seat = |name: &str| Entrant {
            name: name.to_owned(),
            seat: "line:./bot".to_owned(),
            sha256: None,
        };
        let limits = |move_ms| MoveLimits {
            move_ms,
            ..MoveLimits::default()
        };
        let record = Record::new(Opening {
            floe: VERSION,
            game: "gamma".to_owned(),
            seats: vec![seat("quick"), seat("default")],
            start: start.write(),
            limits: Some(limits(1000)),
            own_limits: vec![OwnLimits {
                seat: 1,
                limits: limits(70),
            }],
            ..Opening::default()
        });
        let asked = asked_at(&record, 0, None).unwrap().unwrap();
        assert!(asked.input.ends_with("\ngo 70\n"), "{}", asked.input);
    }
}
