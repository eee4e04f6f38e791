//! Who takes part: lists of every kind, leaving, other names and teams, and the organiser's link.

use std::fs;
use std::path::Path;

use floe_league::invitation::Invite;
use floe_league::people::{ListError, read_list};
use floe_league::{League, Token, VersionState};

mod leagues;

fn league(folder: &Path, list: &str) -> (League, Vec<Token>) {
    let text = "game = 'flood'\nsandbox = 0\n[boards]\nsetup = '4x4'\n";
    let league = leagues::league(folder, text);
    let invited = league
        .invite(&read_list(list).unwrap(), Invite::New)
        .unwrap();
    (league, invited.into_iter().map(|one| one.token).collect())
}

fn read(text: &str) -> Result<Vec<String>, ListError> {
    let guests = read_list(text)?.into_iter();
    Ok(guests
        .map(|guest| format!("{}={}", guest.name, guest.entrant))
        .collect())
}

#[test]
fn lists_are_read_as_spreadsheets_write_them() {
    for text in [
        "Ada,owls\nAlan\n",
        "Ada;owls\r\nAlan;\r\n",
        "Ada\towls\nAlan\t\n",
        "\u{feff}name;team\r\nAda;owls\r\nAlan;\r\n",
        "\n\nName\tTeam\nAda\towls\n\nAlan\t\n",
        "Team,Student\nowls,Ada\n,Alan\n",
        "No.;Full name;E-mail;Group\n1;Ada;ada@example.org;owls\n2;Alan;alan@example.org;\n",
        "\"Ada\";\"owls\"\n\"Alan\"\n",
    ] {
        assert_eq!(read(text).unwrap(), ["Ada=owls", "Alan=Alan"], "{text:?}");
    }
    // A comma in a name of a list with semicolons is a part of the name.
    assert_eq!(
        read("Lovelace, Ada;owls\n").unwrap(),
        ["Lovelace, Ada=owls"]
    );
    for (text, place) in [
        ("Ada;owls\nAda;hawks\n", "2:1: Ada stands in the list twice"),
        ("Ada;owls;x\n", "1:3: a line is a name and a team"),
        ("name;team\nAda;ow#ls\n", "2:2: names cannot have #"),
        ("team;name\nowls;\n", "2:2: names have 1 to 40"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(place), "{error}");
    }
}

#[test]
fn whoever_is_removed_is_out_and_so_is_what_nobody_plays() {
    let folder = tempfile::tempdir().unwrap();
    let (league, tokens) = league(folder.path(), "Ada,owls\nGrace,owls\nAlan\n");
    let owls = leagues::submit(&league, "owls", "greedy");
    let alan = leagues::submit(&league, "Alan", "random");
    let state = |id| {
        let found = league.look(|s| s.versions.find(id).map(|version| version.state));
        found.unwrap().unwrap()
    };
    let changed = league.remove_person("Ada").unwrap();
    assert!(
        changed.withdrawn.is_empty(),
        "Grace still plays for the owls"
    );
    assert!(league.participant(&tokens[0]).is_err());
    assert_eq!(state(&owls), VersionState::Accepted);
    let changed = league.remove_person("Alan").unwrap();
    assert_eq!(changed.withdrawn, ["Alan#1"]);
    assert_eq!(state(&alan), VersionState::Withdrawn);
    let error = league.remove_person("Alan").unwrap_err().to_string();
    assert!(error.contains("no participant is called Alan"), "{error}");
    // The journal says the same when it is read again.
    let again = League::open(folder.path()).unwrap();
    let names = again.look(|s| {
        let people = s.people.all().iter();
        people.map(|person| person.name.clone()).collect::<Vec<_>>()
    });
    assert_eq!(names.unwrap(), ["Grace"]);
    // Whoever comes back is somebody new.
    let guests = read_list("Alan\n").unwrap();
    assert_eq!(league.invite(&guests, Invite::New).unwrap().len(), 1);
}

#[test]
fn names_and_teams_change_and_tokens_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (league, tokens) = league(folder.path(), "Ada,owls\nAlan\nMary\n");
    leagues::submit(&league, "Alan", "random");
    let who = |token: &Token| {
        let person = league.participant(token).unwrap();
        (person.name, person.entrant)
    };
    let pair = |name: &str, entrant: &str| (name.to_owned(), entrant.to_owned());
    // Who has sent nothing and plays alone plays under the new name.
    league.rename_person("Mary", "Maria").unwrap();
    assert_eq!(who(&tokens[2]), pair("Maria", "Maria"));
    // Records have the others' names.
    league.rename_person("Alan", "A. Turing").unwrap();
    assert_eq!(who(&tokens[1]), pair("A. Turing", "Alan"));
    league.rename_person("Ada", "Ada L.").unwrap();
    assert_eq!(who(&tokens[0]), pair("Ada L.", "owls"));
    let changed = league.move_person("A. Turing", "owls").unwrap();
    assert_eq!(changed.withdrawn, ["Alan#1"]);
    assert_eq!(who(&tokens[1]), pair("A. Turing", "owls"));
    for (error, told) in [
        (
            league.rename_person("Maria", "Ada L."),
            "there is a Ada L. already",
        ),
        (league.rename_person("Maria", "#"), "names cannot have #"),
        (
            league.rename_person("Eve", "Eva"),
            "no participant is called Eve",
        ),
        (
            league.move_person("Maria", "Maria"),
            "Maria plays as Maria already",
        ),
        (league.move_person("Maria", " "), "names have 1 to 40"),
    ] {
        let error = error.unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn the_organisers_link_lasts_until_another_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let (league, tokens) = league(folder.path(), "Ada\n");
    let first = league.new_organiser().unwrap();
    assert!(league.is_organiser(&first).unwrap());
    assert!(!league.is_organiser(&tokens[0]).unwrap());
    let again = League::open(folder.path()).unwrap();
    assert!(again.is_organiser(&first).unwrap());
    let second = again.new_organiser().unwrap();
    assert!(!league.is_organiser(&first).unwrap());
    assert!(league.is_organiser(&second).unwrap());
    let journal = fs::read_to_string(folder.path().join("journal.jsonl")).unwrap();
    assert!(!journal.contains(first.text()) && !journal.contains(second.text()));
}
