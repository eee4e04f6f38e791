//! `cargo bench -p floe-rules --bench table [-- WORD]`: a table of what the rules cost, in CPU time,
//! the best of several runs. With a word, only the rows that contain it.
#![allow(missing_docs, clippy::print_stdout)]

mod scenes {
    pub(crate) mod gamma;
    pub(crate) mod splits;
}

use std::hint::black_box;
use std::time::Duration;

use floe_rules::flood::Flood;
use floe_rules::gamma::Board;
use floe_rules::penguins::Penguins;
use floe_rules::random::Random;
use floe_rules::{Game, Position, perft};
use rustix::time::{ClockId, clock_gettime};
use scenes::gamma;
use scenes::splits::Splits;

struct Table {
    only: Option<String>,
}

impl Table {
    /// Times `run` on a fresh value of `make`, several times, and prints the best.
    fn row<T>(&self, name: &str, runs: u32, make: impl Fn() -> T, run: impl Fn(&mut T)) {
        if self.is_left_out(name) {
            return;
        }
        let best = (0..runs)
            .map(|_| {
                let mut value = make();
                let start = cpu_time();
                run(&mut value);
                cpu_time() - start
            })
            .min();
        if let Some(best) = best {
            println!("{name:<72} {:>12.3} ms", best.as_secs_f64() * 1e3);
        }
    }
}

impl Table {
    /// Positions a second by perft after some moves, and what a copy and a move cost.
    fn plays<G: Game>(&self, setup: &str, depth: u32, opening: usize) {
        let name = format!("{} {setup}", G::NAME);
        if self.is_left_out(&name) {
            return;
        }
        let Ok(setup) = setup.parse() else { return };
        let mut position = G::start(&setup, 1).expect("a benchmark's setup is possible");
        let mut random = Random::seeded(1);
        let mut moves = Vec::new();
        for _ in 0..opening {
            position.moves(&mut moves);
            position.play_unchecked(moves[random.index(moves.len())]);
        }
        let (time, nodes) = best(5, || perft(black_box(&position), depth));
        let rate = nodes as f64 / time.as_secs_f64() / 1e6;

        position.moves(&mut moves);
        let mut copy = position.clone();
        const TIMES: usize = 100_000;
        let (clone, ()) = best(5, || {
            for _ in 0..TIMES {
                black_box(&mut copy).clone_from(black_box(&position));
            }
        });
        let (both, ()) = best(5, || {
            for i in 0..TIMES {
                copy.clone_from(&position);
                copy.play_unchecked(moves[i % moves.len()]);
                black_box(&copy);
            }
        });
        let each = |time: Duration| time.as_secs_f64() * 1e9 / TIMES as f64;
        println!(
            "{name:<44} perft {depth:>2} {rate:>8.1} M/s   copy {:>6.1} ns   copy and move {:>6.1} ns",
            each(clone),
            each(both)
        );
    }

    fn is_left_out(&self, name: &str) -> bool {
        self.only
            .as_ref()
            .is_some_and(|word| !name.contains(word.as_str()))
    }
}

