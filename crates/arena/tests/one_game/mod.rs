//! One game as the referee plays it, for tests and benchmarks that need no tournament.

use floe_arena::referee::{self, NoRecord};
use floe_arena::seat::{Sandbox, Seat, SeatDriver};
use floe_games::AnyPosition;
use floe_games::record::{Event, MoveLimits, Opening, Record, VERSION};

/// A game from this position, of these seats in this sandbox.
#[allow(dead_code, reason = "not everybody who plays a game needs all of this")]
pub(crate) fn play(
    position: Box<dyn AnyPosition>,
    seats: &[Seat],
    limits: MoveLimits,
    sandbox: &Sandbox,
) -> Result<Record, NoRecord> {
    let game = position.game();
    let drivers = seats.iter().map(|seat| seat.driver(game, sandbox, 1));
    let drivers: Option<Vec<_>> = drivers.collect();
    let mut drivers = drivers.expect("nobody here is a person");
    let mut watch = |_: &Event| {};
    let record = watched(position, seats, &mut drivers, limits, &mut watch);
    record.map(|mut record| {
        if seats.iter().any(Seat::is_program) {
            record.opening.sandbox = Some(sandbox.layers().level());
        }
        record
    })
}

/// The same, of drivers that stand for these seats; `watch` sees everything that happens.
pub(crate) fn watched(
    position: Box<dyn AnyPosition>,
    seats: &[Seat],
    drivers: &mut [Box<dyn SeatDriver>],
    limits: MoveLimits,
    watch: &mut dyn FnMut(&Event),
) -> Result<Record, NoRecord> {
    let opening = Opening {
        floe: VERSION,
        game: position.game().name().into(),
        seats: seats.iter().map(|seat| seat.entrant("x")).collect(),
        start: position.write(),
        limits: Some(limits),
        ..Opening::default()
    };
    referee::play(position, drivers, opening, &Default::default(), watch)
}
