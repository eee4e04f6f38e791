mod entrant;

use std::fmt;
use std::path::{Path, PathBuf};

use floe_rules::text::{self, chars, quoted};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use self::entrant::{EntrantText, from_the_start, stays};
use super::format::{Format, FormatName};
use super::parts::{
    self, BoardsText, DescriptionError, LimitsText, MachineSpeed, MachineSpeedText, Span, Wrong,
    folder, limits, machine_speed, wrong,
};

use crate::Boards;
use crate::runner::NamedSeat;
use crate::schedule::Stay;
use crate::seat::{Seat, SeatError};
use floe_games::record::MoveLimits;
use floe_games::{AnyGame, find};

/// A tournament as its file describes it.
///
/// ```
/// use floe_arena::tournament::{Description, Format};
/// let text = r#"
///     game = "flood"
///     format = "swiss"
///     rounds = 5
///
///     [boards]
///     setup = "12x9"
///     seed = 7
///     count = 2          # boards a table in each round, played in both orders
///
///     [limits]
///     time = "200ms"
///
///     [entrants]
///     steady = "floe:nodes=1k"
///     hungry = "greedy"
///     lucky = "random"
/// "#;
/// let description = Description::read(text, "cup.toml".as_ref())?;
/// assert_eq!(description.format, Format::Swiss { rounds: 5 });
/// assert_eq!(description.entrants[2].name, "lucky");
/// # Ok::<(), floe_arena::tournament::DescriptionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Description {
    /// The tournament's name: the file's name without its extension.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The tournament format.
    pub format: Format,
    /// Most extra boards while a match of a knockout is level.
    pub extra: u64,
    /// Seats at a table.
    pub table: usize,
    /// The seed of all random draws.
    pub seed: u64,
    /// The entrants, in the order of the file.
    pub entrants: Vec<NamedSeat>,
    /// The rounds of each entrant, in formats with rounds: entrants may join a swiss tournament
    /// late, and leave swiss tournaments and knockouts.
    pub stays: Vec<Stay>,
    /// The boards.
    pub boards: Boards,
    /// Boards per pairing, each played in every rotation of the seats: of each pairing in a
    /// round-robin or gauntlet, of a pair in one round in a swiss tournament, of a match in a
    /// knockout.
    pub count: u64,
    /// The limits of all entrants.
    pub limits: MoveLimits,
    /// The least level of the sandbox, if an entrant is a program.
    pub sandbox: u8,
    /// The machines that may play games with time limits, if not all.
    pub machine_speed: Option<MachineSpeed>,
    /// Concurrent games; by default as many as the cores allow.
    pub concurrency: Option<usize>,
    /// The entrant whose rating is 0; the mean if `None`.
    pub anchor: Option<String>,
    /// The file of records.
    pub records: PathBuf,
}

/// Default number of extra boards while a match of a knockout is level.
pub const EXTRA_BOARDS: u64 = 3;

/// Most games in one round that depends on results, since all of them are in memory at once.
const MOST_IN_A_ROUND: u64 = 200_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    game: Spanned<String>,
    #[serde(default)]
    format: FormatName,
    #[serde(rename = "seats", alias = "table")]
    table: Option<Spanned<usize>>,
    seed: Option<u64>,
    rounds: Option<Spanned<u64>>,
    challengers: Option<Spanned<usize>>,
    extra: Option<Spanned<u64>>,
    sandbox: Option<Spanned<u8>>,
    concurrency: Option<Spanned<usize>>,
    anchor: Option<Spanned<String>>,
    results: Option<String>,
    boards: Option<Spanned<BoardsText>>,
    #[serde(default)]
    limits: LimitsText,
    #[serde(rename = "machine-speed", alias = "pace")]
    machine_speed: Option<Spanned<MachineSpeedText>>,
    entrants: Spanned<Words>,
}

/// Names and seats with their places, in the order of the file.
struct Words(Vec<(Spanned<String>, Spanned<EntrantText>)>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Words;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("lines such as hungry = \"greedy\"")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Words, A::Error> {
                let mut words = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    words.push(entry);
                }
                Ok(Words(words))
            }
        }
        from.deserialize_map(Each)
    }
}

