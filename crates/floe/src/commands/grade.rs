//! `floe grade`: checks a folder of submissions, and makes a page and a table of points.

mod page;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use floe_arena::coursework::{self, Part, Points, Work, WorkLimits, WorkReport};
use floe_arena::seat::Sandbox;
use floe_games::AnyGame;
use floe_terminal::output_file::write_whole;
use indicatif::ProgressBar;
use parking_lot::Mutex;
use serde::Serialize;

use crate::commands::check::work;
use crate::terminal::{GOOD, STRONG, Terminal};
use crate::{Answer, cli, json, progress};

/// Grade a folder of submissions
///
/// Checks every file and folder in DIR as `floe check library` and `floe check batch` do, or, in games
/// without a course's library, by the cases of `floe check program --strict` and games against reference
/// players. Writes one page (index.html) and one table (grades.csv) to the output folder, with the
/// points for each group of checks and the smallest example of each fault. Reports are stored as they
/// are made: a run that was stopped resumes, and other points need no new checks.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// Folder of submissions, each a folder or a file in it
    #[arg(value_name = "DIR")]
    submissions: PathBuf,

    /// Points for each group of checks [default: 1 each]
    #[arg(long, value_name = "FILE.toml")]
    points: Option<PathBuf>,

    /// Output folder
    #[arg(long, value_name = "DIR", default_value = "grades")]
    out: PathBuf,

    /// Concurrent submissions [default: cores]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,

    /// Processor time per case, in whole seconds
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = work::seconds)]
    time: u32,

    /// Memory, such as 512MiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = work::memory)]
    memory: u64,

    /// Check everything again
    #[arg(long)]
    fresh: bool,

    /// Require at least this sandbox level, from 0 to 3
    #[arg(long, value_name = "LEVEL", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=3))]
    require_sandbox: u8,

    /// Print one JSON object per submission
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe grade gamma submissions/ --points points.toml
floe grade penguins bots/ --out results";

#[derive(Serialize)]
struct GradeFacts<'a> {
    submission: &'a str,
    points: f64,
    /// The points of a submission without a mistake.
    total: f64,
    page: &'a Path,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let parts = parts(args.game);
    let points = match &args.points {
        None => Points::even(&parts),
        Some(file) => {
            let text = std::fs::read_to_string(file);
            let text = text.with_context(|| format!("cannot read {}", file.display()))?;
            let points = Points::read(&text, &parts);
            points.map_err(|error| anyhow::anyhow!("{}:{error}", file.display()))?
        }
    };
    let submissions = coursework::submissions(&args.submissions)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.concurrency.unwrap_or(cores).clamp(1, 256);
    let sandbox = Sandbox::find(Path::new(""), args.require_sandbox, threads)?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;

    let style = "{bar:30} {pos}/{len} submissions, {elapsed} elapsed, {eta} left {msg}";
    let bar = progress::bar(Some(submissions.len() as u64), terminal.is_watched, style);
    bar.enable_steady_tick(Duration::from_millis(250));
    let grading = Grading { args, sandbox, bar };
    let works = grading.all(&submissions, threads);
    grading.bar.finish_and_clear();
    let works = works?;

    let page = args.out.join("index.html");
    let table = args.out.join("grades.csv");
    let title = format!("{}: {} submissions", args.game.title(), works.len());
    write_whole(&page, page::page(&title, &works, &points).as_bytes())
        .with_context(|| format!("cannot write {}", page.display()))?;
    write_whole(&table, page::csv(&works, &points).as_bytes())
        .with_context(|| format!("cannot write {}", table.display()))?;
    if args.json {
        for work in &works {
            let facts = GradeFacts {
                submission: &work.name,
                points: points.sum(work),
                total: points.total(),
                page: &page,
            };
            json::print(terminal.out, &facts)?;
        }
        return Ok(Answer::Yes);
    }
    let best = works
        .iter()
        .filter(|work| points.sum(work) == points.total());
    writeln!(
        terminal.out,
        "{GOOD}{} submissions{GOOD:#}, {} with all {} points; {STRONG}{}{STRONG:#}, {}",
        works.len(),
        best.count(),
        points.total(),
        page.display(),
        table.display()
    )?;
    Ok(Answer::Yes)
}

/// The parts of a grade, each with its groups.
fn parts(game: &'static dyn AnyGame) -> Vec<(&'static str, Vec<String>)> {
    let Some(assignment) = game.assignment() else {
        return coursework::bot_parts();
    };
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    vec![
        ("library", owned(assignment.groups())),
        ("batch", {
            let groups = [assignment.input_groups(), assignment.session_groups()];
            owned(&groups.concat())
        }),
    ]
}

struct Grading<'a> {
    args: &'a Args,
    sandbox: Sandbox,
    bar: ProgressBar,
}

impl Grading<'_> {
    /// The work of all submissions, in order.
    fn all(&self, submissions: &[PathBuf], threads: usize) -> Result<Vec<Work>> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Result<Work>)>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(path) = submissions.get(number) else {
                            break;
                        };
                        let work = self.one(path);
                        if work.is_err() {
                            next.store(submissions.len(), Ordering::Relaxed);
                        }
                        self.bar.inc(1);
                        done.lock().push((number, work));
                    }
                });
            }
        });
        let mut done = done.into_inner();
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, work)| work).collect()
    }

    /// The stored work of a submission, or new work, which is stored.
    fn one(&self, path: &Path) -> Result<Work> {
        let args = self.args;
        let name = coursework::name_of(path);
        let limits = WorkLimits {
            seconds: args.time,
            memory_mib: args.memory,
        };
        let besides = format!("{} {limits:?}", args.game.name());
        let digest = coursework::digest(path, &besides)?;
        let results = args.out.join("results");
        if !args.fresh
            && let Some(work) = coursework::stored(&results, &name, &digest)
        {
            return Ok(work);
        }
        let mut tell = |doing: &str| self.bar.set_message(format!("({name}: {doing})"));
        let parts = match args.game.assignment() {
            None => coursework::check_bot(args.game, path, &self.sandbox, &mut tell),
            Some(assignment) => {
                let library =
                    coursework::check_library(assignment, path, &self.sandbox, &limits, &mut tell);
                let batch = match program_in(path, assignment.program()) {
                    Some(program) => coursework::check_program(
                        assignment,
                        &program,
                        &self.sandbox,
                        &limits,
                        &mut tell,
                    ),
                    None => Ok(WorkReport {
                        refused: Some(format!("there is no program {}", assignment.program())),
                        ..WorkReport::default()
                    }),
                };
                let part = |name: &str, report| Part {
                    name: name.to_owned(),
                    report,
                };
                library
                    .and_then(|library| Ok(vec![part("library", library), part("batch", batch?)]))
            }
        };
        let work = match parts {
            Ok(parts) => Work {
                name,
                digest,
                parts,
            },
            Err(why) => bail!("{}: {why}", path.display()),
        };
        coursework::store(&results, &work)?;
        Ok(work)
    }
}

/// The program of a submission that was handed in built.
fn program_in(path: &Path, name: &str) -> Option<PathBuf> {
    let places = ["", "build", "release", "bin"];
    let places = places.iter().map(|folder| path.join(folder).join(name));
    places.into_iter().find(|program| program.is_file())
}
