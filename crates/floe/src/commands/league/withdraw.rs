//! `floe league withdraw`.

use std::path::PathBuf;

use anyhow::Result;
use floe_league::{Event, League, LeagueError, VersionId, VersionState};
use serde::Serialize;

use crate::terminal::{STRONG, Terminal};
use crate::{Answer, cli};

/// Withdraw a version; the previous one plays instead
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(super) struct Args {
    /// Folder of the league
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Version, such as owls#3; an entrant's name means its current version
    #[arg(value_name = "ENTRANT[#N]")]
    version: String,

    /// The reason, for its author
    #[arg(long, value_name = "TEXT", default_value = "")]
    why: String,

    /// Reinstate a withdrawn or suspended version
    #[arg(long, conflicts_with = "why")]
    undo: bool,

    /// Print its new state as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Done {
    version: VersionId,
    state: Option<VersionState>,
    /// The entrant's current version.
    current: Option<VersionId>,
}

const EXAMPLES: &str = "\
floe league withdraw cup owls#3 --why \"it copies hawks\"
floe league withdraw cup owls#3 --undo";

pub(super) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let league = League::open(&args.folder)?;
    let refuse = |why: String| Err(LeagueError::Refused(why));
    let (done, current) = league.change(|standing| {
        let id = match args.version.parse::<VersionId>() {
            Ok(id) => id,
            Err(_) => match standing.versions.current(&args.version) {
                Some(version) => version.id.clone(),
                None => {
                    return refuse(format!("{} has no version that plays", args.version));
                }
            },
        };
        let Some(version) = standing.versions.find(&id) else {
            return refuse(format!(
                "there is no version {id}; `floe league people {}` lists all",
                crate::quoting::shown(&args.folder)
            ));
        };
        let is_out = version.state.is_out();
        let event = match (args.undo, is_out) {
            (true, true) => Event::Reinstated {
                version: id.clone(),
            },
            (true, false) => return refuse(format!("{id} is {}", version.state.name())),
            (false, _) if version.state == VersionState::Withdrawn => {
                return refuse(format!("{id} is withdrawn already"));
            }
            (false, _) => Event::Withdrawn {
                version: id.clone(),
                why: args.why.clone(),
            },
        };
        Ok((vec![event], (id.clone(), id.entrant)))
    })?;
    let (now, state) = league.look(|standing| {
        let current = standing.versions.current(&current);
        let found = standing.versions.find(&done);
        (
            current.map(|version| version.id.clone()),
            found.map(|version| version.state),
        )
    })?;
    if args.json {
        let done = Done {
            version: done,
            state,
            current: now,
        };
        serde_json::to_writer(&mut terminal.out, &done)?;
        writeln!(terminal.out)?;
        return Ok(Answer::Yes);
    }
    let is_waiting = state == Some(VersionState::Waiting);
    let what = match (args.undo, is_waiting) {
        (true, true) => "is judged in its turn",
        (true, false) => "may play again",
        (false, _) => "is withdrawn",
    };
    let now = match now {
        Some(version) => format!("{current} plays with {version}"),
        None => format!("{current} has no version that plays now"),
    };
    writeln!(terminal.out, "{STRONG}{done}{STRONG:#} {what}; {now}.")?;
    Ok(Answer::Yes)
}
