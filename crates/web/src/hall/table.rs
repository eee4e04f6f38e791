//! One game of people, and of engines against them.
//!
//! Every turn is in the game's record before anybody is told. What watchers are told is the whole
//! state after each event of the record, numbered by these events, so that whoever was away gets
//! exactly what they missed, even from a server that was started anew.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use floe_arena::journal::{Journal, read_file};
use floe_games::record::{
    Back, End, Entrant, Event, GIVEN_UP, Opening, PlayedMove, Record, RecordLine, VERSION,
};
use floe_games::{AnyPosition, Fault, FaultKind, MoveError, Play};
use floe_rules::Player;
use serde::Serialize;
use thiserror::Error;
use tokio::sync::watch;

use super::guests::{Guests, SeatHolder};
use crate::course::last_pick;
use crate::picture::{Pick, Picture, picks};
use crate::token::TokenHash;

/// A game that pages show. Handlers of requests and the engines' driver share it.
pub(crate) struct Table {
    id: String,
    changed: watch::Sender<u64>,
    inner: Mutex<Inner>,
}

struct Inner {
    opening: Opening,
    guests: Guests,
    guests_file: PathBuf,
    journal: Journal,
    start: Box<dyn AnyPosition>,
    play: Play,
    steps: Vec<Step>,
    /// What watchers are told after each event of the record; the first is the start.
    states: Vec<Arc<str>>,
    /// When the mover's clock began to run.
    turn_began: Instant,
    touched: Instant,
}

/// A turn that stands.
struct Step {
    player: Player,
    event: Event,
    last: Option<Pick>,
}

impl Step {
    /// The move, or what somebody was put out for.
    fn text(&self) -> &str {
        match &self.event {
            Event::Move(made) => &made.mv,
            Event::Fault(fault) => &fault.message,
            Event::Back(_) => "",
        }
    }

    fn is_fault(&self) -> bool {
        matches!(self.event, Event::Fault(_))
    }

    fn wall(&self) -> Duration {
        Duration::from_micros(match &self.event {
            Event::Move(made) => made.wall_us,
            Event::Fault(fault) => fault.wall_us,
            Event::Back(_) => 0,
        })
    }
}

/// Why something is not done.
#[derive(Debug, Error)]
pub(crate) enum ActError {
    #[error("the game is over")]
    Over,
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("the game has gone on since; the page shows it as it is now")]
    Stale,
    #[error("that is not a seat of yours")]
    NotYours,
    #[error("this cannot be taken back")]
    NoWayBack,
    #[error("no seat is free")]
    NoSeat,
    #[error("a turn cannot be given up here")]
    NoGivingUp,
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("the game could not be written down: {0}")]
    Record(#[from] io::Error),
}

/// What a game needs from outside to go on.
pub(crate) enum Duty {
    /// An engine is to move.
    Think {
        version: usize,
        position: Box<dyn AnyPosition>,
        holder: SeatHolder,
        /// Who is waiting for it, for whom the engine thinks.
        asker: Option<TokenHash>,
    },
    /// Somebody's time runs out then.
    Watch { version: usize, until: Instant },
    /// Nothing until something changes.
    Wait,
    /// Nothing any more.
    Done,
}

/// What a page is told about a game.
#[derive(Serialize)]
struct State<'a> {
    version: usize,
    ply: usize,
    turn: Option<u32>,
    picture: Picture,
    moves: Vec<MoveEntry<'a>>,
    last: Option<&'a Pick>,
    scores: Vec<i64>,
    clocks: Vec<ClockState>,
    can_give_up: bool,
    over: Option<Over>,
}

#[derive(Serialize)]
struct MoveEntry<'a> {
    seat: u32,
    text: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    fault: bool,
    ms: u64,
}

#[derive(Serialize)]
struct ClockState {
    used_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_ms: Option<u64>,
}

#[derive(Serialize)]
struct Over {
    places: Vec<u32>,
    words: String,
}

/// Who sits where, as everybody may know it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SeatLabel {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    /// Whether it is the reader's own.
    pub(crate) is_yours: bool,
}

