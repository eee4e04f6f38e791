use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::assignment::Assignment;
use crate::random::Random;
use crate::{
    Brush, Choice, Dialect, ParseError, Player, Position, Report, Setting, SetupError, Square, View,
};

/// A game's public face: all that a front end needs.
///
/// ```
/// use floe_rules::{Game, penguins::Penguins};
/// let position = Penguins::start(&"6x6,penguins=2".parse()?, 7)?;
/// let text = Penguins::write(&position);
/// assert_eq!(Penguins::read(&text)?, position);
/// assert_eq!(Penguins::view(&position).cells.len(), 36);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Game: Send + Sync + 'static {
    /// The states of the game.
    type Position: Position;
    /// What decides a starting position besides the seed, such as `10x10,players=3,areas=2`.
    type Setup: Clone + Default + PartialEq + Display + FromStr<Err = ParseError> + Send + Sync;

    /// The word of a setup that says how many play, such as `players`; none where that is the
    /// same in every setup.
    const PLAYERS_SETTING: Option<&'static str> = None;

    /// The word for the game on the command line and in files.
    const NAME: &'static str;
    /// The game's name for people.
    const TITLE: &'static str;
    /// How many may sit at the table.
    const SEATS: RangeInclusive<u32>;
    /// The words a setup may contain, for help texts: one line each.
    const SETUP_HELP: &'static str;
    /// The words of a setup beside the size that a form asks for.
    const SETTINGS: &'static [Setting] = &[];
    /// What the special kind of move is called that has a key of its own, such as `golden move`;
    /// none in most games. See [`Choice::special`].
    const SPECIAL_MOVE: Option<&'static str> = None;
    /// The rules for somebody who has never seen the game, a short sentence a line.
    const RULES: &'static str = "";
    /// The setups on which a checkup puts programs through their paces: small, narrow, large and
    /// crowded tables. An empty text is the usual setup, and the only one unless a game says more.
    const CHECKUP_SETUPS: &'static [&'static str] = &[""];

    /// The contest's time for a move, in milliseconds.
    const MOVE_MS: u64 = 1000;
    /// The contest's memory for a program, in MiB.
    const MEMORY_MIB: u64 = 256;
    /// Whether the contest parts those with equal points by the sum of their margins: what they
    /// scored above the best of the others, game by game.
    const MARGINS_PART_EQUALS: bool = false;

    /// The starting position; the same setup and seed give the same one on every platform.
    fn start(setup: &Self::Setup, seed: u64) -> Result<Self::Position, SetupError>;

    /// Reads a position from the game's own file format and notes all that is wrong with it.
    ///
    /// `None` if and only if the report gained an error.
    fn parse(text: &str, report: &mut Report) -> Option<Self::Position>;

    /// The text of a position with words of a setup that it leaves open, such as `penguins=2`; or
    /// why they cannot stand there, in words. Unless a game knows better, its files leave nothing
    /// open.
    fn complete(_text: &str, words: &str) -> Result<String, String> {
        Err(format!(
            "the files of {} leave nothing open that {} could say",
            Self::TITLE,
            crate::text::quoted(words)
        ))
    }

    /// The whole position in the game's own file format: the exact inverse of [`read`] on what
    /// it wrote itself.
    ///
    /// [`read`]: Game::read
    fn write(position: &Self::Position) -> String;

    /// What a screen or page draws.
    fn view(position: &Self::Position) -> View;

    /// How bot programs of this game may be spoken to; the first one is the contest's own.
    fn dialects() -> &'static [&'static dyn Dialect<Self::Position>];

    /// What a course on this game has students hand in; `None` if there is no such course.
    fn assignment() -> Option<&'static dyn Assignment> {
        None
    }

    /// The mover's legal moves as somebody at a board makes them, in the order of
    /// [`Position::moves`]: each exactly once.
    ///
    /// Unless a game knows better, all are made by keys. Costs a copy of the position for each.
    ///
    /// ```
    /// use floe_rules::{Game, gamma::Gamma};
    /// let position = Gamma::start(&"2x1".parse()?, 1)?;
    /// let choices = Gamma::choices(&position);
    /// assert_eq!(choices[0].notation, "a1");
    /// assert_eq!(choices[0].gain, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn choices(position: &Self::Position) -> Vec<Choice> {
        let Some(mover) = position.turn() else {
            return Vec::new();
        };
        let before = position.score(mover);
        let mut after = position.clone();
        let moves = position.legal_moves().into_iter();
        moves
            .map(|mv| {
                after.clone_from(position);
                after.play_unchecked(mv);
                Choice::new(mv.to_string()).gaining(after.score(mover) - before)
            })
            .collect()
    }

    /// Why the mover has no choice at this square, in words: with the piece on `from` picked up
    /// if there is one, and by the special kind of move if `is_special`.
    ///
    /// Only asked about squares without a choice; of others the text means nothing.
    fn refusal(
        _position: &Self::Position,
        _from: Option<Square>,
        at: Square,
        _is_special: bool,
    ) -> String {
        format!("there is no move to {at}")
    }

    /// What an editor can paint on the board of a text, which may be wrong in places; nothing where
    /// a board is not painted.
    fn brushes(_text: &str) -> Vec<Brush> {
        Vec::new()
    }

    /// The text with one thing painted, on this square if the brush is for fields. It may be no
    /// position then: [`parse`](Game::parse) says why. An error is about what cannot be painted.
    fn paint(_text: &str, _square: Option<Square>, word: &str) -> Result<String, ParseError> {
        Err(crate::brush::no_brush(word))
    }

    /// The position after the mover gave up the turn; `None` where the rules do not let him, or
    /// nobody else could move.
    fn give_up(_position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// How many opening moves suit this start, where every game of a setup starts alike, whatever
    /// the seed. `None` where starts differ: there the seed alone makes games different.
    ///
    /// A contest begins each board of such a game with that many moves drawn from the board's
    /// seed; programs that always play alike would otherwise repeat one game.
    fn opening_moves(_start: &Self::Position) -> Option<u32> {
        None
    }

    /// One move of an opening, drawn at random. The game must not be over. Unless a game knows
    /// better, every legal move is equally likely.
    fn opening_move(
        position: &Self::Position,
        random: &mut Random,
    ) -> <Self::Position as Position>::Move {
        let moves = position.legal_moves();
        moves[random.index(moves.len())]
    }

    /// Reads a position, or says what is wrong at the earliest wrong place.
    ///
    /// ```
    /// use floe_rules::{Game, flood::Flood};
    /// let error = Flood::read("J\n@#\n@x\n").unwrap_err();
    /// assert_eq!((error.line, error.column), (3, 2));
    /// ```
    fn read(text: &str) -> Result<Self::Position, ParseError> {
        let mut report = Report::new();
        match Self::parse(text, &mut report) {
            Some(position) => Ok(position),
            None => Err(report
                .into_first_error()
                .unwrap_or_else(|| ParseError::new(1, 1, "unreadable"))),
        }
    }

    /// Final scores when `loser` has lost by a fault and nobody plays on; as they stand, unless
    /// the contest says otherwise.
    fn forfeit(position: &Self::Position, _loser: Player) -> Vec<i64> {
        position.scores()
    }

    /// The whole position as programs of the line protocol are told it: text that [`read`] reads
    /// as the same position, with everything said that [`write`] leaves to be inferred.
    ///
    /// [`read`]: Game::read
    /// [`write`]: Game::write
    fn spell(position: &Self::Position) -> String {
        Self::write(position)
    }

    /// The board alone, as the contest's own files have it: without what the contest says on
    /// the command line or not at all (players, move number). The same as [`write`] for games
    /// whose files say everything.
    ///
    /// [`write`]: Game::write
    fn board(position: &Self::Position) -> String {
        Self::write(position)
    }
}
