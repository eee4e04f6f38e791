//! `floe config`: a user's settings.

use anyhow::Result;
use clap::Subcommand;

use crate::columns::{Columns, Side};
use crate::terminal::{FAINT, STRONG, Terminal};
use crate::{Answer, cli};
use floe_terminal::config::{ConfigFile, KEYS, Key, key};

/// Show and change settings
///
/// Without a subcommand, lists all settings with their values and possible values. Options on the
/// command line take precedence. The settings are in a file of your own, which you may edit.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// List all settings
    List,
    /// Print one setting
    Get {
        /// Setting
        #[arg(value_parser = names())]
        key: String,
    },
    /// Change one setting
    Set {
        /// Setting
        #[arg(value_parser = names())]
        key: String,
        /// Value
        value: String,
    },
    /// Reset one setting to its default
    Unset {
        /// Setting
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
    set.unwrap_or_else(|| key.default.to_owned())
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
