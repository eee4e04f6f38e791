//! Floe in the terminal: full screens, line mode, and drawn boards for commands to print.
//!
//! | part | what it does |
//! |---|---|
//! | `session` | a game as it is played: turns, undo, clocks |
//! | `screen` | the board screen's state: cursor, marks, hints, engines |
//! | `new_game`, `review` | the form before a game, the look through one after it |
//! | `thinker` | engines in threads of their own |
//! | `scene`, `trail` | a position as it is drawn; a game at any of its turns |
//! | `analysis` | what each move lost |
//! | `app` | which screen is on, and what leads from one to another |
//! | `draw` | from all of these to characters and colours |
//! | `tour`, `puzzles` | a guided minute for new players; positions with one best move |
//! | `line_mode` | the same line by line, without a screen |
//! | `texts` | every text for players, in their language |
//! | `tty` | the terminal, and giving it back on every way out |
//! | `live_keys` | keys while a command prints its progress |
//! | `home`, `recorder`, `kept` | what outlives the program |
//!
//! Nothing but `tty` and `live_keys` needs a terminal, and nothing here knows a game: boards are drawn from a
//! `View`(floe_rules::View), moves are made from `Choice`(floe_rules::Choice)s.

mod analysis;
mod app;
mod board;
mod colours;
pub mod config;
mod draw;
mod error;
mod ground;
mod home;
mod input;
mod kept;
mod line_mode;
pub mod live_keys;
pub mod look;
mod motion;
mod new_game;
pub mod output_file;
mod palette;
pub mod picture;
mod puzzles;
mod recorder;
mod review;
mod scene;
mod screen;
mod seat;
mod session;
mod stage;
mod streak;
#[cfg(test)]
mod tests;
mod texts;
pub mod theme;
mod thinker;
mod tour;
mod trail;
mod tty;
mod watching;

use std::path::Path;
use std::sync::mpsc::channel;

use floe_games::AnyGame;
use floe_games::record::Record;

pub use analysis::Analysis;
pub use draw::wrapped;
pub use error::{RecordError, TerminalError};
pub use floe_language::Language;
pub use home::{Home, home_folder};
pub use kept::KeptGame;
pub use puzzles::PuzzleSet;
pub use recorder::session as session_of;
pub use seat::{default_opponent, read_all};
pub use session::{Origin, Session, random_seed};
pub use texts::set_language;
pub use trail::Trail;
pub use tty::has_screen;

use app::App;
use draw::Skin;
use watching::{GrowingFile, LiveGames};

use crate::config::ConfigFile;
use crate::look::Look;
use crate::theme::Theme;

/// Display options of a full screen.
#[derive(Debug, Clone, Copy, Default)]
pub struct DisplayOptions {
    /// `None` asks the terminal whether it is dark or light.
    pub theme: Option<Theme>,
    /// Whether colours may be used at all.
    pub has_colour: bool,
    /// Whether characters beyond ASCII may be used.
    pub unicode: bool,
    /// Whether moves are animated.
    pub has_motion: bool,
}

/// The first activity.
#[allow(private_interfaces, reason = "made here alone")]
pub enum Begin {
    /// The form.
    Choose,
    /// A game.
    Play(Box<Session>),
    /// The game that was left last.
    Resume,
    /// A look through a game.
    Review(Box<Session>),
    /// The tour of a game.
    Tour(&'static dyn AnyGame),
    /// Puzzles.
    Puzzles(PuzzleSet),
    /// The games of a file that grows, from this one on.
    Watch(GrowingFile, Box<Record>),
}

/// Plays line by line on standard input and output.
pub fn run_lines(
    begin: Begin,
    out: &mut dyn std::io::Write,
    look: Look,
) -> Result<(), TerminalError> {
    line_mode::run(
        begin,
        &Home::find(),
        &mut std::io::stdin().lock(),
        out,
        look,
    )
}

/// Plays on a full screen until the user quits.
pub fn run(begin: Begin, options: DisplayOptions) -> Result<(), TerminalError> {
    let (inbox, inputs) = channel();
    let home = Home::find();
    let skin = Skin {
        theme: match options.theme {
            Some(theme) => theme,
            None if options.has_colour => ground::suiting_theme(),
            None => Theme::None,
        },
        unicode: options.unicode,
        before: None,
    };
    let size = ratatui::crossterm::terminal::size().unwrap_or((80, 24));
    let mut app = App::new(home, ConfigFile::find(), skin, inbox.clone(), size);
    app.has_motion = options.has_motion;
    app.suiting = options.theme.is_none().then_some(skin.theme);
    match begin {
        Begin::Choose => {}
        Begin::Play(session) => app.play(*session, None),
        Begin::Resume => app.resume()?,
        Begin::Review(session) => app.review(*session),
        Begin::Tour(game) => app.tour(game)?,
        Begin::Puzzles(set) => app.only_puzzles(set)?,
        Begin::Watch(file, record) => {
            app.watch(*record);
            file.follow(inbox.clone())?;
        }
    }
    let result = tty::run(&mut app, inbox, &inputs);
    app.close();
    result
}

/// Follows the games of a file that grows on a full screen, from the newest one on. Calls `wait`
/// once if there is none yet, and waits for it.
pub fn watch(
    file: &Path,
    options: DisplayOptions,
    mut wait: impl FnMut() -> std::io::Result<()>,
) -> Result<(), TerminalError> {
    let mut growing = GrowingFile::new(file);
    let mut has_told = false;
    let newest = loop {
        let recorded = growing.read()?.pop();
        if let Some(newest) = LiveGames::first(file).or(recorded) {
            break newest;
        }
        if !std::mem::replace(&mut has_told, true) {
            wait()?;
        }
        std::thread::sleep(std::time::Duration::from_millis(300));
    };
    run(Begin::Watch(growing, Box::new(newest)), options)
}

/// Looks through the game of a record on a full screen, from its first turn.
pub fn review(record: &Record, options: DisplayOptions) -> Result<(), TerminalError> {
    run(Begin::Review(Box::new(recorder::session(record)?)), options)
}
