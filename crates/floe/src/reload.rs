//! The servers of a cluster that run on this machine read their configurations again.

use std::path::Path;
use std::process::Command;

use floe_cluster::config;

use crate::quoting::shown;
use crate::terminal::COMMAND;

/// Makes the running servers read their configurations again, and says so, or what the operator
/// must do, in a line for each.
pub(crate) fn reload_all(folder: &Path) -> Vec<String> {
    let servers = config::servers_of(folder).into_iter();
    let told = servers.map(|(config, id)| reload_one(&config, id));
    told.collect()
}

fn reload_one(config: &Path, id: Option<u32>) -> String {
    let config = shown(config);
    let Some(id) = id else {
        return format!(
            "if the server of {config} runs, copy that file to its machine and let it know there: \
             {COMMAND}nats-server --signal reload{COMMAND:#}"
        );
    };
    let mut command = Command::new("nats-server");
    let signalled = command.args(["--signal", &format!("reload={id}")]).output();
    match signalled {
        Ok(output) if output.status.success() => {
            format!("the server has read {config} again")
        }
        Ok(_) | Err(_) => format!(
            "the server of {config} (process {id}) could not be reloaded: run {COMMAND}nats-server \
             --signal reload={id}{COMMAND:#} as its user"
        ),
    }
}
