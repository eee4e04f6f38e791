use std::path::Path;

use floe_arena::store::{Followed, Store, StoreError};

use super::table::{Counted, LadderTable, remote_store};
use crate::folder::{League, LeagueError};

/// A ladder, or the games with remote programs, opened read-only while this or another process may
/// play them.
#[derive(Debug)]
pub struct LadderWatch {
    league: League,
    store: Store,
    /// Whether it covers only the games with remote programs.
    is_remote: bool,
    /// The store of games with remote programs, if they count in the ladder and exist.
    remote: Option<Store>,
    counted: Counted,
    /// The journal's revision at the last read.
    revision: u64,
}

impl LadderWatch {
    /// Opens the games of a ladder read-only; their file must exist.
    pub fn open(league: &League) -> Result<LadderWatch, LeagueError> {
        LadderWatch::open_at(league, &league.ladder_file(), false)
    }

    /// Opens the games with remote programs read-only; their file must exist. They have separate
    /// standings, however else they are rated.
    pub fn open_remote(league: &League) -> Result<LadderWatch, LeagueError> {
        LadderWatch::open_at(league, &league.remote_file(), true)
    }

    fn open_at(
        league: &League,
        records: &Path,
        is_remote: bool,
    ) -> Result<LadderWatch, LeagueError> {
        let store = Store::open_read_only(records).map_err(|e| refused(&e))?;
        let mut watch = LadderWatch {
            league: league.clone(),
            store,
            is_remote,
            remote: None,
            counted: Counted::new(league.description().table),
            revision: 0,
        };
        watch.follow()?;
        Ok(watch)
    }

    /// Adds the games since it was opened or last called, and reads nothing else.
    pub fn follow(&mut self) -> Result<Followed, LeagueError> {
        let revision = self.league.revision()?;
        let has_news = revision != self.revision;
        if has_news {
            self.revision = revision;
        }
        // A version of the ladder need not have met a remote program.
        if has_news && !self.is_remote {
            let counted = &mut self.counted;
            self.league.look(|standing| counted.enter_all(standing))?;
        }
        let mut games = Vec::new();
        let followed = self.store.follow(|game| games.push(game));
        for game in &games {
            self.counted.add_of(self.store.entrants(), game);
        }
        Ok(
            match (followed.map_err(|e| refused(&e))?, self.follow_remote()?) {
                (Followed::Same, Followed::Same) if has_news => Followed::Grown,
                (Followed::Same, remote) => remote,
                (ladder, _) => ladder,
            },
        )
    }

    fn follow_remote(&mut self) -> Result<Followed, LeagueError> {
        if self.remote.is_none() && !self.is_remote {
            self.remote = remote_store(&self.league).map_err(|e| refused(&e))?;
        }
        let Some(store) = &mut self.remote else {
            return Ok(Followed::Same);
        };
        let mut games = Vec::new();
        let followed = store
            .follow(|game| games.push(game))
            .map_err(|e| refused(&e))?;
        for game in games {
            self.counted.add_remote_game(store.entrants(), game);
        }
        Ok(followed)
    }

    /// The games.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The table, as [`LadderTable::open_read_only`] has it.
    pub fn table(&self) -> Result<LadderTable, LeagueError> {
        let description = self.league.description();
        (self.league).look(|standing| self.counted.table(description, standing))
    }
}

fn refused(error: &StoreError) -> LeagueError {
    LeagueError::Refused(error.to_string())
}
