//! The connected programs, their messages, and their games.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use floe_arena::live::{Broadcast, LiveSocket};
use floe_arena::seat::{RemoteAnswer, Sandbox};
use floe_arena::store::Store;
use parking_lot::{Condvar, Mutex};

use super::book::Book;
use super::error::RemoteError;
use super::messages::{News, NumberedNews};
use crate::folder::League;
use crate::people::Participant;
use crate::versions::VersionId;

/// Interval between checks for lost connections and other changes.
pub(super) const LOOK: Duration = Duration::from_millis(100);
/// Most unfetched messages: a game needs two.
const UNHEARD: usize = 64;
/// Games in a row, lost by faults or failed on the league's machine, after which the connection
/// ends.
const TOO_MANY: u32 = 3;
/// The message in the second case.
pub(super) const TROUBLE: &str =
    "the league's machine failed; ask the organiser to look at its log";

/// Requests a connection may make beyond those its games need: at once, and per second.
const BURST: u32 = 100;
const RATE: u32 = 20;
/// Requests allowed per message of the league: to fetch it, to answer, and both once more.
const FOR_NEWS: u32 = 4;
/// The most requests a connection can save up.
const MOST_REQUESTS: u32 = 10_000;

/// State shared by games and requests.
pub(super) struct Shared {
    pub(super) league: League,
    pub(super) sandbox: Sandbox,
    /// Called after a message was queued.
    pub(super) ring: Box<dyn Fn() + Send + Sync>,
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
    pub(super) is_over: Arc<AtomicBool>,
    /// The channel for live events of the games.
    pub(super) live: Broadcast,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) book: Option<Book>,
    /// The socket for other processes that follow the games.
    _told: Option<LiveSocket>,
    pub(super) connections: HashMap<String, Connection>,
}

/// A connection.
pub(super) struct Connection {
    pub(super) entrant: String,
    pub(super) version: VersionId,
    /// Messages not fetched yet.
    pub(super) news: VecDeque<NumberedNews>,
    pub(super) sent: u64,
    /// Number of requests that wait for news, and when the last one ended.
    pub(super) listeners: u32,
    pub(super) heard: Instant,
    pub(super) game: Option<Seated>,
    /// The reason why the connection ended.
    pub(super) ended: Option<String>,
    faults_in_a_row: u32,
    troubles_in_a_row: u32,
    budget: Budget,
}

/// The requests a connection may still make.
///
/// The budget grows with what the league asks, so a fast program is never refused in mid-game, and
/// a client that asks without need is.
struct Budget {
    left: u32,
    refilled: Instant,
}

impl Budget {
    fn new(now: Instant) -> Self {
        Budget {
            left: BURST,
            refilled: now,
        }
    }

    fn grow(&mut self) {
        self.left = (self.left + FOR_NEWS).min(MOST_REQUESTS);
    }

    /// Takes the price of a request; `false` if the budget is too small.
    fn pay(&mut self, now: Instant) -> bool {
        let new = now.duration_since(self.refilled).as_millis() * u128::from(RATE) / 1000;
        if new > 0 {
            let new = u32::try_from(new).unwrap_or(BURST);
            self.left = self.left.max(self.left.saturating_add(new).min(BURST));
            self.refilled = now;
        }
        let has_paid = self.left > 0;
        self.left = self.left.saturating_sub(1);
        has_paid
    }
}

/// The present or next game of a connection.
pub(super) struct Seated {
    pub(super) game: String,
    pub(super) is_ready: bool,
    pub(super) has_failed: bool,
    /// The number of the question waiting for an answer.
    pub(super) question: Option<u64>,
    /// The channel for answers; `None` before the game begins.
    pub(super) answers: Option<Sender<RemoteAnswer>>,
}

impl State {
    /// The connection of this participant's entrant with this ID.
    pub(super) fn of(
        &mut self,
        by: &Participant,
        id: &str,
    ) -> Result<&mut Connection, RemoteError> {
        let known = self.connections.get_mut(id);
        let own = known.filter(|known| known.entrant == by.entrant);
        own.ok_or(RemoteError::Gone)
    }
}

impl Connection {
    /// A connection of this version, without messages yet.
    pub(super) fn new(entrant: String, version: VersionId) -> Self {
        Connection {
            entrant,
            version,
            news: VecDeque::new(),
            sent: 0,
            listeners: 0,
            heard: Instant::now(),
            game: None,
            ended: None,
            faults_in_a_row: 0,
            troubles_in_a_row: 0,
            budget: Budget::new(Instant::now()),
        }
    }

