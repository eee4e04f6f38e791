//! The characters lines are made of.

use ratatui::symbols::line;

/// How thick a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    None,
    Light,
    Heavy,
}

/// Where up to four lines meet, by weight: up, right, down, left, the last one fastest.
const JOINTS: &str =
    " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";

/// The character where these lines meet: up, right, down, left.
pub(crate) fn joint(arms: [Weight; 4], unicode: bool) -> char {
    if unicode {
        let index = arms.iter().fold(0, |n, &arm| n * 3 + arm as usize);
        return JOINTS.chars().nth(index).unwrap_or(' ');
    }
    match arms.iter().filter(|&&arm| arm != Weight::None).count() {
        0 => ' ',
        _ if arms[0] == Weight::None && arms[2] == Weight::None => across(arms[1], false),
        _ if arms[1] == Weight::None && arms[3] == Weight::None => down(arms[0], false),
        _ => '+',
    }
}

/// A line from left to right.
pub(crate) fn across(weight: Weight, unicode: bool) -> char {
    match (weight, unicode) {
        (Weight::None, _) => ' ',
        (Weight::Light, true) => first(line::HORIZONTAL),
        (Weight::Light, false) => '-',
        (Weight::Heavy, true) => first(line::THICK_HORIZONTAL),
        (Weight::Heavy, false) => '=',
    }
}

/// A line from top to bottom.
pub(crate) fn down(weight: Weight, unicode: bool) -> char {
    match (weight, unicode) {
        (Weight::None, _) => ' ',
        (Weight::Light, true) => first(line::VERTICAL),
        (Weight::Light, false) => '|',
        (Weight::Heavy, true) => first(line::THICK_VERTICAL),
        (Weight::Heavy, false) => 'I',
    }
}

fn first(text: &str) -> char {
    text.chars().next().unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_meet_as_they_are() {
        use Weight::{Heavy, Light, None};
        assert_eq!(JOINTS.chars().count(), 81);
        assert_eq!(joint([Light; 4], true), '┼');
        assert_eq!(joint([Heavy; 4], true), '╋');
        assert_eq!(joint([None, Light, Light, None], true), '┌');
        assert_eq!(joint([Heavy, None, Light, None], true), '╿');
        assert_eq!(joint([None, Heavy, None, Light], true), '╼');
        assert_eq!(joint([None; 4], true), ' ');
        assert_eq!(joint([None, Light, Light, None], false), '+');
        assert_eq!(joint([None, Light, None, Light], false), '-');
    }
}
