//! Ratings: they find what was put in, say how sure they are, and never break.

use floe_rating::Ending::{self, Draw, Loss, Win};
use floe_rating::{
    Anchor, Joint, JointTable, NoEstimate, Pentanomial, Rankings, RankingsTable, Rating, WarmStart,
};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn uniform(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// A game drawn from the model, `d` being the lead of the first in natural units.
fn game(d: f64, nu: f64, random: &mut ChaCha8Rng) -> Ending {
    let (win, loss) = ((d / 2.0).exp(), (-d / 2.0).exp());
    let drawn = uniform(random) * (win + loss + nu);
    if drawn < win {
        Win
    } else if drawn < win + loss {
        Loss
    } else {
        Draw
    }
}

fn elo(rating: &Rating) -> f64 {
    rating.elo.unwrap().value
}

fn assert_finite(ratings: &[Rating]) {
    for rating in ratings {
        match rating.elo {
            Ok(elo) => assert!(elo.low.is_finite() && elo.high.is_finite() && elo.low <= elo.high),
            Err(why) => assert_eq!((why, rating.games), (NoEstimate::TooFew, 0)),
        }
    }
}

#[test]
fn a_joint_rating_of_two_is_that_of_their_match() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut joint = Joint::new(2);
    let mut pairs = Pentanomial::default();
    for _ in 0..2000 {
        let endings = [
            game(0.5, 0.8, &mut random),
            game(-0.1, 0.8, &mut random).reversed(),
        ];
        joint.add([1, 0], endings);
        pairs.add(endings[0], endings[1]);
    }
    let table = joint.fit(Anchor::Seat(0));
    let (ours, theirs) = (table.ratings[1].elo.unwrap(), pairs.sample().elo().unwrap());
    assert!((ours.value - theirs.value).abs() < 2.0, "{ours} {theirs}");
    assert!(
        (ours.margin() / theirs.margin() - 1.0).abs() < 0.15,
        "{ours} {theirs}"
    );
    assert_eq!(table.ratings[0].elo.unwrap().to_string(), "0.0 ± 0.0");
}

/// Twelve seats, every two of them over some boards.
fn simulated(seed: u64) -> (Vec<f64>, JointTable) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let strengths: Vec<f64> = (0..12).map(|seat| f64::from(seat) * 0.2 - 1.1).collect();
    let mut joint = Joint::new(12);
    for one in 0..12 {
        for other in 0..one {
            for _ in 0..20 {
                let lead = strengths[one] - strengths[other];
                let began = game(lead + 0.4, 0.5, &mut random);
                let followed = game(-lead + 0.4, 0.5, &mut random).reversed();
                joint.add([one, other], [began, followed]);
            }
        }
    }
    (strengths, joint.fit(Anchor::Mean))
}

#[test]
fn a_joint_rating_finds_strengths_first_move_and_draws() {
    let scale = 400.0 / std::f64::consts::LN_10 * 2.0 / 2.5;
    let (mut inside, mut all) = (0, 0);
    for seed in 0..5 {
        let (strengths, table) = simulated(seed);
        for (rating, strength) in table.ratings.iter().zip(strengths) {
            let elo = rating.elo.unwrap();
            inside += i32::from(elo.low <= strength * scale && strength * scale <= elo.high);
            all += 1;
            assert!(elo.margin() > 10.0 && elo.margin() < 60.0, "{elo}");
        }
        let first = table.first_move.unwrap();
        assert!(
            (first.value - 0.4 * scale).abs() < 3.0 * first.margin(),
            "{first}"
        );
        assert!((table.draw_rate - 0.2).abs() < 0.05);
        let mean: f64 = table.ratings.iter().map(elo).sum::<f64>() / 12.0;
        assert!(mean.abs() < 1e-9);
    }
    assert!(
        inside * 100 >= all * 85,
        "95 % intervals hold {inside} of {all}"
    );
}

#[test]
fn the_same_seed_makes_the_same_table() {
    assert_eq!(simulated(1), simulated(1));
    let mut turned = Joint::new(2);
    let mut straight = Joint::new(2);
    turned.add([1, 0], [Win, Draw]);
    straight.add([0, 1], [Draw, Loss]);
    assert_eq!(turned, straight);
}

