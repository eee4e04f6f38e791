//! Figures as SVG, drawn on the server so that they need no script. Colours come from the page's
//! style sheet, by class; widths are percentages, so that text keeps its size on phones and
//! projectors. Each figure has its numbers in a table below it.

mod evaluation;
mod faults;
mod history;
mod ratings;
mod timeline;
mod times;

use std::fmt::Write;

use crate::language::t;
use askama::filters::Escaper;

pub(crate) use evaluation::evaluation;
pub(crate) use faults::faults;
pub(crate) use history::{history, sparkline};
pub(crate) use ratings::ratings;
pub(crate) use timeline::{said, scores, turn_times};
pub(crate) use times::times;

/// A figure and its numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Figure {
    /// A description for screen readers; empty if there is nothing to show.
    label: String,
    /// The contents of the drawing.
    body: String,
    /// The height, in pixels.
    height: f64,
    /// An additional CSS class.
    class: &'static str,
    /// The `viewBox` of a figure without text, which may be stretched.
    stretched: Option<(f64, f64)>,
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Figure {
    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        self.label.is_empty()
    }

    /// The figure as HTML; empty for an empty figure.
    pub(crate) fn html(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut html = String::from("<figure class=\"figure\">");
        let (label, class, height) = (escaped(&self.label), self.class, self.height);
        let stretched = self.stretched.map_or_else(String::new, |(width, height)| {
            format!(" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\"")
        });
        let _ = write!(
            html,
            "<svg class=\"plot {class}\" width=\"100%\" height=\"{height:.0}\"{stretched} role=\"img\" \
             aria-label=\"{label}\">{}</svg>",
            self.body
        );
        let _ = write!(
            html,
            "<details class=\"numbers\"><summary>{}</summary><div class=\"scroll\"><table><thead><tr>",
            escaped(&t("Numbers"))
        );
        for head in &self.heads {
            let _ = write!(html, "<th scope=\"col\">{}</th>", escaped(head));
        }
        html.push_str("</tr></thead><tbody>");
        for row in &self.rows {
            html.push_str("<tr>");
            for cell in row {
                let _ = write!(html, "<td>{}</td>", escaped(cell));
            }
            html.push_str("</tr>");
        }
        html.push_str("</tbody></table></div></details></figure>");
        html
    }

    /// Adds to the drawing.
    fn draw(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(text);
    }
}

/// A text escaped for HTML and SVG.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = askama::filters::Html.write_escaped_str(&mut out, text);
    out
}

/// Width for names, in percent.
const NAMES: f64 = 30.0;
/// The left and right edge of the drawing.
const LEFT: f64 = 33.0;
const RIGHT: f64 = 96.0;
/// Height of an entrant's line.
const ROW: f64 = 28.0;
/// Height of the line below, with the numbers of the axis.
const AXIS: f64 = 26.0;

/// The name of a row, shortened to the available width.
fn name(figure: &mut Figure, name: &str, row: usize) {
    let y = row as f64 * ROW;
    let name = escaped(name);
    figure.draw(format_args!(
        "<svg y=\"{y}\" width=\"{NAMES}%\" height=\"{ROW}\"><text class=\"name\" x=\"2\" y=\"19\">{name}</text></svg>"
    ));
}

/// The lines of an axis at these values, with their names below; places are percentages of the
/// width.
fn axis(figure: &mut Figure, values: &[(f64, String)]) {
    let bottom = figure.height - AXIS;
    for (place, text) in values {
        let text = escaped(text);
        figure.draw(format_args!(
            "<line class=\"tick\" x1=\"{place:.2}%\" x2=\"{place:.2}%\" y1=\"2\" y2=\"{bottom}\"/>\
             <text class=\"axis\" x=\"{place:.2}%\" y=\"{:.0}\">{text}</text>",
            figure.height - 8.0
        ));
    }
}

/// A round distance between lines, for three to six of them.
fn tick(span: f64) -> f64 {
    let rough = (span / 4.0).max(1.0);
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power);
    steps
        .into_iter()
        .find(|step| *step >= rough)
        .unwrap_or(power)
}

/// The round values from below the least to above the most.
pub(crate) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let step = tick(high - low);
    let first = (low / step).floor();
    let last = (high / step).ceil().max(first + 1.0);
    let count = (last - first) as usize;
    (0..=count).map(|i| (first + i as f64) * step).collect()
}

/// Milliseconds in a readable unit.
fn span(ms: f64) -> String {
    match ms {
        ms if ms < 0.995 => format!("{:.0} µs", ms * 1000.0),
        ms if ms < 9.95 => format!("{ms:.1} ms"),
        ms if ms < 995.0 => format!("{ms:.0} ms"),
        ms if ms < 9950.0 => format!("{:.1} s", ms / 1000.0),
        ms => format!("{:.0} s", ms / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(tick(600.0), 200.0);
        assert_eq!(tick(55.0), 20.0);
        assert_eq!(tick(0.0), 1.0);
        assert_eq!(
            ticks(-130.0, 250.0),
            [-200.0, -100.0, 0.0, 100.0, 200.0, 300.0]
        );
        assert_eq!(ticks(0.0, 0.0), [0.0, 1.0]);
    }

    #[test]
    fn spans_are_short() {
        let spans = [0.012, 0.9999, 1.5, 250.0, 999.9, 61_000.0].map(span);
        assert_eq!(
            spans,
            ["12 µs", "1.0 ms", "1.5 ms", "250 ms", "1.0 s", "61 s"]
        );
    }

    #[test]
    fn hostile_names_stay_text() {
        let mut figure = Figure {
            label: "<i>".to_owned(),
            heads: vec!["<b>".to_owned()],
            rows: vec![vec!["<script>\"&".to_owned()]],
            ..Figure::default()
        };
        name(&mut figure, "<img src=x>", 0);
        let html = figure.html();
        for wrong in ["<script", "<img", "<b>", "<i>"] {
            assert!(!html.contains(wrong), "{html}");
        }
    }

    #[test]
    fn nothing_to_show_shows_nothing() {
        assert_eq!(Figure::default().html(), "");
    }
}
