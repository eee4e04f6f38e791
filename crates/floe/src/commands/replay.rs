//! `floe replay`: a recorded game, move by move.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Result, bail};
use floe_arena::conformance::{ProgramInput, called_at};
use floe_arena::seat::Seat;
use floe_games::record::{End, Event, Opening, PlayedMove, Record};
use floe_games::{Fault, Play};
use floe_rules::Player;
use floe_rules::text::visible;
use serde::Serialize;

use crate::columns::{Columns, Side};
use crate::json::{self, PositionFacts};
use crate::looks::Looks;
use crate::records::{Which, player_names};
use crate::standing::count;
use crate::terminal::{COMMAND, FAINT, Look, REMARK, STRONG, Terminal};
use crate::{Answer, cli, fault};
use floe_terminal::picture::Picture;

/// Look at a recorded game
///
/// In a terminal, steps through a game on a full screen. With `--list`, or without a terminal,
/// lists the moves with their times, notes, strikes, faults and standard error. `--at N` draws the
/// position after N moves.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,

    /// Draw the position after this many moves
    #[arg(long, value_name = "N")]
    at: Option<usize>,

    /// List the moves instead of opening a screen
    #[arg(long, conflicts_with = "at")]
    list: bool,

    /// Print the game as one JSON object; with --at, the position
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    looks: Looks,
}

const EXAMPLES: &str = "\
floe replay games.jsonl --game 7
floe replay games.jsonl --game 7 --list
floe replay games.jsonl --game 7 --at 12
floe replay games.jsonl --game 7 --json
floe export games.jsonl --game 7 --at 12 --asked > in.txt";

/// Lines of standard error shown in a list of moves.
const LAST_LINES: usize = 3;

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let record = shown(args.which.pick()?);
    if args.json {
        return print_json(&record, args.at, terminal);
    }
    let look = args.looks.look(terminal)?;
    let is_seen = io::stdin().is_terminal() && io::stdout().is_terminal();
    if is_seen && args.at.is_none() && !args.list {
        record.verify()?;
        floe_terminal::review(&record, args.looks.display_options(terminal)?)?;
        return Ok(Answer::Yes);
    }
    let file = args.which.file();
    let text = match args.at {
        Some(moves) => position(&record, &file, moves, look)?,
        None => list(&record, &file, look)?,
    };
    terminal.out.write_all(text.as_bytes())?;
    Ok(Answer::Yes)
}

/// A recorded game.
#[derive(Serialize)]
struct GameFacts<'a> {
    #[serde(flatten)]
    opening: &'a Opening,
    /// The moves that were not undone.
    moves: Vec<&'a PlayedMove>,
    faults: Vec<&'a Fault>,
    /// The end of the game; `null` if the game was interrupted.
    end: Option<&'a End>,
}

/// A position of a recorded game.
#[derive(Serialize)]
struct MomentFacts<'a> {
    id: &'a str,
    /// Moves made before the position.
    at: usize,
    /// The move that led to the position.
    last: Option<&'a PlayedMove>,
    /// The move made in the position.
    next: Option<&'a PlayedMove>,
    #[serde(flatten)]
    facts: PositionFacts,
}

fn print_json(record: &Record, at: Option<usize>, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let moves = record.moves();
    let Some(at) = at else {
        record.verify()?;
        let facts = GameFacts {
            opening: &record.opening,
            faults: record.faults().collect(),
            end: record.end.as_ref(),
            moves,
        };
        json::print(terminal.out, &facts)?;
        return Ok(Answer::Yes);
    };
    let play = play_at(record, at)?;
    let facts = MomentFacts {
        id: &record.opening.id,
        at,
        last: at.checked_sub(1).and_then(|last| moves.get(last).copied()),
        next: moves.get(at).copied(),
        facts: PositionFacts::of_play(&play),
    };
    json::print(terminal.out, &facts)?;
    Ok(Answer::Yes)
}

/// The game after this many moves.
fn play_at(record: &Record, moves: usize) -> Result<Play> {
    let all = record.moves().len();
    if moves > all {
        bail!("the game has {all} moves, and --at asks for move {moves}");
    }
    Ok(record.at(moves)?)
}

