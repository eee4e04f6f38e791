//! The contract suite notices when a promise is broken: every game here breaks one.

mod shy;
mod suite;

use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU64, Ordering};

use floe_games::GameEntry;
use floe_rules::{
    Answer, Choice, Dialect, DialectError, Encoding, Game, Player, Position, Report, Request,
    SetupError, View, key,
};
use floe_search::Roster;
use shy::{Hall, Illegal, Setup, Shy, Sit};
use suite::contract::contract;

/// What is wrong with a game.
mod fault {
    pub(crate) const NONE: u8 = 0;
    pub(crate) const MOVE_LISTED_TWICE: u8 = 1;
    pub(crate) const ORDER_CHANGES: u8 = 2;
    pub(crate) const MOVES_ARE_ADDED: u8 = 3;
    pub(crate) const ANYTHING_IS_LEGAL: u8 = 4;
    pub(crate) const LAST_MOVE_REFUSED: u8 = 5;
    pub(crate) const KEY_IS_BLIND: u8 = 6;
    pub(crate) const KEY_DEPENDS_ON_THE_PATH: u8 = 7;
    pub(crate) const TURN_FORGOTTEN: u8 = 8;
    pub(crate) const WRITES_FEWER_PLAYERS: u8 = 9;
    pub(crate) const VIEW_LACKS_A_CELL: u8 = 10;
    pub(crate) const VIEW_LACKS_A_SEAT: u8 = 11;
    pub(crate) const NEVER_ENDS: u8 = 12;
    pub(crate) const COPIES_BADLY: u8 = 13;
    pub(crate) const STARTS_DIFFER: u8 = 14;
    pub(crate) const ANSWER_IS_MISREAD: u8 = 15;
    pub(crate) const CHOICE_IS_MISSING: u8 = 16;
    pub(crate) const GAIN_IS_WRONG: u8 = 17;
    pub(crate) const CHOICES_LOOK_ALIKE: u8 = 18;
    pub(crate) const OBSERVATION_IS_BLIND: u8 = 19;
    pub(crate) const OBSERVATION_SHINES_THROUGH: u8 = 20;
    pub(crate) const MASK_LACKS_A_MOVE: u8 = 21;
    pub(crate) const NUMBERS_ARE_SHIFTED: u8 = 22;
    pub(crate) const PLANES_CHANGE: u8 = 23;
    pub(crate) const LAST: u8 = PLANES_CHANGE;

    thread_local! {
        /// Which it is now. One game with a choice of faults, not one game for each, since all
        /// engines are compiled for every game.
        pub(crate) static NOW: std::cell::Cell<u8> = const { std::cell::Cell::new(NONE) };
    }

    pub(crate) fn now() -> u8 {
        NOW.get()
    }
}

/// Shy with a fault.
struct Broken;

/// A hall, and how many moves led to it where that is part of the fault.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Ruin(Hall, u64);

impl Clone for Ruin {
    fn clone(&self) -> Self {
        Ruin(self.0.clone(), self.1)
    }

    fn clone_from(&mut self, other: &Self) {
        if fault::now() != fault::COPIES_BADLY || self.0.turn() == other.0.turn() {
            *self = other.clone();
        }
    }
}

static CALLS: AtomicU64 = AtomicU64::new(0);

impl Position for Ruin {
    type Move = Sit;
    type Illegal = Illegal;

    fn players(&self) -> u32 {
        self.0.players()
    }

    fn turn(&self) -> Option<Player> {
        match self.0.turn() {
            None if fault::now() == fault::TURN_FORGOTTEN => Some(Player::new(0)),
            turn => turn,
        }
    }

    fn moves(&self, into: &mut Vec<Sit>) {
        if fault::now() == fault::MOVES_ARE_ADDED {
            into.extend(self.0.legal_moves());
            return;
        }
        self.0.moves(into);
        match fault::now() {
            fault::MOVE_LISTED_TWICE => into.extend(into.first().copied()),
            fault::ORDER_CHANGES if CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) => {
                into.reverse();
            }
            _ => {}
        }
    }

    fn check(&self, mv: Sit) -> Result<(), Illegal> {
        match fault::now() {
            fault::ANYTHING_IS_LEGAL => Ok(()),
            fault::LAST_MOVE_REFUSED if self.0.legal_moves().last() == Some(&mv) => {
                Err(Illegal::Taken(mv.0))
            }
            _ => self.0.check(mv),
        }
    }

    fn play_unchecked(&mut self, mv: Sit) {
        if fault::now() != fault::NEVER_ENDS {
            self.0.play_unchecked(mv);
        }
        self.1 += u64::from(matches!(
            fault::now(),
            fault::NEVER_ENDS | fault::KEY_DEPENDS_ON_THE_PATH
        ));
    }

    fn score(&self, player: Player) -> i64 {
        self.0.score(player)
    }

    fn key(&self) -> u64 {
        match fault::now() {
            fault::KEY_IS_BLIND => u64::from(self.0.players()),
            _ => self.0.key() ^ key::mix(self.1),
        }
    }
}

