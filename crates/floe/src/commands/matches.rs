//! `floe match`: seats against each other over many boards.

mod file;
mod report;

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::value_parser;
use floe_arena::live::{Broadcast, LiveSocket};
use floe_arena::load::Reading;
use floe_arena::runner::{
    CorePool, FailedGame, NamedSeat, PlaysGames, Runner, RunnerError, default_concurrency,
};
use floe_arena::schedule::{Pairing, Schedule};
use floe_arena::seat::{Sandbox, Seat, folder_warnings};
use floe_arena::store::{is_of_worker, take_out_games};
use floe_arena::{Boards, Openings};
use floe_games::AnyGame;
use floe_games::record::Record;
use floe_rating::{Sprt, Verdict};

use self::file::{AppendMode, MatchFile, shifted};
use self::report::{MatchReport, SprtStatus};
use crate::cluster_args::{self, ClusterArgs, ClusterRequest, Players, Priority};
use crate::completing;
use crate::limit_args::LimitArgs;
use crate::live_table::LiveTable;
use crate::quoting::quoted;
use crate::standing::count;
use crate::stopping::stop_flag;
use crate::terminal::{COMMAND, Look, REMARK, Terminal};
use crate::{Answer, cli, json};

/// Play programs and engines against each other
///
/// Every board is played in every rotation of the seats: by two in both orders, by three as 1 2 3,
/// 2 3 1 and 3 1 2. Only boards with all rotations played count: this cancels the first-move
/// advantage. The result has error bars: Elo with a 95 % interval, and the likelihood that the
/// better one really is better.
///
/// A seat is one argument: `./bot` or "python3 bot.py" for a program in the contest's dialect,
/// `line:./bot` for one that uses the line protocol, `floe`, `floe:hard`, `floe:time=200ms`,
/// `floe:nodes=10k,seed=3`, `greedy`, `random` for engines. Programs run in a sandbox; see `floe
/// doctor`. A program can read only the files its seat names: those of its command, more with
/// "files=weights.txt,book.bin ./bot", a whole folder with "dir=alice ./alice/bot". If a contest's
/// dialect has a strict form, `strict:./bot` demands it. For bots of other referees, options come
/// before the command: "newline=no ./bot" sends texts without a final newline, "id=TEAM-E ./bot"
/// sets the name from the start, "extra-calls=yes ./bot" also calls the bot when it has nothing to
/// do.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// Seats, two or more
    #[arg(required = true, num_args = 2.., value_name = "SEAT", add = completing::seat())]
    seats: Vec<String>,

    /// Number of boards, each played in every rotation of the seats
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pairs: Option<u64>,

    /// Play until it is clear whether the first seat is better, such as elo0=0,elo1=10
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,

    /// Setup of the boards; see `floe new --help`
    #[arg(long, default_value = "", hide_default_value = true)]
    setup: String,

    /// Seed of the first board; the others follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Play on this board; may be repeated. --setup then adds what its file leaves open, such as
    /// penguins=2
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    board: Vec<PathBuf>,

    /// Openings: `none`, a number of random moves, or a file with one opening per line [default: as
    /// many moves as suit the game; none if boards differ]
    ///
    /// Random openings are drawn from the seed of each board; all rotations of the seats play the
    /// same one. A short search selects openings in which the seats are about even.
    #[arg(long, value_name = "none|N|FILE")]
    openings: Option<String>,

    /// Concurrent games [default: cores ÷ seats]
    #[arg(long, alias = "tables", value_name = "N", value_parser = value_parser!(u32).range(1..))]
    concurrency: Option<u32>,

    /// Write the games to this new file, for `floe replay` and `floe verify`
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,

    /// Append the games to those in the file
    #[arg(long, requires = "records", conflicts_with = "resume")]
    append: bool,

    /// Resume the match in the file: existing games count, missing ones are played. ID is its first
    /// game, if it was appended to others
    #[arg(long, requires = "records", value_name = "ID", num_args = 0..=1, require_equals = true,
          default_missing_value = "1", value_parser = value_parser!(u64).range(1..))]
    resume: Option<u64>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(long, short)]
    quiet: bool,

    // Last, because what follows stands under its heading.
    #[command(flatten)]
    allowed: LimitArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

