//! Boards and numbers of seats too large for bit boards: the engine samples likely fields for as
//! long as it has time, and judges each by its surroundings.
//!
//! A field is worth taking if it has free room around it that opponents are about to take. So a
//! field next to own fields counts the free fields nearby, more of them if opponents are near; a
//! new area needs room of its own, far from all opponents. Fields are drawn at random and the clock
//! is read between them, so the size of the board matters little.

use floe_rules::gamma::{Board, GammaPosition, Move};
use floe_rules::{Player, Position, Square};

use crate::{Budget, Dice, Limits, Thought};

/// How far around a field it looks, in fields.
const REACH: i64 = 4;
/// Fields looked at when the limits do not say how many.
const ENOUGH: u64 = 20_000;

/// Picks the `top` best of the moves it looks at; alone at the table, any is best.
pub(super) fn think(
    position: &GammaPosition,
    limits: &Limits,
    seed: u64,
    top: usize,
) -> Vec<Thought<Move>> {
    let mover = position.turn().expect("the game is not over");
    let board = position.board();
    let mut dice = Dice::seeded(seed ^ position.key());
    let mut budget = Budget::new(limits);
    let mut best: Vec<(i64, Move)> = Vec::new();
    let fields = u64::from(board.width()) * u64::from(board.height());
    let is_alone = board.players() == 1;
    for _ in 0..ENOUGH.min(4 * fields) {
        if (is_alone && best.len() >= top) || !budget.spend() {
            break;
        }
        let at = Square::new(
            dice.index(board.width() as usize) as u32,
            dice.index(board.height() as usize) as u32,
        );
        let golden = board.owner(at.column, at.row).is_some();
        let mv = Move { to: at, golden };
        let worth = worth(board, mover, mv);
        let is_better = best.get(top.max(1) - 1).is_none_or(|last| worth > last.0);
        let is_new = || best.iter().all(|&(_, other)| other != mv);
        if is_better && is_new() && position.check(mv).is_ok() {
            let place = best.partition_point(|other| other.0 >= worth);
            best.insert(place, (worth, mv));
            best.truncate(top.max(1));
        }
    }
    if best.is_empty() {
        best.push((0, any_move(position, mover)));
    }
    let mut scores = position.scores();
    if is_alone {
        scores[0] = fields as i64;
    }
    let thoughts = best.iter().map(|&(_, best)| Thought {
        best,
        scores: scores.clone(),
        depth: 1,
        nodes: budget.nodes(),
        line: vec![best],
        proven: is_alone,
    });
    thoughts.collect()
}

/// A field's value for the player, by its surroundings.
fn worth(board: &Board, player: Player, mv: Move) -> i64 {
    let (x, y) = (i64::from(mv.to.column), i64::from(mv.to.row));
    let (mut free, mut own, mut foreign, mut is_beside) = (0, 0, 0, false);
    for dy in -REACH..=REACH {
        for dx in -REACH..=REACH {
            let (Ok(x), Ok(y)) = (u32::try_from(x + dx), u32::try_from(y + dy)) else {
                continue;
            };
            if x >= board.width() || y >= board.height() || (dx, dy) == (0, 0) {
                continue;
            }
            let nearness = 2 * REACH + 1 - dx.abs() - dy.abs();
            match board.owner(x, y) {
                None => free += nearness,
                Some(owner) if owner == player => {
                    own += nearness;
                    is_beside |= dx.abs() + dy.abs() == 1;
                }
                Some(_) => foreign += nearness,
            }
        }
    }
    let room = 2 * free + foreign.min(free) - own;
    match (is_beside, mv.golden) {
        (true, false) => room + 100,
        (false, false) => 2 * free - 3 * own - foreign,
        (_, true) => room - 200,
    }
}

/// The first legal move the board has. O(n) at worst, and much less while fields are free.
fn any_move(position: &GammaPosition, mover: Player) -> Move {
    let board = position.board();
    let squares = || {
        let row = |y| (0..board.width()).map(move |x| Square::new(x, y));
        (0..board.height()).flat_map(row)
    };
    let take = squares().find(|at| board.check_take(mover, at.column, at.row).is_ok());
    if let Some(to) = take {
        return Move { to, golden: false };
    }
    let golden = squares().find(|at| board.check_golden(mover, at.column, at.row).is_ok());
    Move {
        to: golden.expect("a mover has a move"),
        golden: true,
    }
}
