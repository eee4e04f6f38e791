use super::{Figure, span};
use crate::language::t;
use floe_games::json::{Timeline, Turn};

/// The size of a game's figure, which the page stretches.
pub(super) const WIDTH: f64 = 320.0;
pub(super) const HEIGHT: f64 = 90.0;
/// Greatest width of a bar.
const WIDEST: f64 = 24.0;
/// Space above and below the lines.
pub(super) const EDGE: f64 = 4.0;

pub(super) fn turns(course: &Timeline) -> impl Iterator<Item = &Turn> {
    course.plies.iter().filter_map(|ply| ply.made.as_ref())
}

pub(super) fn colour(seat: u32) -> u32 {
    (seat.max(1) - 1) % 9 + 1
}

pub(super) fn called(names: &[String], seat: u32) -> String {
    let name = (seat as usize).checked_sub(1).and_then(|at| names.get(at));
    name.cloned().unwrap_or_else(|| format!("seat {seat}"))
}

pub(super) fn figure(label: &str, heads: &[&str]) -> Figure {
    Figure {
        label: label.to_owned(),
        height: HEIGHT,
        class: "graph",
        stretched: Some((WIDTH, HEIGHT)),
        heads: heads.iter().map(|&head| head.to_owned()).collect(),
        ..Figure::default()
    }
}

/// The x coordinate of a turn.
pub(super) fn x(course: &Timeline, ply: usize) -> f64 {
    let last = course.plies.len().saturating_sub(1).max(1);
    ply as f64 / last as f64 * (WIDTH - 2.0 * EDGE) + EDGE
}

/// The y coordinate of a value.
fn y(value: f64, low: f64, high: f64) -> f64 {
    HEIGHT - EDGE - (value - low) / (high - low).max(1.0) * (HEIGHT - 2.0 * EDGE)
}

/// A line at the shown position.
pub(super) fn cursor(figure: &mut Figure) {
    figure.draw(format_args!(
        "<line class=\"now\" x1=\"{EDGE}\" x2=\"{EDGE}\" y1=\"0\" y2=\"{HEIGHT}\"/>"
    ));
}

/// All scores, position by position.
pub(crate) fn scores(course: &Timeline, names: &[String]) -> Figure {
    let all = course.plies.iter().flat_map(|ply| ply.scores.iter());
    let (low, high) = all.fold((0, 0), |(low, high), &score| {
        (score.min(low), score.max(high))
    });
    if course.plies.len() < 2 {
        return Figure::default();
    }
    let moves = t("Moves");
    let mut heads = vec![moves.as_str()];
    heads.extend(names.iter().map(String::as_str));
    let mut figure = figure(&t("Scores, move by move"), &heads);
    for seat in 0..names.len() {
        let places: Vec<String> = (course.plies.iter().enumerate())
            .filter_map(|(ply, at)| Some((ply, *at.scores.get(seat)?)))
            .map(|(ply, score)| {
                let y = y(score as f64, low as f64, high as f64);
                format!("{:.1},{y:.1}", x(course, ply))
            })
            .collect();
        figure.draw(format_args!(
            "<polyline class=\"course o{}\" points=\"{}\"/>",
            colour(seat as u32 + 1),
            places.join(" ")
        ));
    }
    cursor(&mut figure);
    for (ply, at) in course.plies.iter().enumerate() {
        let scores = at.scores.iter().map(ToString::to_string);
        figure
            .rows
            .push(std::iter::once(ply.to_string()).chain(scores).collect());
    }
    figure
}

/// The lead that a player expected, from its remark on the move: `score +3`.
fn expected(turn: &Turn) -> Option<f64> {
    let mut words = turn.note.split_whitespace();
    words.find(|word| *word == "score")?;
    let score: f64 = words.next()?.parse().ok()?;
    score.is_finite().then_some(score)
}

/// The leads that players reported, if any.
pub(crate) fn said(course: &Timeline, names: &[String]) -> Figure {
    let said: Vec<(usize, &Turn, f64)> = (turns(course).enumerate())
        .filter_map(|(i, turn)| Some((i + 1, turn, expected(turn)?)))
        .collect();
    if said.len() < 2 {
        return Figure::default();
    }
    let leads = said.iter().map(|(_, _, lead)| *lead);
    let (low, high) = leads.fold((0.0, 0.0), |(low, high), lead| {
        (lead.min(low), lead.max(high))
    });
    let mut figure = figure(
        &t("The lead each expected, as they said with their moves"),
        &[&t("Move"), &t("Who"), &t("Expected lead")],
    );
    let zero = y(0.0, low, high);
    figure.draw(format_args!(
        "<line class=\"zero\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{zero:.1}\" y2=\"{zero:.1}\"/>"
    ));
    for seat in 1..=names.len() as u32 {
        let places: Vec<String> = (said.iter())
            .filter(|(_, turn, _)| turn.seat == seat)
            .map(|&(ply, _, lead)| format!("{:.1},{:.1}", x(course, ply), y(lead, low, high)))
            .collect();
        figure.draw(format_args!(
            "<polyline class=\"course o{}\" points=\"{}\"/>",
            colour(seat),
            places.join(" ")
        ));
    }
    cursor(&mut figure);
    for (ply, turn, lead) in said {
        let row = [
            ply.to_string(),
            called(names, turn.seat),
            format!("{lead:+}"),
        ];
        figure.rows.push(row.to_vec());
    }
    figure
}

/// Time used for each move, as bars in the players' colours.
pub(crate) fn turn_times(course: &Timeline, names: &[String]) -> Figure {
    let most = turns(course).map(|turn| turn.us).max().unwrap_or(0);
    if most == 0 {
        return Figure::default();
    }
    let count = turns(course).count() as f64;
    let longest = span(most as f64 / 1000.0);
    let mut figure = figure(
        &t("Time for each move; the longest took {time}").replace("{time}", &longest),
        &[&t("Move"), &t("Who"), &t("Played"), &t("Time")],
    );
    for (i, turn) in turns(course).enumerate() {
        let tall = (turn.us as f64 / most as f64 * (HEIGHT - EDGE)).max(1.0);
        let time = span(turn.us as f64 / 1000.0);
        figure.draw(format_args!(
            "<rect class=\"ink-owner o{}\" x=\"{:.2}\" y=\"{:.1}\" width=\"{:.2}\" height=\"{tall:.1}\"/>",
            colour(turn.seat),
            i as f64 / count * WIDTH,
            HEIGHT - tall,
            (WIDTH / count - 1.0).clamp(0.5, WIDEST),
        ));
        figure.rows.push(vec![
            (i + 1).to_string(),
            called(names, turn.seat),
            turn.text.clone(),
            time,
        ]);
    }
    figure
}
