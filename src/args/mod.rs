//! The command line as it is written. Parsing says only what was typed; what it means is settled by the commands.

mod build;
mod bundle;
mod demo;
mod question;
mod serve;

use clap::{Parser, Subcommand};

pub(crate) use build::BuildArgs;
pub(crate) use bundle::{InspectArgs, UnpackArgs, VerifyArgs};
pub(crate) use demo::DemoArgs;
pub(crate) use question::{ArtifactsArgs, ClaimArgs, ExplainArgs, Knowledge, SearchArgs, SymbolArgs};
pub(crate) use serve::ServeArgs;

/// Compiles a .openmind directory into one content-hashed file, and answers questions from it, each with file:line.
#[derive(Debug, Parser)]
#[command(name = "openmind-pack", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  openmind-pack demo                                     the five answers, from a built-in sample
  openmind-pack build                                    ./.openmind -> REPOSITORY.ompack
  openmind-pack symbol RetryPolicy                       where a name is defined
  openmind-pack serve REPOSITORY.ompack                  answer an agent over MCP

Which knowledge is asked: --bundle (for serve: the argument), else OPEN_MIND_ARTIFACTS_DIR, else ./.openmind, else a \
single ./*.ompack, else the built-in sample.

Exit codes: 0 done; 1 the operation says no (findings, damage, another hash); 2 wrong usage; 3 the system failed.";

/// One command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Build(BuildArgs),
    Verify(VerifyArgs),
    Inspect(InspectArgs),
    Unpack(UnpackArgs),
    Serve(ServeArgs),
    Artifacts(ArtifactsArgs),
    Search(SearchArgs),
    Symbol(SymbolArgs),
    Explain(ExplainArgs),
    Claim(ClaimArgs),
    Demo(DemoArgs),
}

impl Command {
    /// The command's name, as envelopes have it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Build(_) => "build",
            Self::Verify(_) => "verify",
            Self::Inspect(_) => "inspect",
            Self::Unpack(_) => "unpack",
            Self::Serve(_) => "serve",
            Self::Artifacts(_) => "artifacts",
            Self::Search(_) => "search",
            Self::Symbol(_) => "symbol",
            Self::Explain(_) => "explain",
            Self::Claim(_) => "claim",
            Self::Demo(_) => "demo",
        }
    }

    /// Whether one JSON line is asked for.
    pub(crate) fn json(&self) -> bool {
        match self {
            Self::Build(args) => args.json,
            Self::Verify(args) => args.json,
            Self::Inspect(args) => args.json,
            Self::Artifacts(args) => args.knowledge.json,
            Self::Search(args) => args.knowledge.json,
            Self::Symbol(args) => args.knowledge.json,
            Self::Explain(args) => args.knowledge.json,
            Self::Claim(args) => args.knowledge.json,
            Self::Unpack(_) | Self::Serve(_) | Self::Demo(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use openmind_pack_engine::ops::CATALOGUE;

    use super::*;

    #[test]
    fn the_parser_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_operation_of_the_catalogue_is_a_command() {
        let cli = Cli::command();
        for operation in &CATALOGUE {
            assert!(cli.find_subcommand(operation.command).is_some(), "{}", operation.command);
        }
    }

    #[test]
    fn every_command_shows_an_example_of_itself() {
        for command in Cli::command().get_subcommands_mut() {
            let name = command.get_name().to_owned();
            let help = command.render_long_help().to_string();
            assert!(help.contains(&format!("  openmind-pack {name}")), "{name}:\n{help}");
        }
    }

    #[test]
    fn names_are_those_that_are_typed() {
        let typed = [
            &["build"][..],
            &["verify", "f"],
            &["inspect", "f"],
            &["unpack", "f", "d"],
            &["serve"],
            &["artifacts"],
            &["search", "q"],
            &["symbol", "s"],
            &["explain", "c"],
            &["claim", "c"],
            &["demo"],
        ];
        for words in typed {
            let cli = Cli::try_parse_from([&["openmind-pack"], words].concat()).expect("parses");
            assert_eq!(cli.command.name(), words[0]);
            assert!(!cli.command.json());
        }
    }
}
