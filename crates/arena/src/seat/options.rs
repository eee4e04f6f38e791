//! The options of a seat before the command: words such as `files=weights.txt`.

/// The options of a program's seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SeatOptions {
    /// Files the program may read besides those its command names.
    pub(super) files: Vec<String>,
    /// A folder the program may read as a whole.
    pub(super) folder: Option<String>,
}

/// Separates the options from the command. Options come first, so a program's own arguments may
/// look like options.
pub(super) fn split(words: Vec<String>) -> Result<(SeatOptions, Vec<String>), String> {
    let mut options = SeatOptions::default();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next_if(|word| is_option(word)) {
        let (name, value) = word.split_once('=').unwrap_or((&word, ""));
        if value.is_empty() {
            return Err(format!("{name}= has no value"));
        }
        match name {
            "files" => {
                let files = value.split(',').filter(|file| !file.is_empty());
                options.files.extend(files.map(str::to_owned));
            }
            "dir" if options.folder.is_some() => {
                return Err("dir= takes one folder, not two".to_owned());
            }
            "dir" => options.folder = Some(value.to_owned()),
            _ => {
                return Err(format!(
                    "unknown option {name}=; before its command, a seat may have \
                     files=FILE,FILE, dir=FOLDER, newline=no, id=NAME, extra-calls=yes or ponder=yes"
                ));
            }
        }
    }
    Ok((options, words.collect()))
}

/// Whether a word is `name=value`.
pub(super) fn is_option(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(SeatOptions, Vec<String>), String> {
        split(shell_words::split(text).unwrap())
    }

    #[test]
    fn options_come_before_the_command() {
        let (options, command) = read("files=a,b files=c dir=d ./bot files=e x=1").unwrap();
        assert_eq!(options.files, ["a", "b", "c"]);
        assert_eq!(options.folder.as_deref(), Some("d"));
        assert_eq!(command, ["./bot", "files=e", "x=1"]);
        let (options, command) = read("./a=b x=1").unwrap();
        assert_eq!((options, command.len()), (SeatOptions::default(), 2));
    }

    #[test]
    fn wrong_options_are_told() {
        for (text, expected) in [
            ("file=a ./bot", "unknown option file="),
            ("dir= ./bot", "dir= has no value"),
            ("dir=a dir=b ./bot", "dir= takes one folder, not two"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
