//! Themes: colours for dark and light terminals, for colour-blind users, strong contrasts, or none.
//!
//! Colour alone never carries a meaning: every mark and every seat has a sign of its own.

use std::fmt;
use std::str::FromStr;

use floe_rules::{Cell, Player, Shade};
use ratatui::style::{Color, Modifier, Style};

use crate::colours;

/// A set of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// For dark terminals.
    #[default]
    Dark,
    /// For light terminals.
    Light,
    /// Colours that do not rely on red and green.
    ColourBlind,
    /// Strong contrast.
    Contrast,
    /// No colours at all: bold, faint, underlined and reversed only.
    None,
}

/// The role of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Ordinary text.
    Text,
    /// The least important text.
    Faint,
    /// Headings and names.
    Strong,
    /// Good news.
    Good,
    /// Errors and refusals.
    Bad,
    /// A key to press.
    Key,
    /// The selected line of a list.
    Selected,
    /// The line on top.
    Title,
    /// Marks on the board: cursor, targets, hints.
    Mark,
}

/// Players on dark ground.
const DARK_PLAYERS: [u8; 12] = [203, 75, 221, 177, 80, 215, 155, 218, 250, 116, 180, 141];
/// Players on light ground.
const LIGHT_PLAYERS: [u8; 12] = [124, 26, 94, 91, 23, 130, 22, 126, 240, 60, 58, 53];