/// The record with printable text only, since strangers may have written its head.
fn shown(mut record: Record) -> Record {
    let opening = &mut record.opening;
    let words = [
        Some(&mut opening.id),
        opening.setup.as_mut(),
        opening.board.as_mut(),
    ];
    let seats = opening.seats.iter_mut();
    let seats = seats.flat_map(|entrant| [&mut entrant.name, &mut entrant.seat]);
    let moves = opening.opening.iter_mut();
    for text in words.into_iter().flatten().chain(seats).chain(moves) {
        *text = visible(text).into_owned();
    }
    record
}

fn position(record: &Record, file: &str, moves: usize, look: Look) -> Result<String> {
    let play = play_at(record, moves)?;
    let position = play.position();
    let view = position.view();
    let picture = Picture {
        title: position.game().title(),
        view: &view,
        turn: play.turn(),
        outcome: play.outcome(),
    };
    let mut out = picture.draw(look);
    let _ = writeln!(out);
    if let Some(made) = moves
        .checked_sub(1)
        .and_then(|last| record.moves().get(last).copied())
    {
        let _ = writeln!(
            out,
            "after move {moves}: {} by {}",
            made.mv,
            name(record, made.seat)
        );
        fault::quote(&mut out, "stderr", &made.stderr, usize::MAX);
    }
    if moves == 0 && !record.opening.opening.is_empty() {
        let _ = writeln!(
            out,
            "after the opening: {}",
            record.opening.opening.join(" ")
        );
    }
    match record.moves().get(moves) {
        Some(next) => {
            let _ = writeln!(out, "next: {} by {}", next.mv, name(record, next.seat));
        }
        None => {
            for fault in record.faults() {
                tell(&mut out, record, file, fault);
            }
        }
    }
    Ok(out)
}

fn name(record: &Record, seat: u32) -> String {
    let names = player_names(record);
    let name = names.into_iter().nth((seat as usize).wrapping_sub(1));
    name.unwrap_or_else(|| format!("seat {seat}"))
}

fn list(record: &Record, file: &str, look: Look) -> Result<String> {
    let play = record.verify()?;
    let opening = &record.opening;
    let mut out = format!(
        "{STRONG}{}{STRONG:#} game {}",
        play.position().game().title(),
        opening.id
    );
    if let Some(setup) = &opening.setup {
        let _ = write!(out, ", {setup}");
    }
    if let Some(seed) = opening.seed {
        let _ = write!(out, ", seed {seed}");
    }
    if let Some(board) = &opening.board {
        let _ = write!(out, ", {board}");
    }
    if let Some(limits) = &opening.limits {
        let _ = write!(out, "; {} ms a move", limits.move_ms);
    }
    if let Some(level) = opening.sandbox {
        let _ = write!(out, "; sandbox level {level}");
    }
    out.push('\n');
    for (seat, sitting) in (1..).zip(&opening.seats) {
        let _ = write!(out, "  seat {seat}: {}", name(record, seat));
        if sitting.name != sitting.seat {
            let _ = write!(out, " ({})", sitting.seat);
        }
        out.push('\n');
    }
    if !opening.opening.is_empty() {
        let _ = writeln!(out, "  opening: {}", opening.opening.join(" "));
    }
    let moves = moves(record);
    if !moves.is_empty() {
        out.push('\n');
        let plain = anstyle::Style::new();
        let ms = |us: u64| format!("{:.1}", us as f64 / 1000.0);
        // An unmeasured value differs from zero.
        let seen = |number: u64, text: String| if number == 0 { String::new() } else { text };
        let mut columns = Columns::new();
        columns.add("move", Side::Right, FAINT, &moves, |(number, _)| {
            number.to_string()
        });
        columns.add("by", Side::Left, plain, &moves, |(_, made)| {
            name(record, made.seat)
        });
        columns.add("", Side::Left, STRONG, &moves, |(_, made)| made.mv.clone());
        columns.add("ms", Side::Right, plain, &moves, |(_, made)| {
            ms(made.wall_us)
        });
        if moves.iter().any(|(_, made)| made.cpu_us > 0) {
            columns.add("cpu ms", Side::Right, plain, &moves, |(_, made)| {
                seen(made.cpu_us, ms(made.cpu_us))
            });
        }
        if moves.iter().any(|(_, made)| made.peak_kib > 0) {
            columns.add("MiB", Side::Right, plain, &moves, |(_, made)| {
                let mib = format!("{:.1}", made.peak_kib as f64 / 1024.0);
                seen(made.peak_kib, mib)
            });
        }
        columns.add("", Side::Left, plain, &moves, |(_, made)| {
            let strike = if made.strike { "strike " } else { "" };
            format!("{strike}{}", made.note)
        });
        let drawn = columns.draw(look);
        let mut lines = drawn.lines();
        let _ = writeln!(out, "{}", lines.next().unwrap_or_default());
        for (line, (number, made)) in lines.zip(&moves) {
            let _ = writeln!(out, "{line}");
            errors(&mut out, made, *number);
        }
    }
    for fault in record.faults() {
        tell(&mut out, record, file, fault);
    }
    result(&mut out, record, &play);
    Ok(out)
}

