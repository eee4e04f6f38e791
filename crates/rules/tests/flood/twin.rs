//! The rules once more, square by square and as slowly as they are written down.

use std::collections::BTreeSet;

use floe_rules::flood::{Colour, Flood, FloodPosition, J, Move, Reach, S};
use floe_rules::{Game, Player, Position, perft};
use proptest::prelude::*;

/// A square: column and row from the top-left.
type At = (usize, usize);

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Twin {
    rows: Vec<Vec<char>>,
    made: u32,
}

impl Twin {
    pub(crate) fn read(text: &str) -> Self {
        let mut lines = text.lines();
        let head = lines.next().unwrap();
        let made = match head.split_once(' ') {
            Some((_, number)) => number.parse().unwrap(),
            None => u32::from(head == "S"),
        };
        let rows = lines.map(|line| line.chars().collect()).collect();
        Twin { rows, made }
    }

    fn corner(&self, player: Player) -> At {
        if player == J {
            (0, self.rows.len() - 1)
        } else {
            (self.rows[0].len() - 1, 0)
        }
    }

    fn colour(&self, player: Player) -> char {
        let (x, y) = self.corner(player);
        self.rows[y][x]
    }

    fn mover(&self) -> Player {
        if self.made % 2 == 1 { S } else { J }
    }

    fn beside(&self, (x, y): At) -> Vec<At> {
        let mut out = vec![(x + 1, y), (x, y + 1)];
        out.extend(x.checked_sub(1).map(|x| (x, y)));
        out.extend(y.checked_sub(1).map(|y| (x, y)));
        out.retain(|&(x, y)| x < self.rows[0].len() && y < self.rows.len());
        out
    }

    /// All that can be walked to from `from` over squares that `is_open`.
    fn fill(&self, from: At, is_open: impl Fn(At) -> bool) -> BTreeSet<At> {
        let mut seen = BTreeSet::from([from]);
        let mut queue = vec![from];
        while let Some(here) = queue.pop() {
            for next in self.beside(here) {
                if is_open(next) && seen.insert(next) {
                    queue.push(next);
                }
            }
        }
        seen
    }

    fn territory(&self, player: Player) -> BTreeSet<At> {
        let colour = self.colour(player);
        self.fill(self.corner(player), |(x, y)| self.rows[y][x] == colour)
    }

    fn is_over(&self) -> bool {
        let colours: BTreeSet<char> = self.rows.iter().flatten().copied().collect();
        colours.len() <= 2 || self.made >= 150
    }

    fn moves(&self) -> Vec<char> {
        let taken = [self.colour(J), self.colour(S)];
        let free = "@#+.*".chars().filter(|c| !taken.contains(c));
        if self.is_over() {
            vec![]
        } else {
            free.collect()
        }
    }

    fn play(&mut self, colour: char) {
        for (x, y) in self.territory(self.mover()) {
            self.rows[y][x] = colour;
        }
        self.made += 1;
    }

    fn scores(&self) -> Vec<i64> {
        let territories = [self.territory(J), self.territory(S)];
        let is_free = |at| territories.iter().all(|t| !t.contains(&at));
        let mut scores: Vec<i64> = territories.iter().map(|t| t.len() as i64).collect();
        let mut counted = BTreeSet::new();
        for y in 0..self.rows.len() {
            for x in 0..self.rows[0].len() {
                if !is_free((x, y)) || counted.contains(&(x, y)) {
                    continue;
                }
                let region = self.fill((x, y), is_free);
                let border: BTreeSet<At> = region.iter().flat_map(|&at| self.beside(at)).collect();
                let touches = [0, 1].map(|i| !border.is_disjoint(&territories[i]));
                match touches {
                    [true, false] => scores[0] += region.len() as i64,
                    [false, true] => scores[1] += region.len() as i64,
                    _ => {}
                }
                counted.extend(region);
            }
        }
        scores
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.is_over() {
            return 1;
        }
        let moves = self.moves().into_iter();
        moves
            .map(|colour| {
                let mut after = self.clone();
                after.play(colour);
                after.perft(depth - 1)
            })
            .sum()
    }
}

