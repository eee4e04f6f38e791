//! Follows games in progress: reads a growing file at intervals, and shows its games one after the
//! other. If the process that plays them publishes live events, games are shown move by move.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::{BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use floe_arena::live::{LiveEvent, LiveReader, socket_path};
use floe_games::record::{Event, ReadError, Record, RecordLine, read_on};

use crate::input::Input;

/// Interval between checks of the file.
const LOOK: Duration = Duration::from_millis(300);
/// Time that a turn is shown.
const PACE: Duration = Duration::from_millis(400);
/// Time that the end of a game is shown.
const REST: Duration = Duration::from_secs(2);
/// A screen that is further behind jumps to the newest game.
const FURTHEST: usize = 3;

/// A file of records that grows.
#[derive(Debug)]
pub(crate) struct GrowingFile {
    path: PathBuf,
    /// Bytes and lines of complete games read so far.
    bytes: u64,
    lines: u64,
    /// The file's size when last read.
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

    /// New and grown games since the last call; a game in progress comes again each time it has
    /// grown. `None` if the file does not exist yet. A file that became shorter is read again.
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

    /// Sends every new game to `inbox`, from a thread of its own, until the receiver is gone.
    pub(crate) fn follow(mut self, inbox: Sender<Input>) -> std::io::Result<()> {
        let (socket, told) = (socket_path(&self.path), inbox.clone());
        thread::Builder::new()
            .name("watch live".to_owned())
            .spawn(move || LiveGames::follow(&socket, &told))?;
        let look = move || {
            loop {
                thread::sleep(LOOK);
                // An unreadable part may be half written, so try again later.
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

/// Games in progress, from live events.
#[derive(Debug, Default)]
pub(crate) struct LiveGames(BTreeMap<String, Record>);

impl LiveGames {
    /// A game in progress, if live events show one.
    pub(crate) fn first(records: &Path) -> Option<Record> {
        let mut games = LiveGames::default();
        let mut events = LiveReader::connect(&socket_path(records)).ok()?;
        events.find_map(|event| games.take(event))
    }

    /// The game of an event, in its new state.
    fn take(&mut self, event: LiveEvent) -> Option<Record> {
        let (game, line) = match event {
            LiveEvent::Line { game, line } => (game, line),
            LiveEvent::Abandoned { game, .. } => {
                self.0.remove(&game);
                return None;
            }
            LiveEvent::Missed { .. } => {
                self.0.clear();
                return None;
            }
            LiveEvent::Progress { .. } => return None,
        };
        match line {
            RecordLine::Game(opening) => {
                let record = Record::new(*opening);
                self.0.insert(game, record.clone());
                return Some(record);
            }
            RecordLine::End(end) => {
                let mut record = self.0.remove(&game)?;
                record.end = Some(end);
                return Some(record);
            }
            RecordLine::Move(made) => self.0.get_mut(&game)?.events.push(Event::Move(made)),
            RecordLine::Back(back) => self.0.get_mut(&game)?.events.push(Event::Back(back)),
            RecordLine::Fault(fault) => self.0.get_mut(&game)?.events.push(Event::Fault(fault)),
        }
        self.0.get(&game).cloned()
    }

    /// Sends every growing game to `inbox`, until the receiver is gone.
    fn follow(socket: &Path, inbox: &Sender<Input>) {
        loop {
            thread::sleep(LOOK);
            let mut games = LiveGames::default();
            // An error means that no process is playing now.
            for event in LiveReader::connect(socket).into_iter().flatten() {
                if let Some(record) = games.take(event)
                    && inbox.send(Input::Recorded(Box::new(record))).is_err()
                {
                    return;
                }
            }
        }
    }
}

/// The games to show, and when.
#[derive(Debug)]
pub(crate) struct Watching {
    queue: VecDeque<Record>,
    next: Instant,
    /// Whether the screen follows by itself.
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

    /// Adds a new or grown game.
    pub(crate) fn add(&mut self, record: Record) {
        self.queue.retain(|waiting| !is_same(waiting, &record));
        self.queue.push_back(record);
        if self.queue.len() > FURTHEST {
            let newest = self.queue.len() - 1;
            self.queue.drain(..newest);
        }
    }

    /// The shown game, if it has grown.
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

    /// The next game, once the one before it was shown.
    pub(crate) fn next_game(&mut self) -> Option<Record> {
        self.queue.pop_front()
    }
}

/// Whether two records are of the same game, at different stages.
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
    fn games_are_followed_move_by_move_where_somebody_tells_of_them() {
        use floe_arena::live::{Broadcast, LiveSocket};
        let folder = tempfile::tempdir().unwrap();
        let text = lines(folder.path(), "one").concat();
        let record = floe_games::record::read(text.as_bytes()).next().unwrap();
        let record = record.unwrap();
        let path = folder.path().join("games.jsonl");
        let broadcast = Broadcast::default();
        let socket = LiveSocket::beside(&path, &broadcast);
        assert!(LiveGames::first(&folder.path().join("other")).is_none());
        let tell = |line: RecordLine| {
            let game = record.opening.id.clone();
            broadcast.publish(|| LiveEvent::Line { game, line });
        };
        let mut told = record.lines();
        tell(told.next().unwrap());
        let first = LiveGames::first(&path).unwrap();
        assert!(first.events.is_empty());
        let (inbox, inputs) = std::sync::mpsc::channel();
        GrowingFile::new(&path).follow(inbox).unwrap();
        let mut seen = first;
        let Input::Recorded(begun) = inputs.recv().unwrap() else {
            panic!("the game is under way");
        };
        assert_eq!(*begun, seen);
        told.for_each(tell);
        while seen.end.is_none() {
            let Input::Recorded(next) = inputs.recv().unwrap() else {
                continue;
            };
            assert!(is_same(&next, &seen));
            assert!(
                next.events.len() <= seen.events.len() + 1,
                "a move was left out"
            );
            seen = *next;
        }
        assert_eq!(seen, record);
        drop(socket);
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
