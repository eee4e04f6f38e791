use std::collections::{BTreeMap, HashMap};

use crate::store::GameSummary;
use floe_games::FaultKind;
use floe_rating::{Anchor, Ending, Estimate, Joint, Live, NoEstimate, Rankings, Rating};

use super::half_points_of;

/// What a tournament has come to, counted game by game in any order. Only whole units count.
///
/// Memory grows with the pairs that met, and with the games where three and more sit at a table.
#[derive(Debug, Clone)]
pub struct Scoreboard {
    names: Vec<String>,
    table: usize,
    lines: Vec<Line>,
    /// By (one, other): games, and the half points of the one against the other.
    met: BTreeMap<(u32, u32), (u64, u64)>,
    strength: Strength,
    /// Places of the names in alphabetical order: ratings count by them, so that they do not
    /// depend on the order in which entrants were met.
    ranks: Vec<usize>,
    units: u64,
    games: u64,
    open: HashMap<u64, Vec<(GameSummary, Vec<usize>)>>,
}

/// What explains the results: by the number at a table.
#[derive(Debug, Clone)]
enum Strength {
    Two(Box<Joint>),
    More(Box<Rankings>, Box<Live>),
}

/// What one entrant did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// Games.
    pub games: u64,
    /// Games in which they came first alone.
    pub wins: u64,
    /// Games in which they shared the first place.
    pub draws: u64,
    /// Two for everybody they left behind in a game, one for everybody level.
    pub half_points: u64,
    /// Moves made.
    pub moves: u64,
    /// Wall time of those moves, in microseconds.
    pub wall_us: u64,
    /// The longest of them.
    pub slowest_us: u64,
    /// The most memory, in KiB.
    pub peak_kib: u64,
    /// Answers that came in the margin after the limit.
    pub strikes: u64,
    /// Faults by kind.
    pub faults: BTreeMap<FaultKind, u64>,
}

impl Line {
    /// Games in which somebody else came first.
    pub fn losses(&self) -> u64 {
        self.games - self.wins - self.draws
    }
}

/// The joint ratings of a [`Scoreboard`].
#[derive(Debug, Clone)]
pub(super) struct Ratings {
    /// By entrant.
    pub(super) ratings: Vec<Rating>,
    pub(super) first_move: Option<Estimate>,
    pub(super) draw_rate: Option<f64>,
}

/// The games of a unit in order: who sat where, and their places.
pub(super) type Whole = Vec<(Vec<usize>, Vec<u32>)>;

