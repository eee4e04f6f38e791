//! `floe check library` and `floe check batch`: check students' submissions against the rules.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use floe_arena::amount::{mebibytes, milliseconds};
use floe_arena::coursework::{self, Example, WorkLimits, WorkReport};
use floe_arena::seat::Sandbox;
use floe_games::AnyGame;
use floe_rules::assignment::Assignment;

use crate::terminal::{COMMAND, ERROR, FAINT, GOOD, REMARK, STRONG, Terminal};
use crate::{Answer, cli, progress};

/// Check a student's library against the rules
///
/// Compiles the library with a harness, calls it in the sandbox, and compares every answer with
/// Floe's own: wrong parameters, moves, golden moves, free fields, text, random games, large boards,
/// allocations that fail, and wrong accesses where AddressSanitizer or valgrind is installed. Each fault is
/// shown once, by the fewest calls that show it: as a C program, as a batch file, and as a board.
/// The exit code is 0 if nothing is wrong and 1 if something is.
#[derive(clap::Args)]
#[command(after_help = cli::examples(LIBRARY_EXAMPLES))]
pub(crate) struct LibraryArgs {
    #[command(flatten)]
    what: What,

    /// A shared library (.so), an archive (.a), or a folder with sources and the header
    #[arg(value_name = "PATH")]
    path: PathBuf,
}

const LIBRARY_EXAMPLES: &str = "\
floe check library gamma ~/course/gamma/src
floe check library gamma build/libgamma.so --keep faults";

/// Check a student's batch program against the rules
///
/// Feeds the program commands in the sandbox and compares standard output and standard error byte
/// for byte. Then plays its game in a terminal of its own, key by key, and compares whose turn it is, the
/// final board and the sums. Each difference is shown by the fewest lines or keys that show it. The exit
/// code is 0 if nothing is wrong and 1 if something is.
#[derive(clap::Args)]
#[command(after_help = cli::examples(BATCH_EXAMPLES))]
pub(crate) struct BatchArgs {
    #[command(flatten)]
    what: What,

    /// The program
    #[arg(value_name = "PROGRAM")]
    path: PathBuf,
}

const BATCH_EXAMPLES: &str = "\
floe check batch gamma ./gamma
floe check batch gamma build/gamma --json";

/// The options of both.
#[derive(clap::Args)]
struct What {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// Processor time per case, in whole seconds
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = seconds)]
    time: u32,

    /// Memory, such as 512MiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = memory)]
    memory: u64,

    /// Write each example to this folder: fault-1.c and fault-1.txt
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,

    /// Require at least this sandbox level, from 0 to 3
    #[arg(long, value_name = "LEVEL", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=3))]
    require_sandbox: u8,
}

/// A whole number of seconds.
pub(crate) fn seconds(text: &str) -> Result<u32, String> {
    let ms = text
        .parse()
        .ok()
        .map(|s: u64| s * 1000)
        .or_else(|| milliseconds(text));
    let seconds = ms.filter(|ms| ms % 1000 == 0).map(|ms| ms / 1000);
    let seconds = seconds.filter(|seconds| (1..=600).contains(seconds));
    let seconds = seconds.and_then(|seconds| u32::try_from(seconds).ok());
    seconds.ok_or_else(|| "write whole seconds from 1s to 600s, such as 2s".to_owned())
}

/// An amount of memory; a number alone is of MiB.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    let memory = text.parse().ok().or_else(|| mebibytes(text));
    let memory = memory.filter(|memory| (16..=1 << 20).contains(memory));
    memory.ok_or_else(|| "write an amount from 16MiB to 1024GiB, such as 512MiB".to_owned())
}

