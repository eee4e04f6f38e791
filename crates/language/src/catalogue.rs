//! Translations, by their English texts.

use std::collections::HashMap;
use std::fmt::Display;

use crate::Language;

/// The values of a text's placeholders, by name.
pub type Values<'a> = &'a [(&'a str, &'a dyn Display)];

/// The translations of a set of texts.
#[derive(Debug, Default)]
pub struct Catalogue {
    languages: Vec<(Language, Translations)>,
}

/// The translations into one language.
#[derive(Debug, Default)]
struct Translations {
    /// Translations by English text.
    texts: HashMap<&'static str, &'static str>,
    /// English texts with placeholders, to find in filled-in texts; the longest first.
    patterns: Vec<&'static str>,
}

impl Catalogue {
    /// Reads files of translations: lines `English = translation`; blank lines, lines starting with
    /// `#`, and lines without ` = ` are skipped.
    pub fn new(files: &[(Language, &'static str)]) -> Self {
        let read = |&(language, file): &(Language, &'static str)| {
            let lines = file.lines().filter(|line| !line.starts_with('#'));
            let pairs = lines.filter_map(|line| line.split_once(" = "));
            let texts: HashMap<_, _> = pairs.map(|(a, b)| (a.trim(), b.trim())).collect();
            let mut patterns: Vec<_> = texts.keys().copied().filter(|t| t.contains('{')).collect();
            let literal = |text: &str| parts(text).iter().map(|part| part.0.len()).sum::<usize>();
            patterns.sort_by_key(|text| (std::cmp::Reverse(literal(text)), *text));
            (language, Translations { texts, patterns })
        };
        Catalogue {
            languages: files.iter().map(read).collect(),
        }
    }

    fn of(&self, language: Language) -> Option<&Translations> {
        let found = self.languages.iter().find(|(one, _)| *one == language);
        found.map(|(_, translations)| translations)
    }

    /// The translation of an English text, exactly as in its file, if there is one.
    pub fn find(&self, language: Language, english: &str) -> Option<&'static str> {
        self.of(language)?.texts.get(english).copied()
    }

    /// Every English text that has a translation.
    pub fn known(&self, language: Language) -> impl Iterator<Item = &'static str> + '_ {
        let texts = self.of(language).into_iter();
        texts.flat_map(|translations| translations.texts.keys().copied())
    }

    /// A text in a language, filled in.
    pub fn text(&self, language: Language, english: &str, values: Values<'_>) -> String {
        let text = self.find(language, english).unwrap_or(english);
        fill(text, values)
    }

    /// The text for `n` things, named by its two English forms.
    pub fn count(
        &self,
        language: Language,
        one: &str,
        other: &str,
        n: u64,
        values: Values<'_>,
    ) -> String {
        let form = match self.find(language, other) {
            Some(forms) => form(forms, language.form(n)),
            None if n == 1 => one,
            None => other,
        };
        let mut all: Vec<(&str, &dyn Display)> = vec![("n", &n)];
        all.extend_from_slice(values);
        fill(form, &all)
    }

    /// The translation of a text that is filled in already. Of several that fit, the one with the
    /// most letters of its own; the text itself if none fits.
    ///
    /// The number for `{n}` chooses the form. A value is translated too if it is a text of its own.
    pub fn translate(&self, language: Language, filled: &str) -> String {
        let Some(translations) = self.of(language) else {
            return filled.to_owned();
        };
        if let Some(text) = translations.texts.get(filled) {
            return form(text, 0).to_owned();
        }
        let fitting = |pattern: &&'static str| Some((*pattern, fit(pattern, filled)?));
        let Some((pattern, found)) = translations.patterns.iter().find_map(fitting) else {
            return filled.to_owned();
        };
        let number = found.iter().find(|(name, _)| *name == "n");
        let number = number.and_then(|(_, value)| value.parse().ok());
        let text = form(
            translations.texts[pattern],
            number.map_or(0, |n| language.form(n)),
        );
        let value = |value: &str| {
            let own = translations.texts.get(value);
            own.map_or(value, |own| form(own, 0)).to_owned()
        };
        let values: Vec<(&str, String)> = (found.into_iter())
            .map(|(name, text)| (name, value(text)))
            .collect();
        let values: Vec<(&str, &dyn Display)> = (values.iter())
            .map(|(name, text)| (*name, text as &dyn Display))
            .collect();
        fill(text, &values)
    }
}

/// One of the forms between `|`; the last form if there are fewer.
fn form(forms: &str, index: usize) -> &str {
    let found = forms.split(" | ").nth(index);
    found.or_else(|| forms.split(" | ").last()).unwrap_or(forms)
}

/// The text before each placeholder and its name; at last the rest, with an empty name.
fn parts(text: &str) -> Vec<(&str, &str)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{')
        && let Some((name, end)) = after.split_once('}')
    {
        parts.push((before, name));
        rest = end;
    }
    parts.push((rest, ""));
    parts
}

/// The names of a text's placeholders, in order of the alphabet and each once.
pub fn placeholders(text: &str) -> Vec<&str> {
    let names = parts(text).into_iter().map(|(_, name)| name);
    let mut names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn fill(text: &str, values: Values<'_>) -> String {
    let mut filled = String::new();
    for (before, name) in parts(text) {
        filled.push_str(before);
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => filled.push_str(&value.to_string()),
            None if name.is_empty() => {}
            None => filled.push_str(&format!("{{{name}}}")),
        }
    }
    filled
}

/// The values of a pattern's placeholders in a text, if the text fits.
fn fit<'a>(pattern: &'static str, text: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let mut found = Vec::new();
    let all = parts(pattern);
    let (first, name) = all[0];
    let mut rest = text.strip_prefix(first)?;
    let mut open = name;
    for &(before, name) in &all[1..] {
        let end = match (before, name) {
            ("", "") => rest.len(),
            // The last part ends the text.
            (before, "") => rest.strip_suffix(before)?.len(),
            (before, _) => rest.find(before)?,
        };
        let value = &rest[..end];
        let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
        if value.is_empty() || (open == "n" && !is_number) {
            return None;
        }
        found.push((open, value));
        rest = &rest[end + before.len()..];
        open = name;
    }
    rest.is_empty().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLISH: &str = "\
# A comment = not a text
quit = wyjdź
{n} fish are left = została {n} ryba | zostały {n} ryby | zostało {n} ryb
{at} is {what} = {at}: {what}
water = woda
";

