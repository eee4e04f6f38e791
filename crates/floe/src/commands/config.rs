//! `floe config`: a user's settings.

use anyhow::{Context, Result};
use clap::Subcommand;
use serde::Serialize;

use crate::columns::{Columns, Side};
use crate::terminal::{COMMAND, FAINT, STRONG, Terminal};
use crate::{Answer, cli, completing, json};
use floe_terminal::config::{ConfigFile, KEYS, Key, key};

/// Show and change settings
///
/// Without a subcommand, lists all settings with their values and possible values. Options on the
/// command line take precedence. The settings are in a file of your own, which you may edit.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Print one JSON object per setting
    #[arg(long, global = true)]
    json: bool,

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
        #[arg(add = completing::setting_value())]
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
    let meant = |name: &str| key(name).with_context(|| format!("there is no setting {name}"));
    match &args.action {
        None | Some(Action::List) if args.json => {
            let config = file.read()?;
            for key in &KEYS {
                json::print(terminal.out, &SettingFacts::of(key, config.value(key)))?;
            }
        }
        None | Some(Action::List) => list(&file, terminal)?,
        Some(Action::Get { key: name }) => {
            let key = meant(name)?;
            let set = file.read()?.value(key);
            match args.json {
                true => json::print(terminal.out, &SettingFacts::of(key, set))?,
                false => writeln!(terminal.out, "{}", value(set, key))?,
            }
        }
        Some(Action::Set { key: name, value }) => {
            change(&file, meant(name)?, Some(value), args.json, terminal)?;
        }
        Some(Action::Unset { key: name }) => {
            change(&file, meant(name)?, None, args.json, terminal)?;
        }
    }
    Ok(Answer::Yes)
}

/// A setting.
#[derive(Serialize)]
struct SettingFacts {
    key: &'static str,
    value: String,
    /// Whether the settings file contains it.
    is_set: bool,
    default: &'static str,
    values: &'static [&'static str],
    about: &'static str,
}

impl SettingFacts {
    fn of(key: &'static Key, set: Option<String>) -> Self {
        SettingFacts {
            key: key.name,
            is_set: set.is_some(),
            value: value(set, key),
            default: key.default,
            values: key.values,
            about: key.about,
        }
    }
}

/// Sets a key or resets it, and reports both values, so that the change can be undone.
fn change(
    file: &ConfigFile,
    key: &'static Key,
    wanted: Option<&str>,
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    let before = value(file.read()?.value(key), key);
    file.set(key, wanted)?;
    let set = file.read()?.value(key);
    if is_json {
        return json::print(terminal.out, &SettingFacts::of(key, set));
    }
    let (name, after) = (key.name, value(set, key));
    if before == after {
        writeln!(terminal.out, "{name} is {after}, as before")?;
        return Ok(());
    }
    let undo = format!("floe config set {name} {before}");
    writeln!(
        terminal.out,
        "{name} is {after}, it was {before}; undo: {COMMAND}{undo}{COMMAND:#}"
    )?;
    Ok(())
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
