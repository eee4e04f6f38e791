//! The table of a contest, on a screen or in a file.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anstyle::Style;
use anyhow::{Context, Result};
use floe_arena::tournament::{Meeting, Results, Row, csv, json, markdown};
use floe_rating::Estimate;

use crate::columns::{Columns, Side};
use crate::terminal::{ERROR, FAINT, GOOD, Look, REMARK, STRONG, Terminal};

/// Where results go besides the screen.
#[derive(clap::Args)]
#[command(next_help_heading = "Exports")]
pub(crate) struct Exports {
    /// Write the table as comma-separated values to standard output, or with `=FILE` to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    csv: Option<PathBuf>,

    /// Write everything as JSON
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,

    /// Write a page of Markdown
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    markdown: Option<PathBuf>,
}

type Export = fn(&Results) -> String;

impl Exports {
    fn each(&self) -> impl Iterator<Item = (&Path, Export)> {
        let all: [(&Option<PathBuf>, Export); 3] = [
            (&self.csv, csv),
            (&self.json, json),
            (&self.markdown, markdown),
        ];
        all.into_iter()
            .filter_map(|(path, export)| Some((path.as_deref()?, export)))
    }

    /// Writes what is asked for, and the table for people unless standard output is taken.
    pub(crate) fn write(&self, results: &Results, terminal: &mut Terminal<'_>) -> Result<()> {
        let is_screen = |path: &Path| path == Path::new("-");
        if !self.each().any(|(path, _)| is_screen(path)) {
            terminal
                .out
                .write_all(draw(results, terminal.look).as_bytes())?;
        }
        for (path, export) in self.each() {
            let text = export(results);
            if is_screen(path) {
                terminal.out.write_all(text.as_bytes())?;
            } else {
                let written = fs::write(path, text);
                written.with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        Ok(())
    }
}

/// The results as people read them.
pub(crate) fn draw(results: &Results, look: Look) -> String {
    let mut out = format!("{STRONG}{}{STRONG:#}: {}", results.name, results.game);
    if let Some(format) = results.format {
        let _ = write!(out, ", {format}");
    }
    let _ = write!(out, ", {}", count(results.games, "game"));
    match (results.is_finished, results.length) {
        (true, _) => {
            let _ = write!(out, ", {GOOD}finished{GOOD:#}");
        }
        (false, Some(length)) => {
            let _ = write!(out, " of {length}");
        }
        (false, None) => {}
    }
    out.push_str("\n\n");
    out.push_str(&rows(results, look));
    out.push_str(&notes(results));
    if let Some(cross) = cross(results, look) {
        let _ = write!(out, "\n{cross}");
    }
    if let Some(faults) = faults(results, look) {
        let _ = write!(out, "\n{faults}");
    }
    if !results.bouts.is_empty() {
        let _ = write!(out, "\n{}", bouts(results, look));
    }
    out
}

/// The rows alone, for a table that is drawn again and again.
pub(crate) fn leaders(results: &Results, look: Look) -> String {
    rows(results, look)
}

const PLAIN: Style = Style::new();

fn rows(results: &Results, look: Look) -> String {
    let rows = &results.rows;
    let mut columns = Columns::new();
    let is_swiss = results.format == Some("swiss");
    columns.add("", Side::Right, PLAIN, rows, |row| row.place.to_string());
    columns.add("name", Side::Left, STRONG, rows, |row| row.name.clone());
    columns.add("Elo", Side::Right, PLAIN, rows, |row| {
        row.elo
            .map_or("-".into(), |elo| format!("{:+.0}", elo.value))
    });
    let sign = if look.unicode { "±" } else { "+-" };
    columns.add(sign, Side::Right, FAINT, rows, |row| {
        row.elo
            .map_or("-".into(), |elo| format!("{:.0}", elo.margin()))
    });
    columns.add("points", Side::Right, STRONG, rows, |row| {
        number(row.points)
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
    if is_swiss {
        columns.add("Buchholz", Side::Right, PLAIN, rows, |row| {
            row.buchholz.map_or("-".into(), number)
        });
        columns.add("S-B", Side::Right, PLAIN, rows, |row| {
            row.sonneborn_berger.map_or("-".into(), number)
        });
    }
    columns.add("ms/move", Side::Right, PLAIN, rows, |row| {
        row.ms_per_move.map_or("-".into(), |ms| format!("{ms:.1}"))
    });
    columns.add("faults", Side::Right, ERROR, rows, |row| {
        match faults_of(row) {
            0 => String::new(),
            faults => faults.to_string(),
        }
    });
    columns.draw(look)
}

fn faults_of(row: &Row) -> u64 {
    row.faults.values().sum()
}

fn notes(results: &Results) -> String {
    let zero = match &results.anchor {
        Some(anchor) => format!("{anchor} is 0"),
        None => "the mean is 0".to_owned(),
    };
    let mut out = format!("\n{FAINT}Elo with 95 % intervals; {zero}");
    if let Some(Estimate { value, .. }) = results.first_move {
        let margin = results.first_move.map_or(0.0, Estimate::margin);
        let _ = write!(out, "; the first move is worth {value:+.0} ± {margin:.0}");
    }
    let _ = writeln!(out, "{FAINT:#}");
    if results.is_split {
        let _ = writeln!(
            out,
            "{REMARK}note:{REMARK:#} some have never met, not even by way of others: their ratings \
             say little about each other"
        );
    }
    out
}

/// Who made what of whom, if there is room for it.
fn cross(results: &Results, look: Look) -> Option<String> {
    let places: Vec<usize> = (0..results.rows.len()).collect();
    if places.len() < 3 {
        return None;
    }
    let cell = |meeting: Option<Meeting>| match meeting {
        Some(Meeting { points, games }) => format!("{}/{games}", number(points)),
        None => String::new(),
    };
    let mut columns = Columns::new();
    columns.add("", Side::Right, PLAIN, &places, |at| (at + 1).to_string());
    columns.add("points/games against", Side::Left, STRONG, &places, |&at| {
        results.rows[at].name.clone()
    });
    let mut width = 4
        + 22
        + results
            .rows
            .iter()
            .map(|row| row.name.chars().count())
            .max()?;
    for &other in &places {
        let widest = places
            .iter()
            .map(|&at| cell(results.meetings[at][other]).len())
            .max()?;
        width += widest.max(2) + 2;
        let own = if look.unicode { "×" } else { "x" };
        columns.add(
            &(other + 1).to_string(),
            Side::Right,
            PLAIN,
            &places,
            |&at| {
                if at == other {
                    own.to_owned()
                } else {
                    cell(results.meetings[at][other])
                }
            },
        );
    }
    (width <= look.columns).then(|| columns.draw(look))
}

fn faults(results: &Results, look: Look) -> Option<String> {
    let kinds = results.fault_kinds();
    let faulty: Vec<&Row> = results
        .rows
        .iter()
        .filter(|row| faults_of(row) > 0)
        .collect();
    if faulty.is_empty() {
        return None;
    }
    let mut columns = Columns::new();
    columns.add("faults of", Side::Left, STRONG, &faulty, |row| {
        row.name.clone()
    });
    for kind in kinds {
        columns.add(kind, Side::Right, PLAIN, &faulty, |row| {
            row.faults
                .get(kind)
                .map_or(String::new(), ToString::to_string)
        });
    }
    Some(columns.draw(look))
}

fn bouts(results: &Results, look: Look) -> String {
    let bouts = &results.bouts;
    let mut columns = Columns::new();
    let name = |seat: &Option<String>| seat.clone().unwrap_or_else(|| "-".to_owned());
    columns.add("round", Side::Right, PLAIN, bouts, |bout| {
        bout.round.to_string()
    });
    columns.add("one", Side::Left, PLAIN, bouts, |bout| name(&bout.seats[0]));
    columns.add("other", Side::Left, PLAIN, bouts, |bout| {
        name(&bout.seats[1])
    });
    columns.add("points", Side::Right, PLAIN, bouts, |bout| {
        match bout.is_bye() {
            true => "bye".to_owned(),
            false => format!("{} : {}", number(bout.points[0]), number(bout.points[1])),
        }
    });
    columns.add("winner", Side::Left, STRONG, bouts, |bout| {
        let coin = if bout.by_coin { " (by the coin)" } else { "" };
        format!("{}{coin}", name(&bout.winner))
    });
    columns.draw(look)
}

/// Points: whole, or with as many digits as they need.
fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `1 game`, `2 games`.
pub(crate) fn count(number: u64, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}
