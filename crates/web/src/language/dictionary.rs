//! The scripts' texts, as one asset for each language but English.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use floe_language::Language;
use serde_json::json;

use super::{messages, texts};
use crate::embedded;

/// The file of a language's dictionary.
pub(crate) fn dictionary_file(language: Language) -> Option<&'static str> {
    match language {
        Language::English => None,
        Language::Polish => Some("texts-pl.js"),
        Language::Romanian => Some("texts-ro.js"),
    }
}

/// A dictionary by the name of its file.
pub(crate) fn dictionary(file: &str) -> Option<&'static [u8]> {
    static MADE: LazyLock<BTreeMap<&str, Vec<u8>>> = LazyLock::new(|| {
        let file = |language| Some((dictionary_file(language)?, made(language).into_bytes()));
        Language::ALL.into_iter().filter_map(file).collect()
    });
    MADE.get(file).map(Vec::as_slice)
}

/// `texts` are named in scripts; `said` reach scripts filled in.
fn made(language: Language) -> String {
    let named: BTreeMap<String, &str> = (of_scripts().into_iter())
        .filter_map(|text| {
            let translation = texts().find(language, &text)?;
            Some((text, translation))
        })
        .collect();
    let said: BTreeMap<&str, &str> = [messages(), floe_language::games()]
        .into_iter()
        .flat_map(|catalogue| {
            let known = catalogue.known(language);
            known.filter_map(move |text| Some((text, catalogue.find(language, text)?)))
        })
        .collect();
    let dictionary = json!({ "texts": named, "said": said });
    format!("globalThis.floeTexts = {dictionary};\n")
}

/// Every text in a script: the first argument of `t`, the second of `count`.
pub(super) fn of_scripts() -> Vec<String> {
    let scripts = embedded::scripts();
    let mut found: Vec<String> = (scripts.iter())
        .flat_map(|(_, script)| {
            let counted = arguments(script, "count");
            let named = arguments(script, "t").into_iter().filter_map(first);
            named.chain(counted.into_iter().filter_map(second))
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The text after the opening bracket of every call of a function.
pub(super) fn arguments<'a>(script: &'a str, function: &str) -> Vec<&'a str> {
    let opening = format!("{function}(");
    let calls = script.match_indices(&opening);
    calls
        .filter(|(at, _)| {
            let before = script[..*at].chars().next_back();
            !before.is_some_and(|letter| letter.is_alphanumeric() || "_$.".contains(letter))
        })
        .map(|(at, _)| script[at + opening.len()..].trim_start())
        .collect()
}

/// The string at the start of a list of arguments.
pub(super) fn first(arguments: &str) -> Option<String> {
    let mut literals = serde_json::Deserializer::from_str(arguments).into_iter::<String>();
    literals.next()?.ok()
}

/// The second string of a list of arguments.
pub(super) fn second(arguments: &str) -> Option<String> {
    let mut literals = serde_json::Deserializer::from_str(arguments).into_iter::<String>();
    literals.next()?.ok()?;
    let rest = arguments[literals.byte_offset()..].trim_start();
    first(rest.strip_prefix(',')?.trim_start())
}
