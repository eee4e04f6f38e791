//! Numbers with their intervals, drawn as bars on one scale.

use floe_rating::Estimate;

use crate::terminal::Look;

/// A scale from the least end of the intervals to the greatest; 0 is always on it.
struct BarScale {
    low: f64,
    high: f64,
    width: usize,
}

impl BarScale {
    fn of(numbers: &[Option<Estimate>], width: usize) -> Self {
        let known = || numbers.iter().flatten();
        BarScale {
            low: known().map(|number| number.low).fold(0.0, f64::min),
            high: known().map(|number| number.high).fold(0.0, f64::max),
            width,
        }
    }

    /// The column of a number.
    fn place(&self, value: f64) -> usize {
        let last = self.width.saturating_sub(1);
        let span = (self.high - self.low).max(f64::MIN_POSITIVE);
        let part = (value - self.low) / span;
        ((part * last as f64).round() as usize).min(last)
    }
}

/// The heading over bars of these numbers: round numbers over their columns.
pub(crate) fn axis(numbers: &[Option<Estimate>], width: usize) -> String {
    let scale = BarScale::of(numbers, width);
    let span = scale.high - scale.low;
    let most = (width / COLUMNS_PER_NUMBER).max(1) as f64;
    let mut steps = STEPS.into_iter().filter(|&step| span / step as f64 <= most);
    let Some(step) = steps.next().filter(|_| span > 0.0) else {
        return String::new();
    };
    let mut text = String::new();
    let nearest = |value: f64| (value / step as f64) as i64;
    for number in nearest(scale.low)..=nearest(scale.high) {
        let label = (number * step).to_string();
        let middle = scale.place((number * step) as f64);
        let start = middle.saturating_sub(label.len() / 2);
        let start = start.min(width.saturating_sub(label.len()));
        if text.is_empty() || start > text.len() {
            let gap = start - text.len();
            text.push_str(&format!("{:gap$}{label}", ""));
        }
    }
    text
}

/// Elo between two numbers of an axis.
const STEPS: [i64; 8] = [10, 25, 50, 100, 200, 500, 1000, 2500];
/// Columns that a number of an axis needs.
const COLUMNS_PER_NUMBER: usize = 7;

/// A bar for each number, all of `width` characters and on one scale: the interval from end to
/// end, the number in it, and a mark at 0. Nothing where there is no number.
///
/// ```text
///       ┊    ├──●──┤
///   ├──●┼──┤
/// ```
pub(crate) fn bars(numbers: &[Option<Estimate>], width: usize, look: Look) -> Vec<String> {
    let scale = BarScale::of(numbers, width);
    let place = |value: f64| scale.place(value);
    let [left, right, line, point, zero, crossed] = match look.unicode {
        true => ['├', '┤', '─', '●', '┊', '┼'],
        false => ['[', ']', '-', 'o', ':', '+'],
    };
    let bar = |number: &Option<Estimate>| {
        let Some(number) = number else {
            return String::new();
        };
        let mut bar = vec![' '; width];
        bar[place(0.0)] = zero;
        let (from, to) = (place(number.low), place(number.high));
        for (at, cell) in bar.iter_mut().enumerate().take(to + 1).skip(from) {
            *cell = if at == place(0.0) { crossed } else { line };
        }
        bar[from] = left;
        bar[to] = right;
        bar[place(number.value)] = point;
        bar.into_iter().collect()
    };
    numbers.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(unicode: bool) -> Vec<String> {
        let look = Look {
            color: false,
            unicode,
            columns: None,
            theme: floe_terminal::theme::Theme::Dark,
        };
        let number = |low, value, high| Some(Estimate { value, low, high });
        let numbers = [
            number(40.0, 70.0, 100.0),
            number(-100.0, -50.0, 30.0),
            None,
            number(-20.0, -20.0, -20.0),
        ];
        bars(&numbers, 21, look)
    }

    #[test]
    fn an_axis_has_round_numbers_over_their_columns() {
        let number = |low, high| {
            Some(Estimate {
                value: 0.0,
                low,
                high,
            })
        };
        let drawn = |low, high, width| axis(&[number(low, high)], width);
        assert_eq!(drawn(-200.0, 200.0, 29), "-200 -100     0     100   200");
        assert_eq!(drawn(-20.0, 930.0, 21), "0         500");
        assert_eq!(axis(&[None], 20), "");
    }

    #[test]
    fn intervals_stand_on_one_scale_with_a_mark_at_zero() {
        assert_eq!(
            drawn(true),
            [
                "          ┊   ├──●──┤",
                "├────●────┼──┤       ",
                "",
                "        ● ┊          ",
            ]
        );
        assert_eq!(drawn(false)[1], "[----o----+--]       ");
    }
}
