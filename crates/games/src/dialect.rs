use floe_rules::{
    Answer, Ask, Dialect, Game, Objection, ParseError, Position, Slip, Square, Trial,
};

use crate::MoveError;

/// A position and a dialect to speak about it in: [`Dialect`] without its types, with moves as
/// text. Made by [`AnyPosition::dialect`](crate::AnyPosition::dialect).
///
/// ```
/// let game = floe_games::find("flood")?;
/// let position = game.start("4x4", 1)?;
/// let dialect = position.dialect(game.dialects()[0])?;
/// let mv = position.moves().swap_remove(0);
/// let honest = dialect.reply(None, &mv)?;
/// assert_eq!(dialect.answer(None, &honest)?.mv, mv);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait BoundDialect {
    /// What the program of the player to move is given: see [`Dialect::ask`].
    fn ask(&self, name: Option<&str>) -> Ask;

    /// The move that a program's answer stands for: see [`Dialect::answer`].
    fn answer(&self, name: Option<&str>, text: &str) -> Result<Answer<String>, Objection>;

    /// What an honest program answers when it makes this move: see [`Dialect::reply`].
    fn reply(&self, name: Option<&str>, mv: &str) -> Result<String, MoveError>;

    /// The ways to ask a program for its name, if it must be: see [`Dialect::introductions`].
    fn introductions(&self) -> Vec<Ask>;

    /// The name in the answer to that: see [`Dialect::introduced`].
    fn introduced(&self, text: &str) -> Result<String, ParseError>;

    /// The cases such programs are known to get wrong: see [`Dialect::trials`].
    fn trials(&self, name: Option<&str>) -> Vec<Trial>;

    /// The calls without a move that come before this turn: see [`Dialect::extra_calls`].
    fn extra_calls(&self, name: Option<&str>) -> Vec<Trial>;

    /// What may be wrong with an answer that is: see [`Dialect::slips`].
    fn slips(&self, name: Option<&str>, text: &str) -> Vec<Slip>;

    /// The square at a place of an answer: see [`Dialect::square_at`].
    fn square_at(&self, line: u32, column: u32) -> Option<Square>;

    /// What an exit code means: see [`Dialect::exit`].
    fn exit(&self, code: i32) -> Option<&'static str>;
}

/// The [`BoundDialect`] made of a game's position and dialect.
pub(crate) struct TypedDialect<'a, G: Game> {
    pub(crate) position: &'a G::Position,
    pub(crate) dialect: &'static dyn Dialect<G::Position>,
}

impl<G: Game> BoundDialect for TypedDialect<'_, G> {
    fn ask(&self, name: Option<&str>) -> Ask {
        self.dialect.ask(self.position, name)
    }

    fn answer(&self, name: Option<&str>, text: &str) -> Result<Answer<String>, Objection> {
        let Answer { mv, name } = self.dialect.answer(self.position, name, text)?;
        let mv = mv.to_string();
        Ok(Answer { mv, name })
    }

    fn reply(&self, name: Option<&str>, mv: &str) -> Result<String, MoveError> {
        let mv: <G::Position as Position>::Move = mv.parse()?;
        self.position.check(mv).map_err(MoveError::illegal)?;
        Ok(self.dialect.reply(self.position, name, mv))
    }

    fn introductions(&self) -> Vec<Ask> {
        self.dialect.introductions(self.position)
    }

    fn introduced(&self, text: &str) -> Result<String, ParseError> {
        self.dialect.introduced(text)
    }

    fn trials(&self, name: Option<&str>) -> Vec<Trial> {
        self.dialect.trials(name)
    }

    fn extra_calls(&self, name: Option<&str>) -> Vec<Trial> {
        self.dialect.extra_calls(self.position, name)
    }

    fn slips(&self, name: Option<&str>, text: &str) -> Vec<Slip> {
        self.dialect.slips(self.position, name, text)
    }

    fn square_at(&self, line: u32, column: u32) -> Option<Square> {
        self.dialect.square_at(self.position, line, column)
    }

    fn exit(&self, code: i32) -> Option<&'static str> {
        self.dialect.exit(code)
    }
}
