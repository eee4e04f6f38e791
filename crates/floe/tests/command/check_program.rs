use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use insta::assert_snapshot;
use tempfile::{TempDir, tempdir};

use crate::floe;

/// Our own contest program, compiled if it is not there yet.
fn contest(name: &str) -> PathBuf {
    let beside = assert_cmd::cargo::cargo_bin("floe").with_file_name(name);
    if !beside.exists() {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "-p", "floe-contest", "--bin", name])
            .status();
        assert!(built.unwrap().success());
    }
    beside
}

/// A folder that programs, which never run as root, can reach.
fn home() -> TempDir {
    let folder = tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    format!("./{name}")
}

/// What the check prints, without what differs from run to run, and the exit code.
fn check(folder: &Path, words: &[&str]) -> (String, i32) {
    let mut command = floe("check program");
    let output = command.args(words).current_dir(folder).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "", "{words:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let place = folder.canonicalize().unwrap();
    let text = text.replace(place.to_str().unwrap(), "HOME");
    let lines = text.lines().map(|line| {
        let times = [" took ", "slowest answer "];
        let time = times.iter().find_map(|time| line.split_once(time));
        match time {
            // A program that thinks by the clock plays other moves on a busy machine.
            Some((game, _)) if game.contains(" moves") => {
                let case = game.split_once(": ").map_or(game, |(case, _)| case);
                format!("{case}: played\n")
            }
            Some((head, _)) => format!("{head} ... a while\n"),
            None => format!("{line}\n"),
        }
    });
    (lines.collect(), output.status.code().unwrap())
}

#[test]
fn our_own_programs_pass() {
    let folder = home();
    for (game, program) in [("penguins", "penguins"), ("flood", "floodwars")] {
        fs::copy(contest(program), folder.path().join(program)).unwrap();
        let word = format!("./{program} time=20");
        let words = [game, &word, "--time", "60s", "--strict"];
        let (seen, code) = check(folder.path(), &words);
        assert_eq!(code, 0, "{seen}");
        assert_snapshot!(format!("check_program_{program}"), seen);
    }
}

/// Where filters alone stand around a program it may not change the mode of a file, not even of its
/// own, and writes over what it read all the same.
#[cfg(target_os = "linux")]
#[test]
fn our_own_program_needs_no_modes_to_write_over_its_input() {
    use floe_sandbox::{Launch, Layers, ProgramEnd, ProgramFiles, Support};
    let (folder, work) = (home(), tempfile::tempdir().unwrap());
    fs::copy(contest("penguins"), folder.path().join("penguins")).unwrap();
    let state = "3 4\n10 20 30 10\n00 01 10 02\n10 10 20 10\nrival 1 4\nfloe 2 1\n";
    let file = work.path().join("in.txt");
    fs::write(&file, state).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let helper = Path::new(env!("CARGO_BIN_EXE_floe"));
    let words = ["./penguins", "phase=movement", "in.txt", "in.txt"];
    let launch = Launch {
        work: Some(work.path().canonicalize().unwrap()),
        layers: Layers {
            namespaces: false,
            cgroup: false,
            ..Support::probe(helper).layers()
        },
        helper: helper.to_owned(),
        ..ProgramFiles::find(words, folder.path()).into()
    };
    let report = floe_sandbox::run(launch, b"", std::time::Duration::from_secs(60)).unwrap();
    assert_eq!(report.outcome, ProgramEnd::Exited(0), "{report:?}");
    assert_ne!(fs::read_to_string(&file).unwrap(), state);
}

