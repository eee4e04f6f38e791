//! Letting people in.

use crate::event::Event;
use crate::folder::{League, LeagueError};
use crate::people::Guest;
use crate::token::Token;

/// Somebody who was just let in, with the token nobody will see again.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// Who.
    pub name: String,
    /// What they play as.
    pub entrant: String,
    /// What they prove it with.
    pub token: Token,
}

/// How somebody is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invite {
    /// Who is in already keeps their token and is left out.
    New,
    /// Only who is in already: they get a new token, and the old one ends.
    Again,
}

impl League {
    /// Lets people in, and returns those who were: all of them, or none if one cannot be.
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
                            "nobody called {} was invited; `floe league status` lists who was",
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
