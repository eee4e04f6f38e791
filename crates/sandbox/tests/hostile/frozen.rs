//! A program that is not asked stands still, with everybody it has started.

use std::path::Path;
use std::sync::PoisonError;
use std::time::Duration;

use floe_sandbox::{Forbidden, Launch, Layers, NextLine, Program, ProgramEnd};

use crate::support::*;

/// What the last of its children that were waited for and all that live have used, in clock ticks.
fn ticks(mark: &str) -> u64 {
    let of = |pid: &u32| -> u64 {
        let stat = stat(&pid.to_string());
        let times = stat.get(11..15).unwrap_or_default();
        times.iter().map(|time| time.parse::<u64>().unwrap()).sum()
    };
    marked(mark).iter().map(of).sum()
}

/// Whether the kernel itself holds a program still: in control groups of version 2.
fn is_held(layers: Layers) -> bool {
    layers.cgroup && Path::new("/sys/fs/cgroup/cgroup.controllers").exists()
}

/// Waits until nothing of a program runs.
fn await_still(mark: &str) {
    let is_still = |pid: &u32| {
        let state = stat(&pid.to_string());
        state
            .first()
            .is_none_or(|state| ["T", "Z"].contains(&state.as_str()))
    };
    while !marked(mark).iter().all(is_still) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Thinks for so many clock ticks of this thread.
fn think(long: u64) {
    let used = || -> u64 {
        let stat = stat("thread-self");
        stat[11].parse::<u64>().unwrap() + stat[12].parse::<u64>().unwrap()
    };
    let end = used() + long;
    while used() < end {
        std::hint::black_box((0..100_000).sum::<u64>());
    }
}

#[track_caller]
fn answer(program: &mut Program, word: &str) {
    program.send(format!("{word}\n").as_bytes());
    let expected = format!("you said {word}").into_bytes();
    let line = program.read_line(LONG).unwrap();
    assert_eq!(line, NextLine::Line(expected), "{}", program.layers());
}

#[test]
fn who_is_not_asked_uses_no_processor() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    let tries = every_layer().into_iter().map(|layers| (layers, "spin"));
    let duels = confined().into_iter().map(|layers| (layers, "duel"));
    for (layers, deed) in tries.chain(duels) {
        let mark = mark();
        let mut program = Program::start(launch(layers, &mark, &[deed])).unwrap();
        for turn in ["first", "second", "third"] {
            answer(&mut program, turn);
            while running(&mark) < 7 {
                std::thread::sleep(Duration::from_millis(1));
            }
            program.freeze();
            // Who is held by the kernel looks as if it slept.
            if !is_held(layers) {
                await_still(&mark);
            }
            let before = ticks(&mark);
            think(20);
            let used = ticks(&mark) - before;
            assert!(
                used <= if is_held(layers) { 7 } else { 1 },
                "{deed} used {used} ticks while frozen, {layers}"
            );
        }
        answer(&mut program, "fourth");
        let outcome = program.close_and_wait(LONG).unwrap().outcome;
        assert_eq!(outcome, ProgramEnd::Exited(0), "{deed}, {layers}");
        assert_eq!(running(&mark), 0, "{deed}, {layers}");
    }
}

#[test]
fn who_gets_itself_going_out_of_turn_is_ended_for_it() {
    let tries = every_layer().into_iter();
    // By a name that is no text, too.
    for (layers, deed) in tries.flat_map(|layers| [(layers, "alarm"), (layers, "veiled")]) {
        let mark = mark();
        let mut program = Program::start(launch(layers, &mark, &[deed])).unwrap();
        answer(&mut program, "now");
        while ticks(&mark) < 2 {
            std::thread::sleep(Duration::from_millis(1));
        }
        program.freeze();
        if is_held(layers) {
            // Whoever the kernel holds cannot get itself going.
            think(5);
            let before = ticks(&mark);
            think(20);
            // A timer wakes it only for the kernel to hold it again.
            let used = ticks(&mark) - before;
            assert!(used <= 5, "{deed} used {used} ticks while frozen, {layers}");
            answer(&mut program, "again");
            assert_eq!(program.stop().unwrap().outcome, ProgramEnd::Stopped);
            continue;
        }
        assert_eq!(program.read_line(LONG).unwrap(), NextLine::End, "{layers}");
        let outcome = program.close_and_wait(LONG).unwrap().outcome;
        let expected = ProgramEnd::Forbidden(Forbidden::OutOfTurn);
        assert_eq!(outcome, expected, "{layers}");
        assert_eq!(running(&mark), 0, "{layers}");
    }
}

#[test]
fn a_frozen_program_can_be_ended_and_finishes_by_itself() {
    for layers in every_layer() {
        let mark = mark();
        let start = || {
            let mut program = Program::start(launch(layers, &mark, &["lines"])).unwrap();
            program.freeze();
            if !is_held(layers) {
                await_still(&mark);
            }
            program
        };
        let report = start().close_and_wait(LONG).unwrap();
        assert_eq!(
            (report.outcome, report.output),
            (ProgramEnd::Exited(0), b"bye".to_vec())
        );
        assert_eq!(start().stop().unwrap().outcome, ProgramEnd::Stopped);
        drop(start());
        assert_eq!(running(&mark), 0, "{layers}");
    }
}

#[test]
fn who_may_ponder_goes_on() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    for layers in every_layer() {
        let mark = mark();
        let mut program = Program::start(Launch {
            ponders: true,
            ..launch(layers, &mark, &["spin"])
        })
        .unwrap();
        answer(&mut program, "now");
        program.freeze();
        let before = ticks(&mark);
        while ticks(&mark) < before + 5 {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(program.stop().unwrap().outcome, ProgramEnd::Stopped);
        assert_eq!(running(&mark), 0, "{layers}");
    }
}
