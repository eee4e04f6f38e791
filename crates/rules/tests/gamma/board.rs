//! The clever board against the naive one, after every move.

use floe_rules::Player;
use floe_rules::gamma::Board;
use floe_rules::random::Random;
use proptest::prelude::*;

use crate::naive::Naive;

pub(crate) fn player(number: u32) -> Player {
    Player::from_number(number).expect("players count from 1")
}

fn compare(board: &mut Board, naive: &mut Naive, golden: bool) {
    for number in 1..=naive.players {
        let p = player(number);
        assert_eq!(board.busy_fields(p), naive.busy_fields(number));
        assert_eq!(board.area_count(p) as usize, naive.area_count(number));
        assert_eq!(
            board.free_fields(p),
            naive.free_fields(number),
            "free fields of {number}"
        );
        if golden {
            assert_eq!(board.golden_possible(p), naive.golden_moves(number) > 0);
        }
    }
    for (i, &owner) in naive.owners.iter().enumerate() {
        let (x, y) = ((i % naive.width) as u32, (i / naive.width) as u32);
        assert_eq!(board.owner(x, y), Player::from_number(owner));
    }
}

/// Plays `moves` random calls; asks everything after every `every`th.
fn play(width: u32, height: u32, players: u32, areas: u32, seed: u64, moves: u32, every: u32) {
    let mut random = Random::seeded(seed);
    let mut board = Board::new(width, height, players, areas).unwrap();
    let mut naive = Naive::new(width, height, players, areas);
    let goldens = 1 + random.below(8);
    for turn in 0..moves {
        let number = 1 + random.below(u64::from(players)) as u32;
        let (x, y) = (
            random.below(width.into()) as u32,
            random.below(height.into()) as u32,
        );
        let p = player(number);
        if random.below(16) < goldens {
            let check = board.check_golden(p, x, y);
            let made = board.take_golden(p, x, y);
            assert_eq!(check, made);
            assert_eq!(
                made.is_ok(),
                naive.take_golden(number, x, y),
                "{number} {x} {y}: {made:?}"
            );
        } else {
            let check = board.check_take(p, x, y);
            let made = board.take(p, x, y);
            assert_eq!(check, made);
            assert_eq!(
                made.is_ok(),
                naive.take(number, x, y),
                "{number} {x} {y}: {made:?}"
            );
        }
        if turn % every == 0 {
            compare(&mut board, &mut naive, true);
        }
        if random.below(40) == 0 {
            let mut copy = Board::new(1, 1, 1, 1).unwrap();
            copy.clone_from(&board);
            board = if random.below(2) == 0 {
                copy
            } else {
                copy.clone()
            };
        }
    }
    compare(&mut board, &mut naive, true);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn small_boards_agree_with_the_naive_twin(
        width in 1u32..7, height in 1u32..7, players in 1u32..5, areas in 1u32..5, seed: u64,
    ) {
        play(width, height, players, areas, seed, 4 * width * height, 1);
    }

    #[test]
    fn wide_boards_with_few_areas_agree_with_the_naive_twin(
        width in 5u32..14, height in 5u32..14, players in 2u32..4, areas in 1u32..3, seed: u64,
    ) {
        play(width, height, players, areas, seed, 12 * width * height, 37);
    }

    #[test]
    fn many_players_agree_with_the_naive_twin(
        players in prop::sample::select(vec![64u32, 65, 255, 256, 300, 70_000]), seed: u64,
    ) {
        let mut random = Random::seeded(seed);
        let mut board = Board::new(6, 5, players, 2).unwrap();
        let mut naive = Naive::new(6, 5, players, 2);
        for _ in 0..80 {
            let number = [1, 2, 63, players - 1, players][random.index(5)];
            let (x, y) = (random.below(6) as u32, random.below(5) as u32);
            let p = player(number);
            if random.below(3) == 0 {
                prop_assert_eq!(board.take_golden(p, x, y).is_ok(), naive.take_golden(number, x, y));
            } else {
                prop_assert_eq!(board.take(p, x, y).is_ok(), naive.take(number, x, y));
            }
            prop_assert_eq!(board.free_fields(p), naive.free_fields(number));
            prop_assert_eq!(board.golden_possible(p), naive.golden_moves(number) > 0);
        }
    }
}

