use std::any::Any;

use floe_rules::{Choice, Encoding, Game, Outcome, Player, Position, Square, View, perft};

use crate::IS_WHOLE;
use crate::dialect::TypedDialect;
use crate::error::{MoveError, Unknown};
use crate::face::{AnyGame, AnyPosition, BoundDialect};

/// The [`AnyPosition`] around a typed position.
pub(crate) struct TypedPosition<G: Game> {
    game: &'static dyn AnyGame,
    position: G::Position,
}

/// The typed position, if it belongs to game `G`.
pub(crate) fn typed<G: Game>(position: &dyn AnyPosition) -> Option<&G::Position> {
    let position: &dyn Any = position;
    position
        .downcast_ref::<TypedPosition<G>>()
        .map(|seated| &seated.position)
}

impl<G: Game> TypedPosition<G> {
    pub(crate) fn new(game: &'static dyn AnyGame, position: G::Position) -> Self {
        TypedPosition { game, position }
    }

    fn read_move(&self, text: &str) -> Result<Move<G>, MoveError> {
        Ok(text.parse::<Move<G>>()?)
    }

    fn numbered(&self, action: u64) -> Option<Move<G>> {
        let mv = IS_WHOLE.then(|| G::action_move(&self.position, action));
        mv.flatten()
    }
}

type Move<G> = <<G as Game>::Position as Position>::Move;

impl<G: Game> AnyPosition for TypedPosition<G> {
    fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    fn players(&self) -> u32 {
        self.position.players()
    }

    fn turn(&self) -> Option<Player> {
        self.position.turn()
    }

    fn moves(&self) -> Vec<String> {
        let moves = self.position.legal_moves();
        moves.iter().map(ToString::to_string).collect()
    }

    fn check(&self, mv: &str) -> Result<(), MoveError> {
        let mv = self.read_move(mv)?;
        self.position.check(mv).map_err(MoveError::illegal)
    }

    fn play(&mut self, mv: &str) -> Result<(), MoveError> {
        let mv = self.read_move(mv)?;
        self.position.play(mv).map_err(MoveError::illegal)
    }

    fn choices(&self) -> Vec<Choice> {
        G::choices(&self.position)
    }

    fn refusal(&self, from: Option<Square>, at: Square, is_special: bool) -> String {
        G::refusal(&self.position, from, at, is_special)
    }

    fn give_up(&self) -> Option<Box<dyn AnyPosition>> {
        let position = G::give_up(&self.position)?;
        Some(Box::new(TypedPosition::<G>::new(self.game, position)))
    }

    fn scores(&self) -> Vec<i64> {
        self.position.scores()
    }

    fn largest_margin(&self) -> Option<i64> {
        self.position.largest_margin()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn view(&self) -> View {
        G::view(&self.position)
    }

    fn write(&self) -> String {
        G::write(&self.position)
    }

    fn spell(&self) -> String {
        G::spell(&self.position)
    }

    fn board(&self) -> String {
        G::board(&self.position)
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let mut after = self.position.clone();
        let moves = self.position.legal_moves().into_iter();
        moves
            .map(|mv| {
                after.clone_from(&self.position);
                after.play_unchecked(mv);
                (mv.to_string(), perft(&after, depth.saturating_sub(1)))
            })
            .collect()
    }

    fn forfeit(&self, loser: Player) -> Vec<i64> {
        G::forfeit(&self.position, loser)
    }

    fn retire(&mut self, player: Player) -> bool {
        self.position.retire(player)
    }

    fn dialect(&self, dialect: &str) -> Result<Box<dyn BoundDialect + '_>, Unknown> {
        let mut dialects = G::dialects().iter();
        let found = dialects.find(|known| known.name() == dialect).copied();
        let dialect = found.ok_or_else(|| {
            let known = G::dialects().iter().map(|known| known.name());
            Unknown::new("dialect", dialect, known)
        })?;
        let position = &self.position;
        Ok(Box::new(TypedDialect::<G> { position, dialect }))
    }

    fn encoding(&self) -> Encoding {
        G::encoding(&self.position)
    }

    fn plane_name(&self, plane: u64) -> String {
        match IS_WHOLE {
            true => G::plane_name(&self.position, plane),
            false => String::new(),
        }
    }

    fn observe(&self, seat: Player, into: &mut [u8]) {
        if IS_WHOLE {
            G::observe(&self.position, seat, into);
        }
    }

    fn mask(&self, into: &mut [i8]) {
        if IS_WHOLE {
            G::mask(&self.position, into);
        }
    }

    fn action(&self, mv: &str) -> Result<u64, MoveError> {
        let mv = self.read_move(mv)?;
        self.position.check(mv).map_err(MoveError::illegal)?;
        let number = IS_WHOLE.then(|| G::action(&self.position, mv)).flatten();
        number.ok_or(MoveError::NoNumber)
    }

    fn action_move(&self, action: u64) -> Option<String> {
        self.numbered(action).map(|mv| mv.to_string())
    }

    fn check_action(&self, action: u64) -> Result<(), MoveError> {
        let mv = self.numbered(action).ok_or(MoveError::NoMove(action))?;
        self.position.check(mv).map_err(MoveError::illegal)
    }

    fn play_action(&mut self, action: u64) -> Result<(), MoveError> {
        let mv = self.numbered(action).ok_or(MoveError::NoMove(action))?;
        self.position.play(mv).map_err(MoveError::illegal)
    }

    fn clone_position(&self) -> Box<dyn AnyPosition> {
        Box::new(TypedPosition::<G>::new(self.game, self.position.clone()))
    }

    fn is_same(&self, other: &dyn AnyPosition) -> bool {
        typed::<G>(other).is_some_and(|other| *other == self.position)
    }
}
