//! Gamma: which player gets to which field first.
//!
//! The limit of areas is a budget for footholds: a player with areas to spare can land anywhere,
//! one without can only grow. So the engine looks at a position by growing all players' areas over
//! the free fields at once. Small networks learned from self-play say what that is worth among up to
//! four on boards up to 20x20, and an evaluation made by hand elsewhere. Moves are searched on bit boards: with
//! alpha-beta for two players, with the best-first tree that Penguins has too for more. (For more than
//! two, alpha-beta against all opponents together lost to best first and gained nothing from ten times
//! the time; for two it was the other way round: see the table of strength.)
//!
//! | file | idea |
//! |---|---|
//! | `bits` | sets of fields and how they grow |
//! | `state` | the board of the search: moves made and undone, areas counted |
//! | `territory` | the hand-made evaluation, and the order of moves |
//! | `features`, `learned` | the learned evaluation |
//! | `settled` | endings that need no search |
//! | `tree` | alpha-beta, for two |
//! | `many` | what the best-first tree asks, for more; with few free fields left, plain max^n is tried first |
//! | `large_board` | boards and numbers of seats too large for bit boards |

mod bits;
mod features;
mod large_board;
mod learned;
mod many;
mod settled;
mod state;
mod territory;
mod tree;

use std::sync::Arc;

use floe_rules::Position;
use floe_rules::gamma::{GammaPosition, Move};

use self::features::Lens;
use self::many::{Many, STYLE};
use self::settled::settle;
use self::state::{SearchState, Step};
use self::territory::{PARTS, Surveyor};
use self::tree::Tree;
use crate::best_first::{BestFirst, Expected};
use crate::engine::{put_first, sort_lines};
use crate::network::{FEATURES, Network, chosen};
use crate::threads::{beside, helpers};
use crate::{Budget, EVERY_SIZE, Engine, Limits, MaxN, Thought, TranspositionTable};

/// Memory limit of the transposition table.
const TABLE_BYTES: usize = 32 << 20;
/// Words of the largest boards that the learned evaluation has seen, of 20 by 20 fields.
const LARGEST_LEARNED: usize = 8;
/// The most seats it has seen.
const MOST_LEARNED_SEATS: usize = 4;
/// With so few free fields, a game of more than two is looked through to all its ends first.
const FEW: u32 = 8;
/// Node limit of that search, ...
const FEW_NODES: u64 = 400_000;
/// ... and such a part of what the limits allow.
const FEW_PART: u32 = 3;
/// With more seats than this no search looks far enough ahead to be worth its time.
const MOST_SEATS: u32 = 16;

/// Floe's Gamma player.
///
/// ```
/// use floe_rules::{Position, gamma};
/// use floe_search::{Engine, Limits};
/// let board = gamma::Board::new(3, 3, 2, 1)?;
/// let position = gamma::GammaPosition::new(board);
/// let thought = floe_search::gamma::GammaEngine::seeded(1).think(&position, &Limits::nodes(1000));
/// assert!(position.check(thought.best).is_ok());
/// # Ok::<(), gamma::NewError>(())
/// ```
#[derive(Debug)]
pub struct GammaEngine {
    seed: u64,
    table: TranspositionTable,
    /// For the ends of games among more than two.
    ends: MaxN<GammaPosition>,
    /// The learned evaluation; the hand-made one without it.
    network: Option<Arc<Network>>,
}

/// A seat, a phase, counts and a value.
type View = (usize, usize, [i16; FEATURES], i32);

impl GammaEngine {
    /// A player with dice of this seed. Only boards and tables too large for bit boards need
    /// dice; elsewhere all seeds play alike.
    pub fn seeded(seed: u64) -> Self {
        GammaEngine {
            seed,
            table: TranspositionTable::with_bytes(TABLE_BYTES),
            ends: MaxN::new(),
            network: Some(learned::own()),
        }
    }

    /// The same engine with other weights of the learned evaluation, as `training/train.py` writes
    /// them, or with the hand-made evaluation for `None`. `None` if the bytes are not weights.
    #[must_use]
    pub fn with_weights(self, weights: Option<&[u8]>) -> Option<Self> {
        let network = chosen(weights, learned::read)?;
        Some(GammaEngine { network, ..self })
    }

