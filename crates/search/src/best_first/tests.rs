//! The tree on a game whose every end is known.

use super::*;
use floe_rules::key::mix;

/// A game of so many moves, three to choose from, with random scores at its ends.
struct Toy {
    path: Vec<u32>,
    length: usize,
}

impl Toy {
    fn scores(&self) -> [i32; 3] {
        let key = (self.path.iter()).fold(7, |key, &step| mix(key ^ u64::from(step + 1)));
        [0, 1, 2].map(|seat| (mix(key ^ seat) % 1000) as i32)
    }

    /// The scores if every seat plays for its own result.
    fn solve(&mut self) -> [i32; 3] {
        let Some(mover) = self.turn() else {
            return self.scores();
        };
        let mut best: Option<[i32; 3]> = None;
        for step in 0..3 {
            self.path.push(step);
            let scores = self.solve();
            self.path.pop();
            let worth = |scores: &[i32; 3]| result(scores, mover, STYLE.half_lead);
            if best.is_none_or(|best| worth(&scores) > worth(&best)) {
                best = Some(scores);
            }
        }
        best.expect("there are moves")
    }
}

impl Ground for Toy {
    fn seats(&self) -> usize {
        3
    }

    fn turn(&self) -> Option<usize> {
        (self.path.len() < self.length).then_some(self.path.len() % 3)
    }

    fn list(&mut self, _: bool, into: &mut Vec<u32>) -> bool {
        into.clear();
        into.extend(0..3);
        true
    }

    fn slot(&self, step: u32) -> usize {
        step as usize
    }

    fn slots(&self) -> usize {
        3
    }

    fn make(&mut self, step: u32) {
        self.path.push(step);
    }

    fn unmake(&mut self) {
        self.path.pop();
    }

    fn judge(&mut self, _: &mut Budget, scores: &mut [i32]) -> bool {
        scores.copy_from_slice(&self.scores());
        self.turn().is_none()
    }
}

const STYLE: Style = Style {
    half_lead: 300.0,
    half_share: 100.0,
    explore: 0.6,
    best_line: 0.5,
    width: 2,
};

/// The best moves within these limits, whether all is known, and the nodes that took.
fn think(length: usize, limits: &Limits) -> (Vec<Expected>, bool, u64) {
    let mut toy = Toy {
        path: Vec::new(),
        length,
    };
    let mut budget = Budget::new(limits);
    let mut tree = BestFirst::new(&mut toy, &mut budget, STYLE);
    tree.grow(limits, false);
    let (best, is_known) = (tree.best(3), tree.is_known());
    assert!(toy.path.is_empty(), "every move is undone");
    (best, is_known, budget.nodes())
}

#[test]
fn a_whole_tree_has_the_scores_of_max_n() {
    for length in 1..7 {
        let (best, is_known, _) = think(length, &Limits::nodes(1_000_000));
        assert!(is_known);
        let mut toy = Toy {
            path: Vec::new(),
            length,
        };
        assert_eq!(best[0].scores, toy.solve(), "{length} moves");
        assert_eq!(best.len(), 3);
    }
}

#[test]
fn the_nodes_of_the_limit_are_spent_to_the_last() {
    for nodes in [0, 1, 2, 3, 4, 50, 1000] {
        let (best, is_known, spent) = think(40, &Limits::nodes(nodes));
        assert_eq!(spent, nodes);
        assert!(!is_known && !best.is_empty());
    }
}

#[test]
fn the_same_nodes_grow_the_same_tree() {
    let lines = |(best, ..): (Vec<Expected>, bool, u64)| -> Vec<_> {
        best.into_iter().map(|one| (one.line, one.scores)).collect()
    };
    let limits = Limits::nodes(5000);
    assert_eq!(lines(think(40, &limits)), lines(think(40, &limits)));
}

#[test]
fn no_line_is_longer_than_the_depth() {
    for depth in 1..4 {
        let limits = Limits {
            nodes: Some(3000),
            ..Limits::depth(depth)
        };
        let (best, ..) = think(40, &limits);
        assert!(best.iter().all(|one| one.line.len() <= depth as usize));
    }
}
