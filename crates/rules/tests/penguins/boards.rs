//! Setups and the boards they give.

use floe_rules::penguins::{Penguins, PenguinsPosition, Setup};
use floe_rules::random::Random;
use floe_rules::{Game, Position};
use proptest::prelude::*;

fn start(setup: &str, seed: u64) -> PenguinsPosition {
    let setup: Setup = setup.parse().unwrap_or_else(|e| panic!("{setup}: {e}"));
    Penguins::start(&setup, seed).unwrap_or_else(|e| panic!("{setup}: {e}"))
}

fn refused(setup: &str) -> String {
    Penguins::start(&setup.parse().unwrap(), 1)
        .unwrap_err()
        .to_string()
}

/// The board as people draw it.
fn drawn(position: &PenguinsPosition) -> String {
    let view = Penguins::view(position);
    let rows = view.cells.chunks(view.width as usize);
    rows.map(|row| {
        row.iter()
            .map(|c| c.glyph.to_string().replace(' ', "."))
            .collect::<String>()
    })
    .collect::<Vec<_>>()
    .join("\n")
}

#[test]
fn setups_are_read_as_they_are_written() {
    for (text, canonical) in [
        ("", "10x10,players=2,penguins=3"),
        (
            "water=25, weights=5:3:2 ,style=uniform",
            "10x10,players=2,penguins=3",
        ),
        ("players=9,8x6", "8x6,players=9,penguins=3"),
        ("style=island", "players=2,penguins=3,style=island"),
        (
            "20x14,style=island,water=33",
            "20x14,players=2,penguins=3,style=island",
        ),
        (
            "water=33,weights=48:35:17",
            "10x10,players=2,penguins=3,water=33,weights=48:35:17",
        ),
    ] {
        let setup: Setup = text.parse().unwrap();
        assert_eq!(setup.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(setup));
    }
    assert_eq!(Setup::default().to_string(), "10x10,players=2,penguins=3");
}

#[test]
fn bad_setups_say_where() {
    for (text, column, cause) in [
        ("0x4", 1, "a board is 1 to 200 columns by 1 to 200 rows"),
        ("4x201", 1, "a board is 1 to 200 columns by 1 to 200 rows"),
        ("4x4,players=10", 5, "10 is not from 1 to 9"),
        ("4x4,penguins=0", 5, "0 is not from 1 to 40000"),
        ("water=101", 1, "101 is not from 0 to 100"),
        ("water=x", 1, "`x` is not a number in range"),
        ("style=round", 1, "the style is `uniform` or `island`"),
        ("weights=1:2", 1, "three weights are needed, such as 5:3:2"),
        (
            "weights=1:2:3:4",
            1,
            "three weights are enough, such as 5:3:2",
        ),
        ("weights=0:0:0", 1, "at least one weight must be above 0"),
        ("4x4,4x4", 5, "this is given twice"),
        ("4x4,fish=3", 5, "unknown setting `fish=3`"),
        ("hello", 1, "expected a size or word=value, not `hello`"),
    ] {
        let error = text.parse::<Setup>().unwrap_err();
        assert_eq!(
            (error.column, error.cause.as_ref()),
            (column, cause),
            "{text}"
        );
    }
}

#[test]
fn a_setup_that_cannot_be_says_why() {
    assert_eq!(
        refused("3x3,players=4,penguins=3,water=0"),
        "4 players with 3 penguins each need 12 floes, and the board has 9"
    );
    assert_eq!(
        refused("4x4,water=100"),
        "2 players with 3 penguins each need 6 floes, and the board has 0"
    );
    assert_eq!(
        refused("weights=0:1:1"),
        "penguins are placed on floes with one fish, and there are none"
    );
    for broken in [
        Setup {
            players: 0,
            ..Setup::default()
        },
        Setup {
            players: 10,
            ..Setup::default()
        },
        Setup {
            penguins: 0,
            ..Setup::default()
        },
        Setup {
            water: 101,
            ..Setup::default()
        },
        Setup {
            weights: [0; 3],
            ..Setup::default()
        },
        Setup {
            style: floe_rules::penguins::Style::Uniform { size: (0, 500) },
            ..Setup::default()
        },
    ] {
        assert!(Penguins::start(&broken, 1).is_err());
    }
}

