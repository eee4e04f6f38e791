//! The form before a game: which game, how large, who plays.

use floe_arena::seat::Seat;
use floe_games::{AnyGame, AnyPosition, StartError};
use floe_rules::{Setting, Values};
use ratatui::crossterm::event::KeyCode;

use crate::home::{Form, Memory};
use crate::kept::KeptGame;
use crate::scene::Scene;
use crate::seat::{self, default_opponent};
use crate::session::{Origin, Session};

/// The sizes that are offered; any other can be typed.
const SIZES: [&str; 10] = [
    "4x4", "5x5", "6x6", "8x8", "10x10", "12x12", "15x15", "20x20", "30x30", "50x50",
];
/// Most seats with a line of their own.
const MOST_SEATS: usize = 9;

/// The form.
pub(crate) struct Chooser {
    pub(crate) game: usize,
    /// Which line the cursor is on.
    pub(crate) row: usize,
    /// Text being typed on that line.
    pub(crate) typed: Option<String>,
    /// Whether the rules cover the form.
    pub(crate) shows_rules: bool,
    /// The game that can be gone on with, in words, and how many games are kept.
    kept: (Option<String>, usize),
    /// The error in the choices.
    pub(crate) problem: Option<String>,
    forms: Vec<Choices>,
    position: Option<Box<dyn AnyPosition>>,
    /// That position as drawn.
    view: Option<Scene>,
    seed: u64,
}

/// The choices for one game.
#[derive(Debug, Clone)]
struct Choices {
    size: String,
    /// By setting.
    values: Vec<String>,
    seats: Vec<Seat>,
}

/// One line of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) value: String,
    pub(crate) kind: RowKind,
}

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    Game,
    Size,
    Setting(usize),
    Seat(usize),
    Start,
    /// Resume the latest game.
    Resume,
    /// One's own games.
    Games,
}

impl RowKind {
    /// Whether the line is a button rather than a value.
    pub(crate) fn is_button(self) -> bool {
        matches!(self, RowKind::Start | RowKind::Resume | RowKind::Games)
    }
}

/// The effect of a key.
pub(crate) enum Chosen {
    Nothing,
    Leave,
    Theme,
    Start(Box<Session>),
    Resume,
    Games,
    /// The tour of this game.
    Tour(&'static dyn AnyGame),
}

impl Chooser {
    /// The form as it was filled in last; a board that was never chosen fits into `room`.
    pub(crate) fn new(memory: &Memory, seed: u64, room: (u16, u16)) -> Self {
        let games = floe_games::games();
        let game = games.iter().position(|game| game.name() == memory.game);
        let forms = (games.iter())
            .map(|&game| {
                let last = memory.forms.iter().find(|form| form.game == game.name());
                last.and_then(|form| recalled(game, form))
                    .unwrap_or_else(|| usual(game, room))
            })
            .collect();
        let mut chooser = Chooser {
            game: game.unwrap_or(0),
            row: 0,
            typed: None,
            shows_rules: false,
            kept: (None, 0),
            problem: None,
            forms,
            position: None,
            view: None,
            seed,
        };
        chooser.check();
        chooser
    }

    /// The same form, which offers these games too.
    pub(crate) fn offering(mut self, kept: &[KeptGame]) -> Self {
        let left = kept.iter().find(|game| game.end.is_none());
        let words = left.map(|game| format!("{}, turn {}", game.title(), game.moves + 1));
        self.kept = (words, kept.len());
        self
    }

    pub(crate) fn game(&self) -> &'static dyn AnyGame {
        floe_games::games()[self.game]
    }

