//! One contest, opened once and then followed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use floe_arena::history::{RatingCurves, RatingHistory};
use floe_arena::standings::Standings;
use floe_arena::store::{Followed, Store};
use floe_arena::tournament::{Description, DescriptionError, Tournament};
use floe_games::AnyGame;
use floe_league::description::Public;
use floe_league::finals::{self, Freeze};
use floe_league::ladder::{LadderVersion, LadderWatch};
use floe_league::paths::without_paths;
use tokio::sync::Mutex;

use super::{Contest, Work};

/// Pause before unreadable records are tried again although they have not changed: it may have been
/// a machine failure.
const AGAIN: Duration = Duration::from_secs(10);

/// The files of a contest.
pub(super) enum ContestFiles {
    /// A tournament with this description.
    Tournament(PathBuf),
    /// A match, of which only the records are known.
    Records(PathBuf),
    /// The ladder of a league.
    Ladder(floe_league::League),
    /// A league's games with remote programs.
    Remote(floe_league::League),
    /// Finals of a league.
    Finals(floe_league::League, Box<Freeze>),
}

impl ContestFiles {
    /// The name of the records file without its extension, also used by its live socket, if known
    /// without reading.
    pub(super) fn file_name(&self) -> String {
        match self {
            ContestFiles::Tournament(file) | ContestFiles::Records(file) => {
                let stem = file.file_stem().unwrap_or_default();
                stem.to_string_lossy().into_owned()
            }
            ContestFiles::Ladder(_) => "ladder".to_owned(),
            ContestFiles::Remote(_) => "remote".to_owned(),
            ContestFiles::Finals(_, freeze) => format!("finals-{}", freeze.number),
        }
    }

    /// What the public sees: of a tournament, everything but programs' standard error.
    fn shown(&self) -> Public {
        match self {
            ContestFiles::Tournament(_) | ContestFiles::Records(_) => Public::Games,
            ContestFiles::Ladder(league)
            | ContestFiles::Remote(league)
            | ContestFiles::Finals(league, _) => league.description().public,
        }
    }
}

/// The parts of a description that pages need.
#[derive(Clone)]
struct Head {
    title: String,
    game: &'static dyn AnyGame,
    records: PathBuf,
}

/// The open results.
enum Open {
    Tournament(Box<Tournament>),
    Games(Box<Store>),
    Ladder(Box<LadderWatch>),
}

/// A contest being followed.
pub(super) struct Following {
    name: String,
    source: ContestFiles,
    /// The description, with the file's state when it was read.
    read: Option<(Stamp, Head, Option<Description>)>,
    open: Option<Open>,
    /// The error in the description.
    mistake: Option<String>,
    /// The records that could not be read.
    refused: Option<Refused>,
    history: Option<RatingHistory>,
    /// The latest contest made from the files.
    last: Option<Arc<Contest>>,
    work: Arc<Work>,
}

/// Records that could not be read.
struct Refused {
    /// The files' state at the failed attempt.
    stamp: Stamp,
    tried: Instant,
    why: String,
}

impl Refused {
    /// Whether another attempt would fail in the same way.
    fn holds(&self, records: &Path) -> bool {
        self.stamp == stamp(records) && self.tried.elapsed() < AGAIN
    }
}

/// Length and time of change of a file: if both are the same, so is the file.
type Stamp = Option<(u64, Option<SystemTime>)>;

fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()))
}

/// Stores the error of a description, and logs it once.
fn note_mistake(known: &mut Option<String>, error: &DescriptionError) {
    let mistake = match error {
        DescriptionError::Wrong { file, error, .. } => {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let (line, column) = (error.line, error.column);
            let folder = file.parent().unwrap_or(file);
            format!(
                "{name}:{line}:{column}: {}",
                without_paths(&error.cause, folder)
            )
        }
        error => error.to_string(),
    };
    if known.as_ref() != Some(&mistake) {
        tracing::warn!("a contest cannot be read: {mistake}");
        *known = Some(mistake);
    }
}

/// The head from a match's records, or why there is none.
fn head_of_records(file: &Path) -> Result<Head, String> {
    let store = Store::open_read_only(file).map_err(|error| error.to_string())?;
    let game = store.played().ok_or("there are no games in it")?;
    Ok(Head {
        title: (file.file_stem().unwrap_or_default())
            .to_string_lossy()
            .into_owned(),
        game: floe_games::find(game).map_err(|error| error.to_string())?,
        records: file.to_owned(),
    })
}

impl Following {
    pub(super) fn new(name: String, source: ContestFiles, work: Arc<Work>) -> Following {
        Following {
            name,
            source,
            read: None,
            open: None,
            mistake: None,
            refused: None,
            history: None,
            last: None,
            work,
        }
    }

