//! Shapes made to be hard: snakes, combs, spirals, one giant area; and sizes made to be hard.

use floe_rules::gamma::{Board, NewError, Refusal};

use crate::board::player;

/// Fields of a snake one wide, from one end to the other.
fn snake(width: u32, rows: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..rows).flat_map(move |y| {
        let leftwards = (y / 2) % 2 == 1;
        let (first, last) = if leftwards {
            (width - 1, 0)
        } else {
            (0, width - 1)
        };
        let row = (0..width).map(move |i| (if leftwards { first - i } else { i }, y));
        let turn = std::iter::once((last, y));
        row.take(if y % 2 == 0 { width as usize } else { 0 })
            .chain(turn.take(usize::from(y % 2 == 1)))
    })
}

#[test]
fn a_snake_of_two_million_fields_is_cut_nowhere_but_at_its_ends() {
    let width = 2000;
    let rows = 2001;
    let mut board = Board::new(width, rows, 3, 1).unwrap();
    let fields: Vec<_> = snake(width, rows).collect();
    assert!(fields.len() > 2_000_000);
    for &(x, y) in &fields {
        board.take(player(1), x, y).unwrap();
    }
    assert_eq!(board.area_count(player(1)), 1);
    for i in 1..2000 {
        let (x, y) = fields[i * 997];
        assert_eq!(
            board.take_golden(player(2), x, y),
            Err(Refusal::VictimSplits)
        );
    }
    let (x, y) = fields[0];
    board.take_golden(player(2), x, y).unwrap();
    assert_eq!(
        (board.area_count(player(1)), board.busy_fields(player(2))),
        (1, 1)
    );
    // Player 2 is at his limit: only the snake's new end is beside his field, and it is his to
    // take no more.
    assert!(!board.golden_possible(player(2)));
    assert!(board.golden_possible(player(3)));
}

#[test]
fn a_snake_can_be_cut_in_the_middle_where_the_limit_allows() {
    let mut board = Board::new(400, 401, 2, 2).unwrap();
    let fields: Vec<_> = snake(400, 401).collect();
    for &(x, y) in &fields {
        board.take(player(1), x, y).unwrap();
    }
    let (x, y) = fields[fields.len() / 2];
    board.take_golden(player(2), x, y).unwrap();
    assert_eq!(board.area_count(player(1)), 2);
    assert_eq!(board.busy_fields(player(1)), fields.len() as u64 - 1);
    // Both halves are whole areas: joining them again makes one.
    let (x, y) = fields[0];
    assert_eq!((x, y), (0, 0));
    assert_eq!(board.take(player(1), 0, 1), Ok(()));
    assert_eq!(
        board.area_count(player(1)),
        2,
        "the field joins rows 0 and 2 of one half"
    );
}

#[test]
fn a_snake_that_bites_itself_can_lose_a_field_of_its_loop() {
    let mut board = Board::new(400, 401, 3, 1).unwrap();
    let fields: Vec<_> = snake(400, 401).collect();
    for &(x, y) in &fields {
        board.take(player(1), x, y).unwrap();
    }
    let refused = Err(Refusal::VictimSplits);
    let (middle, in_loop, far) = (fields[fields.len() / 2], (200, 0), (200, 300));
    for (x, y) in [middle, in_loop, far] {
        assert_eq!(board.take_golden(player(2), x, y), refused);
    }
    // Rows 0 and 2 become a loop around what is between them.
    board.take(player(1), 0, 1).unwrap();
    for (x, y) in [middle, far] {
        assert_eq!(board.take_golden(player(2), x, y), refused);
    }
    assert_eq!(board.take_golden(player(2), in_loop.0, in_loop.1), Ok(()));
    assert_eq!(board.area_count(player(1)), 1);
    // The loop is open again.
    assert_eq!(board.take_golden(player(3), middle.0, middle.1), refused);
    assert_eq!(board.take_golden(player(3), 200, 2), refused);
}

