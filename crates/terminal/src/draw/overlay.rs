//! Overlays: help, questions, prompts.

use floe_games::{AnyGame, Fault};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::spots::{ClickAction, Spots};
use super::{Skin, wrapped};
use crate::screen::{Asks, Overlay, Prompt, Screen};
use crate::session::Session;
use crate::texts::{of_game, t};
use crate::theme::Role;

/// The keys of this screen with their effects, for its help.
fn help_keys(screen: &Screen) -> Vec<(&'static str, String)> {
    let habits = screen.habits;
    let special = screen.session.game().special_move().map(of_game);
    let mut keys = Vec::new();
    match habits.has_keyed_moves {
        true => {
            keys.push(("arrows", t!("preview a colour")));
            keys.push(("1 to 9", t!("choose at once")));
            keys.push(("hjkl", t!("move the cursor")));
        }
        false => {
            keys.push(("arrows hjkl", t!("move the cursor")));
            keys.push(("Tab", t!("to the next square where you can do something")));
        }
    }
    keys.push(("Enter space", t!("pick up, put down, play")));
    keys.push(("mouse", t!("the same with a click, on keys too")));
    keys.push((":", t!("type a move")));
    if let Some(special) = &special {
        keys.push(("g", t!("make the {special}", special)));
    }
    if habits.can_give_up {
        keys.push(("c", t!("pass, if the rules allow it")));
    }
    keys.extend([
        ("f", t!("finish at once, if only you can still move")),
        ("u", t!("undo, back to your own last turn")),
        ("r", t!("redo")),
        ("?", t!("hint: the engine's best move, marked by !")),
        ("e", t!("evaluation on and off")),
    ]);
    keys.push(match special {
        Some(_) => ("m", t!("marks: moves, special moves, nothing")),
        None => ("m", t!("marks on and off")),
    });
    if habits.has_engines {
        keys.push(("p", t!("pause or resume engines")));
    }
    keys.extend([
        ("+ - z", t!("larger, smaller, one character a square")),
        ("wheel", t!("scroll a board that does not fit")),
        ("x", t!("the contest's coordinates of the cursor")),
        ("T", t!("other colours")),
        ("s", t!("save a copy of the record")),
        ("X", t!("export the position")),
        ("n", t!("new game")),
        ("F2", t!("the result, once the game is over")),
        ("Esc", t!("back")),
        ("Ctrl-Z", t!("stop; resume with fg in the shell")),
        ("q", t!("quit")),
    ]);
    keys
}

pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen, skin: Skin, spots: &mut Spots) {
    if screen.overlay.is_some() {
        spots.cover();
    }
    match &screen.overlay {
        None => {}
        Some(Overlay::Help(line)) => {
            help(frame, screen, *line, skin);
            spots.add(frame.area(), ClickAction::Key(KeyCode::Esc));
        }
        Some(Overlay::Quit) => {
            let words = match (screen.session.turns().is_empty(), screen.is_saved) {
                (true, _) => t!("Nothing will be lost."),
                (false, false) => not_saved(),
                (false, true) if screen.is_over() => t!("The game is saved."),
                (false, true) => t!("The game is saved: resume it with floe play --resume."),
            };
            let keys = leaving_keys(screen);
            question(frame, &t!("quit?"), words, &keys, skin, spots);
        }
        Some(Overlay::New) => {
            let words = match screen.is_saved {
                true => t!("This one is saved as it is."),
                false => not_saved(),
            };
            let keys = leaving_keys(screen);
            question(frame, &t!("a new game?"), words, &keys, skin, spots);
        }
        Some(Overlay::GiveUp) => {
            let words = t!("You make no move this turn.");
            question(frame, &t!("pass?"), words, &yes_or_no(), skin, spots);
        }
        Some(Overlay::Result) => {}
        Some(Overlay::Prompt(prompt)) => typed(frame, screen, prompt, skin, spots),
    }
}

/// A box in the middle with these lines, or as many of them as fit.
pub(super) fn window(
    frame: &mut Frame<'_>,
    title: &str,
    lines: &[Line<'_>],
    least: u16,
    skin: Skin,
) -> Rect {
    const ASCII: border::Set<'_> = border::Set {
        top_left: "+",
        top_right: "+",
        bottom_left: "+",
        bottom_right: "+",
        vertical_left: "|",
        vertical_right: "|",
        horizontal_top: "-",
        horizontal_bottom: "-",
    };
    let area = frame.area();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0) as u16;
    let width = (widest.max(least) + 4).min(area.width);
    let height = (lines.len() as u16 + 2).min(area.height);
    let place = Rect::new(
        area.x + (area.width - width) / 2,
        area.y + (area.height - height) / 2,
        width,
        height,
    );
    let buffer = frame.buffer_mut();
    Clear.render(place, buffer);
    let set = if skin.unicode { border::ROUNDED } else { ASCII };
    Block::bordered()
        .border_set(set)
        .border_style(skin.role(Role::Key))
        .title(Span::styled(format!(" {title} "), skin.role(Role::Title)))
        .render(place, buffer);
    for (y, line) in (place.y + 1..place.bottom() - 1).zip(lines) {
        buffer.set_line(place.x + 2, y, line, width.saturating_sub(4));
    }
    place
}

fn not_saved() -> String {
    t!("The game is not saved and will be lost.")
}

fn yes_or_no() -> Vec<(&'static str, String)> {
    vec![("Enter", t!("or")), ("y", t!("yes")), ("Esc", t!("no"))]
}

