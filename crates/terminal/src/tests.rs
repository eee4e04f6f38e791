//! Every screen as text, in colour and without; games played by keys; pictures for the README.

mod comforts;
mod drawings;
mod faults;
mod keys;
mod large_boards;
mod pictures;
mod puzzles;
mod screens;
mod storage;
mod texts;
mod themes;
mod tour;

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::style::{Color, Modifier};
use tempfile::TempDir;

use crate::app::App;
use crate::config::ConfigFile;
use crate::draw::spots::Spots;
use crate::draw::{self, Skin};
use crate::home::Home;
use crate::input::Input;
use crate::screen::Screen;
use crate::seat::read_all;
use crate::session::{Origin, Session};
use crate::stage::Stage;
use crate::theme::Theme;

const DARK: Skin = Skin {
    theme: Theme::Dark,
    unicode: true,
    before: None,
};
pub(super) const PLAIN: Skin = Skin {
    theme: Theme::None,
    unicode: true,
    before: None,
};
const ASCII: Skin = Skin {
    theme: Theme::None,
    unicode: false,
    before: None,
};

/// A screen without a terminal: it takes in inputs and is looked at.
struct Stand {
    app: App,
    inputs: Receiver<Input>,
    size: (u16, u16),
    /// Where games are stored; gone when the test ends.
    _folder: Option<TempDir>,
}

impl Stand {
    /// The form.
    fn new(skin: Skin, size: (u16, u16)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let stand = Self::at_home(Home::at(folder.path()), skin, size);
        Stand {
            _folder: Some(folder),
            ..stand
        }
    }

    /// The form of somebody whose games are kept there.
    fn at_home(home: Home, skin: Skin, size: (u16, u16)) -> Self {
        Self::with_settings(home, ConfigFile::default(), skin, size)
    }

    /// The same with these settings.
    fn with_settings(home: Home, config: ConfigFile, skin: Skin, size: (u16, u16)) -> Self {
        let (inbox, inputs) = channel();
        let app = App::new(home, config, skin, inbox, size);
        Stand {
            app,
            inputs,
            size,
            _folder: None,
        }
    }

    /// A game after some moves of a greedy player.
    fn game(skin: Skin, size: (u16, u16), session: Session) -> Self {
        let mut stand = Self::new(skin, size);
        stand.app.play(session, None);
        stand
    }

    fn screen(&mut self) -> &mut Screen {
        match &mut self.app.stage {
            Stage::Game(screen) => screen,
            _ => panic!("no game is on"),
        }
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.size = size;
        self.app.resize(size);
    }

    fn press(&mut self, code: KeyCode) {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        self.app.input(Input::Key(key));
    }

    /// Presses the keys of a text.
    fn text(&mut self, text: &str) {
        text.chars().for_each(|c| self.press(KeyCode::Char(c)));
    }

    /// Waits until nobody thinks about a move or a hint.
    fn settle(&mut self) {
        let is_busy = |app: &App| match &app.stage {
            Stage::Game(screen) => screen.is_thinking() || screen.is_hinting(),
            _ => false,
        };
        while is_busy(&self.app) {
            let input = self.inputs.recv_timeout(Duration::from_secs(120));
            self.app.input(input.expect("engines answer"));
        }
    }

    fn buffer(&self) -> Buffer {
        let backend = TestBackend::new(self.size.0, self.size.1);
        let mut terminal = Terminal::new(backend).unwrap();
        terminal
            .draw(|frame| drop(draw::draw(frame, &self.app.stage, self.app.skin())))
            .unwrap();
        terminal.backend().buffer().clone()
    }

    /// Clicks where these words stand, on the first letter of them.
    fn click(&mut self, words: &str) {
        let backend = TestBackend::new(self.size.0, self.size.1);
        let mut terminal = Terminal::new(backend).unwrap();
        let mut spots = Spots::default();
        let draw = |frame: &mut ratatui::Frame<'_>| {
            spots = draw::draw(frame, &self.app.stage, self.app.skin());
        };
        terminal.draw(draw).unwrap();
        self.app.offer(spots);
        let shown = self.shown();
        let place = shown.lines().enumerate().find_map(|(row, line)| {
            let before = &line[..line.find(words)?];
            Some((before.chars().count() as u16, row as u16))
        });
        let (column, row) = place.unwrap_or_else(|| panic!("no {words}:\n{shown}"));
        self.app.input(Input::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }

