use floe_games::review::Review;

use super::Figure;
use super::timeline::{EDGE, HEIGHT, WIDTH, called, colour, cursor, figure, turns, x};
use crate::language::t;
use floe_games::json::Timeline;

/// The evaluation of every position, as far as known.
///
/// For two players, the line is above the middle if the first is ahead; for more, each player has a
/// line.
pub(crate) fn evaluation(course: &Timeline, names: &[String], review: &Review) -> Figure {
    let known: Vec<(usize, Vec<f64>)> = (0..review.positions())
        .filter_map(|ply| Some((ply, review.shares(ply)?)))
        .collect();
    if known.len() < 2 {
        return Figure::default();
    }
    let mut figure = figure(
        &t("Who was ahead, move by move, as an engine sees it"),
        &[
            &t("Move"),
            &t("Who"),
            &t("Played"),
            &t("Ahead then"),
            &t("Best there"),
        ],
    );
    match names.len() {
        2 => two(&mut figure, course, &known),
        _ => many(&mut figure, course, &known),
    }
    for (turn, made) in turns(course).enumerate() {
        let is_bad = (review.grade(turn)).is_some_and(|grade| !grade.sign().is_empty());
        let share = (known.iter()).find(|(ply, _)| *ply == turn + 1);
        let Some((_, shares)) = share.filter(|_| is_bad) else {
            continue;
        };
        let seat = match names.len() {
            2 => 0,
            _ => made.seat.saturating_sub(1) as usize,
        };
        let share = shares.get(seat).copied().unwrap_or(0.5);
        // A line without length has round ends, and stays round if the figure is stretched.
        figure.draw(format_args!(
            "<path class=\"slip-dot\" d=\"M{:.1} {:.1}h0\"/>",
            x(course, turn + 1),
            height(share)
        ));
    }
    cursor(&mut figure);
    let mut played = turns(course);
    for ply in 0..review.positions() {
        let made = if ply == 0 { None } else { played.next() };
        let Some(worth) = review.worth(ply) else {
            continue;
        };
        let sign = (ply.checked_sub(1)).and_then(|turn| review.grade(turn));
        let sign = sign.map_or("", |grade| grade.sign());
        figure.rows.push(vec![
            ply.to_string(),
            made.map_or_else(String::new, |made| called(names, made.seat)),
            made.map_or_else(|| t("the start"), |made| format!("{}{sign}", made.text)),
            ahead(&worth.scores, names, worth.proven),
            worth.best.clone().unwrap_or_default(),
        ]);
    }
    figure
}

/// The height of a share.
fn height(share: f64) -> f64 {
    (1.0 - share) * (HEIGHT - 2.0 * EDGE) + EDGE
}

/// A line of shares, with the area between the line and the middle.
fn two(figure: &mut Figure, course: &Timeline, known: &[(usize, Vec<f64>)]) {
    let middle = HEIGHT / 2.0;
    let mut places: Vec<(f64, f64)> = Vec::new();
    for (ply, shares) in known {
        let (x, y) = (x(course, *ply), height(shares[0]));
        // A line that crosses the middle gets a corner there.
        if let Some(&(left, before)) = places.last()
            && (before - middle) * (y - middle) < 0.0
        {
            let part = (middle - before) / (y - before);
            places.push((left + part * (x - left), middle));
        }
        places.push((x, y));
    }
    let line = |bent: &dyn Fn(f64) -> f64| {
        let places = places
            .iter()
            .map(|&(x, y)| format!("{x:.1} {:.1}", bent(y)));
        format!("M{}", places.collect::<Vec<_>>().join("L"))
    };
    let (first, last) = (places[0].0, places[places.len() - 1].0);
    let close = format!("L{last:.1} {middle}L{first:.1} {middle}Z");
    figure.draw(format_args!(
        "<path class=\"above\" d=\"{}{close}\"/><path class=\"below\" d=\"{}{close}\"/>\
         <path class=\"worth\" d=\"{}\"/>\
         <line class=\"zero\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{middle}\" y2=\"{middle}\"/>",
        line(&|y| y.min(middle)),
        line(&|y| y.max(middle)),
        line(&|y| y),
    ));
}

/// A line for each player.
fn many(figure: &mut Figure, course: &Timeline, known: &[(usize, Vec<f64>)]) {
    let seats = known.first().map_or(0, |(_, shares)| shares.len());
    for seat in 0..seats {
        let places: Vec<String> = (known.iter())
            .map(|(ply, shares)| format!("{:.1},{:.1}", x(course, *ply), height(shares[seat])))
            .collect();
        figure.draw(format_args!(
            "<polyline class=\"course o{}\" points=\"{}\"/>",
            colour(seat as u32 + 1),
            places.join(" ")
        ));
    }
}

/// The leader, and the lead over the best opponent.
fn ahead(scores: &[i64], names: &[String], is_proven: bool) -> String {
    let best = scores.iter().copied().max().unwrap_or(0);
    let first = scores.iter().position(|&score| score == best).unwrap_or(0);
    let others = scores.iter().enumerate().filter(|(seat, _)| *seat != first);
    let second = others.map(|(_, &score)| score).max().unwrap_or(best);
    let proven = match is_proven {
        true => format!(", {}", t("proven")),
        false => String::new(),
    };
    match best - second {
        0 => format!("{}{proven}", t("even")),
        by => format!("{} +{by}{proven}", called(names, first as u32 + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::ahead;

    #[test]
    fn a_lead_is_one_over_the_best_of_the_others() {
        let names = ["Ann", "Bob", "Cid"].map(str::to_owned);
        assert_eq!(ahead(&[2, 10, 9], &names, true), "Bob +1, proven");
        assert_eq!(ahead(&[7, 3, 7], &names, false), "even");
    }
}
