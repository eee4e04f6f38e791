//! `floe puzzle`: puzzles to solve, on a full screen or line by line.

use std::fs;
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use floe_games::puzzle::{self, Puzzle};
use floe_games::{AnyGame, AnyPosition};
use floe_terminal::picture::Picture;
use floe_terminal::{Begin, Home, PuzzleSet};

use crate::looks::Looks;
use crate::quoting::shown;
use crate::terminal::{COMMAND, FAINT, GOOD, Look, REMARK, STRONG, Terminal};
use crate::{Answer, cli};

/// Solve puzzles: find the one move that is far better
///
/// Starts with the puzzle of the day, which is the same for all players. On a terminal, make the
/// move on the board; there are three tries. Line by line, type a move, or `why`, `next`, `moves`,
/// `board`, `quit`.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Game [default: the first one with puzzles]
    #[arg(value_parser = cli::game())]
    game: Option<&'static dyn AnyGame>,

    /// Puzzles of this file, as `floe puzzles` writes it [default: those that come with floe]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Start with this puzzle [default: the puzzle of the day]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,

    /// Go line by line, as on dumb terminals
    #[arg(long)]
    lines: bool,

    #[command(flatten)]
    looks: Looks,
}

const EXAMPLES: &str = "\
floe puzzle gamma
floe puzzle flood --number 7
floe puzzle --file puzzles.json";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let puzzles = args.puzzles()?;
    let first = args.first(puzzles.len())?;
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let has_screen = io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb;
    if has_screen && !args.lines {
        let set = PuzzleSet {
            puzzles,
            first,
            is_of_day: args.number.is_none(),
        };
        floe_terminal::run(Begin::Puzzles(set), args.looks.display_options(terminal)?)?;
        return Ok(Answer::Yes);
    }
    terminal.look = args.looks.look(terminal)?;
    let mut round = Round {
        puzzles: &puzzles,
        day: args.number.is_none().then_some(first),
        solved: 0,
        seen: 0,
        home: Home::find(),
    };
    round.play(first, &mut io::stdin().lock(), terminal)?;
    Ok(Answer::Yes)
}

impl Args {
    fn puzzles(&self) -> Result<Vec<Puzzle>> {
        let Some(file) = &self.file else {
            let games = match self.game {
                Some(game) => vec![game],
                None => floe_games::games(),
            };
            for game in games {
                let puzzles = puzzle::shipped(game)?;
                if !puzzles.is_empty() {
                    return Ok(puzzles);
                }
            }
            bail!("no puzzles come with this game; make some with `floe puzzles`, then use --file");
        };
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", shown(file)))?;
        let mut puzzles =
            puzzle::read(&text).map_err(|error| anyhow::anyhow!("{}:{error}", file.display()))?;
        if let Some(game) = self.game {
            puzzles.retain(|puzzle| puzzle.game == game.name());
        }
        if puzzles.is_empty() {
            bail!("{}: there are no puzzles in it", shown(file));
        }
        Ok(puzzles)
    }

    fn first(&self, count: usize) -> Result<usize> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        match self.number {
            None => Ok(puzzle::of_day(count, now.unwrap_or_default().as_secs())),
            Some(number) if number as usize <= count => Ok(number as usize - 1),
            Some(number) => bail!("there is no puzzle {number}: the last one is {count}"),
        }
    }
}

/// Puzzles, solved one after the other.
struct Round<'a> {
    puzzles: &'a [Puzzle],
    /// The puzzle of the day.
    day: Option<usize>,
    solved: usize,
    seen: usize,
    /// Where solved puzzles are counted.
    home: Home,
}

/// The next step after a puzzle.
#[derive(PartialEq)]
enum Next {
    Another,
    End,
}

