//! The report: its size, its policy, and what is not in it.

use std::path::Path;

use floe_arena::standings::Standings;
use floe_arena::store::Store;
use floe_games::record::{End, Entrant, Event, Opening, PlayedMove, Record, VERSION};
use floe_games::{Fault, FaultKind, Play};
use floe_web::{ReportSettings, report};

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";

/// A game of moves that look drawn by lot; the third seat from the end of every hundred games
/// faults.
fn game(number: u64, setup: &str) -> Record {
    let start = floe_games::find("gamma")
        .unwrap()
        .start(setup, number / 2)
        .unwrap();
    let names = [HOSTILE, "bob", "cat", "dan", "eve"];
    let pair = number / 2;
    let (one, other) = (
        (pair % 5) as usize,
        ((pair % 5 + 1 + pair / 5 % 4) % 5) as usize,
    );
    let seats = if number.is_multiple_of(2) {
        [one, other]
    } else {
        [other, one]
    };
    let mut record = Record::new(Opening {
        floe: VERSION,
        game: "gamma".to_owned(),
        id: (number + 1).to_string(),
        seats: seats
            .map(|seat| Entrant {
                name: names[seat].to_owned(),
                seat: "random".to_owned(),
                sha256: None,
            })
            .to_vec(),
        start: start.write(),
        ..Opening::default()
    });
    let mut play = Play::new(start);
    let mut lot = number;
    while let Some(player) = play.turn() {
        lot = lot
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        if number % 100 == 97 && lot >> 60 == 0 {
            let mut fault = Fault::new(player, FaultKind::Crash, HOSTILE);
            fault.stderr = format!("private {HOSTILE}");
            record.events.push(Event::Fault(Box::new(fault)));
            play.expel(player);
            continue;
        }
        let moves = play.position().moves();
        let mv = moves[(lot >> 33) as usize % moves.len()].clone();
        play.make(&mv).unwrap();
        record.events.push(Event::Move(PlayedMove {
            seat: player.number(),
            mv,
            wall_us: lot >> 44,
            stderr: format!("private {HOSTILE}"),
            ..PlayedMove::default()
        }));
    }
    let outcome = play.outcome().unwrap();
    record.end = Some(End {
        scores: outcome.scores().to_vec(),
        places: outcome.places().to_vec(),
        reason: play.reason().unwrap(),
    });
    record
}

fn page(folder: &Path, games: u64, setup: &str, settings: &ReportSettings) -> String {
    let mut store = Store::open(&folder.join("games.jsonl")).unwrap();
    for number in 0..games {
        store.add(&game(number, setup)).unwrap();
    }
    let results = Standings::from_store(&store, HOSTILE).unwrap();
    report(&results, &store, settings, &mut |_| {}).unwrap()
}

#[test]
fn a_thousand_games_make_a_page_below_3_mb() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path(), 1000, "10x10", &ReportSettings::default());
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("class=\"reel\"").count(), 6);
    // Nothing is fetched: no address but those within the page and of namespaces.
    for wrong in [
        " src=\"",
        "url(",
        "<link rel=\"stylesheet\"",
        "<iframe",
        "href=\"http",
    ] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    assert!(page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; script-src &#39;sha256-"), "{}", &page[..600]);
}

#[test]
fn nothing_hostile_gets_out_and_nothing_private_gets_in() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ReportSettings::default();
    let page = page(folder.path(), 200, "5x5", &settings);
    assert!(
        !page.contains("<script>alert") && !page.contains("<img"),
        "a name became HTML"
    );
    // One script of ours, and one block of data for each game.
    let scripts = page.matches("<script").count();
    assert_eq!(scripts, 1 + page.matches("class=\"reel\"").count());
    assert!(page.contains("Games with faults") && !page.contains("private"));
}

#[test]
fn logs_are_there_for_those_who_ask() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("games.jsonl")).unwrap();
    for number in 0..20 {
        store.add(&game(number, "4x4")).unwrap();
    }
    let results = Standings::from_store(&store, "cup").unwrap();
    let sizes = [false, true].map(|with_logs| {
        let settings = ReportSettings {
            with_logs,
            ..ReportSettings::default()
        };
        report(&results, &store, &settings, &mut |_| {})
            .unwrap()
            .len()
    });
    assert!(sizes[1] > sizes[0], "{sizes:?}");
}
