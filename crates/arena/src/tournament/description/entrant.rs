use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::LimitsText;

/// Who plays: a word, or a table with the word and what belongs to this entrant alone.
pub(super) enum EntrantText {
    Word(String),
    Table(Box<EntrantTable>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntrantTable {
    pub(super) seat: String,
    pub(super) limits: Option<LimitsText>,
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
