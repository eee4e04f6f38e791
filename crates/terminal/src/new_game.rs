//! The form before a game: game, size, players.

mod values;

use floe_arena::seat::Seat;
use floe_games::{AnyGame, AnyPosition, StartError};
use floe_rules::Setting;
use ratatui::crossterm::event::KeyCode;

use crate::home::{Form, Memory};
use crate::kept::KeptGame;
use crate::scene::Scene;
use crate::seat::{self, default_opponent};
use crate::session::{Origin, Session, random_seed};
use crate::texts::{of_game, sentence, t};
use values::{
    SIZES, level_name, next_level, next_opponent, next_seat, next_size, next_value, opponent,
    seat_name, sides,
};

/// Most seats with their own lines.
const MOST_SEATS: usize = 9;

/// The clocks to choose from.
const CLOCKS: [&str; 7] = ["", "30s", "1m+0s", "3m+2s", "5m+0s", "10m+0s", "15m+10s"];

/// The form.
pub(crate) struct NewGameForm {
    pub(crate) game: usize,
    /// The cursor's line.
    pub(crate) row: usize,
    /// Text being typed in that line.
    pub(crate) typed: Option<String>,
    /// Whether the rules cover the form.
    pub(crate) shows_rules: bool,
    /// The unfinished game to resume, in words.
    pub(crate) unfinished: Option<String>,
    /// Number of stored games.
    pub(crate) stored: usize,
    /// The error in the choices.
    pub(crate) problem: Option<String>,
    forms: Vec<Choices>,
    position: Option<Box<dyn AnyPosition>>,
    /// The position as drawn.
    view: Option<Scene>,
    pub(crate) seed: u64,
    /// The index of the clock among the choices.
    clock: usize,
}

/// The choices for one game.
#[derive(Debug, Clone)]
struct Choices {
    size: String,
    /// Values by setting.
    values: Vec<String>,
    seats: Vec<Seat>,
}

impl Choices {
    /// The seat of the only person among two players.
    fn person(&self) -> Option<usize> {
        let human = |seat: &Seat| matches!(seat, Seat::Human);
        match &self.seats[..] {
            [first, second] if human(first) != human(second) => Some(usize::from(human(second))),
            _ => None,
        }
    }
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
    /// The kind of the only opponent, by seat number.
    Opponent(usize),
    /// The level of that opponent.
    Level(usize),
    /// The player who moves first.
    First,
    Clock,
    Start,
}

impl RowKind {
    /// Whether the line is a button rather than a value.
    pub(crate) fn is_button(self) -> bool {
        self == RowKind::Start
    }

    /// Whether any text can be typed in the line.
    fn takes_words(self) -> bool {
        matches!(self, RowKind::Seat(_) | RowKind::Opponent(_))
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
    /// The puzzles of this game.
    Puzzles(&'static dyn AnyGame),
}

impl NewGameForm {
    /// The form as last filled in; a default board fits into `room`.
    pub(crate) fn new(memory: &Memory, seed: u64, room: (u16, u16)) -> Self {
        let games = floe_games::games();
        let game = games.iter().position(|game| game.name() == memory.game);
        let forms = (games.iter())
            .map(|&game| {
                let last = memory.forms.iter().find(|form| form.game == game.name());
                last.and_then(|form| recalled(game, form))
                    .unwrap_or_else(|| default_choices(game, room))
            })
            .collect();
        let mut form = NewGameForm {
            game: game.unwrap_or(0),
            row: 0,
            typed: None,
            shows_rules: false,
            unfinished: None,
            stored: 0,
            problem: None,
            forms,
            position: None,
            view: None,
            seed,
            clock: 0,
        };
        form.check();
        form
    }

    /// The same form, with these games to resume.
    pub(crate) fn offering(mut self, kept: &[KeptGame]) -> Self {
        let left = kept.iter().find(|game| game.end.is_none());
        self.unfinished = left.map(|game| {
            let (title, turn) = (game.title(), game.moves + 1);
            t!("{title}, turn {turn}", title, turn)
        });
        self.stored = kept.len();
        self
    }

    pub(crate) fn game(&self) -> &'static dyn AnyGame {
        floe_games::games()[self.game]
    }

    /// The lines of the form.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let row = |label: String, value: String, kind| Row { label, value, kind };
        let game = self.game();
        let form = &self.forms[self.game];
        let mut rows = vec![row(t!("Game"), of_game(game.title()), RowKind::Game)];
        let person = form.person();
        if let Some(person) = person {
            let other = 1 - person;
            let (kind, level) = opponent(&form.seats[other]);
            rows.push(row(t!("Opponent"), kind, RowKind::Opponent(other)));
            if let Some(level) = level {
                rows.push(row(t!("Level"), level_name(level), RowKind::Level(other)));
            }
        }
        rows.push(row(t!("Size"), form.size.clone(), RowKind::Size));
        for (i, (setting, value)) in game.settings().iter().zip(&form.values).enumerate() {
            let label = sentence(&of_game(setting.word));
            rows.push(row(label, of_game(value), RowKind::Setting(i)));
        }
        match person {
            Some(0) => rows.push(row(t!("First"), t!("you"), RowKind::First)),
            Some(_) => {
                let name = opponent(&form.seats[0]).0;
                rows.push(row(t!("First"), name, RowKind::First));
            }
            None => {
                for (i, seat) in form.seats.iter().take(MOST_SEATS).enumerate() {
                    let label = t!("Player {number}", number = i + 1);
                    rows.push(row(label, seat_name(seat), RowKind::Seat(i)));
                }
            }
        }
        let clock = match CLOCKS[self.clock] {
            "" => t!("none"),
            "30s" => t!("30 s a move"),
            clock => clock.trim_end_matches("+0s").to_owned(),
        };
        rows.push(row(t!("Clock"), clock, RowKind::Clock));
        rows.push(row(String::new(), t!("Play"), RowKind::Start));
        rows
    }

