//! Several organisers on one server: who may have how many games out.
//!
//! Every organiser announces what it wants. Those of a higher priority come first; those of the same
//! priority share by weight what is left, and what one does not need goes to the others. All of them
//! calculate it alike, so no one has to decide.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::wire::RunNews;

/// Interval of an organiser's announcements.
pub(super) const ANNOUNCED_EVERY: Duration = Duration::from_secs(1);
/// Silence after which an organiser counts as gone.
const GONE: Duration = Duration::from_secs(5);

/// The announcements of other organisers.
#[derive(Debug, Default)]
pub(super) struct Shares {
    others: BTreeMap<String, (RunNews, Instant)>,
    change: Change,
}

/// What other organisers' announcements have changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    #[default]
    None,
    /// A known run needs something else, or nothing any more.
    Needs,
    /// An unknown run was announced, whose organiser may not know this one.
    Newcomer,
}

/// A run's share of the workers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Share {
    /// Concurrent games; may be a fraction.
    pub(super) tables: f64,
    /// Whether no other run wants the workers.
    pub(super) is_alone: bool,
    /// The name of a run with higher priority that needs all workers, if there is one.
    pub(super) gives_way_to: Option<String>,
}

impl Shares {
    /// Records the announcement of another organiser.
    pub(super) fn hear(&mut self, news: RunNews) {
        let needs = |news: &RunNews| (news.priority, news.weight, news.wants);
        let known = self.others.get(&news.run);
        let change = match known.map(|(known, _)| needs(known)) {
            None if news.wants == 0 => Change::None,
            None => Change::Newcomer,
            Some(known) if known == needs(&news) => Change::None,
            Some(_) => Change::Needs,
        };
        self.change = self.change.max(change);
        match news.wants {
            0 => {
                self.others.remove(&news.run);
            }
            _ => {
                self.others.insert(news.run.clone(), (news, Instant::now()));
            }
        }
    }

    /// The largest change since the last call.
    pub(super) fn take_change(&mut self) -> Change {
        std::mem::take(&mut self.change)
    }

    /// A run's share of this many concurrent games.
    pub(super) fn of(&self, own: &RunNews, tables: usize) -> Share {
        let others = self.others.values();
        let others = others.filter(|(_, when)| when.elapsed() < GONE);
        let others: Vec<&RunNews> = others.map(|(news, _)| news).collect();
        share(own, &others, tables as f64)
    }
}

fn share(own: &RunNews, others: &[&RunNews], tables: f64) -> Share {
    let above = others.iter().filter(|one| one.priority > own.priority);
    let above: Vec<&&RunNews> = above.collect();
    let taken: f64 = above.iter().map(|one| one.wants as f64).sum();
    let left = (tables - taken).max(0.0);
    let first = above.iter().max_by_key(|one| one.priority);
    let beside = others.iter().filter(|one| one.priority == own.priority);
    let mut beside: Vec<(f64, f64)> = beside.map(|one| (one.wants as f64, one.weight())).collect();
    Share {
        tables: fair_part(left, own.weight(), &mut beside),
        is_alone: others.is_empty(),
        gives_way_to: first.filter(|_| left <= 0.0).map(|one| one.name.clone()),
    }
}

/// The share of a run that can use everything, next to other runs with these needs and weights:
/// what they do not need is divided again.
fn fair_part(left: f64, weight: f64, others: &mut Vec<(f64, f64)>) -> f64 {
    let mut left = left;
    loop {
        let weights = weight + others.iter().map(|(_, weight)| weight).sum::<f64>();
        let before = others.len();
        let mut given = 0.0;
        others.retain(|(wants, weight)| {
            let is_content = *wants < left * weight / weights;
            given += if is_content { *wants } else { 0.0 };
            !is_content
        });
        left -= given;
        if others.len() == before {
            return left * weight / weights;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(run: &str, priority: u8, weight: u32, wants: usize) -> RunNews {
        RunNews {
            run: run.into(),
            name: run.into(),
            priority,
            weight,
            wants,
            ..RunNews::default()
        }
    }

    fn tables(own: &RunNews, others: &[RunNews]) -> f64 {
        share(own, &others.iter().collect::<Vec<_>>(), 12.0).tables
    }

    #[test]
    fn priority_comes_before_weight() {
        let ladder = news("ladder", 1, 9, 100);
        assert_eq!(tables(&ladder, &[]), 12.0);
        let finals = news("finals", 2, 1, 8);
        assert_eq!(tables(&ladder, std::slice::from_ref(&finals)), 4.0);
        assert_eq!(tables(&finals, std::slice::from_ref(&ladder)), 12.0);
        let finals = news("finals", 2, 1, 100);
        let share = share(&ladder, &[&finals], 12.0);
        assert_eq!(share.tables, 0.0);
        assert_eq!(share.gives_way_to.as_deref(), Some("finals"));
    }

    #[test]
    fn weights_share_and_what_is_not_needed_goes_to_others() {
        let own = news("a", 1, 2, 100);
        assert_eq!(tables(&own, &[news("b", 1, 1, 100)]), 8.0);
        assert_eq!(tables(&own, &[news("b", 1, 1, 3)]), 9.0);
        let others = [
            news("b", 1, 1, 1),
            news("c", 1, 1, 100),
            news("d", 0, 9, 100),
        ];
        assert!((tables(&own, &others) - 11.0 * 2.0 / 3.0).abs() < 1e-9);
        // All parts together are all tables.
        let all = [
            news("a", 1, 3, 100),
            news("b", 1, 2, 2),
            news("c", 1, 1, 100),
        ];
        let parts = [0, 2].map(|at| {
            let others: Vec<RunNews> = all.iter().filter(|one| **one != all[at]).cloned().collect();
            tables(&all[at], &others)
        });
        assert!((parts.iter().sum::<f64>() - 10.0).abs() < 1e-9);
    }

    #[test]
    fn an_organiser_that_is_gone_wants_nothing() {
        let mut shares = Shares::default();
        let own = news("a", 1, 1, 100);
        shares.hear(news("b", 2, 1, 100));
        assert_eq!(shares.of(&own, 4).tables, 0.0);
        shares.hear(news("b", 2, 1, 0));
        let share = shares.of(&own, 4);
        assert!(share.is_alone && share.tables == 4.0);
        shares.hear(news("b", 2, 1, 100));
        if let Some(long_ago) = Instant::now().checked_sub(GONE) {
            shares.others.get_mut("b").unwrap().1 = long_ago;
            assert_eq!(shares.of(&own, 4).tables, 4.0);
        }
    }

    #[test]
    fn an_announcement_changes_something_if_it_is_new() {
        let mut shares = Shares::default();
        let mut change = |news: RunNews| {
            shares.hear(news);
            shares.take_change()
        };
        assert_eq!(change(news("b", 1, 1, 0)), Change::None);
        assert_eq!(change(news("b", 1, 1, 9)), Change::Newcomer);
        assert_eq!(change(news("b", 1, 1, 9)), Change::None);
        assert_eq!(change(news("b", 1, 2, 9)), Change::Needs);
        assert_eq!(change(news("b", 1, 2, 0)), Change::Needs);
        shares.hear(news("c", 1, 1, 9));
        shares.hear(news("c", 1, 1, 8));
        assert_eq!(shares.take_change(), Change::Newcomer);
        assert_eq!(shares.take_change(), Change::None);
    }
}
