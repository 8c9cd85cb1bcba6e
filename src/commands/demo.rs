//! `demo`: the five answers, supported and refused.

use std::path::Path;

use openmind_pack_engine::ops::Answer;
use openmind_pack_format::{Bundle, OpenOptions, ReadError};
use openmind_pack_mcp::Telemetry;
use serde_json::{Value, json};

use super::question::{self, LazyBar};
use crate::args::DemoArgs;
use crate::console::Console;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{self, Page};
use crate::sample;
use crate::select::{Wish, select};

/// One question of the tour.
struct Step {
    command: &'static str,
    /// What it shows.
    about: &'static str,
    /// The operation's argument, where it takes one.
    argument: Option<(&'static str, String)>,
}

impl Step {
    fn new(command: &'static str, about: &'static str, name: &'static str, value: impl Into<String>) -> Self {
        Self { command, about, argument: Some((name, value.into())) }
    }

    fn arguments(&self) -> Value {
        match &self.argument {
            Some((name, value)) => json!({*name: value}),
            None => json!({}),
        }
    }

    /// The command as it would be typed.
    fn typed(&self) -> String {
        match &self.argument {
            Some((_, value)) => format!("openmind-pack {} {}", self.command, quoted(value)),
            None => format!("openmind-pack {}", self.command),
        }
    }
}

/// A word of a shell's command line.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:@".contains(&byte);
    if !word.is_empty() && !word.starts_with('-') && word.bytes().all(plain) {
        return word.to_owned();
    }
    if !word.contains(['"', '$', '`', '\\', '!']) && !word.starts_with('-') {
        return format!("\"{word}\"");
    }
    let dashes = if word.starts_with('-') { "-- " } else { "" };
    format!("{dashes}'{}'", word.replace('\'', r"'\''"))
}

pub(super) fn run(args: &DemoArgs, console: &Console) -> Result<Exit, Failure> {
    let environment = Environment::read();
    let (source, steps) = match &args.bundle {
        None => (sample::source(args.expect, None)?, tour_of_the_sample()),
        Some(path) => {
            let wish = Wish {
                argument: Some(path),
                environment: &environment,
                fallback: false,
                options: OpenOptions { expect: args.expect, ..OpenOptions::default() },
            };
            let telemetry = Telemetry::to_stderr(environment.log_level);
            let source = select(&wish, &telemetry, &LazyBar::default())?;
            let served = source.current()?;
            let steps =
                tour(&served.bundle).map_err(|error| Failure::read(Path::new(&served.label), &error))?;
            (source, steps)
        }
    };
    let mut page = console.page();
    let mut markdown = String::from(HEAD);
    for (number, step) in (1..).zip(&steps) {
        let operation = question::operation(step.command)?;
        // The default of the variable, whatever it says: a tour is the same for everybody.
        let (_, answer) = question::ask(source.as_ref(), operation, step.arguments(), 5)?;
        if args.markdown {
            markdown.push_str(&section(number, step, operation.tool, &answer));
        } else {
            show(&mut page, step, &answer);
        }
    }
    if args.markdown {
        console.print_raw(&markdown)?;
    } else {
        print::origin(&mut page, &question::name(source.current()?.as_ref()));
        console.print(&page)?;
    }
    Ok(Exit::Done)
}

fn show(page: &mut Page, step: &Step, answer: &Answer) {
    print::demo_step(page, step.about, &step.typed());
    print::answer(page, step.command, answer.value());
    page.gap();
}

const HEAD: &str = "\
# The five answers, supported and refused

Written by `openmind-pack demo --markdown`; a test fails where this page is stale. The questions go to the sample that is
built into the program: *fernhouse*, an invented service that waters a greenhouse (`fixtures/sample-repo`). Each is given
as it is typed and as an agent calls it; the answer is the same JSON object either way.
";

fn section(number: u32, step: &Step, tool: &str, answer: &Answer) -> String {
    let typed = step.typed();
    let arguments = step.arguments();
    let pretty = serde_json::to_string_pretty(answer.value()).unwrap_or_default();
    format!(
        "\n## {number}. {}\n\n```sh\n{typed} --json\n```\n\n`{tool}` with\n\n```json\n{arguments}\n```\n\nanswers\n\n```json\n{pretty}\n```\n",
        step.about
    )
}

fn tour_of_the_sample() -> Vec<Step> {
    vec![
        Step { command: "artifacts", about: "What is known here, and of which version?", argument: None },
        Step::new("search", "Where is something done?", "query", "leak closed valve"),
        Step::new(
            "symbol",
            "Where is a name defined? A term and three types share this one",
            "symbol",
            "Pulse",
        ),
        Step::new(
            "symbol",
            "A name that nothing has: near names are offered, and are no evidence",
            "symbol",
            "plan_wattering",
        ),
        Step::new("explain", "What is a component for?", "component", "valved/safety"),
        Step::new(
            "claim",
            "A claim that the sources support",
            "claim",
            "The DeadManSwitch closes every open valve when no heartbeat has counted for 90 seconds.",
        ),
        Step::new(
            "claim",
            "A claim about a known subject that the sources don't support",
            "claim",
            "The PlannerClient uploads telemetry to Grafana.",
        ),
        Step::new(
            "claim",
            "A claim about something that the sources don't cover",
            "claim",
            "The InvoiceMailer archives receipts.",
        ),
    ]
}

/// The same tour through a bundle that nobody knows: its first entries are asked for, and then what isn't there.
fn tour(bundle: &Bundle) -> Result<Vec<Step>, ReadError> {
    let mut steps = vec![Step {
        command: "artifacts",
        about: "What is known here, and of which version?",
        argument: None,
    }];
    let term = (bundle.term_count()? > 0).then(|| bundle.term(0)).transpose()?;
    let component = (bundle.component_count()? > 0).then(|| bundle.component(0)).transpose()?;
    let symbol = (bundle.symbol_count()? > 0).then(|| bundle.symbol(0)).transpose()?;
    let component = component.map(|component| component.name()).transpose()?;
    let name = match (&term, component, symbol) {
        (Some(term), ..) => term.term()?,
        (None, _, Some(symbol)) => symbol.name()?,
        (None, Some(component), None) => component,
        (None, None, None) => return Ok(steps),
    };
    steps.push(Step::new("search", "Where is something done?", "query", name));
    steps.push(Step::new("symbol", "Where is a name defined?", "symbol", name));
    steps.push(Step::new("symbol", "A name that nothing has", "symbol", format!("{name}Wattering")));
    let component = component.unwrap_or(name);
    steps.push(Step::new("explain", "What is a component for?", "component", component));
    if let Some(term) = &term {
        let definition: String = term.description()?.chars().take(300).collect();
        steps.push(Step::new(
            "claim",
            "A claim in the sources' own words",
            "claim",
            format!("{name}: {definition}"),
        ));
    }
    let claim = format!("The {name} uploads telemetry to Grafana.");
    steps.push(Step::new("claim", "A claim that the sources hardly support", "claim", claim));
    let claim = "The InvoiceMailer archives receipts.";
    steps.push(Step::new("claim", "A claim about something else", "claim", claim));
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_reaches_the_shell_as_one_word() {
        assert_eq!(quoted("valved/safety"), "valved/safety");
        assert_eq!(quoted("leak closed valve"), "\"leak closed valve\"");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted("-x"), "-- '-x'");
        assert_eq!(quoted(""), "\"\"");
    }
}
