//! A game turn by turn.

use floe_games::review::Grade;
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::board::BoardDrawing;
use super::layout::{Layout, Window};
use super::panel::{Seats, bar, leader, put};
use super::spots::{Act, Spots};
use super::{Skin, graph, overlay, put_keys};
use crate::review::Review;
use crate::session::Origin;
use crate::theme::Role;

const KEYS: [(&str, &str); 8] = [
    ("left right", "one turn back, one on"),
    ("PgUp PgDn", "ten turns"),
    ("Home End", "the start, the end"),
    ("t", "the next turning point"),
    ("e", "evaluation on and off"),
    ("+ - z", "larger, smaller, one character a field"),
    ("T", "other colours"),
    ("q Esc", "leave"),
];

pub(super) fn draw(
    frame: &mut Frame<'_>,
    review: &Review,
    layout: &Layout,
    skin: Skin,
    spots: &mut Spots,
) {
    let steps = review.session.turns();
    let area = layout.title;
    let line = Line::from(vec![
        skin.span(format!(" {}", review.session.game().title()), Role::Title),
        skin.span(
            match &review.watched {
                Some(record) => {
                    let id = &record.opening.id;
                    format!(" · game {id} · turn {} of {}", review.at, steps.len())
                }
                None => format!(" · review · turn {} of {}", review.at, steps.len()),
            },
            Role::Faint,
        ),
    ]);
    frame
        .buffer_mut()
        .set_line(area.x, area.y, &line, area.width);

    let window = Window::new(&review.view, layout.board, review.focus(), review.zoom);
    let board = BoardDrawing {
        view: &review.view,
        marks: review.marked(),
        cursor: None,
        moving: Default::default(),
        is_flashing: false,
        theme: skin.theme,
        unicode: skin.unicode,
    };
    board.draw(&window, layout.board, frame.buffer_mut());
    panel(frame, review, layout, skin);

    let area = layout.message;
    let line = Line::from(vec![Span::raw(" "), skin.span(words(review), Role::Text)]);
    frame
        .buffer_mut()
        .set_line(area.x, area.y, &line, area.width);
    let keys = [
        (skin.sign("←→", "left/right"), "turn"),
        ("t", "turning point"),
        ("e", "evaluation"),
        ("Home", "start"),
        ("End", "end"),
        ("q", "leave"),
    ];
    put_keys(frame, layout.keys, &keys, skin, spots);
    if review.shows_help {
        let lines: Vec<Line<'_>> = (KEYS.iter())
            .map(|(key, what)| {
                Line::from(vec![
                    skin.span(format!("{key:<12}"), Role::Key),
                    skin.span(*what, Role::Text),
                ])
            })
            .collect();
        overlay::window(frame, "review", &lines, 30, skin);
        spots.add(frame.area(), Act::Key(KeyCode::Esc));
    }
}

/// The last turn, and what it lost.
fn words(review: &Review) -> String {
    let Some(turn) = review.at.checked_sub(1) else {
        return match review.session.origin() {
            Origin::Opening(moves) => format!("after the opening: {}", moves.join(" ")),
            _ => "the start of the game".to_owned(),
        };
    };
    let step = &review.session.turns()[turn];
    let name = review.session.name(step.player);
    let mut text = format!(
        "{}. player {} ({name}): {}",
        turn + 1,
        step.player,
        step.text()
    );
    if let Some(fault) = step.fault() {
        return format!("{text}: {}", fault.message);
    }
    if !review.shows_evaluation {
        return text;
    }
    let best = review
        .analysis
        .worth(turn)
        .and_then(|worth| worth.best.as_ref());
    match (review.analysis.loss(turn), best) {
        (Some(0), _) => text.push_str(", as good as any"),
        (Some(loss), Some(best)) => {
            let word = match review.analysis.grade(turn) {
                Some(Grade::Slip) => ", a slip",
                Some(Grade::Blunder) => ", a blunder",
                _ => "",
            };
            text.push_str(&format!("{word}, lost {loss}; better {best}"));
        }
        _ => {}
    }
    text
}