    /// The lines, in order.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let row = |label: &str, value: String, kind| Row {
            label: label.to_owned(),
            value,
            kind,
        };
        let game = self.game();
        let form = &self.forms[self.game];
        let mut rows = vec![
            row("game", game.title().to_owned(), RowKind::Game),
            row("size", form.size.clone(), RowKind::Size),
        ];
        for (i, (setting, value)) in game.settings().iter().zip(&form.values).enumerate() {
            rows.push(row(setting.word, value.clone(), RowKind::Setting(i)));
        }
        for (i, seat) in form.seats.iter().take(MOST_SEATS).enumerate() {
            let label = format!("player {}", i + 1);
            rows.push(row(&label, seat.to_string(), RowKind::Seat(i)));
        }
        rows.push(row("", "play".to_owned(), RowKind::Start));
        if let Some(words) = &self.kept.0 {
            rows.push(row("", format!("resume: {words}"), RowKind::Resume));
        }
        if self.kept.1 > 0 {
            let games = format!("my games ({})", self.kept.1);
            rows.push(row("", games, RowKind::Games));
        }
        rows
    }

    /// The board that would be played, if it can be made.
    #[cfg(test)]
    pub(crate) fn position(&self) -> Option<&dyn AnyPosition> {
        self.position.as_deref()
    }

    /// That board as drawn.
    pub(crate) fn view(&self) -> Option<&Scene> {
        self.view.as_ref()
    }

    /// The choices to store.
    pub(crate) fn memory(&self) -> Memory {
        let form = |(game, choices): (&&'static dyn AnyGame, &Choices)| Form {
            game: game.name().to_owned(),
            setup: setup(*game, choices),
            seats: choices.seats.iter().map(ToString::to_string).collect(),
        };
        Memory {
            game: self.game().name().to_owned(),
            forms: floe_games::games()
                .iter()
                .zip(&self.forms)
                .map(form)
                .collect(),
        }
    }

    /// Takes in a key.
    pub(crate) fn key(&mut self, code: KeyCode) -> Chosen {
        if std::mem::take(&mut self.shows_rules) {
            return Chosen::Nothing;
        }
        if let Some(text) = self.typed.take() {
            self.type_key(text, code);
            return Chosen::Nothing;
        }
        let rows = self.rows();
        let kind = rows[self.row.min(rows.len() - 1)].kind;
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.row = self.row.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => {
                self.row = (self.row + 1).min(rows.len() - 1);
            }
            KeyCode::Left | KeyCode::Char('h') => self.turn(kind, false),
            KeyCode::Right | KeyCode::Char('l') => self.turn(kind, true),
            KeyCode::Enter | KeyCode::Char(' ') => return self.press(kind),
            KeyCode::F(2) if self.kept.0.is_some() => return Chosen::Resume,
            KeyCode::F(3) if self.kept.1 > 0 => return Chosen::Games,
            KeyCode::F(1) | KeyCode::Char('?') => self.shows_rules = true,
            KeyCode::Char('T') => return Chosen::Theme,
            KeyCode::Char('t') if kind == RowKind::Game || kind.is_button() => {
                return Chosen::Tour(self.game());
            }
            KeyCode::Char('q') | KeyCode::Esc => return Chosen::Leave,
            KeyCode::Char(c) if c.is_ascii_graphic() => match kind {
                RowKind::Size | RowKind::Seat(_) | RowKind::Setting(_) => {
                    self.typed = Some(c.to_string());
                }
                RowKind::Game | RowKind::Start | RowKind::Resume | RowKind::Games => {}
            },
            _ => {}
        }
        Chosen::Nothing
    }

    /// Takes in a click on a line.
    pub(crate) fn click(&mut self, row: usize) -> Chosen {
        if let Some(text) = self.typed.take() {
            self.take_typed(text.trim());
        }
        let rows = self.rows();
        self.row = row.min(rows.len() - 1);
        match rows[self.row].kind {
            kind if kind.is_button() => self.press(kind),
            _ => Chosen::Nothing,
        }
    }

    fn type_key(&mut self, mut text: String, code: KeyCode) {
        match code {
            KeyCode::Esc => return,
            KeyCode::Enter | KeyCode::Up | KeyCode::Down | KeyCode::Tab => {
                self.take_typed(text.trim());
                return;
            }
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Char(c) if text.len() < 60 => text.push(c),
            _ => {}
        }
        self.typed = Some(text);
    }

    fn take_typed(&mut self, text: &str) {
        let rows = self.rows();
        let kind = rows[self.row.min(rows.len() - 1)].kind;
        let game = self.game();
        let form = &mut self.forms[self.game];
        let before = form.clone();
        match kind {
            RowKind::Size => form.size = text.to_owned(),
            RowKind::Setting(i) => form.values[i] = text.to_owned(),
            RowKind::Seat(i) => match seat::read(text, game) {
                Ok(seat) => form.seats[i] = seat,
                Err(error) => {
                    self.problem = Some(error.to_string());
                    return;
                }
            },
            RowKind::Game | RowKind::Start | RowKind::Resume | RowKind::Games => {}
        }
        if !self.check() {
            // Choices that cannot be played are reported and not stored.
            let problem = self.problem.take();
            self.forms[self.game] = before;
            self.check();
            self.problem = problem;
        }
    }

    fn turn(&mut self, kind: RowKind, forward: bool) {
        let game = self.game();
        let count = floe_games::games().len();
        let form = &mut self.forms[self.game];
        match kind {
            RowKind::Game => self.game = (self.game + if forward { 1 } else { count - 1 }) % count,
            RowKind::Size => form.size = next_size(&form.size, forward),
            RowKind::Setting(i) => {
                form.values[i] = next_value(&game.settings()[i], &form.values[i], forward);
            }
            RowKind::Seat(i) => form.seats[i] = next_seat(&form.seats[i], forward),
            RowKind::Start | RowKind::Resume | RowKind::Games => {}
        }
        self.check();
    }

    /// Rebuilds the board and its seats; returns whether that succeeded.
    fn check(&mut self) -> bool {
        let game = self.game();
        let form = &mut self.forms[self.game];
        match game.start(&setup(game, form), self.seed) {
            Ok(position) => {
                let seats = position.players() as usize;
                form.seats.resize(seats, default_opponent());
                self.view = Some(Scene::new(&*position));
                self.position = Some(position);
                self.problem = None;
            }
            Err(error) => {
                (self.position, self.view) = (None, None);
                self.problem = Some(match error {
                    StartError::Unreadable(error) if error.help.is_empty() => error.cause.into(),
                    StartError::Unreadable(error) => format!("{}: {}", error.cause, error.help),
                    StartError::Impossible(error) => error.to_string(),
                });
            }
        }
        let rows = self.rows().len();
        self.row = self.row.min(rows - 1);
        self.problem.is_none()
    }

    /// Enter on a line: the game begins, unless the line says otherwise.
    fn press(&mut self, kind: RowKind) -> Chosen {
        match kind {
            RowKind::Resume => Chosen::Resume,
            RowKind::Games => Chosen::Games,
            _ => self.start(),
        }
    }

    fn start(&mut self) -> Chosen {
        let form = &self.forms[self.game];
        let Some(position) = &self.position else {
            return Chosen::Nothing;
        };
        let origin = Origin::Setup {
            setup: setup(self.game(), form),
            seed: self.seed,
        };
        let seats = form.seats.clone();
        Chosen::Start(Box::new(Session::new(position.clone(), origin, seats)))
    }
}

