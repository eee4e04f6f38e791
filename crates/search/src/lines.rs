//! Several moves from one search.
//!
//! The search for the best move comes first, exactly as if the caller asked for no other. The other
//! moves follow from the same table, deeper and deeper: to the depth of the best, or as far as their
//! part of the limits goes. Values of different depths do not compare, so each of them is compared
//! with the best of its own depth: a move is as much worse than the best as it was there.

/// Values of the best move, by the depth of the search.
#[derive(Debug, Default)]
pub(crate) struct BestValues {
    by_depth: Vec<(u32, i32)>,
    end: i32,
}

impl BestValues {
    /// Notes the value that the search found at a depth.
    pub(crate) fn note(&mut self, depth: u32, value: i32) {
        self.by_depth.push((depth, value));
    }

    /// Sets the value that the caller gets to see.
    pub(crate) fn end(&mut self, value: i32) {
        self.end = value;
    }

    /// The most that a move can be worth which is not the best.
    pub(crate) fn at(&self, depth: u32) -> i32 {
        let noted = self.by_depth.iter().rev().find(|noted| noted.0 == depth);
        noted.map_or(self.end, |noted| noted.1)
    }

    /// The value of another move, found at this depth, next to the value of the best that the caller
    /// gets to see; and whether it is still proven.
    pub(crate) fn compare(&self, depth: u32, value: i32, is_proven: bool) -> (i32, bool) {
        let seen = match is_proven {
            true => value,
            false => value.saturating_add(self.end.saturating_sub(self.at(depth))),
        };
        (seen.min(self.end), is_proven && value <= self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_as_much_worse_as_they_were_at_their_depth() {
        let mut values = BestValues::default();
        values.note(1, 50);
        values.note(2, 20);
        values.end(30);
        assert_eq!(values.at(1), 50);
        assert_eq!(values.at(3), 30, "a depth that was not finished");
        assert_eq!(values.compare(1, 45, false), (25, false));
        assert_eq!(values.compare(3, 28, false), (28, false));
        assert_eq!(
            values.compare(1, 10, true),
            (10, true),
            "proven at any depth"
        );
        assert_eq!(
            values.compare(1, 40, true),
            (30, false),
            "never more than the best"
        );
    }
}
