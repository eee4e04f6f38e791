//! Files that are not as they were written: wrong bytes, and locks that somebody else holds.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use floe_arena::store::{Filter, GameSummary, Store, StoreError, index_path, repair, verify};
use floe_arena::tournament::Ended;
use floe_games::record::Entrant;

use crate::{opened, play, small, timeless, whole};

type Content = (Vec<GameSummary>, Vec<Entrant>);

fn content(store: &Store) -> Content {
    let mut games = Vec::new();
    let each = store.each(&Filter::default(), |game| games.push(game));
    each.unwrap();
    (games, store.entrants().to_vec())
}

fn looked_at(path: &Path) -> Result<Content, StoreError> {
    Store::open_read_only(path).map(|store| content(&store))
}

#[test]
fn no_bit_of_an_index_can_change_a_table() {
    let (folder, _) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let index = index_path(&path);
    let before = looked_at(&path).unwrap();
    let good = fs::read(&index).unwrap();
    let mut remade = 0;
    for at in (0..good.len()).step_by(97) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        fs::write(&index, &bad).unwrap();
        let store =
            Store::open_read_only(&path).unwrap_or_else(|error| panic!("byte {at}: {error}"));
        assert_eq!(content(&store), before, "byte {at}");
        remade += store.notices().len();
    }
    assert!(remade > 10, "{remade}");
    // What is told, in one line.
    let mut bad = good.clone();
    bad[100..2000].fill(255);
    fs::write(&index, &bad).unwrap();
    let store = Store::open_read_only(&path).unwrap();
    let told = format!(
        "{} was damaged; it is rebuilt from the records",
        index.display()
    );
    assert_eq!(store.notices(), [told]);
}

#[test]
fn a_wrong_byte_in_the_records_is_told_with_its_place() {
    let (folder, _) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let before = looked_at(&path).unwrap();
    let good = fs::read(&path).unwrap();
    let index = fs::read(index_path(&path)).unwrap();
    let mut told = 0;
    for at in (0..good.len()).step_by(211) {
        let mut bad = good.clone();
        bad[at] ^= 2;
        for has_index in [true, false] {
            fs::write(&path, &bad).unwrap();
            // Where a process was being started that held the lock for a moment, none was made.
            let _ = fs::remove_file(index_path(&path));
            if has_index {
                fs::write(index_path(&path), &index).unwrap();
            }
            match looked_at(&path) {
                // The name of the check itself may be hit, and nothing else.
                Ok(found) => assert_eq!(found, before, "byte {at}"),
                Err(error) => {
                    told += 1;
                    let error = error.to_string();
                    let line = error.split("cup.jsonl:").nth(1).unwrap();
                    let line: usize = line.split(':').next().unwrap().parse().unwrap();
                    let where_it_is = good[..at].split(|&byte| byte == b'\n').count();
                    assert!(
                        line <= where_it_is + 1,
                        "{error}, and it is in line {where_it_is}"
                    );
                    assert!(error.contains("floe verify --repair"), "{error}");
                }
            }
        }
    }
    assert!(told > 20, "{told}");
}

#[cfg(unix)]
#[test]
fn damaged_games_are_set_aside_and_played_again() {
    let text = small("");
    let (folder, results) = whole(&text);
    let path = folder.path().join("cup.jsonl");
    // The records are on another disk, say, and here is a link to them.
    let far = folder.path().join("far.jsonl");
    fs::rename(&path, &far).unwrap();
    std::os::unix::fs::symlink("far.jsonl", &path).unwrap();
    let good = fs::read_to_string(&path).unwrap();
    // A move of one game is another one, and a line of another game cannot be read.
    let games: Vec<usize> = good
        .match_indices("{\"line\":\"game\"")
        .map(|(at, _)| at)
        .collect();
    let mut bad = good.clone().into_bytes();
    let a_move = games[3] + good[games[3]..].find("\"move\":\"").unwrap() + 8;
    bad[a_move] = b'?';
    let a_line = games[7] + good[games[7]..].find("{\"line\":\"move").unwrap();
    bad[a_line] = b'(';
    fs::write(&path, &bad).unwrap();

    let verified = verify(&path, |_| {}).unwrap();
    assert_eq!(verified.problems.len(), 2, "{:?}", verified.problems);
    assert_eq!(verified.games, games.len() as u64 - 2);
    let first_line = good[..games[3]].lines().count() + 1;
    let told = format!("cup.jsonl:{first_line}: game ");
    assert!(
        verified.problems[0].contains(&told),
        "{:?}",
        verified.problems
    );

    let repaired = repair(&path).unwrap();
    assert_eq!(
        (repaired.kept, repaired.problems.len()),
        (games.len() as u64 - 2, 2)
    );
    let aside = fs::read(repaired.aside.unwrap()).unwrap();
    let expected = [&bad[games[3]..games[4]], &bad[games[7]..games[8]]].concat();
    assert_eq!(aside, expected);
    assert!(path.with_file_name("cup.damaged.jsonl").exists());
    assert!(path.is_symlink() && !far.is_symlink());
    let again = repair(&path).unwrap();
    assert_eq!((again.problems.len(), again.aside), (0, None));

    let mut tournament = opened(folder.path(), &text);
    assert_eq!(tournament.store().games().unwrap(), games.len() as u64 - 2);
    assert_eq!(play(&mut tournament, 2, u64::MAX), Ended::Finished);
    assert_eq!(timeless(tournament.standings()), results);
}

