//! Games in files, as they are played: a killed terminal loses nothing.
//!
//! Every turn is appended to the game's record at once, and so is everything taken back. The end
//! is written when the game is left, since even a lost game can be taken back before.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use floe_arena::journal::{RecordWriter, read_file};
use floe_games::record::{Back, End, Opening, Record, RecordLine, VERSION};
use floe_games::{TimeControl, Turn};
use parking_lot::Mutex;

use crate::error::{RecordError, TerminalError};
use crate::home::Home;
use crate::seat::PlayerSeat;
use crate::session::{Origin, Session, TakenBack};

/// The record of the current game.
pub(crate) struct GameRecorder {
    home: Home,
    /// The first line.
    opening: Box<Opening>,
    /// Whether the file exists: a game without a turn leaves no file.
    is_open: bool,
    journal: Option<RecordWriter>,
    /// The end of the game, once it is over: written when the user leaves the game.
    end: Option<End>,
}

impl GameRecorder {
    /// A recorder of a new game. Writes nothing yet.
    pub(crate) fn new(home: &Home, session: &Session) -> Self {
        GameRecorder {
            home: home.clone(),
            opening: Box::new(opening(session)),
            is_open: false,
            journal: None,
            end: None,
        }
    }

    /// A recorder that continues a game's file.
    fn resumed(home: &Home, path: &Path, opening: Opening) -> io::Result<Self> {
        Ok(GameRecorder {
            home: home.clone(),
            opening: Box::new(opening),
            is_open: true,
            journal: Some(RecordWriter::open(path)?),
            end: None,
        })
    }

    /// Whether the file contains anything of the game.
    pub(crate) fn is_begun(&self) -> bool {
        self.is_open
    }

    pub(crate) fn turn(&mut self, turn: &Turn) -> io::Result<()> {
        self.write(turn.event.clone().into())
    }

    /// Writes undone turns. If all moves were undone, a new record of the game follows the old one,
    /// which stays as an interrupted game.
    pub(crate) fn back(&mut self, back: &TakenBack) -> io::Result<()> {
        if back.is_whole {
            self.is_open = false;
            self.journal()?;
        } else {
            let moves = u32::try_from(back.moves).unwrap_or(u32::MAX);
            self.write(RecordLine::Back(Back { moves }))?;
        }
        back.standing.iter().try_for_each(|turn| self.turn(turn))
    }

    /// Notes whether the game is over, and its end.
    pub(crate) fn note_end(&mut self, end: Option<End>) {
        self.end = end;
    }

    /// Writes the end of a finished game when the user leaves it; only once.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        match self.end.take() {
            Some(end) if self.is_open => self.write(RecordLine::End(end)),
            _ => Ok(()),
        }
    }

    fn write(&mut self, line: RecordLine) -> io::Result<()> {
        self.journal()?.line(line)
    }

    /// The writer, after the game's first line is written.
    fn journal(&mut self) -> io::Result<&mut RecordWriter> {
        let journal = match &mut self.journal {
            Some(journal) => journal,
            missing => missing.insert(begin(&self.home)?),
        };
        if !self.is_open {
            journal.line(RecordLine::Game(self.opening.clone()))?;
            self.is_open = true;
        }
        Ok(journal)
    }
}

/// The recorder of the current game, if any: the screen writes to it, and a signal handler closes
/// it.
#[derive(Clone, Default)]
pub(crate) struct SharedRecorder(Arc<Mutex<Option<GameRecorder>>>);

impl SharedRecorder {
    /// Switches to another game, which may be over.
    pub(crate) fn begin(&self, mut recorder: GameRecorder, end: Option<End>) {
        recorder.note_end(end);
        *self.0.lock() = Some(recorder);
    }

    /// Writes to the record of a game with this current result. After a failure, nothing more is
    /// written.
    pub(crate) fn write(
        &self,
        end: Option<End>,
        write: impl FnOnce(&mut GameRecorder) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut shared = self.0.lock();
        let Some(recorder) = &mut *shared else {
            return Ok(());
        };
        let done = write(recorder);
        recorder.note_end(end);
        if done.is_err() {
            *shared = None;
        }
        done
    }

