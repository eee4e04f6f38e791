//! What the referee costs: a move in the line protocol above a bare pipe round trip to the same
//! program, and whole games of engines that think of one position, with records.
//!
//! ```text
//! cargo bench -p floe-arena --bench referee
//! ```
#![allow(clippy::print_stdout, missing_docs)]

#[cfg(target_os = "linux")]
#[path = "../tests/one_game/mod.rs"]
mod one_game;

#[cfg(target_os = "linux")]
fn main() {
    floe_sandbox::helper_main();
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::fs::PermissionsExt;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use floe_arena::job::Job;
    use floe_arena::journal::RecordWriter;
    use floe_arena::live::Broadcast;
    use floe_arena::seat::{Sandbox, Seat};
    use floe_games::find;
    use floe_games::record::{Event, MoveLimits, Opening, VERSION};

    use super::one_game;

    /// Answers every position at once: Gamma's free fields one after the other, for one player.
    const ECHO: &str = r#"
#include <stdio.h>
#include <string.h>
int main(void) {
    static char line[65536];
    int at = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "floe ", 5)) puts("ok echo");
        if (!strncmp(line, "go ", 3)) { printf("move %c%d\n", 'a' + at % 10, 1 + at / 10); at++; }
    }
}
"#;

    pub(super) fn main() {
        // `cargo test` runs benchmarks too, with an argument that says so.
        let is_bench = std::env::args().any(|word| word == "--bench");
        lines(if is_bench { 60 } else { 1 });
        for (game, setup) in [("penguins", "8x8"), ("gamma", "8x8"), ("flood", "10x10")] {
            games(game, setup, if is_bench { 3000 } else { 3 });
        }
        told(if is_bench { 2000 } else { 3 });
    }

    fn compile(folder: &Path) -> PathBuf {
        let source = folder.join("echo.c");
        fs::write(&source, ECHO).expect("it is written");
        let program = folder.join("echo");
        let made = Command::new("cc")
            .args(["-O2", "-o"])
            .arg(&program)
            .arg(&source)
            .status();
        assert!(made.expect("there is a C compiler").success());
        program
    }

    /// The median of the moves of so many games, and of as many bare round trips.
    fn lines(rounds: usize) {
        let folder = tempfile::tempdir().expect("there is room");
        let open = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), open).expect("it is ours");
        let program = compile(folder.path());
        let game = find("gamma").expect("it is there");
        let word = format!("line:{}", program.display());
        let seat = Seat::read(&word, game, folder.path()).expect("a program");
        let helper = Path::new(env!("CARGO_BIN_EXE_floe-arena-supervisor"));
        let sandbox = Sandbox::find(helper, 0, 1).expect("a sandbox");
        let request = {
            let position = game.start("10x10,players=1", 1).expect("a game");
            format!("position\n{}.\ngo 1000\n", position.spell())
        };
        let (mut bare, mut refereed) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            round_trips(&program, &request, &mut bare);
            let mut drivers = vec![seat.driver(game, &sandbox, 0).expect("a driver")];
            let position = game.start("10x10,players=1", 1).expect("a game");
            let mut last = Instant::now();
            let mut watch = |_: &Event| {
                let now = Instant::now();
                refereed.push(now - std::mem::replace(&mut last, now));
            };
            let seats = std::slice::from_ref(&seat);
            let limits = MoveLimits::default();
            let record = one_game::watched(position, seats, &mut drivers, limits, &mut watch);
            assert_eq!(record.expect("no trouble").faults().count(), 0);
        }
        let (bare, refereed) = (median(bare), median(refereed));
        println!(
            "a move in the line protocol: {refereed:.1} µs, a bare round trip {bare:.1} µs, \
             above it {:.1} µs",
            refereed - bare
        );
    }

    fn round_trips(program: &Path, request: &str, times: &mut Vec<Duration>) {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        for _ in 0..100 {
            let start = Instant::now();
            input.write_all(request.as_bytes()).expect("it listens");
            line.clear();
            output.read_line(&mut line).expect("it answers");
            times.push(start.elapsed());
        }
        drop(input);
        child.wait().expect("it ends");
    }

    fn median(mut times: Vec<Duration>) -> f64 {
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1e6
    }

    /// Whole games of two engines that look at one position a move, each on its own board.
    fn games(name: &str, setup: &str, rounds: u64) {
        let game = find(name).expect("it is there");
        let folder = tempfile::tempdir().expect("there is room");
        for word in ["floe:nodes=1", "greedy"] {
            let seats =
                [word, word].map(|word| Seat::read(word, game, Path::new(".")).expect("an engine"));
            let path = folder.path().join(format!("{word}.jsonl"));
            let mut journal = RecordWriter::open(&path).expect("there is room");
            let sandbox = Sandbox::none();
            let mut moves = 0;
            let start = Instant::now();
            for seed in 0..rounds {
                let position = game.start(setup, seed).expect("a game");
                let played = one_game::play(position, &seats, MoveLimits::default(), &sandbox);
                let record = played.expect("no trouble");
                moves += record.events.len();
                journal.append(&record).expect("there is room");
            }
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{name} {setup}, {word}: {:.0} games a second, {:.1} moves each, {:.1} µs a move",
                rounds as f64 / seconds,
                moves as f64 / rounds as f64,
                seconds / moves as f64 * 1e6
            );
        }
    }

    /// The same games told to nobody, to a memory that nobody has asked yet, and to somebody, by turns
    /// so that the machine's moods are everybody's.
    fn told(rounds: u64) {
        let game = find("gamma").expect("it is there");
        let seats = ["random", "random"]
            .map(|word| Seat::read(word, game, Path::new(".")).expect("an engine"));
        let (nobody, memory, reader) = (
            Broadcast::default(),
            Broadcast::default(),
            Broadcast::default(),
        );
        memory.remember();
        let events = reader.subscribe();
        let heard = std::thread::spawn(move || events.iter().count());
        let mut times = [Duration::ZERO; 3];
        for seed in 0..rounds {
            let position = game.start("6x6", seed).expect("a game");
            let job = Job {
                opening: Opening {
                    floe: VERSION,
                    game: "gamma".to_owned(),
                    id: (seed + 1).to_string(),
                    seats: seats.iter().map(|seat| seat.entrant("random")).collect(),
                    start: position.write(),
                    ..Opening::default()
                },
                dice: seed,
            };
            for turn in 0..3 {
                // Whoever comes first finds everything cold.
                let which = (turn + seed as usize) % 3;
                let live = [&nobody, &memory, &reader][which];
                let start = Instant::now();
                let played = job.play(&seats, &Sandbox::none(), &Default::default(), live);
                played.expect("no trouble");
                times[which] += start.elapsed();
            }
        }
        drop(reader);
        let heard = heard.join().expect("it counts");
        let [nobody, memory, reader] = times.map(|time| time.as_secs_f64());
        println!(
            "a game told to nobody takes 1, remembered for late readers {:.3}, read by somebody \
             {:.3} ({heard} lines)",
            memory / nobody,
            reader / nobody
        );
    }
}
