use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::{Wrong, wrong};
use crate::amount::{mebibytes, milliseconds};
use floe_games::record::MoveLimits;

/// `[limits]`: the limits of all entrants.
#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct LimitsText {
    time: Option<Spanned<AmountText>>,
    margin: Option<Spanned<AmountText>>,
    strikes: Option<u32>,
    start: Option<Spanned<AmountText>>,
    memory: Option<Spanned<AmountText>>,
    #[serde(rename = "address-space")]
    address_space: Option<Spanned<AmountText>>,
}

/// An amount with its unit. Plain numbers are accepted first, so that the error can ask for the
/// unit.
#[derive(Debug)]
struct AmountText(String);

impl AmountText {
    /// The error of an amount that cannot be read: `what`, or that its unit is missing.
    fn wrong(word: &Spanned<AmountText>, what: &str, units: [&str; 2], help: &str) -> Wrong {
        let text = &word.get_ref().0;
        if text.parse::<f64>().is_err() {
            return wrong(word.span(), what, help);
        }
        let [one, other] = units;
        let help = format!("write \"{text}{one}\" or \"{text}{other}\"");
        wrong(word.span(), "the unit is missing", help)
    }
}

impl<'de> Deserialize<'de> for AmountText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyAmount;
        impl Visitor<'_> for AnyAmount {
            type Value = AmountText;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an amount with its unit, in quotes")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<AmountText, E> {
                Ok(AmountText(text.to_owned()))
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<AmountText, E> {
                Ok(AmountText(number.to_string()))
            }
            fn visit_f64<E: Error>(self, number: f64) -> Result<AmountText, E> {
                Ok(AmountText(number.to_string()))
            }
        }
        deserializer.deserialize_any(AnyAmount)
    }
}

/// The limits, with defaults for those not set.
pub fn limits(text: &LimitsText, default: &MoveLimits) -> Result<MoveLimits, Wrong> {
    let time = |word: &Option<Spanned<AmountText>>, default: u64| match word {
        None => Ok(default),
        Some(word) => milliseconds(&word.get_ref().0).ok_or_else(|| {
            let help = "such as \"200ms\", \"1.5s\", \"2min\"";
            AmountText::wrong(word, "not a time", ["s", "ms"], help)
        }),
    };
    let size = |word: &Spanned<AmountText>| {
        let help = "such as \"256MiB\" or \"1GiB\"";
        mebibytes(&word.get_ref().0)
            .ok_or_else(|| AmountText::wrong(word, "not an amount of memory", ["MiB", "GiB"], help))
    };
    let memory = text.memory.as_ref().map(size).transpose()?;
    let address_space = text.address_space.as_ref().map(size).transpose()?;
    let move_ms = time(&text.time, default.move_ms)?;
    if let Some(word) = text.time.as_ref().filter(|_| move_ms == 0) {
        return Err(wrong(
            word.span(),
            "the time limit is 0",
            "such as \"200ms\" or \"1s\"",
        ));
    }
    Ok(MoveLimits {
        move_ms,
        margin_ms: time(&text.margin, default.margin_ms)?,
        strikes: text.strikes.unwrap_or(default.strikes),
        start_ms: time(&text.start, default.start_ms)?,
        memory_mib: memory.unwrap_or(default.memory_mib),
        address_space_mib: address_space.or(default.address_space_mib),
    })
}
