use super::*;

fn form() -> NewGameForm {
    NewGameForm::new(&Memory::default(), 7, (120, 40))
}

fn press(form: &mut NewGameForm, codes: &[KeyCode]) {
    for &code in codes {
        form.key(code);
    }
}

fn value(form: &NewGameForm, label: &str) -> String {
    let rows = form.rows();
    let row = rows.iter().find(|row| row.label == label);
    row.map_or("nothing".to_owned(), |row| row.value.clone())
}

#[test]
fn one_key_starts_a_game_against_an_engine() {
    for game in 0..floe_games::games().len() {
        let mut form = form();
        press(&mut form, &vec![KeyCode::Right; game]);
        let Chosen::Start(session) = form.key(KeyCode::Enter) else {
            panic!("no game starts");
        };
        assert_eq!(session.game().name(), floe_games::games()[game].name());
        assert!(session.seats()[0].is_human());
        assert!(session.seats()[1..].iter().all(|seat| !seat.is_human()));
    }
}

#[test]
fn more_players_have_more_seats() {
    let mut form = form();
    assert_eq!(value(&form, "Player 3"), "nothing");
    press(
        &mut form,
        &[KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Down],
    );
    press(&mut form, &[KeyCode::Right]);
    assert_eq!(value(&form, "Player 3"), "floe:medium");
    let row = form.rows().iter().position(|row| row.label == "Players");
    form.row = row.unwrap();
    press(&mut form, &[KeyCode::Left]);
    assert_eq!(value(&form, "Player 3"), "nothing");
}

#[test]
fn what_is_typed_is_taken_or_refused_in_words() {
    let mut form = form();
    let type_in = |form: &mut NewGameForm, text: &str| {
        text.chars().for_each(|c| drop(form.key(KeyCode::Char(c))));
        form.key(KeyCode::Enter);
    };
    press(&mut form, &[KeyCode::Down; 3]);
    type_in(&mut form, "7x9");
    assert_eq!(
        (value(&form, "Size").as_str(), &form.problem),
        ("7x9", &None)
    );
    type_in(&mut form, "7by9");
    assert_eq!(value(&form, "Size"), "7x9");
    assert!(form.problem.is_some() && form.position().is_some());
}

#[test]
fn the_last_choice_comes_back() {
    let mut form = form();
    press(
        &mut form,
        &[KeyCode::Right, KeyCode::Down, KeyCode::Down, KeyCode::Right],
    );
    let memory = form.memory();
    let again = NewGameForm::new(&memory, 8, (120, 40));
    assert_eq!(again.rows(), form.rows());
    let nonsense = Memory {
        game: "chess".to_owned(),
        forms: vec![Form {
            game: "gamma".to_owned(),
            setup: "abc,=".to_owned(),
            seats: vec!["?".to_owned()],
        }],
    };
    assert!(
        NewGameForm::new(&nonsense, 8, (120, 40))
            .position()
            .is_some()
    );
}

#[test]
fn a_board_nobody_chose_fits_the_terminal() {
    let small = NewGameForm::new(&Memory::default(), 7, (80, 24));
    for game in floe_games::games() {
        let form = default_choices(game, (80, 24));
        let (width, height) = sides(&form.size).unwrap();
        assert!(
            width <= 21 && height <= 20,
            "{}: {}",
            game.name(),
            form.size
        );
    }
    assert!(small.problem.is_none());
}
