use serde::Deserialize;
use toml::Spanned;

use super::{Wrong, wrong};
use crate::amount::{mebibytes, milliseconds};
use floe_games::record::MoveLimits;

/// `[limits]`: what everybody is allowed.
#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct LimitsText {
    time: Option<Spanned<String>>,
    margin: Option<Spanned<String>>,
    strikes: Option<u32>,
    start: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
    #[serde(rename = "address-space")]
    address_space: Option<Spanned<String>>,
}

/// The limits, with those that are not said as usual.
pub fn limits(text: &LimitsText, usual: &MoveLimits) -> Result<MoveLimits, Wrong> {
    let time = |word: &Option<Spanned<String>>, usual: u64| match word {
        None => Ok(usual),
        Some(word) => milliseconds(word.get_ref()).ok_or_else(|| {
            let help = "such as \"200ms\", \"1.5s\", \"2min\"";
            wrong(word.span(), "not a time", help)
        }),
    };
    let size = |word: &Spanned<String>| {
        let help = "such as \"256MiB\" or \"1GiB\"";
        mebibytes(word.get_ref()).ok_or_else(|| wrong(word.span(), "not an amount of memory", help))
    };
    let memory = text.memory.as_ref().map(size).transpose()?;
    let address_space = text.address_space.as_ref().map(size).transpose()?;
    let move_ms = time(&text.time, usual.move_ms)?;
    if let Some(word) = text.time.as_ref().filter(|_| move_ms == 0) {
        return Err(wrong(
            word.span(),
            "nobody can move in no time",
            "such as \"200ms\"",
        ));
    }
    Ok(MoveLimits {
        move_ms,
        margin_ms: time(&text.margin, usual.margin_ms)?,
        strikes: text.strikes.unwrap_or(usual.strikes),
        start_ms: time(&text.start, usual.start_ms)?,
        memory_mib: memory.unwrap_or(usual.memory_mib),
        address_space_mib: address_space.or(usual.address_space_mib),
    })
}
