//! Serde for types of the crate whose derived form would expose internals.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Outcome, Player, Square, flood, gamma, penguins};

/// Reads a text by a type's own parser.
fn from_text<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(D::Error::custom)
}

/// Types that serialise as their text.
macro_rules! as_text {
    ($($type:ty),+ $(,)?) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                from_text(deserializer)
            }
        }
    )+};
}

as_text!(
    Square,
    flood::Move,
    flood::Setup,
    gamma::Move,
    gamma::Setup,
    penguins::Move,
    penguins::Setup,
);

/// The player's number, counted from one.
impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Player {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u32::deserialize(deserializer)?;
        Player::from_number(number).ok_or_else(|| D::Error::custom("players count from 1"))
    }
}

/// The serialised form of an outcome.
#[derive(Debug, Deserialize)]
struct Written {
    scores: Vec<i64>,
    places: Vec<u32>,
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { scores, places } = Written::deserialize(deserializer)?;
        let seats = scores.len();
        if places.len() != seats {
            return Err(D::Error::custom("as many places as scores are expected"));
        }
        if places
            .iter()
            .any(|&place| place == 0 || place as usize > seats)
        {
            return Err(D::Error::custom(
                "places count from 1 to the number of seats",
            ));
        }
        Ok(Outcome::from_parts(scores, places))
    }
}
