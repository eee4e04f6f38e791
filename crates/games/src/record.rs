//! Records: everything about one game, as lines of JSON.
//!
//! A record is a `game` line, `move` lines, `fault` lines, and an `end` line; a casual game may
//! have `back` lines, which undo moves. A record without an `end` was interrupted. A file holds any
//! number of records one after the other, and is only ever appended to.
//!
//! An `end` line has a `check`: the CRC-32 of all bytes of its game, from its `game` line up to the
//! comma before the check. A game whose check is another one is damaged. Records without a check
//! are read as they are.
//!
//! Only the start and the moves are stored; everything else follows by replaying them
//! ([`Record::at`], [`Record::verify`]). The format is described by a JSON Schema in
//! `docs/record.schema.json`.
//!
//! ```
//! use floe_games::record::{Record, read};
//! let text = r#"{"line":"game","floe":1,"game":"flood","id":"1","seats":[
//!     {"name":"a","seat":"greedy"},{"name":"b","seat":"random"}],"start":"J\n@#\n+@\n"}"#;
//! let text = text.replace('\n', "") + "\n" + r#"{"line":"move","seat":1,"move":"@"}"#;
//! let records: Vec<Record> = read(text.as_bytes()).collect::<Result<_, _>>()?;
//! assert_eq!(records[0].moves()[0].mv, "@");
//! assert!(records[0].end.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod history;
mod line;
mod read;
mod replay;

pub use history::{EventError, GameHistory, Turn};
pub use line::{
    Back, End, Entrant, Event, GIVEN_UP, Interpreter, LineWriter, Machine, MoveLimits, Opening,
    Overload, OwnLimits, PlayedMove, RecordLine, VERSION,
};
pub use read::{ReadError, Records, read, read_on};
pub use replay::{Mismatch, Replay};

use serde::{Deserialize, Serialize};

use crate::Fault;

/// One game.
///
/// In files it is lines (see [`Record::write`]); as one value, for pages and wires, serde has it
/// whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The record's first line.
    pub opening: Opening,
    /// The record's events, in order.
    pub events: Vec<Event>,
    /// The end of the game; `None` if the game was interrupted.
    pub end: Option<End>,
}

impl Record {
    /// A record of a game without events so far.
    pub fn new(opening: Opening) -> Self {
        Record {
            opening,
            events: Vec::new(),
            end: None,
        }
    }

    /// The moves, without undone ones.
    pub fn moves(&self) -> Vec<&PlayedMove> {
        let mut moves = Vec::new();
        for event in &self.events {
            match event {
                Event::Move(made) => moves.push(made),
                Event::Back(back) => {
                    moves.truncate(moves.len().saturating_sub(back.moves as usize));
                }
                Event::Fault(_) => {}
            }
        }
        moves
    }

    /// The faults.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.events.iter().filter_map(|event| match event {
            Event::Fault(fault) => Some(&**fault),
            _ => None,
        })
    }

    /// Writes the record as lines of JSON, in order: what [`read()`] reads.
    pub fn write(&self, to: &mut impl std::io::Write) -> std::io::Result<()> {
        let mut text = Vec::new();
        let mut writer = LineWriter::default();
        for line in self.lines() {
            writer.write(&line, &mut text)?;
        }
        to.write_all(&text)
    }

    /// The lines of the record, in order.
    pub fn lines(&self) -> impl Iterator<Item = RecordLine> {
        let game = RecordLine::Game(Box::new(self.opening.clone()));
        let events = self.events.iter().cloned().map(RecordLine::from);
        let end = self.end.clone().map(RecordLine::End);
        std::iter::once(game).chain(events).chain(end)
    }
}
