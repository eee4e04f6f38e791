//! A game in sentences.

use std::time::Duration;

use floe_games::record::GIVEN_UP;
use floe_games::{Reason, Turn};
use floe_rules::{Cell, Choice, Player, Shade, Square, View};
use floe_search::lead;

use crate::board::column_name;
use crate::draw::clock;
use crate::draw::signs::hue_name;
use crate::screen::squares_in;
use crate::session::Session;
use crate::texts::{self, of_game, sentence, t, tn};

/// The game, its size and its players.
pub(super) fn opening(session: &Session) -> String {
    let view = session.position().view();
    let game = of_game(session.game().title());
    let (columns, rows) = (view.width, view.height);
    let mut text = t!("{game}, {columns} by {rows}.", game, columns, rows);
    for player in Player::all(view.seats.len() as u32) {
        let number = player.number();
        let name = session.name(player);
        let words = match session.is_you(player) {
            true => t!("You are player {number}.", number),
            false if session.seats()[player.index()].is_human() => continue,
            false => t!("{name} is player {number}.", name, number),
        };
        text.push(' ');
        text.push_str(&words);
    }
    text
}

/// The turn: the player to move, the scores, and the possible moves.
pub(super) fn turn(session: &Session) -> Vec<String> {
    let Some(player) = session.turn() else {
        return Vec::new();
    };
    let number = session.turns().len() + 1;
    let whose = match session.is_you(player) {
        true => t!("Turn {number}. Your turn.", number),
        false => {
            let name = session.name(player);
            t!("Turn {number}. It is the turn of {name}.", number, name)
        }
    };
    let mut lines = vec![format!("{whose} {}", scores(session))];
    let view = session.position().view();
    let choices = session.position().choices();
    let mut pieces: Vec<Square> = choices.iter().filter_map(|choice| choice.from).collect();
    pieces.sort_unstable_by_key(|square| (square.column, square.row));
    pieces.dedup();
    if pieces.is_empty() {
        let task = sentence(&of_game(&view.task));
        lines.push(format!("{}.", task.trim_end_matches('.')));
        for choice in choices.iter().filter(|choice| choice.to.is_none()) {
            let amount = texts::amount(choice.takes.len() as i64, session.game().unit());
            let mv = &choice.notation;
            lines.push(t!("{mv} adds {amount}.", mv, amount));
        }
        if choices.iter().all(|choice| choice.to.is_some()) {
            lines.push(tn!(
                "You have {n} move; type moves to list it.",
                "You have {n} moves; type moves to list them.",
                choices.len()
            ));
        }
        return lines;
    }
    let piece = view.drawing.piece.map_or("piece", |piece| piece.word);
    let piece = sentence(&of_game(piece));
    for from in pieces {
        let targets = targets(&choices, from);
        let squares = texts::list(&targets);
        lines.push(t!(
            "{piece} at {from} can go to {squares}.",
            piece,
            from,
            squares
        ));
    }
    lines
}

fn targets(choices: &[Choice], from: Square) -> Vec<Square> {
    let own = choices.iter().filter(|choice| choice.from == Some(from));
    let mut targets: Vec<Square> = own.filter_map(|choice| choice.to).collect();
    targets.sort_unstable_by_key(|square| (square.column, square.row));
    targets
}

/// Every player's score.
fn scores(session: &Session) -> String {
    let unit = session.game().unit();
    let scores = session.play().scores();
    let one = |(player, &score): (Player, &i64)| {
        let amount = texts::amount(score, unit);
        match session.is_you(player) {
            true => t!("You have {amount}.", amount),
            false => {
                let name = session.name(player);
                let text = t!("{name} has {amount}.", name, amount);
                // Program names keep their spelling.
                match session.seats()[player.index()].is_human() {
                    true => sentence(&text),
                    false => text,
                }
            }
        }
    };
    let scores: Vec<String> = Player::all(scores.len() as u32)
        .zip(&scores)
        .map(one)
        .collect();
    scores.join(" ")
}

/// Asks for a move, and shows the remaining time.
pub(super) fn prompt(session: &Session, player: Player, thought: Duration) -> String {
    let left = session.time_left(player, thought).map(clock);
    let name = session.name(player);
    match (session.is_you(player), left) {
        (true, None) => t!("Your move:"),
        (true, Some(left)) => t!("Your move ({left} left):", left),
        (false, None) => t!("Move of {name}:", name),
        (false, Some(left)) => t!("Move of {name} ({left} left):", name, left),
    }
}

/// The last turn, and the players skipped after it.
pub(super) fn last_turn(session: &Session) -> Vec<String> {
    let turns = session.turns();
    let Some(turn) = turns.last() else {
        return Vec::new();
    };
    let before = session.play_at(turns.len() - 1).scores();
    let after = session.play().scores();
    let index = turn.player.index();
    let amount = texts::amount(after[index] - before[index], session.game().unit());
    let mut lines = vec![made(session, turn, turns.len(), &amount)];
    let expected = turn.player.next(after.len() as u32);
    let is_skipped = session.turn().is_some_and(|turn| turn != expected);
    if is_skipped && !session.play().out().contains(&expected) {
        lines.push(match session.is_you(expected) {
            true => t!("You cannot move and are skipped."),
            false => {
                let who = session.name(expected);
                t!("{who} cannot move and is skipped.", who)
            }
        });
    }
    lines
}