/// What each operation costs as the board grows: nanoseconds an operation at four sizes. Sides
/// double, so fields grow fourfold; a cost that is O(1) stays level, one of O(side) doubles.
fn gamma_growth(table: &Table) {
    const SIDES: [u32; 4] = [250, 500, 1000, 2000];
    let row = |name: &str, run: &dyn Fn(u32) -> (Duration, u64)| {
        let name = format!("gamma growth: {name}");
        if table.is_left_out(&name) {
            return;
        }
        print!("{name:<72}");
        for side in SIDES {
            let (time, count) = (0..3).map(|_| run(side)).min().expect("three runs");
            print!(" {:>12.1}", time.as_secs_f64() * 1e9 / count.max(1) as f64);
        }
        println!();
    };
    if !table.is_left_out("gamma growth") {
        println!(
            "{:<72} {:>12} {:>12} {:>12} {:>12}  ns each",
            "", "250²", "500²", "1000²", "2000²"
        );
    }
    let timed = |run: &mut dyn FnMut()| {
        let start = cpu_time();
        run();
        cpu_time() - start
    };
    row("move, row by row", &|side| {
        let time = timed(&mut || drop(black_box(gamma::fill(side))));
        (time, u64::from(side) * u64::from(side))
    });
    row("move, random", &|side| {
        let moves = side * side;
        let time = timed(&mut || drop(black_box(gamma::random_moves(side, 10, 1000, moves))));
        (time, u64::from(moves))
    });
    row("busy_fields, free_fields below the limit", &|side| {
        let mut board = gamma::random_moves(side, 10, 1_000_000_000, side * side);
        let mut sum = 0;
        let time = timed(&mut || {
            for i in 0..10_000 {
                let player = gamma::player(1 + i % 10);
                sum += board.busy_fields(player) + board.free_fields(player);
            }
        });
        black_box(sum);
        (time, 20_000)
    });
    row(
        "free_fields at the limit, the first time (per field held)",
        &|side| {
            let mut board = gamma::snake(side);
            let time = timed(&mut || {
                black_box(board.free_fields(gamma::player(1)));
            });
            (time, board.busy_fields(gamma::player(1)))
        },
    );
    row("free_fields at the limit, with a move before it", &|side| {
        let mut board = gamma::at_limit(side);
        (
            timed(&mut || {
                black_box(gamma::grow_and_ask(&mut board, 10_000));
            }),
            10_000,
        )
    });
    row("golden_possible, none and all cuts (per field)", &|side| {
        let mut board = gamma::stuck(side);
        let time = timed(&mut || {
            assert!(!board.golden_possible(gamma::player(1)));
        });
        (time, u64::from(side) * u64::from(side))
    });
    row("golden_possible, the same again", &|side| {
        let mut board = gamma::stuck(side);
        board.golden_possible(gamma::player(1));
        let time = timed(&mut || {
            for _ in 0..1000 {
                black_box(board.golden_possible(gamma::player(1)));
            }
        });
        (time, 1000)
    });
    row("golden_possible, crowd, everybody", &|side| {
        let mut board = gamma::crowded(side, 50, 40);
        let time = timed(&mut || {
            black_box(gamma::ask_golden(&mut board, 50));
        });
        (time, 50)
    });
    row(
        "golden move refused in a snake's middle (per field)",
        &|side| {
            let mut board = gamma::stuck(side);
            let (x, y) = (side / 2, side / 2 / 2 * 2);
            let time = timed(&mut || {
                assert!(board.take_golden(gamma::player(1), x, y).is_err());
            });
            (time, u64::from(side) * u64::from(side))
        },
    );
    type Make = fn(u32) -> Board;
    let shapes: [(&str, Make); 5] = [
        ("snake", gamma::stuck),
        ("combs", gamma::combs),
        ("spirals", gamma::spirals),
        ("one giant area", gamma::giant_area),
        ("crowd", |side| gamma::crowded(side, 50, 40)),
    ];
    for (shape, make) in shapes {
        row(
            &format!("10,000 golden moves, {shape} (per field)"),
            &|side| {
                let mut board = make(side);
                let time = timed(&mut || {
                    black_box(gamma::cut_tries(&mut board, 10_000));
                });
                (time, u64::from(side) * u64::from(side))
            },
        );
    }
    row("board as text (per field)", &|side| {
        let board = gamma::random_moves(side, 9, 1_000_000, side * side);
        let time = timed(&mut || {
            black_box(gamma::print(&board, 1));
        });
        (time, u64::from(side) * u64::from(side))
    });
}

/// The shortest CPU time of several runs, and what the last gave.
fn best<T>(runs: u32, mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut timed = || {
        let start = cpu_time();
        let value = run();
        (cpu_time() - start, value)
    };
    (1..runs).fold(timed(), |(least, _), _| {
        let (time, value) = timed();
        (least.min(time), value)
    })
}

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

fn main() {
    let only = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let table = Table { only };
    gamma_rows(&table);
    gamma_growth(&table);
    for (setup, depth) in [
        ("8x8,players=2,penguins=2", 3),
        ("10x10,players=2,penguins=3", 3),
        ("20x20,players=2,penguins=4", 2),
        ("40x40,players=4,penguins=4", 2),
    ] {
        table.plays::<Penguins>(setup, depth, 12);
    }
    for (setup, depth) in [("10x10", 11), ("20x20", 11), ("50x50", 10)] {
        table.plays::<Flood>(setup, depth, 0);
    }
}

