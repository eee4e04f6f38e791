//! `floe submit`: sends a program to a league, and tells what comes of it.

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
use floe_league::{Judge, League, Progress, Submission, Token, VersionId, VersionState, Workshop};

use crate::terminal::{ERROR, FAINT, GOOD, REMARK, Terminal};
use crate::{Answer, cli};

/// Send a program to a league, and be told what comes of it
///
/// The file is a source file, an archive (zip, tar, tar.gz, tar.xz, tar.bz2) or a program that is ready to run. It
/// is built and put through its paces in the sandbox, and everything is told as it happens. The
/// exit code is 0 if the version is accepted, 1 if it is refused and 2 if it was not taken at all.
///
/// The token is the one you were invited with, in the variable FLOE_TOKEN or in a file.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// The league: its address, or its folder on this machine
    #[arg(value_name = "URL|FOLDER")]
    league: String,

    /// What to send
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// A word about this version
    #[arg(long, value_name = "TEXT")]
    word: Option<String>,

    /// How the program is spoken to, if not as usual: `line`, or a dialect of the game
    #[arg(long)]
    protocol: Option<String>,

    /// Which file of an archive is the program, if several could be: its path in the archive
    #[arg(long, value_name = "PATH")]
    main: Option<String>,

    /// The file your token is in; without it, FLOE_TOKEN has it
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Tell everything as JSON, a line for each thing that happens: the first names the version, the
    /// last is the verdict
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe submit https://floe.example.org bot.c --word \"looks two moves ahead\"
floe submit cup bot.tar.gz --token-file token.txt";

/// How often somebody else's verdict is looked for.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let token = token(args.token_file.as_deref())?;
    let path = args.file.display();
    let name = args.file.file_name().and_then(|name| name.to_str());
    let name = name.with_context(|| format!("{path} names no file"))?;
    let submission = Submission {
        file: name.to_owned(),
        bytes: fs::read(&args.file).with_context(|| format!("cannot read {path}"))?,
        word: args.word.clone(),
        protocol: args.protocol.clone(),
        main: args.main.clone(),
    };
    if args.league.starts_with("http://") || args.league.starts_with("https://") {
        return remote::submit(&args.league, &token, &submission, args.json, terminal);
    }
    let league = League::open(Path::new(&args.league))?;
    let by = league.participant(&token)?;
    let workshop = Workshop::find(Path::new(""), league.description().sandbox)?;
    let version = league.submit(&by, &submission)?;
    tell_taken(&version.to_string(), args.json, terminal)?;
    follow(&league, &workshop, &version, args.json, terminal)
}

/// Says that something is taken, and as which version.
fn tell_taken(version: &str, is_json: bool, terminal: &mut Terminal<'_>) -> Result<()> {
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

/// Says where a version stands in the queue.
fn tell_queue(
    version: &VersionId,
    place: QueuePlace,
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    let (out, text) = (&mut terminal.out, place.text(version));
    match is_json {
        true => {
            let told = serde_json::json!({ "what": "queue", "text": text, "queue": place });
            writeln!(out, "{told}")?;
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
        None => std::env::var("FLOE_TOKEN")
            .context("say who you are: put your token into FLOE_TOKEN, or name a --token-file")?,
    };
    match Token::read(text.trim()) {
        Some(token) => Ok(token),
        None => bail!("this is no token: one is 32 digits from 0 to 9 and a to f"),
    }
}

/// Judges the queue until the version has its verdict, unless somebody else does that already.
fn follow(
    league: &League,
    workshop: &Workshop,
    version: &VersionId,
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    let mut is_told = false;
    let mut place = None;
    loop {
        if let Some(judge) = Judge::take_seat(league, workshop)? {
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
            tell_queue(version, queued, is_json, terminal)?;
        }
        thread::sleep(LOOK);
    }
    let found = league.look(|standing| standing.versions.find(version).cloned())?;
    let found = found.context("the version is gone")?;
    if !is_told {
        // Somebody else judged it: this is all they said.
        match is_json {
            true => {
                for progress in league.told(&found)? {
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

/// Shows what happens, as it happens.
fn tell(progress: &Progress, is_json: bool, terminal: &mut Terminal<'_>) -> Result<()> {
    let out = &mut terminal.out;
    match progress {
        progress if is_json => writeln!(out, "{}", serde_json::to_string(progress)?)?,
        Progress::Step(text) => writeln!(out, "{FAINT}{text}{FAINT:#}")?,
        Progress::Said(text) => writeln!(out, "{text}")?,
        Progress::Found(text) if text.starts_with("failed") => {
            writeln!(out, "{ERROR}{text}{ERROR:#}")?;
        }
        Progress::Found(text) => writeln!(out, "{REMARK}{text}{REMARK:#}")?,
        Progress::Verdict(Judgement::Refused, text) => writeln!(out, "{ERROR}{text}{ERROR:#}")?,
        Progress::Verdict(_, text) => writeln!(out, "{GOOD}{text}{GOOD:#}")?,
    }
    out.flush()?;
    Ok(())
}
