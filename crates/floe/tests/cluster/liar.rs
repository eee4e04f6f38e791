//! A worker that is slow, lies, or mixes things up.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use floe_arena::job::Job;
use floe_arena::seat::{Sandbox, Seat};
use floe_arena::speed::Speeds;
use floe_cluster::link::{Address, Link};
use floe_cluster::wire::{
    self, Announcement, Batch, GameOutcome, GameResult, HeldBatch, PROTOCOL, UnitResult, job_hash,
    level_consumer, result_subject, units, worker_subject,
};
use floe_games::record::{Machine, Record};
use futures_util::StreamExt as _;

use crate::house::{Server, wait_until};

/// What is wrong with a worker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Vice {
    /// It says that it plays, and never ends.
    Slow,
    /// It hands back whatever it takes.
    HandsBack,
    /// It turns the scores round.
    Lies,
    /// It sends the record of another game.
    Mixes,
    /// Its engines do not play as others, it says so, and takes what it is not to take.
    IsAStranger,
    /// It says that somebody else played.
    Impersonates,
    /// It plays legal moves, and not those the players would make. It sends nothing before somebody else
    /// is there who could find out.
    PlaysForThem,
    /// The same, and it does not wait for anybody.
    PlaysAlone,
    /// It says that every program gave up.
    InventsFaults,
    /// It lets the one who is called strong play at random, and the other one well. It hands back what it
    /// takes after its share.
    ThrowsGames,
    /// The same as the first of these, and it takes what others are to check and never ends with that.
    HoldsChecks,
    /// The same, and it leaves to others what is to be checked.
    LeavesChecks,
    /// A friend of that one: it says of what it is to check that it cannot be played, and leaves all else.
    DodgesChecks,
}

impl Vice {
    fn plays_for_them(self) -> bool {
        matches!(
            self,
            Vice::PlaysForThem | Vice::HoldsChecks | Vice::LeavesChecks | Vice::PlaysAlone
        )
    }

    /// Whether it hands back a batch.
    fn hands_back(self, is_check: bool) -> bool {
        match self {
            Vice::HandsBack => true,
            Vice::LeavesChecks => is_check,
            Vice::DodgesChecks => !is_check,
            _ => false,
        }
    }

    /// What a worker with it is called.
    fn name(self) -> &'static str {
        match self {
            Vice::DodgesChecks => "friend",
            _ => "liar",
        }
    }
}

/// The games after which a worker that throws games has its share, so that others have some left.
pub(crate) const SHARE: usize = 30;

/// A worker with a vice.
pub(crate) struct Liar {
    stop: Arc<AtomicBool>,
    /// How many batches it has taken.
    pub(crate) taken: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Liar {
    pub(crate) fn start(server: &Server, vice: Vice) -> Liar {
        Liar::at(server.address(), vice)
    }

    /// Starts one that reaches its server so.
    pub(crate) fn at(address: Address, vice: Vice) -> Liar {
        let (stop, taken) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU64::new(0)),
        );
        let (flag, count) = (Arc::clone(&stop), Arc::clone(&taken));
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(work(&address, vice, &flag, &count));
        });
        Liar {
            stop,
            taken,
            thread: Some(thread),
        }
    }

    pub(crate) fn wait_for_a_batch(&self) {
        self.wait_for_batches(1);
    }

    pub(crate) fn wait_for_batches(&self, batches: u64) {
        wait_until("the liar has taken games", || {
            self.taken.load(Ordering::Relaxed) >= batches
        });
    }
}

