//! From an invitation to a version that plays, through kills, quotas and refusals.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use floe_arena::referee;
use floe_arena::seat::Seat;
use floe_league::event::{Activity, Judgement};
use floe_league::invitation::Invite;
use floe_league::people::{Guest, read_list};
use floe_league::recipe::Recipes;
use floe_league::{
    BuildSandbox, Event, Judge, JudgeError, JudgeEvent, League, Submission, SubmitError, Version,
    VersionId, VersionState,
};
use floe_sandbox::Support;

fn helper() -> PathBuf {
    env!("CARGO_BIN_EXE_floe-league-supervisor").into()
}

fn build_sandbox() -> Option<BuildSandbox> {
    if Support::probe(&helper()).layers().level() == 0 {
        eprintln!("not tried here: judging, since there is no sandbox");
        return None;
    }
    Some(BuildSandbox::find(&helper(), 1).unwrap())
}

fn bots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots")
}

fn league(folder: &Path, submit: &str) -> League {
    let text = format!(
        "game = 'flood'\nsandbox = 1\n[boards]\nsetup = '5x4'\n[limits]\ntime = '20s'\n\
         start = '20s'\n[submit]\n{submit}\n"
    );
    fs::write(folder.join("league.toml"), text).unwrap();
    let league = League::open(folder).unwrap();
    let guests = read_list("name,team\nAda,owls\nGrace,owls\nAlan,hawks\n").unwrap();
    league.invite(&guests, Invite::New).unwrap();
    league
}

fn send(league: &League, who: &str, file: &str, bytes: &[u8]) -> Result<VersionId, SubmitError> {
    let by = league.look(|s| s.people.named(who).cloned()).unwrap();
    let submission = Submission {
        file: file.to_owned(),
        bytes: bytes.to_vec(),
        word: Some("first try".to_owned()),
        ..Submission::default()
    };
    league.submit(&by.unwrap(), &submission)
}

#[test]
fn a_new_league_is_there_whole_and_only_once() {
    let folder = tempfile::tempdir().unwrap();
    for game in floe_games::games() {
        let place = folder.path().join(game.name());
        let league = League::create(&place, game).unwrap();
        assert_eq!(league.description().game.name(), game.name());
        let error = League::create(&place, game).unwrap_err().to_string();
        assert!(error.contains("is there already"), "{error}");
    }
    let error = League::open(&folder.path().join("none")).unwrap_err();
    assert!(error.to_string().contains("floe league new"), "{error}");
}

#[test]
fn wrong_descriptions_are_told_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("league.toml");
    for (text, told) in [
        ("game = 'chess'", "league.toml:1:8"),
        ("game = 'flood'\nquota = 3", "league.toml:2:1"),
        (
            "game = 'flood'\n[submit]\nuntil = 'soon'",
            "league.toml:3:9: not a date",
        ),
        (
            "game = 'flood'\n[submit]\nbuild-time = 'x'",
            "league.toml:3:14: not a time",
        ),
        (
            "game = 'flood'\n[submit]\nrecipes = 'none.toml'",
            "league.toml:3:11: there is no file",
        ),
        ("game = 'flood'\npublic = 'all'", "league.toml:2:10"),
        ("game = 'flood'\nsandbox = 7", "league.toml:2:11: levels"),
    ] {
        fs::write(&file, text).unwrap();
        let error = League::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains(told), "{text}: {error}");
    }
}

