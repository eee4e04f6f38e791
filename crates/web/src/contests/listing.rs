//! Parts of the list of a contest's games.

use std::ops::Range;

use floe_arena::store::{Filter, GameSummary, Store};
use floe_games::FaultKind;

/// Most pages of games to search when filtering by result, which no index has.
const PARTS: usize = 20;

/// A page of a list of games.
#[derive(Default)]
pub(crate) struct GameList {
    pub(crate) games: Vec<GameSummary>,
    pub(crate) names: Vec<String>,
    /// The number for the link to earlier games, if there are any, counted from 1.
    pub(crate) earlier: Option<u64>,
    /// The number of the first game after this page, if there is one.
    pub(crate) later: Option<u64>,
}

/// The filters of a list of games.
#[derive(Debug, Clone, Default)]
pub(crate) struct Listed {
    /// Games of this entrant.
    pub(crate) of: Option<String>,
    /// Games against this entrant.
    pub(crate) against: Option<String>,
    /// Games with this result for the first of these entrants.
    pub(crate) result: Option<GameResult>,
    /// Games with a fault of the first of these entrants.
    pub(crate) fault: Option<Faults>,
    /// Games from this number on, counted from 1.
    pub(crate) from: Option<u64>,
    /// The last games before this number.
    pub(crate) before: Option<u64>,
    /// About this many games; with a filter by result, up to twice as many.
    pub(crate) most: u64,
}

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Faults {
    Any,
    Of(FaultKind),
}

/// The result of a game for an entrant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameResult {
    Won,
    Drawn,
    Lost,
}

impl GameResult {
    pub(crate) const ALL: [GameResult; 3] = [GameResult::Won, GameResult::Drawn, GameResult::Lost];

    /// The name in addresses and forms.
    pub(crate) fn name(self) -> &'static str {
        match self {
            GameResult::Won => "won",
            GameResult::Drawn => "drawn",
            GameResult::Lost => "lost",
        }
    }

    /// A game's result for an entrant; `None` if the entrant did not play.
    fn of(game: &GameSummary, entrant: usize) -> Option<GameResult> {
        let own = game.seats.iter().find(|seat| seat.entrant == entrant)?;
        let first = game.seats.iter().filter(|seat| seat.place == 1).count();
        Some(match (own.place, first) {
            (1, 1) => GameResult::Won,
            (1, _) => GameResult::Drawn,
            _ => GameResult::Lost,
        })
    }
}

/// The requested games, and where the list continues.
pub(super) fn list(store: &Store, listed: &Listed) -> Option<GameList> {
    let names: Vec<String> = (store.entrants().iter())
        .map(|entrant| entrant.name.clone())
        .collect();
    let asked = [&listed.of, &listed.against].into_iter().flatten();
    let entrants: Option<Vec<usize>> = asked
        .map(|name| names.iter().position(|known| known == name))
        .collect();
    let entrants = entrants?;
    let whose = entrants.first().copied();
    let passes = |game: &GameSummary| match (listed.result, whose) {
        (Some(result), Some(whose)) => GameResult::of(game, whose) == Some(result),
        _ => true,
    };
    let all = Filter {
        entrants,
        faulty: listed.fault.is_some(),
        fault: listed.fault.and_then(Faults::kind),
        ..Filter::default()
    };
    let read = |range: Range<u64>, most, from_the_end| {
        let mut games = Vec::new();
        let filter = Filter {
            range: Some(range),
            most: Some(most),
            from_the_end,
            ..all.clone()
        };
        store.each(&filter, |game| games.push(game)).ok()?;
        Some(games)
    };
    let is_backwards = listed.before.is_some();
    let mut left = listed.range();
    let mut looked: Option<Range<u64>> = None;
    let mut games: Vec<GameSummary> = Vec::new();
    for _ in 0..PARTS {
        let part = read(left.clone(), listed.most, is_backwards)?;
        let (Some(first), Some(last)) = (part.first(), part.last()) else {
            break;
        };
        let numbers = first.number..last.number + 1;
        match is_backwards {
            true => left.end = numbers.start,
            false => left.start = numbers.end,
        }
        let so_far = looked.unwrap_or_else(|| numbers.clone());
        looked = Some(so_far.start.min(numbers.start)..so_far.end.max(numbers.end));
        let is_last = (part.len() as u64) < listed.most;
        let passed = part.into_iter().filter(passes);
        match is_backwards {
            true => games = passed.chain(games).collect(),
            false => games.extend(passed),
        }
        if is_last || games.len() as u64 >= listed.most {
            break;
        }
    }
    let Some(looked) = looked else {
        return Some(GameList {
            names,
            ..GameList::default()
        });
    };
    let has_earlier = !read(0..looked.start, 1, true)?.is_empty();
    let has_later = !read(looked.end..u64::MAX, 1, false)?.is_empty();
    Some(GameList {
        earlier: has_earlier.then_some(looked.start + 1),
        later: has_later.then_some(looked.end + 1),
        games,
        names,
    })
}

impl Faults {
    fn kind(self) -> Option<FaultKind> {
        match self {
            Faults::Any => None,
            Faults::Of(kind) => Some(kind),
        }
    }
}

impl Listed {
    /// The requested numbers, from 0.
    fn range(&self) -> Range<u64> {
        let number = |id: u64| id.saturating_sub(1);
        match (self.from, self.before) {
            (_, Some(before)) => 0..number(before),
            (Some(from), None) => number(from)..u64::MAX,
            (None, None) => 0..u64::MAX,
        }
    }
}
