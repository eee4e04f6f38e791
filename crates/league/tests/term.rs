//! A term in the life of a league: forty teams of known strengths, some of them broken at first,
//! who send new versions over the weeks, while the process that plays is killed now and then.
//!
//! `cargo test -p floe-league --test term` plays a short one; the long one is run by hand:
//! `cargo test --release -p floe-league --test term -- --ignored --nocapture a_long_term`.

#![cfg(unix)]
#![allow(clippy::print_stdout, reason = "the figures of a term")]

mod leagues;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use floe_arena::standings::Row;
use floe_arena::store::MoveTimes;
use floe_league::League;
use floe_league::ladder::{LadderTable, LadderVersion, RunEnd};

use leagues::{games, league, play_up_to, submit, submit_script, table};

const TEAMS: usize = 40;
/// Engines from the weakest to the strongest.
const STRENGTHS: [&str; 6] = [
    "random",
    "greedy",
    "floe:nodes=1",
    "floe:nodes=20",
    "floe:nodes=120",
    "floe:nodes=1000",
];
const BROKEN: &str = "#!/bin/sh\nexit 3\n";
const DESCRIPTION: &str = "game = 'penguins'\nsandbox = 0\n[boards]\nsetup = '7x7'\n";
/// Where a child of this test plays, and up to how many games.
const FOLDER: &str = "FLOE_TERM_FOLDER";
const UP_TO: &str = "FLOE_TERM_UP_TO";

/// A term: so many weeks with so many games each.
struct Term {
    weeks: usize,
    games_a_week: u64,
    kills: usize,
}

fn team(number: usize) -> String {
    format!("team {number:02}")
}

/// What a team sends in a week, as a place in the strengths; `None` for something broken.
fn sent(team: usize, week: usize, weeks: usize) -> Option<Option<usize>> {
    let final_strength = team % STRENGTHS.len();
    let is_late = team % 8 == 3;
    let is_broken_first = team % 13 == 5;
    match week {
        0 if is_late => None,
        0 if is_broken_first => Some(None),
        // Most begin below what they reach.
        0 => Some(Some(final_strength.saturating_sub(team % 3))),
        // In the last week nobody sends anything.
        _ if week + 1 == weeks => None,
        1 if is_late || is_broken_first => Some(Some(final_strength)),
        _ if week + 2 == weeks && !team.is_multiple_of(3) => Some(Some(final_strength)),
        _ => None,
    }
}

impl Term {
    /// Plays it in a folder; returns what became of it and how often it was killed.
    fn play(&self, folder: &Path) -> (LadderTable, usize) {
        let league = league(folder, DESCRIPTION);
        let mut killed = 0;
        for week in 0..self.weeks {
            for number in 0..TEAMS {
                match sent(number, week, self.weeks) {
                    None => {}
                    Some(None) => drop(submit_script(&league, &team(number), BROKEN)),
                    Some(Some(strength)) => {
                        submit(&league, &team(number), STRENGTHS[strength]);
                    }
                }
            }
            let from = self.games_a_week * week as u64;
            let kills = self.kills * (week + 1) / self.weeks - killed;
            killed += self.play_week(folder, from, kills);
        }
        let league = League::open(folder).unwrap();
        let all = games(&league);
        assert_eq!(all.len() as u64, self.games_a_week * self.weeks as u64);
        assert!((1..).zip(&all).all(|(number, game)| number == game.0));
        (table(&league), killed)
    }

    /// Plays a week in processes that are killed so often.
    fn play_week(&self, folder: &Path, from: u64, kills: usize) -> usize {
        let until = from + self.games_a_week;
        let records = folder.join("ladder.jsonl");
        for kill in 0..kills as u64 {
            let at = from + self.games_a_week * (kill + 1) / (kills as u64 + 1);
            let mut child = child(folder, until);
            // Long lines are being written somewhere in here.
            while ended(&records) < at && child.try_wait().unwrap().is_none() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let status = child(folder, until).wait().unwrap();
        assert!(status.success());
        kills
    }
}

/// How many games are over.
fn ended(records: &Path) -> u64 {
    let text = fs::read(records).unwrap_or_default();
    let is_end = |line: &&[u8]| line.starts_with(b"{\"line\":\"end\"");
    text.split(|&byte| byte == b'\n').filter(is_end).count() as u64
}

/// This test once more, as a process that plays.
fn child(folder: &Path, until: u64) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "a_process_that_plays", "--ignored", "--quiet"]);
    command.env(FOLDER, folder).env(UP_TO, until.to_string());
    command.stdout(Stdio::null()).stderr(Stdio::inherit());
    command.spawn().unwrap()
}