#[test]
fn tokens_are_kept_as_hashes_and_a_new_one_ends_the_old() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "");
    let guest = Guest {
        name: "Mary".to_owned(),
        entrant: "owls".to_owned(),
    };
    let first = league
        .invite(std::slice::from_ref(&guest), Invite::New)
        .unwrap();
    assert!(
        league
            .invite(std::slice::from_ref(&guest), Invite::New)
            .unwrap()
            .is_empty()
    );
    let first = &first[0].token;
    assert_eq!(league.participant(first).unwrap().entrant, "owls");
    let again = league
        .invite(std::slice::from_ref(&guest), Invite::Again)
        .unwrap();
    let again = &again[0].token;
    assert!(matches!(
        league.participant(first),
        Err(SubmitError::Stranger)
    ));
    // Another process sees the same.
    let other = League::open(folder.path()).unwrap();
    assert_eq!(other.participant(again).unwrap().name, "Mary");
    let journal = fs::read_to_string(folder.path().join("journal.jsonl")).unwrap();
    assert!(!journal.contains(again.text()) && !journal.contains(first.text()));
    let stranger = Guest {
        name: "Eve".to_owned(),
        entrant: "Eve".to_owned(),
    };
    let error = league.invite(&[stranger], Invite::Again).unwrap_err();
    assert!(
        error.to_string().contains("no participant is called Eve"),
        "{error}"
    );
}

#[test]
fn quotas_pauses_and_deadlines_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "quota = 2\nsize = '1MiB'");
    send(&league, "Ada", "a.c", b"1").unwrap();
    send(&league, "Grace", "a.c", b"2").unwrap();
    let error = send(&league, "Ada", "a.c", b"3").unwrap_err().to_string();
    assert!(
        error.starts_with("2 of 2 versions of owls sent today; the next one goes at 00:00 UTC"),
        "{error}"
    );
    send(&league, "Alan", "a.c", b"3").unwrap();
    let what = Activity::Submitting;
    league.record(Event::Paused { what }).unwrap();
    assert!(matches!(
        send(&league, "Alan", "a.c", b"4"),
        Err(SubmitError::Paused)
    ));
    league.record(Event::Resumed { what }).unwrap();
    let large = vec![b'x'; (1 << 20) + 1];
    let error = send(&league, "Alan", "a.c", &large)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("a.c has 1048577 bytes; 1048576 bytes is the most"),
        "{error}"
    );
    assert!(send(&league, "Alan", "../a.c", b"4").is_err());
    assert!(send(&league, "Alan", "a.c", b"").is_err());
    let late = tempfile::tempdir().unwrap();
    let over = self::league(late.path(), "until = '2020-01-01 00:00'");
    let error = send(&over, "Ada", "a.c", b"1").unwrap_err().to_string();
    assert_eq!(error, "submitting ended on 2020-01-01 00:00 UTC");
    assert!(!late.path().join("programs").exists());
}

#[test]
fn the_queue_is_fair_and_survives_whoever_kept_it() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "quota = 1000");
    // One team sends a hundred versions, and then another sends one.
    for number in 0..100 {
        send(&league, "Ada", "a.c", format!("{number}").as_bytes()).unwrap();
    }
    let late = send(&league, "Alan", "a.c", b"late").unwrap();
    let next = |league: &League| league.look(|s| s.next_to_judge(|_| 0).cloned()).unwrap();
    let refuse = |league: &League, version: VersionId| {
        league.record(Event::Judged {
            version,
            verdict: Judgement::Refused,
            why: String::new(),
            seat: None,
            log: String::new(),
            took_ms: None,
            report: None,
        })
    };
    let first = next(&league).unwrap();
    assert_eq!(first.to_string(), "owls#1");
    refuse(&league, first).unwrap();
    assert_eq!(next(&league), Some(late.clone()));
    // Whoever comes after a kill knows all that was taken.
    drop(league);
    let journal = folder.path().join("journal.jsonl");
    let mut torn = fs::read(&journal).unwrap();
    torn.extend_from_slice(b"{\"at\":1,\"event\":\"subm");
    fs::write(&journal, torn).unwrap();
    let league = League::open(folder.path()).unwrap();
    assert_eq!(next(&league), Some(late.clone()));
    refuse(&league, late).unwrap();
    assert_eq!(league.look(|s| s.waiting.len()).unwrap(), 99);
    assert_eq!(next(&league).unwrap().to_string(), "owls#2");
}

