//! Engines that think for pages, in threads of their own.
//!
//! Each client has a queue. Addresses take turns, and so do the clients of each address: a client
//! that asks for much delays only itself, and a client under many names only its own address.
//! Queues are short; questions beyond that are refused, not forgotten.

use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use floe_games::AnyPosition;
use floe_search::{Spec, Thought};
use parking_lot::{Condvar, Mutex};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::client::Client;
use crate::round_robin::RoundRobin;
use crate::token::TokenHash;

/// Most waiting questions of one client.
const OF_CLIENT: usize = 8;
/// Most waiting questions of one address: a lecture hall may share one.
const OF_ADDRESS: usize = 1024;
/// Most waiting questions in all.
const OF_ALL: usize = 4096;

/// A question to an engine.
#[derive(Debug)]
pub(crate) struct EngineJob {
    pub(crate) position: Box<dyn AnyPosition>,
    pub(crate) spec: Spec,
    /// Thinking time, if the spec sets no limit.
    pub(crate) usual: Duration,
    /// Number of moves to rank.
    pub(crate) top: usize,
}

/// The reason why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum ThoughtError {
    /// Too many questions wait already.
    #[error("too many questions are waiting for an engine; try again in a moment")]
    Busy,
    /// The game is over, or the engine failed.
    #[error("the engine has no answer")]
    NoAnswer,
}

type Answer = Result<Vec<Thought<String>>, ThoughtError>;

/// The threads and their questions. Clones share them; the threads end with the last clone.
#[derive(Clone)]
pub(crate) struct EnginePool(Arc<Pool>);

struct Pool {
    lines: Arc<Lines>,
}

#[derive(Default)]
struct Lines {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    addresses: RoundRobin<Option<IpAddr>, Address>,
    count: usize,
    is_over: bool,
}

/// The clients of one address.
#[derive(Default)]
struct Address {
    lines: RoundRobin<Option<TokenHash>, VecDeque<Job>>,
    count: usize,
}

struct Job {
    question: EngineJob,
    stop: Arc<AtomicBool>,
    answer: oneshot::Sender<Answer>,
}

/// Stops the thinking when its client disconnects.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl EnginePool {
    /// A pool of this many threads.
    pub(crate) fn new(threads: usize) -> io::Result<Self> {
        let lines = Arc::new(Lines::default());
        for _ in 0..threads.max(1) {
            let lines = Arc::clone(&lines);
            thread::Builder::new()
                .name("thoughts".to_owned())
                .spawn(move || work(&lines))?;
        }
        Ok(EnginePool(Arc::new(Pool { lines })))
    }

    /// An engine's best moves in a position, best first.
    pub(crate) async fn ask(&self, client: &Client, question: EngineJob) -> Answer {
        let (answer, answered) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let _stops = StopOnDrop(Arc::clone(&stop));
        self.0.lines.add(
            client,
            Job {
                question,
                stop,
                answer,
            },
        )?;
        answered.await.unwrap_or(Err(ThoughtError::NoAnswer))
    }

    /// Number of waiting questions.
    pub(crate) fn waiting(&self) -> usize {
        self.0.lines.waiting.lock().count
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.lines.waiting.lock().is_over = true;
        self.lines.changed.notify_all();
    }
}

impl Lines {
    fn add(&self, client: &Client, job: Job) -> Result<(), ThoughtError> {
        self.waiting.lock().add(client, job)?;
        self.changed.notify_one();
        Ok(())
    }

    /// The next question, once there is one; `None` after the end.
    fn next(&self) -> Option<Job> {
        let mut waiting = self.waiting.lock();
        loop {
            if waiting.is_over {
                return None;
            }
            if let Some(job) = waiting.pop() {
                return Some(job);
            }
            self.changed.wait(&mut waiting);
        }
    }
}

impl Waiting {
    fn add(&mut self, client: &Client, job: Job) -> Result<(), ThoughtError> {
        let (of_client, of_address) = self.waiting(client);
        if of_client >= OF_CLIENT || of_address >= OF_ADDRESS || self.count >= OF_ALL {
            return Err(ThoughtError::Busy);
        }
        let address = self.addresses.of(&client.address);
        address.lines.of(&client.who).push_back(job);
        address.count += 1;
        self.count += 1;
        Ok(())
    }

    /// Number of waiting questions of this client, and of their address. Abandoned questions are
    /// removed first.
    fn waiting(&mut self, client: &Client) -> (usize, usize) {
        let Some(address) = self.addresses.find(&client.address) else {
            return (0, 0);
        };
        let Some(line) = address.lines.find(&client.who) else {
            return (0, address.count);
        };
        let before = line.len();
        line.retain(|job| !job.answer.is_closed());
        let gone = before - line.len();
        address.count -= gone;
        self.count -= gone;
        (line.len(), address.count)
    }