impl Round<'_> {
    fn play(
        &mut self,
        first: usize,
        input: &mut dyn BufRead,
        terminal: &mut Terminal<'_>,
    ) -> Result<()> {
        let order = (first..self.puzzles.len()).chain(0..first);
        for at in order {
            self.seen += 1;
            if self.ask(at, input, terminal)? == Next::End {
                break;
            }
        }
        let (solved, seen) = (self.solved, self.seen);
        writeln!(terminal.out, "{solved} of {seen} solved at the first try.")?;
        Ok(())
    }

    fn ask(
        &mut self,
        at: usize,
        input: &mut dyn BufRead,
        terminal: &mut Terminal<'_>,
    ) -> Result<Next> {
        let puzzle = &self.puzzles[at];
        let position = puzzle.start().map_err(anyhow::Error::msg)?;
        let day = if self.day == Some(at) {
            "puzzle of the day, "
        } else {
            ""
        };
        writeln!(
            terminal.out,
            "\n{STRONG}{}{STRONG:#}: {day}puzzle {} of {}, {}\n",
            position.game().title(),
            at + 1,
            self.puzzles.len(),
            puzzle.level.name()
        )?;
        draw(&*position, terminal)?;
        writeln!(terminal.out, "{STRONG}{}{STRONG:#}", puzzle.task())?;
        let (mut is_first, mut is_told) = (true, false);
        loop {
            write!(
                terminal.out,
                "{FAINT}A move, or why, next, moves, board, quit:{FAINT:#} "
            )?;
            terminal.out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(terminal.out)?;
                return Ok(Next::End);
            }
            match line.trim() {
                "" => {}
                "quit" | "q" => return Ok(Next::End),
                "next" | "n" => return Ok(Next::Another),
                "moves" => writeln!(terminal.out, "{}", position.moves().join(" "))?,
                "board" => draw(&*position, terminal)?,
                "why" => {
                    is_told = true;
                    why(puzzle, terminal)?;
                }
                mv if mv == puzzle.solution() => {
                    self.solved += usize::from(is_first && !is_told);
                    if !is_told {
                        self.home.note_solved_puzzle();
                    }
                    writeln!(terminal.out, "{GOOD}Right.{GOOD:#}")?;
                    why(puzzle, terminal)?;
                    return Ok(Next::Another);
                }
                mv => match position.check(mv) {
                    Ok(()) => {
                        is_first = false;
                        writeln!(
                            terminal.out,
                            "{REMARK}{mv} is not the best move.{REMARK:#} Try again, or type {COMMAND}why{COMMAND:#}."
                        )?;
                    }
                    Err(error) => writeln!(
                        terminal.out,
                        "{mv}: {error}. Type {COMMAND}moves{COMMAND:#} to list all moves."
                    )?,
                },
            }
        }
    }
}

fn draw(position: &dyn AnyPosition, terminal: &mut Terminal<'_>) -> Result<()> {
    let picture = Picture {
        title: position.game().title(),
        view: &position.view(),
        turn: position.turn(),
        outcome: position.outcome(),
    };
    let look: Look = terminal.look;
    terminal.out.write_all(picture.draw(look).as_bytes())?;
    Ok(())
}

/// The solution, with the moves that follow.
fn why(puzzle: &Puzzle, terminal: &mut Terminal<'_>) -> Result<()> {
    writeln!(terminal.out, "{}", puzzle.why())?;
    for line in [&puzzle.best, &puzzle.other] {
        writeln!(terminal.out, "  {}", line.moves.join(" "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use floe_terminal::theme::Theme;

    fn played(typed: &str) -> (String, usize) {
        let puzzles = puzzle::shipped(floe_games::games()[0]).unwrap();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut terminal = Terminal {
            out: &mut out,
            err: &mut err,
            look: Look {
                color: false,
                unicode: false,
                columns: Some(80),
                theme: Theme::Dark,
            },
            is_watched: false,
        };
        let mut round = Round {
            puzzles: &puzzles,
            day: Some(0),
            solved: 0,
            seen: 0,
            home: Home::default(),
        };
        let typed = typed
            .replace("BEST", puzzles[0].solution())
            .replace("OTHER", puzzles[0].other.first());
        round.play(0, &mut typed.as_bytes(), &mut terminal).unwrap();
        let solved = round.solved;
        (String::from_utf8(out).unwrap(), solved)
    }

    #[test]
    fn a_puzzle_is_solved_at_the_first_try_or_later() {
        let (text, solved) = played("BEST\nquit\n");
        assert!(text.contains("puzzle of the day, puzzle 1 of"), "{text}");
        assert!(text.contains("Right."), "{text}");
        assert_eq!(solved, 1);
        let (text, solved) = played("OTHER\nnonsense\nBEST\n");
        assert!(text.contains("is not the best move."), "{text}");
        assert!(text.contains("nonsense: "), "{text}");
        assert!(
            text.ends_with("0 of 2 solved at the first try.\n"),
            "{text}"
        );
        assert_eq!(solved, 0);
    }

    #[test]
    fn whoever_is_told_why_has_not_solved_it() {
        let (text, solved) = played("moves\nwhy\nBEST\nnext\n");
        assert!(text.contains("The next best move, "), "{text}");
        assert_eq!(solved, 0);
    }
}
