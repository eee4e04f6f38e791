//! What choosing the next meeting and taking in a result cost: `cargo bench -p floe-league`.
//!
//! A ladder with a million games is played by versions of known strengths, without playing a game:
//! results are drawn by lot.

#![allow(clippy::print_stdout, missing_docs)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use floe_arena::scoreboard::Scoreboard;
use floe_arena::store::{GameSummary, SeatResult};
use floe_games::Reason;
use floe_league::description::SuspensionRule;
use floe_league::ladder::{GameResult, Queue};

const MEASURED: usize = 2000;

fn main() {
    // Asked by `cargo test --benches` it only has to start.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    println!("versions      games   choice µs (most)   result µs   standings ms");
    for versions in [10, 100, 1000] {
        for games in [10_000, 1_000_000] {
            measure(versions, games);
        }
    }
}

fn measure(versions: usize, games: u64) {
    let mut queue = Queue::new(2, false, 1, SuspensionRule::default());
    let mut board = Scoreboard::new([], 2);
    for version in 0..versions {
        queue.enter();
        board.enter(format!("team {version}#1"));
    }
    let mut lots = Lots(7);
    let mut play = |queue: &mut Queue, board: &mut Scoreboard| {
        let before = Instant::now();
        let pairing = queue.next_game();
        let chosen = before.elapsed();
        let Some(pairing) = pairing else {
            return (chosen, Duration::ZERO);
        };
        let lead = strength(pairing.seats[0], versions) - strength(pairing.seats[1], versions);
        let wins = lots.next() < 1.0 / (1.0 + 10f64.powf(-lead / 400.0));
        let places = if wins { [1, 2] } else { [2, 1] };
        let before = Instant::now();
        let result = GameResult {
            places: places.to_vec(),
            faults: vec![None; 2],
            fingerprint: pairing.number,
        };
        queue.finish(pairing.number, result);
        board.add(&summary(pairing.number, places), &pairing.seats);
        (chosen, before.elapsed())
    };
    for _ in 0..games {
        play(&mut queue, &mut board);
    }
    let (mut chosen, mut taken, mut most) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for _ in 0..MEASURED {
        let (choice, result) = play(&mut queue, &mut board);
        chosen += choice;
        taken += result;
        most = most.max(choice);
    }
    let before = Instant::now();
    black_box(board.ratings(None));
    let fitted = before.elapsed();
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / MEASURED as f64;
    println!(
        "{versions:8} {games:10}   {:9.1} {:8.0} {:11.1} {:14.1}",
        micros(chosen),
        most.as_secs_f64() * 1e6,
        micros(taken),
        fitted.as_secs_f64() * 1e3
    );
}

fn strength(version: usize, versions: usize) -> f64 {
    (version * 7919 % versions) as f64 / versions as f64 * 1600.0
}

fn summary(number: u64, places: [u32; 2]) -> GameSummary {
    let seat = |place: u32| SeatResult {
        place,
        ..SeatResult::default()
    };
    GameSummary {
        number,
        seats: places.map(seat).to_vec(),
        reason: Reason::Finished,
        began: 0,
        place: 0..0,
        fingerprint: number,
        overload: None,
    }
}

/// Numbers from 0 to 1 that look drawn by lot.
struct Lots(u64);

impl Lots {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
