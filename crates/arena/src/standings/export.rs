//! Standings as files for other programs and for pages.

use std::fmt::Write as _;

use floe_rating::{Estimate, signed};
use floe_rules::text::is_visible;

use super::{Row, Standings};
use crate::schedule::DecidedBy;
use crate::scoreboard::different_remark;

/// The results as one JSON object, ending with a newline.
pub fn json(results: &Standings) -> String {
    // Only numbers, text and lists of them, which always serialise.
    serde_json::to_string(results).unwrap_or_default() + "\n"
}

/// The table as comma-separated values with a heading and a line per entrant, quoted as in RFC
/// 4180. The last columns, headed by the other entrants' names, are points and games against each.
pub fn csv(results: &Standings) -> String {
    let mut heads: Vec<String> = [
        "place",
        "name",
        "seat",
        "elo",
        "elo low",
        "elo high",
        "points",
        "games",
        "score",
        "wins",
        "draws",
        "losses",
        "margin",
        "margin low",
        "margin high",
        "margin sum",
        "buchholz",
        "sonneborn-berger",
        "byes",
        "moves",
        "ms per move",
        "slowest ms",
        "peak KiB",
        "strikes",
        "different",
    ]
    .map(str::to_owned)
    .to_vec();
    let kinds = results.fault_kinds();
    heads.extend(kinds.iter().map(|kind| format!("faults: {kind}")));
    heads.extend(
        results
            .rows
            .iter()
            .map(|row| format!("against {}", row.name)),
    );
    let mut out = csv_line(&heads);
    for (row, meetings) in results.rows.iter().zip(&results.meetings) {
        let elo = |end: fn(Estimate) -> f64| optional(row.elo.map(end), 2);
        let interval = |end: fn(Estimate) -> f64| {
            let interval = row.margin.and_then(|margin| margin.interval);
            optional(interval.map(end), 2)
        };
        let mut cells = vec![
            row.place.to_string(),
            row.name.clone(),
            row.seat.clone(),
            elo(|elo| elo.value),
            elo(|elo| elo.low),
            elo(|elo| elo.high),
            row.points.to_string(),
            row.games.to_string(),
            optional(row.score, 4),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            optional(row.margin.map(|margin| margin.mean), 2),
            interval(|interval| interval.low),
            interval(|interval| interval.high),
            row.margin
                .map_or(String::new(), |margin| margin.sum.to_string()),
            optional(row.buchholz, 1),
            optional(row.sonneborn_berger, 2),
            row.byes.map_or(String::new(), |byes| byes.to_string()),
            row.moves.to_string(),
            optional(row.ms_per_move, 3),
            format!("{:.3}", row.slowest_ms),
            row.peak_kib.to_string(),
            row.strikes.to_string(),
            row.different.to_string(),
        ];
        cells.extend(kinds.iter().map(|kind| count(row, kind).to_string()));
        cells.extend(meetings.iter().map(|meeting| match meeting {
            Some(meeting) => format!("{}/{}", meeting.points, meeting.games),
            None => String::new(),
        }));
        out.push_str(&csv_line(&cells));
    }
    out
}

/// A line of comma-separated values, quoted as RFC 4180 has it.
///
/// ```
/// let cells = ["a".to_owned(), "b, \"c\"".to_owned()];
/// assert_eq!(floe_arena::standings::csv_line(&cells), "a,\"b, \"\"c\"\"\"\r\n");
/// ```
pub fn csv_line(cells: &[String]) -> String {
    let quoted = |cell: &String| match cell.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    let cells: Vec<String> = cells.iter().map(quoted).collect();
    cells.join(",") + "\r\n"
}

fn optional(value: Option<f64>, digits: usize) -> String {
    value.map_or(String::new(), |value| format!("{value:.digits$}"))
}

fn count(row: &Row, kind: &str) -> u64 {
    row.faults.get(kind).copied().unwrap_or(0)
}

