//! `floe check program`: tests a program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use floe_arena::conformance::{
    self, Cause, CheckEvent, CheckReport, ConformanceCheck, Finding, NamedBoard,
};
use floe_arena::seat::Seat;
use floe_arena::tournament::Description;
use floe_arena::{Boards, Openings};
use floe_games::AnyGame;
use floe_games::record::MoveLimits;
use floe_rules::text::visible;
use serde::Serialize;

use crate::limit_args::ProgramLimitArgs;
use crate::standing::count;
use crate::terminal::{COMMAND, ERROR, FAINT, GOOD, REMARK, STRONG, Terminal};
use crate::{Answer, cli, completing, progress};

/// Test a program: does it play, and in its contest's exact form?
///
/// Plays whole games against `greedy` from every seat, and against itself, on the boards and
/// under the limits in force. Then asks single questions that a referee can send; what is wrong
/// there is a remark. Each cause is reported once, with what to do and a command that repeats it.
/// With --strict, everything the contest asks for is tried and counts: boards of odd sizes, files
/// as others write them, wrong arguments, exit codes. The exit code is 0 if all is well, 1 if the
/// program does not play, and 3 if it plays but fails --strict.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// Program: its command, or `line:` and the command if it uses the line protocol
    #[arg(value_name = "SEAT", add = completing::seat())]
    seat: String,

    /// Play on boards of this setup, such as your league's; may be repeated
    #[arg(long)]
    setup: Vec<String>,

    /// Play on the boards of this tournament, with its limits
    #[arg(long, value_name = "FILE.toml")]
    tournament: Option<PathBuf>,

    /// Demand the exact form of the contest
    #[arg(long)]
    strict: bool,

    /// Time limit of the games against itself [default: 55s]
    #[arg(long, value_name = "TIME", value_parser = time)]
    self_play: Option<Duration>,

    /// Write the files of every case to a folder, and print commands that use them
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Print one JSON object per case, each on a line of its own; the last one is the report
    #[arg(long)]
    json: bool,

    // Last, because what follows stands under its heading.
    #[command(flatten)]
    allowed: ProgramLimitArgs,
}

const EXAMPLES: &str = "\
floe check program penguins ./bot
floe check program flood \"python3 bot.py\" --time 500ms
floe check program penguins ./bot --tournament cup.toml
floe check program penguins ./bot --strict
floe check program gamma line:./bot --keep cases";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let seat = Seat::read_own(&args.seat, args.game, Path::new("."))?;
    let Seat::Program(program) = seat else {
        bail!("{} is no program; name one, such as ./bot", args.seat);
    };
    if let Some(interpreter) = program.interpreter().filter(|_| !args.json) {
        writeln!(terminal.out, "{FAINT}run by {interpreter}{FAINT:#}")?;
    }
    let (boards, default) = boards(args)?;
    let sandbox = args.allowed.sandbox(1, terminal)?;
    let limits = args.allowed.limits(&default);
    let check = ConformanceCheck {
        game: args.game,
        program: &program,
        sandbox: &sandbox,
        limits: &limits,
        boards,
        is_strict: args.strict,
        self_play: args.self_play.unwrap_or(conformance::SELF_PLAY),
        neighbours: None,
    };
    let bar = progress::bar(None, terminal.is_watched && !args.json, "{spinner} {msg}");
    bar.enable_steady_tick(Duration::from_millis(250));
    let mut cases = Cases::default();
    let mut wrong = None;
    let mut tell = |event: CheckEvent| match event {
        CheckEvent::Begun(case) => bar.set_message(case),
        CheckEvent::Found(finding) if wrong.is_none() => {
            wrong = cases.note(&finding, args, terminal).err();
        }
        CheckEvent::Found(_) => {}
    };
    let checked = check.run(&mut tell);
    bar.finish_and_clear();
    if let Some(error) = wrong {
        return Err(error);
    }
    let mut report = match checked {
        Ok(report) => report,
        Err(why) => bail!("{why}"),
    };
    cases.put_commands(&mut report);
    if args.json {
        serde_json::to_writer(&mut terminal.out, &LastLine { report: &report })?;
        writeln!(terminal.out)?;
    } else {
        print(&report, terminal)?;
    }
    Ok(match (report.plays, report.is_passed()) {
        (_, true) => Answer::Yes,
        (false, false) => Answer::No,
        (true, false) => Answer::NotStrictly,
    })
}

/// A time as a user types it.
fn time(text: &str) -> Result<Duration, String> {
    let milliseconds = floe_arena::amount::milliseconds(text);
    let time = milliseconds.map(Duration::from_millis);
    time.ok_or_else(|| "not a time; write one such as 60s or 500ms".to_owned())
}

/// Number of a tournament's boards to test on.
const BOARDS: u64 = 3;