    /// Takes the price of a request; `false` if the connection may not make it.
    pub(super) fn pay(&mut self) -> bool {
        self.budget.pay(Instant::now())
    }

    pub(super) fn send(&mut self, news: News) {
        self.sent += 1;
        self.budget.grow();
        if self.news.len() >= UNHEARD {
            self.news.pop_front();
        }
        self.news.push_back(NumberedNews {
            number: self.sent,
            news,
        });
    }

    /// Counts a failed game; ends the connection after too many in a row.
    pub(super) fn note_trouble(&mut self) {
        self.troubles_in_a_row += 1;
        if self.troubles_in_a_row >= TOO_MANY {
            self.end(TROUBLE);
        }
    }

    /// Counts a played game; ends the connection after too many losses by fault.
    pub(super) fn note_game(&mut self, has_fault: bool) {
        self.troubles_in_a_row = 0;
        self.faults_in_a_row = match has_fault {
            true => self.faults_in_a_row + 1,
            false => 0,
        };
        if self.faults_in_a_row >= TOO_MANY {
            self.end("three games in a row were lost by faults; fix the program and connect again");
        }
    }

    /// Ends the connection; a game that waits for its answer sees a disconnect.
    pub(super) fn end(&mut self, why: &str) {
        if self.ended.is_some() {
            return;
        }
        self.ended = Some(why.to_owned());
        if let Some(game) = &mut self.game {
            game.answers = None;
        }
        let why = why.to_owned();
        self.send(News::End { why });
    }
}

impl Shared {
    pub(super) fn new(
        league: &League,
        sandbox: &Sandbox,
        ring: impl Fn() + Send + Sync + 'static,
    ) -> Shared {
        Shared {
            league: league.clone(),
            sandbox: sandbox.clone(),
            ring: Box::new(ring),
            state: Mutex::default(),
            changed: Condvar::new(),
            is_over: Arc::default(),
            live: Broadcast::default(),
        }
    }

    /// Wakes games and readers, so that they check again.
    pub(super) fn tell_all(&self) {
        self.changed.notify_all();
        (self.ring)();
    }

    pub(super) fn open_book(&self) -> Result<(), RemoteError> {
        let mut state = self.state.lock();
        if state.book.is_none() {
            let store = Store::open(&self.league.remote_file())?;
            let table = self.league.description().table;
            let read = |standing: &_| Book::new(store, table, standing);
            state.book = Some(self.league.look(read)??);
            state._told = LiveSocket::beside(&self.league.remote_file(), &self.live);
        }
        Ok(())
    }

    /// Ends a connection without a recent message; returns whether the connection exists.
    pub(super) fn look_for_lost(&self, connection: &str) -> bool {
        let timeout = self.league.description().remote.disconnect_timeout;
        let mut state = self.state.lock();
        let Some(known) = state.connections.get_mut(connection) else {
            return false;
        };
        if known.listeners == 0 && known.heard.elapsed() > timeout && known.ended.is_none() {
            let why = format!(
                "connection timed out: no message for {} ms",
                timeout.as_millis()
            );
            known.end(&why);
            drop(state);
            self.tell_all();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_grows_with_what_is_asked_and_with_time_alone() {
        let begin = Instant::now();
        let mut budget = Budget::new(begin);
        let spend = |budget: &mut Budget, now| (0..).take_while(|_| budget.pay(now)).count();
        assert_eq!(spend(&mut budget, begin), BURST as usize);
        assert_eq!(
            spend(&mut budget, begin + Duration::from_secs(1)),
            RATE as usize
        );
        // A fast game: the clock is stopped, and the league asks on and on.
        for _ in 0..1000 {
            budget.grow();
            assert!(budget.pay(begin + Duration::from_secs(1)));
            assert!(budget.pay(begin + Duration::from_secs(1)));
        }
        // Saved requests stay; time alone saves no more than the first.
        let saved = spend(&mut budget, begin + Duration::from_secs(1));
        assert_eq!(saved, 1000 * (FOR_NEWS as usize - 2));
        assert_eq!(
            spend(&mut budget, begin + Duration::from_secs(3600)),
            BURST as usize
        );
    }
}
