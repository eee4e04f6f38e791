//! `floe league remove`, `rename`, `move` and `organiser`.

use std::path::PathBuf;

use anyhow::Result;
use floe_league::League;
use floe_league::membership::Changed;
use serde::Serialize;

use crate::terminal::{FAINT, REMARK, Terminal};
use crate::{Answer, cli, json};

/// Remove a participant: their token ends
///
/// Games that were played stay. If no other person plays for the same team, the team's versions are
/// withdrawn.
#[derive(clap::Args)]
#[command(after_help = cli::examples("floe league remove cup \"Ada\""))]
pub(super) struct Remove {
    #[command(flatten)]
    who: Who,
}

/// Rename a participant; the token stays
///
/// A team keeps its name, since records have it. A participant who plays alone and has sent nothing
/// yet plays under the new name.
#[derive(clap::Args)]
#[command(after_help = cli::examples("floe league rename cup \"Ada\" \"Ada L.\""))]
pub(super) struct Rename {
    #[command(flatten)]
    who: Who,

    /// The new name
    #[arg(value_name = "NEW")]
    new: String,
}

/// Move a participant to another team; the token stays
///
/// Versions stay with the team that sent them. If no other person plays for it, they are withdrawn.
#[derive(clap::Args)]
#[command(after_help = cli::examples("floe league move cup \"Ada\" hawks"))]
pub(super) struct Move {
    #[command(flatten)]
    who: Who,

    /// The team; the participant's own name to play alone
    #[arg(value_name = "TEAM")]
    team: String,
}

/// Create an organiser's link that survives restarts
///
/// The link that `floe league serve` prints ends with the server. This one ends only when you
/// create another. Floe stores only its hash, so it is printed once.
#[derive(clap::Args)]
#[command(after_help = cli::examples("floe league organiser cup --address https://floe.example.org"))]
pub(super) struct Organiser {
    /// Folder of the league
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// Address of the league's pages, for the link
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:4860")]
    address: String,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Who {
    /// Folder of the league
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Participant, as listed by `floe league people`
    #[arg(value_name = "NAME")]
    name: String,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn remove(args: &Remove, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let name = &args.who.name;
    let changed = League::open(&args.who.folder)?.remove_person(name)?;
    let done = format!("{name} left the league");
    print_change(&args.who, name, &done, &changed, terminal)
}

pub(super) fn rename(args: &Rename, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let (name, new) = (&args.who.name, &args.new);
    let changed = League::open(&args.who.folder)?.rename_person(name, new)?;
    let entrant = changed.entrant.as_deref().unwrap_or_default();
    let done = format!("{name} is {new} now, and plays as {entrant}");
    print_change(&args.who, new, &done, &changed, terminal)
}

pub(super) fn move_to(args: &Move, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let (name, team) = (&args.who.name, &args.team);
    let changed = League::open(&args.who.folder)?.move_person(name, team)?;
    let done = format!("{name} plays as {team} now");
    print_change(&args.who, name, &done, &changed, terminal)
}

pub(super) fn organiser(args: &Organiser, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let token = League::open(&args.folder)?.new_organiser()?;
    let address = args.address.trim_end_matches('/');
    let link = format!("{address}/enter/{}", token.text());
    if args.json {
        json::print(terminal.out, &LinkFacts { link: &link })?;
        return Ok(Answer::Yes);
    }
    writeln!(terminal.out, "{link}")?;
    writeln!(
        terminal.err,
        "{FAINT}It lasts until you create another. Floe cannot print it again: store it now.{FAINT:#}"
    )?;
    Ok(Answer::Yes)
}

#[derive(Serialize)]
struct LinkFacts<'a> {
    link: &'a str,
}

/// A participant after a change.
#[derive(Serialize)]
struct PersonFacts<'a> {
    person: &'a str,
    /// The person's new entrant; `null` if the person left.
    entrant: Option<&'a str>,
    /// Versions withdrawn because their entrant has no people left.
    withdrawn: &'a [String],
}

fn print_change(
    who: &Who,
    person: &str,
    done: &str,
    changed: &Changed,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    if who.json {
        let facts = PersonFacts {
            person,
            entrant: changed.entrant.as_deref(),
            withdrawn: &changed.withdrawn,
        };
        json::print(terminal.out, &facts)?;
        return Ok(Answer::Yes);
    }
    writeln!(terminal.out, "{done}.")?;
    if !changed.withdrawn.is_empty() {
        let withdrawn = changed.withdrawn.join(", ");
        writeln!(
            terminal.out,
            "{REMARK}withdrawn{REMARK:#}, since that entrant has no people left: {withdrawn}"
        )?;
    }
    Ok(Answer::Yes)
}
