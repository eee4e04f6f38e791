//! Grades a program that plays: the cases of the gate, and games against reference players.

use std::path::Path;
use std::time::Duration;

use floe_games::record::{Opening, VERSION};
use floe_games::{AnyGame, AnyPosition};

use super::{CheckError, Example, MOST_EXAMPLES, Part, WorkReport};
use crate::conformance::{self, Cause, CheckEvent, ConformanceCheck, Verdict};
use crate::referee;
use crate::seat::{ProgramSeat, Sandbox, Seat};

/// A league's conditions for a program: whole games without a fault, and single questions answered
/// in the contest's exact form.
const GATE: [&str; 2] = ["plays", "letter"];
/// Reference players, from the weakest.
const LADDER: [&str; 4] = ["random", "greedy", "floe:easy", "floe:medium"];
/// Boards against each reference player, from every seat.
const BOARDS: u64 = 2;

/// The parts of a bot's grade, each with its groups.
pub fn bot_parts() -> Vec<(&'static str, Vec<String>)> {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    vec![("gate", owned(&GATE)), ("opponents", owned(&LADDER))]
}

/// Grades a bot by the gate and the reference players. `path` is a program, or a folder with one.
pub fn check_bot(
    game: &'static dyn AnyGame,
    path: &Path,
    sandbox: &Sandbox,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Part>, CheckError> {
    let mut gate = WorkReport::of(&GATE);
    let mut opponents = WorkReport::of(&LADDER);
    match find_program(path).and_then(|(word, folder)| {
        let seat = Seat::read(&word, game, &folder).map_err(|error| error.to_string())?;
        match seat {
            Seat::Program(program) => Ok(program),
            _ => Err(format!("{word} is no program")),
        }
    }) {
        Err(why) => {
            gate.refused = Some(why.clone());
            opponents.refused = Some(why);
        }
        Ok(program) => {
            pass_gate(game, &program, sandbox, &mut gate, tell)?;
            meet_all(game, &program, sandbox, &mut opponents, tell)?;
        }
    }
    let part = |name: &str, report| Part {
        name: name.to_owned(),
        report,
    };
    Ok(vec![part("gate", gate), part("opponents", opponents)])
}

/// The cases of the gate, all of which count.
fn pass_gate(
    game: &'static dyn AnyGame,
    program: &ProgramSeat,
    sandbox: &Sandbox,
    report: &mut WorkReport,
    tell: &mut dyn FnMut(&str),
) -> Result<(), CheckError> {
    let limits = game.contest_limits();
    let check = ConformanceCheck {
        game,
        program,
        sandbox,
        limits: &limits,
        boards: Vec::new(),
        is_strict: true,
        // The number of games that fit into a time differs from run to run, so none is timed.
        self_play: Duration::ZERO,
        only: None,
        neighbours: None,
    };
    let mut cases: Vec<(String, &str)> = Vec::new();
    let checked = check.run(&mut |event| match event {
        CheckEvent::Begun(case) => tell(&case),
        CheckEvent::Found(finding) => {
            let group = match finding.part {
                conformance::Part::Plays => GATE[0],
                conformance::Part::Letter => GATE[1],
            };
            if finding.verdict != Verdict::Skipped {
                report.count(group, finding.fault.is_none());
                report.note_use(&finding.case, finding.wall_ms, 0);
            }
            cases.push((finding.case, group));
        }
    })?;
    report.notes.extend(checked.left_out.iter().cloned());
    let failures = checked.failures().take(MOST_EXAMPLES);
    report.examples.extend(failures.map(|cause| {
        let case = cause.cases.first().cloned().unwrap_or_default();
        let group = cases.iter().find(|(name, _)| *name == case);
        example(cause, case, group.map_or(GATE[0], |(_, group)| group))
    }));
    Ok(())
}

/// A cause, with the first case that showed it.
fn example(cause: &Cause, case: String, group: &str) -> Example {
    let command = cause.command.lines().map(str::to_owned);
    let got = match cause.answer.is_empty() {
        true => cause.what.clone(),
        false => format!("{}: {}", cause.what, cause.answer.trim_end()),
    };
    Example {
        group: group.to_owned(),
        case,
        cases: cause.cases.len(),
        calls: command.collect(),
        expected: cause.expected.clone(),
        got,
        c_program: String::new(),
        input: String::new(),
        picture: cause.board.clone(),
    }
}

/// The program of a submission: the file itself, or the only executable in its folder.
fn find_program(path: &Path) -> Result<(String, std::path::PathBuf), String> {
    let word = |file: &Path| {
        let name = super::name_of(file);
        let name = shell_words::quote(&name);
        let word = match interpreter(file).filter(|_| !is_executable(file)) {
            Some(interpreter) => format!("{interpreter} ./{name}"),
            None => format!("./{name}"),
        };
        let folder = file.parent().unwrap_or(Path::new("."));
        (word, folder.to_owned())
    };
    if path.is_file() {
        return Ok(word(path));
    }
    let entries = std::fs::read_dir(path).map_err(|error| format!("cannot read it: {error}"))?;
    let mut found: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|file| file.is_file() && (is_executable(file) || interpreter(file).is_some()));
    found.sort();
    match &found[..] {
        [one] => Ok(word(one)),
        [] => {
            Err("there is no program in it: no executable file and no script (.py, .js)".to_owned())
        }
        several => match several
            .iter()
            .find(|file| super::name_of(file).starts_with("bot"))
        {
            Some(bot) => Ok(word(bot)),
            None => Err("there are several programs in it, and none is named bot".to_owned()),
        },
    }
}

/// The program that runs scripts like this one.
fn interpreter(file: &Path) -> Option<&'static str> {
    match file.extension()?.to_str()? {
        "py" => Some("python3"),
        "js" | "mjs" => Some("node"),
        _ => None,
    }
}

fn is_executable(file: &Path) -> bool {
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

/// A game with the program in this seat and the reference player in all others: 2 points for a win.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_run_by_their_interpreters() {
        let place = tempfile::tempdir().unwrap();
        let found = |names: &[&str]| {
            let folder = place.path().join(names.join("+"));
            std::fs::create_dir(&folder).unwrap();
            for name in names {
                std::fs::write(folder.join(name), "").unwrap();
            }
            find_program(&folder).map(|(word, _)| word)
        };
        assert_eq!(found(&["bot.py"]).unwrap(), "python3 ./bot.py");
        assert_eq!(
            found(&["my bot.js", "notes.txt"]).unwrap(),
            "node ./'my bot.js'"
        );
        assert_eq!(found(&["bot.py", "tools.py"]).unwrap(), "python3 ./bot.py");
        assert!(found(&["a.py", "b.py"]).is_err());
        assert!(found(&["notes.txt"]).is_err());
    }
}
