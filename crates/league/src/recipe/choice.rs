//! Finds the recipe for an upload, and the file that is its program.

use super::tree::{Tree, folder_of, name_of, stem_of};
use super::{PlanError, Recipe};

/// The script that finds missing Python modules.
const IMPORTS: &str = include_str!("imports.py");
/// Most files to list when the author has to choose.
const NAMED: usize = 20;

/// A recipe with its files.
#[derive(Debug, Clone)]
pub(super) struct Choice<'a> {
    pub(super) recipe: &'a Recipe,
    /// The paths of the files that are built together.
    files: Vec<String>,
    /// The program among them; empty if that makes no difference.
    main: String,
    /// The class of the program, for Java.
    class: String,
    /// Folders with headers.
    includes: Vec<String>,
    /// The program's name, if its author gives one.
    pub(super) named: Option<String>,
}

impl Choice<'_> {
    /// A word of a command with its placeholders filled in.
    pub(super) fn fill(&self, word: &str) -> Vec<String> {
        let folder = folder_of(&self.main);
        match (word, folder) {
            ("{files}", _) => self.files.clone(),
            ("{includes}", _) => self.includes.clone(),
            ("{in}", ".") => Vec::new(),
            ("{in}", folder) => vec!["-C".to_owned(), folder.to_owned()],
            (word, folder) => vec![
                word.replace("{main}", &self.main)
                    .replace("{stem}", stem_of(&self.main))
                    .replace("{class}", &self.class)
                    .replace("{imports}", IMPORTS)
                    .replace("{dir}", folder),
            ],
        }
    }
}

/// The first recipe that fits, with its files; `None` if none does.
///
/// Files at the top say most. A file that a whole recipe is for, such as a Makefile, may lie one
/// folder down; source may lie anywhere.
pub(super) fn choose<'a>(
    recipes: &'a [Recipe],
    tree: &Tree,
    main: Option<&str>,
    is_usable: &dyn Fn(&Recipe) -> bool,
    takes_own: bool,
) -> Result<Option<Choice<'a>>, PlanError> {
    let usable = || recipes.iter().filter(|recipe| is_usable(recipe));
    let main = main.map(|said| found(tree, said));
    if let Some(Ok(path)) = &main
        && let Some(recipe) = usable().find(|recipe| recipe.is_for(name_of(path)))
    {
        return Ok(Some(choice(recipe, tree, path)));
    }
    // The program that the build will make.
    let named = main.map(|main| main.unwrap_or_else(|said| said));
    let is_at = |path: &String, depth: usize| path.matches('/').count() == depth;
    for depth in 0..=1 {
        for recipe in usable().filter(|recipe| depth == 0 || recipe.finds.is_some()) {
            let mut files = tree.files().iter().filter(|path| is_at(path, depth));
            if files.any(|path| recipe.is_for(name_of(path))) {
                return of_recipe(recipe, tree, named, takes_own).map(Some);
            }
        }
    }
    for recipe in usable().filter(|recipe| recipe.finds.is_none()) {
        if tree.files().iter().any(|path| recipe.is_for(name_of(path))) {
            return of_recipe(recipe, tree, named, takes_own).map(Some);
        }
    }
    Ok(None)
}

/// The path that an author means; the text itself if there is none. A single folder at the top was
/// already removed from the paths.
fn found(tree: &Tree, said: &str) -> Result<String, String> {
    let said = said.trim_start_matches("./").replace('\\', "/");
    let inner = said.split_once('/').map(|(_, inner)| inner.to_owned());
    let known = [Some(said.clone()), inner].into_iter().flatten();
    let mut known = known.filter(|path| tree.has(path));
    known.next().ok_or(said)
}

