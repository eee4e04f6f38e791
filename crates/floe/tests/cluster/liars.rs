//! Workers that are slow, lie, or mix things up: here they are, and real ones beside them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use floe_arena::job::Job;
use floe_arena::seat::{Sandbox, Seat};
use floe_arena::speed::Speeds;
use floe_arena::tournament::{Description, Ended, Tournament, TournamentError};
use floe_cluster::link::{Address, Link};
use floe_cluster::wire::{
    self, Announcement, Batch, GameOutcome, GameResult, PROTOCOL, UnitResult, job_hash,
    level_consumer, result_subject, units, worker_subject,
};
use floe_cluster::{ClusterError, OrganiserOptions};
use floe_games::record::{Machine, Record};
use futures_util::StreamExt as _;

use crate::house::{Cup, Server, Worker, wait_until};

/// What is wrong with a worker.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Vice {
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
    /// It plays legal moves, and not those the players would make.
    PlaysForThem,
}

/// A worker with a vice.
struct Liar {
    stop: Arc<AtomicBool>,
    /// How many batches it has taken.
    taken: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Liar {
    fn start(server: &Server, vice: Vice) -> Liar {
        let address = server.address();
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

    fn wait_for_a_batch(&self) {
        self.wait_for_batches(1);
    }

    fn wait_for_batches(&self, batches: u64) {
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
    let mut last: Option<Record> = None;
    let mut held: Vec<Message> = Vec::new();
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
        if vice == Vice::Slow {
            held.push(message);
            continue;
        }
        if vice == Vice::HandsBack {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            continue;
        }
        // So that the organiser knows of it before the results come.
        announce(&link, vice).await;
        for unit in units(&batch.jobs) {
            let games = unit.iter().map(|job| {
                let record = played(job, vice, &mut last);
                GameResult {
                    job: job_hash(job),
                    outcome: GameOutcome::Record(Box::new(record)),
                }
            });
            let result = UnitResult {
                protocol: PROTOCOL,
                worker: "liar".into(),
                games: games.collect(),
                took_ms: 1,
            };
            let sent = PublishMessage::build()
                .expected_last_subject_sequence(0)
                .payload(wire::write(&result).unwrap().into());
            let subject = result_subject(&batch.run, &batch.result_key(unit));
            if let Ok(sent) = link.streams.send_publish(subject, sent).await {
                let _ = sent.await;
            }
        }
        let _ = message.double_ack().await;
    }
}

fn played(job: &Job, vice: Vice, last: &mut Option<Record>) -> Record {
    let game = floe_games::find(&job.opening.game).unwrap();
    let word = match vice {
        Vice::PlaysForThem => "random:seed=99",
        _ => "greedy",
    };
    let seats = vec![Seat::read(word, game, ".".as_ref()).unwrap(); job.opening.seats.len()];
    let played = job.play(
        &seats,
        &Sandbox::none(),
        &Arc::default(),
        &Default::default(),
    );
    let mut record = played.unwrap();
    record.opening.machine = Some(Machine {
        class: "of lies".into(),
        // Let somebody else be blamed.
        worker: "one".into(),
        time_percent: None,
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
        Vice::Slow | Vice::HandsBack | Vice::IsAStranger | Vice::PlaysForThem => {}
    }
    record
}

async fn announce(link: &Link, vice: Vice) {
    let signature = match vice {
        Vice::IsAStranger => "of its own".to_owned(),
        _ => String::new(),
    };
    let announcement = Announcement {
        protocol: PROTOCOL,
        name: "liar".into(),
        floe: "0".into(),
        cores: 1,
        sandbox: 3,
        class: "of lies".into(),
        speeds: Speeds {
            signature,
            ..Speeds::default()
        },
        games: 0,
        playing: Vec::new(),
        is_leaving: false,
        trouble: None,
    };
    let json = serde_json::to_vec(&announcement).unwrap();
    let _ = link
        .client
        .publish(worker_subject("liar"), json.into())
        .await;
}

#[test]
fn a_slow_worker_holds_up_nobody() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(4);
    let liar = Liar::start(&server, Vice::Slow);
    let organiser = cup.organise(&server);
    liar.wait_for_a_batch();
    let _one = Worker::start(&server, "one");
    organiser.finish();
    cup.is_as_at_home();
}

#[test]
fn one_worker_that_fails_does_not_set_aside_what_others_can_play() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::of_a_program();
    let handing_back = Liar::start(&server, Vice::HandsBack);
    let organiser = cup.organise(&server);
    // Each of them has come back often, and nobody had any trouble with it.
    handing_back.wait_for_batches(30);
    drop(handing_back);
    let full = Worker::with_full_disk(&server, "full");
    full.wait_for("trouble: ");
    let _one = Worker::start(&server, "one");
    let told = organiser.finish();
    assert!(!told.contains("not all could be played"), "{told}");
    cup.is_as_at_home();
}

#[test]
fn a_worker_that_lies_or_mixes_games_up_is_named_and_does_not_count() {
    let Some(server) = Server::start() else {
        return;
    };
    for vice in [Vice::Lies, Vice::Mixes] {
        let cup = Cup::new(4);
        let liar = Liar::start(&server, vice);
        let organiser = cup.organise(&server);
        liar.wait_for_a_batch();
        let _one = Worker::start(&server, "one");
        let told = organiser.finish();
        assert!(told.contains("worker liar: refused"), "{told}");
        cup.is_as_at_home();
        let players = cup.machines();
        assert!(players.iter().all(|(name, _)| name == "one"), "{players:?}");
    }
}

#[test]
fn a_worker_whose_engines_play_otherwise_plays_no_games_of_engines() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(2);
    let stranger = Liar::start(&server, Vice::IsAStranger);
    let organiser = cup.organise(&server);
    wait_until("the organiser says what is wrong", || {
        let told = organiser.told();
        told.contains("worker liar: its engines do not play as those here")
    });
    stranger.wait_for_a_batch();
    let _one = Worker::start(&server, "one");
    organiser.finish();
    cup.is_as_at_home();
    let players = cup.machines();
    assert!(players.iter().all(|(name, _)| name == "one"), "{players:?}");
}

