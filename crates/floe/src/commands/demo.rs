//! `floe demo`: a small league to look at.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use floe_arena::seat::Sandbox;
use floe_games::AnyGame;
use floe_league::event::Judgement;
use floe_league::folder::DESCRIPTION;
use floe_league::invitation::Invite;
use floe_league::ladder::{Ladder, LadderRunner, RunEnd};
use floe_league::people::Guest;
use floe_league::{Event, League, Submission, starter};
use floe_sandbox::{Layers, Support};
use serde::Serialize;

use crate::json;
use crate::progress;
use crate::quoting::{quoted, shown};
use crate::standing::count;
use crate::stopping::stop_flag;
use crate::terminal::{COMMAND, FAINT, REMARK, STRONG, Terminal};
use crate::{Answer, cli};

/// Write a small league with games, to look at with `floe serve`
///
/// Six teams submit programs, one program is refused, and the ladder plays games. Floe's engines
/// play for all teams, so nothing is built and no sandbox is needed.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Folder to write; must be new or empty
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    folder: PathBuf,

    /// Game [default: the first one that `floe` lists]
    #[arg(long, value_parser = cli::game())]
    game: Option<&'static dyn AnyGame>,

    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,

    /// Print the league as one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe demo cup
floe demo cup --game gamma --games 200";

/// The people of the league, their teams, and the engine that plays for each team.
const TEAMS: [(&str, &str, &str); 6] = [
    ("Ada", "auks", "random"),
    ("Bela", "puffins", "greedy"),
    ("Cezar", "terns", "floe:nodes=20"),
    ("Dorota", "gulls", "floe:nodes=100"),
    ("Emil", "skuas", "floe:nodes=400"),
    ("Flora", "fulmars", "floe:nodes=1500"),
];
/// Concurrent games.
const CONCURRENCY: usize = 2;

#[derive(Serialize)]
struct Made<'a> {
    folder: &'a Path,
    game: &'static str,
    entrants: usize,
    games: u64,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let folder = &args.folder;
    expect_free(folder)?;
    let games = floe_games::games();
    let game = args.game.or(games.first().copied());
    let game = game.context("this build has no game")?;
    let parent = folder.parent().filter(|path| !path.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let cannot = || format!("cannot write {}", shown(folder));
    fs::create_dir_all(parent).with_context(cannot)?;
    // The folder appears whole or not at all.
    let work = tempfile::Builder::new()
        .prefix(".floe-demo-")
        .tempdir_in(parent)
        .with_context(cannot)?;
    let place = work.path().join("league");
    let Some(played) = furnish(&place, game, args.games, terminal)? else {
        writeln!(
            terminal.err,
            "{REMARK}stopped{REMARK:#}; nothing was written"
        )?;
        return Ok(Answer::No);
    };
    if folder.is_dir() {
        fs::remove_dir(folder).with_context(cannot)?;
    }
    fs::rename(&place, folder).with_context(cannot)?;
    if args.json {
        let made = Made {
            folder,
            game: game.name(),
            entrants: TEAMS.len(),
            games: played,
        };
        json::print(terminal.out, &made)?;
        return Ok(Answer::Yes);
    }
    print_next(folder, game, played, terminal)?;
    Ok(Answer::Yes)
}

/// Refuses a folder that is not empty.
fn expect_free(folder: &Path) -> Result<()> {
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            Some(_) => bail!(
                "{} is not empty; name a new folder for the league",
                shown(folder)
            ),
            None => Ok(()),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| shown(folder)),
    }
}

fn print_next(
    folder: &Path,
    game: &dyn AnyGame,
    played: u64,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    let word = quoted(&folder.to_string_lossy()).into_owned();
    let out = &mut terminal.out;
    writeln!(
        out,
        "{STRONG}{}{STRONG:#} is a league of {}: {} teams, {}. Next:",
        shown(folder),
        game.title(),
        TEAMS.len(),
        count(played, "game")
    )?;
    let next = [
        (
            format!("floe serve {word} --open"),
            "look at it in the browser",
        ),
        (format!("floe league status {word}"), "the standings"),
        (format!("floe games {word}"), "the games"),
        (
            format!("floe replay {word}/ladder.jsonl --game 1"),
            "step through a game",
        ),
    ];
    let width = next.iter().map(|(command, _)| command.chars().count());
    let width = width.max().unwrap_or(0);
    for (command, why) in next {
        writeln!(
            out,
            "  {COMMAND}{command:<width$}{COMMAND:#}   {FAINT}{why}{FAINT:#}"
        )?;
    }
    Ok(())
}

