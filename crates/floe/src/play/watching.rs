//! Following games as they are recorded: a file that grows is looked at gently, and its games are
//! stepped through one after the other.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use floe_games::record::{ReadError, Record, read_on};

use super::input::Input;

/// How often the file is looked at.
const LOOK: Duration = Duration::from_millis(300);
/// How long a turn stays on the screen.
const PACE: Duration = Duration::from_millis(400);
/// How long the end of a game stays on the screen.
const REST: Duration = Duration::from_secs(2);
/// Whoever is further behind goes on with the newest game.
const FURTHEST: usize = 3;

/// A file of records that grows.
#[derive(Debug)]
pub(crate) struct GrowingFile {
    path: PathBuf,
    /// How many bytes and lines of whole games were read.
    bytes: u64,
    lines: u64,
    /// How large it was when it was last read.
    size: u64,
}

impl GrowingFile {
    pub(crate) fn new(path: &Path) -> Self {
        GrowingFile {
            path: path.to_owned(),
            bytes: 0,
            lines: 0,
            size: 0,
        }
    }

    /// The games that came or grew since the last look; a game under way comes again each time it
    /// has grown. None where the file is not there yet. One that has become shorter is read anew.
    pub(crate) fn read(&mut self) -> Result<Vec<Record>, ReadError> {
        let size = match fs::metadata(&self.path) {
            Ok(data) => data.len(),
            Err(_) => return Ok(Vec::new()),
        };
        if size < self.bytes {
            *self = GrowingFile::new(&self.path);
        }
        if size == self.size {
            return Ok(Vec::new());
        }
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.bytes))?;
        let mut records = read_on(BufReader::new(file), self.bytes, self.lines);
        let mut found = Vec::new();
        while let Some(record) = records.next() {
            let record = record?;
            if record.end.is_some() {
                (self.bytes, self.lines) = (records.span().end, records.lines());
            }
            found.push(record);
        }
        self.size = size;
        Ok(found)
    }

    /// Sends every game that comes to `inbox`, from a thread of its own, until nobody listens.
    pub(crate) fn follow(mut self, inbox: Sender<Input>) -> std::io::Result<()> {
        let look = move || {
            loop {
                thread::sleep(LOOK);
                // What cannot be read now may be half written: it is looked at again.
                let records = self.read().unwrap_or_default();
                for record in records {
                    if inbox.send(Input::Recorded(Box::new(record))).is_err() {
                        return;
                    }
                }
            }
        };
        thread::Builder::new()
            .name("watch".to_owned())
            .spawn(look)?;
        Ok(())
    }
}

/// Which games are to be shown, and when.
#[derive(Debug)]
pub(crate) struct Watching {
    queue: VecDeque<Record>,
    next: Instant,
    /// Whether the screen goes on by itself.
    pub(crate) is_following: bool,
}

impl Watching {
    pub(crate) fn new() -> Self {
        Watching {
            queue: VecDeque::new(),
            next: Instant::now() + PACE,
            is_following: true,
        }
    }

    /// Takes in a game that came or grew.
    pub(crate) fn add(&mut self, record: Record) {
        self.queue.retain(|waiting| !is_same(waiting, &record));
        self.queue.push_back(record);
        if self.queue.len() > FURTHEST {
            let newest = self.queue.len() - 1;
            self.queue.drain(..newest);
        }
    }

    /// The game that is on, if it has grown.
    pub(crate) fn growth_of(&mut self, shown: &Record) -> Option<Record> {
        let at = self
            .queue
            .iter()
            .position(|waiting| is_same(waiting, shown))?;
        self.queue.remove(at)
    }

    /// Whether it is time for the next turn.
    pub(crate) fn is_time(&self) -> bool {
        self.is_following && Instant::now() >= self.next
    }

    /// A turn was shown; the end of a game stays longer.
    pub(crate) fn rest(&mut self, is_end: bool) {
        self.next = Instant::now() + if is_end { REST } else { PACE };
    }

    /// The next game, once the one before it was seen.
    pub(crate) fn next_game(&mut self) -> Option<Record> {
        self.queue.pop_front()
    }
}

/// Whether two records are of one game, one of them further than the other.
fn is_same(one: &Record, other: &Record) -> bool {
    one.opening.id == other.opening.id && one.opening.began == other.opening.began
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::recorder;
    use super::super::tests::played;
    use super::*;

    /// The lines of a finished game.
    fn lines(folder: &Path, seed: &str) -> Vec<String> {
        let session = played("gamma", "3x3", "greedy", 99);
        let path = folder.join(seed);
        recorder::save(&session, &path).unwrap();
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn games_come_as_they_grow() {
        let folder = tempfile::tempdir().unwrap();
        let lines = lines(folder.path(), "one");
        let path = folder.path().join("games.jsonl");
        let mut growing = GrowingFile::new(&path);
        assert!(growing.read().unwrap().is_empty(), "there is no file yet");
        let mut file = File::create(&path).unwrap();
        let mut write = |text: &str| file.write_all(text.as_bytes()).unwrap();
        write(&lines[0]);
        write(&lines[1]);
        let seen = growing.read().unwrap();
        assert_eq!((seen.len(), seen[0].moves().len()), (1, 1));
        assert!(growing.read().unwrap().is_empty(), "nothing has changed");
        // Half a line is not there yet.
        let (half, rest) = lines[2].split_at(10);
        write(half);
        assert_eq!(growing.read().unwrap()[0].moves().len(), 1);
        write(rest);
        assert_eq!(growing.read().unwrap()[0].moves().len(), 2);
        lines[3..].iter().for_each(|line| write(line));
        let seen = growing.read().unwrap();
        assert!(seen[0].end.is_some());
        // The next game comes alone.
        lines.iter().for_each(|line| write(line));
        assert_eq!(growing.read().unwrap().len(), 1);
    }

    #[test]
    fn whoever_is_far_behind_goes_on_with_the_newest() {
        let folder = tempfile::tempdir().unwrap();
        let text = lines(folder.path(), "one").concat();
        let record = floe_games::record::read(text.as_bytes())
            .next()
            .unwrap()
            .unwrap();
        let mut watching = Watching::new();
        for id in 0..10 {
            let mut record = record.clone();
            record.opening.id = id.to_string();
            watching.add(record.clone());
            // The same game again is the same game.
            watching.add(record);
        }
        assert!(watching.queue.len() <= FURTHEST);
        let mut shown = record;
        while let Some(next) = watching.next_game() {
            shown = next;
        }
        assert_eq!(shown.opening.id, "9");
    }
}
