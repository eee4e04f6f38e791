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
use floe_terminal::Home;
use serde::Serialize;

use super::earlier::{self, EarlierCheck};
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

    /// Try only the cases of cause N of the last check of this program, with the same options
    #[arg(long, value_name = "N")]
    only: Option<usize>,

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
floe check program flood ./bot --only 1
floe check program gamma line:./bot --keep cases";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let seat = Seat::read_own(&args.seat, args.game, Path::new("."))?;
    let Seat::Program(program) = seat else {
        bail!("{} is no program; name one, such as ./bot", args.seat);
    };
    if let Some(interpreter) = program.interpreter().filter(|_| !args.json) {
        writeln!(terminal.out, "{FAINT}run by {interpreter}{FAINT:#}")?;
    }
    let home = Home::find();
    let earlier = EarlierCheck::new(args.game.name(), &args.seat);
    let only = args.only.map(|number| earlier.cases(number, &home));
    let only = only.transpose()?;
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
        only: only.as_deref(),
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
    let can_repeat = match &only {
        None => earlier.store(&report, &home),
        Some(_) if report.games.is_empty() && report.cases == 0 => {
            bail!("none of its cases came up; give the options of the check that found them")
        }
        Some(_) => false,
    };
    if args.json {
        serde_json::to_writer(&mut terminal.out, &LastLine { report: &report })?;
        writeln!(terminal.out)?;
    } else {
        let whole = earlier::whole_check(std::env::args().skip(1));
        let limit_ms = limits.move_ms;
        match args.only {
            Some(number) if report.is_passed() => print_mended(number, &whole, terminal)?,
            _ => print(&report, limit_ms, can_repeat.then_some(&*whole), terminal)?,
        }
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

/// Reports that a cause no longer shows.
fn print_mended(number: usize, whole: &str, terminal: &mut Terminal<'_>) -> Result<()> {
    let passed = if terminal.look.unicode { "✓" } else { "ok" };
    writeln!(
        terminal.out,
        "{GOOD}{passed}{GOOD:#} cause {number} is mended; check everything again:\n  \
         {COMMAND}{whole}{COMMAND:#}"
    )?;
    Ok(())
}

/// Prints a report. `whole` is the command of the check, if `--only` can repeat a part of it.
fn print(
    report: &CheckReport,
    limit_ms: u64,
    whole: Option<&str>,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
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
        if let Some(took_ms) = cause.took_ms {
            detail("time", &time_bars(limit_ms, took_ms, unicode), out)?;
        }
        details(cause, out)?;
        if let Some(whole) = whole {
            detail("repeat", &format!("{whole} --only {number}"), out)?;
        }
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

/// Columns of the time limit.
const LIMIT: usize = 20;
/// Most columns of a late answer.
const LATE: usize = 50;

/// The time limit and the time of a late answer, as bars on one scale.
fn time_bars(limit_ms: u64, took_ms: u64, unicode: bool) -> String {
    let [inside, over] = if unicode { ["█", "▓"] } else { ["#", "+"] };
    let limit = inside.repeat(LIMIT);
    let columns = took_ms as usize * LIMIT / (limit_ms as usize).max(1);
    let late = over.repeat(columns.clamp(LIMIT + 1, LATE) - LIMIT);
    format!("limit  {limit} {limit_ms} ms\nbot    {limit}{late} {took_ms} ms")
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
            "again" | "repeat" => writeln!(out, "  {head:9}{COMMAND}{line}{COMMAND:#}")?,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_answer_is_drawn_beside_its_limit() {
        let bars = time_bars(1000, 1412, true);
        let limit = "█".repeat(20);
        let expected = format!("limit  {limit} 1000 ms\nbot    {limit}▓▓▓▓▓▓▓▓ 1412 ms");
        assert_eq!(bars, expected);
        assert!(time_bars(1000, 1001, false).contains("#+ 1001 ms"));
        let longest = time_bars(1, u64::from(u32::MAX), true);
        assert!(
            longest.lines().all(|line| line.chars().count() < 80),
            "{longest}"
        );
        assert!(time_bars(0, 5, true).contains("5 ms"));
    }
}
