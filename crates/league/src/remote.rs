//! Remote programs: those that cannot be uploaded, because of their needs or their secrets.
//!
//! The client of a remote program fetches the program's input from the league, and sends its
//! answers; the league never sees the program. It plays against the versions of the ladder, on the
//! league's boards, in a file of records of its own, so that the ladder does not depend on who is
//! connected. The clock and the faults are those of all programs: the time limit starts when the
//! request can be fetched, and the league adds its latency allowance. A program that is silent for
//! the disconnect timeout counts as ended, and loses that game alone.
//!
//! | module | content |
//! |---|---|
//! | `messages` | the messages of both sides |
//! | `error` | possible errors |
//! | `book` | the file of games, and the next game |
//! | `connections` | the connected programs, and their games |
//! | `table` | playing one game after another |

mod book;
mod connections;
mod error;
mod messages;
mod table;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use data_encoding::HEXLOWER;
use floe_arena::seat::{RemoteAnswer, Sandbox};
use floe_rules::text::is_visible;

use self::connections::{Connection, LOOK, Shared};
pub use self::error::RemoteError;
use self::error::WORD;
pub use self::messages::{Hello, News, NumberedNews, Reply, Welcome};
use crate::description::RemoteRating;
use crate::event::Event;
use crate::folder::League;
use crate::people::Participant;
use crate::versions::{Version, VersionId, VersionState};

/// The longest move and remark, in characters.
const MOVE: usize = 100;
const NOTE: usize = 400;

/// All remote programs. Dropping this cancels their games, which are played again later.
pub struct Remotes(Arc<Shared>);

impl Remotes {
    /// Without connections. `ring` is called whenever a connection has news.
    pub fn new(
        league: &League,
        sandbox: &Sandbox,
        ring: impl Fn() + Send + Sync + 'static,
    ) -> Remotes {
        Remotes(Arc::new(Shared::new(league, sandbox, ring)))
    }

    /// Connects a participant's program. An earlier connection of the same entrant ends.
    pub fn connect(&self, by: &Participant, hello: &Hello) -> Result<Welcome, RemoteError> {
        let league = &self.0.league;
        let description = league.description();
        let settings = description.remote;
        if settings.rated == RemoteRating::No {
            return Err(RemoteError::NotHere);
        }
        let word = hello.word.trim();
        let length = word.chars().count();
        if !(1..=WORD).contains(&length) || !word.chars().all(is_visible) {
            return Err(RemoteError::Word);
        }
        self.0.open_book()?;
        let version = version(league, by, word)?;
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(|error| RemoteError::System(error.to_string()))?;
        let id = HEXLOWER.encode(&bits);
        let mut state = self.0.state.lock();
        let is_over = |one: &Connection| one.entrant == by.entrant && one.ended.is_some();
        state.connections.retain(|_, one| !is_over(one));
        let others = state.connections.values_mut();
        for other in others.filter(|other| other.entrant == by.entrant) {
            other.end("another connection of yours took its place");
        }
        if let Some(book) = &mut state.book {
            book.take_up(&version);
        }
        let connection = Connection::new(by.entrant.clone(), version.clone());
        state.connections.insert(id.clone(), connection);
        drop(state);
        self.0.tell_all();
        let (shared, name) = (Arc::clone(&self.0), id.clone());
        let table = thread::Builder::new().name("remote table".to_owned());
        let started = table.spawn(move || table::play(&shared, &name));
        let (shared, name) = (Arc::clone(&self.0), id.clone());
        let watch = move || {
            while shared.look_for_lost(&name) {
                thread::sleep(LOOK);
            }
        };
        let watcher = thread::Builder::new().name("remote watcher".to_owned());
        let started = started.and_then(|_| watcher.spawn(watch));
        if let Err(error) = started {
            self.0.state.lock().connections.remove(&id);
            let cause = format!("cannot start a thread: {error}");
            return Err(RemoteError::System(cause));
        }
        Ok(Welcome {
            connection: id,
            version,
            league: description.name.clone(),
            game: description.game.name().to_owned(),
            move_ms: description.limits.move_ms,
            way_ms: settings.latency_allowance.as_millis() as u64,
            grace_ms: settings.disconnect_timeout.as_millis() as u64,
            is_rated_with_ladder: settings.rated == RemoteRating::Ladder,
        })
    }

