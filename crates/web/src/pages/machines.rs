//! `/cluster`: the machines that play games.

use std::borrow::Borrow;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;

use super::desk::lasting;
use super::page;
use crate::access::{Permission, Visitor, may};
use crate::error::WebError;
use crate::language::filters;
use crate::machines::{
    MachineAction, MachineSource, Machines, WorkerLine, WorkerSpeed, WorkerState,
};
use crate::state::App;

#[derive(Template)]
#[template(path = "cluster.html")]
struct Cluster {
    machines: Machines,
    workers: Vec<WorkerLine>,
    cores: usize,
    games_an_hour: u64,
    /// What the last action did, or why it did nothing.
    outcome: Option<Result<String, String>>,
}

/// The longest reason for a ban.
const LONGEST_REASON: usize = 200;

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
        match (self.is_known, self.silent_s) {
            (false, _) => "not yet".to_owned(),
            (true, 0..10) => "now".to_owned(),
            (true, seconds) => format!("{} ago", lasting(seconds)),
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
    shown(source(&app, &visitor)?, None)
}

/// The form of a button.
#[derive(Deserialize)]
pub(crate) struct MachineForm {
    worker: String,
    #[serde(default)]
    reason: String,
}

/// `POST /cluster/ACT`: ban, unban, drain or remove.
pub(crate) async fn act(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(act): Path<String>,
    Form(said): Form<MachineForm>,
) -> Result<Response, WebError> {
    let source = source(&app, &visitor)?.clone();
    let action = match act.as_str() {
        "ban" => MachineAction::Ban(reason(&said.reason)),
        "unban" => MachineAction::Unban,
        "drain" => MachineAction::Drain,
        "remove" => MachineAction::Remove,
        _ => return Err(WebError::not_found("button; reload the page")),
    };
    let machines = source.clone();
    let done = tokio::task::spawn_blocking(move || source.act(said.worker.trim(), action));
    let done = done.await.map_err(WebError::ours)?;
    let status = match done {
        Ok(_) => StatusCode::OK,
        Err(_) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    Ok((status, shown(&machines, Some(done))?).into_response())
}

/// A ban's reason in one line.
fn reason(said: &str) -> String {
    let said = said.chars().filter(|c| !c.is_control());
    let said: String = said.take(LONGEST_REASON).collect();
    match said.trim() {
        "" => "banned by the organiser".to_owned(),
        reason => reason.to_owned(),
    }
}

/// The machines, for the organiser alone.
fn source<'a>(app: &'a App, visitor: &Visitor) -> Result<&'a MachineSource, WebError> {
    if !may(visitor, Permission::RunDesk) {
        return Err(WebError::forbidden(
            "The page of machines is the organiser's",
        ));
    }
    let missing = || WebError::not_found("page: no cluster plays the games here");
    app.machines().ok_or_else(missing)
}

fn shown(
    source: &MachineSource,
    outcome: Option<Result<String, String>>,
) -> Result<Html<String>, WebError> {
    let mut machines = source.now();
    let workers = std::mem::take(&mut machines.workers);
    let contests = machines.contests.iter();
    page(&Cluster {
        cores: workers.iter().map(|worker| worker.cores).sum(),
        games_an_hour: contests.map(|contest| contest.games_an_hour).sum(),
        workers,
        machines,
        outcome,
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
