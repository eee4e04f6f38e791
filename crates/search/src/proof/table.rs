//! What is proven about positions, in memory and as text.

use std::collections::HashMap;
use std::fmt::Write;

use floe_rules::{ParseError, Player, Position};

use crate::Thought;
use crate::evaluate::lead_now;

/// The first word of the text of a table, with the version of its format.
const HEADER: &str = "floe-proofs-1";
/// Bytes of an entry in memory, with the room that a map leaves.
const ENTRY_BYTES: usize = 48;
/// The longest line that is followed.
const LONGEST: usize = 1000;

/// What is known of the points still to be made from a position: by how much the player to move
/// gains on the opponent until the end of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The gain is proven to be this or more, ...
    pub(super) lower: i32,
    /// ... and this or less.
    pub(super) upper: i32,
    /// What the engine expects.
    pub(super) guess: i32,
    /// The binary logarithm of the nodes that went into it.
    pub(super) work: u8,
    /// Whether the engine has looked at it with all the nodes of a look.
    pub(super) is_looked: bool,
}

impl Entry {
    /// An entry of which nothing is known.
    pub(super) const OPEN: Entry = Entry {
        lower: i32::MIN,
        upper: i32::MAX,
        guess: 0,
        work: 0,
        is_looked: false,
    };

    pub(super) fn exact(gain: i32, nodes: u64) -> Self {
        Entry {
            lower: gain,
            upper: gain,
            guess: gain,
            work: logarithm(nodes),
            is_looked: true,
        }
    }

    /// The gain, if it is proven.
    pub(super) fn gain(self) -> Option<i64> {
        (self.lower == self.upper).then_some(self.lower.into())
    }

    /// What the engine expects, within what is proven.
    pub(super) fn likely(self) -> i32 {
        self.guess.max(self.lower).min(self.upper)
    }

    /// Whether anything is proven.
    fn is_proof(self) -> bool {
        self.lower != i32::MIN || self.upper != i32::MAX
    }
}

pub(super) fn logarithm(nodes: u64) -> u8 {
    nodes.max(1).ilog2() as u8
}

/// Proven values of positions of one game, by [`Position::proof_key`].
///
/// If the table is full, it gives up the positions that took the fewest nodes to prove. Its text is
/// the same on every machine.
///
/// ```
/// use floe_search::ProofTable;
/// let table = ProofTable::with_bytes(1 << 20);
/// assert!(table.is_empty());
/// assert!(ProofTable::read(&table.write("gamma"), "gamma", 1 << 20).is_ok());
/// assert!(ProofTable::read(&table.write("gamma"), "flood", 1 << 20).is_err());
/// ```
#[derive(Debug, Clone)]
pub struct ProofTable {
    entries: HashMap<u64, Entry>,
    most: usize,
}

impl ProofTable {
    /// An empty table of about this many bytes at most.
    pub fn with_bytes(bytes: usize) -> Self {
        ProofTable {
            entries: HashMap::new(),
            most: (bytes / ENTRY_BYTES).max(64),
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.entries.get(&key).copied()
    }

    /// Stores what is known of a position, in place of what was known.
    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        if self.entries.len() >= self.most {
            self.make_room();
        }
        self.entries.insert(key, entry);
    }

    /// Gives up at least half of the positions, those that took the fewest nodes first.
    fn make_room(&mut self) {
        let kept = self.most / 2;
        let mut by_work = [0; 64];
        for entry in self.entries.values() {
            by_work[usize::from(entry.work).min(63)] += 1;
        }
        let mut least = 64;
        let mut room = kept;
        while least > 0 && by_work[least - 1] <= room {
            least -= 1;
            room -= by_work[least];
        }
        self.entries
            .retain(|_, entry| usize::from(entry.work) >= least);
    }

    /// The final lead of the player to move over the opponent, if it is proven.
    pub fn lead<P: Position>(&self, position: &P) -> Option<i64> {
        if position.players() > 2 {
            return None;
        }
        let mover = position.turn()?;
        let gain = self.get(position.proof_key())?.gain()?;
        Some(lead_now(position, mover) + gain)
    }