#[test]
#[cfg(unix)]
fn a_lock_on_the_index_does_not_stop_a_tournament() {
    let text = small("");
    let (_other, results) = whole(&text);
    let folder = tempfile::tempdir().unwrap();
    let mut tournament = opened(folder.path(), &text);
    play(&mut tournament, 1, 5);
    let index = index_path(&folder.path().join("cup.jsonl"));
    let held = format!("{}-shm", index.display());
    let script = "import fcntl, sys\nfile = open(sys.argv[1], 'rb')\n\
                  fcntl.lockf(file, fcntl.LOCK_SH)\nprint('held', flush=True)\nsys.stdin.read()\n";
    let mut reader = Command::new("python3")
        .args(["-c", script, &held])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let stdout = reader.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut said).unwrap();
    assert_eq!(said, "held\n");
    let ended = play(&mut tournament, 1, u64::MAX);
    drop(reader.stdin.take());
    reader.wait().unwrap();
    assert_eq!(ended, Ended::Finished);
    let notices = tournament.store().notices();
    assert!(
        notices
            .iter()
            .any(|notice| notice.contains("database is locked")),
        "{notices:?}"
    );
    assert_eq!(timeless(tournament.standings()), results);
    drop(tournament);
    // What is beside the records now is right.
    let tournament = opened(folder.path(), &text);
    assert_eq!(tournament.store().notices(), [""; 0]);
    assert_eq!(timeless(tournament.standings()), results);
}

/// Numbers that look random, and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 33) as usize) % end.max(1)
    }

    /// Up to so many bytes of a text.
    fn part(&mut self, text: &[u8], most: usize) -> std::ops::Range<usize> {
        let start = self.below(text.len());
        start..(start + 1 + self.below(most)).min(text.len())
    }
}

/// A text with one thing wrong with it, and what that is.
fn damaged(good: &[u8], dice: &mut Dice) -> (String, Vec<u8>) {
    let mut bad = good.to_vec();
    let games = games_of(good);
    let mut lines: Vec<&[u8]> = good.split_inclusive(|&byte| byte == b'\n').collect();
    let what = match dice.below(10) {
        0 | 1 => {
            let at = dice.below(bad.len());
            bad[at] ^= 1 << dice.below(8);
            format!("a bit of byte {at}")
        }
        2 => {
            let part = dice.part(good, 4000);
            bad.drain(part.clone());
            format!("bytes {part:?} cut")
        }
        3 => {
            let (from, at) = (dice.part(good, 4000), dice.below(good.len()));
            bad.splice(at..at, good[from.clone()].iter().copied());
            format!("bytes {from:?} once more at {at}")
        }
        4 => {
            let (from, to) = (dice.part(good, 400), dice.part(good, 400));
            bad.splice(to.clone(), good[from.clone()].iter().copied());
            format!("bytes {from:?} in place of {to:?}")
        }
        5 => {
            let (one, other) = (dice.below(lines.len()), dice.below(lines.len()));
            lines.swap(one, other);
            bad = lines.concat();
            format!("lines {one} and {other} swapped")
        }
        6 => {
            let line = dice.below(lines.len());
            lines.remove(line);
            bad = lines.concat();
            format!("line {line} cut")
        }
        7 => {
            let first = dice.below(games.len());
            let last = (first + dice.below(3)).min(games.len() - 1);
            bad.drain(games[first].start..games[last].end);
            format!("games {first} to {last} of the file cut")
        }
        8 => {
            let ends: [&[u8]; 3] = [b"\r\n", b"\n\n", b"\r\r\n"];
            let end = ends[dice.below(3)];
            let some = 1 + dice.below(4);
            let mut text = Vec::new();
            for line in &lines {
                text.extend_from_slice(&line[..line.len() - 1]);
                let is_changed = dice.below(some) == 0;
                text.extend_from_slice(if is_changed { end } else { b"\n" });
            }
            bad = [&b"\xef\xbb\xbf"[..], &text].concat();
            format!("ends of lines {end:?}, one in {some}")
        }
        _ => {
            let (from, to) = (dice.below(games.len()), dice.below(games.len()));
            let at = games[to].start;
            bad.splice(at..at, good[games[from].clone()].iter().copied());
            format!("game {from} of the file once more before {to}")
        }
    };
    (what, bad)
}

