//! The system calls of a program, and which of them the sandbox would refuse.

use std::path::Path;

use crate::files::ProgramFiles;
use crate::report::MachineFailure;

/// The answer to a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallAnswer {
    /// The call is allowed.
    Allowed,
    /// The call fails with this system error.
    Refused(i32),
    /// The call is a fault, and ends the program.
    Fault,
}

/// A system call of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedCall {
    /// The call's name; its number if it has no known name.
    pub name: String,
    /// The call's number on this machine.
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
    /// The calls, by number; a call with two verdicts is listed twice.
    pub calls: Vec<TracedCall>,
    /// The exit code, or the signal that ended the program.
    pub end: Result<i32, i32>,
}

/// Runs a command as typed in a folder, behind the system-call filters and with this process's
/// standard input, output and error, and records every call. Slow, and only for trusted programs:
/// it has only Landlock and the filters. `helper` is the binary to use as in
/// [`Launch::helper`](crate::Launch::helper).
pub fn trace_calls(
    helper: &Path,
    command: &[String],
    folder: &Path,
) -> Result<CallTrace, MachineFailure> {
    #[cfg(target_os = "linux")]
    {
        linux::trace(helper, ProgramFiles::find(command, folder))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (helper, ProgramFiles::find(command, folder));
        let why = "system calls can be traced on Linux only";
        Err(MachineFailure::Sandbox(why.to_owned()))
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use crate::environment::SEARCH_PATH;
    use crate::helper::{Verdict, trace as follow};
    use crate::work_folder::WorkFolder;

    pub(super) fn trace(helper: &Path, files: ProgramFiles) -> Result<CallTrace, MachineFailure> {
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
                MachineFailure::Sandbox(format!("no {name} on the path {SEARCH_PATH}"))
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
