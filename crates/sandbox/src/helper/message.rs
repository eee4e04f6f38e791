//! The helpers' messages about a program, one per line: a letter for its kind, then the rest.
//!
//! The supervisor sends [`SupervisorMessage`]s to the caller, the launcher sends
//! [`LauncherMessage`]s to its supervisor. Only whole lines are messages.

use std::fmt;
use std::str::FromStr;

/// The cause of a program's end, as far as the supervisor knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndCause {
    /// The program exited with this code.
    Exited(i32),
    /// A signal ended the program.
    Signalled(i32),
    /// The program exceeded its memory limit.
    Memory,
    /// The program started too many processes.
    Processes,
    /// The program exceeded the limit of its working directory.
    Files,
    /// The program killed the process that watches its namespace.
    Supervisor,
    /// The program ran while it had to be stopped.
    OutOfTurn,
    /// The program hid its open files.
    Hiding,
    /// The caller ended the program.
    Asked,
}

/// The caller's commands to the supervisor of a running program, one byte each. Any other byte, and
/// the end of the caller, ends the program.
pub(crate) mod word {
    /// The turn has changed, and some of the program's processes are outside its process group.
    pub(crate) const LOOK: u8 = b'l';
    /// The program is to end.
    pub(crate) const END: u8 = b'k';
}

/// The supervisor's last message about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) cause: EndCause,
    pub(crate) cpu_micros: u64,
    pub(crate) peak_kib: u64,
    /// Number of the program's processes that could not be killed.
    pub(crate) left: usize,
}

/// From the supervisor to its caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SupervisorMessage {
    /// The launcher has its order; this is its process group.
    Starting(i32),
    /// The program runs.
    Started,
    /// A failure kept the program from running.
    MachineFailure(String),
    /// The program has ended.
    Done(Done),
}

/// From the launcher to its supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LauncherMessage {
    /// All layers are closed; next, this process becomes the program, or starts it in a pid
    /// namespace.
    Ready,
    /// The program runs; in a pid namespace, where the launcher stays.
    Running,
    /// A layer could not be closed, or the program's file could not be run.
    Failed(String),
    /// The program ended in a PID namespace, where the supervisor cannot see the end.
    Ended {
        cause: EndCause,
        cpu_micros: u64,
        peak_kib: u64,
        /// Whether no other process of the namespace was left.
        is_alone: bool,
    },
}

/// The complete messages at the start of a helper's output.
pub(crate) fn messages<M: FromStr>(said: &str) -> impl Iterator<Item = M> + '_ {
    let lines = said.split_inclusive('\n');
    lines.filter_map(|line| line.strip_suffix('\n')?.parse().ok())
}

/// A line that is not a message.
#[derive(Debug)]
pub(crate) struct NoMessage;

impl fmt::Display for EndCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndCause::Exited(code) => write!(f, "E{code}"),
            EndCause::Signalled(signal) => write!(f, "S{signal}"),
            EndCause::Memory => f.write_str("M"),
            EndCause::Processes => f.write_str("N"),
            EndCause::Files => f.write_str("W"),
            EndCause::Supervisor => f.write_str("K"),
            EndCause::OutOfTurn => f.write_str("O"),
            EndCause::Hiding => f.write_str("H"),
            EndCause::Asked => f.write_str("A"),
        }
    }
}

impl FromStr for EndCause {
    type Err = NoMessage;

    fn from_str(text: &str) -> Result<Self, NoMessage> {
        let number = |text: &str| text.parse().map_err(|_| NoMessage);
        match text.split_at_checked(1).ok_or(NoMessage)? {
            ("E", code) => Ok(EndCause::Exited(number(code)?)),
            ("S", signal) => Ok(EndCause::Signalled(number(signal)?)),
            ("M", "") => Ok(EndCause::Memory),
            ("N", "") => Ok(EndCause::Processes),
            ("W", "") => Ok(EndCause::Files),
            ("K", "") => Ok(EndCause::Supervisor),
            ("O", "") => Ok(EndCause::OutOfTurn),
            ("H", "") => Ok(EndCause::Hiding),
            ("A", "") => Ok(EndCause::Asked),
            _ => Err(NoMessage),
        }
    }
}

