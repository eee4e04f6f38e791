//! `floe league status`: who stands where.

use std::path::PathBuf;

use anstyle::Style;
use anyhow::Result;
use floe_league::event::Activity;
use floe_league::ladder::{LadderRow, LadderTable};
use floe_league::{League, VersionState};
use floe_rating::signed;

use crate::columns::{Columns, Side};
use crate::standing::count;
use crate::terminal::{COMMAND, ERROR, FAINT, REMARK, STRONG, Terminal};
use crate::{Answer, cli};

/// Show the ladder: who stands where, and what all versions did
///
/// Entrants stand by the version they play with now. Ratings are those of all versions and all
/// games together, with 95 % intervals; also while games are played.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// The league's folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Show all versions, not only those that play now
    #[arg(long)]
    history: bool,

    /// Write everything as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe league status cup
floe league status cup --history
floe league status cup --json";

const PLAIN: Style = Style::new();

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let league = League::open(&args.folder)?;
    let table = LadderTable::look(&league)?;
    if args.json {
        let text = serde_json::to_string_pretty(&table)?;
        writeln!(terminal.out, "{text}")?;
        return Ok(Answer::Yes);
    }
    write(&table, args.history, terminal)?;
    let (is_paused, waiting, finals) = league.look(|standing| {
        let is_paused = standing.is_paused(Activity::Ladder);
        (is_paused, standing.waiting.len(), standing.finals.clone())
    })?;
    if is_paused {
        writeln!(terminal.out, "{REMARK}The ladder is paused.{REMARK:#}")?;
    }
    if waiting > 0 {
        let versions = count(waiting as u64, "version");
        writeln!(terminal.out, "{versions} wait to be judged.")?;
    }
    for freeze in finals {
        let file = league.finals_file(freeze.number);
        writeln!(
            terminal.out,
            "Finals {}: {} entrants, seed {}; {COMMAND}floe standings {}{COMMAND:#}",
            freeze.number,
            freeze.versions.len(),
            freeze.seed,
            crate::quoting::shown(&file)
        )?;
    }
    Ok(Answer::Yes)
}

/// The table for people.
pub(super) fn write(
    table: &LadderTable,
    with_history: bool,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    let look = terminal.look;
    writeln!(
        terminal.out,
        "{STRONG}{}{STRONG:#}: {}, {} counted, {}\n",
        table.league,
        table.game,
        count(table.games, "game"),
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
        row.version.to_string()
    });
    columns.add("Elo", Side::Right, PLAIN, rows, |row| {
        row.elo.map_or("-".into(), |elo| signed(elo.value, 0))
    });
    columns.add(sign, Side::Right, FAINT, rows, |row| {
        row.elo
            .map_or("-".into(), |elo| format!("{:.0}", elo.margin()))
    });
    columns.add("games", Side::Right, PLAIN, rows, |row| {
        row.games.to_string()
    });
    columns.add("W", Side::Right, PLAIN, rows, |row| row.wins.to_string());
    columns.add("D", Side::Right, PLAIN, rows, |row| row.draws.to_string());
    columns.add("L", Side::Right, PLAIN, rows, |row| row.losses.to_string());
    columns.add("score", Side::Right, PLAIN, rows, |row| {
        row.score
            .map_or("-".into(), |score| format!("{:.1} %", score * 100.0))
    });
    columns.add("faults", Side::Right, ERROR, rows, |row| {
        match row.faults.values().sum::<u64>() {
            0 => String::new(),
            faults => faults.to_string(),
        }
    });
    if with_history {
        columns.add("", Side::Left, FAINT, rows, state);
    }
    columns.leave_out(&["score", "games"], look);
    terminal.out.write_all(columns.draw(look).as_bytes())?;
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