fn panel(frame: &mut Frame<'_>, review: &Review, layout: &Layout, skin: Skin) {
    let play = &review.play;
    let seats = Seats {
        session: &review.session,
        view: &review.view,
        play,
        clocks: review.session.clocks_at(review.at),
        shown: std::time::Duration::ZERO,
        is_now: false,
        is_exposed: false,
    };
    let area = layout.panel;
    let scale = review.session.scale();
    let scores = match review.shows_evaluation {
        true => review.analysis.worth(review.at),
        false => None,
    };
    if !layout.is_wide {
        let room = usize::from(area.height).saturating_sub(usize::from(scores.is_some()));
        let mut lines = seats.short(room, area.width.into(), skin);
        if let Some(worth) = scores {
            lines.push(bar(&worth.scores, scale, area.width, skin));
        }
        put(frame.buffer_mut(), area, &lines);
        return;
    }
    let width = usize::from(area.width) - 1;
    let mut lines = seats.lines(width, skin);
    lines.push(Line::default());
    let mut bottom = Vec::new();
    if review.shows_evaluation {
        if usize::from(area.height) > lines.len() + 12 {
            bottom.extend(graph::lines(review, width, skin));
        }
        match scores {
            Some(worth) => {
                bottom.push(bar(&worth.scores, scale, area.width - 1, skin));
                let text = match leader(&worth.scores) {
                    Some((player, lead)) => {
                        format!("{} +{lead}", review.session.name(player))
                    }
                    None => "even".to_owned(),
                };
                let sure = match (&worth.best, worth.proven) {
                    (None, _) => " in the end".to_owned(),
                    (Some(best), true) => format!(" proven; {best}"),
                    (Some(best), false) => format!(" at depth {}; {best}", worth.depth),
                };
                bottom.push(Line::from(vec![
                    skin.span(text, Role::Strong),
                    skin.span(sure, Role::Faint),
                ]));
            }
            None => {
                let (known, all) = review.analysis.progress();
                let text = format!("thinking: {known} of {all} positions");
                bottom.push(Line::from(skin.span(text, Role::Faint)));
            }
        }
    }
    let room = usize::from(area.height).saturating_sub(lines.len() + bottom.len() + 1);
    lines.extend(turns(review, room, skin));
    put(frame.buffer_mut(), area, &lines);
    let from = area.bottom() - bottom.len() as u16;
    put(frame.buffer_mut(), Rect { y: from, ..area }, &bottom);
}

/// The turns around the one that is shown, with what each lost.
fn turns(review: &Review, room: usize, skin: Skin) -> Vec<Line<'static>> {
    let steps = review.session.turns();
    let first = review.at.saturating_sub(1 + room / 2);
    let first = first.min(steps.len().saturating_sub(room));
    let line = |(turn, step): (usize, &floe_games::Turn)| {
        let is_here = turn + 1 == review.at;
        let role = if is_here { Role::Selected } else { Role::Text };
        let mut line = Line::from(vec![
            skin.span(format!("{:>4} ", turn + 1), Role::Faint),
            Span::styled(step.player.to_string(), skin.theme.player_line(step.player)),
            Span::raw(" "),
            skin.span(format!("{:<8}", step.text()), role),
        ]);
        match review
            .analysis
            .loss(turn)
            .filter(|_| review.shows_evaluation)
        {
            Some(loss) if loss > 0 => {
                let grade = review.analysis.grade(turn).unwrap_or(Grade::Fine);
                let role = match grade {
                    Grade::Fine => Role::Faint,
                    Grade::Slip => Role::Strong,
                    Grade::Blunder => Role::Bad,
                };
                line.push_span(skin.span(format!(" {:<2} -{loss}", grade.sign()), role));
            }
            _ => {}
        }
        line
    };
    steps
        .iter()
        .enumerate()
        .skip(first)
        .take(room)
        .map(line)
        .collect()
}
