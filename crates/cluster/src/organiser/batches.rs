//! The batches in the cluster, their games, and the size of the next batch.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use floe_arena::job::Job;
use floe_arena::runner::{NamedSeat, Runner};
use floe_arena::schedule::Pairing;
use floe_games::record::Opening;

use super::inbox::Wanted;

/// A requested game. Tens of thousands can be in the cluster, so each stores only what its job needs.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) pairing: Pairing,
    /// The game's board, shared with other games.
    pub(super) board: Arc<Opening>,
    /// The game's players, if they are not the entrants that the pairing names.
    pub(super) players: Option<Vec<NamedSeat>>,
    /// The digest of the game's job.
    pub(super) digest: [u8; 32],
    /// The key of the game's batch, shared with its other games.
    pub(super) batch: Arc<str>,
}

impl Asked {
    /// The hash of the game's job, as results name it.
    pub(super) fn hash(&self) -> String {
        HEXLOWER.encode(&self.digest)
    }

    /// The game's job.
    pub(super) fn job(&self, runner: &Runner) -> Job {
        let board = Opening::clone(&self.board);
        match &self.players {
            Some(players) => runner.job_on(board, &self.pairing, players),
            None => {
                let numbers = self.pairing.seats.iter();
                let players = numbers.filter_map(|&number| runner.entrants.get(number));
                let players: Vec<NamedSeat> = players.cloned().collect();
                runner.job_on(board, &self.pairing, &players)
            }
        }
    }
}

/// A batch in the cluster.
#[derive(Debug, Clone)]
pub(super) struct Out {
    /// Numbers of the games not received yet.
    pub(super) games: Vec<u64>,
    /// When the batch was last published.
    sent: Instant,
    /// Whether the server has confirmed the batch.
    is_safe: bool,
    /// How many times in a row the batch was not in the queue.
    missing: u32,
    /// How many times the games of the batch were published.
    pub(super) tries: u32,
    /// The batch is not published again before this time.
    rests_until: Option<Instant>,
    /// The required sandbox level, and the sequence in the queue if known.
    place: (u8, Option<u64>),
    /// When a worker last held the batch; since its delivery, if no worker has reported it.
    held: Option<Instant>,
    /// Keeps the batch being published until the server has it.
    _wanted: Wanted,
}

impl Out {
    /// Whether the server has certainly not delivered the batch yet.
    fn is_waiting(&self, delivered: &[u64]) -> bool {
        let (level, sequence) = self.place;
        let delivered = delivered.get(usize::from(level)).copied().unwrap_or(0);
        sequence.is_some_and(|sequence| sequence > delivered)
    }
}

/// The games in the cluster.
#[derive(Debug, Default)]
pub(super) struct Batches {
    pub(super) asked: BTreeMap<u64, Asked>,
    pub(super) out: HashMap<String, Out>,
    /// Time of units, on average and at most.
    mean: Option<Duration>,
    longest: Duration,
    units_out: u64,
}

/// The most units of a batch.
const MOST_UNITS: u64 = 256;
/// About as many games are in the cluster at most, unless there are more batches than that: the
/// organiser keeps each of them in memory.
const MOST_GAMES: u64 = 20_000;
/// A batch that takes this many times the longest time also goes to another worker.
const OVERDUE: u32 = 4;
/// Pause of a batch after its first try, doubled after each try, and the longest pause.
const REST: Duration = Duration::from_millis(100);
const LONGEST_REST: Duration = Duration::from_secs(2);
/// Longest duration of the very first batches, in worker timeouts.
const UNKNOWN: u32 = 10;

/// The most units of a batch, by the number of batches in the cluster and of games in a unit.
pub(super) fn most_units(batches: usize, games: u32) -> u64 {
    let units = MOST_GAMES / u64::from(games.max(1)) / batches.max(1) as u64;
    units.clamp(1, MOST_UNITS)
}

impl Batches {
    /// Notes a batch as published.
    pub(super) fn note(
        &mut self,
        key: String,
        games: Vec<u64>,
        tries: u32,
        level: u8,
        wanted: Wanted,
    ) {
        let batch: Arc<str> = key.as_str().into();
        for number in &games {
            if let Some(asked) = self.asked.get_mut(number) {
                asked.batch = Arc::clone(&batch);
            }
        }
        let out = Out {
            games,
            sent: Instant::now(),
            is_safe: false,
            missing: 0,
            tries,
            rests_until: None,
            place: (level, None),
            held: None,
            _wanted: wanted,
        };
        self.out.insert(key, out);
    }

