use std::collections::BTreeSet;

use floe_rules::Player;
use floe_search::{Kind, Limits, Thought};

use super::{Level, Line, Puzzle};
use crate::record::{Event, Mismatch, Record, Replay};
use crate::{AnyEngine, AnyPosition, LeadScale};

/// A solution's value exceeds the next best move's by at least this share of the game.
const GAP: f64 = 0.2;
/// The least number of moves to choose from.
const CHOICES: usize = 3;
/// Divisor of the node limit for a first search; most positions need no second one.
const FIRST_LOOK: u64 = 10;
/// Divisors of the node limit: for a glance at a position, and for a short search.
const GLANCE: u64 = 1000;
const SHORT: u64 = 50;
/// Most puzzles from one game, so that a set has many games.
const FROM_ONE_GAME: usize = 3;
/// The longest line, in moves.
const LONGEST: usize = 8;

/// Finds puzzles in recorded games.
///
/// An engine ranks the moves of every position: a position is a puzzle if one move is worth at least
/// 20 % more of the game than the next best, or is proven to win or to hold where the next best is
/// proven not to. Equal nodes find equal puzzles on every machine.
///
/// ```
/// use floe_games::puzzle::Finder;
/// use floe_games::record::{Entrant, Opening, Record, VERSION};
/// let record = Record::new(Opening { floe: VERSION, game: "flood".into(), start: "J\n@#\n+@\n".into(),
///     seats: vec![Entrant::default(), Entrant::default()], ..Opening::default() });
/// let mut finder = Finder::new(1000);
/// finder.look_at(&record)?;
/// assert!(finder.choose(10).is_empty());
/// # Ok::<(), floe_games::record::Mismatch>(())
/// ```
#[derive(Debug)]
pub struct Finder {
    nodes: u64,
    found: Vec<Found>,
    /// The searched positions, by game and key.
    seen: BTreeSet<(&'static str, u64)>,
}

#[derive(Debug)]
struct Found {
    puzzle: Puzzle,
    /// The advantage of the solution over the next best move.
    gap: f64,
}

impl Finder {
    /// A finder whose engine searches `nodes` nodes for each position.
    pub fn new(nodes: u64) -> Self {
        Finder {
            nodes,
            found: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Number of puzzles found.
    pub fn found(&self) -> usize {
        self.found.len()
    }

    /// Searches a game for puzzles; returns the number found.
    pub fn look_at(&mut self, record: &Record) -> Result<usize, Mismatch> {
        let mut here = Vec::new();
        let mut replay = Replay::new(record)?;
        let scale = LeadScale::of(replay.play().position());
        let mut engines = Engines::of(replay.play().position());
        loop {
            let before = replay.play().clone();
            let Some(event) = replay.step()? else { break };
            // After a disqualification, a position does not describe the whole game.
            if matches!(event, Event::Fault(_)) {
                break;
            }
            let Event::Move(made) = event else { continue };
            let found = self.puzzle(before.position(), &mut engines, scale);
            here.extend(found.map(|mut found| {
                found.puzzle.played = Some(made.mv.clone());
                found
            }));
        }
        here.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
        here.truncate(FROM_ONE_GAME);
        let added = here.len();
        self.found.append(&mut here);
        Ok(added)
    }

    /// The puzzle of a new position, if there is one.
    fn puzzle(
        &mut self,
        position: &dyn AnyPosition,
        engines: &mut Engines,
        scale: LeadScale,
    ) -> Option<Found> {
        let mover = position.turn()?;
        if position.moves().len() < CHOICES
            || !self.seen.insert((position.game().name(), position.key()))
        {
            return None;
        }
        let mut gap_of = |nodes: u64| {
            let limits = Limits::nodes(nodes.max(1));
            let thoughts = engines.searcher.rank(position, &limits, 2).ok()?;
            let [best, other] = <[Thought<String>; 2]>::try_from(thoughts).ok()?;
            let gap = gap(&best, &other, mover, scale)?;
            Some((best, other, gap))
        };
        gap_of(self.nodes / FIRST_LOOK)?;
        let (best, other, gap) = gap_of(self.nodes)?;
        let puzzle = Puzzle {
            game: position.game().name().to_owned(),
            position: position.spell(),
            level: engines.level(position, &best.best, self.nodes)?,
            best: line(position, best, mover),
            other: line(position, other, mover),
            played: None,
        };
        Some(Found { puzzle, gap })
    }

    /// At most `most` of the puzzles found. Levels alternate, with the clearest of each level
    /// first.
    pub fn choose(&self, most: usize) -> Vec<Puzzle> {
        let mut levels = Level::ALL.map(|level| {
            let mut of_level: Vec<&Found> = (self.found.iter())
                .filter(|found| found.puzzle.level == level)
                .collect();
            of_level.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
            of_level.into_iter()
        });
        let mut chosen = Vec::new();
        while chosen.len() < most {
            let before = chosen.len();
            let round = levels.iter_mut().filter_map(Iterator::next);
            chosen.extend(round.take(most - before).map(|found| found.puzzle.clone()));
            if chosen.len() == before {
                break;
            }
        }
        chosen
    }
}

/// The order of puzzles: first those missed in the game, then proven ones, then the clearest.
fn rank(found: &Found) -> f64 {
    let was_missed = found.puzzle.played.as_deref() != Some(found.puzzle.solution());
    f64::from(u8::from(was_missed)) * 2.0
        + f64::from(u8::from(found.puzzle.is_proven()))
        + found.gap
}

/// The engines for positions of one game.
struct Engines {
    searcher: Box<dyn AnyEngine>,
    beginner: Box<dyn AnyEngine>,
}

impl Engines {
    fn of(position: &dyn AnyPosition) -> Self {
        let game = position.game();
        Engines {
            searcher: game.engine(&Kind::Floe.into()),
            beginner: game.engine(&Kind::Greedy.into()),
        }
    }

    fn level(&mut self, position: &dyn AnyPosition, solution: &str, nodes: u64) -> Option<Level> {
        let greedy = self.beginner.think(position, &Limits::default()).ok()?;
        // The searcher's memory of the long search would help it here, so use a new one.
        let found = |part: u64| {
            let mut engine = position.game().engine(&Kind::Floe.into());
            let thought = engine.think(position, &Limits::nodes((nodes / part).max(1)));
            thought.is_ok_and(|thought| thought.best == solution)
        };
        Some(match () {
            () if greedy.best == solution || found(GLANCE) => Level::Easy,
            () if found(SHORT) => Level::Medium,
            () => Level::Hard,
        })
    }
}

/// The best move's advantage over the next one, as a share of the game, if it suffices for a
/// puzzle.
fn gap(
    best: &Thought<String>,
    other: &Thought<String>,
    mover: Player,
    scale: LeadScale,
) -> Option<f64> {
    let share = |thought: &Thought<String>| scale.share(&thought.scores, mover);
    let gap = share(best) - share(other);
    let result = |thought: &Thought<String>| thought.lead(mover).signum();
    let is_decided = best.proven && other.proven && result(best) > result(other);
    (is_decided || gap >= GAP).then_some(gap)
}

/// A thought as a line: its moves, as far as they are legal.
fn line(position: &dyn AnyPosition, thought: Thought<String>, mover: Player) -> Line {
    let lead = thought.lead(mover);
    let mut position = position.clone_position();
    let mut moves = vec![thought.best];
    moves.extend(thought.line.into_iter().skip(1));
    moves.truncate(LONGEST);
    let legal = moves
        .iter()
        .take_while(|mv| position.play(mv).is_ok())
        .count();
    moves.truncate(legal.max(1));
    Line {
        moves,
        lead,
        proven: thought.proven,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Entrant, Opening, PlayedMove, VERSION};

    /// A game in which every player makes the first move there is.
    fn record(game: &str, setup: &str) -> Record {
        let mut position = crate::find(game).unwrap().start(setup, 3).unwrap();
        let mut record = Record::new(Opening {
            floe: VERSION,
            game: game.to_owned(),
            start: position.write(),
            seats: vec![Entrant::default(); position.players() as usize],
            ..Opening::default()
        });
        while let Some(mover) = position.turn() {
            let mv = position.moves().swap_remove(0);
            position.play(&mv).unwrap();
            record.events.push(Event::Move(PlayedMove {
                seat: mover.number(),
                mv,
                ..PlayedMove::default()
            }));
        }
        record
    }

    #[test]
    fn what_is_found_is_right_by_an_exhaustive_search() {
        let mut count = 0;
        for (game, setup) in [
            ("penguins", "4x4,penguins=2"),
            ("flood", "5x5"),
            ("gamma", "3x3"),
        ] {
            let mut finder = Finder::new(20_000);
            finder.look_at(&record(game, setup)).unwrap();
            for puzzle in finder
                .choose(usize::MAX)
                .iter()
                .filter(|puzzle| puzzle.is_proven())
            {
                let position = puzzle.start().unwrap();
                let mover = position.turn().unwrap();
                let mut oracle = position.game().engine(&Kind::Minimax.into());
                // Too large a position for the oracle is not proven by it.
                let thought = oracle.think(&*position, &Limits::nodes(300_000)).unwrap();
                if thought.proven {
                    assert_eq!(thought.lead(mover), puzzle.best.lead, "{puzzle:?}");
                    count += 1;
                }
            }
        }
        assert!(count > 0, "no puzzle was compared");
    }

    #[test]
    fn equal_nodes_find_equal_puzzles_and_no_position_twice() {
        let record = record("flood", "7x7");
        let found = |times: usize| {
            let mut finder = Finder::new(5_000);
            for _ in 0..times {
                finder.look_at(&record).unwrap();
            }
            finder.choose(usize::MAX)
        };
        assert!(!found(1).is_empty());
        assert_eq!(found(1), found(2));
        assert!(found(1).len() <= FROM_ONE_GAME);
    }

    #[test]
    fn levels_take_turns() {
        let found = |level, gap| Found {
            puzzle: Puzzle {
                game: "gamma".to_owned(),
                position: format!("{gap}"),
                best: Line {
                    moves: vec!["a1".into()],
                    lead: 1,
                    proven: false,
                },
                other: Line {
                    moves: vec!["a2".into()],
                    lead: 0,
                    proven: false,
                },
                level,
                played: None,
            },
            gap,
        };
        let finder = Finder {
            nodes: 1,
            found: vec![
                found(Level::Easy, 0.2),
                found(Level::Easy, 0.4),
                found(Level::Hard, 0.3),
            ],
            seen: BTreeSet::new(),
        };
        let order: Vec<String> = finder
            .choose(9)
            .into_iter()
            .map(|puzzle| puzzle.position)
            .collect();
        assert_eq!(order, ["0.4", "0.3", "0.2"]);
        assert_eq!(finder.choose(1).len(), 1);
    }
}