const EXAMPLES: &str = "\
floe match penguins ./bot floe:easy
floe match flood ./bot \"python3 old.py\" --pairs 50 --setup 20x20 --records games.jsonl
floe match gamma line:./bot greedy random --pairs 10 --time 200ms
floe match gamma ./bot ./old --openings 4 --pairs 100
floe match penguins floe:nodes=2k floe:nodes=1k --sprt elo0=0,elo1=50 --records test.jsonl
floe match penguins floe:nodes=2k floe:nodes=1k --sprt elo0=0,elo1=50 --records test.jsonl --resume";

/// Default number of boards.
const DEFAULT_BOARDS: u64 = 10;

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let mut playing = Playing::new(args, terminal)?;
    playing.count_earlier(terminal)?;
    let outcome = playing.play()?;
    playing.print_result(terminal)?;
    playing.answer(outcome, terminal)
}

/// A match in progress.
struct Playing<'a> {
    args: &'a Args,
    sprt: Option<Sprt>,
    schedule: Schedule,
    file: Option<MatchFile>,
    /// The number that the match's first game has in its file.
    first: u64,
    /// Games played earlier, by their numbers in the match.
    earlier: HashSet<u64>,
    report: MatchReport,
    progress: Progress,
    /// The runner; before it is made, the settings for it.
    runner: Option<Runner>,
    stop: Arc<AtomicBool>,
    _live: Option<LiveSocket>,
}

impl<'a> Playing<'a> {
    fn new(args: &'a Args, terminal: &mut Terminal<'_>) -> Result<Self> {
        let sprt = args.sprt.as_deref().map(str::parse::<Sprt>);
        let sprt = sprt.transpose().context("--sprt")?;
        if sprt.is_some() && args.seats.len() != 2 {
            bail!("--sprt compares two seats, not {}", args.seats.len());
        }
        let runner = runner(args, terminal)?;
        let seats = runner.entrants.len();
        let units = args.pairs.unwrap_or(match sprt {
            Some(_) => u64::from(u32::MAX),
            None => runner.boards.count().unwrap_or(DEFAULT_BOARDS),
        });
        let schedule = Schedule::round_robin(seats, seats, units, 0)?;
        let onto = match (args.append, args.resume) {
            (true, _) => AppendMode::Others,
            (false, Some(first)) => AppendMode::Itself(first),
            (false, None) => AppendMode::Nothing,
        };
        let records = args.records.as_deref();
        let file = records.map(|path| MatchFile::open(path, onto, &runner, &schedule));
        let file = file.transpose()?;
        let mut report = MatchReport::new(&runner, args.game, args.seed, units);
        if args.cluster.is_wanted() {
            report.play_elsewhere();
        }
        let length = sprt.is_none().then(|| schedule.len());
        Ok(Playing {
            args,
            sprt,
            first: file.as_ref().map_or(0, |file| file.first),
            file,
            schedule,
            earlier: HashSet::new(),
            report,
            progress: Progress::new(length, !args.quiet && terminal.is_watched, terminal.look),
            _live: records.and_then(|records| LiveSocket::beside(records, &runner.live)),
            runner: Some(runner),
            stop: stop_flag()?,
        })
    }

    /// Counts the games played before an interruption.
    fn count_earlier(&mut self, terminal: &mut Terminal<'_>) -> Result<()> {
        let file = self.file.as_mut();
        let played = file.map_or_else(Default::default, |file| std::mem::take(&mut file.played));
        for (number, record) in played {
            let number = number - self.first;
            self.earlier.insert(number);
            if let Some(pairing) = self.schedule.pairing(number) {
                self.report.add(&pairing, &record);
                self.progress.show(&self.report, None);
            }
        }
        if let (many @ 1.., false) = (self.earlier.len(), self.args.quiet) {
            let were = if many == 1 { "was" } else { "were" };
            let games = count(many as u64, "game");
            writeln!(terminal.err, "{games} {were} played before")?;
        }
        Ok(())
    }