fn made(session: &Session, turn: &Turn, number: usize, amount: &str) -> String {
    let name = session.name(turn.player);
    let is_you = session.is_you(turn.player);
    let Some(mv) = turn.mv().filter(|mv| !mv.is_empty() && *mv != GIVEN_UP) else {
        return match is_you {
            true => t!("Turn {number}. You passed.", number),
            false => t!("Turn {number}. {name} passed.", number, name),
        };
    };
    match (&squares_in(mv)[..], is_you) {
        ([from, to], true) => t!(
            "Turn {number}. You moved from {from} to {to} and took {amount}.",
            number,
            from,
            to,
            amount
        ),
        ([from, to], false) => t!(
            "Turn {number}. {name} moved from {from} to {to} and took {amount}.",
            number,
            name,
            from,
            to,
            amount
        ),
        (_, true) => t!(
            "Turn {number}. You played {mv} and took {amount}.",
            number,
            mv,
            amount
        ),
        (_, false) => t!(
            "Turn {number}. {name} played {mv} and took {amount}.",
            number,
            name,
            mv,
            amount
        ),
    }
}

/// The board row by row, from the top, with equal neighbouring squares combined.
pub(super) fn board(session: &Session) -> Vec<String> {
    let view = session.position().view();
    let mut lines = Vec::new();
    for row in (0..view.height).rev() {
        let mut parts: Vec<(u32, u32, String)> = Vec::new();
        for column in 0..view.width {
            let Some(cell) = view.cell(Square::new(column, row)) else {
                continue;
            };
            let text = describe(session, cell);
            match parts.last_mut() {
                Some((_, last, same)) if *same == text => *last = column,
                _ => parts.push((column, column, text)),
            }
        }
        let part = |(first, last, text): &(u32, u32, String)| {
            let (first, last) = (column_name(*first), column_name(*last));
            match first == last {
                true => format!("{first} {text}"),
                false => t!("{first} to {last} {text}", first, last, text),
            }
        };
        let parts: Vec<String> = parts.iter().map(part).collect();
        let number = row + 1;
        lines.push(t!(
            "Row {number}: {parts}.",
            number,
            parts = parts.join(", ")
        ));
    }
    lines
}

/// The content of a square.
fn describe(session: &Session, cell: &Cell) -> String {
    match (cell.owner, cell.shade) {
        (Some(owner), _) => session.name(owner),
        (None, Shade::Void) => t!("sea"),
        (None, Shade::Plain) => t!("free"),
        (None, Shade::Level(level)) => texts::amount(level.into(), session.game().unit()),
        (None, shade @ Shade::Hue(_)) => {
            let name = hue_name(shade).unwrap_or_default();
            format!("{name} {}", cell.glyph)
        }
    }
}

/// A square in words, with the possible moves of its piece.
pub(super) fn look(session: &Session, at: Square) -> Vec<String> {
    let view = session.position().view();
    let Some(cell) = view.cell(at) else {
        return vec![t!("{at} is not on the board.", at)];
    };
    let what = describe(session, cell);
    let choices = session.position().choices();
    if choices.iter().any(|choice| choice.from == Some(at)) {
        return directions(session, &view, &choices, at);
    }
    let mut lines = vec![t!("{at}: {what}.", at, what)];
    let is_target = |choice: &Choice| choice.from.is_none() && choice.is_at(at);
    if let Some(choice) = choices.iter().find(|choice| is_target(choice)) {
        let mv = &choice.notation;
        lines.push(t!("You can play {mv} there.", mv));
    } else if session.turn().is_some() {
        let why = of_game(&session.position().refusal(None, at, false));
        lines.push(format!("{}.", sentence(&why).trim_end_matches('.')));
    }
    lines
}

/// The reach of a piece in each direction, and what stops it.
fn directions(session: &Session, view: &View, choices: &[Choice], at: Square) -> Vec<String> {
    let piece = view.drawing.piece.map_or("piece", |piece| piece.word);
    let piece = sentence(&of_game(piece));
    let mut lines = vec![t!("{piece} at {at}.", piece, at)];
    let targets = targets(choices, at);
    let ways: [(String, i64, i64); 4] = [
        (t!("Left"), -1, 0),
        (t!("Right"), 1, 0),
        (t!("Up"), 0, 1),
        (t!("Down"), 0, -1),
    ];
    for (way, dx, dy) in ways {
        let step = |square: Square| {
            let column = u32::try_from(i64::from(square.column) + dx).ok()?;
            let row = u32::try_from(i64::from(square.row) + dy).ok()?;
            let next = Square::new(column, row);
            view.cell(next).map(|cell| (next, cell))
        };
        let mut stops = Vec::new();
        let mut here = at;
        let end = loop {
            let Some((next, cell)) = step(here) else {
                break t!("the edge");
            };
            if !targets.contains(&next) {
                break match (cell.owner, cell.shade) {
                    (Some(owner), _) => t!("{name} on {next}", name = session.name(owner), next),
                    (None, Shade::Void) => t!("sea"),
                    (None, _) => t!("the end"),
                };
            }
            stops.push(format!("{next}, {}", describe(session, cell)));
            here = next;
        };
        lines.push(match stops.is_empty() {
            true => t!("{way}: blocked by {end}.", way, end),
            false => t!(
                "{way}: {stops}; then {end}.",
                way,
                stops = stops.join("; "),
                end
            ),
        });
    }
    lines
}

/// The result of the game.
pub(super) fn result(session: &Session) -> Option<String> {
    let (outcome, reason) = session.result()?;
    let Some(winner) = outcome.winner() else {
        return Some(t!("A draw: the first place is shared."));
    };
    let name = session.name(winner);
    let is_you = session.is_you(winner);
    if reason == Reason::Forfeit {
        return Some(match is_you {
            true => t!("You win by forfeit."),
            false => t!("{name} wins by forfeit.", name),
        });
    }
    let by = lead(outcome.scores(), winner);
    let by = texts::amount(by, session.game().unit());
    let text = match is_you {
        true => t!("You win by {by}.", by),
        false => t!("{name} wins by {by}.", name, by),
    };
    Some(format!("{text} {}", scores(session)))
}
