//! Keys that are added and removed, workers that are banned.

use std::path::Path;

use anyhow::{Context, Result};
use floe_arena::tournament::Description;
use floe_cluster::beside::Bans;
use floe_cluster::config;

use crate::Answer;
use crate::columns::{Columns, Side};
use crate::quoting::shown;
use crate::reload::reload_all;
use crate::terminal::{STRONG, Terminal};

pub(super) fn add(folder: &Path, name: &str, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let key = config::add(folder, name)?;
    writeln!(terminal.out, "{STRONG}worker{STRONG:#}     {}", shown(&key))?;
    reload(folder, terminal)?;
    Ok(Answer::Yes)
}

pub(super) fn remove(folder: &Path, name: &str, terminal: &mut Terminal<'_>) -> Result<Answer> {
    config::remove(folder, name)?;
    writeln!(terminal.out, "the key of {name} is removed")?;
    reload(folder, terminal)?;
    Ok(Answer::Yes)
}

/// Makes the running servers read their configurations again.
fn reload(folder: &Path, terminal: &mut Terminal<'_>) -> Result<()> {
    for line in reload_all(folder) {
        writeln!(terminal.err, "{line}")?;
    }
    Ok(())
}

/// The bans in a contest's folder: a league's folder, or that of a tournament's description or
/// records.
fn bans_of(contest: &Path) -> Result<Bans> {
    let data = contest.metadata().with_context(|| shown(contest))?;
    if data.is_dir() {
        return Ok(Bans::of(contest));
    }
    let is_description = contest.extension().is_some_and(|end| end == "toml");
    Ok(match is_description {
        true => Bans::beside(&Description::load(contest)?.records),
        false => Bans::beside(contest),
    })
}

pub(super) fn ban(
    contest: &Path,
    worker: &str,
    reason: &str,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    if bans_of(contest)?.ban(worker, reason)? {
        writeln!(terminal.out, "{worker} is banned: {reason}")?;
        return Ok(Answer::Yes);
    }
    writeln!(terminal.err, "{worker} was banned already")?;
    Ok(Answer::No)
}

pub(super) fn unban(contest: &Path, worker: &str, terminal: &mut Terminal<'_>) -> Result<Answer> {
    if bans_of(contest)?.unban(worker)? {
        writeln!(terminal.out, "{worker} is no longer banned")?;
        return Ok(Answer::Yes);
    }
    writeln!(
        terminal.err,
        "{worker} is not banned; `floe cluster bans` lists who is"
    )?;
    Ok(Answer::No)
}

pub(super) fn bans(contest: &Path, json: bool, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let bans = bans_of(contest)?.read()?;
    let out = &mut terminal.out;
    if json {
        serde_json::to_writer(&mut *out, &bans)?;
        writeln!(out)?;
        return Ok(Answer::Yes);
    }
    if bans.is_empty() {
        writeln!(out, "no worker is banned")?;
        return Ok(Answer::Yes);
    }
    let plain = anstyle::Style::new();
    let bans: Vec<_> = bans.into_iter().collect();
    let mut columns = Columns::new();
    columns.add("worker", Side::Left, plain, &bans, |one| one.0.clone());
    columns.add("reason", Side::Left, plain, &bans, |one| {
        one.1.reason.clone()
    });
    write!(out, "{}", columns.draw(terminal.look))?;
    Ok(Answer::Yes)
}
