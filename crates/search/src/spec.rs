//! The names of engines: `floe`, `floe:hard`, `mcts:time=200ms,seed=3`.
//!
//! A kind, and after a colon whatever limits it, separated by commas: a level, or `time=`,
//! `nodes=`, `depth=`, `threads=`, `seed=`. Printing and reading are exact inverses.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use floe_rules::ParseError;
use floe_rules::text::{chars, quoted};

use crate::{Clock, Deadline, Limits, threads};

/// Which engine, and how much it may think.
///
/// ```
/// use floe_search::{Kind, Spec};
/// let spec: Spec = "floe:nodes=10k,seed=3".parse()?;
/// assert_eq!((spec.kind, spec.nodes, spec.seed), (Kind::Floe, Some(10_000), Some(3)));
/// assert_eq!(spec.to_string(), "floe:nodes=10k,seed=3");
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spec {
    /// The kind of engine.
    pub kind: Kind,
    /// Level of play against people; `None` for full strength.
    pub level: Option<Level>,
    /// Time limit per move.
    pub time: Option<Duration>,
    /// Node limit per move.
    pub nodes: Option<u64>,
    /// Depth limit, in moves.
    pub depth: Option<u32>,
    /// Threads to think in; one by default.
    pub threads: Option<u32>,
    /// The seed of the dice; 0 by default.
    pub seed: Option<u64>,
}

/// An engine's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The best engine for the game.
    Floe,
    /// [`AlphaBeta`](crate::AlphaBeta), which evaluates by the current scores.
    AlphaBeta,
    /// [`MaxN`](crate::MaxN), which evaluates by the current scores.
    MaxN,
    /// [`Mcts`](crate::Mcts) with playouts to the end.
    Mcts,
    /// [`Minimax`](crate::Minimax).
    Minimax,
    /// [`Greedy`](crate::Greedy).
    Greedy,
    /// [`Random`](crate::Random).
    Random,
}

impl Kind {
    /// All kinds, roughly strongest first.
    pub const ALL: [Kind; 7] = [
        Kind::Floe,
        Kind::AlphaBeta,
        Kind::MaxN,
        Kind::Mcts,
        Kind::Minimax,
        Kind::Greedy,
        Kind::Random,
    ];

    /// Those of this build. A WebAssembly module, which is downloaded, has no engine that is only for
    /// comparison.
    pub const BUILT: &'static [Kind] = match crate::EVERY_SIZE {
        true => &Self::ALL,
        false => &[Kind::Floe, Kind::MaxN, Kind::Greedy, Kind::Random],
    };

    /// The kind's name.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Floe => "floe",
            Kind::AlphaBeta => "alphabeta",
            Kind::MaxN => "maxn",
            Kind::Mcts => "mcts",
            Kind::Minimax => "minimax",
            Kind::Greedy => "greedy",
            Kind::Random => "random",
        }
    }

    /// A short description of its play.
    pub const fn about(self) -> &'static str {
        match self {
            Kind::Floe => "the best engine for the game",
            Kind::AlphaBeta => "looks ahead as far as it can and counts points",
            Kind::MaxN => "looks ahead; every player plays for its own score",
            Kind::Mcts => "plays many random games to the end",
            Kind::Minimax => "searches to the end of the game, or not at all",
            Kind::Greedy => "takes the largest lead after one move",
            Kind::Random => "any legal move, all equally likely",
        }
    }

    /// Whether the engine has limits at all.
    const fn thinks(self) -> bool {
        !matches!(self, Kind::Greedy | Kind::Random)
    }
}

/// The strength of an engine against people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// For a first game.
    Beginner,
    /// For players who know the rules.
    Easy,
    /// For players who know the game.
    Medium,
    /// For strong players.
    Hard,
    /// As strong as can be.
    Max,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 5] = [
        Level::Beginner,
        Level::Easy,
        Level::Medium,
        Level::Hard,
        Level::Max,
    ];

    /// The level's name.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Max => "max",
        }
    }
}

impl From<Kind> for Spec {
    fn from(kind: Kind) -> Self {
        Spec {
            kind,
            level: None,
            time: None,
            nodes: None,
            depth: None,
            threads: None,
            seed: None,
        }
    }
}

impl Spec {
    /// The limits of one move that starts now, by the system's clock. An engine that looks ahead without
    /// a limit of time, nodes or depth has the time limit `default`.
    ///
    /// ```
    /// use std::time::Duration;
    /// use floe_search::Spec;
    /// let default = Duration::from_secs(1);
    /// assert!("floe".parse::<Spec>()?.limits(default).deadline.is_some());
    /// let by_nodes = "floe:nodes=10k".parse::<Spec>()?.limits(default);
    /// assert!(by_nodes.deadline.is_none() && by_nodes.nodes == Some(10_000));
    /// assert!("greedy".parse::<Spec>()?.limits(default).deadline.is_none());
    /// # Ok::<(), floe_rules::ParseError>(())
    /// ```
    pub fn limits(&self, default: Duration) -> Limits {
        self.limits_by(Clock::SYSTEM, default)
    }

