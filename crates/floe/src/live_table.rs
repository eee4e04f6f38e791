//! The live table of a match or tournament: progress, standings, the latest games or faults, and the
//! keys that choose among them.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use floe_arena::runner::{
    FailedGame, GameSource, NamedSeat, NextGame, Played, PlaysGames, RunnerError,
};
use floe_arena::schedule::Pairing;
use floe_games::record::Record;
use floe_rules::text::visible;
use floe_terminal::live_keys::LiveKeys;
use indicatif::ProgressBar;
use parking_lot::Mutex;

use crate::latest::LatestGames;
use crate::progress;
use crate::standing::count;
use crate::terminal::{ERROR, FAINT, Look, REMARK, STRONG};

/// Faults stored.
const MOST: usize = 5;

/// A progress bar with a table below it.
pub(crate) struct LiveTable {
    pub(crate) bar: ProgressBar,
    pages: Arc<Mutex<Pages>>,
    closing: Arc<Closing>,
    keys: Option<LiveKeys>,
}

/// The part below the progress bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    Games,
    Faults,
    Crosstable,
}

/// All that the table can show.
struct Pages {
    look: Look,
    page: Page,
    /// Whether keys choose the page.
    has_keys: bool,
    /// Whether no more games begin.
    is_closing: bool,
    standings: String,
    crosstable: Option<String>,
    /// Lines for games and faults.
    room: usize,
    games: LatestGames,
    faults: LatestFaults,
}

impl LiveTable {
    /// A table for this number of games; without a terminal to show it, nothing is drawn.
    pub(crate) fn new(length: Option<u64>, is_shown: bool, look: Look) -> Self {
        let bar = progress::of_games(length, is_shown);
        let pages = Arc::new(Mutex::new(Pages::new(look)));
        let closing = Arc::new(Closing::default());
        let keys = is_shown.then(|| {
            let (bar, pages, closing) = (bar.clone(), Arc::clone(&pages), Arc::clone(&closing));
            LiveKeys::listen(move |key| {
                let mut pages = pages.lock();
                if pages.press(key) {
                    closing.is_wanted.store(pages.is_closing, Ordering::Relaxed);
                    bar.set_message(pages.text());
                }
            })
        });
        let keys = keys.flatten();
        pages.lock().has_keys = keys.is_some();
        LiveTable {
            bar,
            pages,
            closing,
            keys,
        }
    }

    /// Takes in a finished game.
    pub(crate) fn add(&self, record: &Record) {
        let mut pages = self.pages.lock();
        pages.games.add(record);
        pages.faults.add(record);
    }

    /// Draws these standings, with `room` lines for games or faults, and the crosstable if there
    /// is one.
    pub(crate) fn show(&self, standings: String, room: usize, crosstable: Option<String>) {
        let mut pages = self.pages.lock();
        pages.standings = standings;
        pages.room = room;
        pages.crosstable = crosstable;
        self.bar.set_message(pages.text());
    }

    /// The same players, who begin no game once the user asks for that.
    pub(crate) fn last_games<'a>(&self, players: &'a dyn PlaysGames) -> LastGames<'a> {
        LastGames {
            players,
            closing: Arc::clone(&self.closing),
        }
    }

    /// Whether games are missing because the user wanted no more.
    pub(crate) fn has_refused(&self) -> bool {
        self.closing.has_refused.load(Ordering::Relaxed)
    }

    /// Removes the table, and gives the keyboard back.
    pub(crate) fn clear(&mut self) {
        self.keys = None;
        self.bar.finish_and_clear();
    }
}

impl Pages {
    fn new(look: Look) -> Self {
        Pages {
            look,
            page: Page::Games,
            has_keys: false,
            is_closing: false,
            standings: String::new(),
            crosstable: None,
            room: MOST,
            games: LatestGames::default(),
            faults: LatestFaults::default(),
        }
    }

    /// Takes in a key; returns whether it changed anything.
    fn press(&mut self, key: char) -> bool {
        let page = match key {
            'f' => Page::Faults,
            'x' if self.crosstable.is_some() => Page::Crosstable,
            's' if !self.is_closing => {
                self.is_closing = true;
                return true;
            }
            _ => return false,
        };
        // The same key again leads back.
        self.page = if self.page == page { Page::Games } else { page };
        true
    }

