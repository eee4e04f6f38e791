//! `floe league status`: standings, versions and queue.

use std::path::{Path, PathBuf};

use anstyle::Style;
use anyhow::Result;
use floe_arena::scoreboard::different_remark;
use floe_league::event::Activity;
use floe_league::ladder::{LadderRow, LadderTable};
use floe_league::{League, VersionState};

use crate::columns::{Columns, Side};
use crate::standing::{Tally, add_faults, add_ratings, add_results, count};
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
    match table.history.is_empty() {
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
    json::print(terminal.out, table)
}

/// The table, laid out for people.
pub(super) fn write(
    table: &LadderTable,
    with_history: bool,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    let look = terminal.look;
    writeln!(
        terminal.out,
        "{STRONG}{}{STRONG:#}: {}, {} counted{}, {}\n",
        table.league,
        table.game,
        count(table.games, "game"),
        different_remark(table.games, table.different),
        match table.standings.len() {
            1 => "1 entrant".to_owned(),
            entrants => format!("{entrants} entrants"),
        }
    )?;
    let rows = match with_history {
        true => &table.history,
        false => &table.standings,
    };
    let sign = if look.unicode { "±" } else { "+-" };
    let mut columns = Columns::new();
    columns.add("", Side::Right, PLAIN, rows, |row| {
        row.place.map_or("-".into(), |place| place.to_string())
    });
    columns.add("entrant", Side::Left, STRONG, rows, |row| {
        row.entrant.clone()
    });
    columns.add("version", Side::Right, PLAIN, rows, |row| {
        match (row.is_remote, row.stands_for) {
            (true, _) => format!("{} remote", row.version),
            (_, Some(_)) => format!("{}*", row.version),
            (..) => row.version.to_string(),
        }
    });
    add_ratings(&mut columns, sign, rows, |row| row.elo);
    add_results(&mut columns, rows, |row| Tally {
        games: row.games,
        wins: row.wins,
        draws: row.draws,
        losses: row.losses,
        score: row.score,
    });
    add_faults(&mut columns, rows, |row| row.faults.values().sum());
    if with_history {
        columns.add("", Side::Left, FAINT, rows, state);
    }
    columns.leave_out(&["score", "games"], look);
    terminal.out.write_all(columns.draw(look).as_bytes())?;
    for row in rows {
        if let Some(newest) = row.stands_for {
            let (entrant, version) = (&row.entrant, row.version);
            writeln!(
                terminal.out,
                "\n{FAINT}* {entrant}#{newest} has not played yet; {entrant}#{version} stands for it{FAINT:#}"
            )?;
        }
    }
    writeln!(
        terminal.out,
        "\n{FAINT}Elo with 95 % intervals; the mean of all versions is 0{FAINT:#}"
    )?;
    Ok(())
}

fn state(row: &LadderRow) -> String {
    match row.state {
        VersionState::Accepted if row.is_current => "plays".to_owned(),
        VersionState::Accepted => "replaced".to_owned(),
        state => state.name().to_owned(),
    }
}
