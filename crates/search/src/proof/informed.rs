//! An engine that knows what is proven.

use floe_rules::Position;

use super::table::ProofTable;
use crate::engine::{put_first, sort_lines};
use crate::{Engine, Limits, Thought};

/// An engine that looks into a table of proven positions before it thinks.
///
/// In a proven position it plays a best move. Elsewhere it thinks as the engine inside does, and
/// corrects the moves whose values are proven.
pub struct Informed<P: Position> {
    engine: Box<dyn Engine<P>>,
    table: ProofTable,
}

impl<P: Position> Informed<P> {
    /// This engine with this table.
    pub fn new(engine: Box<dyn Engine<P>>, table: ProofTable) -> Self {
        Informed { engine, table }
    }

    /// The best move, if the position is proven.
    fn known(&mut self, position: &P, limits: &Limits) -> Option<Thought<P::Move>> {
        let lead = self.table.lead(position)?;
        complete(&self.table, &mut *self.engine, position, lead, limits)
    }

    /// Corrects a line whose value is proven.
    fn correct(&self, position: &P, thought: &mut Thought<P::Move>) {
        let mut after = position.clone();
        after.play_unchecked(thought.best);
        let lead = self.table.lead(&after);
        let rest = lead.and_then(|lead| self.table.follow(&after, lead));
        let (false, Some((rest, _))) = (thought.proven, rest) else {
            return;
        };
        thought.scores = rest.scores;
        thought.line = [&[thought.best], &rest.line[..]].concat();
        thought.depth = thought.line.len() as u32;
        thought.proven = true;
    }
}

impl<P: Position> Engine<P> for Informed<P> {
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move> {
        let known = self.known(position, limits);
        known.unwrap_or_else(|| self.engine.think(position, limits))
    }

    fn is_forgetful(&self) -> bool {
        self.engine.is_forgetful()
    }

    fn rank(&mut self, position: &P, limits: &Limits, top: usize) -> Vec<Thought<P::Move>> {
        let top = top.max(1);
        let known = self.known(position, &limits.share(2, 0));
        if let (1, Some(known)) = (top, &known) {
            return vec![known.clone()];
        }
        let left = match &known {
            Some(known) => limits.share(1, known.nodes),
            None => limits.clone(),
        };
        let mut lines = self.engine.rank(position, &left, top);
        for line in &mut lines {
            self.correct(position, line);
        }
        if let Some(known) = known {
            put_first(known, &mut lines, top);
        }
        sort_lines(position, &mut lines);
        lines
    }
}

/// The best move of a position with a proven lead and the line of best moves: as far as the table
/// has them, and then as the engine proves them. `None` if the table does not know a best move.
pub(super) fn complete<P: Position>(
    table: &ProofTable,
    engine: &mut dyn Engine<P>,
    position: &P,
    lead: i64,
    limits: &Limits,
) -> Option<Thought<P::Move>> {
    let (mut known, end) = table.follow(position, lead)?;
    let me = position.turn()?;
    if end.turn().is_some() {
        let rest = engine.think(&end, limits);
        known.nodes = rest.nodes;
        // Another engine may have made the table.
        if rest.proven && rest.lead(me) == lead {
            known.scores = rest.scores;
            known.line.extend(rest.line);
            known.depth = known.line.len() as u32;
        }
    }
    Some(known)
}
