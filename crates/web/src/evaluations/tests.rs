use floe_games::record::{Entrant, GIVEN_UP, Opening, PlayedMove, VERSION};
use floe_games::{Fault, FaultKind};
use floe_rules::Player;

use super::*;
use crate::token::Token;

fn client() -> Client {
    client_at(1)
}

/// Somebody at one of our addresses.
fn client_at(number: u8) -> Client {
    Client {
        address: Some([192, 0, 2, number].into()),
        who: Some(Token::fresh().unwrap().hash()),
    }
}

/// A game of three in which a turn is given up, and then somebody goes out.
fn odd_game() -> Record {
    let start = floe_games::find("gamma").unwrap().start("4x4,players=3", 1);
    let mut record = Record::new(Opening {
        floe: VERSION,
        game: "gamma".to_owned(),
        seats: vec![Entrant::default(); 3],
        start: start.unwrap().write(),
        ..Opening::default()
    });
    let fault = Fault::new(Player::new(2), FaultKind::Crash, "gone");
    let fault = Event::Fault(Box::new(fault));
    record.events = vec![made(1, "a1"), made(2, GIVEN_UP), fault, made(1, "b1")];
    record
}

#[tokio::test]
async fn positions_after_a_turn_that_was_none_are_evaluated() {
    let evaluations = Evaluations::new(EnginePool::new(1).unwrap());
    let evaluation = evaluations.begin(&odd_game(), &client()).unwrap();
    evaluation.after(4).await;
    evaluation.look(|now| {
        assert_eq!((now.done, now.is_over(), now.is_given_up), (5, true, false));
        assert_eq!(now.review.known(), 5);
        // No move was made by somebody who went out; giving up a turn is one that may lose.
        assert_eq!(now.review.loss(2), None);
        assert!(now.review.loss(1).is_some());
        assert!(now.lines.iter().all(|line| !line.is_empty()));
    });
}

#[tokio::test]
async fn games_that_are_too_long_are_refused() {
    let evaluations = Evaluations::new(EnginePool::new(1).unwrap());
    let mut record = odd_game();
    record.events = vec![record.events[0].clone(); TURNS + 1];
    let refused = evaluations.begin(&record, &client()).err();
    assert!(matches!(refused, Some(EvaluationError::TooLong(_))));
}

fn name(number: usize) -> GameHash {
    let mut hash = [0; 32];
    hash[..8].copy_from_slice(&number.to_le_bytes());
    hash
}

fn add(kept: &mut Kept, number: usize, evaluation: Evaluation, client: &Client) {
    kept.count += 1;
    let entry = Entry {
        evaluation,
        client: client.clone(),
        asked: kept.count,
        seen: Instant::now(),
    };
    kept.games.insert(name(number), entry);
}

fn made(seat: u32, mv: &str) -> Event {
    Event::Move(PlayedMove {
        seat,
        mv: mv.to_owned(),
        ..PlayedMove::default()
    })
}

/// Those that were asked for last are kept, as many as there is room for.
#[test]
fn what_is_kept_has_an_end() {
    let mut record = odd_game();
    let seats = [1, 2, 3].into_iter().cycle();
    record.events = seats.map(|seat| made(seat, GIVEN_UP)).take(TURNS).collect();
    let game = GameToEvaluate::of(&record).unwrap();
    let positions = TURNS + 1;
    let mut kept = Kept::default();
    let room = KEPT / positions;
    for number in 0..room + 10 {
        kept.make_room(&client(), positions).unwrap();
        // Somebody looks at the first one again and again.
        kept.find(&name(0));
        let evaluation = game.unknown();
        evaluation.0.send_modify(|now| now.done = positions);
        add(&mut kept, number, evaluation, &client());
    }
    assert_eq!(kept.games.len(), room);
    assert!(kept.games.contains_key(&name(0)) && !kept.games.contains_key(&name(1)));
    assert!(kept.games.contains_key(&name(room + 9)));
}

#[test]
fn a_game_that_nobody_looks_at_gives_way() {
    let game = GameToEvaluate::of(&odd_game()).unwrap();
    let (mut kept, who) = (Kept::default(), client());
    for number in 0..SHARE {
        kept.make_room(&who, 5).unwrap();
        add(&mut kept, number, game.unknown(), &who);
    }
    let refused = |kept: &mut Kept| matches!(kept.make_room(&who, 5), Err(EvaluationError::Share));
    assert!(refused(&mut kept));
    let long_ago = Instant::now().checked_sub(2 * ABANDONED).unwrap();
    let entry = kept.games.get_mut(&name(1)).unwrap();
    entry.seen = long_ago;
    let evaluation = entry.evaluation.clone();
    // Somebody who waits for news looks at it.
    let news = evaluation.0.subscribe();
    assert!(refused(&mut kept));
    drop(news);
    assert!(!refused(&mut kept));
    assert!(!kept.games.contains_key(&name(1)) && kept.games.contains_key(&name(0)));
    assert!(evaluation.look(Evaluated::is_over));
}

#[test]
fn an_address_and_all_together_have_a_bound() {
    let game = GameToEvaluate::of(&odd_game()).unwrap();
    let mut kept = Kept::default();
    let is_refused = |kept: &mut Kept, client: &Client| {
        matches!(kept.make_room(client, 5), Err(EvaluationError::Busy))
    };
    for number in 0..AT_ONCE {
        let client = client_at(1 + (number / OF_ADDRESS) as u8);
        kept.make_room(&client, 5).unwrap();
        add(&mut kept, number, game.unknown(), &client);
        assert!(number + 1 != OF_ADDRESS || is_refused(&mut kept, &client_at(1)));
    }
    assert!(is_refused(&mut kept, &client_at(9)));
    // What nobody looks at gives way to anybody.
    let entry = kept.games.get_mut(&name(0)).unwrap();
    entry.seen = Instant::now().checked_sub(2 * ABANDONED).unwrap();
    assert!(!is_refused(&mut kept, &client_at(9)));
    assert!(!kept.games.contains_key(&name(0)));
}
