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

/// How many games may be evaluated for one asker at a time.
const SHARE: usize = 3;
/// How long an evaluation without readers lasts before it gives way to another.
const ABANDONED: Duration = Duration::from_secs(5);
/// How many games may be evaluated at a time for all at one address.
const OF_ADDRESS: usize = 16;
/// How many games may be evaluated at a time, for all.
const AT_ONCE: usize = 24;
/// How many positions are kept, of all games together.
const KEPT: usize = 40_000;
/// The most turns of a game that is evaluated.
const TURNS: usize = 4000;
/// How long an engine thinks about a game in all, and about each of its positions at most and at
/// least.
const GAME_TIME: Duration = Duration::from_secs(60);
const MOST_TIME: Duration = Duration::from_millis(120);
const LEAST_TIME: Duration = Duration::from_millis(15);
/// How many moves of a best line are kept.
const LINE: usize = 6;
/// How often an engine that is busy is asked again, and after how long.
const TRIES: usize = 300;
const PAUSE: Duration = Duration::from_millis(200);

/// Why a game is not evaluated.
#[derive(Debug, Error)]
pub(crate) enum EvaluationError {
    /// The client has too many evaluations already.
    #[error("{SHARE} games are being evaluated for you already; wait until one of them is done")]
    Share,
    /// The server has too many evaluations already.
    #[error("too many games are being evaluated; try again in a minute")]
    Busy,
    /// The game has more turns than an engine is asked about.
    #[error("this game has {0} turns; games of up to {TURNS} are evaluated")]
    TooLong(usize),
    /// The record cannot be played again.
    #[error("{0}")]
    Record(String),
}

/// All games that are or were evaluated. Clones are the same ones.
#[derive(Clone)]
pub(crate) struct Evaluations {
    thoughts: EnginePool,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    games: HashMap<GameHash, Entry>,
    /// How often games were asked for, which orders them by when that was last.
    count: u64,
}

struct Entry {
    evaluation: Evaluation,
    asker: Client,
    asked: u64,
    /// When that was.
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

/// A game that is evaluated, as far as that has come. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Evaluation(Arc<watch::Sender<Evaluated>>);

/// What is known about the positions of a game.
pub(crate) struct Evaluated {
    /// What they are worth, and what the moves lost by that.
    pub(crate) review: Review,
    /// The best line from each, as far as it is known.
    pub(crate) lines: Vec<Vec<String>>,
    /// How many positions were thought about, from the first on.
    pub(crate) done: usize,
    /// Whether it stopped early, because engines were busy or no reader was left.
    pub(crate) is_given_up: bool,
}

impl Evaluated {
    /// Whether nothing more will come.
    pub(crate) fn is_over(&self) -> bool {
        self.is_given_up || self.done == self.review.positions()
    }
}

impl Evaluation {
    /// What is known now.
    pub(crate) fn look<T>(&self, at: impl FnOnce(&Evaluated) -> T) -> T {
        at(&self.0.borrow())
    }

    /// Waits until more positions than these are done, or nothing more will come.
    pub(crate) async fn after(&self, done: usize) {
        let mut news = self.0.subscribe();
        // The evaluating task stores it, so that there is news until it is over.
        let _ = news
            .wait_for(|now| now.done > done || now.is_over())
            .await
            .map(|_| ());
    }
}

impl Evaluations {
    pub(crate) fn new(thoughts: EnginePool) -> Self {
        Evaluations {
            thoughts,
            kept: Arc::default(),
        }
    }

    /// The evaluation of this game, if a client has asked for it.
    pub(crate) fn find(&self, record: &Record) -> Option<Evaluation> {
        self.kept.lock().find(&hash(record))
    }

    /// The evaluation of this game: the one there is, or a new one in this asker's share. Must be
    /// called where tasks can be started.
    pub(crate) fn begin(
        &self,
        record: &Record,
        asker: &Client,
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
        kept.make_room(asker, game.0.turns().len() + 1)?;
        let evaluation = game.unknown();
        kept.count += 1;
        let entry = Entry {
            evaluation: evaluation.clone(),
            asker: asker.clone(),
            asked: kept.count,
            seen: Instant::now(),
        };
        kept.games.insert(hash, entry);
        drop(kept);
        let (all, asker, begun) = (self.clone(), asker.clone(), evaluation.clone());
        tokio::spawn(async move {
            game.evaluate(&all.thoughts, &asker, &begun).await;
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

    /// Forgets games for which engines had no time: the next request starts again.
    fn forget_given_up(&mut self) {
        (self.games).retain(|_, entry| !entry.evaluation.look(|now| now.is_given_up));
    }

    /// Makes room for a game of `positions` positions, or returns why there is none for this
    /// client.
    fn make_room(&mut self, asker: &Client, positions: usize) -> Result<(), EvaluationError> {
        let under_way = || self.games.values().filter(|entry| !entry.is_over());
        let own = || under_way().filter(|entry| entry.asker == *asker);
        let beside = || under_way().filter(|entry| entry.asker.address == asker.address);
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

/// A game, ready to be played again.
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

    /// An evaluation of it that knows nothing yet.
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

    /// Has an engine think about every position.
    async fn evaluate(self, thoughts: &EnginePool, asker: &Client, evaluation: &Evaluation) {
        let positions = self.0.turns().len() as u32 + 1;
        let usual = (GAME_TIME / positions).clamp(LEAST_TIME, MOST_TIME);
        let mut play = self.0.play_at(0);
        let mut turns = self.0.turns().iter();
        for turn in 0.. {
            let thought = match play.turn() {
                None => Ok(None),
                Some(_) => think(thoughts, asker, play.position(), usual).await,
            };
            evaluation.0.send_modify(|now| match thought {
                Ok(thought) => now.note(turn, thought),
                Err(_) => now.is_given_up = true,
            });
            let Some(turn) = turns.next() else { break };
            // The record was played again before.
            if evaluation.look(Evaluated::is_over) || play.repeat(&turn.event).is_err() {
                break;
            }
        }
    }
}

impl Evaluated {
    /// Takes in what an engine thinks of the next position, if it does.
    fn note(&mut self, turn: usize, thought: Option<Thought<String>>) {
        self.done = turn + 1;
        let Some(mut thought) = thought else { return };
        thought.line.truncate(LINE);
        // An engine that did not look further has the move alone.
        if thought.line.first() != Some(&thought.best) {
            thought.line = vec![thought.best.clone()];
        }
        if let Some(line) = self.lines.get_mut(turn) {
            *line = std::mem::take(&mut thought.line);
        }
        self.review.note(turn, thought);
    }
}

/// What an engine thinks of a position, as soon as one has time; nothing where it has no answer.
async fn think(
    thoughts: &EnginePool,
    asker: &Client,
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
        match thoughts.ask(asker, question).await {
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
