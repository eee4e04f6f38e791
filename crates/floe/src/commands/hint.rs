//! `floe hint`: the best moves of a position.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::value_parser;
use floe_games::{AnyGame, AnyPosition};
use floe_rules::{Player, text};
use floe_search::{Spec, Thought};
use serde::Serialize;

use crate::columns::{Columns, Side};
use crate::looks::Looks;
use crate::terminal::{COMMAND, FAINT, GOOD, Look, STRONG, Terminal};
use crate::{Answer, cli, completing, proofs, source};
use floe_terminal::picture::Picture;

/// Find the best moves
///
/// Lets an engine think about a position and prints its best moves, the best first: the expected
/// final scores, the lead of the player to move, and the expected continuation. A proven result is
/// certain. The exit code is 1 if the game is over.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES), after_long_help = after_long_help())]
pub(crate) struct Args {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// File with the position; `-` reads standard input
    file: PathBuf,

    /// Time limit, such as 200ms [default: 1s if no other limit is set]
    #[arg(long)]
    time: Option<String>,

    /// Node limit, such as 10k: the same answer on every machine
    #[arg(long, value_name = "N")]
    nodes: Option<String>,

    /// Depth limit, in moves
    #[arg(long, value_name = "N")]
    depth: Option<String>,

    /// Show at most this many moves
    #[arg(long = "limit", aliases = ["most", "top"], value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..))]
    most: u32,

    /// Engine (see --help)
    #[arg(long, value_name = "SPEC", default_value = "floe", add = completing::engine())]
    engine: String,

    /// Table of proven positions, made by `floe solve --table`
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    looks: Looks,
}

const EXAMPLES: &str = "\
floe hint penguins board.txt --time 5s
floe new flood --full | floe hint flood - --nodes 100k --limit 1
floe hint gamma board.txt --engine mcts:nodes=1M,seed=3 --json";

/// Default time limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// After this time, a note asks the user to wait.
const PATIENCE: Duration = Duration::from_secs(2);
/// Most players whose expected scores are shown; JSON has all.
const MOST_SEATS: usize = 6;

/// The engines every game has, and how specs are written.
fn after_long_help() -> String {
    let mut help = format!(
        "{}\n\n{}\n",
        cli::examples(EXAMPLES),
        cli::heading("Engines:")
    );
    for kind in floe_games::games().first().map_or(&[][..], |g| g.engines()) {
        help.push_str(&format!("  {:<10} {}\n", kind.name(), kind.about()));
    }
    help.push_str("  A spec is a name and, after a colon, its limits, such as floe:hard or\n");
    help.push_str("  floe:time=200ms,seed=3. Without threads=N, floe uses all cores where time\n");
    help.push_str("  alone limits it.");
    help
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let spec = args.spec()?;
    if !args.json {
        terminal.look = args.looks.look(terminal)?;
    }
    let position = source::position(args.game, &args.file)?;
    let Some(mover) = position.turn() else {
        return over(args, &*position, terminal);
    };
    let mut engine = match &args.table {
        Some(path) => args.game.informed(&spec, proofs::read(args.game, path)?),
        None => args.game.engine(&spec),
    };
    let limits = spec.on_all_cores().limits(DEFAULT_TIME);
    let is_long = limits.deadline.is_none() || spec.time.is_some_and(|time| time > PATIENCE);
    let note = Note::show(&spec, is_long, terminal)?;
    let thoughts = engine.rank(&*position, &limits, args.most as usize)?;
    note.erase(terminal)?;
    if args.json {
        let moves = thoughts.iter().map(|thought| Move::of(thought, mover));
        let hint = Json {
            engine: Some(spec.to_string()),
            moves: moves.collect(),
            ..Json::of(&*position)
        };
        hint.print(terminal)?;
    } else {
        let text = page(&*position, mover, &spec, &thoughts, terminal.look);
        terminal.out.write_all(text.as_bytes())?;
    }
    Ok(Answer::Yes)
}

impl Args {
    /// The engine's spec with the shorter options added.
    fn spec(&self) -> Result<Spec> {
        let mut spec = self.engine.clone();
        let options = [
            ("time", &self.time),
            ("nodes", &self.nodes),
            ("depth", &self.depth),
        ];
        for (word, value) in options {
            if let Some(value) = value {
                let sign = if spec.contains(':') { ',' } else { ':' };
                spec.push_str(&format!("{sign}{word}={value}"));
            }
        }
        match spec.parse() {
            Ok(spec) => Ok(spec),
            Err(error) => bail!("{}", text::explain(&error, "engine", &spec).trim_end()),
        }
    }
}

/// Prints the result of a finished game, which needs no hints.
fn over(args: &Args, position: &dyn AnyPosition, terminal: &mut Terminal<'_>) -> Result<Answer> {
    if args.json {
        Json::of(position).print(terminal)?;
        return Ok(Answer::No);
    }
    let picture = Picture {
        title: args.game.title(),
        view: &position.view(),
        turn: None,
        outcome: position.outcome(),
    };
    let dot = dot(terminal.look);
    writeln!(
        terminal.out,
        "{STRONG}{}{STRONG:#} {FAINT}{dot}{FAINT:#} the game is over\n",
        args.game.title()
    )?;
    let players = picture.players(terminal.look);
    terminal.out.write_all(players.as_bytes())?;
    Ok(Answer::No)
}

