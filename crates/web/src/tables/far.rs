//! One game of another process, from its live events.

use std::time::Instant;

use floe_games::AnyGame;
use floe_games::record::{Event, RecordLine};
use floe_rules::Player;
use floe_rules::text::is_visible;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::feed::{Company, Feed, Update};
use floe_games::json::{ClockState, GameState, milliseconds};

/// The most fields a board may have to be shown, and the most players.
const FIELDS: usize = 40_000;
const PLAYERS: u32 = 9;
/// Longest name shown, in characters.
const NAME: usize = 60;

/// A game played by another process.
pub(crate) struct ExternalGame {
    id: String,
    source: String,
    game: &'static dyn AnyGame,
    names: Vec<String>,
    opening: Vec<String>,
    began: Instant,
    changed: watch::Sender<u64>,
    progress: Mutex<Progress>,
}

struct Progress {
    feed: Feed,
    /// Whether no more events will come.
    is_done: bool,
}

impl ExternalGame {
    /// A game that begins with this line; `None` for another line, or a board too large for pages.
    pub(super) fn begin(id: String, source: &str, line: RecordLine) -> Option<ExternalGame> {
        let RecordLine::Game(opening) = line else {
            return None;
        };
        // A start with more bytes than this per field cannot be a small board.
        if opening.start.len() > 4 * FIELDS {
            return None;
        }
        let game = floe_games::find(&opening.game).ok()?;
        let start = game.read(&opening.start).ok()?;
        let players = start.players();
        let game_state = GameState::new(start);
        let fields = game_state.start().view().cells.len();
        let is_shown =
            fields <= FIELDS && players <= PLAYERS && opening.seats.len() == players as usize;
        is_shown.then(|| ExternalGame {
            id,
            source: source.to_owned(),
            game,
            names: opening.seats.iter().map(|seat| shown(&seat.name)).collect(),
            opening: opening.opening.iter().map(|mv| shown(mv)).collect(),
            began: Instant::now(),
            changed: watch::Sender::new(0),
            progress: Mutex::new(Progress {
                feed: Feed::new(game_state),
                is_done: false,
            }),
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The match or tournament of the game.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    pub(crate) fn title(&self) -> &'static str {
        self.game.title()
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn opening(&self) -> &[String] {
        &self.opening
    }

    pub(super) fn began(&self) -> Instant {
        self.began
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Whether the game is over, or its events have ended.
    pub(crate) fn is_over(&self) -> bool {
        let progress = self.progress.lock();
        progress.is_done || progress.feed.game_state().play().turn().is_none()
    }

    /// Adds a line; returns whether it fits the game.
    pub(super) fn take(&self, line: &RecordLine) -> bool {
        let event = match line {
            RecordLine::Game(_) => return false,
            RecordLine::Move(made) => Event::Move(made.clone()),
            RecordLine::Back(back) => Event::Back(*back),
            RecordLine::Fault(fault) => Event::Fault(fault.clone()),
            RecordLine::End(_) => {
                self.break_off();
                return true;
            }
        };
        let mut progress = self.progress.lock();
        if progress.feed.apply(event).is_err() {
            return false;
        }
        drop(progress);
        self.changed.send_modify(|count| *count += 1);
        true
    }

    /// Marks that no more events will come.
    pub(super) fn break_off(&self) {
        self.progress.lock().is_done = true;
        self.changed.send_modify(|count| *count += 1);
    }

    /// The whole state.
    pub(crate) fn state(&self) -> Update {
        let mut progress = self.progress.lock();
        let company = self.company(&progress);
        progress.feed.state(company)
    }

    /// The changes after a version; the whole state for a client without one or with one that is
    /// too old.
    pub(crate) fn updates(&self, version: Option<usize>) -> Vec<Update> {
        let mut progress = self.progress.lock();
        let company = self.company(&progress);
        progress.feed.after(version, company)
    }

    fn company(&self, progress: &Progress) -> Company {
        let game_state = progress.feed.game_state();
        let clock = |player: Player| ClockState {
            used_ms: milliseconds(game_state.used(player).1),
            left_ms: None,
        };
        Company {
            clocks: Player::all(game_state.start().players())
                .map(clock)
                .collect(),
            names: self.names.clone(),
            turn_ms: None,
        }
    }

    /// The board as text.
    pub(crate) fn board_text(&self) -> String {
        self.progress
            .lock()
            .feed
            .game_state()
            .play()
            .position()
            .board()
    }
}

/// A name for pages: short, and without invisible characters.
fn shown(name: &str) -> String {
    (name.chars().filter(|&c| is_visible(c)).take(NAME)).collect()
}
