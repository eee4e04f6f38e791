//! Overlays: help, questions, the end of the game.

use floe_games::{AnyGame, Fault, Reason};
use floe_rules::Player;
use floe_search::lead;
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::spots::{Act, Spots};
use super::{Skin, wrapped};
use crate::screen::{Asks, Message, Overlay, Prompt, Screen};
use crate::session::Session;
use crate::theme::Role;

/// Keys and what they do, for the help.
const KEYS: [(&str, &str); 25] = [
    ("arrows hjkl", "move the cursor"),
    ("Tab", "to the next square where something can be done"),
    ("Enter space", "pick up, put down, play"),
    ("mouse", "the same with a click, on keys too"),
    ("1 2 3", "choose, where choices have keys"),
    (":", "type a move"),
    ("g", "the special kind of move"),
    ("c", "give up the turn, where the rules allow it"),
    ("f", "finish at once, when only you can still move"),
    ("u", "undo, back to your own last turn"),
    ("r", "redo"),
    ("?", "hint: the engine's best move, in ! !"),
    ("e", "evaluation on and off"),
    ("m", "what is marked: moves, special moves, nothing"),
    ("p", "pause or resume engines"),
    ("+ - z", "larger, smaller, one character a field"),
    ("wheel", "scroll a board that does not fit"),
    ("T", "other colours"),
    ("s", "save a copy of the record"),
    ("x", "export the position"),
    ("n", "new game"),
    ("F2", "the result, once it is over"),
    ("Esc", "back"),
    ("Ctrl-Z", "stop; resume with fg in the shell"),
    ("q", "quit"),
];

pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen, skin: Skin, spots: &mut Spots) {
    if screen.overlay.is_some() {
        spots.cover();
    }
    match &screen.overlay {
        None => {}
        Some(Overlay::Help(line)) => {
            help(frame, screen, *line, skin);
            spots.add(frame.area(), Act::Key(KeyCode::Esc));
        }
        Some(Overlay::Quit) => {
            let words = match (screen.session.turns().is_empty(), screen.is_saved) {
                (true, _) => "nothing will be lost",
                (false, false) => NOT_SAVED,
                (false, true) if screen.is_over() => "the game is saved",
                (false, true) => "the game is saved: resume it with floe play --resume",
            };
            question(frame, "quit?", words, &leaving_keys(screen), skin, spots);
        }
        Some(Overlay::New) => {
            let words = match screen.is_saved {
                true => "this one is saved as it is",
                false => NOT_SAVED,
            };
            question(
                frame,
                "a new game?",
                words,
                &leaving_keys(screen),
                skin,
                spots,
            );
        }
        Some(Overlay::GiveUp) => {
            let words = "you make no move this turn";
            question(frame, "give up the turn?", words, &YES_OR_NO, skin, spots);
        }
        Some(Overlay::Result) => result(frame, screen, skin, spots),
        Some(Overlay::Prompt(prompt)) => typed(frame, screen, prompt, skin, spots),
    }
}

/// A box in the middle with these lines, or as many of them as there is room for.
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

const NOT_SAVED: &str = "the game is not saved and will be lost";
const YES_OR_NO: [(&str, &str); 3] = [("Enter", "or"), ("y", "yes  "), ("Esc", "no")];

/// The keys of a question that may cost the game.
fn leaving_keys(screen: &Screen) -> Vec<(&'static str, &'static str)> {
    let mut keys = YES_OR_NO.to_vec();
    if !screen.is_saved && !screen.session.turns().is_empty() {
        keys.push(("s", "save to a file"));
    }
    keys
}

fn question(
    frame: &mut Frame<'_>,
    title: &str,
    words: &str,
    keys: Keys<'_>,
    skin: Skin,
    spots: &mut Spots,
) {
    let lines = vec![
        Line::from(skin.span(words.to_owned(), Role::Text)),
        Line::default(),
    ];
    window_with_keys(frame, title, lines, &[keys], 30, skin, spots);
}

/// Keys and what they do.
type Keys<'a> = &'a [(&'static str, &'static str)];

/// A box whose last lines are keys, which can be clicked.
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
    let words = "as the list writes moves";
    match screen.choices.first() {
        Some(choice) => format!("{words}, such as {}", choice.notation),
        None => words.to_owned(),
    }
}

