//! What a fault costs is decided in one place: the screen shows what the record says.

use std::time::Duration;

use floe_arena::seat::Failure;
use floe_games::record::{
    Back, Entrant, Event, GIVEN_UP, Opening, PlayedMove, Record, Replay, VERSION,
};
use floe_games::{Fault, FaultKind, Play, Reason, find};
use floe_rules::Player;
use ratatui::crossterm::event::KeyCode;

use super::super::home::Home;
use super::super::input::{Answer, Purpose, ThinkReport};
use super::super::recorder::{self, GameRecorder};
use super::super::session::Session;
use super::{Input, PLAIN, Stand, played};

const SIZE: (u16, u16) = (100, 36);

fn opening(game: &str, setup: &str) -> Opening {
    let start = find(game).unwrap().start(setup, 5).unwrap();
    let entrant = |player: Player| Entrant {
        name: format!("bot{player}"),
        seat: "./a-bot-that-is-gone".to_owned(),
        sha256: None,
    };
    Opening {
        floe: VERSION,
        game: game.to_owned(),
        id: "1".to_owned(),
        seats: Player::all(start.players()).map(entrant).collect(),
        start: start.write(),
        ..Opening::default()
    }
}

fn fault(seat: u32) -> Fault {
    let player = Player::from_number(seat).unwrap();
    let mut fault = Fault::new(player, FaultKind::UnreadableAnswer, "it said nothing new");
    fault.stderr = "one\ntwo\nthree\nfour".to_owned();
    fault
}

fn first_move(play: &Play) -> Event {
    Event::Move(PlayedMove {
        seat: play.turn().unwrap().number(),
        mv: play.position().moves().swap_remove(0),
        ..PlayedMove::default()
    })
}

/// The game of a record as [`Replay`] has it in the end.
fn replayed(record: &Record) -> Play {
    let mut replay = Replay::new(record).unwrap();
    while replay.step().unwrap().is_some() {}
    replay.play().clone()
}

/// All that a game under way has to say.
fn said(play: &Play) -> impl PartialEq + std::fmt::Debug + use<> {
    let position = play.position().spell();
    let (turn, out) = (play.turn(), play.out().to_vec());
    let outcome = play
        .outcome()
        .map(|o| (o.scores().to_vec(), o.places().to_vec()));
    (position, turn, out, play.scores(), play.reason(), outcome)
}

