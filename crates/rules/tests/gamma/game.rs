//! Turns: who moves, who is passed over, who comes back, when it ends.

use floe_rules::gamma::{Board, Gamma, GammaPosition, Illegal, Move, Refusal, Setup};
use floe_rules::random::Random;
use floe_rules::{Game, Player, Position, Square, perft};
use proptest::prelude::*;

use crate::board::player;
use crate::naive::Naive;

/// Whose turn it is after `last` moved, by trying everything.
fn next_turn(naive: &mut Naive, last: u32) -> Option<u32> {
    let players = naive.players;
    (1..=players)
        .map(|step| (last - 1 + step) % players + 1)
        .find(|&p| naive.free_fields(p) > 0 || naive.golden_moves(p) > 0)
}

fn naive_moves(naive: &mut Naive, number: u32) -> Vec<Move> {
    let mut moves = Vec::new();
    for golden in [false, true] {
        for y in 0..naive.height as u32 {
            for x in 0..naive.width as u32 {
                let before = (naive.owners.clone(), naive.golden_used.clone());
                let fine = if golden {
                    naive.take_golden(number, x, y)
                } else {
                    naive.take(number, x, y)
                };
                if fine {
                    moves.push(Move {
                        to: Square::new(x, y),
                        golden,
                    });
                }
                (naive.owners, naive.golden_used) = before;
            }
        }
    }
    moves
}

fn naive_perft(naive: &mut Naive, turn: Option<u32>, depth: u32) -> u64 {
    let Some(number) = turn.filter(|_| depth > 0) else {
        return 1;
    };
    let mut count = 0;
    for mv in naive_moves(naive, number) {
        let before = (naive.owners.clone(), naive.golden_used.clone());
        let made = if mv.golden {
            naive.take_golden(number, mv.to.column, mv.to.row)
        } else {
            naive.take(number, mv.to.column, mv.to.row)
        };
        assert!(made);
        let next = next_turn(naive, number);
        count += naive_perft(naive, next, depth - 1);
        (naive.owners, naive.golden_used) = before;
    }
    count
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn whole_games_agree_with_the_naive_twin(
        width in 1u32..6, height in 1u32..5, players in 1u32..5, areas in 1u32..4, seed: u64,
    ) {
        let mut random = Random::seeded(seed);
        let mut naive = Naive::new(width, height, players, areas);
        let mut position = GammaPosition::new(Board::new(width, height, players, areas).unwrap());
        let mut turn = Some(1);
        loop {
            prop_assert_eq!(position.turn().map(Player::number), turn);
            let Some(number) = turn else { break };
            let moves = position.legal_moves();
            prop_assert_eq!(&moves, &naive_moves(&mut naive, number));
            let mv = moves[random.index(moves.len())];
            position.play(mv).unwrap();
            if mv.golden {
                naive.take_golden(number, mv.to.column, mv.to.row);
            } else {
                naive.take(number, mv.to.column, mv.to.row);
            }
            turn = next_turn(&mut naive, number);
            for p in 1..=players {
                prop_assert_eq!(position.score(player(p)), naive.busy_fields(p) as i64);
            }
        }
        prop_assert!(position.outcome().is_some());
    }

    #[test]
    fn counts_of_positions_agree_with_the_naive_twin(
        width in 1u32..4, height in 1u32..3, players in 1u32..4, areas in 1u32..3,
    ) {
        let mut naive = Naive::new(width, height, players, areas);
        let position = GammaPosition::new(Board::new(width, height, players, areas).unwrap());
        for depth in 0..5 {
            prop_assert_eq!(perft(&position, depth), naive_perft(&mut naive, Some(1), depth));
        }
    }
}

/// The small counts of the perft file, by the twin.
#[test]
fn the_perft_file_agrees_with_the_naive_twin() {
    let mut checked = 0;
    let mut setup = Setup::default();
    for line in include_str!("../perft/gamma.txt").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["setup", text, "seed", _] => setup = text.parse().unwrap(),
            [depth, count] if depth != "#" => {
                let count: u64 = count.parse().unwrap();
                if count < 40_000 {
                    let Setup {
                        width,
                        height,
                        players,
                        areas,
                    } = setup;
                    let mut naive = Naive::new(width, height, players, areas);
                    let depth = depth.parse().unwrap();
                    assert_eq!(
                        naive_perft(&mut naive, Some(1), depth),
                        count,
                        "{setup} {depth}"
                    );
                    checked += 1;
                }
            }
            _ => {}
        }
    }
    assert!(checked > 20);
}

fn play(position: &mut GammaPosition, moves: &str) {
    for mv in moves.split(' ') {
        position
            .play(mv.parse().unwrap())
            .unwrap_or_else(|e| panic!("{mv}: {e}"));
    }
}

fn start(setup: &str) -> GammaPosition {
    Gamma::start(&setup.parse().unwrap(), 0).unwrap()
}