#[test]
fn who_won_or_lost_everything_has_a_finite_rating_and_an_error_bar() {
    let mut joint = Joint::new(4);
    for _ in 0..10 {
        joint.add([0, 1], [Win, Win]);
        joint.add([0, 2], [Win, Win]);
        joint.add([1, 2], [Win, Win]);
    }
    let table = joint.fit(Anchor::Mean);
    assert_finite(&table.ratings);
    assert!(elo(&table.ratings[0]) > elo(&table.ratings[1]) + 100.0);
    assert!(elo(&table.ratings[1]) > elo(&table.ratings[2]) + 100.0);
    assert!(table.ratings[0].elo.unwrap().margin() > 50.0);
    assert_eq!(table.ratings[3].elo, Err(NoEstimate::TooFew));
    assert_eq!(
        table.ratings[3].elo.unwrap_err().to_string(),
        "not enough games"
    );
    assert_eq!(table.draw_rate, 0.0);
}

#[test]
fn seats_that_never_met_are_compared_by_the_prior_and_said_to_be() {
    let mut joint = Joint::new(5);
    joint.add([0, 3], [Win, Draw]);
    joint.add([1, 4], [Draw, Draw]);
    let table = joint.fit(Anchor::Mean);
    assert_finite(&table.ratings);
    let groups: Vec<usize> = table.ratings.iter().map(|rating| rating.group).collect();
    assert_eq!(groups, [0, 1, 2, 0, 1]);
    assert!((elo(&table.ratings[1]) - elo(&table.ratings[4])).abs() < 1e-6);
    let nothing = Joint::new(3).fit(Anchor::Seat(1));
    assert!(
        nothing
            .ratings
            .iter()
            .all(|rating| rating.elo == Err(NoEstimate::TooFew))
    );
    assert!(Joint::new(0).fit(Anchor::Mean).ratings.is_empty());
}

#[test]
fn two_hundred_programs_have_their_error_bars() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut joint = Joint::new(200);
    for one in 0..200 {
        for other in 0..one {
            let lead = (one as f64 - other as f64) / 40.0;
            let began = game(lead, 0.3, &mut random);
            joint.add(
                [one, other],
                [began, game(-lead, 0.3, &mut random).reversed()],
            );
        }
    }
    let table = joint.fit(Anchor::Mean);
    assert_finite(&table.ratings);
    // The results were drawn from strengths that are known: 95 % intervals hold about 95 % of
    // them, and each is about as wide as the others.
    let mut held = 0;
    let mut widths = Vec::new();
    for (one, rating) in table.ratings.iter().enumerate() {
        let estimate = rating.elo.unwrap();
        assert!(estimate.low < estimate.value && estimate.value < estimate.high);
        // Draws take from what a lead is worth in points, and Elo counts points.
        let lead = (one as f64 - 99.5) / 40.0 * 2.0 / (2.0 + 0.3);
        let truth = lead * 400.0 / std::f64::consts::LN_10;
        held += u32::from((estimate.low..=estimate.high).contains(&truth));
        widths.push(estimate.high - estimate.low);
    }
    assert!(
        (170..=199).contains(&held),
        "{held} of 200 intervals hold the truth"
    );
    widths.sort_by(f64::total_cmp);
    let median = widths[100];
    assert!((40.0..120.0).contains(&median), "{median}");
    assert!(
        widths[199] < 3.0 * median && widths[0] > median / 3.0,
        "{widths:?}"
    );
}

/// A ranking drawn from the model.
fn ranking(seats: &[usize], strengths: &[f64], random: &mut ChaCha8Rng) -> Vec<(usize, u32)> {
    let mut left = seats.to_vec();
    let mut places = Vec::new();
    while !left.is_empty() {
        let mut drawn = uniform(random) * left.iter().map(|&s| strengths[s].exp()).sum::<f64>();
        let chosen = left.iter().position(|&seat| {
            drawn -= strengths[seat].exp();
            drawn < 0.0
        });
        places.push((left.remove(chosen.unwrap_or(0)), places.len() as u32 + 1));
    }
    places
}

const STRENGTHS: [f64; 6] = [-1.0, -0.6, -0.2, 0.2, 0.6, 1.0];

