//! Options for drawing, on every command that draws.

use anyhow::Result;

use crate::terminal::{Look, Terminal};
use floe_terminal::config::{Config, ConfigFile};
use floe_terminal::theme::Theme;
use floe_terminal::{DisplayOptions, Language};

/// The options of a command that draws.
#[derive(clap::Args, Default, Clone)]
pub(crate) struct Looks {
    /// The colours: dark, light, colour-blind, contrast or none; `floe config` remembers them
    #[arg(long, value_name = "NAME", value_parser = Theme::NAMES, display_order = 901)]
    theme: Option<String>,

    /// Draw with plain ASCII characters only
    #[arg(long, display_order = 902)]
    ascii: bool,

    /// The language of texts for players: en, pl or ro [default: that of the locale]
    #[arg(long, value_name = "CODE", value_parser = Language::CODES, display_order = 903)]
    language: Option<String>,
}

impl Looks {
    /// The look of standard output.
    pub(crate) fn look(&self, terminal: &Terminal<'_>) -> Result<Look> {
        let config = ConfigFile::find().read()?;
        self.speak(&config)?;
        let asked = self.theme()?;
        let theme = asked.or(config.theme()).unwrap_or_default();
        Ok(Look {
            color: terminal.look.color && theme != Theme::None,
            unicode: terminal.look.unicode && !self.ascii && !config.is_ascii(),
            theme,
            ..terminal.look
        })
    }

    /// The options of a full screen.
    pub(crate) fn display_options(&self, terminal: &Terminal<'_>) -> Result<DisplayOptions> {
        let config = ConfigFile::find().read()?;
        self.speak(&config)?;
        let remembered = config.theme().filter(|_| terminal.look.color);
        Ok(DisplayOptions {
            theme: self.theme()?.or(remembered),
            has_colour: terminal.look.color,
            unicode: terminal.look.unicode && !self.ascii && !config.is_ascii(),
            has_motion: config.has_motion(),
        })
    }

    /// Sets the language of texts for players: that of the option, the setting, or the locale.
    fn speak(&self, config: &Config) -> Result<()> {
        let asked = self.language.as_deref().map(str::parse).transpose()?;
        let environment = || Language::of_environment(|name| std::env::var(name).ok());
        let language = asked.or(config.language()).unwrap_or_else(environment);
        floe_terminal::set_language(language);
        Ok(())
    }

    fn theme(&self) -> Result<Option<Theme>> {
        let theme = self.theme.as_deref().map(str::parse).transpose();
        theme.map_err(anyhow::Error::msg)
    }
}
