//! Evaluations of recorded games, each made once for all visitors.
//!
//! A game is evaluated on the share of the client that asks first; later clients join. Results are
//! stored until newer ones need the room.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use floe_games::record::{Event, Record};
use floe_games::review::{Review, ReviewedTurn};
use floe_games::{AnyPosition, GameHistory, LeadScale};
use floe_search::Thought;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio::sync::watch;
use tokio::time::sleep;

use crate::client::Client;
use crate::engine_pool::{EngineJob, EnginePool, ThoughtError};

/// Most games evaluated for one client at a time.
const SHARE: usize = 3;
/// Time after which an evaluation without readers gives way to another.
const ABANDONED: Duration = Duration::from_secs(5);
/// Most games evaluated for one address at a time.
const OF_ADDRESS: usize = 16;
/// Most games evaluated at the same time, for all clients.
const AT_ONCE: usize = 24;
/// Most stored positions, of all games together.
const KEPT: usize = 40_000;
/// Most turns of an evaluated game.
const TURNS: usize = 4000;
/// Time limit of an engine for a whole game, and the most and least time per position.
const GAME_TIME: Duration = Duration::from_secs(60);
const MOST_TIME: Duration = Duration::from_millis(120);
const LEAST_TIME: Duration = Duration::from_millis(15);
/// Most stored moves of a best line.
const LINE: usize = 6;
/// Number of retries if the engines are busy, and the pause between them.
const TRIES: usize = 300;
const PAUSE: Duration = Duration::from_millis(200);

/// The reason why a game is not evaluated.
#[derive(Debug, Error)]
pub(crate) enum EvaluationError {
    /// The client has too many evaluations already.
    #[error("{SHARE} games are being evaluated for you already; wait until one of them is done")]
    Share,
    /// The server has too many evaluations already.
    #[error("too many games are being evaluated; try again in a minute")]
    Busy,
    /// The game has more turns than the limit.
    #[error("this game has {0} turns; games of up to {TURNS} are evaluated")]
    TooLong(usize),
    /// The record cannot be replayed.
    #[error("{0}")]
    Record(String),
}

/// All evaluations, running and finished. Clones share them.
#[derive(Clone)]
pub(crate) struct Evaluations {
    engines: EnginePool,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    games: HashMap<GameHash, Entry>,
    /// A counter that orders the games by their last request.
    count: u64,
}

struct Entry {
    evaluation: Evaluation,
    client: Client,
    asked: u64,
    /// When the game was last requested.
    seen: Instant,
}

impl Entry {
    fn is_over(&self) -> bool {
        self.evaluation.look(Evaluated::is_over)
    }

    fn positions(&self) -> usize {
        self.evaluation.look(|now| now.review.positions())
    }

    fn is_abandoned(&self) -> bool {
        self.evaluation.0.receiver_count() == 0 && self.seen.elapsed() > ABANDONED
    }
}

/// Identifies a game: its start and its turns.
type GameHash = [u8; 32];

/// An evaluation in progress. Clones share it.
#[derive(Clone)]
pub(crate) struct Evaluation(Arc<watch::Sender<Evaluated>>);

/// The evaluation of a game so far.
pub(crate) struct Evaluated {
    /// The positions' values, and the moves' losses.
    pub(crate) review: Review,
    /// The best line from each position, as far as known.
    pub(crate) lines: Vec<Vec<String>>,
    /// Number of evaluated positions, from the first on.
    pub(crate) done: usize,
    /// Whether it stopped early, because engines were busy or no reader was left.
    pub(crate) is_given_up: bool,
}

impl Evaluated {
    /// Whether the evaluation is complete or has stopped.
    pub(crate) fn is_over(&self) -> bool {
        self.is_given_up || self.done == self.review.positions()
    }
}

impl Evaluation {
    /// Passes the current state to `at`.
    pub(crate) fn look<T>(&self, at: impl FnOnce(&Evaluated) -> T) -> T {
        at(&self.0.borrow())
    }

