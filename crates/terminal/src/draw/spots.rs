//! Clickable places: the name of a key does what the key does.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Position, Rect};

/// The clickable places of a picture. If two overlap, the later one counts.
#[derive(Debug, Default)]
pub(crate) struct Spots(Vec<(Rect, ClickAction)>);

/// The action of a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClickAction {
    /// Acts like this key.
    Key(KeyCode),
    /// Moves the cursor to this line of the form.
    Row(usize),
}

impl Spots {
    pub(super) fn add(&mut self, area: Rect, act: ClickAction) {
        self.0.push((area, act));
    }

    /// Makes everything below a box unclickable.
    pub(super) fn cover(&mut self) {
        self.0.clear();
    }

    /// Keys with their effects, separated by two blanks: from column `x` on, in row `y`, up to
    /// `end`.
    pub(super) fn add_keys(&mut self, keys: &[(&str, String)], (x, y): (u16, u16), end: u16) {
        let mut at = x;
        for (label, what) in keys {
            let label_width = label.chars().count() as u16;
            let whole = label_width + what.trim_end().chars().count() as u16 + 1;
            if at + whole > end {
                return;
            }
            let named = codes(label);
            for &(from, width, code) in &named {
                // If the label names one key, its words belong to the key.
                let width = if named.len() == 1 { whole } else { width };
                self.add(Rect::new(at + from, y, width, 1), ClickAction::Key(code));
            }
            at += label_width + what.chars().count() as u16 + 3;
        }
    }

    /// The action of a click here.
    pub(crate) fn at(&self, place: Position) -> Option<ClickAction> {
        let found = self.0.iter().rev().find(|(area, _)| area.contains(place));
        found.map(|&(_, act)| act)
    }
}

/// The keys in a label: position, width and code.
fn codes(label: &str) -> Vec<(u16, u16, KeyCode)> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in label.split_inclusive([' ', '/']) {
        let name = match word.trim_end_matches([' ', '/']) {
            // The key itself.
            "" => word,
            name => name,
        };
        let width = name.chars().count() as u16;
        match code(name) {
            Some(code) => found.push((at, width, code)),
            // Arrows are adjacent without a separator.
            None if name.is_ascii() => {}
            None => {
                let each = name.chars().map(|c| code(c.encode_utf8(&mut [0; 4])));
                if each.clone().all(|code| code.is_some()) {
                    found.extend(
                        (at..)
                            .zip(each)
                            .filter_map(|(at, code)| Some((at, 1, code?))),
                    );
                }
            }
        }
        at += word.chars().count() as u16;
    }
    found
}

fn code(name: &str) -> Option<KeyCode> {
    let mut chars = name.chars();
    Some(match (name, chars.next(), chars.next()) {
        ("Enter", ..) => KeyCode::Enter,
        ("Esc", ..) => KeyCode::Esc,
        ("Home", ..) => KeyCode::Home,
        ("End", ..) => KeyCode::End,
        ("F1", ..) => KeyCode::F(1),
        ("F2", ..) => KeyCode::F(2),
        ("F3", ..) => KeyCode::F(3),
        ("←" | "left", ..) => KeyCode::Left,
        ("→" | "right", ..) => KeyCode::Right,
        ("↑" | "up", ..) => KeyCode::Up,
        ("↓" | "down", ..) => KeyCode::Down,
        (_, Some(c), None) if c.is_ascii() => KeyCode::Char(c),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_name_keys() {
        use KeyCode::{Char, Down, F, Left, Right, Up};
        for (label, wanted) in [
            ("F1", vec![(0, 2, F(1))]),
            ("u", vec![(0, 1, Char('u'))]),
            (
                "1 2 3",
                vec![(0, 1, Char('1')), (2, 1, Char('2')), (4, 1, Char('3'))],
            ),
            ("←→", vec![(0, 1, Left), (1, 1, Right)]),
            ("up/down", vec![(0, 2, Up), (3, 4, Down)]),
            ("/", vec![(0, 1, Char('/'))]),
            ("type", vec![]),
        ] {
            assert_eq!(codes(label), wanted, "{label}");
        }
    }

    #[test]
    fn words_belong_to_their_key_and_what_does_not_fit_to_nobody() {
        let mut spots = Spots::default();
        // u undo  ? hint
        let keys = [("u", "undo".to_owned()), ("?", "hint".to_owned())];
        spots.add_keys(&keys, (1, 5), 12);
        let at = |x, y| spots.at(Position::new(x, y));
        let undo = Some(ClickAction::Key(KeyCode::Char('u')));
        assert_eq!(
            [at(0, 5), at(1, 5), at(6, 5), at(7, 5)],
            [None, undo, undo, None]
        );
        assert_eq!([at(9, 5), at(1, 4)], [None, None]);
    }
}
