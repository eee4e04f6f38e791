//! Letting people in.

use crate::event::Event;
use crate::folder::{League, LeagueError};
use crate::people::Guest;
use crate::token::Token;

/// A new participant; the token is shown once.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// The person.
    pub name: String,
    /// Their entrant.
    pub entrant: String,
    /// Their token.
    pub token: Token,
}

/// How people are invited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invite {
    /// A person who was invited before keeps their token and is left out.
    New,
    /// Only who is in already: they get a new token, and the old one ends.
    Again,
}

impl League {
    /// Invites people, and returns the new ones: all of them, or none if one fails.
    pub fn invite(&self, guests: &[Guest], how: Invite) -> Result<Vec<Invitation>, LeagueError> {
        self.change(|standing| {
            let mut invitations = Vec::new();
            for guest in guests {
                let known = standing.people.named(&guest.name);
                let entrant = match (how, known) {
                    (Invite::New, Some(_)) => continue,
                    (Invite::New, None) => guest.entrant.clone(),
                    (Invite::Again, Some(known)) => known.entrant.clone(),
                    (Invite::Again, None) => {
                        return Err(LeagueError::Refused(format!(
                            "no participant is called {}; `floe league people` lists them",
                            guest.name
                        )));
                    }
                };
                let token = Token::fresh().map_err(|error| {
                    LeagueError::Refused(format!("the system gives no randomness: {error}"))
                })?;
                invitations.push(Invitation {
                    name: guest.name.clone(),
                    entrant,
                    token,
                });
            }
            let events = invitations.iter().map(|invitation| Event::Invited {
                person: invitation.name.clone(),
                entrant: invitation.entrant.clone(),
                token: invitation.token.hash(),
            });
            Ok((events.collect(), invitations))
        })
    }
}
