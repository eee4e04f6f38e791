//! Files with tables of proven positions.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use floe_games::AnyGame;
use floe_rules::text;
use floe_search::ProofTable;
use floe_terminal::output_file::write_whole;

use crate::quoting::shown;

/// Memory limit of a table.
pub(crate) const BYTES: usize = 256 << 20;

/// Reads the table of a game.
pub(crate) fn read(game: &'static dyn AnyGame, path: &Path) -> Result<ProofTable> {
    let file = || format!("cannot read {}", shown(path));
    let bytes = fs::read(path).with_context(file)?;
    let table = text::decode(&bytes).and_then(|text| ProofTable::read(text, game.name(), BYTES));
    match table {
        Ok(table) => Ok(table),
        Err(error) => bail!("{}, line {}: {}", shown(path), error.line, error.cause),
    }
}

/// Writes the table of a game completely, or leaves the old file.
pub(crate) fn write(game: &'static dyn AnyGame, path: &Path, table: &ProofTable) -> Result<()> {
    let text = table.write(game.name());
    write_whole(path, text.as_bytes()).with_context(|| format!("cannot write {}", shown(path)))
}
