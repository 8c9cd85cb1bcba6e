//! The command line of openmind-pack: parse, call, print. What is known about bundles and answers is in the crates
//! beside this one.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod console;
mod envelope;
mod environment;
mod exit;
mod failure;
mod print;
mod progress;
mod sample;
mod select;
mod source;
mod stamp;

use std::io::{self, Write};
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;

use clap::Parser;

use args::Cli;
use console::Console;
use exit::Exit;

fn main() -> ExitCode {
    outlive_file_limits();
    let exit = match Cli::try_parse() {
        Ok(cli) => {
            let console = Console::new(cli.command.name(), cli.command.json());
            commands::run(&cli.command, &console).unwrap_or_else(|failure| console.fail(&failure))
        }
        Err(error) if error.use_stderr() => {
            // Where the complaint can't be printed, the exit code still says it.
            let _ = error.print();
            Exit::Usage
        }
        Err(help) => {
            let printed = help.print().and_then(|()| io::stdout().flush());
            let console = Console::new("help", false);
            console::written_or_unread(printed).map_or_else(|failure| console.fail(&failure), |()| Exit::Done)
        }
    };
    exit.into()
}

/// Lets a write past the limit of file sizes (`ulimit -f`) fail as one to a full disk does. Without a handler the signal
/// that comes with it ends the process, which then can't say why or clean up.
#[cfg(unix)]
fn outlive_file_limits() {
    // Nobody reads the flag: that there is a handler is all that counts. Where it can't be set, the default stays.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// There are no such limits there.
#[cfg(not(unix))]
fn outlive_file_limits() {}
