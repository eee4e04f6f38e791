//! `floe check program`: puts a program through its paces.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use floe_arena::checkup::{self, Finding, NamedBoard, Verdict};
use floe_arena::seat::Seat;
use floe_arena::tournament::Description;
use floe_arena::{Boards, Openings};
use floe_games::AnyGame;
use floe_games::record::MoveLimits;
use serde::Serialize;

use crate::allowed::AllowedEach;
use crate::terminal::{COMMAND, ERROR, FAINT, GOOD, REMARK, STRONG, Terminal};
use crate::{Answer, cli};

/// Put a program through its paces
///
/// Asks the program for moves on boards of odd sizes, in every seat, from the first move of a
/// game to the last, and goes through what programs commonly get wrong: files as others write
/// them, nothing left to do, wrong arguments, time. Prints what passed and what failed, with a
/// command to reproduce each failure. The exit code is 0 if nothing failed and 1 if something
/// did.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Which game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// The program: its command, or `line:` and the command if it speaks the line protocol
    #[arg(value_name = "SEAT")]
    seat: String,

    /// Also try boards of this setup, such as your league plays; may be given several times
    #[arg(long)]
    setup: Vec<String>,

    /// Also try the boards of this tournament, with its limits
    #[arg(long, value_name = "FILE.toml")]
    tournament: Option<PathBuf>,

    /// Write the files of every case to a folder, and print commands that use them
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Print one JSON object per case, each on a line of its own
    #[arg(long)]
    json: bool,

    // Last, because what follows stands under its heading.
    #[command(flatten)]
    allowed: AllowedEach,
}

const EXAMPLES: &str = "\
floe check program penguins ./bot
floe check program flood \"python3 bot.py\" --time 500ms
floe check program penguins ./bot --tournament cup.toml
floe check program gamma line:./bot --keep cases";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let seat = Seat::read_own(&args.seat, args.game, Path::new("."))?;
    let Seat::Program(program) = seat else {
        bail!("{} is no program, so there is nothing to check", args.seat);
    };
    if let Some(interpreter) = program.interpreter().filter(|_| !args.json) {
        writeln!(terminal.out, "{FAINT}run by {interpreter}{FAINT:#}")?;
    }
    let (boards, usual) = boards(args)?;
    let sandbox = args.allowed.sandbox(1, terminal)?;
    let limits = args.allowed.limits(&usual);
    let mut seen = Seen {
        limit_ms: limits.move_ms,
        ..Seen::default()
    };
    let mut trouble = None;
    let mut tell = |finding: Finding| {
        if trouble.is_none() {
            let told = seen.note(&finding, args, terminal);
            trouble = told.err();
        }
    };
    let checked = checkup::check(args.game, &program, &sandbox, &limits, boards, &mut tell);
    if let Some(error) = trouble {
        return Err(error);
    }
    if let Err(why) = checked {
        bail!("{why}");
    }
    if !args.json {
        seen.sum_up(terminal)?;
    }
    Ok(if seen.failed == 0 {
        Answer::Yes
    } else {
        Answer::No
    })
}

/// How many of a tournament's boards are tried, if there are so many.
const BOARDS: u64 = 3;

/// The boards that are asked for, with their names; and what is allowed unless somebody says.
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

/// What was found so far.
#[derive(Default)]
struct Seen {
    passed: usize,
    remarks: usize,
    failed: usize,
    /// Not cases, but the lines that say how many were left out.
    skipped: usize,
    slowest_ms: u64,
    limit_ms: u64,
}

impl Seen {
    fn note(&mut self, finding: &Finding, args: &Args, terminal: &mut Terminal<'_>) -> Result<()> {
        let number = self.passed + self.remarks + self.failed + 1;
        match finding.verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Remark => self.remarks += 1,
            Verdict::Failed => self.failed += 1,
            Verdict::Skipped => self.skipped += 1,
        }
        self.slowest_ms = self.slowest_ms.max(finding.wall_ms);
        let command = match &args.keep {
            None => finding.question.command(),
            Some(folder) => {
                let folder = folder.join(format!("{number:02}"));
                let kept = finding.question.keep(&folder);
                kept.with_context(|| format!("cannot write to {}", folder.display()))?
            }
        };
        if args.json {
            let line = Json { finding, command };
            serde_json::to_writer(&mut terminal.out, &line)?;
            writeln!(terminal.out)?;
        } else {
            print(finding, &command, terminal)?;
        }
        // Whoever watches wants to see each case as it is done.
        terminal.out.flush()?;
        Ok(())
    }

    fn sum_up(&self, terminal: &mut Terminal<'_>) -> Result<()> {
        let Seen {
            passed,
            remarks,
            failed,
            slowest_ms,
            limit_ms,
            ..
        } = self;
        let style = if *failed == 0 { GOOD } else { ERROR };
        let remarks = match remarks {
            0 => String::new(),
            1 => ", 1 remark".to_owned(),
            more => format!(", {more} remarks"),
        };
        writeln!(
            terminal.out,
            "{style}{passed} passed, {failed} failed{remarks}{style:#}; the slowest answer took \
             {slowest_ms} ms of {limit_ms}"
        )?;
        Ok(())
    }
}

fn print(finding: &Finding, command: &str, terminal: &mut Terminal<'_>) -> Result<()> {
    let out = &mut terminal.out;
    let case = &finding.case;
    let (word, style) = match finding.verdict {
        Verdict::Passed => ("ok    ", GOOD),
        Verdict::Remark => ("remark", REMARK),
        Verdict::Failed => ("FAILED", ERROR),
        Verdict::Skipped => ("skipped", REMARK),
    };
    writeln!(out, "{style}{word}{style:#} {case}")?;
    let Some(fault) = &finding.fault else {
        if let Some(note) = &finding.note {
            writeln!(out, "       {note}")?;
            writeln!(out, "       try: {COMMAND}{command}{COMMAND:#}")?;
        }
        return Ok(());
    };
    write!(out, "       {STRONG}{}", fault.kind)?;
    if let Some((line, column)) = fault.at {
        write!(out, " at {line}:{column}")?;
    }
    writeln!(out, ":{STRONG:#} {}", fault.message)?;
    if !fault.expected.is_empty() {
        writeln!(out, "       expected: {}", fault.expected)?;
    }
    for (name, text) in [("stderr:", &fault.stderr), ("stdout:", &fault.stdout)] {
        let lines: Vec<&str> = text.lines().collect();
        let last = &lines[lines.len().saturating_sub(10)..];
        for (number, line) in last.iter().enumerate() {
            let head = if number == 0 { name } else { "       " };
            writeln!(out, "       {FAINT}{head} {line}{FAINT:#}")?;
        }
    }
    writeln!(out, "       try: {COMMAND}{command}{COMMAND:#}")?;
    Ok(())
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    command: String,
}