    /// The same spec with as many threads as this machine runs at once, where the spec does not say
    /// how many and the time alone limits the engine. Levels and limits of nodes and depth play the
    /// same moves on every machine, so they stay with one thread.
    ///
    /// ```
    /// use floe_search::{Spec, available_threads};
    /// let threads = |text: &str| text.parse::<Spec>().map(|spec| spec.on_all_cores().threads);
    /// assert_eq!(threads("floe:time=1s")?, Some(available_threads()));
    /// assert_eq!((threads("floe:threads=1")?, threads("floe:nodes=10k")?), (Some(1), None));
    /// # Ok::<(), floe_rules::ParseError>(())
    /// ```
    #[must_use]
    pub fn on_all_cores(self) -> Self {
        let is_held_back = self.level.is_some_and(|level| level < Level::Max);
        let is_limited = is_held_back || self.nodes.is_some() || self.depth.is_some();
        match self.kind {
            Kind::Floe if !is_limited => Spec {
                threads: self.threads.or_else(|| Some(threads::available_threads())),
                ..self
            },
            _ => self,
        }
    }

    /// Whether its moves depend on the machine: it looks ahead and has a time limit or several
    /// threads.
    ///
    /// ```
    /// use floe_search::Spec;
    /// let is_timed = |word: &str| word.parse::<Spec>().map(|spec| spec.is_timed());
    /// assert_eq!((is_timed("floe")?, is_timed("floe:nodes=10k")?), (true, false));
    /// assert_eq!((is_timed("greedy")?, is_timed("floe:depth=3,time=1s")?), (false, true));
    /// # Ok::<(), floe_rules::ParseError>(())
    /// ```
    pub fn is_timed(&self) -> bool {
        self.ends_by_time() || self.threads.is_some_and(|threads| threads > 1)
    }

    /// Whether a time limit ends its thinking.
    fn ends_by_time(&self) -> bool {
        let is_limited = self.nodes.is_some() || self.depth.is_some();
        let is_instant = matches!(self.kind, Kind::Greedy | Kind::Random);
        self.time.is_some() || !(is_limited || is_instant)
    }

    /// The same by another clock, which is read only if the spec or `default` limits the time.
    pub fn limits_by(&self, clock: Clock, default: Duration) -> Limits {
        let time = self.time.or_else(|| self.ends_by_time().then_some(default));
        Limits {
            deadline: time.map(|time| Deadline::after(clock, time)),
            nodes: self.nodes,
            depth: self.depth,
            threads: self.threads.unwrap_or(1),
            stop: None,
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        let parts = [
            self.level.map(|level| level.name().to_owned()),
            self.time.map(|time| format!("time={}", duration(time))),
            self.nodes.map(|nodes| format!("nodes={}", count(nodes))),
            self.depth.map(|depth| format!("depth={depth}")),
            self.threads.map(|threads| format!("threads={threads}")),
            self.seed.map(|seed| format!("seed={seed}")),
        ];
        for (part, sign) in parts.into_iter().flatten().zip([':', ',', ',', ',', ',']) {
            write!(f, "{sign}{part}")?;
        }
        Ok(())
    }
}

const TIMES: [(&str, u64); 4] = [
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
    ("s", 1_000_000_000),
];
const COUNTS: [(&str, u64); 4] = [
    ("k", 1_000),
    ("M", 1_000_000),
    ("G", 1_000_000_000),
    ("", 1),
];

/// A duration in the largest unit without a fraction.
fn duration(time: Duration) -> String {
    let nanos = time.as_nanos();
    let units = [
        ("s", 1_000_000_000),
        ("ms", 1_000_000),
        ("us", 1_000),
        ("ns", 1),
    ];
    let (unit, size) = (units.into_iter())
        .find(|(_, size)| nanos.is_multiple_of(*size))
        .unwrap_or(("ns", 1));
    format!("{}{unit}", nanos / size)
}

/// A count in the largest unit without a fraction.
fn count(n: u64) -> String {
    let units = [("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000)];
    match units
        .into_iter()
        .find(|(_, size)| n > 0 && n.is_multiple_of(*size))
    {
        Some((unit, size)) => format!("{}{unit}", n / size),
        None => n.to_string(),
    }
}

/// A number with an optional fraction, times its unit, if the result is whole.
fn quantity(text: &str, units: &[(&str, u64)]) -> Option<u128> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let &(_, size) = units.iter().find(|(name, _)| *name == unit)?;
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (number, ""),
    };
    let whole: u64 = whole.parse().ok()?;
    let mut sum = u128::from(whole) * u128::from(size);
    let mut size = size;
    for digit in fraction.chars() {
        let digit = u64::from(digit.to_digit(10)?);
        if size % 10 != 0 && digit != 0 {
            return None;
        }
        size /= 10;
        sum += u128::from(digit * size);
    }
    Some(sum)
}

impl FromStr for Spec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| {
            let known = Kind::ALL.map(Kind::name).join(", ");
            at(1, name, format!("unknown engine {}", quoted(name)))
                .with_help(format!("the engines are {known}"))
        })?;
        let mut spec = Spec::from(kind);
        let mut column = chars(name) + 2;
        for part in rest.into_iter().flat_map(|rest| rest.split(',')) {
            spec.take(part, column)?;
            column += chars(part) + 1;
        }
        Ok(spec)
    }
}

