//! The grounds around a player's areas, as a survey finds them (see `survey`).

/// The grounds around one player's areas.
///
/// They hold until the player loses a field, or takes one beside several of his own. Any other
/// field that he takes keeps the ground around it in one piece.
#[derive(Debug, Clone)]
pub(super) struct Grounds {
    pub(super) player: u32,
    /// Bits where runs start, each row in words of its own.
    pub(super) starts: Vec<u64>,
    /// The number of runs before each row; the first run is what is around the board.
    pub(super) before: Vec<u32>,
    /// The ground of each run, named by its first run.
    pub(super) labels: Vec<u32>,
}

/// What is around the board, and all that hangs together with it.
pub(super) const OUTSIDE: usize = 0;

/// Runs of one row.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The number of the first.
    pub(super) first: usize,
    /// Where each starts, and where it ends, which is the column after it.
    pub(super) runs: Vec<(u32, u32)>,
}

impl Grounds {
    /// None yet; `None` if memory runs out.
    pub(super) fn new(player: u32, words: usize, height: usize) -> Option<Self> {
        let (mut starts, mut before, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        starts.try_reserve_exact(words.checked_mul(height)?).ok()?;
        before.try_reserve_exact(height).ok()?;
        labels.try_reserve(1).ok()?;
        labels.push(OUTSIDE as u32);
        Some(Grounds {
            player,
            starts,
            before,
            labels,
        })
    }

    fn find(&mut self, mut run: usize) -> usize {
        loop {
            let above = self.labels[run] as usize;
            if above == run {
                return run;
            }
            self.labels[run] = self.labels[above];
            run = above;
        }
    }

    /// Makes two grounds one, named by the earlier run, and gives it.
    fn unite(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.find(a), self.find(b));
        let (first, other) = (a.min(b), a.max(b));
        self.labels[other] = first as u32;
        first
    }

    /// Adds the runs of a row, and gives each the ground of those it touches in the row below.
    pub(super) fn add_row(&mut self, row: &Row, below: &Row, width: u32, is_edge: bool) {
        let mut at = 0;
        for (number, &(start, end)) in (row.first..).zip(&row.runs) {
            while below.runs.get(at).is_some_and(|run| run.1 < start) {
                at += 1;
            }
            let touches = |at: usize| below.runs.get(at).is_some_and(|run| run.0 <= end);
            let label = match touches(at) {
                true => self.find(below.first + at),
                false => number,
            };
            self.labels.push(label as u32);
            while touches(at + 1) {
                at += 1;
                self.unite(number, below.first + at);
            }
            if is_edge || start == 0 || end == width {
                self.unite(number, OUTSIDE);
            }
        }
    }

    /// The ground that a field lies in which is not the player's.
    pub(super) fn at(&self, words: usize, row: usize, x: u32) -> u32 {
        let row_starts = &self.starts[row * words..][..words];
        let (whole, bit) = (x as usize / 64, x % 64);
        let ones: u32 = row_starts[..whole]
            .iter()
            .map(|word| word.count_ones())
            .sum();
        let last = row_starts[whole] & (u64::MAX >> (63 - bit));
        self.labels[(self.before[row] + ones + last.count_ones()) as usize - 1]
    }
}
