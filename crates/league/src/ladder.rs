//! The ladder: games without end between the versions that play now.
//!
//! | module | content |
//! |---|---|
//! | `skill`, `chooser` | the most informative meeting |
//! | `queue` | meetings in progress, so that choices do not depend on speed; suspensions |
//! | `table` | the standings and the results of all versions |
//! | `run` | playing, until stopped |
//! | `beside` | the same in a thread of its own |
//! | `watch` | following the games while another process plays them |
//!
//! A [`Ladder`] is computed from the league's journal and the records of its games, and from
//! nothing else: killed at any moment and reopened, it resumes with the very games it would have
//! played.

mod background;
mod matchmaker;
mod queue;
mod run;
mod skill;
mod table;
mod watch;

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use floe_arena::live::Broadcast;
use floe_arena::runner::{NamedSeat, RunnerError};
use floe_arena::schedule::Pairing;
use floe_arena::store::{
    Filter, GameSummary, Store, StoreError, TakenOut, is_of_worker, take_out_games,
};
use floe_games::record::Record;
use floe_rules::text::count;
use thiserror::Error;
use tracing::{debug, warn};

pub use self::background::BackgroundLadder;
pub use self::matchmaker::{Matchmaker, Matchup};
pub use self::queue::{GameResult, Queue, Suspension};
pub use self::run::{LadderRunner, RunEnd};
use self::table::{Counted, entered};
pub use self::table::{LadderTable, LadderVersion};
pub use self::watch::LadderWatch;
use crate::description::RemoteRating;
use crate::event::{Activity, Event};
use crate::folder::{League, LeagueError};
use crate::time;
use crate::versions::{Version, VersionState};

/// Interval between checks whether an obstacle is gone.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// The reason why a ladder cannot be played.
#[derive(Debug, Error)]
pub enum LadderError {
    /// The league cannot be read or written.
    #[error(transparent)]
    League(#[from] LeagueError),
    /// The games cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The games cannot be played.
    #[error(transparent)]
    Runner(#[from] RunnerError),
}

/// The ladder of a league, to be played.
#[derive(Debug)]
pub struct Ladder {
    league: League,
    store: Store,
    queue: Queue,
    counted: Counted,
    /// The seats of versions, by number.
    seats: HashMap<usize, NamedSeat>,
    /// Versions without a program here.
    absent: BTreeSet<usize>,
    /// The last check whether the program is back, and whether finals are still being played.
    looked: Option<Instant>,
    /// The journal's revision at the last read.
    revision: u64,
    /// Games that began on a day, in days since 1970.
    today: (u64, u64),
    is_held: Option<IdleReason>,
    live: Broadcast,
}

/// The reason why no game is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdleReason {
    /// The organiser paused the ladder.
    Paused,
    /// Finals are being played.
    Finals,
    /// The day's limit of games is reached.
    DayIsFull,
    /// There are fewer versions than seats in a game.
    TooFew,
}

impl Ladder {
    /// Opens the ladder to play; fails if another process plays it.
    pub fn open(league: &League) -> Result<Ladder, LadderError> {
        let description = league.description();
        let settings = &description.ladder;
        let store = Store::open(&league.ladder_file())?;
        let few = description.boards.count().is_some();
        let queue = Queue::new(description.table, few, settings.ahead, settings.suspension);
        let mut ladder = Ladder {
            counted: Counted::new(description.table),
            league: league.clone(),
            store,
            queue,
            seats: HashMap::new(),
            absent: BTreeSet::new(),
            looked: None,
            revision: 0,
            today: (0, 0),
            is_held: None,
            live: Broadcast::default(),
        };
        ladder.take_in_journal()?;
        ladder.take_in_games()?;
        Ok(ladder)
    }

    /// Moves a cluster worker's games out of the records, and reopens the ladder for its watchers.
    /// The remaining records determine the games in their place: the rest of a meeting, or the most
    /// informative meeting now. Games that were chosen because of removed results stay, since their
    /// own results are true.
    pub fn without_games_of(self, worker: &str) -> Result<(Ladder, TakenOut), LadderError> {
        let Ladder {
            league,
            store,
            live,
            ..
        } = self;
        drop(store);
        let taken = take_out_games(&league.ladder_file(), |record| is_of_worker(record, worker))?;
        let mut ladder = Ladder::open(&league)?;
        ladder.live = live;
        Ok((ladder, taken))
    }