#[test]
fn a_forfeit_is_shown_as_the_record_has_it() {
    let mut record = Record::new(opening("flood", "20x20"));
    for _ in 0..2 {
        let event = first_move(&replayed(&record));
        record.events.push(event);
    }
    record.events.push(Event::Fault(Box::new(fault(1))));
    let session = recorder::session(&record).unwrap();
    let (outcome, reason) = session.result().unwrap();
    assert_eq!((outcome.scores(), reason), (&[0, 400][..], Reason::Forfeit));

    let mut stand = Stand::game(PLAIN, SIZE, session.clone());
    let shown = stand.shown();
    for words in [
        "game over after 3 turns",
        "bot2 wins by forfeit",
        " 400 ",
        "bot1 is disqualified: unreadable answer: it said nothing new",
        "stderr: four",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    assert!(!shown.contains("stderr: one"), "{shown}");
    stand.press(KeyCode::Esc);
    assert!(
        stand.shown().contains("over, by forfeit"),
        "{}",
        stand.shown()
    );

    let mut stand = Stand::new(PLAIN, SIZE);
    stand.app.review(session);
    stand.press(KeyCode::End);
    let shown = stand.shown();
    for words in [
        " 400 ",
        "in the end",
        "unreadable answer: it said nothing new",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    stand.press(KeyCode::Left);
    assert!(!stand.shown().contains("400 squares"), "{}", stand.shown());
}

#[test]
fn with_three_seats_the_others_play_on() {
    let mut record = Record::new(opening("penguins", "6x6,players=3,penguins=1"));
    record.events.push(first_move(&replayed(&record)));
    record.events.push(Event::Fault(Box::new(fault(2))));
    let session = recorder::session(&record).unwrap();
    assert_eq!(session.turn(), Some(Player::new(2)));
    while replayed(&record).turn().is_some() {
        let event = first_move(&replayed(&record));
        record.events.push(event);
    }
    let session = recorder::session(&record).unwrap();
    let (outcome, reason) = session.result().unwrap();
    assert_eq!((outcome.places()[1], reason), (3, Reason::Finished));
    let stand = Stand::game(PLAIN, SIZE, session);
    let shown = stand.shown();
    assert!(
        shown.contains("bot2 is disqualified: unreadable"),
        "{shown}"
    );
    assert!(!shown.contains("forfeit"), "{shown}");
}

#[test]
fn a_session_follows_its_record_as_the_referee_does() {
    for (number, (game, setup)) in GAMES.into_iter().cycle().take(60).enumerate() {
        let mut dice = Dice(number as u64 + 1);
        let mut record = Record::new(opening(game, setup));
        for _ in 0..40 {
            let play = replayed(&record);
            let event = match dice.below(8) {
                0 => Event::Fault(Box::new(fault(1 + dice.below(3) as u32))),
                1 | 2 => Event::Back(Back {
                    moves: dice.below(4) as u32,
                }),
                3 => Event::Move(PlayedMove {
                    seat: play.turn().map_or(1, Player::number),
                    mv: GIVEN_UP.to_owned(),
                    ..PlayedMove::default()
                }),
                _ if play.turn().is_none() => continue,
                _ => first_move(&play),
            };
            record.events.push(event);
            match recorder::session(&record) {
                Ok(session) => assert_eq!(said(session.play()), said(&replayed(&record))),
                Err(_) => {
                    assert!(record.verify().is_err());
                    record.events.pop();
                }
            }
        }
    }
}

/// Three games, with two seats and with three.
const GAMES: [(&str, &str); 4] = [
    ("flood", "5x4"),
    ("gamma", "4x4,players=3"),
    ("penguins", "5x5,players=3,penguins=1"),
    ("gamma", "3x3"),
];

#[test]
fn whatever_is_done_at_the_screen_can_be_gone_on_with() {
    for (number, (game, setup)) in GAMES.into_iter().cycle().take(40).enumerate() {
        let mut dice = Dice(number as u64 + 100);
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let seats = ["human", "human,greedy", "greedy,human", "greedy"][number % 4];
        let mut session = played(game, setup, seats, 0);
        let mut recorder = GameRecorder::new(&home, &session);
        for _ in 0..30 {
            let before = session.turns().len();
            match dice.below(9) {
                0 => drop(session.put_out(fault(1 + dice.below(3) as u32))),
                1 | 2 => {
                    let back = session.take_back();
                    if !back.undone.is_empty() {
                        recorder.back(&back).unwrap();
                    }
                    check(&home, &session);
                    continue;
                }
                3 => {
                    for step in session.redo() {
                        recorder.turn(&step).unwrap();
                    }
                    check(&home, &session);
                    continue;
                }
                4 => drop(session.give_up(Duration::ZERO)),
                _ if session.turn().is_some() => {
                    let moves = session.position().moves();
                    let mv = &moves[dice.below(moves.len() as u64) as usize];
                    session
                        .make(mv, Duration::from_millis(3), String::new())
                        .unwrap();
                }
                _ => {}
            }
            if session.turns().len() > before {
                recorder.turn(session.turns().last().unwrap()).unwrap();
            }
            check(&home, &session);
        }
        let copy = folder.path().join("copy");
        recorder::save(&session, &copy).unwrap();
        let record = floe_arena::journal::read_file(&copy).unwrap().next();
        record.unwrap().unwrap().verify().unwrap();
    }
}

/// The record of the game says what the session says.
fn check(home: &Home, session: &Session) {
    if home.saved().is_empty() {
        assert!(session.turns().is_empty());
        return;
    }
    let (again, _) = recorder::resume(home).unwrap();
    assert_eq!(said(again.play()), said(session.play()));
    let texts = |session: &Session| -> Vec<String> {
        session
            .turns()
            .iter()
            .map(|step| step.text().to_owned())
            .collect()
    };
    assert_eq!(texts(&again), texts(session));
}

/// A small generator, the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// What came of the first job of somebody at the table.
fn report(answer: Result<Answer, Failure>) -> Input {
    Input::Report(ThinkReport {
        id: 1,
        purpose: Purpose::Move,
        time: Duration::from_millis(5),
        answer,
    })
}

#[test]
fn a_program_at_the_screen_is_put_out_and_asked_again() {
    let session = played("flood", "6x5", "human,floe:time=3600s", 0);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.text("1");
    assert!(stand.screen().is_thinking());
    stand.app.input(report(Err(fault(2).into())));
    let shown = stand.shown();
    for words in ["You win by forfeit.", "unreadable answer", "stderr: four"] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    // The fault goes, the move before it stays, and whoever is to move is asked.
    stand.text("u");
    assert!(stand.screen().is_thinking());
    assert_eq!(stand.screen().session.turns().len(), 1);
    assert!(
        stand.shown().contains("is asked again"),
        "{}",
        stand.shown()
    );
}

#[test]
fn with_more_at_the_table_a_fault_is_told_beside_the_board() {
    let setup = "6x6,players=3,penguins=1";
    let session = played("penguins", setup, "human,floe:time=3600s,human", 0);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.press(KeyCode::Tab);
    stand.press(KeyCode::Enter);
    stand.app.input(report(Err(fault(2).into())));
    let shown = stand.shown();
    for words in [
        "is disqualified: unreadable answer",
        "u undoes it",
        "stderr: four",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    assert!(stand.screen().is_my_turn());
    // The move of the third is taken back alone, then the fault.
    stand.press(KeyCode::Tab);
    stand.press(KeyCode::Enter);
    stand.text("u");
    assert_eq!(stand.screen().session.turns().len(), 2);
    stand.text("u");
    assert!(stand.screen().is_thinking());
    assert!(
        stand.shown().contains("is asked again"),
        "{}",
        stand.shown()
    );
}

#[test]
fn trouble_is_nobodys_fault() {
    let session = played("flood", "6x5", "human,floe:time=3600s", 1);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    let trouble = Failure::MachineFailure("no process can be started".to_owned());
    stand.app.input(report(Err(trouble)));
    assert!(stand.screen().is_paused);
    assert!(stand.shown().contains("p asks again"), "{}", stand.shown());
    assert!(stand.screen().session.play().out().is_empty());
    stand.text("p");
    assert!(stand.screen().is_thinking());
}

#[test]
fn whoever_is_gone_is_waited_for() {
    let mut record = Record::new(opening("flood", "6x5"));
    record.events.push(first_move(&replayed(&record)));
    let session = recorder::session(&record).unwrap();
    let mut stand = Stand::game(PLAIN, SIZE, session);
    let shown = stand.shown();
    assert!(
        shown.contains("there is no such file; p asks again"),
        "{shown}"
    );
    assert!(stand.screen().is_paused);
}

#[test]
fn a_review_begins_after_the_opening_and_shows_it() {
    let mut record = Record::new(opening("gamma", "6x6"));
    let mut play = replayed(&record);
    for mv in ["c3", "d4"] {
        play.make(mv).unwrap();
    }
    record.opening.start = play.position().write();
    record.opening.opening = vec!["c3".to_owned(), "d4".to_owned()];
    record.events.push(first_move(&replayed(&record)));
    let mut stand = Stand::new(PLAIN, SIZE);
    stand.app.review(recorder::session(&record).unwrap());
    stand.press(KeyCode::Home);
    let shown = stand.shown();
    assert!(shown.contains("After the opening: c3 d4"), "{shown}");
    stand.press(KeyCode::Right);
    let shown = stand.shown();
    assert!(shown.contains("Turn 1: bot1 played "), "{shown}");
    record.opening.opening.clear();
    let mut stand = Stand::new(PLAIN, SIZE);
    stand.app.review(recorder::session(&record).unwrap());
    stand.press(KeyCode::Home);
    assert!(!stand.shown().contains("opening"), "{}", stand.shown());
}
