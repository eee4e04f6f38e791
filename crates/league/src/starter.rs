//! Starter programs inside the binary: small bots in many languages.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::LazyLock;

use floe_games::{AnyGame, games};
use rust_embed::RustEmbed;

use crate::recipe::Recipes;

#[derive(RustEmbed)]
#[folder = "../../examples/bots"]
struct Files;

/// A program to start from.
///
/// ```
/// use floe_league::starter::starters;
/// let game = floe_games::find("flood")?;
/// let python = starters(game).into_iter().find(|one| one.file == "flood.py").unwrap();
/// assert_eq!((python.language, python.seat().as_str()), ("Python", "python3 flood.py"));
/// assert!(python.readme(game).contains("floe check program flood \"python3 flood.py\""));
/// # Ok::<(), floe_games::Unknown>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starter {
    /// The file.
    pub file: String,
    /// The language.
    pub language: &'static str,
    /// Whether the starter uses the line protocol instead of a contest's dialect.
    pub speaks_lines: bool,
}

/// The language of a file, as leagues build it; `None` for files that are not programs.
fn language(file: &str) -> Option<&'static str> {
    static RECIPES: LazyLock<Recipes> = LazyLock::new(Recipes::built_in);
    RECIPES.for_file(file).map(|recipe| recipe.name.as_str())
}

/// Whether a file plays a game: its name contains this game's name, or no game's name.
fn plays(file: &str, game: &str) -> bool {
    let stem = file.split('.').next().unwrap_or_default().to_lowercase();
    let names = |name: &str| stem.split('_').any(|part| part == name);
    names(game) || !games().into_iter().any(|other| names(other.name()))
}

/// The programs that play a game, by language; for each, the contest's dialect comes first.
pub fn starters(game: &dyn AnyGame) -> Vec<Starter> {
    let files = Files::iter().filter(|file| plays(file, game.name()));
    let starter = |file: Cow<'_, str>| {
        Some(Starter {
            language: language(&file)?,
            speaks_lines: file.starts_with("line"),
            file: file.into_owned(),
        })
    };
    let mut starters: Vec<Starter> = files.filter_map(starter).collect();
    starters.sort_by(|a, b| {
        (a.language, a.speaks_lines, &a.file).cmp(&(b.language, b.speaks_lines, &b.file))
    });
    starters
}

/// The languages with a starter for at least one game, by name.
pub fn languages() -> Vec<&'static str> {
    let mut languages: Vec<_> = Files::iter().filter_map(|file| language(&file)).collect();
    languages.sort();
    languages.dedup();
    languages
}

/// The contents of a starter's file.
pub fn text(file: &str) -> Option<Cow<'static, [u8]>> {
    let found = Files::get(file).filter(|_| language(file).is_some());
    found.map(|found| found.data)
}

impl Starter {
    /// The command that builds it in its folder; `None` if no build is needed.
    pub fn build(&self) -> Option<String> {
        let file = &self.file;
        let stem = file.split('.').next().unwrap_or_default();
        match self.language {
            "C" => Some(format!("cc -O2 -o bot {file}")),
            "C++" => Some(format!("g++ -O2 -std=gnu++20 -o bot {file}")),
            "Rust" => Some(format!("rustc -O -o bot {file}")),
            "Go" => Some(format!("go build -o bot {file}")),
            "Java" => Some(format!(
                "javac -d classes {file} && jar --create --file bot.jar --main-class {stem} -C \
                 classes ."
            )),
            _ => None,
        }
    }

    /// The seat argument in the starter's folder, once the starter is built.
    pub fn seat(&self) -> String {
        let command = match self.language {
            "Python" => format!("python3 {}", self.file),
            "JavaScript" => format!("node {}", self.file),
            "Java" => "java -jar bot.jar".to_owned(),
            _ => "./bot".to_owned(),
        };
        match self.speaks_lines {
            true => format!("line:{command}"),
            false => command,
        }
    }

    /// The commands that build and test the starter, in order, each with its purpose.
    pub fn commands(&self, game: &dyn AnyGame) -> Vec<(String, &'static str)> {
        let (name, seat) = (game.name(), self.seat());
        let seat = match seat.contains(' ') {
            true => format!("\"{seat}\""),
            false => seat,
        };
        let build = self.build().map(|build| (build, "build it"));
        let mut commands: Vec<_> = build.into_iter().collect();
        commands.extend([
            (
                format!("floe check program {name} {seat}"),
                "does it play, and what is odd?",
            ),
            (
                format!("floe match {name} {seat} greedy --records games.jsonl"),
                "how strong is it?",
            ),
            (
                "floe replay games.jsonl --game 1".to_owned(),
                "look at a game, with what it wrote to standard error",
            ),
        ]);
        commands
    }

    /// The README for the starter.
    pub fn readme(&self, game: &dyn AnyGame) -> String {
        let (title, file) = (game.title(), &self.file);
        let way = match self.speaks_lines {
            true => "It is started once for a game and speaks the line protocol",
            false => "It is started for every move and speaks the contest's own dialect",
        };
        let mut text = format!(
            "# A first program for {title}\n\n`{file}` plays whole games, weakly. Keep how it reads \
             and writes, and replace how it chooses.\n{way}; `docs/line-protocol.md` of Floe \
             explains both.\n\nIn this folder:\n\n```sh\n"
        );
        for (command, why) in self.commands(game) {
            let _ = writeln!(text, "# {why}\n{command}");
        }
        text += "```\n\nWrite debugging output to standard error: it is kept with every move. \
                 Next: submit your bot to a league, see `docs/bots.md` of Floe.\n";
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_programs_to_start_from() {
        for game in games() {
            let starters = starters(game);
            for language in ["C", "JavaScript", "Python", "Rust"] {
                let has_it = starters.iter().any(|one| one.language == language);
                assert!(has_it, "{}: {language}: {starters:?}", game.name());
            }
            assert!(starters.iter().any(|one| one.speaks_lines));
            assert!(!starters.iter().any(|one| one.file == "README.md"));
            assert!(starters.iter().all(|one| text(&one.file).is_some()));
        }
        assert_eq!(text("README.md"), None);
        assert!(languages().contains(&"C++"));
    }
}
