//! `floe league invite`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use floe_league::League;
use floe_league::invitation::{Invitation, Invite};
use floe_league::people::{Guest, read_list};
use serde::Serialize;

use crate::quoting::shown;
use crate::terminal::{FAINT, Terminal};
use crate::{Answer, cli};

/// Invite people: each gets a personal link and a token
///
/// The file has a name and, if they have one, a team on each line, as spreadsheets write it (CSV).
/// Members of a team play as the team. Links and tokens are printed once: Floe stores only their
/// hashes. People invited before keep theirs and are skipped.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(super) struct Args {
    /// Folder of the league [default: the current folder]
    #[arg(value_name = "FOLDER", required_unless_present = "again")]
    folder: Option<PathBuf>,

    /// List with a name and a team on each line
    #[arg(value_name = "FILE.csv")]
    file: Option<PathBuf>,

    /// Create a new link and token for this person, and end the old ones; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    again: Vec<String>,

    /// Address of the league's pages, for the links
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:4860")]
    address: String,

    /// Print one JSON object per person, each on a line of its own
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe league invite cup class.csv --address https://floe.example.org
floe league invite class.csv
floe league invite cup --again \"Ada\"";

#[derive(Serialize)]
struct Json<'a> {
    name: &'a str,
    entrant: &'a str,
    link: String,
    token: &'a str,
}

impl Args {
    /// The folder, and the list if there is one: a single argument that is not a folder is a list.
    fn places(&self) -> Result<(&Path, Option<&Path>)> {
        let here = Path::new(".");
        Ok(match (self.folder.as_deref(), self.file.as_deref()) {
            (Some(folder), Some(file)) => (folder, Some(file)),
            (Some(only), None) if !self.again.is_empty() => (only, None),
            (Some(only), None) if only.is_dir() => bail!(
                "a list is missing: `floe league invite {} class.csv`, with a name and a team on \
                 each line",
                shown(only)
            ),
            (Some(only), None) => (here, Some(only)),
            (None, file) => (here, file),
        })
    }
}

pub(super) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let (folder, file) = args.places()?;
    let league = League::open(folder)?;
    let invitations = match file {
        Some(file) => {
            let name = file.display();
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
            let guests = read_list(&text).map_err(|error| anyhow!("{name}:{error}"))?;
            let invited = league.invite(&guests, Invite::New)?;
            let known = guests.len() - invited.len();
            if known > 0 {
                writeln!(
                    terminal.err,
                    "{known} of {} are invited already and keep their tokens; --again NAME makes \
                     a new one",
                    guests.len()
                )?;
            }
            invited
        }
        None => {
            let again = args.again.iter().map(|name| Guest {
                name: name.clone(),
                entrant: name.clone(),
            });
            let again: Vec<Guest> = again.collect();
            league.invite(&again, Invite::Again)?
        }
    };
    let link = |invitation: &Invitation| {
        let address = args.address.trim_end_matches('/');
        format!("{address}/join/{}", invitation.token.text())
    };
    if args.json {
        for invitation in &invitations {
            let line = Json {
                name: &invitation.name,
                entrant: &invitation.entrant,
                link: link(invitation),
                token: invitation.token.text(),
            };
            serde_json::to_writer(&mut terminal.out, &line)?;
            writeln!(terminal.out)?;
        }
        return Ok(Answer::Yes);
    }
    for invitation in &invitations {
        let (name, entrant) = (&invitation.name, &invitation.entrant);
        writeln!(terminal.out, "{name} ({entrant})  {}", link(invitation))?;
    }
    if !invitations.is_empty() {
        writeln!(
            terminal.err,
            "{FAINT}The end of a link is the token. Floe cannot print these again: send them now.{FAINT:#}"
        )?;
    }
    Ok(Answer::Yes)
}
