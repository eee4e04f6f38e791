//! `floe check program`: puts a program through its paces.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use floe_arena::checkup::{self, Finding, Verdict};
use floe_arena::seat::{Sandbox, Seat};
use floe_games::AnyGame;
use floe_games::record::MoveLimits;
use serde::Serialize;

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

    /// Milliseconds for a move
    #[arg(long, value_name = "MS", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    time: u64,

    /// Memory in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory: u64,

    /// Write the files of every case to a folder, and print commands that use them
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Refuse to start if the sandbox does not reach this level
    #[arg(long, value_name = "N", default_value_t = 0)]
    require_sandbox: u8,

    /// Print one JSON object per case, each on a line of its own
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe check program penguins ./bot
floe check program flood \"python3 bot.py\" --time 500
floe check program gamma line:./bot --keep cases";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let seat = Seat::read(&args.seat, args.game, Path::new("."))?;
    let Seat::Program(program) = seat else {
        bail!("{} is no program, so there is nothing to check", args.seat);
    };
    let sandbox = Sandbox::find(Path::new(""), args.require_sandbox, 1)?;
    let limits = MoveLimits {
        move_ms: args.time,
        memory_mib: args.memory,
        ..MoveLimits::default()
    };
    let mut seen = Seen::default();
    let mut trouble = None;
    let mut tell = |finding: Finding| {
        if trouble.is_none() {
            let told = seen.note(&finding, args, terminal);
            trouble = told.err();
        }
    };
    let checked = checkup::check(args.game, &program, &sandbox, &limits, &mut tell);
    if let Some(error) = trouble {
        return Err(error);
    }
    if let Err(why) = checked {
        bail!("{why}");
    }
    if !args.json {
        seen.sum_up(args, terminal)?;
    }
    Ok(if seen.failed == 0 {
        Answer::Yes
    } else {
        Answer::No
    })
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
            print(finding, &command, args, terminal)?;
        }
        // Whoever watches wants to see each case as it is done.
        terminal.out.flush()?;
        Ok(())
    }

    fn sum_up(&self, args: &Args, terminal: &mut Terminal<'_>) -> Result<()> {
        let Seen {
            passed,
            remarks,
            failed,
            slowest_ms,
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
             {slowest_ms} ms of {}",
            args.time
        )?;
        Ok(())
    }
}

fn print(finding: &Finding, command: &str, args: &Args, terminal: &mut Terminal<'_>) -> Result<()> {
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
        } else if finding.verdict == Verdict::Remark {
            let took = finding.wall_ms;
            writeln!(
                out,
                "       it took {took} ms of {}, within the margin",
                args.time
            )?;
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