/// An error about `text`, which starts in this column.
fn at(column: u32, text: &str, cause: impl Into<Cow<'static, str>>) -> ParseError {
    ParseError::new(1, column, cause).with_width(chars(text))
}

impl Spec {
    /// Reads one part of a spec.
    fn take(&mut self, part: &str, column: u32) -> Result<(), ParseError> {
        const HELP: &str = "write a level (beginner, easy, medium, hard, max), time=200ms, nodes=10k, \
                            depth=6, threads=2 or seed=3, separated by commas";
        let error = |cause: String| at(column, part, cause);
        let name = self.kind.name();
        let is_repeated = if let Some((word, value)) = part.split_once('=') {
            let place = column + chars(word) + 1;
            let wrong = |what: &str, example: &'static str| {
                let cause = format!("{} is not {what}", quoted(value));
                at(place, value, cause).with_help(example)
            };
            if matches!(word, "time" | "nodes" | "depth" | "threads") && !self.kind.thinks() {
                return Err(
                    error(format!("{name} does not search, so {word} has no effect"))
                        .with_help("give it a seed, or nothing"),
                );
            }
            if word == "threads" && self.kind != Kind::Floe {
                return Err(error(format!("{name} thinks in one thread"))
                    .with_help("only floe can think in more"));
            }
            match word {
                "time" => {
                    let nanos = quantity(value, &TIMES).and_then(|n| u64::try_from(n).ok());
                    let nanos = nanos
                        .ok_or_else(|| wrong("a time", "a time looks like 200ms, 1s or 0.5s"))?;
                    self.time.replace(Duration::from_nanos(nanos)).is_some()
                }
                "nodes" => {
                    let nodes = quantity(value, &COUNTS).and_then(|n| u64::try_from(n).ok());
                    let nodes = nodes
                        .ok_or_else(|| wrong("a count", "a count looks like 500, 10k or 2M"))?;
                    self.nodes.replace(nodes).is_some()
                }
                "depth" => {
                    let depth = plain(value).and_then(|n| u32::try_from(n).ok());
                    let depth =
                        depth.ok_or_else(|| wrong("a depth", "a depth is a whole number"))?;
                    self.depth.replace(depth).is_some()
                }
                "threads" => {
                    let threads = plain(value).and_then(|n| u32::try_from(n).ok());
                    let threads = threads.filter(|n| (1..=threads::MOST).contains(n));
                    let threads = threads.ok_or_else(|| {
                        wrong("a number of threads", "give a number from 1 to 256")
                    })?;
                    self.threads.replace(threads).is_some()
                }
                "seed" => {
                    let seed =
                        plain(value).ok_or_else(|| wrong("a seed", "a seed is a whole number"))?;
                    self.seed.replace(seed).is_some()
                }
                _ => {
                    let cause = format!("unknown setting {}", quoted(word));
                    return Err(at(column, word, cause).with_help(HELP));
                }
            }
        } else {
            let level = Level::ALL.into_iter().find(|level| level.name() == part);
            let level = level.ok_or_else(|| {
                let cause = match part {
                    "" => "something is missing here".to_owned(),
                    _ => format!("unknown level {}", quoted(part)),
                };
                error(cause).with_help(HELP)
            })?;
            if self.kind != Kind::Floe {
                return Err(error(format!("{name} has no levels")).with_help("only floe has"));
            }
            self.level.replace(level).is_some()
        };
        if is_repeated {
            return Err(error(format!("{} is given twice", quoted(part))));
        }
        Ok(())
    }
}

/// A whole number in digits alone.
fn plain(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit());
    is_plain.then(|| text.parse().ok()).flatten()
}
