//! A league from the command line: from the folder to a version that plays.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::{floe, transcript};

/// A league called `cup` with Ada and Alan, and their tokens in `ada.token` and `alan.token`.
pub(crate) fn cup() -> TempDir {
    let folder = tempdir().unwrap();
    let seen = transcript("league new cup --game flood", folder.path(), "");
    assert!(seen.contains("best run at sandbox level 3"), "{seen}");
    assert!(seen.contains("cup is a league of Flood Wars."), "{seen}");
    let file = folder.path().join("cup/league.toml");
    let text = fs::read_to_string(&file).unwrap();
    // Time enough for a busy machine, and whatever sandbox it has.
    let text = text.replace("time = \"1s\"", "time = \"20s\"");
    fs::write(&file, format!("sandbox = 1\n{text}")).unwrap();
    fs::write(
        folder.path().join("class.csv"),
        "name,team\nAda,owls\nAlan\n",
    )
    .unwrap();
    let mut invite = floe("league invite cup class.csv --json");
    let said = invite.current_dir(folder.path()).assert().success();
    let said = String::from_utf8(said.get_output().stdout.clone()).unwrap();
    let first: Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["name"], &first["entrant"]),
        (&"Ada".into(), &"owls".into())
    );
    let token = first["token"].as_str().unwrap();
    assert!(
        first["link"]
            .as_str()
            .unwrap()
            .ends_with(&format!("/join/{token}"))
    );
    fs::write(folder.path().join("ada.token"), format!("{token}\n")).unwrap();
    let second: Value = serde_json::from_str(said.lines().nth(1).unwrap()).unwrap();
    let token = second["token"].as_str().unwrap();
    fs::write(folder.path().join("alan.token"), token).unwrap();
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    fs::copy(bots.join("flood.py"), folder.path().join("flood.py")).unwrap();
    fs::write(
        folder.path().join("bad.c"),
        "int main(void) { return x; }\n",
    )
    .unwrap();
    folder
}

#[test]
fn a_league_from_invitation_to_a_version_that_plays() {
    let folder = cup();
    let here = folder.path();
    let seen = transcript("league invite cup class.csv", here, "");
    assert!(seen.contains("2 of 2 are invited already"), "{seen}");
    let cup = here.join("cup");
    let seen = transcript("league invite ../class.csv", &cup, "");
    assert!(seen.contains("2 of 2 are invited already"), "{seen}");
    let seen = transcript("league invite cup", here, "");
    assert!(seen.contains("a list is missing"), "{seen}");
    let sent = "submit cup flood.py --token-file ada.token --word first";
    let seen = transcript(sent, here, "");
    assert!(
        seen.contains("owls#1 is accepted and plays from now on"),
        "{seen}"
    );
    assert!(seen.ends_with("--- exit 0\n"), "{seen}");
    let seen = transcript("submit cup bad.c --token-file ada.token", here, "");
    assert!(seen.contains("bad.c:1:25: error:"), "{seen}");
    assert!(
        seen.contains("owls#2 is refused: the build failed"),
        "{seen}"
    );
    assert!(seen.ends_with("--- exit 1\n"), "{seen}");
    let seen = transcript("league people cup", here, "");
    assert!(seen.contains("owls (Ada): plays owls#1"), "{seen}");
    let seen = transcript("league people cup --json", here, "");
    assert!(seen.contains("\"state\":\"refused\""), "{seen}");
    let seen = transcript("league withdraw cup owls", here, "");
    assert!(
        seen.contains("owls#1 is withdrawn; owls has no version that plays now."),
        "{seen}"
    );
    let seen = transcript("league pull cup owls#1 --undo", here, "");
    assert!(
        seen.contains("owls#1 may play again; owls plays with owls#1."),
        "{seen}"
    );
}

#[test]
fn wrong_use_of_leagues_is_told() {
    let folder = cup();
    let here = folder.path();
    fs::write(here.join("twice.csv"), "Bo\nBo\n").unwrap();
    fs::write(here.join("no.token"), "0".repeat(32)).unwrap();
    for (words, told) in [
        (
            "league new cup --game flood",
            "cup/league.toml is there already",
        ),
        ("league people nowhere", "nowhere is no league"),
        (
            "league invite cup twice.csv",
            "twice.csv:2:1: Bo stands in the list twice",
        ),
        (
            "league invite cup --again Eve",
            "no participant is called Eve",
        ),
        ("league pull cup hawks", "hawks has no version that plays"),
        ("league pull cup owls#7", "there is no version owls#7"),
        ("submit cup flood.py", "put your token into FLOE_TOKEN"),
        (
            "submit cup flood.py --token-file flood.py",
            "this is no token",
        ),
        ("submit cup flood.py --token-file no.token", "unknown token"),
        (
            "submit cup none.py --token-file ada.token",
            "cannot read none.py",
        ),
        (
            "submit cup flood.py --token-file ada.token --protocol french",
            "there is no protocol french; there are line, contest",
        ),
        (
            "submit http://127.0.0.1:1 flood.py --token-file ada.token",
            "cannot reach",
        ),
    ] {
        let seen = transcript(words, here, "");
        assert!(seen.contains(told), "{seen}");
        assert!(seen.ends_with("--- exit 2\n"), "{seen}");
    }
}

