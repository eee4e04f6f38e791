//! The capabilities of an output, and the styles of printed text.

use anstyle::{AnsiColor, Style};

use crate::theme::Theme;

/// Errors.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Good news.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Warnings and remarks.
pub const REMARK: Style = AnsiColor::Yellow.on_default().bold();
/// Headings and names.
pub const STRONG: Style = Style::new().bold();
/// Commands to type.
pub const COMMAND: Style = AnsiColor::Cyan.on_default();
/// Details.
pub const FAINT: Style = Style::new().dimmed();

/// The capabilities of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether colours are shown.
    pub color: bool,
    /// Whether characters beyond ASCII are shown.
    pub unicode: bool,
    /// The terminal's width in characters; `None` for a file or pipe, where lines may have any
    /// length.
    pub columns: Option<usize>,
    /// The colours to use.
    pub theme: Theme,
}

impl Look {
    /// The width of text: the terminal's, or a page's.
    #[must_use]
    pub fn page(self) -> usize {
        const PAGE: usize = 100;
        self.columns.unwrap_or(PAGE)
    }
}
