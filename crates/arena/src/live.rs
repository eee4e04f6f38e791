//! Events of games in progress, for watchers.
//!
//! A [`Broadcast`] sends every [`LiveEvent`] to all its subscribers. Without a subscriber no event
//! is made: the cost is one look at a counter. A slow subscriber blocks no game: events that do not
//! fit into its channel are left out, and it learns how many. A broadcast that
//! [remembers](Broadcast::remember) sends late subscribers the events so far of the games in
//! progress.
//!
//! [`LiveSocket`] sends the same events to other processes of this user; [`LiveReader`] reads them there.
//!
//! Events are for watching. The truth is in the records.

#[cfg(unix)]
mod reader;
#[cfg_attr(not(unix), path = "live/no_socket.rs")]
mod socket;

#[cfg(unix)]
pub use reader::LiveReader;
#[cfg(not(unix))]
pub use socket::LiveReader;
pub use socket::LiveSocket;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use floe_games::record::RecordLine;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

/// Most events that wait for a subscriber; more are left out.
const WAITING: usize = 4096;
/// Most lines per second of remembered games; above it, no new game is remembered, since no person
/// can follow more.
const LINES: u32 = 200;

/// The socket that publishes the games of a file of records: next to the file, as `NAME.live`.
pub fn socket_path(records: &Path) -> PathBuf {
    records.with_extension("live")
}

/// An event of the games in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum LiveEvent {
    /// A line of a game's record: the game was opened, a move was made, a fault happened, the game
    /// ended.
    Line {
        /// The game's id.
        game: String,
        /// The line as in the record, except for standard error that comes later.
        line: RecordLine,
    },
    /// A game was broken off; it leaves no record, and may be played again.
    Abandoned {
        /// The game's id.
        game: String,
        /// The reason.
        cause: String,
    },
    /// Progress of the schedule.
    Progress {
        /// Games played since this run began.
        played: u64,
        /// Number of games in this run, if known.
        length: Option<u64>,
    },
    /// Events were left out here because the subscriber was too slow.
    Missed {
        /// Number of events left out.
        events: u64,
    },
}

/// A channel on which events are published and subscribed to. Clones share the channel.
///
/// ```
/// use floe_arena::live::{Broadcast, LiveEvent};
/// let broadcast = Broadcast::default();
/// broadcast.publish(|| unreachable!("no subscriber"));
/// let events = broadcast.subscribe();
/// let progress = LiveEvent::Progress { played: 3, length: Some(10) };
/// broadcast.publish(|| progress.clone());
/// assert_eq!(*events.recv()?, progress);
/// # Ok::<(), std::sync::mpsc::RecvError>(())
/// ```
#[derive(Clone, Default)]
pub struct Broadcast(Arc<Subscribers>);

#[derive(Default)]
struct Subscribers {
    /// Number of subscribers, plus one for a memory; readable without a lock.
    count: AtomicUsize,
    all: Mutex<Listeners>,
}

#[derive(Default)]
struct Listeners {
    subscribers: Vec<Subscriber>,
    /// The events of each game in progress, if events are remembered.
    memory: Option<BTreeMap<String, Vec<Arc<LiveEvent>>>>,
    remembered: Pace,
}

/// Lines published in this second, to bound their rate.
#[derive(Debug)]
struct Pace {
    second: Instant,
    lines: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            second: Instant::now(),
            lines: 0,
        }
    }
}

impl Pace {
    /// Whether the rate allows another game.
    fn has_time(&mut self) -> bool {
        if self.second.elapsed() >= Duration::from_secs(1) {
            *self = Pace::default();
        }
        self.lines < LINES
    }
}

impl Listeners {
    fn count(&self) -> usize {
        self.subscribers.len() + usize::from(self.memory.is_some())
    }

    fn keep(&mut self, event: &Arc<LiveEvent>) {
        let Some(memory) = &mut self.memory else {
            return;
        };
        self.remembered.lines += u32::from(matches!(**event, LiveEvent::Line { .. }));
        match &**event {
            LiveEvent::Line { game, line } => match line {
                RecordLine::Game(_) => {
                    memory.insert(game.clone(), vec![Arc::clone(event)]);
                }
                RecordLine::End(_) => {
                    memory.remove(game);
                }
                RecordLine::Move(_) | RecordLine::Back(_) | RecordLine::Fault(_) => {
                    if let Some(known) = memory.get_mut(game) {
                        known.push(Arc::clone(event));
                    }
                }
            },
            LiveEvent::Abandoned { game, .. } => {
                memory.remove(game);
            }
            LiveEvent::Progress { .. } | LiveEvent::Missed { .. } => {}
        }
    }
}

