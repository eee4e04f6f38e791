use floe_arena::standings::Row;

use super::{AXIS, Figure, LEFT, RIGHT, ROW, axis, name, ticks};

/// Ratings with their intervals, one line per entrant.
pub(crate) fn ratings(rows: &[Row]) -> Figure {
    let rated: Vec<_> = (rows.iter())
        .filter_map(|row| Some((row, row.elo.as_ref()?)))
        .filter(|(_, elo)| elo.value.is_finite())
        .collect();
    let bounds = |elo: &floe_rating::Estimate| {
        let known = |bound: f64| if bound.is_finite() { bound } else { elo.value };
        (known(elo.low), known(elo.high))
    };
    let range = rated.iter().map(|(_, elo)| bounds(elo));
    let Some((low, high)) = range.reduce(|(low, high), (l, h)| (low.min(l), high.max(h))) else {
        return Figure::default();
    };
    let values = ticks(low, high);
    let (low, high) = (values[0], values[values.len() - 1]);
    let x = |value: f64| LEFT + (value - low) / (high - low) * (RIGHT - LEFT);
    let mut figure = Figure {
        label: "Ratings with their 95 % intervals".to_owned(),
        height: rated.len() as f64 * ROW + AXIS,
        heads: ["Name", "Elo", "from", "to"].map(str::to_owned).to_vec(),
        ..Figure::default()
    };
    let values: Vec<_> = (values.iter())
        .map(|&value| (x(value), format!("{value:.0}")))
        .collect();
    axis(&mut figure, &values);
    for (i, (row, elo)) in rated.iter().enumerate() {
        let y = i as f64 * ROW + ROW / 2.0;
        let (from, to) = bounds(elo);
        name(&mut figure, &row.name, i);
        figure.draw(format_args!(
            "<line class=\"interval\" x1=\"{:.2}%\" x2=\"{:.2}%\" y1=\"{y}\" y2=\"{y}\"/>\
             <circle class=\"value\" cx=\"{:.2}%\" cy=\"{y}\" r=\"5\"/>",
            x(from),
            x(to),
            x(elo.value),
        ));
        let numbers = [elo.value, from, to].map(|value| format!("{value:.0}"));
        figure
            .rows
            .push([vec![row.name.clone()], numbers.to_vec()].concat());
    }
    figure
}
