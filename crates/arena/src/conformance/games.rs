//! Whole games, which decide whether a program is accepted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use floe_games::record::{Event, Opening, PlayedMove, Record, VERSION};
use floe_games::{AnyPosition, Fault, Play};
use floe_rules::{Occasion, Player};

use super::report::CheckedGame;
use super::turns::{Doubts, Turns};
use super::{
    ConformanceCheck, Finding, NamedBoard, Notes, Part, ProgramInput, Verdict, close_call,
    run_alone,
};
use crate::referee::{self, NoRecord};
use crate::seat::line::LineProgram;
use crate::seat::{Protocol, Seat, SeatDriver};

/// The engine that programs are tested against.
const OPPONENT: &str = "greedy";

/// Plays the games: one from each seat, on every board, then games against itself while there is
/// time.
pub(super) fn play(
    check: &ConformanceCheck<'_>,
    boards: &[NamedBoard],
    notes: &mut Notes<'_>,
) -> Result<Vec<CheckedGame>, String> {
    let began = Instant::now();
    let mut played = Vec::new();
    if boards.is_empty() {
        return Err("there is no board to play on".to_owned());
    }
    notes.begin_group();
    let seats = boards.iter().map(|(_, start)| start.players() as usize);
    let count = seats.max().unwrap_or(2).max(boards.len());
    let mut longest = Duration::ZERO;
    for number in 0..count {
        if notes.is_hopeless() {
            notes.leave_rest_out(count - number, "game");
            return Ok(played);
        }
        let (name, start) = &boards[number % boards.len()];
        let seat = Player::new(number as u32 % start.players());
        let table = Table {
            check,
            number: number + 1,
            board: name,
            start: &**start,
            seat: Some(seat),
            until: None,
        };
        if !notes.wants(&table.case()) {
            continue;
        }
        let sat_down = Instant::now();
        played.extend(table.play(notes)?);
        longest = longest.max(sat_down.elapsed());
    }
    if notes.has_failed() {
        return Ok(played);
    }
    let until = began + check.self_play;
    let mut is_cut = false;
    for (at, (name, start)) in boards.iter().enumerate() {
        if notes.has_failed() {
            break;
        }
        // The program plays all seats in this game. A game that must be stopped early proves
        // nothing.
        is_cut = Instant::now() + longest * start.players() > until;
        if is_cut {
            break;
        }
        let table = Table {
            check,
            number: count + at + 1,
            board: name,
            start: &**start,
            seat: None,
            until: Some(until),
        };
        if !notes.wants(&table.case()) {
            continue;
        }
        let whole = table.play(notes)?;
        is_cut |= whole.is_none();
        played.extend(whole);
    }
    if is_cut {
        let seconds = check.self_play.as_secs();
        notes.leave_out(format!(
            "games against itself: not all were played, because they would take more than {seconds} s \
             of play in all"
        ));
    }
    Ok(played)
}

/// One game to be played.
struct Table<'a> {
    check: &'a ConformanceCheck<'a>,
    number: usize,
    board: &'a str,
    start: &'a dyn AnyPosition,
    /// The program's seat; `None` if it plays all seats.
    seat: Option<Player>,
    /// When to cancel the game.
    until: Option<Instant>,
}

/// A game that was played, to its end or to a fault.
struct Played {
    record: Option<Record>,
    /// The positions in which the program was to move, by seat.
    asked: Vec<(Player, Box<dyn AnyPosition>)>,
    /// The program's first fault, after how many moves, and where.
    fault: Option<(Fault, usize, Box<dyn AnyPosition>)>,
    moves: Vec<PlayedMove>,
}

