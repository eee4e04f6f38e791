//! Records of games.

use std::path::PathBuf;

use floe_arena::journal::{RecordWriter, read_file};
use floe_games::Play;
use floe_games::record::{self, End, Entrant, Event, Opening, PlayedMove, VERSION};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::errors::{illegal, wrong};
use crate::position::{Given, Position, bounded};

/// Everything about one game: how it started, who played, the moves and how it ended.
///
/// A record is made from a position and moves, or read from a file by `floe.read_records`.
///
/// >>> import floe
/// >>> record = floe.Record(floe.start("gamma", "2x1,areas=1"), ["a1", "b1", "b1!"], ["me", "you"])
/// >>> record.moves, record.seats, record.is_finished
/// (['a1', 'b1', 'b1!'], ['me', 'you'], False)
/// >>> floe.parse_records(record.text())[0].moves == record.moves
/// True
#[pyclass(frozen, module = "floe")]
#[derive(Clone)]
pub(crate) struct Record {
    pub(crate) inner: record::Record,
}

/// A move of a record.
#[pyclass(frozen, module = "floe", get_all)]
#[derive(Clone)]
pub(crate) struct Move {
    /// The seat, from 0.
    seat: u32,
    /// The move.
    r#move: String,
    /// Wall time in seconds.
    time: f64,
    /// The player's remark.
    note: String,
}

/// A fault in a record, which disqualified a seat.
#[pyclass(frozen, module = "floe", get_all)]
#[derive(Clone)]
pub(crate) struct Fault {
    /// The seat, from 0.
    seat: u32,
    /// The kind, such as `illegal move`.
    kind: &'static str,
    /// The message.
    message: String,
}

#[pymethods]
impl Move {
    fn __repr__(&self) -> String {
        format!("<Move {} by seat {}>", self.r#move, self.seat)
    }
}

#[pymethods]
impl Fault {
    fn __repr__(&self) -> String {
        format!(
            "<Fault {} of seat {}: {}>",
            self.kind, self.seat, self.message
        )
    }
}

#[pymethods]
impl Record {
    /// The record of a game from this position with these moves, as text or numbers. It has an end
    /// if the game is over.
    #[new]
    #[pyo3(signature = (start, moves, seats = None, id = "1"))]
    fn new(
        start: &Position,
        moves: Vec<Given>,
        seats: Option<Vec<String>>,
        id: &str,
    ) -> PyResult<Self> {
        let players = start.inner.players() as usize;
        let names =
            seats.unwrap_or_else(|| (1..=players).map(|seat| format!("seat {seat}")).collect());
        if names.len() != players {
            return Err(wrong(format!(
                "{} seats are named, and there are {players}",
                names.len()
            )));
        }
        let entrant = |name: String| Entrant {
            seat: name.clone(),
            name,
            sha256: None,
        };
        let mut record = record::Record::new(Opening {
            floe: VERSION,
            game: start.inner.game().name().to_owned(),
            id: id.to_owned(),
            seats: names.into_iter().map(entrant).collect(),
            start: start.inner.write(),
            ..Opening::default()
        });
        let mut play = Play::new(start.inner.clone());
        for given in moves {
            let mv = given.text(play.position())?;
            let player = play
                .turn()
                .ok_or_else(|| wrong(format!("{mv}: the game is over")))?;
            play.make(&mv).map_err(|error| illegal(&mv, &error))?;
            record.events.push(Event::Move(PlayedMove {
                seat: player.number(),
                mv,
                ..PlayedMove::default()
            }));
        }
        record.end = play
            .outcome()
            .zip(play.reason())
            .map(|(outcome, reason)| End {
                scores: outcome.scores().to_vec(),
                places: outcome.places().to_vec(),
                reason,
            });
        Ok(Record { inner: record })
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &str {
        &self.inner.opening.game
    }

    /// The game's ID within its file.
    #[getter]
    fn id(&self) -> &str {
        &self.inner.opening.id
    }

    /// The setup of the board; `None` for a board from a file.
    #[getter]
    fn setup(&self) -> Option<&str> {
        self.inner.opening.setup.as_deref()
    }

    /// The seed of the board; `None` for a board from a file.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.inner.opening.seed
    }

    /// When the game started, in seconds since 1970; 0 if unknown.
    #[getter]
    fn began(&self) -> u64 {
        self.inner.opening.began
    }