#[test]
#[ignore = "a process of the other tests"]
fn a_process_that_plays() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let until: u64 = std::env::var(UP_TO).unwrap().parse().unwrap();
    let league = League::open(&folder).unwrap();
    assert_eq!(play_up_to(&league, until, 2), RunEnd::Played);
}

/// Kendall's tau between places and strengths, over the pairs whose strengths differ.
fn tau(table: &LadderTable) -> f64 {
    let strength = |entrant: &str| {
        let number: usize = entrant.rsplit(' ').next().unwrap().parse().unwrap();
        number % STRENGTHS.len()
    };
    let order: Vec<usize> = (table.current())
        .map(|version| strength(&version.id.entrant))
        .collect();
    let (mut agree, mut differ) = (0i64, 0i64);
    for (at, better) in order.iter().enumerate() {
        for worse in &order[at + 1..] {
            match better.cmp(worse) {
                std::cmp::Ordering::Greater => agree += 1,
                std::cmp::Ordering::Less => differ += 1,
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    (agree - differ) as f64 / (agree + differ) as f64
}

/// Games of current versions by the week in which they were sent: least and mean.
fn fewest(table: &LadderTable) -> Vec<(u32, u64, f64)> {
    let mut by_version: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for version in table.current() {
        let games = by_version.entry(version.id.number).or_default();
        games.push(version.results.games);
    }
    let each = by_version.into_iter().map(|(version, games)| {
        let mean = games.iter().sum::<u64>() as f64 / games.len() as f64;
        (version, *games.iter().min().unwrap(), mean)
    });
    each.collect()
}

fn judge(term: &Term, least_tau: f64) {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (killed, kills) = term.play(&one.path().join("cup"));
    let quiet = Term { kills: 0, ..*term };
    let (whole, _) = quiet.play(&other.path().join("cup"));
    println!(
        "{TEAMS} teams, {} weeks, {} games, {kills} kills: tau {:.3}; games by version {:?}",
        term.weeks,
        whole.standings.games,
        tau(&whole),
        fewest(&whole)
    );
    assert_eq!(kills, term.kills);
    // Everything but what is measured.
    let results = |version: &LadderVersion| LadderVersion {
        results: Row {
            ms_per_move: None,
            slowest_ms: 0.0,
            times: MoveTimes::default(),
            peak_kib: 0,
            ..version.results.clone()
        },
        ..version.clone()
    };
    let differing = |table: &LadderTable| {
        let pairs = table.versions.iter().zip(&whole.versions);
        pairs
            .filter(|(one, other)| results(one) != results(other))
            .count()
    };
    assert_eq!(
        (
            killed.versions.len(),
            differing(&killed),
            killed.standings.games
        ),
        (whole.versions.len(), 0, whole.standings.games),
        "kills change nothing in the table"
    );
    let played = |folder: &Path| games(&League::open(&folder.join("cup")).unwrap());
    assert!(
        played(one.path()) == played(other.path()),
        "nor in any game"
    );
    assert_eq!(
        whole.standings.rows.len(),
        TEAMS,
        "everybody plays in the end"
    );
    assert!(tau(&whole) >= least_tau, "{}", tau(&whole));
    for (version, least, mean) in fewest(&whole) {
        assert!(
            least as f64 >= 0.3 * mean,
            "version {version}: {least} of {mean}"
        );
    }
}

#[test]
fn a_short_term_survives_ten_kills() {
    let term = Term {
        weeks: 4,
        games_a_week: 300,
        kills: 10,
    };
    judge(&term, 0.9);
}

#[test]
#[ignore = "takes minutes"]
fn a_long_term() {
    let term = Term {
        weeks: 12,
        games_a_week: 3000,
        kills: 30,
    };
    judge(&term, 0.9);
}
