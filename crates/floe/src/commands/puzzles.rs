//! `floe puzzles`: positions out of recorded games in which one move is far better.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use floe_games::AnyGame;
use floe_games::puzzle::{self, Finder, Level, Puzzle};
use floe_terminal::output_file::write_whole;
use serde::Serialize;

use crate::json;
use crate::progress;
use crate::quoting::shown;
use crate::records;
use crate::standing::count;
use crate::stopping::stop_flag;
use crate::terminal::{GOOD, Terminal};
use crate::{Answer, cli, completing};

/// Find puzzles in recorded games
///
/// An engine ranks the moves of every position. A position is a puzzle if one move is worth at least
/// 20 % more of the game than the next best, or is proven to win or to hold where the next best is
/// proven not to. Moves that were missed in the game come first, and levels take turns. Equal nodes
/// find equal puzzles on every machine. Ctrl-C writes the puzzles found so far.
///
/// `floe serve` offers the file `puzzles.json` of its folder, and `floe puzzle --file` any file.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Files of records; `-` reads standard input
    #[arg(required = true, value_name = "RECORDS", add = completing::records())]
    files: Vec<PathBuf>,

    /// File to write; an earlier one is replaced
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Only games of this game
    #[arg(long, value_parser = cli::game())]
    game: Option<&'static dyn AnyGame>,

    /// Node limit for each position, such as 50k
    #[arg(long, value_name = "N", default_value = "100k", value_parser = cli::nodes)]
    nodes: u64,

    /// Most puzzles to write
    #[arg(long, value_name = "N", default_value_t = 60)]
    limit: usize,

    /// Print what was written as one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe puzzles games.jsonl -o puzzles.json
floe puzzles cup.jsonl ladder.jsonl -o puzzles.json --nodes 500k --limit 30";

#[derive(Serialize)]
struct PuzzlesFacts<'a> {
    file: &'a Path,
    /// Puzzles written.
    puzzles: usize,
    /// Puzzles found.
    found: usize,
    games: u64,
    /// Whether Ctrl-C ended the search.
    is_stopped: bool,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let stop = stop_flag()?;
    let is_stopped = || stop.load(Ordering::Relaxed);
    let bar = progress::of_games(None, terminal.is_watched);
    let mut finder = Finder::new(args.nodes);
    let mut games = 0;
    for file in &args.files {
        for record in records::open(file)? {
            if is_stopped() {
                break;
            }
            let record = record.map_err(|error| records::place(file, &error))?;
            if args
                .game
                .is_some_and(|game| game.name() != record.opening.game)
            {
                continue;
            }
            let looked = finder.look_at(&record);
            looked.with_context(|| shown(file))?;
            games += 1;
            bar.inc(1);
            bar.set_message(count(finder.found() as u64, "puzzle"));
        }
    }
    bar.finish_and_clear();
    let chosen = finder.choose(args.limit);
    if chosen.is_empty() {
        bail!(
            "no puzzle in {}: add records, or raise --nodes; {} was not written",
            count(games, "game"),
            shown(&args.output)
        );
    }
    write(&args.output, &chosen)?;
    if args.json {
        let facts = PuzzlesFacts {
            file: &args.output,
            puzzles: chosen.len(),
            found: finder.found(),
            games,
            is_stopped: is_stopped(),
        };
        json::print(terminal.out, &facts)?;
        return Ok(Answer::Yes);
    }
    let end = if is_stopped() { ", stopped early" } else { "" };
    writeln!(
        terminal.err,
        "{GOOD}written{GOOD:#}: {}, {} of {} found in {}{end} ({})",
        shown(&args.output),
        count(chosen.len() as u64, "puzzle"),
        finder.found(),
        count(games, "game"),
        levels(&chosen)
    )?;
    Ok(Answer::Yes)
}

fn write(path: &Path, puzzles: &[Puzzle]) -> Result<()> {
    let text = puzzle::write(puzzles)?;
    // The file must be readable again.
    puzzle::read(&text)?;
    write_whole(path, text.as_bytes()).with_context(|| format!("cannot write {}", shown(path)))
}

/// Number of puzzles of each level.
fn levels(puzzles: &[Puzzle]) -> String {
    let parts = Level::ALL.map(|level| {
        let of_level = puzzles.iter().filter(|puzzle| puzzle.level == level);
        format!("{} {}", of_level.count(), level.name())
    });
    parts.join(", ")
}
