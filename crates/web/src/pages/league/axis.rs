//! Ratings with their intervals, on an axis that all rows of a table share.

use floe_arena::standings::Row;

use super::signed;
use crate::plots;

/// A rating with its interval, in percent of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Whisker {
    pub(crate) low: String,
    pub(crate) at: String,
    pub(crate) high: String,
}

/// The axis that the ratings of a table share: it fits the rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RatingAxis {
    low: f64,
    high: f64,
    pub(crate) ticks: Vec<AxisTick>,
}

/// A round rating on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AxisTick {
    /// In percent of the axis.
    pub(crate) at: String,
    pub(crate) label: String,
    pub(crate) is_zero: bool,
}

impl RatingAxis {
    /// The axis of these rows.
    pub(crate) fn of(rows: &[Row]) -> RatingAxis {
        let known = || rows.iter().filter_map(|row| row.elo.as_ref());
        let low = known().map(|elo| elo.low).fold(f64::INFINITY, f64::min);
        let high = (known().map(|elo| elo.high)).fold(f64::NEG_INFINITY, f64::max);
        let mut axis = RatingAxis {
            low,
            high,
            ticks: Vec::new(),
        };
        if low <= high {
            let round = plots::ticks(low, high).into_iter();
            let within = round.filter(|tick| (low..=high).contains(tick));
            axis.ticks = within.map(|tick| axis.tick(tick)).collect();
        }
        axis
    }

    fn tick(&self, value: f64) -> AxisTick {
        AxisTick {
            at: self.place(value),
            label: signed(value),
            is_zero: value == 0.0,
        }
    }

    /// Where a rating is, with room at the ends for caps.
    fn place(&self, value: f64) -> String {
        let length = (self.high - self.low).max(1.0);
        format!("{:.1}", 4.0 + 92.0 * (value - self.low) / length)
    }

    /// The rating of a row.
    pub(crate) fn whisker(&self, row: &Row) -> Option<Whisker> {
        let elo = row.elo.as_ref()?;
        Some(Whisker {
            low: self.place(elo.low),
            at: self.place(elo.value),
            high: self.place(elo.high),
        })
    }
}
