use std::fmt;
use std::str::FromStr;

use crate::ParseError;
use crate::text::{chars, quoted};

/// One of the five colours of a square, written as one character.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// `@`
    At,
    /// `#`
    Hash,
    /// `+`
    Plus,
    /// `.`
    Dot,
    /// `*`
    Star,
}

impl Colour {
    /// All five colours, in the order of legal moves.
    pub const ALL: [Colour; 5] = [
        Colour::At,
        Colour::Hash,
        Colour::Plus,
        Colour::Dot,
        Colour::Star,
    ];

    /// The colour's index in [`ALL`](Colour::ALL).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The colour's character.
    pub const fn glyph(self) -> char {
        match self {
            Colour::At => '@',
            Colour::Hash => '#',
            Colour::Plus => '+',
            Colour::Dot => '.',
            Colour::Star => '*',
        }
    }

    /// The colour a character stands for.
    pub const fn from_glyph(glyph: char) -> Option<Colour> {
        match glyph {
            '@' => Some(Colour::At),
            '#' => Some(Colour::Hash),
            '+' => Some(Colour::Plus),
            '.' => Some(Colour::Dot),
            '*' => Some(Colour::Star),
            _ => None,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.glyph(), f)
    }
}

impl fmt::Debug for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.glyph(), f)
    }
}

/// Advice for a text that is no colour.
pub(super) const COLOURS: &str = "the colours are @ # + . *";

/// A move: the mover's territory takes this colour.
///
/// ```
/// use floe_rules::flood::{Colour, Move};
/// assert_eq!("*".parse(), Ok(Move(Colour::Star)));
/// assert_eq!(Move(Colour::Hash).to_string(), "#");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(pub Colour);

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut characters = text.chars();
        let colour = characters.next().and_then(Colour::from_glyph);
        let rest = characters.as_str();
        match colour {
            Some(colour) if rest.is_empty() => Ok(Move(colour)),
            Some(_) => Err(ParseError::new(1, 2, "text after the colour").with_width(chars(rest))),
            None if text.is_empty() => {
                Err(ParseError::new(1, 1, "expected a colour").with_help(COLOURS))
            }
            None => Err(
                ParseError::new(1, 1, format!("{} is no colour", quoted(text)))
                    .with_width(chars(text))
                    .with_help(COLOURS),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_characters_go_together() {
        for (index, colour) in Colour::ALL.into_iter().enumerate() {
            assert_eq!(colour.index(), index);
            assert_eq!(Colour::from_glyph(colour.glyph()), Some(colour));
            assert_eq!(Move(colour).to_string().parse(), Ok(Move(colour)));
        }
    }

    #[test]
    fn bad_moves_say_why() {
        for (text, column, cause) in [
            ("", 1, "expected a colour"),
            ("x", 1, "`x` is no colour"),
            (" @", 1, "` @` is no colour"),
            ("@@", 2, "text after the colour"),
        ] {
            let error = text.parse::<Move>().unwrap_err();
            assert_eq!(
                (error.column, error.cause.as_ref()),
                (column, cause),
                "{text:?}"
            );
        }
    }
}
