//! Positions of any game.

use floe_games::{AnyGame, AnyPosition, drawing, find};
use floe_rules::Player;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;

use crate::errors::{illegal, wrong};

/// Boards for Python have at most this many fields: text, lists of moves and pictures of larger
/// ones would fill the memory.
const MOST_FIELDS: u64 = 1 << 20;
/// Seats for Python, at most.
const MOST_SEATS: u32 = 255;
/// Bytes of an observation, at most.
const LARGEST: u64 = 1 << 27;

/// A position of any game; it never changes, `play` gives another one.
///
/// Seats are counted from 0 here; texts and records count them from 1.
///
/// >>> import floe
/// >>> position = floe.start("gamma", "4x3", seed=1)
/// >>> position.turn, len(position.moves())
/// (0, 12)
/// >>> after = position.play("b2")
/// >>> after.turn, after.scores
/// (1, [1, 0])
/// >>> floe.read("gamma", after.text()) == after
/// True
/// >>> position.play("z9")
/// Traceback (most recent call last):
///     ...
/// floe.IllegalMove: z9: the field is not on the board
#[pyclass(frozen, module = "floe")]
pub(crate) struct Position {
    pub(crate) inner: Box<dyn AnyPosition>,
}

/// The game with this name.
pub(crate) fn game(name: &str) -> PyResult<&'static dyn AnyGame> {
    find(name).map_err(wrong)
}

/// The same position, if it is not too large for Python.
pub(crate) fn bounded(position: Box<dyn AnyPosition>) -> PyResult<Box<dyn AnyPosition>> {
    let encoding = position.encoding();
    if encoding.fields() > MOST_FIELDS {
        return Err(wrong(format!(
            "the board has {} fields; here it may have {MOST_FIELDS}",
            encoding.fields()
        )));
    }
    if position.players() > MOST_SEATS {
        return Err(wrong(format!(
            "{} players; here there may be {MOST_SEATS}",
            position.players()
        )));
    }
    Ok(position)
}

/// The position a game starts with.
pub(crate) fn started(
    game: &'static dyn AnyGame,
    setup: &str,
    seed: u64,
) -> PyResult<Box<dyn AnyPosition>> {
    bounded(game.start(setup, seed).map_err(wrong)?)
}

/// A move given as text or as a number.
#[derive(FromPyObject)]
pub(crate) enum Given {
    #[pyo3(transparent, annotation = "str")]
    Text(String),
    #[pyo3(transparent, annotation = "int")]
    Action(u64),
}

impl Given {
    /// The move as text.
    pub(crate) fn text(self, position: &dyn AnyPosition) -> PyResult<String> {
        match self {
            Given::Text(text) => Ok(text),
            Given::Action(action) => position
                .action_move(action)
                .ok_or_else(|| illegal(action, &floe_games::MoveError::NoMove(action))),
        }
    }
}

impl Position {
    pub(crate) fn new(inner: Box<dyn AnyPosition>) -> Self {
        Position { inner }
    }

    /// The seat with this number.
    fn seat(&self, seat: u32) -> PyResult<Player> {
        let players = self.inner.players();
        if seat < players {
            return Ok(Player::new(seat));
        }
        Err(wrong(format!(
            "there is no seat {seat}; seats are 0 to {}",
            players - 1
        )))
    }

    /// Sizes of observations, if they can be made.
    fn sizes(&self) -> PyResult<(usize, [usize; 3])> {
        sizes(&*self.inner)
    }
}

/// The number of actions, and the sides of observations.
pub(crate) fn sizes(position: &dyn AnyPosition) -> PyResult<(usize, [usize; 3])> {
    let encoding = position.encoding();
    if encoding.size() > LARGEST || encoding.actions > LARGEST {
        return Err(wrong(format!(
            "an observation of {} bytes and {} numbers of moves is too large; take a smaller board",
            encoding.size(),
            encoding.actions
        )));
    }
    let shape = [
        encoding.planes,
        encoding.height.into(),
        encoding.width.into(),
    ];
    Ok((encoding.actions as usize, shape.map(|side| side as usize)))
}

