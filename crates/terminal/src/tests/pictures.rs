//! Screens as SVG, for the README: `docs/pictures/make` writes them, the test says if they are
//! old.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use floe_search::Thought;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::KeyCode;
use ratatui::style::{Color, Modifier};

use super::{DARK, Stand, played};

/// A character's width and height.
const CELL: (usize, usize) = (9, 18);
const PAPER: &str = "#16191f";
const INK: &str = "#d0d0d0";

#[test]
fn pictures_are_as_the_screens_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    for (name, stand) in [
        ("penguins.svg", penguins()),
        ("gamma.svg", gamma()),
        ("flood.svg", flood()),
    ] {
        let drawn = svg(&stand.buffer());
        let path = folder.join(name);
        if env::var_os("FLOE_PICTURES").is_some() {
            fs::write(&path, drawn).unwrap();
            continue;
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == drawn,
            "{name} is old: docs/pictures/make makes it anew"
        );
    }
}

fn thought(best: &str, scores: [i64; 2], line: &str) -> Thought<String> {
    Thought {
        best: best.to_owned(),
        scores: scores.to_vec(),
        depth: 12,
        nodes: 0,
        line: line.split_whitespace().map(str::to_owned).collect(),
        proven: false,
    }
}

fn penguins() -> Stand {
    let session = played("penguins", "7x7,penguins=2", "human,floe:medium", 10);
    let mut stand = Stand::game(DARK, (100, 35), session);
    stand.press(KeyCode::Tab);
    stand.press(KeyCode::Enter);
    stand
}

fn gamma() -> Stand {
    let session = played(
        "gamma",
        "10x8,players=3,areas=2",
        "human,floe:medium,floe:hard",
        36,
    );
    Stand::game(DARK, (80, 24), session)
}

fn flood() -> Stand {
    let session = played("flood", "12x9", "human,floe:medium", 14);
    let mut stand = Stand::game(DARK, (86, 24), session);
    let screen = stand.screen();
    screen.evaluation.is_shown = true;
    screen.evaluation.thought = Some(thought("#", [60, 48], "# + @ *"));
    stand
}

/// The screen as a picture.
fn svg(buffer: &Buffer) -> String {
    let (columns, rows) = (
        usize::from(buffer.area.width),
        usize::from(buffer.area.height),
    );
    let (width, height) = ((columns + 2) * CELL.0, (rows + 1) * CELL.1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{PAPER}\"/>\n"
    );
    for (row, cells) in buffer.content.chunks(columns).enumerate() {
        let y = row * CELL.1 + CELL.1 / 2;
        for run in runs(cells) {
            let (ground, _) = colours(&cells[run.start]);
            if ground != PAPER {
                let x = (run.start + 1) * CELL.0;
                let width = run.len() * CELL.0;
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"{ground}\"/>",
                    CELL.1
                );
            }
        }
        for run in runs(cells) {
            let text: String = cells[run.clone()].iter().map(Cell::symbol).collect();
            let start = run.start + text.len() - text.trim_start().len();
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let cell = &cells[run.start];
            let (_, ink) = colours(cell);
            let x = (start + 1) * CELL.0;
            let length = text.chars().count() * CELL.0;
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            let mut style = String::new();
            if cell.modifier.contains(Modifier::BOLD) {
                style.push_str(" font-weight=\"bold\"");
            }
            if cell.modifier.contains(Modifier::UNDERLINED) {
                style.push_str(" text-decoration=\"underline\"");
            }
            if cell.modifier.contains(Modifier::DIM) {
                style.push_str(" opacity=\"0.55\"");
            }
            let _ = writeln!(
                out,
                "<text x=\"{x}\" y=\"{}\" textLength=\"{length}\" fill=\"{ink}\"{style} \
                 xml:space=\"preserve\">{text}</text>",
                y + 14
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Runs of cells with the same style.
fn runs(cells: &[Cell]) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (i, cell) in cells.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if super::style(&cells[run.start]) == super::style(cell) => run.end = i + 1,
            _ => runs.push(i..i + 1),
        }
    }
    runs
}

/// Ground and ink.
fn colours(cell: &Cell) -> (String, String) {
    let (ground, ink) = (colour(cell.bg, PAPER), colour(cell.fg, INK));
    match cell.modifier.contains(Modifier::REVERSED) {
        true => (ink, ground),
        false => (ground, ink),
    }
}

fn colour(colour: Color, usual: &str) -> String {
    let Color::Indexed(n) = colour else {
        return usual.to_owned();
    };
    const BASE: [&str; 16] = [
        "#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
        "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
    ];
    match n {
        0..=15 => BASE[usize::from(n)].to_owned(),
        16..=231 => {
            let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let n = n - 16;
            let (r, g, b) = (level(n / 36), level(n / 6 % 6), level(n % 6));
            format!("#{r:02x}{g:02x}{b:02x}")
        }
        232.. => {
            let grey = 8 + 10 * (n - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}
