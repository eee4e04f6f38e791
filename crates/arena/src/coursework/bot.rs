//! Grading a program that plays: games against reference players.

use std::path::Path;

use floe_games::record::{Opening, VERSION};
use floe_games::{AnyGame, AnyPosition};

use super::{CheckError, Part, WorkReport};
use crate::referee;
use crate::seat::{ProgramSeat, Sandbox, Seat};

/// Reference players, from the weakest.
const LADDER: [&str; 4] = ["random", "greedy", "floe:easy", "floe:medium"];
/// Boards on which each is met, from every seat.
const BOARDS: u64 = 2;

/// The parts of a bot's grade, each with its groups.
pub fn bot_parts() -> Vec<(&'static str, Vec<String>)> {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    vec![("opponents", owned(&LADDER))]
}

/// Has a bot meet the reference players. `path` is a program, or a
/// folder with one.
pub fn check_bot(
    game: &'static dyn AnyGame,
    path: &Path,
    sandbox: &Sandbox,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Part>, CheckError> {
    let mut opponents = WorkReport::of(&LADDER);
    match find_program(path).and_then(|(word, folder)| {
        let seat = Seat::read(&word, game, &folder).map_err(|error| error.to_string())?;
        match seat {
            Seat::Program(program) => Ok(program),
            _ => Err(format!("{word} is no program")),
        }
    }) {
        Err(why) => opponents.refused = Some(why),
        Ok(program) => meet_all(game, &program, sandbox, &mut opponents, tell)?,
    }
    Ok(vec![Part {
        name: "opponents".to_owned(),
        report: opponents,
    }])
}

/// The program of a submission: itself, or the only one in its folder that can be run.
fn find_program(path: &Path) -> Result<(String, std::path::PathBuf), String> {
    let word = |file: &Path| {
        let name = super::name_of(file);
        (
            format!("./{name}"),
            file.parent().unwrap_or(Path::new(".")).to_owned(),
        )
    };
    if path.is_file() {
        return Ok(word(path));
    }
    let entries = std::fs::read_dir(path).map_err(|error| format!("cannot read it: {error}"))?;
    let mut found: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|file| is_program(file));
    found.sort();
    match &found[..] {
        [one] => Ok(word(one)),
        [] => Err("there is no program in it: no file may be executed".to_owned()),
        several => match several
            .iter()
            .find(|file| super::name_of(file).starts_with("bot"))
        {
            Some(bot) => Ok(word(bot)),
            None => Err("several files may be executed, and none is named bot".to_owned()),
        },
    }
}

fn is_program(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let data = file.metadata();
        data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    file.extension().is_some_and(|extension| extension == "exe")
}

/// Games against each reference player: two points for a win, one for a draw.
fn meet_all(
    game: &'static dyn AnyGame,
    program: &ProgramSeat,
    sandbox: &Sandbox,
    report: &mut WorkReport,
    tell: &mut dyn FnMut(&str),
) -> Result<(), CheckError> {
    let own = Seat::Program(program.clone());
    for name in LADDER {
        let other = Seat::read(name, game, Path::new(".")).map_err(|error| error.to_string())?;
        for board in 1..=BOARDS {
            let setup = game.default_setup();
            let start = game
                .start(&setup, board)
                .map_err(|error| error.to_string())?;
            for seat in 0..start.players() {
                tell(&format!("{name}, board {board}, seat {}", seat + 1));
                let points = meet(game, start.clone(), &own, &other, seat, sandbox, board)?;
                for point in 0..2 {
                    report.count(name, point < points);
                }
            }
        }
    }
    Ok(())
}

/// A game with the program in this seat and the other in all others: 2 points for a win.
fn meet(
    game: &'static dyn AnyGame,
    start: Box<dyn AnyPosition>,
    own: &Seat,
    other: &Seat,
    seat: u32,
    sandbox: &Sandbox,
    seed: u64,
) -> Result<u32, CheckError> {
    let table: Vec<&Seat> = (0..start.players())
        .map(|at| if at == seat { own } else { other })
        .collect();
    let drivers = table.iter().map(|seat| seat.driver(game, sandbox, seed));
    let drivers: Option<Vec<_>> = drivers.collect();
    let mut drivers = drivers.ok_or("a seat cannot be played from here")?;
    let opening = Opening {
        floe: VERSION,
        game: game.name().to_owned(),
        seats: table
            .iter()
            .map(|seat| seat.entrant(seat.to_string()))
            .collect(),
        start: start.write(),
        limits: Some(game.contest_limits()),
        ..Opening::default()
    };
    let record = referee::play(
        start,
        &mut drivers,
        opening,
        &Default::default(),
        &mut |_| (),
    );
    let record = record.map_err(|error| error.to_string())?;
    let end = record.end.ok_or("a game has no end")?;
    let places = end.places;
    let own = places.get(seat as usize).copied().unwrap_or(u32::MAX);
    let best = places.iter().filter(|place| **place == own).count();
    Ok(match own {
        1 if best == 1 => 2,
        1 => 1,
        _ => 0,
    })
}