    /// The board to play on, if it can be made.
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
        let has_letters = !kind.takes_words();
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.row = self.row.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => {
                self.row = (self.row + 1).min(rows.len() - 1);
            }
            KeyCode::Left | KeyCode::Char('h') => self.turn(kind, false),
            KeyCode::Right | KeyCode::Char('l') => self.turn(kind, true),
            KeyCode::Enter | KeyCode::Char(' ') => return self.start(),
            KeyCode::F(2) if self.unfinished.is_some() => return Chosen::Resume,
            KeyCode::F(3) if self.stored > 0 => return Chosen::Games,
            KeyCode::F(1) | KeyCode::Char('?') => self.shows_rules = true,
            KeyCode::Char('T') => return Chosen::Theme,
            KeyCode::Char('q') | KeyCode::Esc => return Chosen::Leave,
            KeyCode::Char('t') if has_letters => return Chosen::Tour(self.game()),
            KeyCode::Char('p') if has_letters && self.has_puzzles() => {
                return Chosen::Puzzles(self.game());
            }
            KeyCode::Char('r') if has_letters && self.unfinished.is_some() => {
                return Chosen::Resume;
            }
            KeyCode::Char('g') if has_letters && self.stored > 0 => return Chosen::Games,
            KeyCode::Char('b') if has_letters => {
                self.seed = random_seed();
                self.check();
            }
            KeyCode::Char(c) if c.is_ascii_graphic() => match kind {
                RowKind::Size | RowKind::Setting(_) if c.is_ascii_digit() => {
                    self.typed = Some(c.to_string());
                }
                kind if kind.takes_words() => self.typed = Some(c.to_string()),
                _ => {}
            },
            _ => {}
        }
        Chosen::Nothing
    }

    /// Whether puzzles come with the game.
    pub(crate) fn has_puzzles(&self) -> bool {
        !self.game().puzzles().is_empty()
    }

    /// Takes in a click on a line.
    pub(crate) fn click(&mut self, row: usize) -> Chosen {
        if let Some(text) = self.typed.take() {
            self.take_typed(text.trim());
        }
        let rows = self.rows();
        self.row = row.min(rows.len() - 1);
        match rows[self.row].kind.is_button() {
            true => self.start(),
            false => Chosen::Nothing,
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
            RowKind::Seat(i) | RowKind::Opponent(i) => match seat::read(text, game) {
                Ok(seat) => form.seats[i] = seat,
                Err(error) => {
                    self.problem = Some(error.to_string());
                    return;
                }
            },
            _ => {}
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
            RowKind::Opponent(i) => form.seats[i] = next_opponent(&form.seats[i], forward),
            RowKind::Level(i) => form.seats[i] = next_level(&form.seats[i], forward),
            RowKind::First => form.seats.rotate_right(1),
            RowKind::Clock => {
                let step = if forward { 1 } else { CLOCKS.len() - 1 };
                self.clock = (self.clock + step) % CLOCKS.len();
            }
            RowKind::Start => {}
        }
        self.check();
        // Other lines may have come or gone above this one.
        if let Some(row) = self.rows().iter().position(|row| row.kind == kind) {
            self.row = row;
        }
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
        let mut session = Session::new(position.clone(), origin, seats);
        if let Ok(control) = CLOCKS[self.clock].parse() {
            session.set_time_control(control);
        }
        Chosen::Start(Box::new(session))
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
fn default_choices(game: &'static dyn AnyGame, room: (u16, u16)) -> Choices {
    let whole = game.default_setup();
    let first = whole.split(',').next().unwrap_or("10x10");
    let fits = |size: &str| {
        let (width, height) = sides(size).unwrap_or((10, 10));
        width * 2 + 38 <= u32::from(room.0) && height + 4 <= u32::from(room.1)
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

#[cfg(test)]
mod tests;
