//! A game as rows of the index, and the check sum of those rows.

use crc32fast::Hasher;
use floe_games::record::Overload;
use floe_games::{FaultKind, Reason};
use rusqlite::Row;

use super::{GameSummary, MoveTimes, SeatResult};

/// The columns of games `g` and their seats `p`, in the order of the numbers below.
pub(super) const COLUMNS: &str = "g.number, g.reason, g.began, g.start_byte, g.end_byte, p.entrant, p.score, p.place, p.moves, \
     p.wall_us, p.slowest_us, p.peak_kib, p.strikes, p.fault, p.message, g.row_check, p.times, g.fingerprint, \
     g.pressure, g.steal";

/// The check sum of a game's rows.
pub(super) fn row_check(game: &GameSummary) -> u32 {
    let mut hash = Hasher::new();
    let mut number = |number: u64| hash.update(&number.to_le_bytes());
    number(game.number);
    number(game.began);
    number(game.place.start);
    number(game.place.end);
    number(game.fingerprint);
    number(u64::from(game.reason == Reason::Forfeit));
    if let Some(overload) = game.overload {
        number(overload.pressure_percent.into());
        number(overload.steal_percent.into());
    }
    for part in &game.seats {
        number(part.entrant as u64);
        number(part.score as u64);
        number(part.place.into());
        for count in [
            part.moves,
            part.wall_us,
            part.slowest_us,
            part.peak_kib,
            part.strikes,
        ] {
            number(count);
        }
        let kind = part.fault.as_ref().map(|(kind, _)| *kind);
        let kind = FaultKind::ALL.iter().position(|known| Some(*known) == kind);
        number(kind.map_or(0, |kind| kind as u64 + 1));
    }
    for part in &game.seats {
        hash.update(&part.times.packed());
    }
    for (_, message) in game.seats.iter().filter_map(|part| part.fault.as_ref()) {
        hash.update(message.as_bytes());
    }
    hash.finalize()
}

/// A seat's result, from a row with these columns.
pub(super) fn seat_result(row: &Row<'_>) -> rusqlite::Result<SeatResult> {
    let fault: Option<String> = row.get(13)?;
    let kind = fault.and_then(|name| FaultKind::ALL.into_iter().find(|kind| kind.name() == name));
    let message: Option<String> = row.get(14)?;
    Ok(SeatResult {
        entrant: row.get::<_, u64>(5)? as usize,
        score: row.get(6)?,
        place: row.get(7)?,
        moves: row.get(8)?,
        wall_us: row.get(9)?,
        slowest_us: row.get(10)?,
        peak_kib: row.get(11)?,
        strikes: row.get(12)?,
        fault: kind.map(|kind| (kind, message.unwrap_or_default())),
        times: MoveTimes::unpacked(row.get_ref(16)?.as_blob().unwrap_or_default()),
    })
}

/// The machine's overload in a game, from a row with these columns.
pub(super) fn overload(row: &Row<'_>) -> rusqlite::Result<Option<Overload>> {
    let pressure: Option<u32> = row.get(18)?;
    let steal: Option<u32> = row.get(19)?;
    let percents = pressure.zip(steal);
    Ok(percents.map(|(pressure_percent, steal_percent)| Overload {
        pressure_percent,
        steal_percent,
    }))
}

pub(super) fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::Finished => "finished",
        Reason::Forfeit => "forfeit",
    }
}

pub(super) fn reason(word: &str) -> Reason {
    match word {
        "forfeit" => Reason::Forfeit,
        _ => Reason::Finished,
    }
}
