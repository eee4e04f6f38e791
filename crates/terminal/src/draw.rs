//! From states to characters: every screen, without a terminal.

pub(crate) mod board;
mod chooser;
mod graph;
mod kept;
pub(crate) mod layout;
mod lines;
mod map;
mod overlay;
mod panel;
mod review;
mod screen;
pub(crate) mod spots;
mod tour;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

use crate::stage::Stage;
use crate::theme::{Role, Theme};
use spots::Spots;

/// The look of the screen: colours, and whether there is more than ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Skin {
    pub(crate) theme: Theme,
    pub(crate) unicode: bool,
    /// The theme before, as long as this one is only tried.
    pub(crate) before: Option<Theme>,
}

impl Skin {
    /// One of two characters.
    fn sign(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }

    fn role(self, role: Role) -> Style {
        self.theme.role(role)
    }

    fn span(self, text: impl Into<String>, role: Role) -> Span<'static> {
        Span::styled(self.shown(text.into()), self.role(role))
    }

    /// Text that is safe to show.
    fn shown(self, text: String) -> String {
        let is_fine = |c: char| floe_rules::text::is_visible(c) && (self.unicode || c.is_ascii());
        if text.chars().all(is_fine) {
            return text;
        }
        let safe = |c: char| match c {
            c if is_fine(c) => c,
            '×' => 'x',
            '·' => '-',
            '…' => '.',
            _ => '?',
        };
        text.chars().map(safe).collect()
    }
}

/// Draws a screen. Gives what can be clicked.
pub(crate) fn draw(frame: &mut Frame<'_>, stage: &Stage, skin: Skin) -> Spots {
    let mut spots = Spots::default();
    let area = frame.area();
    let Some(layout) = layout::screen(area, panel_lines(stage)) else {
        too_small(frame, area, skin);
        paint(frame.buffer_mut(), skin.theme);
        return spots;
    };
    match stage {
        Stage::Chooser(chooser) => chooser::draw(frame, chooser, skin, &mut spots),
        Stage::Games(list) => kept::draw(frame, list, skin, &mut spots),
        Stage::Game(game) => screen::draw(frame, game, &layout, skin, &mut spots),
        Stage::Review(review) => review::draw(frame, review, &layout, skin, &mut spots),
        Stage::Tour(tour) => tour::draw(frame, tour, skin, &mut spots),
    }
    if let Some(before) = skin.before {
        tried_theme(frame, layout.message, before, skin);
    }
    paint(frame.buffer_mut(), skin.theme);
    spots
}

/// Gives the theme's own ink and ground to every cell that has none, so that no text depends on
/// the colours of the terminal.
fn paint(buffer: &mut Buffer, theme: Theme) {
    let Some((ground, ink)) = theme.base() else {
        return;
    };
    for cell in &mut buffer.content {
        if cell.bg == Color::Reset {
            cell.bg = ground;
        }
        if cell.fg == Color::Reset {
            cell.fg = ink;
        }
    }
}

/// Names the theme that is tried, and the ways back.
fn tried_theme(frame: &mut Frame<'_>, area: Rect, before: Theme, skin: Skin) {
    let blank = " ".repeat(usize::from(area.width));
    let buffer = frame.buffer_mut();
    buffer.set_string(area.x, area.y, blank, Style::reset());
    let parts = [
        ("", format!("theme: {}", skin.theme)),
        ("T", "next".to_owned()),
        ("Esc", format!("back to {before}")),
        ("later", "floe config unset theme".to_owned()),
    ];
    let mut line = Line::default();
    for (key, words) in parts {
        if line.width() + key.len() + words.len() + 3 > usize::from(area.width) {
            break;
        }
        line.push_span(Span::raw(" "));
        match key {
            "" => line.push_span(skin.span(words, Role::Strong)),
            key => {
                line.push_span(skin.span(format!(" {key} "), Role::Key));
                line.push_span(skin.span(words, Role::Text));
            }
        }
    }
    buffer.set_line(area.x, area.y, &line, area.width);
}

/// Most lines that the players and their details take.
pub(crate) fn panel_lines(stage: &Stage) -> usize {
    match stage {
        Stage::Chooser(_) | Stage::Games(_) | Stage::Tour(_) => 1,
        Stage::Game(screen) => panel::lines(screen),
        Stage::Review(review) => review.view.seats.len().min(4) + 1,
    }
}

fn too_small(frame: &mut Frame<'_>, area: Rect, skin: Skin) {
    let (width, height) = layout::LEAST;
    let lines = [
        Line::from(skin.span(format!("floe needs {width} x {height}"), Role::Strong)),
        Line::from(skin.span(
            format!("this terminal has {} x {}", area.width, area.height),
            Role::Text,
        )),
        Line::from(skin.span("make it larger, or q quits", Role::Faint)),
    ];
    for (y, line) in (area.y..area.bottom()).zip(&lines) {
        frame.buffer_mut().set_line(area.x, y, line, area.width);
    }
}

/// Puts keys and what they do into a row, as many as there is room for.
fn put_keys(
    frame: &mut Frame<'_>,
    area: Rect,
    keys: &[(&str, &str)],
    skin: Skin,
    spots: &mut Spots,
) {
    let line = keys_line(keys, area.width, skin);
    let end = area.x + (line.width() as u16).min(area.width);
    frame
        .buffer_mut()
        .set_line(area.x, area.y, &line, area.width);
    spots.add_keys(keys, (area.x + 1, area.y), end);
}

/// Keys and what they do, as many as there is room for.
fn keys_line(keys: &[(&str, &str)], width: u16, skin: Skin) -> Line<'static> {
    let mut line = Line::default();
    let mut used = 1;
    line.push_span(Span::raw(" "));
    for (key, what) in keys {
        let needed = key.chars().count() + what.chars().count() + 3;
        if used + needed > usize::from(width) + 2 {
            break;
        }
        used += needed;
        line.push_span(skin.span(*key, Role::Key));
        line.push_span(skin.span(format!(" {what}  "), Role::Faint));
    }
    line
}

/// A time as clocks show it.
pub(super) fn clock(time: std::time::Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// Words in lines of at most `width` characters; longer words are cut.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word: String = word.chars().take(width.max(1)).collect();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_between_them() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefghij", 4), ["abcd"]);
        assert!(wrapped("  ", 4).is_empty());
    }

    #[test]
    fn clocks_show_hours_only_when_there_are_any() {
        let show = |seconds| clock(std::time::Duration::from_secs(seconds));
        assert_eq!([show(5), show(65), show(3725)], ["0:05", "1:05", "1:02:05"]);
    }
}
