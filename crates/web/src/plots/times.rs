use floe_arena::standings::Row;
use floe_arena::store::MoveTimes;

use super::{AXIS, Figure, LEFT, RIGHT, ROW, axis, name, span};

/// Move times, one line per entrant: higher where more moves took that long; a bar at the median.
pub(crate) fn times(rows: &[Row]) -> Figure {
    let timed: Vec<&Row> = rows.iter().filter(|row| row.times.moves() > 0).collect();
    let ends = |times: &MoveTimes| {
        let from = times.steps().next().map(|(from, ..)| from)?;
        Some((from, times.steps().last()?.1))
    };
    let range = timed.iter().filter_map(|row| ends(&row.times));
    let Some((low, high)) = range.reduce(|(low, high), (l, h)| (low.min(l), high.max(h))) else {
        return Figure::default();
    };
    // Whole powers of ten, so that the axis is round.
    let (low, high) = (
        low.log10().floor(),
        high.log10().ceil().max(low.log10().floor() + 1.0),
    );
    let x = |ms: f64| LEFT + (ms.log10() - low) / (high - low) * (RIGHT - LEFT);
    let mut figure = Figure {
        label: "Time for a move, by how many took so long".to_owned(),
        height: timed.len() as f64 * ROW + AXIS,
        heads: ["Name", "Moves", "Half within", "95 % within", "Slowest"]
            .map(str::to_owned)
            .to_vec(),
        ..Figure::default()
    };
    let powers = (low as i32)..=(high as i32);
    let every = ((high - low) / 4.0).ceil().max(1.0) as usize;
    let values: Vec<_> = powers
        .step_by(every)
        .map(|power| 10_f64.powi(power))
        .map(|ms| (x(ms), span(ms)))
        .collect();
    axis(&mut figure, &values);
    for (i, row) in timed.iter().enumerate() {
        name(&mut figure, &row.name, i);
        let most = row.times.steps().map(|(_, _, count)| count).max();
        let most = f64::from(most.unwrap_or(1));
        let bottom = (i + 1) as f64 * ROW - 3.0;
        for (from, to, count) in row.times.steps() {
            let tall = (f64::from(count) / most * (ROW - 6.0)).max(1.0);
            figure.draw(format_args!(
                "<rect class=\"lasting\" x=\"{:.2}%\" y=\"{:.1}\" width=\"{:.2}%\" height=\"{tall:.1}\"/>",
                x(from),
                bottom - tall,
                x(to) - x(from),
            ));
        }
        let part = |part: f64| row.times.part_ms(part).unwrap_or(0.0);
        let (half, top) = (x(part(0.5)), bottom - ROW + 4.0);
        figure.draw(format_args!(
            "<line class=\"half\" x1=\"{half:.2}%\" x2=\"{half:.2}%\" y1=\"{top}\" y2=\"{bottom}\"/>"
        ));
        figure.rows.push(vec![
            row.name.clone(),
            row.times.moves().to_string(),
            span(part(0.5)),
            span(part(0.95)),
            span(row.slowest_ms),
        ]);
    }
    figure
}
