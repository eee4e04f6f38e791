use crate::{ParseError, Player, Shade, Square};

/// Something an editor of positions can put on a board, or say about the whole of it.
///
/// An editor works on text, so that a position may be wrong for a while: whatever is painted,
/// [`Game::parse`](crate::Game::parse) says what is not right yet, and where.
///
/// ```
/// use floe_rules::{Game, Square, flood::Flood};
/// let text = "J\n@#\n+@\n";
/// let brushes = Flood::brushes(text);
/// let star = brushes.iter().find(|brush| brush.word == "*").unwrap();
/// assert!(star.is_on_field);
/// // Squares are counted from the bottom-left.
/// let painted = Flood::paint(text, Some(Square::new(1, 0)), &star.word)?;
/// assert_eq!(painted, "J\n@#\n+*\n");
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Brush {
    /// The name by which [`Game::paint`](crate::Game::paint) knows the brush.
    pub word: String,
    /// Text of its button.
    pub label: String,
    /// Whether it paints a field; otherwise it changes the whole position, such as the player to
    /// move.
    pub is_on_field: bool,
    /// The field's new owner.
    pub owner: Option<Player>,
    /// The field's new ground, if the brush decides it.
    pub shade: Option<Shade>,
}

impl Brush {
    /// A brush that gives a field with this ground to a player, or to no player.
    pub fn field(
        word: impl Into<String>,
        label: impl Into<String>,
        owner: Option<Player>,
        shade: Option<Shade>,
    ) -> Brush {
        Brush {
            word: word.into(),
            label: label.into(),
            is_on_field: true,
            owner,
            shade,
        }
    }

    /// A brush that sets the turn: `turn=N`.
    pub fn turn(player: Player, label: impl Into<String>) -> Brush {
        Brush {
            word: format!("turn={player}"),
            label: label.into(),
            is_on_field: false,
            owner: Some(player),
            shade: None,
        }
    }
}

/// The text with one line replaced; the index counts from zero.
pub(crate) fn with_line(text: &str, index: usize, line: &str) -> String {
    let mut found: Vec<&str> = text.lines().collect();
    match found.get_mut(index) {
        Some(old) => *old = line,
        None => found.push(line),
    }
    found.join("\n") + "\n"
}

/// The lines of a board of `rows` rows that starts at line `first`, and the line of a square; both
/// counted from zero.
pub(crate) fn row_of(
    text: &str,
    first: usize,
    rows: usize,
    square: Square,
) -> Result<(usize, &str), ParseError> {
    let off = || ParseError::new(1, 1, format!("{square} is not on the board"));
    let row = rows.checked_sub(1 + square.row as usize).ok_or_else(off)?;
    let index = first + row;
    let line = text.lines().nth(index).ok_or_else(off)?;
    Ok((index, line))
}

/// The error for an unknown brush, or a brush without its field.
pub(crate) fn no_brush(word: &str) -> ParseError {
    let word = crate::text::quoted(word);
    ParseError::new(1, 1, format!("{word} cannot be painted here"))
}