impl Description {
    /// Reads a file. Paths of programs and boards are relative to its folder.
    pub fn load(file: &Path) -> Result<Description, DescriptionError> {
        Description::read(&parts::load(file)?, file)
    }

    /// Reads a description as if it were in this file.
    pub fn read(text: &str, file: &Path) -> Result<Description, DescriptionError> {
        let described = parts::read::<Text>(text).and_then(|read| describe(read, file));
        described.map_err(|wrong| wrong.placed(text, file))
    }

    /// The folder that paths of programs and boards are relative to.
    pub fn folder(&self) -> &Path {
        folder(&self.file)
    }
}

fn describe(text: Text, file: &Path) -> Result<Description, Wrong> {
    let game_span = text.game.span();
    let game = find(text.game.as_ref()).map_err(|e| wrong(game_span, e.to_string(), ""))?;
    let table = parts::table(text.table.as_ref(), game)?;
    let entrants = {
        let default = limits(&text.limits, &game.contest_limits())?;
        entrants(text.entrants.get_ref(), game, folder(file), &default)?
    };
    if entrants.len() < table.max(2) {
        let cause = format!(
            "a table of {table} needs at least {table}, not {}",
            entrants.len()
        );
        let help = "an entrant is a line `name = \"word\"`, such as hungry = \"greedy\"";
        return Err(wrong(text.entrants.span(), cause, help));
    }
    let from_the_start = from_the_start(text.entrants.get_ref());
    let format = format(&text, table, entrants.len(), from_the_start)?;
    let stays = stays(text.entrants.get_ref(), format)?;
    let (boards, count) = {
        let place = text.game.span();
        parts::boards(text.boards.as_ref(), place, game, table, folder(file))?
    };
    games_in_a_round(&text, count)?;
    let anchor = match text.anchor {
        None => None,
        Some(anchor)
            if entrants
                .iter()
                .any(|entrant| entrant.name == *anchor.get_ref()) =>
        {
            Some(anchor.into_inner())
        }
        Some(anchor) => {
            let cause = format!("no entrant is called {}", quoted(anchor.get_ref()));
            return Err(wrong(
                anchor.span(),
                cause,
                "the anchor is one of the entrants",
            ));
        }
    };
    if let Some(none) = text
        .concurrency
        .as_ref()
        .filter(|games| *games.get_ref() == 0)
    {
        return Err(wrong(none.span(), "concurrency is at least 1", ""));
    }
    let name = file
        .file_stem()
        .map_or("tournament".into(), |stem| stem.to_string_lossy());
    let results = folder(file).join(text.results.as_deref().unwrap_or(""));
    Ok(Description {
        records: results.join(format!("{name}.jsonl")),
        name: name.into_owned(),
        file: file.to_owned(),
        game,
        format,
        extra: (text.extra.as_ref()).map_or(EXTRA_BOARDS, |extra| *extra.get_ref()),
        table,
        seed: text.seed.unwrap_or(1),
        entrants,
        stays,
        boards,
        count,
        limits: limits(&text.limits, &game.contest_limits())?,
        sandbox: parts::sandbox_level(text.sandbox.as_ref())?.unwrap_or(0),
        machine_speed: text.machine_speed.as_ref().map(machine_speed).transpose()?,
        concurrency: text.concurrency.map(Spanned::into_inner),
        anchor,
    })
}

/// A round that depends on results is drawn as a whole.
fn games_in_a_round(text: &Text, count: u64) -> Result<(), Wrong> {
    let spoken = text.boards.as_ref();
    let spoken = spoken.and_then(|boards| boards.get_ref().count.as_ref());
    let entrants = text.entrants.get_ref().0.len() as u64;
    let games = (entrants / 2).saturating_mul(2).saturating_mul(count);
    if let (FormatName::Swiss | FormatName::Knockout, Some(spanned)) = (text.format, spoken)
        && games > MOST_IN_A_ROUND
    {
        let cause = format!("{games} games in a round; there may be {MOST_IN_A_ROUND}");
        let help = "fewer boards a meeting, or a round-robin, which may have any number";
        return Err(wrong(spanned.span(), cause, help));
    }
    Ok(())
}

