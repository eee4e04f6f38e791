//! Draws every screen from its state, without a terminal.

mod about;
pub(crate) mod board;
mod choices;
mod evaluation;
mod graph;
mod kept;
pub(crate) mod layout;
mod map;
mod moves;
mod new_game;
mod overlay;
mod panel;
mod puzzles;
mod result;
mod review;
mod screen;
mod seats;
pub(crate) mod signs;
pub(crate) mod spots;
mod tour;
pub(crate) mod window;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

use crate::stage::Stage;
use crate::texts::t;
use crate::theme::{Role, Theme};
use floe_rules::View;
use spots::Spots;
use window::Zoom;

/// The look of the screen: colours, and whether non-ASCII characters are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Skin {
    pub(crate) theme: Theme,
    pub(crate) unicode: bool,
    /// The previous theme, while another is being tried.
    pub(crate) before: Option<Theme>,
}

impl Skin {
    /// The first character, or its ASCII substitute.
    fn sign(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }

    fn role(self, role: Role) -> Style {
        self.theme.role(role)
    }

    fn span(self, text: impl Into<String>, role: Role) -> Span<'static> {
        Span::styled(self.shown(text.into()), self.role(role))
    }

    /// Text without characters that the terminal cannot show.
    fn shown(self, text: String) -> String {
        let is_fine = |c: char| floe_rules::text::is_visible(c) && (self.unicode || c.is_ascii());
        if text.chars().all(is_fine) {
            return text;
        }
        let safe = |c: char| if is_fine(c) { c } else { ascii(c) };
        text.chars().map(safe).collect()
    }
}

/// Draws a screen, and returns the places that can be clicked.
pub(crate) fn draw(frame: &mut Frame<'_>, stage: &Stage, skin: Skin) -> Spots {
    let mut spots = Spots::default();
    let area = frame.area();
    let Some(layout) = layout::screen(area, panel_lines(stage), view(stage), zoom(stage)) else {
        too_small(frame, area, skin);
        paint(frame.buffer_mut(), skin.theme);
        return spots;
    };
    match stage {
        Stage::NewGame(form) => new_game::draw(frame, form, skin, &mut spots),
        Stage::Games(list) => kept::draw(frame, list, skin, &mut spots),
        Stage::Game(game) => screen::draw(frame, game, &layout, skin, &mut spots),
        Stage::Review(review) => review::draw(frame, review, &layout, skin, &mut spots),
        Stage::Tour(tour) => tour::draw(frame, tour, skin, &mut spots),
        Stage::Puzzles(round) => puzzles::draw(frame, round, &layout, skin, &mut spots),
    }
    if let Some(before) = skin.before {
        tried_theme(frame, layout.message, before, skin);
    }
    paint(frame.buffer_mut(), skin.theme);
    spots
}

/// Gives the theme's foreground and background to every cell without its own, so that no text
/// depends on the terminal's colours.
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

