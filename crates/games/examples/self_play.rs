//! Engines play every game to its end, write it down and read it back, with nothing of a machine
//! but memory: no files, no threads, and no clock but one that is handed in.
//!
//! ```sh
//! cargo run -p floe-games --example self_play
//! ```

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use floe_games::record::{End, Entrant, Event, Opening, PlayedMove, Record, VERSION, read};
use floe_games::{AnyGame, Play, games};
use floe_search::{Clock, Kind, Limits};

/// A clock that advances by a millisecond whenever it is read: what a page would hand in instead
/// is the browser's.
fn ticks() -> Duration {
    static TICKS: AtomicU64 = AtomicU64::new(0);
    Duration::from_millis(TICKS.fetch_add(1, Ordering::Relaxed))
}

fn main() {
    for game in games() {
        for kind in Kind::ALL {
            let by_nodes = self_play(game, kind, &|| Limits::nodes(50));
            let by_clock = self_play(game, kind, &|| {
                Limits::time_by(Clock::new(ticks), Duration::from_millis(5))
            });
            assert!(by_nodes > 0 && by_clock > 0);
        }
    }
}

/// How many moves a game took, which is verified by its record.
fn self_play(game: &'static dyn AnyGame, kind: Kind, limits: &dyn Fn() -> Limits) -> usize {
    let start = game.start("5x5", 3).expect("the setup fits every game");
    let seat = |player| Entrant {
        name: format!("player {player}"),
        seat: kind.name().to_owned(),
        sha256: None,
    };
    let mut record = Record::new(Opening {
        floe: VERSION,
        game: game.name().to_owned(),
        id: "1".to_owned(),
        seats: (1..=start.players()).map(seat).collect(),
        start: start.write(),
        ..Opening::default()
    });
    let mut engine = game.engine(&kind.into());
    let mut play = Play::new(start);
    while let Some(player) = play.turn() {
        let thought = engine.think(play.position(), &limits());
        let mv = thought.expect("somebody is to move").best;
        play.make(&mv).expect("engines make legal moves");
        record.events.push(Event::Move(PlayedMove {
            seat: player.number(),
            mv,
            ..PlayedMove::default()
        }));
    }
    let (outcome, reason) = (play.outcome(), play.reason());
    record.end = outcome.zip(reason).map(|(outcome, reason)| End {
        scores: outcome.scores().to_vec(),
        places: outcome.places().to_vec(),
        reason,
    });
    let mut text = Vec::new();
    record.write(&mut text).expect("memory takes everything");
    let again = read(&text[..]).next().expect("a record").expect("whole");
    assert_eq!(again, record);
    again.verify().expect("the rules agree");
    record.events.len()
}