    /// Charges a request to its connection's budget; `None` if there is no such connection, else
    /// whether it may make the request.
    pub fn pay(&self, connection: &str) -> Option<bool> {
        let mut state = self.0.state.lock();
        Some(state.connections.get_mut(connection)?.pay())
    }

    /// Registers a request that waits for news, until the returned value is dropped.
    pub fn listen(&self, by: &Participant, connection: &str) -> Result<Listener, RemoteError> {
        let mut state = self.0.state.lock();
        state.of(by, connection)?.listeners += 1;
        Ok(Listener {
            shared: Arc::clone(&self.0),
            connection: connection.to_owned(),
        })
    }

    /// The news after this number; earlier news is discarded.
    pub fn news_after(
        &self,
        by: &Participant,
        connection: &str,
        number: u64,
    ) -> Result<Vec<NumberedNews>, RemoteError> {
        let mut state = self.0.state.lock();
        let connection = state.of(by, connection)?;
        connection.heard = Instant::now();
        connection.news.retain(|news| news.number > number);
        Ok(connection.news.iter().cloned().collect())
    }

    /// Handles a program's reply.
    pub fn reply(
        &self,
        by: &Participant,
        connection: &str,
        reply: Reply,
    ) -> Result<(), RemoteError> {
        let mut state = self.0.state.lock();
        let connection = state.of(by, connection)?;
        connection.heard = Instant::now();
        let refuse = |why: &str| Err(RemoteError::OutOfTurn(why.to_owned()));
        let (Reply::Ready { game } | Reply::Failed { game } | Reply::Move { game, .. }) = &reply;
        let Some(seated) = connection.game.as_mut().filter(|now| now.game == *game) else {
            return refuse("that game is not being played");
        };
        match reply {
            Reply::Ready { .. } => seated.is_ready = true,
            Reply::Failed { .. } => {
                seated.has_failed = true;
                seated.answers = None;
            }
            Reply::Move {
                question, mv, note, ..
            } => {
                if seated.question != Some(question) {
                    return refuse("no such move is expected; it may be too late");
                }
                let Some(answers) = &seated.answers else {
                    return refuse("that game has not begun");
                };
                let short = |text: &str, most| text.chars().take(most).collect::<String>();
                // If the game's thread has ended, the answer is not needed.
                let _ = answers.send(RemoteAnswer {
                    question,
                    mv: short(&mv, MOVE),
                    note: floe_rules::text::visible(&short(&note, NOTE)).into_owned(),
                });
                seated.question = None;
            }
        }
        drop(state);
        self.0.changed.notify_all();
        Ok(())
    }

    /// Ends a connection: a game under way is lost.
    pub fn leave(&self, by: &Participant, connection: &str) -> Result<(), RemoteError> {
        self.0
            .state
            .lock()
            .of(by, connection)?
            .end("you disconnected");
        self.0.tell_all();
        Ok(())
    }
}

impl Drop for Remotes {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
        self.0.changed.notify_all();
    }
}

/// A request that waits for news of a connection.
pub struct Listener {
    shared: Arc<Shared>,
    connection: String,
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut state = self.shared.state.lock();
        if let Some(connection) = state.connections.get_mut(&self.connection) {
            connection.listeners -= 1;
            connection.heard = Instant::now();
        }
    }
}

/// The version of a remote program: the existing one with this name, or a new one.
fn version(league: &League, by: &Participant, word: &str) -> Result<VersionId, RemoteError> {
    let is_it = |version: &&Version| {
        let is_called_so = version.word.as_deref() == Some(word);
        version.is_remote && version.state == VersionState::Accepted && is_called_so
    };
    let found = league.change(|standing| {
        let mut newest = standing.versions.of(&by.entrant).iter().rev();
        if let Some(known) = newest.find(is_it) {
            return Ok((Vec::new(), Ok(known.id.clone())));
        }
        if let Err(error) = league.may_submit(standing, &by.entrant) {
            return Ok((Vec::new(), Err(error)));
        }
        let version = standing.versions.next_of(&by.entrant);
        let event = Event::Connected {
            version: version.clone(),
            by: by.name.clone(),
            word: word.to_owned(),
        };
        Ok((vec![event], Ok(version)))
    })?;
    Ok(found?)
}
