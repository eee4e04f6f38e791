use std::fmt;

use super::ids::Ids;
use super::position::PositionParts;
use super::{
    DEFAULT_PENGUINS, HIGHEST_SCORE, MOST_PLAYERS, Move, PenguinsPosition, Phase, Shape, Spot,
};
use crate::text::quoted;
use crate::{ParseError, Player, Position, Report};

/// A state file as it stands: the fields, and the players' lines to the letter.
///
/// A [`PenguinsPosition`] is what the rules make of it. Printing gives the canonical text, in which a
/// player's line is as it was read unless [`play`](State::play) changed it.
#[derive(Debug, Clone)]
pub struct State {
    pub(super) shape: Shape,
    /// The fields, row by row from the top left.
    pub(super) fields: Vec<Field>,
    /// The column of the text in which each field starts.
    pub(super) starts: Vec<u32>,
    pub(super) lines: Vec<PlayerLine>,
    pub(super) words: Words,
}

/// One field of a state file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The first digit, 0 to 3.
    pub fish: u8,
    /// The owner of the penguin there: the second digit.
    pub owner: Option<Player>,
}

impl Field {
    /// Water.
    pub const WATER: Field = Field {
        fish: 0,
        owner: None,
    };
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.fish, self.owner.map_or(0, Player::number))
    }
}

/// A player's line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerLine {
    pub(super) id: String,
    pub(super) player: Player,
    pub(super) score: u32,
    pub(super) text: String,
}

impl PlayerLine {
    fn new(id: &str, player: Player, score: u32) -> Self {
        PlayerLine {
            id: id.to_owned(),
            player,
            score,
            text: format!("{id} {player} {score}"),
        }
    }

    /// The player's ID.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The player.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The collected fish.
    pub fn score(&self) -> u32 {
        self.score
    }

    /// The line as written, without its line ending.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The rest of line 1 after the size, with the column of each word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) players: Option<Located<u32>>,
    pub(super) penguins: Option<Located<u32>>,
    pub(super) turn: Option<Located<Option<Player>>>,
    pub(super) phase: Option<Located<Phase>>,
    pub(super) out: Option<Located<Vec<Player>>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Located<T> {
    pub(super) value: T,
    pub(super) column: u32,
    pub(super) width: u32,
}

impl<T> Located<T> {
    fn error(&self, cause: String) -> ParseError {
        ParseError::new(1, self.column, cause).with_width(self.width)
    }
}

/// Facts a state file omits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Known {
    /// Penguins each player places.
    pub penguins: Option<u32>,
    /// Placement or movement.
    pub phase: Option<Phase>,
    /// The player to move.
    pub turn: Option<Player>,
}

impl State {
    /// The state of a position, with lines for the players who have an ID or have made a move.
    pub(super) fn of(position: &PenguinsPosition) -> Self {
        let shape = position.shape();
        let mut state = State {
            shape,
            fields: vec![Field::WATER; shape.fields()],
            starts: (0..shape.fields() as u32)
                .map(|i| i % shape.columns() * 3 + 1)
                .collect(),
            lines: Vec::new(),
            words: Words::default(),
        };
        for spot in shape.spots() {
            let at = state.place(spot);
            state.fields[at].fish = position.fish(spot);
        }
        for player in Player::all(position.players()) {
            for &spot in position.penguins(player) {
                let at = state.place(spot);
                state.fields[at].owner = Some(player);
            }
            if is_known(position, player) {
                state.enter(position, player, position.id(player));
            }
        }
        state
    }

    /// The state for the program of `mover`. Its line has the name the program chose, and is
    /// missing until then; no other player's line has that name. All players before it have lines,
    /// so that the lowest free number is its own.
    pub(super) fn shown(position: &PenguinsPosition, mover: Player, name: Option<&str>) -> Self {
        let mut state = State::of(position);
        state.lines.clear();
        let own = match is_known(position, mover) {
            true => Some(name.unwrap_or(position.id(mover))),
            false => name,
        };
        for player in Player::all(position.players()) {
            if player == mover {
                if let Some(own) = own {
                    state.enter(position, player, own);
                }
            } else if player < mover || is_known(position, player) {
                let mut id = position.id(player).to_owned();
                while own == Some(&id) || state.player(&id).is_some() {
                    id.push('x');
                }
                state.enter(position, player, &id);
            }
        }
        state
    }

    fn enter(&mut self, position: &PenguinsPosition, player: Player, id: &str) {
        let score = position.score(player) as u32;
        self.lines.push(PlayerLine::new(id, player, score));
    }

