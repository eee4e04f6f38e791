//! A program's files, packed for another machine.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use floe_games::AnyGame;
use floe_sandbox::is_of_system;

use super::options::is_option;
use super::program_files::OwnFiles;
use super::protocol::Protocol;

/// A program's files with their places in a folder of their own, and the word that names the program
/// there.
///
/// ```
/// use floe_arena::seat::Seat;
/// let game = floe_games::find("flood")?;
/// let folder = tempfile::tempdir()?;
/// std::fs::create_dir(folder.path().join("alice"))?;
/// std::fs::write(folder.path().join("alice/bot.py"), "print('@')")?;
/// let Seat::Program(program) = Seat::read("python3 alice/bot.py", game, folder.path())? else {
///     unreachable!("it is a program");
/// };
/// let bundle = program.bundle(game);
/// assert_eq!(bundle.word, "python3 ./bot.py");
/// assert_eq!(bundle.files[0].path, std::path::Path::new("bot.py"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// The seat argument, with paths relative to the bundle's folder.
    pub word: String,
    /// The files, in order; none of the system's.
    pub files: Vec<BundledFile>,
}

/// A file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BundledFile {
    /// The file's path in the bundle.
    pub path: PathBuf,
    /// The file's path on this machine.
    pub from: PathBuf,
    /// The target, if the file is a link.
    pub link: Option<PathBuf>,
}

pub(super) fn of(word: &str, game: &dyn AnyGame, own: &OwnFiles) -> Bundle {
    let whole = own.whole_folder();
    let entries = whole.map(|(_, entries)| entries).unwrap_or_default();
    let all = own
        .named()
        .iter()
        .map(|path| (path.clone(), None))
        .chain(entries.iter().map(|e| (e.path.clone(), e.link.clone())));
    let all: Vec<_> = all.filter(|(path, _)| !is_of_system(path)).collect();
    let mut folders: Vec<&Path> = all.iter().filter_map(|(path, _)| path.parent()).collect();
    // An empty folder is part of the bundle too.
    folders.extend(whole.map(|(folder, _)| folder).filter(|f| !is_of_system(f)));
    let top = common(&folders);
    let below = |path: &Path| path.strip_prefix(&top).unwrap_or(path).to_owned();
    let mut files: Vec<BundledFile> = all
        .into_iter()
        .map(|(from, link)| BundledFile {
            path: below(&from),
            from,
            link,
        })
        .collect();
    files.sort();
    files.dedup();
    let renamed = |path: &Path| match is_of_system(path) {
        true => path.display().to_string(),
        false => format!("./{}", below(path).display()),
    };

    let (_, command) = Protocol::of(word, game);
    let prefix = &word[..word.len() - command.len()];
    let written = shell_words::split(command).unwrap_or_default();
    let options = written.iter().take_while(|word| is_option(word));
    let habits = options.filter(|word| !word.starts_with("files=") && !word.starts_with("dir="));
    let mut words: Vec<String> = habits.cloned().collect();
    words.extend(
        own.beside_command()
            .iter()
            .map(|file| format!("files={}", renamed(file))),
    );
    words.extend(whole.map(|(folder, _)| format!("dir={}", renamed(folder))));
    let is_named = |word: &OsStr| own.named().iter().any(|path| path == word);
    // The user's own interpreter is not sent: on the other machine, the system's interpreter with
    // that name runs the program.
    let name = written.iter().find(|word| !is_option(word));
    let name = name.and_then(|name| Path::new(name).file_name());
    let stays = |word: &OsStr| Path::new(word).is_absolute() && !is_of_system(Path::new(word));
    words.extend(own.command.iter().enumerate().map(|(at, word)| {
        if is_named(word) {
            return renamed(Path::new(word));
        }
        let name = name.filter(|_| at == 0 && stays(word));
        name.unwrap_or(word).to_string_lossy().into_owned()
    }));
    Bundle {
        word: format!("{prefix}{}", shell_words::join(words)),
        files,
    }
}

/// The innermost folder that contains all of these folders.
fn common(folders: &[&Path]) -> PathBuf {
    let mut common = folders.first().copied().unwrap_or(Path::new(""));
    for folder in folders {
        while !folder.starts_with(common) {
            common = common.parent().unwrap_or(Path::new(""));
        }
    }
    common.to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::super::Seat;
    use super::*;

    /// Copies a bundle to a new folder.
    fn carried(bundle: &Bundle) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in &bundle.files {
            let to = folder.path().join(&file.path);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            match &file.link {
                Some(link) => std::os::unix::fs::symlink(link, to).unwrap(),
                None => drop(fs::copy(&file.from, to).unwrap()),
            }
        }
        folder
    }

    #[test]
    fn an_interpreter_of_ones_own_is_named_and_not_carried() {
        let game = floe_games::find("flood").unwrap();
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for folder in ["python/bin", "python/lib/python3.11"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        fs::write(home.join("python/lib/python3.11/os.py"), "").unwrap();
        fs::write(home.join("python/bin/python3"), [0x7f, b'E', b'L', b'F']).unwrap();
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(home.join("python/bin/python3"), mode).unwrap();
        fs::write(home.join("bot.py"), "print('@')").unwrap();
        let Ok(Seat::Program(here)) = Seat::read_own("python/bin/python3 bot.py", game, &home)
        else {
            panic!("it is a program");
        };
        let bundle = here.bundle(game);
        let names: Vec<_> = bundle.files.iter().map(|file| file.path.clone()).collect();
        assert_eq!(names, [Path::new("bot.py")]);
        assert_eq!(bundle.word, "python3 ./bot.py");
    }

    #[test]
    fn a_program_is_the_same_wherever_its_bundle_is() {
        let game = floe_games::find("flood").unwrap();
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        fs::create_dir_all(home.join("carol/data")).unwrap();
        fs::create_dir(home.join("dave")).unwrap();
        for name in ["bot", "carol/bot", "carol/data/net 1", "dave/x.py", "book"] {
            fs::write(home.join(name), name).unwrap();
            fs::set_permissions(home.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        std::os::unix::fs::symlink("data", home.join("carol/link")).unwrap();
        let whole = home.display();
        for (folder, word, there) in [
            ("", "./bot".to_owned(), "./bot"),
            ("dave", "line:../bot --fast".to_owned(), "line:./bot --fast"),
            ("", format!("{whole}/carol/bot"), "./bot"),
            (
                "",
                "files=book python3 dave/x.py".to_owned(),
                "'files=./book' python3 ./dave/x.py",
            ),
            (
                "",
                "newline=no dir=carol ./carol/bot".to_owned(),
                "'newline=no' 'dir=./' ./bot",
            ),
            (
                "",
                "dir=carol './carol/data/net 1' a=b".to_owned(),
                "'dir=./' './data/net 1' 'a=b'",
            ),
            (
                "",
                "/usr/bin/env python3".to_owned(),
                "/usr/bin/env python3",
            ),
        ] {
            let seat = Seat::read(&word, game, &home.join(folder)).unwrap();
            let Seat::Program(program) = &seat else {
                panic!("{word} is a program");
            };
            let bundle = program.bundle(game);
            assert_eq!(bundle.word, there);
            let elsewhere = carried(&bundle);
            let again = Seat::read(&bundle.word, game, elsewhere.path()).unwrap();
            assert_eq!(again.entrant("").sha256, seat.entrant("").sha256, "{word}");
        }
    }
}
