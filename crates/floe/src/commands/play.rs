//! `floe play`: play on a full screen.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Result, bail};
use floe_arena::seat::Seat;
use floe_games::{AnyGame, TimeControl};

use crate::looks::Looks;
use crate::terminal::{Look, Terminal};
use crate::{Answer, cli, completing, source};
use floe_terminal::{Begin, Origin, Session};

/// Play against engines and people
///
/// Opens a full screen with a board; without a game, a form asks for everything. F1 shows the
/// rules and the keys.
#[derive(clap::Args, Default)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Game [default: ask in a form]
    #[arg(value_parser = cli::game())]
    game: Option<&'static dyn AnyGame>,

    /// Size and settings, such as 8x8,players=3; with --board, what its file leaves open
    #[arg(long, value_name = "TEXT", requires = "game")]
    setup: Option<String>,

    /// Players by seat: `human`, an engine, or a program such as ./bot; the last one takes all
    /// remaining seats
    #[arg(long, value_name = "SEATS", requires = "game", add = completing::seats())]
    seats: Option<String>,

    /// Seed of the board
    #[arg(long, value_name = "N", requires = "game", conflicts_with = "board")]
    seed: Option<u64>,

    /// Start from the position in this file (`-` is standard input)
    #[arg(long, value_name = "FILE", requires = "game")]
    board: Option<PathBuf>,

    /// Time control of people: none, a time per move such as 10s, or a time per game and an
    /// increment per move such as 5m+3s; running out of time disqualifies the player
    #[arg(long, value_name = "TIME", requires = "game", default_value = "none")]
    clock: TimeControl,

    /// Resume the latest unfinished game
    #[arg(long, conflicts_with = "game")]
    resume: bool,

    /// Show moves without animation
    #[arg(long = "no-animation", alias = "still")]
    still: bool,

    /// Play line by line, as on dumb terminals
    #[arg(long)]
    lines: bool,

    #[command(flatten)]
    looks: Looks,
}

const EXAMPLES: &str = "\
floe play
floe play penguins
floe play gamma --setup 12x10,players=3 --seats human,floe:easy,floe:hard
floe play flood --seats floe:hard,human --seed 7
floe play penguins --seats human,./bot
floe play penguins --board ice.txt --setup penguins=2
floe play gamma --seats human,human --clock 5m+3s
floe play penguins --lines
floe play --resume";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let begin = args.begin()?;
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if args.lines || (is_dumb && io::stdout().is_terminal()) {
        if args.is_board_on_stdin() {
            bail!("--lines reads moves from standard input: give the board as a file");
        }
        let look = Look {
            color: false,
            ..args.looks.look(terminal)?
        };
        floe_terminal::run_lines(begin, terminal.out, look)?;
        return Ok(Answer::Yes);
    }
    if !(io::stdin().is_terminal() || args.is_board_on_stdin()) || !io::stdout().is_terminal() {
        bail!("floe play needs a terminal; --lines plays line by line without one");
    }
    let mut wanted = args.looks.display_options(terminal)?;
    wanted.has_motion &= !args.still;
    floe_terminal::run(begin, wanted)?;
    Ok(Answer::Yes)
}

impl Args {
    fn begin(&self) -> Result<Begin> {
        if self.resume {
            return Ok(Begin::Resume);
        }
        let Some(game) = self.game else {
            return Ok(Begin::Choose);
        };
        let seats = match &self.seats {
            Some(text) => floe_terminal::read_all(text, game)?,
            None => vec![Seat::Human, floe_terminal::default_opponent()],
        };
        let (position, origin) = match &self.board {
            Some(path) => {
                let words = self.setup.as_deref().unwrap_or_default();
                let position = source::completed_position(game, path, words)?;
                (position, Origin::Position)
            }
            None => {
                let setup = self.setup.clone().unwrap_or_default();
                let seed = self.seed.unwrap_or_else(floe_terminal::random_seed);
                let position = source::start(game, &setup, seed)?;
                (position, Origin::Setup { setup, seed })
            }
        };
        let players = position.players() as usize;
        if seats.len() > players {
            bail!("{} seats for {players} players", seats.len());
        }
        let mut session = Session::new(position, origin, seats);
        session.set_time_control(self.clock);
        Ok(Begin::Play(Box::new(session)))
    }

    fn is_board_on_stdin(&self) -> bool {
        self.board
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-")
    }
}
