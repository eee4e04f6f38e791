//! What everything looks like: colours for dark and light terminals, strong contrasts, or none.

use std::fmt;
use std::str::FromStr;

use floe_rules::{Cell, Player, Shade};
use ratatui::style::{Color, Modifier, Style};

use crate::palette;

/// A set of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Theme {
    #[default]
    Dark,
    Light,
    Contrast,
    /// No colours at all: bold, faint, underlined and reversed only.
    None,
}

/// What a piece of text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Text,
    /// What matters least.
    Faint,
    /// Headings and names.
    Strong,
    /// News that please.
    Good,
    /// What is refused, and why.
    Bad,
    /// A key to press.
    Key,
    /// Where one is in a list.
    Selected,
    /// The line on top.
    Title,
}

impl Theme {
    pub(crate) const ALL: [Theme; 4] = [Theme::Dark, Theme::Light, Theme::Contrast, Theme::None];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Theme::Dark => "dark",
            Theme::Light => "light",
            Theme::Contrast => "contrast",
            Theme::None => "none",
        }
    }

    /// The one that comes after this one.
    pub(crate) fn next(self) -> Self {
        let at = Self::ALL.iter().position(|&theme| theme == self);
        Self::ALL[(at.unwrap_or(0) + 1) % Self::ALL.len()]
    }

    pub(crate) fn role(self, role: Role) -> Style {
        let plain = Style::new();
        let (dark, light, contrast) = match role {
            Role::Text => (252, 235, 15),
            Role::Faint => (245, 243, 250),
            Role::Strong => (231, 16, 15),
            Role::Good => (114, 28, 46),
            Role::Bad => (210, 160, 213),
            Role::Key => (117, 25, 226),
            Role::Selected => (229, 18, 226),
            Role::Title => (153, 24, 15),
        };
        let colour = match self {
            Theme::Dark => Some(dark),
            Theme::Light => Some(light),
            Theme::Contrast => Some(contrast),
            Theme::None => None,
        };
        let style = colour.map_or(plain, |n| plain.fg(Color::Indexed(n)));
        match role {
            Role::Text => style,
            Role::Faint if self == Theme::None => style.add_modifier(Modifier::DIM),
            Role::Faint => style,
            Role::Selected => style.add_modifier(Modifier::BOLD | Modifier::REVERSED),
            _ => style.add_modifier(Modifier::BOLD),
        }
    }

    /// How a player is shown everywhere.
    pub(crate) fn player(self, player: Player) -> Style {
        const CONTRAST: [(u8, u8); 9] = [
            (226, 16),
            (21, 231),
            (46, 16),
            (201, 16),
            (51, 16),
            (208, 16),
            (231, 16),
            (88, 231),
            (240, 231),
        ];
        let bold = Style::new().add_modifier(Modifier::BOLD);
        match self {
            Theme::None => bold,
            Theme::Contrast => pair(CONTRAST[player.index() % CONTRAST.len()]).patch(bold),
            _ => pair(palette::player_colours(player)).patch(bold),
        }
    }

    /// The colour of a player's lines.
    pub(crate) fn player_line(self, player: Player) -> Style {
        let style = self.player(player);
        match style.bg {
            Some(ground) => Style::new().fg(ground).add_modifier(Modifier::BOLD),
            None => style,
        }
    }

    /// How a field is shown. An owner's colour covers the ground; of a ground without order,
    /// the ink keeps its colour.
    pub(crate) fn cell(self, cell: &Cell) -> Style {
        let ground = match self {
            Theme::None => Style::new(),
            Theme::Contrast => self.contrast_ground(cell.shade),
            _ => pair(palette::ground_colours(cell.shade)),
        };
        match (cell.owner, cell.shade) {
            (Some(owner), Shade::Hue(_)) if self == Theme::Dark || self == Theme::Light => {
                let style = self.player(owner);
                ground.bg.map_or(style, |ink| style.fg(ink))
            }
            (Some(owner), _) => self.player(owner),
            (None, _) => ground,
        }
    }

    fn contrast_ground(self, shade: Shade) -> Style {
        const HUES: [u8; 8] = [217, 120, 228, 117, 180, 147, 231, 86];
        match shade {
            Shade::Void => pair((16, 245)),
            Shade::Hue(n) => pair((16, HUES[usize::from(n) % HUES.len()])),
            Shade::Plain | Shade::Level(_) => pair((231, 16)),
        }
    }
}

fn pair((ground, ink): (u8, u8)) -> Style {
    Style::new()
        .bg(Color::Indexed(ground))
        .fg(Color::Indexed(ink))
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Theme {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let theme = Self::ALL.into_iter().find(|theme| theme.name() == text);
        theme.ok_or_else(|| format!("unknown theme `{text}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_themes_come_around() {
        for theme in Theme::ALL {
            assert_eq!(theme.name().parse(), Ok(theme));
        }
        let mut theme = Theme::Dark;
        for _ in 0..4 {
            theme = theme.next();
        }
        assert_eq!(theme, Theme::Dark);
    }

    #[test]
    fn without_colours_there_are_none() {
        let roles = [Role::Text, Role::Bad, Role::Selected, Role::Faint];
        let mut styles: Vec<Style> = roles.map(|role| Theme::None.role(role)).into();
        styles.push(Theme::None.player(Player::new(3)));
        for style in styles {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }
}
