//! Who gets rid of those that watch it has done something forbidden; the machine is in no trouble.

use std::time::Duration;

use floe_sandbox::{
    Forbidden, Launch, Layers, NextLine, Program, ProgramEnd, SupervisorPool, Support, run,
};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::*;

/// The process with this mark, once it is there.
fn find(mark: &str) -> u32 {
    await_running(mark);
    marked(mark)[0]
}

fn parent(pid: u32) -> Pid {
    let parent = stat(&pid.to_string())[1].parse();
    Pid::from_raw(parent.unwrap()).unwrap()
}

/// Waits, not by the clock, until a pool has as many helpers again.
fn await_waiting(pool: &SupervisorPool, many: usize) {
    while pool.waiting() < many {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_watcher_that_is_killed_while_a_program_runs_is_the_programs_fault() {
    let gone = ProgramEnd::Forbidden(Forbidden::Supervisor);
    for layers in every_layer() {
        let pool = SupervisorPool::new(&helper(), layers, 1).unwrap();
        let start = |mark: &str| {
            let launch = Launch {
                pool: Some(pool.clone()),
                ..launch(layers, mark, &["lines"])
            };
            Program::start(launch).unwrap()
        };
        // Above the program: in a namespace its first process, and above that the supervisor.
        let above = 1 + usize::from(layers.namespaces);
        for victim in 0..above {
            let mark = mark();
            let mut program = start(&mark);
            program.send(b"hello\n");
            let expected = NextLine::Line(b"you said hello".to_vec());
            assert_eq!(program.read_line(LONG).unwrap(), expected);
            let mut pid = parent(find(&mark));
            for _ in 0..victim {
                pid = parent(pid.as_raw_pid().cast_unsigned());
            }
            kill_process(pid, Signal::KILL).unwrap();
            assert_eq!(program.read_line(LONG).unwrap(), NextLine::End, "{layers}");
            let outcome = program.close_and_wait(LONG).unwrap().outcome;
            assert_eq!(outcome, gone, "{victim}, {layers}");
            assert_eq!(running(&mark), 0, "{victim}, {layers}");
            await_waiting(&pool, 1);
        }
        // The next one has a supervisor of its own, and nobody to blame.
        let outcome = start(&mark()).close_and_wait(LONG).unwrap().outcome;
        assert_eq!(outcome, ProgramEnd::Exited(0), "{layers}");
    }
}

#[test]
fn a_program_that_ends_its_namespace_from_inside_has_done_something_forbidden() {
    expect(&confined(), &["usurp"], LONG, &ProgramEnd::Exited(5));
    // Without the filters of level 1 nobody refuses the call.
    let alone = Layers {
        namespaces: true,
        ..Layers::NONE
    };
    if let Err(missing) = Support::probe(&helper()).namespaces {
        return skip(&format!("namespaces: {}", missing.why));
    }
    let mark = mark();
    let mut launch = launch(alone, &mark, &["usurp"]);
    launch.limits.processes = 64;
    // Its orphans may be counted before its first process ends: either way it is this program's deed.
    let outcome = run(launch, b"", LONG).unwrap().outcome;
    let deeds = [Forbidden::Supervisor, Forbidden::Processes].map(ProgramEnd::Forbidden);
    assert!(deeds.contains(&outcome), "{outcome:?}");
    assert_eq!(running(&mark), 0);
}