struct Subscriber {
    to: SyncSender<Arc<LiveEvent>>,
    /// Number of events left out and not reported yet.
    missed: Arc<AtomicU64>,
}

impl Broadcast {
    /// All events from now on, after the remembered events of games in progress. The channel ends
    /// when the last clone of the broadcast is dropped; dropping the receiver unsubscribes.
    pub fn subscribe(&self) -> Receiver<Arc<LiveEvent>> {
        self.subscribe_counting().0
    }

    /// The same, with the counter of omitted events that the next event reports.
    fn subscribe_counting(&self) -> (Receiver<Arc<LiveEvent>>, Arc<AtomicU64>) {
        let mut all = self.0.all.lock();
        let known: Vec<_> = (all.memory.iter().flatten())
            .flat_map(|(_, events)| events.iter().cloned())
            .collect();
        let (to, from) = sync_channel(WAITING + known.len());
        for event in known {
            // The channel has room for the whole memory, and the receiver exists.
            let _ = to.try_send(event);
        }
        let missed = Arc::new(AtomicU64::new(0));
        all.subscribers.push(Subscriber {
            to,
            missed: Arc::clone(&missed),
        });
        self.0.count.store(all.count(), Ordering::Release);
        (from, missed)
    }

    /// From now on stores the events of each game until it ends, for later subscribers. Events are
    /// then made even without a subscriber; if [games](Self::game) come faster than a person can
    /// follow, only some are stored.
    ///
    /// ```
    /// use floe_arena::live::{Broadcast, LiveEvent};
    /// use floe_games::record::RecordLine;
    /// let broadcast = Broadcast::default();
    /// broadcast.remember();
    /// let begins = RecordLine::Game(Default::default());
    /// broadcast.publish(|| LiveEvent::Line { game: "7".into(), line: begins });
    /// let late = broadcast.subscribe();
    /// assert!(matches!(&*late.recv()?, LiveEvent::Line { game, .. } if game == "7"));
    /// # Ok::<(), std::sync::mpsc::RecvError>(())
    /// ```
    pub fn remember(&self) {
        let mut all = self.0.all.lock();
        all.memory.get_or_insert_default();
        self.0.count.store(all.count(), Ordering::Release);
    }

    /// Publishes all lines of a game that begins now, or none of them. Some games are left out whole
    /// and cost nothing: all games without a subscriber, and those beyond the rate that a person
    /// could follow.
    ///
    /// ```
    /// use floe_arena::live::Broadcast;
    /// use floe_games::record::RecordLine;
    /// let broadcast = Broadcast::default();
    /// broadcast.game("7").publish(|| unreachable!("no subscriber"));
    /// let events = broadcast.subscribe();
    /// broadcast.game("8").publish(|| RecordLine::Game(Default::default()));
    /// assert!(events.recv().is_ok());
    /// ```
    pub fn game(&self, id: &str) -> GamePublisher<'_> {
        let is_published = self.is_heard() && {
            let mut all = self.0.all.lock();
            !all.subscribers.is_empty() || all.remembered.has_time()
        };
        GamePublisher {
            broadcast: self,
            game: id.to_owned(),
            is_published,
        }
    }

    /// Whether there is a subscriber or a memory.
    pub fn is_heard(&self) -> bool {
        self.0.count.load(Ordering::Acquire) > 0
    }

    /// Whether there is a subscriber; a memory for late subscribers does not count. A subscriber
    /// that left is noticed with the next event.
    pub fn is_listened_to(&self) -> bool {
        !self.0.all.lock().subscribers.is_empty()
    }

    /// Sends an event to all subscribers, and builds it only if there is one. Never waits.
    pub fn publish(&self, event: impl FnOnce() -> LiveEvent) {
        if !self.is_heard() {
            return;
        }
        let event = Arc::new(event());
        let mut all = self.0.all.lock();
        all.keep(&event);
        all.subscribers
            .retain(|subscriber| subscriber.offer(&event));
        self.0.count.store(all.count(), Ordering::Release);
    }
}