impl Scoreboard {
    /// Nothing played by these, so many at a table.
    pub fn new(names: impl IntoIterator<Item = String>, table: usize) -> Self {
        let names: Vec<String> = names.into_iter().collect();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| names[a].cmp(&names[b]));
        let mut ranks = vec![0; names.len()];
        for (rank, &entrant) in order.iter().enumerate() {
            ranks[entrant] = rank;
        }
        let strength = match table {
            2 => Strength::Two(Box::new(Joint::new(names.len()))),
            _ => Strength::More(
                Box::new(Rankings::new(names.len())),
                Box::new(Live::new(names.len())),
            ),
        };
        Scoreboard {
            lines: vec![Line::default(); names.len()],
            met: BTreeMap::new(),
            strength,
            ranks,
            table: table.max(1),
            names,
            units: 0,
            games: 0,
            open: HashMap::new(),
        }
    }

    /// Counts a game played by these entrants, by seat; its unit if that is whole now. Games of
    /// others, or of another number of seats, are left out.
    pub(super) fn add(&mut self, game: &GameSummary, seats: &[usize]) -> Option<Whole> {
        let known = |&seat: &usize| seat < self.names.len();
        if seats.len() != self.table || game.seats.len() != self.table || !seats.iter().all(known) {
            return None;
        }
        let games = self.open.entry(game.unit()).or_default();
        if games.iter().any(|(other, _)| other.number == game.number) {
            return None;
        }
        games.push((game.clone(), seats.to_vec()));
        if games.len() < self.table {
            return None;
        }
        let mut games = self.open.remove(&game.unit())?;
        games.sort_by_key(|(game, _)| game.number);
        self.units += 1;
        for (game, seats) in &games {
            self.count(game, seats);
        }
        let places = |game: &GameSummary| game.seats.iter().map(|part| part.place).collect();
        let whole: Whole = games
            .into_iter()
            .map(|(game, seats)| (seats, places(&game)))
            .collect();
        self.rate(&whole);
        Some(whole)
    }

    fn count(&mut self, game: &GameSummary, seats: &[usize]) {
        self.games += 1;
        let places: Vec<u32> = game.seats.iter().map(|part| part.place).collect();
        let firsts = places.iter().filter(|&&place| place == 1).count();
        let half_points = half_points_of(&places);
        for (at, (part, &seat)) in game.seats.iter().zip(seats).enumerate() {
            let line = &mut self.lines[seat];
            line.games += 1;
            line.wins += u64::from(part.place == 1 && firsts == 1);
            line.draws += u64::from(part.place == 1 && firsts > 1);
            line.half_points += half_points[at];
            line.moves += part.moves;
            line.wall_us += part.wall_us;
            line.slowest_us = line.slowest_us.max(part.slowest_us);
            line.peak_kib = line.peak_kib.max(part.peak_kib);
            line.strikes += part.strikes;
            if let Some((kind, _)) = part.fault {
                *line.faults.entry(kind).or_default() += 1;
            }
            for (other, &opponent) in seats.iter().enumerate().filter(|&(other, _)| other != at) {
                let met = self.met.entry((seat as u32, opponent as u32)).or_default();
                met.0 += 1;
                met.1 += match places[at].cmp(&places[other]) {
                    std::cmp::Ordering::Less => 2,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 0,
                };
            }
        }
    }

    fn rate(&mut self, whole: &Whole) {
        let ranks = &self.ranks;
        match &mut self.strength {
            Strength::Two(joint) => {
                if let [(first, places), (second, swapped)] = &whole[..]
                    && first[0] != first[1]
                    && first[0] == second[1]
                {
                    let endings = [ending(places[0], places[1]), ending(swapped[1], swapped[0])];
                    joint.add([ranks[first[0]], ranks[first[1]]], endings);
                }
            }
            Strength::More(rankings, live) => {
                let game = |(seats, places): &(Vec<usize>, Vec<u32>)| -> Vec<(usize, u32)> {
                    seats
                        .iter()
                        .map(|&seat| ranks[seat])
                        .zip(places.iter().copied())
                        .collect()
                };
                let games: Vec<Vec<(usize, u32)>> = whole.iter().map(game).collect();
                let slices: Vec<&[(usize, u32)]> = games.iter().map(|game| &game[..]).collect();
                // Seats are known; one who sat twice at a table counts nowhere.
                if rankings.add_unit(&slices).is_ok() {
                    for game in slices {
                        let _ = live.add(game);
                    }
                }
            }
        }
    }

    /// Everybody's strength. With no repetitions error bars come from the curvature alone, and
    /// with three and more at a table ratings are those of [`Live`]: both soon enough to be
    /// watched.
    pub(super) fn ratings(&self, anchor: Option<usize>, repetitions: u32) -> Ratings {
        let anchor = anchor.map_or(Anchor::Mean, |entrant| Anchor::Seat(self.ranks[entrant]));
        let by_entrant =
            |ratings: &[Rating]| self.ranks.iter().map(|&rank| ratings[rank]).collect();
        match &self.strength {
            Strength::Two(joint) => {
                let table = joint.fit(anchor, repetitions, 1);
                Ratings {
                    ratings: by_entrant(&table.ratings),
                    first_move: table.first_move.ok(),
                    draw_rate: (self.games > 0).then_some(table.draw_rate),
                }
            }
            Strength::More(rankings, live) => {
                let ratings = match repetitions {
                    0 => self.live(live),
                    _ => by_entrant(&rankings.fit(anchor).ratings),
                };
                Ratings {
                    ratings,
                    first_move: None,
                    draw_rate: None,
                }
            }
        }
    }

    fn live(&self, live: &Live) -> Vec<Rating> {
        // Roughly on the scale of Elo: one of Weng and Lin's β of 25/6 is about 200.
        const ELO: f64 = 200.0 / (25.0 / 6.0);
        let rating = |entrant: usize| {
            let skill = live.skill(self.ranks[entrant]);
            let (value, margin) = ((skill.mean - 25.0) * ELO, 1.96 * skill.deviation * ELO);
            let games = self.lines[entrant].games;
            let estimate = Estimate {
                value,
                low: value - margin,
                high: value + margin,
            };
            Rating {
                elo: if games > 0 {
                    Ok(estimate)
                } else {
                    Err(NoEstimate::TooFew)
                },
                games,
                group: 0,
            }
        };
        (0..self.names.len()).map(rating).collect()
    }

    /// What everybody is called.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What everybody did.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// How many games two played at one table, and the half points of the one.
    pub fn met(&self, one: usize, other: usize) -> (u64, u64) {
        self.met
            .get(&(one as u32, other as u32))
            .copied()
            .unwrap_or_default()
    }

    /// Games of whole units.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Whole units.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// How many sit at a table.
    pub fn table(&self) -> usize {
        self.table
    }
}

fn ending(mine: u32, theirs: u32) -> Ending {
    match mine.cmp(&theirs) {
        std::cmp::Ordering::Less => Ending::Win,
        std::cmp::Ordering::Equal => Ending::Draw,
        std::cmp::Ordering::Greater => Ending::Loss,
    }
}