/// Text on dark ground, on light ground, on the darkest.
type Inks = (u8, u8, u8);

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 5] = [
        Theme::Dark,
        Theme::Light,
        Theme::ColourBlind,
        Theme::Contrast,
        Theme::None,
    ];

    /// The themes' names.
    pub const NAMES: [&'static str; 5] = ["dark", "light", "colour-blind", "contrast", "none"];

    /// The name for options and settings.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The next theme.
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// Foreground and background of every cell without its own colours, unless the theme has none:
    /// so a theme is readable on any terminal.
    pub const fn base(self) -> Option<(Color, Color)> {
        match self {
            Theme::Dark | Theme::ColourBlind => Some((Color::Indexed(234), Color::Indexed(255))),
            Theme::Light => Some((Color::Indexed(255), Color::Indexed(234))),
            Theme::Contrast => Some((Color::Indexed(16), Color::Indexed(15))),
            Theme::None => None,
        }
    }

    /// The style of a role.
    pub fn role(self, role: Role) -> Style {
        let plain = Style::new();
        let (dark, light, contrast): Inks = match role {
            Role::Text => (255, 234, 15),
            Role::Faint => (248, 240, 250),
            Role::Strong => (231, 16, 15),
            Role::Good => (114, 22, 46),
            Role::Bad => (217, 88, 213),
            Role::Key | Role::Selected | Role::Title => (81, 24, 46),
            Role::Mark => (220, 94, 226),
        };
        let colour = match (self, role) {
            (Theme::Dark, _) => Some(dark),
            (Theme::ColourBlind, Role::Good) => Some(117),
            (Theme::ColourBlind, Role::Bad) => Some(215),
            (Theme::ColourBlind, _) => Some(dark),
            (Theme::Light, _) => Some(light),
            (Theme::Contrast, _) => Some(contrast),
            (Theme::None, _) => None,
        };
        let style = colour.map_or(plain, |n| plain.fg(Color::Indexed(n)));
        match role {
            Role::Text | Role::Mark => style,
            Role::Faint if self == Theme::None => style.add_modifier(Modifier::DIM),
            Role::Faint => style,
            Role::Selected => style.add_modifier(Modifier::BOLD | Modifier::REVERSED),
            _ => style.add_modifier(Modifier::BOLD),
        }
    }

    /// The style of free squares that cannot be used. Only a theme without colours has the
    /// terminal's own faint text, which terminals draw in half the colour.
    pub fn dimmed(self) -> Style {
        self.role(Role::Faint)
    }

    /// The ink on coloured grounds.
    pub(crate) fn ink(self) -> Color {
        Color::Indexed(16)
    }

    /// The colour of a frame on the screen's background, around this ground.
    pub(crate) fn on_ground(self, ground: Color) -> Color {
        match (self, self.role(Role::Faint).fg) {
            (Theme::Light, Some(faint)) => faint,
            _ => ground,
        }
    }

    /// The colour of free squares without their own ground, in half blocks.
    pub(crate) fn free_ground(self) -> Option<Color> {
        match self {
            Theme::None => None,
            Theme::Light => Some(Color::Indexed(252)),
            Theme::Dark | Theme::ColourBlind | Theme::Contrast => Some(Color::Indexed(238)),
        }
    }

    /// The style of a player's pieces and labels on a screen.
    pub fn player(self, player: Player) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let own = |colours: &[u8]| colours[player.index() % colours.len()];
        let colours = match self {
            Theme::Dark => Some((own(&DARK_PLAYERS), 16)),
            Theme::Light => Some((own(&LIGHT_PLAYERS), 231)),
            _ => self.player_colours(player),
        };
        colours.map_or(bold, pair).patch(bold)
    }

    /// Background and foreground of a player in printed pictures, if there are colours.
    pub fn player_colours(self, player: Player) -> Option<(u8, u8)> {
        const CONTRAST: [(u8, u8); 9] = [
            (226, 16),
            (51, 16),
            (46, 16),
            (201, 16),
            (208, 16),
            (231, 16),
            (213, 16),
            (159, 16),
            (250, 16),
        ];
        // Colours that differ as much in lightness as in hue.
        const COLOUR_BLIND: [(u8, u8); 9] = [
            (75, 16),  // blue
            (214, 16), // orange
            (231, 16), // white
            (141, 16), // violet
            (80, 16),  // sky
            (173, 16), // rust
            (227, 16), // yellow
            (37, 16),  // teal
            (244, 16), // grey
        ];
        let own = |colours: &[(u8, u8)]| colours[player.index() % colours.len()];
        match self {
            Theme::None => None,
            Theme::Contrast => Some(own(&CONTRAST)),
            Theme::ColourBlind => Some(own(&COLOUR_BLIND)),
            Theme::Dark | Theme::Light => Some(colours::player_colours(player)),
        }
    }

    /// The colour of a player's lines.
    pub fn player_line(self, player: Player) -> Style {
        let style = self.player(player);
        match style.bg {
            Some(ground) => Style::new().fg(ground).add_modifier(Modifier::BOLD),
            None => style,
        }
    }

    /// The style of a square's content on a screen: pieces in their owners' colours, ice and floods
    /// on their own backgrounds, everything else on the screen's background.
    pub fn cell(self, cell: &Cell) -> Style {
        let bold = Modifier::BOLD;
        let style = match (cell.shade, cell.owner) {
            (Shade::Hue(hue), _) => self.hue(hue).map_or(Style::new(), pair),
            (_, Some(owner)) => return self.player(owner),
            (Shade::Level(level), None) => self.level(level).map_or(Style::new(), pair),
            (Shade::Plain | Shade::Void, None) => self.role(Role::Faint),
        };
        match cell.owner {
            Some(_) => style.add_modifier(bold),
            None => style,
        }
    }

    /// Background and foreground of a quantity.
    fn level(self, level: u8) -> Option<(u8, u8)> {
        let index = usize::from(level).clamp(1, 4) - 1;
        match self {
            Theme::None => None,
            Theme::Contrast => Some((231, 16)),
            Theme::Light => Some(([231, 255, 152, 117][index], 23)),
            Theme::Dark | Theme::ColourBlind => Some(([255, 189, 152, 117][index], 23)),
        }
    }

    /// Ground and ink of kinds without order.
    fn hue(self, hue: u8) -> Option<(u8, u8)> {
        let index = usize::from(hue) % 8;
        match self {
            Theme::None => None,
            Theme::Contrast => Some(contrast_ground(Shade::Hue(hue))),
            Theme::ColourBlind => Some(colour_blind_ground(Shade::Hue(hue))),
            Theme::Light => Some(([169, 71, 215, 74, 167, 141, 250, 79][index], 16)),
            Theme::Dark => Some(([175, 71, 179, 74, 167, 141, 250, 79][index], 16)),
        }
    }

    /// Foreground and background of a field in printed pictures, if there are colours. An owner's
    /// colour covers the ground; for unordered kinds, the foreground keeps the kind's colour.
    pub fn cell_colours(self, cell: &Cell) -> Option<(u8, u8)> {
        let ground = match self {
            Theme::None => return None,
            Theme::Contrast => contrast_ground(cell.shade),
            Theme::ColourBlind => colour_blind_ground(cell.shade),
            Theme::Dark | Theme::Light => colours::ground_colours(cell.shade),
        };
        let Some(owner) = cell.owner else {
            return Some(ground);
        };
        let (cover, ink) = self.player_colours(owner)?;
        match (cell.shade, self) {
            (Shade::Hue(_), Theme::Dark | Theme::Light) => Some((cover, ground.0)),
            _ => Some((cover, ink)),
        }
    }
}