    /// The next question whose client is still connected.
    fn pop(&mut self) -> Option<Job> {
        loop {
            let job = self.addresses.next(Address::pop)?;
            self.count -= 1;
            if !job.answer.is_closed() {
                return Some(job);
            }
        }
    }
}

impl Address {
    fn pop(&mut self) -> Option<Job> {
        let job = self.lines.next(VecDeque::pop_front)?;
        self.count -= 1;
        Some(job)
    }
}

fn work(lines: &Lines) {
    while let Some(job) = lines.next() {
        let Job {
            question,
            stop,
            answer,
        } = job;
        let thought = catch_unwind(AssertUnwindSafe(|| think(&question, stop)));
        // A client that has disconnected needs no answer.
        let _ = answer.send(thought.unwrap_or(Err(ThoughtError::NoAnswer)));
    }
}

fn think(question: &EngineJob, stop: Arc<AtomicBool>) -> Answer {
    let position = &*question.position;
    let mut engine = position.game().engine(&question.spec);
    let mut limits = question.spec.limits(question.usual);
    limits.stop = Some(stop);
    let thoughts = match question.top {
        0 | 1 => engine.think(position, &limits).map(|thought| vec![thought]),
        top => engine.rank(position, &limits, top),
    };
    thoughts.map_err(|_| ThoughtError::NoAnswer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Token;

    fn question(time: Duration) -> EngineJob {
        let game = floe_games::games()[0];
        EngineJob {
            position: game.start(&game.default_setup(), 1).unwrap(),
            spec: "floe".parse().unwrap(),
            usual: time,
            top: 1,
        }
    }

    fn client() -> Client {
        client_at("192.0.2.1")
    }

    fn client_at(address: &str) -> Client {
        Client {
            address: Some(address.parse().unwrap()),
            who: Some(Token::fresh().unwrap().hash()),
        }
    }

    fn job(time: Duration) -> (Job, oneshot::Receiver<Answer>) {
        let (answer, answered) = oneshot::channel();
        let job = Job {
            question: question(time),
            stop: Arc::default(),
            answer,
        };
        (job, answered)
    }

    #[test]
    fn clients_take_turns_and_a_long_line_is_refused() {
        let lines = Lines::default();
        let (greedy, modest) = (client(), client());
        let mut answers = Vec::new();
        for second in 0..OF_CLIENT as u64 {
            let (job, answered) = job(Duration::from_secs(second));
            lines.add(&greedy, job).unwrap();
            answers.push(answered);
        }
        let (one_more, _answered) = job(Duration::ZERO);
        assert_eq!(lines.add(&greedy, one_more), Err(ThoughtError::Busy));
        let (job, answered) = job(Duration::from_secs(99));
        lines.add(&modest, job).unwrap();
        answers.push(answered);
        let order: Vec<u64> = std::iter::from_fn(|| lines.waiting.lock().pop())
            .map(|job| job.question.usual.as_secs())
            .collect();
        assert_eq!(order[..3], [0, 99, 1]);
        assert_eq!(order.len(), OF_CLIENT + 1);
        assert_eq!(lines.waiting.lock().count, 0);
    }

    #[test]
    fn many_names_at_one_address_hold_up_nobody_elsewhere() {
        let lines = Lines::default();
        let mut answers = Vec::new();
        for second in 0..OF_ADDRESS as u64 {
            let (job, answered) = job(Duration::from_secs(second));
            lines.add(&client(), job).unwrap();
            answers.push(answered);
        }
        let (one_more, _answered) = job(Duration::ZERO);
        assert_eq!(lines.add(&client(), one_more), Err(ThoughtError::Busy));
        let (job, answered) = job(Duration::from_secs(9999));
        lines.add(&client_at("192.0.2.2"), job).unwrap();
        answers.push(answered);
        let next = || lines.waiting.lock().pop().unwrap().question.usual.as_secs();
        assert_eq!([next(), next(), next()], [0, 9999, 1]);
        // The other clients are gone.
        answers.clear();
        assert!(lines.waiting.lock().pop().is_none());
        assert_eq!(lines.waiting.lock().count, 0);
    }

    #[tokio::test]
    async fn an_engine_answers_and_one_nobody_waits_for_stops() {
        let engines = EnginePool::new(1).unwrap();
        let who = client();
        // No client could wait for this one, and none does.
        let long = engines.ask(&who, question(Duration::from_secs(3600)));
        let dropped = tokio::time::timeout(Duration::from_millis(1), long).await;
        assert!(dropped.is_err());
        let answer = engines.ask(&who, question(Duration::from_millis(1))).await;
        assert_eq!(answer.unwrap().len(), 1);
    }
}
