//! A user's settings, in a file of their own: `config.toml`.
//!
//! The file is in `$FLOE_HOME`, or in `floe` in the folder where the system keeps the settings of
//! programs. Changing one setting leaves all other lines alone, comments too; an unreadable file is
//! never overwritten.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use floe_language::Language;
use serde::Deserialize;
use thiserror::Error;

use crate::output_file::write_whole;
use crate::theme::Theme;

/// The reason why settings cannot be read or changed.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The system names no folder for settings.
    #[error("there is no folder for settings: set FLOE_HOME to a folder that you can write to")]
    NoFolder,
    /// The file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Read {
        /// The settings file.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {cause}", path.display())]
    Write {
        /// The settings file.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// The file has a syntax error.
    #[error("{}:{line}: {message}; correct or remove the file", path.display())]
    Syntax {
        /// The settings file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// The error.
        message: String,
    },
    /// The value is not allowed for the key.
    #[error("{key} cannot be {value}: {}", allowed.join(", "))]
    Value {
        /// The key.
        key: &'static str,
        /// The refused value.
        value: String,
        /// The allowed values.
        allowed: &'static [&'static str],
    },
}

/// A setting.
pub struct Key {
    /// The key's name in the file.
    pub name: &'static str,
    /// The key's values.
    pub values: &'static [&'static str],
    /// The key's default value.
    pub default: &'static str,
    /// The key's effect, for people.
    pub about: &'static str,
}

/// All settings.
pub const KEYS: [Key; 4] = [
    Key {
        name: "theme",
        values: &["auto", "dark", "light", "colour-blind", "contrast", "none"],
        default: "auto",
        about: "the colours; auto asks the terminal whether it is dark or light",
    },
    Key {
        name: "ascii",
        values: &["false", "true"],
        default: "false",
        about: "draw with plain ASCII characters only",
    },
    Key {
        name: "motion",
        values: &["true", "false"],
        default: "true",
        about: "let moves be seen on the full screen as they are made",
    },
    Key {
        name: "language",
        values: &["auto", "en", "pl", "ro"],
        default: "auto",
        about: "the language of texts for players; auto follows LC_ALL, LC_MESSAGES and LANG",
    },
];

/// The settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    theme: Option<String>,
    ascii: Option<bool>,
    motion: Option<bool>,
    language: Option<String>,
}

impl Config {
    /// The theme, unless it should suit the terminal.
    pub fn theme(&self) -> Option<Theme> {
        self.theme.as_ref()?.parse().ok()
    }

    /// Whether only ASCII characters are drawn.
    pub fn is_ascii(&self) -> bool {
        self.ascii.unwrap_or(false)
    }

    /// Whether moves are animated.
    pub fn has_motion(&self) -> bool {
        self.motion.unwrap_or(true)
    }

    /// The language of texts for players, unless the environment decides.
    pub fn language(&self) -> Option<Language> {
        self.language.as_ref()?.parse().ok()
    }

    /// The value of a key, if set.
    pub fn value(&self, key: &Key) -> Option<String> {
        match key.name {
            "theme" => self.theme.clone(),
            "ascii" => self.ascii.map(|is_on| is_on.to_string()),
            "motion" => self.motion.map(|is_on| is_on.to_string()),
            "language" => self.language.clone(),
            _ => None,
        }
    }
}

/// The file.
#[derive(Debug, Clone, Default)]
pub struct ConfigFile {
    path: Option<PathBuf>,
}

impl ConfigFile {
    /// The path of this user's settings.
    pub fn find() -> Self {
        Self::from_variables(|name| env::var_os(name).map(PathBuf::from))
    }

    #[cfg(test)]
    pub(crate) fn at(path: &Path) -> Self {
        ConfigFile {
            path: Some(path.to_owned()),
        }
    }

    fn from_variables(variable: impl Fn(&str) -> Option<PathBuf>) -> Self {
        let set = |name: &str| variable(name).filter(|path| !path.as_os_str().is_empty());
        let absolute = |name: &str| set(name).filter(|path| path.is_absolute());
        let folder = (set("FLOE_HOME"))
            .or_else(|| Some(absolute("XDG_CONFIG_HOME")?.join("floe")))
            .or_else(|| Some(set("APPDATA")?.join("floe")))
            .or_else(|| Some(set("HOME")?.join(".config/floe")));
        ConfigFile {
            path: folder.map(|folder| folder.join("config.toml")),
        }
    }

    /// The path, for people.
    pub fn path(&self) -> Result<&Path, ConfigError> {
        self.path.as_deref().ok_or(ConfigError::NoFolder)
    }

    /// The settings; empty without a file.
    pub fn read(&self) -> Result<Config, ConfigError> {
        match &self.path {
            Some(path) => parse(path, &text(path)?),
            None => Ok(Config::default()),
        }
    }

