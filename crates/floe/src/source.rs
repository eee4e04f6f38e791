//! Input texts of commands: files, or standard input.

use std::io::Read;
use std::path::Path;
use std::{fs, io};

use anyhow::{Context, Result, anyhow, bail};
use floe_games::{AnyGame, AnyPosition, StartError};
use floe_rules::{ParseError, Report, text};

/// The seed of a starting position.
#[derive(clap::Args)]
pub(crate) struct StartSeed {
    /// Seed of the start
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    pub(crate) seed: u64,
}

/// A text with its name for messages.
pub(crate) struct NamedText {
    pub(crate) name: String,
    bytes: Vec<u8>,
}

impl NamedText {
    /// Reads a file whole; `-` is standard input.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let mut source = NamedText {
            name: path.display().to_string(),
            bytes: Vec::new(),
        };
        if path == Path::new("-") {
            source.name = "<stdin>".to_owned();
            io::stdin().lock().read_to_end(&mut source.bytes)?;
        } else {
            source.bytes = fs::read(path)?;
        }
        Ok(source)
    }

    /// Reads a position and collects all errors.
    pub(crate) fn parse(
        &self,
        game: &'static dyn AnyGame,
        report: &mut Report,
    ) -> Option<Box<dyn AnyPosition>> {
        match text::decode(&self.bytes) {
            Ok(text) => game.parse(text, report),
            Err(error) => {
                report.error(error);
                None
            }
        }
    }

    /// Adds settings of a setup that the text leaves open.
    fn complete(&mut self, game: &'static dyn AnyGame, words: &str) -> Result<()> {
        // Text that cannot be decoded is reported when it is parsed.
        if let Ok(text) = text::decode(&self.bytes) {
            let completed = game.complete(text, words);
            let completed = completed.map_err(|cause| anyhow!("{}: {cause}", self.name))?;
            self.bytes = completed.into_bytes();
        }
        Ok(())
    }

    /// An error in this text, with the line it is on.
    pub(crate) fn explain(&self, error: &ParseError) -> String {
        text::explain(error, &self.name, &String::from_utf8_lossy(&self.bytes))
    }
}

/// The position in a file, or an error that shows the first wrong place.
pub(crate) fn position(game: &'static dyn AnyGame, path: &Path) -> Result<Box<dyn AnyPosition>> {
    completed_position(game, path, "")
}

/// The position in a file; these settings of a setup add what the file leaves open.
pub(crate) fn completed_position(
    game: &'static dyn AnyGame,
    path: &Path,
    words: &str,
) -> Result<Box<dyn AnyPosition>> {
    let mut source =
        NamedText::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    if !words.trim().is_empty() {
        source.complete(game, words)?;
    }
    let mut report = Report::new();
    if let Some(position) = source.parse(game, &mut report) {
        return Ok(position);
    }
    match report.into_first_error() {
        Some(error) => bail!("{}", source.explain(&error).trim_end()),
        None => bail!("{}: unreadable", source.name),
    }
}

/// The starting position of a setup, or an error that shows what is wrong with the setup.
pub(crate) fn start(
    game: &'static dyn AnyGame,
    setup: &str,
    seed: u64,
) -> Result<Box<dyn AnyPosition>> {
    match game.start(setup, seed) {
        Ok(position) => Ok(position),
        Err(StartError::Unreadable(error)) => {
            bail!("{}", text::explain(&error, "setup", setup).trim_end())
        }
        Err(StartError::Impossible(error)) if error.help().is_empty() => bail!("{error}"),
        Err(StartError::Impossible(error)) => bail!("{error}\n  = {}", error.help()),
    }
}
