//! Which hashes there were, in bounded memory: many of them go to a temporary file, which has no name and
//! ends with the process.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;

/// More hashes than this are kept on the disk.
const IN_MEMORY: usize = 1 << 13;
/// Memory of those on the disk, in KiB: enough for the inner pages of millions. Hashes are looked for in
/// no order, so more memory would rarely have the page that is wanted.
const CACHE: u32 = 256;

/// A set of hashes.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    in_memory: HashSet<u64>,
    /// Shared with clones; as long as there are any, no set adds to it.
    on_disk: Option<Arc<Mutex<Connection>>>,
    /// Whether the disk failed: all hashes since then are in memory.
    has_failed: bool,
}

impl Seen {
    /// Adds a hash; whether it is new.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        if self.in_memory.len() >= IN_MEMORY && !self.has_failed {
            self.has_failed = self.write_out().is_err();
        }
        if self.in_memory.contains(&hash) {
            return false;
        }
        let on_disk = self.on_disk.as_ref();
        let was_seen = on_disk.is_some_and(|db| has(&db.lock(), hash));
        !was_seen && self.in_memory.insert(hash)
    }

    /// Moves the hashes in memory to the disk, unless a clone reads there.
    fn write_out(&mut self) -> rusqlite::Result<()> {
        if self.on_disk.is_none() {
            self.on_disk = Some(Arc::new(Mutex::new(temporary()?)));
        }
        let Some(db) = self.on_disk.as_mut().and_then(Arc::get_mut) else {
            return Ok(());
        };
        // In order, so that neighbours are on one page.
        let mut hashes: Vec<u64> = self.in_memory.iter().copied().collect();
        hashes.sort_unstable_by_key(|hash| hash.cast_signed());
        let changes = db.get_mut().transaction()?;
        {
            let mut add = changes.prepare_cached("INSERT OR IGNORE INTO seen VALUES (?)")?;
            for hash in hashes {
                add.execute([hash.cast_signed()])?;
            }
        }
        changes.commit()?;
        self.in_memory.clear();
        Ok(())
    }
}

/// A table of hashes in a file without a name.
fn temporary() -> rusqlite::Result<Connection> {
    let db = Connection::open("")?;
    db.pragma_update(None, "cache_size", -i64::from(CACHE))?;
    db.pragma_update(None, "journal_mode", "off")?;
    db.pragma_update(None, "synchronous", "off")?;
    db.execute_batch("CREATE TABLE seen (hash INTEGER PRIMARY KEY)")?;
    Ok(db)
}

/// Whether a hash is on the disk. If the disk cannot be read, the game counts as new.
fn has(db: &Connection, hash: u64) -> bool {
    let found = db.prepare_cached("SELECT 1 FROM seen WHERE hash = ?");
    found
        .and_then(|mut query| query.exists([hash.cast_signed()]))
        .unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_long_ago_is_not_new() {
        let mut seen = Seen::default();
        let hash = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let many = 5 * IN_MEMORY as u64 / 2;
        assert!((0..many).all(|number| seen.insert(hash(number))));
        assert!(seen.on_disk.is_some() && seen.in_memory.len() <= IN_MEMORY);
        assert!((0..many).all(|number| !seen.insert(hash(number))));
        assert!((many..2 * many).all(|number| seen.insert(hash(number))));
    }

    #[test]
    fn clones_do_not_see_what_others_add() {
        let mut seen = Seen::default();
        let many = 2 * IN_MEMORY as u64;
        assert!((0..many).all(|number| seen.insert(number)));
        let mut other = seen.clone();
        assert!((many..2 * many).all(|number| seen.insert(number)));
        assert!((many..2 * many).all(|number| other.insert(number)));
        drop(seen);
        assert!((0..2 * many).all(|number| !other.insert(number)));
        assert!(other.insert(2 * many) && other.in_memory.len() <= IN_MEMORY);
    }

    #[test]
    fn without_a_disk_it_counts_on_in_memory() {
        let mut seen = Seen {
            has_failed: true,
            ..Seen::default()
        };
        let many = 2 * IN_MEMORY as u64;
        assert!((0..many).all(|number| seen.insert(number)));
        assert!((0..many).all(|number| !seen.insert(number)));
    }
}
