//! The server, and the parts of the simulation that are processes of their own.

use std::fs::{self, File};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::Answer;

/// A process that ends with this value.
pub(crate) struct Ours(pub(crate) Child);

impl Drop for Ours {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn server(folder: &std::path::Path) -> Answer<(Ours, String)> {
    let ports = folder.join("ports");
    fs::create_dir(&ports)?;
    let child = Command::new("nats-server")
        .args(["-a", "127.0.0.1", "-p", "-1", "-js", "-sd"])
        .arg(folder.join("js"))
        .arg("--ports_file_dir")
        .arg(&ports)
        .stderr(File::create(folder.join("log"))?)
        .spawn()?;
    let child = Ours(child);
    loop {
        for file in fs::read_dir(&ports)?.flatten() {
            let text = fs::read_to_string(file.path())?;
            let told: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            if let Some(url) = told["nats"][0].as_str() {
                return Ok((child, url.to_owned()));
            }
        }
        thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) fn part(words: &[&str], stderr: Stdio) -> Answer<Ours> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(words).stderr(stderr);
    Ok(Ours(command.spawn()?))
}

/// Processor seconds of a process so far.
pub(crate) fn processor_seconds(id: &str) -> f64 {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or_default();
    let fields: Vec<f64> = after
        .split_whitespace()
        .map(|field| field.parse().unwrap_or(0.0))
        .collect();
    // Ticks of a hundredth of a second in user and system mode.
    fields
        .get(11..13)
        .map_or(0.0, |ticks| ticks.iter().sum::<f64>() / 100.0)
}

/// Memory of this process in use now, in MiB.
pub(crate) fn memory() -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}