#[test]
fn what_is_wrong_is_told_with_a_command_that_shows_it() {
    let folder = home();
    let small = ["--time", "60s", "--setup", "4x3"];
    let silent = script(folder.path(), "silent", "exit 0\n");
    let words = [&["flood", &silent], &small[..]].concat();
    let (seen, code) = check(folder.path(), &words);
    assert_eq!(code, 1);
    assert_snapshot!("check_program_silent", seen);

    // It passes the state on, whatever happens, and says that all is well.
    let lazy = script(
        folder.path(),
        "lazy",
        "[ \"$1\" = name ] && { echo lazy; exit; }\nfor last; do before=$file; file=$last; done\ncp \"$before\" \"$file\" 2>/dev/null\nexit 1\n",
    );
    let words = ["penguins", &lazy, "--time", "60s", "--strict"];
    let (seen, code) = check(folder.path(), &words);
    assert_eq!(code, 1);
    let told: Vec<&str> = seen
        .lines()
        .filter(|line| !line.contains("  again "))
        .collect();
    assert_snapshot!("check_program_lazy", told.join("\n"));

    let rude = script(folder.path(), "rude", "read hello\necho good morning\n");
    let line = format!("line:{rude}");
    let words = [&["gamma", &line], &small[..]].concat();
    let (seen, code) = check(folder.path(), &words);
    assert_eq!(code, 1);
    assert_snapshot!("check_program_rude", seen);
}

#[test]
fn a_program_that_stays_after_the_end_plays_and_is_remarked_on() {
    let folder = home();
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    fs::copy(bots.join("line.py"), folder.path().join("line.py")).unwrap();
    let stays = "python3 \"$(dirname \"$0\")\"/line.py\nsleep 60\n";
    let stubborn = script(folder.path(), "stubborn", stays);
    let line = format!("line:files=line.py {stubborn}");
    let words = ["flood", &line, "--time", "60s", "--setup", "2x2"];
    let (seen, code) = check(folder.path(), &words);
    assert_eq!(code, 0, "{seen}");
    let note = "remark answers the greeting, and ends: it still runs two seconds after `end`\n";
    assert!(seen.contains(note), "{seen}");
    let strict = [&words[..], &["--strict"]].concat();
    let (seen, code) = check(folder.path(), &strict);
    assert_eq!(code, 3, "{seen}");
    assert!(
        seen.contains("\n✗ 1  it still runs two seconds after `end`\n"),
        "{seen}"
    );
}

#[test]
fn what_is_left_in_the_working_directory_is_remarked() {
    let folder = home();
    fs::copy(contest("penguins"), folder.path().join("penguins")).unwrap();
    let untidy = script(
        folder.path(),
        "untidy",
        "echo x > draft; mkdir -p more\nexec \"$(dirname \"$0\")\"/penguins time=5 \"$@\"\n",
    );
    let untidy = format!("dir=. {untidy}");
    let (seen, code) = check(folder.path(), &["penguins", &untidy, "--time", "60s"]);
    assert_eq!(code, 0, "{seen}");
    let note =
        "remark cleans up after itself: it left `draft`, `more` in its working directory\n  again ";
    assert!(seen.contains(note), "{seen}");
    assert!(
        seen.starts_with("✓ it plays: 3 games without a fault, 1 remark\n"),
        "{seen}"
    );
}

#[test]
fn the_commands_really_show_it() {
    let folder = home();
    let word = script(folder.path(), "echo", "echo one; cat; exit 4\n");
    let kept = folder.path().join("kept");
    for extra in [&[][..], &["--keep", kept.to_str().unwrap()]] {
        let words = [&["flood", &word, "--json", "--time", "60s"], extra].concat();
        let mut command = floe("check program");
        let output = command
            .args(&words)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stdout).unwrap();
        let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(first["verdict"], "failed");
        assert_eq!(first["fault"]["kind"], "gave-up");
        let shown = Command::new("sh")
            .args(["-c", first["command"].as_str().unwrap()])
            .env("TMPDIR", folder.path())
            .current_dir("/")
            .output()
            .unwrap();
        let shown = String::from_utf8(shown.stdout).unwrap();
        assert!(shown.starts_with("one\nJ\n"), "{shown}");
        assert!(shown.ends_with("exit code 4\n"), "{shown}");
    }
    assert!(kept.join("01/in.txt").exists());
}

