//! Games to write down.

use floe_games::record::{End, Entrant, Event, Opening, PlayedMove, Record, VERSION};
use floe_games::{Reason, find};

/// A game of random moves, recorded.
pub(crate) fn game(name: &str, setup: &str, seed: u64) -> Record {
    let game = find(name).unwrap();
    let mut position = game.start(setup, seed).unwrap();
    let entrant = |seat| Entrant {
        name: format!("player {seat}"),
        seat: "random".into(),
        sha256: None,
    };
    let mut record = Record::new(Opening {
        floe: VERSION,
        game: name.into(),
        id: format!("{name}-{seed}"),
        seats: (1..=position.players()).map(entrant).collect(),
        start: position.write(),
        ..Opening::default()
    });
    let mut turn = seed as usize;
    while let Some(player) = position.turn() {
        let moves = position.moves();
        turn = turn.wrapping_mul(31).wrapping_add(7) % 1_000_003;
        let mv = moves[turn % moves.len()].clone();
        position.play(&mv).unwrap();
        record.events.push(Event::Move(PlayedMove {
            seat: player.number(),
            mv,
            ..PlayedMove::default()
        }));
    }
    let outcome = position.outcome().unwrap();
    record.end = Some(End {
        scores: outcome.scores().to_vec(),
        places: outcome.places().to_vec(),
        reason: Reason::Finished,
    });
    record
}
