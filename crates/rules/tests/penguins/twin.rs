//! Penguins written straight from the rules, on a plain grid.

use floe_rules::penguins::{PenguinsPosition, Phase, Spot};
use floe_rules::{Player, Position};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    Water,
    Floe(u8),
    Penguin(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Twin {
    /// Rows from the bottom.
    pub(crate) grid: Vec<Vec<Field>>,
    pub(crate) scores: Vec<i64>,
    to_place: Vec<u32>,
    placing: bool,
    turn: Option<usize>,
}

impl Twin {
    /// The same fresh board.
    pub(crate) fn of(position: &PenguinsPosition) -> Self {
        let shape = position.shape();
        let field = |column, row| match position.fish(Spot::new(column, row)) {
            0 => Field::Water,
            fish => Field::Floe(fish),
        };
        let row = |row| (0..shape.columns() as u8).map(|c| field(c, row)).collect();
        let players = position.players() as usize;
        assert!(Player::all(position.players()).all(|p| position.penguins(p).is_empty()));
        let mut twin = Twin {
            grid: (0..shape.rows() as u8).map(row).collect(),
            scores: vec![0; players],
            to_place: vec![position.penguins_each(); players],
            placing: true,
            turn: Some(0),
        };
        twin.settle(0);
        twin
    }

    pub(crate) fn turn(&self) -> Option<usize> {
        self.turn
    }

    pub(crate) fn phase(&self) -> Phase {
        match self.placing {
            true => Phase::Placement,
            false => Phase::Movement,
        }
    }

    fn can_place(&self, player: usize) -> bool {
        let ones = self.grid.iter().flatten().any(|&f| f == Field::Floe(1));
        self.to_place[player] > 0 && ones
    }

    /// All slides of a player, in the documented order.
    fn slides(&self, player: usize) -> Vec<String> {
        let mut out = Vec::new();
        for row in 0..self.grid.len() {
            for column in 0..self.grid[0].len() {
                if self.grid[row][column] != Field::Penguin(player) {
                    continue;
                }
                for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                    let (mut x, mut y) = (column as i64, row as i64);
                    loop {
                        (x, y) = (x + dx, y + dy);
                        match self.at(x, y) {
                            Some(Field::Floe(_)) => {
                                out.push(format!("{}-{}", name(column, row), name(x, y)));
                            }
                            _ => break,
                        }
                    }
                }
            }
        }
        out
    }

    fn at(&self, x: i64, y: i64) -> Option<Field> {
        let row = self.grid.get(usize::try_from(y).ok()?)?;
        row.get(usize::try_from(x).ok()?).copied()
    }

    pub(crate) fn moves(&self) -> Vec<String> {
        let Some(mover) = self.turn else {
            return Vec::new();
        };
        if !self.placing {
            return self.slides(mover);
        }
        let mut out = Vec::new();
        for (row, fields) in self.grid.iter().enumerate() {
            for (column, &field) in fields.iter().enumerate() {
                if field == Field::Floe(1) {
                    out.push(name(column, row));
                }
            }
        }
        out
    }

    pub(crate) fn play(&mut self, mv: &str) {
        let mover = self.turn.unwrap();
        let (from, to) = match mv.split_once('-') {
            Some((from, to)) => (Some(square(from)), square(to)),
            None => (None, square(mv)),
        };
        match from {
            Some((x, y)) => self.grid[y][x] = Field::Water,
            None => self.to_place[mover] -= 1,
        }
        let target = std::mem::replace(&mut self.grid[to.1][to.0], Field::Penguin(mover));
        let Field::Floe(fish) = target else {
            panic!("{mv} goes to {target:?}");
        };
        self.scores[mover] += i64::from(fish);
        self.settle(mover + 1);
    }

    /// Finds the next to move, from this player on.
    fn settle(&mut self, from: usize) {
        let players = self.scores.len();
        let mut from = from;
        if self.placing && !(0..players).any(|p| self.can_place(p)) {
            self.placing = false;
            from = 0;
        }
        self.turn = (from..from + players)
            .map(|p| p % players)
            .find(|&p| match self.placing {
                true => self.can_place(p),
                false => !self.slides(p).is_empty(),
            });
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.turn.is_none() {
            return 1;
        }
        let after = |mv: &String| {
            let mut next = self.clone();
            next.play(mv);
            next.perft(depth - 1)
        };
        self.moves().iter().map(after).sum()
    }
}

fn name(column: impl TryInto<u32>, row: impl TryInto<u32>) -> String {
    let number = |n: Option<u32>| n.unwrap();
    let square =
        floe_rules::Square::new(number(column.try_into().ok()), number(row.try_into().ok()));
    square.to_string()
}

fn square(text: &str) -> (usize, usize) {
    let square: floe_rules::Square = text.parse().unwrap();
    (square.column as usize, square.row as usize)
}
