//! The state of a league after all events.

use std::collections::{BTreeSet, VecDeque};

use crate::event::{Activity, Event, Freeze, Judgement};
use crate::journal::PlacedEntry;
use crate::people::{Participant, People};
use crate::token::TokenHash;
use crate::versions::{Version, VersionId, VersionState, Versions};

/// Number of the latest verdicts used to estimate the waiting time.
const RECENT: usize = 20;

/// The state of a league after all events.
#[derive(Debug, Clone, Default)]
pub struct LeagueState {
    /// The participants.
    pub people: People,
    /// The hash of the token of the organiser's permanent link.
    pub organiser: Option<TokenHash>,
    /// The submitted versions.
    pub versions: Versions,
    /// Versions waiting to be judged, oldest first.
    pub waiting: Vec<VersionId>,
    /// Times of the latest verdicts, in milliseconds.
    pub(crate) recent_ms: VecDeque<u64>,
    /// The paused activities.
    pub paused: BTreeSet<Activity>,
    /// Frozen finals.
    pub finals: Vec<Freeze>,
    /// Whether to play the latest finals in the background.
    pub are_finals_wanted: bool,
    /// Whether finals are being played at the moment.
    pub has_finals_under_way: bool,
    /// Voided meetings of the ladder.
    pub given_up: BTreeSet<u64>,
}

impl LeagueState {
    /// Applies the next entry. An entry that contradicts the state changes nothing.
    pub fn apply(&mut self, placed: &PlacedEntry) {
        let at = placed.entry.at;
        match &placed.entry.event {
            Event::Invited {
                person,
                entrant,
                token,
            } => self.people.invite(Participant {
                name: person.clone(),
                entrant: entrant.clone(),
                token: token.clone(),
                invited: at,
            }),
            Event::Removed { person } => self.people.remove(person),
            Event::Renamed {
                person,
                name,
                entrant,
            } => self.people.change(person, Some(name), entrant),
            Event::Moved { person, entrant } => self.people.change(person, None, entrant),
            Event::OrganiserLink { token } => self.organiser = Some(token.clone()),
            Event::Submitted {
                version,
                by,
                file,
                sha256,
                word,
                protocol,
                main,
                ..
            } => {
                let is_next = self.versions.add(Version {
                    id: version.clone(),
                    state: VersionState::Waiting,
                    has_remarks: false,
                    is_forgiven: false,
                    is_remote: false,
                    sha256: sha256.clone(),
                    file: file.clone(),
                    by: by.clone(),
                    word: word.clone(),
                    protocol: protocol.clone(),
                    main: main.clone(),
                    sent: at,
                    judged: None,
                    why: String::new(),
                    seat: None,
                    verdict: None,
                });
                if is_next {
                    self.waiting.push(version.clone());
                }
            }
            Event::Connected { version, by, word } => {
                self.versions.add(Version {
                    id: version.clone(),
                    state: VersionState::Accepted,
                    has_remarks: false,
                    is_forgiven: false,
                    is_remote: true,
                    sha256: String::new(),
                    file: String::new(),
                    by: by.clone(),
                    word: Some(word.clone()),
                    protocol: None,
                    main: None,
                    sent: at,
                    judged: None,
                    why: String::new(),
                    seat: None,
                    verdict: None,
                });
            }
            Event::Judged {
                version,
                verdict,
                why,
                seat,
                took_ms,
                ..
            } => {
                self.waiting.retain(|waiting| waiting != version);
                self.recent_ms.extend(took_ms);
                while self.recent_ms.len() > RECENT {
                    self.recent_ms.pop_front();
                }
                if let Some(known) = self.versions.find_mut(version) {
                    // A version withdrawn during judging stays withdrawn.
                    if known.state == VersionState::Waiting {
                        known.state = match verdict {
                            Judgement::Refused => VersionState::Refused,
                            _ => VersionState::Accepted,
                        };
                        known.why.clone_from(why);
                        known.seat.clone_from(seat);
                    }
                    known.has_remarks = *verdict == Judgement::AcceptedWithRemarks;
                    known.judged = Some(at);
                    known.verdict = Some(placed.place);
                }
            }
            Event::PutOff { version, why } => {
                let known = self.versions.find_mut(version);
                if let Some(known) = known.filter(|known| known.state == VersionState::Waiting) {
                    known.why.clone_from(why);
                }
            }
            Event::Withdrawn { version, why } => {
                self.put_out(version, VersionState::Withdrawn, why);
            }
            Event::Suspended { version, why } => {
                self.put_out(version, VersionState::Suspended, why);
            }
            Event::Reinstated { version } => {
                let known = self.versions.find_mut(version);
                if let Some(known) = known.filter(|known| known.state.is_out()) {
                    known.why.clear();
                    match known.seat.is_some() || known.is_remote {
                        true => {
                            known.state = VersionState::Accepted;
                            known.is_forgiven = true;
                        }
                        // The version was withdrawn before or during judging.
                        false => {
                            known.state = VersionState::Waiting;
                            self.waiting.push(version.clone());
                        }
                    }
                }
            }
            Event::Paused { what } => {
                self.paused.insert(*what);
            }
            Event::Resumed { what } => {
                self.paused.remove(what);
            }
            Event::GivenUp { unit, .. } => {
                self.given_up.insert(*unit);
            }
            Event::Frozen(freeze) => {
                self.finals.push(freeze.clone());
                self.are_finals_wanted = false;
            }
            Event::FinalsWanted { is_so } => self.are_finals_wanted = *is_so,
            Event::FinalsUnderWay { is_so } => self.has_finals_under_way = *is_so,
        }
    }

    fn put_out(&mut self, version: &VersionId, state: VersionState, why: &str) {
        self.waiting.retain(|waiting| waiting != version);
        if let Some(known) = self.versions.find_mut(version) {
            known.state = state;
            known.why = why.to_owned();
        }
    }

    /// Whether an activity is paused.
    pub fn is_paused(&self, what: Activity) -> bool {
        self.paused.contains(&what)
    }
}
