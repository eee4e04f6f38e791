//! `floe games`: lists recorded games.

use std::path::PathBuf;
use std::time::SystemTime;

use anstyle::Style;
use anyhow::{Context, Result, bail};
use floe_arena::standings::csv_line;
use floe_arena::store::{Filter, GameSummary, Store};
use floe_games::record::Overload;
use floe_games::{FaultKind, Reason};
use serde::Serialize;

use crate::columns::{Columns, Side};
use crate::contest::Contest;
use crate::quoting::shown;
use crate::standing::count;
use crate::terminal::{COMMAND, ERROR, FAINT, REMARK, STRONG, Terminal};
use crate::{Answer, cli, completing};
use floe_terminal::{Home, KeptGame};

/// List the games of a tournament or match, or your own
///
/// One line for each game: its ID, the players with their scores, the winner, and any disqualifying
/// fault. The exit code is 1 if there is no such game.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Tournament's description or file of records [default: your own games]
    #[arg(value_name = "FILE", add = completing::contest())]
    file: Option<PathBuf>,

    /// Only games of this entrant; give two for their games against each other
    #[arg(long = "entrant", alias = "of", value_name = "NAME", requires = "file")]
    of: Vec<String>,

    /// Only games with a fault; of the first entrant if one is named
    #[arg(long, requires = "file")]
    faulty: bool,

    /// Only games with a fault of this kind, such as timeout or illegal-move
    #[arg(long, value_name = "KIND", value_parser = kind, requires = "file")]
    fault: Option<FaultKind>,

    /// Only games during which the machine was overloaded
    #[arg(long, requires = "file")]
    overloaded: bool,

    /// Only the games of this unit, one board in every rotation of the seats
    #[arg(long, value_name = "N", requires = "file", value_parser = clap::value_parser!(u64).range(1..))]
    unit: Option<u64>,

    /// List at most this many games
    #[arg(long = "limit", alias = "most", value_name = "N")]
    most: Option<u64>,

    /// Print one JSON object per game, each on a line of its own
    #[arg(long)]
    json: bool,

    /// Print comma-separated values: a heading, then a line for each seat of each game
    #[arg(long, conflicts_with = "json", requires = "file")]
    csv: bool,

    /// Print the records themselves, to store in a file
    #[arg(long, conflicts_with_all = ["json", "csv"], requires = "file")]
    records: bool,
}

const EXAMPLES: &str = "\
floe games cup.toml --entrant alice --entrant bob
floe games
floe games cup.toml --fault timeout
floe games cup.toml --overloaded
floe games cup.toml --csv > games.csv
floe games cup.toml --entrant alice --faulty --records > alice.jsonl";

fn kind(word: &str) -> Result<FaultKind, String> {
    let word = word.replace('-', " ");
    let mut kinds = FaultKind::ALL.into_iter();
    kinds.find(|kind| kind.name() == word).ok_or_else(|| {
        let names = FaultKind::ALL.map(|kind| kind.name().replace(' ', "-"));
        format!("kinds are {}", names.join(", "))
    })
}

#[derive(Serialize)]
struct Json<'a> {
    id: String,
    unit: u64,
    seats: Vec<JsonSeat<'a>>,
    moves: u64,
    reason: Reason,
    began: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    overload: Option<Overload>,
}

