//! Moves by keys: every colour with its key, and its gain or owner.

use floe_rules::{Cell, Choice};
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::spots::{ClickAction, Spots};
use super::{Skin, signs};
use crate::screen::{KeyedChoice, Screen};
use crate::texts::t;
use crate::theme::Role;

/// Longest bar of a gain.
const BAR: usize = 12;

/// A line per key, from this place on, with blank lines between them if they fit.
pub(super) fn lines(
    screen: &Screen,
    place: Rect,
    is_roomy: bool,
    skin: Skin,
    spots: &mut Spots,
) -> Vec<Line<'static>> {
    let keyed = screen.keyed_choices();
    if keyed.is_empty() {
        return Vec::new();
    }
    let heading = match screen.view.has_hues {
        true => t!("Choose a colour"),
        false => t!("Choose a move"),
    };
    let mut lines = vec![Line::from(skin.span(heading, Role::Strong))];
    if is_roomy {
        lines.push(Line::default());
    }
    let gains = keyed.iter().filter_map(|one| one.choice);
    let most = gains.map(|choice| choice.takes.len()).max().unwrap_or(0);
    for one in &keyed {
        if is_roomy && lines.len() > 2 {
            lines.push(Line::default());
        }
        let y = place.y + lines.len() as u16;
        if one.choice.is_some() && y < place.bottom() {
            let line = Rect::new(place.x, y, place.width, 1);
            spots.add(line, ClickAction::Key(KeyCode::Char(one.key)));
        }
        lines.push(line(screen, one, most, skin));
    }
    let preview = screen.previewed();
    if let (Some(choice), true) = (preview, screen.view.has_hues) {
        if is_roomy {
            lines.push(Line::default());
        }
        let sign = super::board::Mark::Gain.sign(skin.unicode).unwrap_or('o');
        let text = t!("squares that {colour} would add", colour = choice.notation);
        lines.push(Line::from(vec![
            skin.span(format!("{sign} "), Role::Mark),
            skin.span(text, Role::Faint),
        ]));
    }
    lines
}

fn line(screen: &Screen, one: &KeyedChoice<'_>, most: usize, skin: Skin) -> Line<'static> {
    let is_here = one.choice.is_some() && one.choice == screen.previewed();
    let mark = if is_here {
        skin.sign("▸ ", "> ")
    } else {
        "  "
    };
    let cell = sample(screen, &one.notation);
    let style = cell.map_or(Style::new(), |cell| skin.theme.cell(cell));
    let name = cell.and_then(|cell| signs::hue_name(cell.shade));
    let key_role = if one.choice.is_some() {
        Role::Key
    } else {
        Role::Faint
    };
    let mut line = Line::from(vec![
        skin.span(mark, Role::Mark),
        skin.span(format!("{} ", one.key), key_role),
        Span::styled(
            skin.shown(format!(" {} ", one.notation)),
            style.remove_modifier(Modifier::BOLD),
        ),
        skin.span(format!(" {:<7}", name.unwrap_or_default()), Role::Text),
    ]);
    match (one.choice, one.owner) {
        (Some(choice), _) => {
            let gain = choice.takes.len();
            let cells = (gain * BAR).div_ceil(most.max(1)).min(BAR);
            let bar = skin.sign("█", "#").repeat(cells);
            let style = style
                .bg
                .map_or(Style::new(), |ground| Style::new().fg(ground));
            line.push_span(Span::styled(format!("{bar:<BAR$}"), style));
            line.push_span(skin.span(format!(" {gain:>+4}"), Role::Strong));
            if screen.hint.as_ref() == Some(&choice.notation) {
                line.push_span(skin.span(format!(" ! {}", t!("hint")), Role::Good));
            }
        }
        (None, Some(owner)) => {
            let text = match screen.session.is_you(owner) {
                true => t!("you have it"),
                false => t!("{name} has it", name = screen.session.name(owner)),
            };
            line.push_span(skin.span(text, Role::Faint));
        }
        (None, None) => line.push_span(skin.span(t!("not now"), Role::Faint)),
    }
    line
}

/// A sample of the colour, if the move has one.
fn sample<'a>(screen: &'a Screen, notation: &str) -> Option<&'a Cell> {
    let mut letters = notation.chars();
    let glyph = letters.next().filter(|_| letters.next().is_none())?;
    let cells = screen.view.cells.iter();
    let is_same = |cell: &&Cell| cell.glyph == glyph;
    cells.clone().find(is_same)
}

/// The same on one line, starting here.
pub(super) fn short_line(
    screen: &Screen,
    (x, y): (u16, u16),
    skin: Skin,
    spots: &mut Spots,
) -> Line<'static> {
    let mut line = Line::default();
    for (key, choice) in playable(screen) {
        let from = line.width() as u16;
        line.spans.extend(short(screen, key, choice, skin));
        let place = Rect::new(x + from, y, line.width() as u16 - from, 1);
        spots.add(place, ClickAction::Key(KeyCode::Char(key)));
    }
    line
}

/// The same in a narrow panel, one line each.
pub(super) fn slim_lines(
    screen: &Screen,
    (x, y): (u16, u16),
    skin: Skin,
    spots: &mut Spots,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (key, choice) in playable(screen) {
        let line = Line::from(short(screen, key, choice, skin));
        let place = Rect::new(x, y + lines.len() as u16, line.width() as u16, 1);
        spots.add(place, ClickAction::Key(KeyCode::Char(key)));
        lines.push(line);
    }
    lines
}

/// The keys that make a legal move now.
fn playable(screen: &Screen) -> Vec<(char, &Choice)> {
    let keyed = screen.keyed_choices().into_iter();
    keyed
        .filter_map(|one| Some((one.key, one.choice?)))
        .collect()
}

/// A key, its colour and its gain.
fn short(screen: &Screen, key: char, choice: &Choice, skin: Skin) -> Vec<Span<'static>> {
    let cell = sample(screen, &choice.notation);
    let style = cell.map_or(Style::new(), |cell| skin.theme.cell(cell));
    let is_hint = screen.hint.as_ref() == Some(&choice.notation);
    let is_here = screen.previewed() == Some(choice);
    let role = if is_here { Role::Mark } else { Role::Key };
    let before = if is_here { skin.sign("▸", ">") } else { " " };
    let mark = if is_hint { "!" } else { "" };
    vec![
        skin.span(format!("{before}{key} "), role),
        Span::styled(skin.shown(format!(" {} ", choice.notation)), style),
        skin.span(gain(choice, mark), Role::Text),
    ]
}

fn gain(choice: &Choice, mark: &str) -> String {
    format!(" +{}{mark} ", choice.takes.len())
}