/// Six seats, three at a table, so many times all tables.
fn ranked(rounds: usize, seed: u64) -> RankingsTable {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rankings = Rankings::new(6);
    for _ in 0..rounds {
        for set in (0u32..64).filter(|set| set.count_ones() == 3) {
            let seats: Vec<usize> = (0..6).filter(|seat| set >> seat & 1 == 1).collect();
            let games: Vec<_> = (0..3)
                .map(|_| ranking(&seats, &STRENGTHS, &mut random))
                .collect();
            let games: Vec<&[(usize, u32)]> = games.iter().map(Vec::as_slice).collect();
            rankings.add_unit(&games).unwrap();
        }
    }
    rankings.fit(Anchor::Mean)
}

#[test]
fn rankings_find_the_strengths_and_their_scatter() {
    let scale = 400.0 / std::f64::consts::LN_10;
    let runs: Vec<RankingsTable> = (0..60).map(|seed| ranked(5, seed)).collect();
    for (seat, strength) in STRENGTHS.into_iter().enumerate() {
        let values: Vec<f64> = runs.iter().map(|run| elo(&run.ratings[seat])).collect();
        let mean = values.iter().sum::<f64>() / 60.0;
        let deviation = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 59.0).sqrt();
        assert!((mean - strength * scale).abs() < 12.0, "{seat}: {mean}");
        let margins = runs
            .iter()
            .map(|run| run.ratings[seat].elo.unwrap().margin());
        let said = margins.sum::<f64>() / 60.0 / 1.96;
        assert!(
            (said / deviation - 1.0).abs() < 0.35,
            "{seat}: said {said}, is {deviation}"
        );
    }
}

#[test]
fn a_tie_of_two_is_half_a_win_for_each() {
    let mut ties = Rankings::new(2);
    let mut halves = Rankings::new(2);
    for _ in 0..4 {
        ties.add_unit(&[&[(0, 1), (1, 1)], &[(0, 1), (1, 2)]])
            .unwrap();
    }
    for _ in 0..2 {
        halves
            .add_unit(&[&[(0, 1), (1, 2)], &[(0, 1), (1, 2)]])
            .unwrap();
        halves
            .add_unit(&[&[(0, 1), (1, 2)], &[(0, 2), (1, 1)]])
            .unwrap();
    }
    let (ties, halves) = (ties.fit(Anchor::Seat(1)), halves.fit(Anchor::Seat(1)));
    assert!((elo(&ties.ratings[0]) - elo(&halves.ratings[0])).abs() < 1e-5);
    assert_eq!(elo(&ties.ratings[1]), 0.0);
}

#[test]
fn an_unbeaten_seat_and_a_stranger_do_not_break_rankings() {
    let mut rankings = Rankings::new(7);
    for _ in 0..20 {
        rankings
            .add_unit(&[&[(0, 1), (1, 2), (2, 3)], &[(4, 1), (5, 1)]])
            .unwrap();
    }
    let table = rankings.fit(Anchor::Mean);
    assert_finite(&table.ratings);
    assert!(elo(&table.ratings[0]) > elo(&table.ratings[1]));
    assert!(table.ratings[0].elo.unwrap().margin() > 20.0);
    assert_eq!(table.ratings[3].elo, Err(NoEstimate::TooFew));
    let groups: Vec<usize> = table.ratings.iter().map(|rating| rating.group).collect();
    assert_eq!(groups, [0, 0, 0, 1, 2, 2, 3]);
    assert!(rankings.add_unit(&[&[(0, 1), (9, 2)]]).is_err());
    assert!(Rankings::new(0).fit(Anchor::Mean).ratings.is_empty());
}

#[test]
fn a_joint_rating_says_what_two_seats_played_from_either_side() {
    let mut joint = Joint::new(3);
    joint.add([0, 2], [Win, Draw]);
    joint.add([2, 0], [Win, Win]);
    joint.add([2, 1], [Draw, Draw]);
    let wanted = Pentanomial {
        wd: 1,
        ll: 1,
        ..Default::default()
    };
    assert_eq!(joint.between(0, 2), wanted);
    assert_eq!(joint.between(2, 0), wanted.reversed());
    assert_eq!(joint.between(0, 1), Pentanomial::default());
}

