//! The values in the lines of the form, and their order.

use floe_arena::seat::Seat;
use floe_rules::{Setting, Values};
use floe_search::{Kind, Level, Spec};

use crate::seat::{self, default_opponent};
use crate::texts::{of_game, t};

/// The sizes to choose from; others can be typed.
pub(super) const SIZES: [&str; 10] = [
    "4x4", "5x5", "6x6", "8x8", "10x10", "12x12", "15x15", "20x20", "30x30", "50x50",
];

pub(super) fn sides(size: &str) -> Option<(u32, u32)> {
    let (width, height) = size.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

pub(super) fn next_size(size: &str, forward: bool) -> String {
    let area = |size: &str| sides(size).map_or(0, |(w, h)| u64::from(w) * u64::from(h));
    let here = area(size);
    let next = match forward {
        true => SIZES.iter().find(|size| area(size) > here),
        false => SIZES.iter().rev().find(|size| area(size) < here),
    };
    next.map_or(size, |next| next).to_owned()
}

pub(super) fn next_value(setting: &Setting, value: &str, forward: bool) -> String {
    match &setting.values {
        Values::Number(range) => {
            let now: u32 = value.parse().unwrap_or(*range.start());
            let next = if forward {
                now.saturating_add(1)
            } else {
                now.saturating_sub(1)
            };
            next.clamp(*range.start(), *range.end()).to_string()
        }
        Values::Words(words) => {
            let now = words.iter().position(|&word| word == value).unwrap_or(0);
            let step = if forward { 1 } else { words.len() - 1 };
            words[(now + step) % words.len()].to_owned()
        }
    }
}

pub(super) fn next_seat(seat: &Seat, forward: bool) -> Seat {
    let offered = seat::offered();
    let word = seat.to_string();
    let now = offered.iter().position(|offer| offer.to_string() == word);
    let now = now.unwrap_or(0);
    let step = if forward { 1 } else { offered.len() - 1 };
    offered[(now + step) % offered.len()].clone()
}

/// The form's name for a seat.
pub(super) fn seat_name(seat: &Seat) -> String {
    match seat {
        Seat::Human => t!("human"),
        seat => seat.to_string(),
    }
}

/// The form's name for an opponent, and the level of Floe's own engine.
pub(super) fn opponent(seat: &Seat) -> (String, Option<Level>) {
    match seat {
        Seat::Engine(spec) => {
            let is_plain = |level: &Level| {
                let plain = Spec {
                    level: Some(*level),
                    ..Spec::from(Kind::Floe)
                };
                plain.to_string() == spec.to_string()
            };
            match Level::ALL.into_iter().find(is_plain) {
                Some(level) => ("Floe".to_owned(), Some(level)),
                None => (seat_name(seat), None),
            }
        }
        seat => (seat_name(seat), None),
    }
}

/// The level's name, with dots for its strength.
pub(super) fn level_name(level: Level) -> String {
    let at = Level::ALL.iter().position(|one| *one == level).unwrap_or(0);
    let dots: String = (0..Level::ALL.len())
        .map(|i| if i <= at { '●' } else { '○' })
        .collect();
    format!("{} {dots}", of_game(level.name()))
}

/// The order of opponents: Floe at the medium level, the simple engines, then a person.
pub(super) fn next_opponent(seat: &Seat, forward: bool) -> Seat {
    let engine = |kind: Kind| Seat::Engine(kind.into());
    let offered = [
        default_opponent(),
        engine(Kind::Greedy),
        engine(Kind::Random),
        Seat::Human,
    ];
    let is_same = |offer: &Seat| match opponent(seat) {
        (_, Some(_)) => opponent(offer).1.is_some(),
        _ => offer.to_string() == seat.to_string(),
    };
    let now = offered.iter().position(is_same).unwrap_or(0);
    let step = if forward { 1 } else { offered.len() - 1 };
    offered[(now + step) % offered.len()].clone()
}

pub(super) fn next_level(seat: &Seat, forward: bool) -> Seat {
    let level = opponent(seat).1;
    let now = Level::ALL.iter().position(|one| Some(*one) == level);
    let last = Level::ALL.len() - 1;
    let next = match (now.unwrap_or(0), forward) {
        (now, true) => (now + 1).min(last),
        (now, false) => now.saturating_sub(1),
    };
    Seat::Engine(Spec {
        level: Some(Level::ALL[next]),
        ..Spec::from(Kind::Floe)
    })
}