    /// Plays the missing games, or until a test has its verdict.
    fn play(&mut self) -> Result<Outcome> {
        let players = self.players()?;
        players.send_remarks_to(&self.progress.table.bar);
        let (first, seats) = (self.first, self.args.seats.len() as u64);
        let missing = self.schedule.pairings();
        let mut missing = missing
            .filter(|pairing| !self.earlier.contains(&pairing.number))
            .map(|pairing| shifted(pairing, first, seats));
        let (report, sprt, progress) = (&mut self.report, self.sprt.as_ref(), &self.progress);
        let mut file = self.file.take();
        let mut failed: Option<io::Error> = None;
        let outcome = match judge(report, sprt) {
            ControlFlow::Break(()) => Ok(Vec::new()),
            ControlFlow::Continue(()) => {
                let mut done = |pairing: Pairing, record: Record| {
                    if let Some(Err(error)) = file.as_mut().map(|file| file.append(&record)) {
                        failed = Some(error);
                        return ControlFlow::Break(());
                    }
                    report.add(&pairing, &record);
                    progress.table.add(&record);
                    let next = judge(report, sprt);
                    progress.show(report, Some(&players));
                    next
                };
                let players = progress.table.last_games(players.as_dyn());
                players.play_pairings(&mut missing, &self.stop, &mut done)
            }
        };
        self.progress.table.clear();
        file.map_or(Ok(()), MatchFile::finish)?;
        if let (Some(error), Some(path)) = (failed, &self.args.records) {
            return Err(error).with_context(|| format!("cannot write {}", path.display()));
        }
        Ok(outcome)
    }

    fn players(&mut self) -> Result<Players> {
        let (args, records) = (self.args, self.args.records.as_ref());
        let runner = self.runner.take().context("a match is played once")?;
        if !args.cluster.is_wanted() {
            return Ok(Players::Here(Box::new(runner)));
        }
        args.cluster.players(ClusterRequest {
            name: records.and_then(|path| path.canonicalize().ok()),
            goes_on: !self.earlier.is_empty(),
            sandbox: args.allowed.required_sandbox()?,
            speed: None,
            priority: Priority::Normal,
            runner,
        })
    }

    fn print_result(&self, terminal: &mut Terminal<'_>) -> Result<()> {
        let records = self.args.records.as_deref();
        if self.args.json {
            json::print(terminal.out, &self.report.json())?;
        } else {
            let text = self.report.report(terminal.look, records);
            terminal.out.write_all(text.as_bytes())?;
        }
        if let Some(message) = self.report.overloaded.warning(records) {
            writeln!(terminal.err, "{message}")?;
        }
        Ok(())
    }

    /// Whether all games were played; otherwise prints the reason, and how to resume.
    fn answer(&self, outcome: Outcome, terminal: &mut Terminal<'_>) -> Result<Answer> {
        let command = resuming(std::env::args().skip(1), self.first + 1);
        if let (Err(RunnerError::Deviates { worker, .. }), Some(path)) =
            (&outcome, &self.args.records)
        {
            let taken = take_out_games(path, |record| is_of_worker(record, worker))?;
            cluster_args::report_taken_out(worker, &taken, terminal)?;
            writeln!(
                terminal.err,
                "play them again with {COMMAND}{command}{COMMAND:#}"
            )?;
            return Ok(Answer::No);
        }
        let failed_games = outcome?;
        report_failed_games(&failed_games, terminal)?;
        if self.stop.load(Ordering::Relaxed) || self.progress.table.has_refused() {
            let goes_on = match self.args.records {
                None => String::new(),
                Some(_) => format!("; resume with {COMMAND}{command}{COMMAND:#}"),
            };
            writeln!(
                terminal.err,
                "{REMARK}stopped{REMARK:#} before the match was over{goes_on}"
            )?;
            return Ok(Answer::No);
        }
        Ok(match failed_games.is_empty() {
            true => Answer::Yes,
            false => Answer::No,
        })
    }
}

/// The failed games, or the reason why no more could be played.
type Outcome = Result<Vec<FailedGame>, RunnerError>;

/// Whether another game can change the result.
fn judge(report: &mut MatchReport, sprt: Option<&Sprt>) -> ControlFlow<()> {
    report.trial = sprt.map(|sprt| SprtStatus::new(sprt, &report.pairs()));
    match report.trial.as_ref().map(|trial| trial.verdict) {
        None | Some(Verdict::Undecided) if !report.has_run_dry() => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    }
}

