//! Recently ended games, for the front page: read from their files once, and then kept up to date.

use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use floe_arena::journal::read_file;
use serde::Serialize;

use super::guests::{Guests, SeatHolder};
use super::lent;
use floe_games::json::result_words;

/// Most games remembered.
const MOST: usize = 6;
/// Most files read after a start to find finished games.
const FILES: usize = 100;

/// A finished public game.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FinishedGame {
    pub(crate) id: String,
    pub(crate) title: &'static str,
    pub(crate) players: Vec<String>,
    /// The result in a sentence.
    pub(crate) result: String,
}

impl FinishedGame {
    /// The game of this name, if it is public and over, and the server thought for its engines.
    fn read(folder: &Path, id: &str) -> Option<FinishedGame> {
        let guests = Guests::load(&folder.join(format!("{id}.json"))).ok()?;
        if !guests.is_public {
            return None;
        }
        let records = read_file(&folder.join(format!("{id}.jsonl"))).ok()?;
        let record = records.last()?.ok()?;
        let end = record.end.as_ref()?;
        if lent::is_marked(&record.events) {
            return None;
        }
        let game = floe_games::find(&record.opening.game).ok()?;
        let name = |seat: &SeatHolder| seat.name().to_owned();
        let players: Vec<String> = guests.seats.iter().map(name).collect();
        Some(FinishedGame {
            id: id.to_owned(),
            title: game.title(),
            result: result_words(&players, &end.scores, &end.places),
            players,
        })
    }
}

/// The games that ended last, newest first.
#[derive(Default)]
pub(super) struct Finished(Vec<FinishedGame>);

impl Finished {
    /// Finished games of a folder: reads all names in it, and some of the files.
    pub(super) fn read(folder: &Path) -> io::Result<Finished> {
        let mut records: Vec<(SystemTime, String)> = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            let is_record = path.extension().is_some_and(|end| end == "jsonl");
            let id = path.file_stem().and_then(|stem| stem.to_str());
            if let (true, Some(id)) = (is_record, id) {
                records.push((entry.metadata()?.modified()?, id.to_owned()));
            }
        }
        records.sort_by(|one, other| other.cmp(one));
        let newest = records.iter().take(FILES);
        let games = newest.filter_map(|(_, id)| FinishedGame::read(folder, id));
        Ok(Finished(games.take(MOST).collect()))
    }

    /// Adds a game that has just ended.
    pub(super) fn note(&mut self, folder: &Path, id: &str) {
        if let Some(game) = FinishedGame::read(folder, id) {
            self.0.retain(|known| known.id != id);
            self.0.insert(0, game);
            self.0.truncate(MOST);
        }
    }

    pub(super) fn games(&self) -> Vec<FinishedGame> {
        self.0.clone()
    }
}
