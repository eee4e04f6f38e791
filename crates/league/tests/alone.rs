//! A time-out that may be the machine's doing counts only once it happened with the ladder held back.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use floe_arena::runner::CorePool;
use floe_league::invitation::Invite;
use floe_league::people::Guest;
use floe_league::{BuildSandbox, Judge, JudgeEvent, League, Submission, VersionId};
use floe_sandbox::Support;

/// A program that sleeps whenever it is asked for a move.
const SLEEPER: &[u8] = b"import sys, time\nsys.stdin.read()\ntime.sleep(3600)\n";

#[test]
fn a_doubtful_time_out_is_repeated_once_no_other_game_is_played() {
    let helper = Path::new(env!("CARGO_BIN_EXE_floe-league-supervisor"));
    if Support::probe(helper).layers().level() == 0 {
        eprintln!("not tried here: judging, since there is no sandbox");
        return;
    }
    let build_sandbox = BuildSandbox::find(helper, 1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let text = "game = 'flood'\nsandbox = 1\n[boards]\nsetup = '4x3'\n[limits]\ntime = '1s'\n";
    fs::write(folder.path().join("league.toml"), text).unwrap();
    let league = League::open(folder.path()).unwrap();
    let guest = Guest {
        name: "ada".to_owned(),
        entrant: "owls".to_owned(),
    };
    league.invite(&[guest], Invite::New).unwrap();
    let by = league.look(|s| s.people.named("ada").cloned()).unwrap();
    let submission = Submission {
        file: "bot.py".to_owned(),
        bytes: SLEEPER.to_vec(),
        ..Submission::default()
    };
    league.submit(&by.unwrap(), &submission).unwrap();

    // A game of the ladder, which shares all cores.
    let game = CorePool::machine().lease(0, &Default::default()).unwrap();
    let judge = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    let (tell, told) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut hear = |_: &VersionId, progress: JudgeEvent| drop(tell.send(progress));
            judge.judge_next(&mut hear).unwrap();
        });
        let repeats =
            |progress: &JudgeEvent| progress.text().contains("once more with nothing else");
        let step = told.iter().find(repeats).expect("it is in doubt");
        assert!(step.text().contains("ms of CPU time"), "{}", step.text());
        // No game begins now, and nothing is decided while one is under way.
        assert!(CorePool::machine().has_precedence());
        assert!(told.try_recv().is_err());
        drop(game);
        let rest: Vec<JudgeEvent> = told.iter().collect();
        assert_eq!(rest.iter().filter(|one| repeats(one)).count(), 2);
        let Some(JudgeEvent::Verdict(_, verdict)) = rest.last() else {
            panic!("{rest:?}");
        };
        assert!(verdict.contains("is refused"), "{verdict}");
    });
    assert!(!CorePool::machine().has_precedence());
}