/// The requested boards with their names, and the default limits.
fn boards(args: &Args) -> Result<(Vec<NamedBoard>, MoveLimits)> {
    let mut boards = Vec::new();
    let mut limits = args.game.contest_limits();
    for setup in &args.setup {
        let (position, _) = Boards::made(args.game, setup, 1)
            .and_then(|boards| boards.with_openings(Openings::Suited)?.open(0))
            .with_context(|| format!("--setup {setup}"))?;
        boards.push((setup.clone(), position));
    }
    if let Some(file) = &args.tournament {
        let tournament = Description::load(file)?;
        let (own, other) = (args.game.name(), tournament.game.name());
        if own != other {
            bail!(
                "{} is a tournament of {other}, not of {own}",
                file.display()
            );
        }
        let count = tournament.boards.count().unwrap_or(BOARDS).min(BOARDS);
        for number in 0..count {
            let (position, opening) = tournament.boards.open(number)?;
            let name = match (opening.board, opening.seed) {
                (Some(file), _) => file,
                (None, Some(seed)) => format!("{}, seed {seed}", opening.setup.unwrap_or_default()),
                (None, None) => opening.setup.unwrap_or_default(),
            };
            boards.push((name, position));
        }
        limits = tournament.limits;
    }
    Ok((boards, limits))
}

/// The cases so far, with the commands that repeat them from stored files.
#[derive(Default)]
struct Cases {
    count: usize,
    kept: Vec<(String, String)>,
}

impl Cases {
    fn note(&mut self, finding: &Finding, args: &Args, terminal: &mut Terminal<'_>) -> Result<()> {
        self.count += 1;
        let command = match &args.keep {
            None => finding.question.command(),
            Some(folder) => {
                let folder = folder.join(format!("{:02}", self.count));
                let kept = finding.question.keep(&folder);
                let kept = kept.with_context(|| format!("cannot write to {}", folder.display()))?;
                self.kept.push((finding.case.clone(), kept.clone()));
                kept
            }
        };
        if args.json {
            let line = Json { finding, command };
            serde_json::to_writer(&mut terminal.out, &line)?;
            writeln!(terminal.out)?;
            // Show each case as soon as it is done.
            terminal.out.flush()?;
        }
        Ok(())
    }

    /// Replaces commands by those that use the stored files.
    fn put_commands(&self, report: &mut CheckReport) {
        for cause in &mut report.causes {
            let first = cause.cases.first();
            let kept = self.kept.iter().find(|(case, _)| Some(case) == first);
            if let Some((_, command)) = kept {
                cause.command.clone_from(command);
            }
        }
    }
}

fn print(report: &CheckReport, terminal: &mut Terminal<'_>) -> Result<()> {
    let unicode = terminal.look.unicode;
    let out = &mut terminal.out;
    let (passed, failed) = match unicode {
        true => ("✓", "✗"),
        false => ("ok", "FAILED"),
    };
    match report.is_passed() {
        true => writeln!(out, "{GOOD}{passed}{GOOD:#} {}", report.headline())?,
        false => writeln!(out, "{ERROR}{failed}{ERROR:#} {}", summary(report))?,
    }
    for (number, cause) in (1..).zip(report.failures()) {
        let what = visible(&cause.what);
        writeln!(out, "\n{ERROR}{failed} {number}{ERROR:#}  {what}")?;
        let first = cause.cases.first().map_or("", String::as_str);
        detail("first", first, out)?;
        details(cause, out)?;
    }
    writeln!(out, "\n{STRONG}{}{STRONG:#}", report.playing())?;
    for game in &report.games {
        writeln!(out, "  {}: {}", game.case, game.result())?;
    }
    writeln!(out, "{STRONG}{}{STRONG:#}", report.letter())?;
    for cause in report.remarks() {
        writeln!(
            out,
            "{REMARK}remark{REMARK:#} {}",
            visible(&cause.headline())
        )?;
        details(cause, out)?;
    }
    for why in &report.left_out {
        writeln!(out, "{FAINT}left out: {why}{FAINT:#}")?;
    }
    writeln!(out, "the slowest answer took {} ms", report.slowest_ms)?;
    Ok(())
}

/// A failed check in one line: its causes, and in how many games and cases they showed.
fn summary(report: &CheckReport) -> String {
    let causes = report.failures().count() as u64;
    if causes == 0 {
        return report.headline();
    }
    let failed: usize = report.failures().map(|cause| cause.cases.len()).sum();
    let all = report.games.len() as u64 + u64::from(report.cases);
    format!(
        "it is not ready: {}, {failed} of {} failed",
        count(causes, "cause"),
        count(all, "case")
    )
}

fn details(cause: &Cause, out: &mut dyn Write) -> Result<()> {
    for (name, text) in cause.details() {
        detail(name, &text, out)?;
    }
    Ok(())
}

/// A labelled text; its lines stand below one another.
fn detail(name: &str, text: &str, out: &mut dyn Write) -> Result<()> {
    for (at, line) in text.lines().enumerate() {
        let head = if at == 0 { name } else { "" };
        match name {
            "again" => writeln!(out, "  {head:9}{COMMAND}{line}{COMMAND:#}")?,
            "fix" => writeln!(out, "  {head:9}{STRONG}{}{STRONG:#}", visible(line))?,
            _ => writeln!(out, "  {head:9}{}", visible(line))?,
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    command: String,
}

#[derive(Serialize)]
struct LastLine<'a> {
    report: &'a CheckReport,
}
