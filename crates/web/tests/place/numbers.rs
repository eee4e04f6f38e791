//! Pages print the ratings of every other table, and the openings of games.

use floe_arena::standings::{Standings, markdown};
use floe_arena::store::Store;
use floe_games::Play;
use floe_games::record::{Event, PlayedMove, Record};
use floe_web::{ReportSettings, report};

use crate::league::{broken_game_from, broken_game_of};
use crate::{Browser, Place};

const NAMES: [&str; 3] = ["cat", "dog", "owl"];

/// The seat to move crashes: the first after two moves, the second after three.
const LOST: [&[&str]; 2] = [&["a1", "b2"], &["a1", "b2", "c3"]];

/// Pairs on different openings: who plays, and which seat loses each game.
const PAIRS: [([usize; 2], [usize; 2]); 7] = [
    ([0, 1], [1, 0]),
    ([0, 1], [1, 1]),
    ([1, 2], [1, 0]),
    ([1, 2], [0, 0]),
    ([0, 2], [1, 0]),
    ([0, 2], [1, 0]),
    ([0, 2], [1, 1]),
];
const OPENINGS: [&[&str]; 7] = [
    &["d1", "d2"],
    &["d1", "d3"],
    &["d1", "d4"],
    &["d2", "d1"],
    &["d3", "d1"],
    &["d4", "d1"],
    &["d4", "d2"],
];

fn with_pairs() -> Place {
    let place = Place::new();
    let text = "game = \"gamma\"\n[boards]\nsetup = \"4x4\"\ncount = 7\n\
                [entrants]\ncat = \"greedy\"\ndog = \"greedy\"\nowl = \"greedy\"\n";
    std::fs::write(place.folder().join("cup.toml"), text).unwrap();
    let mut store = Store::open(&place.folder().join("cup.jsonl")).unwrap();
    for (pair, ((seats, lost), opening)) in (0u64..).zip(PAIRS.into_iter().zip(OPENINGS)) {
        for turn in 0..2 {
            let mut seats = seats.map(|seat| (NAMES[seat], "greedy"));
            seats.rotate_left(turn);
            let id = 2 * pair + turn as u64 + 1;
            let game = broken_game_from(opening, id, seats, LOST[lost[turn]]);
            store.add(&game).unwrap();
        }
    }
    place
}

/// A game after an opening, of the first moves there are.
fn whole_game(opening: &[&str], id: u64, seats: [(&str, &str); 2]) -> Record {
    let mut record = broken_game_from(opening, id, seats, &[]);
    record.events.clear();
    let game = floe_games::find("gamma").unwrap();
    let mut play = Play::new(game.read(&record.opening.start).unwrap());
    while let Some(player) = play.turn() {
        let mv = play.position().moves()[0].clone();
        play.make(&mv).unwrap();
        record.events.push(Event::Move(PlayedMove {
            seat: player.number(),
            mv,
            ..PlayedMove::default()
        }));
    }
    record.end = play.end();
    record
}

/// The records, closed again before a page reads them.
fn records(place: &Place) -> Store {
    Store::open(&place.folder().join("cup.jsonl")).unwrap()
}

#[tokio::test]
async fn pages_and_reports_print_the_elo_and_margin_of_every_other_table() {
    let place = with_pairs();
    let mut browser = Browser::default();
    let page = browser.get(&place, "/league/cup").await.text;
    let store = records(&place);
    let results = Standings::from_store(&store, "cup").unwrap();
    let report = report(&results, &store, &ReportSettings::default(), &mut |_| {}).unwrap();
    let table = markdown(&results);
    assert_eq!(results.rows.len(), 3);
    for row in &results.rows {
        let elo = row.elo.as_ref().unwrap();
        let margin = (elo.high - elo.low) / 2.0;
        assert!(margin > 50.0 && row.games > 6, "{row:?}");
        let rating = match elo.value.round() {
            0.0 => "0".to_owned(),
            value => format!("{value:+}").replace('-', "−"),
        };
        let cell = format!(
            "<td class=\"num rating\"><b>{rating}</b> <small class=\"soft\">±{margin:.0}</small></td>"
        );
        assert!(page.contains(&cell), "{cell}: {page}");
        assert!(report.contains(&cell), "{cell}: {report}");
        let entrant = format!("/league/cup/entrant/{}", row.name);
        let entrant = browser.get(&place, &entrant).await.text;
        let fact = format!(
            "<dt>Rating</dt><dd>{rating}</dd><dd class=\"soft\">±{margin:.0}, with 95 % certainty</dd>"
        );
        assert!(entrant.contains(&fact), "{fact}: {entrant}");
        let line = table.lines().find(|line| line.contains(&row.name)).unwrap();
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let plain = format!("{margin:.0}");
        assert!(cells.contains(&plain.as_str()), "{plain}: {line}");
    }
}

#[tokio::test]
async fn pages_and_reports_count_repeats() {
    let place = with_pairs();
    let mut store = records(&place);
    let count = |results: &Standings| (results.games, results.different);
    let before = Standings::from_store(&store, "cup").unwrap();
    assert_eq!(count(&before), (14, 14));
    // The last pair once more, move by move.
    for turn in 0..2 {
        let mut seats = [("cat", "greedy"), ("owl", "greedy")];
        seats.rotate_left(turn);
        let game = broken_game_from(OPENINGS[6], 15 + turn as u64, seats, LOST[1]);
        store.add(&game).unwrap();
    }
    let after = Standings::from_store(&store, "cup").unwrap();
    assert_eq!(count(&after), (16, 14));
    let report = report(&after, &store, &ReportSettings::default(), &mut |_| {}).unwrap();
    drop(store);
    let page = Browser::default().get(&place, "/league/cup").await.text;
    assert!(page.contains("16 of 42 games, 14 different"), "{page}");
    assert!(report.contains("16 games, 14 different"), "{report}");
    // A repeat is no evidence: ratings and their intervals stay.
    for (before, after) in before.rows.iter().zip(&after.rows) {
        assert_eq!((&before.name, &before.elo), (&after.name, &after.elo));
    }
}

#[tokio::test]
async fn pages_and_reports_show_the_opening_of_a_game() {
    let place = with_pairs();
    let line = "Opening, before the first move: d1 d2</p>";
    let mut browser = Browser::default();
    let replay = browser.get(&place, "/league/cup/game/1").await.text;
    assert!(replay.contains(line), "{replay}");
    let mut store = records(&place);
    // Reports show games that were played to their end.
    let seats = [("cat", "greedy"), ("dog", "greedy")];
    store.add(&whole_game(OPENINGS[1], 15, seats)).unwrap();
    let results = Standings::from_store(&store, "cup").unwrap();
    let settings = ReportSettings::default();
    let page = report(&results, &store, &settings, &mut |_| {}).unwrap();
    assert!(page.contains("Opening, before the first move: "), "{page}");
    // A game without one has no such line.
    store.add(&broken_game_of(16, seats, LOST[0])).unwrap();
    drop(store);
    let replay = browser.get(&place, "/league/cup/game/16").await.text;
    assert!(
        replay.contains("cat") && !replay.contains("Opening, before"),
        "{replay}"
    );
}
