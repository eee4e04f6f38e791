//! Programs that take more than they may have, or say more.

use std::sync::PoisonError;

use floe_games::FaultKind;
use floe_games::record::MoveLimits;

use super::*;
use crate::support::PROCESSES;

#[test]
fn processes_memory_and_output_are_counted() {
    let _all = PROCESSES.write().unwrap_or_else(PoisonError::into_inner);
    for way in WAYS {
        let bomb = fault(way, "forkbomb", short());
        let kinds = [FaultKind::ForbiddenAccess, FaultKind::Timeout];
        assert!(kinds.contains(&bomb.kind), "{bomb:?}");
        let record = meet(way, "orphan", patient());
        assert_eq!(record.faults().count(), 0);
        for deed in ["malloc", "family"] {
            let told = "it used more than 64 MiB of memory";
            expect(way, deed, patient(), FaultKind::TooMuchMemory, told);
        }
        let shared = fault(way, "shared", patient());
        match sandbox().layers().seccomp {
            true => assert_eq!(
                (shared.kind, shared.message.contains("exit code 9")),
                (FaultKind::GaveUp, true)
            ),
            false => assert_eq!(shared.kind, FaultKind::TooMuchMemory),
        }
        let told = "it wrote more than it may to standard output";
        expect(way, "babble", patient(), FaultKind::TooMuchOutput, told);
    }
}

#[test]
fn address_space_is_bounded_only_where_a_contest_says_so() {
    for way in WAYS {
        let record = meet(way, "reserve", patient());
        assert_eq!(record.faults().count(), 0);
        let bounded = MoveLimits {
            address_space_mib: Some(512),
            ..patient()
        };
        let refused = fault(way, "reserve", bounded);
        assert!(refused.message.contains("exit code 9"), "{refused:?}");
    }
}

#[test]
fn of_a_gigabyte_on_standard_error_the_end_is_kept() {
    let record = meet(
        Way::Penguins,
        "gigabyte",
        MoveLimits {
            move_ms: 600_000,
            ..patient()
        },
    );
    assert_eq!(record.faults().count(), 0);
    let stderr = &record.moves()[0].stderr;
    assert!(
        stderr.ends_with("the end") && stderr.len() <= 4096,
        "{stderr}"
    );
}

#[test]
fn what_is_written_to_standard_error_is_kept_with_the_move() {
    for way in WAYS {
        let record = meet(way, "farewell", patient());
        assert_eq!(record.faults().count(), 0);
        let mine = record.moves();
        let mine: Vec<&str> = mine
            .iter()
            .filter(|made| made.seat == 1)
            .map(|made| made.stderr.as_str())
            .collect();
        let [first, middle @ .., last] = &mine[..] else {
            panic!("{mine:?}");
        };
        // By the line protocol the rogue is quiet at its first move, and says goodbye.
        let is_line = matches!(way, Way::Line);
        let about = "about to farewell";
        assert_eq!(*first, if is_line { "" } else { about });
        assert!(middle.iter().all(|said| *said == about), "{middle:?}");
        let goodbye = if is_line { "\ngood game" } else { "" };
        assert_eq!(*last, format!("{about}{goodbye}"));
    }
}

#[test]
fn what_lies_beside_an_answer_keeps_no_game_from_being_scored() {
    let record = meet(Way::Penguins, "odd", patient());
    assert_eq!(record.faults().count(), 0, "{record:?}");
    if sandbox().layers().namespaces {
        // Nothing in a closed folder is as it was.
        let told = "in.txt was changed";
        let way = Way::Penguins;
        expect(way, "shut", patient(), FaultKind::FileTampering, told);
    }
}

#[test]
fn too_many_files_are_the_same_fault_every_time() {
    for way in [Way::Penguins, Way::Line] {
        for _ in 0..3 {
            let told = "it filled its working directory";
            let kind = FaultKind::ForbiddenAccess;
            expect(way, "files=10015", patient(), kind, told);
        }
        let record = meet(way, "files=9000", patient());
        assert_eq!(record.faults().count(), 0, "{way:?}");
    }
}
