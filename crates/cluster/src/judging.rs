//! Judges results: whether they belong to the requested games.

use floe_arena::job::Job;
use floe_arena::seat::Seat;
use floe_games::AnyGame;
use floe_games::record::{Entrant, Mismatch, Record};
use floe_search::Spec;
use thiserror::Error;

use crate::wire::Needs;

/// The reason why a game does not count.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The result belongs to another job.
    #[error("game {0} belongs to a job that was not requested")]
    OtherJob(String),
    /// The game starts from another position.
    #[error("game {0} does not start from the requested position")]
    OtherStart(String),
    /// The game was not played to its end.
    #[error("game {0} has no end")]
    NoEnd(String),
    /// A program ran in too weak a sandbox.
    #[error("game {0} was played at a lower sandbox level than it needs")]
    WeakSandbox(String),
    /// A move is against the rules.
    #[error(transparent)]
    Illegal(#[from] Mismatch),
}

/// Checks that a record belongs to the requested game: by the job's hash, the start, and legal
/// moves to the end. Costs as much as making the moves.
pub fn judge(
    job: &Job,
    hash: &str,
    needs: &Needs,
    played: &str,
    record: &Record,
) -> Result<(), Refusal> {
    let id = || record.opening.id.clone();
    if played != hash {
        return Err(Refusal::OtherJob(id()));
    }
    // Only the worker knows these parts, so they are not compared.
    let mut opening = record.opening.clone();
    opening.sandbox = job.opening.sandbox;
    opening.began = job.opening.began;
    opening.machine.clone_from(&job.opening.machine);
    (opening.interpreters).clone_from(&job.opening.interpreters);
    if opening != job.opening {
        return Err(Refusal::OtherStart(id()));
    }
    if record.end.is_none() {
        return Err(Refusal::NoEnd(id()));
    }
    // A record without a sandbox level had no sandbox.
    if record.opening.sandbox.unwrap_or(0) < needs.sandbox {
        return Err(Refusal::WeakSandbox(id()));
    }
    record.verify()?;
    Ok(())
}

/// Whether a game has the same result on every machine: its engines have node or depth limits and
/// no time limits.
pub fn is_repeatable(job: &Job) -> bool {
    let Ok(game) = floe_games::find(&job.opening.game) else {
        return false;
    };
    let mut seats = job.opening.seats.iter();
    seats.all(|entrant| engine(entrant, game).is_some_and(|spec| !spec.is_timed()))
}

/// Whether a program plays, including one installed on the workers' machines: any seat that is none
/// of our engines.
pub fn has_program(job: &Job) -> bool {
    let Ok(game) = floe_games::find(&job.opening.game) else {
        return true;
    };
    let mut seats = job.opening.seats.iter();
    seats.any(|entrant| engine(entrant, game).is_none())
}

/// Whether one of our engines plays; its moves must be the same everywhere.
pub fn has_engine(job: &Job) -> bool {
    let Ok(game) = floe_games::find(&job.opening.game) else {
        return false;
    };
    let mut seats = job.opening.seats.iter();
    seats.any(|entrant| engine(entrant, game).is_some())
}

/// The entrant's engine, if it is one.
fn engine(entrant: &Entrant, game: &'static dyn AnyGame) -> Option<Spec> {
    if entrant.sha256.is_some() || entrant.seat.contains(['/', ' ']) {
        return None;
    }
    match Seat::read(&entrant.seat, game, "/nonexistent".as_ref()) {
        Ok(Seat::Engine(spec)) => Some(spec),
        _ => None,
    }
}

/// Whether two records have the same moves and the same end.
pub fn is_same_game(one: &Record, other: &Record) -> bool {
    let moves = |record: &Record| -> Vec<(u32, String)> {
        let moves = record.moves().into_iter();
        moves.map(|made| (made.seat, made.mv.clone())).collect()
    };
    one.end == other.end && moves(one) == moves(other)
}

#[cfg(test)]
mod tests {
    use floe_arena::seat::Sandbox;
    use floe_arena::{Boards, Openings};
    use floe_games::record::Event;

    use super::*;
    use crate::wire::job_hash;

    fn job(seats: [&str; 2]) -> Job {
        let game = floe_games::find("flood").unwrap();
        let (_, mut opening) = Boards::made(game, "5x5", 7).unwrap().open(0).unwrap();
        opening.id = "1".into();
        opening.pair = Some(1);
        let entrant = |word: &str| Entrant {
            name: word.into(),
            seat: word.into(),
            sha256: None,
        };
        opening.seats = seats.map(entrant).to_vec();
        Job { opening, dice: 64 }
    }

