//! Invitations of participants.

use crate::event::Event;
use crate::folder::{League, LeagueError};
use crate::people::Guest;
use crate::token::Token;

/// A new participant; the token is shown once.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// The person.
    pub name: String,
    /// The person's entrant.
    pub entrant: String,
    /// The person's token.
    pub token: Token,
}

/// The people that an invitation is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invite {
    /// Invite only new people; the others keep their tokens.
    New,
    /// Invite only existing participants again: they get a new token, and the old one is invalid.
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
                    LeagueError::Refused(format!("the system provides no random numbers: {error}"))
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
