//! An organiser's knowledge of workers, and its remarks about them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::beside::{Ban, Bans};
use crate::error::ClusterError;
use crate::update::VERSION;
use crate::wire::{Announcement, PROTOCOL, UnitResult, WorkerTally, is_word};
use crate::worker::ANNOUNCED_EVERY;

/// After this many refused results, a worker's results are ignored.
const MOST_REFUSED: u32 = 3;
/// Most workers whose refused results are reported by name. More names probably come from one
/// worker with an unnamed key.
const MOST_NAMED: usize = 8;
/// Outdated results of one worker before more of them count as refused: as many as it can have held
/// when the organiser started.
const MOST_OUTDATED: u32 = 1000;

/// All workers and their state.
#[derive(Debug, Default)]
pub(super) struct Workers {
    /// Announcements, with the time of the latest.
    heard: HashMap<String, (Announcement, Instant)>,
    /// Banned workers.
    banned: BTreeMap<String, Ban>,
    /// The stored bans, and the length of the file when it was last read.
    bans: Option<(Bans, u64)>,
    /// The play of our engines, by [`Speeds::signature`](floe_arena::speed::Speeds::signature).
    pub(super) signature: String,
    /// Refused results of each worker.
    refused: HashMap<String, u32>,
    /// Number of a worker's results that an earlier organiser process had requested.
    outdated: HashMap<String, u32>,
    /// The sandbox level that the programs need.
    pub(super) sandbox: u8,
    /// The kind of machine whose workers are offered this binary; `None` if it cannot be signed.
    pub(super) offers: Option<String>,
    /// When the first game was requested.
    pub(super) began: Option<Instant>,
    /// Games received.
    pub(super) games: u64,
    /// Games that counted, and the faults in them, by worker.
    played: HashMap<String, (u64, u64)>,
    /// Games requested and not received yet.
    pub(super) out: usize,
    remarks: Vec<String>,
    /// Remarks already made.
    said: HashSet<(String, Concern)>,
    teller: Option<Teller>,
}

/// A kind of remark about a worker, made once per worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Concern {
    /// The worker uses another worker's name.
    Name,
    /// The worker uses another protocol version.
    Protocol,
    /// The worker has another version of floe.
    Version,
    /// The worker's sandbox is too weak for the programs.
    Sandbox,
    /// The worker's engines play differently from ours.
    Signature,
    /// The worker's machine fails, or does not meet the requirements.
    MachineFailure,
}

/// Receives the remarks.
struct Teller(Box<dyn Fn(&str) + Send>);

impl fmt::Debug for Teller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Teller")
    }
}

/// The part of an announcement that every version has.
#[derive(Deserialize)]
struct Caller {
    protocol: u32,
    name: String,
    #[serde(default)]
    is_leaving: bool,
    #[serde(default)]
    updates: Option<String>,
}

impl Workers {
    /// Records a worker's announcement; the subject identifies the worker. Returns whether the
    /// worker needs this binary and accepts it.
    pub(super) fn hear(&mut self, sender: &str, announcement: &[u8]) -> bool {
        let Ok(caller) = serde_json::from_slice::<Caller>(announcement) else {
            return false;
        };
        let takes_ours = caller.updates.is_some() && caller.updates == self.offers;
        let Caller { protocol, name, .. } = caller;
        if !is_word(&name) || !is_word(sender) {
            return false;
        }
        if name != sender {
            let cause = format!("it calls itself {name}, which is another worker's name");
            self.say_once(sender, Concern::Name, &cause);
            return false;
        }
        if protocol != PROTOCOL {
            let cause = format!(
                "it speaks protocol {protocol} and this floe protocol {PROTOCOL}, so it takes no games; {}",
                how_to_update(&name, takes_ours)
            );
            self.say_once(&name, Concern::Protocol, &cause);
            return takes_ours && !caller.is_leaving;
        }
        let Ok(worker) = serde_json::from_slice::<Announcement>(announcement) else {
            return false;
        };
        if worker.floe != VERSION {
            let theirs = floe_rules::text::quoted(&worker.floe);
            let cause = format!(
                "it has floe {theirs}, and this is {VERSION}; {}",
                how_to_update(&name, takes_ours)
            );
            self.say_once(&name, Concern::Version, &cause);
        }
        if worker.sandbox < self.sandbox {
            let (has, needs) = (worker.sandbox, self.sandbox);
            let cause = format!(
                "its sandbox reaches level {has} and the programs here need {needs}, so it plays none of \
                 their games; `floe doctor` there says why"
            );
            self.say_once(&name, Concern::Sandbox, &cause);
        }
        if !self.plays_as_we_do(&worker) {
            let (theirs, ours) = (&worker.speeds.signature, &self.signature);
            let cause = format!(
                "its engines do not play as those here (signature {theirs} instead of {ours}), so it plays \
                 no games of engines; {}",
                how_to_update(&name, takes_ours)
            );
            self.say_once(&name, Concern::Signature, &cause);
        }
        if let Some(cause) = &worker.trouble {
            self.say_once(&name, Concern::MachineFailure, cause);
        }
        let differs = worker.floe != VERSION || !self.plays_as_we_do(&worker);
        self.heard.insert(name, (worker, Instant::now()));
        differs && takes_ours && !caller.is_leaving
    }