    #[test]
    fn only_the_game_that_was_asked_for_counts() {
        let job = job(["greedy", "random"]);
        let seats = job.find_seats(".".as_ref()).unwrap();
        let record = job
            .play(
                &seats,
                &Sandbox::none(),
                &Default::default(),
                &Default::default(),
            )
            .unwrap();
        let (hash, needs) = (job_hash(&job), Needs::default());
        let judged = |played: &str, record: &Record| judge(&job, &hash, &needs, played, record);
        judged(&hash, &record).unwrap();
        assert!(matches!(judged("00", &record), Err(Refusal::OtherJob(_))));

        let mut other = record.clone();
        other.opening.start = other.opening.start.replacen('@', "#", 1);
        assert!(matches!(judged(&hash, &other), Err(Refusal::OtherStart(_))));
        let mut other = record.clone();
        other.end = None;
        assert!(matches!(judged(&hash, &other), Err(Refusal::NoEnd(_))));
        let mut other = record.clone();
        if let Some(end) = &mut other.end {
            end.scores.reverse();
            end.places.reverse();
        }
        assert!(matches!(judged(&hash, &other), Err(Refusal::Illegal(_))));
        let mut other = record.clone();
        other.events.pop();
        assert!(matches!(judged(&hash, &other), Err(Refusal::Illegal(_))));
        let needs = Needs {
            sandbox: 2,
            speed: None,
        };
        let mut other = record.clone();
        for level in [Some(1), None] {
            other.opening.sandbox = level;
            let weak = judge(&job, &hash, &needs, &hash, &other);
            assert!(matches!(weak, Err(Refusal::WeakSandbox(_))));
        }

        assert!(is_same_game(&record, &record.clone()));
        let mut other = record.clone();
        if let Some(Event::Move(made)) = other.events.first_mut() {
            made.mv = "?".into();
        }
        assert!(!is_same_game(&record, &other));
    }

    #[test]
    fn a_job_carries_its_opening_and_no_other_counts() {
        let game = floe_games::find("gamma").unwrap();
        let boards = Boards::made(game, "5x5", 7).unwrap();
        let boards = boards.with_openings(Openings::Suited).unwrap();
        let mut job = job(["greedy", "random"]);
        let seats = std::mem::take(&mut job.opening.seats);
        job.opening = boards.open(0).unwrap().1;
        job.opening.seats = seats;
        job.opening.id = "1".into();
        let carried: Job = serde_json::from_str(&serde_json::to_string(&job).unwrap()).unwrap();
        assert_eq!(carried, job);
        let seats = carried.find_seats(".".as_ref()).unwrap();
        let (stop, live) = (Default::default(), Default::default());
        let record = carried
            .play(&seats, &Sandbox::none(), &stop, &live)
            .unwrap();
        assert_eq!(record.opening.opening, job.opening.opening);
        assert_eq!(record.opening.opening.len(), 2);
        let (hash, needs) = (job_hash(&job), Needs::default());
        judge(&job, &hash, &needs, &hash, &record).unwrap();
        let mut other = record.clone();
        other.opening.opening.clear();
        let judged = judge(&job, &hash, &needs, &hash, &other);
        assert!(matches!(judged, Err(Refusal::OtherStart(_))));
        // Not even the organiser's own word makes an illegal opening count.
        job.opening.opening.reverse();
        job.opening.opening[0] = "e9".into();
        other.opening.opening.clone_from(&job.opening.opening);
        let hash = job_hash(&job);
        let judged = judge(&job, &hash, &needs, &hash, &other);
        assert!(matches!(judged, Err(Refusal::Illegal(_))));
    }

    #[test]
    fn games_by_the_clock_are_not_played_again() {
        assert!(is_repeatable(&job(["floe:nodes=1k", "greedy"])));
        assert!(is_repeatable(&job(["floe:depth=3", "mcts:nodes=100"])));
        for seat in [
            "floe",
            "floe:time=5ms",
            "floe:nodes=1k,time=5ms",
            "floe:easy",
            "sh",
        ] {
            assert!(!is_repeatable(&job(["random", seat])), "{seat}");
        }
    }

    #[test]
    fn a_program_without_files_of_its_own_is_a_program() {
        assert!(!has_program(&job(["floe:time=5ms", "greedy"])));
        for seat in ["line:python3 -c 'pass'", "sh", "line:no-such-program"] {
            assert!(has_program(&job(["random", seat])), "{seat}");
            assert!(!has_engine(&job(["sh", seat])), "{seat}");
        }
        assert!(has_engine(&job(["sh", "greedy"])));
    }
}
