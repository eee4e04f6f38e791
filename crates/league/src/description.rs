//! The contents of `league.toml`: the game, its boards and limits as in a tournament, the rules of
//! submitting, the ladder, the finals and remote play, and what the public sees.

mod finals;
mod ladder;
mod remote;
mod submitting;

use std::path::{Path, PathBuf};

use floe_arena::Boards;
use floe_arena::tournament::DescriptionError;
use floe_arena::tournament::parts::{
    self, BoardsText, LimitsText, MachineSpeed, MachineSpeedText, Wrong, wrong,
};
use floe_games::record::MoveLimits;
use floe_games::{AnyGame, find};
use floe_sandbox::Layers;
use serde::{Deserialize, Serialize};
use toml::Spanned;

pub use self::finals::FinalsSettings;
use self::finals::FinalsText;
use self::ladder::LadderText;
pub use self::ladder::{LadderSettings, SuspensionRule};
use self::remote::RemoteText;
pub use self::remote::{RemoteRating, RemoteSettings};
use self::submitting::SubmittingText;
pub use self::submitting::{BuildLimits, Gate, Submitting};

/// A league as its file describes it.
///
/// ```
/// use floe_league::description::{Description, Public};
/// let text = r#"
///     game = "flood"
///     public = "standings"
///
///     [boards]
///     setup = "12x9"
///
///     [limits]
///     time = "200ms"
///
///     [submit]
///     quota = 10
/// "#;
/// let description = Description::read(text, "cup/league.toml".as_ref())?;
/// assert_eq!((description.name.as_str(), description.public), ("cup", Public::Standings));
/// assert_eq!((description.submitting.quota, description.limits.move_ms), (10, 200));
/// # Ok::<(), floe_arena::tournament::DescriptionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Description {
    /// The league's name: the folder's name.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// Seats at a table.
    pub table: usize,
    /// The seed of all random draws.
    pub seed: u64,
    /// The boards.
    pub boards: Boards,
    /// The limits of all players.
    pub limits: MoveLimits,
    /// The machines that may play games with time limits in a cluster.
    pub machine_speed: Option<MachineSpeed>,
    /// The least level of the sandbox.
    pub sandbox: u8,
    /// What visitors see.
    pub public: Public,
    /// The rules of submitting.
    pub submitting: Submitting,
    /// The settings of the ladder.
    pub ladder: LadderSettings,
    /// The settings of finals.
    pub finals: FinalsSettings,
    /// The limits of remote programs.
    pub remote: RemoteSettings,
}

/// What visitors see; each level adds to the one before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Public {
    /// Nothing: only participants and the organiser see the league.
    Nothing,
    /// The standings.
    #[default]
    Standings,
    /// Games, moves and faults as well.
    Games,
    /// The programs' standard error as well.
    Logs,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    game: Spanned<String>,
    #[serde(rename = "seats", alias = "table")]
    table: Option<Spanned<usize>>,
    seed: Option<u64>,
    sandbox: Option<Spanned<u8>>,
    #[serde(default)]
    public: Public,
    boards: Option<Spanned<BoardsText>>,
    #[serde(default)]
    limits: LimitsText,
    #[serde(rename = "machine-speed", alias = "pace")]
    machine_speed: Option<Spanned<MachineSpeedText>>,
    #[serde(default)]
    submit: SubmittingText,
    #[serde(default)]
    ladder: LadderText,
    #[serde(default)]
    finals: FinalsText,
    #[serde(default)]
    remote: RemoteText,
}

impl Description {
    /// Reads a file. Paths of boards and recipes are relative to its folder.
    pub fn load(file: &Path) -> Result<Description, DescriptionError> {
        Description::read(&parts::load(file)?, file)
    }

    /// Reads a description as if it were in this file.
    pub fn read(text: &str, file: &Path) -> Result<Description, DescriptionError> {
        let described = parts::read::<Text>(text).and_then(|read| describe(&read, file));
        described.map_err(|wrong| wrong.placed(text, file))
    }
}

fn describe(text: &Text, file: &Path) -> Result<Description, Wrong> {
    let place = text.game.span();
    let game = find(text.game.as_ref()).map_err(|e| wrong(place.clone(), e.to_string(), ""))?;
    let table = parts::table(text.table.as_ref(), game)?;
    let folder = parts::folder(file);
    let (boards, _) = parts::boards(text.boards.as_ref(), place, game, table, folder)?;
    Ok(Description {
        name: name_of(folder),
        file: file.to_owned(),
        game,
        table,
        seed: text.seed.unwrap_or(1),
        boards,
        limits: parts::limits(&text.limits, &game.contest_limits())?,
        machine_speed: text
            .machine_speed
            .as_ref()
            .map(parts::machine_speed)
            .transpose()?,
        sandbox: parts::sandbox_level(text.sandbox.as_ref())?.unwrap_or(Layers::FOR_UNTRUSTED),
        public: text.public,
        submitting: text.submit.read(folder)?,
        ladder: text.ladder.read()?,
        finals: text.finals.read(game, table)?,
        remote: text.remote.read()?,
    })
}

/// The name of a folder, from any path to it.
fn name_of(folder: &Path) -> String {
    let full = folder.canonicalize();
    let name = full.as_deref().unwrap_or(folder).file_name();
    name.map_or("league".into(), |name| name.to_string_lossy())
        .into_owned()
}
