//! Permissions: the only place that decides them.

use floe_league::description::Public;
use floe_league::people::Participant;

use crate::client::Client;
use crate::hosted::Guests;
use crate::token::TokenHash;

/// The sender of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Visitor {
    /// The hash of the visitor's cookie.
    pub(crate) hash: TokenHash,
    /// The client charged for the request.
    pub(crate) client: Client,
    /// Whether the visitor used the organiser's link.
    pub(crate) is_organiser: bool,
    /// The visitor's participant in the league, if they entered their token.
    pub(crate) participant: Option<Participant>,
}

/// An action that needs a permission.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Permission<'a> {
    /// Begin a game.
    Begin,
    /// Watch a game of people whose address the visitor knows.
    Watch,
    /// Take a free seat.
    Sit(&'a Guests),
    /// Move, resign, undo, take another name or request a rematch in a game of people.
    Play(&'a Guests),
    /// Read a program's standard error, in a contest with this public level.
    ReadLogs {
        /// What the public sees.
        shown: Public,
        /// The owner of the program, if it was submitted to the league.
        entrant: Option<&'a str>,
    },
    /// Read the server's figures.
    ReadMetrics,
    /// Send a program to the league.
    Submit,
    /// Read an entrant's versions, with their build logs and reports.
    ReadVersions {
        /// The entrant.
        entrant: &'a str,
    },
    /// Take an entrant's version, which is not judged yet, out of the queue.
    Withdraw {
        /// The entrant.
        entrant: &'a str,
    },
    /// See this part of a league with this public level.
    See {
        /// The part to see.
        what: Public,
        /// What the public sees.
        shown: Public,
    },
    /// Use the dashboard: invite people, withdraw versions, pause activities, freeze and start
    /// finals.
    RunDesk,
}

/// Whether the visitor has the permission.
pub(crate) fn may(visitor: &Visitor, permission: Permission<'_>) -> bool {
    match permission {
        Permission::Begin | Permission::Watch => true,
        Permission::Sit(guests) => !guests.holds(&visitor.hash),
        Permission::Play(guests) => guests.holds(&visitor.hash),
        Permission::ReadMetrics | Permission::RunDesk => visitor.is_organiser,
        Permission::ReadLogs { shown, entrant } => {
            let own = visitor.participant.as_ref();
            let is_own = own.is_some_and(|own| Some(own.entrant.as_str()) == entrant);
            visitor.is_organiser || is_own || shown >= Public::Logs
        }
        Permission::Submit => visitor.participant.is_some(),
        Permission::ReadVersions { entrant } => {
            let own = visitor.participant.as_ref();
            visitor.is_organiser || own.is_some_and(|own| own.entrant == entrant)
        }
        Permission::Withdraw { entrant } => {
            let own = visitor.participant.as_ref();
            own.is_some_and(|own| own.entrant == entrant)
        }
        Permission::See { what, shown } => {
            let takes_part = visitor.participant.is_some() && what <= Public::Games;
            visitor.is_organiser || takes_part || what <= shown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosted::SeatHolder;
    use crate::token::Token;

    fn client(hash: &TokenHash) -> Client {
        Client {
            address: None,
            who: Some(hash.clone()),
        }
    }

    #[test]
    fn who_may_do_what() {
        let hash = || Token::fresh().unwrap().hash();
        let visitor = |hash: &TokenHash, is_organiser| Visitor {
            hash: hash.clone(),
            client: client(hash),
            is_organiser,
            participant: None,
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
            is_open: false,
            has_helper: false,
            rematch: None,
        };
        // The action, and whether the player, a stranger and the organiser may.
        let table = [
            (Permission::Begin, [true, true, true]),
            (Permission::Watch, [true, true, true]),
            (Permission::Sit(&guests), [false, true, true]),
            (Permission::Play(&guests), [true, false, false]),
            (
                Permission::ReadLogs {
                    shown: Public::Games,
                    entrant: None,
                },
                [false, false, true],
            ),
            (Permission::ReadMetrics, [false, false, true]),
            (Permission::Submit, [false, false, false]),
            (
                Permission::ReadVersions { entrant: "owls" },
                [false, false, true],
            ),
            (Permission::RunDesk, [false, false, true]),
        ];
        for (permission, allowed) in table {
            let found = [&player, &stranger, &organiser].map(|who| may(who, permission));
            assert_eq!(found, allowed, "{permission:?}");
        }
    }

    #[test]
    fn who_may_do_what_in_a_league() {
        let participant = |entrant: &str| {
            let token = Token::fresh().unwrap();
            Participant {
                name: format!("a member of {entrant}"),
                entrant: entrant.to_owned(),
                token: token.hash(),
                invited: 0,
            }
        };
        let visitor = |participant, is_organiser| {
            let hash = Token::fresh().unwrap().hash();
            Visitor {
                client: client(&hash),
                hash,
                is_organiser,
                participant,
            }
        };
        let who = [
            visitor(Some(participant("owls")), false),
            visitor(Some(participant("hawks")), false),
            visitor(None, false),
            visitor(None, true),
        ];
        let see = |what, shown| Permission::See { what, shown };
        let read = |shown, entrant| Permission::ReadLogs { shown, entrant };
        // The action, and whether one of owls, one of hawks, the public and the organiser may.
        let table = [
            (Permission::Submit, [true, true, false, false]),
            (
                Permission::ReadVersions { entrant: "owls" },
                [true, false, false, true],
            ),
            (
                Permission::Withdraw { entrant: "owls" },
                [true, false, false, false],
            ),
            (Permission::RunDesk, [false, false, false, true]),
            (read(Public::Nothing, None), [false, false, false, true]),
            (
                read(Public::Nothing, Some("owls")),
                [true, false, false, true],
            ),
            (
                read(Public::Games, Some("hawks")),
                [false, true, false, true],
            ),
            (read(Public::Logs, Some("hawks")), [true; 4]),
            (
                see(Public::Games, Public::Nothing),
                [true, true, false, true],
            ),
            (
                see(Public::Standings, Public::Nothing),
                [true, true, false, true],
            ),
            (see(Public::Standings, Public::Standings), [true; 4]),
            (
                see(Public::Games, Public::Standings),
                [true, true, false, true],
            ),
            (see(Public::Games, Public::Games), [true; 4]),
            (
                see(Public::Logs, Public::Games),
                [false, false, false, true],
            ),
            (see(Public::Logs, Public::Logs), [true; 4]),
        ];
        for (permission, allowed) in table {
            let found = who.each_ref().map(|who| may(who, permission));
            assert_eq!(found, allowed, "{permission:?}");
        }
    }
}
