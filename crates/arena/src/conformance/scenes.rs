//! The positions that programs are asked about.

use floe_games::{AnyGame, AnyPosition};
use floe_rules::Occasion;

/// A board to test a program on, with its name.
pub type NamedBoard = (String, Box<dyn AnyPosition>);

/// A position with a player to move, and its description.
pub(super) struct Scene {
    pub(super) case: String,
    pub(super) position: Box<dyn AnyPosition>,
    /// When a program meets such a position.
    pub(super) occasion: Occasion,
}

/// Seeds to try before giving up on a playable board.
const SEEDS: u64 = 20;

/// The playable boards among those configured; the game's default board if none is given.
pub(super) fn boards(game: &'static dyn AnyGame, given: &[NamedBoard]) -> Vec<NamedBoard> {
    let can_be_played = |(_, start): &&NamedBoard| start.turn().is_some();
    match given {
        [] => begin(game, "").into_iter().collect(),
        given => given.iter().filter(can_be_played).cloned().collect(),
    }
}

/// Scenes on boards of unusual sizes, which every program of the game is tested on too.
pub(super) fn odd(game: &'static dyn AnyGame, besides: &[NamedBoard]) -> Vec<Scene> {
    let setups = game.conformance_setups().iter();
    let boards = setups.filter_map(|setup| begin(game, setup));
    let is_new = |(name, _): &NamedBoard| besides.iter().all(|(known, _)| known != name);
    of(boards.filter(is_new).collect(), Occasion::Elsewhere)
}

/// Positions of a game that are asked about to compare wrong answers.
const MANY: usize = 8;

/// More positions of a game on each of these boards.
pub(super) fn many(boards: &[NamedBoard]) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for (name, start) in boards {
        let game = playthrough(start.clone());
        let step = game.len().div_ceil(MANY);
        for at in (0..game.len()).step_by(step) {
            scenes.push(Scene {
                case: format!(
                    "{name}, after {}",
                    floe_rules::text::count(at as u32, "move")
                ),
                position: game[at].clone(),
                occasion: Occasion::Play,
            });
        }
    }
    scenes
}

/// A few positions of a game on each of these boards.
pub(super) fn of(boards: Vec<NamedBoard>, occasion: Occasion) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for (name, start) in boards {
        let game = playthrough(start);
        let stages = [
            ("first move", 0),
            ("second move", 1),
            ("in the middle", game.len() / 2),
            ("last move", game.len() - 1),
        ];
        let mut last = None;
        for (stage, at) in stages {
            // Short games have fewer stages.
            if at < game.len() && last < Some(at) {
                last = Some(at);
                scenes.push(Scene {
                    case: format!("{name}, {stage}"),
                    position: game[at].clone(),
                    occasion,
                });
            }
        }
    }
    scenes
}

/// A board of a setup with a legal move, and the setup's name.
fn begin(game: &'static dyn AnyGame, setup: &str) -> Option<NamedBoard> {
    let name = match setup {
        "" => game.default_setup(),
        setup => setup.to_owned(),
    };
    let mut boards = (1..=SEEDS).filter_map(|seed| game.start(&name, seed).ok());
    let start = boards.find(|position| position.turn().is_some())?;
    Some((name, start))
}

/// The positions of a random game, up to the last one with a player to move; at least one.
fn playthrough(start: Box<dyn AnyPosition>) -> Vec<Box<dyn AnyPosition>> {
    let mut positions = vec![start];
    let mut dice: usize = 1;
    loop {
        let mut next = positions[positions.len() - 1].clone();
        let moves = next.moves();
        dice = dice.wrapping_mul(25_173).wrapping_add(13_849) % 65_536;
        let made = moves.get(dice % moves.len().max(1)).map(|mv| next.play(mv));
        if !matches!(made, Some(Ok(()))) || next.turn().is_none() {
            return positions;
        }
        positions.push(next);
    }
}