    /// The board's size.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The content of a field.
    pub fn field(&self, spot: Spot) -> Field {
        self.fields[self.place(spot)]
    }

    /// The players' lines, in the order of the file.
    pub fn lines(&self) -> &[PlayerLine] {
        &self.lines
    }

    /// The player with this ID.
    pub fn player(&self, id: &str) -> Option<Player> {
        self.lines.iter().find(|l| l.id == id).map(|l| l.player)
    }

    /// Number of a player's penguins on the board.
    pub fn penguins(&self, player: Player) -> u32 {
        let mine = self.fields.iter().filter(|f| f.owner == Some(player));
        mine.count() as u32
    }

    /// Gives a player who is not in the file the lowest free number and a line at the end.
    ///
    /// For a tenth player, the error is about the place where the line would be.
    pub fn join(&mut self, id: &str) -> Result<Player, ParseError> {
        let mut seats = Player::all(MOST_PLAYERS as u32);
        let free = seats.find(|&p| self.lines.iter().all(|l| l.player != p));
        let Some(player) = free else {
            let cause = format!("{} would be a tenth player", quoted(id));
            let line = self.line_of(self.lines.len());
            return Err(ParseError::new(line, 1, cause).with_help("at most nine can play"));
        };
        self.append(id, player);
        Ok(player)
    }

    /// Adds a line at the end, with no fish, for a player without one.
    pub(super) fn append(&mut self, id: &str, player: Player) {
        self.lines.push(PlayerLine::new(id, player, 0));
    }

    /// Makes a legal move of the player: moves the penguin, turns its floe to water, and adds the
    /// fish at the target to the player's line. Line 1 then has only the size, since its other
    /// statements may have become wrong.
    pub fn play(&mut self, player: Player, mv: Move) {
        self.words = Words::default();
        if let Move::Slide { from, .. } = mv {
            let at = self.place(from);
            self.fields[at] = Field::WATER;
        }
        let at = self.place(mv.to());
        let fish = self.fields[at].fish;
        self.fields[at] = Field {
            fish: 0,
            owner: Some(player),
        };
        if let Some(line) = self.lines.iter_mut().find(|l| l.player == player) {
            let score = (line.score + u32::from(fish)).min(HIGHEST_SCORE);
            *line = PlayerLine::new(&line.id, player, score);
        }
    }

    /// The position, as far as the file determines it: see
    /// [`position_given`](State::position_given).
    pub fn position(&self, report: &mut Report) -> Option<PenguinsPosition> {
        self.position_given(Known::default(), report)
    }

    /// The position, from the file and from other known facts.
    ///
    /// Missing facts are inferred. The number of players is the highest number with a line, or two.
    /// Each has as many penguins as the player with most, or three if none is on the board. While a
    /// player has fewer and a one-fish floe is left, it is placement, and the first player with the
    /// fewest penguins is to move. Otherwise it is movement, and the first player who can move is
    /// to move.
    ///
    /// `None` if and only if the report gained an error.
    pub fn position_given(&self, known: Known, report: &mut Report) -> Option<PenguinsPosition> {
        let errors = report.errors.len();
        let seats = self.lines.iter().map(|l| l.player.number()).max();
        let mut players = seats.unwrap_or(2);
        if let Some(said) = &self.words.players {
            if said.value < players && seats.is_some() {
                let cause = format!("{} players, but player {players} has a line", said.value);
                report.error(said.error(cause));
            }
            players = if seats.is_some() {
                players.max(said.value)
            } else {
                said.value
            };
        }
        let counts: Vec<u32> = Player::all(players).map(|p| self.penguins(p)).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let limit = known
            .penguins
            .or(self.words.penguins.as_ref().map(|said| said.value));
        let each = limit.unwrap_or(if most > 0 { most } else { DEFAULT_PENGUINS });
        for player in Player::all(players).filter(|p| counts[p.index()] > each) {
            let mine = (0..self.fields.len()).filter(|&i| self.fields[i].owner == Some(player));
            if let Some(at) = mine.clone().nth(each as usize) {
                let cause = format!("player {player} has more penguins than penguins={each}");
                let (line, column) = self.locate(at);
                report.error(ParseError::new(line, column, cause).with_width(2));
            }
        }
        if report.errors.len() > errors {
            return None;
        }
        let given: Vec<(Player, &str)> = self
            .lines
            .iter()
            .map(|l| (l.player, l.id.as_str()))
            .collect();
        let mut scores = [0; MOST_PLAYERS];
        for line in &self.lines {
            scores[line.player.index()] = line.score;
        }
        let phase = known
            .phase
            .or(self.words.phase.as_ref().map(|said| said.value));
        let said_turn = self.words.turn.as_ref().and_then(|said| said.value);
        let here = |spot| self.fields[self.place(spot)];
        let position = PenguinsPosition::assemble(PositionParts {
            shape: self.shape,
            fish: self
                .shape
                .spots()
                .map(|spot| match here(spot) {
                    Field { fish, owner: None } => fish,
                    _ => 0,
                })
                .collect(),
            penguins: self
                .shape
                .spots()
                .filter_map(|spot| Some((here(spot).owner?, spot)))
                .collect(),
            ids: Ids::new(players, &given),
            scores,
            players,
            each,
            moving: phase == Some(Phase::Movement),
            turn: known.turn.or(said_turn).filter(|p| p.number() <= players),
            out: self.words.out.as_ref().map_or(Vec::new(), |said| {
                let seated = said.value.iter().filter(|p| p.number() <= players);
                seated.copied().collect()
            }),
        });
        self.check_words(&position, known, report);
        (report.errors.len() == errors).then_some(position)
    }

