//! Scoreboards: results, head-to-head results, ratings, times and faults, counted game by game.

mod seen;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use self::seen::Seen;
use crate::store::{GameSummary, MoveTimes, SeatResult};
use floe_games::FaultKind;
use floe_rating::{Anchor, Ending, Estimate, Joint, Live, Mean, Pentanomial, Rankings, Rating};

/// The results of a match or a tournament, counted game by game in any order.
///
/// Only whole units (a board, in every rotation of the seats) count as results. Times, strikes and
/// faults count at once.
///
/// A repeat, a game that the same entrants in the same seats played before move by move, is counted
/// as a game. It is no new evidence: units that are equal count once in ratings, pairs and
/// intervals, in whatever order they come.
///
/// Memory grows with the pairs that met, and with whole games if they have three or more seats. What
/// finds repeats among many games is in a temporary file.
///
/// ```
/// use floe_arena::scoreboard::Scoreboard;
/// let board = Scoreboard::new(["mimi".to_owned(), "floe:hard".to_owned()], 2);
/// assert_eq!((board.units(), board.totals()[0].games), (0, 0));
/// ```
#[derive(Debug, Clone)]
pub struct Scoreboard {
    names: Vec<String>,
    seats: usize,
    totals: Vec<EntrantTotals>,
    /// By (one, other): games, and the half points of `one` against `other`.
    met: BTreeMap<(u32, u32), (u64, u64)>,
    strength: Strength,
    /// Places of the names in alphabetical order: ratings use them, so that ratings do not depend
    /// on the order in which entrants appeared.
    ranks: Vec<usize>,
    units: u64,
    games: u64,
    /// Games that repeat no earlier game.
    different: u64,
    /// The latest units in a row that repeat an earlier unit.
    repeats_in_a_row: u64,
    /// Hashes of the games and units there were.
    seen: Seen,
    open: HashMap<u64, Vec<(GameSummary, Vec<usize>)>>,
}

/// The rating model: by the number of seats.
#[derive(Debug, Clone)]
enum Strength {
    Two(Box<Joint>),
    More(Box<Rankings>, Box<Live>),
}

/// One entrant's totals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntrantTotals {
    /// Games that count: those in whole units.
    pub games: u64,
    /// Games that count and repeat no earlier game.
    pub different: u64,
    /// Games won alone.
    pub wins: u64,
    /// Games with a shared first place.
    pub draws: u64,
    /// Two for every opponent placed behind, one for every opponent level.
    pub half_points: u64,
    /// The sum of this entrant's scores minus the best opponent's.
    pub margin: i64,
    /// Number of moves in all games.
    pub moves: u64,
    /// Wall time of the timed moves, in microseconds.
    pub wall_us: u64,
    /// The longest of the timed moves, in microseconds.
    pub slowest_us: u64,
    /// Histogram of move times.
    pub times: MoveTimes,
    /// The most memory, in KiB.
    pub peak_kib: u64,
    /// Answers in the grace period after the limit.
    pub strikes: u64,
    /// Faults by kind, in all games.
    pub faults: BTreeMap<FaultKind, u64>,
    /// Two for every opponent, game by game: the largest possible half points.
    most_half_points: u64,
    /// Games of units that repeat no earlier unit.
    new_games: u64,
    /// The margins of whole units: a unit's games share one board, so they are not independent.
    unit_margins: Mean,
}

impl EntrantTotals {
    /// Games that an opponent won.
    pub fn losses(&self) -> u64 {
        self.games - self.wins - self.draws
    }

    /// The share of points, from 0 to 1: the share of opponents placed behind, with level ones
    /// counting half. Between two players, a win is one point and a draw half a point.
    pub fn score(&self) -> Option<f64> {
        let most = self.most_half_points;
        (most > 0).then(|| self.half_points as f64 / most as f64)
    }

    /// The mean score minus the best opponent's; from the second unit on with its 95 % interval.
    pub fn mean_margin(&self) -> Option<(f64, Option<Estimate>)> {
        let games = self.games.max(1) as f64;
        let units_a_game = self.unit_margins.count() as f64 / self.new_games.max(1) as f64;
        let interval = self.unit_margins.estimate().ok().map(|margin| Estimate {
            value: margin.value * units_a_game,
            low: margin.low * units_a_game,
            high: margin.high * units_a_game,
        });
        (self.games > 0).then(|| (self.margin as f64 / games, interval))
    }

