//! Workers: real ones, and many that sleep instead of thinking.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::PublishMessage;
use floe_arena::seat::Sandbox;
use floe_cluster::link::{Address, Link};
use floe_cluster::wire::{
    self, Announcement, Batch, GameOutcome, GameResult, HeldBatch, PROTOCOL, UnitResult, job_hash,
    level_consumer, result_subject, units, worker_subject,
};
use floe_cluster::worker::{self, ANNOUNCED_EVERY, Ending, MEASURED_EVERY, WorkerOptions};
use futures_util::StreamExt as _;

use crate::Answer;

pub(crate) fn real_worker(url: &str, name: &str, core: usize) -> Answer<()> {
    let cache = tempfile::tempdir()?;
    let options = WorkerOptions {
        address: Address {
            url: url.to_owned(),
            key: None,
        },
        name: name.to_owned(),
        cores: vec![core],
        cache: cache.path().to_owned(),
        helper: PathBuf::new(),
        measured_every: MEASURED_EVERY,
        update_key: None,
        left: Vec::new(),
    };
    worker::run(&options, &Ending::default(), |news| {
        tell_line(&news.to_string());
    })?;
    Ok(())
}

/// A line on standard error, for whoever started us.
fn tell_line(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Simulated workers, which take so many milliseconds for every unit.
pub(crate) fn sleepers(url: &str, workers: usize, ms: u64) -> Answer<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..workers {
            let address = Address {
                url: url.to_owned(),
                key: None,
            };
            tasks.spawn(async move { sleeper(&address, number, ms).await });
        }
        while let Some(ended) = tasks.join_next().await {
            ended??;
        }
        Ok(())
    })
}

/// A worker that makes any moves at once and sleeps as long as thinking would take.
async fn sleeper(address: &Address, number: usize, ms: u64) -> Answer<()> {
    let link = Link::connect(address).await?;
    let name = format!("sleeper-{number}");
    let announcing = link.clone();
    let announcement = serde_json::to_vec(&Announcement {
        protocol: PROTOCOL,
        name: name.clone(),
        floe: env!("CARGO_PKG_VERSION").into(),
        cores: 1,
        sandbox: 0,
        class: "asleep".into(),
        speeds: Default::default(),
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
    })?;
    let subject = worker_subject(&name);
    tokio::spawn(async move {
        loop {
            let sent = announcing
                .client
                .publish(subject.clone(), announcement.clone().into());
            let _ = sent.await;
            tokio::time::sleep(ANNOUNCED_EVERY).await;
        }
    });
    // The organiser makes the stream first, and the queues in it afterwards.
    let level = level_consumer(0);
    let queue = loop {
        if let Some(stream) = link.jobs().await?
            && let Ok(queue) = stream.get_consumer::<pull::Config>(&level).await
        {
            break queue;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    loop {
        let asked = queue
            .batch()
            .max_messages(1)
            .expires(Duration::from_secs(30));
        let mut messages = asked.messages().await?;
        let Some(message) = messages.next().await else {
            continue;
        };
        let message = message?;
        let batch: Batch = wire::read(&message.payload)?;
        if batch.not.contains(&name) {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            continue;
        }
        for unit in units(&batch.jobs) {
            let mut games = Vec::new();
            for job in unit {
                let seats = job.find_seats(".".as_ref())?;
                let record = job.play(
                    &seats,
                    &Sandbox::none(),
                    &Arc::default(),
                    &Default::default(),
                )?;
                games.push(GameResult {
                    job: job_hash(job),
                    outcome: GameOutcome::Record(Box::new(record)),
                });
            }
            tokio::time::sleep(Duration::from_millis(ms)).await;
            let result = UnitResult {
                protocol: PROTOCOL,
                worker: name.clone(),
                signature: String::new(),
                session: batch.session.clone(),
                games,
                took_ms: ms,
            };
            let sent = PublishMessage::build()
                .expected_last_subject_sequence(0)
                .payload(wire::write(&result)?.into());
            let subject = result_subject(batch.results, &batch.run, &name, &batch.result_key(unit));
            let _ = link.streams.send_publish(subject, sent).await?.await;
        }
        let _ = message.double_ack().await;
    }
}