/// The anchor moves the zero, and nothing else; who has not played has no rating.
#[test]
fn an_anchor_moves_all_ratings_alike() {
    let mut joint = Joint::new(4);
    let mut rankings = Rankings::new(1);
    rankings.grow(4);
    for times in [3, 1] {
        joint.add([0, 1], [Win, Draw]);
        for _ in 0..times {
            joint.add([1, 2], [Win, Loss]);
            rankings.add_unit(&[&[(0, 1), (1, 2), (2, 3)]]).unwrap();
        }
        rankings.add_unit(&[&[(2, 1), (0, 2)]]).unwrap();
    }
    let [mean, seat] = [Anchor::Mean, Anchor::Seat(2)].map(|anchor| joint.fit(anchor));
    let (ours, theirs) = (mean.first_move.unwrap(), seat.first_move.unwrap());
    for (ours, theirs) in [
        (ours.value, theirs.value),
        (ours.low, theirs.low),
        (ours.high, theirs.high),
    ] {
        assert!((ours - theirs).abs() < 1e-6, "{ours} {theirs}");
    }
    let values = joint.values(Anchor::Seat(2));
    assert_eq!((values.len(), values[3]), (4, None));
    let played: Vec<u64> = mean.ratings.iter().map(|rating| rating.games).collect();
    assert_eq!(played, [4, 12, 8, 0]);
    for (at, [mean, seat]) in [
        [mean.ratings, seat.ratings],
        [Anchor::Mean, Anchor::Seat(2)].map(|anchor| rankings.fit(anchor).ratings),
    ]
    .into_iter()
    .enumerate()
    {
        for (i, value) in values.iter().enumerate().take(2) {
            let moved = elo(&mean[i]) - elo(&mean[2]);
            assert!(
                (elo(&seat[i]) - moved).abs() < 1e-6,
                "{i}: {seat:?} {mean:?}"
            );
            assert!(at == 1 || *value == Some(elo(&seat[i])));
        }
        let zero = seat[2].elo.unwrap();
        assert_eq!([zero.low, zero.value, zero.high], [0.0; 3]);
        assert_eq!(seat[3].elo, Err(NoEstimate::TooFew));
    }
}

/// Two seats, two endings, and how often.
type Row = (usize, usize, usize, usize, usize);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    proptest::collection::vec(
        (0usize..7, 1usize..7, 0usize..3, 0usize..3, 1usize..60),
        0..12,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_games_have_finite_ratings(seats in 2usize..7, rows in rows(), anchor in 0usize..9) {
        let mut joint = Joint::new(seats);
        let mut rankings = Rankings::new(seats);
        let endings = [Loss, Draw, Win];
        for (one, off, began, followed, times) in rows {
            let one = one % seats;
            let other = (one + 1 + off % (seats - 1)) % seats;
            for _ in 0..times {
                joint.add([one, other], [endings[began], endings[followed]]);
                let third = (0..seats).find(|&s| s != one && s != other);
                let mut game = vec![(one, began as u32), (other, followed as u32)];
                game.extend(third.map(|seat| (seat, 1)));
                rankings.add_unit(&[&game]).unwrap();
            }
        }
        let anchor = if anchor < 7 { Anchor::Seat(anchor) } else { Anchor::Mean };
        let table = joint.fit(anchor);
        assert_finite(&table.ratings);
        prop_assert!((0.0..=1.0).contains(&table.draw_rate));
        assert_finite(&rankings.fit(anchor).ratings);
    }

    #[test]
    fn a_warm_start_ends_where_a_cold_one_does(seats in 2usize..7, rows in rows()) {
        let endings = [Loss, Draw, Win];
        let mut joint = Joint::new(1);
        let mut warm = WarmStart::default();
        for (one, off, began, followed, times) in rows {
            let one = one % seats;
            let other = (one + 1 + off % (seats - 1)) % seats;
            joint.grow(one.max(other) + 1);
            for _ in 0..times {
                joint.add([one, other], [endings[began], endings[followed]]);
            }
            let near = joint.fit_from(Anchor::Mean, &mut warm);
            let far = joint.fit(Anchor::Mean);
            for (near, far) in near.ratings.iter().zip(&far.ratings) {
                let off = near.elo.map_or(0.0, |elo| elo.value - far.elo.unwrap().value);
                prop_assert!(off.abs() < 1e-3, "{near:?} {far:?}");
            }
        }
    }
}
