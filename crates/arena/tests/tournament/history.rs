use floe_arena::history::{POINTS, RatingHistory};
use floe_arena::store::Store;
use floe_games::Reason;
use floe_games::record::{End, Entrant, Opening, Record, VERSION};

const NAMES: [&str; 4] = ["ann", "bob", "cat", "dan"];

/// A game between two of them which the one of the smaller number wins, mostly.
fn game(number: u64) -> Record {
    let pair = number / 2;
    let one = (pair % 3) as usize;
    let other = (one + 1 + (pair / 3 % (3 - one as u64)) as usize).min(3);
    let seats = match number % 2 {
        0 => [one, other],
        _ => [other, one],
    };
    let first_wins = (seats[0] < seats[1]) != pair.is_multiple_of(7);
    let mut record = Record::new(Opening {
        floe: VERSION,
        game: "flood".to_owned(),
        id: (number + 1).to_string(),
        seats: seats
            .map(|seat| Entrant {
                name: NAMES[seat].to_owned(),
                seat: "random".to_owned(),
                sha256: None,
            })
            .to_vec(),
        // A board of its own, so that no game repeats another.
        start: format!("J {pair}\n@#\n+@\n"),
        began: 1000 + number,
        ..Opening::default()
    });
    record.end = Some(End {
        scores: if first_wins { vec![3, 1] } else { vec![1, 3] },
        places: if first_wins { vec![1, 2] } else { vec![2, 1] },
        reason: Reason::Finished,
    });
    record
}

fn history() -> RatingHistory {
    RatingHistory::new(NAMES.map(str::to_owned), 2)
}

#[test]
fn a_history_followed_is_the_one_read_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("cup.jsonl")).unwrap();
    let mut followed = history();
    for number in 0..1500 {
        store.add(&game(number)).unwrap();
        if number % 41 == 7 {
            followed.catch_up(&store).unwrap();
            assert!(followed.points().len() <= POINTS);
        }
    }
    followed.catch_up(&store).unwrap();
    let mut read = history();
    read.catch_up(&store).unwrap();
    assert_eq!(read.points(), followed.points());
    assert!(read.points().len() >= POINTS / 2, "{}", read.points().len());
    let last = read.points().last().unwrap();
    let elo: Vec<f64> = last.elo.iter().flatten().copied().collect();
    assert!(elo.len() == 4 && elo.is_sorted_by(|a, b| a > b), "{elo:?}");
    assert!(read.points().is_sorted_by_key(|point| point.games));
    assert!(last.began > 2000, "{last:?}");
}

#[test]
fn whoever_is_not_asked_about_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("cup.jsonl")).unwrap();
    for number in 0..200 {
        store.add(&game(number)).unwrap();
    }
    let mut some = RatingHistory::new(["bob".to_owned(), "ann".to_owned()], 2);
    some.catch_up(&store).unwrap();
    let last = some.points().last().unwrap();
    assert!(last.games < 200 && last.elo.len() == 2);
    assert!(last.elo[0] < last.elo[1], "{last:?}");
}