/// Blocks of 2 M fields and a path of 1 M that grows.
const GIANT_SPLITS: Splits = Splits {
    width: 5_010,
    height: 50_010,
    blocks: 12,
    block_rows: 400,
    path_rows: 401,
    refusals: 20_000,
    pairs: 36,
    pair_side: 500,
};

fn gamma_rows(table: &Table) {
    let nothing = || ();
    table.row(
        "gamma 1.5 M random moves, 1000x1000, 10 players, 1000 areas",
        5,
        nothing,
        |()| {
            black_box(gamma::random_moves(1000, 10, 1000, 1_500_000));
        },
    );
    table.row(
        "  the least: their fields looked at and written, without rules",
        5,
        nothing,
        |()| {
            black_box(gamma::least_random_moves(1000, 10, 1000, 1_500_000).taken);
        },
    );
    table.row(
        "gamma filling 2000x2000 row by row, one player",
        5,
        nothing,
        |()| {
            black_box(gamma::fill(2000));
        },
    );
    table.row(
        "  the least: the same fields looked at and written, without rules",
        5,
        nothing,
        |()| {
            black_box(gamma::least_fill(2000).taken);
        },
    );
    table.row(
        "gamma 4000 x golden_possible, 500x500, 200 players, 40 areas",
        5,
        || gamma::crowded(500, 200, 40),
        |board| {
            black_box(gamma::ask_golden(board, 4000));
        },
    );
    table.row(
        "gamma 4000 x (golden move, golden_possible), the same",
        5,
        || gamma::crowded(500, 200, 40),
        |board| {
            black_box(gamma::try_golden(board, 4000));
        },
    );
    table.row(
        "gamma 10,000 x (move, free_fields at the limit), 1000x1000",
        5,
        || gamma::at_limit(1000),
        |board| {
            black_box(gamma::grow_and_ask(board, 10_000));
        },
    );
    table.row(
        "gamma board as text, 3000x3000, 20 times",
        3,
        || gamma::random_moves(3000, 9, 4_000_000, 4_000_000),
        |board| {
            black_box(gamma::print(board, 20));
        },
    );
    table.row(
        "gamma snake 200x200, 600 x golden_possible",
        5,
        || gamma::snake(200),
        |board| {
            black_box(gamma::ask_golden(board, 600));
        },
    );
    table.row(
        "gamma combs 300x300, 600 x golden_possible, 200 cutting golden moves",
        5,
        || gamma::combs(300),
        |board| {
            black_box(gamma::ask_golden(board, 600));
            black_box(gamma::cut_tries(board, 200));
        },
    );
    table.row(
        "gamma 20,000 games on 10x10, 200 attempts each",
        5,
        nothing,
        |()| {
            black_box(gamma::short_games(20_000));
        },
    );
    table.row(
        "gamma 20,000 games on 10x10, free_fields after each of 200 attempts",
        5,
        nothing,
        |()| {
            black_box(gamma::asked_games(20_000));
        },
    );
    table.row(
        "gamma giant: 250 M fields, 500,000 players, 100,000 refusals",
        1,
        nothing,
        |()| {
            assert_eq!(black_box(gamma::giant()), 0);
        },
    );
    table.row(
        "gamma giant: 250 M fields, 30,000 splits, 20,000 refusals, 36 halvings",
        1,
        nothing,
        |()| {
            let (mut board, path) = GIANT_SPLITS.land();
            black_box(GIANT_SPLITS.play(&mut board, path));
        },
    );
    table.row(
        "gamma giant splits, the golden moves alone",
        1,
        || GIANT_SPLITS.land(),
        |(board, path)| {
            black_box(GIANT_SPLITS.play(board, *path));
        },
    );
    table.row(
        "gamma a field split off a block of 1000x1000",
        5,
        || gamma::block(1000),
        |board| assert_eq!(board.take_golden(gamma::player(3), 1, 0), Ok(())),
    );
}
