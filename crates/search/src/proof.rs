//! Proofs of positions that are too large for one search, kept between runs.
//!
//! The proof is a tree above an engine's searches. The engine *looks* at a position with a fixed number
//! of nodes. If it proves the position, that is a leaf. If not, all moves are followed, those first
//! that the engine likes after a short *glance*. The tree is searched by alpha-beta with windows of
//! nothing, each of which asks whether the value is at least so much (MTD(f)); the first question
//! is about the value that the engine expects. So the engine brings what it knows of its game, such
//! as regions that are settled, and the table has few positions, each worth many nodes.
//!
//! | file | content |
//! |---|---|
//! | `table` | what is proven, in memory and as text |
//! | `informed` | an engine that knows a table |

mod informed;
mod table;

use floe_rules::{Player, Position};

pub use informed::Informed;
pub use table::ProofTable;

use self::table::{Entry, logarithm};
use crate::evaluate::lead_now;
use crate::{Engine, Limits, Thought};

/// Default nodes of a look.
const LOOK: u64 = 16_000_000;
/// A glance has such a part of the nodes of a look.
const GLANCE_PART: u64 = 64;

/// What is known while a proof is under way.
#[derive(Debug, Clone, Copy)]
pub struct Proving<'a> {
    /// The lead of the player to move is proven to be this or more, ...
    pub lower: Option<i64>,
    /// ... and this or less.
    pub upper: Option<i64>,
    /// Nodes so far.
    pub nodes: u64,
    /// The table so far.
    pub table: &'a ProofTable,
}

/// Proves positions of one or two seats.
///
/// ```
/// use floe_rules::{Game, gamma::Gamma};
/// use floe_search::{GAMMA, Limits, ProofTable, Prover, Spec};
/// let position = Gamma::start(&"3x3,areas=1".parse()?, 1)?;
/// let engine = GAMMA.engine(&"floe".parse::<Spec>()?);
/// let mut prover = Prover::new(engine, ProofTable::with_bytes(1 << 20));
/// let proof = prover.prove(&position, &Limits::default(), &mut |_| {});
/// assert!(proof.is_some_and(|thought| thought.proven));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Prover<P: Position> {
    engine: Box<dyn Engine<P>>,
    table: ProofTable,
    look: u64,
    nodes: u64,
    limits: Limits,
}

/// A move of the tree and the position after it.
struct Child<P> {
    after: P,
    /// What the one who moves may hope for.
    promise: i64,
}

