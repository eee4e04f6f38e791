//! The board screen: a game, where the cursor is, what is picked up, and what is being thought.
//!
//! Nothing here draws and nothing waits. Keys and reports come in, the state changes, and
//! [`draw`](super::draw) shows it.

mod clock;
mod keyed;
mod keys;
mod marks;
mod options;
mod overlays;
mod reports;
mod thinking;

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use floe_rules::Square;
use floe_search::Thought;
use ratatui::layout::Rect;

use crate::analysis::Analysis;
use crate::draw::window::{Window, Zoom};
use crate::input::Input;
use crate::motion::Motion;
use crate::scene::Scene;
use crate::session::Session;
use crate::texts::{self, of_game, sentence, t};
use crate::thinker::Thinker;
use crate::trail::Trail;

pub(crate) use clock::Tick;
pub(crate) use keyed::KeyedChoice;
pub(crate) use keys::ScreenRequest;
#[cfg(test)]
pub(crate) use options::PASSES;
pub(crate) use options::{Options, count_pass};

/// A game on the screen.
pub(crate) struct Screen {
    pub(crate) session: Session,
    pub(crate) view: Scene,
    pub(crate) choices: Options,
    pub(crate) cursor: Square,
    /// The squares the last move changed.
    last: HashSet<Square>,
    /// Turns made when the position was last taken in.
    seen: usize,
    /// Where the piece stands that is picked up.
    pub(crate) lifted: Option<Square>,
    pub(crate) marks: Marks,
    pub(crate) zoom: Zoom,
    /// The first column and row that are seen of a board that does not fit; without it, the
    /// cursor is in the middle.
    corner: Option<(u32, u32)>,
    pub(crate) message: Option<Message>,
    pub(crate) overlay: Option<Overlay>,
    /// The move that was hinted at.
    pub(crate) hint: Option<String>,
    /// The engine's evaluation, if asked for.
    pub(crate) evaluation: Evaluation,
    /// The scores that the engine expected before each turn, as far as they are known.
    pub(crate) course: Vec<Option<Vec<i64>>>,
    /// The move by key whose gain is shown.
    preview: Option<String>,
    /// The characters of moves by key, in the order of their keys.
    colours: Vec<String>,
    /// Squares with the letter of the player who started there.
    homes: HashMap<Square, char>,
    /// Squares of the own pieces.
    pieces: Vec<Square>,
    /// Why some free square cannot be taken.
    pub(crate) why_not: Option<String>,
    /// Whether the contest's own coordinates are shown.
    pub(crate) shows_numbers: bool,
    /// Whether the cursor was used in a game of keys.
    has_pointed: bool,
    /// The chosen turning point of a finished game.
    pub(crate) point: usize,
    pub(crate) is_paused: bool,
    /// Whether moves are animated.
    pub(crate) has_motion: bool,
    /// The last move, as long as it is on its way.
    pub(crate) motion: Option<Motion>,
    /// Whether moves are made by keys in this game, and whether a player may pass.
    pub(crate) habits: Habits,
    /// Whether programs play here without a sandbox.
    pub(crate) is_exposed: bool,
    /// Whether the game is recorded as it is played.
    pub(crate) is_saved: bool,
    /// Time of the present turn as the clock shows it.
    pub(crate) shown: Duration,
    /// The look back, once the game is over.
    pub(crate) analysis: Analysis,
    pub(crate) trail: Option<Trail>,
    since: Instant,
    thinking: Option<u64>,
    /// Whether an engine has to start its move again.
    is_asleep: bool,
    hinting: Option<u64>,
    thinkers: Thinkers,
}

/// Which fields are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marks {
    /// Where a move can be made, unless that is everywhere.
    Moves,
    /// Where the special kind of move can be made.
    Special,
    None,
}

/// The actions that a game allows, from its start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Habits {
    pub(crate) has_keyed_moves: bool,
    pub(crate) can_give_up: bool,
    pub(crate) has_engines: bool,
}

impl Habits {
    fn of(session: &Session) -> Self {
        let start = session.start();
        Habits {
            has_keyed_moves: start.choices().iter().any(|choice| choice.to.is_none()),
            can_give_up: start.give_up().is_some(),
            has_engines: session.seats().iter().any(|seat| !seat.is_human()),
        }
    }
}

/// The message under the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Message {
    /// As it should be.
    News(String),
    /// The reason why nothing was done.
    Refusal(String),
}

/// The overlay over the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Overlay {
    /// The rules and the keys, from this line on.
    Help(u16),
    /// Really leave?
    Quit,
    /// Really leave this game for a new one?
    New,
    /// Really pass?
    GiveUp,
    /// The end of the game.
    Result,
    Prompt(Prompt),
}

/// A line that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prompt {
    pub(crate) asks: Asks,
    pub(crate) text: String,
    /// Whether the text is a proposal: the first letter replaces it.
    pub(crate) is_proposal: bool,
}

/// The purpose of a typed line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// A move in notation.
    Move,
    /// A file for the record.
    Save,
    /// A file for the position.
    Export,
}

/// The evaluation of the position on the board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Evaluation {
    pub(crate) is_shown: bool,
    pub(crate) thought: Option<Thought<String>>,
    job: Option<u64>,
    effort: Duration,
}

/// The thinkers: one for every engine in the game, and an adviser.
struct Thinkers {
    inbox: Sender<Input>,
    engines: HashMap<usize, Thinker>,
    adviser: Option<Thinker>,
}

