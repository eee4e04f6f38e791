//! Tables of what entrants made, or would make, of each other, coloured by its distance from one half.

use floe_arena::standings::{HeadToHead, Row, Standings};

/// The most entrants whose expected results are shown.
const EXPECTED: usize = 10;

/// One entrant's head-to-head results.
pub(crate) struct CrossLine {
    pub(crate) name: String,
    pub(crate) cells: Vec<HeatCell>,
}

/// A share of points, coloured by its distance from one half.
pub(crate) struct HeatCell {
    /// The share in percent.
    pub(crate) text: String,
    /// `w1` to `w5` for more than a half, `l1` to `l5` for less.
    pub(crate) class: String,
    /// The two entrants and their result.
    pub(crate) title: String,
}

impl HeatCell {
    fn of(one: &str, other: &str, met: Option<&HeadToHead>) -> HeatCell {
        let Some(met) = met.filter(|met| met.games > 0) else {
            return match one == other {
                true => HeatCell::plain("", "x"),
                false => HeatCell::plain("·", "n"),
            };
        };
        let share = 100.0 * met.points / met.games as f64;
        let title = format!("{one} against {other}: {:.1} of {}", met.points, met.games);
        HeatCell::shaded(share, title)
    }

    fn plain(text: &str, class: &str) -> HeatCell {
        HeatCell {
            text: text.to_owned(),
            class: class.to_owned(),
            title: String::new(),
        }
    }

    /// A share in percent, in one of five shades on each side.
    fn shaded(share: f64, title: String) -> HeatCell {
        let shade = ((share - 50.0).abs() / 10.0).ceil().clamp(0.0, 5.0);
        let class = match share.total_cmp(&50.0) {
            std::cmp::Ordering::Greater => format!("w{shade}"),
            std::cmp::Ordering::Less => format!("l{shade}"),
            std::cmp::Ordering::Equal => String::new(),
        };
        HeatCell {
            text: format!("{share:.0}"),
            class,
            title,
        }
    }
}

/// The crosstable.
pub(crate) fn cross(results: &Standings) -> Vec<CrossLine> {
    let line = |(row, meetings): (&Row, &Vec<Option<HeadToHead>>)| CrossLine {
        name: row.name.clone(),
        cells: (results.rows.iter().zip(meetings))
            .map(|(other, met)| HeatCell::of(&row.name, &other.name, met.as_ref()))
            .collect(),
    };
    let lines = results.rows.iter().zip(&results.meetings);
    lines.map(line).collect()
}

/// The expected share of points by two ratings.
pub(crate) fn expected_share(own: f64, others: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf((others - own) / 400.0))
}

/// What the first entrants would make of each other by their ratings; nothing if fewer than three
/// have one.
pub(crate) fn expected(rows: &[Row]) -> Vec<CrossLine> {
    let rated = rows
        .iter()
        .filter_map(|row| Some((&row.name, row.elo?.value)));
    let rated: Vec<(&String, f64)> = rated.take(EXPECTED).collect();
    if rated.len() < 3 {
        return Vec::new();
    }
    let line = |&(name, own): &(&String, f64)| CrossLine {
        name: name.clone(),
        cells: (rated.iter())
            .map(|&(other, others)| match name == other {
                true => HeatCell::plain("", "x"),
                false => HeatCell::shaded(100.0 * expected_share(own, others), String::new()),
            })
            .collect(),
    };
    rated.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ratings_share_the_points() {
        assert_eq!(expected_share(100.0, 100.0), 0.5);
        assert!((expected_share(400.0, 0.0) - 10.0 / 11.0).abs() < 1e-9);
    }

    #[test]
    fn shades_tell_the_distance_from_one_half() {
        let class = |share| HeatCell::shaded(share, String::new()).class;
        assert_eq!([100.0, 51.0, 50.0, 39.0].map(class), ["w5", "w1", "", "l2"]);
    }
}
