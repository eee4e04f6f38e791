//! `floe tournament`: plays a tournament, or the rest of it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Error, Result, anyhow, bail};
use clap::value_parser;
use floe_arena::live::LiveSocket;
use floe_arena::runner::{CorePool, RunnerError, default_concurrency};
use floe_arena::seat::{Sandbox, Seat, folder_warnings};
use floe_arena::tournament::{Description, Ended, Tournament, TournamentError};

use super::matches::report_failed_games;
use crate::cluster_args::{self, ClusterArgs, ClusterRequest, Players, Priority};
use crate::contest::print_notices;
use crate::file_kind::expect_description;
use crate::limit_args::{find_sandbox, level_of_workers};
use crate::live_table::LiveTable;
use crate::overload::OverloadedGames;
use crate::quoting::shown;
use crate::standing::{self, Exports};
use crate::stopping::stop_flag;
use crate::terminal::{COMMAND, Look, REMARK, Terminal};
use crate::{Answer, cli, progress};

/// Play or resume a tournament
///
/// The file describes everything; its games are stored next to it, in NAME.jsonl, with an index in
/// NAME.sqlite. Stop it whenever you like: the same command resumes it, and no game is lost or
/// counted twice. Ctrl-C cancels the games in progress at once; they are played again.
///
/// During play, `floe watch` and the pages of `floe serve` show its games move by move.
///
/// The exit code is 0 once all games are played, and 1 if some are missing.
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Args {
    /// File with the description
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,

    /// Concurrent games [default: cores ÷ seats]
    #[arg(long, alias = "tables", value_name = "N", value_parser = value_parser!(u32).range(1..))]
    concurrency: Option<u32>,

    /// Require at least this sandbox level
    #[arg(long, value_name = "LEVEL", value_parser = value_parser!(u8).range(0..=3))]
    require_sandbox: Option<u8>,

    /// Run programs at exactly this sandbox level, to measure and compare [default: this machine's
    /// highest level]
    #[arg(long, value_name = "LEVEL", conflicts_with = "require_sandbox")]
    #[arg(value_parser = value_parser!(u8).range(0..=3))]
    sandbox: Option<u8>,

    /// Resume despite changed programs, limits or entrants: games of entrants that left do not
    /// count, all others do, and missing games are played
    #[arg(long, conflicts_with = "fresh")]
    accept_changes: bool,

    /// Move the existing games to NAME.1.jsonl, and start again
    #[arg(long)]
    fresh: bool,

    /// Show no progress
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    exports: Exports,

    // Last, because what follows stands under its heading.
    #[command(flatten)]
    cluster: ClusterArgs,
}

const EXAMPLES: &str = "\
floe tournament cup.toml
floe tournament cup.toml --csv=table.csv --markdown=table.md
floe tournament cup.toml --cluster nats://host --key organiser.nk
floe standings cup.toml";

const DESCRIPTION: &str = "\
game = \"penguins\"
format = \"round-robin\"   # or gauntlet, swiss, knockout
seats = 2                # seats per game; round-robins and gauntlets may have more
anchor = \"reference\"     # its Elo is 0 [default: the mean is]

[boards]
setup = \"8x8,penguins=2\" # see `floe new --help`; or files = [\"one.txt\", \"two.txt\"]
seed = 1
count = 10               # boards of each meeting, each played in every rotation

[limits]
time = \"1s\"              # also margin, strikes, start, memory, address-space
memory = \"256MiB\"

