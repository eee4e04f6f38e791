//! Games that workers failed to play: other workers try before a game counts as failed.

use std::collections::{BTreeSet, HashMap};

/// A game fails after this many failures, each by another worker if there are enough.
const MOST_FAILURES: usize = 4;

/// Workers that failed each game.
#[derive(Debug, Default)]
pub(super) struct FailureLog {
    /// Failing workers by game number, in the order of their failures.
    failed: HashMap<u64, Vec<String>>,
}

impl FailureLog {
    /// Notes that a worker failed to play a game.
    pub(super) fn note(&mut self, number: u64, worker: &str) {
        let failed = self.failed.entry(number).or_default();
        failed.push(worker.to_owned());
    }

    /// Whether a game should not be retried: it failed several times, and not only on one machine
    /// while others could play it.
    pub(super) fn is_hopeless(&self, number: u64, able: &[String]) -> bool {
        let Some(failed) = self.failed.get(&number) else {
            return false;
        };
        let tried: BTreeSet<&String> = failed.iter().collect();
        let has_others = able.iter().any(|worker| !tried.contains(worker));
        failed.len() >= MOST_FAILURES && (tried.len() >= MOST_FAILURES || !has_others)
    }

    /// The able workers that must not play a batch: those that failed one of its games. If all did,
    /// only the last one; a single worker tries again.
    pub(super) fn who_may_not(&self, numbers: &[u64], able: &[String]) -> Vec<String> {
        let failed = numbers.iter().filter_map(|number| self.failed.get(number));
        let failed: Vec<&String> = failed.flatten().collect();
        let has_others = |not: &BTreeSet<String>| able.iter().any(|worker| !not.contains(worker));
        let all: BTreeSet<String> = failed.iter().copied().cloned().collect();
        let last: BTreeSet<String> = failed.last().copied().cloned().into_iter().collect();
        let not = [all, last].into_iter().find(has_others);
        not.unwrap_or_default().into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn one_worker_alone_fails_no_game_if_others_are_there() {
        let mut failure_log = FailureLog::default();
        let both = words(&["bad", "good"]);
        assert!(failure_log.who_may_not(&[1, 2], &both).is_empty());
        for _ in 0..10 {
            failure_log.note(1, "bad");
        }
        assert!(!failure_log.is_hopeless(1, &both));
        assert_eq!(failure_log.who_may_not(&[1, 2], &both), ["bad"]);
        assert!(failure_log.who_may_not(&[2], &both).is_empty());
        // Once it has failed there too, both have tried.
        failure_log.note(1, "good");
        assert!(failure_log.is_hopeless(1, &both));
        assert!(!failure_log.is_hopeless(2, &both));
    }

    #[test]
    fn a_worker_alone_tries_a_few_times() {
        let mut failure_log = FailureLog::default();
        let alone = words(&["one"]);
        for _ in 0..3 {
            failure_log.note(1, "one");
            assert!(!failure_log.is_hopeless(1, &alone));
            assert!(failure_log.who_may_not(&[1], &alone).is_empty());
        }
        failure_log.note(1, "one");
        assert!(failure_log.is_hopeless(1, &alone));
    }

    #[test]
    fn of_many_workers_some_try() {
        let mut failure_log = FailureLog::default();
        let many = words(&["a", "b", "c", "d", "e", "f"]);
        for worker in &many[..3] {
            failure_log.note(1, worker);
            assert!(!failure_log.is_hopeless(1, &many));
        }
        failure_log.note(1, "d");
        assert!(failure_log.is_hopeless(1, &many));
    }

    #[test]
    fn a_batch_in_which_everybody_failed_goes_to_another_than_the_last() {
        let mut failure_log = FailureLog::default();
        failure_log.note(1, "a");
        failure_log.note(2, "b");
        assert_eq!(failure_log.who_may_not(&[1, 2], &words(&["a", "b"])), ["b"]);
    }
}