    fn text(&self) -> String {
        let mut text = match (self.page, &self.crosstable) {
            (Page::Crosstable, Some(crosstable)) => format!("\n{crosstable}"),
            (Page::Faults, _) => self.standings.clone() + &self.faults.draw(self.room, self.look),
            _ => {
                let games = self.games.draw(self.room, self.look);
                self.standings.clone() + &games + &self.faults.line(self.has_keys)
            }
        };
        if self.has_keys {
            text.push_str(&self.key_line());
        }
        text
    }

    fn key_line(&self) -> String {
        let mut keys = vec![match self.page {
            Page::Faults => ('f', "games"),
            Page::Games | Page::Crosstable => ('f', "faults"),
        }];
        if self.crosstable.is_some() {
            let is_shown = self.page == Page::Crosstable;
            keys.push(('x', if is_shown { "standings" } else { "crosstable" }));
        }
        if !self.is_closing {
            keys.push(('s', "stop after these games"));
        }
        let keys = keys
            .iter()
            .map(|(key, what)| format!("{STRONG}{key}{STRONG:#} {what}"));
        let keys: Vec<String> = keys.collect();
        let note = match self.is_closing {
            true => format!("{REMARK}No more games begin.{REMARK:#}  "),
            false => String::new(),
        };
        format!(
            "\n{note}{}  {STRONG}Ctrl-C{STRONG:#} stop now",
            keys.join("  ")
        )
    }
}

/// The user's wish that no more games begin.
#[derive(Default)]
pub(crate) struct Closing {
    is_wanted: AtomicBool,
    /// Whether a game did not begin for that reason.
    has_refused: AtomicBool,
}

impl Closing {
    fn begins(&self) -> bool {
        let begins = !self.is_wanted.load(Ordering::Relaxed);
        if !begins {
            self.has_refused.store(true, Ordering::Relaxed);
        }
        begins
    }
}

/// Players who begin no game once the user asks for that; games in progress are played to their end.
pub(crate) struct LastGames<'a> {
    players: &'a dyn PlaysGames,
    closing: Arc<Closing>,
}

impl PlaysGames for LastGames<'_> {
    fn entrants(&self) -> &[NamedSeat] {
        self.players.entrants()
    }

    fn play_games(
        &self,
        games: GameSource<NextGame<'_>>,
        stop: &Arc<AtomicBool>,
        done: &mut dyn FnMut(Played) -> std::ops::ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        self.players.play_games(games, stop, done)
    }

    fn play_pairings(
        &self,
        games: &mut (dyn Iterator<Item = Pairing> + Send),
        stop: &Arc<AtomicBool>,
        done: &mut dyn FnMut(Pairing, Record) -> std::ops::ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        let closing = &*self.closing;
        let mut games = games.take_while(|_| closing.begins());
        self.players.play_pairings(&mut games, stop, done)
    }
}

/// The number of faults, and the last ones, the newest first.
#[derive(Default)]
struct LatestFaults {
    count: u64,
    last: VecDeque<GameFault>,
}

/// A fault as it is listed.
struct GameFault {
    game: String,
    player: String,
    kind: String,
    message: String,
}

impl LatestFaults {
    fn add(&mut self, record: &Record) {
        for fault in record.faults() {
            let at = (fault.seat as usize).checked_sub(1);
            let player = at.and_then(|at| record.opening.seats.get(at));
            self.count += 1;
            self.last.push_front(GameFault {
                game: record.opening.id.clone(),
                player: player.map_or(String::new(), |seat| visible(&seat.name).into_owned()),
                kind: fault.kind.to_string(),
                message: visible(&fault.message).into_owned(),
            });
        }
        self.last.truncate(MOST);
    }

