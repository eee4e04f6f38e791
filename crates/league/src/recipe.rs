//! Recipes: how to build source code, one TOML table per language.

mod choice;
mod error;
mod made;
mod taken;
mod tree;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use floe_arena::tournament::DescriptionError;
use floe_arena::tournament::parts::{self, wrong};
use floe_rules::text::quoted;
use floe_sandbox::{Layers, SEARCH_PATH};
use parking_lot::Mutex;
use serde::Deserialize;
use toml::Spanned;

use self::choice::Choice;
pub use self::error::PlanError;
pub use self::taken::{NotTaken, READY_MADE, Taken};
use self::tree::Tree;
use crate::archive::Upload;

/// The recipes that come with Floe.
const DEFAULT: &str = include_str!("recipes.toml");
/// A recipe of the sender's own, in an archive.
pub const OWN: &str = "floe.toml";

/// How to build the source code of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The name of the language, such as `Python`.
    pub name: String,
    /// Files that the recipe is for: whole names, or extensions that begin with a dot.
    pub matches: Vec<String>,
    /// Patterns that find the program among several files.
    #[serde(default)]
    pub main: Vec<String>,
    /// The build commands, in order.
    #[serde(default)]
    pub build: Vec<String>,
    /// The seat argument that starts the program.
    pub run: String,
    /// The folder in which the build leaves the program, under any name.
    pub finds: Option<String>,
    /// Whether only files in the folder of the program are built.
    #[serde(default, rename = "one-folder")]
    pub is_one_folder: bool,
    /// Commands that must be on the machine.
    #[serde(default)]
    pub needs: Vec<String>,
    /// A command that prints where a compiler outside the system is installed.
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

/// A recipe applied to the uploaded files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The recipe's name.
    pub recipe: String,
    /// The commands, each as words.
    pub build: Vec<Vec<String>>,
    /// The seat argument that starts the built program.
    pub run: String,
    /// Folders the build may read besides the system's.
    pub readable: Vec<PathBuf>,
    /// Where to look for the program after the build.
    pub finds: Option<Finds>,
}

/// The folder in which a build leaves a program under any name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finds {
    /// The folder.
    pub folder: String,
    /// The program's name, if its author gives one.
    pub named: Option<String>,
}

/// The recipes of a league, in order of precedence, and which of them it accepts.
#[derive(Debug, Clone, Default)]
pub struct Recipes {
    all: Vec<Recipe>,
    taken: Taken,
}

/// The kind of an upload.
enum Kind<'a> {
    /// The upload brings its own build file.
    Own,
    /// Source.
    Source(Choice<'a>),
    /// The upload is an executable program.
    Program,
}

impl Recipes {
    /// The recipes that come with Floe.
    pub fn built_in() -> Recipes {
        Recipes::read(DEFAULT, Path::new("recipes.toml")).unwrap_or_default()
    }

