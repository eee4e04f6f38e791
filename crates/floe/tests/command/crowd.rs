//! Two hundred people submit at once, and the server is killed in the middle of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use floe_league::event::Judgement;
use floe_league::{Event, League, VersionId};
use serde_json::Value;
use tempfile::tempdir;

use crate::submit::serve;
use crate::{floe, transcript};

const PEOPLE: usize = 200;
const SENDERS: usize = 8;

#[test]
fn what_a_crowd_sends_is_not_lost_by_a_kill_and_judged_in_a_fair_order() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    transcript("league new cup --game flood", here, "");
    let file = here.join("cup/league.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("sandbox = 1\n{text}")).unwrap();
    let mut list = String::new();
    for number in 0..PEOPLE {
        let _ = writeln!(list, "person {number}");
    }
    fs::write(here.join("class.csv"), list).unwrap();
    let mut invite = floe("league invite cup class.csv --json");
    let said = invite.current_dir(here).output().unwrap().stdout;
    let invited = String::from_utf8(said).unwrap();
    let tokens = invited.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["token"].as_str().unwrap().to_owned()
    });
    let tokens: Vec<String> = tokens.collect();
    assert_eq!(tokens.len(), PEOPLE);

    let (server, address) = serve(here);
    let address = Mutex::new(address);
    let taken: Mutex<Vec<VersionId>> = Mutex::default();
    let ends = thread::scope(|scope| {
        for tokens in tokens.chunks(PEOPLE / SENDERS) {
            let (address, taken) = (&address, &taken);
            scope.spawn(move || {
                for token in tokens {
                    let id = send(token, address);
                    taken.lock().unwrap().push(id);
                }
            });
        }
        while taken.lock().unwrap().len() < PEOPLE / 3 {
            thread::sleep(Duration::from_millis(1));
        }
        let mut address = address.lock().unwrap();
        drop(server);
        let (server, new) = serve(here);
        *address = new;
        server
    });
    drop(ends);

    let league = League::open(&here.join("cup")).unwrap();
    let taken = taken.into_inner().unwrap();
    assert_eq!(taken.len(), PEOPLE);
    league
        .look(|standing| {
            for id in &taken {
                assert!(standing.versions.find(id).is_some(), "{id} was lost");
            }
            // Only what was on its way when the server was killed may be there twice.
            assert!(standing.versions.all().count() <= PEOPLE + SENDERS);
        })
        .unwrap();
    // Whoever has no verdict yet comes before everybody who has one.
    let mut verdicts: BTreeMap<String, u32> = BTreeMap::new();
    league
        .look(|standing| {
            for version in standing.versions.all() {
                let count = verdicts.entry(version.id.entrant.clone()).or_default();
                *count += u32::from(version.verdict.is_some());
            }
        })
        .unwrap();
    while let Some(version) = league.look(|s| s.next_to_judge(|_| 0).cloned()).unwrap() {
        let waiting = league.look(|s| s.waiting.clone()).unwrap();
        let least = waiting.iter().map(|id| verdicts[&id.entrant]).min();
        assert_eq!(Some(verdicts[&version.entrant]), least, "{version}");
        *verdicts.get_mut(&version.entrant).unwrap() += 1;
        let judged = Event::Judged {
            version,
            verdict: Judgement::Refused,
            why: String::new(),
            seat: None,
            log: String::new(),
            took_ms: None,
            report: None,
        };
        league.record(judged).unwrap();
    }
    assert!(verdicts.values().all(|&count| count > 0));
}

/// Sends a program until the server says that it was taken.
fn send(token: &str, address: &Mutex<String>) -> VersionId {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    let agent = ureq::Agent::new_with_config(config.build());
    loop {
        let place = format!("{}api/v1/submissions?file=bot.py", address.lock().unwrap());
        let request = agent.post(place);
        let request = request.header("Authorization", format!("Bearer {token}"));
        let answer = request.send(format!("print('{token}'"));
        let text = answer.and_then(|mut answer| answer.body_mut().read_to_string());
        let Ok(text) = text else {
            thread::sleep(Duration::from_millis(5));
            continue;
        };
        let said: Value = serde_json::from_str(&text).unwrap();
        let version = said["version"].as_str().unwrap_or_else(|| panic!("{text}"));
        return version.parse().unwrap();
    }
}