    /// What the learned evaluation looks at, for each view that it takes: the seat, the phase, the
    /// counts, and by how many hundredths of a point the evaluation expects that player to gain.
    /// Between two seats there is one view, that of the player to move, and the gain is on the
    /// opponent; else every seat has its own. `None` where there is nothing to learn.
    pub fn features(&self, position: &GammaPosition) -> Option<Vec<View>> {
        let (width, height) = (position.board().width(), position.board().height());
        if SearchState::<2>::fits(width, height) {
            self.features_of::<2>(position)
        } else if SearchState::<8>::fits(width, height) {
            self.features_of::<8>(position)
        } else {
            None
        }
    }

    fn features_of<const W: usize>(&self, position: &GammaPosition) -> Option<Vec<View>> {
        let state = SearchState::<W>::new(position);
        let (players, fields) = (state.sides.len(), state.full.count() as i32);
        let turn = state.turn?;
        let mut scores = vec![0; players];
        if settle(&state, &mut scores) {
            return None;
        }
        let mut lens = Lens::new(players, fields);
        lens.look(&state);
        let mut surveyor = Surveyor::new(players, fields);
        surveyor.expect(&state);
        let network = self.network.as_deref();
        let view = |player: usize| {
            let (phase, features) = lens.features(&state, player);
            let gain = |p: usize| surveyor.expected[p] - PARTS * state.sides[p].busy as i32;
            let hand_made = match players {
                2 => gain(player) - gain(1 - player),
                _ => gain(player),
            };
            let learned = network.map(|network| network.value(phase, &features));
            (
                player,
                phase,
                features,
                learned.unwrap_or(100 * hand_made / PARTS),
            )
        };
        Some(match players {
            2 => vec![view(turn)],
            _ => (0..players).map(view).collect(),
        })
    }

    /// The learned evaluation, where it has learned from such positions.
    fn network_for<const W: usize>(&self, state: &SearchState<W>) -> Option<&Network> {
        let is_learned = W <= LARGEST_LEARNED
            && state.sides.len() <= MOST_LEARNED_SEATS
            && state.sides.iter().all(|side| !side.out);
        self.network.as_deref().filter(|_| is_learned)
    }

    fn search<const W: usize>(
        &mut self,
        position: &GammaPosition,
        limits: &Limits,
        top: Option<usize>,
    ) -> Vec<Thought<Move>> {
        let is_hurried = top.is_none() && limits.deadline.is_some();
        let top = top.unwrap_or(1).max(1);
        let helpers = helpers(limits);
        let state = SearchState::<W>::new(position);
        if position.players() > 2 {
            let mut limits = limits.clone();
            let mut proven = None;
            if state.free.count() <= FEW {
                let thought = self.ends.think(position, &part(&limits));
                limits.nodes = limits.nodes.map(|nodes| nodes - thought.nodes);
                proven = thought.proven.then_some(thought);
            }
            if top == 1
                && let Some(thought) = proven
            {
                return vec![thought];
            }
            let network = self.network_for(&state);
            let mut lines = among_many(state, network, &limits, top, is_hurried);
            if let Some(thought) = proven {
                put_first(thought, &mut lines, top);
            }
            sort_lines(position, &mut lines);
            return lines;
        }
        let limits = &limits.for_thread();
        let mut budget = Budget::new(limits);
        self.table.forget();
        let table = &self.table;
        let start = &state.clone();
        let network = self.network_for(&state);
        let mut tree = Tree::new(state, network, table, &mut budget);
        let help = |(): &mut (), limits: &Limits, pace| {
            Tree::new(start.clone(), network, table, &mut Budget::new(limits)).help(pace)
        };
        let decide = || tree.think(limits, top, is_hurried);
        let (found, helped) = beside(&mut vec![(); helpers], limits, help, decide);
        let lines: Vec<_> = found.iter().map(|found| tree.line(found)).collect();
        let scores: Vec<_> = (found.iter().zip(&lines))
            .map(|(found, line)| tree.scores_after(line, found))
            .collect();
        let told = |line: &Vec<Step>| line.iter().map(|&step| tree.to_move(step)).collect();
        let told: Vec<Vec<Move>> = lines.iter().map(told).collect();
        let nodes = budget.nodes() + helped;
        let thoughts = found.iter().zip(scores).zip(told);
        let thoughts = thoughts.map(|((found, scores), line)| Thought {
            best: line[0],
            scores,
            depth: found.depth,
            nodes,
            line,
            proven: found.proven,
        });
        thoughts.collect()
    }

