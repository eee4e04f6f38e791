//! Players and fields as styles of printed text.

use anstyle::{Ansi256Color, Style};
use floe_rules::{Cell, Player};

use crate::theme::Theme;

fn style((ground, ink): (u8, u8)) -> Style {
    Style::new()
        .bg_color(Some(Ansi256Color(ground).into()))
        .fg_color(Some(Ansi256Color(ink).into()))
}

/// The style of a player everywhere.
pub(crate) fn player(player: Player, theme: Theme) -> Style {
    theme
        .player_colours(player)
        .map_or(Style::new(), style)
        .bold()
}

/// The style of a field.
pub(crate) fn cell(cell: &Cell, theme: Theme) -> Style {
    let style = theme.cell_colours(cell).map_or(Style::new(), style);
    match cell.owner {
        Some(_) => style.bold(),
        None => style,
    }
}
