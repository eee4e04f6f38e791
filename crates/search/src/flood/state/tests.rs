//! The state against the rules and against distances made anew.

use floe_rules::flood::{Colour, Flood, FloodPosition, J, Move, S};
use floe_rules::random::Random;
use floe_rules::{Game, Position};

use super::*;

/// Distances by plain waves through a set, from what a side owns.
fn distances<const W: usize, const N: usize>(
    state: &SearchState<W, N>,
    owned: &Set<W>,
    side: usize,
    through: &Set<W>,
) -> Each<u8, W> {
    let mut far = each::<u8, W>(FAR);
    let mut unseen: Set<W> = std::array::from_fn(|i| through[i] & !owned[i]);
    let mut wave = state.field.fronts[side];
    state.field.spread(owned, &mut wave);
    for (i, &word) in owned.iter().enumerate() {
        bits(word).for_each(|bit| far[i][bit] = 0);
    }
    for distance in 1.. {
        let mut next = [0; W];
        for i in 0..W {
            wave[i] &= unseen[i];
            unseen[i] &= !wave[i];
            bits(wave[i]).for_each(|bit| far[i][bit] = distance);
        }
        if Field::<W, N>::any(&wave).is_none() {
            break;
        }
        state.field.spread(&wave, &mut next);
        wave = next;
    }
    far
}

/// What a state must agree with, made anew.
fn check<const W: usize, const N: usize>(state: &SearchState<W, N>, owners: &[Set<W>; 2]) {
    let mut sum = 0;
    for (side, owned) in owners.iter().enumerate() {
        let least = distances(state, owned, side, &state.field.all);
        let most = distances(state, owned, side, &state.free);
        for (i, &word) in state.field.all.iter().enumerate() {
            for bit in bits(word) {
                let far = state.far[side][i][bit];
                assert!(least[i][bit] <= far);
                if state.free[i] >> bit & 1 != 0 {
                    assert!(far <= most[i][bit]);
                }
                for (distance, level) in state.levels[side].iter().enumerate().skip(1) {
                    let is_there = level[i] >> bit & 1 != 0;
                    assert_eq!(is_there, usize::from(far) == distance);
                }
            }
        }
    }
    for (i, &word) in state.field.all.iter().enumerate() {
        for bit in bits(word) {
            let size = i64::from(state.field.sizes[i][bit]);
            let part = state
                .values
                .part(state.far[0][i][bit], state.far[1][i][bit]);
            sum += part * size;
        }
    }
    let before = state.undo.first().filter(|_| state.plies > 0);
    let first = before.map_or(state.squares, |_| {
        let gained = |side: usize| {
            let mut next = [0; W];
            state.field.spread(&owners[side], &mut next)
        };
        [0, 1].map(|side| state.squares[side] - gained(side))
    });
    assert_eq!(state.sum, sum + ReachValues::owned(first));
}

/// Plays random games and compares every position with that of the rules, there and back.
fn compare<const W: usize, const N: usize>(setup: &str, seed: u64) {
    let mut random = Random::seeded(seed);
    let setup = setup.parse().expect("a setup");
    let mut position: FloodPosition = Flood::start(&setup, seed).expect("a board");
    for _ in 0..random.below(12) {
        let colour = position.choices()[random.index(3)];
        position.play_unchecked(Move(colour));
    }
    let mut ground = Ground::default();
    ground.survey(&position);
    assert!(ground.words() <= W);
    let mut state = SearchState::<W, N>::new(&position, &ground, Waves::default());
    let mut owners = [[0; W]; 2];
    let mut known = Vec::new();
    loop {
        check(&state, &owners);
        for (side, player) in [J, S].into_iter().enumerate() {
            let mut next = [0; W];
            let front = state.field.spread(&state.front(side), &mut next);
            let expected = position.graph().squares_in(position.frontier(player));
            assert_eq!(front, expected);
            assert_eq!(state.squares[side], position.squares(player));
        }
        assert_eq!(state.scores().to_vec(), position.scores());
        assert_eq!(state.is_over(), position.turn().is_none());
        let choices = state.choices().map(|c| Colour::ALL[c as usize]);
        assert_eq!(choices, position.choices());
        let worth = state.worth();
        let scores = position.scores();
        let is_settled = scores[0] + scores[1] == i64::from(position.graph().area());
        assert_eq!(worth.is_proven, is_settled || state.is_over());
        known.push((worth, owners));
        if position.turn().is_none() {
            break;
        }
        for colour in state.choices() {
            let choice = state.choice(colour);
            let expected = position.gain(position.mover(), Colour::ALL[colour as usize]);
            assert_eq!(choice.gain, expected);
            let worth = state.worth_after(&mut choice.clone());
            state.play(&choice);
            assert_eq!(state.worth(), worth);
            state.take_back();
        }
        check(&state, &owners);
        let choice = state.choice(state.choices()[random.index(3)]);
        let side = state.side();
        let gained = state.gained(side, choice.colour);
        (0..W).for_each(|i| owners[side][i] |= gained[i]);
        state.play(&choice);
        position.play_unchecked(Move(Colour::ALL[choice.colour as usize]));
    }
    known.pop();
    for (worth, owners) in known.into_iter().rev() {
        state.take_back();
        assert_eq!(state.worth(), worth);
        check(&state, &owners);
    }
}

#[test]
fn it_is_the_position_of_the_rules() {
    for seed in 0..20 {
        compare::<1, 1>("7x7", seed);
        compare::<5, 5>("18x18", seed);
        // Narrow windows, so that many neighbours are far.
        compare::<8, 1>("20x20", seed);
        compare::<8, 3>("40x10", seed);
    }
    compare::<28, 5>("46x50", 1);
    compare::<3, 2>("1x140", 1);
}