    fn texts() -> Catalogue {
        Catalogue::new(&[(Language::Polish, POLISH)])
    }

    #[test]
    fn a_text_without_a_translation_stays_english() {
        let texts = texts();
        assert_eq!(texts.text(Language::Polish, "quit", &[]), "wyjdź");
        assert_eq!(texts.text(Language::Polish, "save", &[]), "save");
        assert_eq!(texts.text(Language::English, "quit", &[]), "quit");
        let values: Values<'_> = &[("at", &"b7")];
        let text = texts.text(Language::English, "{at} and {what}", values);
        assert_eq!(text, "b7 and {what}");
    }

    #[test]
    fn filled_texts_are_found_by_their_patterns() {
        let texts = texts();
        let polish = |text: &str| texts.translate(Language::Polish, text);
        assert_eq!(polish("1 fish are left"), "została 1 ryba");
        assert_eq!(polish("23 fish are left"), "zostały 23 ryby");
        assert_eq!(polish("many fish are left"), "many fish are left");
        assert_eq!(polish("b7 is water"), "b7: woda");
        assert_eq!(polish("b7 is taken"), "b7: taken");
        assert_eq!(polish("quit"), "wyjdź");
        assert_eq!(polish("something else"), "something else");
        assert_eq!(texts.translate(Language::Romanian, "quit"), "quit");
    }

    #[test]
    fn placeholders_are_named() {
        assert_eq!(placeholders("{b} or {a} or {b}"), ["a", "b"]);
        assert!(placeholders("none").is_empty());
    }
}
