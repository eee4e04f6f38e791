//! Playing a batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};
use floe_arena::job::Job;
use floe_arena::live::Broadcast;
use floe_arena::runner::keep_to;
use floe_arena::seat::Seat;
use floe_games::record::{Entrant, Machine};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tracing::debug;

use super::publish::Place;
use super::pull::pause_after;
use super::scaled::play_one;
use super::{News, UnderWay, Worker};
use crate::ClusterError;
use crate::wire::{
    self, Batch, GameOutcome, GameResult, HeldBatch, PROTOCOL, Playing, UnitResult, job_hash, units,
};

/// Pause of a batch that another worker should take.
const FOR_OTHERS: Duration = Duration::from_secs(1);
/// Pause of a batch that no machine like this one may play.
const NOT_HERE: Duration = Duration::from_secs(5);
/// Interval of heartbeats to the server while a batch is played. Organisers notice a loss much
/// earlier, from announcements.
const HEARTBEAT: Duration = Duration::from_secs(600);

/// The end of playing a batch.
enum Played {
    /// All results are safe with the server.
    All,
    /// The batch was cancelled.
    Stopped,
    /// The machine failed before any game was played.
    MachineFailure(String),
    /// A game could not be played; the organiser knows.
    Failed(String),
}

impl Worker {
    /// Plays a batch, or hands it back.
    pub(super) async fn take(self: Arc<Self>, message: Message, first: OwnedSemaphorePermit) {
        let Some((batch, time_percent)) = self.accept(&message).await else {
            return;
        };
        let message = Arc::new(message);
        let beating = tokio::spawn(beat(Arc::clone(&message)));
        let held = self.hold(&batch);
        let seats = batch.jobs[0].opening.seats.len();
        let cores = seats.clamp(1, self.options.cores.len().max(1)) as u32;
        let cores = hold_at_once(&self.tables, first, cores).await;
        let run = batch.run.clone();
        let played = self.play_batch(batch, time_percent).await;
        beating.abort();
        self.let_go(&held);
        match played {
            Played::All => {
                self.failure_log.store(0, Ordering::Relaxed);
                self.state.lock().trouble = None;
                if let Err(error) = message.double_ack().await {
                    // Another worker may play the batch too; the organiser drops the second result.
                    debug!(%error, "an acknowledgement was lost");
                }
            }
            Played::Stopped => {
                debug!(run, "a batch is broken off");
                hand_back(&message, Duration::ZERO).await;
            }
            Played::MachineFailure(cause) => {
                self.note_trouble(cause).await;
                hand_back(&message, FOR_OTHERS).await;
            }
            Played::Failed(cause) => {
                self.note_trouble(cause).await;
                // The organiser publishes the remaining games again.
                let _ = message.double_ack().await;
            }
        }
        drop(cores);
    }

    /// A batch that this worker can play, with its time limits in percent. Other batches are handed
    /// back.
    async fn accept(&self, message: &Message) -> Option<(Batch, u32)> {
        let batch: Batch = match wire::read(&message.payload) {
            Ok(batch) => batch,
            Err(error) => {
                self.refuse(message, error.to_string()).await;
                return None;
            }
        };
        if batch.protocol != PROTOCOL {
            let theirs = batch.protocol;
            let cause = format!("they are of protocol {theirs}, and this floe speaks {PROTOCOL}");
            self.refuse(message, cause).await;
            return None;
        }
        if batch.not.contains(&self.options.name) {
            hand_back(message, FOR_OTHERS).await;
            return None;
        }
        let Some(game) = batch.jobs.first().map(|job| job.opening.game.clone()) else {
            let _ = message.double_ack().await;
            return None;
        };
        let Some(rule) = &batch.needs.speed else {
            return Some((batch, 100));
        };
        let speed = self.speeds().of(&game).unwrap_or(0);
        match rule.time_percent(speed) {
            Some(percent) => Some((batch, percent)),
            None => {
                let reference = rule.reference;
                let cause = format!(
                    "this machine searches {speed} positions of {game} per second, too far from the reference's {reference}"
                );
                self.refuse(message, cause).await;
                None
            }
        }
    }

    /// Records a batch as held, for announcements.
    fn hold(&self, batch: &Batch) -> HeldBatch {
        let held = HeldBatch {
            run: batch.run.clone(),
            key: batch.key.clone(),
        };
        let patience = Duration::from_millis(batch.patience_ms);
        self.state.lock().holds.push((held.clone(), patience));
        self.taken.notify_one();
        held
    }

    fn let_go(&self, held: &HeldBatch) {
        let mut state = self.state.lock();
        if let Some(at) = state.holds.iter().position(|(one, _)| one == held) {
            state.holds.remove(at);
        }
    }

    /// Reports a machine failure; the worker pauses before it takes more games.
    async fn note_trouble(&self, cause: String) {
        let failure_log = self.failure_log.fetch_add(1, Ordering::Relaxed) + 1;
        let pause = pause_after(failure_log);
        self.state.lock().trouble = Some(cause.clone());
        self.tell(News::MachineFailure { cause, pause });
        self.announce().await;
    }

