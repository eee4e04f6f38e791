//! What the Gamma benchmarks do: the workloads of the public comparison, and worst-case shapes.

use floe_rules::Player;
use floe_rules::gamma::Board;

/// A small generator, so that drawing moves costs next to nothing beside making them.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }
}

pub(crate) fn player(number: u32) -> Player {
    Player::from_number(number).expect("players count from 1")
}

fn new(width: u32, height: u32, players: u32, areas: u32) -> Board {
    Board::new(width, height, players, areas).expect("memory for a benchmark's board")
}

/// Random moves, most of them refused once the players are at their limits.
pub(crate) fn random_moves(side: u32, players: u32, areas: u32, moves: u32) -> Board {
    let mut dice = Dice::new(1);
    let mut board = new(side, side, players, areas);
    for _ in 0..moves {
        let mover = player(1 + dice.below(players));
        let _ = board.take(mover, dice.below(side), dice.below(side));
    }
    board
}

/// One player takes every field, row by row.
pub(crate) fn fill(side: u32) -> Board {
    let mut board = new(side, side, 1, 1);
    for y in 0..side {
        for x in 0..side {
            let _ = board.take(player(1), x, y);
        }
    }
    board
}

/// What no program can do without when somebody wants a field: it looks at the field and, if that is
/// free, at its four neighbours, and writes the owner down where a neighbour is theirs or they may begin
/// another area. Areas that meet are not joined; one byte a field.
pub(crate) struct LeastWork {
    stride: usize,
    /// With a border around the board.
    owners: Vec<u8>,
    /// How many areas each player may still begin.
    areas_left: Vec<u32>,
    pub(crate) taken: u32,
}

impl LeastWork {
    fn new(side: u32, players: u32, areas: u32) -> Self {
        let stride = side as usize + 2;
        LeastWork {
            stride,
            owners: vec![0; stride * stride],
            areas_left: vec![areas; players as usize + 1],
            taken: 0,
        }
    }

    fn take(&mut self, owner: u32, x: u32, y: u32) {
        let at = (y as usize + 1) * self.stride + x as usize + 1;
        if self.owners[at] != 0 {
            return;
        }
        let around = [at - self.stride, at - 1, at + 1, at + self.stride];
        let is_touching = around.iter().any(|&at| u32::from(self.owners[at]) == owner);
        let left = &mut self.areas_left[owner as usize];
        if !is_touching {
            if *left == 0 {
                return;
            }
            *left -= 1;
        }
        self.owners[at] = owner as u8;
        self.taken += 1;
    }
}

/// The fields of [`random_moves`] with the least work.
pub(crate) fn least_random_moves(side: u32, players: u32, areas: u32, moves: u32) -> LeastWork {
    let mut dice = Dice::new(1);
    let mut board = LeastWork::new(side, players, areas);
    for _ in 0..moves {
        let mover = 1 + dice.below(players);
        board.take(mover, dice.below(side), dice.below(side));
    }
    board
}

/// The fields of [`fill`] with the least work.
pub(crate) fn least_fill(side: u32) -> LeastWork {
    let mut board = LeastWork::new(side, 1, 1);
    for y in 0..side {
        for x in 0..side {
            board.take(1, x, y);
        }
    }
    board
}

/// The middle of a crowded game: many players, all near their limit of areas.
pub(crate) fn crowded(side: u32, players: u32, areas: u32) -> Board {
    random_moves(side, players, areas, side * side * 6)
}

/// `golden_possible` for everybody in turn.
pub(crate) fn ask_golden(board: &mut Board, times: u32) -> u32 {
    let players = board.players();
    (0..times)
        .map(|i| u32::from(board.golden_possible(player(1 + i % players))))
        .sum()
}

/// A golden move somewhere, then the question.
pub(crate) fn try_golden(board: &mut Board, times: u32) -> u32 {
    let (players, width, height) = (board.players(), board.width(), board.height());
    let mut dice = Dice::new(2);
    (0..times)
        .map(|i| {
            let mover = player(1 + i % players);
            let _ = board.take_golden(mover, dice.below(width), dice.below(height));
            u32::from(board.golden_possible(mover))
        })
        .sum()
}