    /// Milliseconds a move on average.
    pub fn ms_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.wall_us as f64 / 1000.0 / self.moves as f64)
    }
}

impl EntrantTotals {
    /// Counts the totals that need no whole unit.
    fn note(&mut self, result: &SeatResult) {
        self.moves += result.moves;
        self.wall_us += result.wall_us;
        self.slowest_us = self.slowest_us.max(result.slowest_us);
        self.times.merge(&result.times);
        self.peak_kib = self.peak_kib.max(result.peak_kib);
        self.strikes += result.strikes;
        if let Some((kind, _)) = result.fault {
            *self.faults.entry(kind).or_default() += 1;
        }
    }
}

/// The joint ratings of a [`Scoreboard`].
#[derive(Debug, Clone)]
pub struct Ratings {
    /// Ratings by entrant.
    pub ratings: Vec<Rating>,
    /// The advantage of the first move in Elo, in games for two.
    pub first_move: Option<Estimate>,
    /// The draw rate between equals, in games for two.
    pub draw_rate: Option<f64>,
}

/// The games of a whole unit, in order.
pub type WholeUnit = Vec<UnitGame>;

/// One game of a whole unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitGame {
    /// The entrants by seat.
    pub seats: Vec<usize>,
    /// The places by seat.
    pub places: Vec<u32>,
    /// Each seat's score minus the best opponent's.
    pub margins: Vec<i64>,
}

