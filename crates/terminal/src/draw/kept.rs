//! The list of the user's own games.

use std::time::SystemTime;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::spots::{ClickAction, Spots};
use super::{Skin, put_keys, put_title};
use crate::kept::GameList;
use crate::texts::t;
use crate::theme::Role;

pub(super) fn draw(frame: &mut Frame<'_>, list: &GameList, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    let count = list.games.len();
    let top = Rect::new(area.x, area.y, area.width, 1);
    let place = t!("my games ({n})", n = count);
    put_title(frame, top, &place, "", false, skin, spots);
    let height = usize::from(area.height.saturating_sub(5));
    let first = list.row.saturating_sub(height.saturating_sub(1));
    let now = SystemTime::now();
    for (i, game) in list.games.iter().enumerate().skip(first).take(height) {
        let y = area.y + 2 + (i - first) as u16;
        let is_here = i == list.row;
        let role = if is_here { Role::Selected } else { Role::Text };
        let mark = if is_here {
            skin.sign(" ▶ ", " > ")
        } else {
            "   "
        };
        let mut line = Line::from(vec![
            skin.span(mark, Role::Key),
            skin.span(format!(" {:<11}", game.title()), role),
            skin.span(format!(" {:<26}", game.result_text()), Role::Strong),
        ]);
        let age = game.age(now);
        line.push_span(skin.span(format!(" {age:<15} "), Role::Faint));
        line.push_span(skin.span(game.seats_text(), Role::Faint));
        frame.buffer_mut().set_line(area.x, y, &line, area.width);
        spots.add(Rect::new(area.x, y, area.width, 1), ClickAction::Row(i));
    }
    let y = area.bottom() - 2;
    let (text, role) = match (&list.problem, list.chosen()) {
        (Some(problem), _) => (problem.clone(), Role::Bad),
        (None, None) => (t!("No game is saved yet."), Role::Text),
        (None, Some(game)) if game.end.is_none() => (t!("Enter resumes it."), Role::Text),
        (None, Some(_)) => (t!("Enter reviews it."), Role::Text),
    };
    let line = Line::from(vec![Span::raw(" "), skin.span(text, role)]);
    frame.buffer_mut().set_line(area.x, y, &line, area.width);
    let keys = [
        ("Enter", t!("open")),
        ("Esc", t!("back")),
        (skin.sign("↑↓", "up/down"), t!("line")),
        ("q", t!("quit")),
    ];
    let place = Rect::new(area.x, y + 1, area.width, 1);
    put_keys(frame, place, &keys, skin, spots);
}