#[test]
fn a_board_belongs_to_its_seed() {
    let boards = [
        ("10x10", 1),
        ("6x4,water=0,players=4", 2),
        ("style=island", 1),
        ("style=island", 2),
        ("12x7,style=island,water=40", 3),
    ];
    let draw = |&(setup, seed): &(&str, u64)| {
        format!("{setup} seed {seed}\n{}\n", drawn(&start(setup, seed)))
    };
    insta::assert_snapshot!(boards.iter().map(draw).collect::<String>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_uniform_board_keeps_its_promises(
        columns in 1u32..25, rows in 1u32..25, players in 1u32..=9, penguins in 1u32..5,
        water in 0u32..=100, weights in (0u32..4, 0u32..4, 0u32..4), island: bool, seed: u64,
    ) {
        let (a, b, c) = weights;
        prop_assume!(a + b + c > 0);
        let style = if island { "island" } else { "uniform" };
        let text = format!("{columns}x{rows},players={players},penguins={penguins},water={water},\
            weights={a}:{b}:{c},style={style}");
        let setup: Setup = text.parse().unwrap();
        prop_assert_eq!(setup.to_string().parse::<Setup>(), Ok(setup.clone()));
        let land = (columns * rows) as usize * (100 - water as usize) / 100;
        let needed = (players * penguins) as usize;
        match Penguins::start(&setup, seed) {
            Err(_) => prop_assert!(needed > land || a == 0),
            Ok(position) => {
                prop_assert!(needed <= land && a > 0);
                prop_assert_eq!(position.free().count() as usize, land);
                prop_assert!(position.ones().count() as usize >= needed);
                prop_assert_eq!((position.players(), position.penguins_each()), (players, penguins));
                prop_assert_eq!(&Penguins::start(&setup, seed).unwrap(), &position);
                if island {
                    let first = position.shape().spot(position.free().first().unwrap());
                    prop_assert_eq!(position.region(first).count() as usize, land);
                }
                prop_assert_eq!(&Penguins::read(&Penguins::write(&position)).unwrap(), &position);
            }
        }
    }
}

#[test]
fn islands_are_like_the_contests_own_boards() {
    let mut fish = [0u32; 4];
    for seed in 0..100 {
        let position = start("style=island", seed);
        let shape = position.shape();
        assert!((14..=20).contains(&shape.columns()) && (14..=20).contains(&shape.rows()));
        let total = position.fish_on(position.free());
        assert!((240..=430).contains(&total), "seed {seed}: {total} fish");
        let first = shape.spot(position.free().first().unwrap());
        assert_eq!(position.region(first), *position.free(), "one landmass");
        let water = shape.fields() as u32 - position.free().count();
        assert!(
            (30..=36).contains(&(100 * water / shape.fields() as u32)),
            "seed {seed}"
        );
        shape
            .spots()
            .for_each(|s| fish[usize::from(position.fish(s))] += 1);
        // The corners are under water: the coast is round.
        let corners = [
            "a1".parse().unwrap(),
            floe_rules::Square::new(shape.columns() - 1, 0),
        ];
        assert!(
            corners
                .iter()
                .any(|&c| position.fish(shape.at(c).unwrap()) == 0),
            "seed {seed}"
        );
    }
    let land: u32 = fish[1..].iter().sum();
    let share = fish.map(|n| (100 * n + land / 2) / land);
    for (fish, wanted) in [(1, 48u32), (2, 35), (3, 17)] {
        assert!(share[fish].abs_diff(wanted) <= 1, "{share:?}");
    }
}

#[test]
fn a_seeded_game_plays_as_ever() {
    let mut position = start("6x5,penguins=2,water=10", 7);
    let mut random = Random::seeded(7);
    let mut out = format!("{}\n", drawn(&position));
    while let Some(player) = position.turn() {
        let moves = position.legal_moves();
        let mv = moves[random.index(moves.len())];
        position.play(mv).unwrap();
        out += &format!(
            "{player} {mv} of {}: {:?} {:016x}\n",
            moves.len(),
            position.scores(),
            position.key()
        );
    }
    out += &drawn(&position);
    insta::assert_snapshot!(out);
}
