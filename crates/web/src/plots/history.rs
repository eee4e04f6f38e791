use floe_arena::history::RatingCurves;

use super::{AXIS, Figure, escaped, ticks};

/// Number of entrants drawn in colour with their names; the others are faint.
const NAMED: usize = 8;
/// Number of points in the table below.
const LISTED: usize = 24;
/// The height of the drawing, and its top.
const TALL: f64 = 240.0;
const TOP: f64 = 8.0;
/// Start and end of the lines, in percent of the width; names come after that.
const FROM: f64 = 13.0;
const TO: f64 = 74.0;
/// The least distance of two names.
const APART: f64 = 17.0;

/// An entrant's rating over the games of a contest as the points of a line in a box of 100 by 24; empty
/// for fewer than two of them.
pub(crate) fn sparkline(history: &RatingCurves, name: &str) -> String {
    let Some(number) = history.names().iter().position(|known| known == name) else {
        return String::new();
    };
    let known: Vec<(f64, f64)> = (history.points().iter())
        .filter_map(|point| Some((point.games as f64, (*point.elo.get(number)?)?)))
        .filter(|(_, elo)| elo.is_finite())
        .collect();
    let [(first, _), .., (last, _)] = known[..] else {
        return String::new();
    };
    let low = known
        .iter()
        .map(|(_, elo)| *elo)
        .fold(f64::INFINITY, f64::min);
    let high = known
        .iter()
        .map(|(_, elo)| *elo)
        .fold(f64::NEG_INFINITY, f64::max);
    let place = |(games, elo): &(f64, f64)| {
        let x = 3.0 + 94.0 * (games - first) / (last - first).max(1.0);
        let y = 21.0 - 18.0 * (elo - low) / (high - low).max(1.0);
        format!("{x:.1},{y:.1}")
    };
    let points: Vec<String> = known.iter().map(place).collect();
    points.join(" ")
}

/// Ratings over the games of a contest: in colours and with names those of `named`, at most
/// eight, in this order; all others faintly. Costs what the points cost, not the games.
pub(crate) fn history(history: &RatingCurves, named: &[&str]) -> Figure {
    let points = history.points();
    let all = points.iter().flat_map(|point| point.elo.iter().flatten());
    let all: Vec<f64> = all.copied().filter(|elo| elo.is_finite()).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Figure::default();
    };
    if points.len() < 2 || all.is_empty() {
        return Figure::default();
    }
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let values = ticks(low, high);
    let (low, high) = (values[0], values[values.len() - 1]);
    let y = |elo: f64| TOP + (high - elo) / (high - low) * TALL;
    let games = (first.games as f64, last.games as f64);
    let part = |count: f64| (count - games.0) / (games.1 - games.0).max(1.0);
    let number = |name: &&str| history.names().iter().position(|known| known == name);
    let named: Vec<usize> = named.iter().filter_map(number).take(NAMED).collect();
    let mut figure = Figure {
        label: "Ratings over the games played".to_owned(),
        height: TOP + TALL + AXIS,
        heads: vec!["Games".to_owned()],
        ..Figure::default()
    };
    for &value in &values {
        let y = y(value);
        figure.draw(format_args!(
            "<line class=\"tick\" x1=\"{FROM}%\" x2=\"{TO}%\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <svg width=\"{}%\" height=\"100%\"><text class=\"axis end\" x=\"100%\" y=\"{:.1}\">{value:.0}</text></svg>",
            FROM - 1.0,
            y + 5.0,
        ));
    }
    let bottom = TOP + TALL + AXIS - 8.0;
    for (count, end) in [(first.games, "begin"), (last.games, "end")] {
        let x = FROM + part(count as f64) * (TO - FROM);
        let word = if end == "end" { " games" } else { "" };
        figure.draw(format_args!(
            "<text class=\"axis {end}\" x=\"{x:.2}%\" y=\"{bottom}\">{count}{word}</text>"
        ));
    }
    figure.draw(format_args!(
        "<svg x=\"{FROM}%\" y=\"{TOP}\" width=\"{}%\" height=\"{TALL}\" viewBox=\"0 0 1000 {TALL}\" \
         preserveAspectRatio=\"none\" overflow=\"visible\">",
        TO - FROM
    ));
    let others = (0..history.names().len()).filter(|entrant| !named.contains(entrant));
    let drawn = others.map(|entrant| (entrant, "faint".to_owned()));
    // The first entrant is drawn last, above the others.
    let colours = named.iter().enumerate().rev();
    let drawn = drawn.chain(colours.map(|(place, &entrant)| (entrant, format!("o{}", place + 1))));
    for (entrant, class) in drawn {
        let known = (points.iter()).filter_map(|point| Some((point.games, point.elo[entrant]?)));
        let places: Vec<String> = known
            .filter(|(_, elo)| elo.is_finite())
            .map(|(count, elo)| format!("{:.1},{:.1}", 1000.0 * part(count as f64), y(elo) - TOP))
            .collect();
        figure.draw(format_args!(
            "<polyline class=\"course {class}\" points=\"{}\"/>",
            places.join(" ")
        ));
    }
    figure.draw(format_args!("</svg>"));
    names(&mut figure, history, &named, y);
    figure.heads.extend(
        named
            .iter()
            .map(|&entrant| history.names()[entrant].clone()),
    );
    let every = points.len().div_ceil(LISTED);
    for (i, point) in points.iter().enumerate() {
        if (points.len() - 1 - i).is_multiple_of(every) {
            let mut row = vec![point.games.to_string()];
            row.extend(named.iter().map(|&entrant| {
                point.elo[entrant].map_or_else(String::new, |elo| format!("{elo:.0}"))
            }));
            figure.rows.push(row);
        }
    }
    figure
}

/// The names at the ends of their lines, moved apart where they would meet.
fn names(figure: &mut Figure, history: &RatingCurves, named: &[usize], y: impl Fn(f64) -> f64) {
    let Some(last) = history.points().last() else {
        return;
    };
    let mut ends: Vec<(f64, usize, usize)> = (named.iter().enumerate())
        .filter_map(|(place, &entrant)| Some((y(last.elo[entrant]?), place, entrant)))
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut least = 0.0;
    let mut places: Vec<f64> = (ends.iter())
        .map(|&(end, ..)| {
            let place = f64::max(end, least);
            least = place + APART;
            place
        })
        .collect();
    // Names pushed below the figure move up again.
    let mut most = TOP + TALL;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - APART;
    }
    for ((end, place, entrant), at) in ends.into_iter().zip(places) {
        let name = escaped(&history.names()[entrant]);
        let colour = place + 1;
        figure.draw(format_args!(
            "<line class=\"leader o{colour}\" x1=\"{TO}%\" x2=\"{}%\" y1=\"{end:.1}\" y2=\"{at:.1}\"/>\
             <svg x=\"{}%\" y=\"{:.1}\" width=\"{}%\" height=\"20\"><text class=\"name\" x=\"0\" y=\"15\">{name}</text></svg>",
            TO + 2.0,
            TO + 2.5,
            at - 10.0,
            97.5 - TO,
        ));
    }
}