impl Drop for Liar {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn work(address: &Address, vice: Vice, stop: &AtomicBool, taken: &AtomicU64) {
    let link = Link::connect(address).await.unwrap();
    let others = match vice.plays_for_them() {
        true => "floe.worker.*",
        // Nothing is said there; not everybody may listen everywhere.
        false => "floe.control.liar",
    };
    let mut others = link.client.subscribe(others).await.unwrap();
    let mut is_watched = false;
    let mut last: Option<Record> = None;
    let mut held: Vec<Message> = Vec::new();
    let mut games = 0;
    while !stop.load(Ordering::Relaxed) {
        announce(&link, vice).await;
        for message in &held {
            let _ = message.ack_with(AckKind::Progress).await;
        }
        let Ok(Some(stream)) = link.jobs().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let queue = stream
            .get_consumer::<pull::Config>(&level_consumer(0))
            .await;
        let Ok(queue) = queue else { continue };
        let asked = queue
            .batch()
            .max_messages(1)
            .expires(Duration::from_millis(200));
        let Ok(mut messages) = asked.messages().await else {
            continue;
        };
        let Some(Ok(message)) = messages.next().await else {
            continue;
        };
        let batch: Batch = wire::read(&message.payload).unwrap();
        taken.fetch_add(1, Ordering::Relaxed);
        let is_check = batch.key.starts_with(wire::AGAIN);
        if vice == Vice::Slow || vice == Vice::HoldsChecks && is_check {
            held.push(message);
            continue;
        }
        let has_enough = vice == Vice::ThrowsGames && games >= SHARE;
        if has_enough || vice.hands_back(is_check) {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            continue;
        }
        if vice.plays_for_them() && vice != Vice::PlaysAlone {
            while !is_watched && !stop.load(Ordering::Relaxed) {
                let heard = tokio::time::timeout(Duration::from_millis(100), others.next()).await;
                let heard = heard.ok().flatten();
                is_watched =
                    heard.is_some_and(|one| one.subject.as_str() != worker_subject(vice.name()));
            }
        }
        games += batch.jobs.len();
        for unit in units(&batch.jobs) {
            let games = unit.iter().map(|job| GameResult {
                job: job_hash(job),
                outcome: match vice {
                    Vice::DodgesChecks => GameOutcome::SetAside {
                        id: job.opening.id.clone(),
                        cause: "no time".into(),
                        missing: None,
                    },
                    _ => GameOutcome::Record(Box::new(played(job, vice, &mut last))),
                },
            });
            let result = UnitResult {
                protocol: PROTOCOL,
                worker: match vice {
                    Vice::Impersonates => "one".into(),
                    _ => vice.name().into(),
                },
                signature: signature(vice),
                session: batch.session.clone(),
                games: games.collect(),
                took_ms: 1,
            };
            let sent = PublishMessage::build()
                .expected_last_subject_sequence(0)
                .payload(wire::write(&result).unwrap().into());
            let subject = result_subject(
                batch.results,
                &batch.run,
                vice.name(),
                &batch.result_key(unit),
            );
            if let Ok(sent) = link.streams.send_publish(subject, sent).await {
                let _ = sent.await;
            }
        }
        let _ = message.double_ack().await;
    }
}

fn played(job: &Job, vice: Vice, last: &mut Option<Record>) -> Record {
    let game = floe_games::find(&job.opening.game).unwrap();
    let word = match vice.plays_for_them() {
        true => "random:seed=99",
        false => "greedy",
    };
    let seat = |word: &str| Seat::read(word, game, ".".as_ref()).unwrap();
    let mut seats = vec![seat(word); job.opening.seats.len()];
    if vice == Vice::ThrowsGames {
        let players = job.opening.seats.iter().zip(&mut seats);
        let strong = players.filter(|(entrant, _)| entrant.name == "strong");
        strong.for_each(|(_, place)| *place = seat("random"));
    }
    if vice == Vice::InventsFaults {
        for (entrant, place) in job.opening.seats.iter().zip(&mut seats) {
            if entrant.sha256.is_some() {
                *place = seat("line:false");
            }
        }
    }
    let sandbox = match vice {
        Vice::InventsFaults => sandbox().clone(),
        _ => Sandbox::none(),
    };
    let played = job.play(&seats, &sandbox, &Arc::default(), &Default::default());
    let mut record = played.unwrap();
    record.opening.machine = Some(Machine {
        class: "of lies".into(),
        // Let somebody else be blamed.
        worker: "one".into(),
        ..Machine::default()
    });
    match vice {
        Vice::Lies => {
            let end = record.end.as_mut().unwrap();
            end.scores.iter_mut().for_each(|score| *score += 1);
        }
        Vice::Mixes => {
            let other = last.replace(record.clone());
            if let Some(other) = other {
                // Its number is right, and nothing else.
                let id = record.opening.id.clone();
                record = other;
                record.opening.id = id;
            } else {
                record.events.clear();
            }
        }
        Vice::Slow
        | Vice::HandsBack
        | Vice::IsAStranger
        | Vice::Impersonates
        | Vice::PlaysForThem
        | Vice::PlaysAlone
        | Vice::InventsFaults
        | Vice::ThrowsGames
        | Vice::HoldsChecks
        | Vice::LeavesChecks
        | Vice::DodgesChecks => {}
    }
    record
}

/// The sandbox of this machine, which is looked for once.
fn sandbox() -> &'static Sandbox {
    static FOUND: OnceLock<Sandbox> = OnceLock::new();
    FOUND.get_or_init(|| {
        let helper = assert_cmd::cargo::cargo_bin!("floe");
        Sandbox::find(helper, 0, 2).unwrap()
    })
}

/// How its engines play, as it says.
fn signature(vice: Vice) -> String {
    match vice {
        Vice::IsAStranger => "of its own".to_owned(),
        _ => String::new(),
    }
}

async fn announce(link: &Link, vice: Vice) {
    let announcement = Announcement {
        protocol: PROTOCOL,
        name: vice.name().into(),
        floe: "0".into(),
        cores: 1,
        sandbox: 3,
        class: "of lies".into(),
        speeds: Speeds {
            signature: signature(vice),
            ..Speeds::default()
        },
        games: 0,
        up_s: 0,
        playing: Vec::new(),
        // Never idle: the organiser watches idle workers.
        holds: vec![HeldBatch {
            run: "none".into(),
            key: "none".into(),
        }],
        is_leaving: false,
        trouble: None,
        updates: None,
    };
    let json = serde_json::to_vec(&announcement).unwrap();
    let _ = link
        .client
        .publish(worker_subject(vice.name()), json.into())
        .await;
}
