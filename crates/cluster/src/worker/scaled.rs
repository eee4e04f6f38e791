//! Games whose time limits are scaled by the speed of the machine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use floe_arena::job::Job;
use floe_arena::live::Broadcast;
use floe_arena::runner::play_job;
use floe_arena::seat::{Sandbox, Seat};
use floe_games::record::{MoveLimits, Record};

/// Plays one game with scaled time limits. The record has the job's limits.
pub(super) fn play_one(
    job: &Job,
    time_percent: u32,
    seats: &[Seat],
    sandbox: &Sandbox,
    stop: &Arc<AtomicBool>,
    live: &Broadcast,
) -> Result<Option<Record>, String> {
    let mut here = job.clone();
    let mut seats = seats.to_vec();
    if time_percent != 100 {
        if let Some(limits) = &mut here.opening.limits {
            scale_limits(limits, time_percent);
        }
        for own in &mut here.opening.own_limits {
            scale_limits(&mut own.limits, time_percent);
        }
        for seat in &mut seats {
            scale_engine(seat, time_percent);
        }
    }
    let played = play_job(&here, &seats, sandbox, stop, live).map_err(|error| error.to_string())?;
    Ok(played.map(|mut record| {
        record.opening.limits.clone_from(&job.opening.limits);
        record
            .opening
            .own_limits
            .clone_from(&job.opening.own_limits);
        record
    }))
}

/// Scales every time limit of a program.
fn scale_limits(limits: &mut MoveLimits, percent: u32) {
    let scaled = |ms: u64| ms.saturating_mul(u64::from(percent)) / 100;
    limits.move_ms = scaled(limits.move_ms).max(1);
    limits.margin_ms = scaled(limits.margin_ms);
    // Starting is not only computing: a program gets at least the full start time.
    limits.start_ms = scaled(limits.start_ms).max(limits.start_ms);
}

/// Scales an engine's own time limit.
fn scale_engine(seat: &mut Seat, percent: u32) {
    if let Seat::Engine(spec) = seat
        && let Some(time) = &mut spec.time
    {
        *time = *time * percent / 100;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_times_of_a_slower_machine_are_longer() {
        let mut limits = MoveLimits::default();
        scale_limits(&mut limits, 200);
        assert_eq!((limits.move_ms, limits.margin_ms), (2000, 100));
        assert_eq!(limits.start_ms, 20_000);
        scale_limits(&mut limits, 50);
        assert_eq!((limits.move_ms, limits.margin_ms), (1000, 50));
        assert_eq!(limits.start_ms, 20_000);
        let game = floe_games::find("flood").unwrap();
        let seat = |word| Seat::read(word, game, ".".as_ref()).unwrap();
        let mut engine = seat("floe:time=100ms");
        scale_engine(&mut engine, 150);
        assert_eq!(engine.entrant(""), seat("floe:time=150ms").entrant(""));
    }
}