/// A snake of one player through the board, one field wide: every field but its ends is a cut.
fn lay_snake(board: &mut Board, number: u32, rows: u32) {
    let side = board.width();
    for y in 0..rows {
        let leftwards = (y / 2) % 2 == 1;
        if y % 2 == 1 {
            let _ = board.take(player(number), if leftwards { 0 } else { side - 1 }, y);
            continue;
        }
        for i in 0..side {
            let x = if leftwards { side - 1 - i } else { i };
            let _ = board.take(player(number), x, y);
        }
    }
}

/// A snake of player 1, and player 2 in one of its gaps: each one area.
pub(crate) fn snake(side: u32) -> Board {
    let mut board = new(side, side, 2, 1);
    lay_snake(&mut board, 1, side);
    for x in 0..side {
        let _ = board.take(player(2), x, 1);
    }
    board
}

/// A snake of player 2, and player 1 at his limit in the middle of it, with nothing beside him
/// but fields that cut the snake: he has no golden move.
pub(crate) fn stuck(side: u32) -> Board {
    let mut board = new(side, side, 2, 1);
    lay_snake(&mut board, 2, side);
    let _ = board.take(player(1), side / 2, side / 2 / 2 * 2 + 1);
    board
}

/// Two combs with their teeth between each other's: player 1's spine at the bottom, player 2's at
/// the top, one area each.
pub(crate) fn combs(side: u32) -> Board {
    let mut board = new(side, side, 2, 1);
    for x in 0..side {
        let _ = board.take(player(1), x, 0);
        let _ = board.take(player(2), x, side - 1);
    }
    for x in 0..side {
        for step in 1..side - 1 {
            if x % 2 == 0 {
                let _ = board.take(player(1), x, step);
            } else {
                let _ = board.take(player(2), x, side - 1 - step);
            }
        }
    }
    board
}

/// A spiral of player 1 from the outside in, player 2's spiral between its arms, one area each.
pub(crate) fn spirals(side: u32) -> Board {
    let mut board = new(side, side, 2, 1);
    // Rings two apart, opened and joined at one corner each.
    let (mut x, mut y, mut dx, mut dy) = (0i64, 0i64, 1i64, 0i64);
    let side_i = i64::from(side);
    let taken = |board: &Board, x: i64, y: i64| {
        x < 0 || y < 0 || x >= side_i || y >= side_i || board.owner(x as u32, y as u32).is_some()
    };
    let _ = board.take(player(1), 0, 0);
    loop {
        let ahead = |n: i64| (x + n * dx, y + n * dy);
        let (ax, ay) = ahead(1);
        let (bx, by) = ahead(2);
        let off = bx < 0 || by < 0 || bx >= side_i || by >= side_i;
        if taken(&board, ax, ay) || (!off && taken(&board, bx, by)) {
            (dx, dy) = (-dy, dx);
            let (ax, ay) = (x + dx, y + dy);
            let (bx, by) = (x + 2 * dx, y + 2 * dy);
            let off = bx < 0 || by < 0 || bx >= side_i || by >= side_i;
            if taken(&board, ax, ay) || (!off && taken(&board, bx, by)) {
                break;
            }
            continue;
        }
        (x, y) = (ax, ay);
        let _ = board.take(player(1), x as u32, y as u32);
    }
    // Player 2 fills the free fields along the arms, from the inside out.
    for _ in 0..2 {
        for y in (0..side).chain((0..side).rev()) {
            for x in 0..side {
                let _ = board.take(player(2), x, y);
            }
        }
    }
    board
}

/// One area of player 1 over the whole board but for the top row, which is player 2's; both are
/// at their limit.
pub(crate) fn giant_area(side: u32) -> Board {
    let mut board = new(side, side, 2, 1);
    for y in 0..side {
        for x in 0..side {
            let _ = board.take(player(if y + 1 == side { 2 } else { 1 }), x, y);
        }
    }
    board
}