#[test]
fn interleaved_combs_are_all_cuts_but_the_tips() {
    let side = 60;
    let mut board = Board::new(side, side, 2, 1).unwrap();
    for x in 0..side {
        board.take(player(1), x, 0).unwrap();
        board.take(player(2), x, side - 1).unwrap();
    }
    for x in 0..side {
        for step in 1..side - 1 {
            if x % 2 == 0 {
                board.take(player(1), x, step).unwrap();
            } else {
                board.take(player(2), x, side - 1 - step).unwrap();
            }
        }
    }
    assert_eq!(
        (board.area_count(player(1)), board.area_count(player(2))),
        (1, 1)
    );
    for y in 2..side - 2 {
        for x in 0..side {
            let mover = player(if x % 2 == 0 { 2 } else { 1 });
            assert_eq!(
                board.take_golden(mover, x, y),
                Err(Refusal::VictimSplits),
                "{x} {y}"
            );
        }
    }
    assert!(board.golden_possible(player(1)));
    assert!(board.golden_possible(player(2)));
    board.take_golden(player(1), 1, 1).unwrap();
}

#[test]
fn a_ring_around_a_hole_is_cut_only_when_it_is_open() {
    let mut board = Board::new(9, 9, 2, 1).unwrap();
    for i in 0..8 {
        board.take(player(1), i, 0).unwrap();
    }
    for i in 0..8 {
        board.take(player(1), 8, i).unwrap();
    }
    for i in (1..9).rev() {
        board.take(player(1), i, 8).unwrap();
    }
    for i in (2..9).rev() {
        board.take(player(1), 0, i).unwrap();
    }
    // Open at (0, 1): the ring is a path, and every field but its ends cuts it.
    assert_eq!(
        board.check_golden(player(2), 4, 8),
        Err(Refusal::VictimSplits)
    );
    assert_eq!(board.check_golden(player(2), 0, 2), Ok(()));
    board.take(player(1), 0, 1).unwrap();
    // Closed: no field cuts it.
    assert_eq!(board.check_golden(player(2), 4, 8), Ok(()));
    board.take_golden(player(2), 4, 8).unwrap();
    assert_eq!(board.area_count(player(1)), 1);
}

#[test]
fn huge_sizes_work_or_are_refused_at_once() {
    const MOST: u32 = u32::MAX;
    for (width, height, players, areas) in [
        (MOST, MOST, 1, 1),
        (MOST, MOST, MOST, MOST),
        (2, MOST, 2, 2),
        (MOST, 2, 2, 2),
        (10, 10, MOST, 1),
        (10, 10, 1, MOST),
        (8000, 8000, 300, 8),
        (1, 7999 * 7999, 300, 8),
        (7999 * 7999, 1, 300, 8),
    ] {
        let mut board = match Board::new(width, height, players, areas) {
            Ok(board) => board,
            Err(error) => {
                assert_eq!(error, NewError::Memory);
                let fields = u64::from(width) * u64::from(height);
                assert!(fields > 64_000_000, "{width} x {height} should be possible");
                continue;
            }
        };
        let last = player(players);
        assert_eq!(board.take(last, width - 1, height - 1), Ok(()));
        assert_eq!(board.take(last, 0, 0).is_ok(), areas > 1);
        let fields = u64::from(width) * u64::from(height);
        let free = board.free_fields(last);
        assert!(
            if areas > 2 {
                free == fields - 2
            } else {
                free <= 4
            },
            "{free}"
        );
        assert!(!board.golden_possible(last));
        if players > 1 {
            assert!(board.golden_possible(player(1)));
            assert_eq!(board.take_golden(player(1), width - 1, height - 1), Ok(()));
        }
    }
}

#[test]
fn zero_is_refused() {
    for (width, height, players, areas) in [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    {
        assert_eq!(
            Board::new(width, height, players, areas).unwrap_err(),
            NewError::Zero
        );
    }
}