/// The results as a page of Markdown: the table, the crosstable, the faults, the bracket.
pub fn markdown(results: &Standings) -> String {
    let mut out = format!("# {}\n\n", escape(&results.name));
    let _ = write!(out, "{}", escape(&results.game));
    if let Some(format) = results.format {
        let _ = write!(out, ", {format}");
    }
    let _ = write!(out, ", {} games", results.games);
    match results.length {
        Some(length) if !results.is_finished => {
            let _ = write!(out, " of {length}");
        }
        _ => {}
    }
    out.push_str(&different_remark(results.games, results.different));
    let zero = results
        .anchor
        .as_deref()
        .map_or("the mean is 0".into(), |anchor| {
            format!("{} is 0", escape(anchor))
        });
    let _ = writeln!(out, ". Elo and margins with 95 % intervals; {zero}.\n");
    if results.margins_part_equals {
        out.push_str("The sum of margins breaks ties.\n\n");
    }

    let is_swiss = results.format == Some("swiss");
    let mut heads = vec!["", "name", "Elo", "±", "points", "games", "W", "D", "L"];
    heads.extend(["margin", "±"]);
    if results.margins_part_equals {
        heads.push("sum");
    }
    if is_swiss {
        heads.extend(["Buchholz", "S-B"]);
    }
    heads.extend(["ms/move", "strikes", "faults"]);
    let rows = results.rows.iter().map(|row| {
        let mut cells = vec![
            row.place.to_string(),
            escape(&row.name),
            row.elo.map_or("-".into(), |elo| signed(elo.value, 0)),
            row.elo
                .map_or("-".into(), |elo| format!("{:.0}", elo.margin())),
            row.points.to_string(),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.margin
                .map_or("-".into(), |margin| signed(margin.mean, 1)),
            (row.margin.and_then(|margin| margin.interval))
                .map_or("-".into(), |interval| format!("{:.1}", interval.margin())),
        ];
        if results.margins_part_equals {
            let sum = row.margin.map(|margin| signed(margin.sum as f64, 0));
            cells.push(sum.unwrap_or_else(|| "-".to_owned()));
        }
        if is_swiss {
            cells.extend([optional(row.buchholz, 1), optional(row.sonneborn_berger, 2)]);
        }
        let faults: u64 = row.faults.values().sum();
        cells.extend([
            optional(row.ms_per_move, 1),
            row.strikes.to_string(),
            faults.to_string(),
        ]);
        cells
    });
    table(&mut out, &heads, 1, rows);

    out.push_str("\n## Crosstable\n\nPoints and games of each row against each column.\n\n");
    let numbers: Vec<String> = (1..=results.rows.len()).map(|n| n.to_string()).collect();
    let mut heads = vec!["", "name"];
    heads.extend(numbers.iter().map(String::as_str));
    let rows = results
        .rows
        .iter()
        .zip(&results.meetings)
        .enumerate()
        .map(|(at, (row, met))| {
            let mut cells = vec![numbers[at].clone(), escape(&row.name)];
            cells.extend(
                met.iter()
                    .enumerate()
                    .map(|(other, meeting)| match meeting {
                        Some(meeting) => format!("{}/{}", meeting.points, meeting.games),
                        None if other == at => "×".to_owned(),
                        None => String::new(),
                    }),
            );
            cells
        });
    table(&mut out, &heads, 1, rows);

    let kinds = results.fault_kinds();
    if !kinds.is_empty() {
        out.push_str("\n## Faults\n\n");
        let mut heads = vec!["name"];
        heads.extend(&kinds);
        let faulty = results.rows.iter().filter(|row| !row.faults.is_empty());
        let rows = faulty.map(|row| {
            let counts = kinds.iter().map(|kind| count(row, kind).to_string());
            std::iter::once(escape(&row.name)).chain(counts).collect()
        });
        table(&mut out, &heads, 0, rows);
    }
    if !results.bouts.is_empty() {
        out.push_str("\n## Bracket\n\n");
        let rows = results.bouts.iter().map(|bout| {
            let name = |seat: &Option<String>| seat.as_deref().map_or("-".into(), escape);
            let remark = bout.decision.and_then(DecidedBy::remark);
            let remark = remark.map_or(String::new(), |remark| format!(" ({remark})"));
            vec![
                bout.round.to_string(),
                name(&bout.seats[0]),
                name(&bout.seats[1]),
                match bout.is_bye() {
                    true => "bye".to_owned(),
                    false => format!("{} : {}", bout.points[0], bout.points[1]),
                },
                name(&bout.winner) + &remark,
            ]
        });
        table(
            &mut out,
            &["round", "", "", "points", "winner"],
            usize::MAX,
            rows,
        );
    }
    out
}

/// A Markdown table; columns right of the column `text` are numbers.
fn table(out: &mut String, heads: &[&str], text: usize, rows: impl Iterator<Item = Vec<String>>) {
    let _ = writeln!(out, "| {} |", heads.join(" | "));
    let rule = |column: usize| if column > text { "---:" } else { "---" };
    let rules: Vec<&str> = (0..heads.len()).map(rule).collect();
    let _ = writeln!(out, "| {} |", rules.join(" | "));
    for cells in rows {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
}

/// Text with Markdown's special characters escaped.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "\\`*_{}[]<>()#+!|~".contains(c) {
            out.push('\\');
        }
        out.push(if is_visible(c) { c } else { ' ' });
    }
    out
}