    /// A best move and the line after it as far as it is known, with the position at its end, for a
    /// position in which the player to move is proven to have this lead; `None` if no move is known
    /// to reach it.
    pub(super) fn follow<P: Position>(
        &self,
        position: &P,
        lead: i64,
    ) -> Option<(Thought<P::Move>, P)> {
        let me = position.turn()?;
        let mut here = position.clone();
        let mut line = Vec::new();
        while line.len() < LONGEST
            && let Some(mover) = here.turn()
            && let Some((mv, after)) =
                self.best(&here, mover, if mover == me { lead } else { -lead })
        {
            line.push(mv);
            here = after;
        }
        let thought = Thought {
            best: *line.first()?,
            scores: with_lead(&here, me, lead),
            depth: line.len() as u32,
            nodes: 0,
            line,
            proven: true,
        };
        Some((thought, here))
    }

    /// The first move after which its player is known to have at least this lead in the end.
    fn best<P: Position>(&self, position: &P, mover: Player, lead: i64) -> Option<(P::Move, P)> {
        let after = |mv: P::Move| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            (mv, after)
        };
        let mut all = position.legal_moves().into_iter().map(after);
        all.find(|(_, after)| self.at_least(after, mover) >= Some(lead))
    }

    /// The lead that `player` is proven to reach at least.
    pub(super) fn at_least<P: Position>(&self, position: &P, player: Player) -> Option<i64> {
        let Some(mover) = position.turn() else {
            return Some(lead_now(position, player));
        };
        let entry = self.get(position.proof_key())?;
        let base = lead_now(position, mover);
        match mover == player {
            true if entry.lower != i32::MIN => Some(base + i64::from(entry.lower)),
            false if entry.upper != i32::MAX => Some(-base - i64::from(entry.upper)),
            _ => None,
        }
    }

    /// The table as text: a line for each position of which something is proven.
    pub fn write(&self, game: &str) -> String {
        let mut proven: Vec<_> = self.entries.iter().filter(|(_, e)| e.is_proof()).collect();
        proven.sort_unstable_by_key(|(key, _)| **key);
        let mut text = format!("{HEADER} {game} {}\n", proven.len());
        for (key, entry) in proven {
            let bound = |value: i32| match value {
                i32::MIN | i32::MAX => "-".to_owned(),
                value => value.to_string(),
            };
            let (lower, upper) = (bound(entry.lower), bound(entry.upper));
            // Writing into a string cannot fail.
            let _ = writeln!(
                text,
                "{key:016x} {lower} {upper} {} {}",
                entry.guess, entry.work
            );
        }
        text
    }

    /// Reads what [`write`](ProofTable::write) wrote about this game.
    pub fn read(text: &str, game: &str, bytes: usize) -> Result<Self, ParseError> {
        let mut lines = text.lines();
        let mut header = lines.next().unwrap_or_default().split(' ');
        if header.next() != Some(HEADER) {
            return Err(ParseError::new(1, 1, "not a table of `floe solve`"));
        }
        let of = header.next().unwrap_or_default();
        if of != game {
            return Err(ParseError::new(
                1,
                1,
                format!("a table of {of}, not of {game}"),
            ));
        }
        let mut table = ProofTable::with_bytes(bytes);
        let mut count = 0;
        for (number, line) in (2..).zip(lines) {
            let (key, entry) = entry(line)
                .ok_or_else(|| ParseError::new(number, 1, "not a proven position of a table"))?;
            table.put(key, entry);
            count += 1;
        }
        if header.next().and_then(|word| word.parse().ok()) != Some(count) {
            return Err(ParseError::new(1, 1, "the table is not whole"));
        }
        Ok(table)
    }
}

/// A line of a table.
fn entry(line: &str) -> Option<(u64, Entry)> {
    let words: Vec<&str> = line.split(' ').collect();
    let [key, lower, upper, guess, work] = words[..] else {
        return None;
    };
    let bound = |word: &str, open: i32| match word {
        "-" => Some(open),
        word => word.parse().ok(),
    };
    let entry = Entry {
        lower: bound(lower, i32::MIN)?,
        upper: bound(upper, i32::MAX)?,
        guess: guess.parse().ok()?,
        work: work.parse().ok()?,
        is_looked: true,
    };
    let key = u64::from_str_radix(key, 16).ok()?;
    (entry.lower <= entry.upper).then_some((key, entry))
}

/// The scores so far, with the points still to be made added so that `me` has this lead.
fn with_lead<P: Position>(position: &P, me: Player, lead: i64) -> Vec<i64> {
    let mut scores = position.scores();
    let gain = lead - lead_now(position, me);
    let gaining = match gain {
        0.. => me,
        _ => me.next(position.players()),
    };
    scores[gaining.index()] += gain.abs();
    scores
}