/// Boards above 12,288 fields have another layout. Only a part of them is played on, so that the naive twin can be small:
/// legality, areas and owners do not depend on the rest.
#[test]
fn parts_of_large_boards_agree_with_the_naive_twin() {
    for seed in 0..200 {
        let mut random = Random::seeded(seed);
        let mut below = |bound: u32| random.below(bound.into()) as u32;
        let players = [2, 3, 64, 300][seed as usize % 4];
        let movers = 2 + below(3).min(players - 2);
        let (width, height, areas) = (2 + below(20), 2 + below(20), 1 + below(6));
        // At an edge, in a corner or in the middle.
        let left = [0, below(128 - width), 128 - width][below(3) as usize];
        let bottom = [0, below(97 - height), 97 - height][below(3) as usize];
        let mut board = Board::new(128, 97, players, areas).unwrap();
        let mut naive = Naive::new(width, height, players, areas);
        let (mut x, mut y) = (0, 0);
        for _ in 0..3 * width * height {
            // Next to the last field, as in a sweep, or anywhere.
            (x, y) = match below(4) {
                0 => (below(width), below(height)),
                1 => (x, (y + 1) % height),
                _ => ((x + 1) % width, y),
            };
            let number = 1 + below(movers);
            let (p, at) = (player(number), (left + x, bottom + y));
            let (made, expected) = match below(12) {
                0 => (
                    board.take_golden(p, at.0, at.1),
                    naive.take_golden(number, x, y),
                ),
                _ => (board.take(p, at.0, at.1), naive.take(number, x, y)),
            };
            assert_eq!(
                made.is_ok(),
                expected,
                "seed {seed}: {number} {x} {y}: {made:?}"
            );
            let areas = naive.area_count(number);
            assert_eq!(
                board.area_count(p) as usize,
                areas,
                "seed {seed}: {number} {x} {y}"
            );
        }
        for number in 1..=movers {
            assert_eq!(board.busy_fields(player(number)), naive.busy_fields(number));
        }
        for (i, &owner) in naive.owners.iter().enumerate() {
            let (x, y) = ((i % naive.width) as u32, (i / naive.width) as u32);
            assert_eq!(
                board.owner(left + x, bottom + y),
                Player::from_number(owner)
            );
        }
    }
}

/// Mazes make areas with holes, dead ends and long ways around: one player's walls, another's
/// halls, so that most fields are cuts.
#[test]
fn mazes_agree_with_the_naive_twin() {
    for seed in 0..60 {
        let mut random = Random::seeded(seed);
        let size = 5 + 2 * random.below(4) as u32;
        let mut board = Board::new(size, size, 3, 3).unwrap();
        let mut naive = Naive::new(size, size, 3, 3);
        let loose = random.below(4);
        for _ in 0..6 {
            for y in 0..size {
                for x in 0..size {
                    let wall = (x % 2 == 1 && y % 2 == 1)
                        || ((x % 2 == 1 || y % 2 == 1) && random.below(4) < loose);
                    let number = 1 + u32::from(wall);
                    assert_eq!(
                        board.take(player(number), x, y).is_ok(),
                        naive.take(number, x, y)
                    );
                }
            }
        }
        compare(&mut board, &mut naive, true);
        for _ in 0..60 {
            let (x, y) = (
                random.below(size.into()) as u32,
                random.below(size.into()) as u32,
            );
            let number = 1 + random.below(3) as u32;
            let made = board.take_golden(player(number), x, y).is_ok();
            assert_eq!(made, naive.take_golden(number, x, y));
            compare(&mut board, &mut naive, random.below(8) == 0);
        }
    }
}

fn text(board: &Board) -> String {
    let mut text = vec![0; board.text_size().unwrap()];
    board.write_text(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn a_board_is_printed_from_the_top_row_down() {
    let mut board = Board::new(3, 2, 9, 5).unwrap();
    board.take(player(1), 0, 0).unwrap();
    board.take(player(9), 2, 1).unwrap();
    assert_eq!(text(&board), "..9\n1..\n");
}

#[test]
fn ten_players_and_more_are_right_aligned_with_blanks_between() {
    let mut board = Board::new(3, 2, 100, 5).unwrap();
    board.take(player(7), 0, 0).unwrap();
    board.take(player(42), 1, 0).unwrap();
    board.take(player(100), 2, 1).unwrap();
    assert_eq!(text(&board), "  .   . 100\n  7  42   .\n");
}
