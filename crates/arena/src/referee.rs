//! The referee: one game in, one record out.
//!
//! The referee alone holds the position. It checks every answer against the rules. An answer that is
//! not a legal move in time is a [`Fault`], which costs what
//! [`Play::expel`](floe_games::Play::expel) states. A machine failure is no seat's fault: there is no
//! record, and the game has to be repeated.
//!
//! The record stores what programs write to standard error with their moves, the last 64 KiB of each
//! seat.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use floe_rules::Player;
use thiserror::Error;
use tracing::debug;

use crate::seat::{Failure, SeatDriver, TimedMove, TurnContext, cpu_time, milliseconds};
use floe_games::record::{Event, MoveLimits, Opening, PlayedMove, Record};
use floe_games::{AnyPosition, Fault, FaultKind, GameHistory};

/// Bytes of a seat's standard error stored with a game.
const ERRORS: usize = 64 << 10;

/// The reason why there is no record of a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoRecord {
    /// The machine failed.
    #[error("{0}")]
    MachineFailure(String),
    /// The game was broken off.
    #[error("the game was cancelled")]
    Stopped,
}

/// Plays one game from this position to its end.
///
/// `drivers` are by seat, as many as the position has. `watch` is called with every event as it
/// happens.
///
/// ```
/// use floe_games::record::{Opening, Entrant, MoveLimits, VERSION};
/// use floe_arena::{referee, seat::{Sandbox, Seat}};
/// let game = floe_games::find("gamma")?;
/// let position = game.start("5x5", 1)?;
/// let seats = ["greedy", "random"].map(|word| Seat::read(word, game, ".".as_ref()).unwrap());
/// let mut drivers: Vec<_> =
///     seats.iter().map(|seat| seat.driver(game, &Sandbox::none(), 1).unwrap()).collect();
/// let opening = Opening {
///     floe: VERSION,
///     game: "gamma".into(),
///     seats: seats.iter().map(|seat| seat.entrant(seat.to_string())).collect(),
///     start: position.write(),
///     limits: Some(MoveLimits::default()),
///     ..Opening::default()
/// };
/// let record = referee::play(position, &mut drivers, opening, &Default::default(), &mut |_| {})?;
/// assert!(record.end.is_some());
/// record.verify()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play(
    position: Box<dyn AnyPosition>,
    drivers: &mut [Box<dyn SeatDriver + '_>],
    opening: Opening,
    stop: &Arc<AtomicBool>,
    watch: &mut dyn FnMut(&Event),
) -> Result<Record, NoRecord> {
    if drivers.len() != position.players() as usize {
        let (sit, seats) = (drivers.len(), position.players());
        return Err(NoRecord::MachineFailure(format!(
            "{sit} at a table for {seats}"
        )));
    }
    let limits = Player::all(drivers.len() as u32).map(|player| opening.limits_of(player.number()));
    let limits = limits.collect();
    let mut game = Game {
        history: GameHistory::new(position),
        id: &opening.id,
        strikes: vec![0; drivers.len()],
        errors: drivers.iter().map(|_| Errors::default()).collect(),
        limits,
        watch,
    };
    let result = game.run(drivers, stop);
    let scores = game.history.play().scores();
    for (errors, driver) in game.errors.iter_mut().zip(drivers) {
        errors.add_to_last(&mut game.history, &driver.leave(&scores));
    }
    let history = game.history;
    result.map(|()| Record {
        opening,
        end: history.play().end(),
        events: history.into_events(),
    })
}

/// Fails if the game was cancelled, so that later faults are not scored.
fn go_on_unless(stop: &AtomicBool) -> Result<(), NoRecord> {
    match stop.load(Ordering::Relaxed) {
        true => Err(NoRecord::Stopped),
        false => Ok(()),
    }
}

struct Game<'a> {
    history: GameHistory,
    /// The game's id.
    id: &'a str,
    strikes: Vec<u32>,
    errors: Vec<Errors>,
    /// Limits by seat.
    limits: Vec<MoveLimits>,
    watch: &'a mut dyn FnMut(&Event),
}