/// Names the theme being tried, and how to keep or undo it.
fn tried_theme(frame: &mut Frame<'_>, area: Rect, before: Theme, skin: Skin) {
    let blank = " ".repeat(usize::from(area.width));
    let buffer = frame.buffer_mut();
    buffer.set_string(area.x, area.y, blank, Style::reset());
    let parts = [
        ("", t!("theme: {theme}", theme = skin.theme)),
        ("T", t!("next")),
        ("Esc", t!("back to {theme}", theme = before)),
        ("floe config unset theme", t!("undoes it later")),
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

/// Most lines for the players and their details.
pub(crate) fn panel_lines(stage: &Stage) -> usize {
    match stage {
        Stage::NewGame(_) | Stage::Games(_) | Stage::Tour(_) => 1,
        Stage::Puzzles(_) => 2,
        Stage::Game(screen) => panel::lines(screen),
        Stage::Review(review) => review.view.seats.len().min(4) + 1,
    }
}

/// The board of a stage, if it has one.
pub(crate) fn view(stage: &Stage) -> Option<&View> {
    match stage {
        Stage::Game(screen) => Some(&screen.view),
        Stage::Review(review) => Some(&review.view),
        Stage::Puzzles(round) => Some(&round.board.view),
        Stage::NewGame(_) | Stage::Games(_) | Stage::Tour(_) => None,
    }
}

/// The chosen size of a stage's board.
pub(crate) fn zoom(stage: &Stage) -> Zoom {
    match stage {
        Stage::Game(screen) => screen.zoom,
        Stage::Review(review) => review.zoom,
        Stage::Puzzles(round) => round.board.zoom,
        Stage::NewGame(_) | Stage::Games(_) | Stage::Tour(_) => Zoom::default(),
    }
}

fn too_small(frame: &mut Frame<'_>, area: Rect, skin: Skin) {
    let (width, height) = layout::LEAST;
    let (columns, rows) = (area.width, area.height);
    let lines = [
        (
            t!("floe needs {width} x {height}", width, height),
            Role::Strong,
        ),
        (
            t!("this terminal has {columns} x {rows}", columns, rows),
            Role::Text,
        ),
        (
            t!("make it larger, or q quits; floe play --lines needs no room"),
            Role::Faint,
        ),
    ];
    for (y, (text, role)) in (area.y..area.bottom()).zip(lines) {
        let line = Line::from(skin.span(text, role));
        frame.buffer_mut().set_line(area.x, y, &line, area.width);
    }
}

/// The first line: the place at the left, the progress at the right, and the key for help.
fn put_title(
    frame: &mut Frame<'_>,
    area: Rect,
    place: &str,
    right: &str,
    has_help: bool,
    skin: Skin,
    spots: &mut Spots,
) {
    let line = Line::from(vec![
        skin.span(" Floe", Role::Title),
        skin.span(format!("  {place}"), Role::Text),
    ]);
    let buffer = frame.buffer_mut();
    buffer.set_line(area.x, area.y, &line, area.width);
    let help = t!("help");
    let help_width = help.chars().count() as u16 + 4;
    let right_line = Line::from(skin.span(format!(" {right}"), Role::Faint));
    let right_width = right_line.width() as u16;
    let used = line.width() as u16 + right_width + 1;
    // On a narrow screen, the turn number matters more than the help.
    let has_help = has_help && used + help_width + 1 < area.width;
    let gap = if has_help { help_width + 2 } else { 1 };
    let x = area.right().saturating_sub(right_width + gap).max(area.x);
    buffer.set_line(x, area.y, &right_line, right_width);
    if has_help {
        screen::place_help(frame, area, skin, spots);
    }
}

/// Puts keys with their effects into a row, as many as fit; the key that quits is always included.
fn put_keys(
    frame: &mut Frame<'_>,
    area: Rect,
    keys: &[(&'static str, String)],
    skin: Skin,
    spots: &mut Spots,
) {
    let width = |(key, what): &(&str, String)| key.chars().count() + what.chars().count() + 3;
    let room = usize::from(area.width) + 1;
    let last = keys.iter().position(|(key, _)| *key == "q");
    let reserved = last.map_or(0, |at| width(&keys[at]));
    let mut used = 1;
    let mut shown: Vec<(&'static str, String)> = Vec::new();
    for (i, key) in keys.iter().enumerate() {
        let needed = width(key);
        let is_last = Some(i) == last;
        let kept = if last.is_some_and(|last| i < last) {
            reserved
        } else {
            0
        };
        if used + needed + kept <= room || is_last {
            used += needed;
            shown.push(key.clone());
        }
    }
    let mut line = Line::from(Span::raw(" "));
    for (key, what) in &shown {
        line.push_span(skin.span(*key, Role::Key));
        line.push_span(skin.span(format!(" {what}  "), Role::Faint));
    }
    let end = area.x + (line.width() as u16).min(area.width + 2);
    frame
        .buffer_mut()
        .set_line(area.x, area.y, &line, area.width);
    spots.add_keys(&shown, (area.x + 1, area.y), end);
}

/// The text in ASCII, for outputs without other characters.
pub(crate) fn in_ascii(text: &str) -> String {
    let safe = |c: char| if c.is_ascii() { c } else { ascii(c) };
    text.chars().map(safe).collect()
}

/// The nearest ASCII character.
fn ascii(c: char) -> char {
    match c {
        '×' => 'x',
        '·' | '–' => '-',
        '…' | '○' => '.',
        '●' => '*',
        '„' | '”' => '"',
        c => plain_letter(c),
    }
}

/// The letter without its accent, for terminals without accents.
fn plain_letter(letter: char) -> char {
    const ACCENTED: &str = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻăâîșțĂÂÎȘȚşţ";
    const PLAIN: &str = "acelnoszzACELNOSZZaaistAAISTst";
    let at = ACCENTED.chars().position(|one| one == letter);
    at.and_then(|at| PLAIN.chars().nth(at)).unwrap_or('?')
}

/// A time in the format of clocks.
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
