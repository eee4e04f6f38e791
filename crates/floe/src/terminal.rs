//! A command's output streams, and what they can show.

use std::cell::Cell;
use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::rc::Rc;

use anstream::{AutoStream, ColorChoice};
use floe_terminal::theme::Theme;

pub(crate) use floe_terminal::look::{COMMAND, ERROR, FAINT, GOOD, Look, REMARK, STRONG};

/// A command's two outputs, and what can be shown on the first.
///
/// Commands always write styles; the streams drop them where they are not wanted.
pub(crate) struct Terminal<'a> {
    pub(crate) out: &'a mut dyn Write,
    pub(crate) err: &'a mut dyn Write,
    pub(crate) look: Look,
    /// Whether standard error is shown on a terminal.
    pub(crate) is_watched: bool,
}

/// A stream that keeps or drops styles.
pub(crate) struct Stream {
    writer: Box<dyn Write>,
    keeps_color: bool,
    is_closed: Rc<Cell<bool>>,
}

impl Stream {
    /// Whether writing failed because the reader of a pipe has gone.
    ///
    /// The stream remembers it, since errors on their way up may hide their cause.
    pub(crate) fn closed(&self) -> Rc<Cell<bool>> {
        Rc::clone(&self.is_closed)
    }
}

/// A writer that remembers whether its reader has gone.
struct Pipe<W> {
    writer: W,
    is_closed: Rc<Cell<bool>>,
}

impl<W> Pipe<W> {
    fn noted<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            self.is_closed.set(true);
        }
        result
    }
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.writer.write(bytes);
        self.noted(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.writer.flush();
        self.noted(result)
    }
}

/// Standard output and standard error.
pub(crate) fn streams(choice: clap::ColorChoice) -> (Stream, Stream) {
    let choice = match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    let out = AutoStream::new(io::stdout(), choice);
    let err = AutoStream::new(io::stderr(), choice);
    let (keeps_out, keeps_err) = (
        out.current_choice() != ColorChoice::Never,
        err.current_choice() != ColorChoice::Never,
    );
    let is_closed = Rc::new(Cell::new(false));
    let out = Pipe {
        writer: out,
        is_closed: Rc::clone(&is_closed),
    };
    let out = Stream {
        writer: Box::new(BufWriter::new(out)),
        keeps_color: keeps_out,
        is_closed,
    };
    let err = Stream {
        writer: Box::new(err),
        keeps_color: keeps_err,
        is_closed: Rc::default(),
    };
    (out, err)
}

impl<'a> Terminal<'a> {
    pub(crate) fn new(out: &'a mut Stream, err: &'a mut Stream) -> Self {
        Terminal {
            look: Look {
                color: out.keeps_color,
                unicode: cfg!(windows) || speaks_unicode(|name| env::var(name).ok()),
                columns: columns(),
                theme: Theme::default(),
            },
            is_watched: io::stderr().is_terminal(),
            out: &mut out.writer,
            err: &mut err.writer,
        }
    }
}

/// Width of the terminal, if there is one.
fn columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size()?;
    io::stdout().is_terminal().then(|| usize::from(width.0))
}

/// Whether the locale's character set is UTF-8, by POSIX's variables in their order.
fn speaks_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_variable_that_is_set_decides() {
        let unicode = |set: &[(&str, &str)]| {
            let value = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
            speaks_unicode(|name| value(name).map(str::to_owned))
        };
        assert!(unicode(&[("LANG", "pl_PL.UTF-8")]));
        assert!(unicode(&[
            ("LC_ALL", ""),
            ("LC_CTYPE", "C.utf8"),
            ("LANG", "C")
        ]));
        assert!(!unicode(&[("LC_ALL", "C"), ("LANG", "pl_PL.UTF-8")]));
        assert!(!unicode(&[("LANG", "pl_PL.ISO-8859-2")]));
        assert!(!unicode(&[]));
    }
}