impl Game for Broken {
    type Position = Ruin;
    type Setup = Setup;

    const NAME: &'static str = "broken";
    const TITLE: &'static str = "Broken";
    const SEATS: std::ops::RangeInclusive<u32> = Shy::SEATS;
    const SETUP_HELP: &'static str = Shy::SETUP_HELP;

    fn start(setup: &Setup, seed: u64) -> Result<Ruin, SetupError> {
        let mut start = Ruin(Shy::start(setup, seed)?, 0);
        if fault::now() == fault::STARTS_DIFFER {
            start.1 = CALLS.fetch_add(1, Ordering::Relaxed);
        }
        Ok(start)
    }

    fn parse(text: &str, report: &mut Report) -> Option<Ruin> {
        Some(Ruin(Shy::parse(text, report)?, 0))
    }

    fn write(position: &Ruin) -> String {
        let text = Shy::write(&position.0);
        match fault::now() {
            fault::WRITES_FEWER_PLAYERS => text.replacen('3', "2", 1),
            _ => text,
        }
    }

    fn view(position: &Ruin) -> View {
        let mut view = Shy::view(&position.0);
        match fault::now() {
            fault::VIEW_LACKS_A_CELL => drop(view.cells.pop()),
            fault::VIEW_LACKS_A_SEAT => drop(view.seats.pop()),
            _ => {}
        }
        view
    }

    fn choices(position: &Ruin) -> Vec<Choice> {
        let mut choices = Shy::choices(&position.0);
        match fault::now() {
            fault::CHOICE_IS_MISSING => drop(choices.pop()),
            fault::GAIN_IS_WRONG => choices.iter_mut().for_each(|choice| choice.gain += 1),
            fault::CHOICES_LOOK_ALIKE => {
                let first = choices.first().and_then(|choice| choice.to);
                choices.iter_mut().for_each(|choice| choice.to = first);
            }
            _ => {}
        }
        choices
    }

    fn encoding(position: &Ruin) -> Encoding {
        let mut encoding = Shy::encoding(&position.0);
        if fault::now() == fault::PLANES_CHANGE {
            encoding.planes += u64::from(position.turn().is_none());
        }
        encoding
    }

    fn observe(position: &Ruin, seat: Player, into: &mut [u8]) {
        match fault::now() {
            fault::OBSERVATION_IS_BLIND => into.fill(0),
            fault::OBSERVATION_SHINES_THROUGH => into[0] |= 1,
            _ => Shy::observe(&position.0, seat, into),
        }
    }

    fn mask(position: &Ruin, into: &mut [i8]) {
        Shy::mask(&position.0, into);
        let first = into.iter().position(|&is| is != 0);
        if let (fault::MASK_LACKS_A_MOVE, Some(first)) = (fault::now(), first) {
            into[first] = 0;
        }
    }

    fn action(position: &Ruin, mv: Sit) -> Option<u64> {
        let action = Shy::action(&position.0, mv)?;
        Some(action + u64::from(fault::now() == fault::NUMBERS_ARE_SHIFTED))
    }

    fn dialects() -> &'static [&'static dyn Dialect<Ruin>] {
        &[&Whole]
    }
}

struct Whole;

impl Dialect<Ruin> for Whole {
    fn name(&self) -> &'static str {
        "whole"
    }

    fn request(&self, position: &Ruin, name: Option<&str>) -> Request {
        Shy::dialects()[0].request(&position.0, name)
    }

    fn reply(&self, position: &Ruin, name: Option<&str>, mv: Sit) -> String {
        Shy::dialects()[0].reply(&position.0, name, mv)
    }

    fn answer(
        &self,
        position: &Ruin,
        name: Option<&str>,
        text: &str,
    ) -> Result<Answer<Sit>, DialectError> {
        let answer = Shy::dialects()[0].answer(&position.0, name, text)?;
        match fault::now() {
            fault::ANSWER_IS_MISREAD => Ok(Answer::plain(position.legal_moves()[0])),
            _ => Ok(answer),
        }
    }
}

/// Its row, had it one in the registry.
static BROKEN: GameEntry<Broken> = GameEntry(Roster::generic());

#[test]
fn a_game_without_fault_passes() {
    contract(&BROKEN, "");
}

#[test]
fn every_fault_is_noticed() {
    let is_missed = |&fault: &u8| {
        fault::NOW.set(fault);
        catch_unwind(|| contract(&BROKEN, "")).is_ok()
    };
    let missed: Vec<u8> = (1..=fault::LAST).filter(is_missed).collect();
    assert_eq!(missed, [0u8; 0], "these faults went unnoticed");
}
