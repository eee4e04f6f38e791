//! How source becomes something to run: a table for each language, in one file.

mod error;
mod taken;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use floe_arena::tournament::DescriptionError;
use floe_arena::tournament::parts::{self, wrong};
use floe_rules::text::quoted;
use floe_sandbox::{Layers, SEARCH_PATH};
use serde::Deserialize;
use toml::Spanned;

pub use self::error::PlanError;
pub use self::taken::{NotTaken, READY_MADE, Taken};
use crate::archive::Parcel;

/// The recipes that come with Floe.
const USUAL: &str = include_str!("recipes.toml");
/// A recipe of the sender's own, in an archive.
pub const OWN: &str = "floe.toml";

/// How source of one kind becomes something to run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// What it is for, such as `Python`.
    pub name: String,
    /// Files at the top of what was sent that it is for: whole names, or ends that begin with a
    /// dot.
    pub matches: Vec<String>,
    /// Which of several files is the program.
    #[serde(default)]
    pub main: Vec<String>,
    /// Commands, one after the other.
    #[serde(default)]
    pub build: Vec<String>,
    /// The seat's word that starts it.
    pub run: String,
    /// Commands that must be on the machine.
    #[serde(default)]
    pub needs: Vec<String>,
    /// A command that says where a compiler lives that is not the system's.
    pub home: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(default)]
    recipe: Vec<Spanned<Recipe>>,
}

/// A recipe of the sender's own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnText {
    #[serde(default)]
    build: Vec<String>,
    run: Spanned<String>,
    protocol: Option<String>,
}

/// A recipe with the files that were sent: what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The recipe's name.
    pub recipe: String,
    /// Commands, each in words.
    pub build: Vec<Vec<String>>,
    /// The seat's word that starts what was built.
    pub run: String,
    /// Folders the build may read besides the system's.
    pub readable: Vec<PathBuf>,
}

/// The recipes of a league, the first that matches first, and which of them it takes.
#[derive(Debug, Clone, Default)]
pub struct Recipes {
    all: Vec<Recipe>,
    taken: Taken,
}

/// What was sent.
enum Kind<'a> {
    /// Something with a recipe of its own.
    Own,
    /// Source, and which files of it are for the recipe.
    Source(&'a Recipe, Vec<&'a str>),
    /// A program that is ready to run.
    Program,
}

impl Recipes {
    /// Those that come with Floe.
    pub fn usual() -> Recipes {
        Recipes::read(USUAL, Path::new("recipes.toml")).unwrap_or_default()
    }

    /// Those of a file, and then those that come with Floe.
    pub fn load(file: &Path) -> Result<Recipes, DescriptionError> {
        let mut recipes = Recipes::read(&parts::load(file)?, file)?;
        recipes.all.extend(Recipes::usual().all);
        Ok(recipes)
    }

    /// Reads recipes as if they were in this file.
    pub fn read(text: &str, file: &Path) -> Result<Recipes, DescriptionError> {
        let read = parts::read::<Text>(text).and_then(|text| {
            for recipe in &text.recipe {
                let known = recipe.get_ref();
                let commands = known.build.iter().chain([&known.run]);
                for command in commands {
                    if shell_words::split(command).map_or(true, |words| words.is_empty()) {
                        let cause = format!("{} is no command", quoted(command));
                        return Err(wrong(recipe.span(), cause, "such as \"cc -o bot {files}\""));
                    }
                }
                if known.matches.is_empty() {
                    return Err(wrong(recipe.span(), "it matches no file", ""));
                }
            }
            Ok(text.recipe.into_iter().map(Spanned::into_inner).collect())
        });
        let all = read.map_err(|wrong| wrong.placed(text, file))?;
        let taken = Taken::ALL;
        Ok(Recipes { all, taken })
    }

    /// The same, of which only some are taken.
    #[must_use]
    pub fn only(self, taken: Taken) -> Recipes {
        Recipes { taken, ..self }
    }

    /// All of them, also those that are not taken.
    pub fn all(&self) -> &[Recipe] {
        &self.all
    }

    /// Those that are taken.
    pub fn taken(&self) -> impl Iterator<Item = &Recipe> {
        (self.all.iter()).filter(|recipe| self.taken.has(&recipe.name))
    }

    /// Whether a recipe of the sender's own is taken.
    pub fn takes_own(&self) -> bool {
        self.taken.has(OWN)
    }

    /// Whether programs that are ready to run are taken.
    pub fn takes_programs(&self) -> bool {
        self.taken.has(READY_MADE)
    }

