//! Results that grow while somebody looks at them.

use std::fs;

use floe_arena::history::RatingHistory;
use floe_arena::journal::read_file;
use floe_arena::store::{Filter, Followed, Store, index_path, number};
use floe_arena::tournament::{Description, Tournament};
use floe_games::record::Record;

use crate::{small, whole};

/// The records of a whole tournament, and the folder they are taken from.
fn played() -> (tempfile::TempDir, Vec<Record>) {
    let (folder, _) = whole(&small(""));
    let records = read_file(&folder.path().join("cup.jsonl")).unwrap();
    let records: Vec<Record> = records.map(Result::unwrap).collect();
    assert!(records.len() > 8);
    (folder, records)
}

fn names(description: &Description) -> Vec<String> {
    let entrants = description.entrants.iter();
    entrants.map(|entrant| entrant.name.clone()).collect()
}

#[test]
fn what_is_followed_is_what_is_opened_anew_and_nothing_is_read_twice() {
    let (_folder, records) = played();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cup.toml");
    fs::write(&file, small("")).unwrap();
    let path = folder.path().join("cup.jsonl");
    let mut player = Store::open(&path).unwrap();
    player.add(&records[0]).unwrap();
    player.commit().unwrap();
    let description = || Description::load(&file).unwrap();
    let mut watcher = Store::open_read_only(&path).unwrap();
    let mut seen = Vec::new();
    watcher.follow(|game| seen.push(game.number)).unwrap();
    let mut tournament = Tournament::open_read_only(description()).unwrap();
    let mut history = RatingHistory::new(names(&description()), 2);
    for part in records[1..].chunks(3) {
        for record in part {
            player.add(record).unwrap();
        }
        player.commit().unwrap();
        let before = seen.len();
        let found = watcher.follow(|game| seen.push(game.number)).unwrap();
        assert_eq!(found, Followed::Grown);
        assert_eq!(seen.len(), before + part.len());
        let again = watcher.follow(|_| panic!("read again"));
        assert_eq!(again.unwrap(), Followed::Same);
        assert_eq!(tournament.follow().unwrap(), Followed::Grown);
        history.catch_up(tournament.store()).unwrap();
    }
    let anew = Tournament::open_read_only(description()).unwrap();
    assert_eq!(tournament.standings(), anew.standings());
    assert_eq!(tournament.played(), anew.played());
    let mut history_anew = RatingHistory::new(names(&description()), 2);
    history_anew.catch_up(anew.store()).unwrap();
    assert_eq!(history.points(), history_anew.points());
    // Now nobody plays, and somebody appends to the records alone.
    drop(player);
    let text = fs::read_to_string(&path).unwrap();
    let next = text.lines().count();
    let more = records[0].clone();
    let mut more = Record {
        end: more.end.clone(),
        ..more
    };
    more.opening.id = (records.len() + 1).to_string();
    let mut bytes = text.into_bytes();
    more.write(&mut bytes).unwrap();
    fs::write(&path, bytes).unwrap();
    let found = watcher.follow(|game| seen.push(game.number)).unwrap();
    assert_eq!(found, Followed::Grown, "after {next} lines");
    assert_eq!(seen.last(), Some(&(records.len() as u64)));
    let all = Filter::default();
    let mut count = 0;
    watcher.each(&all, |_| count += 1).unwrap();
    assert_eq!(count, seen.len());
}

#[test]
fn what_is_written_while_somebody_reads_is_seen_the_next_time() {
    let (_folder, records) = played();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.jsonl");
    let mut player = Store::open(&path).unwrap();
    player.add(&records[0]).unwrap();
    player.commit().unwrap();
    // The records have a game more than the index, until the watcher is in the middle of it.
    player.add(&records[1]).unwrap();
    let numbers = [0, 1].map(|at: usize| number(&records[at].opening.id).unwrap());
    let mut watcher = Store::open_read_only(&path).unwrap();
    let mut seen = Vec::new();
    let first = watcher.follow(|game| {
        seen.push(game.number);
        player.commit().unwrap();
    });
    assert_eq!(first.unwrap(), Followed::Grown);
    assert_eq!(seen, numbers[..1]);
    let second = watcher.follow(|game| seen.push(game.number));
    assert_eq!(second.unwrap(), Followed::Grown);
    assert_eq!(seen, numbers);
}