#[test]
fn two_hundred_people_submit_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "");
    let guests = (0..200).map(|number| Guest {
        name: format!("person {number}"),
        entrant: format!("team {number}"),
    });
    let guests: Vec<Guest> = guests.collect();
    league.invite(&guests, Invite::New).unwrap();
    thread::scope(|scope| {
        for part in guests.chunks(50) {
            let place = folder.path();
            scope.spawn(move || {
                // Each as if in a process of its own.
                let league = League::open(place).unwrap();
                for guest in part {
                    send(&league, &guest.name, "a.c", guest.name.as_bytes()).unwrap();
                }
            });
        }
    });
    assert_eq!(league.look(|s| s.waiting.len()).unwrap(), 200);
}

#[test]
fn a_refused_version_changes_nothing_and_says_what_to_fix() {
    let Some(build_sandbox) = build_sandbox() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "");
    let judge = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    assert!(Judge::take_seat(&league, &build_sandbox).unwrap().is_none());
    let judged = |file: &str, bytes: &[u8]| {
        let id = send(&league, "Ada", file, bytes).unwrap();
        let mut told = Vec::new();
        let next = judge
            .judge_next(&mut |_, progress| told.push(progress))
            .unwrap();
        assert_eq!(next, Some(id.clone()));
        let version = league
            .look(|s| s.versions.find(&id).cloned())
            .unwrap()
            .unwrap();
        (version, told)
    };
    let (good, told) = judged("flood.py", &fs::read(bots().join("flood.py")).unwrap());
    assert_eq!(good.state, VersionState::Accepted, "{told:?}");
    assert!(matches!(
        told.last(),
        Some(JudgeEvent::Verdict(Judgement::Accepted, _))
    ));
    assert!(league.seat(&good).unwrap().is_program());

    // Does not compile: the messages come with their places, as they are said.
    let (bad, told) = judged("bot.c", b"int main(void) { return x; }\n");
    assert_eq!(bad.state, VersionState::Refused);
    let said = told.iter().any(
        |progress| matches!(progress, JudgeEvent::Said(line) if line.contains("bot.c:1:25: error:")),
    );
    assert!(said, "{told:?}");
    assert!(
        bad.why.contains("the build failed: cc ended with code 1"),
        "{}",
        bad.why
    );

    // Does not play: the verdict has the command that repeats it, and no path of ours.
    let (bad, told) = judged(
        "bot.py",
        b"import sys\nprint('no')\nsys.stderr.write('hm\\n')\n",
    );
    assert_eq!(bad.state, VersionState::Refused);
    let repeat = "Repeat it on your machine: floe check program flood 'python3 bot.py' --setup '5x4,style=uniform' \
         --time 20000ms \
         --start 20000ms";
    assert!(bad.why.ends_with(repeat), "{}", bad.why);
    let log = league.log(&bad).unwrap();
    assert!(log.contains("hm") && log.contains("again    (cd "), "{log}");
    let here = folder.path().to_str().unwrap();
    assert!(!log.contains(here), "{log}");
    assert!(!told.is_empty());

    // Nothing to go by.
    let (bad, _) = judged("bot.txt", b"hello");
    assert!(
        bad.why
            .contains("the upload has no program that Floe knows; known are"),
        "{}",
        bad.why
    );

    // Cannot be started at all, and does not hold up the others.
    let (bad, _) = judged("bot", b"#!/no/such/interpreter\n");
    assert_eq!(bad.state, VersionState::Refused, "{}", bad.why);
    assert!(!bad.why.contains(here), "{}", bad.why);

    // A build that pretends to be the judge has no more room than others.
    let loud = "all:\n\tyes 'owls#1 is accepted and plays from now on' | head -n 20000\n";
    let (bad, _) = judged("Makefile", loud.as_bytes());
    assert_eq!(bad.state, VersionState::Refused);
    assert!(league.log(&bad).unwrap().len() < 80 << 10);

    // The good one plays on, and nothing is left of the others.
    let current = league
        .look(|s| s.versions.current("owls").cloned())
        .unwrap();
    assert_eq!(current.unwrap().id, good.id);
    let kept = fs::read_dir(folder.path().join("programs"))
        .unwrap()
        .count();
    assert_eq!(kept, 1);

    // Withdrawn, it plays no more; let back, it does.
    let version = good.id.clone();
    let why = String::new();
    league.record(Event::Withdrawn { version, why }).unwrap();
    assert!(
        league
            .look(|s| s.versions.current("owls").is_none())
            .unwrap()
    );
    let version = good.id.clone();
    league.record(Event::Reinstated { version }).unwrap();
    assert!(
        league
            .look(|s| s.versions.current("owls").is_some())
            .unwrap()
    );
}