/// Compares all that both know.
fn compare(position: &FloodPosition, twin: &Twin) {
    let graph = position.graph();
    assert_eq!(&Twin::read(&Flood::write(position)), twin);
    assert_eq!(position.turn().is_none(), twin.is_over());
    assert_eq!(position.mover(), twin.mover());
    let moves: Vec<char> = position.legal_moves().iter().map(|m| m.0.glyph()).collect();
    assert_eq!(moves, twin.moves());
    for colour in Colour::ALL {
        assert_eq!(
            position.check(Move(colour)).is_ok(),
            moves.contains(&colour.glyph())
        );
        let free = twin
            .rows
            .iter()
            .flatten()
            .filter(|&&c| c == colour.glyph())
            .count();
        let owned = [J, S].map(|p| u32::from(position.colour(p) == colour) * position.squares(p));
        assert_eq!(
            position.free(colour) as usize + owned.map(|n| n as usize).iter().sum::<usize>(),
            free
        );
    }
    let scores = twin.scores();
    assert_eq!(position.scores(), scores);

    let squares = graph.squares().chunks(graph.width() as usize);
    let squares: Vec<_> = squares
        .enumerate()
        .flat_map(|(y, row)| row.iter().enumerate().map(move |(x, &c)| ((x, y), c)))
        .collect();
    let territories = [J, S].map(|player| twin.territory(player));
    for player in [J, S] {
        assert_eq!(position.score(player), scores[player.index()]);
        let territory = &territories[player.index()];
        assert_eq!(position.squares(player) as usize, territory.len());
        assert_eq!(
            graph.squares_in(position.territory(player)) as usize,
            territory.len()
        );
        for &(at, component) in &squares {
            assert_eq!(
                position.owner(component) == Some(player),
                territory.contains(&at)
            );
        }
        let frontier: BTreeSet<_> = squares
            .iter()
            .filter(|(at, _)| territories.iter().all(|t| !t.contains(at)))
            .filter(|&&(at, _)| twin.beside(at).iter().any(|next| territory.contains(next)))
            .map(|&(_, component)| component)
            .collect();
        let found: BTreeSet<_> = position.frontier(player).iter().collect();
        assert_eq!(found, frontier);
        let mut reach = Reach::default();
        position.reach_into(player, &mut reach);
        assert_eq!(graph.squares_in(reach.components()), reach.squares());
    }
}

/// Boards of all shapes, of five colours or of fewer, with big components or small ones.
fn boards() -> impl Strategy<Value = String> {
    (1usize..=9, 1usize..=9, 2usize..=5)
        .prop_filter("one square", |(width, height, _)| width * height > 1)
        .prop_flat_map(|(width, height, colours)| {
            let colour = prop::sample::select("@#+.*".chars().take(colours).collect::<Vec<_>>());
            let square = (colour, 0u8..4);
            (
                Just(width),
                prop::collection::vec(square, width * height),
                0..4u8,
            )
        })
        .prop_map(|(width, drawn, smooth)| {
            let mut squares: Vec<char> = Vec::new();
            for (i, &(colour, die)) in drawn.iter().enumerate() {
                squares.push(match i.checked_sub(width) {
                    Some(above) if die < smooth => squares[above],
                    _ => colour,
                });
            }
            let corner = drawn.len() - width;
            if squares[corner] == squares[width - 1] {
                squares[corner] = if squares[corner] == '@' { '#' } else { '@' };
            }
            let rows = squares.chunks(width).map(String::from_iter);
            rows.map(|row| row + "\n").collect()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn plays_as_the_rules_say(
        board in boards(),
        is_s in any::<bool>(),
        choices in prop::collection::vec(0usize..3, 0..40),
    ) {
        let text = format!("{}\n{board}", if is_s { 'S' } else { 'J' });
        let mut twin = Twin::read(&text);
        let mut position = Flood::read(&text).unwrap();
        let mut copy = position.clone();
        compare(&position, &twin);
        for choice in choices {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(choice) else { break };
            copy.clone_from(&position);
            position.play(mv).unwrap();
            prop_assert_ne!(&copy, &position);
            twin.play(mv.0.glyph());
            compare(&position, &twin);

            let again = Flood::read(&Flood::write(&position)).unwrap();
            prop_assert_eq!(&again, &position);
            prop_assert_eq!(again.key(), position.key());
            let compacted = position.compacted();
            prop_assert_eq!(&compacted, &position);
            prop_assert_eq!(compacted.key(), position.key());
            prop_assert_eq!(compacted.board_key(), position.board_key());
            compare(&compacted, &twin);
        }
    }

    #[test]
    fn positions_that_differ_have_different_keys(
        board in boards(),
        choices in prop::collection::vec(0usize..3, 1..12),
    ) {
        let mut position = Flood::read(&format!("J\n{board}")).unwrap();
        let mut seen = vec![position.clone()];
        for choice in choices {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(choice) else { break };
            position.play(mv).unwrap();
            seen.push(position.clone());
        }
        for (i, a) in seen.iter().enumerate() {
            for (k, b) in seen.iter().enumerate() {
                prop_assert_eq!(a == b, i == k);
                prop_assert_eq!(a.key() == b.key(), i == k);
            }
        }
    }
}

/// The counts in the perft file are those of the rules and not only of the clever structure.
#[test]
fn the_perft_file_agrees_with_the_rules() {
    let file = include_str!("../perft/flood.txt");
    let mut checked = 0;
    let mut start: Option<FloodPosition> = None;
    for line in file
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
    {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["setup", setup, "seed", seed] => {
                let setup = setup.parse().unwrap();
                start = Some(Flood::start(&setup, seed.parse().unwrap()).unwrap());
            }
            [depth, count] => {
                let start = start.as_ref().unwrap();
                let (depth, count) = (depth.parse().unwrap(), count.parse().unwrap());
                if count <= 3000 {
                    let twin = Twin::read(&Flood::write(start));
                    assert_eq!(twin.perft(depth), count, "{line}\n{start:?}");
                    assert_eq!(perft(start, depth), count, "{line}\n{start:?}");
                    checked += 1;
                }
            }
            _ => panic!("{line}"),
        }
    }
    assert!(checked > 30);
}