    /// The seats' names.
    #[getter]
    fn seats(&self) -> Vec<String> {
        let seats = self.inner.opening.seats.iter();
        seats.map(|seat| seat.name.clone()).collect()
    }

    /// The moves as text, without undone ones.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.inner
            .moves()
            .iter()
            .map(|made| made.mv.clone())
            .collect()
    }

    /// The moves, without undone ones, with their players and times.
    #[getter]
    fn turns(&self) -> Vec<Move> {
        let made = self.inner.moves().into_iter();
        made.map(|made| Move {
            seat: made.seat.saturating_sub(1),
            r#move: made.mv.clone(),
            time: made.wall_us as f64 / 1e6,
            note: made.note.clone(),
        })
        .collect()
    }

    /// The disqualifying faults.
    #[getter]
    fn faults(&self) -> Vec<Fault> {
        let faults = self.inner.faults();
        faults
            .map(|fault| Fault {
                seat: fault.seat.saturating_sub(1),
                kind: fault.kind.name(),
                message: fault.message.clone(),
            })
            .collect()
    }

    /// Whether the game was played to its end.
    #[getter]
    fn is_finished(&self) -> bool {
        self.inner.end.is_some()
    }

    /// The final scores by seat; `None` if the game was interrupted.
    #[getter]
    fn scores(&self) -> Option<Vec<i64>> {
        self.inner.end.as_ref().map(|end| end.scores.clone())
    }

    /// The places by seat, from 1; `None` if the game was interrupted.
    #[getter]
    fn places(&self) -> Option<Vec<u32>> {
        self.inner.end.as_ref().map(|end| end.places.clone())
    }

    /// The position after this many moves; without a number, after the last.
    #[pyo3(signature = (moves = None))]
    fn position(&self, moves: Option<usize>) -> PyResult<Position> {
        let all = self.inner.moves().len();
        let moves = moves.unwrap_or(all);
        if moves > all {
            return Err(wrong(format!("the game has {all} moves, not {moves}")));
        }
        let play = self.inner.at(moves).map_err(wrong)?;
        Ok(Position::new(bounded(play.position().clone_position())?))
    }

    /// Replays the game, and raises `floe.Error` if the record breaks the rules.
    fn verify(&self) -> PyResult<()> {
        self.inner.verify().map(drop).map_err(wrong)
    }

    /// The record as lines of JSON: what files of records are made of.
    fn text(&self) -> PyResult<String> {
        let mut text = Vec::new();
        self.inner.write(&mut text)?;
        String::from_utf8(text).map_err(wrong)
    }

    fn __len__(&self) -> usize {
        self.inner.moves().len()
    }

    fn __repr__(&self) -> String {
        let seats = self.seats().join(" - ");
        let scores = self
            .scores()
            .map_or("unfinished".to_owned(), |scores| format!("{scores:?}"));
        format!(
            "<Record {} {}: {seats}, {} moves, {scores}>",
            self.game(),
            self.id(),
            self.__len__()
        )
    }
}

/// The records of a file of `floe match` and the like; one that ends in `.zst` is an archive.
///
/// Games that were interrupted are among them: see `Record.is_finished`.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python hands paths over")]
pub(crate) fn read_records(path: PathBuf) -> PyResult<Vec<Record>> {
    let place = path.display();
    let records =
        read_file(&path).map_err(|error| PyOSError::new_err(format!("{place}: {error}")))?;
    let read = records.map(|record| {
        let inner = record.map_err(|error| wrong(format!("{place}:{error}")))?;
        Ok(Record { inner })
    });
    read.collect()
}

/// The records of a text.
#[pyfunction]
pub(crate) fn parse_records(text: &str) -> PyResult<Vec<Record>> {
    let read = record::read(text.as_bytes()).map(|record| {
        let inner = record.map_err(|error| wrong(format!("line {error}")))?;
        Ok(Record { inner })
    });
    read.collect()
}

/// Adds records to the end of a file, which is made if it is not there.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python hands paths over")]
pub(crate) fn append_records(path: PathBuf, records: Vec<PyRef<'_, Record>>) -> PyResult<()> {
    let cannot = |error: std::io::Error| PyOSError::new_err(format!("{}: {error}", path.display()));
    let mut journal = RecordWriter::open(&path).map_err(cannot)?;
    for record in records {
        journal.append(&record.inner).map_err(cannot)?;
    }
    journal.sync().map_err(cannot)
}
