//! `floe league run`: plays the ladder.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::value_parser;
use floe_arena::runner::{CorePool, Runner, RunnerError, default_concurrency};
use floe_arena::seat::Sandbox;
use floe_league::League;
use floe_league::ladder::{IdleReason, Ladder, LadderError, LadderRunner, LadderTable, RunEnd};

use super::status;
use crate::cluster_args::{self, ClusterArgs, ClusterRequest, Players, Priority};
use crate::contest::print_notices;
use crate::quoting::shown;
use crate::standing::count;
use crate::stopping::stop_flag;
use crate::terminal::{COMMAND, REMARK, Terminal};
use crate::{Answer, cli, progress};

/// Play the ladder
///
/// Plays the most informative games, one after another, until you stop it or for a number of games;
/// newly accepted versions join. Games are stored in FOLDER/ladder.jsonl. Stop it whenever you
/// like: the same command resumes it, and no game is lost or counted twice.
///
/// The exit code is 1 if fewer games than requested could be played.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Folder of the league
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// Play this many games and stop
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Concurrent games [default: cores ÷ seats]
    #[arg(long, alias = "tables", value_name = "N", value_parser = value_parser!(u32).range(1..))]
    concurrency: Option<u32>,

    /// Show no progress
    #[arg(long, short)]
    quiet: bool,

    /// Print the standings as JSON at the end, as `floe league status --json` does
    #[arg(long)]
    json: bool,

    // Last, because what follows stands under its heading.
    #[command(flatten)]
    cluster: ClusterArgs,
}

const EXAMPLES: &str = "\
floe league run cup
floe league run cup --games 500 --concurrency 2
floe league run cup --games 500 --quiet --json > table.json
floe league run cup --cluster nats://host --key organiser.nk";

/// Interval between lines without a terminal.
const EVERY: Duration = Duration::from_secs(30);

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let league = League::open(&args.folder)?;
    let mut ladder = Ladder::open(&league)?;
    print_notices(ladder.store(), terminal)?;
    let mut runner = runner(&league, args.concurrency, &args.cluster, terminal)?;
    runner.games = args.games;
    let players = players(&args.cluster, runner.tables_of(&ladder), &ladder)?;
    let stop = stop_flag()?;
    let before = ladder.games();
    if before > 0 && !args.quiet {
        let were = if before == 1 { "was" } else { "were" };
        writeln!(
            terminal.err,
            "{} {were} played before",
            count(before, "game")
        )?;
    }
    let is_watched = terminal.is_watched && !args.quiet;
    let bar = progress::of_games(args.games, is_watched);
    players.send_remarks_to(&bar);
    let mut last = Instant::now();
    let ended = loop {
        let ended = runner.run_with(players.as_dyn(), &mut ladder, &stop, |ladder| {
            bar.inc(1);
            if !is_watched && !args.quiet && last.elapsed() > EVERY {
                let status = players.status_line(Duration::ZERO);
                progress::print(format_args!("{}{status}", count(ladder.games(), "game")));
                last = Instant::now();
            }
        });
        let Err(LadderError::Runner(RunnerError::Deviates { worker, .. })) = &ended else {
            break ended;
        };
        // The worker's games do not count, so other workers play them again.
        let taken;
        (ladder, taken) = ladder.without_games_of(worker)?;
        bar.suspend(|| cluster_args::report_taken_out(worker, &taken, terminal))?;
        // The number of games still to play.
        runner.games = args.games.map(|games| before + games - ladder.games());
        bar.set_position(ladder.games().saturating_sub(before));
    };
    bar.finish_and_clear();
    let again = format!(
        "floe league run {}{}",
        shown(&args.folder),
        args.cluster.words()
    );
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => bail!(
            "{error}\n  = no finished game is lost; fix this, then resume with \
             `{again}`"
        ),
    };
    if !args.quiet || args.json {
        let table = match ended {
            RunEnd::Played => LadderTable::open_read_only(&league)?,
            // After Ctrl-C, do not wait for error bars.
            _ => ladder.table()?,
        };
        match args.json {
            true => status::write_json(&table, terminal)?,
            false => status::write(&table, false, terminal)?,
        }
        terminal.out.flush()?;
    }
    match ended {
        RunEnd::Played => Ok(Answer::Yes),
        RunEnd::Stopped => {
            writeln!(
                terminal.err,
                "\n{REMARK}stopped{REMARK:#}; resume with {COMMAND}{again}{COMMAND:#}"
            )?;
            Ok(Answer::Yes)
        }
        RunEnd::IdleReason(held) => {
            writeln!(terminal.err, "{REMARK}note:{REMARK:#} {}", why(held))?;
            Ok(Answer::No)
        }
    }
}

/// The reason why no game is started, in a sentence.
fn why(held: IdleReason) -> &'static str {
    match held {
        IdleReason::Paused => "the ladder is paused; nothing is played until it is resumed",
        IdleReason::Finals => "finals are being played; the ladder resumes after them",
        IdleReason::DayIsFull => {
            "today's games are played (games-a-day in league.toml); more tomorrow"
        }
        IdleReason::TooFew => {
            "too few entrants have an accepted version; nothing can be played yet"
        }
    }
}

/// The runner of a ladder: this machine's, or a cluster's.
pub(super) fn players(elsewhere: &ClusterArgs, tables: Runner, ladder: &Ladder) -> Result<Players> {
    if !elsewhere.is_wanted() {
        return Ok(Players::Here(Box::new(tables)));
    }
    let league = ladder.league();
    let records = league.ladder_file();
    elsewhere.players(ClusterRequest {
        runner: tables,
        name: Some(records.canonicalize().unwrap_or(records)),
        goes_on: ladder.games() > 0,
        sandbox: league.description().sandbox,
        speed: league.description().machine_speed.clone(),
        priority: Priority::Normal,
    })
}

/// The runner of a league's games.
pub(super) fn runner(
    league: &League,
    tables: Option<u32>,
    elsewhere: &ClusterArgs,
    terminal: &mut Terminal<'_>,
) -> Result<LadderRunner> {
    let description = league.description();
    let chosen = tables.map(|tables| tables as usize);
    let chosen = chosen.or(description.ladder.concurrency);
    let tables = chosen.unwrap_or_else(|| default_concurrency(description.table));
    if elsewhere.is_wanted() {
        return Ok(LadderRunner::new(Sandbox::none(), tables));
    }
    let sandbox = league.sandbox(Path::new(""), tables * description.table)?;
    if sandbox.layers().level() == 0 {
        writeln!(
            terminal.err,
            "{REMARK}warning:{REMARK:#} programs run almost as you here: nothing keeps them from your \
             files or the network; `floe doctor` says why"
        )?;
    }
    Ok(LadderRunner {
        cores: chosen.is_none().then(CorePool::machine),
        ..LadderRunner::new(sandbox, tables)
    })
}