    /// The faults in one line, to stand below the latest games; empty if there are none.
    fn line(&self, has_keys: bool) -> String {
        let Some(last) = self.last.front() else {
            return String::new();
        };
        let faults = count(self.count, "fault");
        let (what, them) = match self.count {
            1 => (format!(": {}, {}", last.player, last.kind), "it"),
            _ => (
                format!("; the last: {}, {}", last.player, last.kind),
                "them",
            ),
        };
        let how = match has_keys {
            true => format!(". Press f to see {them}."),
            false => ".".to_owned(),
        };
        format!("{ERROR}{faults}{ERROR:#}{what}{how}\n")
    }

    /// At most `most` faults, a line each, below a heading.
    fn draw(&self, most: usize, look: Look) -> String {
        let heading = match self.count {
            0 => "No faults so far".to_owned(),
            number => count(number, "fault"),
        };
        let mut out = format!("{STRONG}{heading}{STRONG:#}\n");
        for fault in self.last.iter().take(most) {
            let head = format!("{}  {}, {}: ", fault.game, fault.player, fault.kind);
            let room = look.page().saturating_sub(head.chars().count());
            let message: String = fault.message.chars().take(room).collect();
            let (game, rest) = head.split_at(fault.game.len());
            let _ = writeln!(out, "{FAINT}{game}{FAINT:#}{ERROR}{rest}{ERROR:#}{message}");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use floe_games::record::{Entrant, Event, Opening};
    use floe_games::{Fault, FaultKind};
    use floe_rules::Player;

    use super::*;

    fn pages() -> Pages {
        let look = Look {
            color: false,
            unicode: true,
            columns: Some(60),
            theme: floe_terminal::theme::Theme::Dark,
        };
        Pages {
            has_keys: true,
            standings: "standings\n".to_owned(),
            ..Pages::new(look)
        }
    }

    fn shown(pages: &Pages) -> String {
        anstream::adapter::strip_str(&pages.text()).to_string()
    }

    fn faulty(game: &str, kind: FaultKind) -> Record {
        let seat = |name: &str| Entrant {
            name: name.to_owned(),
            ..Entrant::default()
        };
        let mut record = Record::new(Opening {
            id: game.to_owned(),
            seats: vec![seat("auk3"), seat("owls")],
            ..Opening::default()
        });
        let message = "it answered after 1412 ms; 1000 ms are allowed here";
        let fault = Fault::new(Player::new(0), kind, message);
        record.events.push(Event::Fault(Box::new(fault)));
        record
    }

    #[test]
    fn keys_show_faults_and_the_crosstable_and_lead_back() {
        let mut pages = pages();
        assert!(!pages.press('x'), "there is no crosstable yet");
        assert!(!pages.press('z'));
        pages.faults.add(&faulty("7", FaultKind::Timeout));
        let text = shown(&pages);
        let line = "1 fault: auk3, timeout. Press f to see it.";
        assert!(text.contains(line), "{text}");
        assert!(!text.contains("x crosstable"), "{text}");
        pages.crosstable = Some("crosstable here\n".to_owned());
        assert!(pages.press('x'));
        let text = shown(&pages);
        assert!(text.contains("crosstable here"), "{text}");
        assert!(text.contains("x standings"), "{text}");
        assert!(pages.press('f'));
        pages.faults.add(&faulty("9", FaultKind::Crash));
        let text = shown(&pages);
        let first = "9  auk3, crash: it answered after 1412 ms; 1000 ms are allow\n";
        assert!(
            text.contains(&format!("2 faults\n{first}7  auk3, timeout")),
            "{text}"
        );
        assert!(text.contains("f games"), "{text}");
        pages.press('f');
        let text = shown(&pages);
        let line = "2 faults; the last: auk3, crash. Press f to see them.";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn the_key_for_the_end_lets_no_more_games_begin() {
        let (mut pages, closing) = (pages(), Closing::default());
        assert!(closing.begins());
        assert!(shown(&pages).contains("s stop after these games"));
        assert!(pages.press('s'));
        let text = shown(&pages);
        assert!(text.contains("No more games begin.  "), "{text}");
        assert!(!text.contains("s stop"), "{text}");
        assert!(!pages.press('s'));
        closing.is_wanted.store(pages.is_closing, Ordering::Relaxed);
        assert!(!closing.has_refused.load(Ordering::Relaxed));
        assert!(!closing.begins());
        assert!(closing.has_refused.load(Ordering::Relaxed));
    }
}
