//! Numbers with their intervals, drawn as bars on one scale.

use floe_rating::Estimate;

use crate::terminal::Look;

/// A bar for each number, all of `width` characters and on one scale: the interval from end to
/// end, the number in it, and a mark at 0. Nothing where there is no number.
///
/// ```text
///       ┊    ├──●──┤
///   ├──●┼──┤
/// ```
pub(crate) fn bars(numbers: &[Option<Estimate>], width: usize, look: Look) -> Vec<String> {
    let known = || numbers.iter().flatten();
    let low = known().map(|number| number.low).fold(0.0, f64::min);
    let high = known().map(|number| number.high).fold(0.0, f64::max);
    let span = (high - low).max(f64::MIN_POSITIVE);
    let last = width.saturating_sub(1);
    let place = |value: f64| (((value - low) / span * last as f64).round() as usize).min(last);
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
