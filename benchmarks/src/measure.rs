//! Timing of processes, from outside.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A run's wall time and peak memory.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Seconds from spawn to exit.
    pub seconds: f64,
    /// VmHWM in bytes, sampled every millisecond.
    pub peak: f64,
}

fn peak_of(child: &Child) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024.0)
}

/// Runs a command to its end.
pub fn run(mut command: Command) -> io::Result<Run> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let mut peak = 0.0_f64;
    loop {
        peak = peak.max(peak_of(&child).unwrap_or(0.0));
        if let Some(status) = child.try_wait()? {
            let seconds = start.elapsed().as_secs_f64();
            if status.success() {
                return Ok(Run { seconds, peak });
            }
            return Err(io::Error::other(format!("{command:?} ended with {status}")));
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Seconds from spawning a server to its answer to the first tool call.
pub fn first_answer(program: &Path, bundle: Option<&Path>, call: &str) -> io::Result<f64> {
    let mut command = Command::new(program);
    command.arg("serve").args(bundle).current_dir("/").env_remove("OPEN_MIND_ARTIFACTS_DIR");
    let start = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut input = child.stdin.take().ok_or_else(|| io::Error::other("no standard input"))?;
    let output = child.stdout.take().ok_or_else(|| io::Error::other("no standard output"))?;
    let open = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"benchmark","version":"1"}}}"#;
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    write!(input, "{open}\n{ready}\n{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{call}}}\n")?;
    for line in BufReader::new(output).lines() {
        let line = line?;
        if line.contains("\"id\":2") {
            let seconds = start.elapsed().as_secs_f64();
            drop(input);
            child.wait()?;
            if line.contains("\"isError\":false") {
                return Ok(seconds);
            }
            return Err(io::Error::other(line));
        }
    }
    Err(io::Error::other("the server gave no answer"))
}

/// Median, minimum and maximum.
pub fn spread(mut values: Vec<f64>) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    (at(values.len() / 2), at(0), at(values.len().saturating_sub(1)))
}
