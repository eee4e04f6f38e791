//! Boards from seeds: floes anywhere, or an island.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

use super::ids::Ids;
use super::position::PositionParts;
use super::{LONGEST, MOST_PLAYERS, PenguinsPosition, Setup, Shape, Spot, Style};
use crate::SetupError;
use crate::random::Random;

/// Side lengths of the contest's own boards, and their fish counts.
const LENGTHS: RangeInclusive<u32> = 14..=20;
const FISH: RangeInclusive<u32> = 240..=430;

pub(super) fn start(setup: &Setup, seed: u64) -> Result<PenguinsPosition, SetupError> {
    if !(1..=MOST_PLAYERS as u32).contains(&setup.players) {
        return Err(SetupError::Players {
            players: setup.players,
            seats: 1..=MOST_PLAYERS as u32,
        });
    }
    if setup.penguins == 0 {
        return Err(SetupError::setting(
            "penguins",
            "every player needs a penguin",
        ));
    }
    if setup.water > 100 {
        return Err(SetupError::setting(
            "water",
            "more than 100 percent of the fields are water",
        ));
    }
    let mut random = Random::seeded(seed);
    let (shape, fish) = match setup.style {
        Style::Uniform { size } => {
            let shape = shape(size)?;
            let land = scattered(shape, setup, &mut random);
            (shape, stock(shape, &land, setup, &mut random)?)
        }
        Style::Island { size: Some(size) } => {
            let shape = shape(size)?;
            let land = island(shape, setup, &mut random);
            (shape, stock(shape, &land, setup, &mut random)?)
        }
        Style::Island { size: None } => any_island(setup, &mut random)?,
    };
    Ok(PenguinsPosition::assemble(PositionParts {
        shape,
        fish,
        penguins: Vec::new(),
        ids: Ids::new(setup.players, &[]),
        scores: [0; MOST_PLAYERS],
        players: setup.players,
        each: setup.penguins,
        moving: false,
        turn: None,
        out: Vec::new(),
    }))
}

fn shape((columns, rows): (u32, u32)) -> Result<Shape, SetupError> {
    Shape::new(columns, rows).ok_or_else(|| SetupError::Size {
        columns,
        rows,
        help: format!("1 to {LONGEST} columns and as many rows").into(),
    })
}

/// Number of fields that are floes.
fn floes(shape: Shape, setup: &Setup) -> usize {
    shape.fields() * (100 - setup.water as usize) / 100
}

/// Floes anywhere.
fn scattered(shape: Shape, setup: &Setup, random: &mut Random) -> Vec<Spot> {
    let mut land: Vec<Spot> = shape.spots().collect();
    random.shuffle(&mut land);
    land.truncate(floes(shape, setup));
    land
}

/// An island of a size like the contest's, with about as many fish.
fn any_island(setup: &Setup, random: &mut Random) -> Result<(Shape, Vec<u8>), SetupError> {
    const TRIES: u32 = 50; // other weights than the contest's may never give as many
    let choices = u64::from(LENGTHS.end() - LENGTHS.start() + 1);
    let mut attempt = 0;
    loop {
        let columns = LENGTHS.start() + random.below(choices) as u32;
        let rows = LENGTHS.start() + random.below(choices) as u32;
        let shape = shape((columns, rows))?;
        let land = island(shape, setup, random);
        let fish = stock(shape, &land, setup, random)?;
        attempt += 1;
        if attempt == TRIES || FISH.contains(&fish.iter().map(|&f| u32::from(f)).sum()) {
            return Ok((shape, fish));
        }
    }
}