impl Screen {
    /// A game to play; engines report to `inbox`.
    pub(crate) fn new(session: Session, inbox: Sender<Input>) -> Self {
        let view = Scene::new(session.position());
        let analysis = Analysis::none(session.scale());
        let habits = Habits::of(&session);
        let mut screen = Screen {
            cursor: Square::new(view.width / 2, view.height / 2),
            view,
            choices: Options::default(),
            seen: session.turns().len(),
            session,
            last: HashSet::new(),
            lifted: None,
            marks: Marks::Moves,
            zoom: Zoom::default(),
            corner: None,
            message: None,
            overlay: None,
            hint: None,
            evaluation: Evaluation::default(),
            course: Vec::new(),
            preview: None,
            colours: Vec::new(),
            homes: HashMap::new(),
            pieces: Vec::new(),
            why_not: None,
            shows_numbers: false,
            has_pointed: false,
            point: 0,
            is_paused: false,
            has_motion: false,
            motion: None,
            habits,
            is_exposed: false,
            is_saved: true,
            shown: Duration::ZERO,
            analysis,
            trail: None,
            since: Instant::now(),
            thinking: None,
            is_asleep: false,
            hinting: None,
            thinkers: Thinkers {
                inbox,
                engines: HashMap::new(),
                adviser: None,
            },
        };
        screen.find_homes();
        screen.refresh();
        screen.find_own();
        screen
    }

    /// Where nothing is pointed at, begins the look at the mover's own squares.
    fn find_own(&mut self) {
        let (Some(mover), true) = (self.session.turn(), self.choices.is_by_keys()) else {
            return;
        };
        let is_own = |square: &Square| {
            let cell = self.view.cell(*square);
            cell.is_some_and(|cell| cell.owner == Some(mover))
        };
        if let Some(own) = self.view.squares().find(is_own) {
            self.cursor = own;
        }
    }

    /// Takes in the present position and lets the player to move begin.
    pub(crate) fn refresh(&mut self) {
        self.stop();
        let now = Scene::new(self.session.position());
        let before = std::mem::replace(&mut self.view, now);
        self.motion = self.motion_from(&before);
        self.last = self.last_squares(before);
        self.seen = self.session.turns().len();
        self.choices = match self.is_my_turn() {
            true => Options::new(self.session.position().choices()),
            false => Options::default(),
        };
        self.lifted = None;
        self.hint = None;
        self.course.resize(self.session.turns().len() + 1, None);
        self.choose_preview();
        self.explain_others();
        self.find_pieces();
        self.since = Instant::now();
        self.shown = Duration::ZERO;
        self.evaluation.thought = None;
        self.begin();
    }

    /// Whether a person at this keyboard is to move.
    pub(crate) fn is_my_turn(&self) -> bool {
        self.session
            .mover()
            .is_some_and(|(_, seat)| seat.is_human())
    }

    pub(crate) fn is_over(&self) -> bool {
        self.session.turn().is_none()
    }

    /// Whether any engine thinks.
    pub(crate) fn is_busy(&self) -> bool {
        let looks_back = self.is_over() && !self.analysis.is_complete();
        let jobs = [self.thinking, self.hinting, self.evaluation.job];
        looks_back || self.motion.is_some() || jobs.iter().any(Option::is_some)
    }

    /// Whether an engine is thinking about its move.
    #[cfg(test)]
    pub(crate) fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    /// Whether an engine is thinking about a hint.
    #[cfg(test)]
    pub(crate) fn is_hinting(&self) -> bool {
        self.hinting.is_some()
    }

    /// The part of the board that is seen in this area.
    pub(crate) fn window(&self, area: Rect) -> Window {
        let window = Window::new(&self.view, area, self.cursor, self.zoom);
        match self.corner {
            Some(corner) => window.at(&self.view, corner),
            None => window,
        }
    }

    /// Whether a piece is to be picked up.
    pub(crate) fn is_picking(&self) -> bool {
        self.lifted.is_none() && self.choices.has_pieces()
    }

    /// The instruction for a beginner, as sentences.
    pub(crate) fn instruction(&self) -> String {
        let Some((player, seat)) = self.session.mover() else {
            return t!("The game is over. F2 shows the result.");
        };
        let name = self.session.name(player);
        if !seat.is_human() {
            let seconds = self.shown.as_secs();
            return match self.is_paused {
                true => t!("{name} waits: p resumes.", name),
                false => t!("{name} is thinking ({seconds} s).", name, seconds),
            };
        }
        let turn = match self.session.is_you(player) {
            true => t!("Your turn."),
            false => t!("It is the turn of {name}.", name),
        };
        format!("{turn} {}", self.task())
    }

    /// What the player to move can do next.
    fn task(&self) -> String {
        if let Some(from) = self.lifted {
            let piece = self.view.drawing.piece.map_or("piece", |piece| piece.word);
            return t!(
                "Choose where the {piece} at {from} stops.",
                piece = of_game(piece),
                from
            );
        }
        if self.choices.is_by_keys() {
            let keys = self.keyed_choices();
            let keys: Vec<char> = (keys.iter())
                .filter(|one| one.choice.is_some())
                .map(|one| one.key)
                .collect();
            let keys: Vec<String> = keys.iter().map(char::to_string).collect();
            return t!(
                "Press {keys}; arrows preview.",
                keys = texts::alternatives(&keys)
            );
        }
        let task = sentence(&of_game(&self.view.task));
        match self.marks {
            Marks::Special => t!("{task}. Marked: the special move.", task),
            _ if task.ends_with('.') => task,
            _ => format!("{task}."),
        }
    }
}

/// The squares that a move's text names.
pub(crate) fn squares_in(notation: &str) -> Vec<Square> {
    let words = notation.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.parse().ok()).collect()
}
