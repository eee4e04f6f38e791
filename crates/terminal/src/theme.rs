//! Themes: colours for dark and light terminals, for colour-blind users, strong contrasts, or none.
//!
//! Colour alone never carries a meaning: every mark has a sign of its own ([`Accent::signs`]), and
//! its colour comes with a ground of its own, so that it is visible on every field.

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
    /// Colours that differ without red and green.
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
    /// News that please.
    Good,
    /// Errors and refusals.
    Bad,
    /// A key to press.
    Key,
    /// Where one is in a list.
    Selected,
    /// The line on top.
    Title,
}

/// The reason why a field stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accent {
    /// The cursor is on it.
    Cursor,
    /// The last move changed it.
    Last,
    /// A piece stands there that can be picked up.
    Movable,
    /// A move can be made here.
    Target,
    /// The hint speaks of it.
    Hint,
    /// The piece that is picked up stands there.
    Lifted,
}

impl Accent {
    #[cfg(test)]
    const ALL: [Accent; 6] = [
        Accent::Cursor,
        Accent::Last,
        Accent::Movable,
        Accent::Target,
        Accent::Hint,
        Accent::Lifted,
    ];

    /// The signs on both sides of the field's content.
    pub const fn signs(self) -> (char, char) {
        match self {
            Accent::Cursor => ('>', '<'),
            Accent::Last => (':', ':'),
            Accent::Movable => ('(', ')'),
            Accent::Target => ('[', ']'),
            Accent::Hint => ('!', '!'),
            Accent::Lifted => ('<', '>'),
        }
    }
}

/// Text on dark ground, on light ground, on the darkest.
type Inks = (u8, u8, u8);

impl Theme {
    /// All of them.
    pub const ALL: [Theme; 5] = [
        Theme::Dark,
        Theme::Light,
        Theme::ColourBlind,
        Theme::Contrast,
        Theme::None,
    ];

    /// The words for them.
    pub const NAMES: [&'static str; 5] = ["dark", "light", "colour-blind", "contrast", "none"];

    /// The name, as options and settings have it.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The one that comes after this one.
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// Ground and ink of every cell that has no colours of its own, if there are colours at all: a
    /// theme is as readable on a terminal of another colour.
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
            Role::Key | Role::Selected | Role::Title => (81, 24, 226),
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
            Role::Text => style,
            Role::Faint if self == Theme::None => style.add_modifier(Modifier::DIM),
            Role::Faint => style,
            Role::Selected => style.add_modifier(Modifier::BOLD | Modifier::REVERSED),
            _ => style.add_modifier(Modifier::BOLD),
        }
    }

    /// The style of a marked field's signs, on a ground of their own.
    pub fn accent(self, accent: Accent) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let colours = match (self, accent) {
            (Theme::None, Accent::Cursor) => return bold.add_modifier(Modifier::REVERSED),
            (Theme::None, Accent::Last) => return bold.add_modifier(Modifier::UNDERLINED),
            (Theme::None, _) => return bold,
            (Theme::Light, Accent::Cursor) => (16, 231),
            (_, Accent::Cursor) => (231, 16),
            (Theme::ColourBlind, Accent::Target | Accent::Movable) => (25, 231),
            (_, Accent::Target | Accent::Movable) => (22, 231),
            (_, Accent::Lifted) => (53, 231),
            (_, Accent::Hint) => (226, 16),
            (_, Accent::Last) => (238, 231),
        };
        pair(colours).patch(bold)
    }

    /// The style of a player everywhere.
    pub fn player(self, player: Player) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        self.player_colours(player).map_or(bold, pair).patch(bold)
    }

    /// Ground and ink of a player, if there are colours.
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
        // As different in lightness as in hue.
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

    /// The style of a field.
    pub fn cell(self, cell: &Cell) -> Style {
        let style = self.cell_colours(cell).map_or(Style::new(), pair);
        match cell.owner {
            Some(_) => style.add_modifier(Modifier::BOLD),
            None => style,
        }
    }

    /// Ground and ink of a field, if there are colours. An owner's colour covers the ground; of
    /// a ground without order, the ink keeps its colour.
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
    // From light to dark, blue and yellow in turn.
    const HUES: [(u8, u8); 8] = [
        (230, 94),
        (153, 18),
        (222, 94),
        (110, 16),
        (179, 16),
        (189, 60),
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
        styles.extend(Accent::ALL.map(|accent| Theme::None.accent(accent)));
        for style in styles {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }

    #[test]
    fn every_mark_has_signs_of_its_own() {
        let mut signs = Accent::ALL.map(Accent::signs).to_vec();
        signs.sort_unstable();
        signs.dedup();
        assert_eq!(signs.len(), Accent::ALL.len());
    }

    fn of(style: Style) -> f64 {
        contrast(style.fg.unwrap(), style.bg.unwrap())
    }

    #[test]
    fn marks_and_text_have_contrast_enough() {
        let coloured = Theme::ALL.into_iter().filter(|&theme| theme != Theme::None);
        for theme in coloured {
            for accent in Accent::ALL {
                let found = of(theme.accent(accent));
                assert!(found >= 4.5, "{theme} {accent:?}: {found:.1}");
            }
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
            ];
            for role in roles {
                let found = contrast(theme.role(role).fg.unwrap(), ground);
                assert!(found >= 4.5, "{theme} {role:?}: {found:.1}");
            }
            for player in Player::all(12) {
                let found = of(theme.player(player));
                assert!(found >= 3.0, "{theme} player {player}: {found:.1}");
            }
            let levels = (1..=5).map(Shade::Level);
            let hues = (0..8).map(Shade::Hue);
            for shade in levels.chain(hues).chain([Shade::Plain]) {
                let cell = Cell {
                    owner: None,
                    glyph: '1',
                    shade,
                    prospect: Prospect::Open,
                };
                let found = of(theme.cell(&cell));
                assert!(found >= 3.0, "{theme} {shade:?}: {found:.1}");
            }
        }
    }
}