/// One landmass. Every field has a height that falls from the middle of the board, with hills and
/// dents a few fields wide; the island grows from the middle, always by the highest field on its
/// coast. All in integers, so that it is the same on every machine.
fn island(shape: Shape, setup: &Setup, random: &mut Random) -> Vec<Spot> {
    const HILL: usize = 4; // fields from one hill to the next
    const FALL: i64 = 1000; // from the middle of the board to the middle of an edge
    const HILLS: u64 = 700;
    const ROUGHNESS: u64 = 200;
    let across = shape.columns() as usize / HILL + 2;
    let up = shape.rows() as usize / HILL + 2;
    let hills: Vec<i64> = (0..across * up)
        .map(|_| random.below(HILLS) as i64)
        .collect();
    let fall = |at: u8, length: u32| {
        let from_middle = 2 * i64::from(at) + 1 - i64::from(length);
        from_middle * from_middle * FALL / i64::from(length * length)
    };
    let mut heights = vec![0; shape.bits()];
    for spot in shape.spots() {
        let (x, y) = (usize::from(spot.column), usize::from(spot.row));
        let hill = |dx: usize, dy: usize| hills[(y / HILL + dy) * across + x / HILL + dx];
        let (right, above) = ((x % HILL) as i64, (y % HILL) as i64);
        let (left, below) = (HILL as i64 - right, HILL as i64 - above);
        let ground = hill(0, 0) * left * below
            + hill(1, 0) * right * below
            + hill(0, 1) * left * above
            + hill(1, 1) * right * above;
        heights[shape.index(spot)] = ground / (HILL * HILL) as i64 + random.below(ROUGHNESS) as i64
            - fall(spot.column, shape.columns())
            - fall(spot.row, shape.rows());
    }
    let middle = Spot::new((shape.columns() / 2) as u8, (shape.rows() / 2) as u8);
    let wanted = floes(shape, setup);
    let mut land = Vec::with_capacity(wanted);
    let mut seen = shape.set([middle]);
    let mut coast = BinaryHeap::from([(heights[shape.index(middle)], Reverse(middle))]);
    while land.len() < wanted
        && let Some((_, Reverse(spot))) = coast.pop()
    {
        land.push(spot);
        let beside = [
            (spot.column.checked_add(1), Some(spot.row)),
            (spot.column.checked_sub(1), Some(spot.row)),
            (Some(spot.column), spot.row.checked_add(1)),
            (Some(spot.column), spot.row.checked_sub(1)),
        ];
        for (column, row) in beside {
            let (Some(column), Some(row)) = (column, row) else {
                continue;
            };
            let next = Spot::new(column, row);
            if shape.contains(next) && !seen.contains(shape.index(next)) {
                seen.insert(shape.index(next));
                coast.push((heights[shape.index(next)], Reverse(next)));
            }
        }
    }
    land
}

/// Puts fish on the floes, by weight, so that all penguins can be placed.
fn stock(
    shape: Shape,
    land: &[Spot],
    setup: &Setup,
    random: &mut Random,
) -> Result<Vec<u8>, SetupError> {
    if setup.weights == [0; 3] {
        return Err(SetupError::setting(
            "weights",
            "one of the weights at least must not be 0",
        ));
    }
    let needed = setup.players as usize * setup.penguins as usize;
    if needed > land.len() {
        return Err(SetupError::Room {
            who: format!(
                "{} players with {} penguins each",
                setup.players, setup.penguins,
            )
            .into(),
            needed: needed as u64,
            room: land.len() as u64,
            fields: "floes".into(),
            help: "make the board larger, or have less water or fewer penguins".into(),
        });
    }
    if setup.weights[0] == 0 {
        return Err(SetupError::setting(
            "weights",
            "penguins are placed on floes with one fish, and there are none",
        )
        .with_help("give the first of the weights more than 0"));
    }
    let mut fish = vec![0; shape.fields()];
    let at =
        |spot: Spot| usize::from(spot.row) * shape.columns() as usize + usize::from(spot.column);
    let mut is_land = vec![false; shape.fields()];
    land.iter().for_each(|&spot| is_land[at(spot)] = true);
    let land: Vec<Spot> = shape.spots().filter(|&spot| is_land[at(spot)]).collect();
    for &spot in &land {
        fish[at(spot)] = random.weighted(&setup.weights) as u8 + 1;
    }
    let (ones, mut more): (Vec<Spot>, Vec<Spot>) =
        land.into_iter().partition(|&spot| fish[at(spot)] == 1);
    if let Some(missing) = needed.checked_sub(ones.len())
        && missing > 0
    {
        random.shuffle(&mut more);
        more.iter()
            .take(missing)
            .for_each(|&spot| fish[at(spot)] = 1);
    }
    Ok(fish)
}