impl Game<'_> {
    fn run(
        &mut self,
        drivers: &mut [Box<dyn SeatDriver + '_>],
        stop: &Arc<AtomicBool>,
    ) -> Result<(), NoRecord> {
        for (player, driver) in Player::all(drivers.len() as u32).zip(drivers.iter_mut()) {
            if self.history.play().turn().is_none() {
                break;
            }
            go_on_unless(stop)?;
            let seated = driver.sit(&self.chair(player, stop));
            go_on_unless(stop)?;
            if let Err(failure) = seated {
                self.put_out(failure)?;
            }
        }
        while let Some(player) = self.history.play().turn() {
            go_on_unless(stop)?;
            let decision = drivers[player.index()].decide(&self.chair(player, stop));
            // A cancelled engine answers with its best guess so far, which is not a move.
            go_on_unless(stop)?;
            let made = match decision {
                Ok(decision) => self.judge(player, decision),
                Err(failure) => Err(failure),
            };
            if let Err(mut failure) = made {
                if let Failure::Fault(fault) = &mut failure
                    && fault.stderr.is_empty()
                {
                    fault.stderr = drivers[player.index()].last_words();
                }
                self.put_out(failure)?;
                let scores = self.history.play().position().scores();
                drivers[player.index()].leave(&scores);
            }
        }
        Ok(())
    }

    fn chair<'b>(&'b self, player: Player, stop: &'b Arc<AtomicBool>) -> TurnContext<'b> {
        TurnContext {
            position: self.history.play().position(),
            player,
            limits: &self.limits[player.index()],
            stop,
        }
    }

    /// Makes a move, if it is legal and in time.
    fn judge(&mut self, player: Player, decision: TimedMove) -> Result<(), Failure> {
        let limits = &self.limits[player.index()];
        let allowed = Duration::from_millis(limits.move_ms);
        let strike = decision.is_timed && decision.wall > allowed;
        let (wall, stderr) = (decision.wall, decision.stderr.clone());
        let with_details = |mut fault: Fault| {
            fault.stderr = stderr;
            fault.wall_us = wall.as_micros() as u64;
            fault
        };
        if strike {
            let strikes = &mut self.strikes[player.index()];
            *strikes += 1;
            let late = decision.wall > allowed + Duration::from_millis(limits.margin_ms);
            if late || *strikes > limits.strikes {
                let mut message = format!(
                    "the answer came after {}; a move has {} ms",
                    milliseconds(decision.wall),
                    limits.move_ms
                );
                if !late {
                    message += &match limits.strikes {
                        0 => ", and it has no grace period".to_owned(),
                        1 => ", and the grace period was used once before".to_owned(),
                        strikes => {
                            format!(", and the grace period was used {strikes} times before")
                        }
                    };
                }
                message += &cpu_time(decision.cpu);
                let mut fault = Fault::new(player, FaultKind::Timeout, message);
                fault.cpu_us = decision.cpu.as_micros() as u64;
                return Err(with_details(fault).into());
            }
        }
        let mv = decision.mv.clone();
        let made = self.history.make(PlayedMove {
            seat: player.number(),
            mv: decision.mv,
            wall_us: decision.wall.as_micros() as u64,
            cpu_us: decision.cpu.as_micros() as u64,
            peak_kib: decision.peak_kib,
            note: decision.note,
            strike,
            stderr: decision.stderr,
            id: decision.id.unwrap_or_default(),
        });
        if let Err(error) = made {
            return Err(with_details(Fault::of_move(player, &mv, &error)).into());
        }
        self.report();
        self.errors[player.index()].note(&mut self.history);
        Ok(())
    }

    fn put_out(&mut self, failure: Failure) -> Result<(), NoRecord> {
        match failure {
            Failure::Fault(fault) => {
                let applied = self.history.apply(Event::Fault(fault));
                applied.map_err(|error| NoRecord::MachineFailure(error.to_string()))?;
                self.report();
                Ok(())
            }
            Failure::MachineFailure(why) => Err(NoRecord::MachineFailure(why)),
            Failure::Stopped => Err(NoRecord::Stopped),
        }
    }

    /// Reports the last turn to the watcher.
    fn report(&mut self) {
        let Some(turn) = self.history.turns().last() else {
            return;
        };
        let game = self.id;
        match &turn.event {
            Event::Move(played) => debug!(
                game,
                seat = played.seat,
                mv = played.mv,
                wall_us = played.wall_us,
                "move"
            ),
            Event::Fault(fault) => debug!(game, seat = fault.seat, %fault, "fault"),
            Event::Back(_) => {}
        }
        (self.watch)(&turn.event);
    }
}

/// The places of a seat's standard error in a record.
#[derive(Default)]
struct Errors {
    /// The moves with standard error attached.
    moves: VecDeque<usize>,
    /// The seat's last move.
    last: Option<usize>,
    bytes: usize,
}

impl Errors {
    /// Attaches standard error to the seat's last move.
    fn note(&mut self, history: &mut GameHistory) {
        let at = history.turns().len() - 1;
        self.last = Some(at);
        if let Some(text) = history.stderr_mut(at).filter(|text| !text.is_empty()) {
            self.bytes += text.len();
            self.moves.push_back(at);
            self.forget(history);
        }
    }

    /// Adds what the program wrote after the seat's last move.
    fn add_to_last(&mut self, history: &mut GameHistory, more: &str) {
        let Some(at) = self.last.filter(|_| !more.is_empty()) else {
            return;
        };
        if let Some(text) = history.stderr_mut(at) {
            if text.is_empty() {
                self.moves.push_back(at);
            } else {
                text.push('\n');
            }
            text.push_str(more);
            self.bytes += more.len() + 1;
            self.forget(history);
        }
    }

