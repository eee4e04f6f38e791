//! Takes a worker's games out of a tournament, with all that followed from them.

use std::collections::HashSet;
use std::fs;

use super::counting::seats;
use super::plan::Plan;
use super::{Description, Tournament, TournamentError};
use crate::journal::take_out;
use crate::store::{Filter, Store, StoreError, TakenOut, is_of_worker, number, take_out_games};

impl Tournament {
    /// The same tournament without the games of a worker, even for readers; see
    /// [`Tournament::take_out_games_of`] and, for the final state, [`Tournament::open`].
    pub fn without_games_of(
        self,
        worker: &str,
        accept_changes: bool,
    ) -> Result<(Tournament, TakenOut), TournamentError> {
        let Tournament {
            description,
            store,
            live,
            ..
        } = self;
        drop(store);
        let taken = Tournament::take_out_games_of(&description, worker)?;
        let tournament = Tournament {
            live,
            ..Tournament::open(description, accept_changes)?
        };
        Ok((tournament, taken))
    }

    /// Moves a cluster worker's games out of the records. If rounds depend on results, it also
    /// moves the games drawn from them, since their players are then unknown. After a crash, the
    /// file is unchanged or complete. No process may be playing.
    pub fn take_out_games_of(
        description: &Description,
        worker: &str,
    ) -> Result<TakenOut, TournamentError> {
        let plan = Plan::new(description)?;
        let followed = match plan.needs_results() {
            true => Tournament::drawn_by(description, plan, worker)?,
            false => HashSet::new(),
        };
        let taken = take_out_games(&description.records, |record| {
            let number = number(&record.opening.id).ok();
            is_of_worker(record, worker) || number.is_some_and(|it| followed.contains(&it))
        });
        Ok(taken?)
    }

    /// The numbers of the games that are in no plan once a worker's games are missing.
    fn drawn_by(
        description: &Description,
        plan: Plan,
        worker: &str,
    ) -> Result<HashSet<u64>, TournamentError> {
        let fail = |cause| StoreError::File {
            path: description.records.clone(),
            cause,
        };
        let folder = tempfile::tempdir().map_err(fail)?;
        let rest = folder.path().join("rest.jsonl");
        fs::copy(&description.records, &rest).map_err(fail)?;
        let aside = folder.path().join("aside.jsonl");
        take_out(&rest, &aside, |record| is_of_worker(record, worker)).map_err(fail)?;
        let rest = Tournament::new(description.clone(), plan, Store::in_memory(&rest)?)?;
        let drawn = rest.plan.drawn(&rest.units);
        let mut misfits = HashSet::new();
        rest.store.each(&Filter::default(), |game| {
            if drawn.get(&game.number) != Some(&seats(&game, &rest.numbers)) {
                misfits.insert(game.number);
            }
        })?;
        Ok(misfits)
    }
}
