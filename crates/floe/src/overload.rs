//! The remark on games during which the machine was overloaded.

use std::path::Path;

use anyhow::Result;
use floe_arena::store::{Filter, GameSummary, Store};
use floe_games::record::Overload;

use crate::quoting::shown;
use crate::terminal::{COMMAND, REMARK};

/// The games of a contest during which the machine was overloaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OverloadedGames {
    /// Number of all games.
    games: u64,
    /// Games with overload.
    pub(crate) overloaded: u64,
    /// The largest overload of any game.
    worst: Overload,
}

impl OverloadedGames {
    /// The overloaded games of a store.
    pub(crate) fn of(store: &Store) -> Result<OverloadedGames> {
        let mut found = OverloadedGames::default();
        let filter = Filter {
            overloaded: true,
            ..Filter::default()
        };
        store.each(&filter, |game| found.add(&game))?;
        found.games = store.games()?;
        Ok(found)
    }

    pub(crate) fn add(&mut self, game: &GameSummary) {
        self.games += 1;
        if let Some(overload) = game.overload {
            let worst = &mut self.worst;
            worst.pressure_percent = worst.pressure_percent.max(overload.pressure_percent);
            worst.steal_percent = worst.steal_percent.max(overload.steal_percent);
            self.overloaded += 1;
        }
    }

    /// The remark, with advice; `None` if there are no such games.
    pub(crate) fn warning(&self, file: Option<&Path>) -> Option<String> {
        if self.overloaded == 0 {
            return None;
        }
        let (games, overloaded) = (self.games, self.overloaded);
        let Overload {
            pressure_percent: waiting,
            steal_percent: stolen,
        } = self.worst;
        let waited = format!("processes waited for a core up to {waiting} % of the time");
        let taken = format!("other guests of the host took up to {stolen} %");
        let load = match (waiting, stolen) {
            (0, _) => taken,
            (_, 0) => waited,
            _ => format!("{waited}, and {taken}"),
        };
        let list = file.map_or(String::new(), |file| {
            let file = shown(file);
            format!("; list these games with {COMMAND}floe games {file} --overloaded{COMMAND:#}")
        });
        Some(format!(
            "{REMARK}warning:{REMARK:#} the machine was overloaded during {overloaded} of {games} games: \
             {load}.\nTimes and time-outs in these games say little: end \
             other work, or play fewer games at once with {COMMAND}--concurrency N{COMMAND:#}{list}"
        ))
    }
}
