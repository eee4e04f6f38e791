//! The board screen: a game, where the cursor is, what is picked up, and what is being thought.
//!
//! Nothing here draws and nothing waits. Keys and reports come in, the state changes, and
//! [`draw`](super::draw) shows it.

mod clock;
mod keys;
mod marks;
mod options;
mod reports;

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use floe_arena::seat::Seat;
use floe_rules::{Choice, Player, Square};
use floe_search::{Kind, Spec, Thought};
use ratatui::layout::Rect;

use crate::analysis::Analysis;
use crate::draw::layout::{Window, Zoom};
use crate::input::{Input, Purpose};
use crate::motion::Motion;
use crate::scene::Scene;
use crate::seat::{self, PlayerSeat};
use crate::session::Session;
use crate::thinker::{Effort, Mind, Thinker};
use crate::trail::Trail;

pub(crate) use clock::Tick;
pub(crate) use keys::Wish;
#[cfg(test)]
pub(crate) use options::PASSES;
pub(crate) use options::{Options, count_pass};

/// With engines only, faster moves could not be followed.
const PACE: Duration = Duration::from_millis(300);

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
    /// Really give up this game for a new one?
    New,
    /// Really give up the turn?
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

    /// The choices that are made by keys, in their order.
    pub(crate) fn keyed(&self) -> impl Iterator<Item = &Choice> {
        self.choices.keyed()
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

    /// The player to move, if a person at this keyboard is to move.
    pub(crate) fn whose_turn(&self) -> Option<(Player, String)> {
        let (mover, _) = self.session.mover().filter(|(_, seat)| seat.is_human())?;
        let words = match self.session.name(mover).as_str() {
            "you" => "your turn".to_owned(),
            _ => format!("player {mover}"),
        };
        Some((mover, words))
    }

    /// The instruction for a beginner, and its keys.
    pub(crate) fn instruction(&self) -> (String, String) {
        let task = &self.view.task;
        let only = |words: &str| (words.to_owned(), String::new());
        let Some((mover, seat)) = self.session.mover() else {
            return only("the game is over: F2 shows the result");
        };
        if !seat.is_human() {
            let name = self.session.name(mover);
            return match self.is_paused {
                true => only(&format!("{name} waits: p resumes")),
                false => only(&format!("{name} is thinking ({} s)", self.shown.as_secs())),
            };
        }
        let keys = self.keyed().count().min(9);
        if self.lifted.is_some() {
            return only("to a square in [ ] with Enter; Esc: back");
        }
        let how = if self.is_picking() {
            "pick one in ( )".to_owned()
        } else if keys > 0 {
            format!("press 1 to {keys}")
        } else if task.chars().count() > 45 {
            String::new()
        } else {
            "arrows and Enter".to_owned()
        };
        (task.clone(), how)
    }

    /// Stops all thinking.
    pub(crate) fn stop(&mut self) {
        self.thinkers.engines.values_mut().for_each(Thinker::cancel);
        self.thinkers.adviser.iter_mut().for_each(Thinker::cancel);
        self.thinking = None;
        self.hinting = None;
        self.evaluation.job = None;
        self.analysis.stop();
    }

    /// Stops the clock, and engines that think about a move.
    pub(crate) fn fall_asleep(&mut self) {
        self.shown = self.since.elapsed();
        if self.thinking.take().is_some() {
            self.thinkers.engines.values_mut().for_each(Thinker::cancel);
            self.is_asleep = true;
        }
    }

    /// Resumes where [`fall_asleep`](Self::fall_asleep) stopped.
    pub(crate) fn wake(&mut self) {
        let now = Instant::now();
        self.since = now.checked_sub(self.shown).unwrap_or(now);
        if std::mem::take(&mut self.is_asleep) {
            self.think();
        }
    }

    /// Lets the engine begin whose turn it is, and the one who evaluates.
    fn begin(&mut self) {
        if self.is_over() {
            self.look_back();
            return;
        }
        self.think();
        self.evaluate();
    }

    fn think(&mut self) {
        let Some((player, seat)) = self.session.mover() else {
            return;
        };
        if self.is_paused || seat.is_human() {
            return;
        }
        let Some(seat) = self.find_seat(player, &seat.clone()) else {
            return;
        };
        let mind = Mind::Seat(Box::new(seat));
        let (game, inbox) = (self.session.game(), self.thinkers.inbox.clone());
        let thinker = (self.thinkers.engines.entry(player.index()))
            .or_insert_with(|| Thinker::new(game, mind, inbox));
        let pace = if self.session.has_humans() {
            Duration::ZERO
        } else {
            PACE
        };
        let position = self.session.position().clone_position();
        self.thinking = Some(thinker.think(Purpose::Move, position, Effort::Usual, pace));
    }

    /// The seat to ask for a player's move. A missing program may be back; otherwise the game
    /// waits.
    fn find_seat(&mut self, player: Player, seat: &PlayerSeat) -> Option<Seat> {
        let word = match seat {
            PlayerSeat::Here(seat) => return Some(seat.clone()),
            PlayerSeat::Gone(word) => word,
        };
        match seat::read(word, self.session.game()) {
            Ok(seat) => {
                self.session.seat(player.index(), seat.clone().into());
                Some(seat)
            }
            Err(error) => {
                self.is_paused = true;
                self.message = Some(Message::Refusal(format!("{error}; p asks again")));
                None
            }
        }
    }

    /// Thinks a little about the position, then longer and longer, until a player moves.
    fn evaluate(&mut self) {
        self.evaluation.effort = Duration::from_millis(100);
        self.evaluate_on();
    }

    fn evaluate_on(&mut self) {
        if !self.evaluation.is_shown || self.is_over() || !self.is_my_turn() {
            return;
        }
        let effort = self.evaluation.effort;
        let position = self.session.position().clone_position();
        let adviser = self.adviser();
        let id = adviser.think(
            Purpose::Evaluation,
            position,
            Effort::For(effort),
            Duration::ZERO,
        );
        self.evaluation.job = Some(id);
    }

    pub(crate) fn adviser(&mut self) -> &mut Thinker {
        let (game, inbox) = (self.session.game(), self.thinkers.inbox.clone());
        (self.thinkers.adviser)
            .get_or_insert_with(|| Thinker::new(game, Mind::Adviser(Spec::from(Kind::Floe)), inbox))
    }

    /// Thinks about the whole game once more, from its end.
    fn look_back(&mut self) {
        self.analysis = Analysis::new(&self.session);
        self.trail = Some(Trail::new(&self.session));
        self.overlay = Some(Overlay::Result);
        self.look_further_back();
    }

    /// Thinks about the next position of the look back.
    fn look_further_back(&mut self) {
        let (Some(turn), Some(trail)) = (self.analysis.next_position(), &mut self.trail) else {
            return;
        };
        let position = trail.at(&self.session, turn).position().clone_position();
        let effort = Effort::For(self.analysis.effort());
        self.adviser()
            .think(Purpose::Analysis(turn), position, effort, Duration::ZERO);
    }
}

/// The squares that a move's text names.
pub(crate) fn squares_in(notation: &str) -> Vec<Square> {
    let words = notation.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.parse().ok()).collect()
}