    /// The workers that are present, use our protocol and take work.
    pub(super) fn at_work(&self) -> impl Iterator<Item = &Announcement> {
        let heard = self.heard.values();
        let heard = heard.filter(|(_, when)| when.elapsed() < ANNOUNCED_EVERY * 4);
        let heard = heard.map(|(worker, _)| worker);
        heard.filter(|worker| !worker.is_leaving && !self.is_banned(&worker.name))
    }

    /// Whether engines of this signature play like ours; a worker without a signature is checked
    /// like all others.
    fn is_ours(&self, theirs: &str) -> bool {
        theirs.is_empty() || self.signature.is_empty() || *theirs == self.signature
    }

    fn plays_as_we_do(&self, worker: &Announcement) -> bool {
        self.is_ours(&worker.speeds.signature)
    }

    /// Whether a worker's engines play differently from ours: by the result itself, which may come
    /// before any announcement, and by the announcement.
    pub(super) fn is_stranger(&self, result: &UnitResult) -> bool {
        let heard = self.heard.get(&result.worker);
        let announced = heard.is_none_or(|(worker, _)| self.plays_as_we_do(worker));
        !announced || !self.is_ours(&result.signature)
    }

    /// Names of workers whose engines play differently from ours.
    pub(super) fn strangers(&self) -> Vec<String> {
        let heard = self.heard.values().map(|(worker, _)| worker);
        let strangers = heard.filter(|worker| !self.plays_as_we_do(worker));
        strangers.map(|worker| worker.name.clone()).collect()
    }

    /// Notes a result that was not requested. Reported once for each worker, then counted.
    pub(super) fn refuse(&mut self, worker: &str, why: &str) {
        let refused = self.refused.entry(worker.to_owned()).or_default();
        *refused += 1;
        let (count, workers) = (*refused, self.refused.len());
        if count == 1 && workers <= MOST_NAMED {
            self.remark(format!(
                "worker {worker}: refused: {why}; more of its refused results are only counted"
            ));
        }
        if count == 1 && workers == MOST_NAMED + 1 {
            self.remark(format!(
                "results of more than {MOST_NAMED} workers were refused, from here on without their names: \
                 a key without a name may be in the wrong hands; create new keys (`floe cluster add`)"
            ));
        }
        if count == MOST_REFUSED {
            self.ban(worker, why);
            if workers <= MOST_NAMED {
                self.remark(format!(
                    "worker {worker}: its results do not count any more; do not let it in again"
                ));
            }
        }
    }

    /// Counts a game that counts.
    pub(super) fn note_game(&mut self, worker: &str, faults: u64) {
        self.games += 1;
        let (games, of_programs) = self.played.entry(worker.to_owned()).or_default();
        *games += 1;
        *of_programs += faults;
    }

    /// The totals of each worker.
    pub(super) fn tallies(&self) -> BTreeMap<String, WorkerTally> {
        let mut tallies: BTreeMap<String, WorkerTally> = BTreeMap::new();
        for (worker, &(games, faults)) in &self.played {
            let tally = tallies.entry(worker.clone()).or_default();
            (tally.games, tally.faults) = (games, faults);
        }
        for (worker, &refused) in &self.refused {
            tallies.entry(worker.clone()).or_default().refused = refused;
        }
        tallies
    }

    /// Reports the number of refused results of each worker.
    pub(super) fn sum_up(&mut self) {
        let mut refused: Vec<(String, u32)> = self.refused.clone().into_iter().collect();
        refused.sort();
        refused.retain(|(_, count)| *count > 1);
        for (worker, count) in refused.into_iter().take(MOST_NAMED) {
            self.remark(format!("worker {worker}: {count} results refused in all"));
        }
    }

    /// Notes a result that an earlier organiser process had requested: no lie, unless there are
    /// more than a worker can have held.
    pub(super) fn is_outdated(&mut self, worker: &str) {
        let outdated = self.outdated.entry(worker.to_owned()).or_default();
        *outdated += 1;
        if *outdated > MOST_OUTDATED {
            self.refuse(worker, "it sends nothing but outdated results");
        }
    }

