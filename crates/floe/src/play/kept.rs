//! One's own games, as they are kept in the user's folder.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use floe_arena::journal::read_file;
use floe_games::record::{End, Record};
use floe_rules::Player;
use serde::Serialize;

use super::home::Home;
use super::recorder;
use super::session::Session;

/// A game that is kept.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeptGame {
    pub(crate) file: PathBuf,
    /// The word for the game.
    pub(crate) game: String,
    pub(crate) setup: Option<String>,
    /// Who sat where.
    pub(crate) seats: Vec<String>,
    pub(crate) moves: usize,
    /// When it began, in seconds since 1970.
    pub(crate) began: u64,
    /// How it ended; nothing as long as it can be gone on with.
    pub(crate) end: Option<End>,
}

impl KeptGame {
    /// The games of a folder, the newest first; files that hold none are left out. Reads them
    /// all, at most so many.
    pub(crate) fn all(home: &Home, most: usize) -> Vec<KeptGame> {
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
    pub(crate) fn title(&self) -> &str {
        floe_games::find(&self.game).map_or(&self.game, |game| game.title())
    }

    /// Who played, with their scores if it is over.
    pub(crate) fn seats_text(&self) -> String {
        let score = |seat: usize| self.end.as_ref()?.scores.get(seat).copied();
        let seat = |(seat, name): (usize, &String)| match score(seat) {
            Some(score) => format!("{name} {score}"),
            None => name.clone(),
        };
        let seats: Vec<String> = self.seats.iter().enumerate().map(seat).collect();
        seats.join(", ")
    }

    /// What became of it.
    pub(crate) fn result_text(&self) -> String {
        let Some(end) = &self.end else {
            return format!("not finished, turn {}", self.moves + 1);
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
                    _ if is_shared => format!("seat {winner} won"),
                    "human" => "you won".to_owned(),
                    name => format!("{name} won"),
                }
            }
            _ => "a draw".to_owned(),
        }
    }

    /// How long ago it began, roughly.
    pub(crate) fn age(&self, now: SystemTime) -> String {
        let began = UNIX_EPOCH + Duration::from_secs(self.began);
        let minutes = now
            .duration_since(began)
            .map_or(0, |age| age.as_secs() / 60);
        let many = |count: u64, word: &str| match count {
            1 => format!("1 {word} ago"),
            _ => format!("{count} {word}s ago"),
        };
        match minutes {
            0 => "just now".to_owned(),
            1..60 => many(minutes, "minute"),
            60..1440 => many(minutes / 60, "hour"),
            _ => many(minutes / 1440, "day"),
        }
    }

    /// The game with all its turns.
    pub(crate) fn session(&self) -> Result<Session> {
        let name = self.file.display();
        let record = last_record(&self.file).with_context(|| format!("{name} holds no game"))?;
        recorder::session(&record).with_context(|| format!("cannot read {name}"))
    }
}

/// The last game of a file.
pub(super) fn last_record(path: &Path) -> Option<Record> {
    let records = read_file(path).ok()?;
    records.last()?.ok()
}

/// A list of one's own games, and which of them is pointed at.
pub(crate) struct GameList {
    pub(crate) games: Vec<KeptGame>,
    pub(crate) row: usize,
    /// Why one could not be opened.
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

    /// Goes so many lines down.
    pub(crate) fn go(&mut self, down: isize) {
        let last = self.games.len().saturating_sub(1);
        self.row = self.row.saturating_add_signed(down).min(last);
        self.problem = None;
    }

    /// The game that is pointed at.
    pub(crate) fn chosen(&self) -> Option<&KeptGame> {
        self.games.get(self.row)
    }
}
