//! What starting a program costs: `/bin/true` from its start to the report of its end, bare and
//! in every level this machine can give, interleaved in one run. Then what a move of a program that
//! stays up costs: a line to `/bin/cat` and back, with a freeze after it.
//!
//! ```text
//! cargo bench -p floe-sandbox --bench start
//! ```
#![allow(clippy::print_stdout, missing_docs)]

#[cfg(target_os = "linux")]
fn main() {
    floe_sandbox::helper_main();
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{BufRead, BufReader, Write};
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use floe_sandbox::{Launch, NextLine, Program, ProgramEnd, SupervisorPool, run};
    use floe_sandbox::{Layers, Support};

    const PROGRAM: &str = "/bin/true";

    struct Way {
        name: String,
        once: Box<dyn FnMut()>,
        times: Vec<Duration>,
    }

    pub(super) fn main() {
        // `cargo test` runs benchmarks too, with an argument that says so.
        let rounds = match std::env::args().any(|word| word == "--bench") {
            true => 400,
            false => 2,
        };
        let small = PathBuf::from(env!("CARGO_BIN_EXE_floe-supervisor"));
        let large = std::env::current_exe().expect("this binary has a path");
        let most = Support::probe(&small).layers().level();
        let mut ways = vec![way("bare".to_owned(), || {
            let mut command = Command::new(PROGRAM);
            let command = command.stdin(Stdio::null()).env_clear();
            assert!(command.status().expect("it runs").success());
        })];
        let mut pools = Vec::new();
        for level in 0..=most {
            for (name, helper) in [("small", &small), ("large", &large)] {
                let layers = Layers::up_to(level);
                let pool = SupervisorPool::new(helper, layers, 2).expect("helpers start");
                pools.push(pool.clone());
                ways.push(sandboxed(
                    &format!("{name} helper, cold"),
                    helper,
                    layers,
                    None,
                ));
                ways.push(sandboxed(
                    &format!("{name} helper, warm"),
                    helper,
                    layers,
                    Some(pool),
                ));
            }
        }
        for _ in 0..rounds {
            for way in &mut ways {
                settle(&pools);
                let start = Instant::now();
                (way.once)();
                way.times.push(start.elapsed());
            }
        }
        report("start, ms", 1e3, ways);
        let mut moves = vec![bare_move()];
        moves.extend((0..=most).map(|level| sandboxed_move(&small, Layers::up_to(level))));
        for _ in 0..rounds * 10 {
            for way in &mut moves {
                let start = Instant::now();
                (way.once)();
                way.times.push(start.elapsed());
            }
        }
        report("move, µs", 1e6, moves);
    }

    /// Waits until all helpers are ready again, as they are after an opponent's move: what is made for
    /// the next start is not part of this one.
    fn settle(pools: &[SupervisorPool]) {
        while pools.iter().any(|pool| pool.waiting() < 2) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(5));
    }

    /// A line to a program and back, without anything between.
    fn bare_move() -> Way {
        let mut child = Command::new("/bin/cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        // It ends with its input, which goes when the closure does.
        std::thread::spawn(move || child.wait());
        way("bare".to_owned(), move || {
            let mut line = String::new();
            input.write_all(b"a question\n").expect("it reads");
            output.read_line(&mut line).expect("it answers");
            assert_eq!(line, "a question\n");
        })
    }

    fn sandboxed_move(helper: &Path, layers: Layers) -> Way {
        let launch = Launch {
            layers,
            helper: helper.to_owned(),
            ..Launch::of(["/bin/cat"])
        };
        let mut program = Program::start(launch).expect("it starts");
        way(format!("level {}", layers.level()), move || {
            program.send(b"a question\n");
            let line = program
                .read_line(Duration::from_secs(20))
                .expect("it answers");
            assert_eq!(line, NextLine::Line(b"a question".to_vec()));
            program.freeze();
        })
    }

    fn way(name: String, once: impl FnMut() + 'static) -> Way {
        Way {
            name,
            once: Box::new(once),
            times: Vec::new(),
        }
    }

    fn sandboxed(name: &str, helper: &Path, layers: Layers, pool: Option<SupervisorPool>) -> Way {
        let helper = helper.to_owned();
        way(format!("level {}, {name}", layers.level()), move || {
            let launch = Launch {
                layers,
                helper: helper.clone(),
                pool: pool.clone(),
                ..Launch::of([PROGRAM])
            };
            let report = run(launch, b"", Duration::from_secs(20)).expect("it starts");
            assert_eq!(report.outcome, ProgramEnd::Exited(0));
        })
    }

    fn report(what: &str, unit: f64, mut ways: Vec<Way>) {
        let millis = |time: Duration| time.as_secs_f64() * unit;
        let mut bare = None;
        println!(
            "{:<28} {:>8} {:>8} {:>8} {:>12}",
            what, "best", "median", "p95", "above bare"
        );
        for way in &mut ways {
            way.times.sort();
            let at = |part: f64| way.times[(way.times.len() as f64 * part) as usize];
            let (best, median, late) = (millis(at(0.0)), millis(at(0.5)), millis(at(0.95)));
            let bare = *bare.get_or_insert(median);
            println!(
                "{:<28} {best:>8.2} {median:>8.2} {late:>8.2} {:>+12.2}",
                way.name,
                median - bare
            );
        }
    }
}
