//! `/cluster`: the machines that play the games.

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::response::Html;

use super::desk::lasting;
use super::page;
use crate::access::{Permission, Visitor, may};
use crate::error::WebError;
use crate::language::filters;
use crate::machines::{Machines, WorkerLine};
use crate::state::App;

#[derive(Template)]
#[template(path = "cluster.html")]
struct Cluster {
    machines: Machines,
    /// The workers, with the time since each was last seen.
    workers: Vec<(WorkerLine, String)>,
    cores: usize,
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
    let cores = workers.iter().map(|worker| worker.cores).sum();
    let seen = |worker: WorkerLine| {
        let seen = lasting(worker.silent_s);
        (worker, seen)
    };
    page(&Cluster {
        workers: workers.into_iter().map(seen).collect(),
        machines,
        cores,
    })
}
