//! The number of batches for this run next to other runs on the same workers.

use std::collections::HashSet;
use std::time::Instant;

use super::super::game_feed::Left;
use super::super::shares::{ANNOUNCED_EVERY, Change, Share};
use super::{LEAST_OUT, MOST_OUT, Run, tables_of};

/// This run's share of the workers.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    share: Option<Share>,
    /// When this run was last announced.
    announced: Option<Instant>,
}

impl Run<'_, '_> {
    /// Announces this run's needs at intervals and to newcomers, and adapts its share to the needs of
    /// others at once: many quick games could be played before the next announcement.
    pub(super) fn look_at_shares(&mut self) {
        let announced = self.sharing.announced;
        let is_due = announced.is_none_or(|when| when.elapsed() >= ANNOUNCED_EVERY);
        let organiser = self.organiser;
        let change = organiser.shares.lock().take_change();
        if !is_due && change == Change::None {
            return;
        }
        let news = organiser.news(self.wants());
        if is_due || change == Change::Newcomer {
            organiser.announce_run(&news);
            self.sharing.announced = Some(Instant::now());
        }
        let tables = self.tables();
        let share = organiser.shares.lock().of(&news, tables);
        if let Some(name) = &share.gives_way_to {
            let remark = format!("waiting for {name}, which has a higher priority");
            organiser.workers.lock().remark(remark);
            for key in self.batches.untaken() {
                organiser.withdraw(&key);
                self.batches.let_rest(&key);
            }
        }
        self.sharing.share = Some(share);
    }

    /// Most batches in the cluster.
    pub(super) fn window(&self, tables: usize) -> usize {
        let all = (tables * 2).clamp(LEAST_OUT, MOST_OUT);
        match &self.sharing.share {
            Some(share) if share.gives_way_to.is_some() => 0,
            Some(share) if !share.is_alone => {
                // More batches if there are few concurrent games, so that weights have an effect.
                let all = all.max(2 * LEAST_OUT) as f64;
                ((all * share.tables / tables.max(1) as f64).round() as usize).max(1)
            }
            _ => all,
        }
    }

    /// Concurrent games that this run could use now, on workers that may play them.
    fn wants(&mut self) -> usize {
        let seats = self.organiser.runner.boards.players().unwrap_or(2).max(1);
        let out = self.batches.out.len();
        let wanted = match self.feed.left() {
            _ if self.feed.is_over => out,
            Left::Games(games) => out + usize::try_from(games / u64::from(seats)).unwrap_or(out),
            Left::Many => usize::MAX,
            Left::OneByOne => out + 1,
        };
        let Some(asked) = self.batches.asked.values().next() else {
            return wanted.min(self.tables());
        };
        let able: HashSet<String> = self
            .able(&[asked.job(&self.organiser.runner)])
            .into_iter()
            .collect();
        let workers = self.organiser.workers.lock();
        let able = workers
            .at_work()
            .filter(|worker| able.contains(&worker.name));
        wanted.min(able.map(|worker| tables_of(worker, seats)).sum())
    }
}