    /// The recipes of a file, and after them those that come with Floe.
    pub fn load(file: &Path) -> Result<Recipes, DescriptionError> {
        let mut recipes = Recipes::read(&parts::load(file)?, file)?;
        recipes.all.extend(Recipes::built_in().all);
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

    /// The same recipes, of which only these are accepted.
    #[must_use]
    pub fn only(self, taken: Taken) -> Recipes {
        Recipes { taken, ..self }
    }

    /// All recipes, including those that are not accepted.
    pub fn all(&self) -> &[Recipe] {
        &self.all
    }

    /// The accepted recipes.
    pub fn taken(&self) -> impl Iterator<Item = &Recipe> {
        (self.all.iter()).filter(|recipe| self.taken.has(&recipe.name))
    }

    /// Whether the author's own recipe is accepted.
    pub fn takes_own(&self) -> bool {
        self.taken.has(OWN)
    }

    /// Whether ready-made programs are accepted.
    pub fn takes_programs(&self) -> bool {
        self.taken.has(READY_MADE)
    }

    /// Refuses a file whose name and kind are not accepted; an archive is checked after it is
    /// unpacked.
    pub fn check_file(&self, name: &str, upload: Upload) -> Result<(), PlanError> {
        match upload {
            Upload::Source | Upload::Program if !self.taken.is_all() => self
                .kind(&Tree::of_one(name), None, upload, &|_| true)
                .map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Refuses an unpacked upload if its author must say which file is the program.
    pub fn check_choice(&self, folder: &Path, main: Option<&str>) -> Result<(), PlanError> {
        let chosen = self.kind(&Tree::read(folder), main, Upload::Tar, &|_| true);
        match chosen {
            Err(error @ (PlanError::Several { .. } | PlanError::NoSuchFile { .. })) => Err(error),
            // Anything else shows during the build.
            _ => Ok(()),
        }
    }

    /// The kind of an upload, if it is accepted, among the available recipes.
    fn kind<'a>(
        &'a self,
        tree: &Tree,
        main: Option<&str>,
        upload: Upload,
        is_usable: &dyn Fn(&Recipe) -> bool,
    ) -> Result<Kind<'a>, PlanError> {
        if tree.has(OWN) {
            self.taken.check(OWN)?;
            return Ok(Kind::Own);
        }
        if let Some(choice) = choice::choose(&self.all, tree, main, is_usable, self.takes_own())? {
            self.taken.check(&choice.recipe.name)?;
            return Ok(Kind::Source(choice));
        }
        if upload == Upload::Program {
            self.taken.check(READY_MADE)?;
            return Ok(Kind::Program);
        }
        if !self.taken.is_all() {
            let what = "uploads without a known program are".to_owned();
            return Err(self.taken.refusal(what).into());
        }
        let known: Vec<&str> = self.all.iter().map(|recipe| recipe.name.as_str()).collect();
        Err(PlanError::Unknown {
            known: known.join(", "),
        })
    }

    /// The recipe for a file name.
    pub fn for_file(&self, name: &str) -> Option<&Recipe> {
        self.all.iter().find(|recipe| recipe.is_for(name))
    }

    /// The build plan for an unpacked upload, behind these layers. `file` is the name of the
    /// upload, and `main` the file with the program, if its author names it.
    pub fn plan(
        &self,
        folder: &Path,
        file: &str,
        upload: Upload,
        main: Option<&str>,
        layers: Layers,
    ) -> Result<Plan, PlanError> {
        let tree = Tree::read(folder);
        let is_there = |recipe: &Recipe| recipe.missing().is_empty();
        let kind = match self.kind(&tree, main, upload, &is_there) {
            // The error about missing tools names the best-fitting recipe.
            Err(PlanError::Unknown { .. } | PlanError::NotTaken(_)) => {
                self.kind(&tree, main, upload, &|_| true)
            }
            kind => kind,
        };
        match kind? {
            Kind::Own => own_plan(folder),
            Kind::Source(choice) => choice.recipe.plan(&choice, layers, self),
            Kind::Program => Ok(Plan {
                recipe: "ready to run".to_owned(),
                build: Vec::new(),
                run: shell_words::quote(&format!("./{file}")).into_owned(),
                readable: Vec::new(),
                finds: None,
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

    /// The recipe's required commands that this machine lacks.
    pub fn missing(&self) -> Vec<&str> {
        let home = self.found_home();
        (self.needs.iter().map(String::as_str))
            .filter(|need| find(need, home.as_deref()).is_none())
            .collect()
    }

    /// The compiler's folder, if the sandbox with these layers hides it.
    pub fn closed_folder(&self, layers: Layers) -> Option<PathBuf> {
        layers.closed_folder(&self.used_home()?)
    }

    fn found_home(&self) -> Option<PathBuf> {
        home_of(self.home.as_deref()?)
    }

    /// The compiler's folder, if the compiler is there and not in the system's folders.
    fn used_home(&self) -> Option<PathBuf> {
        let home = self.found_home()?;
        let mut found = self.needs.iter().filter_map(|need| find(need, Some(&home)));
        found.any(|path| path.starts_with(&home)).then_some(home)
    }

    fn plan(&self, choice: &Choice<'_>, layers: Layers, all: &Recipes) -> Result<Plan, PlanError> {
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
        let home = self.found_home();
        let words = |text: &String| -> Vec<String> {
            let words = shell_words::split(text).unwrap_or_default();
            words.iter().flat_map(|word| choice.fill(word)).collect()
        };
        let command = |text: &String| -> Vec<String> {
            let mut words = words(text);
            // The system's compilers are on the search path.
            if let Some(path) = words.first().and_then(|first| find(first, home.as_deref()))
                && !floe_sandbox::is_of_system(&path)
            {
                words[0] = path.to_string_lossy().into_owned();
            }
            words
        };
        let finds = self.finds.as_ref().map(|folder| Finds {
            folder: choice.fill(folder).concat(),
            named: choice.named.clone(),
        });
        Ok(Plan {
            recipe: self.name.clone(),
            build: self.build.iter().map(command).collect(),
            run: shell_words::join(words(&self.run)),
            readable: self.used_home().into_iter().collect(),
            finds,
        })
    }
}

/// The modules installed for the system's Python besides the standard library; `None` without
/// Python.
pub fn python_modules() -> Option<Vec<String>> {
    let list = "from importlib import metadata\n\
                for d in metadata.distributions(): print(d.metadata['Name'] or '')";
    let mut ask = Command::new(find("python3", None)?);
    ask.args(["-I", "-c", list]);
    ask.stdin(Stdio::null()).stderr(Stdio::null());
    let said = ask.output().ok().filter(|said| said.status.success())?;
    let text = String::from_utf8(said.stdout).ok()?;
    let mut names: Vec<String> = (text.lines().map(str::trim))
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    names.sort_by_key(|name| name.to_lowercase());
    names.dedup();
    Some(names)
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
            finds: None,
        })
    };
    own().map_err(|error| PlanError::Own(error.to_string()))
}

/// The path of a command for programs in the sandbox: on their search path, or in a compiler's
/// folder.
fn find(command: &str, home: Option<&Path>) -> Option<PathBuf> {
    let system = std::env::split_paths(SEARCH_PATH).map(|folder| folder.join(command));
    let own = home.map(|home| home.join("bin").join(command));
    system.chain(own).find(|path| path.is_file())
}

/// The compiler's folder, as printed by this command; cached.
fn home_of(command: &str) -> Option<PathBuf> {
    static KNOWN: Mutex<BTreeMap<String, Option<PathBuf>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock();
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
    use std::fs;
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
            recipes.plan(sent.path(), "bot.snow", Upload::Source, None, layers)
        };
        let planned = Plan {
            recipe: "Snow".to_owned(),
            build: vec![vec![
                bin.join("snow").display().to_string(),
                "bot.snow".into(),
            ]],
            run: "./bot".to_owned(),
            readable: vec![home],
            finds: None,
        };
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        // A world of its own has the compiler where it is wanted.
        assert_eq!(plan(2).as_ref(), Ok(&planned));
        // Only root starts programs as another user.
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
        // Errors for authors show no paths of this machine.
        assert!(!error.to_string().contains(&closed.display().to_string()));
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o711)).unwrap();
        assert_eq!(plan(1).as_ref(), Ok(&planned));
    }
}
