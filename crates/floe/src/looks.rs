//! Options for drawing, on every command that draws.

use anyhow::Result;

use crate::terminal::{Look, Terminal};
use floe_terminal::Wanted;
use floe_terminal::config::ConfigFile;
use floe_terminal::theme::Theme;

/// The options of a command that draws.
#[derive(clap::Args, Default, Clone)]
pub(crate) struct Looks {
    /// The colours: dark, light, colour-blind, contrast or none; `floe config` remembers them
    #[arg(long, value_name = "NAME", value_parser = Theme::NAMES, display_order = 901)]
    theme: Option<String>,

    /// Draw with plain ASCII characters only
    #[arg(long, display_order = 902)]
    ascii: bool,
}

impl Looks {
    /// The look of standard output.
    pub(crate) fn look(&self, terminal: &Terminal<'_>) -> Result<Look> {
        let config = ConfigFile::find().read()?;
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
    pub(crate) fn wanted(&self, terminal: &Terminal<'_>) -> Result<Wanted> {
        let config = ConfigFile::find().read()?;
        let remembered = config.theme().filter(|_| terminal.look.color);
        Ok(Wanted {
            theme: self.theme()?.or(remembered),
            has_colour: terminal.look.color,
            unicode: terminal.look.unicode && !self.ascii && !config.is_ascii(),
            has_motion: config.has_motion(),
        })
    }

    fn theme(&self) -> Result<Option<Theme>> {
        let theme = self.theme.as_deref().map(str::parse).transpose();
        theme.map_err(anyhow::Error::msg)
    }
}