    /// Checks the statements of line 1.
    fn check_words(&self, position: &PenguinsPosition, known: Known, report: &mut Report) {
        if let Some(said) = &self.words.phase
            && said.value != position.phase()
            && known.phase.is_none()
        {
            report.error(said.error("no player can place a penguin any more".into()));
        }
        if let Some(said) = &self.words.out
            && let Some(player) = said.value.iter().find(|p| p.number() > position.players())
        {
            report.error(said.error(format!("there is no player {player}")));
        }
        if let Some(said) = &self.words.turn
            && said.value != position.turn()
            && known.turn.is_none()
        {
            report.error(said.error(match said.value {
                Some(player) if player.number() > position.players() => {
                    format!("there is no player {player}")
                }
                Some(player) => format!("player {player} has no move"),
                None => "the game is not over".into(),
            }));
        }
    }

    /// The index of a field in [`State::fields`].
    pub(super) fn place(&self, spot: Spot) -> usize {
        let from_top = self.shape.rows() as usize - 1 - usize::from(spot.row);
        from_top * self.shape.columns() as usize + usize::from(spot.column)
    }

    /// The line and column where a field starts.
    pub(super) fn locate(&self, at: usize) -> (u32, u32) {
        let row = at / self.shape.columns() as usize;
        (row as u32 + 2, self.starts[at])
    }

    /// The text line of a player's line.
    pub(super) fn line_of(&self, at: usize) -> u32 {
        self.shape.rows() + 2 + at as u32
    }

    /// Writes to line 1 what the fields do not show.
    pub(super) fn announce(&mut self, position: &PenguinsPosition, phase: bool) {
        fn said<T>(value: T) -> Option<Located<T>> {
            let (column, width) = (1, 1);
            Some(Located {
                value,
                column,
                width,
            })
        }
        self.words = Words {
            players: said(position.players()),
            penguins: said(position.penguins_each()),
            turn: said(position.turn()),
            phase: phase.then(|| said(position.phase())).flatten(),
            out: said(position.out().collect::<Vec<_>>()).filter(|said| !said.value.is_empty()),
        };
    }
}

/// Whether a player has an ID, or has made a move.
fn is_known(position: &PenguinsPosition, player: Player) -> bool {
    position.ids().is_named(player)
        || position.score(player) > 0
        || !position.penguins(player).is_empty()
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.shape.rows(), self.shape.columns())?;
        if let Some(said) = &self.words.players {
            write!(f, " players={}", said.value)?;
        }
        if let Some(said) = &self.words.penguins {
            write!(f, " penguins={}", said.value)?;
        }
        if let Some(said) = &self.words.phase {
            write!(f, " phase={}", said.value)?;
        }
        match self.words.turn {
            Some(Located {
                value: Some(player),
                ..
            }) => write!(f, " turn={player}")?,
            Some(Located { value: None, .. }) => f.write_str(" turn=-")?,
            None => {}
        }
        if let Some(said) = &self.words.out {
            let players: Vec<String> = said.value.iter().map(ToString::to_string).collect();
            write!(f, " out={}", players.join(","))?;
        }
        f.write_str("\n")?;
        for row in self.fields.chunks(self.shape.columns() as usize) {
            for (i, field) in row.iter().enumerate() {
                let gap = if i > 0 { " " } else { "" };
                write!(f, "{gap}{field}")?;
            }
            f.write_str("\n")?;
        }
        for line in &self.lines {
            writeln!(f, "{}", line.text)?;
        }
        Ok(())
    }
}
