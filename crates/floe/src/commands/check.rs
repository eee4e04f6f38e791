//! `floe check`: reports errors of files and programs.

mod earlier;
mod program;
pub(crate) mod work;

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use floe_games::AnyGame;
use floe_rules::{ParseError, Report};
use serde::Serialize;

use crate::source::NamedText;
use crate::terminal::{ERROR, FAINT, GOOD, REMARK, STRONG, Terminal};
use crate::{Answer, cli};

/// Check position files, or a program
///
/// Reports all errors and remarks of each file, by line and column. The exit code is 0 if there is
/// nothing to report, 1 if there is, and 2 if a file cannot be read at all.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
#[command(subcommand_negates_reqs = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    instead: Option<Instead>,

    /// Game
    #[arg(value_parser = cli::game(), required = true)]
    game: Option<&'static dyn AnyGame>,

    /// Files to check; `-` reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print one JSON object per file, each on a line of its own
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Instead {
    Program(program::Args),
    Library(work::LibraryArgs),
    Batch(work::BatchArgs),
}

const EXAMPLES: &str = "\
floe check penguins board.txt
floe check flood boards/*.txt --json
floe check program flood ./bot
floe check library gamma ~/course/gamma/src
floe check batch gamma ./gamma";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    match &args.instead {
        Some(Instead::Program(args)) => return program::run(args, terminal),
        Some(Instead::Library(args)) => return work::library(args, terminal),
        Some(Instead::Batch(args)) => return work::batch(args, terminal),
        None => {}
    }
    let Some(game) = args.game else {
        return Ok(Answer::BadInput);
    };
    let mut answer = Answer::Yes;
    for path in &args.files {
        let checked = Checked::read(game, path);
        match &checked.result {
            Err(_) => answer = Answer::BadInput,
            Ok((_, report)) if is_clean(report) || answer == Answer::BadInput => {}
            Ok(_) => answer = Answer::No,
        }
        if args.json {
            serde_json::to_writer(&mut terminal.out, &checked.json())?;
            writeln!(terminal.out)?;
        } else {
            checked.print(terminal)?;
        }
    }
    Ok(answer)
}

fn is_clean(report: &Report) -> bool {
    report.errors.is_empty() && report.remarks.is_empty()
}

/// One file with its errors.
struct Checked {
    name: String,
    result: io::Result<(NamedText, Report)>,
}

impl Checked {
    fn read(game: &'static dyn AnyGame, path: &Path) -> Self {
        let result = NamedText::read(path).map(|source| {
            let mut report = Report::new();
            source.parse(game, &mut report);
            (source, report)
        });
        let name = match &result {
            Ok((source, _)) => source.name.clone(),
            Err(_) => path.display().to_string(),
        };
        Checked { name, result }
    }

    fn print(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let name = &self.name;
        match &self.result {
            Err(error) => {
                terminal.out.flush()?;
                writeln!(
                    terminal.err,
                    "{STRONG}{name}:{STRONG:#} {ERROR}{error}{ERROR:#}"
                )
            }
            Ok((_, report)) if is_clean(report) => {
                writeln!(terminal.out, "{STRONG}{name}:{STRONG:#} {GOOD}ok{GOOD:#}")
            }
            Ok((source, report)) => {
                for (error, is_remark) in in_order(report) {
                    let text = paint(source, error, is_remark);
                    terminal.out.write_all(text.as_bytes())?;
                }
                Ok(())
            }
        }
    }

    fn json(&self) -> Json<'_> {
        let (ok, unreadable, report) = match &self.result {
            Ok((_, report)) => (is_clean(report), None, Some(report)),
            Err(error) => (false, Some(error.to_string()), None),
        };
        let places = |list: fn(&Report) -> &Vec<ParseError>| {
            report.into_iter().flat_map(list).map(Place::of).collect()
        };
        Json {
            file: &self.name,
            ok,
            unreadable,
            errors: places(|report| &report.errors),
            remarks: places(|report| &report.remarks),
        }
    }
}

/// Errors and remarks in text order, each with whether it is a remark.
fn in_order(report: &Report) -> Vec<(&ParseError, bool)> {
    let errors = report.errors.iter().map(|error| (error, false));
    let remarks = report.remarks.iter().map(|remark| (remark, true));
    let mut all: Vec<_> = errors.chain(remarks).collect();
    all.sort_by_key(|(place, _)| (place.line, place.column));
    all
}

/// The explanation of an error, styled.
fn paint(source: &NamedText, error: &ParseError, is_remark: bool) -> String {
    let style = if is_remark { REMARK } else { ERROR };
    let ParseError {
        line,
        column,
        cause,
        ..
    } = error;
    let mut out = format!("{STRONG}{}:{line}:{column}:{STRONG:#} ", source.name);
    if is_remark {
        out.push_str(&format!("{REMARK}remark:{REMARK:#} "));
    }
    out.push_str(&format!("{STRONG}{cause}{STRONG:#}\n"));
    let explained = source.explain(error);
    let Some((_, rest)) = explained.split_once('\n') else {
        return out;
    };
    for line in rest.lines() {
        let (mark, text) = line.split_at_checked(4).unwrap_or((line, ""));
        let is_caret = text.trim_start().starts_with('^') && text.trim().chars().all(|c| c == '^');
        out.push_str(&match mark {
            "  | " if is_caret => format!("{FAINT}{mark}{FAINT:#}{style}{text}{style:#}\n"),
            _ => format!("{FAINT}{mark}{FAINT:#}{text}\n"),
        });
    }
    out
}

#[derive(Serialize)]
struct Json<'a> {
    file: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<String>,
    errors: Vec<Place<'a>>,
    remarks: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    line: u32,
    column: u32,
    width: u32,
    cause: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    help: &'a str,
}

impl<'a> Place<'a> {
    fn of(error: &'a ParseError) -> Self {
        Place {
            line: error.line,
            column: error.column,
            width: error.width,
            cause: &error.cause,
            help: &error.help,
        }
    }
}