#[test]
fn only_programs_are_checked() {
    let folder = home();
    let seen = crate::transcript("check program gamma floe:easy", folder.path(), "");
    assert_snapshot!("check_program_engine", seen);
    let seen = crate::transcript("check program gamma ./nobody", folder.path(), "");
    assert_snapshot!("check_program_nobody", seen);
    let seen = crate::transcript("check program --help", folder.path(), "");
    assert_snapshot!("help_check_program", seen);
}

/// Our own program behind a script: what it does before is the program under examination.
fn behind(folder: &Path, name: &str, before: &str) -> String {
    fs::copy(contest("penguins"), folder.join("penguins")).unwrap();
    let own = "exec \"$(dirname \"$0\")\"/penguins time=5 \"$@\"";
    let word = script(folder, name, &format!("{before}\n{own}\n"));
    format!("files=penguins {word}")
}

/// A strict check.
fn check_strictly(folder: &Path, game: &str, word: &str) -> String {
    let words = [game, word, "--time", "60s", "--strict"];
    check(folder, &words).0
}

#[test]
fn what_a_program_calls_itself_is_looked_at() {
    let folder = home();
    let check = |name: &str, before: &str| {
        let word = behind(folder.path(), name, before);
        check_strictly(folder.path(), "penguins", &word)
    };
    let seen = check("fickle", "[ \"$1\" = name ] && { echo Mimi; exit; }");
    let told = "\n✗ 1  it says that its name is `Mimi`, and calls itself `floe` in its first \
                move\n  first    goes by the name it says\n  \
                expected the same name both times, since it is known by it\n";
    assert!(seen.contains(told), "{seen}");
    assert!(!seen.contains("✗ 2"), "{seen}");

    let seen = check(
        "talker",
        "[ \"$1\" = name ] && { echo floe; echo hello; exit; }",
    );
    let note = "remark says its name: it prints more than its name `floe`: `floe\\nhello`\n";
    assert!(seen.contains(note), "{seen}");

    let seen = check(
        "old",
        "[ \"$1\" = name ] && exit 3\n[ \"$1\" = id ] && set -- name",
    );
    let note =
        "remark says its name: it does not know `name`, but gives its name when asked `id`\n";
    assert!(seen.contains(note), "{seen}");
    assert!(
        seen.starts_with("✓ it plays: 3 games without a fault, 1 remark\n"),
        "{seen}"
    );

    // It never says its name, but its row has one.
    let seen = check("shy", "case \"$1\" in name|id) exit 3;; esac");
    let fault = "\n✗ 1  asked for its name, it ended with exit code 3\n";
    assert!(seen.contains(fault), "{seen}");
    assert!(
        !seen.contains("✗ 2") && !seen.contains("left out"),
        "{seen}"
    );

    // Nothing is known about it, and what cannot be asked is counted.
    let seen = check("mute", "exit 3");
    assert!(
        seen.contains("left out: 43 cases that need its name\n"),
        "{seen}"
    );
}

#[test]
fn what_programs_do_wrong_in_placement_and_with_names_is_found() {
    let folder = home();
    let word = behind(
        folder.path(),
        "eager",
        "[ \"$2\" = penguins=2 ] && set -- \"$1\" penguins=3 \"$3\" \"$4\"",
    );
    let seen = check_strictly(folder.path(), "penguins", &word);
    let told = "it ended with exit code 0 instead of 1\n  \
                first    placement, asked once more after two of two\n  expected exit code 1\n";
    assert!(seen.contains(told), "{seen}");

    // Opponents choose their IDs, so this is met in games, and comes first.
    let word = behind(
        folder.path(),
        "choosy",
        "grep -q '[A-Z]-' in.txt 2>/dev/null && { echo bad name; exit 2; }",
    );
    let words = ["penguins", &word, "--time", "60s"];
    let (seen, code) = check(folder.path(), &words);
    let told = "remark a rival with a dash in its ID: it ended with exit code 2: it says that the \
                state file is wrong\n  stdout   bad name\n";
    assert!(code == 0 && seen.contains(told), "{seen}");
    let (_, code) = check(folder.path(), &[&words[..], &["--strict"]].concat());
    assert_eq!(code, 3);
}