    fn shown(&self) -> String {
        plain(&self.buffer())
    }
}

/// A game in which a greedy player has made these first moves for everybody.
pub(super) fn played(game: &str, setup: &str, seats: &str, moves: usize) -> Session {
    let game = floe_games::find(game).unwrap();
    let origin = Origin::Setup {
        setup: setup.to_owned(),
        seed: 5,
    };
    let start = game.start(setup, 5).unwrap();
    let mut session = Session::new(start, origin, read_all(seats, game).unwrap());
    let mut engine = game.engine(&"greedy:seed=1".parse().unwrap());
    for _ in 0..moves {
        if session.turn().is_none() {
            break;
        }
        let thought = engine
            .think(session.position(), &Default::default())
            .unwrap();
        session
            .make(&thought.best, Duration::from_millis(1500), String::new())
            .unwrap();
    }
    session
}

/// A game in which these moves were made.
pub(super) fn after(game: &str, setup: &str, seats: &str, moves: &str) -> Session {
    let mut session = played(game, setup, seats, 0);
    for mv in moves.split_whitespace() {
        let time = Duration::from_millis(1500);
        session.make(mv, time, String::new()).unwrap();
    }
    session
}

/// The characters of a screen.
fn plain(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let line = |cells: &[Cell]| {
        let text: String = cells.iter().map(Cell::symbol).collect();
        format!("{}\n", text.trim_end())
    };
    buffer.content.chunks(width).map(line).collect()
}

/// The characters, then a letter for the style of each, then what the letters mean.
fn coloured(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let mut styles: Vec<String> = Vec::new();
    let mut map = String::new();
    for cells in buffer.content.chunks(width) {
        let mut line = String::new();
        for cell in cells {
            let style = style(cell);
            let index = styles.iter().position(|known| *known == style);
            let index = index.unwrap_or_else(|| {
                styles.push(style);
                styles.len() - 1
            });
            line.push(letter(index));
        }
        map.push_str(line.trim_end());
        map.push('\n');
    }
    let legend = styles.iter().enumerate().skip(1);
    let legend: String = legend
        .map(|(i, style)| format!("{} {style}\n", letter(i)))
        .collect();
    format!("{}---\n{map}---\n{legend}", plain(buffer))
}

/// The first style, which is the empty one unless the corner has another, is a blank.
fn letter(index: usize) -> char {
    let letters = " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    letters.chars().nth(index).unwrap_or('#')
}

fn style(cell: &Cell) -> String {
    let colour = |colour: Color| match colour {
        Color::Indexed(n) => n.to_string(),
        Color::Reset => "-".to_owned(),
        other => format!("{other:?}"),
    };
    let mut text = format!("{} on {}", colour(cell.fg), colour(cell.bg));
    for (modifier, word) in [
        (Modifier::BOLD, "bold"),
        (Modifier::DIM, "faint"),
        (Modifier::UNDERLINED, "underlined"),
        (Modifier::REVERSED, "reversed"),
    ] {
        if cell.modifier.contains(modifier) {
            text.push(' ');
            text.push_str(word);
        }
    }
    text
}

/// Relative luminance of one of the 256 colours, as WCAG 2 has it.
pub(super) fn luminance(colour: Color) -> f64 {
    let Color::Indexed(n) = colour else {
        panic!("{colour:?}");
    };
    let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * u32::from(n) };
    let parts = match n {
        // As xterm has them.
        15 => [255; 3],
        0..16 => panic!("the colour {n} is the user's"),
        16..232 => [
            level((n - 16) / 36),
            level((n - 16) / 6 % 6),
            level((n - 16) % 6),
        ],
        232.. => [8 + 10 * u32::from(n - 232); 3],
    };
    let linear = |part: u32| match f64::from(part) / 255.0 {
        low if low <= 0.04045 => low / 12.92,
        high => ((high + 0.055) / 1.055).powf(2.4),
    };
    let [r, g, b] = parts.map(linear);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// The contrast of two colours, as WCAG 2 has it.
pub(super) fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}