#[test]
fn a_worker_that_lies_gets_no_more_games_although_nobody_else_is_there() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(4);
    let liar = Liar::start(&server, Vice::Lies);
    let organiser = cup.organise(&server);
    wait_until("the organiser says what is wrong", || {
        let told = organiser.told();
        told.contains("worker liar: its results do not count any more")
            && told.contains("no worker is there whose results count")
    });
    let queued = || -> u64 {
        let status = floe_cluster::status::status(&server.address()).unwrap();
        status
            .queues
            .iter()
            .map(|one| one.waiting + one.taken)
            .sum()
    };
    wait_until("nothing is asked for any more", || queued() == 0);
    // Those that were out when it was found out, each of them a few times at most.
    let taken = liar.taken.load(Ordering::Relaxed);
    assert!(taken < 20, "it was given {taken} batches");
    let _one = Worker::start(&server, "one");
    organiser.finish();
    cup.is_as_at_home();
}

#[test]
fn a_worker_that_plays_other_moves_is_found_out_and_its_games_are_played_again() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(4);
    let liar = Liar::start(&server, Vice::PlaysForThem);
    let _one = Worker::start(&server, "one");
    let stop = Arc::new(AtomicBool::new(false));
    let file = cup.folder().join("cup.toml");
    let description = Description::load(&file).unwrap();
    let mut tournament = Tournament::open(description.clone(), false).unwrap();
    let options = OrganiserOptions {
        name: Some(file.display().to_string()),
        patience: Duration::from_secs(1),
        // Every game, so that nothing is left to chance.
        again_per_mille: 1000,
        ..OrganiserOptions::new(server.address())
    };
    let runner = tournament.runner(Sandbox::none(), 1, None);
    let organiser = floe_cluster::Organiser::connect(runner, options).unwrap();
    wait_until("both are there", || organiser.going().workers == 2);
    let error = tournament.run(&organiser, &stop, |_, _| {}).unwrap_err();
    let TournamentError::Runner(floe_arena::runner::RunnerError::Elsewhere(cause)) = &error else {
        panic!("{error}");
    };
    let Some(ClusterError::Deviates { worker, .. }) = cause.downcast_ref() else {
        panic!("{error}");
    };
    assert_eq!(worker, "liar");
    drop(tournament);
    Tournament::take_out_games_of(&description, worker).unwrap();
    assert!(cup.machines().iter().all(|(name, _)| name == "one"));
    let mut tournament = Tournament::open(description, false).unwrap();
    let ended = tournament.run(&organiser, &stop, |_, _| {}).unwrap();
    assert_eq!(ended, Ended::Finished);
    drop((tournament, liar));
    cup.is_as_at_home();
}