/// Reads the format of a tournament with this many entrants; `from_the_start` of them play from the
/// first round.
fn format(
    text: &Text,
    table: usize,
    entrants: usize,
    from_the_start: usize,
) -> Result<Format, Wrong> {
    let misplaced = |span: Option<Span>, word: &str, of: &str| match span {
        None => Ok(()),
        Some(span) => Err(wrong(span, format!("only a {of} has {word}"), "")),
    };
    let (rounds, challengers, extra) = (
        text.rounds.as_ref().map(Spanned::span),
        text.challengers.as_ref().map(Spanned::span),
        text.extra.as_ref().map(Spanned::span),
    );
    if !matches!(text.format, FormatName::Swiss) {
        misplaced(rounds, "rounds", "swiss tournament")?;
    }
    if !matches!(text.format, FormatName::Gauntlet) {
        misplaced(challengers, "challengers", "gauntlet")?;
    }
    if !matches!(text.format, FormatName::Knockout) {
        misplaced(extra, "extra boards", "knockout")?;
    }
    if let (FormatName::Swiss | FormatName::Knockout, Some(seats), true) =
        (text.format, &text.table, table != 2)
    {
        let cause = "swiss tournaments and knockouts have two seats per game";
        let help = "round-robins and gauntlets may have more";
        return Err(wrong(seats.span(), cause, help));
    }
    Ok(match text.format {
        FormatName::RoundRobin => Format::RoundRobin,
        FormatName::Gauntlet => {
            let challengers = text.challengers.as_ref().map_or(1, |c| *c.get_ref());
            if challengers == 0 || challengers + table - 1 > entrants {
                let span = text
                    .challengers
                    .as_ref()
                    .map_or(text.entrants.span(), Spanned::span);
                let cause = format!("{challengers} challengers among {entrants} entrants");
                let help = "challengers are the first of the entrants; the others must fill the other seats";
                return Err(wrong(span, cause, help));
            }
            Format::Gauntlet { challengers }
        }
        FormatName::Swiss => {
            // Late entrants do not add rounds.
            let default = from_the_start.max(2).next_power_of_two().ilog2();
            let default = u64::from(default);
            let rounds = text
                .rounds
                .as_ref()
                .map_or(default, |rounds| *rounds.get_ref());
            if let Some(spanned) = text
                .rounds
                .as_ref()
                .filter(|_| !(1..=10_000).contains(&rounds))
            {
                return Err(wrong(spanned.span(), "rounds are 1 to 10000", ""));
            }
            Format::Swiss { rounds }
        }
        FormatName::Knockout => Format::Knockout,
    })
}

fn entrants(
    words: &Words,
    game: &'static dyn AnyGame,
    folder: &Path,
    default: &MoveLimits,
) -> Result<Vec<NamedSeat>, Wrong> {
    let mut entrants: Vec<NamedSeat> = Vec::new();
    for (name, value) in &words.0 {
        let (word, own) = match value.get_ref() {
            EntrantText::Word(word) => (word, None),
            EntrantText::Table(table) => (&table.seat, table.limits.as_ref()),
        };
        let own = own.map(|own| limits(own, default)).transpose()?;
        let (name, at) = (name.get_ref(), name.span());
        if name.trim().is_empty() || chars(name) > 40 || !name.chars().all(text::is_visible) {
            return Err(wrong(at, "names have 1 to 40 visible characters", ""));
        }
        let seat = match Seat::read_own(word, game, folder) {
            Ok(Seat::Human) => {
                return Err(wrong(
                    value.span(),
                    "a person cannot enter a tournament",
                    "name a program or an engine",
                ));
            }
            Ok(seat) => seat,
            Err(error) => {
                let help = match &error {
                    SeatError::Engine { .. } => "",
                    _ => "paths are relative to this file's folder",
                };
                return Err(wrong(value.span(), error.to_string(), help));
            }
        };
        entrants.push(NamedSeat {
            name: name.clone(),
            seat,
            limits: own,
        });
    }
    Ok(entrants)
}
