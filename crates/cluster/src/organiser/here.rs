//! Games that the organiser plays itself, to check workers' results.

use std::path::Path;
use std::sync::Arc;

use floe_arena::job::Job;
use floe_arena::live::Broadcast;
use floe_arena::runner::play_job;
use floe_arena::seat::{Sandbox, Seat};
use floe_games::record::{Entrant, Record};
use tracing::debug;

use super::Organiser;
use super::inbox::{Inbox, Incoming};
use crate::judging::has_program;

impl Organiser {
    /// Whether a game can be played here: programs need a sandbox of the required level.
    pub(super) fn can_play_here(&self, job: &Job) -> bool {
        !has_program(job) || self.sandbox_here().is_some()
    }

    /// The sandbox of this machine, if it reaches the programs' level. Made when the first program
    /// is to be played.
    fn sandbox_here(&self) -> Option<&Sandbox> {
        let find = || {
            let found = Sandbox::find(Path::new(""), self.options.sandbox, 2);
            found
                .inspect_err(|error| debug!(%error, "no program is played here"))
                .ok()
        };
        self.sandbox.get_or_init(find).as_ref()
    }

    /// Plays a game here, one at a time. A message brings the record; `None` if it cannot be
    /// played.
    pub(super) fn play_here(&self, inbox: &Inbox, key: String, job: Job) {
        let sandbox = match has_program(&job) {
            false => Some(Sandbox::none()),
            true => self.sandbox_here().cloned(),
        };
        let seats: Option<Vec<Seat>> = job.opening.seats.iter().map(|one| self.seat(one)).collect();
        let (turn, stop) = (Arc::clone(&self.turn), Arc::clone(&inbox.is_over));
        inbox.spawn(&self.runtime, async move {
            let _turn = turn.lock().await;
            let playing = tokio::task::spawn_blocking(move || -> Option<Record> {
                let played = play_job(&job, &seats?, &sandbox?, &stop, &Broadcast::default());
                played
                    .inspect_err(|error| debug!(%error, "a game could not be played here"))
                    .ok()?
            });
            Incoming::Checked(key, playing.await.ok().flatten().map(Box::new))
        });
    }

    /// The seat of an entrant on this machine.
    fn seat(&self, entrant: &Entrant) -> Option<Seat> {
        let is_it = |seat: &Seat| {
            let one = seat.entrant("");
            one.seat == entrant.seat && one.sha256 == entrant.sha256
        };
        let players = self.runner.entrants.iter().map(|player| &player.seat);
        if let Some(seat) = players.into_iter().find(|seat| is_it(seat)) {
            return Some(seat.clone());
        }
        let uploads = self.uploads.lock();
        let players = uploads.values().map(|upload| &upload.player.seat);
        if let Some(seat) = players.into_iter().find(|seat| is_it(seat)) {
            return Some(seat.clone());
        }
        let seat = Seat::read(
            &entrant.seat,
            self.runner.boards.game(),
            Path::new("/nonexistent"),
        );
        seat.ok().filter(is_it)
    }
}
