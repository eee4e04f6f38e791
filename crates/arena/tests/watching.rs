//! Games that are watched, seats that are filled from outside, jobs that are carried elsewhere,
//! and several runners on one machine.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use floe_arena::Boards;
use floe_arena::job::{Job, JobError};
use floe_arena::live::{Broadcast, LiveEvent};
use floe_arena::load::Reading;
use floe_arena::runner::{CorePool, NamedSeat, Runner, RunnerError};
use floe_arena::schedule::Schedule;
use floe_arena::seat::{RemoteAnswer, RemoteRequest, Sandbox, Seat, remote_seat};
use floe_arena::tournament::{Description, Tournament};
use floe_games::record::{MoveLimits, Record, RecordLine};
use floe_games::{FaultKind, Reason, find};

fn runner(game: &str, setup: &str, seats: Vec<(&str, Seat)>) -> Runner {
    let game = find(game).unwrap();
    Runner {
        entrants: seats
            .into_iter()
            .map(|(name, seat)| NamedSeat {
                limits: None,
                name: name.to_owned(),
                seat,
            })
            .collect(),
        boards: Boards::made(game, setup, 5).unwrap(),
        limits: MoveLimits::default(),
        sandbox: Sandbox::none(),
        tables: 2,
        cores: None,
        live: Broadcast::default(),
        meter: Reading::now,
    }
}

fn engine(game: &str, word: &str) -> Seat {
    Seat::read(word, find(game).unwrap(), Path::new(".")).unwrap()
}

fn play(runner: &Runner, units: u64) -> Result<Vec<Record>, RunnerError> {
    let seats = runner.entrants.len();
    let schedule = Schedule::round_robin(seats, seats, units, 0).unwrap();
    let mut records = Vec::new();
    runner.run(schedule.pairings(), &Default::default(), |_, record| {
        records.push(record);
        ControlFlow::Continue(())
    })?;
    Ok(records)
}

