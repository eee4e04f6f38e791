//! The user's own games, in the user's folder.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use floe_games::record::End;
use floe_rules::Player;
use serde::Serialize;

use crate::error::TerminalError;
use crate::home::Home;
use crate::recorder::{last_record, last_session};
use crate::session::Session;
use crate::texts::{of_game, t, tn};

/// A stored game.
#[derive(Debug, Clone, Serialize)]
pub struct KeptGame {
    /// The game's file.
    pub file: PathBuf,
    /// The game's name.
    pub game: String,
    /// The setup, if the board was made from one.
    pub setup: Option<String>,
    /// The players by seat.
    pub seats: Vec<String>,
    /// Number of moves.
    pub moves: usize,
    /// When the game began, in seconds since 1970.
    pub began: u64,
    /// The game's end; `None` if it can be resumed.
    pub end: Option<End>,
}

impl KeptGame {
    /// The games of a folder, newest first; other files are skipped. Reads at most `most` of them.
    pub fn all(home: &Home, most: usize) -> Vec<KeptGame> {
        let files = home.saved().into_iter().take(most);
        files.filter_map(|path| KeptGame::read(&path)).collect()
    }

    fn read(path: &Path) -> Option<KeptGame> {
        let record = last_record(path)?;
        Some(KeptGame {
            file: path.to_owned(),
            moves: record.moves().len(),
            game: record.opening.game,
            setup: record.opening.setup,
            seats: record
                .opening
                .seats
                .into_iter()
                .map(|one| one.name)
                .collect(),
            began: record.opening.began,
            end: record.end,
        })
    }

    /// The game's name for people.
    pub fn title(&self) -> String {
        let title = floe_games::find(&self.game).map(floe_games::AnyGame::title);
        of_game(title.unwrap_or(&self.game))
    }

    /// The players, with their scores once the game is over.
    pub fn seats_text(&self) -> String {
        let score = |seat: usize| self.end.as_ref()?.scores.get(seat).copied();
        let seat = |(seat, name): (usize, &String)| match score(seat) {
            Some(score) => format!("{name} {score}"),
            None => name.clone(),
        };
        let seats: Vec<String> = self.seats.iter().enumerate().map(seat).collect();
        seats.join(", ")
    }

    /// The game's result.
    pub fn result_text(&self) -> String {
        let Some(end) = &self.end else {
            return t!("not finished, turn {turn}", turn = self.moves + 1);
        };
        let players = Player::all(end.places.len() as u32);
        let firsts: Vec<Player> = (players.zip(&end.places))
            .filter(|&(_, &place)| place == 1)
            .map(|(player, _)| player)
            .collect();
        match firsts[..] {
            [winner] => {
                let name = self.seats.get(winner.index()).map_or("?", String::as_str);
                let is_shared = self.seats.iter().filter(|other| *other == name).count() > 1;
                match name {
                    _ if is_shared => t!("seat {winner} won", winner),
                    "human" => t!("you won"),
                    name => t!("{name} won", name),
                }
            }
            _ => t!("a draw"),
        }
    }

    /// The game's approximate age.
    pub fn age(&self, now: SystemTime) -> String {
        let began = UNIX_EPOCH + Duration::from_secs(self.began);
        let minutes = now
            .duration_since(began)
            .map_or(0, |age| age.as_secs() / 60);
        match minutes {
            0 => t!("just now"),
            1..60 => tn!("{n} minute ago", "{n} minutes ago", minutes),
            60..1440 => tn!("{n} hour ago", "{n} hours ago", minutes / 60),
            _ => tn!("{n} day ago", "{n} days ago", minutes / 1440),
        }
    }

    /// The game with all its turns.
    pub(crate) fn session(&self) -> Result<Session, TerminalError> {
        last_session(&self.file).map(|(session, _)| session)
    }
}

/// A list of the user's games with a cursor.
pub(crate) struct GameList {
    pub(crate) games: Vec<KeptGame>,
    pub(crate) row: usize,
    /// The reason why a game could not be opened.
    pub(crate) problem: Option<String>,
}

impl GameList {
    pub(crate) fn new(games: Vec<KeptGame>) -> Self {
        GameList {
            games,
            row: 0,
            problem: None,
        }
    }

    /// Moves the cursor down by this many lines.
    pub(crate) fn go(&mut self, down: isize) {
        let last = self.games.len().saturating_sub(1);
        self.row = self.row.saturating_add_signed(down).min(last);
        self.problem = None;
    }

    /// The game at the cursor.
    pub(crate) fn chosen(&self) -> Option<&KeptGame> {
        self.games.get(self.row)
    }
}
