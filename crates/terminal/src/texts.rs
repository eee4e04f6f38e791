//! Texts in the player's language.
//!
//! [`t!`] and [`tn!`] take the English text and fill it in; the translations are
//! in `texts/`. The language belongs to the process, as the terminal does; a test may give its own
//! thread another one.

use std::cell::Cell;
use std::fmt::Display;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU8, Ordering};

use floe_language::{Catalogue, Language, Values};

/// An English text in the player's language; placeholders are filled by the values that follow.
macro_rules! t {
    ($english:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::texts::text($english, &[$((stringify!($name), &$crate::texts::value!($name $(= $value)?) as &dyn std::fmt::Display)),*])
    };
}

/// The same for a text with `{n}` things, in singular and plural.
macro_rules! tn {
    ($one:literal, $other:literal, $n:expr $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::texts::count($one, $other, ($n) as u64, &[$((stringify!($name), &$crate::texts::value!($name $(= $value)?) as &dyn std::fmt::Display)),*])
    };
}

/// The value of a placeholder: the given one, or the variable of its name.
macro_rules! value {
    ($name:ident) => {
        $name
    };
    ($name:ident = $value:expr) => {
        $value
    };
}

pub(crate) use {t, tn, value};

static LANGUAGE: AtomicU8 = AtomicU8::new(0);

thread_local! {
    static OWN: Cell<Option<Language>> = const { Cell::new(None) };
}

static TEXTS: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::new(&[
        (Language::Polish, include_str!("../texts/pl.txt")),
        (Language::Romanian, include_str!("../texts/ro.txt")),
    ])
});

/// Sets the language of all texts for players.
pub fn set_language(language: Language) {
    LANGUAGE.store(language as u8, Ordering::Relaxed);
}

/// Sets the language of this thread alone.
#[cfg(test)]
pub(crate) fn set_own_language(language: Language) {
    OWN.set(Some(language));
}

/// The language of texts for players.
pub(crate) fn language() -> Language {
    OWN.get()
        .unwrap_or_else(|| Language::ALL[usize::from(LANGUAGE.load(Ordering::Relaxed))])
}

/// The translations of this crate's own texts.
#[cfg(test)]
pub(crate) fn catalogue() -> &'static Catalogue {
    &TEXTS
}

/// An English text in the player's language, filled in.
pub(crate) fn text(english: &str, values: Values<'_>) -> String {
    TEXTS.text(language(), english, values)
}

/// The same for a text that counts things.
pub(crate) fn count(one: &str, other: &str, n: u64, values: Values<'_>) -> String {
    TEXTS.count(language(), one, other, n, values)
}

/// What a game says, in the player's language.
pub(crate) fn of_game(text: &str) -> String {
    match language() {
        Language::English => text.to_owned(),
        language => floe_language::games().translate(language, text),
    }
}

/// A number of the things that a score counts: `3 fish`.
pub(crate) fn amount(number: i64, unit: &str) -> String {
    let n = number.unsigned_abs();
    let sign = if number < 0 { "-" } else { "" };
    let words = match unit {
        "fish" => tn!("{n} fish", "{n} fish", n),
        "fields" => tn!("{n} field", "{n} fields", n),
        "squares" => tn!("{n} square", "{n} squares", n),
        "points" => tn!("{n} point", "{n} points", n),
        unit => format!("{n} {unit}"),
    };
    format!("{sign}{words}")
}

/// Names one after the other, as a sentence lists them: `a7, b8 and e7`.
pub(crate) fn list(names: &[impl Display]) -> String {
    match names {
        [] => String::new(),
        [one] => one.to_string(),
        [start @ .., last] => {
            let start: Vec<String> = start.iter().map(ToString::to_string).collect();
            t!("{start} and {last}", start = start.join(", "), last)
        }
    }
}

/// Names one after the other, as a sentence offers them: `2, 3 or 5`.
pub(crate) fn alternatives(names: &[impl Display]) -> String {
    match names {
        [] => String::new(),
        [one] => one.to_string(),
        [start @ .., last] => {
            let start: Vec<String> = start.iter().map(ToString::to_string).collect();
            t!("{start} or {last}", start = start.join(", "), last)
        }
    }
}

/// A text with a capital letter first; a square or another name with a digit stays as it is.
pub(crate) fn sentence(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    if first.contains(|letter: char| letter.is_ascii_digit()) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
