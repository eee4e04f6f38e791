//! Which system calls a program makes, and which of them would be refused.

use std::path::Path;

use crate::files::ProgramFiles;
use crate::report::Trouble;

/// The answer to a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallAnswer {
    /// It is made.
    Allowed,
    /// It fails with this error of the system.
    Refused(i32),
    /// It is a fault: the program is ended.
    Fault,
}

/// A system call that a program made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedCall {
    /// Its name, or its number where nothing is known about it.
    pub name: String,
    /// Its number on this machine.
    pub number: i64,
    /// Number of calls.
    pub times: u64,
    /// The answer.
    pub answer: CallAnswer,
    /// The arguments of the first time.
    pub arguments: [u64; 6],
    /// The reason in the table of calls.
    pub why: &'static str,
}

/// The system calls of a program: see [`trace_calls`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallTrace {
    /// The calls, by number; one that was answered in two ways is there twice.
    pub calls: Vec<TracedCall>,
    /// The exit code, or the signal that ended it.
    pub end: Result<i32, i32>,
}

/// Runs a command as typed in a folder, behind the filters for system calls and with this process's
/// standard input, output and error, and notes every call. Slow, and for programs of people one knows:
/// it has Landlock and the filters around it, and no other layer. `helper` is the binary to use as in
/// [`Launch::helper`](crate::Launch::helper).
pub fn trace_calls(helper: &Path, command: &[String], folder: &Path) -> Result<CallTrace, Trouble> {
    #[cfg(target_os = "linux")]
    {
        linux::trace(helper, ProgramFiles::find(command, folder))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (helper, ProgramFiles::find(command, folder));
        let why = "system calls can be traced on Linux only";
        Err(Trouble::Sandbox(why.to_owned()))
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use crate::environment::SEARCH_PATH;
    use crate::helper::{Verdict, trace as follow};
    use crate::work_folder::WorkFolder;

    pub(super) fn trace(helper: &Path, files: ProgramFiles) -> Result<CallTrace, Trouble> {
        let helper = match helper.as_os_str().is_empty() {
            true => std::env::current_exe()?,
            false => helper.to_owned(),
        };
        let mut command = files.command;
        if let Some(first) = command.first_mut()
            && !first.as_encoded_bytes().contains(&b'/')
        {
            let found = std::env::split_paths(SEARCH_PATH).map(|folder| folder.join(&*first));
            let found = found.into_iter().find(|file| file.is_file());
            let missing = || {
                let name = first.display();
                Trouble::Sandbox(format!("no {name} on the path {SEARCH_PATH}"))
            };
            *first = found.ok_or_else(missing)?.into_os_string();
        }
        let work = WorkFolder::private()?;
        let (seen, end) = follow(&helper, &command, &files.folders, work.path())?;
        let calls = seen.into_iter().map(|call| TracedCall {
            name: call.name(),
            why: call.why(),
            number: call.number,
            times: call.times,
            arguments: call.arguments,
            answer: match call.verdict {
                Verdict::Allow => CallAnswer::Allowed,
                Verdict::Refuse(error) => CallAnswer::Refused(error),
                Verdict::Fault => CallAnswer::Fault,
            },
        });
        Ok(CallTrace {
            calls: calls.collect(),
            end,
        })
    }
}
