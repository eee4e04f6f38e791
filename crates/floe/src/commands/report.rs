//! `floe report`: one page with a contest's results.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use floe_arena::store::{Filter, Store};
use floe_league::{League, finals};
use floe_web::{ReportSettings, ReportedFinals, report};
use serde::Serialize;

use crate::contest::Contest;
use crate::json;
use crate::progress;
use crate::quoting::shown;
use crate::terminal::{GOOD, Terminal};
use crate::{Answer, cli, completing};
use floe_terminal::output_file::write_whole;

/// Write a one-page report of a contest
///
/// Standings with their error bars, the crosstable, ratings over time, faults by kind, move times,
/// and the closest and the most lopsided games on a board that can be stepped through. The report
/// is one HTML file that needs no server and loads nothing. Standard error of programs is left out
/// unless you ask for it.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Tournament's description, file of records, or a folder with one of them or a league
    #[arg(value_name = "FILE|FOLDER", add = completing::contest())]
    file: PathBuf,

    /// File to write; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Number of closest games, and of most lopsided games, that can be stepped through
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(0..=50))]
    top: u16,

    /// Include programs' standard error with the moves of these games
    #[arg(long)]
    with_logs: bool,

    /// Print what was written as one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe report cup.toml -o report.html
floe report games.jsonl -o report.html --top 5
floe report contest -o public/report.html";

#[derive(Serialize)]
struct ReportFacts<'a> {
    file: &'a Path,
    bytes: usize,
    games: u64,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    if args.json && args.output == Path::new("-") {
        bail!("--json and the report cannot both go to standard output; give --output a file");
    }
    let (contest, name) = find(&args.file)?;
    contest.print_notices(terminal)?;
    let bar = progress::bar(None, terminal.is_watched, "{spinner} {msg}");
    bar.enable_steady_tick(Duration::from_millis(250));
    bar.set_message("standings");
    let mut results = contest.standings()?;
    if let Some(name) = name {
        results.name = name;
    }
    if results.games == 0 {
        bar.finish_and_clear();
        bail!(
            "{}: no game counts yet: a board counts once it was played in every rotation of the seats",
            args.file.display()
        );
    }
    let settings = settings(args)?;
    let page = report(&results, contest.store(), &settings, &mut |what| {
        bar.set_message(what.to_owned());
    });
    bar.finish_and_clear();
    let page = page.with_context(|| args.file.display().to_string())?;
    if args.output == Path::new("-") {
        terminal.out.write_all(page.as_bytes())?;
        return Ok(Answer::Yes);
    }
    write_whole(&args.output, page.as_bytes())
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    if args.json {
        let facts = ReportFacts {
            file: &args.output,
            bytes: page.len(),
            games: results.games,
        };
        json::print(terminal.out, &facts)?;
        return Ok(Answer::Yes);
    }
    writeln!(
        terminal.err,
        "{GOOD}written{GOOD:#}: {}, {} KiB about {} games",
        shown(&args.output),
        page.len().div_ceil(1024),
        results.games
    )?;
    Ok(Answer::Yes)
}

/// The contents of the page: of a league, its finals and the number of participants too.
fn settings(args: &Args) -> Result<ReportSettings> {
    let plain = ReportSettings {
        top: usize::from(args.top),
        with_logs: args.with_logs,
        ..ReportSettings::default()
    };
    let Some(league) = league_of(&args.file)? else {
        return Ok(plain);
    };
    let (people, versions) = league.look(|standing| {
        let people = standing.people.all().len();
        (people as u64, standing.versions.all().count() as u64)
    })?;
    Ok(ReportSettings {
        finals: finals_of(&league)?,
        people: Some(people),
        versions: Some(versions),
        ..plain
    })
}

/// The league of a folder or description; `None` if there is none.
fn league_of(path: &Path) -> Result<Option<League>> {
    let is_of_league = path.file_name().is_some_and(|name| name == "league.toml");
    let folder = match is_of_league {
        true => path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty()),
        false => Some(path),
    };
    let folder = folder.unwrap_or(Path::new("."));
    match League::is_at(folder) {
        true => Ok(Some(League::open(folder)?)),
        false => Ok(None),
    }
}

/// The results of a league's finals.
fn finals_of(league: &League) -> Result<Vec<ReportedFinals>> {
    let all = league.look(|standing| standing.finals.clone())?;
    let played = (all.iter()).filter(|freeze| league.finals_file(freeze.number).exists());
    let reported = played.map(|freeze| {
        Ok(ReportedFinals {
            results: finals::results(league, freeze)?,
            freeze: freeze.clone(),
            played: played_between(&league.finals_file(freeze.number))?,
            place: league.description().finals.place.clone(),
        })
    });
    reported.collect()
}

/// When the first and the last game of a file began.
fn played_between(records: &Path) -> Result<Option<(u64, u64)>> {
    let mut between: Option<(u64, u64)> = None;
    let store = Store::open_read_only(records)?;
    store.each(&Filter::default(), |game| {
        let began = game.began;
        let (first, last) = between.unwrap_or((began, began));
        between = Some((first.min(began), last.max(began)));
    })?;
    Ok(between)
}

/// The contest to report, and its name if its files do not give one.
fn find(path: &Path) -> Result<(Contest, Option<String>)> {
    let is_of_league = path.file_name().is_some_and(|name| name == "league.toml");
    let folder = match path.is_dir() {
        true => path,
        false if is_of_league => path.parent().unwrap_or(Path::new("")),
        false => return Ok((Contest::find(path)?, None)),
    };
    // A league's folder has the games of its ladder in this file.
    let ladder = folder.join("ladder.jsonl");
    if ladder.exists() {
        let whole = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let name = whole.file_name().map(|name| name.to_string_lossy());
        let contest = match League::is_at(folder) {
            true => folder,
            false => &ladder,
        };
        return Ok((Contest::find(contest)?, name.map(Into::into)));
    }
    if is_of_league {
        return Ok((Contest::find(path)?, None));
    }
    let entries = folder
        .read_dir()
        .with_context(|| format!("cannot read {}", folder.display()))?;
    let mut described: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    described.sort();
    match described.as_slice() {
        [one] => Ok((Contest::find(one)?, None)),
        [] => Ok((Contest::find(folder)?, None)),
        [one, ..] => bail!(
            "there are {} descriptions of tournaments in {}; name one, such as {}",
            described.len(),
            folder.display(),
            one.display()
        ),
    }
}
