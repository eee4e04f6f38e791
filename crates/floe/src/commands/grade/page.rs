//! The page and the table of grades.

use std::fmt::Write;

use floe_arena::coursework::{Example, Points, Work};

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:16px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}\
table{border-collapse:collapse}th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #8884}\
th:first-child,td:first-child{text-align:left}thead th{position:sticky;top:0;background:Canvas}\
.scroll{overflow-x:auto}pre{background:#8882;padding:.6rem;overflow-x:auto}.less{color:#b3261e}\
@media(prefers-color-scheme:dark){.less{color:#ff8a80}}summary{cursor:pointer;padding:.3rem 0}";

/// One page that needs nothing else.
pub(super) fn page(title: &str, works: &[Work], points: &Points) -> String {
    let title = escape(title);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n<div class=\"scroll\"><table><thead><tr><th>submission</th><th>points</th>"
    );
    let groups: Vec<_> = points
        .groups()
        .iter()
        .filter(|group| group.points > 0.0)
        .collect();
    for group in &groups {
        let _ = write!(
            html,
            "<th>{}: {}</th>",
            escape(&group.part),
            escape(&group.group)
        );
    }
    html += "<th>slowest</th><th>memory</th></tr></thead><tbody>\n";
    for (number, work) in works.iter().enumerate() {
        let (sum, all) = (points.sum(work), points.total());
        let _ = write!(
            html,
            "<tr><td><a href=\"#s{number}\">{}</a></td><td>{sum} of {all}</td>",
            escape(&work.name)
        );
        for group in &groups {
            let earned = points.earned(group, work);
            let class = if earned < group.points {
                " class=\"less\""
            } else {
                ""
            };
            let _ = write!(html, "<td{class}>{earned}</td>");
        }
        let (ms, mib) = used(work);
        let _ = writeln!(html, "<td>{ms} ms</td><td>{mib} MiB</td></tr>");
    }
    html += "</tbody></table></div>\n";
    for (number, work) in works.iter().enumerate() {
        details(&mut html, number, work, points);
    }
    html + "</html>\n"
}

/// The longest time of a case, and the most memory.
fn used(work: &Work) -> (u64, u64) {
    let reports = || work.parts.iter().map(|part| &part.report);
    let ms = reports().map(|report| report.slowest_ms).max().unwrap_or(0);
    let kib = reports().map(|report| report.peak_kib).max().unwrap_or(0);
    (ms, kib / 1024)
}

fn details(html: &mut String, number: usize, work: &Work, points: &Points) {
    let faults: usize = work
        .parts
        .iter()
        .map(|part| part.report.examples.len())
        .sum();
    let _ = writeln!(
        html,
        "<details id=\"s{number}\"><summary><b>{}</b>: {} of {} points, {faults} faults</summary>",
        escape(&work.name),
        points.sum(work),
        points.total()
    );
    for part in &work.parts {
        let report = &part.report;
        let _ = writeln!(html, "<h3>{}</h3>", escape(&part.name));
        if let Some(why) = &report.refused {
            let _ = writeln!(html, "<pre>{}</pre>", escape(why));
        }
        for example in &report.examples {
            fault(html, example);
        }
        for note in &report.notes {
            let _ = writeln!(html, "<p>{}</p>", escape(note));
        }
    }
    *html += "</details>\n";
}

fn fault(html: &mut String, example: &Example) {
    let _ = writeln!(
        html,
        "<p><b>{}</b>, {}: expected <code>{}</code>, got <code>{}</code> ({} cases)</p>",
        escape(&example.group),
        escape(&example.case),
        escape(&example.expected),
        escape(&example.got),
        example.cases
    );
    let calls = example.calls.join("\n");
    let shown = match (example.c_program.is_empty(), example.input.is_empty()) {
        (false, _) => &example.c_program,
        (true, false) => &example.input,
        (true, true) => &calls,
    };
    let shown: String = shown.chars().take(4000).collect();
    let _ = writeln!(html, "<pre>{}</pre>", escape(&shown));
    if !example.picture.is_empty() {
        let _ = writeln!(html, "<pre>{}</pre>", escape(&example.picture));
    }
}

/// A row for each submission.
pub(super) fn csv(works: &[Work], points: &Points) -> String {
    let mut text = String::from("submission,points,of");
    for group in points.groups() {
        text += ",";
        text += &field(&format!("{}: {}", group.part, group.group));
    }
    text += ",slowest_ms,memory_mib,faults\n";
    for work in works {
        let _ = write!(
            text,
            "{},{},{}",
            field(&work.name),
            points.sum(work),
            points.total()
        );
        for group in points.groups() {
            let _ = write!(text, ",{}", points.earned(group, work));
        }
        let (ms, mib) = used(work);
        let faults: usize = work
            .parts
            .iter()
            .map(|part| part.report.examples.len())
            .sum();
        let _ = writeln!(text, ",{ms},{mib},{faults}");
    }
    text
}

/// A field of a table; names that a spreadsheet would compute are kept as text.
fn field(text: &str) -> String {
    let text = match text.starts_with(['=', '+', '-', '@']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_nothing_in_a_page_or_a_table() {
        assert_eq!(escape("<b>&\""), "&lt;b&gt;&amp;&quot;");
        assert_eq!(field("=1+1"), "'=1+1");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
