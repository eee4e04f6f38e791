use floe_rules::{
    Answer, ConformanceCase, Dialect, DialectError, Game, ParseError, Position, Request, Slip,
    Square,
};

use crate::error::MoveError;
use crate::face::BoundDialect;

/// The [`BoundDialect`] around a game's position and dialect.
pub(crate) struct TypedDialect<'a, G: Game> {
    pub(crate) position: &'a G::Position,
    pub(crate) dialect: &'static dyn Dialect<G::Position>,
}

impl<G: Game> BoundDialect for TypedDialect<'_, G> {
    fn request(&self, name: Option<&str>) -> Request {
        self.dialect.request(self.position, name)
    }

    fn answer(&self, name: Option<&str>, text: &str) -> Result<Answer<String>, DialectError> {
        let Answer { mv, name } = self.dialect.answer(self.position, name, text)?;
        let mv = mv.to_string();
        Ok(Answer { mv, name })
    }

    fn reply(&self, name: Option<&str>, mv: &str) -> Result<String, MoveError> {
        let mv: <G::Position as Position>::Move = mv.parse()?;
        self.position.check(mv).map_err(MoveError::illegal)?;
        Ok(self.dialect.reply(self.position, name, mv))
    }

    fn introductions(&self) -> Vec<Request> {
        self.dialect.introductions(self.position)
    }

    fn introduced(&self, text: &str) -> Result<String, ParseError> {
        self.dialect.introduced(text)
    }

    fn trials(&self, name: Option<&str>) -> Vec<ConformanceCase> {
        self.dialect.trials(name)
    }

    fn extra_calls(&self, name: Option<&str>) -> Vec<ConformanceCase> {
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
