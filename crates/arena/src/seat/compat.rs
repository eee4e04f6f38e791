//! Compatibility options for programs that were written for other referees: words such as
//! `newline=no` before the command.

use floe_rules::Request;

use super::options::is_option;

/// Compatibility options for other referees' bots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SeatCompat {
    /// Whether the program's input ends without a newline.
    pub(crate) without_newline: bool,
    /// The program's name, so that the referee need not ask for it.
    pub(crate) id: Option<String>,
    /// Whether the program is also called when there is no move to make, as by the contest's own
    /// referee.
    pub(crate) has_extra_calls: bool,
    /// Whether the program may think during an opponent's turn.
    pub(crate) ponders: bool,
}

/// Takes the compatibility options from the words before the command.
pub(crate) fn split(words: Vec<String>) -> Result<(SeatCompat, Vec<String>), String> {
    let mut compat = SeatCompat::default();
    let mut rest = Vec::with_capacity(words.len());
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next_if(|word| is_option(word)) {
        let (name, value) = word.split_once('=').unwrap_or((&word, ""));
        let yes = || match value {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(format!("{name}= must be yes or no, not {value}")),
        };
        match name {
            "newline" => compat.without_newline = !yes()?,
            "ponder" => compat.ponders = yes()?,
            "extra-calls" => compat.has_extra_calls = yes()?,
            "id" if value.is_empty() || value.contains(char::is_whitespace) => {
                return Err("id= is one word without blanks".to_owned());
            }
            "id" => compat.id = Some(value.to_owned()),
            _ => rest.push(word),
        }
    }
    rest.extend(words);
    Ok((compat, rest))
}

impl SeatCompat {
    /// The question in the form this program reads.
    pub(crate) fn adapted(&self, ask: &Request) -> Request {
        let mut ask = ask.clone();
        if self.without_newline {
            for text in ask.file.iter_mut().chain([&mut ask.input]) {
                if text.ends_with('\n') {
                    text.pop();
                }
            }
        }
        ask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(SeatCompat, Vec<String>), String> {
        split(shell_words::split(text).unwrap())
    }

    #[test]
    fn habits_come_before_the_command_and_leave_other_words_alone() {
        let (compat, words) =
            read("newline=no other=x id=TEAM-E extra-calls=yes ponder=yes ./bot id=mine").unwrap();
        assert_eq!(
            compat,
            SeatCompat {
                without_newline: true,
                id: Some("TEAM-E".to_owned()),
                has_extra_calls: true,
                ponders: true,
            }
        );
        assert_eq!(words, ["other=x", "./bot", "id=mine"]);
        assert_eq!(read("./bot newline=no").unwrap().0, SeatCompat::default());
    }

    #[test]
    fn wrong_habits_are_told() {
        for (text, expected) in [
            (
                "newline=maybe ./bot",
                "newline= must be yes or no, not maybe",
            ),
            ("ponder=sometimes ./bot", "ponder= must be yes or no"),
            ("extra-calls= ./bot", "extra-calls= must be yes or no"),
            ("id= ./bot", "id= is one word"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn one_newline_is_left_out() {
        let ask = Request {
            input: "J\n@#\n".to_owned(),
            file: Some("1 1\n10\n\n".to_owned()),
            ..Request::default()
        };
        let (compat, _) = read("newline=no x").unwrap();
        let adapted = compat.adapted(&ask);
        assert_eq!(
            (adapted.input.as_str(), adapted.file.as_deref()),
            ("J\n@#", Some("1 1\n10\n"))
        );
        assert_eq!(SeatCompat::default().adapted(&ask), ask);
    }
}
