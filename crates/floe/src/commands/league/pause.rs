//! `floe league pause` and `floe league resume`.

use anyhow::Result;
use clap::ValueEnum;
use floe_league::Event;
use floe_league::event::Activity;
use serde::Serialize;

use super::Which;
use crate::terminal::{STRONG, Terminal};
use crate::{Answer, cli};

#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// Only this activity [default: both]
    #[arg(long, value_enum, value_name = "WHAT")]
    only: Option<What>,

    /// Print the paused activities as one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe league pause cup
floe league pause cup --only ladder
floe league resume cup";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Submissions
    Submitting,
    /// Starting games of the ladder, and with remote programs
    Ladder,
}

#[derive(Serialize)]
struct Paused {
    paused: Vec<Activity>,
}

pub(super) fn run(args: &Args, pauses: bool, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let league = args.which.open()?;
    let all = match args.only {
        Some(What::Submitting) => vec![Activity::Submitting],
        Some(What::Ladder) => vec![Activity::Ladder],
        None => vec![Activity::Submitting, Activity::Ladder],
    };
    let paused = league.change(|standing| {
        let mut paused = standing.paused.clone();
        let mut events = Vec::new();
        for &what in &all {
            let is_news = match pauses {
                true => paused.insert(what),
                false => paused.remove(&what),
            };
            if is_news {
                events.push(match pauses {
                    true => Event::Paused { what },
                    false => Event::Resumed { what },
                });
            }
        }
        Ok((events, paused))
    })?;
    let paused: Vec<Activity> = paused.into_iter().collect();
    if args.json {
        serde_json::to_writer(&mut terminal.out, &Paused { paused })?;
        writeln!(terminal.out)?;
        return Ok(Answer::Yes);
    }
    let name = &league.description().name;
    let state = match (paused.as_slice(), pauses) {
        ([], _) => "runs: it accepts submissions, and plays",
        ([Activity::Submitting], _) => "accepts no submissions; its ladder plays",
        ([Activity::Ladder], _) => "begins no games; it accepts submissions",
        _ => "is paused; games in progress are played to their end",
    };
    writeln!(terminal.out, "{STRONG}{name}{STRONG:#} {state}.")?;
    Ok(Answer::Yes)
}