/// A recipe with its files, if it is clear which of them is the program.
fn of_recipe<'a>(
    recipe: &'a Recipe,
    tree: &Tree,
    named: Option<String>,
    takes_own: bool,
) -> Result<Choice<'a>, PlanError> {
    let files = matching(recipe, tree);
    if recipe.finds.is_some() {
        let depth = files.first().map_or(0, |path| path.matches('/').count());
        let first = files
            .iter()
            .filter(|path| path.matches('/').count() == depth);
        // A folder with both `Makefile` and `makefile` is one project.
        let mut folders: Vec<&str> = first.clone().map(|path| folder_of(path)).collect();
        folders.dedup();
        let first: Vec<String> = first.cloned().collect();
        return match folders.len() {
            1 => Ok(Choice {
                named,
                ..choice(recipe, tree, &first[0])
            }),
            _ => Err(several(recipe, &first, takes_own)),
        };
    }
    if let Some(main) = named {
        let programs = programs(tree, &files);
        let files = if programs.is_empty() { files } else { programs };
        return Err(PlanError::NoSuchFile {
            main,
            files: files.into_iter().take(NAMED).collect(),
        });
    }
    let needs_main = (recipe.build.iter().chain([&recipe.run])).any(|command| {
        ["{main}", "{stem}", "{class}"]
            .iter()
            .any(|part| command.contains(part))
    });
    match program(recipe, tree, &files) {
        Ok(main) => Ok(choice(recipe, tree, &main)),
        // The linker reports what is missing.
        Err(programs) if programs.is_empty() && !needs_main => Ok(choice(recipe, tree, "")),
        Err(programs) => {
            let files = if programs.is_empty() { files } else { programs };
            Err(several(recipe, &files, takes_own))
        }
    }
}

/// All files that suit a recipe, the top folder's first.
fn matching(recipe: &Recipe, tree: &Tree) -> Vec<String> {
    let files = tree.files().iter();
    let files = files.filter(|path| recipe.is_for(name_of(path)));
    files.cloned().collect()
}

fn several(recipe: &Recipe, files: &[String], takes_own: bool) -> PlanError {
    PlanError::Several {
        files: files.iter().take(NAMED).cloned().collect(),
        main: recipe.main.join(" or "),
        takes_own,
    }
}

/// The program among several files; if it is not clear, all candidates.
fn program(recipe: &Recipe, tree: &Tree, files: &[String]) -> Result<String, Vec<String>> {
    if let [only] = files {
        return Ok(only.clone());
    }
    let first_of = |files: &[String]| -> Option<String> {
        let depth = files.first()?.matches('/').count();
        let mut first = files
            .iter()
            .filter(|path| path.matches('/').count() == depth);
        let only = first.next()?;
        first.next().is_none().then(|| only.clone())
    };
    let called = |name: &String| -> Vec<String> {
        let files = files.iter().filter(|path| name_of(path) == name);
        files.cloned().collect()
    };
    let named = recipe.main.iter().find_map(|name| first_of(&called(name)));
    if let Some(main) = named {
        return Ok(main);
    }
    let programs = programs(tree, files);
    first_of(&programs).ok_or(programs)
}

/// The files that contain the start of a program.
fn programs(tree: &Tree, files: &[String]) -> Vec<String> {
    let programs = files.iter().filter(|path| tree.begins_program(path));
    programs.cloned().collect()
}

/// A recipe with this file as the program, and the other files it needs.
fn choice<'a>(recipe: &'a Recipe, tree: &Tree, main: &str) -> Choice<'a> {
    let files = matching(recipe, tree);
    let others: Vec<&String> = (files.iter())
        .filter(|path| *path != main && !main.is_empty() && tree.begins_program(path))
        .collect();
    let belongs = |path: &&String| {
        let is_beside = match folder_of(main) {
            // Files in another program's folder belong to that program.
            "." => {
                let folder = folder_of(path);
                folder == "." || !others.iter().any(|other| folder_of(other) == folder)
            }
            folder => {
                others.is_empty()
                    || path
                        .strip_prefix(folder)
                        .is_some_and(|p| p.starts_with('/'))
            }
        };
        let is_near = !recipe.is_one_folder || folder_of(path) == folder_of(main);
        *path == main || (is_beside && is_near && !others.contains(path))
    };
    Choice {
        recipe,
        class: match main.ends_with(".java") {
            true => tree.class_of(main),
            false => String::new(),
        },
        includes: includes(tree),
        files: files.iter().filter(belongs).cloned().collect(),
        main: main.to_owned(),
        named: None,
    }
}

/// The compiler options that name the folders with headers.
fn includes(tree: &Tree) -> Vec<String> {
    let headers = tree.files().iter().filter(|path| {
        let end = path.rsplit('.').next().unwrap_or_default();
        ["h", "hh", "hpp", "hxx"].contains(&end)
    });
    let mut folders: Vec<&str> = headers.map(|path| folder_of(path)).collect();
    folders.sort_unstable();
    folders.dedup();
    let has_folders = tree.files().iter().any(|path| path.contains('/'));
    let root = has_folders.then_some(".").into_iter();
    let folders = folders.into_iter().filter(|folder| *folder != ".");
    root.chain(folders)
        .map(|folder| format!("-I{folder}"))
        .collect()
}