fn dot(look: Look) -> char {
    if look.unicode { '·' } else { '-' }
}

/// The text printed for people.
fn page(
    position: &dyn AnyPosition,
    mover: Player,
    spec: &Spec,
    thoughts: &[Thought<String>],
    look: Look,
) -> String {
    let title = position.game().title();
    let picture = Picture {
        title,
        view: &position.view(),
        turn: Some(mover),
        outcome: None,
    };
    let (dot, news) = (dot(look), picture.news_text(look));
    let mut page = format!("{STRONG}{title}{STRONG:#} {FAINT}{dot}{FAINT:#} {news}");
    page.push_str(&format!(
        " {FAINT}{dot}{FAINT:#} {COMMAND}{spec}{COMMAND:#}\n\n"
    ));
    let seats = seats(mover, &thoughts[0].scores);
    page.push_str(&columns(mover, &seats, thoughts).draw(look));
    if seats.len() < thoughts[0].scores.len() {
        let more = thoughts[0].scores.len() - seats.len();
        page.push_str(&format!("\n{FAINT}and {more} more players{FAINT:#}\n"));
    }
    page
}

/// A line per move; the line of play comes last and is shortened if space is short.
fn columns(mover: Player, seats: &[Player], thoughts: &[Thought<String>]) -> Columns {
    let mut columns = Columns::new();
    columns.add("move", Side::Left, STRONG, thoughts, |t| t.best.clone());
    if thoughts[0].scores.len() > 1 {
        let lead = |t: &Thought<String>| match t.lead(mover) {
            0 => "0".to_owned(),
            lead => format!("{lead:+}"),
        };
        columns.add("lead", Side::Right, STRONG, thoughts, lead);
    }
    for (i, &seat) in seats.iter().enumerate() {
        let heading = match i {
            0 => format!("player {seat}"),
            _ => seat.to_string(),
        };
        let score = |t: &Thought<String>| t.scores[seat.index()].to_string();
        columns.add(&heading, Side::Right, FAINT, thoughts, score);
    }
    columns.add("depth", Side::Right, FAINT, thoughts, |t| {
        t.depth.to_string()
    });
    columns.add("nodes", Side::Right, FAINT, thoughts, |t| {
        t.nodes.to_string()
    });
    if thoughts.iter().any(|thought| thought.proven) {
        let proven = |t: &Thought<String>| if t.proven { "proven" } else { "" }.to_owned();
        columns.add("", Side::Left, GOOD, thoughts, proven);
    }
    columns.add("then", Side::Left, FAINT, thoughts, |t| {
        t.line.get(1..).unwrap_or_default().join(" ")
    });
    columns
}

/// The players whose scores are shown, by seat: all, or the player to move and the expected
/// leaders.
fn seats(mover: Player, scores: &[i64]) -> Vec<Player> {
    let mut seats: Vec<Player> = Player::all(scores.len() as u32).collect();
    seats.sort_by_key(|&p| (p != mover, -scores[p.index()]));
    seats.truncate(MOST_SEATS);
    seats.sort();
    seats
}

/// A note for the waiting user at a terminal, erased by the answer.
struct Note(usize);

impl Note {
    fn show(spec: &Spec, is_long: bool, terminal: &mut Terminal<'_>) -> io::Result<Self> {
        if !is_long || !terminal.is_watched {
            return Ok(Note(0));
        }
        let text = format!("{spec} is thinking (Ctrl-C ends it)");
        write!(terminal.err, "{FAINT}{text}{FAINT:#}")?;
        terminal.err.flush()?;
        Ok(Note(text.len()))
    }

    fn erase(self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        if self.0 > 0 {
            write!(terminal.err, "\r{:1$}\r", "", self.0)?;
            terminal.err.flush()?;
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Json {
    game: &'static str,
    /// `null` once the game is over.
    turn: Option<u32>,
    scores: Vec<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Move {
    #[serde(rename = "move")]
    mv: String,
    lead: i64,
    scores: Vec<i64>,
    proven: bool,
    depth: u32,
    nodes: u64,
    line: Vec<String>,
}

impl Json {
    /// The facts that need no search.
    fn of(position: &dyn AnyPosition) -> Self {
        Json {
            game: position.game().name(),
            turn: position.turn().map(Player::number),
            scores: position.scores(),
            places: position.outcome().map(|outcome| outcome.places().to_vec()),
            engine: None,
            moves: Vec::new(),
        }
    }

    fn print(&self, terminal: &mut Terminal<'_>) -> Result<()> {
        serde_json::to_writer(&mut terminal.out, self)?;
        writeln!(terminal.out)?;
        Ok(())
    }
}

impl Move {
    fn of(thought: &Thought<String>, mover: Player) -> Self {
        Move {
            mv: thought.best.clone(),
            lead: thought.lead(mover),
            scores: thought.scores.clone(),
            proven: thought.proven,
            depth: thought.depth,
            nodes: thought.nodes,
            line: thought.line.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_players_the_mover_and_the_best_are_shown() {
        let scores: Vec<i64> = (0..100).collect();
        let numbers: Vec<u32> = (seats(Player::new(6), &scores).iter())
            .map(|p| p.number())
            .collect();
        assert_eq!(numbers, [7, 96, 97, 98, 99, 100]);
    }
}