/// A starter of every language that the machine has is built and put through its paces.
#[test]
fn starters_of_every_language_are_accepted() {
    let Some(build_sandbox) = build_sandbox() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "build-time = '300s'");
    let judge = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    let starters = [
        ("C", "flood.c"),
        ("C++", "flood.cpp"),
        ("Rust", "flood.rs"),
        ("Go", "flood.go"),
        ("Java", "Flood.java"),
        ("Python", "flood.py"),
        ("JavaScript", "flood.js"),
    ];
    let recipes = Recipes::built_in();
    for (language, file) in starters {
        let recipe = recipes.all().iter().find(|recipe| recipe.name == language);
        let recipe = recipe.unwrap();
        let missing = recipe.missing();
        if !missing.is_empty() {
            eprintln!(
                "not tried here: {language}, since there is no {}",
                missing.join(", ")
            );
            continue;
        }
        if let Some(folder) = recipe.closed_folder(build_sandbox.layers()) {
            let folder = folder.display();
            eprintln!("not tried here: {language}, whose compiler is in {folder}, which is closed");
            continue;
        }
        let id = send(&league, "Alan", file, &fs::read(bots().join(file)).unwrap()).unwrap();
        judge.judge_next(&mut |_, _| {}).unwrap();
        let version = league
            .look(|s| s.versions.find(&id).cloned())
            .unwrap()
            .unwrap();
        let log = league.log(&version).unwrap();
        assert_eq!(version.state, VersionState::Accepted, "{language}: {log}");
        assert_eq!(
            league.program_note(&version.sha256).unwrap().recipe,
            language
        );
        play(&league, &version, &build_sandbox);
    }
}

/// A whole game of a version against an engine.
fn play(league: &League, version: &Version, build_sandbox: &BuildSandbox) {
    let game = league.description().game;
    let (position, mut opening) = league.description().boards.open(0).unwrap();
    let engine = Seat::read("greedy", game, Path::new(".")).unwrap();
    let seats = [league.seat(version).unwrap(), engine];
    opening.limits = Some(league.description().limits.clone());
    opening.seats = (seats.iter().map(|seat| seat.entrant("x"))).collect();
    let drivers = seats
        .iter()
        .map(|seat| seat.driver(game, build_sandbox.sandbox(), 1).unwrap());
    let mut drivers: Vec<_> = drivers.collect();
    let record = referee::play(
        position,
        &mut drivers,
        opening,
        &Default::default(),
        &mut |_| {},
    );
    let record = record.unwrap();
    let faults: Vec<_> = record.faults().map(ToString::to_string).collect();
    assert_eq!(faults, [""; 0], "{}", version.id);
}