    /// Stops recording this game.
    pub(crate) fn stop(&self) {
        *self.0.lock() = None;
    }

    /// Writes the end of a finished game, the last line of the record.
    pub(crate) fn close(&self) -> io::Result<()> {
        self.0
            .lock()
            .take()
            .map_or(Ok(()), |mut recorder| recorder.close())
    }
}

/// A new file for a game.
fn begin(home: &Home) -> io::Result<RecordWriter> {
    loop {
        let path = home.next_game()?;
        let file = OpenOptions::new().append(true).create_new(true).open(&path);
        match file {
            Ok(_) => return RecordWriter::open(&path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn opening(session: &Session) -> Opening {
    let began = SystemTime::now().duration_since(UNIX_EPOCH);
    let began = began.unwrap_or(Duration::ZERO).as_secs();
    let (setup, seed) = match session.origin() {
        Origin::Setup { setup, seed } => (Some(setup.clone()), Some(*seed)),
        Origin::Opening(_) | Origin::Position => (None, None),
    };
    Opening {
        floe: VERSION,
        game: session.game().name().to_owned(),
        id: began.to_string(),
        seats: session.seats().iter().map(PlayerSeat::entrant).collect(),
        start: session.start().write(),
        setup,
        seed,
        limits: (session.seats().iter())
            .any(PlayerSeat::is_program)
            .then(|| session.game().contest_limits()),
        clock: match session.time_control() {
            TimeControl::Unlimited => None,
            control => Some(control.to_string()),
        },
        began,
        ..Opening::default()
    }
}

/// Appends the current game to a file.
pub(crate) fn save(session: &Session, path: &Path) -> io::Result<()> {
    let mut record = Record::new(opening(session));
    let turns = session.turns().iter();
    record.events = turns.map(|turn| turn.event.clone()).collect();
    record.end = session.play().end();
    RecordWriter::open(path)?.append(&record)
}

/// The game of a record, with all its turns. Its lines must not contradict the rules.
pub fn session(record: &Record) -> Result<Session, RecordError> {
    let opening = &record.opening;
    let history = record.history()?;
    let game = history.start().game();
    let seats = (opening.seats.iter()).map(|entrant| PlayerSeat::of_word(&entrant.seat, game));
    let seats: Vec<PlayerSeat> = seats.collect();
    let origin = match (&opening.setup, opening.seed) {
        _ if !opening.opening.is_empty() => Origin::Opening(opening.opening.clone()),
        (Some(setup), Some(seed)) => Origin::Setup {
            setup: setup.clone(),
            seed,
        },
        _ => Origin::Position,
    };
    let mut session = Session::of(history, origin, seats);
    if let Some(clock) = &opening.clock {
        session.set_time_control(clock.parse()?);
    }
    session.rename(opening.seats.iter().map(|sitting| sitting.name.clone()));
    Ok(session)
}

/// The newest unfinished game, and a recorder that continues its file.
pub(crate) fn resume(home: &Home) -> Result<(Session, GameRecorder), TerminalError> {
    for path in home.saved() {
        let record = last_record(&path);
        if record.is_some_and(|record| record.end.is_none()) {
            return resume_at(home, &path);
        }
    }
    Err(TerminalError::NothingToResume)
}

/// The last game of a file.
pub(crate) fn last_record(path: &Path) -> Option<Record> {
    let records = read_file(path).ok()?;
    records.last()?.ok()
}

/// The last game of a file, with all its turns.
pub(crate) fn last_session(path: &Path) -> Result<(Session, Record), TerminalError> {
    let record = last_record(path).ok_or_else(|| TerminalError::NoGame(path.to_owned()))?;
    let session = session(&record).map_err(|cause| TerminalError::Record {
        path: path.to_owned(),
        cause,
    })?;
    Ok((session, record))
}

/// The game of this file, and a recorder that continues it.
pub(crate) fn resume_at(
    home: &Home,
    path: &Path,
) -> Result<(Session, GameRecorder), TerminalError> {
    let (session, record) = last_session(path)?;
    let recorder = GameRecorder::resumed(home, path, record.opening);
    let recorder = recorder.map_err(|cause| TerminalError::Write {
        path: path.to_owned(),
        cause,
    })?;
    Ok((session, recorder))
}

#[cfg(test)]
mod tests {
    use floe_arena::journal::read_file;

    use super::super::seat::default_opponent;
    use super::*;
    use floe_arena::seat::Seat;

    fn game(name: &str, setup: &str) -> Session {
        let game = floe_games::find(name).unwrap();
        let origin = Origin::Setup {
            setup: setup.to_owned(),
            seed: 4,
        };
        let seats = vec![Seat::Human, default_opponent()];
        Session::new(game.start(setup, 4).unwrap(), origin, seats)
    }

    fn step(session: &mut Session, recorder: &mut GameRecorder) {
        let mv = session.position().moves()[0].clone();
        session
            .make(&mv, Duration::from_millis(7), String::new())
            .unwrap();
        recorder.turn(session.turns().last().unwrap()).unwrap();
    }

    #[test]
    fn a_killed_game_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        assert!(resume(&home).is_err());
        let mut session = game("gamma", "4x4");
        let mut recorder = GameRecorder::new(&home, &session);
        assert!(
            home.saved().is_empty(),
            "a game without a turn leaves no file"
        );
        for _ in 0..4 {
            step(&mut session, &mut recorder);
        }
        let back = session.take_back();
        assert_eq!(back.moves, 2);
        recorder.back(&back).unwrap();
        assert!(session.give_up(Duration::ZERO));
        recorder.turn(session.turns().last().unwrap()).unwrap();
        drop(recorder);
        // Half a line, as a kill leaves it.
        let path = home.saved().remove(0);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        io::Write::write_all(&mut file, b"{\"line\":\"mo").unwrap();

        let (again, mut recorder) = resume(&home).unwrap();
        assert_eq!(again.position().write(), session.position().write());
        assert_eq!(again.turns().len(), 3);
        assert_eq!(again.seats(), session.seats());
        assert_eq!(again.origin(), session.origin());
        let mut session = again;
        step(&mut session, &mut recorder);
        assert_eq!(
            resume(&home).unwrap().0.position().write(),
            session.position().write()
        );
        let record = last_record(&path).unwrap();
        record.verify().unwrap();
    }

    #[test]
    fn clocks_go_on_where_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let mut session = game("gamma", "4x4");
        session.set_time_control("5m+3s".parse().unwrap());
        let mut recorder = GameRecorder::new(&home, &session);
        for _ in 0..3 {
            step(&mut session, &mut recorder);
        }
        drop(recorder);
        let again = resume(&home).unwrap().0;
        let me = floe_rules::Player::new(0);
        let left = Duration::from_secs(5 * 60 + 2 * 3) - Duration::from_millis(2 * 7);
        assert_eq!(again.time_left(me, Duration::ZERO), Some(left));
        assert_eq!(session.time_left(me, Duration::ZERO), Some(left));
        // An unreadable clock is reported, and not ignored.
        let path = home.saved().remove(0);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("5m+3s", "soon")).unwrap();
        let error = format!("{:#}", resume(&home).err().unwrap());
        assert!(error.contains("soon is no clock"), "{error}");
    }

    #[test]
    fn a_finished_game_is_not_gone_on_with_and_verifies() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let mut session = game("flood", "4x3");
        let mut recorder = GameRecorder::new(&home, &session);
        while session.turn().is_some() {
            step(&mut session, &mut recorder);
        }
        recorder.note_end(session.play().end());
        recorder.close().unwrap();
        recorder.close().unwrap();
        assert!(resume(&home).is_err());
        let path = home.saved().remove(0);
        let record = last_record(&path).unwrap();
        assert_eq!(
            record.verify().unwrap().position().write(),
            session.position().write()
        );

        let copy = folder.path().join("copy.jsonl");
        save(&session, &copy).unwrap();
        save(&session, &copy).unwrap();
        let copies: Vec<Record> = read_file(&copy).unwrap().map(Result::unwrap).collect();
        assert_eq!(copies.len(), 2, "saving never overwrites");
        copies[0].verify().unwrap();
    }
}