    /// Hands back a batch that cannot be played here.
    async fn refuse(&self, message: &Message, cause: String) {
        let is_new = {
            let mut state = self.state.lock();
            let last = state.refusal.replace((cause.clone(), Instant::now()));
            last.is_none_or(|(last, _)| last != cause)
        };
        if is_new {
            self.tell(News::Refuses { cause });
            self.announce().await;
        }
        hand_back(message, NOT_HERE).await;
    }

    async fn play_batch(self: &Arc<Self>, batch: Batch, time_percent: u32) -> Played {
        let stop = Arc::new(AtomicBool::new(false));
        for packed in batch.programs.values() {
            match self.cache.fetch(&self.link, &packed.object).await {
                Ok(_) => {}
                // A server's refusal is not the fault of these games.
                Err(error @ ClusterError::Server { .. }) => {
                    return Played::MachineFailure(error.to_string());
                }
                Err(error) => return self.play_nothing_of(&batch, error, &stop).await,
            }
        }
        let live = Broadcast::default();
        live.remember();
        {
            let mut state = self.state.lock();
            state.under_way.push(UnderWay {
                run: batch.run.clone(),
                stop: Arc::clone(&stop),
                live: live.clone(),
            });
            state.watched.retain(|_, until| Instant::now() < *until);
            if batch.is_watched || state.watched.contains_key(&batch.run) {
                self.forward(&batch.run, &live);
            }
            if !state.runs.contains(&batch.run) {
                state.runs.push(batch.run.clone());
                let run = batch.run.clone();
                drop(state);
                self.tell(News::Plays { run });
            }
        }
        let worker = Arc::clone(self);
        let flag = Arc::clone(&stop);
        let playing = tokio::task::spawn_blocking(move || {
            worker.play_units(&batch, time_percent, &flag, &live)
        });
        let (publishing, mut played) = match playing.await {
            Ok(result) => result,
            Err(error) => (JoinSet::new(), Played::MachineFailure(error.to_string())),
        };
        let published = publishing.join_all().await;
        let is_told = !published.contains(&false);
        if matches!(played, Played::All | Played::Failed(_)) && !is_told {
            played = Played::Stopped;
        }
        self.state
            .lock()
            .under_way
            .retain(|one| !Arc::ptr_eq(&one.stop, &stop));
        played
    }

    /// Reports to the organiser why not even the first game of a batch can be played here.
    async fn play_nothing_of(
        &self,
        batch: &Batch,
        error: ClusterError,
        stop: &AtomicBool,
    ) -> Played {
        let cause = error.to_string();
        let Some(unit) = units(&batch.jobs).next() else {
            return Played::MachineFailure(cause);
        };
        let object = match error {
            ClusterError::Missing { object, .. } => Some(object),
            _ => None,
        };
        let is_missing = object.is_some();
        let games = unit.iter().take(1).map(|job| {
            let mut game = not_played(job, &cause);
            if let GameOutcome::SetAside { missing, .. } = &mut game.outcome {
                missing.clone_from(&object);
            }
            game
        });
        let result = self.result(batch, games.collect(), Duration::ZERO);
        match self.publish(Place::of(batch, unit), result, stop).await {
            // A missing program is not the fault of this machine.
            true if is_missing => Played::All,
            true => Played::Failed(cause),
            false => Played::Stopped,
        }
    }

    /// The results of a unit's games, as published.
    fn result(&self, batch: &Batch, games: Vec<GameResult>, took: Duration) -> UnitResult {
        UnitResult {
            protocol: PROTOCOL,
            worker: self.options.name.clone(),
            signature: self.speeds().signature,
            session: batch.session.clone(),
            games,
            took_ms: took.as_millis() as u64,
        }
    }