[entrants]               # paths are relative to this file's folder
alice = \"./alice/bot\"
bob = \"python3 bob/bot.py\"
carol = \"files=carol/net.bin ./carol/bot\" # a file it reads; dir=carol for all of a folder
reference = \"floe:easy\"
dave = { seat = \"./dave/bot\", limits = { time = \"2s\" } } # its own limits

# Swiss: { seat = \"./erin/bot\", joins = 3 } plays from round 3 on; earlier rounds count as
# draws. There and in a knockout, leaves = 4 ends its games before round 4.
# openings under [boards]: \"none\", a number of random moves, or a file with one opening per
# line [default: games that always start alike get as many moves as suit them].
# Also: seed (of random draws), rounds (swiss), challengers (gauntlet: how many of the first),
# extra (knockout: boards while even), sandbox (least level), concurrency, results (folder).
# On many machines: [machine-speed] with reference (nodes/s, see `floe bench`) and within (such as \"10%\")
# plays games with time limits on machines of that speed only; scale = true scales the time
# limit instead.";

fn after_help() -> String {
    let lines: Vec<String> = DESCRIPTION
        .lines()
        .map(|line| format!("  {line}"))
        .collect();
    format!(
        "{}\n{}\n\n{}",
        cli::heading("A description:"),
        lines.join("\n").replace("  \n", "\n"),
        cli::examples(EXAMPLES)
    )
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    expect_description(&args.file)?;
    let description = Description::load(&args.file).map_err(|error| {
        let error = Error::from(error);
        anyhow!("{error:#}\n  = nothing was played; correct this, then run the command again")
    })?;
    if args.fresh
        && let Some(aside) = Tournament::start_anew(&description)?
    {
        let aside = aside.display();
        writeln!(
            terminal.err,
            "{REMARK}note:{REMARK:#} the earlier games are in {aside} now"
        )?;
    }
    let mut tournament = open(description.clone(), args.accept_changes)?;
    let players = players(args, &tournament, terminal)?;
    let stop = stop_flag()?;
    let _told = LiveSocket::beside(&tournament.description().records, tournament.live());
    let mut progress = Progress::new(&tournament, args.quiet, terminal)?;
    players.send_remarks_to(&progress.table.bar);
    let ended = loop {
        let last_games = progress.table.last_games(players.as_dyn());
        let ended = tournament.run(&last_games, &stop, |tournament, record| {
            progress.table.add(record);
            progress.show(tournament, &players);
        });
        let Err(TournamentError::Runner(RunnerError::Deviates { worker, .. })) = &ended else {
            break ended;
        };
        progress.table.clear();
        // The worker's games do not count, so other workers play them again.
        let taken;
        (tournament, taken) = tournament.without_games_of(worker, args.accept_changes)?;
        cluster_args::report_taken_out(worker, &taken, terminal)?;
        progress = Progress::new(&tournament, args.quiet, terminal)?;
        players.send_remarks_to(&progress.table.bar);
    };
    progress.table.clear();
    if ended.is_ok() {
        args.exports.write(&tournament.standings(), terminal)?;
    }
    terminal.out.flush()?;
    print_notices(tournament.store(), terminal)?;
    report_failed_games(tournament.failed_games(), terminal)?;
    let overloaded = OverloadedGames::of(tournament.store())?;
    if let Some(message) = overloaded.warning(Some(&args.file)) {
        writeln!(terminal.err, "\n{message}")?;
    }
    let accept = if args.accept_changes {
        " --accept-changes"
    } else {
        ""
    };
    let there = args.cluster.words();
    let command = format!("floe tournament {}{accept}{there}", shown(&args.file));
    match ended {
        Ok(Ended::Finished) if args.quiet => Ok(Answer::Yes),
        Ok(Ended::Finished) => {
            let mut totals = tournament.scoreboard().totals().iter();
            let (what, faulty) = match totals.any(|entrant| !entrant.faults.is_empty()) {
                true => ("faults", " --faulty"),
                false => ("games", ""),
            };
            let file = shown(&args.file);
            writeln!(
                terminal.err,
                "\nlook at the {what} with {COMMAND}floe games {file}{faulty}{COMMAND:#}"
            )?;
            Ok(Answer::Yes)
        }
        Ok(Ended::Stopped) => {
            let why = match tournament.failed_games().is_empty() {
                true => "stopped",
                false => "not all could be played",
            };
            writeln!(
                terminal.err,
                "\n{REMARK}{why}{REMARK:#}; resume with {COMMAND}{command}{COMMAND:#}"
            )?;
            Ok(Answer::No)
        }
        Err(error) => bail!(
            "{error}\n  = no finished game is lost; fix this, then resume with \
             `{command}`"
        ),
    }
}

/// Opens a tournament, or explains which changes prevent that.
fn open(description: Description, accepts_changes: bool) -> Result<Tournament> {
    match Tournament::open(description, accepts_changes) {
        Err(TournamentError::Changed { changes }) => {
            let slight = changes.iter().all(|change| change.is_slight);
            let error = TournamentError::Changed { changes };
            let advice = match slight {
                true => {
                    "resume with --accept-changes to count the existing games all the same, \
                     or start again with --fresh, which moves them to another file"
                }
                false => {
                    "undo that, or start again with --fresh, which moves the existing games to \
                     another file"
                }
            };
            bail!("{error}\n  = {advice}");
        }
        other => Ok(other?),
    }
}

/// The runner of the games: this machine's, or a cluster's.
fn players(args: &Args, tournament: &Tournament, terminal: &mut Terminal<'_>) -> Result<Players> {
    let description = tournament.description();
    if !args.cluster.is_wanted() {
        return Ok(Players::Here(Box::new(runner(args, tournament, terminal)?)));
    }
    let records = description.records.canonicalize();
    let required = args.require_sandbox.unwrap_or(description.sandbox);
    let wanted = ClusterRequest {
        runner: tournament.runner(Sandbox::none(), 1, None),
        name: Some(records.unwrap_or_else(|_| description.records.clone())),
        goes_on: tournament.played() > 0,
        sandbox: level_of_workers(args.sandbox, required)?,
        speed: description.machine_speed.clone(),
        priority: Priority::Normal,
    };
    args.cluster.players(wanted)
}

fn runner(
    args: &Args,
    tournament: &Tournament,
    terminal: &mut Terminal<'_>,
) -> Result<floe_arena::runner::Runner> {
    let description = tournament.description();
    let chosen = args
        .concurrency
        .map(|tables| tables as usize)
        .or(description.concurrency);
    let tables = chosen.unwrap_or_else(|| default_concurrency(description.table));
    let is_program = description
        .entrants
        .iter()
        .any(|entrant| entrant.seat.is_program());
    let sandbox = match is_program {
        false => Sandbox::none(),
        true => {
            let required = args.require_sandbox.unwrap_or(description.sandbox);
            find_sandbox(args.sandbox, required, tables * description.table, terminal)?
        }
    };
    let entrants = description.entrants.iter();
    let seats: Vec<Seat> = entrants.map(|entrant| entrant.seat.clone()).collect();
    for warning in folder_warnings(&seats) {
        writeln!(terminal.err, "{REMARK}warning:{REMARK:#} {warning}")?;
    }
    Ok(tournament.runner(sandbox, tables, chosen.is_none().then(CorePool::machine)))
}

/// Live standings; without a terminal, an occasional line.
struct Progress {
    table: LiveTable,
    /// Interval between updates; `None` if progress is not shown.
    every: Option<Duration>,
    is_watched: bool,
    look: Look,
    last: Instant,
}

/// Entrants shown in live standings.
const SHOWN: usize = 10;
/// Lines of live standings and latest games together.
const LIVE_LINES: usize = 13;

impl Progress {
    fn new(tournament: &Tournament, quiet: bool, terminal: &mut Terminal<'_>) -> Result<Self> {
        let is_watched = terminal.is_watched && !quiet;
        let played = tournament.played();
        let table = LiveTable::new(tournament.length(), is_watched, terminal.look);
        table.bar.set_position(played);
        table.bar.reset_eta();
        if played > 0 && !quiet {
            let of = tournament
                .length()
                .map_or(String::new(), |length| format!(" of {length}"));
            let were = if played == 1 { "was" } else { "were" };
            let played = standing::count(played, "game");
            writeln!(terminal.err, "{played}{of} {were} played before")?;
        }
        let every = match (quiet, is_watched) {
            (true, _) => None,
            (_, true) => Some(Duration::from_millis(500)),
            (_, false) => Some(Duration::from_secs(30)),
        };
        Ok(Progress {
            table,
            every,
            is_watched,
            look: terminal.look,
            last: Instant::now(),
        })
    }

    fn show(&mut self, tournament: &Tournament, players: &Players) {
        self.table.bar.inc(1);
        if self.every.is_none_or(|every| self.last.elapsed() < every) {
            return;
        }
        let start = Instant::now();
        let results = tournament.standings();
        if self.is_watched {
            let mut leaders = results;
            leaders.rows.truncate(SHOWN);
            let room = LIVE_LINES.saturating_sub(leaders.rows.len());
            let text = format!("\n{}", standing::leaders(&leaders, self.look));
            let crosstable = standing::crosstable(&leaders, self.look);
            self.table.show(players.with_line(text), room, crosstable);
        } else if let Some(first) = results.rows.first() {
            let of = results
                .length
                .map_or(String::new(), |length| format!(" of {length}"));
            let played = standing::count(self.table.bar.position(), "game");
            let status = players.status_line(self.table.bar.eta());
            progress::print(format_args!("{played}{of}; {} leads{status}", first.name));
        }
        self.last = Instant::now();
        // Standings of many entrants take time, and games come first.
        if let Some(every) = &mut self.every {
            *every = (*every).max(start.elapsed() * 20);
        }
    }
}
