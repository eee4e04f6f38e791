//! Leagues for tests: entrants are engines or small programs that somebody "submitted".

#![allow(dead_code, reason = "every test uses its part")]

use std::fs;
use std::path::Path;

use floe_arena::seat::Sandbox;
use floe_league::ladder::{Ladder, LadderRunner, LadderTable, RunEnd};
use floe_league::{Event, League, VersionId};

/// A league with this description in a folder.
pub(crate) fn league(folder: &Path, description: &str) -> League {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("league.toml"), description).unwrap();
    League::open(folder).unwrap()
}

/// Lets an entrant's next version in, played by this seat; returns which one it is.
pub(crate) fn submit(league: &League, entrant: &str, seat: &str) -> VersionId {
    let version = (league.look(|standing| standing.versions.next_of(entrant))).unwrap();
    let events = [
        serde_json::json!({
            "event": "submitted", "version": version, "by": entrant, "file": "bot",
            "sha256": hash(&version), "bytes": 1,
        }),
        serde_json::json!({
            "event": "judged", "version": version, "verdict": "accepted", "seat": seat,
        }),
    ];
    for event in events {
        let event: Event = serde_json::from_value(event).unwrap();
        league.record(event).unwrap();
    }
    version
}

/// The same for a program: a script, spoken to by the line protocol.
#[cfg(unix)]
pub(crate) fn submit_script(league: &League, entrant: &str, script: &str) -> VersionId {
    use std::os::unix::fs::PermissionsExt;
    let version = (league.look(|standing| standing.versions.next_of(entrant))).unwrap();
    let folder = league.program_folder(&hash(&version)).join("built");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("bot.sh");
    fs::write(&file, script).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    submit(league, entrant, "line:./bot.sh")
}

/// Something like a hash, another for every version.
fn hash(version: &VersionId) -> String {
    let name = version.to_string();
    let digits: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("{digits:0<64}")
}

/// The sandbox of tests, which cannot re-execute themselves.
pub(crate) fn sandbox() -> Sandbox {
    let helper = Path::new(env!("CARGO_BIN_EXE_floe-league-supervisor"));
    Sandbox::find(helper, 0, 2).unwrap()
}

/// Plays so many games at so many tables.
pub(crate) fn play(league: &League, games: u64, tables: usize) -> RunEnd {
    let mut ladder = Ladder::open(league).unwrap();
    play_on(&mut ladder, games, tables)
}

/// Plays until there are so many games.
pub(crate) fn play_up_to(league: &League, games: u64, tables: usize) -> RunEnd {
    let mut ladder = Ladder::open(league).unwrap();
    match games.saturating_sub(ladder.games()) {
        0 => RunEnd::Played,
        missing => play_on(&mut ladder, missing, tables),
    }
}

fn play_on(ladder: &mut Ladder, games: u64, tables: usize) -> RunEnd {
    let runner = LadderRunner {
        games: Some(games),
        ..LadderRunner::new(sandbox(), tables)
    };
    (runner.run(ladder, &Default::default(), |_| {})).unwrap()
}

/// Who stands where, without anything that takes another time every time.
pub(crate) fn table(league: &League) -> LadderTable {
    LadderTable::open_read_only(league).unwrap()
}

/// The games that were played: their numbers, who sat where, and the places.
pub(crate) fn games(league: &League) -> Vec<(u64, Vec<String>, Vec<u32>)> {
    let mut games = Vec::new();
    for record in floe_arena::journal::read_file(&league.ladder_file()).unwrap() {
        let record = record.unwrap();
        record.verify().unwrap();
        let Some(end) = record.end else { continue };
        let seats = record.opening.seats.into_iter();
        games.push((
            record.opening.id.parse().unwrap(),
            seats.map(|entrant| entrant.name).collect(),
            end.places,
        ));
    }
    games.sort();
    games
}