    /// Waits until more positions than these are done, or the evaluation is over.
    pub(crate) async fn after(&self, done: usize) {
        let mut news = self.0.subscribe();
        // The evaluating task holds this, so readers can wait until it ends.
        let _ = news
            .wait_for(|now| now.done > done || now.is_over())
            .await
            .map(|_| ());
    }
}

impl Evaluations {
    pub(crate) fn new(engines: EnginePool) -> Self {
        Evaluations {
            engines,
            kept: Arc::default(),
        }
    }

    /// The evaluation of this game, if a client has requested it.
    pub(crate) fn find(&self, record: &Record) -> Option<Evaluation> {
        self.kept.lock().find(&hash(record))
    }

    /// The evaluation of this game: the existing one, or a new one charged to this client. Must be
    /// called where tasks can be started.
    pub(crate) fn begin(
        &self,
        record: &Record,
        client: &Client,
    ) -> Result<Evaluation, EvaluationError> {
        let hash = hash(record);
        if let Some(evaluation) = self.kept.lock().find(&hash) {
            return Ok(evaluation);
        }
        let game = GameToEvaluate::of(record)?;
        let mut kept = self.kept.lock();
        // Another request may have been faster.
        if let Some(evaluation) = kept.find(&hash) {
            return Ok(evaluation);
        }
        kept.make_room(client, game.0.turns().len() + 1)?;
        let evaluation = game.unknown();
        kept.count += 1;
        let entry = Entry {
            evaluation: evaluation.clone(),
            client: client.clone(),
            asked: kept.count,
            seen: Instant::now(),
        };
        kept.games.insert(hash, entry);
        drop(kept);
        let (all, client, begun) = (self.clone(), client.clone(), evaluation.clone());
        tokio::spawn(async move {
            game.evaluate(&all.engines, &client, &begun).await;
            all.kept.lock().forget_given_up();
        });
        Ok(evaluation)
    }
}

impl Kept {
    fn find(&mut self, hash: &GameHash) -> Option<Evaluation> {
        let entry = self.games.get_mut(hash)?;
        self.count += 1;
        entry.asked = self.count;
        entry.seen = Instant::now();
        Some(entry.evaluation.clone())
    }

    /// Removes games for which engines had no time, so that the next request starts again.
    fn forget_given_up(&mut self) {
        (self.games).retain(|_, entry| !entry.evaluation.look(|now| now.is_given_up));
    }

    /// Makes space for a game of `positions` positions, or returns why there is none for this
    /// client.
    fn make_room(&mut self, client: &Client, positions: usize) -> Result<(), EvaluationError> {
        let under_way = || self.games.values().filter(|entry| !entry.is_over());
        let own = || under_way().filter(|entry| entry.client == *client);
        let beside = || under_way().filter(|entry| entry.client.address == client.address);
        if own().count() >= SHARE {
            give_way(own()).ok_or(EvaluationError::Share)?;
        } else if beside().count() >= OF_ADDRESS {
            give_way(beside()).ok_or(EvaluationError::Busy)?;
        } else if under_way().count() >= AT_ONCE {
            give_way(under_way()).ok_or(EvaluationError::Busy)?;
        }
        self.forget_given_up();
        let mut all: usize = self.games.values().map(Entry::positions).sum();
        let mut old: Vec<(u64, GameHash, usize)> = (self.games.iter())
            .filter(|(_, entry)| entry.is_over())
            .map(|(hash, entry)| (entry.asked, *hash, entry.positions()))
            .collect();
        old.sort_unstable();
        for (_, hash, size) in old {
            if all + positions <= KEPT {
                break;
            }
            self.games.remove(&hash);
            all -= size;
        }
        Ok(())
    }
}

