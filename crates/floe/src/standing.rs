//! The table of a contest, on a screen or in a file.

use std::borrow::Borrow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anstyle::Style;
use anyhow::{Context, Result};
use floe_arena::scoreboard::different_remark;
use floe_arena::standings::{
    HeadToHead, KnockoutResult, Margin, Row, Standings, csv, json, markdown,
};
use floe_rating::{Estimate, signed};
use floe_rules::text::visible;

use crate::bars::{axis, bars};
use crate::columns::{Columns, Side};
use crate::terminal::{ERROR, FAINT, GOOD, Look, REMARK, STRONG, Terminal};
use floe_terminal::output_file::write_whole;

/// The files for results besides the screen.
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

type Export = fn(&Standings) -> String;

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

    /// Writes the requested exports, and the table for people unless standard output is used.
    pub(crate) fn write(&self, results: &Standings, terminal: &mut Terminal<'_>) -> Result<()> {
        if !self.each().any(|(path, _)| is_screen(path)) {
            terminal
                .out
                .write_all(draw(results, terminal.look).as_bytes())?;
        }
        for (path, export) in self.each() {
            write_export(path, &export(results), terminal)?;
        }
        Ok(())
    }

    /// The file for JSON, if requested.
    pub(crate) fn json(&self) -> Option<&Path> {
        self.json.as_deref()
    }
}