    /// The store, once there are games.
    pub(super) fn store(&self) -> Option<&Store> {
        Some(match self.open.as_ref()? {
            Open::Tournament(tournament) => tournament.store(),
            Open::Games(store) => store,
            Open::Ladder(watch) => watch.store(),
        })
    }

    /// The error in the description, with its place.
    pub(super) fn mistake(&self) -> Option<&str> {
        self.mistake.as_deref()
    }

    /// The contest now; `None` if its description cannot be read.
    pub(super) fn look(&mut self, place: &Arc<Mutex<Following>>) -> Option<Arc<Contest>> {
        self.read_description()?;
        let (_, head, _) = self.read.as_ref()?;
        let head = head.clone();
        let has_news = match head.records.exists() {
            false => self.open.take().is_some() | self.refused.take().is_some(),
            true => match &self.refused {
                Some(refused) if refused.holds(&head.records) => false,
                _ => self.follow(),
            },
        };
        let finals = self.finals();
        let has_new_finals = (self.last.as_ref()).is_some_and(|last| last.finals != finals);
        let has_news = has_news || has_new_finals;
        if !has_news && let Some(last) = &self.last {
            return Some(Arc::clone(last));
        }
        self.work.tables.fetch_add(1, Ordering::Relaxed);
        let (results, unplayed) = self.results();
        let league = Arc::new(Contest {
            name: self.name.clone(),
            title: head.title,
            game: head.game.name(),
            game_title: head.game.title(),
            records: head.records,
            results,
            unplayed,
            unreadable: self.refused.as_ref().map(|refused| refused.why.clone()),
            history: self.catch_up(),
            shown: self.source.shown(),
            is_own: !matches!(
                self.source,
                ContestFiles::Tournament(_) | ContestFiles::Records(_)
            ),
            is_described: matches!(self.source, ContestFiles::Tournament(_)),
            is_ladder: matches!(self.source, ContestFiles::Ladder(_)),
            freeze: match &self.source {
                ContestFiles::Finals(_, freeze) => Some((**freeze).clone()),
                _ => None,
            },
            finals,
            pages: parking_lot::Mutex::default(),
            place: Arc::downgrade(place),
        });
        self.last = Some(Arc::clone(&league));
        Some(league)
    }

    /// Reads the description if it has changed.
    fn read_description(&mut self) -> Option<()> {
        let file = match &self.source {
            ContestFiles::Tournament(file) | ContestFiles::Records(file) => file,
            // A league reads its description when it is opened, and finals do not change.
            ContestFiles::Ladder(league)
            | ContestFiles::Remote(league)
            | ContestFiles::Finals(league, _) => &league.description().file,
        };
        let now = stamp(file);
        match (&self.source, &self.read) {
            (ContestFiles::Tournament(_), Some((then, ..))) if *then == now => return Some(()),
            (ContestFiles::Records(file), None) if self.is_refused(file) => return None,
            // A match's head never changes.
            (ContestFiles::Records(_), Some(_)) => return Some(()),
            (
                ContestFiles::Ladder(_) | ContestFiles::Remote(_) | ContestFiles::Finals(..),
                Some(_),
            ) => {
                return Some(());
            }
            _ => {}
        }
        (self.open, self.history, self.last) = (None, None, None);
        let head = |description: &Description| Head {
            title: description.name.clone(),
            game: description.game,
            records: description.records.clone(),
        };
        self.read = Some(match &self.source {
            // Reading a description is slow: it hashes the named programs.
            ContestFiles::Tournament(file) => {
                let description = match Description::load(file) {
                    Ok(description) => description,
                    Err(error) => {
                        note_mistake(&mut self.mistake, &error);
                        return None;
                    }
                };
                self.mistake = None;
                (now, head(&description), Some(description))
            }
            ContestFiles::Records(file) => match head_of_records(file) {
                Ok(head) => (now, head, None),
                Err(why) => {
                    self.refused = Some(Refused {
                        stamp: now,
                        tried: Instant::now(),
                        why,
                    });
                    return None;
                }
            },
            ContestFiles::Ladder(league) => {
                let description = league.description();
                let head = Head {
                    title: description.name.clone(),
                    game: description.game,
                    records: league.ladder_file(),
                };
                (now, head, None)
            }
            ContestFiles::Remote(league) => {
                let description = league.description();
                let head = Head {
                    title: format!("{}: remote games", description.name),
                    game: description.game,
                    records: league.remote_file(),
                };
                (now, head, None)
            }
            ContestFiles::Finals(league, freeze) => {
                let description = finals::description(league, freeze);
                let description = description.map_err(|error| {
                    tracing::warn!(name = self.name, %error, "cannot read these finals");
                });
                let description = description.ok()?;
                let title = league.description().name.clone();
                let head = Head {
                    title: format!("{title}: finals {}", freeze.number),
                    ..head(&description)
                };
                (now, head, Some(description))
            }
        });
        Some(())
    }

