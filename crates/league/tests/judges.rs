//! Several judges at once: one slow build holds up one of them, and none sees another's files.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use floe_arena::runner::available_cores;
use floe_league::invitation::Invite;
use floe_league::people::Guest;
use floe_league::{BuildSandbox, Judge, League, Submission, VersionId, VersionState};
use floe_sandbox::Support;

fn build_sandbox() -> Option<BuildSandbox> {
    let helper: PathBuf = env!("CARGO_BIN_EXE_floe-league-supervisor").into();
    if Support::probe(&helper).layers().level() == 0 {
        eprintln!("not tried here: judging, since there is no sandbox");
        return None;
    }
    Some(BuildSandbox::find(&helper, 1).unwrap())
}

/// A league of so many people, each alone.
fn league(folder: &Path, people: usize) -> League {
    let text = "game = 'flood'\nsandbox = 1\n[boards]\nsetup = '5x4'\n[limits]\ntime = '20s'\n\
                start = '20s'\n[submit]\nbuild-time = '600s'\n";
    fs::write(folder.join("league.toml"), text).unwrap();
    let league = League::open(folder).unwrap();
    let guest = |number| Guest {
        name: format!("p{number}"),
        entrant: format!("p{number}"),
    };
    let guests: Vec<Guest> = (1..=people).map(guest).collect();
    league.invite(&guests, Invite::New).unwrap();
    league
}

fn send(league: &League, who: &str, file: &str, bytes: &[u8]) -> VersionId {
    let by = league.look(|s| s.people.named(who).cloned()).unwrap();
    let submission = Submission {
        file: file.to_owned(),
        bytes: bytes.to_vec(),
        ..Submission::default()
    };
    league.submit(&by.unwrap(), &submission).unwrap()
}

fn state(league: &League, id: &VersionId) -> VersionState {
    let found = league.look(|s| s.versions.find(id).map(|version| version.state));
    found.unwrap().unwrap()
}

fn starter() -> Vec<u8> {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    fs::read(bots.join("flood.c")).unwrap()
}

/// What waits for a core of its own would wait for ever on a machine of one.
fn has_cores() -> bool {
    let has = available_cores().len() > 1;
    if !has {
        eprintln!("not tried here: judges beside each other need two cores");
    }
    has
}

#[test]
fn a_build_that_waits_holds_up_one_judge_alone() {
    let Some(build_sandbox) = build_sandbox().filter(|_| has_cores()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 4);
    // Its build goes on until somebody writes into its folder, which nobody does before the end.
    let slow = send(&league, "p1", "Makefile", b"all:\n\tsleep 500\n");
    let quick: Vec<VersionId> = (2..=4)
        .map(|n| send(&league, &format!("p{n}"), "flood.c", &starter()))
        .collect();
    let judge = Arc::new(Judge::take_seat(&league, &build_sandbox).unwrap().unwrap());
    let sleeps = Arc::new(AtomicBool::new(false));
    // It is left to its sleep when the test ends: the process takes it along.
    let (first, told) = (Arc::clone(&judge), Arc::clone(&sleeps));
    thread::spawn(move || {
        let _ = first.judge_next(&mut |_, _| told.store(true, Ordering::Relaxed));
    });
    while !sleeps.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(5));
    }
    while judge.judge_next(&mut |_, _| {}).unwrap().is_some() {}
    for id in &quick {
        assert_eq!(state(&league, id), VersionState::Accepted, "{id}");
    }
    assert_eq!(state(&league, &slow), VersionState::Waiting);
    // And nobody is told that it waits for its turn.
    assert_eq!(judge.queue_place(&slow).unwrap(), None);
}

#[test]
fn the_same_content_is_judged_by_several_at_once() {
    let Some(build_sandbox) = build_sandbox() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 6);
    let sent: Vec<VersionId> = (1..=6)
        .map(|n| send(&league, &format!("p{n}"), "flood.c", &starter()))
        .collect();
    let all = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| while all.judge_next(&mut |_, _| {}).unwrap().is_some() {});
        }
    });
    for id in &sent {
        let found = league.look(|s| s.versions.find(id).cloned());
        let found = found.unwrap().unwrap();
        assert_eq!(found.state, VersionState::Accepted, "{id}: {}", found.why);
        assert!(league.seat(&found).is_ok(), "{id}");
    }
}

/// Each version is judged once, by one judge, and entrants take turns.
#[test]
fn judges_share_the_queue_and_entrants_take_turns() {
    let Some(build_sandbox) = build_sandbox() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 3);
    for (who, count) in [("p1", 4), ("p2", 1), ("p3", 1)] {
        for number in 0..count {
            let text = format!("int main(void) {{ return {number} + nothing; }}\n");
            send(&league, who, "bot.c", text.as_bytes());
        }
    }
    let all = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    let place = |id: &str| all.queue_place(&id.parse().unwrap()).unwrap();
    assert_eq!(
        place("p1#4").map(|place| (place.place, place.waiting)),
        Some((6, 6))
    );
    assert_eq!(place("p3#1").map(|place| place.place), Some(3));
    let begun = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut hear = |id: &VersionId, progress: floe_league::JudgeEvent| {
                    if progress.text().starts_with("unpacking") {
                        begun.lock().unwrap().push(id.to_string());
                    }
                };
                while all.judge_next(&mut hear).unwrap().is_some() {}
            });
        }
    });
    let mut begun = begun.into_inner().unwrap();
    let mut first: Vec<String> = begun.iter().take(3).cloned().collect();
    first.sort_unstable();
    assert_eq!(first, ["p1#1", "p2#1", "p3#1"], "{begun:?}");
    begun.sort_unstable();
    assert_eq!(begun, ["p1#1", "p1#2", "p1#3", "p1#4", "p2#1", "p3#1"]);
}