    /// Refuses a file that its name and kind alone say is not taken; what is in an archive is seen once
    /// it is unpacked.
    pub fn check_file(&self, name: &str, parcel: Parcel) -> Result<(), PlanError> {
        match parcel {
            Parcel::Source | Parcel::Program if !self.taken.is_all() => {
                self.kind(&[name], parcel).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// What was sent, if it is taken.
    fn kind<'a>(&'a self, names: &[&'a str], parcel: Parcel) -> Result<Kind<'a>, PlanError> {
        if names.contains(&OWN) {
            self.taken.check(OWN)?;
            return Ok(Kind::Own);
        }
        for recipe in &self.all {
            let is_its = |name: &&str| recipe.is_for(name);
            let files: Vec<&str> = names.iter().copied().filter(is_its).collect();
            if !files.is_empty() {
                self.taken.check(&recipe.name)?;
                return Ok(Kind::Source(recipe, files));
            }
        }
        if parcel == Parcel::Program {
            self.taken.check(READY_MADE)?;
            return Ok(Kind::Program);
        }
        if !self.taken.is_all() {
            let what = "nothing here says what it is, and such things are".to_owned();
            return Err(self.taken.refusal(what).into());
        }
        let known: Vec<&str> = self.all.iter().map(|recipe| recipe.name.as_str()).collect();
        Err(PlanError::Unknown {
            known: known.join(", "),
        })
    }

    /// The one for a file.
    pub fn for_file(&self, name: &str) -> Option<&Recipe> {
        self.all.iter().find(|recipe| recipe.is_for(name))
    }

    /// What to do with what was unpacked to a folder, behind these layers. `file` is the name of what
    /// was sent.
    pub fn plan(
        &self,
        folder: &Path,
        file: &str,
        parcel: Parcel,
        layers: Layers,
    ) -> Result<Plan, PlanError> {
        let mut names: Vec<String> = (fs::read_dir(folder).into_iter().flatten().flatten())
            .filter(|entry| entry.path().is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort_unstable();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match self.kind(&names, parcel)? {
            Kind::Own => own_plan(folder),
            Kind::Source(recipe, files) => recipe.plan(&files, layers, self),
            Kind::Program => Ok(Plan {
                recipe: "ready to run".to_owned(),
                build: Vec::new(),
                run: shell_words::quote(&format!("./{file}")).into_owned(),
                readable: Vec::new(),
            }),
        }
    }
}

impl Recipe {
    fn is_for(&self, name: &str) -> bool {
        (self.matches.iter()).any(|known| match known.starts_with('.') {
            true => name.ends_with(known.as_str()) && name.len() > known.len(),
            false => name == known,
        })
    }

    /// What of its needs is not on this machine.
    pub fn missing(&self) -> Vec<&str> {
        let home = self.found_home();
        (self.needs.iter().map(String::as_str))
            .filter(|need| find(need, home.as_deref()).is_none())
            .collect()
    }

    /// The folder that keeps builds behind these layers from its compiler.
    pub fn closed_folder(&self, layers: Layers) -> Option<PathBuf> {
        layers.closed_folder(&self.used_home()?)
    }

    fn found_home(&self) -> Option<PathBuf> {
        home_of(self.home.as_deref()?)
    }

    /// Its compiler's home, if what it needs is there and not the system's.
    fn used_home(&self) -> Option<PathBuf> {
        let home = self.found_home()?;
        let mut found = self.needs.iter().filter_map(|need| find(need, Some(&home)));
        found.any(|path| path.starts_with(&home)).then_some(home)
    }

    fn plan(&self, files: &[&str], layers: Layers, all: &Recipes) -> Result<Plan, PlanError> {
        let takes_built = all.takes_programs();
        if let Some(need) = self.missing().first() {
            return Err(PlanError::Missing {
                recipe: self.name.clone(),
                need: (*need).to_owned(),
                takes_built,
            });
        }
        if let Some(folder) = self.closed_folder(layers) {
            return Err(PlanError::OutOfReach {
                recipe: self.name.clone(),
                folder,
                takes_built,
            });
        }
        let named = |name: &&String| files.contains(&name.as_str());
        let main = match files {
            [only] => (*only).to_owned(),
            _ => (self.main.iter().find(named).cloned()).unwrap_or_default(),
        };
        let needs_main = (self.build.iter().chain([&self.run]))
            .any(|command| command.contains("{main}") || command.contains("{stem}"));
        if main.is_empty() && needs_main {
            return Err(PlanError::Several {
                files: files.iter().take(5).map(|&file| file.to_owned()).collect(),
                main: self.main.join(" or "),
                takes_own: all.takes_own(),
            });
        }
        let stem = main
            .rsplit_once('.')
            .map_or(main.as_str(), |(stem, _)| stem);
        let home = self.found_home();
        let fill = |word: String| -> Vec<String> {
            match word.as_str() {
                "{files}" => files.iter().map(|&file| file.to_owned()).collect(),
                _ => vec![word.replace("{main}", &main).replace("{stem}", stem)],
            }
        };
        let command = |text: &String| -> Vec<String> {
            let words = shell_words::split(text).unwrap_or_default();
            let mut words: Vec<String> = words.into_iter().flat_map(fill).collect();
            // The system's compilers are found by the program that starts them.
            if let Some(path) = words.first().and_then(|first| find(first, home.as_deref()))
                && !floe_sandbox::is_of_system(&path)
            {
                words[0] = path.to_string_lossy().into_owned();
            }
            words
        };
        let run = shell_words::split(&self.run).unwrap_or_default();
        let run: Vec<String> = run.into_iter().flat_map(fill).collect();
        Ok(Plan {
            recipe: self.name.clone(),
            build: self.build.iter().map(command).collect(),
            run: shell_words::join(run),
            readable: self.used_home().into_iter().collect(),
        })
    }
}

fn own_plan(folder: &Path) -> Result<Plan, PlanError> {
    let own = || -> Result<Plan, DescriptionError> {
        let text = parts::load(&folder.join(OWN))?;
        let file = Path::new(OWN);
        let read = parts::read::<OwnText>(&text).map_err(|wrong| wrong.placed(&text, file))?;
        let run = read.run.get_ref();
        let fail =
            |cause: String, help: &str| wrong(read.run.span(), cause, help).placed(&text, file);
        let words = shell_words::split(run).map_err(|e| fail(e.to_string(), ""))?;
        let Some(first) = words.first() else {
            return Err(fail("there is no command".to_owned(), "such as \"./bot\""));
        };
        if first.contains('=') || first.contains(':') {
            let help =
                "such as \"./bot\" or \"python3 bot.py\"; protocol = \"line\" says what it speaks";
            return Err(fail(format!("{} is no command", quoted(first)), help));
        }
        let build: Result<Vec<_>, _> = read.build.iter().map(|c| shell_words::split(c)).collect();
        let build = build.map_err(|e| fail(format!("build: {e}"), ""))?;
        let prefix = match read.protocol.as_deref() {
            None => String::new(),
            Some(protocol) => format!("{protocol}:"),
        };
        Ok(Plan {
            recipe: OWN.to_owned(),
            build: build
                .into_iter()
                .filter(|words| !words.is_empty())
                .collect(),
            run: format!("{prefix}{run}"),
            readable: Vec::new(),
        })
    };
    own().map_err(|error| PlanError::Own(error.to_string()))
}

/// Where programs in the sandbox find a command: on their path, or in a compiler's own home.
fn find(command: &str, home: Option<&Path>) -> Option<PathBuf> {
    let system = std::env::split_paths(SEARCH_PATH).map(|folder| folder.join(command));
    let own = home.map(|home| home.join("bin").join(command));
    system.chain(own).find(|path| path.is_file())
}

/// Where a compiler lives, as a command of this user says; asked once.
fn home_of(command: &str) -> Option<PathBuf> {
    static KNOWN: Mutex<BTreeMap<String, Option<PathBuf>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(home) = known.get(command) {
        return home.clone();
    }
    let ask = || -> Option<PathBuf> {
        let words = shell_words::split(command).ok()?;
        let (program, arguments) = words.split_first()?;
        let mut asked = Command::new(program);
        asked
            .args(arguments)
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        let said = asked.output().ok()?;
        let path = PathBuf::from(String::from_utf8(said.stdout).ok()?.trim());
        path.canonicalize().ok().filter(|path| path.is_dir())
    };
    let home = ask();
    known.insert(command.to_owned(), home.clone());
    home
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use super::*;

    #[test]
    fn a_compiler_behind_a_closed_door_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let closed = folder.path().canonicalize().unwrap();
        let bin = closed.join("compiler/bin");
        fs::create_dir_all(&bin).unwrap();
        fs::write(bin.join("snow"), "").unwrap();
        let home = closed.join("compiler");
        let text = format!(
            "[[recipe]]\nname = \"Snow\"\nmatches = [\".snow\"]\nbuild = [\"snow {{files}}\"]\n\
             run = \"./bot\"\nneeds = [\"snow\"]\nhome = \"echo {}\"\n",
            home.display()
        );
        let recipes = Recipes::read(&text, Path::new("recipes.toml")).unwrap();
        let sent = tempfile::tempdir().unwrap();
        fs::write(sent.path().join("bot.snow"), "").unwrap();
        let plan = |level| {
            let layers = Layers::up_to(level);
            recipes.plan(sent.path(), "bot.snow", Parcel::Source, layers)
        };
        let planned = Plan {
            recipe: "Snow".to_owned(),
            build: vec![vec![
                bin.join("snow").display().to_string(),
                "bot.snow".into(),
            ]],
            run: "./bot".to_owned(),
            readable: vec![home],
        };
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        // A world of its own has the compiler where it is wanted.
        assert_eq!(plan(2).as_ref(), Ok(&planned));
        // Only root starts programs as somebody else.
        if closed.metadata().unwrap().uid() != 0 {
            assert_eq!(plan(1).as_ref(), Ok(&planned));
            return;
        }
        let error = plan(1).unwrap_err();
        let out_of_reach = PlanError::OutOfReach {
            recipe: "Snow".to_owned(),
            folder: closed.clone(),
            takes_built: true,
        };
        assert_eq!(error, out_of_reach);
        assert!(error.to_string().contains(&closed.display().to_string()));
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o711)).unwrap();
        assert_eq!(plan(1).as_ref(), Ok(&planned));
    }
}