/// Publishes the lines of one game: see [`Broadcast::game`].
#[derive(Debug)]
pub struct GamePublisher<'a> {
    broadcast: &'a Broadcast,
    game: String,
    is_published: bool,
}

impl GamePublisher<'_> {
    /// Publishes a line; builds it only if the game is published.
    pub fn publish(&self, line: impl FnOnce() -> RecordLine) {
        if self.is_published {
            self.broadcast.publish(|| LiveEvent::Line {
                game: self.game.clone(),
                line: line(),
            });
        }
    }

    /// Publishes that the game was stopped early.
    pub fn abandon(&self, cause: impl fmt::Display) {
        if self.is_published {
            self.broadcast.publish(|| LiveEvent::Abandoned {
                game: self.game.clone(),
                cause: cause.to_string(),
            });
        }
    }
}

impl Subscriber {
    /// Offers an event; returns whether the subscriber is still there.
    fn offer(&self, event: &Arc<LiveEvent>) -> bool {
        let events = self.missed.load(Ordering::Acquire);
        if events > 0 {
            match self.to.try_send(Arc::new(LiveEvent::Missed { events })) {
                Ok(()) => self.missed.store(0, Ordering::Release),
                Err(TrySendError::Full(_)) => {
                    self.missed.store(events + 1, Ordering::Release);
                    return true;
                }
                Err(TrySendError::Disconnected(_)) => return false,
            }
        }
        match self.to.try_send(Arc::clone(event)) {
            Ok(()) => true,
            Err(TrySendError::Full(_)) => {
                self.missed.store(1, Ordering::Release);
                true
            }
            Err(TrySendError::Disconnected(_)) => false,
        }
    }
}

impl fmt::Debug for Broadcast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subscribers = self.0.count.load(Ordering::Relaxed);
        write!(f, "Broadcast({subscribers} subscribers)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(played: u64) -> LiveEvent {
        LiveEvent::Progress {
            played,
            length: None,
        }
    }

    #[test]
    fn a_slow_subscriber_is_published_what_was_left_out_and_holds_up_nobody() {
        let broadcast = Broadcast::default();
        let (slow, quick) = (broadcast.subscribe(), broadcast.subscribe());
        for played in 0..WAITING as u64 + 10 {
            broadcast.publish(|| progress(played));
            assert_eq!(*quick.recv().unwrap(), progress(played));
        }
        for played in 0..WAITING as u64 {
            assert_eq!(*slow.recv().unwrap(), progress(played));
        }
        broadcast.publish(|| progress(7));
        assert_eq!(*slow.recv().unwrap(), LiveEvent::Missed { events: 10 });
        assert_eq!(*slow.recv().unwrap(), progress(7));
    }

    #[test]
    fn whoever_is_gone_is_forgotten() {
        let broadcast = Broadcast::default();
        let events = broadcast.subscribe();
        assert!(broadcast.is_heard());
        drop(events);
        broadcast.publish(|| progress(1));
        assert!(!broadcast.is_heard());
        broadcast.publish(|| unreachable!("no subscriber"));
    }

    #[test]
    fn games_too_fast_for_eyes_are_not_made_while_nobody_listens() {
        let broadcast = Broadcast::default();
        broadcast.remember();
        let mut made = 0;
        let games: Vec<GamePublisher<'_>> = (0..10 * LINES)
            .map(|game| {
                let publisher = broadcast.game(&game.to_string());
                publisher.publish(|| {
                    made += 1;
                    RecordLine::Game(Box::default())
                });
                publisher
            })
            .collect();
        // On a machine that hangs for seconds there may be some more.
        assert!((LINES..5 * LINES).contains(&made), "{made}");
        let published = games.iter().filter(|game| game.is_published).count();
        assert_eq!(published, made as usize);
        // A late subscriber gets the published games from their beginnings, and no others.
        let late = broadcast.subscribe();
        assert_eq!(late.try_iter().count(), published);
        for game in &games {
            game.publish(|| RecordLine::Move(floe_games::record::PlayedMove::default()));
        }
        assert_eq!(late.try_iter().count(), published);
        // With a subscriber every game is published; the subscriber limits the rate.
        broadcast
            .game("new")
            .publish(|| RecordLine::Game(Box::default()));
        assert_eq!(late.try_iter().count(), 1);
    }
}
