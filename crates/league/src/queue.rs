//! The queue of versions to be judged, and the waiting times.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::state::LeagueState;
use crate::versions::VersionId;

/// A version's place in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuePlace {
    /// The version's place in the queue, from 1.
    pub place: usize,
    /// Number of waiting versions.
    pub waiting: usize,
    /// Estimated seconds until the version's turn, by the latest verdicts; `None` before the first
    /// verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about_s: Option<u64>,
}

impl LeagueState {
    /// The waiting versions, in the order in which they are judged, without those `under_way`.
    ///
    /// First come versions with the fewest machine failures (`failed`), then those of entrants with
    /// none in progress, then those of the entrant with the oldest verdict, so that an entrant who
    /// sends many versions delays no other; among these, the first sent. Entrants take turns: each
    /// version an entrant has before another one in the queue counts as a verdict.
    pub fn queue(
        &self,
        under_way: &BTreeSet<VersionId>,
        failed: impl Fn(&VersionId) -> u32,
    ) -> Vec<&VersionId> {
        let last_verdict = |entrant: &str| {
            let versions = self.versions.of(entrant).iter();
            versions.filter_map(|version| version.verdict).max()
        };
        let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
        for id in under_way {
            *turns.entry(&id.entrant).or_default() += 1;
        }
        let waiting = self.waiting.iter().enumerate();
        let waiting = waiting.filter(|(_, id)| !under_way.contains(id));
        let mut keyed: Vec<_> = waiting
            .map(|(place, id)| {
                let turn = turns.entry(&id.entrant).or_default();
                *turn += 1;
                ((failed(id), *turn, last_verdict(&id.entrant), place), id)
            })
            .collect();
        keyed.sort_unstable_by_key(|(key, _)| *key);
        keyed.into_iter().map(|(_, id)| id).collect()
    }

    /// The version to judge next.
    pub fn next_to_judge(&self, failed: impl Fn(&VersionId) -> u32) -> Option<&VersionId> {
        self.queue(&BTreeSet::new(), failed).into_iter().next()
    }

    /// A version's place in the queue of `judges` judges; `None` if it does not wait.
    pub fn queue_place(
        &self,
        id: &VersionId,
        under_way: &BTreeSet<VersionId>,
        judges: usize,
    ) -> Option<QueuePlace> {
        let queue = self.queue(under_way, |_| 0);
        let before = queue.iter().position(|waiting| *waiting == id)?;
        let mut recent: Vec<u64> = self.recent_ms.iter().copied().collect();
        recent.sort_unstable();
        let median = recent.get(recent.len() / 2);
        let judges = judges.max(1) as u64;
        // Versions being judged are half done, on average.
        let halves = 2 * before as u64 + under_way.len() as u64;
        Some(QueuePlace {
            place: before + 1,
            waiting: queue.len(),
            about_s: median.map(|median| (median * halves / (2 * judges)).div_ceil(1000)),
        })
    }
}

impl QueuePlace {
    /// A sentence about a waiting version.
    pub fn text(&self, id: &VersionId) -> String {
        let place = match (self.place, self.waiting) {
            (1, _) => "first in the queue".to_owned(),
            (place, waiting) => format!("place {place} of {waiting} in the queue"),
        };
        match self.about_s {
            None => format!("{id} waits, {place}"),
            Some(s) => format!("{id} waits, {place}; about {s} s until its turn"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Entry, Event, Judgement};
    use crate::journal::PlacedEntry;

    /// A league in which these versions were sent, in this order.
    fn sent(ids: &[&str]) -> LeagueState {
        let mut standing = LeagueState::default();
        for (place, id) in ids.iter().enumerate() {
            let version: VersionId = id.parse().unwrap();
            let event = Event::Submitted {
                by: version.entrant.clone(),
                version,
                file: "bot.c".to_owned(),
                sha256: String::new(),
                bytes: 1,
                word: None,
                protocol: None,
                main: None,
            };
            apply(&mut standing, place as u64, event);
        }
        standing
    }

    fn apply(standing: &mut LeagueState, place: u64, event: Event) {
        let entry = Entry { at: 0, event };
        standing.apply(&PlacedEntry { place, entry });
    }

    fn judged(standing: &mut LeagueState, place: u64, id: &str, took_ms: u64) {
        let event = Event::Judged {
            version: id.parse().unwrap(),
            verdict: Judgement::Accepted,
            why: String::new(),
            seat: Some("./bot".to_owned()),
            log: String::new(),
            took_ms: Some(took_ms),
            report: None,
        };
        apply(standing, place, event);
    }

    fn order(standing: &LeagueState, under_way: &[&str]) -> Vec<String> {
        let under_way = under_way.iter().map(|id| id.parse().unwrap()).collect();
        let queue = standing.queue(&under_way, |_| 0);
        queue.into_iter().map(ToString::to_string).collect()
    }

    #[test]
    fn entrants_take_turns() {
        let sent_ids = ["a#1", "a#2", "a#3", "b#1", "c#1", "b#2"];
        let mut standing = sent(&sent_ids);
        let turns = ["a#1", "b#1", "c#1", "a#2", "b#2", "a#3"];
        assert_eq!(order(&standing, &[]), turns);
        // While one of an entrant is judged, the others come first.
        let rest = ["b#1", "c#1", "a#2", "b#2", "a#3"];
        assert_eq!(order(&standing, &["a#1"]), rest);
        judged(&mut standing, 100, "a#1", 2000);
        assert_eq!(order(&standing, &[]), rest);
    }

    #[test]
    fn a_place_comes_with_an_estimate_once_there_were_verdicts() {
        let mut standing = sent(&["a#1", "b#1", "c#1", "d#1", "e#1"]);
        let nobody = BTreeSet::new();
        let id: VersionId = "e#1".parse().unwrap();
        let place = standing.queue_place(&id, &nobody, 2).unwrap();
        assert_eq!((place.place, place.waiting, place.about_s), (5, 5, None));
        judged(&mut standing, 100, "a#1", 4000);
        let under_way = BTreeSet::from(["b#1".parse().unwrap(), "c#1".parse().unwrap()]);
        let place = standing.queue_place(&id, &under_way, 2).unwrap();
        // One before it and two that are half done, 4 s each, by two judges.
        assert_eq!((place.place, place.waiting, place.about_s), (2, 2, Some(4)));
        assert_eq!(
            place.text(&id),
            "e#1 waits, place 2 of 2 in the queue; about 4 s until its turn"
        );
        let gone: VersionId = "a#1".parse().unwrap();
        assert_eq!(standing.queue_place(&gone, &nobody, 2), None);
    }
}
