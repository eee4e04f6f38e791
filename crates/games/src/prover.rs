use floe_rules::{Game, Position};
use floe_search::{Limits, ProofTable, Prover, Proving, Thought};

use crate::engine::{unfinished, written};
use crate::error::ThinkError;
use crate::face::{AnyPosition, AnyProver};

/// The [`AnyProver`] around a prover of game `G`.
pub(crate) struct TypedProver<G: Game>(pub(crate) Prover<G::Position>);

impl<G: Game> AnyProver for TypedProver<G> {
    fn prove(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
        watch: &mut dyn FnMut(&Proving<'_>),
    ) -> Result<Option<Thought<String>>, ThinkError> {
        let position = unfinished::<G>(position)?;
        if position.players() > 2 {
            return Err(ThinkError::TooManySeats);
        }
        let proof = self.0.prove(position, limits, watch);
        Ok(proof.as_ref().map(written))
    }

    fn table(&self) -> &ProofTable {
        self.0.table()
    }
}
