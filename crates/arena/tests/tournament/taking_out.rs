//! A worker's games are taken out, and what is missing is played again.

use floe_arena::journal::read_file;
use floe_arena::store::number;
use floe_arena::tournament::{Description, Ended, Tournament};
use floe_games::record::Record;

use super::{opened, play, small, timeless, whole};

#[test]
fn games_that_were_drawn_by_a_workers_results_go_with_them() {
    for (format, drawn) in [
        ("", 0),
        // Three rounds of two tables and two boards.
        ("format = \"swiss\"\nrounds = 4", 24),
        // The semifinal and the final that follow, with their extra boards; not the other semifinal.
        ("format = \"knockout\"", 14),
    ] {
        let text = small(format);
        let (folder, results) = whole(&text);
        let file = folder.path().join("cup.jsonl");
        let records: Vec<Record> = read_file(&file).unwrap().map(Result::unwrap).collect();
        let number = |record: &Record| number(&record.opening.id).unwrap();
        // Both games of the first board.
        let first = records.iter().map(number).min().unwrap();
        let mut lines = Vec::new();
        for mut record in records {
            let is_so = number(&record) < first + 2;
            let machine = record.opening.machine.get_or_insert_default();
            machine.worker = if is_so { "liar" } else { "one" }.to_owned();
            record.write(&mut lines).unwrap();
        }
        std::fs::write(&file, lines).unwrap();
        let description = Description::load(&folder.path().join("cup.toml")).unwrap();
        let none = Tournament::take_out_games_of(&description, "nobody").unwrap();
        assert_eq!(none.games, 0, "{format}");
        let taken = Tournament::take_out_games_of(&description, "liar").unwrap();
        assert_eq!(taken.games, 2 + drawn, "{format}");
        let aside = read_file(&taken.aside).unwrap();
        assert_eq!(aside.count() as u64, taken.games, "{format}");
        let mut tournament = opened(folder.path(), &text);
        assert!(tournament.played() > 0, "{format}");
        assert_eq!(play(&mut tournament, 2, u64::MAX), Ended::Finished);
        assert_eq!(timeless(tournament.standings()), results, "{format}");
    }
}
