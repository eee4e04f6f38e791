//! Which languages, and whether programs that are ready to run, a league takes.

use std::fs;
use std::path::Path;

use floe_league::archive::Upload;
use floe_league::description::Description;
use floe_league::invitation::Invite;
use floe_league::people::read_list;
use floe_league::recipe::{PlanError, Recipes};
use floe_league::{League, Submission, SubmitError};
use floe_sandbox::Layers;

fn described(submit: &str) -> Result<Description, String> {
    let text = format!("game = 'flood'\n[submit]\n{submit}\n");
    let read = Description::read(&text, Path::new("cup/league.toml"));
    read.map_err(|error| error.to_string())
}

fn league(folder: &Path, submit: &str) -> League {
    let text = format!("game = 'flood'\nsandbox = 1\n[submit]\n{submit}\n");
    fs::write(folder.join("league.toml"), text).unwrap();
    let league = League::open(folder).unwrap();
    let guests = read_list("Ada,owls\n").unwrap();
    league.invite(&guests, Invite::New).unwrap();
    league
}

fn plan(recipes: &Recipes, files: &[&str], upload: Upload) -> Result<String, PlanError> {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let text = match *file {
            "floe.toml" => "run = './bot'\n",
            _ => "",
        };
        fs::write(folder.path().join(file), text).unwrap();
    }
    let plan = recipes.plan(folder.path(), files[0], upload, None, Layers::up_to(0));
    plan.map(|plan| plan.recipe)
}

#[test]
fn names_are_read_in_any_case_and_unknown_ones_have_a_place() {
    let description = described("takes = ['c++', 'PYTHON', 'Ready-Made', 'c++']").unwrap();
    let takes = &description.submitting.takes;
    assert_eq!(takes.names(), ["C++", "Python", "ready-made"]);
    assert!(takes.has("C++") && !takes.has("C") && !takes.is_all());
    assert!(described("").unwrap().submitting.takes.is_all());
    let unknown = described("takes = ['C', 'Pyton']").unwrap_err();
    assert!(unknown.starts_with("cup/league.toml:3:15"), "{unknown}");
    assert!(
        unknown.contains(
            "there is no recipe `Pyton`; there are CMake, Makefile, C, C++, Rust, Go, Java, Python, \
             JavaScript, floe.toml, ready-made"
        ),
        "{unknown}"
    );
    let nothing = described("takes = []").unwrap_err();
    assert!(nothing.contains("nothing would be accepted"), "{nothing}");
}

#[test]
fn a_leagues_own_recipes_can_be_taken_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let own = "[[recipe]]\nname = \"Snow\"\nmatches = [\".snow\"]\nrun = \"./{main}\"\n";
    fs::write(folder.path().join("recipes.toml"), own).unwrap();
    let league = league(folder.path(), "recipes = 'recipes.toml'\ntakes = ['snow']");
    let recipes = league.recipes().unwrap();
    let names: Vec<&str> = recipes.taken().map(|recipe| recipe.name.as_str()).collect();
    assert_eq!(names, ["Snow"]);
    assert_eq!(
        plan(&recipes, &["bot.snow"], Upload::Source).unwrap(),
        "Snow"
    );
}

#[test]
fn what_is_not_taken_is_refused_with_what_is() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "takes = ['Python', 'C']");
    let recipes = league.recipes().unwrap();
    assert!(!recipes.takes_own() && !recipes.takes_programs());
    for (files, upload, why) in [
        (&["bot.rs"][..], Upload::Source, "Rust is not taken"),
        (&["Makefile", "bot.c"], Upload::Tar, "Makefile is not taken"),
        (
            &["bot.c", "floe.toml"],
            Upload::Tar,
            "floe.toml is not taken",
        ),
        (
            &["bot"],
            Upload::Program,
            "programs that are ready to run are not taken",
        ),
        (
            &["notes.txt"],
            Upload::Zip,
            "uploads without a known program are not taken",
        ),
    ] {
        let refused = plan(&recipes, files, upload).unwrap_err().to_string();
        assert!(refused.starts_with(why), "{refused}");
        assert!(
            refused.ends_with("taken in this league; taken are Python, C"),
            "{refused}"
        );
    }
    // Everything as before where the league does not say.
    let all = Recipes::built_in();
    assert_eq!(
        plan(&all, &["bot"], Upload::Program).unwrap(),
        "ready to run"
    );
    assert_eq!(
        plan(&all, &["floe.toml"], Upload::Tar).unwrap(),
        "floe.toml"
    );
    // Nobody is told to send what is not taken either.
    let only = league.description().submitting.takes.clone();
    let text = "[[recipe]]\nname = \"Python\"\nmatches = [\".py\"]\nmain = [\"bot.py\"]\n\
                run = \"./{main}\"\nneeds = [\"a-snake-nobody-has\"]\n";
    let missing = Recipes::read(text, Path::new("recipes.toml")).unwrap();
    let told = |recipes: &Recipes| {
        let refused = plan(recipes, &["bot.py"], Upload::Source).unwrap_err();
        refused.to_string().contains("send a program that is built")
    };
    assert!(told(&missing));
    assert!(!told(&missing.only(only)));
}

/// What the file's name alone tells is refused at once: it is no version and counts for no quota.
#[test]
fn a_file_that_is_not_taken_is_no_version() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "takes = ['Python']");
    let by = league.look(|standing| standing.people.named("Ada").cloned());
    let by = by.unwrap().unwrap();
    let send = |file: &str, bytes: &[u8]| {
        let submission = Submission {
            file: file.to_owned(),
            bytes: bytes.to_vec(),
            ..Submission::default()
        };
        league.submit(&by, &submission)
    };
    for (file, bytes) in [("bot.c", &b"int main;"[..]), ("bot", b"\x7fELF and so on")] {
        let refused = send(file, bytes).unwrap_err();
        assert!(matches!(refused, SubmitError::Plan(_)), "{refused}");
        assert!(
            refused.to_string().ends_with("taken is Python"),
            "{refused}"
        );
    }
    let sent = league.look(|standing| standing.versions.all().count());
    assert_eq!(sent.unwrap(), 0);
    // Python with a line that would make it a program is Python; archives are opened later.
    assert_eq!(
        send("bot.py", b"#!/usr/bin/env python3\n").unwrap().number,
        1
    );
    assert_eq!(
        send("bot.tar.gz", b"\x1f\x8b\x08 and so on")
            .unwrap()
            .number,
        2
    );
}
