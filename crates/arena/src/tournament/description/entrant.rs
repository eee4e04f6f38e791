use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::{Format, LimitsText, Words, Wrong, wrong};
use crate::schedule::Stay;

/// An entrant: a seat spec, or a table with the spec and the entrant's own settings.
pub(super) enum EntrantText {
    Word(String),
    Table(Box<EntrantTable>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntrantTable {
    pub(super) seat: String,
    pub(super) limits: Option<LimitsText>,
    /// The first round of the entrant, from 1.
    pub(super) joins: Option<Spanned<u64>>,
    /// The round before which the entrant leaves, from 1.
    pub(super) leaves: Option<Spanned<u64>>,
}

impl EntrantText {
    /// The rounds in which the entrant joins and leaves, if set.
    fn rounds(&self) -> [Option<&Spanned<u64>>; 2] {
        match self {
            EntrantText::Word(_) => [None; 2],
            EntrantText::Table(table) => [table.joins.as_ref(), table.leaves.as_ref()],
        }
    }
}

/// Number of entrants that play from the first round.
pub(super) fn from_the_start(words: &Words) -> usize {
    let joins = words.0.iter().map(|(_, value)| value.get_ref().rounds()[0]);
    joins
        .filter(|joins| joins.is_none_or(|joins| *joins.get_ref() <= 1))
        .count()
}

/// The rounds in which each entrant plays.
pub(super) fn stays(words: &Words, format: Format) -> Result<Vec<Stay>, Wrong> {
    let entrants = words.0.iter();
    let stay = |value: &EntrantText| {
        let [joins, leaves] = value.rounds();
        // The last round, and the earliest round to leave in.
        let (last, least) = match format {
            Format::Swiss { rounds } => (rounds, joins.map_or(1, |joins| *joins.get_ref()) + 1),
            Format::Knockout => (u64::from(words.0.len().next_power_of_two().ilog2()), 1),
            Format::RoundRobin | Format::Gauntlet { .. } => {
                let Some(round) = joins.or(leaves) else {
                    return Ok(Stay::default());
                };
                let cause = format!("a {} has no rounds to join or leave", format.name().name());
                let help = "add or take away the entrant's line, and resume with --accept-changes";
                return Err(wrong(round.span(), cause, help));
            }
        };
        if let (Format::Knockout, Some(joins)) = (format, joins) {
            let cause = "a knockout takes no entrants once its first round is drawn";
            let help = "before its first game, a line without `joins` suffices";
            return Err(wrong(joins.span(), cause, help));
        }
        if let Some(joins) = joins.filter(|joins| !(1..=last).contains(joins.get_ref())) {
            let cause = format!("`joins` is a round from 1 to {last}");
            return Err(wrong(joins.span(), cause, ""));
        }
        if let Some(leaves) = leaves.filter(|leaves| !(least..=last).contains(leaves.get_ref())) {
            let cause = match least > last {
                true => "there is no round left to leave with".to_owned(),
                false => format!("the rounds to leave with are {least} to {last}"),
            };
            let help = "the entrant does not play in this round or later";
            return Err(wrong(leaves.span(), cause, help));
        }
        Ok(Stay {
            joins: joins.map_or(0, |joins| joins.get_ref() - 1),
            leaves: leaves.map(|leaves| leaves.get_ref() - 1),
        })
    };
    entrants.map(|(_, value)| stay(value.get_ref())).collect()
}

impl<'de> Deserialize<'de> for EntrantText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = EntrantText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "one word in quotes, such as \"greedy\" or \"./bot\", or a table \
                     { seat = \"./bot\", limits = { time = \"200ms\" } }",
                )
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<EntrantText, E> {
                Ok(EntrantText::Word(word.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<EntrantText, A::Error> {
                let table = EntrantTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(EntrantText::Table(Box::new(table)))
            }
        }
        from.deserialize_any(Either)
    }
}
