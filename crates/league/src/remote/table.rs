//! Plays the games of one connection, one after another, until it ends.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use floe_arena::load::Reading;
use floe_arena::runner::{CorePool, GameSource, NamedSeat, Played, Runner, ScheduledGame};
use floe_arena::schedule::Pairing;
use floe_arena::seat::{
    RemotePlayer, RemoteRequest, Seat, line_greeting, line_request, remote_seat,
};
use floe_arena::store::GameSummary;
use floe_rules::Player;
use tracing::warn;

use super::book::PlannedGame;
use super::connections::{LOOK, Seated, Shared, TROUBLE};
use super::messages::News;
use crate::event::Activity;
use crate::ladder::seat_of;
use crate::versions::VersionId;

/// The name of a remote seat in records.
const REMOTE: &str = "remote";

/// Plays until the connection is over.
pub(super) fn play(shared: &Arc<Shared>, connection: &str) {
    let description = shared.league.description();
    let runner = Runner {
        entrants: Vec::new(),
        boards: description.boards.clone(),
        limits: description.limits.clone(),
        sandbox: shared.sandbox.clone(),
        tables: 1,
        cores: Some(CorePool::machine()),
        live: shared.live.clone(),
        meter: Reading::now,
    };
    let games = GameSource {
        next: |halt: &AtomicBool| next(shared, connection, halt),
        among: Arc::new(description.table.into()),
        length: None,
    };
    let played = runner.run_games(games, &shared.is_over, |played| {
        take_in(shared, connection, &played);
        ControlFlow::Continue(())
    });
    if let Err(error) = played {
        warn!(%error, "games with a remote program stopped");
    }
    say_goodbye(shared, connection);
}

/// Keeps the connection's last messages until the client had time to fetch them.
fn say_goodbye(shared: &Shared, connection: &str) {
    let until = Instant::now() + shared.league.description().remote.disconnect_timeout;
    let mut state = shared.state.lock();
    while let Some(known) = state.connections.get_mut(connection) {
        if Instant::now() > until || shared.is_over.load(Ordering::Relaxed) {
            state.connections.remove(connection);
            return;
        }
        // Ends the connection, since a client must not wait for a thread that has ended.
        known.end(TROUBLE);
        shared.changed.wait_for(&mut state, LOOK);
    }
}

/// The next game, once the program is ready for it; `None` once the connection is over.
fn next(shared: &Arc<Shared>, connection: &str, halt: &AtomicBool) -> Option<ScheduledGame> {
    loop {
        let (version, planned) = planned(shared, connection, halt)?;
        let description = shared.league.description();
        let boards = &description.boards;
        let board = planned.unit % boards.count().unwrap_or(u64::MAX);
        let seat = planned.seats.iter().position(|id| *id == version)?;
        let game = (planned.number + 1).to_string();
        let Some(opponents) = opponents(shared, &planned, &version) else {
            let mut state = shared.state.lock();
            state.book.as_mut()?.put_off(planned.number);
            state.connections.get_mut(connection)?.note_trouble();
            drop(state);
            shared.tell_all();
            continue;
        };
        let lines = match boards.open(board) {
            Ok((position, _)) => line_greeting(&*position, Player::new(seat as u32)),
            Err(error) => {
                warn!(%error, "no board");
                return None;
            }
        };
        if !is_ready(shared, connection, &game, &planned, lines, halt) {
            shared.state.lock().book.as_mut()?.put_back(planned.number);
            continue;
        }
        let (remote, player) = remote_seat(REMOTE);
        let mut limits = description.limits.clone();
        let allowance = description.remote.latency_allowance.as_millis() as u64;
        limits.move_ms += allowance;
        let mut remote = Some(NamedSeat {
            name: version.to_string(),
            seat: Seat::Remote(remote),
            limits: Some(limits),
        });
        let mut opponents = opponents.into_iter();
        let players: Vec<NamedSeat> = (0..planned.seats.len())
            .filter_map(|at| match at == seat {
                true => remote.take(),
                false => opponents.next(),
            })
            .collect();
        relay(shared, connection, &game, player);
        return Some(ScheduledGame {
            pairing: Pairing {
                number: planned.number,
                unit: planned.unit,
                board,
                seats: (0..planned.seats.len()).collect(),
            },
            players,
        });
    }
}

/// Waits for the next game; `None` once the connection is over.
fn planned(
    shared: &Shared,
    connection: &str,
    halt: &AtomicBool,
) -> Option<(VersionId, PlannedGame)> {
    let mut guard = shared.state.lock();
    loop {
        if halt.load(Ordering::Relaxed) {
            return None;
        }
        let state = &mut *guard;
        let known = state.connections.get_mut(connection)?;
        if known.ended.is_some() {
            return None;
        }
        // The previous game is still to be stored and reported.
        if known.game.is_some() {
            shared.changed.wait_for(&mut guard, LOOK);
            continue;
        }
        let (version, book) = (known.version.clone(), state.book.as_mut()?);
        let looked = shared.league.look(|standing| {
            let may_play = standing.versions.is_accepted(&version);
            let is_held = standing.is_paused(Activity::Ladder) || standing.has_finals_under_way;
            let game = (may_play && !is_held).then(|| book.next(&version, standing));
            (may_play, game.flatten())
        });
        match looked {
            Ok((true, Some(game))) => return Some((version, game)),
            Ok((true, None)) => {}
            Ok((false, _)) => known.end("the organiser withdrew your version"),
            Err(error) => {
                warn!(%error, "games with a remote program stop");
                known.end(TROUBLE);
            }
        }
        if known.ended.is_some() {
            drop(guard);
            shared.tell_all();
            return None;
        }
        shared.changed.wait_for(&mut guard, LOOK);
    }
}