#[test]
fn a_wrong_board_is_told_as_one_sentence() {
    let folder = home();
    // The letter changes, and one square that is not for it to change.
    let word = script(
        folder.path(),
        "sloppy",
        "sed -e '1s/J/s/;1s/S/J/;1s/s/S/' -e 's/^\\(.\\).$/\\1/'\n",
    );
    let seen = check_strictly(folder.path(), "flood", &word);
    let lines = "expected a line `S`, then 1 line of 12 characters";
    assert!(!seen.contains("expected expected"), "{seen}");
    assert!(!seen.contains("file tampering"), "{seen}");
    let word = script(folder.path(), "short", "echo S\n");
    let words = ["flood", &word, "--time", "60s", "--setup", "12x1"];
    let (seen, _) = check(folder.path(), &words);
    assert!(seen.contains(lines), "{seen}");
}

#[test]
fn the_boards_and_limits_of_a_league_are_tried() {
    let folder = home();
    fs::copy(contest("floodwars"), folder.path().join("floodwars")).unwrap();
    let cup = "game = \"flood\"\n[boards]\nsetup = \"9x8\"\nseed = 5\n[limits]\ntime = \"50s\"\n\
               [entrants]\na = \"floe\"\nb = \"random\"\n";
    fs::write(folder.path().join("cup.toml"), cup).unwrap();
    let words = ["flood", "./floodwars time=20", "--setup", "7x6"];
    let words = [&words[..], &["--tournament", "cup.toml"]].concat();
    let mut command = floe("check program");
    let output = command
        .args(&words)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let seen = String::from_utf8(output.stdout).unwrap();
    for line in [
        "game 1, seat 1 against greedy on 7x6: ",
        "game 2, seat 2 against greedy on 9x8,style=uniform, seed 5: ",
        "game 4, seat 2 against greedy on 9x8,style=uniform, seed 7: ",
        "game 8, against itself on 9x8,style=uniform, seed 7: ",
        "to the letter: yes, 1 case\n",
    ] {
        assert!(seen.contains(line), "{line}{seen}");
    }
    let wrong = crate::transcript(
        "check program penguins /bin/true --tournament cup.toml",
        folder.path(),
        "",
    );
    assert!(
        wrong.contains("cup.toml is a tournament of flood, not of penguins"),
        "{wrong}"
    );
}

#[test]
fn programs_are_allowed_what_their_contest_allows() {
    let folder = home();
    for (game, memory) in [("flood", 128), ("penguins", 256)] {
        let mut command = floe(&format!(
            "match {game} random random --pairs 1 --setup 4x4 --json --quiet"
        ));
        let output = command.current_dir(folder.path()).output().unwrap();
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["limits"]["memory_mib"], memory, "{told}");
        assert_eq!(told["limits"]["move_ms"], 1000, "{told}");
    }
}

fn run(folder: &Path, words: &[&str]) -> String {
    let output = floe("").args(words).current_dir(folder).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// A match of a penguin each, or of so many, on one board; the games are kept in `g.jsonl`.
fn play(folder: &Path, word: &str, penguins: u32) -> String {
    let setup = format!("6x6,penguins={penguins}");
    let words = ["match", "penguins", word, "greedy", "--setup", &setup];
    let more = [
        "--pairs",
        "1",
        "--quiet",
        "--time",
        "60s",
        "--records",
        "g.jsonl",
    ];
    run(folder, &[&words[..], &more].concat())
}

#[test]
fn what_a_program_failed_at_can_be_asked_again() {
    let folder = home();
    let here = folder.path();
    // It plays until it finds itself in the file.
    let word = behind(
        here,
        "vain",
        "grep -q '^floe 1 1' in.txt 2>/dev/null && exit 5",
    );
    let told = play(here, &word, 2);
    assert!(
        told.contains("gave up by files=penguins ./vain in game 1"),
        "{told}"
    );
    let given = run(
        here,
        &["export", "g.jsonl", "--game", "1", "--at", "2", "--asked"],
    );
    assert!(given.contains("\nfloe 1 1\n"), "{given}");
    // Before its first move nobody knew what it is called.
    let given = run(
        here,
        &["export", "g.jsonl", "--game", "1", "--at", "0", "--asked"],
    );
    assert!(!given.contains("floe"), "{given}");
    let told = run(here, &["replay", "g.jsonl", "--game", "1"]);
    let command = told
        .lines()
        .find_map(|line| line.split_once("ask it again: "));
    let shown = Command::new("sh")
        .args(["-c", command.unwrap().1])
        .env("TMPDIR", here)
        .output()
        .unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.starts_with("exit code 5\n"), "{shown}");
}

