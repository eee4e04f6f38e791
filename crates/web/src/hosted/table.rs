//! One game of people, and of engines against them.
//!
//! Every turn is in the game's record before watchers see it. A watcher gets the whole state, and then
//! what the events of the record change, numbered by these events, so that a watcher who reconnects
//! misses none, even after a restart of the server.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use floe_arena::journal::{RecordWriter, read_file};
use floe_games::record::{Back, Entrant, Event, GIVEN_UP, Opening, Record, RecordLine, VERSION};
use floe_games::{AnyPosition, FaultKind, Turn};
use floe_rules::Player;
use parking_lot::{Mutex, MutexGuard};
use serde::Serialize;
use tokio::sync::watch;

use super::act::ActError;
use super::guests::{Guests, SeatHolder};
use super::progress::RecordedGame;
use super::standing::Standing;
use crate::feed::{Feed, Update};
use crate::token::TokenHash;
use floe_games::json::{GameState, Pick, PickGroup, pick_groups, picks};

/// Time without moves after which a game is not listed as in progress.
const LATELY: Duration = Duration::from_secs(10 * 60);

/// A game that pages show. Handlers of requests and the engines' driver share it.
pub(crate) struct Table {
    id: String,
    changed: watch::Sender<u64>,
    progress: Mutex<RecordedGame>,
    /// How many look on who have no seat.
    onlookers: AtomicUsize,
    /// The time of the last event.
    last_act: Mutex<SystemTime>,
}

/// A game with a free seat.
pub(crate) struct OpenGame {
    pub(crate) id: String,
    pub(crate) title: &'static str,
    pub(crate) host: String,
}

/// The next step that the game waits for.
pub(crate) enum NextStep {
    /// An engine is to move.
    Think {
        version: usize,
        position: Box<dyn AnyPosition>,
        holder: SeatHolder,
        /// Whether a player's browser thinks first.
        is_lent: bool,
        /// The client charged for the engine's time.
        client: Option<TokenHash>,
    },
    /// A player's time runs out at this moment.
    Watch { version: usize, until: Instant },
    /// Nothing to do until something changes.
    Wait,
    /// The game is over.
    Done,
}

/// The public label of a seat.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SeatLabel {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    /// Whether the seat is the visitor's own.
    pub(crate) is_yours: bool,
}

impl Table {
    /// Begins a game in a new file.
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
        let mut journal = RecordWriter::open(&record)?;
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