fn typed(frame: &mut Frame<'_>, screen: &Screen, prompt: &Prompt, skin: Skin, spots: &mut Spots) {
    let (title, words) = match prompt.asks {
        Asks::Move => ("your move", move_words(screen)),
        Asks::Save => (
            "save",
            "a file for the record of the game so far".to_owned(),
        ),
        Asks::Export => ("export", "a file for the position".to_owned()),
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
    let keys: Keys<'_> = &[("Enter", "do it  "), ("Esc", "no")];
    window_with_keys(frame, title, lines, &[keys], 34, skin, spots);
}

/// The rules alone.
pub(super) fn rules(frame: &mut Frame<'_>, game: &dyn AnyGame, skin: Skin) {
    let width = usize::from(frame.area().width.saturating_sub(4)).min(74);
    let lines = rule_lines(game, width, skin);
    window(frame, game.title(), &lines, 30, skin);
}

fn rule_lines(game: &dyn AnyGame, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for rule in game.rules().lines() {
        for (i, line) in wrapped(rule, width - 2).into_iter().enumerate() {
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
    let special = screen.session.game().special_move();
    for (key, what) in KEYS {
        let habits = screen.habits;
        let what = match (key, special) {
            ("g", None) => continue,
            ("g", Some(special)) => format!("the {special}"),
            ("m", None) => "mark where you can move, or nothing".to_owned(),
            ("1 2 3", _) if !habits.has_keyed_moves => continue,
            ("c", _) if !habits.can_give_up => continue,
            ("p", _) if !habits.has_engines => continue,
            _ => what.to_owned(),
        };
        lines.push(Line::from(vec![
            skin.span(format!("{key:<12}"), Role::Key),
            skin.span(what, Role::Text),
        ]));
    }
    let room = usize::from(area.height.saturating_sub(2));
    let from = usize::from(from).min(lines.len().saturating_sub(room));
    let more = lines.len() > room;
    let title = match more {
        true => format!("{}: up and down for more", screen.session.game().title()),
        false => format!("{}: the rules and the keys", screen.session.game().title()),
    };
    window(frame, &title, &lines[from..], 30, skin);
}

/// The faults of the game, with the last lines each program wrote to standard error.
fn faults(session: &Session, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for step in session.turns() {
        let Some(fault) = step.fault() else { continue };
        let name = session.name(step.player);
        let words = format!("{name} is out: {}: {}", fault.kind, fault.message);
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

fn result(frame: &mut Frame<'_>, screen: &Screen, skin: Skin, spots: &mut Spots) {
    let session = &screen.session;
    let scores = session.play().scores();
    let outcome = session.play().outcome();
    let is_forfeit = session.play().reason() == Some(Reason::Forfeit);
    let name = |player: Player| format!("player {player} ({})", session.name(player));
    let mut lines: Vec<Line<'_>> = Vec::new();
    let winner = outcome.as_ref().and_then(floe_rules::Outcome::winner);
    let by = winner.map_or(0, |player| lead(&scores, player));
    let points = if by == 1 { "point" } else { "points" };
    let by = match is_forfeit {
        true => "by forfeit".to_owned(),
        false => format!("by {by} {points}"),
    };
    let news = match winner {
        Some(player) if session.name(player) == "you" => format!("you win {by}!"),
        Some(player) => format!("{} wins {by}", name(player)),
        None => "a draw: the first place is shared".to_owned(),
    };
    lines.push(Line::from(skin.span(news, Role::Good)));
    let places = outcome
        .as_ref()
        .map(|o| o.places().to_vec())
        .unwrap_or_default();
    let mut players: Vec<Player> = Player::all(scores.len() as u32).collect();
    players.sort_by_key(|player| places.get(player.index()).copied().unwrap_or(0));
    for player in players.into_iter().take(9) {
        lines.push(Line::from(vec![
            Span::styled(format!(" {player} "), skin.theme.player(player)),
            skin.span(format!(" {:<16}", session.name(player)), Role::Text),
            skin.span(format!("{:>5}", scores[player.index()]), Role::Strong),
        ]));
    }
    let width = usize::from(frame.area().width.saturating_sub(4)).clamp(1, 60);
    lines.extend(faults(session, width, skin));
    if !screen.is_saved {
        lines.push(Line::from(skin.span("the game is not saved", Role::Bad)));
    }
    lines.push(Line::default());
    let (known, all) = screen.analysis.progress();
    let turnings = screen.analysis.turning_points(3);
    let heading = match screen.analysis.is_complete() {
        true if turnings.is_empty() => "no move lost anything".to_owned(),
        true => "turning points".to_owned(),
        false => format!("turning points ({known} of {all} positions seen)"),
    };
    lines.push(Line::from(skin.span(heading, Role::Strong)));
    for turning in turnings {
        lines.push(Line::from(vec![
            skin.span(format!("turn {:>3}: ", turning.turn + 1), Role::Faint),
            Span::styled(
                turning.mover.to_string(),
                skin.theme.player_line(turning.mover),
            ),
            skin.span(
                format!(" {} lost {}", turning.played, turning.loss),
                Role::Text,
            ),
            skin.span(format!(", better {}", turning.better), Role::Faint),
        ]));
    }
    if let Some(message) = &screen.message {
        let (text, role) = match message {
            Message::News(text) => (text, Role::Good),
            Message::Refusal(text) => (text, Role::Bad),
        };
        lines.push(Line::from(skin.span(text.clone(), role)));
    }
    lines.push(Line::default());
    let keys: [Keys<'_>; 2] = [
        &[("v", "review"), ("a", "again, sides changed")],
        &[("s", "save"), ("n", "new"), ("Esc", "board"), ("q", "quit")],
    ];
    // On a low screen the keys must stay: what is between gives way.
    let room = usize::from(frame.area().height.saturating_sub(2));
    while lines.len() + keys.len() > room && lines.len() > 2 {
        lines.pop();
    }
    // The reason, if the game states it.
    let why = screen.view.phase.split_once("over, ");
    let title = match why.filter(|_| !is_forfeit) {
        Some((_, why)) => format!("the game is over: {why}"),
        None if is_forfeit => "the game is over: forfeit".to_owned(),
        None => "the game is over".to_owned(),
    };
    window_with_keys(frame, &title, lines, &keys, 38, skin, spots);
}