/// The command that resumes a match with these arguments and this first game.
fn resuming(words: impl Iterator<Item = String>, first: u64) -> String {
    let is_other = |word: &String| word != "--append" && !word.starts_with("--resume");
    let words: Vec<String> = words
        .filter(is_other)
        .map(|word| quoted(&word).into_owned())
        .collect();
    let resume = match first {
        1 => "--resume".to_owned(),
        id => format!("--resume={id}"),
    };
    format!("floe {} {resume}", words.join(" "))
}

/// Reports the failed games and their players.
pub(super) fn report_failed_games(games: &[FailedGame], terminal: &mut Terminal<'_>) -> Result<()> {
    for game in games {
        let game = game.to_string();
        let game = floe_rules::text::visible(&game);
        writeln!(terminal.err, "{REMARK}failed game:{REMARK:#} {game}")?;
    }
    Ok(())
}

/// The runner of a match; everything is checked before the first game.
fn runner(args: &Args, terminal: &mut Terminal<'_>) -> Result<Runner> {
    let here = Path::new(".");
    let mut seats = Vec::new();
    for word in &args.seats {
        match Seat::read_own(word, args.game, here)? {
            Seat::Human => {
                bail!("`human` plays with `floe play`; a match is for programs and engines")
            }
            seat => seats.push(seat),
        }
    }
    let boards = boards(args, seats.len())?;
    for warning in folder_warnings(&seats) {
        writeln!(terminal.err, "{REMARK}warning:{REMARK:#} {warning}")?;
    }
    let tables = args
        .concurrency
        .map_or_else(|| default_concurrency(seats.len()), |n| n as usize);
    let programs = seats.iter().filter(|seat| seat.is_program()).count();
    let sandbox = match programs {
        _ if args.cluster.is_wanted() => Sandbox::none(),
        0 => Sandbox::none(),
        _ => args.allowed.sandbox(programs * tables, terminal)?,
    };
    let names = names(&args.seats);
    let entrants = names.into_iter().zip(seats).map(|(name, seat)| NamedSeat {
        name,
        seat,
        limits: None,
    });
    Ok(Runner {
        entrants: entrants.collect(),
        boards,
        limits: args.allowed.limits(&args.game.contest_limits()),
        sandbox,
        tables,
        cores: args.concurrency.is_none().then(CorePool::machine),
        live: Broadcast::default(),
        meter: Reading::now,
    })
}

/// The boards for this number of seats.
fn boards(args: &Args, seats: usize) -> Result<Boards> {
    let boards = match args.board.as_slice() {
        [] => Boards::made_for(args.game, &args.setup, args.seed, seats).context("--setup")?,
        files => Boards::completed(args.game, files, &args.setup)?,
    };
    let openings = args.openings.as_deref();
    let openings = openings.map(|word| Openings::read(word, Path::new(".")));
    let openings = openings
        .transpose()
        .context("--openings")?
        .unwrap_or_default();
    match boards.players() {
        Some(players) if players as usize == seats => {
            Ok(boards.with_openings(openings).context("--openings")?)
        }
        Some(players) => bail!("the board is for {players} and {seats} seats are given"),
        None => bail!("the boards are for different numbers of players"),
    }
}

/// The seat specs, numbered where two are equal.
fn names(words: &[String]) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut names = Vec::new();
    for word in words {
        let mut name = word.clone();
        let mut copy = 2;
        while !taken.insert(name.clone()) {
            name = format!("{word} ({copy})");
            copy += 1;
        }
        names.push(name);
    }
    names
}

/// Games or faults shown below the live table.
const LATEST: usize = 5;

/// The live table, redrawn now and then.
struct Progress {
    table: LiveTable,
    last: std::cell::Cell<Option<Instant>>,
}

impl Progress {
    fn new(length: Option<u64>, is_shown: bool, look: Look) -> Self {
        Progress {
            table: LiveTable::new(length, is_shown, look),
            last: std::cell::Cell::new(None),
        }
    }

    fn show(&self, matter: &MatchReport, players: Option<&Players>) {
        let bar = &self.table.bar;
        bar.inc(1);
        let now = Instant::now();
        let is_due = |last: Instant| now - last >= Duration::from_millis(200);
        // Statistics cost more than a short game.
        if !bar.is_hidden() && self.last.get().is_none_or(is_due) {
            self.last.set(Some(now));
            let text = format!("\n{}\n", matter.live());
            let text = match players {
                Some(players) => players.with_line(text),
                None => text,
            };
            self.table.show(text, LATEST, None);
        }
    }
}