impl fmt::Display for SupervisorMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SupervisorMessage::Starting(group) => write!(f, "Q{group}"),
            SupervisorMessage::Started => f.write_str("P"),
            SupervisorMessage::MachineFailure(why) => write!(f, "T{}", one_line(why)),
            SupervisorMessage::Done(done) => write!(
                f,
                "D{} {} {} {}",
                done.cause, done.cpu_micros, done.peak_kib, done.left
            ),
        }
    }
}

impl FromStr for SupervisorMessage {
    type Err = NoMessage;

    fn from_str(line: &str) -> Result<Self, NoMessage> {
        match line.split_at_checked(1).ok_or(NoMessage)? {
            ("Q", group) => Ok(SupervisorMessage::Starting(field(Some(group))?)),
            ("P", "") => Ok(SupervisorMessage::Started),
            ("T", why) => Ok(SupervisorMessage::MachineFailure(why.to_owned())),
            ("D", rest) => {
                let mut words = rest.split(' ');
                Ok(SupervisorMessage::Done(Done {
                    cause: field(words.next())?,
                    cpu_micros: field(words.next())?,
                    peak_kib: field(words.next())?,
                    left: field(words.next())?,
                }))
            }
            _ => Err(NoMessage),
        }
    }
}

impl fmt::Display for LauncherMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LauncherMessage::Ready => f.write_str("R"),
            LauncherMessage::Running => f.write_str("G"),
            LauncherMessage::Failed(why) => write!(f, "F{}", one_line(why)),
            LauncherMessage::Ended {
                cause,
                cpu_micros,
                peak_kib,
                is_alone,
            } => write!(
                f,
                "X{cause} {cpu_micros} {peak_kib} {}",
                u8::from(*is_alone)
            ),
        }
    }
}

impl FromStr for LauncherMessage {
    type Err = NoMessage;

    fn from_str(line: &str) -> Result<Self, NoMessage> {
        match line.split_at_checked(1).ok_or(NoMessage)? {
            ("R", "") => Ok(LauncherMessage::Ready),
            ("G", "") => Ok(LauncherMessage::Running),
            ("F", why) => Ok(LauncherMessage::Failed(why.to_owned())),
            ("X", rest) => {
                let mut words = rest.split(' ');
                Ok(LauncherMessage::Ended {
                    cause: field(words.next())?,
                    cpu_micros: field(words.next())?,
                    peak_kib: field(words.next())?,
                    is_alone: field::<u8>(words.next())? == 1,
                })
            }
            _ => Err(NoMessage),
        }
    }
}

fn field<T: FromStr>(text: Option<&str>) -> Result<T, NoMessage> {
    text.and_then(|text| text.parse().ok()).ok_or(NoMessage)
}

/// A message is one line, so line breaks in an error's text are replaced.
fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent_and_half_a_line_is_none() {
        let done = SupervisorMessage::Done(Done {
            cause: EndCause::Signalled(11),
            cpu_micros: 5,
            peak_kib: 7,
            left: 1,
        });
        let sent = [
            SupervisorMessage::Starting(42),
            SupervisorMessage::Started,
            SupervisorMessage::MachineFailure("no such file".into()),
            done,
        ];
        let mut said: String = sent.iter().map(|message| format!("{message}\n")).collect();
        said.push('P');
        assert_eq!(
            messages::<SupervisorMessage>(&said).collect::<Vec<_>>(),
            sent
        );
        for cause in [
            EndCause::Exited(-3),
            EndCause::Memory,
            EndCause::Processes,
            EndCause::Files,
            EndCause::Supervisor,
            EndCause::OutOfTurn,
            EndCause::Hiding,
            EndCause::Asked,
        ] {
            let sent = LauncherMessage::Ended {
                cause,
                cpu_micros: 1,
                peak_kib: 2,
                is_alone: true,
            };
            let line = format!("{sent}\n");
            assert_eq!(
                messages::<LauncherMessage>(&line).collect::<Vec<_>>(),
                [sent]
            );
        }
        let said = format!("{}\n", LauncherMessage::Failed("two\nlines".into()));
        let read: Vec<LauncherMessage> = messages(&said).collect();
        assert_eq!(read, [LauncherMessage::Failed("two lines".into())]);
    }
}
