use floe_arena::standings::Row;
use floe_games::FaultKind;

use super::{AXIS, Figure, LEFT, RIGHT, ROW, axis, escaped, name, ticks};

/// The letter of a kind's hue.
fn hue(kind: &str) -> char {
    let kinds = FaultKind::ALL.iter();
    let place = kinds.map(|kind| kind.name()).position(|name| name == kind);
    char::from(b'A' + place.unwrap_or_default().min(9) as u8)
}

/// Faults by kind, one bar per entrant with faults, in parts with their counts.
pub(crate) fn faults(rows: &[Row], kinds: &[&'static str]) -> Figure {
    let faulty: Vec<&Row> = rows.iter().filter(|row| !row.faults.is_empty()).collect();
    let most = (faulty.iter())
        .map(|row| row.faults.values().sum::<u64>())
        .max()
        .unwrap_or(0);
    if most == 0 {
        return Figure::default();
    }
    let values = ticks(0.0, most as f64);
    let high = values[values.len() - 1];
    let wide = |count: u64| count as f64 / high * (RIGHT - LEFT);
    let mut heads = vec!["Name".to_owned()];
    heads.extend(kinds.iter().map(|&kind| kind.to_owned()));
    let key = kinds.len() as f64 * 22.0 + 6.0;
    let mut figure = Figure {
        label: "Faults by kind".to_owned(),
        height: faulty.len() as f64 * ROW + AXIS,
        heads,
        ..Figure::default()
    };
    let values: Vec<_> = (values.iter())
        .map(|&value| (LEFT + value / high * (RIGHT - LEFT), format!("{value:.0}")))
        .collect();
    axis(&mut figure, &values);
    for (i, row) in faulty.iter().enumerate() {
        name(&mut figure, &row.name, i);
        let mut cells = vec![row.name.clone()];
        let (mut x, y) = (LEFT, i as f64 * ROW);
        for &kind in kinds {
            let count = row.faults.get(kind).copied().unwrap_or(0);
            cells.push(count.to_string());
            if count == 0 {
                continue;
            }
            let (width, hue, kind) = (wide(count), hue(kind), escaped(kind));
            figure.draw(format_args!(
                "<rect class=\"part h{hue}\" x=\"{x:.2}%\" y=\"{}\" width=\"{width:.2}%\" height=\"{}\">\
                 <title>{count} × {kind}</title></rect>",
                y + 4.0,
                ROW - 8.0,
            ));
            // A number, if there is space for it.
            if width > 5.0 {
                figure.draw(format_args!(
                    "<text class=\"part-number\" x=\"{:.2}%\" y=\"{}\">{count}</text>",
                    x + width / 2.0,
                    y + 19.0,
                ));
            }
            x += width;
        }
        figure.rows.push(cells);
    }
    let top = figure.height;
    for (i, &kind) in kinds.iter().enumerate() {
        let (y, hue, kind) = (top + i as f64 * 22.0, hue(kind), escaped(kind));
        figure.draw(format_args!(
            "<rect class=\"part h{hue}\" x=\"{LEFT}%\" y=\"{}\" width=\"14\" height=\"14\"/>\
             <svg x=\"{LEFT}%\" y=\"{y}\" width=\"60%\" height=\"22\"><text class=\"name\" x=\"22\" y=\"16\">{kind}</text></svg>",
            y + 4.0,
        ));
    }
    figure.height += key;
    figure
}