/// The opponents' seats; `None` if a program is missing.
fn opponents(
    shared: &Shared,
    planned: &PlannedGame,
    version: &VersionId,
) -> Option<Vec<NamedSeat>> {
    let others = planned.seats.iter().filter(|id| *id != version);
    let seat = |id: &VersionId| {
        let found = shared
            .league
            .look(|standing| standing.versions.find(id).cloned());
        seat_of(&shared.league, &found.ok()??)
    };
    others.map(seat).collect()
}

/// Announces a game, and waits until the program has started; ends the connection if it has not in
/// time.
fn is_ready(
    shared: &Shared,
    connection: &str,
    game: &str,
    planned: &PlannedGame,
    lines: String,
    halt: &AtomicBool,
) -> bool {
    let description = shared.league.description();
    let patience =
        Duration::from_millis(description.limits.start_ms) + description.remote.latency_allowance;
    let began = Instant::now();
    let mut state = shared.state.lock();
    let Some(known) = state.connections.get_mut(connection) else {
        return false;
    };
    known.game = Some(Seated {
        game: game.to_owned(),
        is_ready: false,
        has_failed: false,
        question: None,
        answers: None,
    });
    known.send(News::Sit {
        game: game.to_owned(),
        seats: planned.seats.iter().map(ToString::to_string).collect(),
        lines,
    });
    (shared.ring)();
    loop {
        let Some(known) = state.connections.get_mut(connection) else {
            return false;
        };
        if halt.load(Ordering::Relaxed) || known.ended.is_some() {
            return false;
        }
        match &known.game {
            Some(seated) if seated.has_failed => {
                known.end("the program could not be started");
                (shared.ring)();
                return false;
            }
            Some(seated) if seated.is_ready => return true,
            _ if began.elapsed() > patience => {
                let why = format!("the program was not ready after {patience:?}");
                known.end(&why);
                (shared.ring)();
                return false;
            }
            _ => {}
        }
        shared.changed.wait_for(&mut state, LOOK);
    }
}

/// Forwards questions as they come, until the game is over.
fn relay(shared: &Arc<Shared>, connection: &str, game: &str, player: RemotePlayer) {
    let RemotePlayer { requests, answers } = player;
    let mut state = shared.state.lock();
    let seated = state.connections.get_mut(connection);
    // If the client has left by now, its seat does not answer.
    if let Some(seated) = seated
        .filter(|known| known.ended.is_none())
        .and_then(|known| known.game.as_mut())
    {
        seated.answers = Some(answers);
    }
    drop(state);
    let allowance = shared.league.description().remote.latency_allowance;
    let (shared, connection, game) = (Arc::clone(shared), connection.to_owned(), game.to_owned());
    let hand_on = move || {
        for request in requests {
            let RemoteRequest::Decide {
                question,
                position,
                time,
            } = request
            else {
                continue;
            };
            let time = time.saturating_sub(allowance).as_millis() as u64;
            let lines = line_request(&*position, time);
            let mut state = shared.state.lock();
            let Some(known) = state.connections.get_mut(&connection) else {
                return;
            };
            if let Some(seated) = known.game.as_mut().filter(|seated| seated.game == game) {
                seated.question = Some(question);
                known.send(News::Decide {
                    game: game.clone(),
                    question,
                    lines,
                });
            }
            drop(state);
            shared.tell_all();
        }
    };
    // Without this thread, the seat does not answer, and loses the game.
    if let Err(error) = thread::Builder::new()
        .name("remote seat".to_owned())
        .spawn(hand_on)
    {
        warn!(%error, "cannot start a thread");
    }
}

/// Stores the played game, and reports its result.
fn take_in(shared: &Shared, connection: &str, played: &Played) {
    let mut state = shared.state.lock();
    let state = &mut *state;
    let Some(book) = &mut state.book else {
        return;
    };
    let (number, kept) = match played {
        Played::Game(pairing, record) => {
            let kept = book.keep(pairing.number, record);
            let kept = kept.map_err(|error| warn!(%error, "a game could not be kept"));
            (pairing.number, kept)
        }
        Played::Not(pairing, failed) => {
            warn!(%failed, "a game with a remote program failed");
            (pairing.number, Err(()))
        }
    };
    if kept.is_err() {
        book.put_off(number);
    }
    // A client that has reconnected in the meantime does not get the result.
    let Some(known) = state.connections.get_mut(connection) else {
        return;
    };
    known.game = None;
    shared.changed.notify_all();
    let game = (number + 1).to_string();
    let (Ok(Some(summary)), Played::Game(_, record)) = (&kept, played) else {
        known.send(News::Over {
            game,
            scores: Vec::new(),
            text: "the league's machine failed: the game does not count".to_owned(),
        });
        if kept.is_err() {
            known.note_trouble();
        }
        (shared.ring)();
        return;
    };
    let name = known.version.to_string();
    let seats = record.opening.seats.iter();
    let seat = seats.into_iter().position(|entrant| entrant.name == name);
    let seat = seat.unwrap_or(0);
    known.send(News::Over {
        game,
        scores: summary.seats.iter().map(|part| part.score).collect(),
        text: words(summary, seat),
    });
    known.note_game(summary.seats[seat].fault.is_some());
    (shared.ring)();
}

/// The result of a game, for the client.
fn words(summary: &GameSummary, seat: usize) -> String {
    let own = &summary.seats[seat];
    let is_shared = summary.seats.iter().filter(|part| part.place == 1).count() > 1;
    let result = match (own.place, is_shared) {
        (1, false) => "won",
        (1, true) => "drawn",
        _ => "lost",
    };
    match &own.fault {
        Some((kind, message)) => format!("{result} by a fault: {}: {message}", kind.name()),
        None => result.to_owned(),
    }
}