/// The keys of a question that may cost the game.
fn leaving_keys(screen: &Screen) -> Vec<(&'static str, String)> {
    let mut keys = yes_or_no();
    if !screen.is_saved && !screen.session.turns().is_empty() {
        keys.push(("s", t!("save to a file")));
    }
    keys
}

fn question(
    frame: &mut Frame<'_>,
    title: &str,
    words: String,
    keys: Keys<'_>,
    skin: Skin,
    spots: &mut Spots,
) {
    let lines = vec![Line::from(skin.span(words, Role::Text)), Line::default()];
    window_with_keys(frame, title, lines, &[keys], 30, skin, spots);
}

/// Keys with their effects.
type Keys<'a> = &'a [(&'static str, String)];

/// A box whose last lines are clickable keys.
fn window_with_keys(
    frame: &mut Frame<'_>,
    title: &str,
    mut lines: Vec<Line<'_>>,
    keys: &[Keys<'_>],
    least: u16,
    skin: Skin,
    spots: &mut Spots,
) {
    for keys in keys {
        let mut line = Line::default();
        for (key, what) in *keys {
            line.push_span(skin.span(*key, Role::Key));
            line.push_span(skin.span(format!(" {what}  "), Role::Faint));
        }
        lines.push(line);
    }
    let place = window(frame, title, &lines, least, skin);
    let first = (place.bottom() - 1).saturating_sub(keys.len() as u16);
    for (y, keys) in (first..).zip(keys) {
        spots.add_keys(keys, (place.x + 2, y), place.right() - 1);
    }
}

/// The notation of moves, by a legal example.
fn move_words(screen: &Screen) -> String {
    match screen.choices.first() {
        Some(choice) => t!(
            "As in the list of moves, such as {mv}.",
            mv = choice.notation
        ),
        None => t!("As in the list of moves."),
    }
}

fn typed(frame: &mut Frame<'_>, screen: &Screen, prompt: &Prompt, skin: Skin, spots: &mut Spots) {
    let (title, words) = match prompt.asks {
        Asks::Move => (t!("your move"), move_words(screen)),
        Asks::Save => (t!("save"), t!("A file for the record of the game so far.")),
        Asks::Export => (t!("export"), t!("A file for the position.")),
    };
    let cursor = skin.sign("▏", "_");
    let lines = vec![
        Line::from(skin.span(words, Role::Faint)),
        Line::from(vec![
            skin.span(
                prompt.text.clone(),
                if prompt.is_proposal {
                    Role::Selected
                } else {
                    Role::Strong
                },
            ),
            skin.span(cursor, Role::Key),
        ]),
    ];
    let keys: Keys<'_> = &[("Enter", t!("do it")), ("Esc", t!("no"))];
    window_with_keys(frame, &title, lines, &[keys], 34, skin, spots);
}

/// The rules alone.
pub(super) fn rules(frame: &mut Frame<'_>, game: &dyn AnyGame, skin: Skin) {
    let width = usize::from(frame.area().width.saturating_sub(4)).min(74);
    let lines = rule_lines(game, width, skin);
    window(frame, &of_game(game.title()), &lines, 30, skin);
}

fn rule_lines(game: &dyn AnyGame, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for rule in game.rules().lines() {
        for (i, line) in wrapped(&of_game(rule), width - 2).into_iter().enumerate() {
            let bullet = if i == 0 { skin.sign("· ", "- ") } else { "  " };
            lines.push(Line::from(vec![
                skin.span(bullet, Role::Key),
                skin.span(line, Role::Text),
            ]));
        }
    }
    lines
}

fn help(frame: &mut Frame<'_>, screen: &Screen, from: u16, skin: Skin) {
    let area = frame.area();
    let width = usize::from(area.width.saturating_sub(4)).min(74);
    let mut lines = rule_lines(screen.session.game(), width, skin);
    lines.push(Line::default());
    for (key, what) in help_keys(screen) {
        lines.push(Line::from(vec![
            skin.span(format!("{key:<12}"), Role::Key),
            skin.span(what, Role::Text),
        ]));
    }
    let room = usize::from(area.height.saturating_sub(2));
    let from = usize::from(from).min(lines.len().saturating_sub(room));
    let more = lines.len() > room;
    let game = of_game(screen.session.game().title());
    let title = match more {
        true => t!("{game}: up and down for more", game),
        false => t!("{game}: the rules and the keys", game),
    };
    window(frame, &title, &lines[from..], 30, skin);
}

/// The faults of the game, with the last lines of each program's standard error.
pub(super) fn faults(session: &Session, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for step in session.turns() {
        let Some(fault) = step.fault() else { continue };
        let name = session.name(step.player);
        let (kind, message) = (fault.kind, &fault.message);
        let words = t!(
            "{name} is disqualified: {kind}: {message}",
            name,
            kind,
            message
        );
        for line in wrapped(&skin.shown(words), width) {
            lines.push(Line::from(skin.span(line, Role::Bad)));
        }
        lines.extend(standard_error(fault, 3, width, skin));
    }
    lines
}

/// The last lines, at most `most`, of a program's standard error before its fault.
pub(super) fn standard_error(
    fault: &Fault,
    most: usize,
    width: usize,
    skin: Skin,
) -> Vec<Line<'static>> {
    let all: Vec<&str> = fault.stderr.lines().collect();
    let last = &all[all.len().saturating_sub(most)..];
    let line = |text: &&str| {
        let text: String = format!("stderr: {text}").chars().take(width).collect();
        Line::from(skin.span(skin.shown(text), Role::Faint))
    };
    last.iter().map(line).collect()
}
