//! `floe league status`: standings, versions and queue.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anstyle::Style;
use anyhow::Result;
use floe_arena::scoreboard::different_remark;
use floe_arena::standings::Row;
use floe_league::event::Activity;
use floe_league::ladder::{LadderTable, LadderVersion};
use floe_league::{League, VersionState};
use floe_rating::Estimate;
use serde::Serialize;

use crate::columns::{Columns, Side};
use crate::standing::{add_faults, add_ratings, add_results, count};
use crate::terminal::{COMMAND, FAINT, REMARK, STRONG, Terminal};
use crate::{Answer, cli, json};

/// Show the ladder's standings
///
/// An entrant's place is that of its current version. Ratings are joint ratings of all versions,
/// with 95 % intervals; also during play.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Folder of the league
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// Show all versions, not only the current ones
    #[arg(long = "all-versions", alias = "history")]
    history: bool,

    /// Write everything as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe league status cup
floe league status cup --all-versions
floe league status cup --json";

const PLAIN: Style = Style::new();

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let league = League::open(&args.folder)?;
    let table = LadderTable::open_read_only(&league)?;
    if args.json {
        write_json(&table, terminal)?;
        return Ok(Answer::Yes);
    }
    match table.versions.is_empty() {
        true => print_next_step(&league, &args.folder, terminal)?,
        false => write(&table, args.history, terminal)?,
    }
    let (is_paused, waiting, finals, are_played) = league.look(|standing| {
        let is_paused = standing.is_paused(Activity::Ladder);
        (
            is_paused,
            standing.waiting.len(),
            standing.finals.clone(),
            standing.has_finals_under_way,
        )
    })?;
    if is_paused {
        writeln!(terminal.out, "{REMARK}The ladder is paused.{REMARK:#}")?;
    }
    if are_played {
        writeln!(
            terminal.out,
            "{REMARK}Finals are being played; the ladder is paused until they end.{REMARK:#}"
        )?;
    }
    if waiting > 0 {
        let versions = count(waiting as u64, "version");
        writeln!(terminal.out, "{versions} wait to be judged.")?;
    }
    let takes = &league.description().submitting.takes;
    if !takes.is_all() {
        writeln!(terminal.out, "Taken: {}.", takes.names().join(", "))?;
    }
    let remote = league.remote_file();
    if remote.exists() {
        writeln!(
            terminal.out,
            "Remote programs: {COMMAND}floe standings {}{COMMAND:#}",
            crate::quoting::shown(&in_folder(&args.folder, &remote))
        )?;
    }
    for freeze in finals {
        let file = league.finals_file(freeze.number);
        writeln!(
            terminal.out,
            "Finals {}: {} entrants, seed {}; {COMMAND}floe standings {}{COMMAND:#}",
            freeze.number,
            freeze.versions.len(),
            freeze.seed,
            crate::quoting::shown(&in_folder(&args.folder, &file))
        )?;
    }
    Ok(Answer::Yes)
}

/// The path of a league's file as seen from the current folder.
fn in_folder(folder: &Path, file: &Path) -> PathBuf {
    file.file_name()
        .map_or(file.to_owned(), |name| folder.join(name))
}

/// Advice for a league without games.
fn print_next_step(league: &League, folder: &Path, terminal: &mut Terminal<'_>) -> Result<()> {
    let (people, sent) = league.look(|standing| {
        let sent = standing.versions.all().count();
        (standing.people.all().len(), sent)
    })?;
    let (name, folder) = (&league.description().name, crate::quoting::shown(folder));
    let out = &mut terminal.out;
    writeln!(out, "{STRONG}{name}{STRONG:#}: no version plays yet.")?;
    match (people, sent) {
        (0, _) => writeln!(
            out,
            "Invite people: {COMMAND}floe league invite {folder} class.csv{COMMAND:#}, with a name \
             and a team on each line."
        )?,
        (_, 0) => writeln!(
            out,
            "{} can send programs while this runs: {COMMAND}floe league serve {folder}{COMMAND:#}",
            count(people as u64, "participant")
        )?,
        _ => writeln!(
            out,
            "Submissions and their verdicts: {COMMAND}floe league people {folder}{COMMAND:#}"
        )?,
    }
    Ok(())
}

