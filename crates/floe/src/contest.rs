//! Results for commands: a tournament's file, a file of records, or a league.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use floe_arena::standings::Standings;
use floe_arena::store::Store;
use floe_arena::tournament::{Description, Tournament};
use floe_league::League;
use floe_league::ladder::LadderWatch;

use crate::file_kind::expect_records;
use crate::quoting::shown;
use crate::terminal::{REMARK, Terminal};

/// A contest named on the command line.
pub(crate) enum Contest {
    /// Described by a file.
    Tournament(Box<Tournament>),
    /// A file of records without a description.
    Games(Box<Store>),
    /// The ladder of a league, in which each entrant's version plays.
    Ladder(Box<LadderWatch>),
}

impl Contest {
    /// Finds results from a tournament's description, records, an index, or a folder.
    pub(crate) fn find(path: &Path) -> Result<Contest> {
        let end = path.extension().unwrap_or_default();
        if let Some(near) = namesake(path) {
            bail!(
                "{} does not exist; did you mean {}?",
                shown(path),
                shown(&near)
            );
        }
        if let Some(league) = league_of(path)? {
            let records = league.ladder_file();
            if !records.exists() {
                let folder = shown(league.folder());
                bail!("no games have been played yet; start with `floe league run {folder}`");
            }
            return Ok(Contest::Ladder(Box::new(LadderWatch::open(&league)?)));
        }
        if end == "toml" {
            let description = Description::load(path)?;
            if !description.records.exists() {
                bail!(
                    "no games have been played yet; start with `floe tournament {}`",
                    path.display()
                );
            }
            return Ok(Contest::Tournament(Box::new(Tournament::open_read_only(
                description,
            )?)));
        }
        let records = match path.is_dir() {
            true => only_records(path)?,
            false if end == "sqlite" => path.with_extension("jsonl"),
            false => path.to_owned(),
        };
        expect_records(&records)?;
        Ok(Contest::Games(Box::new(Store::open_read_only(&records)?)))
    }

    pub(crate) fn store(&self) -> &Store {
        match self {
            Contest::Tournament(tournament) => tournament.store(),
            Contest::Games(store) => store,
            Contest::Ladder(watch) => watch.store(),
        }
    }

    /// Prints the messages about the index, if there are any.
    pub(crate) fn print_notices(&self, terminal: &mut Terminal<'_>) -> Result<()> {
        print_notices(self.store(), terminal)
    }

    pub(crate) fn standings(&self) -> Result<Standings> {
        Ok(match self {
            Contest::Tournament(tournament) => tournament.standings(),
            Contest::Games(store) => {
                let name = store.records().file_stem().unwrap_or_default();
                Standings::from_store(store, &name.to_string_lossy())?
            }
            Contest::Ladder(watch) => {
                let mut standings = watch.table()?.standings;
                for row in &mut standings.rows {
                    let mut entrants = watch.store().entrants().iter();
                    if let Some(entrant) = entrants.find(|entrant| entrant.name == row.name) {
                        row.seat.clone_from(&entrant.seat);
                    }
                }
                standings
            }
        })
    }
}

/// The contest's file that a missing path names without its end.
fn namesake(path: &Path) -> Option<PathBuf> {
    if path.exists() || path.extension().is_some() {
        return None;
    }
    let mut ends = ["toml", "jsonl"].into_iter();
    ends.find_map(|end| Some(path.with_extension(end)).filter(|near| near.is_file()))
}

/// The league of a folder, a description or an index.
fn league_of(path: &Path) -> Result<Option<League>> {
    let folder = match path.file_name() {
        _ if path.is_dir() => path,
        Some(name) if name == "league.toml" || name == "index.sqlite" => match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        },
        _ => return Ok(None),
    };
    match League::is_at(folder) {
        true => Ok(Some(League::open(folder)?)),
        false => Ok(None),
    }
}

/// Prints the messages about an index, if there are any.
pub(crate) fn print_notices(store: &Store, terminal: &mut Terminal<'_>) -> Result<()> {
    for notice in store.notices() {
        writeln!(terminal.err, "{REMARK}note:{REMARK:#} {notice}")?;
    }
    Ok(())
}

/// The one file of records in a folder.
fn only_records(folder: &Path) -> Result<PathBuf> {
    let entries = folder
        .read_dir()
        .with_context(|| format!("cannot read {}", folder.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    found.sort();
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => bail!(
            "there are no records (files that end in .jsonl) in {}",
            folder.display()
        ),
        [one, ..] => bail!(
            "there are {} files of records in {}; name one, such as {}",
            found.len(),
            folder.display(),
            one.display()
        ),
    }
}
