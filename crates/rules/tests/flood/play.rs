use floe_rules::flood::{Colour, End, Flood, FloodPosition, Illegal, J, Move, S};
use floe_rules::random::Random;
use floe_rules::{Cell, Game, Position, Prospect, Shade, Square};

fn read(text: &str) -> FloodPosition {
    Flood::read(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn play(position: &mut FloodPosition, moves: &str) {
    for glyph in moves.chars() {
        let mv = Move(Colour::from_glyph(glyph).unwrap());
        position
            .play(mv)
            .unwrap_or_else(|e| panic!("{glyph}: {e}\n{position:?}"));
    }
}

const ENCLOSED: &str = "\
J
..........
.@.....*..
.+@@+..#..
@@.@+.....
@@@@@@@@@@
@@*@@@##@@
@@@@@@@@@@
";

#[test]
fn regions_that_touch_one_territory_count_for_it_and_those_that_touch_both_for_nobody() {
    let position = read(ENCLOSED);
    assert_eq!([position.squares(J), position.squares(S)], [32, 28]);
    assert_eq!(position.scores(), [36, 30]);
    assert_eq!((position.score(J), position.score(S)), (36, 30));
    let notes = Flood::view(&position).notes;
    assert_eq!(notes, ["0 of 150 moves made", "4 squares are contested"]);
}

#[test]
fn a_checkerboard_of_two_colours_is_over_and_its_free_squares_are_nobodys() {
    let position = read("J\n@#@#\n#@#@\n@#@#\n");
    assert_eq!(position.end(), Some(End::TwoColours));
    assert_eq!(position.turn(), None);
    assert_eq!(position.legal_moves(), []);
    assert_eq!(position.scores(), [1, 1]);
    assert_eq!(position.check(Move(Colour::Star)), Err(Illegal::GameOver));
    assert_eq!(position.outcome().unwrap().winner(), None);
}

#[test]
fn a_board_with_nothing_left_to_absorb_is_over() {
    let mut position = read("J\n#*\n@*\n");
    assert_eq!(position.turn(), Some(J));
    play(&mut position, "#");
    assert_eq!(position.end(), Some(End::TwoColours));
    assert_eq!(position.outcome().unwrap().scores(), [2, 2]);
    assert_eq!(Flood::view(&position).phase, "over, two colours left");
}

#[test]
fn always_three_colours_may_be_chosen_and_the_others_have_a_reason() {
    let position = read("J\n.#+#.*.@.@\n*@@*.+*.*+\n");
    let moves: String = position.legal_moves().iter().map(Move::to_string).collect();
    assert_eq!(moves, "#+.");
    let check = |colour| position.check(Move(colour));
    assert_eq!(check(Colour::Star), Err(Illegal::OwnColour(Colour::Star)));
    assert_eq!(check(Colour::At), Err(Illegal::OpponentsColour(Colour::At)));
    assert_eq!(check(Colour::Dot), Ok(()));
    let mut same = position.clone();
    let error = same.play(Move(Colour::At)).unwrap_err();
    assert_eq!(error.to_string(), "`@` is the opponent's colour");
    assert_eq!(same, position, "a refused move changes nothing");
}

/// What J is ahead by when both play the rest of the game as well as they can.
fn value(position: &FloodPosition) -> i64 {
    let Some(mover) = position.turn() else {
        return position.score(J) - position.score(S);
    };
    let after = position.legal_moves().into_iter().map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        value(&after)
    });
    if mover == J { after.max() } else { after.min() }.expect("a mover has a move")
}

#[test]
fn a_move_may_gain_nothing_and_be_the_best() {
    // Eight moves before the end. `+` joins three squares at once; `@` joins none, but S needs it.
    let position = read("J 142\n+@#\n++@\n*#+\n");
    let moves: Vec<_> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut after = position.clone();
            after.play(mv).unwrap();
            (mv.0.glyph(), position.gain(J, mv.0), value(&after))
        })
        .collect();
    assert_eq!(moves, [('@', 0, 3), ('+', 3, 1), ('.', 0, 1)]);
}

#[test]
fn after_150_moves_the_game_is_over() {
    let mut position = read("J\n@+*#\n");
    // Nobody ever takes anything: J and S take turns with the three colours they do not need.
    for made in 0..150 {
        assert_eq!(position.moves_made(), made);
        let mover = position.turn().unwrap();
        let waiting = position.legal_moves().into_iter();
        let mut waiting = waiting.filter(|mv| position.gain(mover, mv.0) == 0);
        let mv = waiting.next().unwrap();
        position.play(mv).unwrap();
    }
    assert_eq!(position.end(), Some(End::MoveCap));
    assert_eq!(position.turn(), None);
    assert_eq!(position.legal_moves(), []);
    assert_eq!(position.check(Move(Colour::Plus)), Err(Illegal::GameOver));
    assert_eq!(position.scores(), [1, 1]);
    let view = Flood::view(&position);
    assert_eq!(view.phase, "over, last move made");
    assert_eq!(
        view.notes,
        ["150 of 150 moves made", "2 squares are contested"]
    );
    assert_eq!(Flood::read(&Flood::write(&position)).unwrap(), position);
}