/// Makes the league and plays its games; returns their number, or `None` if the user stopped it.
fn furnish(
    place: &Path,
    game: &'static dyn AnyGame,
    games: u32,
    terminal: &mut Terminal<'_>,
) -> Result<Option<u64>> {
    let stop = stop_flag()?;
    let league = create(place, game)?;
    for (person, team, engine) in TEAMS {
        enter(&league, game, person, team, engine)?;
    }
    let mut ladder = Ladder::open(&league)?;
    let runner = LadderRunner {
        games: Some(games.into()),
        ..LadderRunner::new(Sandbox::none(), CONCURRENCY)
    };
    let bar = progress::of_games(Some(games.into()), terminal.is_watched);
    let ended = runner.run(&mut ladder, &stop, |_| bar.inc(1));
    bar.finish_and_clear();
    let ended = ended?;
    if stop.load(Ordering::Relaxed) || ended == RunEnd::Stopped {
        return Ok(None);
    }
    Ok(Some(ladder.games()))
}

/// A league on a small board, with games that all visitors see. Only engines play, so a machine at any
/// sandbox level can serve it.
fn create(place: &Path, game: &'static dyn AnyGame) -> Result<League> {
    drop(League::create(place, game)?);
    let file = place.join(DESCRIPTION);
    let text = fs::read_to_string(&file)?;
    let reached = Support::probe(Path::new("")).layers().level();
    let sandbox = match reached < Layers::FOR_UNTRUSTED {
        true => format!("sandbox = {reached}                  # all that this machine reaches\n"),
        false => String::new(),
    };
    let line = |line: &str| match line.split_once(" = ") {
        Some(("setup", _)) => format!("setup = {:?}\n", game.first_setup()),
        Some(("public", _)) => format!("public = \"games\"\n{sandbox}"),
        _ => format!("{line}\n"),
    };
    fs::write(&file, text.lines().map(line).collect::<String>())?;
    Ok(League::open(place)?)
}

/// Invites a person, and lets an engine play for them.
fn enter(
    league: &League,
    game: &'static dyn AnyGame,
    person: &str,
    team: &str,
    engine: &str,
) -> Result<()> {
    let guest = Guest {
        name: person.to_owned(),
        entrant: team.to_owned(),
    };
    let invited = league.invite(&[guest], Invite::New)?;
    let invitation = invited.first().context("no person was invited")?;
    let by = league.participant(&invitation.token)?;
    let starters = starter::starters(game);
    let python = starters.iter().find(|starter| starter.language == "Python");
    let first = python.or(starters.first()).map(|one| one.file.clone());
    let file = first.unwrap_or_else(|| "bot.py".to_owned());
    let name = file.rsplit('/').next().unwrap_or(&file).to_owned();
    let text = starter::text(&file).unwrap_or(b"print('hello')\n"[..].into());
    let is_first = TEAMS[0].1 == team;
    let send = |word: &str, verdict, why: &str| -> Result<()> {
        let submission = Submission {
            file: name.clone(),
            bytes: [&*text, format!("\n# {team}: {word}\n").as_bytes()].concat(),
            word: Some(word.to_owned()),
            protocol: None,
            main: None,
        };
        let version = league.submit(&by, &submission)?;
        let is_accepted = verdict == Judgement::Accepted;
        league.record(Event::Judged {
            version,
            verdict,
            why: why.to_owned(),
            seat: is_accepted.then(|| engine.to_owned()),
            log: format!("An example: {engine}, one of Floe's engines, plays for this team.\n"),
            took_ms: None,
            report: None,
        })?;
        Ok(())
    };
    if is_first {
        let why = "An example of a refusal: the program chose a move that the rules forbid.";
        send("first try", Judgement::Refused, why)?;
    }
    send(engine, Judgement::Accepted, "")
}