/// The last lines a program wrote to standard error at a move.
fn errors(out: &mut String, made: &PlayedMove, number: usize) {
    let more = made.stderr.lines().count().saturating_sub(LAST_LINES);
    if more > 0 {
        let lines = count(more as u64, "line");
        let _ = writeln!(
            out,
            "  {FAINT}stderr: {lines} before these, see --at {number}{FAINT:#}"
        );
    }
    fault::quote(out, "stderr", &made.stderr, LAST_LINES);
}

/// The moves that were not undone, numbered.
fn moves(record: &Record) -> Vec<(usize, &PlayedMove)> {
    (1..).zip(record.moves()).collect()
}

fn tell(out: &mut String, record: &Record, file: &str, fault: &Fault) {
    let before = record
        .events
        .iter()
        .take_while(|event| !matches!(event, Event::Fault(other) if **other == *fault));
    let moves = before
        .filter(|event| matches!(event, Event::Move(_)))
        .count();
    let whose = format!("{} at move {}", name(record, fault.seat), moves + 1);
    fault::describe(out, fault, &whose);
    fault::quote(out, "answer", &fault.answer, usize::MAX);
    fault::quote(out, "stderr", &fault.stderr, usize::MAX);
    fault::quote(out, "stdout", &fault.stdout, usize::MAX);
    let _ = writeln!(
        out,
        "  what it was asked: {COMMAND}floe export {file} --game {} --at {moves} --asked{COMMAND:#}",
        record.opening.id
    );
    if let Some(command) = again(record, file, fault, moves) {
        let _ = writeln!(out, "  ask it again: {COMMAND}{command}{COMMAND:#}");
    }
}

/// A shell command that repeats the question the program failed at, if the program still exists.
fn again(record: &Record, file: &str, fault: &Fault, moves: usize) -> Option<String> {
    let play = record.at(moves).ok()?;
    let position = play.position();
    if play.turn().map(Player::number) != Some(fault.seat) {
        return None;
    }
    let word = &record.opening.seats.get(fault.seat as usize - 1)?.seat;
    // Paths of a match are relative to the folder it was played in, those of a tournament to its
    // own folder.
    let beside = Path::new(file).parent().unwrap_or(Path::new("."));
    let seat = [Path::new("."), beside]
        .into_iter()
        .find_map(|folder| Seat::read(word, position.game(), folder).ok())?;
    let Seat::Program(program) = seat else {
        return None;
    };
    let name = called_at(record, moves, position);
    let limit = record.opening.limits_of(fault.seat).move_ms;
    let question = ProgramInput::for_move(&program, position, name.as_deref(), limit)?;
    Some(question.command())
}

fn result(out: &mut String, record: &Record, play: &Play) {
    let Some(end) = &record.end else {
        let _ = writeln!(out, "\n{REMARK}interrupted{REMARK:#}: the game has no end");
        return;
    };
    let _ = writeln!(out);
    let mut order: Vec<usize> = (0..end.places.len()).collect();
    order.sort_by_key(|&seat| end.places[seat]);
    for seat in order {
        let is_out = play.out().iter().any(|player| player.index() == seat);
        let out_of_it = if is_out { ", disqualified" } else { "" };
        let _ = writeln!(
            out,
            "{}. {} with {}{out_of_it}",
            end.places[seat],
            name(record, seat as u32 + 1),
            end.scores[seat]
        );
    }
}