#[test]
fn an_archive_says_how_it_is_built() {
    let Some(build_sandbox) = build_sandbox() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "");
    let judge = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    let pack = |files: &[(&str, &[u8])]| {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, name, *bytes).unwrap();
        }
        builder.into_inner().unwrap()
    };
    let python = fs::read(bots().join("flood.py")).unwrap();
    let line = fs::read(bots().join("line.py")).unwrap();
    let c = fs::read(bots().join("flood.c")).unwrap();
    let two = "import player\n".as_bytes();
    for (files, recipe) in [
        (
            vec![
                ("Makefile", &b"bot: flood.c\n\tcc -O2 -o bot flood.c\n"[..]),
                ("flood.c", &c[..]),
            ],
            "Makefile",
        ),
        (
            vec![
                (
                    "floe.toml",
                    &b"run = 'python3 line.py'\nprotocol = 'line'\n"[..],
                ),
                ("line.py", &line[..]),
            ],
            "floe.toml",
        ),
        (vec![("main.py", two), ("player.py", &python[..])], "Python"),
    ] {
        let id = send(&league, "Ada", "bot.tar", &pack(&files)).unwrap();
        judge.judge_next(&mut |_, _| {}).unwrap();
        let version = league
            .look(|s| s.versions.find(&id).cloned())
            .unwrap()
            .unwrap();
        let log = league.log(&version).unwrap();
        assert_eq!(version.state, VersionState::Accepted, "{recipe}: {log}");
        assert_eq!(league.program_note(&version.sha256).unwrap().recipe, recipe);
    }
    let wrong = pack(&[("floe.toml", b"run = ''\n")]);
    let id = send(&league, "Ada", "bot.tar", &wrong).unwrap();
    judge.judge_next(&mut |_, _| {}).unwrap();
    let version = league
        .look(|s| s.versions.find(&id).cloned())
        .unwrap()
        .unwrap();
    assert!(
        version.why.contains("floe.toml:1:7: there is no command"),
        "{}",
        version.why
    );
}

#[test]
fn trouble_of_the_machine_refuses_nobody() {
    if build_sandbox().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let supervisor = folder.path().join("supervisor");
    fs::copy(helper(), &supervisor).unwrap();
    let place = folder.path().join("cup");
    fs::create_dir(&place).unwrap();
    let league = league(&place, "");
    let build_sandbox = BuildSandbox::find(&supervisor, 1).unwrap();
    let source = fs::read(bots().join("flood.py")).unwrap();
    let owls = send(&league, "Ada", "flood.py", &source).unwrap();
    let judge = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    // The machine cannot start anything.
    let away = folder.path().join("away");
    fs::rename(&supervisor, &away).unwrap();
    let mut told = Vec::new();
    let mut fail = || {
        let tell = &mut |_: &VersionId, progress: JudgeEvent| told.push(progress.text().to_owned());
        match judge.judge_next(tell).unwrap_err() {
            JudgeError::MachineFailure { version, .. } => version,
            other => panic!("{other}"),
        }
    };
    assert_eq!(fail(), owls);
    let hawks = send(&league, "Alan", "flood.py", &source).unwrap();
    // Others come first, and everybody gets their turn.
    assert_eq!([fail(), fail()], [hawks.clone(), owls.clone()]);
    assert!(
        told.last().unwrap().contains("not your program"),
        "{told:?}"
    );
    let find = |id: &VersionId| {
        let found = league.look(|s| s.versions.find(id).cloned());
        found.unwrap().unwrap()
    };
    for id in [&owls, &hawks] {
        assert_eq!(find(id).state, VersionState::Waiting);
        assert!(find(id).why.contains("the league's machine failed"));
    }
    // Told once, however often it is tried.
    let journal = fs::read_to_string(place.join("journal.jsonl")).unwrap();
    assert!(journal.matches("put-off").count() <= 3, "{journal}");
    fs::rename(&away, &supervisor).unwrap();
    for _ in 0..2 {
        judge.judge_next(&mut |_, _| {}).unwrap();
    }
    for id in [&owls, &hawks] {
        let version = find(id);
        assert_eq!(
            (version.state, version.why.as_str()),
            (VersionState::Accepted, "")
        );
    }
}