#[test]
fn whoever_watches_sees_every_line_of_every_record() {
    let seats = vec![
        ("a", engine("gamma", "greedy")),
        ("b", engine("gamma", "random")),
    ];
    let runner = runner("gamma", "5x5", seats);
    let events = runner.live.subscribe();
    let records = play(&runner, 4).unwrap();
    drop(runner);
    let mut lines: HashMap<String, Vec<RecordLine>> = HashMap::new();
    let mut progress = Vec::new();
    for event in events {
        match Arc::unwrap_or_clone(event) {
            LiveEvent::Line { game, line } => lines.entry(game).or_default().push(line),
            LiveEvent::Progress { played, .. } => progress.push(played),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(progress, (1..=8).collect::<Vec<_>>());
    assert_eq!(lines.len(), 8);
    for record in records {
        let expected: Vec<RecordLine> = record.lines().collect();
        assert_eq!(lines[&record.opening.id], expected);
    }
}

#[test]
fn events_are_written_as_json_that_reads_back() {
    let event = LiveEvent::Line {
        game: "7".into(),
        line: RecordLine::Move(Default::default()),
    };
    let text = serde_json::to_string(&event).unwrap();
    assert_eq!(
        text,
        r#"{"event":"line","game":"7","line":{"line":"move","seat":0,"move":""}}"#
    );
    assert_eq!(serde_json::from_str::<LiveEvent>(&text).unwrap(), event);
}

/// Answers every question with its first move, until `most` are answered.
fn answer(player: floe_arena::seat::RemotePlayer, most: usize) -> thread::JoinHandle<Vec<String>> {
    thread::spawn(move || {
        let mut told = Vec::new();
        for request in &player.requests {
            match request {
                RemoteRequest::Sit { player, limits, .. } => {
                    told.push(format!("sit {player} {}", limits.move_ms));
                }
                RemoteRequest::Decide {
                    question, position, ..
                } => {
                    if question as usize > most {
                        return told;
                    }
                    // An answer to an older question changes nothing.
                    let stale = RemoteAnswer {
                        question: question - 1,
                        mv: "nonsense".into(),
                        ..RemoteAnswer::default()
                    };
                    let mv = position.moves().swap_remove(0);
                    let note = format!("answer {question}");
                    let fresh = RemoteAnswer { question, mv, note };
                    player.answers.send(stale).unwrap();
                    player.answers.send(fresh).unwrap();
                }
                RemoteRequest::Leave { scores } => {
                    told.push(format!("leave {}", scores.len()));
                    return told;
                }
            }
        }
        told
    })
}

/// One game of a remote seat against an engine.
fn remote_game(limits: MoveLimits, most: usize) -> (Record, Vec<String>) {
    let (seat, player) = remote_seat("human");
    let answering = answer(player, most);
    let seats = vec![
        ("Ada", Seat::Remote(seat)),
        ("b", engine("gamma", "greedy")),
    ];
    let mut runner = runner("gamma", "4x4", seats);
    runner.limits = limits;
    runner.tables = 1;
    let schedule = Schedule::round_robin(2, 2, 1, 0).unwrap();
    let job = runner.job(&schedule.pairing(0).unwrap()).unwrap();
    let seats: Vec<Seat> = job
        .opening
        .seats
        .iter()
        .map(|entrant| {
            let mut all = runner.entrants.iter();
            let found = all.find(|one| one.name == entrant.name);
            found.unwrap().seat.clone()
        })
        .collect();
    let record = job
        .play(&seats, &runner.sandbox, &Default::default(), &runner.live)
        .unwrap();
    record.verify().unwrap();
    (record, answering.join().unwrap())
}

#[test]
fn somebody_outside_plays_a_game() {
    let patient = MoveLimits {
        move_ms: 60_000,
        ..MoveLimits::default()
    };
    let (record, told) = remote_game(patient, usize::MAX);
    assert_eq!(record.faults().count(), 0);
    assert_eq!(record.end.as_ref().unwrap().reason, Reason::Finished);
    let ada = record
        .opening
        .seats
        .iter()
        .position(|one| one.name == "Ada");
    let seat = ada.unwrap() as u32 + 1;
    assert_eq!(told, [format!("sit {seat} 60000"), "leave 2".to_owned()]);
    assert_eq!(record.opening.seats[ada.unwrap()].seat, "human");
    let moves = record.moves();
    let first = moves.iter().find(|played| played.seat == seat).unwrap();
    assert_eq!(first.note, "answer 1");
    assert!(first.wall_us > 0);
}

#[test]
fn somebody_outside_has_the_same_clock_and_faults_as_everybody() {
    // The end outside is dropped after two answers: they left.
    let patient = MoveLimits {
        move_ms: 60_000,
        ..MoveLimits::default()
    };
    let (record, _) = remote_game(patient, 2);
    let fault = record.faults().next().unwrap();
    assert_eq!(fault.kind, FaultKind::SilentExit);
    assert_eq!(record.end.as_ref().unwrap().reason, Reason::Forfeit);

    // It stays, and says nothing.
    let (seat, player) = remote_seat("human");
    let seats = [Seat::Remote(seat), engine("gamma", "greedy")];
    let runner = runner("gamma", "4x4", Vec::new());
    let (_, mut opening) = runner.boards.open(0).unwrap();
    opening.id = "1".into();
    opening.seats = seats.iter().map(|seat| seat.entrant("x")).collect();
    opening.limits = Some(MoveLimits {
        move_ms: 30,
        margin_ms: 5,
        ..MoveLimits::default()
    });
    let job = Job { opening, dice: 0 };
    let record = job.play(&seats, &runner.sandbox, &Default::default(), &runner.live);
    let record = record.unwrap();
    let fault = record.faults().next().unwrap();
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert!(fault.wall_us >= 35_000, "{fault:?}");
    drop(player);
}

#[test]
fn a_game_with_somebody_outside_can_be_broken_off() {
    let (seat, player) = remote_seat("human");
    let seats = vec![
        ("Ada", Seat::Remote(seat)),
        ("b", engine("gamma", "greedy")),
    ];
    let mut runner = runner("gamma", "4x4", seats);
    runner.limits.move_ms = 3_600_000;
    runner.tables = 1;
    let stop = Arc::new(AtomicBool::new(false));
    let schedule = Schedule::round_robin(2, 2, 1, 0).unwrap();
    thread::scope(|scope| {
        let played =
            scope.spawn(|| runner.run(schedule.pairings(), &stop, |_, _| panic!("no end")));
        let asked = |request| matches!(request, RemoteRequest::Decide { .. });
        while !asked(player.requests.recv().unwrap()) {}
        stop.store(true, Ordering::Relaxed);
        played.join().unwrap().unwrap();
    });
}

#[test]
fn a_job_is_played_elsewhere_as_it_would_have_been_here() {
    let words = ["mcts:nodes=200", "greedy", "floe:nodes=100"];
    let seats = words.map(|word| (word, engine("penguins", word))).to_vec();
    let runner = runner("penguins", "6x6,players=3,penguins=1", seats);
    let here = play(&runner, 2).unwrap();
    let schedule = Schedule::round_robin(3, 3, 2, 0).unwrap();
    for pairing in schedule.pairings() {
        let text = serde_json::to_string(&runner.job(&pairing).unwrap()).unwrap();
        // Over there nothing but the text is known.
        let job: Job = serde_json::from_str(&text).unwrap();
        let seats = job.find_seats(Path::new(".")).unwrap();
        let there = job.play(
            &seats,
            &Sandbox::none(),
            &Default::default(),
            &Broadcast::default(),
        );
        let there = there.unwrap();
        let same = here.iter().find(|one| one.opening.id == there.opening.id);
        let moves = |record: &Record| -> Vec<String> {
            record.moves().iter().map(|one| one.mv.clone()).collect()
        };
        assert_eq!(moves(&there), moves(same.unwrap()));
        assert_eq!(there.end, same.unwrap().end);
    }
}

#[test]
fn a_job_refuses_what_it_does_not_mean() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot.py");
    std::fs::write(&bot, "print('one')").unwrap();
    let game = find("gamma").unwrap();
    let seat = Seat::read("line:python3 bot.py", game, folder.path()).unwrap();
    let seats = vec![("bot", seat), ("b", engine("gamma", "greedy"))];
    let runner = runner("gamma", "4x4", seats);
    let schedule = Schedule::round_robin(2, 2, 1, 0).unwrap();
    let job = runner.job(&schedule.pairing(0).unwrap()).unwrap();
    assert_eq!(job.find_seats(folder.path()).unwrap().len(), 2);
    std::fs::write(&bot, "print('two')").unwrap();
    let error = job.find_seats(folder.path()).unwrap_err();
    assert!(matches!(error, JobError::OtherProgram { .. }), "{error}");
    assert!(error.to_string().contains("SHA-256"), "{error}");

    let mut other = job.clone();
    other.opening.game = "chess".into();
    let error = other.find_seats(folder.path()).unwrap_err().to_string();
    assert!(error.starts_with("unknown game `chess`"), "{error}");
    let play = |job: &Job, seats: &[Seat]| {
        let live = Broadcast::default();
        let played = job.play(seats, &Sandbox::none(), &Default::default(), &live);
        played.unwrap_err().to_string()
    };
    let mut broken = job.clone();
    broken.opening.start = "nonsense".into();
    let seats = [engine("gamma", "greedy"), engine("gamma", "greedy")];
    assert!(play(&broken, &seats).starts_with("the position cannot be read"));
    assert_eq!(
        play(&job, &seats[..1]),
        "1 seats are given, and the game has 2"
    );
    let people = [Seat::Human, Seat::Human];
    assert!(play(&job, &people).starts_with("`human` plays with"));
}

#[test]
fn runners_of_one_process_share_its_cores() {
    // One core, three runners with two tables each, and games with one engine, since whoever plays
    // from outside has cores elsewhere: at no time is more than one game on.
    let pool = CorePool::of(vec![0]);
    let (asked, played) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..3 {
            let (pool, asked, played) = (&pool, &asked, &played);
            scope.spawn(move || {
                // While somebody outside is asked, their game is on and no other.
                let (seat, player) = remote_seat("outside");
                let answering = scope.spawn(move || {
                    for request in &player.requests {
                        if let RemoteRequest::Decide {
                            question, position, ..
                        } = request
                        {
                            assert_eq!(asked.fetch_add(1, Ordering::SeqCst), 0);
                            let mv = position.moves().swap_remove(0);
                            thread::yield_now();
                            asked.fetch_sub(1, Ordering::SeqCst);
                            let note = String::new();
                            let _ = player.answers.send(RemoteAnswer { question, mv, note });
                        }
                    }
                });
                let seats = vec![("a", Seat::Remote(seat)), ("b", engine("flood", "random"))];
                let mut runner = runner("flood", "5x5", seats);
                runner.limits.move_ms = 60_000;
                runner.cores = Some(pool.clone());
                let schedule = Schedule::round_robin(2, 2, 10, 0).unwrap();
                let result = runner.run(schedule.pairings(), &Default::default(), |_, record| {
                    assert_eq!(record.faults().count(), 0);
                    played.fetch_add(1, Ordering::SeqCst);
                    ControlFlow::Continue(())
                });
                result.unwrap();
                drop(runner);
                answering.join().unwrap();
            });
        }
    });
    assert_eq!(played.load(Ordering::SeqCst), 60);
}

#[test]
fn a_tournament_publishes_its_games_while_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let text = "game = 'flood'\n[boards]\nsetup = '6x6'\ncount = 40\n[entrants]\n\
                a = 'greedy'\nb = 'random'\nc = 'greedy:seed=3'\n";
    let description = Description::read(text, &folder.path().join("cup.toml")).unwrap();
    let mut tournament = Tournament::open(description, false).unwrap();
    let events = tournament.live().subscribe();
    let runner = tournament.runner(Sandbox::none(), 2, Some(CorePool::machine()));
    tournament
        .run(&runner, &Default::default(), |_, _| {})
        .unwrap();
    assert!(tournament.standings().is_finished);
    let is_end = |event: &Arc<LiveEvent>| matches!(&**event, LiveEvent::Line { line, .. } if matches!(line, RecordLine::End(_)));
    assert!(events.try_iter().filter(is_end).count() > 0);
}