    /// The server has confirmed a batch, with its sequence if it gives one.
    pub(super) fn is_safe(&mut self, key: &str, sequence: Option<u64>) {
        if let Some(out) = self.out.get_mut(key) {
            out.is_safe = true;
            out.place.1 = sequence;
        }
    }

    /// Notes which batches workers hold.
    pub(super) fn are_held(&mut self, keys: &HashSet<&str>) {
        for (key, out) in &mut self.out {
            if keys.contains(key.as_str()) {
                out.held = Some(Instant::now());
            }
        }
    }

    /// Notes the delivered batches, by the last delivered sequence of each level.
    pub(super) fn are_delivered(&mut self, delivered: &[u64]) {
        for out in self.out.values_mut().filter(|out| out.is_safe) {
            if !out.is_waiting(delivered) {
                out.held.get_or_insert_with(Instant::now);
            }
        }
    }

    /// A batch that waits in the queue, if any.
    pub(super) fn waiting(&self, delivered: &[u64]) -> Option<&Out> {
        let mut out = self.out.values();
        out.find(|out| out.is_safe && out.rests_until.is_none() && out.is_waiting(delivered))
    }

    /// The batches that no worker has taken yet, as far as known.
    pub(super) fn untaken(&self) -> Vec<String> {
        let out = self.out.iter();
        let untaken =
            out.filter(|(_, out)| out.is_safe && out.held.is_none() && out.rests_until.is_none());
        untaken.map(|(key, _)| key.clone()).collect()
    }

    /// Number of batches that do not rest.
    pub(super) fn active(&self) -> usize {
        let out = self.out.values();
        out.filter(|out| out.rests_until.is_none()).count()
    }

    /// Delivered batches that no worker was known to hold for this long.
    pub(super) fn silent(&self, patience: Duration) -> Vec<String> {
        let out = self.out.iter();
        let silent = out.filter(|(_, out)| {
            let is_silent = out.held.is_some_and(|when| when.elapsed() > patience);
            is_silent && out.rests_until.is_none()
        });
        silent.map(|(key, _)| key.clone()).collect()
    }

    /// A game was received: removes it from its batch.
    pub(super) fn came(&mut self, number: u64) -> Option<Asked> {
        let asked = self.asked.remove(&number)?;
        if let Some(out) = self.out.get_mut(&*asked.batch) {
            out.games.retain(|&other| other != number);
            if out.games.is_empty() {
                self.out.remove(&*asked.batch);
            }
        }
        Some(asked)
    }

    /// Notes how long a unit took.
    pub(super) fn took(&mut self, time: Duration) {
        self.longest = self.longest.max(time);
        self.mean = Some(match self.mean {
            None => time,
            Some(mean) => (mean * 15 + time) / 16,
        });
    }

    /// Units of the next batch, if `left` of them are left (where known) for this many concurrent
    /// games.
    pub(super) fn next_units(
        &mut self,
        wanted: Duration,
        left: Option<u64>,
        tables: usize,
        most: u64,
    ) -> u64 {
        let Some(mean) = self.mean else {
            return 1;
        };
        let micros = mean.as_micros().max(100) as u64;
        let by_time = (wanted.as_micros() as u64 / micros).clamp(1, most);
        // Towards the end, batches become small, so that no run waits for one worker with many
        // games.
        let shares = 4 * tables.max(1) as u64;
        let by_share = left.map_or(most, |left| (left / shares).max(1));
        self.units_out += 1;
        // Batches grow step by step, as the first games of a schedule may differ from later ones.
        by_time.min(by_share).min(self.units_out)
    }

    /// Publishes a batch again only after a while, longer each time.
    pub(super) fn let_rest(&mut self, key: &str) {
        if let Some(out) = self.out.get_mut(key) {
            let rest = (REST * (1 << out.tries.min(8))).min(LONGEST_REST);
            out.rests_until = Some(Instant::now() + rest);
        }
    }

