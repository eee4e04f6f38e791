use super::*;

#[test]
fn the_bracket_keeps_strong_seeds_apart() {
    assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
}

#[test]
fn the_strongest_have_the_byes() {
    let knockout = Knockout::new(5, KnockoutRules::default()).unwrap();
    let through: Vec<usize> = knockout.matches().filter_map(|m| m.winner).collect();
    assert_eq!(through, [0, 1, 2]);
    let open: Vec<Vec<usize>> = knockout.open().into_iter().map(|p| p.seats).collect();
    assert!(
        open.contains(&vec![3, 4]) && open.contains(&vec![1, 2]),
        "{open:?}"
    );
}

#[test]
fn an_even_match_goes_on_and_then_the_coin_falls() {
    let rules = KnockoutRules {
        units: 2,
        extra: 1,
        margins_part_equals: false,
        seed: 5,
    };
    let play = || {
        let mut knockout = Knockout::new(2, rules).unwrap();
        assert_eq!(knockout.open().len(), 4);
        assert_eq!(knockout.record(2, [2, 2]), Err(KnockoutError::NotOpen(2)));
        knockout.record(1, [2, 2]).unwrap();
        knockout.record(0, [2, 2]).unwrap();
        assert_eq!(knockout.record(0, [4, 0]), Err(KnockoutError::Twice(0)));
        assert_eq!(knockout.champion(), None);
        let units: Vec<u64> = knockout.open().iter().map(|p| p.unit).collect();
        assert_eq!(units, [2, 2]);
        knockout.record(2, [2, 2]).unwrap();
        assert!(
            knockout
                .matches()
                .all(|m| m.decision == Some(DecidedBy::Coin))
        );
        knockout.champion().unwrap()
    };
    assert_eq!(play(), play());
}

#[test]
fn margins_part_equals_before_the_coin_does_where_the_rules_say_so() {
    let decided = |margins_part_equals, margins: [i64; 2]| {
        let rules = KnockoutRules {
            units: 2,
            extra: 0,
            margins_part_equals,
            seed: 5,
        };
        let mut knockout = Knockout::new(2, rules).unwrap();
        for (unit, margin) in (0..).zip(margins) {
            let half_points = [2, 2];
            let result = UnitResult {
                half_points,
                margin,
            };
            knockout.record(unit, result).unwrap();
        }
        let found = knockout.matches().next().unwrap();
        (found.winner.unwrap(), found.decision.unwrap())
    };
    assert_eq!(decided(true, [5, -3]), (0, DecidedBy::Margins));
    assert_eq!(decided(true, [3, -5]), (1, DecidedBy::Margins));
    assert_eq!(decided(true, [5, -5]).1, DecidedBy::Coin);
    for margins in [[5, -3], [3, -5], [5, -5]] {
        assert_eq!(decided(false, margins), decided(true, [0, 0]));
    }
}

#[test]
fn whoever_leaves_loses_by_walkover() {
    // 1 leaves with the first round, 0 with the second, and of 4 nothing is heard.
    let leaves = vec![Some(1), Some(0), None, None, None];
    let mut knockout = Knockout::with_leavers(leaves, KnockoutRules::default()).unwrap();
    let walkovers = |knockout: &Knockout| -> Vec<usize> {
        let matches = knockout.matches();
        matches
            .filter(|found| found.decision == Some(DecidedBy::Walkover))
            .map(|found| found.winner.unwrap())
            .collect()
    };
    // 1 had a bye, and loses to 2 who had one too.
    assert_eq!(walkovers(&knockout), [2]);
    let first = knockout.open()[0].clone();
    assert_eq!(first.seats, [3, 4]);
    knockout.record(first.unit, [4, 0]).unwrap();
    knockout.record(first.unit + 1, [4, 0]).unwrap();
    // Who won goes on over 0, to the final with 2.
    assert_eq!(walkovers(&knockout), [3, 2]);
    assert!(knockout.open().iter().all(|game| game.board >= 12));
    assert_eq!(knockout.places()[..2], [Some(3), Some(3)]);
    let all_left = vec![Some(0); 3];
    let knockout = Knockout::with_leavers(all_left, KnockoutRules::default()).unwrap();
    assert_eq!(knockout.champion(), Some(0));
}

#[test]
fn a_match_ends_when_nobody_can_catch_up() {
    let mut knockout = Knockout::new(2, KnockoutRules::default()).unwrap();
    knockout.record(2, [0, 4]).unwrap();
    assert_eq!(knockout.champion(), None);
    knockout.record(1, [0, 4]).unwrap();
    assert_eq!(knockout.champion(), Some(1));
    assert_eq!(
        knockout.record(0, [4, 0]),
        Ok(()),
        "a unit too many changes no winner"
    );
    assert_eq!(knockout.champion(), Some(1));
    assert_eq!(knockout.matches().next().unwrap().half_points, [4, 8]);
}

#[test]
fn wrong_knockouts_are_refused() {
    let rules = KnockoutRules::default();
    assert_eq!(Knockout::new(1, rules), Err(KnockoutError::TooFewSeats(1)));
    let none = KnockoutRules { units: 0, ..rules };
    assert_eq!(Knockout::new(4, none), Err(KnockoutError::NoUnits));
    let many = KnockoutRules {
        units: u64::MAX,
        ..rules
    };
    assert_eq!(Knockout::new(4, many), Err(KnockoutError::TooMany));
    let mut knockout = Knockout::new(4, rules).unwrap();
    assert_eq!(
        knockout.record(u64::MAX, [4, 0]),
        Err(KnockoutError::NotOpen(u64::MAX))
    );
}