#[test]
fn a_file_that_was_put_in_the_place_of_another_is_noticed() {
    let (played_in, records) = played();
    let path = played_in.path().join("cup.jsonl");
    let mut watcher = Store::open_read_only(&path).unwrap();
    watcher.follow(|_| {}).unwrap();
    // The index is thrown away, as whoever plays does with one that is of no use.
    fs::remove_file(index_path(&path)).unwrap();
    assert_eq!(watcher.follow(|_| {}).unwrap(), Followed::Replaced);
    let mut watcher = Store::open_read_only(&path).unwrap();
    let mut count = 0;
    watcher.follow(|_| count += 1).unwrap();
    assert_eq!(count, records.len());
    let other = played_in.path().join("other.jsonl");
    fs::write(&other, "").unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(watcher.follow(|_| {}).unwrap(), Followed::Replaced);
}

#[test]
fn an_index_that_was_put_in_the_place_of_the_one_that_is_open_is_noticed() {
    let (played_in, _) = played();
    let path = played_in.path().join("cup.jsonl");
    let player = Store::open(&path).unwrap();
    let mut watcher = Store::open_read_only(&path).unwrap();
    // Before anything is read, somebody makes it again.
    drop(player);
    fs::remove_file(index_path(&path)).unwrap();
    let _player = Store::open(&path).unwrap();
    watcher.follow(|_| {}).unwrap();
    assert_eq!(watcher.follow(|_| {}).unwrap(), Followed::Replaced);
}

#[test]
fn whoever_looks_leaves_an_index_alone_that_is_being_made() {
    let (played_in, records) = played();
    let path = played_in.path().join("cup.jsonl");
    let _player = Store::hold(&path).unwrap();
    fs::remove_file(index_path(&path)).unwrap();
    for is_there in [false, true] {
        if is_there {
            fs::write(index_path(&path), "").unwrap();
        }
        let mut count = 0;
        let mut watcher = Store::open_read_only(&path).unwrap();
        watcher.follow(|_| count += 1).unwrap();
        assert_eq!(count, records.len());
        let data = fs::metadata(index_path(&path));
        assert_eq!(data.ok().map(|data| data.len()), is_there.then_some(0));
    }
}

#[test]
fn parts_of_a_list_make_up_the_whole_from_both_ends() {
    let (folder, _) = played();
    let store = Store::open_read_only(&folder.path().join("cup.jsonl")).unwrap();
    let numbers = |filter: &Filter| {
        let mut numbers = Vec::new();
        store
            .each(filter, |game| numbers.push(game.number))
            .unwrap();
        numbers
    };
    for entrants in [vec![], vec![0], vec![0, 1]] {
        let all = Filter {
            entrants,
            ..Filter::default()
        };
        let whole = numbers(&all);
        assert!(whole.is_sorted() && whole.len() >= 2);
        let (mut next, mut up) = (0, Vec::new());
        loop {
            let part = numbers(&Filter {
                range: Some(next..u64::MAX),
                most: Some(2),
                ..all.clone()
            });
            let Some(last) = part.last() else { break };
            next = last + 1;
            up.extend(part);
        }
        assert_eq!(up, whole);
        let (mut end, mut down) = (u64::MAX, Vec::new());
        loop {
            let mut part = numbers(&Filter {
                range: Some(0..end),
                most: Some(2),
                from_the_end: true,
                ..all.clone()
            });
            let Some(&first) = part.first() else { break };
            end = first;
            part.extend(down);
            down = part;
        }
        assert_eq!(down, whole);
    }
}
