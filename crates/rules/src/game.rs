use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::assignment::Assignment;
use crate::random::Random;
use crate::{
    Brush, Choice, Dialect, Encoding, ParseError, Player, Position, Report, Setting, SetupError,
    Square, Step, View, encoding,
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
pub trait Game: Sized + Send + Sync + 'static {
    /// The states of the game.
    type Position: Position;
    /// The settings of a start position besides the seed, such as `10x10,players=3,areas=2`.
    type Setup: Clone + Default + PartialEq + Display + FromStr<Err = ParseError> + Send + Sync;

    /// The setting of a setup for the number of players, such as `players`; `None` if the number is
    /// fixed.
    const PLAYERS_SETTING: Option<&'static str> = None;

    /// The word for the game on the command line and in files.
    const NAME: &'static str;
    /// The game's name for people.
    const TITLE: &'static str;
    /// The allowed numbers of seats.
    const SEATS: RangeInclusive<u32>;
    /// The words a setup may contain, for help texts: one line each.
    const SETUP_HELP: &'static str;
    /// The settings of a setup, besides the size, that a form asks for.
    const SETTINGS: &'static [Setting] = &[];
    /// The name of the special kind of move, such as `golden move`, which has its own key; `None`
    /// in most games. See [`Choice::special`].
    const SPECIAL_MOVE: Option<&'static str> = None;
    /// The unit of scores, in the plural: `fish`, `fields`.
    const UNIT: &'static str = "points";
    /// The rules for a new player, one short sentence per line.
    const RULES: &'static str = "";
    /// The game in a sentence or two for a new player; empty by default.
    const PITCH: &'static str = "";
    /// A lesson on the rules, step by step; empty for games without one.
    const LESSON: &'static [Step] = &[];
    /// The setup of a first game: a small board. An empty text is the default setup.
    const FIRST_SETUP: &'static str = "";
    /// The puzzles that come with the game, as `floe puzzles` writes them; none if empty.
    const PUZZLES: &'static str = "";
    /// The setups on which the conformance check tests programs: small, narrow, large and crowded
    /// boards. An empty text is the default setup.
    const CONFORMANCE_SETUPS: &'static [&'static str] = &[""];

    /// The contest's time for a move, in milliseconds.
    const MOVE_MS: u64 = 1000;
    /// The contest's memory for a program, in MiB.
    const MEMORY_MIB: u64 = 256;
    /// Whether the contest breaks ties on points by the sum of margins. A margin is a player's
    /// score minus the best opponent's, in one game.
    const MARGINS_PART_EQUALS: bool = false;

    /// The starting position; the same setup and seed give the same one on every platform.
    fn start(setup: &Self::Setup, seed: u64) -> Result<Self::Position, SetupError>;

    /// Reads a position from the game's own file format and notes all that is wrong with it.
    ///
    /// `None` if and only if the report gained an error.
    fn parse(text: &str, report: &mut Report) -> Option<Self::Position>;

    /// The text of a position, with settings of a setup that it leaves open, such as `penguins=2`;
    /// or why they are not allowed. By default, a game's files leave nothing open.
    fn complete(_text: &str, words: &str) -> Result<String, String> {
        Err(format!(
            "the files of {} leave nothing open that {} could set",
            Self::TITLE,
            crate::text::quoted(words)
        ))
    }

    /// The whole position in the game's own file format: the exact inverse of [`read`] on what
    /// it wrote itself.
    ///
    /// [`read`]: Game::read
    fn write(position: &Self::Position) -> String;

    /// The picture for a screen or page.
    fn view(position: &Self::Position) -> View;

    /// The dialects for bot programs of this game; the first is the contest's own.
    fn dialects() -> &'static [&'static dyn Dialect<Self::Position>];

    /// The course assignment for this game; `None` without a course.
    fn assignment() -> Option<&'static dyn Assignment> {
        None
    }

    /// The legal moves as a person makes them on a board, in the order of
    /// [`Position::moves`]: each exactly once.
    ///
    /// By default, all are made by keys. Costs a copy of the position for each.
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

    /// Explains why the player to move has no move at this square: with the piece on `from` picked
    /// up if there is one, and by the special kind of move if `is_special`.
    ///
    /// Called only for squares without a move; for others the text means nothing.
    fn refusal(
        _position: &Self::Position,
        _from: Option<Square>,
        at: Square,
        _is_special: bool,
    ) -> String {
        format!("there is no move to {at}")
    }

    /// The brushes with which an editor can change the board of this text, which may contain
    /// errors; empty if the game has no board editor.
    fn brushes(_text: &str) -> Vec<Brush> {
        Vec::new()
    }

    /// The text with one change painted, on this square if the brush is for fields. The result need
    /// not be a legal position: [`parse`](Game::parse) says why. An error means that nothing could
    /// be painted.
    fn paint(_text: &str, _square: Option<Square>, word: &str) -> Result<String, ParseError> {
        Err(crate::brush::no_brush(word))
    }

    /// The position after the player to move passes; `None` if the rules forbid passing, or if no
    /// other player could move.
    fn give_up(_position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// How many random opening moves suit this start, if the games of a setup start alike for every
    /// seed. `None` if starts differ by seed.
    ///
    /// A contest then begins each game with that many moves drawn from the seed; otherwise two
    /// deterministic programs would repeat one game.
    fn opening_moves(_start: &Self::Position) -> Option<u32> {
        None
    }

    /// One random opening move. The game must not be over. By default, every legal move is equally
    /// likely.
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

    /// Final scores after `loser` lost by a fault; by default, the current scores.
    fn forfeit(position: &Self::Position, _loser: Player) -> Vec<i64> {
        position.scores()
    }

    /// The whole position as the line protocol sends it: [`read`] reads it as the same position,
    /// and it states everything that [`write`] leaves to be inferred.
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

    /// The numbers of planes and of actions: the same for all positions of a setup with boards of
    /// one size.
    ///
    /// By default, planes follow from the game's [`view`](Game::view), and moves are numbered by
    /// the squares its [`choices`](Game::choices) point at. The number of a move made by a key
    /// holds for one position only.
    fn encoding(position: &Self::Position) -> Encoding {
        let has_special = Self::SPECIAL_MOVE.is_some();
        encoding::of_view(&Self::view(position), position.players(), has_special)
    }

    /// The name of a plane.
    fn plane_name(position: &Self::Position, plane: u64) -> String {
        encoding::view_plane(plane, position.players())
    }

    /// Writes what a seat sees into `into`, which must be as long as [`Encoding::size`] says.
    ///
    /// ```
    /// use floe_rules::{Game, Player, gamma::Gamma};
    /// let position = Gamma::read("gamma 2 1 2 1\nturn 2 golden 1 2\n1.\n")?;
    /// let mut planes = vec![0; Gamma::encoding(&position).size() as usize];
    /// Gamma::observe(&position, Player::new(1), &mut planes);
    /// assert_eq!(planes[..4], [0, 0, 1, 0], "nothing of one's own, then the other's field");
    /// # Ok::<(), floe_rules::ParseError>(())
    /// ```
    fn observe(position: &Self::Position, seat: Player, into: &mut [u8]) {
        encoding::observe_view(position, &Self::view(position), seat, into);
    }

    /// The number of a legal move. For other moves, any number or `None`.
    fn action(position: &Self::Position, mv: Move<Self>) -> Option<u64> {
        let text = mv.to_string();
        let mut choices = encoding::numbered(Self::encoding(position), Self::choices(position));
        choices
            .find(|(_, choice)| choice.notation == text)
            .map(|(number, _)| number)
    }

    /// The move with this number, which need not be legal; `None` if the number stands for no move.
    fn action_move(position: &Self::Position, action: u64) -> Option<Move<Self>> {
        let mut choices = encoding::numbered(Self::encoding(position), Self::choices(position));
        let found = choices.find(|&(number, _)| number == action);
        found.and_then(|(_, choice)| choice.notation.parse().ok())
    }

    /// Writes 1 for every legal move's number and 0 for all others into `into`, which must have
    /// [`Encoding::actions`] places.
    fn mask(position: &Self::Position, into: &mut [i8]) {
        into.fill(0);
        for (number, _) in encoding::numbered(Self::encoding(position), Self::choices(position)) {
            into[number as usize] = 1;
        }
    }
}

type Move<G> = <<G as Game>::Position as Position>::Move;