impl Table {
    /// A game that begins now, in a file of its own.
    pub(crate) fn begin(
        folder: &Path,
        id: String,
        start: Box<dyn AnyPosition>,
        origin: Option<(String, u64)>,
        guests: Guests,
    ) -> io::Result<Table> {
        let began = SystemTime::now().duration_since(UNIX_EPOCH);
        let (setup, seed) = origin.unzip();
        let opening = Opening {
            floe: VERSION,
            game: start.game().name().to_owned(),
            id: id.clone(),
            seats: guests.seats.iter().map(entrant).collect(),
            start: start.write(),
            setup,
            seed,
            began: began.unwrap_or(Duration::ZERO).as_secs(),
            ..Opening::default()
        };
        let (record, guests_file) = paths(folder, &id);
        guests.save(&guests_file)?;
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&record)?;
        let mut journal = Journal::open(&record)?;
        journal.line(RecordLine::Game(Box::new(opening.clone())))?;
        Ok(Table::with(
            id,
            opening,
            guests,
            guests_file,
            journal,
            start,
        ))
    }

    /// A game that was begun before, perhaps by a server that was killed.
    pub(crate) fn load(folder: &Path, id: &str) -> io::Result<Table> {
        let (path, guests_file) = paths(folder, id);
        let guests = Guests::load(&guests_file)?;
        let record = read_file(&path)?.last();
        let record = record.ok_or_else(|| io::Error::other("there is no game in the file"))?;
        let Record {
            opening, events, ..
        } = record.map_err(io::Error::other)?;
        let game = floe_games::find(&opening.game).map_err(io::Error::other)?;
        let start = game.read(&opening.start).map_err(io::Error::other)?;
        let journal = Journal::open(&path)?;
        let table = Table::with(id.to_owned(), opening, guests, guests_file, journal, start);
        {
            let mut inner = table.lock();
            for event in &events {
                inner.apply(event).map_err(io::Error::other)?;
            }
        }
        Ok(table)
    }

    fn with(
        id: String,
        opening: Opening,
        guests: Guests,
        guests_file: PathBuf,
        journal: Journal,
        start: Box<dyn AnyPosition>,
    ) -> Table {
        let mut inner = Inner {
            opening,
            guests,
            guests_file,
            journal,
            play: Play::new(start.clone()),
            start,
            steps: Vec::new(),
            states: Vec::new(),
            turn_began: Instant::now(),
            touched: Instant::now(),
        };
        inner.tell();
        Table {
            id,
            changed: watch::Sender::new(0),
            inner: Mutex::new(inner),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Changes with everything that happens.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    fn announce(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Whether nobody watches and nobody has asked for so long.
    pub(crate) fn is_idle_for(&self, time: Duration) -> bool {
        self.changed.receiver_count() <= 1 && self.lock().touched.elapsed() >= time
    }

    pub(crate) fn guests(&self) -> Guests {
        self.lock().guests.clone()
    }

    pub(crate) fn game(&self) -> &'static dyn floe_games::AnyGame {
        self.lock().start.game()
    }

    pub(crate) fn began(&self) -> u64 {
        self.lock().opening.began
    }

    /// The game so far, without what was taken back.
    pub(crate) fn record(&self) -> Record {
        let inner = self.lock();
        let mut record = Record::new(inner.opening.clone());
        record.events = inner.steps.iter().map(|step| step.event.clone()).collect();
        record
    }

    /// The board as text.
    pub(crate) fn board_text(&self) -> String {
        self.lock().play.position().board()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.lock().play.turn().is_none()
    }

    pub(crate) fn labels(&self, visitor: Option<&TokenHash>) -> Vec<SeatLabel> {
        let label = |holder: &SeatHolder| SeatLabel {
            name: holder.name().to_owned(),
            kind: match holder {
                SeatHolder::Person { .. } => "person",
                SeatHolder::Engine(_) => "engine",
                SeatHolder::Open => "open",
            },
            is_yours: visitor.is_some_and(|visitor| holder.is(visitor)),
        };
        self.lock().guests.seats.iter().map(label).collect()
    }

    /// The newest state.
    pub(crate) fn state(&self) -> (usize, Arc<str>) {
        let mut inner = self.lock();
        inner.touched = Instant::now();
        let last = inner.states.len() - 1;
        (last, Arc::clone(&inner.states[last]))
    }

    /// The states after a version; the newest alone for whoever names none or one that never was.
    pub(crate) fn states_after(&self, version: Option<usize>) -> Vec<(usize, Arc<str>)> {
        let inner = self.lock();
        let last = inner.states.len() - 1;
        let from = match version {
            Some(version) if version <= last => version + 1,
            _ => last,
        };
        (from..=last)
            .map(|at| (at, Arc::clone(&inner.states[at])))
            .collect()
    }

    /// The moves of the seat that is to move, at this ply.
    pub(crate) fn picks(&self, ply: usize) -> Option<Vec<Pick>> {
        let inner = self.lock();
        if inner.steps.len() != ply || inner.play.turn().is_none() {
            return None;
        }
        let position = inner.play.position();
        Some(picks(position, &position.view()))
    }

    /// Makes a move for whoever holds the seat to move.
    pub(crate) fn make(&self, visitor: &TokenHash, ply: usize, mv: &str) -> Result<(), ActError> {
        let mut inner = self.lock();
        let player = inner.turn_of(visitor, ply)?;
        inner.play.position().check(mv)?;
        let wall = inner.turn_began.elapsed();
        inner.write_move(player, mv, wall, String::new())?;
        drop(inner);
        self.announce();
        Ok(())
    }

    /// Gives up the turn, in games where people may.
    pub(crate) fn give_up(&self, visitor: &TokenHash, ply: usize) -> Result<(), ActError> {
        let mut inner = self.lock();
        let player = inner.turn_of(visitor, ply)?;
        if inner.play.position().give_up().is_none() {
            return Err(ActError::NoGivingUp);
        }
        let wall = inner.turn_began.elapsed();
        inner.write_move(player, GIVEN_UP, wall, String::new())?;
        drop(inner);
        self.announce();
        Ok(())
    }

    /// Makes an engine's move, if nothing has happened since it was asked.
    pub(crate) fn answer(&self, version: usize, mv: &str, note: String) -> Result<(), ActError> {
        let mut inner = self.lock();
        let player = inner.play.turn().ok_or(ActError::Over)?;
        if inner.states.len() - 1 != version {
            return Err(ActError::Stale);
        }
        inner.play.position().check(mv)?;
        let wall = inner.turn_began.elapsed();
        inner.write_move(player, mv, wall, note)?;
        drop(inner);
        self.announce();
        Ok(())
    }

    /// Somebody's time is up, if nothing has happened since.
    pub(crate) fn run_out(&self, version: usize) -> Result<(), ActError> {
        let mut inner = self.lock();
        let player = inner.play.turn().ok_or(ActError::Over)?;
        if inner.states.len() - 1 != version {
            return Err(ActError::Stale);
        }
        inner.write_fault(player, FaultKind::Timeout, "the clock ran out")?;
        drop(inner);
        self.announce();
        Ok(())
    }

    /// Gives the game up: the seat to move if it is theirs, or else the first they hold.
    pub(crate) fn resign(&self, visitor: &TokenHash) -> Result<(), ActError> {
        let mut inner = self.lock();
        let turn = inner.play.turn().ok_or(ActError::Over)?;
        let is_theirs = |player: &Player| {
            inner.guests.seats[player.index()].is(visitor) && !inner.play.out().contains(player)
        };
        let seats = inner.guests.seats.len() as u32;
        let player = Some(turn)
            .filter(is_theirs)
            .or_else(|| Player::all(seats).find(is_theirs));
        let player = player.ok_or(ActError::NotYours)?;
        inner.write_fault(player, FaultKind::SilentExit, "resigned")?;
        drop(inner);
        self.announce();
        Ok(())
    }

    /// Takes back to the visitor's own last move, where nobody else is at the table but engines.
    pub(crate) fn take_back(&self, visitor: &TokenHash, ply: usize) -> Result<(), ActError> {
        let mut inner = self.lock();
        if !inner.guests.is_alone(visitor) {
            return Err(ActError::NotYours);
        }
        if inner.steps.len() != ply {
            return Err(ActError::Stale);
        }
        if inner.play.turn().is_none() {
            return Err(ActError::Over);
        }
        let seats = &inner.guests.seats;
        let is_theirs = |step: &Step| seats[step.player.index()].is(visitor);
        let to = inner.steps.iter().rposition(is_theirs);
        let to = to.ok_or(ActError::NoWayBack)?;
        if inner.steps[to..].iter().any(Step::is_fault) {
            return Err(ActError::NoWayBack);
        }
        let moves = u32::try_from(inner.steps.len() - to).map_err(|_| ActError::NoWayBack)?;
        inner.write(&Event::Back(Back { moves }))?;
        drop(inner);
        self.announce();
        Ok(())
    }

    /// Sits down in the first open seat.
    pub(crate) fn sit(&self, visitor: &TokenHash, name: &str) -> Result<(), ActError> {
        let mut inner = self.lock();
        if inner.guests.holds(visitor) {
            return Ok(());
        }
        let mut guests = inner.guests.clone();
        let open = (guests.seats.iter_mut()).find(|seat| **seat == SeatHolder::Open);
        *open.ok_or(ActError::NoSeat)? = SeatHolder::Person {
            who: visitor.clone(),
            name: name.to_owned(),
        };
        guests.save(&inner.guests_file)?;
        inner.guests = guests;
        inner.turn_began = Instant::now();
        drop(inner);
        self.announce();
        Ok(())
    }

    /// Says which game is this one's rematch; gives the one that is, if there was one already.
    pub(crate) fn set_rematch(&self, id: &str) -> Result<String, ActError> {
        let mut inner = self.lock();
        if let Some(known) = &inner.guests.rematch {
            return Ok(known.clone());
        }
        let mut guests = inner.guests.clone();
        guests.rematch = Some(id.to_owned());
        guests.save(&inner.guests_file)?;
        inner.guests = guests;
        drop(inner);
        self.announce();
        Ok(id.to_owned())
    }

    /// How the game began: its start, and the setup and seed it was made from.
    pub(crate) fn origin(&self) -> (Box<dyn AnyPosition>, Option<(String, u64)>) {
        let inner = self.lock();
        let origin = inner.opening.setup.clone().zip(inner.opening.seed);
        (inner.start.clone(), origin)
    }

    /// What the game waits for.
    pub(crate) fn duty(&self) -> Duty {
        let inner = self.lock();
        let Some(player) = inner.play.turn() else {
            return Duty::Done;
        };
        let version = inner.states.len() - 1;
        let holder = &inner.guests.seats[player.index()];
        if holder.spec().is_some() {
            let mut people = inner.guests.seats.iter().filter_map(|seat| match seat {
                SeatHolder::Person { who, .. } => Some(who.clone()),
                SeatHolder::Engine(_) | SeatHolder::Open => None,
            });
            return Duty::Think {
                version,
                position: inner.play.position().clone_position(),
                holder: holder.clone(),
                asker: people.next(),
            };
        }
        // The clock waits until everybody is there.
        if inner.guests.seats.contains(&SeatHolder::Open) {
            return Duty::Wait;
        }
        match inner.allowed(player) {
            Some(time) => Duty::Watch {
                version,
                until: inner.turn_began + time,
            },
            None => Duty::Wait,
        }
    }
}

impl Inner {
    /// Whose turn it is, if this visitor may move now and sees the game as it is.
    fn turn_of(&mut self, visitor: &TokenHash, ply: usize) -> Result<Player, ActError> {
        self.touched = Instant::now();
        let player = self.play.turn().ok_or(ActError::Over)?;
        if !self.guests.holds(visitor) {
            return Err(ActError::NotYours);
        }
        if self.steps.len() != ply {
            return Err(ActError::Stale);
        }
        if !self.guests.seats[player.index()].is(visitor) {
            return Err(ActError::NotYourTurn);
        }
        Ok(player)
    }

    fn write_move(
        &mut self,
        player: Player,
        mv: &str,
        wall: Duration,
        note: String,
    ) -> Result<(), ActError> {
        self.write(&Event::Move(PlayedMove {
            seat: player.number(),
            mv: mv.to_owned(),
            wall_us: u64::try_from(wall.as_micros()).unwrap_or(u64::MAX),
            note,
            ..PlayedMove::default()
        }))
    }

    fn write_fault(
        &mut self,
        player: Player,
        kind: FaultKind,
        message: &str,
    ) -> Result<(), ActError> {
        let wall = self.turn_began.elapsed().as_micros();
        let mut fault = Fault::new(player, kind, message);
        fault.wall_us = u64::try_from(wall).unwrap_or(u64::MAX);
        self.write(&Event::Fault(Box::new(fault)))
    }

    /// Writes an event down, and then lets it happen; writes the end if it was that.
    fn write(&mut self, event: &Event) -> Result<(), ActError> {
        self.journal.line(event.clone().into())?;
        self.apply(event)?;
        if let (Some(outcome), Some(reason)) = (self.play.outcome(), self.play.reason()) {
            self.journal.line(RecordLine::End(End {
                scores: outcome.scores().to_vec(),
                places: outcome.places().to_vec(),
                reason,
            }))?;
        }
        Ok(())
    }

    fn apply(&mut self, event: &Event) -> Result<(), MoveError> {
        match event {
            Event::Move(made) => self.apply_move(made)?,
            Event::Back(back) => {
                let left = self.steps.len().saturating_sub(back.moves as usize);
                self.steps.truncate(left);
                let mut play = Play::new(self.start.clone());
                for step in &self.steps {
                    let _ = match step.text() {
                        GIVEN_UP => play.give_up(),
                        mv => play.make(mv).is_ok(),
                    };
                }
                self.play = play;
            }
            Event::Fault(fault) => {
                let player = Player::from_number(fault.seat);
                let player = player.filter(|player| player.index() < self.guests.seats.len());
                if let Some(player) = player {
                    self.play.expel(player);
                    self.steps.push(Step {
                        player,
                        event: event.clone(),
                        last: None,
                    });
                }
            }
        }
        self.turn_began = Instant::now();
        self.tell();
        Ok(())
    }

    fn apply_move(&mut self, made: &PlayedMove) -> Result<(), MoveError> {
        let Some(player) = self.play.turn() else {
            return Ok(());
        };
        let last = last_pick(self.play.position(), &made.mv);
        if made.mv == GIVEN_UP {
            self.play.give_up();
        } else {
            self.play.make(&made.mv)?;
        }
        self.steps.push(Step {
            player,
            event: Event::Move(made.clone()),
            last,
        });
        Ok(())
    }

    fn used(&self, player: Player) -> (u32, Duration) {
        let own = self.steps.iter().filter(|step| step.player == player);
        own.fold((0, Duration::ZERO), |(moves, used), step| {
            (moves + 1, used + step.wall())
        })
    }

    /// How long a player has for the next move.
    fn allowed(&self, player: Player) -> Option<Duration> {
        let (moves, used) = self.used(player);
        self.guests.clock.allows(moves, used)
    }

    /// Makes the state that follows the newest event.
    fn tell(&mut self) {
        let position = self.play.position();
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let clock = |player: Player| ClockState {
            used_ms: milliseconds(self.used(player).1),
            left_ms: self.allowed(player).map(milliseconds),
        };
        let moves = (self.steps.iter())
            .map(|step| MoveEntry {
                seat: step.player.number(),
                text: step.text(),
                fault: step.is_fault(),
                ms: milliseconds(step.wall()),
            })
            .collect();
        let state = State {
            version: self.states.len(),
            ply: self.steps.len(),
            turn: self.play.turn().map(Player::number),
            picture: position.view().into(),
            moves,
            last: self.steps.last().and_then(|step| step.last.as_ref()),
            scores: self.play.scores(),
            clocks: Player::all(position.players()).map(clock).collect(),
            can_give_up: self.play.turn().is_some() && position.give_up().is_some(),
            over: self.play.outcome().map(|outcome| Over {
                places: outcome.places().to_vec(),
                words: result_words(&self.guests, outcome.scores(), outcome.places()),
            }),
        };
        let text = serde_json::to_string(&state).unwrap_or_default();
        self.states.push(text.into());
    }
}

/// The result in a sentence.
fn result_words(guests: &Guests, scores: &[i64], places: &[u32]) -> String {
    let name = |seat: usize| guests.seats[seat].name();
    let first: Vec<usize> = (0..places.len())
        .filter(|&seat| places[seat] == 1)
        .collect();
    let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
    let scores = scores.join(" : ");
    match first.as_slice() {
        [winner] => format!("{} wins, {scores}", name(*winner)),
        _ => format!("A draw, {scores}"),
    }
}

fn entrant(holder: &SeatHolder) -> Entrant {
    Entrant {
        name: holder.name().to_owned(),
        seat: holder.word().to_owned(),
        sha256: None,
    }
}

/// A game's record, and who plays it.
fn paths(folder: &Path, id: &str) -> (PathBuf, PathBuf) {
    (
        folder.join(format!("{id}.jsonl")),
        folder.join(format!("{id}.json")),
    )
}