impl Table<'_> {
    fn case(&self) -> String {
        let (number, board) = (self.number, self.board);
        match self.seat {
            Some(seat) => format!("game {number}, seat {seat} against {OPPONENT} on {board}"),
            None => format!("game {number}, against itself on {board}"),
        }
    }

    fn is_mine(&self, seat: u32) -> bool {
        self.seat.is_none_or(|mine| mine.number() == seat)
    }

    /// Plays the game and reports its findings. Reports nothing if the game was cancelled.
    fn play(&self, notes: &mut Notes<'_>) -> Result<Option<CheckedGame>, String> {
        let case = self.case();
        notes.begin(&case);
        let doubts = Doubts::of(&case, notes);
        let mut played = self.referee(&doubts)?;
        // A program that runs for a whole game cannot be asked twice, so the game is played again.
        if let Some((fault, at, _)) = &played.fault
            && self.check.program.protocol == Protocol::Line
            && let Some(first) = doubts.begin(fault, &format!(" at move {}", at + 1))
        {
            played = run_alone(self.check.neighbours, || self.referee(&doubts))?;
            if played.fault.is_none() {
                doubts.clear_up(&first, "played");
            }
        }
        let note = doubts.into_note();
        if played.record.is_none() {
            return Ok(None);
        }
        let game = self.checked(&case, &played);
        let finding = self.finding(case, played, note, game.slowest_ms);
        notes.add(finding);
        Ok(Some(game))
    }

    fn referee(&self, doubts: &Doubts<'_, '_>) -> Result<Played, String> {
        let check = self.check;
        let seats = self.seats()?;
        let mut drivers: Vec<Box<dyn SeatDriver + '_>> = Vec::new();
        for (seat, sandbox) in seats.iter().zip(check.sandbox.at_table(&seats)) {
            let dice = (self.number * 64 + drivers.len()) as u64;
            let driver: Box<dyn SeatDriver> = match seat {
                Seat::Program(program) if program.protocol == Protocol::Line => {
                    Box::new(LineProgram::examined(program.clone(), sandbox))
                }
                _ => {
                    let driver = seat.driver(check.game, &sandbox, dice);
                    driver.ok_or("a person cannot be checked")?
                }
            };
            let is_asked_anew =
                matches!(seat, Seat::Program(program) if program.protocol != Protocol::Line);
            drivers.push(Box::new(Turns {
                driver,
                neighbours: check.neighbours,
                doubts: is_asked_anew.then_some(doubts),
            }));
        }
        let opening = Opening {
            floe: VERSION,
            game: check.game.name().to_owned(),
            id: self.number.to_string(),
            seats: seats
                .iter()
                .map(|seat| seat.entrant(seat.to_string()))
                .collect(),
            start: self.start.write(),
            limits: Some(check.limits.clone()),
            ..Opening::default()
        };
        self.watched(&mut drivers, opening)
    }

    fn watched(
        &self,
        drivers: &mut [Box<dyn SeatDriver + '_>],
        opening: Opening,
    ) -> Result<Played, String> {
        let stop: Arc<AtomicBool> = Arc::default();
        let mut play = Play::new(self.start.clone_position());
        let mut played = Played {
            record: None,
            asked: Vec::new(),
            fault: None,
            moves: Vec::new(),
        };
        let mut watch = |event: &Event| {
            if let Some(mover) = play.turn().filter(|mover| self.is_mine(mover.number())) {
                played.asked.push((mover, play.position().clone_position()));
            }
            match event {
                Event::Fault(fault) if self.is_mine(fault.seat) && played.fault.is_none() => {
                    let position = play.position().clone_position();
                    played.fault = Some(((**fault).clone(), played.moves.len(), position));
                }
                Event::Move(made) => played.moves.push(made.clone()),
                _ => {}
            }
            // The referee has already accepted this move.
            let _ = play.repeat(event);
            if self.until.is_some_and(|until| Instant::now() >= until) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let start = self.start.clone_position();
        let result = referee::play(start, drivers, opening, &stop, &mut watch);
        match result {
            Ok(record) => played.record = Some(record),
            Err(NoRecord::Stopped) => {}
            Err(NoRecord::MachineFailure(why)) => return Err(why),
        }
        Ok(played)
    }

    fn seats(&self) -> Result<Vec<Seat>, String> {
        let check = self.check;
        let opponent = Seat::read(OPPONENT, check.game, ".".as_ref());
        let opponent = opponent.map_err(|error| error.to_string())?;
        let seat = |player: Player| match self.is_mine(player.number()) {
            true => Seat::Program(check.program.clone()),
            false => opponent.clone(),
        };
        Ok(Player::all(self.start.players()).map(seat).collect())
    }

    fn checked(&self, case: &str, played: &Played) -> CheckedGame {
        let (slowest, _) = self.slowest(&played.moves);
        let end = played
            .record
            .as_ref()
            .and_then(|record| record.end.as_ref());
        CheckedGame {
            case: case.to_owned(),
            seat: self.seat.map(Player::number),
            moves: played.moves.len() as u32,
            scores: end.map_or(Vec::new(), |end| end.scores.clone()),
            slowest_ms: slowest.as_millis() as u64,
            is_faulty: played.fault.is_some(),
        }
    }

    /// The program's slowest answer, and its move number.
    fn slowest(&self, moves: &[PlayedMove]) -> (Duration, usize) {
        let own = (1..).zip(moves).filter(|(_, made)| self.is_mine(made.seat));
        let slowest = own.max_by_key(|(_, made)| made.wall_us);
        slowest.map_or((Duration::ZERO, 0), |(at, made)| {
            (Duration::from_micros(made.wall_us), at)
        })
    }

    fn finding(
        &self,
        mut case: String,
        played: Played,
        note: Option<String>,
        wall_ms: u64,
    ) -> Finding {
        let question = self.question(&played);
        let (slowest, at) = self.slowest(&played.moves);
        let note = note.or_else(|| {
            let place = format!(" at move {at}");
            close_call(slowest, self.check.limits, &place)
        });
        let (fault, position) = match played.fault {
            Some((fault, at, position)) => {
                case = format!("{case}, move {}", at + 1);
                (Some(fault), Some(position))
            }
            None => (None, None),
        };
        Finding {
            part: Part::Plays,
            case,
            verdict: match (&fault, &note) {
                (Some(_), _) => Verdict::Failed,
                (None, Some(_)) => Verdict::Remark,
                (None, None) => Verdict::Passed,
            },
            note: note.filter(|_| fault.is_none()),
            fault,
            wall_ms,
            question,
            occasion: Occasion::Play,
            position,
        }
    }

    /// All input of the program up to its fault or the end.
    fn question(&self, played: &Played) -> ProgramInput {
        let check = self.check;
        let first = self.seat.unwrap_or(Player::new(0));
        let failed = played.fault.as_ref();
        let seat = failed.map_or(first.number(), |(fault, ..)| fault.seat);
        let own = || {
            let asked = played.asked.iter();
            asked.filter(move |(player, _)| player.number() == seat)
        };
        match check.program.protocol {
            Protocol::Line => {
                let positions: Vec<&dyn AnyPosition> = own().map(|(_, at)| &**at).collect();
                let player = own().next().map_or(first, |(player, _)| *player);
                ProgramInput::of_game(check.program, self.start, player, &positions, check.limits)
            }
            Protocol::Contest(_) => {
                let name = failed.map(|(fault, ..)| fault.id.clone());
                let name = name.filter(|name| !name.is_empty());
                let time = check.limits.move_ms;
                let last = own().next_back();
                let question = last.and_then(|(_, position)| {
                    ProgramInput::for_move(check.program, &**position, name.as_deref(), time)
                });
                question.unwrap_or_default()
            }
        }
    }
}