#[test]
fn the_number_of_moves_is_part_of_a_position() {
    let [a, b] = ["J 2\n@+*#\n", "J 4\n@+*#\n"].map(read);
    assert_ne!(a, b);
    assert_ne!(a.key(), b.key());
    assert_eq!(a.board_key(), b.board_key());
    assert_eq!(Flood::board(&a), "J\n@+*#\n");
}

#[test]
fn the_same_squares_in_another_shape_are_another_position() {
    let [a, b] = ["J\n@+*\n.#+\n", "J\n@+\n*.\n#+\n"].map(read);
    assert_ne!(a, b);
    assert_ne!(a.key(), b.key());
}

#[test]
fn boards_one_square_wide_or_high_are_played_too() {
    for text in ["J\n@+*.#\n", "J\n#\n.\n*\n+\n@\n"] {
        let mut position = read(text);
        assert_eq!(
            (position.colour(J), position.colour(S)),
            (Colour::At, Colour::Hash)
        );
        play(&mut position, "+.");
        assert_eq!([position.squares(J), position.squares(S)], [2, 2]);
        play(&mut position, "*");
        assert_eq!(position.outcome().unwrap().scores(), [3, 2]);
    }
}

#[test]
fn a_large_board_is_played_like_any_other() {
    let mut position = Flood::start(&"1000x1000".parse().unwrap(), 5).unwrap();
    let before = position.scores();
    for _ in 0..20 {
        let mover = position.turn().unwrap();
        let moves = position.legal_moves().into_iter();
        let best = moves.max_by_key(|mv| position.gain(mover, mv.0)).unwrap();
        position.play(best).unwrap();
    }
    let after = position.scores();
    assert!(
        after
            .iter()
            .zip(before)
            .all(|(after, before)| *after > before + 20)
    );
    assert_eq!(position.compacted(), position);
}

#[test]
fn squares_are_seen_where_they_are() {
    let position = read("S\n@+*\n.#+\n");
    let at = |column, row| position.colour_at(Square::new(column, row));
    assert_eq!(at(0, 0), Some(Colour::Dot));
    assert_eq!(at(2, 1), Some(Colour::Star));
    assert_eq!((at(3, 0), at(0, 2)), (None, None));
    let view = Flood::view(&position);
    assert_eq!((view.width, view.height), (3, 2));
    let glyphs: String = view.cells.iter().map(|cell| cell.glyph).collect();
    assert_eq!(glyphs, "@+*.#+");
    let corner = view.cell(Square::new(0, 0)).unwrap();
    assert_eq!((corner.owner, corner.shade), (Some(J), Shade::Hue(3)));
    assert_eq!(view.cells[2].owner, Some(S));
    assert_eq!(view.cells[0].owner, None);
    let seats: Vec<_> = view
        .seats
        .iter()
        .map(|s| (s.name.as_str(), s.score))
        .collect();
    assert_eq!(seats, [("J", 1), ("S", 1)]);
    assert_eq!(view.seats[1].note, "colour *");
    assert_eq!(
        (view.phase.as_str(), view.notes[0].as_str()),
        ("flooding", "1 of 150 moves made")
    );
}

#[test]
fn a_whole_game_is_pinned() {
    let mut position = Flood::start(&"10x7".parse().unwrap(), 42).unwrap();
    let mut random = Random::seeded(42);
    let mut record = Flood::write(&position);
    while position.turn().is_some() {
        let moves = position.legal_moves();
        let mv = moves[random.index(moves.len())];
        position.play(mv).unwrap();
        let scores = position.scores();
        record += &format!("\n{mv} -> {} : {}\n", scores[0], scores[1]);
        record += &Flood::write(&position);
    }
    record += &format!(
        "\nover: {:?}, {:?}\n",
        position.end().unwrap(),
        position.outcome().unwrap()
    );
    insta::assert_snapshot!(record);
}

#[test]
fn what_the_view_promises_is_what_the_score_counts() {
    let mut dice = Random::seeded(8);
    for seed in 0..20 {
        let mut position = Flood::start(&"9x7".parse().unwrap(), seed).unwrap();
        loop {
            let view = Flood::view(&position);
            for player in [J, S] {
                let counts = |cell: &&Cell| {
                    cell.owner == Some(player) || cell.prospect == Prospect::Promised(player)
                };
                let counted = view.cells.iter().filter(counts).count() as i64;
                assert_eq!(counted, position.score(player), "{position:?}");
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[dice.index(moves.len())]).unwrap();
        }
    }
    let contested = |cell: &&Cell| cell.prospect == Prospect::Contested;
    let view = Flood::view(&read(ENCLOSED));
    assert_eq!(view.cells.iter().filter(contested).count(), 4);
}

#[test]
fn a_choice_takes_what_the_flood_joins_and_a_wrong_square_is_explained() {
    let position = read("J\n#+@\n@*#\n.*+\n");
    let choices = Flood::choices(&position);
    let star = choices
        .iter()
        .find(|choice| choice.notation == "*")
        .unwrap();
    assert_eq!(star.takes, ["b1".parse().unwrap(), "b2".parse().unwrap()]);
    assert!(star.is_at("b2".parse().unwrap()) && star.to.is_none());
    for (square, words) in [
        ("a1", "the player to move has"),
        ("c3", "opponent's colour"),
        ("a3", "does not touch a3"),
        ("d4", "not on the board"),
    ] {
        let reason = Flood::refusal(&position, None, square.parse().unwrap(), false);
        assert!(reason.contains(words), "{square}: {reason}");
    }
}