impl Scoreboard {
    /// A scoreboard of these entrants before the first game, with `seats` seats per game.
    pub fn new(names: impl IntoIterator<Item = String>, seats: usize) -> Self {
        let names: Vec<String> = names.into_iter().collect();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| names[a].cmp(&names[b]));
        let mut ranks = vec![0; names.len()];
        for (rank, &entrant) in order.iter().enumerate() {
            ranks[entrant] = rank;
        }
        let strength = match seats {
            2 => Strength::Two(Box::new(Joint::new(names.len()))),
            _ => Strength::More(
                Box::new(Rankings::new(names.len())),
                Box::new(Live::new(names.len())),
            ),
        };
        Scoreboard {
            totals: vec![EntrantTotals::default(); names.len()],
            met: BTreeMap::new(),
            strength,
            ranks,
            seats: seats.max(1),
            names,
            units: 0,
            games: 0,
            different: 0,
            repeats_in_a_row: 0,
            seen: Seen::default(),
            open: HashMap::new(),
        }
    }

    /// Adds an entrant after the others, and returns the new number.
    pub fn enter(&mut self, name: String) -> usize {
        let entrant = self.names.len();
        self.names.push(name);
        self.totals.push(EntrantTotals::default());
        self.ranks.push(entrant);
        match &mut self.strength {
            Strength::Two(joint) => joint.grow(entrant + 1),
            Strength::More(rankings, live) => {
                rankings.grow(entrant + 1);
                live.grow(entrant + 1);
            }
        }
        entrant
    }

    /// Counts a game of these entrants, by seat, and its unit if that is complete now. Games of
    /// other entrants, or with another number of seats, are skipped.
    pub fn add(&mut self, game: &GameSummary, seats: &[usize]) -> Option<WholeUnit> {
        if !self.has_place_for(game, seats) {
            return None;
        }
        let games = self.open.entry(game.unit()).or_default();
        if games.iter().any(|(other, _)| other.number == game.number) {
            return None;
        }
        games.push((game.clone(), seats.to_vec()));
        let is_whole = games.len() == self.seats;
        for (result, &seat) in game.seats.iter().zip(seats) {
            self.totals[seat].note(result);
        }
        if !is_whole {
            return None;
        }
        let mut games = self.open.remove(&game.unit())?;
        games.sort_by_key(|(game, _)| game.number);
        self.units += 1;
        for (game, seats) in &games {
            self.count(game, seats);
        }
        let is_new = self.is_new_unit(&games);
        if is_new {
            self.add_margins(&games);
        }
        let places = |game: &GameSummary| game.seats.iter().map(|part| part.place).collect();
        let whole: WholeUnit = games
            .into_iter()
            .map(|(game, seats)| UnitGame {
                places: places(&game),
                margins: margins_of(&game),
                seats,
            })
            .collect();
        if is_new {
            self.rate(&whole);
        }
        Some(whole)
    }

    /// Whether these entrants are its own, as many as sit at a table.
    fn has_place_for(&self, game: &GameSummary, seats: &[usize]) -> bool {
        let known = |&seat: &usize| seat < self.names.len();
        seats.len() == self.seats && game.seats.len() == self.seats && seats.iter().all(known)
    }

    /// Games of whole units once these are counted too, each with the entrants who played it.
    pub(crate) fn games_with<'g>(
        &self,
        games: impl IntoIterator<Item = (&'g GameSummary, Vec<usize>)>,
    ) -> u64 {
        let open = self.open.iter().map(|(&unit, games)| {
            let numbers = games.iter().map(|(game, _)| game.number);
            (unit, numbers.collect())
        });
        let mut open: HashMap<u64, HashSet<u64>> = open.collect();
        let mut whole = self.games;
        for (game, seats) in games {
            if !self.has_place_for(game, &seats) {
                continue;
            }
            let numbers = open.entry(game.unit()).or_default();
            numbers.insert(game.number);
            if numbers.len() == self.seats {
                open.remove(&game.unit());
                whole += self.seats as u64;
            }
        }
        whole
    }

    /// Records a unit; `false` if an earlier unit was the same.
    fn is_new_unit(&mut self, games: &[(GameSummary, Vec<usize>)]) -> bool {
        for (game, seats) in games {
            if self.seen.insert(hashed(&(game.fingerprint, seats))) {
                self.different += 1;
                for &seat in seats {
                    self.totals[seat].different += 1;
                }
            }
        }
        let games = games.iter().map(|(game, seats)| (game.fingerprint, seats));
        let is_new = self.seen.insert(unit_key(games));
        self.repeats_in_a_row = match is_new {
            true => 0,
            false => self.repeats_in_a_row + 1,
        };
        is_new
    }

    fn add_margins(&mut self, games: &[(GameSummary, Vec<usize>)]) {
        let mut margins: BTreeMap<usize, i64> = BTreeMap::new();
        for (game, seats) in games {
            for (&seat, margin) in seats.iter().zip(margins_of(game)) {
                *margins.entry(seat).or_default() += margin;
                self.totals[seat].new_games += 1;
            }
        }
        for (seat, margin) in margins {
            self.totals[seat].unit_margins.add(margin);
        }
    }

    fn count(&mut self, game: &GameSummary, seats: &[usize]) {
        self.games += 1;
        let places: Vec<u32> = game.seats.iter().map(|part| part.place).collect();
        let firsts = places.iter().filter(|&&place| place == 1).count();
        let half_points = half_points_of(&places);
        let margins = margins_of(game);
        for (at, (part, &seat)) in game.seats.iter().zip(seats).enumerate() {
            let totals = &mut self.totals[seat];
            totals.games += 1;
            totals.wins += u64::from(part.place == 1 && firsts == 1);
            totals.draws += u64::from(part.place == 1 && firsts > 1);
            totals.half_points += half_points[at];
            totals.most_half_points += 2 * (seats.len() as u64 - 1);
            totals.margin += margins[at];
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

    fn rate(&mut self, whole: &WholeUnit) {
        let ranks = &self.ranks;
        match &mut self.strength {
            Strength::Two(joint) => {
                if let [first, second] = &whole[..]
                    && first.seats[0] != first.seats[1]
                    && first.seats[0] == second.seats[1]
                {
                    let endings = [
                        ending(first.places[0], first.places[1]),
                        ending(second.places[1], second.places[0]),
                    ];
                    joint.add([0, 1].map(|seat| ranks[first.seats[seat]]), endings);
                }
            }
            Strength::More(rankings, live) => {
                let game = |game: &UnitGame| -> Vec<(usize, u32)> {
                    let seats = game.seats.iter().map(|&seat| ranks[seat]);
                    seats.zip(game.places.iter().copied()).collect()
                };
                let games: Vec<Vec<(usize, u32)>> = whole.iter().map(game).collect();
                let slices: Vec<&[(usize, u32)]> = games.iter().map(|game| &game[..]).collect();
                // All seats are known; a game in which one entrant has two seats counts nowhere.
                if rankings.add_unit(&slices).is_ok() {
                    for game in slices {
                        let _ = live.add(game);
                    }
                }
            }
        }
    }

    /// Every entrant's rating above the anchor, or above the mean, with its interval. All tables,
    /// pages and reports use these values.
    pub fn ratings(&self, anchor: Option<usize>) -> Ratings {
        let anchor = anchor.map_or(Anchor::Mean, |entrant| Anchor::Seat(self.ranks[entrant]));
        let by_entrant =
            |ratings: &[Rating]| self.ranks.iter().map(|&rank| ratings[rank]).collect();
        match &self.strength {
            Strength::Two(joint) => {
                let table = joint.fit(anchor);
                Ratings {
                    ratings: by_entrant(&table.ratings),
                    first_move: table.first_move.ok(),
                    draw_rate: (self.games > 0).then_some(table.draw_rate),
                }
            }
            Strength::More(rankings, _) => Ratings {
                ratings: by_entrant(&rankings.fit(anchor).ratings),
                first_move: None,
                draw_rate: None,
            },
        }
    }

    /// Elo above the mean without intervals, fast enough for many points of a history: for three
    /// and more seats, the values of [`Live`]. `None` before an entrant has played.
    pub fn quick_elo(&self) -> Vec<Option<f64>> {
        // Roughly the scale of Elo: Weng and Lin's β of 25/6 corresponds to about 200.
        const ELO: f64 = 200.0 / (25.0 / 6.0);
        match &self.strength {
            Strength::Two(joint) => {
                let values = joint.values(Anchor::Mean);
                self.ranks.iter().map(|&rank| values[rank]).collect()
            }
            Strength::More(_, live) => {
                let elo = |rank: usize| (live.skill(rank).mean - 25.0) * ELO;
                let ranks = self.ranks.iter().zip(&self.totals);
                ranks
                    .map(|(&rank, totals)| (totals.games > 0).then(|| elo(rank)))
                    .collect()
            }
        }
    }

    /// The names of all entrants.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The totals of all entrants.
    pub fn totals(&self) -> &[EntrantTotals] {
        &self.totals
    }

    /// The pairs of games between two entrants, from the first one's side; empty for three and more
    /// seats per game.
    pub fn pairs(&self, one: usize, other: usize) -> Pentanomial {
        match &self.strength {
            Strength::Two(joint) => joint.between(self.ranks[one], self.ranks[other]),
            Strength::More(..) => Pentanomial::default(),
        }
    }

    /// Number of games between two entrants, and the first one's half points.
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

    /// Games of whole units that repeat no other: see [`Scoreboard`].
    pub fn different(&self) -> u64 {
        self.different
    }

    /// Number of the latest whole units in a row that were repeats.
    pub fn repeats_in_a_row(&self) -> u64 {
        self.repeats_in_a_row
    }

    /// Whole units.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// Seats per game.
    pub fn seats(&self) -> usize {
        self.seats
    }
}

/// The remark after a number of games in tables: how many are different, unless all are.
///
/// ```
/// use floe_arena::scoreboard::different_remark;
/// assert_eq!(format!("40 games{}", different_remark(40, 38)), "40 games, 38 different");
/// assert_eq!(different_remark(40, 40), "");
/// ```
pub fn different_remark(games: u64, different: u64) -> String {
    match games == different {
        true => String::new(),
        false => format!(", {different} different"),
    }
}

/// A key for finding repeats: equal for units with equal games, in any order. It combines every
/// game's [fingerprint](GameSummary::fingerprint) and seats, and is valid within one process.
pub fn unit_key<'a>(games: impl Iterator<Item = (u64, &'a Vec<usize>)>) -> u64 {
    let mut keys: Vec<u64> = games.map(|game| hashed(&game)).collect();
    keys.sort_unstable();
    hashed(&keys)
}

/// A hash that stays the same while the process runs.
fn hashed(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn ending(mine: u32, theirs: u32) -> Ending {
    match mine.cmp(&theirs) {
        std::cmp::Ordering::Less => Ending::Win,
        std::cmp::Ordering::Equal => Ending::Draw,
        std::cmp::Ordering::Greater => Ending::Loss,
    }
}

/// Each seat's score minus the best opponent's.
fn margins_of(game: &GameSummary) -> Vec<i64> {
    let margin = |(at, part): (usize, &SeatResult)| {
        let others = game.seats.iter().enumerate();
        let others = others.filter(|&(other, _)| other != at);
        part.score - others.map(|(_, other)| other.score).max().unwrap_or(0)
    };
    game.seats.iter().enumerate().map(margin).collect()
}

/// Half points by places: two for every opponent behind, one for every opponent level.
pub(crate) fn half_points_of(places: &[u32]) -> Vec<u64> {
    let worth = |mine: u32| -> u64 {
        let behind = places.iter().filter(|&&place| place > mine).count();
        let level = places.iter().filter(|&&place| place == mine).count() - 1;
        (2 * behind + level) as u64
    };
    places.iter().map(|&place| worth(place)).collect()
}
