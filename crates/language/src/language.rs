//! The languages: how one is chosen, and its plural rule.

use std::fmt;
use std::str::FromStr;

/// A language of texts for players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// The language of the texts themselves.
    #[default]
    English,
    /// Polish.
    Polish,
    /// Romanian.
    Romanian,
}

/// A code of no known language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLanguage(String);

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes = Language::CODES.join(", ");
        write!(f, "unknown language {:?}; choose one of {codes}", self.0)
    }
}

impl std::error::Error for UnknownLanguage {}

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::English, Language::Polish, Language::Romanian];

    /// The language codes, in the same order.
    pub const CODES: [&'static str; 3] = ["en", "pl", "ro"];

    /// The language's code, for options and settings.
    pub const fn code(self) -> &'static str {
        Self::CODES[self as usize]
    }

    /// The language's own name.
    pub const fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Polish => "polski",
            Language::Romanian => "română",
        }
    }

    /// The language of a locale or of a tag, such as `pl_PL.UTF-8` or `ro-RO`.
    ///
    /// ```
    /// use floe_language::Language;
    /// assert_eq!(Language::of_locale("ro_RO.UTF-8"), Some(Language::Romanian));
    /// assert_eq!(Language::of_locale("de_DE"), None);
    /// ```
    pub fn of_locale(locale: &str) -> Option<Self> {
        let code = locale.split(['_', '-', '.', '@']).next()?;
        code.to_ascii_lowercase().parse().ok()
    }

    /// The language in the environment: `LC_ALL`, else `LC_MESSAGES`, else `LANG`. The first
    /// variable that is set decides; English if it names another language.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
        locale
            .and_then(|locale| Self::of_locale(&locale))
            .unwrap_or_default()
    }

    /// Number of plural forms: in Polish and Romanian one, few and many.
    pub const fn forms(self) -> usize {
        match self {
            Language::English => 2,
            Language::Polish | Language::Romanian => 3,
        }
    }

    /// Which of the forms goes with a number.
    ///
    /// ```
    /// use floe_language::Language;
    /// let forms = [1, 3, 12, 22].map(|n| Language::Polish.form(n));
    /// assert_eq!(forms, [0, 1, 2, 1]);
    /// ```
    pub const fn form(self, number: u64) -> usize {
        let (tens, ones) = (number % 100, number % 10);
        match self {
            _ if number == 1 => 0,
            Language::English => 1,
            Language::Polish => match (tens, ones) {
                (12..=14, _) => 2,
                (_, 2..=4) => 1,
                _ => 2,
            },
            Language::Romanian => match (number, tens) {
                (0, _) | (_, 1..=19) => 1,
                _ => 2,
            },
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Self, UnknownLanguage> {
        let found = Self::ALL.into_iter().find(|one| one.code() == code);
        found.ok_or_else(|| UnknownLanguage(code.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let chosen = |set: &[(&str, &str)]| {
            let value = |name: &str| {
                let found = set.iter().find(|(variable, _)| *variable == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            Language::of_environment(value)
        };
        assert_eq!(chosen(&[]), Language::English);
        assert_eq!(chosen(&[("LANG", "pl_PL.UTF-8")]), Language::Polish);
        let both = [("LANG", "pl_PL.UTF-8"), ("LC_ALL", "C.UTF-8")];
        assert_eq!(chosen(&both), Language::English);
        let messages = [("LANG", "en_GB"), ("LC_MESSAGES", "ro"), ("LC_ALL", "")];
        assert_eq!(chosen(&messages), Language::Romanian);
    }

    #[test]
    fn numbers_choose_their_forms() {
        let forms = |language: Language| {
            [0, 1, 2, 5, 12, 19, 20, 21, 22, 101, 102, 112, 120].map(|n| language.form(n))
        };
        assert_eq!(
            forms(Language::English),
            [1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
        );
        assert_eq!(
            forms(Language::Polish),
            [2, 0, 1, 2, 2, 2, 2, 2, 1, 2, 1, 2, 2]
        );
        assert_eq!(
            forms(Language::Romanian),
            [1, 0, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 2]
        );
    }

    #[test]
    fn codes_round_trip() {
        for language in Language::ALL {
            assert_eq!(language.code().parse(), Ok(language));
        }
        let error = "xx".parse::<Language>().unwrap_err().to_string();
        assert!(error.ends_with("choose one of en, pl, ro"), "{error}");
    }
}
