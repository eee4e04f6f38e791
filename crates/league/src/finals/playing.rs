//! Playing finals, while the ladder is paused.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use floe_arena::live::LiveSocket;
use floe_arena::runner::PlaysGames;
use floe_arena::tournament::{Ended, Tournament};

use super::FinalsError;
use crate::event::Event;
use crate::folder::League;

/// Whether all games of finals are played.
pub fn are_over(tournament: &Tournament) -> bool {
    tournament.length() == Some(tournament.played())
}

/// Plays the missing games of finals, until the caller sets `stop`; the ladder is paused meanwhile.
/// `watch` is called after every game.
pub fn play(
    league: &League,
    tournament: &mut Tournament,
    players: &dyn PlaysGames,
    stop: &Arc<AtomicBool>,
    mut watch: impl FnMut(),
) -> Result<Ended, FinalsError> {
    league.record(Event::FinalsUnderWay { is_so: true })?;
    // For pages and terminals that follow the games, until this returns.
    let socket = LiveSocket::beside(&tournament.description().records, tournament.live());
    let ended = tournament.run(players, stop, |_, _| watch());
    drop(socket);
    league.record(Event::FinalsUnderWay { is_so: false })?;
    Ok(ended?)
}

/// Records the end of finals whose games are all played: their process may have been killed just
/// before.
pub fn note_end(league: &League) -> Result<(), FinalsError> {
    if league.look(|standing| standing.has_finals_under_way)? {
        league.record(Event::FinalsUnderWay { is_so: false })?;
    }
    Ok(())
}