/// A language is added by one table in a file of the league's own.
#[test]
fn a_language_of_the_leagues_own_is_one_table() {
    let Some(build_sandbox) = build_sandbox() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let recipes = "\
[[recipe]]
name = 'Words'
matches = ['.words']
build = ['cp {main} bot.py', 'python3 -m py_compile bot.py']
run = 'python3 bot.py'
needs = ['python3', 'cp']
";
    fs::write(folder.path().join("ours.toml"), recipes).unwrap();
    let league = league(folder.path(), "recipes = 'ours.toml'");
    let judge = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    let source = fs::read(bots().join("flood.py")).unwrap();
    // Its own recipe, and the usual ones beside it.
    for (file, recipe) in [("flood.words", "Words"), ("flood.py", "Python")] {
        let id = send(&league, "Alan", file, &source).unwrap();
        judge.judge_next(&mut |_, _| {}).unwrap();
        let found = league.look(|s| s.versions.find(&id).cloned());
        let version = found.unwrap().unwrap();
        let log = league.log(&version).unwrap();
        assert_eq!(version.state, VersionState::Accepted, "{log}");
        assert_eq!(league.program_note(&version.sha256).unwrap().recipe, recipe);
    }
    fs::write(folder.path().join("ours.toml"), "[[recipe]]\nname = 3\n").unwrap();
    drop(judge);
    // Programs that other tests are starting have the old seat's lock for a moment.
    let error = loop {
        match Judge::take_seat(&league, &build_sandbox) {
            Ok(None) => thread::sleep(Duration::from_millis(10)),
            judge => break judge.unwrap_err().to_string(),
        }
    };
    assert!(error.contains("ours.toml:2:8"), "{error}");
}

#[test]
fn a_version_that_was_pulled_before_it_was_judged_is_judged_when_it_is_let_in_again() {
    let Some(build_sandbox) = build_sandbox() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "");
    let judge = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    let bot = fs::read(bots().join("flood.py")).unwrap();
    let version = send(&league, "Ada", "flood.py", &bot).unwrap();
    let why = "by mistake".to_owned();
    let pulled = Event::Withdrawn {
        version: version.clone(),
        why,
    };
    league.record(pulled).unwrap();
    assert_eq!(judge.judge_next(&mut |_, _| {}).unwrap(), None);
    let reinstated = Event::Reinstated {
        version: version.clone(),
    };
    league.record(reinstated).unwrap();
    let judged = judge.judge_next(&mut |_, _| {}).unwrap();
    assert_eq!(judged.as_ref(), Some(&version));
    let found = found_again(&league, &version);
    assert!(league.seat(&found).is_ok());
    assert_eq!(
        (found.state, found.why),
        (VersionState::Accepted, String::new())
    );
}

fn found_again(league: &League, version: &VersionId) -> Version {
    let found = league.look(|s| s.versions.find(version).cloned());
    found.unwrap().unwrap()
}

#[test]
fn all_commands_of_a_build_share_its_time() {
    let Some(build_sandbox) = build_sandbox() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), "build-time = '2s'");
    let judge = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    let commands = vec!["'sleep 1'"; 1000].join(", ");
    let own = format!("build = [{commands}]\nrun = './bot'\n");
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(own.len() as u64);
    header.set_mode(0o644);
    header.set_entry_type(tar::EntryType::Regular);
    builder
        .append_data(&mut header, "floe.toml", own.as_bytes())
        .unwrap();
    let version = send(&league, "Ada", "bot.tar", &builder.into_inner().unwrap()).unwrap();
    judge.judge_next(&mut |_, _| {}).unwrap();
    let found = found_again(&league, &version);
    assert_eq!(found.state, VersionState::Refused);
    let why = "the build took longer than 2 s: sleep was ended";
    assert!(found.why.contains(why), "{}", found.why);
}