#[test]
fn a_seat_says_how_its_program_is_used_to_being_treated() {
    let folder = home();
    let here = folder.path();
    // It is in the file from the start, and what it is given does not end in a newline.
    let word = behind(
        here,
        "used",
        "grep -q '^TEAM-E ' in.txt || exit 4\n[ -z \"$(tail -c 1 in.txt | tr -d '0-9')\" ] || exit 5\nset -- name=TEAM-E \"$@\"",
    );
    let told = play(here, &format!("newline=no id=TEAM-E {word}"), 1);
    assert!(!told.contains("gave up"), "{told}");
    let given = run(
        here,
        &["export", "g.jsonl", "--game", "1", "--at", "0", "--asked"],
    );
    assert!(given.ends_with("\nTEAM-E 1 0"), "{given}");
    fs::remove_file(here.join("g.jsonl")).unwrap();
    let told = play(here, &word, 1);
    assert!(told.contains("it ended with exit code 4"), "{told}");

    // One that places too many is found out where it is asked once more.
    let word = behind(
        here,
        "eager",
        "[ \"$2\" = penguins=1 ] && set -- \"$1\" penguins=2 \"$3\" \"$4\"",
    );
    fs::remove_file(here.join("g.jsonl")).unwrap();
    assert!(!play(here, &word, 1).contains("exit code"));
    fs::remove_file(here.join("g.jsonl")).unwrap();
    let told = play(here, &format!("extra-calls=yes {word}"), 1);
    assert!(
        told.contains("it ended with exit code 0 instead of 1"),
        "{told}"
    );

    let wrong = crate::transcript("match penguins newline=maybe greedy", here, "");
    assert!(
        wrong.contains("newline= must be yes or no, not maybe"),
        "{wrong}"
    );
}

#[test]
fn one_cause_is_repeated_alone_until_it_is_mended() {
    let (folder, state) = (home(), tempdir().unwrap());
    let check = |more: &[&str]| {
        let mut command = floe("check program flood");
        let words = ["./bot time=20", "--time", "60s", "--setup", "4x3"];
        let command = command.args(words).args(more).current_dir(folder.path());
        let output = command.env("FLOE_HOME", state.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (text + &errors, output.status.code().unwrap())
    };
    script(folder.path(), "bot", "exit 3\n");
    let (seen, code) = check(&["--only", "1"]);
    assert!(seen.contains("check it once without --only"), "{seen}");
    assert_eq!(code, 2);
    let (seen, code) = check(&[]);
    let command = "floe check program flood './bot time=20' --time 60s --setup 4x3";
    assert!(
        seen.contains(&format!("  repeat   {command} --only 1\n")),
        "{seen}"
    );
    assert_eq!(code, 1);
    let (seen, code) = check(&["--only", "1"]);
    assert!(seen.contains("it is not ready"), "{seen}");
    assert!(!seen.contains("  repeat  "), "{seen}");
    assert_eq!(code, 1);
    fs::copy(contest("floodwars"), folder.path().join("bot")).unwrap();
    let (seen, code) = check(&["--only", "1"]);
    assert!(
        seen.contains("cause 1 is mended; check everything again:"),
        "{seen}"
    );
    assert!(seen.contains(&format!("  {command}\n")), "{seen}");
    assert_eq!(code, 0);
    let (seen, _) = check(&["--only", "2"]);
    assert!(
        seen.contains("--only 2: the last check of ./bot time=20 found 1 cause"),
        "{seen}"
    );
}