    /// The batches whose rest is over.
    pub(super) fn rested(&self) -> Vec<String> {
        let now = Instant::now();
        let out = self.out.iter();
        let rested = out.filter(|(_, out)| out.rests_until.is_some_and(|until| until <= now));
        rested.map(|(key, _)| key.clone()).collect()
    }

    /// The lost batches, by the current queue: published, and twice in a row neither queued nor
    /// answered.
    pub(super) fn lost(&mut self, is_queued: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lost = Vec::new();
        for (key, out) in &mut self.out {
            match out.is_safe && out.rests_until.is_none() && !is_queued(key) {
                true => out.missing += 1,
                false => out.missing = 0,
            }
            if out.missing >= 2 {
                lost.push(key.clone());
            }
        }
        lost
    }

    /// The batches that a worker holds far longer than other workers needed.
    pub(super) fn overdue(&self, patience: Duration, units: u64) -> Vec<String> {
        let most = match self.mean {
            // The time of games is still unknown.
            None => patience * UNKNOWN,
            Some(_) => self.longest * OVERDUE * units.max(1) as u32 + patience * 2,
        };
        let out = self.out.iter();
        let late = out
            .filter(|(_, out)| out.rests_until.is_none() && out.sent.elapsed() > most * out.tries);
        late.map(|(key, _)| key.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_about_as_much_as_is_wanted_and_shrink_towards_the_end() {
        let mut batches = Batches::default();
        let wanted = Duration::from_secs(10);
        assert_eq!(batches.next_units(wanted, None, 4, 256), 1);
        batches.took(Duration::from_secs(1));
        let sizes: Vec<u64> = (0..12)
            .map(|_| batches.next_units(wanted, None, 4, 256))
            .collect();
        assert_eq!(sizes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]);
        assert_eq!(batches.next_units(wanted, Some(1000), 4, 256), 10);
        assert_eq!(batches.next_units(wanted, Some(64), 4, 256), 4);
        assert_eq!(batches.next_units(wanted, Some(3), 4, 256), 1);
        assert_eq!(batches.next_units(wanted, Some(1000), 4, 3), 3);
        batches.took(Duration::from_secs(600));
        assert_eq!(batches.next_units(wanted, None, 4, 256), 1);
    }

    #[test]
    fn the_games_in_the_cluster_are_bounded() {
        assert_eq!(most_units(4, 2), MOST_UNITS);
        assert_eq!(most_units(1000, 2), 10);
        assert_eq!(most_units(1000, 4), 5);
        assert_eq!(most_units(20_000, 2), 1);
    }

    #[test]
    fn what_is_neither_queued_nor_answered_is_lost() {
        let mut batches = Batches::default();
        batches.note("1".into(), vec![0, 1], 1, 0, Wanted::default());
        assert!(batches.lost(|_| false).is_empty());
        assert!(
            batches.lost(|_| false).is_empty(),
            "it may not have arrived yet"
        );
        batches.is_safe("1", None);
        assert!(
            batches.lost(|_| false).is_empty(),
            "its result may be on the way"
        );
        assert!(batches.lost(|_| true).is_empty());
        assert!(batches.lost(|_| false).is_empty());
        assert_eq!(batches.lost(|_| false), ["1"]);
        batches.let_rest("1");
        assert!(
            batches.lost(|_| false).is_empty(),
            "no worker should have it"
        );
    }

    #[test]
    fn what_was_handed_out_and_nobody_holds_is_silent() {
        let mut batches = Batches::default();
        batches.note("1".into(), vec![0, 1], 1, 2, Wanted::default());
        batches.note("2".into(), vec![2, 3], 1, 2, Wanted::default());
        batches.is_safe("1", Some(7));
        batches.is_safe("2", Some(8));
        batches.are_delivered(&[9, 9, 6, 9]);
        assert!(batches.waiting(&[9, 9, 6, 9]).is_some());
        assert!(batches.silent(Duration::ZERO).is_empty(), "both wait");
        batches.are_delivered(&[0, 0, 7, 0]);
        assert!(batches.silent(Duration::from_secs(60)).is_empty());
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(batches.silent(Duration::from_millis(1)), ["1"]);
        batches.are_held(&HashSet::from(["1"]));
        assert!(batches.silent(Duration::from_secs(60)).is_empty());
        assert!(batches.waiting(&[0, 0, 8, 0]).is_none());
    }
}
