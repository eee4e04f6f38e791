use serde::Deserialize;
use toml::Spanned;

use super::{Wrong, wrong};
use floe_games::record::MoveLimits;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsText {
    time: Option<Spanned<String>>,
    margin: Option<Spanned<String>>,
    strikes: Option<u32>,
    start: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
}

/// The limits, with those that are not said as usual.
pub(super) fn limits(text: &LimitsText, usual: &MoveLimits) -> Result<MoveLimits, Wrong> {
    let time = |word: &Option<Spanned<String>>, usual: u64| match word {
        None => Ok(usual),
        Some(word) => amount(word.get_ref(), &[("ms", 1), ("s", 1000), ("min", 60_000)])
            .ok_or_else(|| {
                wrong(
                    word.span(),
                    "not a time",
                    "such as \"200ms\", \"1.5s\", \"2min\"",
                )
            }),
    };
    let memory = match &text.memory {
        None => usual.memory_mib,
        Some(word) => {
            let units = [
                ("MiB", 1),
                ("GiB", 1024),
                ("MB", 1),
                ("GB", 1024),
                ("M", 1),
                ("G", 1024),
            ];
            let help = "such as \"256MiB\" or \"1GiB\"";
            let mib = amount(word.get_ref(), &units);
            mib.filter(|&mib| mib > 0)
                .ok_or_else(|| wrong(word.span(), "not an amount of memory", help))?
        }
    };
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
        memory_mib: memory,
    })
}

/// A number with one of these units, in the smallest of them.
fn amount(word: &str, units: &[(&str, u64)]) -> Option<u64> {
    let word = word.trim();
    let digits = word.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = word.split_at(digits);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    let amount = number.parse::<f64>().ok()? * *factor as f64;
    // Whole, and small enough for every sum that is made of it.
    (amount.fract() == 0.0 && (0.0..1e12).contains(&amount)).then_some(amount as u64)
}
