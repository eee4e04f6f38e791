//! Tournaments: described, played, stopped, gone on with, counted; and the store behind them.

mod change;
mod damage;
mod description;
mod follow;
mod history;
mod run;
mod schema;
mod store;
mod taking_out;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use floe_arena::seat::Sandbox;
use floe_arena::standings::Standings;
use floe_arena::tournament::{Description, Ended, Tournament};

/// A small tournament of engines that play alike every time.
fn small(format: &str) -> String {
    format!(
        r#"
game = "flood"
{format}

[boards]
setup = "5x4"
seed = 3
count = 2

[entrants]
hungry = "greedy:seed=1"
lucky = "random"
keen = "alphabeta:nodes=40"
dull = "random:seed=9"
slow = "alphabeta:depth=1"
"#
    )
}

/// Writes a description into a folder and opens it.
fn opened(folder: &Path, text: &str) -> Tournament {
    let file = folder.join("cup.toml");
    fs::write(&file, text).unwrap();
    let description = Description::load(&file).unwrap_or_else(|error| panic!("{error}"));
    Tournament::open(description, false).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays until so many games are done, or to the end.
fn play(tournament: &mut Tournament, tables: usize, most: u64) -> Ended {
    let runner = tournament.runner(Sandbox::none(), tables, None);
    let stop = Arc::new(AtomicBool::new(false));
    let mut games = 0;
    let ended = tournament.run(&runner, &stop, |_, _| {
        games += 1;
        if games >= most {
            stop.store(true, Ordering::Relaxed);
        }
    });
    ended.unwrap()
}

/// The table without what the clock says.
fn timeless(mut results: Standings) -> Standings {
    for row in &mut results.rows {
        row.ms_per_move = None;
        row.slowest_ms = 0.0;
        row.times = Default::default();
    }
    results
}

/// A tournament that was played without interruption.
fn whole(text: &str) -> (tempfile::TempDir, Standings) {
    let folder = tempfile::tempdir().unwrap();
    let mut tournament = opened(folder.path(), text);
    assert_eq!(play(&mut tournament, 2, u64::MAX), Ended::Finished);
    let results = timeless(tournament.standings());
    (folder, results)
}