fn setup(game: &dyn AnyGame, form: &Choices) -> String {
    let mut text = form.size.clone();
    for (setting, value) in game.settings().iter().zip(&form.values) {
        text.push_str(&format!(",{}={value}", setting.word));
    }
    text
}

/// The default choices.
fn usual(game: &'static dyn AnyGame, room: (u16, u16)) -> Choices {
    let whole = game.default_setup();
    let first = whole.split(',').next().unwrap_or("10x10");
    let fits = |size: &str| {
        let (width, height) = sides(size).unwrap_or((10, 10));
        width * 3 + 40 <= u32::from(room.0) && height + 8 <= u32::from(room.1)
    };
    let smaller = |size: &&&str| sides(size) < sides(first) && fits(size);
    let size = match fits(first) {
        true => first,
        false => (SIZES.iter().rev().find(smaller)).copied().unwrap_or("6x6"),
    };
    Choices {
        size: size.to_owned(),
        values: (game.settings().iter())
            .map(|setting| setting.default.to_owned())
            .collect(),
        seats: vec![Seat::Human],
    }
}

/// The latest choices, as far as they are still readable.
fn recalled(game: &'static dyn AnyGame, form: &Form) -> Option<Choices> {
    let mut parts = form.setup.split(',');
    let size = parts.next()?.to_owned();
    let given: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once('=')).collect();
    let value = |setting: &Setting| {
        let value = given.iter().find(|(word, _)| *word == setting.word);
        value.map_or(setting.default, |(_, value)| value).to_owned()
    };
    let seats: Option<Vec<Seat>> = (form.seats.iter())
        .map(|word| seat::read(word, game).ok())
        .collect();
    let choices = Choices {
        size,
        values: game.settings().iter().map(value).collect(),
        seats: seats.filter(|seats| !seats.is_empty())?,
    };
    game.setup(&setup(game, &choices)).ok()?;
    Some(choices)
}

