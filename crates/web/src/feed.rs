//! A game as watchers get it: whole when they join, and then what has changed.
//!
//! Versions count the events of a game's record. Every change leads from one version to a later one,
//! and the newest changes are stored as texts that all watchers share. A watcher who missed more of
//! them joins again. So a game needs the memory of a few positions, however long it gets.

use std::collections::VecDeque;
use std::sync::Arc;

use floe_games::EventError;
use floe_games::json::{ClockState, GameState};
use floe_games::record::Event;

/// Most bytes of stored changes.
const STORED: usize = 128 * 1024;

/// A game, with recent changes for watchers.
pub(crate) struct Feed {
    game_state: GameState,
    version: usize,
    /// The version after the newest change.
    sent: usize,
    /// The newest changes, with the version each led from.
    changes: VecDeque<(usize, Arc<str>)>,
    /// Bytes of the stored changes.
    bytes: usize,
}

/// The clocks and names sent with a game.
pub(crate) struct Company {
    pub(crate) clocks: Vec<ClockState>,
    pub(crate) names: Vec<String>,
    /// Time of the current turn, in milliseconds, if a late watcher needs it.
    pub(crate) turn_ms: Option<u64>,
}

/// The next message for a watcher.
pub(crate) struct Update {
    /// The version after the message.
    pub(crate) version: usize,
    /// JSON without line breaks.
    pub(crate) text: Arc<str>,
    /// Whether the message is a whole state instead of a change.
    pub(crate) is_whole: bool,
}

impl Feed {
    pub(crate) fn new(game_state: GameState) -> Feed {
        Feed {
            game_state,
            version: 0,
            sent: 0,
            changes: VecDeque::new(),
            bytes: 0,
        }
    }

    pub(crate) fn game_state(&self) -> &GameState {
        &self.game_state
    }

    /// Number of events.
    pub(crate) fn version(&self) -> usize {
        self.version
    }

    /// Applies an event, if it is possible.
    pub(crate) fn apply(&mut self, event: Event) -> Result<(), EventError> {
        self.game_state.apply(event)?;
        self.version += 1;
        Ok(())
    }

    /// Drops all changes: the game was read from its file, and there is no watcher.
    pub(crate) fn forget_changes(&mut self) {
        self.game_state.skip_changes();
        self.sent = self.version;
        self.changes.clear();
        self.bytes = 0;
    }

    /// The whole state.
    pub(crate) fn state(&mut self, company: Company) -> Update {
        // A watcher who joins here gets the next change.
        self.store(&company);
        let Company {
            clocks,
            names,
            turn_ms,
        } = company;
        Update {
            version: self.version,
            text: self
                .game_state
                .state(self.version, turn_ms, clocks, &names)
                .into(),
            is_whole: true,
        }
    }

    /// The changes after a version; the whole state for a watcher without a version, or with one
    /// that is no longer stored.
    pub(crate) fn after(&mut self, version: Option<usize>, company: Company) -> Vec<Update> {
        self.store(&company);
        if version == Some(self.version) {
            return Vec::new();
        }
        let is_next = |(from, _): &(usize, _)| Some(*from) == version;
        let Some(first) = self.changes.iter().position(is_next) else {
            return vec![self.state(company)];
        };
        let ends = (self.changes.iter().skip(first + 1)).map(|(from, _)| *from);
        let ends = ends.chain([self.version]);
        (self.changes.iter().skip(first).zip(ends))
            .map(|((_, text), version)| Update {
                version,
                text: Arc::clone(text),
                is_whole: false,
            })
            .collect()
    }

    /// Makes the change to the newest version, if it is missing, and drops the oldest changes
    /// beyond the limit.
    fn store(&mut self, company: &Company) {
        if self.sent == self.version {
            return;
        }
        let clocks = company.clocks.clone();
        let text = self
            .game_state
            .change(self.sent, self.version, clocks, &company.names);
        self.bytes += text.len();
        self.changes.push_back((self.sent, text.into()));
        self.sent = self.version;
        while self.bytes > STORED {
            let Some((_, oldest)) = self.changes.pop_front() else {
                return;
            };
            self.bytes -= oldest.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use floe_games::record::{Back, PlayedMove};
    use serde_json::Value;

    use super::*;

    fn company() -> Company {
        Company {
            clocks: vec![ClockState::default(); 2],
            names: vec!["a".to_owned(), "b".to_owned()],
            turn_ms: None,
        }
    }

    fn feed(setup: &str) -> Feed {
        let start = floe_games::find("gamma").unwrap().start(setup, 1);
        Feed::new(GameState::new(start.unwrap()))
    }

    fn make_move(feed: &mut Feed) {
        let play = feed.game_state().play();
        let made = PlayedMove {
            seat: play.turn().unwrap().number(),
            mv: play.position().moves()[0].clone(),
            ..PlayedMove::default()
        };
        feed.apply(Event::Move(made)).unwrap();
    }

    fn read(update: &Update) -> Value {
        serde_json::from_str(&update.text).unwrap()
    }

    #[test]
    fn changes_lead_from_one_version_to_the_next_and_unseen_turns_are_one() {
        let mut feed = feed("5x5");
        assert!(feed.after(Some(0), company()).is_empty());
        make_move(&mut feed);
        let first = feed.after(Some(0), company());
        make_move(&mut feed);
        make_move(&mut feed);
        let all = feed.after(Some(0), company());
        assert_eq!(all.len(), 2);
        assert!(Arc::ptr_eq(&first[0].text, &all[0].text));
        let last = read(&all[1]);
        assert_eq!((&last["from"], &last["version"]), (&1.into(), &3.into()));
        assert_eq!(last["kept"], 1);
        assert_eq!(last["made"].as_array().unwrap().len(), 2);
        feed.apply(Event::Back(Back { moves: 2 })).unwrap();
        let back = read(&feed.after(Some(3), company())[0]);
        assert_eq!((&back["kept"], &back["ply"]), (&1.into(), &1.into()));
        assert!(back["made"].as_array().unwrap().is_empty());
        assert_eq!(back["picture"]["fields"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn a_watcher_who_missed_too_much_or_names_no_version_joins_again() {
        let mut feed = feed("30x30");
        for _ in 0..600 {
            make_move(&mut feed);
            feed.after(None, company());
        }
        assert!(feed.bytes <= STORED && feed.changes.len() < 600);
        for version in [None, Some(0), Some(7000)] {
            let updates = feed.after(version, company());
            assert!(updates.len() == 1 && updates[0].is_whole);
            assert_eq!(read(&updates[0])["ply"], 600);
        }
        assert_eq!(feed.after(Some(590), company()).len(), 10);
    }
}
