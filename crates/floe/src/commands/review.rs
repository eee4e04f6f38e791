//! `floe review`: how much each move of a recorded game lost.

use std::fmt::Write as _;

use anyhow::Result;
use floe_games::record::Record;
use floe_games::review::{Grade, TurningPoint, Worth};
use floe_rules::text::visible;
use floe_search::{Kind, Limits, Spec};
use serde::Serialize;

use crate::columns::{Columns, Side};
use crate::records::{Which, player_names};
use crate::terminal::{ERROR, FAINT, REMARK, STRONG, Terminal};
use crate::{Answer, cli};
use floe_terminal::{Analysis, Session, Trail};

/// Review a game: find slips and blunders, and what each move lost
///
/// The engine thinks about every position of the game. The list shows the expected scores before
/// and after each move, the lead the move lost, and a better move; `?` is a slip and `??` a
/// blunder. The same node limit gives the same answer on every machine.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,

    /// Node limit for each position of the game, such as 50k
    #[arg(long, value_name = "N", default_value = "20k", value_parser = cli::nodes)]
    nodes: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe review games.jsonl --game 7
floe review games.jsonl --game 7 --json
floe review games.jsonl --game 7 --nodes 200k";

/// Turning points listed.
const TURNING_POINTS: usize = 5;

#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    id: &'a str,
    seats: Vec<&'a str>,
    nodes: u64,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    opening: &'a [String],
    turns: Vec<JsonTurn<'a>>,
    turning_points: Vec<JsonTurningPoint>,
}

#[derive(Serialize)]
struct JsonTurningPoint {
    turn: usize,
    seat: u32,
    played: String,
    better: String,
    loss: i64,
    grade: Grade,
}

#[derive(Serialize)]
struct JsonTurn<'a> {
    turn: usize,
    seat: u32,
    #[serde(rename = "move")]
    played: &'a str,
    before: Option<&'a Worth>,
    after: Option<&'a Worth>,
    shares: Option<Vec<f64>>,
    loss: Option<i64>,
    grade: Option<Grade>,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let record = args.which.pick()?;
    record.verify()?;
    let session = floe_terminal::session_of(&record)?;
    let analysis = analyse(&session, args.nodes)?;
    if args.json {
        let json = json(&record, &session, &analysis, args.nodes);
        serde_json::to_writer(&mut *terminal.out, &json)?;
        writeln!(terminal.out)?;
    } else {
        let text = text(&record, &session, &analysis, terminal);
        terminal.out.write_all(text.as_bytes())?;
    }
    Ok(Answer::Yes)
}

/// Thinks about every position, from the end.
fn analyse(session: &Session, nodes: u64) -> Result<Analysis> {
    let mut analysis = Analysis::new(session);
    let mut trail = Trail::new(session);
    let mut engine = session.game().engine(&Spec::from(Kind::Floe));
    while let Some(turn) = analysis.next_position() {
        let position = trail.at(session, turn).position();
        let thought = engine.think(position, &Limits::nodes(nodes))?;
        analysis.note(turn, thought);
    }
    Ok(analysis)
}

fn json<'a>(
    record: &'a Record,
    session: &'a Session,
    analysis: &'a Analysis,
    nodes: u64,
) -> Json<'a> {
    let turns = session.turns().iter().enumerate();
    let turns = turns.map(|(turn, step)| JsonTurn {
        turn: turn + 1,
        seat: step.player.number(),
        played: step.text(),
        before: analysis.worth(turn),
        after: analysis.worth(turn + 1),
        shares: analysis.shares(turn + 1),
        loss: analysis.loss(turn),
        grade: analysis.grade(turn),
    });
    let points = analysis.turning_points(TURNING_POINTS).into_iter();
    let points = points.map(|point| JsonTurningPoint {
        turn: point.turn + 1,
        seat: point.mover.number(),
        played: point.played,
        better: point.better,
        loss: point.loss,
        grade: point.grade,
    });
    Json {
        game: &record.opening.game,
        id: &record.opening.id,
        seats: record
            .opening
            .seats
            .iter()
            .map(|one| one.name.as_str())
            .collect(),
        nodes,
        opening: &record.opening.opening,
        turns: turns.collect(),
        turning_points: points.collect(),
    }
}

fn text(
    record: &Record,
    session: &Session,
    analysis: &Analysis,
    terminal: &Terminal<'_>,
) -> String {
    let mut out = format!(
        "{STRONG}{}{STRONG:#} game {}\n",
        session.game().title(),
        record.opening.id
    );
    if !record.opening.opening.is_empty() {
        let moves = record.opening.opening.join(" ");
        out.push_str(&format!("after the opening: {}\n", visible(&moves)));
    }
    let names = player_names(record);
    let name = |seat: u32| {
        let name = names.get((seat as usize).wrapping_sub(1));
        name.map_or("?", String::as_str)
    };
    let turns: Vec<usize> = (0..session.turns().len()).collect();
    let step = |turn: usize| &session.turns()[turn];
    let scores = |turn: usize| match analysis.worth(turn) {
        Some(worth) => {
            let scores: Vec<String> = worth.scores.iter().map(ToString::to_string).collect();
            let proven = if worth.proven { " proven" } else { "" };
            format!("{}{proven}", scores.join(":"))
        }
        None => String::new(),
    };
    if !turns.is_empty() {
        out.push('\n');
        let plain = anstyle::Style::new();
        let mut columns = Columns::new();
        columns.add("turn", Side::Right, FAINT, &turns, |turn| {
            (turn + 1).to_string()
        });
        columns.add("by", Side::Left, plain, &turns, |&turn| {
            format!("{} {}", step(turn).player, name(step(turn).player.number()))
        });
        columns.add("", Side::Left, STRONG, &turns, |&turn| {
            step(turn).text().to_owned()
        });
        columns.add("", Side::Left, ERROR, &turns, |&turn| {
            analysis.grade(turn).map_or("", Grade::sign).to_owned()
        });
        columns.add("before", Side::Left, plain, &turns, |&turn| scores(turn));
        columns.add("after", Side::Left, plain, &turns, |&turn| scores(turn + 1));
        columns.add("lost", Side::Right, plain, &turns, |&turn| {
            let loss = analysis.loss(turn).filter(|&loss| loss > 0);
            loss.map_or_else(String::new, |loss| loss.to_string())
        });
        columns.add("better", Side::Left, FAINT, &turns, |&turn| {
            let is_worse = analysis.loss(turn).is_some_and(|loss| loss > 0);
            let best = analysis.worth(turn).and_then(|worth| worth.best.clone());
            best.filter(|_| is_worse).unwrap_or_default()
        });
        out.push_str(&columns.draw(terminal.look));
    }
    let points = analysis.turning_points(TURNING_POINTS);
    match points.is_empty() {
        true => out.push_str("\nno move lost anything\n"),
        false => out.push_str(&format!("\n{STRONG}turning points{STRONG:#}\n")),
    }
    for point in points {
        let TurningPoint {
            turn,
            played,
            better,
            loss,
            grade,
            ..
        } = &point;
        let who = name(point.mover.number());
        let word = match grade {
            Grade::Fine => "",
            grade => grade.name(),
        };
        let gap = if word.is_empty() { "" } else { ", a " };
        let _ = writeln!(
            out,
            "  turn {}: {who} played {played} and lost {loss}{gap}{REMARK}{word}{REMARK:#}; better {better}",
            turn + 1
        );
    }
    out
}
