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

use std::process::ExitCode;

use clap::Parser;

use args::Cli;
use console::Console;
use exit::Exit;

fn main() -> ExitCode {
    let exit = match Cli::try_parse() {
        Ok(cli) => {
            let console = Console::new(cli.command.name(), cli.command.json());
            commands::run(&cli.command, &console).unwrap_or_else(|failure| console.fail(&failure))
        }
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            // Help that nobody reads to its end has done its duty.
            let _ = error.print();
            exit
        }
    };
    exit.into()
}