    /// The `top` best moves; `None` asks for one, and for nothing else about the position.
    fn ask(
        &mut self,
        position: &GammaPosition,
        limits: &Limits,
        top: Option<usize>,
    ) -> Vec<Thought<Move>> {
        assert!(position.turn().is_some(), "the game is over");
        let (width, height) = (position.board().width(), position.board().height());
        if position.players() == 1 || position.players() > MOST_SEATS {
            large_board::think(position, limits, self.seed, top.unwrap_or(1))
        } else if EVERY_SIZE && SearchState::<1>::fits(width, height) {
            self.search::<1>(position, limits, top)
        } else if SearchState::<2>::fits(width, height) {
            self.search::<2>(position, limits, top)
        } else if EVERY_SIZE && SearchState::<4>::fits(width, height) {
            self.search::<4>(position, limits, top)
        } else if SearchState::<8>::fits(width, height) {
            self.search::<8>(position, limits, top)
        } else if EVERY_SIZE && SearchState::<16>::fits(width, height) {
            self.search::<16>(position, limits, top)
        } else if EVERY_SIZE && SearchState::<40>::fits(width, height) {
            self.search::<40>(position, limits, top)
        } else if SearchState::<64>::fits(width, height) {
            self.search::<64>(position, limits, top)
        } else {
            large_board::think(position, limits, self.seed, top.unwrap_or(1))
        }
    }
}

/// The part of the limits that goes into looking at everything.
fn part(limits: &Limits) -> Limits {
    let nodes = limits.nodes.map(|nodes| nodes / u64::from(FEW_PART));
    Limits {
        nodes: Some(nodes.map_or(FEW_NODES, |nodes| nodes.min(FEW_NODES))),
        deadline: (limits.deadline).map(|deadline| deadline.share(FEW_PART)),
        ..limits.clone()
    }
}

/// Thinks with all seats playing for themselves.
fn among_many<const W: usize>(
    state: SearchState<W>,
    network: Option<&Network>,
    limits: &Limits,
    top: usize,
    is_hurried: bool,
) -> Vec<Thought<Move>> {
    let mut many = Many::new(state, network);
    if let Some(scores) = many.settled() {
        return any_moves(&many.state, &scores, top);
    }
    let mut budget = Budget::new(limits);
    let mut tree = BestFirst::new(&mut many, &mut budget, STYLE);
    tree.grow(limits, is_hurried);
    let expected = tree.best(top);
    let nodes = budget.nodes();
    let thought = |expected: &Expected| {
        let step = |&code: &u32| many.state.to_move(Many::<W>::step(code));
        let line: Vec<Move> = expected.line.iter().map(step).collect();
        let points = |&score: &i32| i64::from((score + PARTS / 2).div_euclid(PARTS).max(0));
        Thought {
            best: line[0],
            scores: expected.scores.iter().map(points).collect(),
            depth: line.len() as u32,
            nodes,
            line,
            proven: false,
        }
    };
    expected.iter().map(thought).collect()
}

/// The first `top` moves where the final scores are settled, so that none is better than another.
fn any_moves<const W: usize>(
    state: &SearchState<W>,
    scores: &[i32],
    top: usize,
) -> Vec<Thought<Move>> {
    let mover = state.turn.expect("the game is not over");
    let scores: Vec<i64> = scores.iter().map(|&score| score.into()).collect();
    let fields = state.takes(mover).fields().take(top.max(1));
    let thoughts = fields.map(|field| {
        let best = state.to_move(Step::take(field));
        Thought {
            best,
            scores: scores.clone(),
            depth: 1,
            nodes: 0,
            line: vec![best],
            proven: true,
        }
    });
    thoughts.collect()
}

impl Engine<GammaPosition> for GammaEngine {
    /// A move without alternative is given at once if there is a deadline.
    fn think(&mut self, position: &GammaPosition, limits: &Limits) -> Thought<Move> {
        self.ask(position, limits, None).swap_remove(0)
    }

    /// With two seats, the search for the best move comes first, and the others follow from the same
    /// table. With more, one tree has them all, and follows those further that promise more.
    fn rank(
        &mut self,
        position: &GammaPosition,
        limits: &Limits,
        top: usize,
    ) -> Vec<Thought<Move>> {
        self.ask(position, limits, Some(top))
    }
}
