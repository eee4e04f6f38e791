//! Openings: the board starts empty, so contests begin games with a few moves drawn at random.

use super::{Board, GammaPosition, Move};
use crate::random::Random;
use crate::{Player, Position, Square};

/// Fields a seat should have for each of its opening moves.
const ROOM: u64 = 8;
/// The most opening moves of a seat: two footholds and a field beside one of them.
const MOST: u64 = 3;
/// A board with fewer fields per seat than this has no opening.
const LEAST_ROOM: u64 = 4;

/// How many opening moves suit an empty board: up to three per seat, fewer on small boards.
pub(super) fn moves(board: &Board) -> u32 {
    let seats = u64::from(board.players());
    let fields = u64::from(board.width()) * u64::from(board.height());
    if fields < LEAST_ROOM * seats {
        return 0;
    }
    let each = (fields / (ROOM * seats)).clamp(1, MOST);
    u32::try_from(each * seats).unwrap_or(u32::MAX)
}

/// A plain move at random. A seat keeps an area in reserve if it can: an opening that used up all
/// footholds would decide where the whole game is played.
pub(super) fn draw(position: &GammaPosition, random: &mut Random) -> Move {
    let mut moves = position.legal_moves();
    let Some(player) = position.turn() else {
        return moves[0];
    };
    let board = position.board();
    let areas = board.area_count(player);
    if areas > 0 && areas + 1 >= board.areas() {
        keep(&mut moves, |mv| touches(board, player, mv.to));
    }
    keep(&mut moves, |mv| !mv.golden);
    moves[random.index(moves.len())]
}

/// Keeps the moves that pass, unless none does.
fn keep(moves: &mut Vec<Move>, passes: impl Fn(&Move) -> bool) {
    if moves.iter().any(&passes) {
        moves.retain(passes);
    }
}

/// Whether a field next to this one is the player's.
fn touches(board: &Board, player: Player, at: Square) -> bool {
    let Square { column: x, row: y } = at;
    let beside = [
        (x.wrapping_sub(1), y),
        (x + 1, y),
        (x, y.wrapping_sub(1)),
        (x, y + 1),
    ];
    let is_inside = |&(x, y): &(u32, u32)| x < board.width() && y < board.height();
    let mut beside = beside.into_iter().filter(is_inside);
    beside.any(|(x, y)| board.owner(x, y) == Some(player))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::gamma::Gamma;

    #[test]
    fn the_number_of_moves_follows_the_board_and_the_seats() {
        let moves = |setup: &str| {
            let start = Gamma::start(&setup.parse().unwrap(), 1).unwrap();
            Gamma::opening_moves(&start)
        };
        assert_eq!(moves("10x10"), Some(6));
        assert_eq!(moves("10x10,players=4"), Some(12));
        assert_eq!(moves("6x6"), Some(4));
        assert_eq!(moves("4x4,players=3"), Some(3));
        assert_eq!(moves("3x2"), Some(0));
    }

    #[test]
    fn a_seat_keeps_an_area_in_reserve_and_its_golden_move() {
        for (setup, most) in [("6x6", 2), ("6x6,areas=1", 1), ("6x6,areas=2", 1)] {
            for seed in 0..50 {
                let mut random = Random::seeded(seed);
                let mut position = Gamma::start(&setup.parse().unwrap(), 1).unwrap();
                for _ in 0..8 {
                    let mv = draw(&position, &mut random);
                    assert!(!mv.golden && position.play(mv).is_ok(), "{mv}");
                }
                for player in Player::all(2) {
                    assert!(
                        position.board().area_count(player) <= most,
                        "{setup} {seed}"
                    );
                }
            }
        }
    }
}
