//! How much the batch program adds to the board it plays on.
//!
//! The same commands, on the same machine in the same minute, four ways: called on the board
//! directly, from bytes to bytes in memory, by the program as a process, and only copied by `cat`.
//! The ratios are what matters. Three mixes: a million mixed commands on 1000 x 1000 (the program
//! should stay within three times the board alone), and two smaller boards.
//!
//! `cargo bench -p floe-contest --bench batch`

#![allow(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use rustix::time::{ClockId, clock_gettime};
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use floe_contest::gamma::batch::{BatchLine, Command, Reader, Taking};
use floe_contest::gamma::session::Session;
use floe_rules::Player;
use floe_rules::gamma::Board;
use floe_rules::random::Random;

struct Mix {
    name: &'static str,
    side: u32,
    players: u32,
    areas: u32,
    /// Moves, golden moves, busy, free, golden possible: how often each is drawn.
    weights: [u32; 5],
}

const MIXES: [Mix; 3] = [
    Mix {
        name: "mixed, 1000 x 1000",
        side: 1000,
        players: 10,
        areas: 1000,
        weights: [6, 1, 1, 1, 1],
    },
    Mix {
        name: "mostly moves, 300 x 300",
        side: 300,
        players: 5,
        areas: 200,
        weights: [96, 1, 1, 1, 1],
    },
    Mix {
        name: "mixed, 100 x 100",
        side: 100,
        players: 4,
        areas: 20,
        weights: [6, 1, 1, 1, 1],
    },
];

impl Mix {
    fn text(&self, lines: usize) -> String {
        let Mix {
            side,
            players,
            areas,
            weights,
            ..
        } = self;
        let mut random = Random::seeded(1);
        let mut text = format!("B {side} {side} {players} {areas}\n");
        for _ in 0..lines {
            let letter = ["m", "g", "b", "f", "q"][random.weighted(weights)];
            let player = 1 + random.below(u64::from(*players));
            let _ = write!(text, "{letter} {player}");
            if letter == "m" || letter == "g" {
                let (x, y) = (
                    random.below(u64::from(*side)),
                    random.below(u64::from(*side)),
                );
                let _ = write!(text, " {x} {y}");
            }
            text.push('\n');
        }
        text
    }
}

/// The commands after the first line.
fn commands(text: &str) -> Vec<Command> {
    let mut bytes = text.as_bytes();
    let mut commands = Vec::new();
    let mut reader = Reader::new();
    while let Some((line, rest)) = reader.line(bytes) {
        bytes = rest;
        if let BatchLine::Command(command) = line {
            commands.push(command);
        }
    }
    commands.split_off(1)
}

/// The board alone; gives a sum, so that nothing is optimised away.
fn board_alone(mix: &Mix, commands: &[Command]) -> u64 {
    let mut board = Board::new(mix.side, mix.side, mix.players, mix.areas).expect("a board");
    let player = |number| Player::from_number(number).expect("a player");
    let mut sum = 0;
    for &command in commands {
        sum += match command {
            Command::Move(Taking { player: p, x, y }) => board.take(player(p), x, y).is_ok().into(),
            Command::Golden(Taking { player: p, x, y }) => {
                board.take_golden(player(p), x, y).is_ok().into()
            }
            Command::Busy { player: p } => board.busy_fields(player(p)),
            Command::Free { player: p } => board.free_fields(player(p)),
            Command::GoldenPossible { player: p } => board.golden_possible(player(p)).into(),
            _ => 0,
        };
    }
    sum
}

/// From bytes to bytes, in blocks as the program does it.
fn session(text: &str) -> usize {
    let mut session = Session::new();
    let mut written = 0;
    for mut block in text.as_bytes().chunks(64 * 1024) {
        while !block.is_empty() {
            block = session.feed(block).expect("memory");
            written += session.output.len();
            session.output.clear();
        }
    }
    written
}

/// Runs a program on the commands, throws its results away, and gives the time it took.
fn process(program: &str, input: &Path) -> Duration {
    let start = Instant::now();
    let mut child = Process::new(program)
        .stdin(File::open(input).expect("the commands"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut results = child.stdout.take().expect("a pipe");
    let mut block = vec![0; 64 * 1024];
    while results.read(&mut block).expect("results") > 0 {}
    let time = on_processor(&child.id().to_string()).unwrap_or(start.elapsed());
    assert!(child.wait().expect("it ends").success());
    time
}

/// How long a process that has ended was on a processor, which a busy machine disturbs less than the
/// time on the wall; Linux alone tells.
fn on_processor(process: &str) -> Option<Duration> {
    let times = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    let nanoseconds = times.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let now = || {
        let now = clock_gettime(ClockId::ProcessCPUTime);
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    };
    let start = now();
    std::hint::black_box(work());
    now() - start
}

/// The best of several runs.
fn best(runs: u32, mut run: impl FnMut() -> Duration) -> Duration {
    (0..runs).map(|_| run()).min().expect("at least one run")
}

fn main() {
    // `cargo test --benches` only wants to see it run.
    let in_earnest = std::env::args().any(|word| word == "--bench");
    let (lines, runs) = if in_earnest {
        (1_000_000, 9)
    } else {
        (1000, 1)
    };
    for mix in &MIXES {
        let text = mix.text(lines);
        let commands = commands(&text);
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), &text).expect("a file");

        let alone = best(runs, || time(|| board_alone(mix, &commands)));
        println!("{}, {lines} lines, {} KiB", mix.name, text.len() / 1024);
        let show = |name: &str, time: Duration| {
            let ratio = time.as_secs_f64() / alone.as_secs_f64();
            println!(
                "  {name:<16} {:7.2} ms {ratio:6.2} x",
                time.as_secs_f64() * 1e3
            );
        };
        show("board alone", alone);
        show("bytes to bytes", best(runs, || time(|| session(&text))));
        show(
            "the program",
            best(runs, || process(env!("CARGO_BIN_EXE_gamma"), file.path())),
        );
        show("cat", best(runs, || process("cat", file.path())));
    }
}
