//! Moves that are not the best: searched once the best one is known, from the same table.

use floe_rules::Position;

use super::{AlphaBeta, Found, INFINITY, Root};
use crate::Evaluate;
use crate::lines::BestValues;
use crate::sort::by_number;

impl<P: Position, E: Evaluate<P>> AlphaBeta<P, E> {
    /// The `top` best of the moves that are not the best, and the depth of their search: up to
    /// `deepest`, or as far as the budget allows.
    pub(super) fn others(
        &mut self,
        mut roots: Vec<Root<P::Move>>,
        deepest: u32,
        top: usize,
        values: &BestValues,
    ) -> (Vec<Root<P::Move>>, u32) {
        roots.iter_mut().for_each(|root| root.found = None);
        let mut done = 0;
        while done < deepest && self.budget.allows_depth(done + 1) {
            let ceiling = values.at(done + 1);
            let Some(proven) = self.pass_others(&mut roots, done + 1, top, ceiling) else {
                break;
            };
            done += 1;
            if proven {
                break;
            }
        }
        roots.retain(|root| root.found.is_some());
        roots.truncate(top);
        for found in roots.iter_mut().filter_map(|root| root.found.as_mut()) {
            (found.value, found.proven) = values.compare(done, found.value, found.proven);
        }
        (roots, done)
    }

    /// Searches moves that are not the best to one depth, and sorts the `top` best of them first.
    /// Returns whether all is proven, or `None`, with nothing changed, if the budget ended.
    fn pass_others(
        &mut self,
        roots: &mut [Root<P::Move>],
        depth: u32,
        top: usize,
        ceiling: i32,
    ) -> Option<bool> {
        let mut tried = roots.to_vec();
        // Values of those found, the largest first.
        let mut values: Vec<i32> = Vec::new();
        let mut proven = true;
        for (i, root) in tried.iter_mut().enumerate() {
            let floor = values.get(top - 1).copied().unwrap_or(-INFINITY);
            let beta = ceiling.saturating_add(1);
            if floor >= ceiling {
                // Enough moves are as good as the best.
                root.found = None;
                continue;
            }
            let mut found = self.try_move(0, root.mv, depth, floor, beta, i >= top)?;
            if found.value > ceiling {
                found = Found {
                    value: ceiling,
                    proven: false,
                };
            }
            proven &= found.proven;
            root.found = (found.value > floor).then_some(found);
            if root.found.is_some() {
                let place = values.partition_point(|&value| value >= found.value);
                values.insert(place, found.value);
            }
        }
        by_number(&mut tried, Root::number);
        roots.copy_from_slice(&tried);
        Some(proven)
    }
}
