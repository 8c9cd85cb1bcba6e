//! The five questions: what was typed becomes the arguments of an operation of the catalogue, whose answer is printed.

use std::sync::Arc;

use openmind_pack_compiler::Progress;
use openmind_pack_engine::ops::{Answer, Context, Operation, by_command};
use openmind_pack_format::OpenOptions;
use openmind_pack_mcp::{BundleSource, Served, Telemetry};
use serde_json::{Map, Value, json};

use crate::args::{ArtifactsArgs, ClaimArgs, ExplainArgs, Knowledge, SearchArgs, SymbolArgs};
use crate::console::Console;
use crate::envelope::Named;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print;
use crate::progress::Bar;
use crate::select::{Wish, select};

/// A question as it was typed.
pub(super) trait Question {
    /// The command, and so the operation.
    const COMMAND: &'static str;

    /// Which knowledge is asked.
    fn knowledge(&self) -> &Knowledge;

    /// The operation's arguments. Options that weren't typed are null, which means absent.
    fn arguments(&self) -> Value;

    /// How the process ends on an answer of this status.
    fn exit(&self, _status: &str) -> Exit {
        Exit::Done
    }
}

impl Question for ArtifactsArgs {
    const COMMAND: &'static str = "artifacts";

    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    fn arguments(&self) -> Value {
        Value::Object(Map::new())
    }
}

impl Question for SearchArgs {
    const COMMAND: &'static str = "search";

    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    fn arguments(&self) -> Value {
        json!({"query": self.query, "limit": self.limit})
    }
}

impl Question for SymbolArgs {
    const COMMAND: &'static str = "symbol";

    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    fn arguments(&self) -> Value {
        json!({"symbol": self.symbol, "limit": self.limit, "cursor": self.cursor})
    }
}

impl Question for ExplainArgs {
    const COMMAND: &'static str = "explain";

    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    fn arguments(&self) -> Value {
        json!({"component": self.component})
    }
}

impl Question for ClaimArgs {
    const COMMAND: &'static str = "claim";

    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    fn arguments(&self) -> Value {
        json!({"claim": self.claim})
    }

    fn exit(&self, status: &str) -> Exit {
        if self.require_supported && status != "supported" { Exit::Refused } else { Exit::Done }
    }
}

pub(super) fn run<Q: Question>(question: &Q, console: &Console) -> Result<Exit, Failure> {
    let environment = Environment::read();
    for warning in &environment.warnings {
        console.warn(warning);
    }
    let knowledge = question.knowledge();
    let wish = Wish {
        argument: knowledge.bundle.as_deref(),
        environment: &environment,
        fallback: !knowledge.no_fallback,
        options: OpenOptions { mmap: !knowledge.no_mmap, expect: knowledge.expect },
    };
    let source = select(&wish, &Telemetry::to_stderr(environment.log_level), &LazyBar::default())?;
    let operation = operation(Q::COMMAND)?;
    let (served, answer) = ask(source.as_ref(), operation, question.arguments(), environment.max_results)?;
    if console.json() {
        console.print_envelope(Some(&name(&served)), &answer.to_json())?;
    } else {
        let mut page = console.page();
        print::answer(&mut page, operation.command, answer.value());
        page.gap();
        print::origin(&mut page, &name(&served));
        console.print(&page)?;
    }
    Ok(question.exit(answer.status()))
}

/// The operation behind a command.
pub(super) fn operation(command: &str) -> Result<&'static Operation, Failure> {
    by_command(command).ok_or_else(|| Failure::defect(format_args!("no operation is called {command}")))
}

/// Asks one question. An answer that may have come from bytes that changed meanwhile is dropped.
pub(super) fn ask(
    source: &dyn BundleSource,
    operation: &Operation,
    arguments: Value,
    max_results: u32,
) -> Result<(Arc<Served>, Answer), Failure> {
    let served = source.current()?;
    let notice = served.notice.as_deref();
    let context = Context { bundle: &served.bundle, max_results, notice, replacement_error: None };
    let answer = operation.call(&context, arguments)?;
    if source.unchanged(&served) {
        return Ok((served, answer));
    }
    Err(Failure::refused(
        "changed",
        format!("{} changed while it was read; the answer was dropped", served.label),
    )
    .hint("ask again; --no-mmap reads the bundle into memory first"))
}

/// The bundle as envelopes name it.
pub(super) fn name(served: &Served) -> Named {
    Named { path: served.label.clone(), content_hash: served.bundle.content_hash() }
}

/// A progress bar that is there only once there is something to show: most questions build nothing.
#[derive(Default)]
pub(super) struct LazyBar(std::sync::OnceLock<Bar>);

impl Progress for LazyBar {
    fn start(&self, stage: openmind_pack_compiler::Stage, total: u64) {
        self.0.get_or_init(Bar::new).start(stage, total);
    }

    fn advance(&self, stage: openmind_pack_compiler::Stage, amount: u64) {
        self.0.get_or_init(Bar::new).advance(stage, amount);
    }
}