#[test]
fn a_league_takes_what_it_says() {
    let folder = cup();
    let here = folder.path();
    let file = here.join("cup/league.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("[submit]", "[submit]\ntakes = ['C']")).unwrap();
    let seen = transcript("submit cup flood.py --token-file ada.token", here, "");
    assert!(
        seen.contains("Python is not taken in this league; taken is C"),
        "{seen}"
    );
    assert!(seen.ends_with("--- exit 2\n"), "{seen}");
    let seen = transcript("league status cup", here, "");
    assert!(seen.contains("Taken: C."), "{seen}");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("['C']", "['Cobol']")).unwrap();
    let seen = transcript("league status cup", here, "");
    assert!(
        seen.contains("there is no recipe `Cobol`; there are"),
        "{seen}"
    );
    assert!(seen.contains("cup/league.toml:"), "{seen}");
}

/// Standard output, a JSON value for each line, and the exit code.
fn json(words: &str, here: &Path) -> (Vec<Value>, i32) {
    let output = floe(words).current_dir(here).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let read = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    (
        said.lines().map(read).collect(),
        output.status.code().unwrap(),
    )
}

#[test]
fn machines_read_what_becomes_of_a_league() {
    let folder = cup();
    let here = folder.path();
    let (made, code) = json("league new other --game gamma --json", here);
    let other = serde_json::json!({ "league": "other", "game": "gamma",
        "description": "other/league.toml" });
    assert_eq!((made, code), (vec![other], 0));
    let (_served, address) = serve(here);
    // On the same machine the server judges, and the journal tells what it said.
    for (league, number) in [(address.as_str(), 1), ("cup", 3)] {
        let words = format!("submit {league} flood.py --token-file ada.token --json");
        let (told, code) = json(&words, here);
        let version = format!("owls#{number}");
        let first = serde_json::json!({ "what": "taken", "version": version });
        assert_eq!((&told[0], code), (&first, 0), "{told:?}");
        let last = told.last().unwrap();
        assert_eq!(
            (&last["what"], &last["text"][0]),
            (&"verdict".into(), &"accepted".into()),
            "{told:?}"
        );
        let words = format!("submit {league} bad.c --token-file ada.token --json");
        let (told, code) = json(&words, here);
        assert_eq!(
            (&told.last().unwrap()["text"][0], code),
            (&"refused".into(), 1)
        );
        let is_error = |told: &Value| {
            let text = told["text"].as_str();
            told["what"] == "said" && text.is_some_and(|text| text.contains("bad.c:1:25: error:"))
        };
        assert!(told.iter().any(is_error), "{told:?}");
    }
    let (done, code) = json("league pull cup owls --json", here);
    let pulled = serde_json::json!({ "version": "owls#3", "state": "pulled", "current": "owls#1" });
    assert_eq!((done, code), (vec![pulled], 0));
    let (done, _) = json("league pull cup owls#3 --undo --json", here);
    assert_eq!(
        (&done[0]["state"], &done[0]["current"]),
        (&"accepted".into(), &"owls#3".into())
    );
}

/// A server that ends with this value.
pub(crate) struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Serves the pages of `cup`; the server and its address.
pub(crate) fn serve(here: &Path) -> (Served, String) {
    serve_at(here, "127.0.0.1:0")
}

/// The same at an address of this machine.
pub(crate) fn serve_at(here: &Path, listen: &str) -> (Served, String) {
    let (served, address, _) = serve_by(here, &["serve", "cup", "--listen", listen]);
    (served, address)
}

/// The same by any words; the organiser's link, too.
pub(crate) fn serve_by(here: &Path, words: &[&str]) -> (Served, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_floe"));
    command.args(words);
    command.current_dir(here).stdout(Stdio::piped());
    let mut served = Served(command.spawn().unwrap());
    let mut said = BufReader::new(served.0.stdout.take().unwrap()).lines();
    let mut last_word = || {
        let line = said.next().unwrap().unwrap();
        line.split_whitespace().last().unwrap().to_owned()
    };
    let (address, link) = (last_word(), last_word());
    // Where games are kept.
    assert!(said.next().is_some());
    (served, address, link)
}

#[test]
fn a_program_is_sent_over_http_while_its_author_watches() {
    let folder = cup();
    let here = folder.path();
    let (_served, address) = serve(here);
    let sent = format!("submit {address} flood.py --token-file ada.token");
    let seen = transcript(&sent, here, "");
    assert!(seen.contains("recipe: Python"), "{seen}");
    assert!(seen.contains("owls#1 is accepted"), "{seen}");
    assert!(seen.ends_with("--- exit 0\n"), "{seen}");
    let seen = transcript(
        &format!("submit {address} bad.c --token-file ada.token"),
        here,
        "",
    );
    assert!(seen.contains("bad.c:1:25: error:"), "{seen}");
    assert!(seen.ends_with("--- exit 1\n"), "{seen}");
    fs::write(here.join("no.token"), "0".repeat(32)).unwrap();
    let seen = transcript(
        &format!("submit {address} bad.c --token-file no.token"),
        here,
        "",
    );
    assert!(seen.contains("Only participants may submit"), "{seen}");
    // On the same machine it is the server who judges.
    let seen = transcript("submit cup flood.py --token-file ada.token", here, "");
    assert!(seen.contains("owls#3 is accepted"), "{seen}");
}
