//! `floe league people`: lists participants, versions and the queue.

use std::path::Path;

use anyhow::Result;
use floe_league::event::Activity;
use floe_league::people::Participant;
use floe_league::{League, LeagueState, Version, time};
use serde::Serialize;

use super::Which;
use crate::terminal::{COMMAND, FAINT, GOOD, REMARK, STRONG, Terminal};
use crate::{Answer, cli};

/// List participants, versions and the queue
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe league people cup
floe league people cup --json";

#[derive(Serialize)]
struct Status<'a> {
    league: &'a str,
    game: &'static str,
    entrants: Vec<Entrant<'a>>,
    waiting: Vec<String>,
    paused: Vec<Activity>,
    disk_bytes: u64,
}

#[derive(Serialize)]
struct Entrant<'a> {
    name: &'a str,
    people: Vec<&'a str>,
    current: Option<String>,
    versions: &'a [Version],
}

pub(super) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let league = args.which.open()?;
    let disk = league.disk_use();
    league.look(|standing| {
        let status = Status::of(&league, standing, disk);
        if args.json {
            serde_json::to_writer(&mut terminal.out, &status)?;
            writeln!(terminal.out)?;
            Ok(Answer::Yes)
        } else {
            status.print(&args.which.folder, terminal)
        }
    })?
}

impl<'a> Status<'a> {
    fn of(league: &'a League, standing: &'a LeagueState, disk_bytes: u64) -> Self {
        let entrants = standing.people.entrants().into_iter().map(|name| {
            let people = standing.people.all().iter();
            let people = people.filter(|person: &&Participant| person.entrant == name);
            Entrant {
                name,
                people: people.map(|person| person.name.as_str()).collect(),
                current: (standing.versions.current(name)).map(|version| version.id.to_string()),
                versions: standing.versions.of(name),
            }
        });
        Status {
            league: &league.description().name,
            game: league.description().game.name(),
            entrants: entrants.collect(),
            waiting: standing.waiting.iter().map(ToString::to_string).collect(),
            paused: standing.paused.iter().copied().collect(),
            disk_bytes,
        }
    }

    fn print(&self, folder: &Path, terminal: &mut Terminal<'_>) -> Result<Answer> {
        let out = &mut terminal.out;
        writeln!(
            out,
            "{STRONG}{}{STRONG:#}, a league of {}: {} entrants, {} waiting, {} KiB",
            self.league,
            self.game,
            self.entrants.len(),
            self.waiting.len(),
            self.disk_bytes.div_ceil(1024)
        )?;
        for paused in &self.paused {
            let what = match paused {
                Activity::Submitting => "submitting",
                Activity::Ladder => "the ladder",
            };
            writeln!(out, "{REMARK}{what} is paused{REMARK:#}")?;
        }
        if self.entrants.is_empty() {
            writeln!(
                out,
                "No participants yet; invite some: {COMMAND}floe league invite {} class.csv{COMMAND:#}",
                crate::quoting::shown(folder)
            )?;
        }
        for entrant in &self.entrants {
            let plays = match &entrant.current {
                Some(version) => format!("{GOOD}plays {version}{GOOD:#}"),
                None => format!("{FAINT}plays nothing yet{FAINT:#}"),
            };
            let people = entrant.people.join(", ");
            writeln!(
                out,
                "{STRONG}{}{STRONG:#} ({people}): {plays}",
                entrant.name
            )?;
            for version in entrant.versions {
                let state = version.state.name();
                let sent = time::write(version.sent);
                let word = version.word.as_deref().unwrap_or("");
                write!(
                    out,
                    "  #{:<3} {state:<9} {sent}  {}",
                    version.id.number, version.file
                )?;
                if !word.is_empty() {
                    write!(out, "  {FAINT}{word}{FAINT:#}")?;
                }
                writeln!(out)?;
                if !version.why.is_empty() {
                    writeln!(out, "       {}", version.why)?;
                }
            }
        }
        Ok(Answer::Yes)
    }
}
