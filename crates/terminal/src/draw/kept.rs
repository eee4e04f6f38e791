//! The list of one's own games.

use std::time::SystemTime;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::spots::{Act, Spots};
use super::{Skin, put_keys};
use crate::kept::GameList;
use crate::theme::Role;

pub(super) fn draw(frame: &mut Frame<'_>, list: &GameList, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    let count = list.games.len();
    let line = Line::from(vec![
        skin.span(" floe", Role::Title),
        skin.span(format!(" · my games ({count})"), Role::Faint),
    ]);
    frame
        .buffer_mut()
        .set_line(area.x, area.y, &line, area.width);
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
        spots.add(Rect::new(area.x, y, area.width, 1), Act::Row(i));
    }
    let y = area.bottom() - 2;
    let (text, role) = match (&list.problem, list.chosen()) {
        (Some(problem), _) => (problem.clone(), Role::Bad),
        (None, None) => ("no game is kept yet".to_owned(), Role::Text),
        (None, Some(game)) if game.end.is_none() => ("Enter resumes it".to_owned(), Role::Text),
        (None, Some(_)) => ("Enter looks through it".to_owned(), Role::Text),
    };
    let line = Line::from(vec![Span::raw(" "), skin.span(text, role)]);
    frame.buffer_mut().set_line(area.x, y, &line, area.width);
    let keys = [
        ("Enter", "open"),
        ("Esc", "back"),
        (skin.sign("↑↓", "up/down"), "line"),
        ("q", "quit"),
    ];
    let place = Rect::new(area.x, y + 1, area.width, 1);
    put_keys(frame, place, &keys, skin, spots);
}