    /// Drops the oldest output while the total is too long.
    fn forget(&mut self, history: &mut GameHistory) {
        while self.bytes > ERRORS
            && let Some(at) = self.moves.pop_front()
            && let Some(text) = history.stderr_mut(at)
        {
            self.bytes -= text.len().min(self.bytes);
            text.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use floe_games::find;
    use floe_games::record::{Entrant, OwnLimits, VERSION};

    /// The first line of a record of a game for two from this position.
    fn opening(position: &dyn AnyPosition) -> Opening {
        Opening {
            floe: VERSION,
            game: position.game().name().into(),
            seats: vec![Entrant::default(), Entrant::default()],
            start: position.write(),
            ..Opening::default()
        }
    }

    /// Writes four thousand bytes to standard error at every move.
    struct Chatterer(usize);

    impl SeatDriver for Chatterer {
        fn decide(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure> {
            self.0 += 1;
            Ok(TimedMove {
                mv: at.position.moves().swap_remove(0),
                stderr: format!("{:04000}", self.0),
                ..TimedMove::default()
            })
        }

        fn leave(&mut self, _scores: &[i64]) -> String {
            "that was all".to_owned()
        }
    }

    #[test]
    fn of_what_a_seat_writes_to_standard_error_the_end_is_kept() {
        let position = find("gamma").unwrap().start("10x10", 1).unwrap();
        let opening = opening(&*position);
        let mut drivers: Vec<Box<dyn SeatDriver>> =
            vec![Box::new(Chatterer(0)), Box::new(Chatterer(1000))];
        let stop = Arc::default();
        let record = play(position, &mut drivers, opening, &stop, &mut |_| {}).unwrap();
        record.verify().unwrap();
        for seat in 1..=2 {
            let moves = record.moves();
            let said = moves.iter().filter(|made| made.seat == seat);
            let said: Vec<&str> = said.map(|made| made.stderr.as_str()).collect();
            let kept: usize = said.iter().map(|text| text.len()).sum();
            assert!((ERRORS - 8000..=ERRORS).contains(&kept), "{kept}");
            let first = said.iter().position(|text| !text.is_empty()).unwrap();
            assert!(first > 0 && said[first..].iter().all(|text| !text.is_empty()));
            assert!(said.last().unwrap().ends_with("\nthat was all"));
        }
    }

    /// Whose program ends as it starts, while the game is broken off.
    struct BrokenOff;

    impl SeatDriver for BrokenOff {
        fn sit(&mut self, at: &TurnContext<'_>) -> Result<(), Failure> {
            at.stop.store(true, Ordering::Relaxed);
            let fault = Fault::new(at.player, FaultKind::Crash, "it is gone");
            Err(Failure::Fault(Box::new(fault)))
        }

        fn decide(&mut self, _: &TurnContext<'_>) -> Result<TimedMove, Failure> {
            unreachable!("no move is asked for")
        }
    }

    #[test]
    fn whoever_fails_while_a_game_is_broken_off_loses_nothing() {
        let position = find("gamma").unwrap().start("4x4", 1).unwrap();
        let opening = opening(&*position);
        let mut drivers: Vec<Box<dyn SeatDriver>> = vec![Box::new(BrokenOff), Box::new(JustLate)];
        let stop = Arc::default();
        let played = play(position, &mut drivers, opening, &stop, &mut |_| {});
        assert!(matches!(played, Err(NoRecord::Stopped)), "{played:?}");
    }

    /// Takes less than half a millisecond more than a second.
    struct JustLate;

    impl SeatDriver for JustLate {
        fn decide(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure> {
            Ok(TimedMove {
                mv: at.position.moves().swap_remove(0),
                wall: Duration::from_micros(1_000_400),
                is_timed: true,
                ..TimedMove::default()
            })
        }
    }

    #[test]
    fn times_are_compared_and_told_to_the_microsecond() {
        let position = find("gamma").unwrap().start("4x4", 1).unwrap();
        let mut opening = Opening {
            limits: Some(MoveLimits::default()),
            ..opening(&*position)
        };
        let game = |opening: &Opening| {
            let mut drivers: Vec<Box<dyn SeatDriver>> =
                vec![Box::new(JustLate), Box::new(JustLate)];
            let (opening, stop) = (opening.clone(), Arc::default());
            play(position.clone(), &mut drivers, opening, &stop, &mut |_| {}).unwrap()
        };
        assert!(game(&opening).moves()[0].strike);
        opening.limits = Some(MoveLimits {
            strikes: 0,
            ..MoveLimits::default()
        });
        let fault = game(&opening).faults().next().cloned().unwrap();
        let expected = "the answer came after 1000.400 ms; a move has 1000 ms";
        assert!(fault.message.starts_with(expected), "{fault}");
        // Whose own limits are wider is in time.
        let limits = MoveLimits {
            move_ms: 2000,
            ..MoveLimits::default()
        };
        opening.own_limits = (1..=2)
            .map(|seat| OwnLimits {
                seat,
                limits: limits.clone(),
            })
            .collect();
        let record = game(&opening);
        assert!(record.moves().iter().all(|made| !made.strike));
    }
}
