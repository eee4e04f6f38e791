//! Round-robin queue.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// A round-robin queue with a value per key. No operation costs more with more keys.
pub(crate) struct RoundRobin<K, V> {
    of: HashMap<K, V>,
    /// The keys in order of their turns, each key of `of` once.
    order: VecDeque<K>,
}

impl<K, V> Default for RoundRobin<K, V> {
    fn default() -> Self {
        RoundRobin {
            of: HashMap::new(),
            order: VecDeque::new(),
        }
    }
}

impl<K: Hash + Eq + Clone, V: Default> RoundRobin<K, V> {
    /// The value of this key, which from now on takes turns.
    pub(crate) fn of(&mut self, key: &K) -> &mut V {
        if !self.of.contains_key(key) {
            self.order.push_back(key.clone());
        }
        self.of.entry(key.clone()).or_default()
    }

    /// The value of this key, if it takes turns.
    pub(crate) fn find(&mut self, key: &K) -> Option<&mut V> {
        self.of.get_mut(key)
    }

    /// Takes an item of the key whose turn it is. A key without items leaves the round.
    pub(crate) fn next<T>(&mut self, take: impl Fn(&mut V) -> Option<T>) -> Option<T> {
        while let Some(key) = self.order.pop_front() {
            let taken = self.of.get_mut(&key).and_then(&take);
            if taken.is_some() {
                self.order.push_back(key);
                return taken;
            }
            self.of.remove(&key);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_turn_and_who_has_nothing_is_forgotten() {
        let mut turns: RoundRobin<&str, VecDeque<u32>> = RoundRobin::default();
        for number in [1, 2, 3] {
            turns.of(&"one").push_back(number);
        }
        turns.of(&"other").push_back(10);
        turns.of(&"idle");
        let mut next = || turns.next(VecDeque::pop_front);
        assert_eq!([next(), next(), next()], [Some(1), Some(10), Some(2)]);
        assert_eq!([next(), next()], [Some(3), None]);
        assert!(turns.of.is_empty() && turns.order.is_empty());
        // A returning key joins the round again.
        turns.of(&"one").push_back(4);
        assert_eq!(turns.next(VecDeque::pop_front), Some(4));
    }
}
