//! `serve`: the MCP server over standard input and output.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use openmind_pack_compiler::Silent;
use openmind_pack_format::OpenOptions;
use openmind_pack_mcp::{Settings, Telemetry, serve_stdio};

use crate::args::ServeArgs;
use crate::console::Console;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::select::{Wish, select};

pub(super) fn run(args: &ServeArgs, console: &Console) -> Result<Exit, Failure> {
    let environment = Environment::read();
    let telemetry = Arc::new(Telemetry::to_stderr(environment.log_level));
    for warning in &environment.warnings {
        telemetry.setting_ignored(warning);
    }
    let wish = Wish {
        argument: args.knowledge.as_deref(),
        environment: &environment,
        fallback: !args.no_fallback,
        options: OpenOptions { mmap: !args.no_mmap, expect: args.expect },
    };
    let source = select(&wish, &telemetry, &Silent)?;
    let served = source.current()?;
    telemetry.artifacts_loaded(&served.label, &served.repository_name);
    drop(served);
    if io::stdin().is_terminal() {
        console.warn("this speaks MCP with a client over standard input; Ctrl-D ends it");
    }
    serve_stdio(source, Settings { max_results: environment.max_results, telemetry })?;
    Ok(Exit::Done)
}