#[derive(Serialize)]
struct JsonSeat<'a> {
    name: &'a str,
    score: i64,
    place: u32,
    moves: u64,
    wall_us: u64,
    slowest_us: u64,
    strikes: u64,
    fault: Option<FaultKind>,
    message: Option<&'a str>,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let Some(file) = &args.file else {
        return own(args, terminal);
    };
    let contest = Contest::find(file)?;
    contest.print_notices(terminal)?;
    let store = contest.store();
    let filter = Filter {
        entrants: args
            .of
            .iter()
            .map(|name| entrant(store, name))
            .collect::<Result<_>>()?,
        faulty: args.faulty,
        fault: args.fault,
        overloaded: args.overloaded,
        unit: args.unit.map(|unit| unit - 1),
        most: args.most,
        ..Filter::default()
    };
    let mut games = Vec::new();
    let mut found = 0;
    if args.csv {
        let heads = CSV_HEADS.map(str::to_owned);
        terminal.out.write_all(csv_line(&heads).as_bytes())?;
    }
    let mut failed: Option<anyhow::Error> = None;
    store.each(&filter, |game| {
        found += 1;
        let told = if args.csv {
            csv(store, &game, terminal)
        } else if args.json {
            json(store, &game, terminal)
        } else if args.records {
            records(store, &game, terminal)
        } else {
            games.push(game);
            Ok(())
        };
        if let Err(error) = told {
            failed.get_or_insert(error);
        }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    if !args.json && !args.csv && !args.records {
        list(store, &games, terminal)?;
    }
    Ok(if found > 0 { Answer::Yes } else { Answer::No })
}

/// Lists the user's own games, the newest first.
fn own(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let most = args.most.map_or(usize::MAX, |most| {
        usize::try_from(most).unwrap_or(usize::MAX)
    });
    let games = KeptGame::all(&Home::find(), most);
    if args.json {
        for game in &games {
            serde_json::to_writer(&mut *terminal.out, game)?;
            writeln!(terminal.out)?;
        }
    } else if games.is_empty() {
        writeln!(
            terminal.out,
            "there are no saved games yet; play one with {COMMAND}floe{COMMAND:#}"
        )?;
    } else {
        let (plain, now) = (Style::new(), SystemTime::now());
        let mut columns = Columns::new();
        columns.add("game", Side::Left, STRONG, &games, |game| {
            game.title().to_owned()
        });
        columns.add("", Side::Left, plain, &games, KeptGame::result_text);
        columns.add("seats", Side::Left, plain, &games, KeptGame::seats_text);
        columns.add("began", Side::Left, FAINT, &games, |game| game.age(now));
        columns.add("file", Side::Left, FAINT, &games, |game| shown(&game.file));
        let table = columns.draw(terminal.look);
        terminal.out.write_all(table.as_bytes())?;
        let file = shown(&games[0].file);
        writeln!(
            terminal.out,
            "\nlook at one with {COMMAND}floe replay {file}{COMMAND:#}"
        )?;
        if games.iter().any(|game| game.end.is_none()) {
            let words = "resume the latest unfinished game with";
            writeln!(
                terminal.out,
                "{words} {COMMAND}floe play --resume{COMMAND:#}"
            )?;
        }
    }
    Ok(if games.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

fn entrant(store: &Store, name: &str) -> Result<usize> {
    let found = store
        .entrants()
        .iter()
        .position(|entrant| entrant.name == name);
    let names = || {
        let names: Vec<&str> = store
            .entrants()
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        names.join(", ")
    };
    found.with_context(|| format!("no entrant is called {name}; entrants are {}", names()))
}

fn name(store: &Store, entrant: usize) -> &str {
    store
        .entrants()
        .get(entrant)
        .map_or("?", |entrant| &entrant.name)
}

fn json(store: &Store, game: &GameSummary, terminal: &mut Terminal<'_>) -> Result<()> {
    let seats = game.seats.iter().map(|part| JsonSeat {
        name: name(store, part.entrant),
        score: part.score,
        place: part.place,
        moves: part.moves,
        wall_us: part.wall_us,
        slowest_us: part.slowest_us,
        strikes: part.strikes,
        fault: part.fault.as_ref().map(|(kind, _)| *kind),
        message: part.fault.as_ref().map(|(_, message)| message.as_str()),
    });
    let json = Json {
        id: game.id(),
        unit: game.unit() + 1,
        seats: seats.collect(),
        moves: game.moves(),
        reason: game.reason,
        began: game.began,
        overload: game.overload,
    };
    serde_json::to_writer(&mut *terminal.out, &json)?;
    writeln!(terminal.out)?;
    Ok(())
}

/// The columns of the comma-separated values; a game has a line for each of its seats.
const CSV_HEADS: [&str; 16] = [
    "game",
    "unit",
    "seat",
    "name",
    "score",
    "place",
    "moves",
    "ms",
    "slowest ms",
    "strikes",
    "fault",
    "message",
    "reason",
    "began",
    "pressure %",
    "steal %",
];

fn csv(store: &Store, game: &GameSummary, terminal: &mut Terminal<'_>) -> Result<()> {
    for (seat, part) in game.seats.iter().enumerate() {
        let fault = part.fault.as_ref();
        let percent = |of: fn(Overload) -> u32| {
            (game.overload).map_or(String::new(), |overload| of(overload).to_string())
        };
        let milliseconds = |us: u64| format!("{:.3}", us as f64 / 1000.0);
        let cells = [
            game.id(),
            (game.unit() + 1).to_string(),
            (seat + 1).to_string(),
            name(store, part.entrant).to_owned(),
            part.score.to_string(),
            part.place.to_string(),
            part.moves.to_string(),
            milliseconds(part.wall_us),
            milliseconds(part.slowest_us),
            part.strikes.to_string(),
            fault.map_or(String::new(), |(kind, _)| kind.to_string()),
            fault.map_or(String::new(), |(_, message)| message.clone()),
            match game.reason {
                Reason::Finished => "finished",
                Reason::Forfeit => "forfeit",
            }
            .to_owned(),
            game.began.to_string(),
            percent(|overload| overload.pressure_percent),
            percent(|overload| overload.steal_percent),
        ];
        terminal.out.write_all(csv_line(&cells).as_bytes())?;
    }
    Ok(())
}

fn records(store: &Store, game: &GameSummary, terminal: &mut Terminal<'_>) -> Result<()> {
    let Some(record) = store.record(game)? else {
        bail!(
            "the record of game {} is not at its place in the index; see `floe verify`",
            game.id()
        );
    };
    record.write(&mut terminal.out)?;
    Ok(())
}

fn list(store: &Store, games: &[GameSummary], terminal: &mut Terminal<'_>) -> Result<()> {
    if games.is_empty() {
        writeln!(terminal.out, "no such game")?;
        return Ok(());
    }
    let plain = Style::new();
    let mut columns = Columns::new();
    columns.add("game", Side::Right, STRONG, games, GameSummary::id);
    let seats = games.iter().map(|game| game.seats.len()).max().unwrap_or(0);
    for seat in 0..seats {
        let part = |game: &GameSummary| game.seats.get(seat).cloned().unwrap_or_default();
        let heading = format!("seat {}", seat + 1);
        columns.add(&heading, Side::Left, plain, games, |game| {
            name(store, part(game).entrant).to_owned()
        });
        columns.add("", Side::Right, plain, games, |game| {
            part(game).score.to_string()
        });
    }
    columns.add("winner", Side::Left, STRONG, games, |game| {
        let firsts: Vec<&str> = (game.seats.iter().filter(|part| part.place == 1))
            .map(|part| name(store, part.entrant))
            .collect();
        if firsts.len() == game.seats.len() {
            "draw".to_owned()
        } else {
            firsts.join(", ")
        }
    });
    columns.add("moves", Side::Right, FAINT, games, |game| {
        game.moves().to_string()
    });
    if games.iter().any(|game| game.overload.is_some()) {
        columns.add("machine", Side::Left, REMARK, games, |game| {
            match game.overload {
                Some(_) => "overloaded".to_owned(),
                None => String::new(),
            }
        });
    }
    columns.add("fault", Side::Left, ERROR, games, |game| {
        let faults = game.seats.iter().filter_map(|part| {
            let (kind, message) = part.fault.as_ref()?;
            Some(format!(
                "{kind} by {}: {message}",
                name(store, part.entrant)
            ))
        });
        faults.collect::<Vec<_>>().join("; ")
    });
    terminal
        .out
        .write_all(columns.draw(terminal.look).as_bytes())?;
    let records = store.records().display();
    writeln!(
        terminal.out,
        "\n{}; look at one with {COMMAND}floe replay {records} --game {}{COMMAND:#}",
        count(games.len() as u64, "game"),
        games[0].id()
    )?;
    Ok(())
}