fn contrast_ground(shade: Shade) -> (u8, u8) {
    const HUES: [u8; 8] = [217, 120, 228, 117, 180, 147, 231, 86];
    match shade {
        Shade::Void => (16, 245),
        Shade::Hue(n) => (16, HUES[usize::from(n) % HUES.len()]),
        Shade::Plain | Shade::Level(_) => (231, 16),
    }
}

fn colour_blind_ground(shade: Shade) -> (u8, u8) {
    // From light to dark, alternating blue and yellow.
    const HUES: [(u8, u8); 8] = [
        (230, 94),
        (153, 18),
        (222, 58),
        (110, 16),
        (179, 16),
        (189, 54),
        (252, 238),
        (180, 16),
    ];
    match shade {
        Shade::Hue(n) => HUES[usize::from(n) % HUES.len()],
        shade => colours::ground_colours(shade),
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
        theme.ok_or_else(|| format!("there is no theme {text}: {}", Self::NAMES.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use floe_rules::Prospect;

    use super::*;
    use crate::tests::contrast;

    #[test]
    fn names_round_trip_and_themes_come_around() {
        for theme in Theme::ALL {
            assert_eq!(theme.name().parse(), Ok(theme));
        }
        let around = Theme::ALL.iter().fold(Theme::Dark, |theme, _| theme.next());
        assert_eq!(around, Theme::Dark);
        assert!("pink".parse::<Theme>().is_err());
    }

    #[test]
    fn without_colours_there_are_none() {
        let roles = [Role::Text, Role::Bad, Role::Selected, Role::Faint];
        let mut styles: Vec<Style> = roles.map(|role| Theme::None.role(role)).into();
        styles.push(Theme::None.player(Player::new(3)));
        styles.push(Theme::None.dimmed());
        for style in styles {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }

    fn of(style: Style) -> f64 {
        contrast(style.fg.unwrap(), style.bg.unwrap())
    }

    #[test]
    fn marks_and_text_have_contrast_enough() {
        let coloured = Theme::ALL.into_iter().filter(|&theme| theme != Theme::None);
        for theme in coloured {
            let (ground, ink) = theme.base().unwrap();
            assert!(contrast(ground, ink) >= 7.0, "{theme}");
            let roles = [
                Role::Text,
                Role::Faint,
                Role::Strong,
                Role::Good,
                Role::Bad,
                Role::Key,
                Role::Selected,
                Role::Title,
                Role::Mark,
            ];
            for role in roles {
                let found = contrast(theme.role(role).fg.unwrap(), ground);
                assert!(found >= 4.5, "{theme} {role:?}: {found:.1}");
            }
            for player in Player::all(12) {
                let found = of(theme.player(player));
                assert!(found >= 3.0, "{theme} player {player}: {found:.1}");
                let line = theme.player_line(player).fg.unwrap();
                let found = contrast(line, ground);
                assert!(found >= 3.0, "{theme} lines of {player}: {found:.1}");
            }
            let levels = (1..=5).map(Shade::Level);
            let hues = (0..8).map(Shade::Hue);
            for shade in levels.chain(hues) {
                let cell = Cell {
                    owner: None,
                    glyph: '1',
                    shade,
                    prospect: Prospect::Open,
                };
                let found = of(theme.cell(&cell));
                assert!(found >= 4.5, "{theme} {shade:?}: {found:.1}");
            }
        }
    }
}