/// Prints everything as JSON.
pub(super) fn write_json(table: &LadderTable, terminal: &mut Terminal<'_>) -> Result<()> {
    let standings = &table.standings;
    let json = Json {
        league: &standings.name,
        game: &standings.game,
        games: standings.games,
        different: standings.different,
        first_move: standings.first_move,
        draw_rate: standings.draw_rate,
        standings: table.current().map(JsonRow::of).collect(),
        history: table.versions.iter().map(JsonRow::of).collect(),
    };
    json::print(terminal.out, &json)
}

#[derive(Serialize)]
struct Json<'a> {
    league: &'a str,
    game: &'a str,
    games: u64,
    different: u64,
    first_move: Option<Estimate>,
    draw_rate: Option<f64>,
    standings: Vec<JsonRow<'a>>,
    history: Vec<JsonRow<'a>>,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    place: Option<u64>,
    entrant: &'a str,
    version: u32,
    state: VersionState,
    is_current: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stands_for: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_remote: bool,
    elo: Option<Estimate>,
    games: u64,
    different: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: Option<f64>,
    faults: &'a BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<&'a str>,
}

impl<'a> JsonRow<'a> {
    fn of(version: &'a LadderVersion) -> Self {
        let results = &version.results;
        JsonRow {
            place: version.place,
            entrant: &version.id.entrant,
            version: version.id.number,
            state: version.state,
            is_current: version.is_current,
            stands_for: version.stands_for.as_ref().map(|newest| newest.number),
            is_remote: version.is_remote,
            elo: results.elo,
            games: results.games,
            different: results.different,
            wins: results.wins,
            draws: results.draws,
            losses: results.losses,
            score: results.score,
            faults: &results.faults,
            word: version.word.as_deref(),
        }
    }
}

/// The table, laid out for people.
pub(super) fn write(
    table: &LadderTable,
    with_history: bool,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    let (look, standings) = (terminal.look, &table.standings);
    writeln!(
        terminal.out,
        "{STRONG}{}{STRONG:#}: {}, {} counted{}, {}\n",
        standings.name,
        standings.game,
        count(standings.games, "game"),
        different_remark(standings.games, standings.different),
        match standings.rows.len() {
            1 => "1 entrant".to_owned(),
            entrants => format!("{entrants} entrants"),
        }
    )?;
    let versions: Vec<&LadderVersion> = match with_history {
        true => table.versions.iter().collect(),
        false => table.current().collect(),
    };
    let rows: Vec<&Row> = versions.iter().map(|version| &version.results).collect();
    let sign = if look.unicode { "±" } else { "+-" };
    let mut columns = Columns::new();
    columns.add("", Side::Right, PLAIN, &versions, |version| {
        version.place.map_or("-".into(), |place| place.to_string())
    });
    columns.add("entrant", Side::Left, STRONG, &versions, |version| {
        version.id.entrant.clone()
    });
    columns.add("version", Side::Right, PLAIN, &versions, |version| {
        match (version.is_remote, &version.stands_for) {
            (true, _) => format!("{} remote", version.id.number),
            (_, Some(_)) => format!("{}*", version.id.number),
            (..) => version.id.number.to_string(),
        }
    });
    add_ratings(&mut columns, sign, &rows);
    add_results(&mut columns, &rows);
    add_faults(&mut columns, &rows);
    if with_history {
        columns.add("", Side::Left, FAINT, &versions, |version| state(version));
    }
    columns.leave_out(&["score", "games"], look);
    terminal.out.write_all(columns.draw(look).as_bytes())?;
    for version in versions {
        if let (id, Some(newest)) = (&version.id, &version.stands_for) {
            writeln!(
                terminal.out,
                "\n{FAINT}* {newest} has not played yet; {id} stands for it{FAINT:#}"
            )?;
        }
    }
    writeln!(
        terminal.out,
        "\n{FAINT}Elo with 95 % intervals; the mean of all versions is 0{FAINT:#}"
    )?;
    Ok(())
}

fn state(version: &LadderVersion) -> String {
    match version.state {
        VersionState::Accepted if version.is_current => "plays".to_owned(),
        VersionState::Accepted => "replaced".to_owned(),
        state => state.name().to_owned(),
    }
}