    /// Whether these records could not be read, and have not changed since.
    fn is_refused(&self, records: &Path) -> bool {
        (self.refused.as_ref()).is_some_and(|refused| refused.holds(records))
    }

    /// Reads added games; returns whether there were any.
    fn follow(&mut self) -> bool {
        let followed = match &mut self.open {
            None => Ok(Followed::Replaced),
            Some(Open::Tournament(tournament)) => {
                tournament.follow().map_err(|error| error.to_string())
            }
            Some(Open::Games(store)) => store.follow(|_| {}).map_err(|error| error.to_string()),
            Some(Open::Ladder(watch)) => watch.follow().map_err(|error| error.to_string()),
        };
        match followed {
            Ok(Followed::Same) => false,
            Ok(Followed::Grown) => true,
            other => {
                if let Err(error) = other {
                    tracing::warn!(name = self.name, %error, "cannot follow the results");
                }
                self.open_anew();
                true
            }
        }
    }

    fn open_anew(&mut self) {
        (self.open, self.history, self.refused) = (None, None, None);
        self.work.opened.fetch_add(1, Ordering::Relaxed);
        let Some((_, head, description)) = &self.read else {
            return;
        };
        let before = stamp(&head.records);
        let opened = match (&self.source, description) {
            (ContestFiles::Records(file), _) => Store::open_read_only(file)
                .map(|store| Open::Games(Box::new(store)))
                .map_err(|error| error.to_string()),
            (ContestFiles::Ladder(league), _) => LadderWatch::open(league)
                .map(|watch| Open::Ladder(Box::new(watch)))
                .map_err(|error| error.to_string()),
            (ContestFiles::Remote(league), _) => LadderWatch::open_remote(league)
                .map(|watch| Open::Ladder(Box::new(watch)))
                .map_err(|error| error.to_string()),
            (_, Some(description)) => Tournament::open_read_only(description.clone())
                .map(|tournament| Open::Tournament(Box::new(tournament)))
                .map_err(|error| error.to_string()),
            (_, None) => return,
        };
        match opened {
            Ok(open) => self.open = Some(open),
            Err(error) => {
                tracing::warn!(name = self.name, %error, "cannot read the results");
                let folder = head.records.parent().unwrap_or(&head.records);
                self.refused = Some(Refused {
                    stamp: before,
                    tried: Instant::now(),
                    why: without_paths(&error, folder),
                });
            }
        }
    }

    /// The standings; of a ladder also new versions without games, by the entrant's earlier version
    /// in the standings.
    fn results(&self) -> (Option<Standings>, BTreeMap<String, String>) {
        let standings = match &self.open {
            None => None,
            Some(Open::Tournament(tournament)) => Some(tournament.standings()),
            Some(Open::Games(store)) => Standings::from_store(store, &self.name).ok(),
            Some(Open::Ladder(watch)) => {
                let Ok(table) = watch.table() else {
                    return Default::default();
                };
                let newest = |version: &LadderVersion| {
                    let newest = version.stands_for.as_ref()?.to_string();
                    Some((version.id.to_string(), newest))
                };
                let unplayed = table.versions.iter().filter_map(newest).collect();
                return (Some(table.standings), unplayed);
            }
        };
        (standings, BTreeMap::new())
    }

    /// How ratings came about, up to now.
    fn catch_up(&mut self) -> Option<RatingCurves> {
        let mut history = self.history.take();
        let (store, known) = (self.store()?, self.read.as_ref()?.2.as_ref());
        let table = match known {
            Some(description) => description.table,
            None => store.table()?,
        };
        let mut history = history.take().unwrap_or_else(|| {
            let entrants = known.map_or(&[][..], |description| &description.entrants);
            RatingHistory::new(entrants.iter().map(|entrant| entrant.name.clone()), table)
        });
        if known.is_none() {
            // Versions change over time.
            for entrant in store.entrants() {
                if !history.names().contains(&entrant.name) {
                    history.enter(entrant.name.clone());
                }
            }
        }
        if let Err(error) = history.catch_up(store) {
            tracing::warn!(name = self.name, %error, "cannot update the rating history");
        }
        let curves = history.curves().clone();
        self.history = Some(history);
        Some(curves)
    }

    fn finals(&self) -> Vec<String> {
        match &self.source {
            ContestFiles::Ladder(league) => {
                let count = league.look(|standing| standing.finals.len());
                let numbers = 1..=count.unwrap_or(0);
                numbers.map(|number| format!("finals-{number}")).collect()
            }
            _ => Vec::new(),
        }
    }
}