/// The assignment of a course on the game, or an error if there is none.
pub(crate) fn assignment(game: &'static dyn AnyGame) -> Result<&'static dyn Assignment> {
    let with = floe_games::games()
        .into_iter()
        .filter(|game| game.assignment().is_some());
    let with: Vec<&str> = with.map(AnyGame::name).collect();
    game.assignment().with_context(|| {
        let name = game.name();
        let others = with.join(", ");
        format!("no course on {name} has a library or a batch program; choose from: {others}")
    })
}

type Check = fn(
    &'static dyn Assignment,
    &Path,
    &Sandbox,
    &WorkLimits,
    &mut dyn FnMut(&str),
) -> Result<WorkReport, String>;

pub(crate) fn library(args: &LibraryArgs, terminal: &mut Terminal<'_>) -> Result<Answer> {
    run(&args.what, &args.path, coursework::check_library, terminal)
}

pub(crate) fn batch(args: &BatchArgs, terminal: &mut Terminal<'_>) -> Result<Answer> {
    run(&args.what, &args.path, coursework::check_program, terminal)
}

fn run(what: &What, path: &Path, check: Check, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let assignment = assignment(what.game)?;
    if !path.exists() {
        bail!("there is no {}", path.display());
    }
    let sandbox = Sandbox::find(Path::new(""), what.require_sandbox, 1)?;
    let limits = WorkLimits {
        seconds: what.time,
        memory_mib: what.memory,
    };
    let bar = progress::bar(None, terminal.is_watched, "{spinner} {msg}");
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    let mut tell = |doing: &str| bar.set_message(doing.to_owned());
    let report = check(assignment, path, &sandbox, &limits, &mut tell);
    bar.finish_and_clear();
    let report = report.map_err(anyhow::Error::msg)?;
    if let Some(folder) = &what.keep {
        keep(&report, folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    }
    if what.json {
        serde_json::to_writer(&mut terminal.out, &report)?;
        writeln!(terminal.out)?;
    } else {
        print(&report, &limits, terminal)?;
    }
    Ok(match report.is_right() {
        true => Answer::Yes,
        false => Answer::No,
    })
}

/// Writes the examples as files.
fn keep(report: &WorkReport, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (number, example) in (1..).zip(&report.examples) {
        let name = |end: &str| folder.join(format!("fault-{number}.{end}"));
        if !example.c_program.is_empty() {
            std::fs::write(name("c"), &example.c_program)?;
        }
        if !example.input.is_empty() {
            std::fs::write(name("txt"), &example.input)?;
        }
    }
    Ok(())
}

fn print(report: &WorkReport, limits: &WorkLimits, terminal: &mut Terminal<'_>) -> Result<()> {
    let out = &mut terminal.out;
    if let Some(why) = &report.refused {
        writeln!(out, "{ERROR}FAILED{ERROR:#} {why}")?;
        return Ok(());
    }
    for group in &report.groups {
        let (word, style) = match group.passed == group.total {
            true => ("ok    ", GOOD),
            false => ("FAILED", ERROR),
        };
        let (name, passed, total) = (&group.name, group.passed, group.total);
        writeln!(out, "{style}{word}{style:#} {name:<16} {passed} of {total}")?;
    }
    for (number, example) in (1..).zip(&report.examples) {
        print_example(number, example, out)?;
    }
    for note in &report.notes {
        writeln!(out, "{REMARK}note{REMARK:#}   {note}")?;
    }
    writeln!(
        out,
        "{FAINT}longest case: {} ms of {} s ({}); most memory: {} MiB of {} MiB{FAINT:#}",
        report.slowest_ms,
        limits.seconds,
        report.slowest_case,
        report.peak_kib / 1024,
        limits.memory_mib
    )?;
    Ok(())
}

fn print_example(number: usize, example: &Example, out: &mut dyn std::io::Write) -> Result<()> {
    let Example {
        group,
        case,
        cases,
        expected,
        got,
        ..
    } = example;
    let more = match cases {
        1 => String::new(),
        more => format!(", and {} more cases like it", more - 1),
    };
    writeln!(
        out,
        "\n{STRONG}fault {number}{STRONG:#} ({group}: {case}{more})"
    )?;
    writeln!(out, "  expected: {GOOD}{expected}{GOOD:#}")?;
    writeln!(out, "  got:      {ERROR}{got}{ERROR:#}")?;
    let mut block = |title: &str, text: &str| -> Result<()> {
        if !text.is_empty() {
            writeln!(out, "  {COMMAND}{title}{COMMAND:#}")?;
            for line in text.lines() {
                writeln!(out, "    {line}")?;
            }
        }
        Ok(())
    };
    block("the board before the last call:", &example.picture)?;
    block("as a C program:", &example.c_program)?;
    block("as a batch file:", &shortened(&example.input))?;
    if example.c_program.is_empty() && example.input.is_empty() {
        block("what to type:", &example.calls.join("\n"))?;
    }
    Ok(())
}

/// Lines of a megabyte are not for screens.
fn shortened(text: &str) -> String {
    let line = |line: &str| match line.char_indices().nth(200) {
        Some((at, _)) => format!("{}...", &line[..at]),
        None => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
