//! `floe submit`: submits a program to a league, and prints the verdict.

mod remote;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use floe_league::event::Judgement;
use floe_league::judge::judges;
use floe_league::queue::QueuePlace;
use floe_league::{
    BuildSandbox, Judge, JudgeEvent, League, Submission, Token, VersionId, VersionState,
};

use crate::terminal::{ERROR, FAINT, GOOD, REMARK, Terminal};
use crate::{Answer, cli};

/// Submit a program to a league, and follow its build and checks
///
/// The file is a source file, an archive (zip, tar, tar.gz, tar.xz, tar.bz2) or a program that is
/// ready to run. It is built and checked in the sandbox, and every step is printed. The exit code
/// is 0 if the version is accepted, 1 if it is refused and 2 if the file was not accepted at all.
///
/// The token is the one you were invited with, in the variable FLOE_TOKEN or in a file.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// League: its address, or its folder on this machine
    #[arg(value_name = "URL|FOLDER")]
    league: String,

    /// File to submit
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Short description of this version
    #[arg(long, alias = "word", value_name = "TEXT")]
    label: Option<String>,

    /// Protocol of the program: `line`, or a dialect of the game [default: the league's]
    #[arg(long)]
    protocol: Option<String>,

    /// Path of the program in the archive, if several files could be the program
    #[arg(long, value_name = "PATH")]
    main: Option<String>,

    /// File with your token [default: the variable FLOE_TOKEN]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Print every event as a line of JSON: the first names the version, the last is the verdict
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe submit https://floe.example.org bot.c --label \"looks two moves ahead\"
floe submit cup bot.tar.gz --token-file token.txt";

/// Interval between checks for another judge's verdict.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let token = token(args.token_file.as_deref())?;
    let path = args.file.display();
    let name = args.file.file_name().and_then(|name| name.to_str());
    let name = name.with_context(|| format!("{path} names no file"))?;
    let submission = Submission {
        file: name.to_owned(),
        bytes: fs::read(&args.file).with_context(|| format!("cannot read {path}"))?,
        word: args.label.clone(),
        protocol: args.protocol.clone(),
        main: args.main.clone(),
    };
    if args.league.starts_with("http://") || args.league.starts_with("https://") {
        return remote::submit(&args.league, &token, &submission, args.json, terminal);
    }
    let league = League::open(Path::new(&args.league))?;
    let by = league.participant(&token)?;
    let build_sandbox = BuildSandbox::of(&league, Path::new(""))?;
    let version = league.submit(&by, &submission)?;
    report_taken(&version.to_string(), args.json, terminal)?;
    follow(&league, &build_sandbox, &version, args.json, terminal)
}

/// Reports that a submission is accepted for judging, and as which version.
fn report_taken(version: &str, is_json: bool, terminal: &mut Terminal<'_>) -> Result<()> {
    let out = &mut terminal.out;
    match is_json {
        true => {
            let taken = serde_json::json!({ "what": "taken", "version": version });
            writeln!(out, "{taken}")?;
        }
        false => writeln!(out, "{FAINT}{version} is taken{FAINT:#}")?,
    }
    out.flush()?;
    Ok(())
}

/// Prints a version's place in the queue.
fn report_queue_place(
    version: &VersionId,
    place: QueuePlace,
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    let (out, text) = (&mut terminal.out, place.text(version));
    match is_json {
        true => {
            let event = serde_json::json!({ "what": "queue", "text": text, "queue": place });
            writeln!(out, "{event}")?;
        }
        false => writeln!(out, "{FAINT}{text}{FAINT:#}")?,
    }
    out.flush()?;
    Ok(())
}

pub(super) fn token(file: Option<&Path>) -> Result<Token> {
    let text = match file {
        Some(file) => {
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?
        }
        None => std::env::var("FLOE_TOKEN").context(
            "the token is missing: put your token into FLOE_TOKEN, or name a --token-file",
        )?,
    };
    match Token::read(text.trim()) {
        Some(token) => Ok(token),
        None => bail!("this is no token: a token has 32 characters, 0 to 9 and a to f"),
    }
}

/// Judges the queue until the version has its verdict, unless another process does that already.
fn follow(
    league: &League,
    build_sandbox: &BuildSandbox,
    version: &VersionId,
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    let mut is_told = false;
    let mut place = None;
    loop {
        if let Some(judge) = Judge::take_seat(league, build_sandbox)? {
            let mut failed = None;
            while is_waiting(league, version)? {
                judge.judge_next(&mut |id, progress| {
                    if id == version {
                        is_told = true;
                        failed = tell(&progress, is_json, terminal).err();
                    }
                })?;
                if let Some(error) = failed {
                    return Err(error);
                }
            }
        }
        let under_way = BTreeSet::new();
        let queued = league.look(|standing| standing.queue_place(version, &under_way, judges()))?;
        let Some(queued) = queued else {
            break;
        };
        if place != Some(queued) {
            place = Some(queued);
            report_queue_place(version, queued, is_json, terminal)?;
        }
        thread::sleep(LOOK);
    }
    let found = league.look(|standing| standing.versions.find(version).cloned())?;
    let found = found.context("the version is gone")?;
    if !is_told {
        // Another process judged the version, so its whole report comes at once.
        match is_json {
            true => {
                for progress in league.judge_events(&found)? {
                    tell(&progress, is_json, terminal)?;
                }
            }
            false => terminal.out.write_all(league.log(&found)?.as_bytes())?,
        }
    }
    Ok(match found.state {
        VersionState::Accepted => Answer::Yes,
        _ => Answer::No,
    })
}

fn is_waiting(league: &League, version: &VersionId) -> Result<bool> {
    Ok(league.look(|standing| standing.waiting.contains(version))?)
}

/// Prints an event of judging as it happens.
fn tell(progress: &JudgeEvent, is_json: bool, terminal: &mut Terminal<'_>) -> Result<()> {
    let out = &mut terminal.out;
    match progress {
        progress if is_json => writeln!(out, "{}", serde_json::to_string(progress)?)?,
        JudgeEvent::Step(text) => writeln!(out, "{FAINT}{text}{FAINT:#}")?,
        JudgeEvent::Said(text) => writeln!(out, "{text}")?,
        JudgeEvent::Found(text) if text.starts_with("failed") => {
            writeln!(out, "{ERROR}{text}{ERROR:#}")?;
        }
        JudgeEvent::Found(text) => writeln!(out, "{REMARK}{text}{REMARK:#}")?,
        JudgeEvent::Verdict(Judgement::Refused, text) => writeln!(out, "{ERROR}{text}{ERROR:#}")?,
        JudgeEvent::Verdict(_, text) => writeln!(out, "{GOOD}{text}{GOOD:#}")?,
    }
    out.flush()?;
    Ok(())
}