    /// Applies new entries of the journal: new versions, and which of them play.
    fn take_in_journal(&mut self) -> Result<(), LadderError> {
        let revision = self.league.revision()?;
        if revision == self.revision && revision > 0 {
            return Ok(());
        }
        let Ladder {
            league,
            queue,
            counted,
            absent,
            is_held,
            ..
        } = self;
        league.look(|standing| {
            for version in entered(standing) {
                let number = counted.enter(&version.id, || queue.enter());
                if version.is_forgiven {
                    queue.forgive(number);
                }
            }
            for (number, id) in counted.ids().iter().enumerate() {
                let current = standing.versions.current(&id.entrant);
                let plays = current.is_some_and(|current| current.id == *id);
                queue.set_playing(number, plays && !absent.contains(&number));
            }
            *is_held = match standing.is_paused(Activity::Ladder) {
                true => Some(IdleReason::Paused),
                false => standing.has_finals_under_way.then_some(IdleReason::Finals),
            };
        })?;
        self.revision = revision;
        Ok(())
    }

    /// Counts the games played earlier.
    fn take_in_games(&mut self) -> Result<(), LadderError> {
        let Ladder {
            league,
            store,
            queue,
            counted,
            today,
            ..
        } = self;
        let given_up = league.look(|standing| standing.given_up.clone())?;
        *today = (time::now() / time::DAY, 0);
        given_up.iter().for_each(|unit| queue.give_up(*unit));
        store.each(&Filter::default(), |game| {
            let seats = counted.seats(store.entrants(), &game, || {
                let unknown = queue.enter();
                queue.set_playing(unknown, false);
                unknown
            });
            counted.add(&game, &seats);
            today.1 += u64::from(game.began / time::DAY == today.0);
            let result = result_of(&game);
            queue.read(game.number, &seats, result);
        })?;
        queue.finish_reading();
        debug!(games = counted.games(), "the ladder resumes");
        Ok(())
    }

    /// The league.
    pub fn league(&self) -> &League {
        &self.league
    }

    /// The store of the ladder's games.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The channel for live events of the ladder's games.
    pub fn live(&self) -> &Broadcast {
        &self.live
    }

    /// Number of stored games, including those of incomplete meetings.
    pub fn games(&self) -> u64 {
        self.counted.games()
    }

    /// The reason why no game is started at the moment.
    pub fn held(&self) -> Option<IdleReason> {
        self.is_held
    }

    /// Current standings.
    pub fn table(&self) -> Result<LadderTable, LadderError> {
        let (league, mut counted) = (&self.league, &self.counted);
        // Remote programs do not affect the ladder's choices.
        let mut with_remote = None;
        if league.description().remote.rated == RemoteRating::Ladder {
            let all = with_remote.insert(counted.clone());
            all.add_remote(league)?;
            counted = all;
        }
        Ok(league.look(|standing| counted.table(league.description(), standing))?)
    }

    /// The next game and its players; `None` if it must wait for results, the organiser or a new
    /// day: see [`held`](Ladder::held).
    fn next_game(&mut self, now: u64) -> Result<Option<(Pairing, Vec<NamedSeat>)>, LadderError> {
        self.look_again()?;
        self.take_in_journal()?;
        let day = now / time::DAY;
        if self.today.0 != day {
            self.today = (day, 0);
        }
        let most = self.league.description().ladder.games_a_day;
        self.is_held = match self.is_held {
            Some(IdleReason::Paused | IdleReason::Finals) => return Ok(None),
            _ if most.is_some_and(|most| self.today.1 >= most) => Some(IdleReason::DayIsFull),
            _ => None,
        };
        if self.is_held.is_some() {
            return Ok(None);
        }
        while let Some(pairing) = self.queue.next_game() {
            self.record_suspended()?;
            match self.players(&pairing)? {
                Ok(players) => {
                    self.today.1 += 1;
                    return Ok(Some((pairing, players)));
                }
                Err(why) => self.give_up(pairing.unit, &why)?,
            }
        }
        self.record_suspended()?;
        if self.queue.chooser().playing() < self.league.description().table {
            self.is_held = Some(IdleReason::TooFew);
        }
        Ok(None)
    }