    /// Whether a worker's results do not count.
    pub(super) fn is_banned(&self, worker: &str) -> bool {
        self.banned.contains_key(worker)
    }

    /// Banned workers, with the reasons.
    pub(super) fn banned(&self) -> &BTreeMap<String, Ban> {
        &self.banned
    }

    /// Lets the results of a worker count no more, also after a restart.
    pub(super) fn ban(&mut self, worker: &str, reason: &str) {
        let ban = Ban {
            reason: reason.to_owned(),
            since: 0,
        };
        self.banned.insert(worker.to_owned(), ban);
        let stored = self
            .bans
            .as_ref()
            .map_or(Ok(true), |(bans, _)| bans.ban(worker, reason));
        if let Err(error) = stored {
            self.remark(format!("a ban is not stored: {error}"));
        }
    }

    /// Adopts stored bans, and reports them.
    pub(super) fn store_bans(&mut self, bans: Bans) -> Result<(), ClusterError> {
        self.banned = bans.read()?;
        let told: Vec<String> = self.banned.iter().map(describe).collect();
        let length = length(&bans);
        self.bans = Some((bans, length));
        told.into_iter().for_each(|line| self.remark(line));
        Ok(())
    }

    /// Adopts bans that `floe cluster ban` and `unban` have changed since.
    pub(super) fn look_at_bans(&mut self) {
        let Some((bans, known)) = &mut self.bans else {
            return;
        };
        let length = length(bans);
        if length == *known {
            return;
        }
        let Ok(now) = bans.read() else {
            return;
        };
        *known = length;
        let before = std::mem::replace(&mut self.banned, now.clone());
        for one in now.iter().filter(|one| !before.contains_key(one.0)) {
            self.remark(describe(one));
        }
        for worker in before.keys().filter(|worker| !now.contains_key(*worker)) {
            self.refused.remove(worker);
            self.remark(format!("worker {worker}: no longer banned"));
        }
    }

    /// The batches of a run held by workers that were heard from within this time.
    pub(super) fn held(&self, run: &str, within: Duration) -> HashSet<&str> {
        let heard = self.heard.values();
        let heard = heard.filter(|(_, when)| when.elapsed() < within);
        let held = heard.flat_map(|(worker, _)| &worker.holds);
        let held = held.filter(|batch| batch.run == run);
        held.map(|batch| batch.key.as_str()).collect()
    }

    /// Counts the silence of workers from now on: none could be heard before.
    pub(super) fn hear_anew(&mut self) {
        for (_, when) in self.heard.values_mut() {
            *when = Instant::now();
        }
    }

    /// Sends a remark.
    pub(super) fn remark(&mut self, text: String) {
        if self.remarks.contains(&text) {
            return;
        }
        tracing::debug!("{text}");
        if let Some(Teller(tell)) = &self.teller {
            tell(&text);
        }
        self.remarks.push(text);
    }

    /// The remarks.
    pub(super) fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Sets the receiver of remarks, and sends it earlier ones that had no receiver.
    pub(super) fn send_remarks_to(&mut self, tell: Box<dyn Fn(&str) + Send>) {
        if self.teller.is_none() {
            self.remarks.iter().for_each(|remark| tell(remark));
        }
        self.teller = Some(Teller(tell));
    }

    fn say_once(&mut self, name: &str, concern: Concern, cause: &str) {
        if self.said.insert((name.to_owned(), concern)) {
            self.remark(format!("worker {name}: {cause}"));
        }
    }
}

/// The command that updates a worker to this organiser's version.
fn how_to_update(worker: &str, takes_ours: bool) -> String {
    if takes_ours {
        return "it is offered this one".to_owned();
    }
    let own = std::env::current_exe().unwrap_or_else(|_| "floe".into());
    format!(
        "install the same floe there and start it again: scp '{}' {worker}:",
        own.display()
    )
}

fn length(bans: &Bans) -> u64 {
    std::fs::metadata(bans.path()).map_or(0, |data| data.len())
}