    /// Loads a game from its file, perhaps after a crash of the server.
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
        let last_act = fs::metadata(&path)?.modified()?;
        let journal = RecordWriter::open(&path)?;
        let table = Table::with(id.to_owned(), opening, guests, guests_file, journal, start);
        *table.last_act.lock() = last_act;
        {
            let mut progress = table.progress.lock();
            for event in events {
                progress.apply(event).map_err(io::Error::other)?;
            }
            progress.feed.forget_changes();
        }
        Ok(table)
    }

    fn with(
        id: String,
        opening: Opening,
        guests: Guests,
        guests_file: PathBuf,
        journal: RecordWriter,
        start: Box<dyn AnyPosition>,
    ) -> Table {
        let progress = RecordedGame {
            opening,
            guests,
            guests_file,
            journal,
            feed: Feed::new(GameState::new(start)),
            undone: None,
            turn_began: Instant::now(),
            touched: Instant::now(),
        };
        Table {
            id,
            changed: watch::Sender::new(0),
            progress: Mutex::new(progress),
            onlookers: AtomicUsize::new(0),
            last_act: Mutex::new(SystemTime::now()),
        }
    }

    /// The time of the last event, even before a restart.
    pub(crate) fn last_act(&self) -> SystemTime {
        *self.last_act.lock()
    }

    /// Whether the list of public games shows it: it is public, no free seat waits for a player,
    /// and there was a recent move.
    pub(crate) fn is_shown(&self) -> bool {
        let quiet = self.last_act().elapsed().unwrap_or_default();
        let progress = self.progress.lock();
        let guests = &progress.guests;
        guests.is_public
            && quiet < LATELY
            && !guests.seats.contains(&SeatHolder::Open)
            && progress.game_state().play().turn().is_some()
    }

    /// The game in the list of open games, if its host lets any visitor join and a seat is free.
    pub(crate) fn open_game(&self, visitor: &TokenHash) -> Option<OpenGame> {
        let quiet = self.last_act().elapsed().unwrap_or_default();
        let progress = self.progress.lock();
        let guests = &progress.guests;
        let is_waiting = guests.is_open && guests.seats.contains(&SeatHolder::Open);
        if !is_waiting || quiet >= LATELY || guests.holds(visitor) {
            return None;
        }
        let host = guests
            .seats
            .iter()
            .find(|seat| **seat != SeatHolder::Open)?;
        Some(OpenGame {
            id: self.id.clone(),
            title: progress.game_state().start().game().title(),
            host: host.shown().into_owned(),
        })
    }

    pub(super) fn progress(&self) -> MutexGuard<'_, RecordedGame> {
        self.progress.lock()
    }

    pub(super) fn onlookers(&self) -> &AtomicUsize {
        &self.onlookers
    }

    /// Has the driver look again at what the game waits for.
    pub(super) fn wake(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Changes with every event.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Releases the changed state, and notifies all watchers.
    pub(super) fn announce(&self, changed: MutexGuard<'_, RecordedGame>) {
        drop(changed);
        *self.last_act.lock() = SystemTime::now();
        self.wake();
    }

    /// Whether the game has no watcher, and no request came for this time.
    pub(crate) fn is_idle_for(&self, time: Duration) -> bool {
        self.changed.receiver_count() <= 1 && self.progress.lock().touched.elapsed() >= time
    }

    pub(crate) fn guests(&self) -> Guests {
        self.progress.lock().guests.clone()
    }

    pub(crate) fn game(&self) -> &'static dyn floe_games::AnyGame {
        self.progress.lock().game_state().start().game()
    }

    pub(crate) fn began(&self) -> u64 {
        self.progress.lock().opening.began
    }

    /// The game so far, without undone moves.
    pub(crate) fn record(&self) -> Record {
        let progress = self.progress.lock();
        let mut record = Record::new(progress.opening.clone());
        record.events = progress
            .game_state()
            .turns()
            .iter()
            .map(|step| step.event.clone())
            .collect();
        record
    }

    /// The version of the game, the player to move, and whether a seat is free.
    pub(crate) fn turn(&self) -> (usize, Option<Player>, bool) {
        let progress = self.progress.lock();
        let is_waiting = progress.guests.seats.contains(&SeatHolder::Open);
        let version = progress.feed.version();
        (version, progress.game_state().play().turn(), is_waiting)
    }

    /// The game's standing for a visitor, with its scores, and the number of turns.
    pub(crate) fn standing(&self, visitor: &TokenHash) -> (Standing, Vec<i64>, usize) {
        let progress = self.progress.lock();
        let play = progress.game_state().play();
        let seats = &progress.guests.seats;
        let mut own =
            Player::all(seats.len() as u32).filter(|seat| seats[seat.index()].is(visitor));
        let standing = match (play.turn(), play.outcome()) {
            (Some(_), _) if seats.contains(&SeatHolder::Open) => Standing::Waiting,
            (Some(turn), _) if seats[turn.index()].is(visitor) => Standing::YourTurn,
            (Some(_), _) | (None, None) => Standing::TheirTurn,
            (None, Some(outcome)) => {
                let place = own.next().map(|seat| outcome.places()[seat.index()]);
                let firsts = outcome.places().iter().filter(|place| **place == 1).count();
                match place {
                    // A visitor who plays all seats neither wins nor loses.
                    _ if own.next().is_some() => Standing::Drawn,
                    Some(1) if firsts == 1 => Standing::Won,
                    Some(1) => Standing::Drawn,
                    _ => Standing::Lost,
                }
            }
        };
        (standing, play.scores(), progress.game_state().turns().len())
    }

    /// What `looked` finds in the position as it is now.
    pub(crate) fn look<T>(&self, looked: impl FnOnce(&dyn AnyPosition) -> T) -> T {
        looked(self.progress.lock().game_state().play().position())
    }

    pub(crate) fn is_over(&self) -> bool {
        self.progress.lock().game_state().play().turn().is_none()
    }

    pub(crate) fn labels(&self, visitor: Option<&TokenHash>) -> Vec<SeatLabel> {
        let label = |holder: &SeatHolder| SeatLabel {
            name: holder.shown().into_owned(),
            kind: match holder {
                SeatHolder::Person { .. } => "person",
                SeatHolder::Engine(_) => "engine",
                SeatHolder::Open => "open",
            },
            is_yours: visitor.is_some_and(|visitor| holder.is(visitor)),
        };
        self.progress
            .lock()
            .guests
            .seats
            .iter()
            .map(label)
            .collect()
    }

    /// The whole state.
    pub(crate) fn state(&self) -> Update {
        let mut progress = self.progress.lock();
        progress.touched = Instant::now();
        let company = progress.company();
        progress.feed.state(company)
    }

    /// The changes after a version, and the time of the current turn; the whole state for a client
    /// without a version, or with one that is too old.
    pub(crate) fn updates(&self, version: Option<usize>) -> (Vec<Update>, Option<u64>) {
        let mut progress = self.progress.lock();
        progress.touched = Instant::now();
        let company = progress.company();
        let turn_ms = company.turn_ms;
        (progress.feed.after(version, company), turn_ms)
    }

    /// The position after `ply` turns, as JSON. If nothing was undone since the client's version, only
    /// the differences from the position after `from` turns.
    pub(crate) fn earlier(&self, ply: usize, from: Option<(usize, usize)>) -> String {
        let progress = self.progress.lock();
        let is_same_line = |version| progress.undone.is_none_or(|undone| undone <= version);
        let from = from.filter(|(version, _)| is_same_line(*version));
        progress
            .game_state()
            .earlier(ply, from.map(|(_, from)| from))
    }

    /// The legal moves at this turn.
    pub(crate) fn picks(&self, ply: usize) -> Option<Vec<Pick>> {
        let progress = self.progress.lock();
        let position = progress.position_at(ply)?;
        Some(picks(position, &position.view()))
    }

    /// The same moves in few bytes.
    pub(crate) fn pick_groups(&self, ply: usize) -> Option<Vec<PickGroup>> {
        let progress = self.progress.lock();
        let position = progress.position_at(ply)?;
        Some(pick_groups(position, &position.view()))
    }

    /// Makes a move for the visitor in the seat to move.
    pub(crate) fn make(&self, visitor: &TokenHash, ply: usize, mv: &str) -> Result<(), ActError> {
        let mut progress = self.progress.lock();
        let player = progress.turn_of(visitor, ply)?;
        progress.game_state().play().position().check(mv)?;
        progress.write_move(player, mv, String::new())?;
        self.announce(progress);
        Ok(())
    }

    /// Passes, in games that allow it.
    pub(crate) fn give_up(&self, visitor: &TokenHash, ply: usize) -> Result<(), ActError> {
        let mut progress = self.progress.lock();
        let player = progress.turn_of(visitor, ply)?;
        if progress.game_state().play().position().give_up().is_none() {
            return Err(ActError::NoGivingUp);
        }
        progress.write_move(player, GIVEN_UP, String::new())?;
        self.announce(progress);
        Ok(())
    }

    /// Makes an engine's move, if nothing has happened since the question.
    pub(crate) fn answer(&self, version: usize, mv: &str, note: String) -> Result<(), ActError> {
        let mut progress = self.progress.lock();
        let player = progress.turn_at(version)?;
        progress.game_state().play().position().check(mv)?;
        progress.write_move(player, mv, note)?;
        self.announce(progress);
        Ok(())
    }

    /// Ends a player's time, if nothing has happened since.
    pub(crate) fn run_out(&self, version: usize) -> Result<(), ActError> {
        let mut progress = self.progress.lock();
        let player = progress.turn_at(version)?;
        progress.write_fault(player, FaultKind::Timeout, "the clock ran out")?;
        self.announce(progress);
        Ok(())
    }

    /// Resigns: the seat to move if it is the visitor's, or else the first they hold. With a number
    /// of turns, the request refers to the game at that turn.
    pub(crate) fn resign(&self, visitor: &TokenHash, ply: Option<usize>) -> Result<(), ActError> {
        let mut progress = self.progress.lock();
        let turn = progress.game_state().play().turn().ok_or(ActError::Over)?;
        if ply.is_some_and(|ply| ply != progress.game_state().turns().len()) {
            return Err(ActError::Stale);
        }
        let is_theirs = |player: &Player| {
            progress.guests.seats[player.index()].is(visitor)
                && !progress.game_state().play().out().contains(player)
        };
        let seats = progress.guests.seats.len() as u32;
        let player = Some(turn)
            .filter(is_theirs)
            .or_else(|| Player::all(seats).find(is_theirs));
        let player = player.ok_or(ActError::NotYours)?;
        progress.write_fault(player, FaultKind::Resigned, "resigned")?;
        self.announce(progress);
        Ok(())
    }

    /// Undoes up to the visitor's own last move, if all opponents are engines.
    pub(crate) fn take_back(&self, visitor: &TokenHash, ply: usize) -> Result<(), ActError> {
        let mut progress = self.progress.lock();
        if !progress.guests.is_alone(visitor) {
            return Err(ActError::NotYours);
        }
        if progress.game_state().turns().len() != ply {
            return Err(ActError::Stale);
        }
        if progress.game_state().play().turn().is_none() {
            return Err(ActError::Over);
        }
        let seats = &progress.guests.seats;
        let is_theirs = |turn: &Turn| seats[turn.player.index()].is(visitor);
        let to = progress.game_state().turns().iter().rposition(is_theirs);
        let to = to.ok_or(ActError::NoWayBack)?;
        if progress.game_state().turns()[to..]
            .iter()
            .any(|turn| turn.fault().is_some())
        {
            return Err(ActError::NoWayBack);
        }
        let moves = u32::try_from(progress.game_state().turns().len() - to)
            .map_err(|_| ActError::NoWayBack)?;
        progress.write(Event::Back(Back { moves }))?;
        self.announce(progress);
        Ok(())
    }

    /// Sits down in the first open seat.
    pub(crate) fn sit(&self, visitor: &TokenHash, name: &str) -> Result<(), ActError> {
        let mut progress = self.progress.lock();
        if progress.guests.holds(visitor) {
            return Ok(());
        }
        let mut guests = progress.guests.clone();
        let open = (guests.seats.iter_mut()).find(|seat| **seat == SeatHolder::Open);
        *open.ok_or(ActError::NoSeat)? = SeatHolder::Person {
            who: visitor.clone(),
            name: name.to_owned(),
        };
        guests.save(&progress.guests_file)?;
        progress.guests = guests;
        progress.turn_began = Instant::now();
        self.announce(progress);
        Ok(())
    }

    /// Changes the name of a visitor who has a seat.
    pub(crate) fn name(&self, visitor: &TokenHash, new: &str) -> Result<(), ActError> {
        let mut progress = self.progress.lock();
        let mut guests = progress.guests.clone();
        for seat in &mut guests.seats {
            if let SeatHolder::Person { who, name } = seat
                && who == visitor
            {
                new.clone_into(name);
            }
        }
        if guests == progress.guests {
            return Ok(());
        }
        guests.save(&progress.guests_file)?;
        progress.guests = guests;
        self.announce(progress);
        Ok(())
    }

    /// Sets this game's rematch; returns the earlier one, if it exists.
    pub(crate) fn set_rematch(&self, id: &str) -> Result<String, ActError> {
        let mut progress = self.progress.lock();
        if let Some(known) = &progress.guests.rematch {
            return Ok(known.clone());
        }
        let mut guests = progress.guests.clone();
        guests.rematch = Some(id.to_owned());
        guests.save(&progress.guests_file)?;
        progress.guests = guests;
        self.announce(progress);
        Ok(id.to_owned())
    }

    /// The game's origin: its start, and the setup and seed of the board.
    pub(crate) fn origin(&self) -> (Box<dyn AnyPosition>, Option<(String, u64)>) {
        let progress = self.progress.lock();
        let origin = progress.opening.setup.clone().zip(progress.opening.seed);
        (progress.game_state().start().clone_position(), origin)
    }

    /// The step that the game waits for.
    pub(crate) fn duty(&self) -> NextStep {
        let progress = self.progress.lock();
        let Some(player) = progress.game_state().play().turn() else {
            return NextStep::Done;
        };
        let version = progress.feed.version();
        let holder = &progress.guests.seats[player.index()];
        if holder.spec().is_some() {
            let mut people = progress.guests.seats.iter().filter_map(|seat| match seat {
                SeatHolder::Person { who, .. } => Some(who.clone()),
                SeatHolder::Engine(_) | SeatHolder::Open => None,
            });
            return NextStep::Think {
                version,
                position: progress.game_state().play().position().clone_position(),
                holder: holder.clone(),
                is_lent: self.is_lent(&progress),
                client: people.next(),
            };
        }
        // The clock waits until all seats are taken.
        if progress.guests.seats.contains(&SeatHolder::Open) {
            return NextStep::Wait;
        }
        match progress.allowed(player) {
            Some(time) => NextStep::Watch {
                version,
                until: progress.turn_began + time,
            },
            None => NextStep::Wait,
        }
    }
}

fn entrant(holder: &SeatHolder) -> Entrant {
    Entrant {
        name: holder.name().to_owned(),
        seat: holder.word().to_owned(),
        sha256: None,
    }
}

/// The files of a game: its record and its players.
fn paths(folder: &Path, id: &str) -> (PathBuf, PathBuf) {
    (
        folder.join(format!("{id}.jsonl")),
        folder.join(format!("{id}.json")),
    )
}