    /// Plays unit after unit on its own cores, in this thread, until a game cannot be played.
    /// Publishing continues after this returns.
    fn play_units(
        self: &Arc<Self>,
        batch: &Batch,
        time_percent: u32,
        stop: &Arc<AtomicBool>,
        live: &Broadcast,
    ) -> (JoinSet<bool>, Played) {
        let runtime = tokio::runtime::Handle::current();
        let mut publishing = JoinSet::new();
        let seats = batch.jobs[0].opening.seats.len();
        let Some(lease) = self.pool.lease(seats, stop) else {
            return (publishing, Played::Stopped);
        };
        keep_to(lease.cores());
        self.measure_again();
        let sandbox = self.sandbox.on_cores(lease.cores());
        // A batch has few seats in many orders: each program is checked once, before its first
        // game.
        let mut known: Vec<(Entrant, Seat)> = Vec::new();
        for unit in units(&batch.jobs) {
            let start = Instant::now();
            let mut games = Vec::new();
            let mut trouble = None;
            for job in unit {
                self.note_game(&batch.run, job);
                let played = self
                    .seats_of(job, batch, &mut known)
                    .and_then(|seats| play_one(job, time_percent, &seats, &sandbox, stop, live));
                self.forget_game(&batch.run, job);
                match played {
                    Ok(Some(mut record)) => {
                        let machine = record.opening.machine.take();
                        record.opening.machine = Some(Machine {
                            class: self.class.clone(),
                            worker: self.options.name.clone(),
                            time_percent: (time_percent != 100).then_some(time_percent),
                            overload: machine.and_then(|machine| machine.overload),
                        });
                        self.games.fetch_add(1, Ordering::Relaxed);
                        games.push(GameResult {
                            job: job_hash(job),
                            outcome: GameOutcome::Record(Box::new(record)),
                        });
                    }
                    Ok(None) => return (publishing, Played::Stopped),
                    Err(cause) => {
                        games.push(not_played(job, &cause));
                        trouble = Some(cause);
                        break;
                    }
                }
            }
            let result = self.result(batch, games, start.elapsed());
            let place = Place::of(batch, unit);
            let (worker, stop) = (Arc::clone(self), Arc::clone(stop));
            publishing.spawn_on(
                async move { worker.publish(place, result, &stop).await },
                &runtime,
            );
            if let Some(cause) = trouble {
                return (publishing, Played::Failed(cause));
            }
        }
        (publishing, Played::All)
    }

    /// The seats of a game. Each program is checked once per batch, every file of it; a changed one
    /// is fetched again when the batch returns.
    fn seats_of(
        &self,
        job: &Job,
        batch: &Batch,
        known: &mut Vec<(Entrant, Seat)>,
    ) -> Result<Vec<Seat>, String> {
        let is_same =
            |one: &Entrant, other: &Entrant| one.seat == other.seat && one.sha256 == other.sha256;
        let find = |known: &[(Entrant, Seat)]| -> Option<Vec<Seat>> {
            let seats = job.opening.seats.iter().map(|entrant| {
                let found = known.iter().find(|(one, _)| is_same(one, entrant));
                found.map(|(_, seat)| seat.clone())
            });
            seats.collect()
        };
        if let Some(seats) = find(known) {
            return Ok(seats);
        }
        match self.cache.seats(job, &batch.programs) {
            Ok(seats) => {
                for (entrant, seat) in job.opening.seats.iter().zip(&seats) {
                    known.push((entrant.clone(), seat.clone()));
                }
                Ok(seats)
            }
            Err(error) => {
                for packed in batch.programs.values() {
                    self.cache.forget(&packed.object);
                }
                Err(error.to_string())
            }
        }
    }

    fn note_game(&self, run: &str, job: &Job) {
        let seats = job.opening.seats.iter().map(|one| one.name.clone());
        self.state.lock().playing.push(Playing {
            run: run.to_owned(),
            game: job.opening.id.clone(),
            seats: seats.collect(),
        });
    }

    fn forget_game(&self, run: &str, job: &Job) {
        let mut state = self.state.lock();
        let is_it = |one: &Playing| one.run == run && one.game == job.opening.id;
        if let Some(at) = state.playing.iter().position(is_it) {
            state.playing.remove(at);
        }
    }
}

/// Exchanges the one core held so far for as many as a game needs, all at once: two games that held
/// some each would wait for each other for ever. First come, first served.
async fn hold_at_once(
    tables: &Arc<Semaphore>,
    first: OwnedSemaphorePermit,
    cores: u32,
) -> Option<OwnedSemaphorePermit> {
    if cores <= 1 {
        return Some(first);
    }
    drop(first);
    let held = Arc::clone(tables).acquire_many_owned(cores).await;
    held.ok()
}

/// The result of a game that this machine could not play.
fn not_played(job: &Job, cause: &str) -> GameResult {
    GameResult {
        job: job_hash(job),
        outcome: GameOutcome::SetAside {
            id: job.opening.id.clone(),
            cause: cause.to_owned(),
            missing: None,
        },
    }
}

/// Sends heartbeats for a batch until it is aborted.
async fn beat(message: Arc<Message>) {
    loop {
        tokio::time::sleep(HEARTBEAT).await;
        let _ = message.ack_with(AckKind::Progress).await;
    }
}

async fn hand_back(message: &Message, rest: Duration) {
    let rest = (!rest.is_zero()).then_some(rest);
    let _ = message.ack_with(AckKind::Nak(rest)).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tables_that_need_several_cores_do_not_wait_for_each_other() {
        let tables = Arc::new(Semaphore::new(2));
        let one = || Arc::clone(&tables).try_acquire_owned().unwrap();
        let (first, second) = (one(), one());
        let play = |first| {
            let tables = Arc::clone(&tables);
            async move { drop(hold_at_once(&tables, first, 2).await) }
        };
        tokio::join!(play(first), play(second));
        assert_eq!(tables.available_permits(), 2);
    }
}