fn describe((worker, ban): (&String, &Ban)) -> String {
    format!(
        "worker {worker} is banned: {}; `floe cluster unban` lets it back",
        ban.reason
    )
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn announcement(change: impl FnOnce(&mut Announcement)) -> Vec<u8> {
        let mut one = Announcement {
            protocol: PROTOCOL,
            name: "lab-7".into(),
            floe: VERSION.into(),
            cores: 2,
            sandbox: 3,
            class: "of its own".into(),
            speeds: Default::default(),
            games: 0,
            up_s: 0,
            playing: Vec::new(),
            holds: Vec::new(),
            is_leaving: false,
            trouble: None,
            updates: None,
        };
        change(&mut one);
        serde_json::to_vec(&one).unwrap()
    }

    #[test]
    fn a_worker_whose_engines_play_otherwise_is_named() {
        let mut workers = Workers {
            signature: "ours".into(),
            ..Workers::default()
        };
        workers.hear("lab-7", &announcement(|_| ()));
        workers.hear(
            "lab-7",
            &announcement(|one| one.speeds.signature = "ours".into()),
        );
        assert!(workers.strangers().is_empty() && workers.remarks().is_empty());
        workers.hear(
            "lab-7",
            &announcement(|one| one.speeds.signature = "theirs".into()),
        );
        assert_eq!(workers.strangers(), ["lab-7"]);
        let remark = workers.remarks().concat();
        assert!(
            remark.contains("signature theirs instead of ours"),
            "{remark}"
        );
    }

    #[test]
    fn each_concern_about_a_worker_is_told_once_with_its_name() {
        let mut workers = Workers {
            sandbox: 2,
            ..Workers::default()
        };
        workers.hear("lab-7", &announcement(|_| ()));
        assert!(workers.remarks().is_empty());
        let full = |file: &str| {
            let trouble = format!("{file}: no space left on device");
            announcement(|one| one.trouble = Some(trouble))
        };
        workers.hear("lab-7", &full("one"));
        let (tell, remarks) = mpsc::channel();
        workers.send_remarks_to(Box::new(move |remark| {
            let _ = tell.send(remark.to_owned());
        }));
        assert_eq!(
            remarks.try_recv().unwrap(),
            "worker lab-7: one: no space left on device"
        );
        workers.hear("lab-7", &full("another"));
        assert!(remarks.try_recv().is_err(), "each remark comes once");
        workers.hear("lab-7", &announcement(|one| one.sandbox = 1));
        let remark = remarks.try_recv().unwrap();
        assert!(
            remark.contains("lab-7: its sandbox reaches level 1"),
            "{remark}"
        );
        assert_eq!(workers.at_work().count(), 1);
        // Whatever else another version may say of itself.
        workers.hear(
            "lab-8",
            br#"{"protocol": 99, "name": "lab-8", "moods": ["new"]}"#,
        );
        let remark = remarks.try_recv().unwrap();
        assert!(remark.contains("lab-8: it speaks protocol 99"), "{remark}");
        assert_eq!(workers.at_work().count(), 1);
        workers.hear("lab-7", &announcement(|one| one.floe = "0.0.9".into()));
        let remark = remarks.try_recv().unwrap();
        assert!(
            remark.contains("lab-7: it has floe") && remark.contains("0.0.9"),
            "{remark}"
        );
        assert!(
            remark.contains("scp '") && remark.ends_with("' lab-7:"),
            "{remark}"
        );
        workers.hear("lab-7", b"nonsense");
        workers.hear("lab-7", br#"{"protocol": 99, "name": "\u001b[2J"}"#);
        assert!(remarks.try_recv().is_err());
        workers.hear("lab-9", &announcement(|_| ()));
        let remark = remarks.try_recv().unwrap();
        assert!(remark.contains("lab-9: it calls itself lab-7"), "{remark}");
    }

    #[test]
    fn refused_results_are_named_once_and_counted() {
        let home = tempfile::tempdir().unwrap();
        let bans = Bans::of(home.path());
        let mut workers = Workers::default();
        workers.store_bans(bans.clone()).unwrap();
        for game in 0..400 {
            workers.refuse("liar", &format!("game {game} has no end"));
        }
        workers.sum_up();
        let remarks = workers.remarks();
        assert_eq!(remarks.len(), 3, "{remarks:#?}");
        assert!(remarks[0].contains("liar: refused: game 0 has no end"));
        assert!(remarks[2].contains("400 results refused"));
        assert_eq!(bans.read().unwrap()["liar"].reason, "game 2 has no end");
        for name in 0..400 {
            workers.refuse(&format!("x{name}"), "no result");
        }
        assert_eq!(workers.remarks().len(), 3 + MOST_NAMED);

        // The organiser reinstates it during the run.
        bans.unban("liar").unwrap();
        workers.look_at_bans();
        assert!(!workers.is_banned("liar"));
        bans.ban("lab-9", "too hot").unwrap();
        workers.look_at_bans();
        assert!(workers.is_banned("lab-9"));
        assert!(workers.remarks().concat().contains("banned: too hot"));
    }
}