#[test]
fn who_cannot_move_is_passed_over_and_comes_back_by_a_golden_move() {
    let mut position = Gamma::read("gamma 6 1 3 1\nturn 2 golden 3\n12..33\n").unwrap();
    // Player 2 fills the middle; player 1 has no move left and no golden move.
    play(&mut position, "c1");
    assert_eq!(
        position.turn(),
        Some(player(3)),
        "player 3 moves before player 1 would"
    );
    play(&mut position, "d1");
    // The board is full: 1 and 2 are passed over, and 3 has his golden move.
    assert_eq!(position.turn(), Some(player(3)));
    assert_eq!(position.legal_moves(), ["c1!".parse().unwrap()]);
    play(&mut position, "c1!");
    assert_eq!(position.turn(), None);
    assert_eq!(position.scores(), [1, 1, 4]);

    // Player 1 is at his limit with no free field beside his own. Losing one of his two areas
    // to player 2's golden move lets him found another: he is back.
    let mut position = Gamma::read("gamma 7 1 2 2\nturn 2 golden 2\n121222.\n").unwrap();
    assert_eq!(position.check("g1".parse().unwrap()), Ok(()));
    play(&mut position, "a1!");
    assert_eq!(position.turn(), Some(player(1)));
    assert_eq!(position.legal_moves(), ["g1".parse().unwrap()]);
}

#[test]
fn refusals_say_why() {
    let position = Gamma::read("gamma 5 3 2 1\nturn 1 golden 1\n1.222\n1.2.2\n1.222\n").unwrap();
    for (mv, why) in [
        ("a1", Refusal::Occupied),
        ("d2", Refusal::TooManyAreas),
        ("f1", Refusal::OffBoard),
        ("a1!", Refusal::Own),
        ("b1!", Refusal::Free),
        ("c2!", Refusal::TooManyAreas),
    ] {
        assert_eq!(
            position.check(mv.parse().unwrap()),
            Err(Illegal::Refused(why)),
            "{mv}"
        );
    }
}

#[test]
fn a_golden_move_may_not_split_the_victim_beyond_the_limit() {
    let text = "gamma 3 2 2 1\nturn 1 golden 1 2\n.1.\n222\n";
    let position = Gamma::read(text).unwrap();
    assert_eq!(
        position.check("b1!".parse().unwrap()),
        Err(Illegal::Refused(Refusal::VictimSplits))
    );
    // With room for one more area it may.
    let mut position = Gamma::read(&text.replace("2 1\n", "2 2\n")).unwrap();
    play(&mut position, "b1!");
    assert_eq!(
        Gamma::write(&position),
        "gamma 3 2 2 2\nturn 2 golden 2\n.1.\n212\n"
    );
}

#[test]
fn a_refused_golden_move_is_not_used_up() {
    let mut board = Board::new(3, 2, 2, 1).unwrap();
    for x in 0..3 {
        board.take(player(2), x, 0).unwrap();
    }
    board.take(player(1), 1, 1).unwrap();
    assert_eq!(
        board.take_golden(player(1), 1, 0),
        Err(Refusal::VictimSplits)
    );
    assert!(board.has_golden(player(1)));
}

#[test]
fn one_player_fills_the_board_alone() {
    let mut position = start("3x2,players=1,areas=1");
    while let Some(turn) = position.turn() {
        assert_eq!(turn, player(1));
        let mv = position.legal_moves()[0];
        position.play(mv).unwrap();
    }
    assert_eq!(position.scores(), [6]);
    assert_eq!(position.check("a1".parse().unwrap()), Err(Illegal::Over));
}

#[test]
fn a_game_can_be_followed_move_by_move() {
    let mut position = start("4x3,players=3,areas=2");
    let mut random = Random::seeded(1);
    let mut log = String::new();
    while let Some(turn) = position.turn() {
        let moves = position.legal_moves();
        let mv = moves[random.index(moves.len())];
        position.play(mv).unwrap();
        log.push_str(&format!("{turn}: {mv} of {}\n", moves.len()));
    }
    log.push_str(&format!(
        "{}{:?}\n",
        Gamma::write(&position),
        position.scores()
    ));
    insta::assert_snapshot!(log);
}

#[test]
fn a_turn_given_up_goes_to_the_next_who_can_move() {
    let start = Gamma::start(&"3x2,players=3".parse().unwrap(), 0).unwrap();
    let second = Gamma::give_up(&start).unwrap();
    assert_eq!(second.turn(), Some(player(2)));
    assert_eq!(second.scores(), start.scores());
    let first = Gamma::give_up(&Gamma::give_up(&second).unwrap()).unwrap();
    assert_eq!(first, start);
    let alone = Gamma::start(&"3x2,players=1".parse().unwrap(), 0).unwrap();
    assert!(Gamma::give_up(&alone).is_none());
}
