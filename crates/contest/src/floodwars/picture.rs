//! The board with its territories: `J` and `S` for owned squares, the colour's own character for
//! the others.

use anstyle::{AnsiColor, Style};
use floe_rules::flood::{Colour, FloodPosition, J};
use floe_rules::{Player, Square};

/// The letter of a player.
pub(super) fn letter(player: Player) -> char {
    if player == J { 'J' } else { 'S' }
}

/// The widest board that has a blank before every square and fits 80 columns.
const WIDEST_SPACED: u32 = 39;

/// The board of a position, row by row from the top, with a blank before every square unless the
/// board is wide. With colours, every square has its own, territories the colour they have now.
///
/// ```
/// use floe_contest::floodwars::board;
/// use floe_rules::{Game, flood::Flood};
/// let position = Flood::read("J\n#+@\n@*#\n..+\n")?;
/// assert_eq!(board(&position, false), "  # + S\n  @ * #\n  J J +\n");
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
pub fn board(position: &FloodPosition, has_colours: bool) -> String {
    let graph = position.graph();
    let gap = if graph.width() <= WIDEST_SPACED {
        " "
    } else {
        ""
    };
    let mut out = String::new();
    for row in (0..graph.height()).rev() {
        let mut line = String::from(" ");
        for column in 0..graph.width() {
            let Some(component) = graph.at(Square::new(column, row)) else {
                continue;
            };
            let colour = position.component_colour(component);
            let owner = position.owner(component);
            let glyph = owner.map_or(colour.glyph(), letter);
            if has_colours {
                let style = style(colour, owner.is_some());
                line += &format!("{style}{gap}{glyph}{style:#}");
            } else {
                line.push_str(gap);
                line.push(glyph);
            }
        }
        out += &line;
        out.push('\n');
    }
    out
}

/// The style of a square of this colour.
pub(super) fn style(colour: Colour, is_owned: bool) -> Style {
    let ground = match colour {
        Colour::At => AnsiColor::Red,
        Colour::Hash => AnsiColor::Blue,
        Colour::Plus => AnsiColor::Green,
        Colour::Dot => AnsiColor::White,
        Colour::Star => AnsiColor::Yellow,
    };
    let style = Style::new().bg_color(Some(ground.into()));
    let ink = match colour {
        Colour::At | Colour::Hash => AnsiColor::BrightWhite,
        Colour::Plus | Colour::Dot | Colour::Star => AnsiColor::Black,
    };
    let style = style.fg_color(Some(ink.into()));
    if is_owned { style.bold() } else { style }
}

#[cfg(test)]
mod tests {
    use floe_rules::Game as _;
    use floe_rules::flood::Flood;

    use super::*;

    #[test]
    fn wide_boards_fit_a_terminal() {
        for (size, width) in [("39x2", 79), ("40x2", 41), ("50x2", 51)] {
            let setup = size.parse().unwrap();
            let text = board(&Flood::start(&setup, 1).unwrap(), false);
            assert!(text.lines().all(|line| line.len() == width), "{text}");
        }
    }

    #[test]
    fn territories_have_the_colour_they_have_now() {
        let position = Flood::read("S\n#+@\n@*#\n..+\n").unwrap();
        let text = board(&position, true);
        let owned = style(Colour::Dot, true);
        assert!(text.contains(&format!("{owned} J{owned:#}{owned} J{owned:#}")));
        let free = style(Colour::Star, false);
        assert!(text.contains(&format!("{free} *{free:#}")));
    }
}