#[pymethods]
impl Position {
    /// The game's name, such as `penguins`.
    #[getter]
    fn game(&self) -> &'static str {
        self.inner.game().name()
    }

    /// Number of seats.
    #[getter]
    fn players(&self) -> u32 {
        self.inner.players()
    }

    /// The seat to move, from 0; `None` once the game is over.
    #[getter]
    fn turn(&self) -> Option<usize> {
        self.inner.turn().map(Player::index)
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.turn().is_none()
    }

    /// Every seat's score so far.
    #[getter]
    fn scores(&self) -> Vec<i64> {
        self.inner.scores()
    }

    /// Every seat's place, from 1; equal scores share a place. `None` until the game is over.
    #[getter]
    fn places(&self) -> Option<Vec<u32>> {
        let outcome = self.inner.outcome()?;
        Some(outcome.places().to_vec())
    }

    /// Number of action numbers, legal or not: the same for all positions of a setup.
    #[getter]
    fn actions(&self) -> u64 {
        self.inner.encoding().actions
    }

    /// The names of an observation's planes.
    #[getter]
    fn planes(&self) -> PyResult<Vec<String>> {
        let (_, [planes, ..]) = self.sizes()?;
        let names = (0..planes).map(|plane| self.inner.plane_name(plane as u64));
        Ok(names.collect())
    }

    /// The legal moves as text, in the game's fixed order.
    fn moves(&self) -> Vec<String> {
        self.inner.moves()
    }

    /// The legal moves as numbers, in the same order as `moves`.
    ///
    /// >>> import floe
    /// >>> position = floe.start("flood", "4x4", seed=1)
    /// >>> [position.move(action) for action in position.legal_actions()] == position.moves()
    /// True
    fn legal_actions(&self) -> PyResult<Vec<u64>> {
        let moves = self.inner.moves();
        let actions = moves.iter().map(|mv| self.action(mv));
        actions.collect()
    }

    /// The number of a legal move.
    fn action(&self, r#move: &str) -> PyResult<u64> {
        (self.inner.action(r#move)).map_err(|error| illegal(r#move, &error))
    }

    /// The move with this number, which need not be legal.
    fn r#move(&self, action: u64) -> PyResult<String> {
        Given::Action(action).text(&*self.inner)
    }

    /// The position after a move, given as text or as a number.
    fn play(&self, r#move: Given) -> PyResult<Position> {
        let mut after = self.inner.clone();
        match r#move {
            Given::Text(text) => after.play(&text).map_err(|error| illegal(text, &error))?,
            Given::Action(action) => {
                let played = after.play_action(action);
                played.map_err(|error| illegal(self.described(action), &error))?;
            }
        }
        Ok(Position::new(after))
    }

    /// A seat's observation, as a new array of bytes: planes, rows from the top, columns.
    ///
    /// Without a seat, that of the player to move; once the game is over, that of the first.
    #[pyo3(signature = (seat = None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        seat: Option<u32>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let seat = match seat {
            Some(seat) => self.seat(seat)?,
            None => self.inner.turn().unwrap_or(Player::new(0)),
        };
        let (_, shape) = self.sizes()?;
        let mut planes = vec![0; shape.iter().product()];
        self.inner.observe(seat, &mut planes);
        PyArray1::from_vec(py, planes).reshape(shape)
    }

    /// 1 for the number of every legal move and 0 for all others, as a new array.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let (actions, _) = self.sizes()?;
        let mut mask = vec![0; actions];
        self.inner.mask(&mut mask);
        Ok(PyArray1::from_vec(py, mask))
    }

    /// The whole position in the game's own file format; `floe.read` reads it.
    fn text(&self) -> String {
        self.inner.spell()
    }

    /// The board and the seats as readable lines.
    fn board(&self) -> String {
        drawing::text(&*self.inner)
    }

    /// The board and the seats as an SVG picture.
    fn svg(&self) -> String {
        drawing::svg(&*self.inner)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        self.board()
    }

    fn __repr__(&self) -> String {
        format!("floe.read({:?}, {:?})", self.game(), self.text())
    }

    fn __hash__(&self) -> u64 {
        self.inner.key()
    }

    fn __richcmp__(&self, other: &Position, op: CompareOp) -> Option<bool> {
        let is_same = self.inner.is_same(&*other.inner);
        match op {
            CompareOp::Eq => Some(is_same),
            CompareOp::Ne => Some(!is_same),
            _ => None,
        }
    }

    /// A position is pickled as its game and text.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (&'static str, String))> {
        let read = py.import("floe")?.getattr("read")?;
        Ok((read, (self.game(), self.text())))
    }
}

impl Position {
    /// A number and its move.
    fn described(&self, action: u64) -> String {
        described(&*self.inner, action)
    }
}

/// A number and its move, for messages.
pub(crate) fn described(position: &dyn AnyPosition, action: u64) -> String {
    match position.action_move(action) {
        Some(mv) => format!("action {action} ({mv})"),
        None => format!("action {action}"),
    }
}
