//! Figures as SVG, drawn here so that they are read without a script. Colours come from the page's
//! style sheet, by class.

use std::fmt::Write;

use askama::filters::Escaper;
use floe_arena::tournament::Row;

/// A text as it may stand in SVG.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = askama::filters::Html.write_escaped_str(&mut out, text);
    out
}

const WIDTH: f64 = 1000.0;
const LEFT: f64 = 210.0;
const RIGHT: f64 = 970.0;
const ROW: f64 = 28.0;

/// Ratings with their intervals, one line for each entrant. Empty where nobody has one.
pub(crate) fn ratings(rows: &[Row]) -> String {
    let rated: Vec<_> = (rows.iter())
        .filter_map(|row| Some((row, row.elo.as_ref()?)))
        .filter(|(_, elo)| elo.value.is_finite())
        .collect();
    let bounds = |elo: &floe_rating::Estimate| {
        let low = if elo.low.is_finite() {
            elo.low
        } else {
            elo.value
        };
        let high = if elo.high.is_finite() {
            elo.high
        } else {
            elo.value
        };
        (low, high)
    };
    let Some((low, high)) = (rated.iter())
        .map(|(_, elo)| bounds(elo))
        .reduce(|(low, high), (l, h)| (low.min(l), high.max(h)))
    else {
        return String::new();
    };
    let step = tick(high - low);
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    let span = (high - low).max(step);
    let x = |value: f64| LEFT + (value - low) / span * (RIGHT - LEFT);
    let height = rated.len() as f64 * ROW + 34.0;
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"Ratings with their 95 % intervals; the table below has the numbers\">"
    );
    let mut at = low;
    while at <= high + step / 2.0 {
        let (place, bottom) = (x(at), height - 26.0);
        let _ = write!(
            svg,
            "<line class=\"tick\" x1=\"{place:.1}\" x2=\"{place:.1}\" y1=\"2\" y2=\"{bottom}\"/>\
             <text class=\"axis\" x=\"{place:.1}\" y=\"{}\">{at:.0}</text>",
            height - 8.0
        );
        at += step;
    }
    for (i, (row, elo)) in rated.iter().enumerate() {
        let y = i as f64 * ROW + 18.0;
        let (from, to) = bounds(elo);
        let name: String = row.name.chars().take(24).collect();
        let _ = write!(
            svg,
            "<text class=\"name\" x=\"4\" y=\"{:.1}\">{}</text>\
             <line class=\"interval\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y}\" y2=\"{y}\"/>\
             <circle class=\"value\" cx=\"{:.1}\" cy=\"{y}\" r=\"5\"/>",
            y + 5.0,
            escaped(&name),
            x(from),
            x(to),
            x(elo.value),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// A round distance between lines, so that there are five to ten of them.
fn tick(span: f64) -> f64 {
    let rough = (span / 6.0).max(1.0);
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power);
    steps
        .into_iter()
        .find(|step| *step >= rough)
        .unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(tick(600.0), 100.0);
        assert_eq!(tick(55.0), 10.0);
        assert_eq!(tick(0.0), 1.0);
        assert_eq!(tick(1300.0), 500.0);
    }

    #[test]
    fn hostile_names_stay_text() {
        assert!(!escaped("<script>\"&").contains(['<', '"']));
    }
}
