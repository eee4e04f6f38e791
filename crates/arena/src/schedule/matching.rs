//! The largest matching in a graph, grown from one that is already there.
//!
//! A search from a single vertex looks for a path that alternates between edges outside and
//! inside the matching and ends at another single vertex; swapping the edges along it adds a
//! pair. Cycles of odd length are drawn together to one vertex while searching (Edmonds'
//! blossoms). Vertices are tried in order, so an early, well-liked pair is broken up only where
//! the matching grows by it.

use std::collections::VecDeque;

/// Grows `mate` until the matching is maximum; `likes[v]` are the allowed partners of `v`, best
/// first. O(v³) at worst; O(v²) for each pair that is missing at the start.
pub(super) fn complete(likes: &[Vec<usize>], mate: &mut [Option<usize>]) {
    for start in 0..mate.len() {
        if mate[start].is_none() {
            Search::new(likes, mate).grow(start);
        }
    }
}

struct Search<'a> {
    likes: &'a [Vec<usize>],
    mate: &'a mut [Option<usize>],
    /// The vertex from which a matched vertex was reached.
    parent: Vec<Option<usize>>,
    /// The vertex a blossom is drawn together to.
    base: Vec<usize>,
    outer: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(likes: &'a [Vec<usize>], mate: &'a mut [Option<usize>]) -> Self {
        let n = mate.len();
        Search {
            likes,
            mate,
            parent: vec![None; n],
            base: (0..n).collect(),
            outer: vec![false; n],
        }
    }

    fn grow(mut self, start: usize) {
        self.outer[start] = true;
        let mut queue = VecDeque::from([start]);
        let likes = self.likes;
        while let Some(at) = queue.pop_front() {
            for &to in &likes[at] {
                if self.base[at] == self.base[to] || self.mate[at] == Some(to) {
                    continue;
                }
                let closes_cycle =
                    to == start || self.mate[to].is_some_and(|mate| self.parent[mate].is_some());
                if closes_cycle {
                    self.contract(at, to, &mut queue);
                } else if self.parent[to].is_none() {
                    self.parent[to] = Some(at);
                    match self.mate[to] {
                        None => return self.swap_along(to),
                        Some(mate) => {
                            self.outer[mate] = true;
                            queue.push_back(mate);
                        }
                    }
                }
            }
        }
    }

    fn swap_along(&mut self, end: usize) {
        let mut at = Some(end);
        while let Some(inner) = at {
            let Some(outer) = self.parent[inner] else {
                return;
            };
            at = self.mate[outer];
            self.mate[inner] = Some(outer);
            self.mate[outer] = Some(inner);
        }
    }

    fn contract(&mut self, one: usize, other: usize, queue: &mut VecDeque<usize>) {
        let base = self.common_base(one, other);
        let mut inside = vec![false; self.mate.len()];
        self.mark(one, base, other, &mut inside);
        self.mark(other, base, one, &mut inside);
        for v in 0..self.mate.len() {
            if inside[self.base[v]] {
                self.base[v] = base;
                if !self.outer[v] {
                    self.outer[v] = true;
                    queue.push_back(v);
                }
            }
        }
    }

    fn mark(&mut self, mut at: usize, base: usize, mut child: usize, inside: &mut [bool]) {
        while self.base[at] != base {
            let Some(mate) = self.mate[at] else { return };
            inside[self.base[at]] = true;
            inside[self.base[mate]] = true;
            self.parent[at] = Some(child);
            child = mate;
            let Some(up) = self.parent[mate] else { return };
            at = up;
        }
    }

    fn common_base(&self, one: usize, other: usize) -> usize {
        let up = |at: usize| self.mate[at].and_then(|mate| self.parent[mate]);
        let mut passed = vec![false; self.mate.len()];
        let mut at = Some(one);
        while let Some(v) = at {
            let base = self.base[v];
            passed[base] = true;
            at = up(base);
        }
        let mut base = self.base[other];
        while !passed[base] {
            match up(base) {
                Some(v) => base = self.base[v],
                None => break,
            }
        }
        base
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The size of the largest matching, by trying everything.
    fn largest(edges: &[Vec<bool>], free: u32) -> usize {
        if free == 0 {
            return 0;
        }
        let v = free.trailing_zeros() as usize;
        let rest = free & !(1 << v);
        let mut best = largest(edges, rest);
        for to in 0..edges.len() {
            if rest >> to & 1 == 1 && edges[v][to] {
                best = best.max(1 + largest(edges, rest & !(1 << to)));
            }
        }
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn no_larger_matching_exists(
            n in 1usize..9,
            bits in proptest::collection::vec(0u8..10, 64),
            density in 1u8..9,
            greedy: bool,
        ) {
            let edges: Vec<Vec<bool>> = (0..n)
                .map(|a| (0..n).map(|b| a != b && bits[a.min(b) * 8 + a.max(b) - 1] < density).collect())
                .collect();
            let likes: Vec<Vec<usize>> =
                edges.iter().map(|row| (0..n).filter(|&b| row[b]).collect()).collect();
            let mut mate = vec![None; n];
            if greedy {
                for a in 0..n {
                    let free = likes[a].iter().copied().find(|&b| mate[b].is_none());
                    if let (None, Some(b)) = (mate[a], free) {
                        mate[a] = Some(b);
                        mate[b] = Some(a);
                    }
                }
            }
            complete(&likes, &mut mate);
            for (a, &b) in mate.iter().enumerate() {
                if let Some(b) = b {
                    prop_assert!(edges[a][b]);
                    prop_assert_eq!(mate[b], Some(a));
                }
            }
            let pairs = mate.iter().flatten().count() / 2;
            prop_assert_eq!(pairs, largest(&edges, (1 << n) - 1));
        }
    }
}
