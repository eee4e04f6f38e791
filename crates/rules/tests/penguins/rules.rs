//! Every rule of the game, one by one.

use floe_rules::penguins::{Illegal, Move, Penguins, PenguinsPosition, Phase, Spot};
use floe_rules::{Game, Player, Position, Shade, Square};

fn read(text: &str) -> PenguinsPosition {
    Penguins::read(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn play(position: &mut PenguinsPosition, moves: &str) {
    for mv in moves.split(' ') {
        position
            .play(mv.parse().unwrap())
            .unwrap_or_else(|e| panic!("{mv}: {e}"));
    }
}

fn refused(position: &PenguinsPosition, mv: &str) -> String {
    let before = position.clone();
    let mut position = position.clone();
    let reason = position.play(mv.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(position, before, "a refused move changes nothing");
    reason
}

fn turn(position: &PenguinsPosition) -> Option<u32> {
    position.turn().map(Player::number)
}

const ROOM: &str = "3 4 players=2 penguins=2\n10 20 10 30\n10 00 10 10\n20 10 30 10\n";

#[test]
fn placement_goes_round_and_collects_the_one_fish() {
    let mut position = read(ROOM);
    assert_eq!(
        (turn(&position), position.phase()),
        (Some(1), Phase::Placement)
    );
    let names: Vec<_> = position.legal_moves().iter().map(Move::to_string).collect();
    assert_eq!(names, ["b1", "d1", "a2", "c2", "d2", "a3", "c3"]);
    play(&mut position, "b1");
    assert_eq!((turn(&position), position.scores()), (Some(2), vec![1, 0]));
    assert_eq!(
        position.fish(Spot::new(1, 0)),
        0,
        "the floe under a penguin holds none"
    );
    play(&mut position, "a3 d2");
    assert_eq!(
        (turn(&position), position.phase()),
        (Some(2), Phase::Placement)
    );
    play(&mut position, "c3");
    assert_eq!(
        (turn(&position), position.phase()),
        (Some(1), Phase::Movement)
    );
    assert_eq!(position.scores(), [2, 2]);
}

#[test]
fn penguins_are_placed_on_free_floes_with_one_fish_only() {
    let mut position = read(ROOM);
    play(&mut position, "b1");
    assert_eq!(
        refused(&position, "b1"),
        "a penguin of player 1 stands on b1"
    );
    assert_eq!(refused(&position, "b2"), "b2 is water, not a floe");
    assert_eq!(
        refused(&position, "a1"),
        "a1 holds 2 fish, and penguins are placed where there is exactly one"
    );
    assert_eq!(refused(&position, "e1"), "e1 is off the board");
    assert_eq!(refused(&position, "a4"), "a4 is off the board");
    assert_eq!(
        refused(&position, "b1-c1"),
        "penguins are still being placed: name the floe alone"
    );
}

#[test]
fn placement_ends_when_nobody_can_place() {
    let mut position = read("1 4 players=2 penguins=2\n10 30 10 10\n");
    play(&mut position, "a1 d1 c1");
    assert_eq!(
        (turn(&position), position.phase()),
        (Some(1), Phase::Movement)
    );
    assert_eq!(position.penguins(Player::new(1)).len(), 1);
}

#[test]
fn no_floe_to_place_on_at_all_ends_the_game_at_once() {
    let position = read("1 2\n20 30\n");
    assert_eq!(turn(&position), None);
    assert_eq!(position.outcome().unwrap().places(), [1, 1]);
    assert!(position.legal_moves().is_empty());
    assert_eq!(refused(&position, "a1"), "the game is over");
}

const TABLE: &str = "\
4 5
10 20 30 10 00
20 01 10 00 30
10 10 02 10 10
00 01 30 20 02
one 1 7
two 2 5
";

#[test]
fn slides_go_straight_over_floes_only() {
    let position = read(TABLE);
    assert_eq!(
        (turn(&position), position.phase()),
        (Some(1), Phase::Movement)
    );
    let names: Vec<_> = position.legal_moves().iter().map(Move::to_string).collect();
    assert_eq!(
        names,
        [
            "b1-c1", "b1-d1", "b1-b2", "b3-c3", "b3-b4", "b3-a3", "b3-b2"
        ]
    );
    for (mv, reason) in [
        ("c1-d1", "no penguin stands on c1"),
        ("c2-d2", "the penguin on c2 is player 2's"),
        ("b1-b1", "the penguin already stands on b1"),
        ("b1-c2", "b1 and c2 are not in one row or column"),
        ("b1-b3", "a penguin of player 1 stands on b3"),
        ("b1-b4", "a penguin of player 1 is in the way, on b3"),
        ("b1-a1", "a1 is water, not a floe"),
        ("b3-d3", "d3 is water, not a floe"),
        ("b3-e3", "there is water on the way, at d3"),
        ("b1-e1", "a penguin of player 2 stands on e1"),
        ("b1-b9", "b9 is off the board"),
        ("z1-b1", "z1 is off the board"),
        (
            "b2",
            "the penguins move now: name where one stands and where it goes",
        ),
    ] {
        assert_eq!(refused(&position, mv), reason, "{mv}");
    }
    let far = position.check(Move::Slide {
        from: Spot::new(1, 0),
        to: Spot::new(250, 0),
    });
    assert!(matches!(far, Err(Illegal::OffBoard { .. })));
}

#[test]
fn a_slide_collects_the_target_and_leaves_water() {
    let mut position = read(TABLE);
    play(&mut position, "b1-d1");
    assert_eq!(position.scores(), [9, 5]);
    assert_eq!(turn(&position), Some(2));
    assert_eq!(position.fish(Spot::new(1, 0)), 0);
    assert_eq!(position.fish(Spot::new(2, 0)), 3, "what is slid over stays");
    assert_eq!(
        Penguins::board(&position),
        "4 5\n10 20 30 10 00\n20 01 10 00 30\n10 10 02 10 10\n00 00 30 01 02\none 1 9\ntwo 2 5\n"
    );
}

#[test]
fn the_blocked_are_passed_over_until_nobody_can_move() {
    // Player 2 is shut in; players 1 and 3 go on alone.
    let mut position = read("1 7\n01 10 30 00 02 00 03\na 1 1\nb 2 1\nc 3 1\n");
    assert_eq!(turn(&position), Some(1));
    play(&mut position, "a1-b1");
    assert_eq!(turn(&position), Some(1));
    play(&mut position, "b1-c1");
    assert_eq!(turn(&position), None);
    assert_eq!(position.scores(), [5, 1, 1]);
    let outcome = position.outcome().unwrap();
    assert_eq!(outcome.places(), [1, 2, 2]);
    assert_eq!(refused(&position, "c1-b1"), "the game is over");
}

#[test]
fn movement_starts_with_the_first_who_can() {
    let position = read("1 4\n01 00 02 10\na 1 1\nb 2 1\n");
    assert_eq!(turn(&position), Some(2));
}

#[test]
fn equal_fish_is_a_tie() {
    let position = read("1 3\n01 00 02\na 1 4\nb 2 4\n");
    assert_eq!(position.outcome().unwrap().winner(), None);
}

#[test]
fn equality_is_about_the_rest_of_the_game_and_the_scores() {
    let base = read(TABLE);
    let renamed = base.with_ids(&["x", "y"]).unwrap();
    assert_eq!(renamed.id(Player::new(1)), "y");
    assert_eq!(renamed, base, "IDs do not count");
    let richer = read(&TABLE.replace("one 1 7", "one 1 8"));
    assert_ne!(richer, base);
    assert_eq!(
        richer.key(),
        base.key(),
        "scores do not decide what can still happen"
    );
    let on_fish = read(&TABLE.replace("20 01", "20 21"));
    assert_eq!(on_fish, base, "fish under a penguin are not there");
    for (from, to) in [("20 01", "30 01"), ("00 30", "10 30"), ("20 02", "20 00")] {
        let other = read(&TABLE.replace(from, to));
        assert_ne!(other, base);
        assert_ne!(other.key(), base.key());
    }
    let second = read(&TABLE.replace("4 5\n", "4 5 turn=2\n"));
    assert_ne!(second, base);
    assert_ne!(second.key(), base.key());
    // While penguins are placed, how many there are counts.
    let (two, three) = (read(ROOM), read(&ROOM.replace("penguins=2", "penguins=3")));
    assert_ne!(two, three);
    assert_ne!(two.key(), three.key());
}

#[test]
fn ids_that_cannot_be_are_refused() {
    let position = read(TABLE);
    assert!(position.with_ids(&["one"]).is_none());
    assert!(position.with_ids(&["one", "one"]).is_none());
    assert!(position.with_ids(&["one", "a b"]).is_none());
    assert!(position.with_ids(&["one", "\"b\""]).is_none());
}

#[test]
fn the_view_tells_what_a_spectator_wants_to_know() {
    let position = read("2 3\n10 21 03\n02 00 30\none 1 7\ntwo 2 5\nmore 3 1\n");
    let view = Penguins::view(&position);
    let glyphs: String = view.cells.iter().map(|c| c.glyph).collect();
    assert_eq!(glyphs, "1ACB 3");
    assert_eq!(
        (view.width, view.height, view.phase.as_str()),
        (3, 2, "movement")
    );
    assert_eq!(view.cells[4].shade, Shade::Void);
    assert_eq!(view.cells[5].shade, Shade::Level(3));
    assert_eq!(view.cells[1].owner, Some(Player::new(0)));
    assert_eq!(view.cell("c1".parse().unwrap()), Some(&view.cells[5]));
    let seats: Vec<_> = view
        .seats
        .iter()
        .map(|s| (&*s.name, s.score, &*s.note))
        .collect();
    assert_eq!(
        seats,
        [
            ("one", 7, "1 of 1 penguins can move"),
            ("two", 5, "1 of 1 penguins can move"),
            ("more", 1, "1 of 1 penguins can move"),
        ]
    );
    assert_eq!(view.notes, ["4 fish left on the ice"]);
    let placing = Penguins::view(&read(ROOM));
    assert_eq!(placing.phase, "placement");
    assert_eq!(placing.seats[0].note, "0 of 2 penguins placed");
    assert_eq!(placing.seats[1].name, "floeB");
    let over = Penguins::view(&read("1 2\n01 00\na 1 1\n"));
    assert_eq!(
        (over.phase.as_str(), over.seats[0].note.as_str()),
        ("over", "blocked")
    );
}

#[test]
fn what_cannot_be_picked_up_or_put_down_is_explained() {
    let text = "3 3\n10 20 30\n00 01 02\n00 00 10\nfloe 1 1\nother 2 4\n";
    let position = read(text);
    let square = |text: &str| text.parse::<Square>().unwrap();
    let refusal = |from: Option<&str>, at: &str| {
        Penguins::refusal(&position, from.map(square), square(at), false)
    };
    for (from, at, words) in [
        (None, "a3", "pick up one of your penguins first"),
        (None, "c2", "2"),
        (Some("b2"), "a3", "row or column"),
        (Some("b2"), "c2", "c2"),
        (Some("b2"), "b1", "b1"),
    ] {
        let reason = refusal(from, at);
        assert!(reason.contains(words), "{from:?} {at}: {reason}");
    }
    let choices = Penguins::choices(&position);
    assert!(
        choices
            .iter()
            .all(|choice| choice.from == Some(square("b2")))
    );
    assert_eq!(
        choices.iter().map(|choice| choice.gain).collect::<Vec<_>>(),
        [2]
    );
}