/// Called after every look.
type Watch<'a> = &'a mut dyn FnMut(&Proving<'_>);

impl<P: Position> Prover<P> {
    /// A prover that goes by this engine and begins with what this table has.
    pub fn new(engine: Box<dyn Engine<P>>, table: ProofTable) -> Self {
        Prover {
            engine,
            table,
            look: LOOK,
            nodes: 0,
            limits: Limits::default(),
        }
    }

    /// The same prover with other nodes for every look of the engine.
    #[must_use]
    pub fn with_look(mut self, nodes: u64) -> Self {
        self.look = nodes.max(1);
        self
    }

    /// What is proven so far.
    pub fn table(&self) -> &ProofTable {
        &self.table
    }

    /// The proven value, a best move and a line of best moves; `None` if the limits are reached
    /// first. Nothing that was proven before is lost then: the table has it, and the next call
    /// continues. Calls `watch` after each search of the engine.
    ///
    /// # Panics
    ///
    /// If the game is over or has more than two seats.
    pub fn prove(
        &mut self,
        position: &P,
        limits: &Limits,
        watch: Watch<'_>,
    ) -> Option<Thought<P::Move>> {
        let me = position.turn().expect("the game is over");
        assert!(position.players() <= 2, "too many seats");
        self.limits = limits.clone();
        self.nodes = 0;
        let (key, base) = (position.proof_key(), lead_now(position, me));
        let mut known = self.looked(position, key)?;
        let mut question = base + i64::from(known.likely());
        loop {
            self.report(known, base, watch);
            if let Some(gain) = known.gain() {
                return self.thought(position, base + gain);
            }
            let mut report = |prover: &Self| prover.report(known, base, watch);
            let found = self.search(position, question, &mut report)?;
            let gain = small(found - base);
            // Not enough: is it one less? Enough: is it one more?
            if found < question {
                known.upper = known.upper.min(gain);
                question = found;
            } else {
                known.lower = known.lower.max(gain);
                question = found + 1;
            }
            // The table may have given it up.
            self.table.put(key, known);
        }
    }

    fn report(&self, entry: Entry, base: i64, watch: Watch<'_>) {
        watch(&Proving {
            lower: (entry.lower != i32::MIN).then(|| base + i64::from(entry.lower)),
            upper: (entry.upper != i32::MAX).then(|| base + i64::from(entry.upper)),
            nodes: self.nodes,
            table: &self.table,
        });
    }

    /// Whether the final lead of the player to move is at least `question`: a proven bound on that
    /// side of it. `None` if the limits are reached.
    fn search(
        &mut self,
        position: &P,
        question: i64,
        report: &mut dyn FnMut(&Self),
    ) -> Option<i64> {
        let mover = position.turn()?;
        let (key, base) = (position.proof_key(), lead_now(position, mover));
        let begun = self.nodes;
        let known = self.looked(position, key)?;
        report(self);
        let (lower, upper) = (base + i64::from(known.lower), base + i64::from(known.upper));
        if lower >= question {
            return Some(lower);
        }
        if upper < question {
            return Some(upper);
        }
        let mut best = i64::MIN;
        for child in self.children(position, mover, question)? {
            best = best.max(self.below(&child.after, mover, question, report)?);
            if best >= question {
                break;
            }
        }
        let gain = small(best - base);
        let known = self.table.get(key).unwrap_or(known);
        let work = logarithm(self.nodes - begun).max(known.work);
        let entry = match best >= question {
            true => Entry {
                lower: gain.max(known.lower),
                work,
                ..known
            },
            false => Entry {
                upper: gain.min(known.upper),
                work,
                ..known
            },
        };
        self.table.put(key, entry);
        Some(best)
    }

    /// The same after a move of `mover`.
    fn below(
        &mut self,
        after: &P,
        mover: Player,
        question: i64,
        report: &mut dyn FnMut(&Self),
    ) -> Option<i64> {
        match after.turn() {
            None => Some(lead_now(after, mover)),
            Some(next) if next == mover => self.search(after, question, report),
            Some(_) => self.search(after, 1 - question, report).map(|lead| -lead),
        }
    }

    /// The moves, those first that promise most; the only one that matters if it is known to
    /// answer the question.
    fn children(&mut self, position: &P, mover: Player, question: i64) -> Option<Vec<Child<P>>> {
        let mut children = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let promise = i64::MIN;
            children.push(Child { after, promise });
        }
        let is_enough =
            |prover: &Self, after: &P| prover.table.at_least(after, mover) >= Some(question);
        for only in 0..children.len() {
            if is_enough(self, &children[only].after) {
                children.swap(0, only);
                children.truncate(1);
                return Some(children);
            }
        }
        for at in 0..children.len() {
            children[at].promise = self.promise(&children[at].after, mover)?;
            if is_enough(self, &children[at].after) {
                children.swap(0, at);
                children.truncate(1);
                return Some(children);
            }
        }
        children.sort_by_key(|child| -child.promise);
        Some(children)
    }

    /// The lead that `player` may hope for, after a glance if nothing is known.
    fn promise(&mut self, position: &P, player: Player) -> Option<i64> {
        let Some(mover) = position.turn() else {
            return Some(lead_now(position, player));
        };
        let key = position.proof_key();
        let entry = match self.table.get(key) {
            Some(entry) => entry,
            None => self.ask(position, key, self.look / GLANCE_PART)?,
        };
        let lead = lead_now(position, mover) + i64::from(entry.likely());
        Some(if mover == player { lead } else { -lead })
    }

    /// What is known of a position the engine has looked at.
    fn looked(&mut self, position: &P, key: u64) -> Option<Entry> {
        match self.table.get(key) {
            Some(entry) if entry.is_looked => Some(entry),
            _ => self.ask(position, key, self.look),
        }
    }

    /// Lets the engine search, and keeps what it finds.
    fn ask(&mut self, position: &P, key: u64, nodes: u64) -> Option<Entry> {
        let left = self
            .limits
            .nodes
            .map(|most| most.saturating_sub(self.nodes));
        if left == Some(0) || self.limits.is_over() {
            return None;
        }
        let nodes = left.map_or(nodes, |left| left.min(nodes)).max(1);
        // With a deadline an engine gives forced moves without a search.
        let thought = self.engine.think(
            position,
            &Limits {
                stop: self.limits.stop.clone(),
                ..Limits::nodes(nodes)
            },
        );
        self.nodes += thought.nodes.max(1);
        let mover = position.turn()?;
        let lead = thought.lead(mover);
        let found = small(lead - lead_now(position, mover));
        if !thought.proven {
            if self.limits.is_over() {
                return None;
            }
            let known = self.table.get(key).unwrap_or(Entry::OPEN);
            let entry = Entry {
                guess: found,
                is_looked: nodes >= self.look,
                work: logarithm(thought.nodes).max(known.work),
                ..known
            };
            self.table.put(key, entry);
            return Some(entry);
        }
        let entry = Entry::exact(found, thought.nodes);
        self.table.put(key, entry);
        // The best move leads to the same end.
        let mut after = position.clone();
        after.play_unchecked(thought.best);
        if let Some(next) = after.turn() {
            let lead = if next == mover { lead } else { -lead };
            let gain = small(lead - lead_now(&after, next));
            let entry = Entry::exact(gain, thought.nodes);
            self.table.put(after.proof_key(), entry);
        }
        Some(entry)
    }

    /// The proven position as an engine would put it.
    fn thought(&mut self, position: &P, lead: i64) -> Option<Thought<P::Move>> {
        let mover = position.turn()?;
        // A full table may have given up the best move, but not if it was proven last.
        if self.table.follow(position, lead).is_none() {
            for child in self.children(position, mover, lead)? {
                if self.below(&child.after, mover, lead, &mut |_| {})? >= lead {
                    break;
                }
            }
        }
        let (table, limits) = (&self.table, Limits::nodes(self.look));
        let thought = informed::complete(table, &mut *self.engine, position, lead, &limits)?;
        Some(Thought {
            nodes: self.nodes,
            ..thought
        })
    }
}

/// A number of points as a table has it.
fn small(points: i64) -> i32 {
    i32::try_from(points).expect("scores of games that can be proven are small")
}
