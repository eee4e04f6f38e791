use std::ops::Range;

use floe_games::record::{Event, Overload, Record};
use floe_games::{FaultKind, Reason};
use sha2::{Digest, Sha256};

use super::{MoveTimes, StoreError};

/// The data of a finished game that standings need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSummary {
    /// The number of the game in its schedule, from 0.
    pub number: u64,
    /// The results by seat.
    pub seats: Vec<SeatResult>,
    /// The reason why the game ended.
    pub reason: Reason,
    /// When it started, in seconds since 1970; 0 if unknown.
    pub began: u64,
    /// The place of the record in the file, in bytes (of the text, in an archive).
    pub place: Range<u64>,
    /// A hash of the start, the moves, the faults and the scores: equal for games with the same
    /// course, by any players.
    pub fingerprint: u64,
    /// The machine's overload, if any.
    pub overload: Option<Overload>,
}

/// One seat's result in a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeatResult {
    /// The entrant: an index into [`Store::entrants`](super::Store::entrants).
    pub entrant: usize,
    /// The final score.
    pub score: i64,
    /// The place, from 1.
    pub place: u32,
    /// Number of moves.
    pub moves: u64,
    /// Wall time of all moves together, in microseconds.
    pub wall_us: u64,
    /// Wall time of the slowest move.
    pub slowest_us: u64,
    /// Histogram of move times.
    pub times: MoveTimes,
    /// Peak memory, in KiB; 0 if not measured.
    pub peak_kib: u64,
    /// Moves in the grace period after the limit.
    pub strikes: u64,
    /// The fault that disqualified the seat, with its message.
    pub fault: Option<(FaultKind, String)>,
}

impl GameSummary {
    /// The summary of a record at this place in its file. Its entrants have no numbers yet.
    pub fn of(record: &Record, place: Range<u64>) -> Result<GameSummary, StoreError> {
        let number = number(&record.opening.id)?;
        let foreign = |cause: &str| StoreError::Foreign {
            id: record.opening.id.clone(),
            cause: cause.to_owned(),
        };
        let seats = record.opening.seats.len();
        let end = record
            .end
            .as_ref()
            .ok_or_else(|| foreign("it has no end"))?;
        if end.scores.len() != seats || end.places.len() != seats {
            return Err(foreign("it has different numbers of seats and scores"));
        }
        let mut seats: Vec<SeatResult> = (end.scores.iter().zip(&end.places))
            .map(|(&score, &place)| SeatResult {
                score,
                place,
                ..SeatResult::default()
            })
            .collect();
        for made in record.moves() {
            if let Some(part) = (made.seat as usize)
                .checked_sub(1)
                .and_then(|at| seats.get_mut(at))
            {
                part.moves += 1;
                part.wall_us += made.wall_us;
                part.slowest_us = part.slowest_us.max(made.wall_us);
                part.times.add(made.wall_us);
                part.peak_kib = part.peak_kib.max(made.peak_kib);
                part.strikes += u64::from(made.strike);
            }
        }
        for event in &record.events {
            let Event::Fault(fault) = event else {
                continue;
            };
            let part = (fault.seat as usize)
                .checked_sub(1)
                .and_then(|at| seats.get_mut(at));
            if let Some(part) = part.filter(|part| part.fault.is_none()) {
                part.fault = Some((fault.kind, fault.message.clone()));
            }
        }
        Ok(GameSummary {
            number,
            seats,
            reason: end.reason,
            began: record.opening.began,
            place,
            fingerprint: fingerprint(record),
            overload: (record.opening.machine.as_ref()).and_then(|machine| machine.overload),
        })
    }

    /// The game's name in records: its number, counted from 1.
    pub fn id(&self) -> String {
        (self.number + 1).to_string()
    }

    /// The unit of the game, from 0.
    pub fn unit(&self) -> u64 {
        self.number / self.seats.len().max(1) as u64
    }

    /// Number of moves.
    pub fn moves(&self) -> u64 {
        self.seats.iter().map(|part| part.moves).sum()
    }
}

/// See [`GameSummary::fingerprint`]. Indexes store it, so another hash needs another version.
fn fingerprint(record: &Record) -> u64 {
    let mut hash = Sha256::new();
    let mut word = |word: &str| {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word);
    };
    word(&record.opening.start);
    for made in record.moves() {
        word(&made.mv);
    }
    for fault in record.faults() {
        word(&format!("{} {}", fault.seat, fault.kind.name()));
    }
    if let Some(end) = &record.end {
        word(&format!("{:?}", end.scores));
    }
    let digest = hash.finalize();
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&digest[..8]);
    u64::from_le_bytes(bytes)
}

/// The number of the game with this name: see [`Pairing::id`](crate::schedule::Pairing::id).
pub fn number(id: &str) -> Result<u64, StoreError> {
    let is_plain = id.bytes().all(|byte| byte.is_ascii_digit());
    let number = id
        .parse::<u64>()
        .ok()
        .filter(|_| is_plain)
        .and_then(|id| id.checked_sub(1));
    // Bounded, so that sums of numbers cannot overflow, whatever a file says.
    let number = number.filter(|&number| number < 1 << 60);
    number.ok_or_else(|| StoreError::Id(id.to_owned()))
}
