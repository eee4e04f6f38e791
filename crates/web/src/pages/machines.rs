//! `/cluster`: the machines that play games.

use std::borrow::Borrow;

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::response::Html;

use super::desk::lasting;
use super::page;
use crate::access::{Permission, Visitor, may};
use crate::error::WebError;
use crate::language::filters;
use crate::machines::{Machines, WorkerLine, WorkerSpeed, WorkerState};
use crate::state::App;

#[derive(Template)]
#[template(path = "cluster.html")]
struct Cluster {
    machines: Machines,
    workers: Vec<WorkerLine>,
    cores: usize,
    games_an_hour: u64,
}

/// Where the bar of a worker's speed has the reference, in percent of its length.
const REFERENCE_AT: u32 = 66;

impl WorkerLine {
    /// Its state in a word, and the colour of that word.
    fn tag(&self) -> (&'static str, &'static str) {
        if self.banned.is_some() {
            return ("banned", "wrong");
        }
        match self.state {
            WorkerState::Playing => ("playing", "good"),
            WorkerState::Waiting => ("waiting", ""),
            WorkerState::Leaving => ("leaving", ""),
            WorkerState::Outdated => ("other version", "look"),
            WorkerState::Silent => ("silent", "look"),
            WorkerState::Trouble => ("machine failure", "look"),
        }
    }

    /// How long ago it was last seen.
    fn seen(&self) -> String {
        match self.silent_s {
            0..10 => "now".to_owned(),
            seconds => format!("{} ago", lasting(seconds)),
        }
    }
}

impl WorkerSpeed {
    /// The length of its bar, in percent.
    fn bar(&self) -> u32 {
        let length = match self.has_reference {
            true => self.percent.saturating_mul(REFERENCE_AT) / 100,
            false => self.percent,
        };
        length.min(100)
    }
}

/// A number with a comma between thousands.
fn grouped(number: impl Borrow<u64>) -> String {
    let digits = number.borrow().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `GET /cluster`
pub(crate) async fn cluster(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    if !may(&visitor, Permission::RunDesk) {
        return Err(WebError::forbidden(
            "The page of machines is the organiser's",
        ));
    }
    let Some(source) = app.machines() else {
        return Err(WebError::not_found("page: no cluster plays the games here"));
    };
    let mut machines = source.now();
    let workers = std::mem::take(&mut machines.workers);
    let contests = machines.contests.iter();
    page(&Cluster {
        cores: workers.iter().map(|worker| worker.cores).sum(),
        games_an_hour: contests.map(|contest| contest.games_an_hour).sum(),
        workers,
        machines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (2_810, "2,810"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn the_bar_of_a_fast_worker_ends_where_there_is_no_more_room() {
        let bar = |percent, has_reference| {
            let speed = WorkerSpeed {
                percent,
                has_reference,
                ..WorkerSpeed::default()
            };
            speed.bar()
        };
        assert_eq!(
            [bar(100, true), bar(50, true), bar(400, true)],
            [REFERENCE_AT, REFERENCE_AT / 2, 100]
        );
        assert_eq!([bar(100, false), bar(50, false)], [100, 50]);
    }
}
