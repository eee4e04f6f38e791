//! `floe config`: what a user prefers.

use anyhow::Result;
use clap::Subcommand;

use crate::columns::{Columns, Side};
use crate::terminal::{FAINT, STRONG, Terminal};
use crate::{Answer, cli};
use floe_terminal::config::{ConfigFile, KEYS, Key, key};

/// Show and set what you prefer
///
/// Without a word it lists everything that can be set, what it is and what it may be. Options on
/// the command line come before it. The settings are in a file of your own, which may be edited.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// List what can be set
    List,
    /// Print what one thing is set to
    Get {
        /// Which
        #[arg(value_parser = names())]
        key: String,
    },
    /// Set one thing
    Set {
        /// Which
        #[arg(value_parser = names())]
        key: String,
        /// To what
        value: String,
    },
    /// Forget what one thing was set to
    Unset {
        /// Which
        #[arg(value_parser = names())]
        key: String,
    },
}

const EXAMPLES: &str = "\
floe config
floe config set theme light
floe config get theme
floe config unset theme";

fn names() -> Vec<&'static str> {
    KEYS.iter().map(|key| key.name).collect()
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let file = ConfigFile::find();
    match &args.action {
        None | Some(Action::List) => list(&file, terminal)?,
        Some(Action::Get { key: name }) => {
            let config = file.read()?;
            let value = key(name).map(|key| value(config.value(key), key));
            writeln!(terminal.out, "{}", value.unwrap_or_default())?;
        }
        Some(Action::Set { key: name, value }) => {
            key(name).map_or(Ok(()), |key| file.set(key, Some(value)))?;
        }
        Some(Action::Unset { key: name }) => {
            key(name).map_or(Ok(()), |key| file.set(key, None))?;
        }
    }
    Ok(Answer::Yes)
}

fn value(set: Option<String>, key: &Key) -> String {
    set.unwrap_or_else(|| key.usual.to_owned())
}

fn list(file: &ConfigFile, terminal: &mut Terminal<'_>) -> Result<()> {
    let config = file.read()?;
    let plain = anstyle::Style::new();
    let mut columns = Columns::new();
    columns.add("key", Side::Left, STRONG, &KEYS, |key| key.name.to_owned());
    columns.add("value", Side::Left, plain, &KEYS, |key| {
        value(config.value(key), key)
    });
    columns.add("may be", Side::Left, FAINT, &KEYS, |key| {
        key.values.join(", ")
    });
    columns.add("", Side::Left, FAINT, &KEYS, |key| key.about.to_owned());
    let table = columns.draw(terminal.look);
    terminal.out.write_all(table.as_bytes())?;
    if let Ok(path) = file.path() {
        writeln!(terminal.out, "\nin {}", path.display())?;
    }
    Ok(())
}