/// Golden moves by player 2 (or 1, in turn) on random fields: nearly all refused because they cut.
pub(crate) fn cut_tries(board: &mut Board, times: u32) -> u32 {
    let (width, height) = (board.width(), board.height());
    let mut dice = Dice::new(3);
    let mut made = 0;
    for i in 0..times {
        let (x, y) = (dice.below(width), 1 + dice.below(height - 2));
        made += u32::from(board.take_golden(player(1 + i % 2), x, y).is_ok());
    }
    made
}

/// A player at his limit in the middle of a large board; then moves of his, each followed by
/// the question how many free fields he has.
pub(crate) fn at_limit(side: u32) -> Board {
    let mut board = new(side, side, 2, 100);
    let mut dice = Dice::new(4);
    for _ in 0..400 {
        let _ = board.take(player(1), dice.below(side), dice.below(side));
    }
    board
}

/// Moves beside his own fields, each followed by `free_fields`.
pub(crate) fn grow_and_ask(board: &mut Board, times: u32) -> u64 {
    let mut dice = Dice::new(5);
    let (mut x, mut y) = (dice.below(board.width()), dice.below(board.height()));
    let mut sum = 0;
    for _ in 0..times {
        match dice.below(4) {
            0 => x = (x + 1).min(board.width() - 1),
            1 => x = x.saturating_sub(1),
            2 => y = (y + 1).min(board.height() - 1),
            _ => y = y.saturating_sub(1),
        }
        let _ = board.take(player(1), x, y);
        sum += board.free_fields(player(1));
    }
    sum
}

/// The board as text, again and again.
pub(crate) fn print(board: &Board, times: u32) -> usize {
    let mut length = 0;
    for _ in 0..times {
        let mut text = vec![0; board.text_size().expect("it fits")];
        board.write_text(&mut text);
        length += text.iter().filter(|&&b| b == b'\n').count();
    }
    length
}

/// Many short games, each made and dropped.
pub(crate) fn short_games(games: u32) -> u64 {
    let mut dice = Dice::new(6);
    let mut sum = 0;
    for _ in 0..games {
        let mut board = new(10, 10, 2, 3);
        for i in 0..200 {
            let mover = player(1 + i % 2);
            let (x, y) = (dice.below(10), dice.below(10));
            if i % 10 == 9 {
                let _ = board.take_golden(mover, x, y);
            } else {
                let _ = board.take(mover, x, y);
            }
        }
        sum += board.busy_fields(player(1));
    }
    sum
}

/// The same, with the question how many fields he could take after every attempt of a player.
pub(crate) fn asked_games(games: u32) -> u64 {
    let mut dice = Dice::new(8);
    let mut sum = 0;
    for _ in 0..games {
        let mut board = new(10, 10, 2, 3);
        for i in 0..200 {
            let mover = player(1 + i % 2);
            let (x, y) = (dice.below(10), dice.below(10));
            if i % 10 == 9 {
                let _ = board.take_golden(mover, x, y);
            } else {
                let _ = board.take(mover, x, y);
            }
            sum += board.free_fields(mover);
        }
    }
    sum
}

/// 250 million fields, half a million players, and a snake of two million fields that everybody
/// tries to cut: 100,000 golden moves, all refused.
pub(crate) fn giant() -> u32 {
    let rows = 800;
    let mut board = new(5_010, 50_010, 500_000, 1);
    lay_snake(&mut board, 1, rows);
    let mut dice = Dice::new(7);
    let mut made = 0;
    for i in 0..100_000 {
        let y = 2 * (1 + dice.below(rows / 2 - 2));
        let x = 1 + dice.below(5_008);
        made += u32::from(board.take_golden(player(2 + i), x, y).is_ok());
    }
    made
}

/// One area of player 1 over the whole board but for one field beside the corner: the field in
/// the corner hangs by one field.
pub(crate) fn block(side: u32) -> Board {
    let mut board = new(side, side, 3, 2);
    let _ = board.take(player(2), 0, 1);
    for y in 0..side {
        for x in 0..side {
            let _ = board.take(player(1), x, y);
        }
    }
    board
}