/// Where the games of a text stand.
fn games_of(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut read = floe_games::record::read(text);
    let mut games = Vec::new();
    while read.next().is_some() {
        let span = read.span();
        games.push(span.start as usize..span.end as usize);
    }
    games
}

/// The finished games of a text that can be read, each once, in order.
fn finished(text: &[u8]) -> Vec<floe_games::record::Record> {
    let mut all: Vec<_> = floe_games::record::read(text)
        .keep_going()
        .flatten()
        .filter(|record| record.end.is_some())
        .collect();
    all.sort_by_key(|record| record.opening.id.parse::<u64>().ok());
    all.dedup();
    all
}

#[test]
fn a_thousand_damages_are_found_or_harmless() {
    let text = "game = \"flood\"\n[boards]\nsetup = \"4x3\"\ncount = 2\n\
                [entrants]\none = \"greedy\"\ntwo = \"random\"\nthree = \"random:seed=9\"\n";
    let (folder, _) = whole(text);
    let path = folder.path().join("cup.jsonl");
    let good = fs::read(&path).unwrap();
    drop(Store::open(&path).unwrap());
    let index = fs::read(index_path(&path)).unwrap();
    let whole = finished(&good);
    let mut dice = Dice(25);
    let mut found = 0;
    for _ in 0..1000 {
        let (what, bad) = damaged(&good, &mut dice);
        fs::write(&path, &bad).unwrap();
        fs::write(index_path(&path), &index).unwrap();
        let verified = verify(&path, |_| {}).unwrap();
        found += usize::from(!verified.problems.is_empty());
        assert!(
            !verified.problems.is_empty() || finished(&bad) == whole,
            "{what} is not found"
        );
        // Without the index the last games may be missing, as if they had not been played yet.
        fs::remove_file(index_path(&path)).unwrap();
        let verified = verify(&path, |_| {}).unwrap();
        let left = finished(&bad);
        assert!(
            !verified.problems.is_empty() || whole.starts_with(&left),
            "{what} is not found without an index"
        );
    }
    assert!(found > 500, "{found}");
}

#[test]
fn a_game_that_is_cut_out_is_named_and_copies_by_editors_are_read() {
    let (folder, _) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let good = fs::read(&path).unwrap();
    fs::remove_file(index_path(&path)).unwrap();
    let games = games_of(&good);
    let id = |game: &std::ops::Range<usize>| finished(&good[game.clone()])[0].opening.id.clone();
    let victim = games.iter().find(|game| id(game) == "7").unwrap();
    let mut cut = good.clone();
    cut.drain(victim.clone());
    fs::write(&path, cut).unwrap();
    let verified = verify(&path, |_| {}).unwrap();
    assert_eq!(verified.games, games.len() as u64 - 1);
    let [problem] = &verified.problems[..] else {
        panic!("{verified:?}");
    };
    assert!(
        problem.contains("cup.jsonl: game 7 is missing"),
        "{problem}"
    );

    let text = String::from_utf8(good.clone()).unwrap();
    for copy in [
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        format!("\u{feff}{}", text.replace('\n', "\r\n")),
        text.trim_end().to_owned(),
    ] {
        // Beside the index of the copy before.
        fs::write(&path, &copy).unwrap();
        let verified = verify(&path, |_| {}).unwrap();
        assert_eq!(verified.problems, [""; 0]);
        assert_eq!(verified.games, games.len() as u64);
        let repaired = repair(&path).unwrap();
        assert_eq!((repaired.kept, repaired.aside), (games.len() as u64, None));
        assert_eq!(looked_at(&path).unwrap().0.len(), games.len());
    }
}