fn sides(size: &str) -> Option<(u32, u32)> {
    let (width, height) = size.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

fn next_size(size: &str, forward: bool) -> String {
    let area = |size: &str| sides(size).map_or(0, |(w, h)| u64::from(w) * u64::from(h));
    let here = area(size);
    let next = match forward {
        true => SIZES.iter().find(|size| area(size) > here),
        false => SIZES.iter().rev().find(|size| area(size) < here),
    };
    next.map_or(size, |next| next).to_owned()
}

fn next_value(setting: &Setting, value: &str, forward: bool) -> String {
    match &setting.values {
        Values::Number(range) => {
            let now: u32 = value.parse().unwrap_or(*range.start());
            let next = if forward {
                now.saturating_add(1)
            } else {
                now.saturating_sub(1)
            };
            next.clamp(*range.start(), *range.end()).to_string()
        }
        Values::Words(words) => {
            let now = words.iter().position(|&word| word == value).unwrap_or(0);
            let step = if forward { 1 } else { words.len() - 1 };
            words[(now + step) % words.len()].to_owned()
        }
    }
}

fn next_seat(seat: &Seat, forward: bool) -> Seat {
    let offered = seat::offered();
    let word = seat.to_string();
    let now = offered.iter().position(|offer| offer.to_string() == word);
    let now = now.unwrap_or(0);
    let step = if forward { 1 } else { offered.len() - 1 };
    offered[(now + step) % offered.len()].clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chooser() -> Chooser {
        Chooser::new(&Memory::default(), 7, (120, 40))
    }

    fn press(chooser: &mut Chooser, codes: &[KeyCode]) {
        for &code in codes {
            chooser.key(code);
        }
    }

    fn value(chooser: &Chooser, label: &str) -> String {
        let rows = chooser.rows();
        let row = rows.iter().find(|row| row.label == label);
        row.map_or("nothing".to_owned(), |row| row.value.clone())
    }

    #[test]
    fn one_key_starts_a_game_against_an_engine() {
        for game in 0..floe_games::games().len() {
            let mut chooser = chooser();
            press(&mut chooser, &vec![KeyCode::Right; game]);
            let Chosen::Start(session) = chooser.key(KeyCode::Enter) else {
                panic!("no game starts");
            };
            assert_eq!(session.game().name(), floe_games::games()[game].name());
            assert!(session.seats()[0].is_human());
            assert!(session.seats()[1..].iter().all(|seat| !seat.is_human()));
        }
    }

    #[test]
    fn more_players_have_more_seats() {
        let mut chooser = chooser();
        assert_eq!(value(&chooser, "player 3"), "nothing");
        press(
            &mut chooser,
            &[KeyCode::Down, KeyCode::Down, KeyCode::Right],
        );
        assert_eq!(value(&chooser, "player 3"), "floe:medium");
        press(&mut chooser, &[KeyCode::Left]);
        assert_eq!(value(&chooser, "player 3"), "nothing");
    }

    #[test]
    fn what_is_typed_is_taken_or_refused_in_words() {
        let mut chooser = chooser();
        let type_in = |chooser: &mut Chooser, text: &str| {
            text.chars()
                .for_each(|c| drop(chooser.key(KeyCode::Char(c))));
            chooser.key(KeyCode::Enter);
        };
        chooser.key(KeyCode::Down);
        type_in(&mut chooser, "7x9");
        assert_eq!(
            (value(&chooser, "size").as_str(), &chooser.problem),
            ("7x9", &None)
        );
        type_in(&mut chooser, "7by9");
        assert_eq!(value(&chooser, "size"), "7x9");
        assert!(chooser.problem.is_some() && chooser.position().is_some());
    }

    #[test]
    fn the_last_choice_comes_back() {
        let mut chooser = chooser();
        press(
            &mut chooser,
            &[KeyCode::Right, KeyCode::Down, KeyCode::Right],
        );
        let memory = chooser.memory();
        let again = Chooser::new(&memory, 8, (120, 40));
        assert_eq!(again.rows(), chooser.rows());
        let nonsense = Memory {
            game: "chess".to_owned(),
            forms: vec![Form {
                game: "gamma".to_owned(),
                setup: "abc,=".to_owned(),
                seats: vec!["?".to_owned()],
            }],
        };
        assert!(Chooser::new(&nonsense, 8, (120, 40)).position().is_some());
    }

    #[test]
    fn a_board_nobody_chose_fits_the_terminal() {
        let small = Chooser::new(&Memory::default(), 7, (80, 24));
        for game in floe_games::games() {
            let form = usual(game, (80, 24));
            let (width, height) = sides(&form.size).unwrap();
            assert!(
                width <= 13 && height <= 16,
                "{}: {}",
                game.name(),
                form.size
            );
        }
        assert!(small.problem.is_none());
    }
}
