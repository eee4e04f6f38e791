//! Scoreboards: results, head-to-head results, ratings, times and faults, counted game by game.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::store::{GameSummary, MoveTimes, SeatResult};
use floe_games::FaultKind;
use floe_rating::{
    Anchor, Ending, Estimate, Joint, Live, Mean, Pentanomial, Rankings, Rating, WarmStart,
};

/// The results of a match or a tournament, counted game by game in any order.
///
/// Only whole units (a board, in every rotation of the seats) count as results. Times, strikes and
/// faults count at once.
///
/// A repeat, a game that the same entrants in the same seats played before move by move, is counted
/// as a game. It is no new evidence: units that are equal count once in ratings, pairs and
/// intervals, in whatever order they come.
///
/// Memory grows with the pairs that met and by some bytes per game, and with whole games if they
/// have three or more seats.
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
    /// By (one, other): games, and the half points of the one against the other.
    met: BTreeMap<(u32, u32), (u64, u64)>,
    strength: Strength,
    /// Places of the names in alphabetical order: ratings count by them, so that they do not
    /// depend on the order in which entrants were met.
    ranks: Vec<usize>,
    units: u64,
    games: u64,
    /// Games that are no repeats.
    different: u64,
    /// Units that came last and brought nothing new.
    repeats_in_a_row: u64,
    /// Hashes of the games and units there were.
    seen: HashSet<u64>,
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
    /// Games that count: those of whole units.
    pub games: u64,
    /// Those of them that repeat no other.
    pub different: u64,
    /// Games in which they came first alone.
    pub wins: u64,
    /// Games in which they shared the first place.
    pub draws: u64,
    /// Two for every opponent placed behind in a game, one for every opponent level.
    pub half_points: u64,
    /// The sum of what they scored above the best of the others.
    pub margin: i64,
    /// Moves made, in all games.
    pub moves: u64,
    /// Wall time of those moves, in microseconds.
    pub wall_us: u64,
    /// The longest of them.
    pub slowest_us: u64,
    /// Times of its moves.
    pub times: MoveTimes,
    /// The most memory, in KiB.
    pub peak_kib: u64,
    /// Answers that came in the margin after the limit.
    pub strikes: u64,
    /// Faults by kind, in all games.
    pub faults: BTreeMap<FaultKind, u64>,
    /// Two for every opponent, game by game: the largest possible half points.
    most_half_points: u64,
    /// Games of units that are no repeats.
    new_games: u64,
    /// The margins of whole units: the games of one share their board and are not independent.
    unit_margins: Mean,
}

impl EntrantTotals {
    /// Games in which an opponent came first.
    pub fn losses(&self) -> u64 {
        self.games - self.wins - self.draws
    }

    /// The share of points, from 0 to 1: of the opponents, how many were left behind, those level
    /// counting half. Between two that is a point for a win and half a point for a draw.
    pub fn score(&self) -> Option<f64> {
        let most = self.most_half_points;
        (most > 0).then(|| self.half_points as f64 / most as f64)
    }

    /// The mean of its score minus the best opponent's; with its 95 % interval from the second unit
    /// on.
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
    /// Counts what counts at once.
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
    /// By entrant.
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
    /// Their places.
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
            seen: HashSet::new(),
            open: HashMap::new(),
        }
    }

    /// One more entrant, who comes after the others; returns their number.
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

    /// Counts a game played by these entrants, by seat; its unit if that is whole now. Games of
    /// others, or of another number of seats, are left out.
    pub fn add(&mut self, game: &GameSummary, seats: &[usize]) -> Option<WholeUnit> {
        let known = |&seat: &usize| seat < self.names.len();
        if seats.len() != self.seats || game.seats.len() != self.seats || !seats.iter().all(known) {
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

    /// Whether no earlier unit equals this one; it is recorded.
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
                // Seats are known; one who sat twice at a table counts nowhere.
                if rankings.add_unit(&slices).is_ok() {
                    for game in slices {
                        let _ = live.add(game);
                    }
                }
            }
        }
    }

    /// Every entrant's strength above the anchor, or the mean, with its interval. All tables,
    /// pages and reports take their Elo and ± from here.
    pub fn ratings(&self, anchor: Option<usize>) -> Ratings {
        self.ratings_from(anchor, &mut WarmStart::default())
    }

    /// The same, resumed where an earlier fit ended: a few more games cost little.
    pub fn ratings_from(&self, anchor: Option<usize>, start: &mut WarmStart) -> Ratings {
        let anchor = anchor.map_or(Anchor::Mean, |entrant| Anchor::Seat(self.ranks[entrant]));
        let by_entrant =
            |ratings: &[Rating]| self.ranks.iter().map(|&rank| ratings[rank]).collect();
        match &self.strength {
            Strength::Two(joint) => {
                let table = joint.fit_from(anchor, start);
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

    /// Elo above the mean without intervals, soon enough for many points of a history: with three
    /// and more at a table they are those of [`Live`]. `None` before an entrant has played.
    pub fn quick_elo(&self) -> Vec<Option<f64>> {
        // Roughly on the scale of Elo: one of Weng and Lin's β of 25/6 is about 200.
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

    /// The pairs that two played against each other, from the side of the one; none where three
    /// and more sit at a table.
    pub fn pairs(&self, one: usize, other: usize) -> Pentanomial {
        match &self.strength {
            Strength::Two(joint) => joint.between(self.ranks[one], self.ranks[other]),
            Strength::More(..) => Pentanomial::default(),
        }
    }

    /// How many games two entrants played against each other, and the half points of the first.
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

    /// How many of the latest whole units in a row were repeats.
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

/// A key for finding repeats: equal for units with equal games, in whatever order. It is made of
/// every game's
/// [fingerprint](GameSummary::fingerprint) and its seats, and valid within one process.
pub fn unit_key<'a>(games: impl Iterator<Item = (u64, &'a Vec<usize>)>) -> u64 {
    let mut keys: Vec<u64> = games.map(|game| hashed(&game)).collect();
    keys.sort_unstable();
    hashed(&keys)
}

/// A hash that is the same as long as the program runs.
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