fn is_screen(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes a text to the file, or to standard output for `-`.
pub(crate) fn write_export(path: &Path, text: &str, terminal: &mut Terminal<'_>) -> Result<()> {
    if is_screen(path) {
        return Ok(terminal.out.write_all(text.as_bytes())?);
    }
    let written = write_whole(path, text.as_bytes());
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// The results, laid out for people.
pub(crate) fn draw(results: &Standings, look: Look) -> String {
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
    out.push_str(&different_remark(results.games, results.different));
    out.push_str("\n\n");
    out.push_str(&rows(results, look));
    if let Some(text) = undecided(results) {
        let _ = writeln!(out, "\n{text}");
    }
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

/// The rows alone, for a table that is drawn again and again on a terminal.
pub(crate) fn leaders(results: &Standings, look: Look) -> String {
    let columns = Some(look.page());
    let mut out = rows(results, Look { columns, ..look });
    out.push('\n');
    if let Some(text) = undecided(results) {
        let _ = writeln!(out, "{text}\n");
    }
    out
}

/// The crosstable for a table that is drawn again and again; `None` for two entrants.
pub(crate) fn crosstable(results: &Standings, look: Look) -> Option<String> {
    let columns = Some(look.page());
    cross(results, Look { columns, ..look })
}

const PLAIN: Style = Style::new();
/// Columns that a narrow terminal leaves out, in this order.
const SPARE: [&str; 5] = ["ms/move", "score", "games", "margin", "strikes"];
/// Columns that bars are worth more than, in this order.
const LESS_THAN_BARS: [&str; 5] = ["ms/move", "W", "D", "L", "margin"];
/// The least and the most characters of a bar.
const BAR: std::ops::RangeInclusive<usize> = 16..=41;

fn rows(results: &Standings, look: Look) -> String {
    let rows = &results.rows;
    let mut columns = Columns::new();
    let is_swiss = results.format == Some("swiss");
    columns.add("", Side::Right, PLAIN, rows, |row| row.place.to_string());
    columns.add("name", Side::Left, STRONG, rows, |row| row.name.clone());
    let sign = if look.unicode { "±" } else { "+-" };
    add_ratings(&mut columns, sign, rows);
    columns.add("points", Side::Right, STRONG, rows, |row| {
        number(row.points)
    });
    add_results(&mut columns, rows);
    add_margins(&mut columns, sign, rows);
    if results.margins_part_equals {
        columns.add("sum", Side::Right, PLAIN, rows, |row| {
            row.margin
                .map_or("-".into(), |margin| signed(margin.sum as f64, 0))
        });
    }
    if is_swiss {
        columns.add("Buchholz", Side::Right, PLAIN, rows, |row| {
            row.buchholz.map_or("-".into(), number)
        });
        columns.add("S-B", Side::Right, PLAIN, rows, |row| {
            row.sonneborn_berger.map_or("-".into(), number)
        });
    }
    add_times(&mut columns, rows);
    if rows.iter().any(|row| row.strikes > 0) {
        columns.add("strikes", Side::Right, REMARK, rows, |row| {
            unless_zero(row.strikes)
        });
    }
    add_faults(&mut columns, rows);
    columns.leave_out(&SPARE, look);
    if let Some(all) = look.columns {
        let room_for_bars = Look {
            columns: Some(all.saturating_sub(BAR.start() + 2)),
            ..look
        };
        let mut narrow = columns.clone();
        narrow.leave_out(&LESS_THAN_BARS, room_for_bars);
        let room = all.checked_sub(narrow.width() + 2);
        if let Some(room) = room.filter(|room| room >= BAR.start()) {
            columns = narrow;
            add_bars(&mut columns, rows, room.min(*BAR.end()), look);
        }
    }
    columns.draw(look)
}

/// Adds the ratings as bars, after the numbers they draw: place, name, Elo and its margin.
fn add_bars(columns: &mut Columns, rows: &[Row], width: usize, look: Look) {
    let ratings: Vec<Option<Estimate>> = rows.iter().map(|row| row.elo).collect();
    let (axis, bars) = (axis(&ratings, width), bars(&ratings, width, look));
    columns.insert(4, &axis, FAINT, bars);
}

/// The neighbours in the table whose intervals overlap; `None` if there are none.
fn undecided(results: &Standings) -> Option<String> {
    let rows = &results.rows;
    // A bracket decides the places of a knockout.
    if !results.bouts.is_empty() {
        return None;
    }
    let is_close = |pair: &[Row]| match (pair[0].elo, pair[1].elo) {
        (Some(one), Some(other)) => one.low <= other.high && other.low <= one.high,
        _ => false,
    };
    let close: Vec<bool> = rows.windows(2).map(is_close).collect();
    let mut groups = Vec::new();
    let mut at = 0;
    while at < close.len() {
        let from = at;
        while close.get(at) == Some(&true) {
            at += 1;
        }
        if at > from {
            let word = if at - from == 1 { "and" } else { "to" };
            let (first, last) = (&rows[from].name, &rows[at].name);
            groups.push(format!("{} {first} {word} {} {last}", from + 1, at + 1));
        }
        at += 1;
    }
    if groups.is_empty() {
        return None;
    }
    let groups = visible(&groups.join("; ")).into_owned();
    Some(format!(
        "{STRONG}Not decided:{STRONG:#} {groups}. Their intervals overlap."
    ))
}

/// Adds the columns of ratings with their intervals.
pub(crate) fn add_ratings(columns: &mut Columns, sign: &str, rows: &[impl Borrow<Row>]) {
    add(columns, "Elo", PLAIN, rows, |row| {
        row.elo.map_or("-".into(), |elo| signed(elo.value, 0))
    });
    add(columns, sign, FAINT, rows, |row| {
        row.elo
            .map_or("-".into(), |elo| format!("{:.0}", elo.margin()))
    });
}

/// Adds the columns of games and results.
pub(crate) fn add_results(columns: &mut Columns, rows: &[impl Borrow<Row>]) {
    add(columns, "games", PLAIN, rows, |row| row.games.to_string());
    add(columns, "W", PLAIN, rows, |row| row.wins.to_string());
    add(columns, "D", PLAIN, rows, |row| row.draws.to_string());
    add(columns, "L", PLAIN, rows, |row| row.losses.to_string());
    add(columns, "score", PLAIN, rows, |row| {
        (row.score).map_or("-".into(), |score| format!("{:.1} %", score * 100.0))
    });
}

/// Adds the column of mean margins with their intervals.
pub(crate) fn add_margins(columns: &mut Columns, sign: &str, rows: &[Row]) {
    add(columns, "margin", PLAIN, rows, |row| match row.margin {
        None => "-".to_owned(),
        Some(Margin { mean, interval, .. }) => match interval {
            Some(interval) => format!("{} {sign} {:.1}", signed(mean, 1), interval.margin()),
            None => signed(mean, 1),
        },
    });
}

/// Adds the column of times.
pub(crate) fn add_times(columns: &mut Columns, rows: &[Row]) {
    add(columns, "ms/move", PLAIN, rows, |row| {
        row.ms_per_move.map_or("-".into(), |ms| format!("{ms:.1}"))
    });
}

/// Adds the column of faults.
pub(crate) fn add_faults(columns: &mut Columns, rows: &[impl Borrow<Row>]) {
    let cell = |row: &Row| unless_zero(faults_of(row));
    add(columns, "faults", ERROR, rows, cell);
}

fn add(
    columns: &mut Columns,
    heading: &str,
    style: Style,
    rows: &[impl Borrow<Row>],
    cell: impl Fn(&Row) -> String,
) {
    columns.add(heading, Side::Right, style, rows, |row| cell(row.borrow()));
}

fn unless_zero(count: u64) -> String {
    match count {
        0 => String::new(),
        count => count.to_string(),
    }
}

fn faults_of(row: &Row) -> u64 {
    row.faults.values().sum()
}

fn notes(results: &Standings) -> String {
    let zero = match &results.anchor {
        Some(anchor) => format!("{anchor} is 0"),
        None => "the mean is 0".to_owned(),
    };
    let mut out = format!("\n{FAINT}Elo and margins with 95 % intervals; {zero}");
    if let Some(first_move) = results.first_move {
        let (value, margin) = (signed(first_move.value, 0), first_move.margin());
        let _ = write!(out, "; the first move is worth {value} ± {margin:.0}");
    }
    if results.margins_part_equals {
        out.push_str("\nthe sum of margins breaks ties");
    }
    let _ = writeln!(out, "{FAINT:#}");
    if results.is_split {
        let _ = writeln!(
            out,
            "{REMARK}note:{REMARK:#} some entrants never met, not even through common opponents: their ratings cannot be compared"
        );
    }
    out
}

/// The crosstable: several tables one below another if a terminal is too narrow for one.
fn cross(results: &Standings, look: Look) -> Option<String> {
    let places: Vec<usize> = (0..results.rows.len()).collect();
    if places.len() < 3 {
        return None;
    }
    let own = if look.unicode { "×" } else { "x" };
    let cell = |at: usize, other: usize| match results.meetings[at][other] {
        _ if at == other => own.to_owned(),
        Some(HeadToHead { points, games }) => format!("{}/{games}", number(points)),
        None => String::new(),
    };
    let names = || {
        let mut columns = Columns::new();
        columns.add("", Side::Right, PLAIN, &places, |at| (at + 1).to_string());
        columns.add("points/games against", Side::Left, STRONG, &places, |&at| {
            results.rows[at].name.clone()
        });
        columns
    };
    let mut out = String::new();
    let mut columns = names();
    let mut opponents = 0;
    for &other in &places {
        let heading = (other + 1).to_string();
        let cells = places.iter().map(|&at| cell(at, other).chars().count());
        let width = cells.max()?.max(heading.len()) + 2;
        let fits = look
            .columns
            .is_none_or(|all| columns.width() + width <= all);
        if !fits && opponents > 0 {
            out.push_str(&columns.draw(look));
            out.push('\n');
            (columns, opponents) = (names(), 0);
        }
        columns.add(&heading, Side::Right, PLAIN, &places, |&at| cell(at, other));
        opponents += 1;
    }
    out.push_str(&columns.draw(look));
    Some(out)
}

fn faults(results: &Standings, look: Look) -> Option<String> {
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

fn bouts(results: &Standings, look: Look) -> String {
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
    columns.add("winner", Side::Left, STRONG, bouts, KnockoutResult::verdict);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of this many entrants that all met.
    fn results(entrants: u64) -> Standings {
        let row = |at: u64| {
            let value = 100.0 - 25.0 * at as f64;
            Row {
                place: at + 1,
                name: format!("bot {at}"),
                elo: Some(Estimate {
                    value: value - 0.4,
                    low: value - 30.0,
                    high: value + 30.0,
                }),
                points: 4.0,
                games: 8,
                score: Some(0.5),
                wins: 4,
                losses: 4,
                margin: Some(Margin {
                    sum: -(at as i64),
                    mean: -0.01,
                    interval: None,
                }),
                ms_per_move: Some(1.5),
                strikes: at,
                ..Row::default()
            }
        };
        let meeting = Some(HeadToHead {
            games: 2,
            points: 1.0,
        });
        Standings {
            name: "cup".to_owned(),
            game: "flood".to_owned(),
            games: 8,
            different: 8,
            is_finished: true,
            margins_part_equals: true,
            rows: (0..entrants).map(row).collect(),
            meetings: vec![vec![meeting; entrants as usize]; entrants as usize],
            ..Standings::default()
        }
    }

    fn drawn(entrants: u64, columns: Option<usize>) -> String {
        let look = Look {
            color: false,
            unicode: true,
            columns,
            theme: floe_terminal::theme::Theme::Dark,
        };
        anstream::adapter::strip_str(&draw(&results(entrants), look)).to_string()
    }

    #[test]
    fn tables_take_the_room_there_is() {
        insta::assert_snapshot!("standing_wide", drawn(5, Some(120)));
        insta::assert_snapshot!("standing_narrow", drawn(5, Some(60)));
        insta::assert_snapshot!("standing_file", drawn(5, None));
    }

    #[test]
    fn neighbours_whose_intervals_overlap_are_named() {
        let with = |lows: &[f64]| {
            let mut results = results(lows.len() as u64);
            for (row, low) in results.rows.iter_mut().zip(lows) {
                row.elo = Some(Estimate {
                    value: low + 10.0,
                    low: *low,
                    high: low + 20.0,
                });
            }
            results
        };
        let text = |results: &Standings| {
            let text = undecided(results).unwrap_or_default();
            anstream::adapter::strip_str(&text).to_string()
        };
        assert_eq!(text(&with(&[90.0, 60.0, 30.0])), "");
        assert_eq!(
            text(&with(&[90.0, 80.0, 50.0, 10.0, 0.0, -10.0])),
            "Not decided: 1 bot 0 and 2 bot 1; 4 bot 3 to 6 bot 5. Their intervals overlap."
        );
        let mut unknown = with(&[90.0, 80.0]);
        unknown.rows[1].elo = None;
        assert_eq!(text(&unknown), "");
    }

    #[test]
    fn the_crosstable_of_many_is_whole_on_any_terminal() {
        for columns in [None, Some(60), Some(10)] {
            let text = drawn(30, columns);
            let cross = text.split_once("points/games").unwrap().1;
            assert_eq!(cross.matches('×').count(), 30, "{text}");
            assert_eq!(cross.matches("1/2").count(), 30 * 29, "{text}");
        }
        let text = drawn(30, Some(80));
        let widest = text.lines().map(|line| line.chars().count());
        assert!(widest.max().unwrap() <= 80);
    }

    #[test]
    fn nothing_is_minus_zero() {
        let text = drawn(5, None);
        assert!(!text.contains("-0"), "{text}");
    }
}