    /// Sets a key, or forgets it; the file is written whole or not at all.
    pub fn set(&self, key: &Key, value: Option<&str>) -> Result<(), ConfigError> {
        if let Some(value) = value.filter(|value| !key.values.contains(value)) {
            return Err(ConfigError::Value {
                key: key.name,
                value: value.to_owned(),
                allowed: key.values,
            });
        }
        let path = self.path()?;
        let before = text(path)?;
        parse(path, &before)?;
        let line = value.map(|value| match key.name {
            "theme" | "language" => format!("{} = \"{value}\"", key.name),
            _ => format!("{} = {value}", key.name),
        });
        let is_own = |line: &&str| {
            let rest = line.trim_start().strip_prefix(key.name);
            rest.is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        let mut lines: Vec<&str> = before.lines().collect();
        match (lines.iter().position(is_own), &line) {
            (Some(at), Some(line)) => lines[at] = line,
            (Some(at), None) => drop(lines.remove(at)),
            (None, Some(line)) => lines.push(line),
            (None, None) => return Ok(()),
        }
        let after: String = lines.iter().map(|line| format!("{line}\n")).collect();
        parse(path, &after)?;
        write(path, &after).map_err(|cause| ConfigError::Write {
            path: path.to_owned(),
            cause,
        })
    }
}

/// The key of this name.
pub fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

fn text(path: &Path) -> Result<String, ConfigError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        // An unreadable file belongs to another user, as after a change of user.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound
                    | io::ErrorKind::PermissionDenied
                    | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(String::new())
        }
        Err(cause) => Err(ConfigError::Read {
            path: path.to_owned(),
            cause,
        }),
    }
}

fn parse(path: &Path, text: &str) -> Result<Config, ConfigError> {
    let config: Config = toml::from_str(text).map_err(|error| {
        let before = error.span().map_or("", |span| &text[..span.start]);
        let line = before.matches('\n').count() + 1;
        ConfigError::Syntax {
            path: path.to_owned(),
            line,
            message: error.message().to_owned(),
        }
    })?;
    for (key, value) in [(&KEYS[0], &config.theme), (&KEYS[3], &config.language)] {
        let is_known = |value: &String| key.values.contains(&value.as_str());
        if let Some(value) = value.as_ref().filter(|value| !is_known(value)) {
            let at = text.lines().position(|line| line.contains(value.as_str()));
            let (name, values) = (key.name, key.values.join(", "));
            return Err(ConfigError::Syntax {
                path: path.to_owned(),
                line: at.map_or(1, |at| at + 1),
                message: format!("{name} cannot be {value}: {values}"),
            });
        }
    }
    Ok(config)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    write_whole(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &Path) -> ConfigFile {
        ConfigFile::at(&folder.join("floe/config.toml"))
    }

    #[test]
    fn what_is_set_is_found_again_and_comments_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        assert_eq!(file.read().unwrap(), Config::default());
        file.set(key("ascii").unwrap(), Some("true")).unwrap();
        let path = file.path().unwrap();
        let text = fs::read_to_string(path).unwrap();
        fs::write(path, format!("# mine\n{text}")).unwrap();
        file.set(key("theme").unwrap(), Some("light")).unwrap();
        file.set(key("ascii").unwrap(), Some("false")).unwrap();
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(text, "# mine\nascii = false\ntheme = \"light\"\n");
        let config = file.read().unwrap();
        assert_eq!(
            (config.theme(), config.is_ascii()),
            (Some(Theme::Light), false)
        );
        file.set(key("theme").unwrap(), None).unwrap();
        assert_eq!(file.read().unwrap().theme(), None);
        assert!(file.set(key("ascii").unwrap(), Some("maybe")).is_err());
    }

    #[test]
    fn a_file_that_cannot_be_read_is_told_by_its_line_and_never_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        let path = file.path().unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        for (text, words) in [
            (
                "ascii = true\nthem = \"dark\"\n",
                "config.toml:2: unknown field `them`",
            ),
            ("theme = pink\n", "config.toml:1: "),
            ("theme = \"pink\"\n", "theme cannot be pink: auto, dark"),
            ("ascii = 3\n", "config.toml:1: "),
        ] {
            fs::write(path, text).unwrap();
            let error = file.read().unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
            assert!(file.set(key("ascii").unwrap(), Some("true")).is_err());
            assert_eq!(fs::read_to_string(path).unwrap(), text);
        }
    }

    #[test]
    fn the_file_is_in_the_first_folder_that_is_named() {
        let path = |set: &[(&str, &str)]| {
            let value = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| v.into());
            ConfigFile::from_variables(value).path
        };
        assert_eq!(path(&[]), None);
        let home = ("HOME", "/a");
        assert_eq!(path(&[home]), Some("/a/.config/floe/config.toml".into()));
        let config = [home, ("XDG_CONFIG_HOME", "/b")];
        assert_eq!(path(&config), Some("/b/floe/config.toml".into()));
        let floe = [home, ("FLOE_HOME", "/c")];
        assert_eq!(path(&floe), Some("/c/config.toml".into()));
    }

    #[test]
    fn every_theme_and_language_can_be_set() {
        assert_eq!(KEYS[0].values[1..], Theme::NAMES);
        assert_eq!(KEYS[3].values[1..], Language::CODES);
    }
}
