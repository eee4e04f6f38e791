//! Schedules: fair, complete, the same every time, and computed without being built.

use std::collections::{BTreeMap, BTreeSet};

use floe_arena::schedule::{
    Knockout, KnockoutRules, Pairing, Schedule, ScheduleError, Swiss, SwissScores,
};
use floe_rules::random::Random;
use proptest::prelude::*;

type Counts<T> = BTreeMap<T, u64>;

/// How often each set of seats meets, and how often each seat has each place at the table.
fn tally(pairings: &[Pairing]) -> (Counts<Vec<usize>>, Counts<(usize, usize)>) {
    let (mut meetings, mut places) = (BTreeMap::new(), BTreeMap::new());
    for pairing in pairings {
        let mut set = pairing.seats.clone();
        set.sort_unstable();
        *meetings.entry(set).or_default() += 1;
        for (place, &seat) in pairing.seats.iter().enumerate() {
            *places.entry((seat, place)).or_default() += 1;
        }
    }
    (meetings, places)
}

fn check_units(schedule: &Schedule, table: usize) {
    let all: Vec<Pairing> = schedule.pairings().collect();
    assert_eq!(all.len() as u64, schedule.len());
    for (unit, games) in all.chunks(table).enumerate() {
        let mut orders = BTreeSet::new();
        for game in games {
            assert_eq!((game.unit, game.board), (unit as u64, games[0].board));
            let mut turned = games[0].seats.clone();
            let shift = turned
                .iter()
                .position(|&seat| seat == game.seats[0])
                .unwrap();
            turned.rotate_left(shift);
            assert_eq!(game.seats, turned, "a rotation of the unit's first game");
            orders.insert(shift);
        }
        assert_eq!(orders.len(), table, "every rotation once");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn in_a_round_robin_everybody_meets_everybody_equally_often(
        seats in 2usize..9, more in 0usize..4, boards in 1u64..4, seed: u64,
    ) {
        let table = (2 + more).min(seats);
        let schedule = Schedule::round_robin(seats, table, boards, seed).unwrap();
        let all: Vec<Pairing> = schedule.pairings().collect();
        let (meetings, places) = tally(&all);
        let sets = (0..1u32 << seats).filter(|set| set.count_ones() as usize == table).count();
        prop_assert_eq!(meetings.len(), sets);
        prop_assert!(meetings.values().all(|&count| count == boards * table as u64));
        prop_assert_eq!(places.len(), seats * table);
        prop_assert_eq!(places.values().collect::<BTreeSet<_>>().len(), 1);
        check_units(&schedule, table);
        for board in 0..boards {
            let here: Vec<Pairing> = all.iter().filter(|p| p.board == board).cloned().collect();
            prop_assert_eq!(tally(&here).0.len(), sets);
        }
    }

    #[test]
    fn in_a_gauntlet_challengers_meet_all_the_others_and_nobody_else(
        challengers in 1usize..4, others in 1usize..6, more in 0usize..3, boards in 1u64..4,
        seed: u64,
    ) {
        let table = 2 + more.min(others - 1);
        let seats = challengers + others;
        let schedule = Schedule::gauntlet(seats, challengers, table, boards, seed).unwrap();
        let all: Vec<Pairing> = schedule.pairings().collect();
        let (meetings, places) = tally(&all);
        let sets = (0..1u32 << seats)
            .filter(|set| set.count_ones() as usize == table)
            .filter(|set| (set & ((1 << challengers) - 1)).count_ones() == 1)
            .count();
        prop_assert_eq!(meetings.len(), sets);
        prop_assert!(meetings.values().all(|&count| count == boards * table as u64));
        for seat in 0..seats {
            let counts: BTreeSet<_> = (0..table).map(|place| places[&(seat, place)]).collect();
            prop_assert_eq!(counts.len(), 1, "seat {} sits everywhere equally often", seat);
        }
        check_units(&schedule, table);
    }

    #[test]
    fn random_access_equals_iteration(
        seats in 2usize..12, more in 0usize..4, boards in 0u64..4, seed: u64, skip in 0usize..500,
    ) {
        let table = (2 + more).min(seats);
        let schedule = Schedule::round_robin(seats, table, boards, seed).unwrap();
        let all: Vec<Pairing> = schedule.pairings().collect();
        for (number, pairing) in all.iter().enumerate() {
            prop_assert_eq!(pairing.number, number as u64);
            prop_assert_eq!(schedule.pairing(number as u64), Some(pairing.clone()));
        }
        prop_assert_eq!(schedule.pairing(all.len() as u64), None);
        prop_assert_eq!(schedule.pairings().nth(skip), all.get(skip).cloned());
        let rest: Vec<Pairing> = schedule.starting_at(skip as u64).collect();
        prop_assert_eq!(&rest[..], all.get(skip..).unwrap_or(&[]));
        prop_assert_eq!(schedule.starting_at(skip as u64).size_hint().0, rest.len());
        let again = Schedule::round_robin(seats, table, boards, seed).unwrap();
        prop_assert_eq!(again, schedule);
    }

    #[test]
    fn a_swiss_avoids_rematches_while_it_can(seats in 2usize..9, seed: u64, rounds in 1usize..9) {
        let swiss = Swiss::new(seats, 1, seed);
        let mut random = Random::seeded(seed);
        let mut standings = SwissScores::new(seats);
        for number in 0..rounds as u64 {
            let round = swiss.next_round(number, &standings);
            prop_assert_eq!(&round, &swiss.next_round(number, &standings));
            let mut playing: Vec<usize> = round.tables.iter().flatten().copied().collect();
            playing.extend(round.bye);
            playing.sort_unstable();
            prop_assert_eq!(playing, (0..seats).collect::<Vec<_>>());
            prop_assert_eq!(round.bye.is_some(), seats % 2 == 1);
            let rematch = round.tables.iter().any(|&[a, b]| standings.met(a, b) > 0);
            let fewest = (0..seats).map(|seat| standings.byes(seat)).min().unwrap();
            if rematch {
                prop_assert!(!fresh_round_exists(&standings, fewest), "{:?}", round);
            } else if let Some(bye) = round.bye {
                prop_assert_eq!(standings.byes(bye), fewest);
            }
            for &table in &round.tables {
                let ours = random.below(5);
                standings.add(table, [ours, 4 - ours]);
            }
            if let Some(bye) = round.bye {
                standings.add_bye(bye, 4);
            }
        }
    }

    #[test]
    fn a_knockout_needs_no_order_of_results(seats in 2usize..20, seed: u64, units in 1u64..4) {
        let rules = KnockoutRules { units, extra: 2, seed, ..KnockoutRules::default() };
        let result = |unit: u64| {
            let ours = Random::seeded(seed ^ unit.rotate_left(17)).below(5);
            [ours, 4 - ours]
        };
        let play = |order: u64| {
            let mut random = Random::seeded(order);
            let mut knockout = Knockout::new(seats, rules).unwrap();
            let mut played = BTreeSet::new();
            loop {
                let open = knockout.open();
                if open.is_empty() {
                    break;
                }
                let unit = open[random.index(open.len())].unit;
                assert!(played.insert(unit), "no unit is played twice");
                knockout.record(unit, result(unit)).unwrap();
            }
            knockout.places()
        };
        let places = play(0);
        prop_assert_eq!(&places, &play(1));
        prop_assert_eq!(places.iter().filter(|&&place| place == Some(1)).count(), 1);
        prop_assert_eq!(places.iter().filter(|&&place| place == Some(2)).count(), 1);
        prop_assert!(places.iter().all(Option::is_some));
    }
}

/// Whether anybody can pair all the seats without a rematch, by trying everything.
fn fresh_round_exists(standings: &SwissScores, fewest_byes: u64) -> bool {
    fn pair(standings: &SwissScores, free: &[usize]) -> bool {
        let Some((&one, rest)) = free.split_first() else {
            return true;
        };
        rest.iter().any(|&other| {
            let left: Vec<usize> = rest.iter().copied().filter(|&s| s != other).collect();
            standings.met(one, other) == 0 && pair(standings, &left)
        })
    }
    let all: Vec<usize> = (0..standings.seats()).collect();
    if all.len().is_multiple_of(2) {
        return pair(standings, &all);
    }
    all.iter().any(|&bye| {
        let left: Vec<usize> = all.iter().copied().filter(|&seat| seat != bye).collect();
        standings.byes(bye) == fewest_byes && pair(standings, &left)
    })
}

#[test]
fn ten_million_pairings_are_only_numbers() {
    let schedule = Schedule::round_robin(200, 2, 300, 1).unwrap();
    assert!(schedule.len() > 10_000_000);
    assert_eq!(
        schedule.pairings().nth(11_000_000),
        schedule.pairing(11_000_000)
    );
    let tables = Schedule::round_robin(500, 4, 1000, 1).unwrap();
    let last = tables.pairing(tables.len() - 1).unwrap();
    assert_eq!((last.board, last.unit), (999, tables.units() - 1));
}

#[test]
fn wherever_a_round_robin_stops_all_have_played_about_equally_often() {
    for seats in [10usize, 11] {
        let schedule = Schedule::round_robin(seats, 2, 1, 3).unwrap();
        let mut games = vec![0i32; seats];
        for pairing in schedule.pairings() {
            for seat in pairing.seats {
                games[seat] += 1;
            }
            let spread = games.iter().max().unwrap() - games.iter().min().unwrap();
            assert!(spread <= 4, "{games:?}");
        }
    }
}

#[test]
fn over_the_boards_every_circle_of_a_table_has_its_turn() {
    let schedule = Schedule::round_robin(4, 4, 6, 0).unwrap();
    let circles: BTreeSet<Vec<usize>> = schedule
        .pairings()
        .filter(|p| p.number % 4 == 0)
        .map(|p| p.seats)
        .collect();
    assert_eq!(circles.len(), 6);
}

#[test]
fn impossible_schedules_say_why() {
    assert_eq!(
        Schedule::round_robin(4, 1, 1, 0),
        Err(ScheduleError::AnyPosition(1))
    );
    let few = ScheduleError::TooFewSeats { seats: 2, table: 3 };
    assert_eq!(Schedule::round_robin(2, 3, 1, 0), Err(few));
    assert_eq!(few.to_string(), "3 seats per game, but only 2 entrants");
    assert_eq!(
        Schedule::gauntlet(3, 0, 2, 1, 0),
        Err(ScheduleError::Challengers(0, 1))
    );
    assert_eq!(
        Schedule::gauntlet(3, 3, 2, 1, 0),
        Err(ScheduleError::Challengers(3, 1))
    );
    assert_eq!(
        Schedule::round_robin(9, 2, u64::MAX, 0),
        Err(ScheduleError::TooMany)
    );
}

#[test]
fn a_swiss_of_two_hundred_finds_the_best() {
    let swiss = Swiss::new(200, 1, 7);
    let mut standings = SwissScores::new(200);
    assert_eq!(swiss.default_rounds(), 8);
    for number in 0..u64::from(swiss.default_rounds()) {
        let round = swiss.next_round(number, &standings);
        for &[one, other] in &round.tables {
            assert_eq!(standings.met(one, other), 0);
            standings.add([one, other], if one < other { [4, 0] } else { [0, 4] });
        }
    }
    assert_eq!(standings.order()[0], 0);
    let firsts: BTreeSet<u64> = (0..200).map(|seat| standings.firsts(seat)).collect();
    assert!(
        firsts.iter().all(|&firsts| (2..=6).contains(&firsts)),
        "{firsts:?}"
    );
}

#[test]
fn rounds_of_a_swiss_have_numbers_of_their_own() {
    let swiss = Swiss::new(5, 3, 7);
    let mut standings = SwissScores::new(5);
    let mut next = 0;
    for number in 0..4 {
        let round = swiss.next_round(number, &standings);
        for pairing in swiss.pairings(number, &round) {
            assert_eq!((pairing.number, pairing.unit), (next, next / 2));
            assert_eq!(pairing.board / 3, number);
            next += 1;
        }
        for &table in &round.tables {
            standings.add(table, [2, 2]);
        }
        standings.add_bye(round.bye.unwrap(), 4);
    }
    assert_eq!(next, 4 * 3 * 2 * 2);
}

#[test]
fn in_a_knockout_the_stronger_seeds_meet_last() {
    let mut knockout = Knockout::new(13, KnockoutRules::default()).unwrap();
    while let Some(pairing) = knockout.open().first() {
        let favourite_first = pairing.seats[0] < pairing.seats[1];
        let points = if favourite_first { [4, 0] } else { [0, 4] };
        knockout.record(pairing.unit, points).unwrap();
    }
    let places: Vec<u64> = knockout.places().into_iter().flatten().collect();
    assert_eq!(places, [1, 2, 3, 3, 5, 5, 5, 5, 9, 9, 9, 9, 9]);
}