    /// Checks at intervals whether missing programs are back, and whether finals were abandoned by
    /// a killed process.
    fn look_again(&mut self) -> Result<(), LadderError> {
        let has_something = !self.absent.is_empty() || self.is_held == Some(IdleReason::Finals);
        if !has_something || self.looked.is_some_and(|then| then.elapsed() < LOOK_AGAIN) {
            return Ok(());
        }
        self.looked = Some(Instant::now());
        if self.is_held == Some(IdleReason::Finals) {
            self.league.end_abandoned_finals()?;
        }
        for number in std::mem::take(&mut self.absent) {
            match self.seat(number)? {
                Some(_) => self.revision = 0,
                None => drop(self.absent.insert(number)),
            }
        }
        Ok(())
    }

    /// The seat of a version; `None` if its program is not on this machine.
    fn seat(&mut self, number: usize) -> Result<Option<NamedSeat>, LadderError> {
        if let Some(seat) = self.seats.get(&number) {
            return Ok(Some(seat.clone()));
        }
        let id = &self.counted.ids()[number];
        let version = (self.league).look(|standing| standing.versions.find(id).cloned())?;
        let seat = version.and_then(|version| seat_of(&self.league, &version));
        self.seats.extend(seat.clone().map(|seat| (number, seat)));
        Ok(seat)
    }

    /// The seats of a game, or the reason why one is missing.
    fn players(
        &mut self,
        pairing: &Pairing,
    ) -> Result<Result<Vec<NamedSeat>, String>, LadderError> {
        let mut players = Vec::with_capacity(pairing.seats.len());
        for &number in &pairing.seats {
            let id = self.counted.ids()[number].clone();
            let version = (self.league).look(|standing| standing.versions.find(&id).cloned())?;
            let is_withdrawn = |version: &Version| {
                version.state == VersionState::Withdrawn || version.seat.is_none()
            };
            if version.as_ref().is_none_or(is_withdrawn) {
                return Ok(Err(format!("{id} is no longer allowed to play")));
            }
            match self.seat(number)? {
                Some(seat) => players.push(seat),
                None => {
                    self.absent.insert(number);
                    self.queue.set_playing(number, false);
                    return Ok(Err(format!(
                        "{id} cannot be started: its program is not there"
                    )));
                }
            }
        }
        Ok(Ok(players))
    }

    /// Voids a meeting, and records this in the journal: it is not tried again.
    fn give_up(&mut self, unit: u64, why: &str) -> Result<(), LadderError> {
        warn!(unit, why, "a meeting is given up");
        self.queue.give_up(unit);
        self.league.record(Event::GivenUp {
            unit,
            why: why.to_owned(),
        })?;
        Ok(())
    }

    /// Writes suspensions into the journal.
    fn record_suspended(&mut self) -> Result<(), LadderError> {
        for suspension in self.queue.take_suspended() {
            let version = self.counted.ids()[suspension.version].clone();
            let rule = self.league.description().ladder.suspension;
            // Only of the games that decided it: later ones may be over and not counted yet.
            let kinds = suspension.kinds.iter();
            let kinds: Vec<String> = kinds
                .map(|(kind, count)| format!("{} {count}", kind.name()))
                .collect();
            let why = format!(
                "it had faults in {} of {} ({}); the limit is {:.0} %",
                suspension.faults,
                count(suspension.games, "game"),
                kinds.join(", "),
                rule.share * 100.0
            );
            self.league.record(Event::Suspended { version, why })?;
        }
        Ok(())
    }

    /// Adds a played game: its record is in the file when this returns.
    fn add(&mut self, pairing: &Pairing, record: &Record) -> Result<(), LadderError> {
        let Some(game) = self.store.add(record)? else {
            return Ok(());
        };
        self.counted.add(&game, &pairing.seats);
        self.queue.finish(pairing.number, result_of(&game));
        Ok(())
    }
}

/// The seat of a version, if its program can be started.
pub(crate) fn seat_of(league: &League, version: &Version) -> Option<NamedSeat> {
    match league.seat(version) {
        Ok(seat) => Some(NamedSeat {
            name: version.id.to_string(),
            seat,
            limits: None,
        }),
        Err(error) => {
            warn!(version = %version.id, %error, "a version cannot be started");
            None
        }
    }
}

fn result_of(game: &GameSummary) -> GameResult {
    GameResult {
        places: game.seats.iter().map(|part| part.place).collect(),
        faults: (game.seats.iter())
            .map(|part| part.fault.as_ref().map(|(kind, _)| *kind))
            .collect(),
        fingerprint: game.fingerprint,
    }
}
