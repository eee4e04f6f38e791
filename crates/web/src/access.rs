//! Who may do what: the only place that decides it.

use crate::hall::Guests;
use crate::token::TokenHash;

/// Whoever sends a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Visitor {
    /// Whose cookie it is.
    pub(crate) hash: TokenHash,
    /// Whether they came by the organiser's link.
    pub(crate) is_organiser: bool,
}

/// What somebody wants to do.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Deed<'a> {
    /// Begin a game.
    Begin,
    /// Look on at a game of people, whose address they know.
    Watch,
    /// Take a seat that is open.
    Sit(&'a Guests),
    /// Move, resign, take back or ask for a rematch in a game of people.
    Play(&'a Guests),
    /// Read what programs wrote to standard error.
    ReadLogs,
    /// Read the server's figures.
    ReadMetrics,
}

/// Whether they may.
pub(crate) fn may(visitor: &Visitor, deed: Deed<'_>) -> bool {
    match deed {
        Deed::Begin | Deed::Watch => true,
        Deed::Sit(guests) => !guests.holds(&visitor.hash),
        Deed::Play(guests) => guests.holds(&visitor.hash),
        Deed::ReadLogs | Deed::ReadMetrics => visitor.is_organiser,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hall::SeatHolder;
    use crate::token::Token;

    #[test]
    fn who_may_do_what() {
        let hash = || Token::fresh().unwrap().hash();
        let visitor = |hash: &TokenHash, is_organiser| Visitor {
            hash: hash.clone(),
            is_organiser,
        };
        let (one, other, organiser) = (hash(), hash(), hash());
        let (player, stranger, organiser) = (
            visitor(&one, false),
            visitor(&other, false),
            visitor(&organiser, true),
        );
        let guests = Guests {
            seats: vec![
                SeatHolder::Person {
                    who: one,
                    name: String::new(),
                },
                SeatHolder::Open,
            ],
            clock: floe_games::TimeControl::Unlimited,
            is_public: false,
            rematch: None,
        };
        // The deed, and whether the player, a stranger and the organiser may.
        let table = [
            (Deed::Begin, [true, true, true]),
            (Deed::Watch, [true, true, true]),
            (Deed::Sit(&guests), [false, true, true]),
            (Deed::Play(&guests), [true, false, false]),
            (Deed::ReadLogs, [false, false, true]),
            (Deed::ReadMetrics, [false, false, true]),
        ];
        for (deed, allowed) in table {
            let found = [&player, &stranger, &organiser].map(|who| may(who, deed));
            assert_eq!(found, allowed, "{deed:?}");
        }
    }
}