/// Stops the evaluation that has been without a reader for longest, if there is one.
fn give_way<'a>(entries: impl Iterator<Item = &'a Entry>) -> Option<()> {
    let abandoned = entries.filter(|entry| entry.is_abandoned());
    let oldest = abandoned.min_by_key(|entry| entry.asked)?;
    (oldest.evaluation.0).send_modify(|now| now.is_given_up = true);
    Some(())
}

/// A game, ready to be replayed.
struct GameToEvaluate(GameHistory);

impl GameToEvaluate {
    fn of(record: &Record) -> Result<Self, EvaluationError> {
        let count = record.events.len();
        if count > TURNS {
            return Err(EvaluationError::TooLong(count));
        }
        let wrong = |cause: &dyn std::fmt::Display| EvaluationError::Record(cause.to_string());
        let history = record.history().map_err(|error| wrong(&error))?;
        Ok(GameToEvaluate(history))
    }

    /// An evaluation without results yet.
    fn unknown(&self) -> Evaluation {
        let play = self.0.play();
        let end = play.turn().is_none().then(|| play.scores());
        let turns = self.0.turns().iter().map(ReviewedTurn::from);
        let review = Review::new(turns.collect(), LeadScale::of(self.0.start()), end);
        Evaluation(Arc::new(watch::Sender::new(Evaluated {
            lines: vec![Vec::new(); review.positions()],
            review,
            done: 0,
            is_given_up: false,
        })))
    }

    /// Evaluates every position.
    async fn evaluate(self, engines: &EnginePool, client: &Client, evaluation: &Evaluation) {
        let positions = self.0.turns().len() as u32 + 1;
        let usual = (GAME_TIME / positions).clamp(LEAST_TIME, MOST_TIME);
        let mut play = self.0.play_at(0);
        let mut turns = self.0.turns().iter();
        for turn in 0.. {
            let thought = match play.turn() {
                None => Ok(None),
                Some(_) => think(engines, client, play.position(), usual).await,
            };
            evaluation.0.send_modify(|now| match thought {
                Ok(thought) => now.note(turn, thought),
                Err(_) => now.is_given_up = true,
            });
            let Some(turn) = turns.next() else { break };
            // The record was replayed before.
            if evaluation.look(Evaluated::is_over) || play.repeat(&turn.event).is_err() {
                break;
            }
        }
    }
}

impl Evaluated {
    /// Stores an engine's opinion of the next position, if there is one.
    fn note(&mut self, turn: usize, thought: Option<Thought<String>>) {
        self.done = turn + 1;
        let Some(mut thought) = thought else { return };
        thought.line.truncate(LINE);
        // An engine that did not look further has only the move.
        if thought.line.first() != Some(&thought.best) {
            thought.line = vec![thought.best.clone()];
        }
        if let Some(line) = self.lines.get_mut(turn) {
            *line = std::mem::take(&mut thought.line);
        }
        self.review.note(turn, thought);
    }
}

/// An engine's best moves in a position, once an engine is free; `None` if there is no answer.
async fn think(
    engines: &EnginePool,
    client: &Client,
    position: &dyn AnyPosition,
    usual: Duration,
) -> Result<Option<Thought<String>>, ThoughtError> {
    for _ in 0..TRIES {
        let question = EngineJob {
            position: position.clone_position(),
            spec: floe_search::Kind::Floe.into(),
            usual,
            top: 1,
        };
        match engines.ask(client, question).await {
            Ok(thoughts) => return Ok(thoughts.into_iter().next()),
            Err(ThoughtError::NoAnswer) => return Ok(None),
            Err(ThoughtError::Busy) => sleep(PAUSE).await,
        }
    }
    Err(ThoughtError::Busy)
}

fn hash(record: &Record) -> GameHash {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(&record.opening.game);
    add(&record.opening.start);
    for event in &record.events {
        match event {
            Event::Move(made) => add(&format!("move {} {}", made.seat, made.mv)),
            Event::Fault(fault) => add(&format!("fault {}", fault.seat)),
            Event::Back(back) => add(&format!("back {}", back.moves)),
        }
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests;
